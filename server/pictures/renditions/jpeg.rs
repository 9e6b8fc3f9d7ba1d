//! What must be known of a JPEG before it is decoded: how many scans it has, and whether its end is there.

/// How many scans a JPEG has at most: in compressed data a zero follows each `FF`, so that only other segments are counted too.
pub fn scans(jpeg: &[u8]) -> usize {
    jpeg.windows(2).filter(|pair| *pair == [0xff, 0xda]).count()
}

/// Whether the file goes on to the end of its picture. Decoders draw what is missing of one that was cut off in gray.
pub fn is_whole(jpeg: &[u8]) -> bool {
    let (mut rest, mut drawn) = (jpeg, false);
    while let Some((marker, after)) = next_marker(rest) {
        rest = match marker {
            END => return drawn,
            // These stand alone.
            0x01 | 0xd0..=0xd8 => after,
            _ => {
                drawn |= marker == SCAN;
                let Some((length, _)) = after.split_first_chunk() else { return false };
                after.get(usize::from(u16::from_be_bytes(*length))..).unwrap_or_default()
            }
        };
    }
    false
}

const SCAN: u8 = 0xda;
const END: u8 = 0xd9;

/// The next marker, and what follows it. In compressed data `FF 00` is a byte of it, and the markers that restart it are skipped.
fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let at = bytes.windows(2).position(|pair| matches!(pair, [0xff, marker] if !matches!(marker, 0x00 | 0xff | 0xd0..=0xd7)))?;
    let (head, after) = bytes.split_at_checked(at + 2)?;
    head.last().map(|marker| (*marker, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, RgbImage, codecs::jpeg::JpegEncoder};

    fn jpeg() -> Vec<u8> {
        let mut bytes = Vec::new();
        let noise = RgbImage::from_fn(64, 48, |x, y| image::Rgb([(x * 37 + y * 91).to_le_bytes()[0], (x * y).to_le_bytes()[0], 200]));
        DynamicImage::ImageRgb8(noise).write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 85)).unwrap();
        bytes
    }

    /// With a thumbnail before the picture, as cameras write it.
    fn with_thumbnail(jpeg: &[u8]) -> Vec<u8> {
        let length = u16::try_from(jpeg.len() + 2).unwrap().to_be_bytes();
        [&jpeg[..2], b"\xff\xe1", &length, jpeg, &jpeg[2..]].concat()
    }

    #[test]
    fn a_file_that_was_cut_off_has_no_end() {
        let plain = jpeg();
        for whole in [plain.clone(), with_thumbnail(&plain)] {
            assert!(is_whole(&whole));
            assert!(is_whole(&[whole.as_slice(), b"\xff\xd8 a second picture"].concat()), "what follows does not matter");
            let head = whole.len() - plain.len();
            for percent in [1, 30, 60, 90, 99] {
                let cut = head + (plain.len() - 3) * percent / 100;
                assert!(!is_whole(&whole[..cut]), "{percent} %");
            }
            assert!(!is_whole(&whole[..whole.len() - 1]));
        }
        let progressive = [b"\xff\xd8\xff\xda\0\x02ab\xff\0c".as_slice(), b"\xff\xd3\xff\xda\0\x02d\xff\xff\xd9"].concat();
        assert!(is_whole(&progressive) && !is_whole(&progressive[..progressive.len() - 1]));
        assert!(!is_whole(b"") && !is_whole(b"\xff\xd8\xff\xd9") && !is_whole(b"\xff\xd8\xff\xe1"));
    }
}
