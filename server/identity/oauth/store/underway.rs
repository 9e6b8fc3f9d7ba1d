//! Sign-ins by a provider that are not over.

use super::Key;
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A sign-in by a provider that is not over.
pub struct Underway {
    /// What it is known by.
    pub id: Key,
    /// The browser that it began in.
    pub browser: Key,
    /// What must be known at its end, sealed.
    pub sealed: Vec<u8>,
    /// Whose account it would be linked to.
    pub member: Option<MemberId>,
    /// What the digits of the code are derived from that proves it.
    pub code: Option<Uuid>,
    /// When it is too late.
    pub expires_at: OffsetDateTime,
}

/// Keeps one.
pub async fn insert_underway(conn: &mut PgConnection, new: &Underway) -> Result<()> {
    sqlx::query!(
        "INSERT INTO federated_sign_ins (id, browser, sealed, member_id, expires_at)
         VALUES ($1, $2, $3, $4, $5)",
        new.id.as_slice(),
        new.browser.as_slice(),
        new.sealed,
        new.member.map(|member| member.0),
        new.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes one out, for the browser that it began in: nobody comes back to it a second time.
pub async fn take_underway(conn: &mut PgConnection, id: &Key, browser: &Key, now: OffsetDateTime) -> Result<Option<Vec<u8>>> {
    let sealed = sqlx::query_scalar!(
        "DELETE FROM federated_sign_ins
         WHERE id = $1 AND browser = $2 AND expires_at > $3
         RETURNING sealed",
        id.as_slice(),
        browser.as_slice(),
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(sealed)
}

/// One, for the browser that it began in, locked until the transaction ends.
pub async fn lock_underway(conn: &mut PgConnection, id: &Key, browser: &Key, now: OffsetDateTime) -> Result<Option<Underway>> {
    let row = sqlx::query!(
        "SELECT sealed, member_id, code, expires_at
         FROM federated_sign_ins
         WHERE id = $1 AND browser = $2 AND expires_at > $3
         LIMIT 1
         FOR UPDATE",
        id.as_slice(),
        browser.as_slice(),
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Underway {
        id: *id,
        browser: *browser,
        sealed: r.sealed,
        member: r.member_id.map(MemberId),
        code: r.code,
        expires_at: r.expires_at,
    }))
}

/// Lets another code prove it, until an instant.
pub async fn put_link_code(conn: &mut PgConnection, id: &Key, code: Uuid, expires_at: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE federated_sign_ins
         SET code = $2, expires_at = $3
         WHERE id = $1 AND member_id IS NOT NULL",
        id.as_slice(),
        code,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The code that would prove it, not locked.
pub async fn link_code(conn: &mut PgConnection, id: &Key) -> Result<Option<Uuid>> {
    let code = sqlx::query_scalar!(
        "SELECT code
         FROM federated_sign_ins
         WHERE id = $1
         LIMIT 1",
        id.as_slice(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(code.flatten())
}

/// What a member's code would link, locked until the transaction ends, and until when.
pub async fn lock_link_code(
    conn: &mut PgConnection,
    member: MemberId,
    code: Uuid,
    now: OffsetDateTime,
) -> Result<Option<(Key, OffsetDateTime)>> {
    let row = sqlx::query!(
        "SELECT id, expires_at
         FROM federated_sign_ins
         WHERE member_id = $1 AND code = $2 AND expires_at > $3
         LIMIT 1
         FOR UPDATE",
        member.0,
        code,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.and_then(|r| Some((Key::try_from(r.id).ok()?, r.expires_at))))
}

/// Removes one that is over.
pub async fn remove_underway(conn: &mut PgConnection, id: &Key) -> Result<()> {
    sqlx::query!(
        "DELETE FROM federated_sign_ins
         WHERE id = $1",
        id.as_slice(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes sign-ins by a provider that have had their time; at most 1,000 at once. How many.
pub async fn sweep_underway(conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
    let underway = sqlx::query!(
        "DELETE FROM federated_sign_ins
         WHERE id IN (
             SELECT id
             FROM federated_sign_ins
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(conn)
    .await?;
    Ok(underway.rows_affected())
}
