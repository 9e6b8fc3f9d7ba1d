//! Statements on blocks.

use crate::{error::Result, friends::Standing, ids::MemberId, notifications::Apart};
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

/// What a member and another one are, or were, to each other as friends, by a request, or by a block.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// They are, or were, something; by a block of the member's too.
    pub known: bool,
    /// The other one has blocked the member: there is no such one for them.
    pub hides: bool,
}

/// What a member and another one know of each other.
pub async fn known(conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<Known> {
    let known = sqlx::query_as!(
        Known,
        r#"SELECT EXISTS (SELECT FROM friendships WHERE member_id = $1 AND friend_id = $2)
               OR EXISTS (SELECT FROM friend_requests WHERE member_id = $1 AND other_id = $2)
               OR EXISTS (SELECT FROM blocks WHERE member_id = $1 AND other_id = $2) AS "known!",
               EXISTS (SELECT FROM blocks WHERE member_id = $2 AND other_id = $1) AS "hides!"
           LIMIT 1"#,
        member.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(known)
}

/// Whether a member has blocked another one.
pub async fn is_there(conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool> {
    let there = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM blocks WHERE member_id = $1 AND other_id = $2) AS "there!"
           LIMIT 1"#,
        member.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(there)
}

/// Blocks a member, with the name that they have now. `false` when they are blocked already. Under the locks of both.
pub async fn add(conn: &mut PgConnection, member: MemberId, other: MemberId, now: OffsetDateTime) -> Result<bool> {
    let written = sqlx::query!(
        "INSERT INTO blocks (member_id, other_id, since, name)
         SELECT $1, id, $3, coalesce(display_name, trim(given_name || ' ' || family_name))
         FROM members
         WHERE id = $2
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

/// Those whom a member has blocked, the last one first, at most 1000, by the names that they had then: what became of them since is hidden. Without one
/// who has left, or has blocked the member as well.
pub async fn list(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Apart>> {
    let rows = sqlx::query_as!(
        Apart,
        r#"SELECT b.other_id AS other, b.since,
                  CASE WHEN m.status = 'confirmed'
                        AND NOT EXISTS (SELECT FROM blocks o WHERE o.member_id = b.other_id AND o.other_id = b.member_id)
                  THEN b.name END AS name
           FROM blocks b
           JOIN members m ON m.id = b.other_id
           WHERE b.member_id = $1
           ORDER BY b.since DESC, b.other_id
           LIMIT 1000"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Removes every block of a member who leaves. Those of others on them stay, without the name: who set one takes it back, and cannot tell from
/// it whether the other one has left or hides.
pub async fn remove_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM blocks WHERE member_id = $1", member.0).execute(&mut *conn).await?;
    sqlx::query!("UPDATE blocks SET name = NULL WHERE other_id = $1", member.0).execute(conn).await?;
    Ok(())
}
