//! Sign-ins of which all was shown but the proof of their device.

use super::attempts::Subject;
use crate::{
    error::Result,
    ids::{DeviceId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Where a proof belongs.
#[derive(Clone, Copy)]
pub struct Proof<'a> {
    /// Who signs in.
    pub member: MemberId,
    /// The device that proves itself.
    pub device: DeviceId,
    /// The client that showed all else.
    pub client: &'a str,
    /// The sign-in; `None` when its client does not say, and the one from the same network is meant that waits for longest.
    pub sign_in: Option<Uuid>,
    /// Where it comes from.
    pub network: Option<Subject>,
}

/// Awaits the proof of a device for a sign-in. Of more than `most` that wait for one device, those that began first wait no longer.
pub async fn insert(conn: &mut PgConnection, of: &Proof<'_>, sign_in: Uuid, (until, most): (OffsetDateTime, i64)) -> Result<()> {
    // Before the others are looked at: it shares the device, which whoever forgets it locks first.
    sqlx::query!(
        "INSERT INTO awaited_devices (member_id, device_id, sign_in, client_id, network, until)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (member_id, sign_in) DO UPDATE
         SET device_id = $2, until = $6",
        of.member.0,
        of.device.0,
        sign_in,
        of.client,
        of.network.as_ref().map(<[u8; 32]>::as_slice),
        until,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "DELETE FROM awaited_devices
         WHERE member_id = $1 AND sign_in IN (
             SELECT sign_in
             FROM awaited_devices
             WHERE member_id = $1 AND device_id = $2
             ORDER BY until DESC, sign_in = $3 DESC
             OFFSET $4
         )",
        of.member.0,
        of.device.0,
        sign_in,
        most,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a proof is awaited.
pub async fn is(conn: &mut PgConnection, of: &Proof<'_>, now: OffsetDateTime) -> Result<bool> {
    let row = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT 1
               FROM awaited_devices
               WHERE member_id = $1 AND device_id = $2 AND client_id = $3 AND until > $4
                 AND CASE WHEN $5::uuid IS NULL THEN network IS NOT DISTINCT FROM $6 ELSE sign_in = $5 END
           ) AS "is!""#,
        of.member.0,
        of.device.0,
        of.client,
        now,
        of.sign_in,
        of.network.as_ref().map(<[u8; 32]>::as_slice),
    )
    .fetch_one(conn)
    .await?;
    Ok(row)
}

/// Takes a proof: it is awaited no longer. `false` when it was not awaited.
pub async fn take(conn: &mut PgConnection, of: &Proof<'_>, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM awaited_devices
         WHERE member_id = $1 AND sign_in = (
             SELECT sign_in
             FROM awaited_devices
             WHERE member_id = $1 AND device_id = $2 AND client_id = $3 AND until > $4
               AND CASE WHEN $5::uuid IS NULL THEN network IS NOT DISTINCT FROM $6 ELSE sign_in = $5 END
             ORDER BY until
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )",
        of.member.0,
        of.device.0,
        of.client,
        now,
        of.sign_in,
        of.network.as_ref().map(<[u8; 32]>::as_slice),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Awaits no proof of a device any more.
pub async fn remove_of(conn: &mut PgConnection, member: MemberId, device: DeviceId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM awaited_devices
         WHERE member_id = $1 AND device_id = $2",
        member.0,
        device.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Awaits none of a member's any more: what was shown before counts no longer.
pub async fn remove_all(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM awaited_devices
         WHERE member_id = $1",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}
