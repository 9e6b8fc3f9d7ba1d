//! Money: whole cents inside, a double of at most two places on the wire.

use crate::{
    error::{Error, FieldReason, Result},
    pb::common,
};

/// The most that one amount may be, in whole currency units.
pub const UNITS_MAX: f64 = 1_000_000.0;

/// Whole cents, 0 or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cents(i64);

impl Cents {
    /// Reads an amount in whole currency units.
    ///
    /// # Errors
    /// INVALID_ARGUMENT naming the field, when it is not a number from 0 to 1,000,000 with at most two places.
    pub fn parse(field: &'static str, units: f64) -> Result<Self> {
        Self::parse_within(field, units, (UNITS_MAX, "must be from 0 to 1,000,000"))
    }

    /// Reads an amount of at most so many whole currency units, with the words of the refusal of any other.
    ///
    /// # Errors
    /// INVALID_ARGUMENT naming the field, when it is not a number from 0 to `most` with at most two places.
    #[expect(clippy::cast_possible_truncation, reason = "checked to be a whole number of far less than 2^53")]
    pub fn parse_within(field: &'static str, units: f64, (most, refusal): (f64, &'static str)) -> Result<Self> {
        if !units.is_finite() || !(0.0..=most).contains(&units) {
            return Err(Error::field(field, FieldReason::OutOfRange, refusal));
        }
        let cents = (units * 100.0).round();
        // A double cannot hold 0.1 exactly: what prints with two places is taken for two places.
        if (units * 100.0 - cents).abs() > 1e-6 {
            return Err(Error::field(field, FieldReason::TooPrecise, "must have at most two decimal places"));
        }
        Ok(Self(cents as i64))
    }

    /// From the database.
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// Whole cents.
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Whole currency units, for the wire.
    #[expect(clippy::cast_precision_loss, reason = "amounts stay far below 2^53 cents")]
    pub fn units(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

/// In which currency an amount is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "UPPERCASE")]
pub enum Currency {
    /// US dollars.
    Usd,
    /// Indian rupees.
    Inr,
    /// Euros.
    Eur,
    /// Pounds sterling.
    Gbp,
}

impl Currency {
    /// The one that a request names; none named is US dollars.
    pub const fn of(asked: common::Currency) -> Self {
        match asked {
            common::Currency::Unspecified | common::Currency::Usd => Self::Usd,
            common::Currency::Inr => Self::Inr,
            common::Currency::Eur => Self::Eur,
            common::Currency::Gbp => Self::Gbp,
        }
    }

    /// On the wire.
    pub const fn word(self) -> common::Currency {
        match self {
            Self::Usd => common::Currency::Usd,
            Self::Inr => common::Currency::Inr,
            Self::Eur => common::Currency::Eur,
            Self::Gbp => common::Currency::Gbp,
        }
    }

    /// Its three letters.
    pub fn code(self) -> &'static str {
        self.word().as_str_name().trim_start_matches("CURRENCY_")
    }

    /// An amount in a sentence, such as `$20.00`.
    pub fn text(self, amount: Cents) -> String {
        let sign = match self {
            Self::Usd => '$',
            Self::Inr => '₹',
            Self::Eur => '€',
            Self::Gbp => '£',
        };
        format!("{sign}{}.{:02}", amount.0 / 100, amount.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_read_as_it_is_told() {
        for (currency, code) in [(Currency::Usd, "USD"), (Currency::Inr, "INR"), (Currency::Eur, "EUR"), (Currency::Gbp, "GBP")] {
            assert_eq!((Currency::of(currency.word()), currency.code()), (currency, code));
        }
        assert_eq!(Currency::of(common::Currency::Unspecified), Currency::Usd);
    }

    #[test]
    fn an_amount_in_a_sentence_has_its_sign_and_two_places() {
        for (currency, cents, text) in [(Currency::Usd, 2000, "$20.00"), (Currency::Eur, 5, "€0.05"), (Currency::Inr, 123_456, "₹1234.56")]
        {
            assert_eq!(currency.text(Cents::from_cents(cents)), text);
        }
    }

    #[test]
    fn two_places_round_trip() {
        for cents in [0, 1, 10, 29, 1999, 4500, 99_999_999, 100_000_000] {
            let amount = Cents::from_cents(cents);
            assert_eq!(Cents::parse("tip", amount.units()).unwrap(), amount);
        }
    }

    #[test]
    fn a_third_place_and_bounds_are_refused() {
        for units in [0.001, 12.345, -0.01, 1_000_000.01, f64::NAN, f64::INFINITY] {
            assert!(Cents::parse("tip", units).is_err(), "{units}");
        }
    }
}
