//! Codes that confirm an address. Their digits are derived from the id.

use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Voids the code that stands and lets another stand.
pub async fn replace(conn: &mut PgConnection, member: MemberId, id: Uuid, expires_at: OffsetDateTime, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE codes
         SET voided_at = $2
         WHERE member_id = $1 AND purpose = 'sign_up' AND used_at IS NULL AND voided_at IS NULL",
        member.0,
        now,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO codes (member_id, id, purpose, created_at, expires_at)
         VALUES ($1, $2, 'sign_up', $3, $4)",
        member.0,
        id,
        now,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The code that stands.
pub async fn standing(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Option<Uuid>> {
    let row = sqlx::query!(
        "SELECT id
         FROM codes
         WHERE member_id = $1 AND purpose = 'sign_up' AND used_at IS NULL AND voided_at IS NULL AND expires_at > $2
         LIMIT 1",
        member.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| r.id))
}

/// Uses a code up. `false` when it does not stand any more.
pub async fn use_up(conn: &mut PgConnection, member: MemberId, id: Uuid, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE codes
         SET used_at = $3
         WHERE member_id = $1 AND id = $2 AND used_at IS NULL AND voided_at IS NULL AND expires_at > $3",
        member.0,
        id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
