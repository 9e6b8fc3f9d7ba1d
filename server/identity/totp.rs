//! Codes of authenticators: RFC 6238 with HMAC-SHA-1, six digits and periods of 30 seconds, which every authenticator has.

use crate::digits;
use aws_lc_rs::{constant_time::verify_slices_are_equal, hmac};
use time::OffsetDateTime;

/// The bytes of a secret.
pub const SECRET_BYTES: usize = 20;
const PERIOD_S: i64 = 30;
/// How many periods a clock may be off, to either side.
const PERIODS_OFF: i64 = 1;
const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A secret as authenticators take it: base32.
pub fn spell(secret: &[u8; SECRET_BYTES]) -> String {
    secret.chunks(5).flat_map(letters).collect()
}

/// 40 bits as 8 letters.
fn letters(bytes: &[u8]) -> impl Iterator<Item = char> {
    let bits = bytes.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    (0..8).rev().filter_map(move |n| LETTERS.get(usize::try_from(bits >> (5 * n) & 31).ok()?).map(|letter| char::from(*letter)))
}

/// The period of which a text has the digits, if it is near now; the latest of them.
pub fn period(secret: &[u8], text: &str, now: OffsetDateTime) -> Option<i64> {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let at = now.unix_timestamp() / PERIOD_S;
    let near = (at - PERIODS_OFF..=at + PERIODS_OFF).rev();
    let given = digits::code(text)?;
    near.filter(|period| verify_slices_are_equal(code(&key, *period).as_bytes(), given.as_bytes()).is_ok()).max()
}

fn code(key: &hmac::Key, period: i64) -> String {
    let mac = hmac::sign(key, &period.to_be_bytes());
    let from = usize::from(mac.as_ref().last().copied().unwrap_or(0) & 15);
    let part = mac.as_ref().iter().skip(from).take(4).fold(0_u32, |n, byte| n << 8 | u32::from(*byte));
    format!("{:06}", (part & 0x7fff_ffff) % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, by their last six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = b"12345678901234567890";
        for (at_s, digits) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let now = OffsetDateTime::from_unix_timestamp(at_s).unwrap();
            assert_eq!(period(secret, digits, now), Some(at_s / 30), "{digits}");
            assert_eq!(period(secret, digits, now + time::Duration::seconds(30)), Some(at_s / 30));
            assert_eq!(period(secret, digits, now + time::Duration::seconds(90)), None);
        }
    }

    #[test]
    fn a_secret_is_spelled_in_base32() {
        assert_eq!(spell(b"12345678901234567890"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(spell(&[0xff; 20]), "7".repeat(32));
    }
}
