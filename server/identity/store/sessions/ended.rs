//! Ending sessions, and which of them have ended.

use crate::{
    error::Result,
    ids::{DeviceId, MemberId, SessionId},
};
use sqlx::PgConnection;
use std::collections::HashSet;
use time::OffsetDateTime;
use uuid::Uuid;

/// Ends one session of a member, or all of them. Those that were open.
pub async fn end(conn: &mut PgConnection, member: MemberId, only: Option<SessionId>, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let rows = sqlx::query!(
        "UPDATE sessions
         SET ended_at = $3
         WHERE member_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ended_at IS NULL
         RETURNING id",
        member.0,
        only.map(|s| s.0),
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| SessionId(r.id)).collect())
}

/// Ends every session of a member but one. Those that were open.
pub async fn end_others(conn: &mut PgConnection, member: MemberId, kept: SessionId, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let rows = sqlx::query!(
        "UPDATE sessions
         SET ended_at = $3
         WHERE member_id = $1 AND id <> $2 AND ended_at IS NULL
         RETURNING id",
        member.0,
        kept.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| SessionId(r.id)).collect())
}

/// Ends every session that was begun from a device. Those that were open.
pub async fn end_of_device(conn: &mut PgConnection, member: MemberId, device: DeviceId, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let rows = sqlx::query!(
        "UPDATE sessions
         SET ended_at = $3
         WHERE member_id = $1 AND device_id = $2 AND ended_at IS NULL
         RETURNING id",
        member.0,
        device.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| SessionId(r.id)).collect())
}

/// Those of the sessions that are open.
pub async fn open(conn: &mut PgConnection, of: &[(MemberId, SessionId)], now: OffsetDateTime) -> Result<HashSet<SessionId>> {
    let (members, ids): (Vec<Uuid>, Vec<Uuid>) = of.iter().map(|(m, s)| (m.0, s.0)).unzip();
    let rows = sqlx::query!(
        "SELECT s.id
         FROM unnest($1::uuid[], $2::uuid[]) AS asked (member_id, id)
         JOIN sessions s ON s.member_id = asked.member_id AND s.id = asked.id
         WHERE s.ended_at IS NULL AND s.expires_at > $3
         LIMIT cardinality($2::uuid[])",
        &members,
        &ids,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| SessionId(r.id)).collect())
}

/// Those that ended after an instant, the latest first; at most 10,000.
pub async fn ended_after(conn: &mut PgConnection, after: OffsetDateTime) -> Result<Vec<SessionId>> {
    let rows = sqlx::query!(
        "SELECT id
         FROM sessions
         WHERE ended_at > $1
         ORDER BY ended_at DESC
         LIMIT 10000",
        after,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| SessionId(r.id)).collect())
}
