//! Sign-ups that nobody has confirmed.

use super::{attempts::Subject, email_key};
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many wait at one address.
pub const WAITING_MAX: usize = 5;

/// A registration.
#[derive(Clone)]
pub struct Registration {
    /// The member's id, once there is one.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: String,
    /// The full name.
    pub name: String,
    /// The first name.
    pub given_name: String,
    /// The last name.
    pub family_name: String,
    /// An IANA zone.
    pub time_zone: String,
    /// The salt of the verifier.
    pub salt: Vec<u8>,
    /// The verifier, sealed.
    pub sealed: Vec<u8>,
    /// Where it came from; `None` when it came from no network.
    pub network: Option<Subject>,
    /// What the digits of its code are derived from.
    pub code: Uuid,
    /// Since when it waits.
    pub created_at: OffsetDateTime,
    /// Until when, and its code with it.
    pub expires_at: OffsetDateTime,
}

struct Row {
    id: Uuid,
    email: String,
    name: String,
    given_name: String,
    family_name: String,
    time_zone: String,
    salt: Vec<u8>,
    sealed: Vec<u8>,
    network: Option<Vec<u8>>,
    code: Uuid,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
}

impl From<Row> for Registration {
    fn from(row: Row) -> Self {
        let Row { id, email, name, given_name, family_name, time_zone, salt, sealed, network, code, created_at, expires_at } = row;
        let network = network.and_then(|bytes| bytes.try_into().ok());
        Self { id: MemberId(id), email, name, given_name, family_name, time_zone, salt, sealed, network, code, created_at, expires_at }
    }
}

/// What waits at an address, the oldest first.
pub async fn waiting(conn: &mut PgConnection, email: &str, now: OffsetDateTime) -> Result<Vec<Registration>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, email, name, given_name, family_name, time_zone, salt, sealed, network, code, created_at, expires_at
         FROM registrations
         WHERE email_key = $1 AND expires_at > $2
         ORDER BY created_at, id
         LIMIT 100",
        email_key(email),
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Registration::from).collect())
}

/// Locks all registrations at an address, of any age, always in the same order.
pub async fn lock_at(conn: &mut PgConnection, email: &str) -> Result<()> {
    sqlx::query!(
        "SELECT id
         FROM registrations
         WHERE email_key = $1
         ORDER BY id
         FOR UPDATE",
        email_key(email),
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

/// The registration with this id.
pub async fn by_id(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<Option<Registration>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, email, name, given_name, family_name, time_zone, salt, sealed, network, code, created_at, expires_at
         FROM registrations
         WHERE id = $1 AND expires_at > $2
         LIMIT 1",
        id.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Registration::from))
}

/// Makes a registration.
pub async fn insert(conn: &mut PgConnection, new: &Registration) -> Result<()> {
    sqlx::query!(
        "INSERT INTO registrations (id, email, email_key, name, given_name, family_name, time_zone, salt, sealed, network, code, created_at,
                                    expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        new.id.0,
        new.email,
        email_key(&new.email),
        new.name,
        new.given_name,
        new.family_name,
        new.time_zone,
        new.salt,
        new.sealed,
        new.network.as_ref().map(<[u8; 32]>::as_slice),
        new.code,
        new.created_at,
        new.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lets another code stand, in place of the one before. Of nothing when there is no such registration.
pub async fn put_code(conn: &mut PgConnection, id: MemberId, code: Uuid) -> Result<()> {
    sqlx::query!(
        "UPDATE registrations
         SET code = $2
         WHERE id = $1",
        id.0,
        code,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes one.
pub async fn remove(conn: &mut PgConnection, id: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM registrations
         WHERE id = $1",
        id.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes all at an address.
pub async fn remove_at(conn: &mut PgConnection, email: &str) -> Result<()> {
    sqlx::query!(
        "DELETE FROM registrations
         WHERE email_key = $1",
        email_key(email),
    )
    .execute(conn)
    .await?;
    Ok(())
}
