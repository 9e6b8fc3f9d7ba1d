//! Codes of six digits. Nothing stores them: they are derived from the code's id, so neither rows nor jobs hold one.

use super::secrets::Keys;
use crate::digits as code_digits;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use uuid::Uuid;

const PURPOSE: &str = "code";

/// The digits of a code.
pub fn digits(keys: &Keys, id: Uuid) -> String {
    spell(keys.derive(PURPOSE, &[id.as_bytes()]))
}

/// Whether these are the digits, in constant time.
pub fn matches(keys: &Keys, id: Uuid, given: &str) -> bool {
    let Some(given) = code_digits::code(given) else { return false };
    verify_slices_are_equal(digits(keys, id).as_bytes(), given.as_bytes()).is_ok()
}

fn spell(bytes: [u8; 32]) -> String {
    let number = bytes.iter().take(8).fold(0_u64, |n, b| n << 8 | u64::from(*b));
    format!("{:06}", number % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_six_digits_and_matches_itself_alone() {
        let keys = Keys::from_secrets(&[1; 32], []);
        for n in 0..200 {
            let (id, other) = (Uuid::from_u128(n), Uuid::from_u128(n + 1));
            let code = digits(&keys, id);
            assert!(code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit()), "{code}");
            assert!(matches(&keys, id, &code) && matches(&keys, id, &format!(" {code} ")));
            let wide: String = code.chars().filter_map(|c| char::from_u32(u32::from(c) + 0xFEE0)).collect();
            assert!(matches(&keys, id, &wide) && matches(&keys, id, &format!("\u{202A}{}-{}", &code[..3], &code[3..])));
            assert!(!matches(&keys, id, &digits(&keys, other)) && !matches(&keys, id, "") && !matches(&keys, id, &format!("{code}0")));
        }
    }
}
