//! The keys of the configuration, and what is done with them: sealing what must be read again, deriving what need not be kept.

use crate::ids::Ids;
use aes_gcm::{Aes256Gcm, KeyInit, Nonce, aead::Aead, aead::Payload};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;

/// The bytes of a nonce, which stands in front of what it sealed.
pub const NONCE_BYTES: usize = 12;

/// Keys that never enter the database.
#[derive(Clone)]
pub struct Keys {
    seal: [u8; 32],
    derive: [u8; 32],
}

impl Keys {
    /// Both keys from the one secret of the configuration, which must have at least 32 bytes of entropy and be the same on every node.
    pub fn from_secret(secret: &[u8]) -> Self {
        let expand = |label: &[u8]| {
            let mut key = [0; 32];
            Hkdf::<Sha256>::new(None, secret).expand(label, &mut key).expect("32 bytes are fewer than HKDF can give");
            key
        };
        Self { seal: expand(b"goodturn identity seal"), derive: expand(b"goodturn identity derive") }
    }

    /// Encrypts; `label` binds the result to its purpose and owner.
    pub fn seal(&self, ids: &Ids, label: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce = ids.bytes::<NONCE_BYTES>();
        let sealed = Aes256Gcm::new(&self.seal.into())
            .encrypt(Nonce::from_slice(&nonce), Payload { msg: plain, aad: label })
            .expect("AES-GCM takes what fits into memory");
        [nonce.as_slice(), &sealed].concat()
    }

    /// Reads what was sealed with the same label; `None` for anything else.
    pub fn open(&self, label: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
        Aes256Gcm::new(&self.seal.into()).decrypt(Nonce::from_slice(nonce), Payload { msg: sealed, aad: label }).ok()
    }

    /// 32 bytes that nobody can tell without the key, the same for the same purpose and parts.
    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.derive).expect("HMAC takes a key of any length");
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            // Lengths keep ("ab", "c") apart from ("a", "bc").
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn what_is_sealed_opens_only_under_its_label_and_key() {
        let (keys, ids) = (Keys::from_secret(&[1; 32]), Ids::seeded(Clock::system(), 1));
        let sealed = keys.seal(&ids, b"a", b"plain");
        assert_eq!(keys.open(b"a", &sealed).unwrap(), b"plain");
        assert_ne!(keys.seal(&ids, b"a", b"plain"), sealed);
        assert!(keys.open(b"b", &sealed).is_none());
        assert!(Keys::from_secret(&[2; 32]).open(b"a", &sealed).is_none());
        for cut in 0..sealed.len() {
            assert!(keys.open(b"a", &sealed[..cut]).is_none());
        }
    }

    #[test]
    fn derived_bytes_depend_on_each_part() {
        let keys = Keys::from_secret(&[1; 32]);
        assert_eq!(keys.derive("p", &[b"ab", b"c"]), keys.derive("p", &[b"ab", b"c"]));
        assert_ne!(keys.derive("p", &[b"ab", b"c"]), keys.derive("p", &[b"a", b"bc"]));
        assert_ne!(keys.derive("p", &[b"ab"]), keys.derive("q", &[b"ab"]));
    }
}
