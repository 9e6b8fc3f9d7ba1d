//! Pictures for tests: drawn here, and put where the server says.

use super::{Faces, Member, Refused};
use goodturn::pb::{
    common::PictureFormat,
    profile::{CreatePictureUploadRequest, CreatePictureUploadResponse, SetPictureRequest},
};
use image::{ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use std::io::Cursor;

/// Where the configuration of tests says that the server is.
pub const PUBLIC_URL: &str = "http://goodturn.test";

/// A picture of one color with a red corner at its top left.
pub fn drawn(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb(if x < width / 2 && y < height / 2 { [220, 20, 20] } else { [20, 80, 200] }));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

impl Faces {
    /// Announces a PNG of so many bytes.
    pub async fn announces(&self, who: &Member, bytes: usize) -> Result<CreatePictureUploadResponse, Refused> {
        let request = CreatePictureUploadRequest {
            file_name: "me.png".into(),
            content_type: PictureFormat::Png.into(),
            file_size: bytes.try_into().unwrap(),
            ..Default::default()
        };
        Ok(self.profile(who).create_picture_upload(request).await?.into_inner())
    }

    /// Puts a file where an address of the server says: the status.
    pub async fn put_file(&self, url: &str, media_type: &str, bytes: Vec<u8>) -> u16 {
        let put = self.http(Method::PUT, url.strip_prefix(PUBLIC_URL).unwrap()).header("content-type", media_type);
        put.body(bytes).send().await.unwrap().status().as_u16()
    }

    /// Announces and puts a file: the key.
    pub async fn uploads(&self, who: &Member, bytes: Vec<u8>) -> String {
        let told = self.announces(who, bytes.len()).await.unwrap();
        assert_eq!(self.put_file(&told.upload_url, "image/png", bytes).await, 200);
        told.key
    }

    /// Sets an upload: the address of the picture.
    pub async fn sets(&self, who: &Member, key: &str) -> Result<String, Refused> {
        let request = SetPictureRequest { key: key.to_owned(), ..Default::default() };
        Ok(self.profile(who).set_picture(request).await?.into_inner().profile_picture_url)
    }

    /// What an address of the server gives.
    pub async fn gives(&self, url: &str) -> reqwest::Response {
        self.http(Method::GET, url.strip_prefix(PUBLIC_URL).unwrap()).send().await.unwrap()
    }
}
