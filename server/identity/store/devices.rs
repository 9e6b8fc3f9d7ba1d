//! Devices that sign-ins came from.

use crate::{
    error::Result,
    ids::{DeviceId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A device's row.
#[derive(Clone, Debug)]
pub struct Device {
    /// The device.
    pub id: DeviceId,
    /// What takes the place of the pool's name in its SRP.
    pub group_key: String,
    /// What it is called.
    pub name: String,
    /// What its proof is checked against; `None` until it is confirmed.
    pub salt: Option<Vec<u8>>,
    /// The verifier, sealed; `None` until it is confirmed.
    pub sealed: Option<Vec<u8>>,
    /// Whether it stands in for a second factor.
    pub remembered: bool,
    /// Since when.
    pub created_at: OffsetDateTime,
    /// When it last changed.
    pub changed_at: OffsetDateTime,
    /// When a sign-in last came from it.
    pub signed_in_at: OffsetDateTime,
    /// From what address.
    pub last_address: String,
}

/// What begins a device: nothing of it is proved yet.
pub struct NewDevice<'a> {
    /// The device.
    pub id: DeviceId,
    /// What takes the place of the pool's name in its SRP.
    pub group_key: &'a str,
    /// From what address it came.
    pub address: &'a str,
}

/// What a device's proof is checked against.
pub struct Secret {
    /// The salt.
    pub salt: Vec<u8>,
    /// The verifier, sealed.
    pub sealed: Vec<u8>,
}

/// Where a list goes on: behind the device of this age and id.
pub type After = (OffsetDateTime, Uuid);

/// Begins one. Of very many, the one that nobody has signed in from for longest goes. Those that went and were confirmed.
pub async fn insert(
    conn: &mut PgConnection,
    member: MemberId,
    new: &NewDevice<'_>,
    most: i64,
    now: OffsetDateTime,
) -> Result<Vec<DeviceId>> {
    let gone = sqlx::query!(
        r#"DELETE FROM devices
         WHERE member_id = $1 AND id IN (
             SELECT id
             FROM devices
             WHERE member_id = $1
             ORDER BY remembered DESC, sealed IS NOT NULL DESC, signed_in_at DESC
             OFFSET $2
         )
         RETURNING id, sealed IS NOT NULL AS "confirmed!""#,
        member.0,
        most - 1,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO devices (member_id, id, group_key, created_at, changed_at, signed_in_at, last_address)
         VALUES ($1, $2, $3, $4, $4, $4, $5)",
        member.0,
        new.id.0,
        new.group_key,
        now,
        new.address,
    )
    .execute(conn)
    .await?;
    Ok(gone.into_iter().filter(|device| device.confirmed).map(|device| DeviceId(device.id)).collect())
}

/// One of a member's.
pub async fn find(conn: &mut PgConnection, member: MemberId, id: DeviceId) -> Result<Option<Device>> {
    let row = sqlx::query_as!(
        Device,
        r#"SELECT id AS "id: DeviceId", group_key, name, salt, sealed, remembered, created_at, changed_at, signed_in_at, last_address
           FROM devices
           WHERE member_id = $1 AND id = $2
           LIMIT 1"#,
        member.0,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// A page of a member's, the newest first.
pub async fn list(conn: &mut PgConnection, member: MemberId, after: Option<After>, most: i64) -> Result<Vec<Device>> {
    let (at, id) = after.unzip();
    let rows = sqlx::query_as!(
        Device,
        r#"SELECT id AS "id: DeviceId", group_key, name, salt, sealed, remembered, created_at, changed_at, signed_in_at, last_address
           FROM devices
           WHERE member_id = $1 AND sealed IS NOT NULL AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
           ORDER BY created_at DESC, id DESC
           LIMIT $4"#,
        member.0,
        at,
        id,
        most,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Confirms one, or confirms it again: with another secret it stands in for nothing before that is said anew. `false` when there is none.
pub async fn confirm(
    conn: &mut PgConnection,
    member: MemberId,
    id: DeviceId,
    (secret, name, remembered): (&Secret, &str, bool),
    now: OffsetDateTime,
) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE devices
         SET salt = $3, sealed = $4, name = $5, remembered = $6, changed_at = $7
         WHERE member_id = $1 AND id = $2",
        member.0,
        id.0,
        secret.salt,
        secret.sealed,
        name,
        remembered,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Says whether one stands in for a second factor. `false` when there is none that was confirmed.
pub async fn remember(conn: &mut PgConnection, member: MemberId, id: DeviceId, remembered: bool, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE devices
         SET remembered = $3, changed_at = $4
         WHERE member_id = $1 AND id = $2 AND sealed IS NOT NULL",
        member.0,
        id.0,
        remembered,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets one. `false` when there was none.
pub async fn forget(conn: &mut PgConnection, member: MemberId, id: DeviceId) -> Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM devices
         WHERE member_id = $1 AND id = $2",
        member.0,
        id.0,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets all of a member's. How many were confirmed.
pub async fn forget_all(conn: &mut PgConnection, member: MemberId) -> Result<u64> {
    let confirmed = sqlx::query_scalar!(
        r#"WITH gone AS (DELETE FROM devices WHERE member_id = $1 RETURNING sealed)
           SELECT count(sealed) AS "confirmed!" FROM gone"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(confirmed.unsigned_abs())
}

/// Notes a sign-in from one. `false` when there is none.
pub async fn arrive(conn: &mut PgConnection, member: MemberId, id: DeviceId, address: &str, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE devices
         SET signed_in_at = $3, last_address = $4
         WHERE member_id = $1 AND id = $2",
        member.0,
        id.0,
        now,
        address,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Lets none stand in for a second factor any more: what was remembered was so before there was one, or another password.
pub async fn remember_none(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE devices
         SET remembered = false, changed_at = $2
         WHERE member_id = $1 AND remembered",
        member.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
