//! Pictures of what demo members lend, drawn here of plain shapes.

use anyhow::Result;
use image::{ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

/// Width and height.
const SIZE: (u32, u32) = (1024, 768);

type Color = [u8; 3];

/// A shape, in hundredths of the height; the picture is 133 of them wide.
enum Shape {
    /// By its middle and its half axes.
    Oval(f64, f64, f64, f64),
    /// By its corners.
    Block(f64, f64, f64, f64),
    /// From one point to another, and how thick at both sides.
    Bar(f64, f64, f64, f64, f64),
    /// A ring, by its middle and how far it is in and out.
    Ring(f64, f64, f64, f64),
}

use Shape::{Bar, Block, Oval, Ring};

impl Shape {
    fn holds(&self, x: f64, y: f64) -> bool {
        match *self {
            Oval(middle_x, middle_y, half_x, half_y) => ((x - middle_x) / half_x).powi(2) + ((y - middle_y) / half_y).powi(2) <= 1.0,
            Block(left, top, right, bottom) => (left..=right).contains(&x) && (top..=bottom).contains(&y),
            Bar(from_x, from_y, to_x, to_y, half) => {
                let (along_x, along_y) = (to_x - from_x, to_y - from_y);
                let part = ((x - from_x) * along_x + (y - from_y) * along_y) / (along_x.powi(2) + along_y.powi(2));
                let part = part.clamp(0.0, 1.0);
                (x - from_x - part * along_x).hypot(y - from_y - part * along_y) <= half
            }
            Ring(middle_x, middle_y, inner, outer) => (inner..=outer).contains(&(x - middle_x).hypot(y - middle_y)),
        }
    }
}

/// What there are pictures of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A ladder.
    Ladder,
    /// A sewing machine.
    SewingMachine,
    /// A cargo bike.
    CargoBike,
    /// A telescope.
    Telescope,
    /// A stand mixer.
    Mixer,
    /// A pressure washer.
    Washer,
}

impl Thing {
    /// The ground, and the shapes on it: what stands in front comes first.
    fn look(self) -> (Color, Vec<(Shape, Color)>) {
        const WOOD: Color = [172, 120, 72];
        const STEEL: Color = [120, 132, 142];
        const DARK: Color = [48, 54, 62];
        match self {
            Self::Ladder => {
                let mut shapes = vec![(Bar(45.0, 92.0, 58.0, 8.0, 2.2), WOOD), (Bar(75.0, 92.0, 88.0, 8.0, 2.2), WOOD)];
                for n in 0..7_u8 {
                    let (y, shift) = (84.0 - 11.0 * f64::from(n), 1.7 * f64::from(n));
                    shapes.push((Bar(46.2 + shift, y, 76.2 + shift, y, 1.5), [204, 156, 104]));
                }
                ([198, 224, 232], shapes)
            }
            Self::SewingMachine => (
                [246, 220, 208],
                vec![
                    (Ring(99.0, 40.0, 0.0, 4.0), STEEL),
                    (Oval(70.0, 34.0, 3.0, 3.0), [250, 250, 250]),
                    (Block(30.0, 26.0, 98.0, 44.0), [38, 110, 112]),
                    (Block(78.0, 44.0, 98.0, 76.0), [38, 110, 112]),
                    (Block(33.0, 44.0, 43.0, 56.0), [38, 110, 112]),
                    (Block(37.0, 56.0, 39.0, 70.0), STEEL),
                    (Ring(99.0, 40.0, 0.0, 9.0), DARK),
                    (Block(24.0, 72.0, 108.0, 82.0), WOOD),
                ],
            ),
            Self::CargoBike => (
                [214, 232, 200],
                vec![
                    (Block(66.0, 40.0, 106.0, 64.0), [206, 150, 84]),
                    (Ring(30.0, 72.0, 13.0, 16.0), DARK),
                    (Ring(110.0, 76.0, 9.0, 12.0), DARK),
                    (Bar(30.0, 72.0, 44.0, 42.0, 1.8), [196, 60, 52]),
                    (Bar(30.0, 72.0, 54.0, 72.0, 1.8), [196, 60, 52]),
                    (Bar(44.0, 42.0, 54.0, 72.0, 1.8), [196, 60, 52]),
                    (Bar(54.0, 72.0, 110.0, 76.0, 1.8), [196, 60, 52]),
                    (Bar(62.0, 30.0, 54.0, 72.0, 1.8), [196, 60, 52]),
                    (Bar(56.0, 30.0, 66.0, 28.0, 1.6), DARK),
                    (Bar(38.0, 40.0, 50.0, 39.0, 2.4), DARK),
                ],
            ),
            Self::Telescope => (
                [36, 42, 78],
                vec![
                    (Bar(42.0, 52.0, 92.0, 24.0, 6.0), [232, 232, 238]),
                    (Bar(36.0, 55.0, 44.0, 51.0, 3.2), STEEL),
                    (Bar(66.0, 42.0, 66.0, 56.0, 2.6), STEEL),
                    (Bar(66.0, 56.0, 48.0, 94.0, 1.8), WOOD),
                    (Bar(66.0, 56.0, 66.0, 94.0, 1.8), WOOD),
                    (Bar(66.0, 56.0, 84.0, 94.0, 1.8), WOOD),
                    (Oval(112.0, 16.0, 1.2, 1.2), [250, 244, 200]),
                    (Oval(20.0, 22.0, 1.0, 1.0), [250, 244, 200]),
                    (Oval(104.0, 46.0, 0.9, 0.9), [250, 244, 200]),
                    (Oval(34.0, 10.0, 1.3, 1.3), [250, 244, 200]),
                ],
            ),
            Self::Mixer => (
                [250, 236, 196],
                vec![
                    (Oval(42.0, 62.0, 17.0, 5.0), [226, 228, 232]),
                    (Block(41.0, 44.0, 43.0, 62.0), STEEL),
                    (Oval(42.0, 68.0, 18.0, 14.0), STEEL),
                    (Oval(62.0, 34.0, 34.0, 11.0), [200, 66, 72]),
                    (Bar(84.0, 36.0, 84.0, 80.0, 8.0), [200, 66, 72]),
                    (Bar(36.0, 84.0, 88.0, 84.0, 4.0), [176, 52, 60]),
                ],
            ),
            Self::Washer => (
                [206, 226, 244],
                vec![
                    (Ring(66.0, 48.0, 5.0, 9.0), DARK),
                    (Block(48.0, 30.0, 84.0, 74.0), [244, 196, 44]),
                    (Ring(54.0, 80.0, 0.0, 8.0), DARK),
                    (Ring(80.0, 80.0, 0.0, 8.0), DARK),
                    (Bar(50.0, 30.0, 50.0, 12.0, 1.8), DARK),
                    (Bar(82.0, 30.0, 82.0, 12.0, 1.8), DARK),
                    (Bar(50.0, 12.0, 82.0, 12.0, 1.8), DARK),
                    (Bar(84.0, 60.0, 104.0, 66.0, 1.4), DARK),
                    (Bar(104.0, 66.0, 118.0, 36.0, 1.6), STEEL),
                ],
            ),
        }
    }
}

/// As a PNG, which a member could have uploaded.
///
/// # Errors
/// When it cannot be written as one.
pub fn drawn(thing: Thing) -> Result<Vec<u8>> {
    let (ground, shapes) = thing.look();
    let (width, height) = SIZE;
    let hundredth = f64::from(height) / 100.0;
    let picture = RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (f64::from(x) / hundredth, f64::from(y) / hundredth);
        let shape = shapes.iter().find(|(shape, _)| shape.holds(x, y));
        Rgb(shape.map_or(ground, |(_, color)| *color))
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_a_picture_of_its_own() {
        let all = [Thing::Ladder, Thing::SewingMachine, Thing::CargoBike, Thing::Telescope, Thing::Mixer, Thing::Washer];
        let drawn: Vec<_> = all.iter().map(|thing| drawn(*thing).unwrap()).collect();
        for (n, bytes) in drawn.iter().enumerate() {
            let picture = image::load_from_memory(bytes).unwrap().into_rgb8();
            assert_eq!(picture.dimensions(), SIZE);
            let colors: std::collections::HashSet<_> = picture.pixels().collect();
            assert!(colors.len() >= 3, "{:?}", all[n]);
            assert!(!drawn[..n].contains(bytes));
        }
    }
}
