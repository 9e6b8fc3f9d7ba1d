//! Statements on member_reports.

use crate::{
    error::Result,
    friends::Report,
    ids::{MemberId, ReportId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Keeps a report.
pub async fn add(conn: &mut PgConnection, report: &Report) -> Result<()> {
    sqlx::query!(
        "INSERT INTO member_reports (id, member_id, reported_id, reason, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        report.id.0,
        report.member.0,
        report.reported.0,
        report.reason,
        report.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A report that was not mailed yet.
pub async fn unmailed(conn: &mut PgConnection, id: ReportId) -> Result<Option<Report>> {
    let row = sqlx::query_as!(
        Report,
        "SELECT id, member_id AS member, reported_id AS reported, reason, created_at AS at
         FROM member_reports
         WHERE id = $1 AND mailed_at IS NULL
         LIMIT 1",
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// Notes that it was mailed.
pub async fn mailed(conn: &mut PgConnection, id: ReportId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("UPDATE member_reports SET mailed_at = $2 WHERE id = $1 AND mailed_at IS NULL", id.0, now).execute(conn).await?;
    Ok(())
}

/// The reports by a member, in the order of their ids, after one.
pub async fn after(conn: &mut PgConnection, member: MemberId, after: ReportId, limit: i64) -> Result<Vec<Report>> {
    let rows = sqlx::query_as!(
        Report,
        "SELECT id, member_id AS member, reported_id AS reported, reason, created_at AS at
         FROM member_reports
         WHERE member_id = $1 AND id > $2
         ORDER BY id
         LIMIT $3",
        member.0,
        after.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Removes the reports by a member.
pub async fn remove_by(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM member_reports WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}

/// Removes some that are older. How many.
pub async fn remove_old(conn: &mut PgConnection, before: OffsetDateTime) -> Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM member_reports
         WHERE id IN (
             SELECT id
             FROM member_reports
             WHERE created_at < $1
             LIMIT 5000
             FOR UPDATE SKIP LOCKED
         )",
        before,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
