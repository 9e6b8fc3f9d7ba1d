//! One key that signs tokens, by RS256: made, opened once, and used from then on.

use super::{secrets::Keys, store::keys::StoredKey};
use crate::error::{Error, Result};
use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    error::Unspecified,
    rand::SystemRandom,
    rsa::KeySize,
    signature::{KeyPair, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::{Value, json};
use time::OffsetDateTime;

/// What seals keys.
pub const LABEL: &[u8] = b"signing key";
/// What PKCS#8 puts in front of a key of 2048 bits.
const PKCS8_HEAD_BYTES: usize = 26;

/// A key, ready for use.
pub struct SigningKey {
    /// Its name in token headers.
    pub kid: String,
    /// From when on it may sign.
    pub used_from: OffsetDateTime,
    /// The public half, as a member of a JWKS document.
    pub jwk: Value,
    /// What each of its tokens begins with: the header and a dot.
    pub head: String,
    private: RsaKeyPair,
    public: ParsedPublicKey,
}

#[derive(Serialize)]
struct Header<'a> {
    typ: &'a str,
    alg: &'a str,
    kid: &'a str,
}

/// A new key, as it is sealed. Takes a tenth of a second of computing.
///
/// # Errors
/// When the machine has no randomness to give.
pub fn make() -> Result<Vec<u8>, Unspecified> {
    let made: Pkcs8V1Der<'_> = RsaKeyPair::generate(KeySize::Rsa2048)?.as_der()?;
    // Keys are stored as PKCS#1, which PKCS#8 wraps.
    let pkcs1 = made.as_ref().get(PKCS8_HEAD_BYTES..).ok_or(Unspecified)?;
    RsaKeyPair::from_der(pkcs1).map_err(|_| Unspecified)?;
    Ok(pkcs1.to_vec())
}

impl SigningKey {
    /// A key as it is stored.
    ///
    /// # Errors
    /// When it was sealed with another secret.
    pub fn open(secrets: &Keys, row: &StoredKey) -> Result<Self> {
        let der = secrets.open(LABEL, &row.sealed).ok_or_else(|| {
            Error::internal(anyhow::anyhow!("a signing key was sealed with another secret: was the configuration changed?"))
        })?;
        let private = RsaKeyPair::from_der(&der).map_err(Error::internal)?;
        let half = private.public_key();
        let public = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, half).map_err(Error::internal)?;
        let number = |positive: aws_lc_rs::io::Positive<'_>| URL_SAFE_NO_PAD.encode(positive.big_endian_without_leading_zero());
        let jwk = json!({
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": row.kid,
            "n": number(half.modulus()), "e": number(half.exponent()),
        });
        let header = serde_json::to_vec(&Header { typ: "JWT", alg: "RS256", kid: &row.kid }).map_err(Error::internal)?;
        let head = URL_SAFE_NO_PAD.encode(header) + ".";
        Ok(Self { kid: row.kid.clone(), used_from: row.used_from, jwk, head, private, public })
    }

    /// The signature of a message. Takes some tenths of a millisecond.
    ///
    /// # Errors
    /// When the machine has no randomness to give.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>> {
        let mut signature = vec![0; self.private.public_modulus_len()];
        self.private.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).map_err(Error::internal)?;
        Ok(signature)
    }

    /// Whether the key made this signature of a message.
    pub fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        self.public.verify_sig(message, signature).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock::Clock, ids::Ids};
    use time::macros::datetime;

    #[test]
    fn a_made_key_signs_and_checks() {
        let (secrets, ids, at) = (Keys::from_secrets(&[1; 32], []), Ids::seeded(Clock::system(), 1), datetime!(2026-03-01 12:00 UTC));
        let sealed = secrets.seal(&ids, LABEL, &make().unwrap());
        let key = SigningKey::open(&secrets, &StoredKey { kid: "a".into(), sealed, created_at: at, used_from: at }).unwrap();
        let mut signature = key.sign(b"message").unwrap();
        assert_eq!(signature.len() * 8, 2048);
        assert!(key.has_signed(b"message", &signature) && !key.has_signed(b"Message", &signature) && !key.has_signed(b"message", &[]));
        signature[0] ^= 1;
        assert!(!key.has_signed(b"message", &signature));
    }
}
