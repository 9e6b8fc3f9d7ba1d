//! What is made of an upload: JPEGs of each size, upright, in sRGB, without a word of what was written beside the picture. All of it is drawn
//! anew from its pixels, so nothing else that hid in the file is left.
//!
//! JPEG, since all that shows pictures shows it, and no encoder of lossy WebP is written in Rust. Nothing is made larger than it came.

mod jpeg;
mod png;

use super::Size;
use crate::error::{Error, FieldReason};
use fast_image_resize::Resizer;
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage, codecs::jpeg::JpegEncoder, metadata::Orientation,
};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use std::io::Cursor;

/// Of width and height. A bomb of some kilobytes has thousands of millions: the head of a file is read before anything is done for it.
const PIXELS_MAX: u64 = 25_000_000;
/// What is longer than any camera makes it costs memory by its side, to be made smaller.
const SIDE_MAX: u32 = 16_384;
/// Of the pixels when they are read; twice as many bytes for each where they are 16 bits deep.
const READ_BYTES_MAX: u64 = 128 << 20;
/// Of a JPEG, each of which is decoded over all its rows: progressive ones have about ten.
const SCANS_MAX: usize = 100;
/// Of JPEG's 100: no flaw is seen, and a face has some kilobytes.
const QUALITY: u8 = 85;

/// Why something is no picture of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Not one of the formats, or broken.
    Unreadable,
    /// Too many pixels.
    TooManyPixels,
}

impl Flaw {
    /// As the caller is told, who named the upload in this field.
    pub fn refusal(self, field: &'static str) -> Error {
        let text = match self {
            Self::Unreadable => "Invalid File Format",
            Self::TooManyPixels => "Invalid File Format: a picture must have at most 25 million pixels, and 16,384 on a side",
        };
        Error::field(field, FieldReason::Invalid, text)
    }
}

/// The renditions of a file, the largest first. Takes a second, and up to 300 MB.
///
/// # Errors
/// What is wrong with it.
pub fn of(file: &[u8]) -> Result<Vec<(Size, Vec<u8>)>, Flaw> {
    let mut read = read(file)?;
    let (largest, rest) = Size::ALL.split_first().ok_or(Flaw::Unreadable)?;
    let mut picture = shrunk(read.picture, largest.pixels())?;
    if let Some(profile) = read.profile.take() {
        in_srgb(&mut picture, &profile);
    }
    let mut picture = on_white(picture);
    picture.apply_orientation(read.orientation);
    let mut made = vec![(*largest, encoded(&picture)?)];
    for size in rest {
        picture = shrunk(picture, size.pixels())?;
        made.push((*size, encoded(&picture)?));
    }
    Ok(made)
}

struct Read {
    /// Three or four channels of 8 bits.
    picture: DynamicImage,
    orientation: Orientation,
    /// Of colors, as ICC has it.
    profile: Option<Vec<u8>>,
}

fn read(file: &[u8]) -> Result<Read, Flaw> {
    let unreadable = |_| Flaw::Unreadable;
    let format = image::guess_format(file).map_err(unreadable)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP) {
        return Err(Flaw::Unreadable);
    }
    let file = match format {
        ImageFormat::Jpeg if jpeg::scans(file) > SCANS_MAX || !jpeg::is_whole(file) => return Err(Flaw::Unreadable),
        ImageFormat::WebP => still_webp(file).ok_or(Flaw::Unreadable)?,
        _ => file,
    };
    if format == ImageFormat::Png {
        let png::Bare { file, profile } = png::bare(file).ok_or(Flaw::Unreadable)?;
        return Ok(Read { profile, ..pixels(&file, format)? });
    }
    pixels(file, format)
}

fn pixels(file: &[u8], format: ImageFormat) -> Result<Read, Flaw> {
    let unreadable = |_| Flaw::Unreadable;
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(2 * READ_BYTES_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if width.max(height) > SIDE_MAX || u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > READ_BYTES_MAX {
        return Err(Flaw::TooManyPixels);
    }
    // What is written beside the picture may be broken without harm to it.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten();
    let picture = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    let picture = match picture.color().has_alpha() {
        true => DynamicImage::ImageRgba8(picture.into_rgba8()),
        false => DynamicImage::ImageRgb8(picture.into_rgb8()),
    };
    Ok(Read { picture, orientation, profile })
}

/// A WebP without what stands behind it; `None` when a chunk says that it is longer than what is left, since its reader makes room for as
/// much as is said, or when it is an animation.
fn still_webp(file: &[u8]) -> Option<&[u8]> {
    let (head, _) = file.get(4..)?.split_first_chunk()?;
    let file = file.get(..length(*head)?.checked_add(8)?).unwrap_or(file);
    let mut rest = file.get(12..)?;
    while let Some((name, behind)) = rest.split_first_chunk::<4>()
        && let Some((said, body)) = behind.split_first_chunk()
    {
        let said = length(*said)?;
        if name == b"ANMF" || said > body.len() {
            return None;
        }
        // One of an odd length is filled up, but not always the last.
        rest = body.get(said + said % 2..).unwrap_or_default();
    }
    Some(file)
}

/// As a WebP says a length.
fn length(said: [u8; 4]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(said)).ok()
}

/// So that its longer side has at most so many pixels.
fn shrunk(picture: DynamicImage, side: u32) -> Result<DynamicImage, Flaw> {
    let (width, height) = fitting((picture.width(), picture.height()), side);
    if (width, height) == (picture.width(), picture.height()) {
        return Ok(picture);
    }
    let mut smaller = DynamicImage::new(width, height, picture.color());
    Resizer::new().resize(&picture, &mut smaller, None).map_err(|_| Flaw::Unreadable)?;
    Ok(smaller)
}

fn fitting((width, height): (u32, u32), side: u32) -> (u32, u32) {
    let longer = width.max(height);
    if longer <= side {
        return (width, height);
    }
    let scaled = |n: u32| u32::try_from((u64::from(n) * u64::from(side)).div_ceil(u64::from(longer))).unwrap_or(side);
    (scaled(width), scaled(height))
}

/// Cameras have more colors than sRGB, and say which in a profile. One that cannot be read is passed over, as viewers do.
fn in_srgb(picture: &mut DynamicImage, profile: &[u8]) {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return };
    if profile.color_space != DataColorSpace::Rgb {
        return;
    }
    let layout = if picture.color().has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let srgb = ColorProfile::new_srgb();
    let Ok(transform) = profile.create_transform_8bit(layout, &srgb, layout, TransformOptions::default()) else { return };
    let (width, height, before) = (picture.width(), picture.height(), picture.as_bytes());
    let mut after = vec![0; before.len()];
    if transform.transform(before, &mut after).is_err() {
        return;
    }
    let drawn = match layout {
        Layout::Rgba => RgbaImage::from_raw(width, height, after).map(DynamicImage::ImageRgba8),
        _ => RgbImage::from_raw(width, height, after).map(DynamicImage::ImageRgb8),
    };
    if let Some(drawn) = drawn {
        *picture = drawn;
    }
}

/// JPEG has nothing that can be seen through.
fn on_white(picture: DynamicImage) -> DynamicImage {
    let DynamicImage::ImageRgba8(picture) = picture else { return picture };
    let mut flat = RgbImage::new(picture.width(), picture.height());
    for (to, from) in flat.pixels_mut().zip(picture.pixels()) {
        let [red, green, blue, alpha] = from.0;
        let over = |color: u8| {
            let mixed = (u32::from(color) * u32::from(alpha) + 255 * (255 - u32::from(alpha)) + 127) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        to.0 = [over(red), over(green), over(blue)];
    }
    DynamicImage::ImageRgb8(flat)
}

fn encoded(picture: &DynamicImage) -> Result<Vec<u8>, Flaw> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY)).map_err(|_| Flaw::Unreadable)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{
        ExtendedColorType, ImageEncoder, Rgb, Rgba,
        codecs::{png::PngEncoder, webp::WebPEncoder},
    };

    const RED: Rgb<u8> = Rgb([220, 20, 20]);
    const BLUE: Rgb<u8> = Rgb([20, 20, 220]);

    /// Red on top, blue below.
    fn drawn(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |_, y| if y < height / 2 { RED } else { BLUE })
    }

    fn png(picture: &RgbImage, profile: Option<Vec<u8>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = PngEncoder::new(&mut bytes);
        if let Some(profile) = profile {
            encoder.set_icc_profile(profile).unwrap();
        }
        encoder.write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgb8).unwrap();
        bytes
    }

    fn decoded(made: &[(Size, Vec<u8>)], size: Size) -> RgbImage {
        let bytes = &made.iter().find(|(of, _)| *of == size).unwrap().1;
        image::load_from_memory_with_format(bytes, ImageFormat::Jpeg).unwrap().into_rgb8()
    }

    fn near(one: Rgb<u8>, other: Rgb<u8>) -> bool {
        one.0.iter().zip(other.0).all(|(a, b)| a.abs_diff(b) < 24)
    }

    #[test]
    fn each_size_fits_and_none_is_larger_than_what_came() {
        let made = of(&png(&drawn(2000, 1000), None)).unwrap();
        for (size, expected) in [(Size::Large, (1024, 512)), (Size::Card, (512, 256)), (Size::Medium, (256, 128)), (Size::Small, (64, 32))]
        {
            let picture = decoded(&made, size);
            assert_eq!(picture.dimensions(), expected);
            assert!(near(*picture.get_pixel(3, 3), RED) && near(*picture.get_pixel(3, expected.1 - 3), BLUE), "{size:?}");
        }
        assert_eq!(decoded(&of(&png(&drawn(40, 30), None)).unwrap(), Size::Large).dimensions(), (40, 30));
        for (from, side, to) in [((1, 5000), 64, (1, 64)), ((5000, 1), 64, (64, 1)), ((65, 65), 64, (64, 64)), ((64, 64), 64, (64, 64))] {
            assert_eq!(fitting(from, side), to);
        }
    }

    #[test]
    fn what_can_be_seen_through_is_white() {
        let mut bytes = Vec::new();
        let clear = RgbaImage::from_pixel(100, 100, Rgba([200, 0, 0, 0]));
        PngEncoder::new(&mut bytes).write_image(&clear, 100, 100, ExtendedColorType::Rgba8).unwrap();
        assert!(near(*decoded(&of(&bytes).unwrap(), Size::Medium).get_pixel(50, 50), Rgb([255, 255, 255])));
    }

    #[test]
    fn colors_of_a_profile_are_brought_to_srgb() {
        let plain = RgbImage::from_pixel(50, 50, Rgb([200, 60, 60]));
        let profile = ColorProfile::new_display_p3().encode().unwrap();
        let wide = *decoded(&of(&png(&plain, Some(profile))).unwrap(), Size::Large).get_pixel(25, 25);
        assert!(wide.0[0] > 208 && wide.0[1] < 56, "the same numbers are a stronger red there: {wide:?}");
        let broken = of(&png(&plain, Some(vec![7; 200]))).unwrap();
        assert!(near(*decoded(&broken, Size::Large).get_pixel(25, 25), Rgb([200, 60, 60])));
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        let gif = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        let whole = png(&drawn(300, 300), None);
        let half = &whole[..whole.len() / 2];
        for bad in [
            b"".as_slice(),
            b"%PDF-1.7",
            b"<!doctype html><script>alert(1)</script>",
            gif,
            svg,
            half,
            b"\xff\xd8\xff\xe0",
            b"RIFF\0\0\0\0WEBP",
        ] {
            assert_eq!(of(bad).unwrap_err(), Flaw::Unreadable);
        }
        // A head that says 50,000 by 50,000, as a bomb of a few bytes has it.
        let mut bomb = whole.clone();
        bomb[16..20].copy_from_slice(&50_000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&50_000_u32.to_be_bytes());
        let sum = crc(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&sum.to_be_bytes());
        assert_eq!(of(&bomb).unwrap_err(), Flaw::TooManyPixels);
        for (width, height) in [(24_900_000_u32, 1_u32), (1, 24_900_000), (SIDE_MAX + 1, 1)] {
            let mut ribbon = whole.clone();
            ribbon[16..20].copy_from_slice(&width.to_be_bytes());
            ribbon[20..24].copy_from_slice(&height.to_be_bytes());
            let sum = crc(&ribbon[12..29]);
            ribbon[29..33].copy_from_slice(&sum.to_be_bytes());
            assert_eq!(of(&ribbon).unwrap_err(), Flaw::TooManyPixels, "{width}×{height}");
        }
    }

    /// Zeros without end, as a kilobyte for each megabyte.
    fn bomb(megabytes: usize) -> Vec<u8> {
        let mut deflate = fdeflate::Compressor::new(Vec::new()).unwrap();
        (0..megabytes).for_each(|_| deflate.write_data(&[0; 1 << 20]).unwrap());
        deflate.finish().unwrap()
    }

    /// A PNG with one more chunk behind its head.
    fn with_chunk(png: &[u8], name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let (head, rest) = png.split_at(33);
        let named = [name.as_slice(), body].concat();
        let length = u32::try_from(body.len()).unwrap().to_be_bytes();
        [head, &length, &named, &crc(&named).to_be_bytes(), rest].concat()
    }

    #[test]
    fn what_is_inflated_beside_the_pixels_is_bounded() {
        let whole = png(&drawn(40, 30), None);
        let zeros = bomb(64);
        assert!(zeros.len() < 1 << 20, "{} bytes", zeros.len());
        let said: [(&[u8; 4], &[u8]); 3] = [(b"iCCP", b"icc\0\0"), (b"zTXt", b"Comment\0\0"), (b"iTXt", b"Comment\0\x01\0\0\0")];
        for (name, lead) in said {
            let file = with_chunk(&whole, name, &[lead, &zeros].concat());
            let read = read(&file).unwrap();
            assert_eq!((read.picture.width(), read.profile), (40, None));
        }
    }

    #[test]
    fn a_jpeg_has_so_many_scans() {
        let whole = encoded(&DynamicImage::ImageRgb8(drawn(40, 30))).unwrap();
        let (head, scan) = whole.split_at(whole.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap());
        let with = |scans: usize| [head, &scan[..scan.len() - 2].repeat(scans), b"\xff\xd9"].concat();
        for scans in [1, SCANS_MAX] {
            assert_eq!(decoded(&of(&with(scans)).unwrap(), Size::Large).dimensions(), (40, 30));
        }
        assert_eq!(of(&with(SCANS_MAX + 1)).unwrap_err(), Flaw::Unreadable);
        for percent in [10, 60, 95] {
            assert_eq!(of(&whole[..whole.len() * percent / 100]).unwrap_err(), Flaw::Unreadable, "cut at {percent} %");
        }
    }

    /// A WebP, to which one more chunk is put: its name, how long it says that it is, and what is in it.
    fn webp(name: &[u8; 4], said: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = WebPEncoder::new_lossless(&mut bytes);
        encoder.set_icc_profile(vec![7; 101]).unwrap();
        encoder.write_image(&drawn(40, 30), 40, 30, ExtendedColorType::Rgb8).unwrap();
        let mut bytes = [&bytes, name.as_slice(), &said.to_le_bytes(), body].concat();
        let all = u32::try_from(bytes.len() - 8).unwrap();
        bytes[4..8].copy_from_slice(&all.to_le_bytes());
        bytes
    }

    #[test]
    fn a_webp_has_what_its_chunks_say_and_stands_still() {
        let whole = webp(b"EXIF", 32, &[7; 32]);
        for good in [whole.clone(), [whole.as_slice(), b"EXIF\xff\xff\xff\x0f behind it"].concat(), webp(b"EXIF", 31, &[7; 31])] {
            assert_eq!(decoded(&of(&good).unwrap(), Size::Large).dimensions(), (40, 30));
        }
        for bad in [webp(b"EXIF", 0x0fff_ffff, &[7; 32]), webp(b"EXIF", 33, &[7; 32]), webp(b"ANMF", 32, &[7; 32])] {
            assert_eq!(of(&bad).unwrap_err(), Flaw::Unreadable);
        }
    }

    /// The checksum of PNG.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes
            .iter()
            .fold(!0, |sum: u32, byte| (0..8).fold(sum ^ u32::from(*byte), |s, _| if s & 1 == 1 { s >> 1 ^ 0xedb8_8320 } else { s >> 1 }))
    }
}
