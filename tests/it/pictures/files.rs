//! What is put where it may not be, or is no picture, or hides something.

use super::{files, server};
use crate::harness::{H1, PUBLIC_URL, drawn, until};
use goodturn::pictures::BYTES_MAX;
use image::{ImageDecoder, ImageFormat, ImageReader, Rgb};
use serde_json::json;
use std::io::Cursor;
use time::Duration;

#[tokio::test]
async fn a_file_is_put_as_it_was_announced_or_not_at_all() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let file = drawn(ImageFormat::Png, 50, 50);
    let told = server.announces(&ana, file.len()).await.unwrap();
    let url = told.upload_url.as_str();
    for (media_type, bytes) in [
        ("image/jpeg", file.clone()),
        ("text/html", file.clone()),
        ("", file.clone()),
        ("image/png", file[1..].to_vec()),
        ("image/png", [file.as_slice(), b"x"].concat()),
        ("image/png", vec![0; BYTES_MAX + 1]),
    ] {
        assert_eq!(server.put_file(url, media_type, bytes.clone()).await, 403, "{media_type} {}", bytes.len());
    }
    let (_, path) = url.split_at(PUBLIC_URL.len());
    let id = &told.key;
    let query = path.split_once('?').unwrap().1;
    for edited in [
        path.replace("expires=", "expires=9"),
        path.replace("expires=", "expires=+"),
        path.replace("expires=", "expires=0"),
        path.replace("signature=", "signature=A"),
        path.replace('&', "&x=1&"),
        format!("{path}&x=1"),
        path.split('?').next().unwrap().to_owned(),
        path.replace(id, "00000000-0000-0000-0000-000000000000"),
        path.replace("uploads", "renditions"),
        format!("/pictures/uploads/../uploads/{id}?{query}"),
        format!("/pictures/uploads/%2e%2e/uploads/{id}?{query}"),
        format!("/pictures/uploads%2F{id}?{query}"),
        format!("/pictures/uploads/{id}%00?{query}"),
        format!("/pictures//uploads/{id}?{query}"),
        format!("/pictures/../secret.key?{query}"),
        format!("/pictures/%2e%2e/%2e%2e/etc/passwd?{query}"),
    ] {
        for (method, body) in [("PUT", file.as_slice()), ("GET", b"")] {
            let head = format!(
                "{method} {edited} HTTP/1.1\r\nHost: goodturn.test\r\nContent-Type: image/png\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let mut raw = H1::opened_with(&server.address, &[head.as_bytes(), body].concat()).await;
            let answer = String::from_utf8_lossy(&raw.until_cut().await.0).into_owned();
            let status: u16 = answer.split(' ').nth(1).unwrap().parse().unwrap();
            assert!([400, 403, 404, 405].contains(&status), "{method} {edited}: {answer}");
        }
    }
    assert_eq!(server.gives(url).await.status(), 403, "what was uploaded is given to nobody");
    assert_eq!(server.http(reqwest::Method::POST, path).send().await.unwrap().status(), 405);

    // Fewer bytes than were said, and then nothing.
    let head = format!("PUT {path} HTTP/1.1\r\nHost: goodturn.test\r\nContent-Type: image/png\r\nContent-Length: {}\r\n\r\n", file.len());
    let mut raw = H1::opened_with(&server.address, head.as_bytes()).await;
    raw.say(&file[..20]).await.unwrap();
    until("it is on its way", async || files(folder.path()).len() == 1).await;
    drop(raw);
    until("it broke off", async || files(folder.path()).is_empty()).await;
    assert_eq!(server.sets(&ana, &told.key).await.unwrap_err().reason, "NOT_FOUND", "nothing was put there");

    assert_eq!(server.put_file(url, "image/png", file.clone()).await, 200);
    assert_eq!(server.put_file(url, "image/png", file.clone()).await, 200, "again, as after an answer that was lost");
    server.clock.advance(Duration::minutes(5));
    assert_eq!(server.put_file(url, "image/png", file).await, 403, "it has expired");
    server.sets(&ana, &told.key).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn what_is_announced_has_a_format_and_a_size() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let path = format!("/v2/users/{}/profile-picture/upload-url", ana.uid);
    for (content_type, size, field) in [
        ("image/gif", json!(10), "contentType"),
        ("image/svg+xml", json!(10), "contentType"),
        ("", json!(10), "contentType"),
        ("image/png", json!(0), "fileSize"),
        ("image/png", json!(-1), "fileSize"),
        ("image/png", json!(BYTES_MAX + 1), "fileSize"),
        ("image/png", json!("much"), "fileSize"),
    ] {
        let (status, told) =
            server.rest("POST", &path, &ana, json!({"fileName": "a", "contentType": content_type, "fileSize": size})).await;
        assert_eq!((status, told["details"][0]["field"].as_str()), (400, Some(field)), "{content_type} {size}: {told}");
    }
    let (status, told) =
        server.rest("POST", &path, &ana, json!({"fileName": "a", "contentType": "image/jpg", "fileSize": BYTES_MAX})).await;
    assert_eq!(status, 200);
    let whole = vec![0; BYTES_MAX];
    assert_eq!(server.put_file(told["uploadUrl"].as_str().unwrap(), "image/jpg", whole).await, 200, "as much as may be, as it was called");
    server.stop().await;
}

/// Red at its top left, as the pixels are written.
fn turned(orientation: u8) -> Vec<u8> {
    let plain = drawn(ImageFormat::Jpeg, 400, 200);
    // TIFF, little endian: the orientation, and a directory of GPS with a latitude.
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0".to_vec();
    exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0]);
    exif.extend([0, 0, 0, 0]);
    exif.extend([1, 0, 0x01, 0, 2, 0, 2, 0, 0, 0, b'N', 0, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"GPS-CANARY-48.8583N-2.2945E");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xff, 0xe1], &length, &exif, &plain[2..]].concat()
}

#[tokio::test]
async fn what_is_served_is_upright_and_says_nothing_of_where_it_was_taken() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    // Where the red corner is when the picture is upright, and its sides.
    for (orientation, size, red) in
        [(1, (256, 128), (5, 5)), (3, (256, 128), (250, 122)), (6, (128, 256), (122, 5)), (8, (128, 256), (5, 250))]
    {
        let file = turned(orientation);
        assert_eq!(
            ImageReader::with_format(Cursor::new(&file), ImageFormat::Jpeg).into_decoder().unwrap().orientation().unwrap().to_exif(),
            orientation
        );
        let url = server.sets(&ana, &server.uploads(&ana, file).await).await.unwrap();
        let given = server.gives(&url).await.bytes().await.unwrap();
        let upright = image::load_from_memory(&given).unwrap().into_rgb8();
        assert_eq!(upright.dimensions(), size, "{orientation}");
        let Rgb([r, g, _]) = *upright.get_pixel(red.0, red.1);
        assert!(r > 180 && g < 60, "{orientation}");
        until("the upload is removed", async || files(folder.path()) == super::RENDITIONS).await;
        for size in super::RENDITIONS {
            let path = url
                .split(['?'])
                .next()
                .unwrap()
                .strip_prefix(PUBLIC_URL)
                .unwrap()
                .strip_prefix("/pictures/")
                .unwrap()
                .replace("256.jpg", size);
            let kept = std::fs::read(folder.path().join(path)).unwrap();
            let has = |word: &[u8]| kept.windows(word.len()).any(|part| part == word);
            assert!(!has(b"Exif") && !has(b"CANARY"), "{size}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_picture_is_refused_and_removed_and_what_hides_in_one_is_gone() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let whole = drawn(ImageFormat::Png, 300, 300);
    let mut wide = whole.clone();
    wide[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let sum = crc(&wide[12..29]);
    wide[29..33].copy_from_slice(&sum.to_be_bytes());
    for (what, file) in [
        ("a page", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("a drawing with a script", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec()),
        ("another format", drawn(ImageFormat::Png, 1, 1).into_iter().rev().collect()),
        ("half a picture", whole[..whole.len() / 2].to_vec()),
        ("a bomb", wide),
    ] {
        let key = server.uploads(&ana, file).await;
        let refused = server.sets(&ana, &key).await.unwrap_err();
        assert_eq!(refused.fields, [("key".to_owned(), "INVALID".to_owned())], "{what}");
        assert!(refused.message.starts_with("key: Invalid File Format"), "{what}: {refused:?}");
        assert_eq!(server.sets(&ana, &key).await.unwrap_err().reason, "NOT_FOUND", "{what} is not looked at again");
    }
    until("all of it is removed", async || files(folder.path()).is_empty()).await;
    // A picture that is a page as well, as an archive is one at its end.
    let both = [whole.as_slice(), b"<script>alert('CANARY')</script>PK\x05\x06CANARY"].concat();
    let url = server.sets(&ana, &server.uploads(&ana, both).await).await.unwrap();
    let given = server.gives(&url).await.bytes().await.unwrap();
    assert!(!given.windows(6).any(|part| part == b"CANARY"));
    // Each format is read, whichever was announced.
    for format in [ImageFormat::Jpeg, ImageFormat::WebP] {
        server.sets(&ana, &server.uploads(&ana, drawn(format, 60, 60)).await).await.unwrap();
    }
    server.stop().await;
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes
        .iter()
        .fold(!0, |sum: u32, byte| (0..8).fold(sum ^ u32::from(*byte), |s, _| if s & 1 == 1 { s >> 1 ^ 0xedb8_8320 } else { s >> 1 }))
}

#[tokio::test]
async fn what_came_into_the_store_past_its_address_is_not_taken() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let file = drawn(ImageFormat::Png, 30, 30);
    for (bytes, reason, message) in [
        (vec![0; BYTES_MAX + 1], "TOO_LARGE", "File Too Large"),
        ([file.as_slice(), b"x"].concat(), "INVALID_ARGUMENT", "key: names a file whose size differs from the announced size"),
    ] {
        let key = server.announces(&ana, file.len()).await.unwrap().key;
        std::fs::write(folder.path().join("uploads").join(&key), bytes).unwrap();
        let refused = server.sets(&ana, &key).await.unwrap_err();
        assert_eq!((refused.reason.as_str(), refused.message.as_str()), (reason, message));
        assert_eq!(server.sets(&ana, &key).await.unwrap_err().reason, "NOT_FOUND");
    }
    until("all of it is removed", async || files(folder.path()).is_empty()).await;
    server.stop().await;
}

#[tokio::test]
async fn uploads_of_one_member_are_looked_at_so_often_an_hour() {
    let (server, _folder) = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let key = server.announces(&ana, 10).await.unwrap().key;
    for look in 0..60 {
        assert_eq!(server.sets(&ana, &key).await.unwrap_err().reason, "NOT_FOUND", "{look}");
    }
    assert_eq!(server.sets(&ana, &key).await.unwrap_err().reason, "RATE_LIMITED");
    let bens = server.uploads(&ben, drawn(ImageFormat::Png, 30, 30)).await;
    server.sets(&ben, &bens).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_key_is_good_for_its_member_alone() {
    let (server, _folder) = server().await;
    let (ana, eve) = (server.ana().await, server.eve().await);
    let key = server.uploads(&ana, drawn(ImageFormat::Png, 30, 30)).await;
    let foreign = server.sets(&eve, &key).await.unwrap_err();
    for unknown in ["00000000-0000-0000-0000-000000000000", "../secret.key", "x", "uploads/../x"] {
        assert_eq!(server.sets(&eve, unknown).await.unwrap_err(), foreign, "{unknown}");
    }
    assert_eq!((foreign.reason.as_str(), foreign.message.as_str()), ("NOT_FOUND", "upload not found"));
    server.sets(&ana, &key).await.unwrap();
    assert_eq!(server.sets(&eve, &key).await.unwrap_err(), foreign);
    server.stop().await;
}
