//! Decimal digits of every script, as members type and paste them.

use crate::text;
use unicode_normalization::UnicodeNormalization;

/// The zero of each script that has decimal digits (Unicode 17, general category Nd). Nine more follow each.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090,
    0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0xFF10, 0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA,
    0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50, 0x11DA0, 0x11DE0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0,
    0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0,
];

/// The value of a decimal digit, 0 to 9; `None` for any other character.
pub fn value(c: char) -> Option<u8> {
    let code = u32::from(c);
    let zero = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1).and_then(|at| ZEROS.get(at))?;
    u8::try_from(code - zero).ok().filter(|digit| *digit < 10)
}

/// A text with each decimal digit as its ASCII one.
pub fn ascii(text: &str) -> String {
    text.chars().map(|c| value(c).map_or(c, |digit| char::from(b'0' + digit))).collect()
}

/// A phone number without what people write between its digits, and what comes along unseen when it is copied: a plus sign, if it has one, and
/// digits. What is no part of a number stays, to be refused.
pub fn phone(text: &str) -> String {
    let separates = |c: &char| matches!(c, '-' | '.' | '(' | ')' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '·' | 'ー');
    let plain: String = ascii(text).nfkc().filter(|c| !text::is_space(*c) && !text::is_invisible(*c)).collect();
    let number = plain.strip_prefix("tel:").unwrap_or(&plain);
    // Only Italy dials it from abroad too.
    let is_trunk = number.starts_with('+') && !number.starts_with("+39");
    number.replace("(0)", if is_trunk { "" } else { "0" }).chars().filter(|c| !separates(c)).collect()
}

/// A code as a member gives it: its digits, without the white space, hyphens and invisible marks that come along when it is copied. `None` if
/// anything else is in it.
pub fn code(text: &str) -> Option<String> {
    let between = |c: char| text::is_space(c) || text::is_invisible(c) || matches!(c, '-' | '.' | '\u{2010}'..='\u{2015}');
    ascii(text).chars().filter(|c| !between(*c)).map(|c| c.is_ascii_digit().then_some(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_their_value() {
        assert!(ZEROS.is_sorted());
        assert!(ZEROS.iter().all(|zero| char::from_u32(*zero).is_some_and(char::is_numeric)));
        assert_eq!(ascii("٠٥٠ ۱۲۳ १२३ ৪৫ ๖ ７９５ 𝟎𝟗 ႐"), "050 123 123 45 6 795 09 0");
        for other in ['a', '½', 'Ⅳ', '①', '²', '/', ':', '\u{65F}', '\u{66A}', '一'] {
            assert_eq!(value(other), None, "{other}");
        }
    }

    #[test]
    fn a_phone_number_is_its_digits() {
        for (text, plain) in [
            ("(555) 123-4567", "5551234567"),
            ("tel:+49 151/123", "+49151123"),
            ("０９０－１２３４－５６７８", "09012345678"),
            ("（０９０）１２３４　５６７８", "09012345678"),
            ("090ー1234ー5678", "09012345678"),
            ("０１５１／１２３４５", "015112345"),
            ("＋٤٩ ١٥١", "+49151"),
            ("\u{202A}+49 (0) 151\u{202C}", "+49151"),
            ("+48 (0)22 512", "+4822512"),
            ("(0)22 512", "022512"),
            ("+39 (0)6 698", "+3906698"),
            ("555-CALL", "555CALL"),
        ] {
            assert_eq!(phone(text), plain, "{text}");
        }
    }

    #[test]
    fn a_code_is_its_digits() {
        for given in
            ["795178", "７９５１７８", "795-178", " 795 178\n", "\u{202A}795\u{A0}178\u{202C}", "\u{FEFF}795\u{2011}178\u{200B}", "٧٩٥١٧٨"]
        {
            assert_eq!(code(given).as_deref(), Some("795178"), "{given:?}");
        }
        assert_eq!(code("").as_deref(), Some(""));
        for bad in ["795l78", "code 795178", "795,178", "²95178"] {
            assert_eq!(code(bad), None, "{bad}");
        }
    }
}
