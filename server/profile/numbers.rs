//! Phone numbers, read as their countries write them. Pure.

use crate::digits;
use phonenumber::{
    Mode,
    country::{self, Source},
    metadata::DATABASE,
};

/// Whether there is such a country, ISO 3166-1 alpha-2, with numbers of its own.
pub fn is_country(code: &str) -> bool {
    code.parse::<country::Id>().is_ok()
}

/// A number in E.164; `None` when it is none. With `+` it is international; without it, as it is dialled in the country: a trunk prefix is
/// dropped, and a prefix for calls abroad is read as `+`. Digits may be of any script, with what people write between them. Only the shape
/// counts: which numbers are in use changes from month to month.
pub fn read(text: &str, country: &str) -> Option<String> {
    let plain = digits::phone(text);
    let digits = plain.strip_prefix('+').unwrap_or(&plain);
    if digits.len() > 20 || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let e164 = if plain.starts_with('+') { international(&plain) } else { national(&plain, country.parse().ok()?) }?;
    // What is kept reads as itself, and as nothing else.
    (fits(&e164) && international(&e164).as_ref() == Some(&e164)).then_some(e164)
}

/// By the country that it names. The library would drop the trunk prefix of a country that it is told from a number of another one.
fn international(plain: &str) -> Option<String> {
    let number = phonenumber::parse(None, plain).ok()?;
    Some(number.format().mode(Mode::E164).to_string())
}

/// As it is dialled in a country, to one there or abroad.
fn national(plain: &str, country: country::Id) -> Option<String> {
    let number = phonenumber::parse(Some(country), plain).ok()?;
    if number.code().source() == Source::Idd {
        let prefix = DATABASE.by_id(country.as_ref())?.international_prefix()?.find(plain)?;
        return international(&format!("+{}", plain.get(prefix.end()..)?));
    }
    Some(number.format().mode(Mode::E164).to_string())
}

/// The documented bounds: ten digits behind +1, else 7 to 15 in all.
fn fits(e164: &str) -> bool {
    let Some(digits) = e164.strip_prefix('+') else { return false };
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    is_plain && if digits.starts_with('1') { digits.len() == 11 } else { (7..=15).contains(&digits.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_number_is_read_by_its_country() {
        for (text, country, number) in [
            ("(555) 123-4567", "US", Some("+15551234567")),
            ("5551234567", "US", Some("+15551234567")),
            ("1 555.123.4567", "US", Some("+15551234567")),
            ("555-4567", "US", None),
            ("55512345678", "US", None),
            ("+1 555 123 456", "US", None),
            ("+15551234567", "DE", Some("+15551234567")),
            ("0170 1234567", "DE", Some("+491701234567")),
            ("170 1234567", "DE", Some("+491701234567")),
            ("020 7946 0018", "GB", Some("+442079460018")),
            ("+44 (0)20 7946 0018", "US", Some("+442079460018")),
            ("06 12 34 56 78", "FR", Some("+33612345678")),
            ("98765 43210", "IN", Some("+919876543210")),
            ("+49 170 1234567", "US", Some("+491701234567")),
            ("011 49 170 1234567", "US", Some("+491701234567")),
            ("004915112345678", "DE", Some("+4915112345678")),
            ("00 44 20 7946 0018", "FR", Some("+442079460018")),
            ("\u{202A}+49 151 12345678\u{202C}", "US", Some("+4915112345678")),
            ("0151/12345678", "DE", Some("+4915112345678")),
            ("0151\u{A0}1234\u{2011}5678", "DE", Some("+4915112345678")),
            ("٠٥٠١٢٣٤٥٦٧", "AE", Some("+971501234567")),
            ("۰۹۱۲ ۳۴۵ ۶۷۸۹", "IR", Some("+989123456789")),
            ("＋４９ １５１ １２３４５６７８", "US", Some("+4915112345678")),
            ("0049", "DE", None),
            ("０９０－１２３４－５６７８", "JP", Some("+819012345678")),
            ("tel:+49 151 12345678", "US", Some("+4915112345678")),
            ("+48 (0) 22 512 10 10", "PL", Some("+48225121010")),
            ("+34 (0) 612 345 678", "ES", Some("+34612345678")),
            ("+39 06 698 12345", "US", Some("+390669812345")),
            ("06 698 12345", "IT", Some("+390669812345")),
            ("+0 170 1234567", "US", None),
            ("+999 170 1234567", "US", None),
            ("+4912345678901234", "US", None),
            ("", "US", None),
            ("+", "US", None),
            ("555-CALL-NOW", "US", None),
        ] {
            assert_eq!(read(text, country).as_deref(), number, "{text} in {country}");
        }
    }

    #[test]
    fn a_country_has_two_letters_that_stand_for_one() {
        for good in ["US", "DE", "GB", "IN", "AX"] {
            assert!(is_country(good), "{good}");
        }
        for bad in ["", "us", "ZZ", "USA", "U", "1"] {
            assert!(!is_country(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_e164_and_reads_as_itself(text in "\\+?[0-9() .-]{0,32}", country in "(US|DE|GB|FR|IN|IT|ZZ)") {
            if let Some(number) = read(&text, &country) {
                prop_assert!(number.starts_with('+') && (8..=16).contains(&number.len()), "{number}");
                prop_assert_eq!(read(&number, "US"), Some(number));
            }
        }

        #[test]
        fn no_text_makes_reading_panic(text: String, country: String) {
            let _ = (read(&text, &country), is_country(&country));
        }
    }
}
