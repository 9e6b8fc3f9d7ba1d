//! Codes that allow a member a new password. Their digits are derived from the id.

use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A code.
pub struct Code {
    /// What its digits are derived from.
    pub id: Uuid,
    /// Whether it can still be used.
    pub stands: bool,
}

/// Voids the code that stands and lets another stand. Of nothing when there is no such member.
pub async fn replace(conn: &mut PgConnection, member: MemberId, id: Uuid, expires_at: OffsetDateTime, now: OffsetDateTime) -> Result<()> {
    void(conn, member, now).await?;
    sqlx::query!(
        "INSERT INTO codes (member_id, id, purpose, created_at, expires_at)
         SELECT id, $2, 'reset_password', $3, $4
         FROM members
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        id,
        now,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Voids the code that stands.
pub async fn void(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE codes
         SET voided_at = $2
         WHERE member_id = $1 AND purpose = 'reset_password' AND used_at IS NULL AND voided_at IS NULL",
        member.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest code, whether it stands or not.
pub async fn newest(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Option<Code>> {
    let row = sqlx::query!(
        r#"SELECT id, used_at IS NULL AND voided_at IS NULL AND expires_at > $2 AS "stands!"
           FROM codes
           WHERE member_id = $1 AND purpose = 'reset_password'
           ORDER BY used_at IS NULL AND voided_at IS NULL DESC, created_at DESC, id DESC
           LIMIT 1"#,
        member.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Code { id: r.id, stands: r.stands }))
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
