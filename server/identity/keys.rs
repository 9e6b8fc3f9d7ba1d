//! The keys that sign tokens: made once for all nodes, published before they sign, retired after all they signed has expired.

use super::{
    secrets::Keys,
    signing_key::{self, SigningKey},
    store::keys::{self as store, StoredKey},
    tokens::ACCESS_TTL,
};
use crate::{
    clock::Clock,
    db::{Pool, Tx},
    error::{Error, Result},
    ids::Ids,
    read, transact,
};
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError, RwLock};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// The bus topic: keys were made or retired.
pub const TOPIC: &str = "signing_keys";
/// How long a key signs.
const LIFE: Duration = Duration::days(90);
/// How long a key is published before it signs: every node and every reader of the JWKS has it by then.
const PUBLISHED_AHEAD: Duration = Duration::hours(2);
/// How long a key is published after its successor began to sign: longer than the tokens last.
const KEPT_AFTER: Duration = Duration::minutes(70);

/// The published keys, oldest first, as this node knows them.
pub struct Keyring {
    pool: Pool,
    clock: Clock,
    ids: Ids,
    secrets: Keys,
    ring: RwLock<Arc<Vec<Arc<SigningKey>>>>,
}

impl Keyring {
    /// Reads the keys, and makes the first one when there is none.
    ///
    /// # Errors
    /// When the database is away, or its keys were sealed with another secret.
    pub async fn open(pool: Pool, clock: Clock, ids: Ids, secrets: Keys) -> Result<Self> {
        let ring = Self { pool, clock, ids, secrets, ring: RwLock::default() };
        ring.maintain().await?;
        Ok(ring)
    }

    /// The key that signs now.
    pub fn signer(&self) -> Result<Arc<SigningKey>> {
        let now = self.clock.now();
        let ring = self.keys();
        let newest = ring.iter().rev().find(|k| k.used_from <= now).or_else(|| ring.first());
        newest.cloned().ok_or_else(|| Error::internal(anyhow::anyhow!("there is no signing key")))
    }

    /// The published keys, oldest first.
    pub fn keys(&self) -> Arc<Vec<Arc<SigningKey>>> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The public halves, as a JWKS document.
    pub fn jwks(&self) -> Value {
        json!({"keys": self.keys().iter().map(|k| &k.jwk).collect::<Vec<_>>()})
    }

    /// Makes a key when one is due, retires those that had their time, and reads them anew. Safe on every node at once.
    pub async fn maintain(&self) -> Result<()> {
        let now = self.clock.now();
        let stored = read!(self.pool, |conn| store::all(conn).await)?;
        if is_due(&stored, now) || !retired(&stored, now).is_empty() {
            // Made before the lock is taken: it takes a while.
            let made = tokio::task::spawn_blocking(signing_key::make).await.map_err(Error::internal)?.map_err(Error::internal)?;
            transact!(self.pool, |tx| self.replace(tx, &made, now).await)?;
        }
        self.reload().await
    }

    /// Reads the keys anew.
    pub async fn reload(&self) -> Result<()> {
        let stored = read!(self.pool, |conn| store::all(conn).await)?;
        let known = self.keys();
        let mut ring = Vec::with_capacity(stored.len());
        for row in &stored {
            match known.iter().find(|k| k.kid == row.kid) {
                Some(key) => ring.push(key.clone()),
                None => ring.push(Arc::new(SigningKey::open(&self.secrets, row)?)),
            }
        }
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
        Ok(())
    }

    async fn replace(&self, tx: &mut Tx, made: &[u8], now: OffsetDateTime) -> Result<()> {
        store::lock(tx).await?;
        // Read again under the lock: another node may have been first.
        let stored = store::all(tx).await?;
        if is_due(&stored, now) {
            let id = self.ids.uuid();
            let used_from = if stored.is_empty() { now } else { now + PUBLISHED_AHEAD };
            let sealed = self.secrets.seal(&self.ids, signing_key::LABEL, made);
            store::insert(tx, &StoredKey { kid: id.simple().to_string(), sealed, created_at: now, used_from }).await?;
        }
        store::remove(tx, &retired(&stored, now)).await?;
        tx.signal(TOPIC, Uuid::nil(), "");
        Ok(())
    }
}

/// Whether another key is to be made.
fn is_due(stored: &[StoredKey], now: OffsetDateTime) -> bool {
    stored.iter().map(|k| k.used_from).max().is_none_or(|newest| newest + LIFE - PUBLISHED_AHEAD <= now)
}

/// The keys whose successor has signed for long enough.
fn retired(stored: &[StoredKey], now: OffsetDateTime) -> Vec<String> {
    let succeeded = |k: &StoredKey| stored.iter().any(|s| s.used_from > k.used_from && s.used_from + KEPT_AFTER <= now);
    stored.iter().filter(|k| succeeded(k)).map(|k| k.kid.clone()).collect()
}

const _: () = assert!(KEPT_AFTER.whole_seconds() > ACCESS_TTL.whole_seconds(), "a key outlives what it signed");

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    const START: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);

    fn key(kid: &str, used_from: OffsetDateTime) -> StoredKey {
        StoredKey { kid: kid.into(), sealed: Vec::new(), created_at: used_from, used_from }
    }

    #[test]
    fn a_key_is_made_before_the_one_that_signs_has_had_its_time() {
        assert!(is_due(&[], START));
        let one = [key("a", START)];
        assert!(!is_due(&one, START + LIFE - Duration::hours(3)));
        assert!(is_due(&one, START + LIFE - PUBLISHED_AHEAD));
        let two = [key("a", START), key("b", START + LIFE)];
        assert!(!is_due(&two, START + LIFE));
    }

    #[test]
    fn a_key_is_retired_when_nothing_it_signed_can_be_good() {
        let two = [key("a", START), key("b", START + LIFE)];
        assert!(retired(&two, START + LIFE + ACCESS_TTL).is_empty());
        assert_eq!(retired(&two, START + LIFE + KEPT_AFTER), ["a"]);
        assert!(retired(&two[..1], START + LIFE * 10).is_empty());
    }
}
