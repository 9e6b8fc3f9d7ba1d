//! The server's half of SRP-6a as user-pool clients speak it: RFC 5054's 3072-bit group with g = 2, and SHA-256. Pure.
//!
//! Every number is hashed in its least two's-complement form: a `00` in front when the top bit is set, never padded to the group's length.

mod group;

use aws_lc_rs::{
    digest,
    hkdf::{self, HKDF_SHA256},
    hmac::{self, HMAC_SHA256},
};
use crypto_bigint::{U256, U3072};
pub use group::{ELEMENT_BYTES, Element};
use group::{Form, bytes_of, element, form, power_of_g};
use std::sync::LazyLock;

/// The bytes of a salt.
pub const SALT_BYTES: usize = 16;

/// A salt whose first byte is 01 to 7f, so that it is canonical however a client pads it.
pub type Salt = [u8; SALT_BYTES];

/// k = H(N | g).
static K: LazyLock<Form> = LazyLock::new(|| form(&widen(&digest(&[&minimal(&bytes_of(group::n())), &[2]]))));

/// Makes a salt canonical.
pub fn salt(mut random: Salt) -> Salt {
    if let Some(first) = random.first_mut() {
        *first = (*first & 0x7f).max(1);
    }
    random
}

/// What a password is checked against: g^x.
pub fn verifier(pool_name: &str, user_id: &str, password: &str, salt: &Salt) -> Element {
    let inner = digest(&[pool_name.as_bytes(), user_id.as_bytes(), b":", password.as_bytes()]);
    let x = digest(&[&minimal(salt), &inner]);
    element(&power_of_g(&x))
}

/// Reads a client's A. `None` unless it is hexadecimal and 0 < A < N, so that A mod N is not 0.
pub fn parse_a(hex: &str) -> Option<Element> {
    if hex.is_empty() || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let digits = hex.trim_start_matches('0');
    if digits.is_empty() || digits.len() > 2 * ELEMENT_BYTES {
        return None;
    }
    let a = U3072::from_be_hex(&format!("{digits:0>width$}", width = 2 * ELEMENT_BYTES));
    (a < *group::n()).then(|| bytes_of(&a))
}

/// B = kv + g^b: what the client is offered.
pub fn offer(verifier: &Element, b: &[u8; 32]) -> Element {
    element(&K.mul(&form(verifier)).add(&power_of_g(b)))
}

/// u = H(A | B). `None` when it is 0, which would take the password out of the proof.
pub fn scramble(a: &Element, b: &Element) -> Option<[u8; 32]> {
    let u = digest(&[&minimal(a), &minimal(b)]);
    (u != [0; 32]).then_some(u)
}

/// The key that both sides share when the client knows the password: HKDF of S = (A v^u)^b.
pub fn session_key(a: &Element, verifier: &Element, u: &[u8; 32], b: &[u8; 32]) -> [u8; 16] {
    // u is public; b is not.
    let base = form(a).mul(&form(verifier).pow_vartime(&U256::from_be_slice(u)));
    let s = element(&base.pow(&U256::from_be_slice(b)));
    let salt = hkdf::Salt::new(HKDF_SHA256, &minimal(u));
    let mut block = [0; 32];
    let expanded = salt.extract(&minimal(&s)).expand(&[b"Caldera Derived Key"], HKDF_SHA256).and_then(|okm| okm.fill(&mut block));
    expanded.expect("32 bytes are fewer than HKDF can give");
    // The key is the first half of HKDF's first block.
    let mut key = [0; 16];
    key.copy_from_slice(block.split_at(16).0);
    key
}

/// Whether a signature proves the key, in constant time.
pub fn proves(key: &[u8; 16], pool_name: &str, user_id: &str, secret_block: &[u8], timestamp: &str, signature: &[u8]) -> bool {
    let claim = [pool_name.as_bytes(), user_id.as_bytes(), secret_block, timestamp.as_bytes()].concat();
    hmac::verify(&hmac::Key::new(HMAC_SHA256, key), &claim, signature).is_ok()
}

/// An element that nobody knows the exponent of, from 384 pseudo-random bytes: the verifier of an account that does not exist.
pub fn element_from(bytes: &Element) -> Element {
    element(&form(bytes))
}

/// Hexadecimal without leading zeros.
pub fn hex_of(bytes: &[u8]) -> String {
    hex::encode(bytes).trim_start_matches('0').to_owned()
}

fn minimal(bytes: &[u8]) -> Vec<u8> {
    let skipped = bytes.iter().take_while(|b| **b == 0).count();
    let digits = bytes.get(skipped..).unwrap_or_default();
    let mut out = Vec::with_capacity(digits.len() + 1);
    if digits.first().is_none_or(|b| *b >= 0x80) {
        out.push(0);
    }
    out.extend_from_slice(digits);
    out
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = digest::Context::new(&digest::SHA256);
    for part in parts {
        hash.update(part);
    }
    hash.finish().as_ref().try_into().expect("SHA-256 has 32 bytes")
}

fn widen(bytes: &[u8; 32]) -> Element {
    let mut wide = [0; ELEMENT_BYTES];
    wide.split_at_mut(ELEMENT_BYTES - 32).1.copy_from_slice(bytes);
    wide
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine, engine::general_purpose::STANDARD};
    use proptest::prelude::*;

    fn hash(element: &Element) -> String {
        hex::encode(digest(&[element]))
    }

    /// Worked out with pycognito's client, from a = a1…, b = b2… and salt = 05c3….
    #[test]
    fn an_exchange_is_what_a_foreign_client_makes_of_it() {
        let (user, password) = ("0b5f4c1e-7d3a-4f2e-9c58-6a1d2e3f4a5b", "correct horse battery");
        let mut salt: Salt = [0xc3; SALT_BYTES];
        salt[0] = 5;
        let a = element(&power_of_g(&[0xa1; 32]));
        assert_eq!(hash(&a), "31421f07eb763d09c3565f8e34a296719127d9bebda6c4a66c3ff445701d5b96");
        let v = verifier("Goodturn1", user, password, &salt);
        assert_eq!(hash(&v), "bea82b8576bf7c98724dbd826b8f25d193de588c041e085d1a479aef3152fc98");
        let b = offer(&v, &[0xb2; 32]);
        assert_eq!(hash(&b), "adad8146a2b33313e8763066d56ae08af2468309ec96e7611f20262f9e9c583b");
        let key = session_key(&a, &v, &scramble(&a, &b).unwrap(), &[0xb2; 32]);
        assert_eq!(hex::encode(key), "459eada852ed33817be4e694510b5c27");
        let signature = STANDARD.decode("Ffo5jcEE322a8TNzaj4NBxID0x94iBgfTwuYWAQfHfw=").unwrap();
        let at = "Tue May 7 00:09:40 UTC 2025";
        assert!(proves(&key, "Goodturn1", user, b"block", at, &signature));
        assert!(!proves(&key, "Goodturn1", user, b"Block", at, &signature));
        assert!(!proves(&key, "Goodturn1", user, b"block", at, &signature[..31]));
    }

    #[test]
    fn a_that_is_zero_or_no_group_element_is_refused() {
        let n = hex::encode_upper(bytes_of(group::n()));
        let n_twice = format!("1{}", "F".repeat(768));
        for bad in ["", "0", "000", "g1", "-1", "+1", " 1", &n, &n.to_lowercase(), &n_twice, "é"] {
            assert_eq!(parse_a(bad), None, "{bad}");
        }
        let one_less = format!("{}E", &n[..n.len() - 1]);
        assert!(parse_a(&one_less).is_some());
        assert_eq!(parse_a("abc"), parse_a("0ABC"));
    }

    #[test]
    fn numbers_are_hashed_in_their_least_form() {
        assert_eq!(minimal(&[0, 0, 0x7f]), [0x7f]);
        assert_eq!(minimal(&[0, 0x80]), [0, 0x80]);
        assert_eq!(minimal(&[0, 0]), [0]);
    }

    proptest! {
        #[test]
        fn salts_are_canonical(random: [u8; SALT_BYTES]) {
            let salt = salt(random);
            prop_assert!((1..0x80).contains(&salt[0]));
            prop_assert_eq!(minimal(&salt), salt);
        }

        #[test]
        fn no_text_makes_parsing_panic(text: String) {
            let _ = parse_a(&text);
        }
    }
}
