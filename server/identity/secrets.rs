//! The keys of the configuration, and what is done with them: sealing what must be read again, deriving what need not be kept.

use crate::ids::Ids;
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Salt},
    hmac,
};
use std::{fmt, sync::Arc};

/// The bytes of a nonce, which stands in front of what it sealed.
pub const NONCE_BYTES: usize = 12;

/// Keys that never enter the database: those of the first secret seal and derive, the others are still read.
#[derive(Clone)]
pub struct Keys(Arc<[Pair]>);

struct Pair {
    seal: LessSafeKey,
    derive: hmac::Key,
}

impl Keys {
    /// From the secrets of the configuration, newest first. Each has 32 bytes that nobody can guess; every node has the same.
    pub fn from_secrets<'a>(newest: &'a [u8], older: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self(std::iter::once(newest).chain(older).map(Pair::new).collect())
    }

    /// Encrypts; `label` binds the result to its purpose and owner.
    pub fn seal(&self, ids: &Ids, label: &[u8], plain: &[u8]) -> Vec<u8> {
        let (nonce, mut sealed) = (ids.bytes::<NONCE_BYTES>(), plain.to_vec());
        let key = &self.newest().seal;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(label), &mut sealed)
            .expect("AES-GCM takes what fits into memory");
        [nonce.as_slice(), &sealed].concat()
    }

    /// Reads what was sealed with the same label; `None` for anything else.
    pub fn open(&self, label: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let open = |pair: &Pair| {
            let mut text = sealed.to_vec();
            let plain = pair.seal.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(label), &mut text);
            plain.ok().map(|plain| plain.to_vec())
        };
        self.0.iter().find_map(open)
    }

    /// 32 bytes that nobody can tell without the key, the same for the same purpose and parts.
    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        self.newest().derive(purpose, parts)
    }

    /// What each secret derives, newest first: for checking what was derived before the newest came.
    pub fn derive_all(&self, purpose: &str, parts: &[&[u8]]) -> impl Iterator<Item = [u8; 32]> {
        self.0.iter().map(move |pair| pair.derive(purpose, parts))
    }

    fn newest(&self) -> &Pair {
        self.0.first().expect("from_secrets put one there")
    }
}

impl Pair {
    fn new(secret: &[u8]) -> Self {
        let secret = Salt::none(HKDF_SHA256).extract(secret);
        let seal = secret.expand(&[b"goodturn identity seal"], &AES_256_GCM).map(UnboundKey::from);
        let derive = secret.expand(&[b"goodturn identity derive"], hmac::HMAC_SHA256).map(hmac::Key::from);
        let few = "32 bytes are fewer than HKDF can give";
        Self { seal: LessSafeKey::new(seal.expect(few)), derive: derive.expect(few) }
    }

    fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = hmac::Context::with_key(&self.derive);
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            // Lengths keep ("ab", "c") apart from ("a", "bc").
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.sign().as_ref().try_into().expect("HMAC-SHA-256 has 32 bytes")
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
        let (keys, ids) = (Keys::from_secrets(&[1; 32], []), Ids::seeded(Clock::system(), 1));
        let sealed = keys.seal(&ids, b"a", b"plain");
        assert_eq!(keys.open(b"a", &sealed).unwrap(), b"plain");
        assert_ne!(keys.seal(&ids, b"a", b"plain"), sealed);
        assert!(keys.open(b"b", &sealed).is_none());
        assert!(Keys::from_secrets(&[2; 32], []).open(b"a", &sealed).is_none());
        for cut in 0..sealed.len() {
            assert!(keys.open(b"a", &sealed[..cut]).is_none());
        }
    }

    #[test]
    fn derived_bytes_depend_on_each_part() {
        let keys = Keys::from_secrets(&[1; 32], []);
        assert_eq!(keys.derive("p", &[b"ab", b"c"]), keys.derive("p", &[b"ab", b"c"]));
        assert_ne!(keys.derive("p", &[b"ab", b"c"]), keys.derive("p", &[b"a", b"bc"]));
        assert_ne!(keys.derive("p", &[b"ab"]), keys.derive("q", &[b"ab"]));
    }

    #[test]
    fn what_an_older_secret_sealed_is_still_read() {
        let (older, ids) = (Keys::from_secrets(&[1; 32], []), Ids::seeded(Clock::system(), 1));
        let newer = Keys::from_secrets(&[2; 32], [[1; 32].as_slice()]);
        assert_eq!(newer.open(b"a", &older.seal(&ids, b"a", b"plain")).unwrap(), b"plain");
        assert!(older.open(b"a", &newer.seal(&ids, b"a", b"plain")).is_none());
        assert!(newer.derive_all("p", &[]).any(|d| d == older.derive("p", &[])));
        assert_ne!(newer.derive("p", &[]), older.derive("p", &[]));
    }
}
