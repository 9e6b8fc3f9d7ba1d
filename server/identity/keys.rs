//! The keys that sign tokens: made once for all nodes, published before they sign, retired after all they signed has expired.

use super::{
    policy::ACCESS_LIFE_MAX,
    secrets::Keys,
    signing_key::{self, SigningKey},
    store::keys::{self as store, StoredKey},
};
use crate::{
    clock::Clock,
    db::{Pool, Tx},
    error::{Error, Result},
    ids::Ids,
    read, transact,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use time::{Duration, OffsetDateTime};
use tokio::sync::watch;
use uuid::Uuid;

/// The bus topic: keys were made or retired.
pub const TOPIC: &str = "signing_keys";
/// How long a key is published before it signs: every node and every reader of the JWKS has it by then.
const PUBLISHED_AHEAD: Duration = Duration::hours(2);
/// The same for a key that is wanted at once: every node that hears signals has it by then.
const AHEAD_AT_ONCE: Duration = Duration::seconds(5);
/// How long a key is published after its successor began to sign: longer than any token lasts, also one of before a setting was changed.
const KEPT_AFTER: Duration = ACCESS_LIFE_MAX.saturating_add(Duration::minutes(10));

/// The published keys, oldest first, as this node knows them.
pub struct Keyring {
    pool: Pool,
    clock: Clock,
    ids: Ids,
    secrets: Keys,
    /// How long a key signs.
    life: Duration,
    ring: watch::Sender<Arc<Vec<Arc<SigningKey>>>>,
    /// Goes up when a key is not published any more: what was checked by it before is to be checked anew.
    retirements: AtomicU64,
}

/// A published key, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its name in token headers.
    pub kid: String,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// From when on it signs.
    pub used_from: OffsetDateTime,
    /// What it does now.
    pub stage: Stage,
    /// Which secret of the configuration sealed it; 0 is the first.
    pub sealed_by: Option<usize>,
}

/// What a published key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It will sign: readers have it by then.
    Comes,
    /// It signs.
    Signs,
    /// It signed: what it signed is good until it is dead, and the key is retired then.
    Checks {
        /// When the key is retired.
        until: OffsetDateTime,
    },
}

/// How soon an operator wants another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Haste {
    /// Published ahead, as by the schedule: no reader of the JWKS meets a key that it does not know.
    Ahead,
    /// In some seconds, and instead of one that was to come.
    AtOnce,
}

impl Keyring {
    /// Reads the keys, and makes the first one when there is none.
    ///
    /// # Errors
    /// When the database is away, or its keys were sealed with another secret.
    pub async fn open(pool: Pool, clock: Clock, ids: Ids, secrets: Keys, life: Duration) -> Result<Self> {
        let ring = Self { pool, clock, ids, secrets, life, ring: watch::Sender::default(), retirements: AtomicU64::new(0) };
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
        self.ring.borrow().clone()
    }

    /// Waits until this node knows a key no longer.
    pub fn gone(&self, kid: Arc<str>) -> impl Future<Output = ()> + Send + use<> {
        let mut ring = self.ring.subscribe();
        async move {
            // An error means that nobody is left who could tell.
            let _ = ring.wait_for(|ring| ring.iter().all(|key| *key.kid != *kid)).await;
        }
    }

    /// The public halves, as a JWKS document.
    pub fn jwks(&self) -> Value {
        json!({"keys": self.keys().iter().map(|k| &k.jwk).collect::<Vec<_>>()})
    }

    /// Makes a key when one is due, retires those that had their time, and reads them anew. Safe on every node at once.
    pub async fn maintain(&self) -> Result<()> {
        let now = self.clock.now();
        let stored = read!(self.pool, |conn| store::all(conn).await)?;
        if is_due(&stored, self.life, now) || !retired(&stored, now).is_empty() {
            // Made before the lock is taken: it takes a while.
            let made = Self::make().await?;
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
        let gone = known.iter().any(|k| ring.iter().all(|r| r.kid != k.kid));
        // Whoever waits for a change of them looks at them only when there is one.
        let same = ring.iter().map(|k| &k.kid).eq(known.iter().map(|k| &k.kid));
        self.ring.send_if_modified(|keys| {
            *keys = Arc::new(ring);
            !same
        });
        if gone {
            // After the ring was changed: who reads this number first, and the keys then, has the newer keys with the newer number.
            self.retirements.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    async fn replace(&self, tx: &mut Tx, made: &[u8], now: OffsetDateTime) -> Result<()> {
        store::lock(tx).await?;
        // Read again under the lock: another node may have been first.
        let stored = store::all(tx).await?;
        if is_due(&stored, self.life, now) {
            let used_from = if stored.is_empty() { now } else { now + PUBLISHED_AHEAD };
            self.publish(tx, made, used_from, now).await?;
        }
        store::remove(tx, &retired(&stored, now)).await?;
        tx.signal(TOPIC, Uuid::nil(), "");
        Ok(())
    }

    async fn publish(&self, tx: &mut Tx, made: &[u8], used_from: OffsetDateTime, now: OffsetDateTime) -> Result<String> {
        let kid = self.ids.uuid().simple().to_string();
        let sealed = self.secrets.seal(&self.ids, signing_key::LABEL, made);
        store::insert(tx, &StoredKey { kid: kid.clone(), sealed, created_at: now, used_from }).await?;
        Ok(kid)
    }
}

/// What operators do with the keys.
impl Keyring {
    /// How often keys were seen to be gone.
    pub fn retirements(&self) -> u64 {
        self.retirements.load(Ordering::Acquire)
    }

    /// A new private key, for `rotate` and `retire`. Takes a tenth of a second.
    ///
    /// # Errors
    /// When the machine has no randomness to give.
    pub async fn make() -> Result<Vec<u8>> {
        tokio::task::spawn_blocking(signing_key::make).await.map_err(Error::internal)?.map_err(Error::internal)
    }

    /// The published keys, oldest first.
    ///
    /// # Errors
    /// As the database.
    pub async fn list(&self, conn: &mut PgConnection) -> Result<Vec<Published>> {
        let (stored, now) = (store::all(conn).await?, self.clock.now());
        let sealed_by = |k: &StoredKey| self.secrets.open_by(signing_key::LABEL, &k.sealed).map(|(n, _)| n);
        let published = stored.iter().map(|k| Published {
            kid: k.kid.clone(),
            created_at: k.created_at,
            used_from: k.used_from,
            stage: stage(&stored, k, now),
            sealed_by: sealed_by(k),
        });
        Ok(published.collect())
    }

    /// Lets another key sign, and the present ones check until what they signed is dead: nobody is signed out. Its name, and from when on;
    /// `None` when the next key is published already, and not wanted at once.
    ///
    /// # Errors
    /// As the database.
    pub async fn rotate(&self, tx: &mut Tx, made: &[u8], haste: Haste) -> Result<Option<(String, OffsetDateTime)>> {
        store::lock(tx).await?;
        let (stored, now) = (store::all(tx).await?, self.clock.now());
        let coming: Vec<String> = stored.iter().filter(|k| k.used_from > now).map(|k| k.kid.clone()).collect();
        let used_from = match haste {
            Haste::Ahead if !coming.is_empty() => return Ok(None),
            Haste::Ahead => now + PUBLISHED_AHEAD,
            Haste::AtOnce => now + AHEAD_AT_ONCE,
        };
        // They have signed nothing yet.
        store::remove(tx, &coming).await?;
        let kid = self.publish(tx, made, used_from, now).await?;
        tx.signal(TOPIC, Uuid::nil(), "");
        Ok(Some((kid, used_from)))
    }

    /// Takes a key back at once, on every node: what it signed is refused. When it is the one that signs, another one does from now on: its
    /// name. Sessions go on, for refresh tokens are not signed.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn retire(&self, tx: &mut Tx, kid: &str, made: &[u8]) -> Result<Option<String>> {
        store::lock(tx).await?;
        let (stored, now) = (store::all(tx).await?, self.clock.now());
        let goes = stored.iter().find(|k| k.kid == kid).ok_or_else(|| Error::not_found("key"))?;
        let successor = match stage(&stored, goes, now) {
            Stage::Signs => Some(self.publish(tx, made, now, now).await?),
            Stage::Comes | Stage::Checks { .. } => None,
        };
        store::remove(tx, &[kid.to_owned()]).await?;
        tx.signal(TOPIC, Uuid::nil(), "");
        Ok(successor)
    }
}

/// Whether another key is to be made.
fn is_due(stored: &[StoredKey], life: Duration, now: OffsetDateTime) -> bool {
    stored.iter().map(|k| k.used_from).max().is_none_or(|newest| newest + life - PUBLISHED_AHEAD <= now)
}

/// What a key does, among those that are stored.
fn stage(stored: &[StoredKey], key: &StoredKey, now: OffsetDateTime) -> Stage {
    if key.used_from > now {
        return Stage::Comes;
    }
    let successor = stored.iter().map(|s| s.used_from).filter(|from| *from > key.used_from && *from <= now).min();
    successor.map_or(Stage::Signs, |from| Stage::Checks { until: from + KEPT_AFTER })
}

/// The keys whose successor has signed for long enough.
fn retired(stored: &[StoredKey], now: OffsetDateTime) -> Vec<String> {
    let succeeded = |k: &StoredKey| stored.iter().any(|s| s.used_from > k.used_from && s.used_from + KEPT_AFTER <= now);
    stored.iter().filter(|k| succeeded(k)).map(|k| k.kid.clone()).collect()
}

#[cfg(test)]
mod tests;
