//! Pages: keyset cursors that are opaque and signed, and bound to their list and member.

use crate::{
    error::{Error, FieldReason, Reason, Result},
    ids::MemberId,
};
use aws_lc_rs::{
    constant_time::verify_slices_are_equal,
    hmac::{self, HMAC_SHA256},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};
use time::{OffsetDateTime, macros::datetime};
use uuid::Uuid;

const TAG_BYTES: usize = 16;

/// The most entries of one page.
pub const LIMIT_MAX: i64 = 100;
/// The entries of one page when the caller does not say.
pub const LIMIT_DEFAULT: i64 = 20;

/// How many entries to return; bounds were checked by the codec.
pub fn limit(asked: Option<i32>) -> i64 {
    asked.map_or(LIMIT_DEFAULT, i64::from).clamp(1, LIMIT_MAX)
}

/// Before every key of an instant: none is before the epoch.
pub const FIRST: (OffsetDateTime, Uuid) = (datetime!(1969-12-31 00:00 UTC), Uuid::nil());
/// After every such key.
pub const LAST: (OffsetDateTime, Uuid) = (datetime!(9999-12-31 00:00 UTC), Uuid::max());

/// Where a page begins: at a key, which is kept in whole microseconds, or at an end of the list.
pub fn bound(key: Option<(i64, Uuid)>, end: (OffsetDateTime, Uuid)) -> (OffsetDateTime, Uuid) {
    let at = |micros: i64| OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok();
    key.and_then(|(micros, id)| Some((at(micros)?, id))).unwrap_or(end)
}

/// An instant as a key keeps it.
pub fn micros(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX)
}

/// Signs and reads cursors.
#[derive(Clone)]
pub struct Cursors {
    first: hmac::Key,
    older: Vec<hmac::Key>,
}

impl Cursors {
    /// With the keys of the configuration: the first one signs, all are read.
    pub fn new<'a>(first: &[u8], older: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let key = |bytes: &[u8]| hmac::Key::new(HMAC_SHA256, bytes);
        Self { first: key(first), older: older.into_iter().map(key).collect() }
    }

    /// The cursor of a key in a list of a member. `list` names the list and its filters.
    pub fn write<K: Serialize>(&self, list: &str, member: MemberId, key: &K) -> Result<String> {
        let mut body = serde_json::to_vec(key).map_err(Error::internal)?;
        let tag = tag(&self.first, list, member, &body);
        body.extend_from_slice(&tag);
        Ok(URL_SAFE_NO_PAD.encode(body))
    }

    /// The key of the cursor in a field; `None` for the empty one.
    ///
    /// # Errors
    /// INVALID_CURSOR, which names the field, when it was not written for this list and member.
    pub fn read<K: DeserializeOwned>(&self, list: &str, member: MemberId, (field, cursor): (&str, &str)) -> Result<Option<K>> {
        if cursor.is_empty() {
            return Ok(None);
        }
        let bad = || Error::new(Reason::InvalidCursor, "").with_field(field, FieldReason::Invalid, "is not a cursor of this list");
        let raw = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| bad())?;
        let (body, tag) = raw.split_at_checked(raw.len().saturating_sub(TAG_BYTES)).ok_or_else(bad)?;
        let signed = |key: &hmac::Key| verify_slices_are_equal(&self::tag(key, list, member, body), tag).is_ok();
        if !std::iter::once(&self.first).chain(&self.older).any(signed) {
            return Err(bad());
        }
        serde_json::from_slice(body).map(Some).map_err(|_| bad())
    }
}

fn tag(key: &hmac::Key, list: &str, member: MemberId, body: &[u8]) -> [u8; TAG_BYTES] {
    let mut mac = hmac::Context::with_key(key);
    for part in [list.as_bytes(), &[0], member.0.as_bytes(), body] {
        mac.update(part);
    }
    let mut tag = [0; TAG_BYTES];
    tag.copy_from_slice(mac.sign().as_ref().split_at(TAG_BYTES).0);
    tag
}

/// Cuts a list that was read with one entry more than the limit: the page, and whether there is more.
pub fn cut<T>(mut rows: Vec<T>, limit: i64) -> (Vec<T>, bool) {
    let limit = usize::try_from(limit).unwrap_or(0);
    let more = rows.len() > limit;
    rows.truncate(limit);
    (rows, more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_only_where_it_was_written() {
        let (cursors, ana, ben) = (Cursors::new(b"k", []), MemberId(Uuid::from_u128(1)), MemberId(Uuid::from_u128(2)));
        let cursor = cursors.write("active", ana, &("key", 1)).unwrap();
        assert_eq!(cursors.read::<(String, i32)>("active", ana, ("cursor", &cursor)).unwrap(), Some(("key".into(), 1)));
        assert!(cursors.read::<(String, i32)>("active", ben, ("cursor", &cursor)).is_err());
        assert!(cursors.read::<(String, i32)>("completed", ana, ("cursor", &cursor)).is_err());
        let mut edited = cursor.clone();
        edited.replace_range(0..1, if cursor.starts_with('A') { "B" } else { "A" });
        for bad in [edited.as_str(), "x", "====", "AAAA"] {
            assert!(cursors.read::<(String, i32)>("active", ana, ("cursor", bad)).is_err(), "{bad}");
        }
    }

    /// Recorded once. Clients hold cursors while nodes are replaced.
    #[test]
    fn a_recorded_cursor_is_read() {
        let (cursors, ana, recorded) = (Cursors::new(&[7; 32], []), MemberId(Uuid::from_u128(1)), "WyJrZXkiLDFdb4fD72yl1eSb1y7NB05jDw");
        assert_eq!(cursors.write("active", ana, &("key", 1)).unwrap(), recorded);
        assert_eq!(cursors.read::<(String, i32)>("active", ana, ("cursor", recorded)).unwrap(), Some(("key".into(), 1)));
    }

    #[test]
    fn a_cursor_of_an_older_key_is_read_until_the_key_is_gone() {
        let ana = MemberId(Uuid::from_u128(1));
        let written = Cursors::new(b"older", []).write("active", ana, &7).unwrap();
        let both = Cursors::new(b"newer", [b"oldest".as_slice(), b"older"]);
        assert_eq!(both.read("active", ana, ("cursor", &written)).unwrap(), Some(7));
        let newer = Cursors::new(b"newer", []);
        assert!(newer.read::<i32>("active", ana, ("cursor", &written)).is_err());
        // The first key signs.
        assert_eq!(newer.read("active", ana, ("cursor", &both.write("active", ana, &8).unwrap())).unwrap(), Some(8));
    }
}
