//! What members were given by those with whom they completed a rental. Pure.

/// The ratings of one member, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// How many.
    pub count: i64,
    /// All of them together.
    pub total: i64,
}

impl Ratings {
    /// The mean to one decimal; `None` while there is none. Half a tenth counts up.
    pub fn mean(self) -> Option<f64> {
        if self.count <= 0 {
            return None;
        }
        let tenths = (20 * self.total + self.count) / (2 * self.count);
        i32::try_from(tenths).ok().map(|tenths| f64::from(tenths) / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(of: &[i64]) -> Option<f64> {
        Ratings { count: of.len() as i64, total: of.iter().sum() }.mean()
    }

    #[test]
    fn the_mean_has_one_decimal_and_is_absent_without_ratings() {
        for (of, expected) in [
            (&[][..], None),
            (&[5], Some(5.0)),
            (&[5, 4], Some(4.5)),
            (&[5, 5, 4], Some(4.7)),
            (&[1, 1, 2], Some(1.3)),
            (&[4, 4, 4, 5], Some(4.3)),
            (&[4, 5, 5, 5], Some(4.8)),
        ] {
            assert_eq!(mean(of), expected, "{of:?}");
        }
    }

    proptest! {
        #[test]
        fn the_mean_is_within_the_scale_and_half_a_tenth_of_the_truth(of in prop::collection::vec(1_i64..=5, 1..200)) {
            let told = mean(&of).unwrap();
            prop_assert!((1.0..=5.0).contains(&told));
            let truth = of.iter().sum::<i64>() as f64 / of.len() as f64;
            prop_assert!((told - truth).abs() <= 0.05 + 1e-9, "{told} {truth}");
            prop_assert_eq!((told * 10.0).round() / 10.0, told);
        }
    }
}
