//! Statements on notification_silences.

use crate::{
    error::Result,
    ids::MemberId,
    notifications::silences::{Apart, Cause},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Adds one, with the name that the other one has now. `false` when it is there already.
pub async fn add(conn: &mut PgConnection, member: MemberId, other: MemberId, cause: Cause, now: OffsetDateTime) -> Result<bool> {
    let written = sqlx::query!(
        "INSERT INTO notification_silences (member_id, other_id, cause, since, name)
         SELECT $1, id, $3, $4, coalesce(display_name, trim(given_name || ' ' || family_name))
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

/// Removes those of a member; those of others about them stay, without the name.
pub async fn remove_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM notification_silences WHERE member_id = $1", member.0).execute(&mut *conn).await?;
    sqlx::query!("UPDATE notification_silences SET name = NULL WHERE other_id = $1", member.0).execute(conn).await?;
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

/// Which of two have blocked the other.
pub async fn blocked_between(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<MemberId>> {
    let members = sqlx::query_scalar!(
        "SELECT member_id
         FROM notification_silences
         WHERE (member_id = $1 AND other_id = $2 OR member_id = $2 AND other_id = $1) AND cause = 'blocked'
         ORDER BY member_id
         LIMIT 2",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(members.into_iter().map(MemberId).collect())
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

/// Those whom a member has muted, the last one first, at most 1000, by the names that they had then. Without one who has left, or has blocked the
/// member.
pub async fn muted(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Apart>> {
    let rows = sqlx::query_as!(
        Apart,
        r#"SELECT s.other_id AS other, s.since,
                  CASE WHEN m.status = 'confirmed' AND NOT EXISTS (
                      SELECT FROM notification_silences o
                      WHERE o.member_id = s.other_id AND o.other_id = s.member_id AND o.cause = 'blocked'
                  ) THEN s.name END AS name
           FROM notification_silences s
           JOIN members m ON m.id = s.other_id
           WHERE s.member_id = $1 AND s.cause = 'muted'
           ORDER BY s.since DESC, s.other_id
           LIMIT 1000"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
