//! Portraits of demo members, drawn here: a head and shoulders of plain shapes, each in colors of its own.

use anyhow::Result;
use image::{ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

/// Of a side. Faces are shown at half of it, which smooths the edges.
const SIDE: u32 = 512;

type Color = [u8; 3];

/// What somebody looks like.
pub struct Look {
    ground: Color,
    skin: Color,
    hair: Color,
    shirt: Color,
    /// Whether the hair falls on the shoulders.
    long: bool,
}

/// Of the demo member with this first name; `None`: they have set no picture, as many have not.
pub const fn look_of(given: &str) -> Option<Look> {
    let look = match given.as_bytes() {
        b"Ana" => Look { ground: [247, 205, 160], skin: [224, 172, 136], hair: [74, 44, 30], shirt: [22, 116, 98], long: true },
        b"Ben" => Look { ground: [176, 213, 230], skin: [241, 200, 170], hair: [196, 140, 66], shirt: [44, 74, 124], long: false },
        b"Priya" => Look { ground: [214, 226, 178], skin: [176, 122, 84], hair: [30, 24, 28], shirt: [186, 66, 88], long: true },
        b"Sofia" => Look { ground: [226, 206, 236], skin: [246, 214, 190], hair: [150, 74, 38], shirt: [240, 176, 62], long: true },
        b"Lena" => Look { ground: [190, 226, 212], skin: [236, 190, 158], hair: [96, 88, 92], shirt: [98, 74, 140], long: false },
        _ => return None,
    };
    Some(look)
}

/// An ellipse by its middle and its half axes, in hundredths of the side.
struct Ellipse(i64, i64, i64, i64);

impl Ellipse {
    fn holds(&self, (x, y): (u32, u32)) -> bool {
        let Self(middle_x, middle_y, half_x, half_y) = *self;
        let side = i64::from(SIDE);
        let (x, y) = (i64::from(x) * 100 - middle_x * side, i64::from(y) * 100 - middle_y * side);
        (x * half_y).pow(2) + (y * half_x).pow(2) <= (half_x * half_y * side).pow(2)
    }
}

/// As a PNG, which a member could have uploaded.
///
/// # Errors
/// When it cannot be written as one.
pub fn drawn(look: &Look) -> Result<Vec<u8>> {
    let back = if look.long { Ellipse(50, 52, 27, 34) } else { Ellipse(50, 39, 23, 23) };
    // What stands in front comes first.
    let shapes = [
        (Ellipse(50, 46, 18, 23), look.skin),
        (Ellipse(50, 38, 23, 22), look.hair),
        (Ellipse(50, 70, 8, 13), look.skin),
        (Ellipse(50, 108, 42, 36), look.shirt),
        (back, look.hair),
    ];
    let picture = RgbImage::from_fn(SIDE, SIDE, |x, y| {
        let shape = shapes.iter().find(|(shape, _)| shape.holds((x, y)));
        Rgb(shape.map_or(look.ground, |(_, color)| *color))
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_portrait_is_a_picture_of_its_own() {
        let drawn: Vec<_> = ["Ana", "Ben", "Priya", "Sofia", "Lena"].iter().map(|given| drawn(&look_of(given).unwrap()).unwrap()).collect();
        for (n, bytes) in drawn.iter().enumerate() {
            let picture = image::load_from_memory(bytes).unwrap().into_rgb8();
            assert_eq!(picture.dimensions(), (SIDE, SIDE));
            // Ground, shirt, hair and skin.
            let colors: std::collections::HashSet<_> = picture.pixels().collect();
            assert_eq!(colors.len(), 4);
            assert!(!drawn[..n].contains(bytes));
        }
        assert!(look_of("Marcus").is_none());
    }
}
