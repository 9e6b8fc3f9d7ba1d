//! Statements on notification_silences.

use crate::{
    error::Result,
    identity::Shown,
    ids::MemberId,
    notifications::silences::{Cause, Muted},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Adds one. `false` when it is there already.
pub async fn add(conn: &mut PgConnection, member: MemberId, other: MemberId, cause: Cause, now: OffsetDateTime) -> Result<bool> {
    let written = sqlx::query!(
        "INSERT INTO notification_silences (member_id, other_id, cause, since)
         SELECT $1, id, $3, $4
         FROM members
         WHERE id = $2 AND status = 'confirmed'
         ON CONFLICT DO NOTHING",
        member.0,
        other.0,
        cause as Cause,
        now,
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Removes one. `false` when there is none.
pub async fn remove(conn: &mut PgConnection, member: MemberId, other: MemberId, cause: Cause) -> Result<bool> {
    let gone = sqlx::query!(
        "DELETE FROM notification_silences
         WHERE member_id = $1 AND other_id = $2 AND cause = $3",
        member.0,
        other.0,
        cause as Cause,
    )
    .execute(conn)
    .await?;
    Ok(gone.rows_affected() == 1)
}

/// Removes those of a member, and those of others about them.
pub async fn remove_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM notification_silences WHERE member_id = $1 OR other_id = $1", member.0).execute(conn).await?;
    Ok(())
}

/// Whether there is one.
pub async fn is_there(conn: &mut PgConnection, member: MemberId, other: MemberId, cause: Cause) -> Result<bool> {
    let there = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM notification_silences
               WHERE member_id = $1 AND other_id = $2 AND cause = $3
           ) AS "there!"
           LIMIT 1"#,
        member.0,
        other.0,
        cause as Cause,
    )
    .fetch_one(conn)
    .await?;
    Ok(there)
}

/// How many a member has.
pub async fn count(conn: &mut PgConnection, member: MemberId, cause: Cause) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM notification_silences
           WHERE member_id = $1 AND cause = $2
           LIMIT 1"#,
        member.0,
        cause as Cause,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// Those whom a member has muted, the last one first, at most 1000.
pub async fn muted(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Muted>> {
    let rows = sqlx::query!(
        r#"SELECT s.other_id, s.since, m.email, m.given_name, m.family_name, m.display_name, m.picture
           FROM notification_silences s
           JOIN members m ON m.id = s.other_id AND m.status = 'confirmed'
           WHERE s.member_id = $1 AND s.cause = 'muted'
           ORDER BY s.since DESC, s.other_id
           LIMIT 1000"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter().map(|row| {
        let names = (row.given_name, row.family_name);
        let shown = Shown::kept(row.other_id, row.email, names, row.display_name, row.picture.as_deref());
        Muted { shown, since: row.since }
    });
    Ok(rows.collect())
}
