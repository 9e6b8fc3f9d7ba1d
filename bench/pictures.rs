//! What it takes to make an uploaded picture a member's: decoded, turned upright and made smaller, four at once.

use crate::{
    calls::{Rpc, bearer, channel},
    load::summary,
    people::Signer,
    servers::Server,
    usage,
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use goodturn::pb::{
    common::PictureFormat,
    profile::{CreatePictureUploadRequest, CreatePictureUploadResponse, SetPictureRequest, SetPictureResponse},
};
use image::{ExtendedColorType, ImageEncoder, codecs::jpeg::JpegEncoder};
use std::time::{Duration, Instant};

/// At once.
pub const AT_ONCE: usize = 4;
/// Of each of those.
const TIMES: usize = 6;
/// As a phone takes them.
const SIZE: (u32, u32) = (4000, 3000);
const QUALITY: u8 = 80;
const CREATE: &str = "/goodturn.profile.v1.ProfileService/CreatePictureUpload";
const SET: &str = "/goodturn.profile.v1.ProfileService/SetPicture";

/// What they cost.
#[derive(Clone, Copy, Debug)]
pub struct Pictures {
    /// Bytes of the picture.
    pub bytes: usize,
    /// Half of the calls took less, in milliseconds.
    pub p50_ms: f64,
    /// 99 of 100 took less, in milliseconds.
    pub p99_ms: f64,
    /// Processor time of the server for each, in milliseconds: upload and confirmation.
    pub cpu_ms: f64,
    /// How much the resident memory grew at most, in MB.
    pub peak_mb: f64,
}

/// Uploads and confirms pictures of this many pixels, four at once.
///
/// # Errors
/// When one is refused.
pub async fn measure(server: &Server, signers: &[Signer]) -> Result<Pictures> {
    let picture = picture()?;
    ensure!(signers.len() >= AT_ONCE, "there are {} members for {AT_ONCE} pictures at once", signers.len());
    let pid = server.pid();
    usage::forget_peak(pid)?;
    let before = usage::memory_mb(pid);
    let cpu = usage::cpu_s(pid);
    let each = signers.iter().take(AT_ONCE).map(|signer| tokio::spawn(confirm(server.url.clone(), signer.clone(), picture.clone())));
    let mut times = Vec::new();
    for done in futures_util::future::join_all(each).await {
        times.extend(done??);
    }
    let cpu_ms = (usage::cpu_s(pid) - cpu) * 1e3 / times.len() as f64;
    let figures = summary(times, 1.0);
    let peak_mb = usage::peak_mb(pid) - before;
    Ok(Pictures { bytes: picture.len(), p50_ms: figures.p50_ms, p99_ms: figures.p99_ms, cpu_ms, peak_mb })
}

/// One member's pictures, one after the other; how long each confirmation took.
async fn confirm(url: String, signer: Signer, picture: Bytes) -> Result<Vec<Duration>> {
    let mut create = Rpc::<CreatePictureUploadRequest, CreatePictureUploadResponse>::to(channel(&url).await?, CREATE);
    let mut set = Rpc::<SetPictureRequest, SetPictureResponse>::to(channel(&url).await?, SET);
    let http = reqwest::Client::new();
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let asked = CreatePictureUploadRequest {
            content_type: PictureFormat::Jpeg.into(),
            file_size: i32::try_from(picture.len())?,
            ..Default::default()
        };
        let upload = create.send((asked, Some(bearer(&signer.token)?))).await?.0.context("announcing")?;
        // The server calls itself by another name than it has here.
        let signed: reqwest::Url = upload.upload_url.parse()?;
        let to = format!("{url}{}?{}", signed.path(), signed.query().unwrap_or_default());
        http.put(to).header("content-type", "image/jpeg").body(picture.clone()).send().await?.error_for_status().context("uploading")?;
        let asked = SetPictureRequest { key: upload.key, ..Default::default() };
        let began = Instant::now();
        set.send((asked, Some(bearer(&signer.token)?))).await?.0.context("confirming")?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Hills of color with some noise: neither flat, which would cost nothing, nor noise alone, which no camera makes.
fn picture() -> Result<Bytes> {
    let (width, height) = SIZE;
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let hill = f64::from(x) / 211.0 + f64::from(y) / 157.0;
            let noise = f64::from((x.wrapping_mul(73) ^ y.wrapping_mul(151)) % 23);
            for phase in [0.0, 2.1, 4.2] {
                // Between 27 and 250.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a byte")]
                pixels.push((127.0 + 100.0 * (hill + phase).sin() + noise) as u8);
            }
        }
    }
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY).write_image(&pixels, width, height, ExtendedColorType::Rgb8)?;
    Ok(jpeg.into())
}
