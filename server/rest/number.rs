//! Numbers of every protobuf kind, between JSON, text and the wire.

use bytes::Buf;
use prost::{
    DecodeError,
    encoding::{self, DecodeContext, WireType},
};
use std::io::Write as _;

/// A number as it came: in JSON, or as text.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// A whole number, possibly negative.
    Whole(i64),
    /// A whole number.
    Natural(u64),
    /// With a fraction or an exponent.
    Real(f64),
    /// In quotes, in a query or in a path.
    Text(&'a str),
}

/// Why a number was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is none, or not a whole one where one is needed.
    NotANumber,
    /// It does not fit.
    OutOfRange,
}

trait Numeric: Sized + Default {
    fn read(given: Given<'_>) -> Result<Self, Refused>;
    fn print(self, out: &mut Vec<u8>);
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl Numeric for $type {
            fn read(given: Given<'_>) -> Result<Self, Refused> {
                match given {
                    Given::Whole(n) => Self::try_from(n).map_err(|_| Refused::OutOfRange),
                    Given::Natural(n) => Self::try_from(n).map_err(|_| Refused::OutOfRange),
                    // 1.0 and 1e2 are whole; their digits say whether they fit.
                    Given::Real(n) if n.fract() == 0.0 => format!("{n:.0}").parse().map_err(|_| Refused::OutOfRange),
                    Given::Real(_) => Err(Refused::NotANumber),
                    Given::Text(text) => text.parse().or_else(|_| Self::read(Given::Real(f64::read(given)?))),
                }
            }

            fn print(self, out: &mut Vec<u8>) {
                write!(out, "{self}").expect("a vector takes every byte");
            }
        }
    )*};
}
whole!(i32, i64, u32, u64);

/// Above this, a double that is whole may have no exact digits.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

impl Numeric for f64 {
    fn read(given: Given<'_>) -> Result<Self, Refused> {
        let n = match given {
            Given::Whole(n) => n as f64,
            Given::Natural(n) => n as f64,
            Given::Real(n) => n,
            Given::Text(text) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                text.parse().map_err(|_| Refused::NotANumber)?
            }
            Given::Text(_) => return Err(Refused::NotANumber),
        };
        if n.is_finite() { Ok(n) } else { Err(Refused::OutOfRange) }
    }

    fn print(self, out: &mut Vec<u8>) {
        if self.fract() == 0.0 && self.abs() < EXACT_MAX && (self != 0.0 || self.is_sign_positive()) {
            write!(out, "{self:.0}").expect("a vector takes every byte");
        } else {
            // Not finite is null, as JSON has no other word for it.
            serde_json::to_writer(out, &self).expect("a vector takes every byte");
        }
    }
}

impl Numeric for f32 {
    fn read(given: Given<'_>) -> Result<Self, Refused> {
        let n: f32 = f64::read(given)?.to_string().parse().map_err(|_| Refused::NotANumber)?;
        if n.is_finite() { Ok(n) } else { Err(Refused::OutOfRange) }
    }

    fn print(self, out: &mut Vec<u8>) {
        serde_json::to_writer(out, &self).expect("a vector takes every byte");
    }
}

macro_rules! numbers {
    ($($kind:ident $codec:ident $type:ty),*) => {
        /// The number kinds of protobuf.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "named as protobuf names them")]
        pub enum Number { $($kind),* }

        impl Number {
            /// Writes a number to the wire, under a field number.
            ///
            /// # Errors
            /// It does not fit the kind.
            pub fn encode(self, field: u32, given: Given<'_>, out: &mut Vec<u8>) -> Result<(), Refused> {
                match self { $(Self::$kind => encoding::$codec::encode(field, &<$type>::read(given)?, out)),* }
                Ok(())
            }

            /// Writes a number of the wire as JSON.
            ///
            /// # Errors
            /// The bytes are not of this kind.
            pub fn print(self, wire_type: WireType, wire: &mut impl Buf, out: &mut Vec<u8>) -> Result<(), DecodeError> {
                match self {
                    $(Self::$kind => {
                        let mut n = <$type>::default();
                        encoding::$codec::merge(wire_type, &mut n, wire, DecodeContext::default())?;
                        n.print(out);
                    })*
                }
                Ok(())
            }

            /// How the wire carries it.
            pub fn wire_type(self) -> WireType {
                match self {
                    Self::Double | Self::Fixed64 | Self::Sfixed64 => WireType::SixtyFourBit,
                    Self::Float | Self::Fixed32 | Self::Sfixed32 => WireType::ThirtyTwoBit,
                    _ => WireType::Varint,
                }
            }

            /// Whether fractions are taken.
            pub fn is_real(self) -> bool {
                matches!(self, Self::Double | Self::Float)
            }
        }
    };
}
numbers!(
    Double double f64, Float float f32, Int32 int32 i32, Int64 int64 i64, Uint32 uint32 u32, Uint64 uint64 u64, Sint32 sint32 i32,
    Sint64 sint64 i64, Fixed32 fixed32 u32, Fixed64 fixed64 u64, Sfixed32 sfixed32 i32, Sfixed64 sfixed64 i64
);

#[cfg(test)]
mod tests {
    use super::*;

    fn through(kind: Number, given: Given<'_>) -> Result<String, Refused> {
        let (mut wire, mut out) = (Vec::new(), Vec::new());
        kind.encode(1, given, &mut wire)?;
        let mut wire = wire.as_slice();
        let (_, wire_type) = encoding::decode_key(&mut wire).unwrap();
        kind.print(wire_type, &mut wire, &mut out).unwrap();
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers_come_through_as_the_table_says() {
        use Given::{Natural, Real, Text, Whole};
        let table = [
            (Number::Int32, Whole(-5), Ok("-5")),
            (Number::Int32, Text("12"), Ok("12")),
            (Number::Int32, Text("1e2"), Ok("100")),
            (Number::Int32, Real(3.0), Ok("3")),
            (Number::Int32, Real(3.5), Err(Refused::NotANumber)),
            (Number::Int32, Natural(2_147_483_648), Err(Refused::OutOfRange)),
            (Number::Int32, Real(1e300), Err(Refused::OutOfRange)),
            (Number::Int32, Text(""), Err(Refused::NotANumber)),
            (Number::Int32, Text("NaN"), Err(Refused::NotANumber)),
            (Number::Int32, Text("1e400"), Err(Refused::OutOfRange)),
            (Number::Uint32, Whole(-1), Err(Refused::OutOfRange)),
            (Number::Int64, Whole(i64::MIN), Ok("-9223372036854775808")),
            (Number::Uint64, Natural(u64::MAX), Ok("18446744073709551615")),
            (Number::Sint32, Whole(-7), Ok("-7")),
            (Number::Sfixed64, Text("-7"), Ok("-7")),
            (Number::Double, Real(12.5), Ok("12.5")),
            (Number::Double, Whole(45), Ok("45")),
            (Number::Double, Real(-0.0), Ok("-0.0")),
            (Number::Double, Text("infinity"), Err(Refused::NotANumber)),
            (Number::Double, Real(1e300), Ok("1e+300")),
            (Number::Float, Real(0.1), Ok("0.1")),
            (Number::Float, Real(1e300), Err(Refused::OutOfRange)),
        ];
        for (kind, given, expected) in table {
            assert_eq!(through(kind, given), expected.map(str::to_owned), "{kind:?} {given:?}");
        }
    }
}
