//! Browsers that are signed in.

use super::Key;
use crate::{
    error::Result,
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A browser that is signed in.
pub struct SignedIn {
    /// Who signed in.
    pub member: MemberId,
    /// The session that it began.
    pub session: SessionId,
    /// The provider that they came by; `None` for who showed the password.
    pub provider: Option<String>,
    /// Whether the second factors that they had were asked for.
    pub asked_factors: bool,
    /// What the password was checked against, by a hash; `None` while there was none.
    pub proof: Option<Vec<u8>>,
    /// When.
    pub began_at: OffsetDateTime,
}

/// Keeps one.
pub async fn insert_signed_in(conn: &mut PgConnection, id: &Key, new: &SignedIn, expires_at: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO browser_sessions (id, member_id, session_id, provider, asked_factors, proof, began_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        id.as_slice(),
        new.member.0,
        new.session.0,
        new.provider,
        new.asked_factors,
        new.proof,
        new.began_at,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// One that has not had its time; a look without a lock.
pub async fn signed_in(conn: &mut PgConnection, id: &Key, now: OffsetDateTime) -> Result<Option<SignedIn>> {
    let row = sqlx::query!(
        "SELECT member_id, session_id, provider, asked_factors, proof, began_at
         FROM browser_sessions
         WHERE id = $1 AND expires_at > $2
         LIMIT 1",
        id.as_slice(),
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| SignedIn {
        member: MemberId(r.member_id),
        session: SessionId(r.session_id),
        provider: r.provider,
        asked_factors: r.asked_factors,
        proof: r.proof,
        began_at: r.began_at,
    }))
}

/// Ends one.
pub async fn remove_signed_in(conn: &mut PgConnection, id: &Key) -> Result<()> {
    sqlx::query!(
        "DELETE FROM browser_sessions
         WHERE id = $1",
        id.as_slice(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// When a member's browsers were signed in that have not had their time, and until when they are; at most 100.
pub async fn signed_in_of(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<(OffsetDateTime, OffsetDateTime)>> {
    let rows = sqlx::query!(
        "SELECT began_at, expires_at
         FROM browser_sessions
         WHERE member_id = $1 AND expires_at > $2
         ORDER BY began_at
         LIMIT 100",
        member.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (r.began_at, r.expires_at)).collect())
}

/// Removes those that have had their time; at most 1,000 at once. How many.
pub async fn sweep_signed_in(conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM browser_sessions
         WHERE id IN (
             SELECT id
             FROM browser_sessions
             WHERE expires_at <= $1
             LIMIT 1000
         )",
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// The salt of what a member's password is checked against; `None` while there is none.
pub async fn salt(conn: &mut PgConnection, member: MemberId) -> Result<Option<Vec<u8>>> {
    let salt = sqlx::query_scalar!(
        "SELECT salt
         FROM verifiers
         WHERE member_id = $1
         LIMIT 1",
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(salt)
}

/// How it stands with who signed in.
pub struct Owner {
    /// What the password is checked against now, by its salt.
    pub salt: Option<Vec<u8>>,
    /// Whether an operator set the password.
    pub temporary: bool,
    /// Whether they may sign in.
    pub disabled: bool,
    /// What was shown before counts no longer.
    pub since: Option<OffsetDateTime>,
    /// Their address.
    pub email: String,
}

/// A member, kept from being changed until the transaction ends.
pub async fn share_owner(conn: &mut PgConnection, member: MemberId) -> Result<Option<Owner>> {
    let row = sqlx::query_as!(
        Owner,
        r#"SELECT v.salt AS "salt?", v.temporary_until IS NOT NULL AS "temporary!", m.disabled_at IS NOT NULL AS "disabled!",
                  m.sign_ins_since AS since, m.email
           FROM members m
           LEFT JOIN verifiers v ON v.member_id = m.id
           WHERE m.id = $1 AND m.status = 'confirmed'
           LIMIT 1
           FOR SHARE OF m"#,
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}
