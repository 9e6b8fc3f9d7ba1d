//! Statements on blocks.

use crate::{
    error::Result,
    friends::{Blocked, Standing},
    identity::Shown,
    ids::MemberId,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// How two members stand to each other.
pub async fn standing(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Standing> {
    let standing = sqlx::query_as!(
        Standing,
        r#"SELECT
               EXISTS (SELECT FROM friendships WHERE member_id = $1 AND friend_id = $2) AS "friends!",
               EXISTS (
                   SELECT FROM blocks
                   WHERE (member_id = $1 AND other_id = $2) OR (member_id = $2 AND other_id = $1)
               ) AS "hidden!"
           LIMIT 1"#,
        one.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(standing)
}

/// Whether a member is, or was, something to another one as a friend, by a request, or by a block of theirs.
pub async fn is_known(conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM friendships WHERE member_id = $1 AND friend_id = $2)
               OR EXISTS (SELECT FROM friend_requests WHERE member_id = $1 AND other_id = $2)
               OR EXISTS (SELECT FROM blocks WHERE member_id = $1 AND other_id = $2) AS "known!"
           LIMIT 1"#,
        member.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(known)
}

/// Blocks a member. `false` when they are blocked already. Under the locks of both.
pub async fn add(conn: &mut PgConnection, member: MemberId, other: MemberId, now: OffsetDateTime) -> Result<bool> {
    let written = sqlx::query!(
        "INSERT INTO blocks (member_id, other_id, since)
         VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        member.0,
        other.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Takes a block back. `false` when there is none.
pub async fn remove(conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool> {
    let gone = sqlx::query!("DELETE FROM blocks WHERE member_id = $1 AND other_id = $2", member.0, other.0).execute(conn).await?;
    Ok(gone.rows_affected() == 1)
}

/// How many a member has blocked.
pub async fn count(conn: &mut PgConnection, member: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM blocks
           WHERE member_id = $1
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// Those whom a member has blocked, the last one first, at most 1000.
pub async fn list(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Blocked>> {
    let rows = sqlx::query!(
        r#"SELECT b.other_id, b.since, m.email, m.given_name, m.family_name, m.display_name, m.picture
           FROM blocks b
           JOIN members m ON m.id = b.other_id AND m.status = 'confirmed'
           WHERE b.member_id = $1
           ORDER BY b.since DESC, b.other_id
           LIMIT 1000"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter().map(|row| {
        let names = (row.given_name, row.family_name);
        let shown = Shown::kept(row.other_id, row.email, names, row.display_name, row.picture.as_deref());
        Blocked { shown, since: row.since }
    });
    Ok(rows.collect())
}

/// Removes every block of a member, and of others on them.
pub async fn remove_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM blocks WHERE member_id = $1 OR other_id = $1", member.0).execute(conn).await?;
    Ok(())
}
