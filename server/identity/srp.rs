//! The server's half of SRP-6a as user-pool clients speak it: RFC 5054's 3072-bit group with g = 2, and SHA-256. Pure.
//!
//! Every number is hashed in its least two's-complement form: a `00` in front when the top bit is set, never padded to the group's length.

use crypto_bigint::{
    Odd, U256, U3072,
    modular::{FixedMontyForm, FixedMontyParams},
};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The bytes of a group element.
pub const ELEMENT_BYTES: usize = 384;
/// The bytes of a salt.
pub const SALT_BYTES: usize = 16;

/// A group element: a verifier, A or B.
pub type Element = [u8; ELEMENT_BYTES];
/// A salt whose first byte is 01 to 7f, so that it is canonical however a client pads it.
pub type Salt = [u8; SALT_BYTES];

const N_HEX: &str = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
    EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
    EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
    83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
    E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
    15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
    ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
    BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF";

type Form = FixedMontyForm<{ U3072::LIMBS }>;

struct Group {
    n: U3072,
    params: FixedMontyParams<{ U3072::LIMBS }>,
    g: Form,
    k: Form,
}

static GROUP: LazyLock<Group> = LazyLock::new(|| {
    let n = U3072::from_be_hex(N_HEX);
    let params = FixedMontyParams::new(Odd::new(n).expect("the group's prime is odd"));
    let k = digest(&[&minimal(n.to_be_bytes().as_ref()), &[2]]);
    Group { n, params, g: Form::new(&U3072::from_u8(2), &params), k: Form::new(&widen(&k), &params) }
});

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
    element(&GROUP.g.pow(&U256::from_be_slice(&x)))
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
    (a < GROUP.n).then(|| bytes_of(&a))
}

/// B = kv + g^b: what the client is offered.
pub fn offer(verifier: &Element, b: &[u8; 32]) -> Element {
    let v = Form::new(&U3072::from_be_slice(verifier), &GROUP.params);
    element(&GROUP.k.mul(&v).add(&GROUP.g.pow(&U256::from_be_slice(b))))
}

/// u = H(A | B). `None` when it is 0, which would take the password out of the proof.
pub fn scramble(a: &Element, b: &Element) -> Option<[u8; 32]> {
    let u = digest(&[&minimal(a), &minimal(b)]);
    (u != [0; 32]).then_some(u)
}

/// The key that both sides share when the client knows the password: HKDF of S = (A v^u)^b.
pub fn session_key(a: &Element, verifier: &Element, u: &[u8; 32], b: &[u8; 32]) -> [u8; 16] {
    let form = |e: &Element| Form::new(&U3072::from_be_slice(e), &GROUP.params);
    // u is public; b is not.
    let base = form(a).mul(&form(verifier).pow_vartime(&U256::from_be_slice(u)));
    let s = element(&base.pow(&U256::from_be_slice(b)));
    let mut key = [0; 16];
    Hkdf::<Sha256>::new(Some(&minimal(u)), &minimal(&s))
        .expand(b"Caldera Derived Key", &mut key)
        .expect("16 bytes are fewer than HKDF can give");
    key
}

/// Whether a signature proves the key, in constant time.
pub fn proves(key: &[u8; 16], pool_name: &str, user_id: &str, secret_block: &[u8], timestamp: &str, signature: &[u8]) -> bool {
    claim(key, pool_name, user_id, secret_block, timestamp).verify_slice(signature).is_ok()
}

/// What a signature is made of.
fn claim(key: &[u8; 16], pool_name: &str, user_id: &str, secret_block: &[u8], timestamp: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in [pool_name.as_bytes(), user_id.as_bytes(), secret_block, timestamp.as_bytes()] {
        mac.update(part);
    }
    mac
}

/// An element that nobody knows the exponent of, from 384 pseudo-random bytes: the verifier of an account that does not exist.
pub fn element_from(bytes: &Element) -> Element {
    element(&Form::new(&U3072::from_be_slice(bytes), &GROUP.params))
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
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

fn widen(bytes: &[u8; 32]) -> U3072 {
    let mut wide = [0; ELEMENT_BYTES];
    wide.split_at_mut(ELEMENT_BYTES - 32).1.copy_from_slice(bytes);
    U3072::from_be_slice(&wide)
}

fn element(form: &Form) -> Element {
    bytes_of(&form.retrieve())
}

fn bytes_of(number: &U3072) -> Element {
    let mut bytes = [0; ELEMENT_BYTES];
    bytes.copy_from_slice(number.to_be_bytes().as_ref());
    bytes
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
        let a = element(&GROUP.g.pow(&U256::from_be_slice(&[0xa1; 32])));
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
        let n_twice = format!("1{}", "F".repeat(768));
        for bad in ["", "0", "000", "g1", "-1", "+1", " 1", N_HEX, &N_HEX.to_lowercase(), &n_twice, "é"] {
            assert_eq!(parse_a(bad), None, "{bad}");
        }
        let one_less = format!("{}E", &N_HEX[..N_HEX.len() - 1]);
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
