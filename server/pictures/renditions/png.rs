//! A PNG before it is decoded. What stands beside its pixels goes: a decoder inflates profiles and texts as far as memory allows, and of a megabyte
//! of zeros a chunk of a kilobyte is made.

use fdeflate::decompress_to_vec_bounded;

/// What every PNG begins with has so many bytes.
const SIGNATURE_BYTES: usize = 8;
/// Of a length, a name and a checksum.
const FRAME_BYTES: usize = 12;
/// Of a profile once it is inflated: those of cameras and displays have some kilobytes.
const PROFILE_BYTES_MAX: usize = 1 << 20;
/// What the pixels are read by, and how they stand. None of it but the pixels is compressed, and those are as many as the head says.
const KEPT: [&[u8; 4]; 10] = [b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"eXIf", b"IDAT", b"IEND"];

/// A file with nothing but its pixels, and the profile of their colors where it has one that can be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Bare {
    /// The file.
    pub file: Vec<u8>,
    /// The profile, inflated.
    pub profile: Option<Vec<u8>>,
}

/// Takes from a file what is not needed. `None` when it ends before its end.
pub fn bare(file: &[u8]) -> Option<Bare> {
    let (signature, mut rest) = file.split_at_checked(SIGNATURE_BYTES)?;
    let mut bare = Bare { file: signature.to_vec(), profile: None };
    loop {
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let (chunk, behind) = rest.split_at_checked(length.checked_add(FRAME_BYTES)?)?;
        let name = chunk.get(4..8)?;
        if KEPT.iter().any(|kept| *kept == name) {
            bare.file.extend_from_slice(chunk);
        }
        match name {
            // Of several the first counts.
            b"iCCP" if bare.profile.is_none() => bare.profile = inflated(chunk.get(8..length + 8)?),
            b"IEND" => return Some(bare),
            _ => {}
        }
        rest = behind;
    }
}

/// A profile, which stands behind its name and a byte that says how it is compressed: one that is too long is passed over, as one that is broken.
fn inflated(chunk: &[u8]) -> Option<Vec<u8>> {
    let name = chunk.iter().position(|byte| *byte == 0)?;
    let (0, compressed) = chunk.get(name + 1..)?.split_first()? else { return None };
    decompress_to_vec_bounded(compressed, PROFILE_BYTES_MAX).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter::repeat_n;

    fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&u32::try_from(body.len()).unwrap().to_be_bytes(), name.as_slice(), body, b"sums"].concat()
    }

    fn iccp(compressed: &[u8]) -> Vec<u8> {
        chunk(b"iCCP", &[b"icc\0\0", compressed].concat())
    }

    fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
        [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
    }

    #[test]
    fn nothing_is_left_beside_the_pixels_but_a_profile_that_can_be_read() {
        let (head, pixels, end) = (chunk(b"IHDR", &[0; 13]), chunk(b"IDAT", b"pixels"), chunk(b"IEND", b""));
        let texts = ["iTXt", "zTXt", "tEXt", "acTL", "fdAT", "eviL"].map(|name| chunk(name.as_bytes().try_into().unwrap(), b"beside"));
        let profile = fdeflate::compress_to_vec(b"colors");
        let all = [
            vec![head.clone(), iccp(&profile), iccp(&fdeflate::compress_to_vec(b"others"))],
            texts.to_vec(),
            vec![pixels.clone(), end.clone()],
        ];
        let file = [png(&all.concat()), b"behind it".to_vec()].concat();
        let kept = png(&[head, pixels, end]);
        assert_eq!(bare(&file), Some(Bare { file: kept.clone(), profile: Some(b"colors".to_vec()) }));
        assert_eq!(bare(&kept), Some(Bare { file: kept.clone(), profile: None }));
        for cut in 0..kept.len() {
            assert_eq!(bare(&kept[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn a_profile_is_inflated_to_its_bound_and_no_further() {
        let zeros = |bytes: usize| fdeflate::compress_to_vec(&repeat_n(0, bytes).collect::<Vec<_>>());
        let (good, bomb) = (zeros(PROFILE_BYTES_MAX), zeros(PROFILE_BYTES_MAX + 1));
        assert_eq!(inflated(&[b"n\0\0", good.as_slice()].concat()).unwrap().len(), PROFILE_BYTES_MAX);
        assert_eq!(inflated(&[b"n\0\0", bomb.as_slice()].concat()), None);
        for broken in [b"".as_slice(), b"name", b"name\0", b"name\0\x01compressed", b"name\0\0no zlib"] {
            assert_eq!(inflated(broken), None, "{broken:?}");
        }
    }
}
