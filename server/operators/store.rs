//! The table of the audit.

use super::audit::Entry;
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use uuid::Uuid;

/// Notes a use.
pub async fn insert(conn: &mut PgConnection, entry: &Entry) -> Result<()> {
    sqlx::query!(
        "INSERT INTO audit (id, at, operator, action, member_id, details)
         VALUES ($1, $2, $3, $4, $5, $6)",
        entry.id,
        entry.at,
        entry.operator,
        entry.action,
        entry.member.map(|id| id.0),
        entry.details,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Uses, of one member or of all, before one of them; the newest first.
pub async fn list(conn: &mut PgConnection, member: Option<MemberId>, after: Option<Uuid>, limit: i64) -> Result<Vec<Entry>> {
    let rows = sqlx::query!(
        "SELECT id, at, operator, action, member_id, details
         FROM audit
         WHERE ($1::uuid IS NULL OR member_id = $1)
           AND ($2::uuid IS NULL OR (at, id) < (SELECT a.at, a.id FROM audit a WHERE a.id = $2))
         ORDER BY at DESC, id DESC
         LIMIT $3",
        member.map(|id| id.0),
        after,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let entries = rows.into_iter().map(|r| Entry {
        id: r.id,
        at: r.at,
        operator: r.operator,
        action: r.action,
        member: r.member_id.map(MemberId),
        details: r.details,
    });
    Ok(entries.collect())
}
