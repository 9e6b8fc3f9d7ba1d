//! Numbers of every protobuf kind, between their digits and the wire. In JSON and in text they are read alike, and exactly: never by way of a
//! double that cannot hold all their digits.

use bytes::Buf;
use prost::{
    DecodeError,
    encoding::{self, DecodeContext, WireType},
};
use std::str::FromStr;

/// Why a number was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is none, or not a whole one where one is needed.
    NotANumber,
    /// It does not fit.
    OutOfRange,
}

trait Numeric: Sized + Default {
    fn read(text: &str) -> Result<Self, Refused>;
    fn print(self, out: &mut Vec<u8>);
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Numeric for $type {
            fn read(text: &str) -> Result<Self, Refused> {
                let quick = if text.starts_with('+') { None } else { text.parse().ok() };
                quick.map_or_else(|| Self::try_from(whole(text)?).map_err(|_| Refused::OutOfRange), Ok)
            }

            fn print(self, out: &mut Vec<u8>) {
                whole_to(self, out);
            }
        }
    )*};
}
whole_numbers!(i32, i64, u32, u64);

/// The exact value of a number that is whole, though it may have a fraction or an exponent: `1.0`, `1.5e1`, `20e-1`.
fn whole(text: &str) -> Result<i128, Refused> {
    let _: f64 = decimal(text)?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (ahead, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = ahead.chars().chain(behind.chars()).filter(char::is_ascii_digit).collect();
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Ok(0);
    }
    // One that does not fit is beyond any number of digits that a body can have.
    let beyond = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let moved = i64::try_from(digits.len() - significant.len()).unwrap_or(0) - i64::try_from(behind.len()).unwrap_or(0);
    let power = exponent.parse().unwrap_or(beyond).saturating_add(moved);
    if power < 0 {
        return Err(Refused::NotANumber);
    }
    let scale = u32::try_from(power).ok().and_then(|power| 10_i128.checked_pow(power));
    let value = significant.parse().ok().zip(scale).and_then(|(n, scale): (i128, i128)| n.checked_mul(scale));
    value.map(|n| if text.starts_with('-') { -n } else { n }).ok_or(Refused::OutOfRange)
}

/// A decimal number as JSON has it, but for zeros ahead. The parser of Rust takes more: `inf`, `+5`, `5.` and `.5`.
fn decimal<T: FromStr>(text: &str) -> Result<T, Refused> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let plain = mantissa.strip_prefix('-').unwrap_or(mantissa).split('.').all(digits);
    text.parse().ok().filter(|_| plain).ok_or(Refused::NotANumber)
}

/// Writes a whole number.
pub fn whole_to(n: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
}

macro_rules! reals {
    ($($type:ty)*) => {$(
        impl Numeric for $type {
            fn read(text: &str) -> Result<Self, Refused> {
                match text {
                    "NaN" => Ok(Self::NAN),
                    "Infinity" => Ok(Self::INFINITY),
                    "-Infinity" => Ok(Self::NEG_INFINITY),
                    _ => decimal(text).and_then(|n: Self| if n.is_finite() { Ok(n) } else { Err(Refused::OutOfRange) }),
                }
            }

            fn print(self, out: &mut Vec<u8>) {
                match as_whole(self.into()) {
                    Some(n) => whole_to(n, out),
                    None if self.is_finite() => serde_json::to_writer(out, &self).expect("a vector takes every byte"),
                    None if self.is_nan() => out.extend_from_slice(b"\"NaN\""),
                    None if self > 0.0 => out.extend_from_slice(b"\"Infinity\""),
                    None => out.extend_from_slice(b"\"-Infinity\""),
                }
            }
        }
    )*};
}
reals!(f32 f64);

/// Above this, a double that is whole may have no exact digits.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A double that is written without a fraction. The negative zero is not: its sign would be lost.
#[expect(clippy::cast_possible_truncation, reason = "whole, and of at most 53 bits")]
fn as_whole(n: f64) -> Option<i64> {
    (n.fract() == 0.0 && n.abs() < EXACT_MAX && (n != 0.0 || n.is_sign_positive())).then_some(n as i64)
}

macro_rules! numbers {
    ($($kind:ident $codec:ident $type:ty),*) => {
        /// The number kinds of protobuf.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "named as protobuf names them")]
        pub enum Number { $($kind),* }

        impl Number {
            /// Writes a number to the wire, under a field number. `NaN`, `Infinity` and `-Infinity` are reals.
            ///
            /// # Errors
            /// It does not fit the kind.
            pub fn encode(self, field: u32, text: &str, out: &mut Vec<u8>) -> Result<(), Refused> {
                match self { $(Self::$kind => encoding::$codec::encode(field, &<$type>::read(text)?, out)),* }
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

    fn through(kind: Number, text: &str) -> Result<String, Refused> {
        let (mut wire, mut out) = (Vec::new(), Vec::new());
        kind.encode(1, text, &mut wire)?;
        let mut wire = wire.as_slice();
        let (_, wire_type) = encoding::decode_key(&mut wire).unwrap();
        kind.print(wire_type, &mut wire, &mut out).unwrap();
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers_come_through_as_the_table_says() {
        let none = Err(Refused::NotANumber);
        let beyond = Err(Refused::OutOfRange);
        let table = [
            (Number::Int32, "-5", Ok("-5")),
            (Number::Int32, "1e2", Ok("100")),
            (Number::Int32, "1E+2", Ok("100")),
            (Number::Int32, "3.0", Ok("3")),
            (Number::Int32, "0.25e2", Ok("25")),
            (Number::Int32, "2500e-2", Ok("25")),
            (Number::Int32, "-0", Ok("0")),
            (Number::Int32, "-0.0e99999999999999999999", Ok("0")),
            (Number::Int32, "2147483647", Ok("2147483647")),
            (Number::Int32, "2.147483647e9", Ok("2147483647")),
            (Number::Int32, "-2147483648.0", Ok("-2147483648")),
            (Number::Int32, "2147483648", beyond),
            (Number::Int32, "-2147483649", beyond),
            (Number::Int32, "1e300", beyond),
            (Number::Int32, "1e99999999999999999999", beyond),
            (Number::Int32, "1e-99999999999999999999", none),
            (Number::Int32, "3.5", none),
            (Number::Int32, "5e-1", none),
            (Number::Int32, "", none),
            (Number::Int32, " 1", none),
            (Number::Int32, "1_000", none),
            (Number::Int32, "0x10", none),
            (Number::Int32, "+5", none),
            (Number::Int32, "5.", none),
            (Number::Int32, ".5e1", none),
            (Number::Int32, "05", Ok("5")),
            (Number::Int32, "--5", none),
            (Number::Int32, "1.5.0", none),
            (Number::Double, "+5", none),
            (Number::Double, "5.", none),
            (Number::Double, "-.5", none),
            (Number::Double, "1e", none),
            (Number::Double, "-", none),
            (Number::Int32, "NaN", none),
            (Number::Int32, "Infinity", none),
            (Number::Uint32, "4294967295", Ok("4294967295")),
            (Number::Uint32, "4294967296", beyond),
            (Number::Uint32, "-1", beyond),
            (Number::Uint32, "-0", Ok("0")),
            (Number::Int64, "9007199254740993", Ok("9007199254740993")),
            (Number::Int64, "9007199254740993.0", Ok("9007199254740993")),
            (Number::Int64, "9223372036854775807", Ok("9223372036854775807")),
            (Number::Int64, "922337203685477580.7e1", Ok("9223372036854775807")),
            (Number::Int64, "9223372036854775808", beyond),
            (Number::Int64, "-9223372036854775808", Ok("-9223372036854775808")),
            (Number::Int64, "-9223372036854775809", beyond),
            (Number::Int64, "-9223372036854775809.0", beyond),
            (Number::Uint64, "18446744073709551615", Ok("18446744073709551615")),
            (Number::Uint64, "18446744073709551616", beyond),
            (Number::Sint32, "-7", Ok("-7")),
            (Number::Sfixed64, "-7", Ok("-7")),
            (Number::Double, "12.5", Ok("12.5")),
            (Number::Double, "45", Ok("45")),
            (Number::Double, "-45.0", Ok("-45")),
            (Number::Double, "-0", Ok("-0.0")),
            (Number::Double, "0.1234567890123456789", Ok("0.12345678901234568")),
            (Number::Double, "9007199254740993", Ok("9007199254740992.0")),
            (Number::Double, "1.7976931348623157e308", Ok("1.7976931348623157e+308")),
            (Number::Double, "1e400", beyond),
            (Number::Double, "1e-400", Ok("0")),
            (Number::Double, "NaN", Ok("\"NaN\"")),
            (Number::Double, "Infinity", Ok("\"Infinity\"")),
            (Number::Double, "-Infinity", Ok("\"-Infinity\"")),
            (Number::Double, "infinity", none),
            (Number::Double, "-inf", none),
            (Number::Double, "nan", none),
            (Number::Double, "", none),
            (Number::Float, "0.1", Ok("0.1")),
            (Number::Float, "45", Ok("45")),
            (Number::Float, "3.4028235e38", Ok("3.4028235e+38")),
            (Number::Float, "1e39", beyond),
            (Number::Float, "-1e39", beyond),
            (Number::Float, "-Infinity", Ok("\"-Infinity\"")),
        ];
        for (kind, text, expected) in table {
            assert_eq!(through(kind, text), expected.map(str::to_owned), "{kind:?} {text}");
        }
    }
}
