//! Codes of the hosted sign-in.

use super::Key;
use crate::{
    error::Result,
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

/// So long is a code known that comes a second time.
const CODE_REMEMBERED: Duration = Duration::hours(24);

/// A code of the hosted sign-in.
pub struct Code {
    /// What it is known by.
    pub id: Key,
    /// Who signed in.
    pub member: MemberId,
    /// The session that waits for it.
    pub session: SessionId,
    /// Where it was sent.
    pub redirect_uri: String,
    /// What the id token says again.
    pub nonce: Option<String>,
    /// The hash of the proof that comes with it.
    pub challenge: Option<Key>,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
    /// When it was redeemed.
    pub used_at: Option<OffsetDateTime>,
}

/// Keeps a code.
pub async fn insert_code(conn: &mut PgConnection, new: &Code) -> Result<()> {
    sqlx::query!(
        "INSERT INTO authorization_codes (id, member_id, session_id, redirect_uri, nonce, challenge, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        new.id.as_slice(),
        new.member.0,
        new.session.0,
        new.redirect_uri,
        new.nonce,
        new.challenge.as_ref().map(<[u8; 32]>::as_slice),
        new.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whose a code is; a look without a lock.
pub async fn owner(conn: &mut PgConnection, id: &Key) -> Result<Option<(MemberId, SessionId)>> {
    let row = sqlx::query!(
        "SELECT member_id, session_id
         FROM authorization_codes
         WHERE id = $1
         LIMIT 1",
        id.as_slice(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| (MemberId(r.member_id), SessionId(r.session_id))))
}

/// A code, locked until the transaction ends.
pub async fn lock_code(conn: &mut PgConnection, id: &Key) -> Result<Option<Code>> {
    let row = sqlx::query!(
        "SELECT member_id, session_id, redirect_uri, nonce, challenge, expires_at, used_at
         FROM authorization_codes
         WHERE id = $1
         LIMIT 1
         FOR UPDATE",
        id.as_slice(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Code {
        id: *id,
        member: MemberId(r.member_id),
        session: SessionId(r.session_id),
        redirect_uri: r.redirect_uri,
        nonce: r.nonce,
        challenge: r.challenge.and_then(|hash| hash.try_into().ok()),
        expires_at: r.expires_at,
        used_at: r.used_at,
    }))
}

/// Notes that a code was redeemed. `false` when it was before.
pub async fn use_code(conn: &mut PgConnection, id: &Key, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE authorization_codes
         SET used_at = $2
         WHERE id = $1 AND used_at IS NULL",
        id.as_slice(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes codes that have had their time; at most 1,000 at once. How many.
pub async fn sweep_codes(conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
    let codes = sqlx::query!(
        "DELETE FROM authorization_codes
         WHERE id IN (
             SELECT id
             FROM authorization_codes
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now - CODE_REMEMBERED,
    )
    .execute(conn)
    .await?;
    Ok(codes.rows_affected())
}
