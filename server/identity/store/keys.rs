//! The keys that sign tokens and the one that derives, sealed.

use crate::error::Result;
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A key as it is stored.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// Its name in token headers.
    pub kid: String,
    /// The private key, sealed.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// From when on it may sign.
    pub used_from: OffsetDateTime,
}

/// Lets one node at a time make or retire keys, until the transaction ends.
pub async fn lock(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('goodturn signing keys', 0))").execute(conn).await?;
    Ok(())
}

/// All keys that are published, oldest first.
pub async fn all(conn: &mut PgConnection) -> Result<Vec<StoredKey>> {
    let rows = sqlx::query_as!(
        StoredKey,
        "SELECT kid, sealed, created_at, used_from
         FROM signing_keys
         ORDER BY used_from, kid
         LIMIT 100",
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Publishes a key.
pub async fn insert(conn: &mut PgConnection, key: &StoredKey) -> Result<()> {
    sqlx::query!(
        "INSERT INTO signing_keys (kid, sealed, created_at, used_from)
         VALUES ($1, $2, $3, $4)",
        key.kid,
        key.sealed,
        key.created_at,
        key.used_from,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Retires keys: what they signed is not accepted any more.
pub async fn remove(conn: &mut PgConnection, kids: &[String]) -> Result<()> {
    sqlx::query!("DELETE FROM signing_keys WHERE kid = ANY($1)", kids).execute(conn).await?;
    Ok(())
}

/// The key that derives, sealed; `None` before it was made.
pub async fn derive_key(conn: &mut PgConnection) -> Result<Option<Vec<u8>>> {
    let row = sqlx::query_scalar!(
        "SELECT sealed
         FROM derive_keys
         LIMIT 1",
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// Keeps the key that derives.
pub async fn insert_derive_key(conn: &mut PgConnection, sealed: &[u8], now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO derive_keys (id, sealed, created_at)
         VALUES (1, $1, $2)",
        sealed,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
