//! Forgetting what has had its time.

use crate::{error::Result, identity::oauth};
use sqlx::{PgConnection, postgres::PgQueryResult};
use time::{Duration, OffsetDateTime};

/// Longer than any tally counts for.
const TALLY_LIFE: Duration = Duration::hours(48);

/// So long is who types an old code told that it has had its time.
const CODE_REMEMBERED: Duration = Duration::hours(24);

/// As long as the session that it was made in.
const UNCONFIRMED_DEVICE_LIFE: Duration = Duration::days(30);

/// Removes registrations that were not confirmed in time, and what has expired; at most 1,000 of each at once. How many.
pub async fn sweep(conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
    let attempts = sqlx::query!(
        "DELETE FROM attempts
         WHERE (subject, kind) IN (
             SELECT subject, kind
             FROM attempts
             WHERE last_at <= $1
             LIMIT 1000
         )",
        now - TALLY_LIFE,
    )
    .execute(&mut *conn)
    .await?;
    let registrations = sqlx::query!(
        "DELETE FROM registrations
         WHERE id IN (
             SELECT id
             FROM registrations
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(&mut *conn)
    .await?;
    let underway = oauth::store::sweep_underway(conn, now).await?;
    let codes = sqlx::query!(
        "DELETE FROM codes
         WHERE (member_id, id) IN (
             SELECT member_id, id
             FROM codes
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now - CODE_REMEMBERED,
    )
    .execute(&mut *conn)
    .await?;
    let blocks = sqlx::query!(
        "DELETE FROM used_secret_blocks
         WHERE (member_id, nonce) IN (
             SELECT member_id, nonce
             FROM used_secret_blocks
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(&mut *conn)
    .await?;
    let awaited = sqlx::query!(
        "DELETE FROM awaited_devices
         WHERE (member_id, sign_in) IN (
             SELECT member_id, sign_in
             FROM awaited_devices
             WHERE until <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(&mut *conn)
    .await?;
    // No session that could confirm them is left.
    let devices = sqlx::query!(
        "DELETE FROM devices
         WHERE sealed IS NULL AND (member_id, id) IN (
             SELECT member_id, id
             FROM devices
             WHERE sealed IS NULL AND created_at <= $1
             LIMIT 1000
         )",
        now - UNCONFIRMED_DEVICE_LIFE,
    )
    .execute(&mut *conn)
    .await?;
    let sessions = sqlx::query!(
        "DELETE FROM sessions
         WHERE (member_id, id) IN (
             SELECT member_id, id
             FROM sessions
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(&mut *conn)
    .await?;
    let hosted = underway + oauth::store::sweep_codes(conn, now).await? + oauth::store::sweep_signed_in(conn, now).await?;
    let swept = [registrations, codes, sessions, devices, awaited, blocks, attempts];
    Ok(swept.iter().map(PgQueryResult::rows_affected).sum::<u64>() + hosted)
}
