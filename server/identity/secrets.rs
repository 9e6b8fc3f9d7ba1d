//! The keys of the configuration, and what is done with them: sealing what must be read again, deriving what need not be kept.

use crate::ids::Ids;
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Prk, Salt},
    hmac,
};
use std::{fmt, sync::Arc};

/// The bytes of a nonce, which stands in front of what it sealed.
pub const NONCE_BYTES: usize = 12;

/// Keys of the configuration, which never enter the database: the first secret seals, what the others sealed is still read. The key that derives
/// is one of its own, once it was read from where it is sealed; until then, it is of the first secret.
#[derive(Clone)]
pub struct Keys {
    seal: Arc<[LessSafeKey]>,
    derive: hmac::Key,
}

impl Keys {
    /// From the secrets of the configuration, newest first. Each has 32 bytes that nobody can guess; every node has the same.
    pub fn from_secrets<'a>(newest: &'a [u8], older: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let newest = Salt::none(HKDF_SHA256).extract(newest);
        let older = older.into_iter().map(|secret| seal_key(&Salt::none(HKDF_SHA256).extract(secret)));
        let derive = newest.expand(&[b"goodturn identity derive"], hmac::HMAC_SHA256).map(hmac::Key::from).expect(FEW);
        Self { seal: std::iter::once(seal_key(&newest)).chain(older).collect(), derive }
    }

    /// Encrypts; `label` binds the result to its purpose and owner.
    pub fn seal(&self, ids: &Ids, label: &[u8], plain: &[u8]) -> Vec<u8> {
        let (nonce, mut sealed) = (ids.bytes::<NONCE_BYTES>(), plain.to_vec());
        let key = self.seal.first().expect("from_secrets put one there");
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(label), &mut sealed)
            .expect("AES-GCM takes what fits into memory");
        [nonce.as_slice(), &sealed].concat()
    }

    /// Reads what was sealed with the same label; `None` for anything else.
    pub fn open(&self, label: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        self.open_by(label, sealed).map(|(_, plain)| plain)
    }

    /// The same, and which secret sealed it; 0 is the first.
    pub fn open_by(&self, label: &[u8], sealed: &[u8]) -> Option<(usize, Vec<u8>)> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let open = |(n, key): (usize, &LessSafeKey)| {
            let mut text = sealed.to_vec();
            let plain = key.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(label), &mut text);
            plain.ok().map(|plain| (n, plain.to_vec()))
        };
        self.seal.iter().enumerate().find_map(open)
    }

    /// The same keys, deriving with one of its own.
    pub fn deriving_with(self, key: &[u8]) -> Self {
        Self { derive: hmac::Key::new(hmac::HMAC_SHA256, key), ..self }
    }

    /// 32 bytes that nobody can tell without the key, the same for the same purpose and parts.
    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = hmac::Context::with_key(&self.derive);
        // Lengths keep ("ab", "c") apart from ("a", "bc").
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.sign().as_ref().try_into().expect("HMAC-SHA-256 has 32 bytes")
    }
}

const FEW: &str = "32 bytes are fewer than HKDF can give";

fn seal_key(secret: &Prk) -> LessSafeKey {
    LessSafeKey::new(secret.expand(&[b"goodturn identity seal"], &AES_256_GCM).map(UnboundKey::from).expect(FEW))
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
        assert_eq!(newer.open_by(b"a", &older.seal(&ids, b"a", b"plain")), Some((1, b"plain".to_vec())));
        assert_eq!(newer.open_by(b"a", &newer.seal(&ids, b"a", b"plain")), Some((0, b"plain".to_vec())));
        assert!(older.open(b"a", &newer.seal(&ids, b"a", b"plain")).is_none());
    }

    #[test]
    fn what_the_derive_key_derives_outlives_the_secrets() {
        let derived = |secret: u8, key: u8| Keys::from_secrets(&[secret; 32], []).deriving_with(&[key; 32]).derive("p", &[]);
        assert_eq!(derived(1, 3), derived(2, 3));
        assert_ne!(derived(1, 3), derived(1, 4));
    }
}
