//! Every SQL statement on friendships, friend_requests, blocks, invitations with what belongs to them, and member_reports.

pub mod blocks;
pub mod invitations;
pub mod reports;

use super::{Direction, Friend, Request, RequestStatus, rules};
use crate::{
    error::{Error, Reason, Result},
    identity::Shown,
    ids::{FriendRequestId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// The other side of a request of this member's.
pub async fn other_side(conn: &mut PgConnection, member: MemberId, request: FriendRequestId) -> Result<Option<MemberId>> {
    let other = sqlx::query_scalar!(
        "SELECT other_id
         FROM friend_requests
         WHERE member_id = $1 AND request_id = $2
         LIMIT 1",
        member.0,
        request.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(other.map(MemberId))
}

/// Locks what is between two members: the row of the lower id, when there is one.
pub async fn lock_pair(conn: &mut PgConnection, a: MemberId, b: MemberId) -> Result<()> {
    sqlx::query!(
        "SELECT request_id
         FROM friend_requests
         WHERE member_id = $1 AND other_id = $2
         LIMIT 1
         FOR UPDATE",
        a.min(b).0,
        a.max(b).0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

/// The last request between two members that the first knows of, from that one's side.
pub async fn last(conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<Option<Request>> {
    let row = sqlx::query_as!(
        Request,
        r#"SELECT request_id AS id, other_id AS other, direction AS "direction: Direction", status AS "status: RequestStatus",
                  by_email, hidden, message, sent_at, answered_at, declined_at
           FROM friend_requests
           WHERE member_id = $1 AND other_id = $2
           LIMIT 1"#,
        member.0,
        other.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// The requests in a member's list, newest first, at most 200.
pub async fn waiting(conn: &mut PgConnection, member: MemberId, direction: Direction, now: OffsetDateTime) -> Result<Vec<Request>> {
    let rows = sqlx::query_as!(
        Request,
        r#"SELECT request_id AS id, other_id AS other, direction AS "direction: Direction", status AS "status: RequestStatus",
                  by_email, hidden, message, sent_at, answered_at, declined_at
           FROM friend_requests
           WHERE member_id = $1
             AND direction = $2
             AND status IN ('pending', 'declined')
             AND (status = 'pending' OR (direction = 'sent' AND NOT hidden AND answered_at > $3))
           ORDER BY sent_at DESC, request_id DESC
           LIMIT 200"#,
        member.0,
        direction as Direction,
        now - rules::SILENCE,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// How many requests stand in a member's list of those sent.
pub async fn count_sent(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM friend_requests
           WHERE member_id = $1
             AND direction = 'sent'
             AND status IN ('pending', 'declined')
             AND (status = 'pending' OR (NOT hidden AND answered_at > $2))
           LIMIT 1"#,
        member.0,
        now - rules::SILENCE,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// Writes what one side knows; it takes the place of what that side knew before.
///
/// # Errors
/// CONFLICT when another request was written since `before` was read, or it moved.
pub async fn put(conn: &mut PgConnection, member: MemberId, request: &Request, before: Option<&Request>) -> Result<()> {
    let written = sqlx::query!(
        "INSERT INTO friend_requests (member_id, request_id, other_id, direction, status, by_email, hidden, message, sent_at, answered_at,
                                      declined_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (member_id, other_id) DO UPDATE
         SET request_id = $2, direction = $4, status = $5, by_email = $6, hidden = $7, message = $8, sent_at = $9, answered_at = $10,
             declined_at = $11
         WHERE friend_requests.request_id = $12 AND friend_requests.status = $13",
        member.0,
        request.id.0,
        request.other.0,
        request.direction as Direction,
        request.status as RequestStatus,
        request.by_email,
        request.hidden,
        request.message,
        request.sent_at,
        request.answered_at,
        request.declined_at,
        before.map(|b| b.id.0),
        before.map(|b| b.status) as Option<RequestStatus>,
    )
    .execute(conn)
    .await?;
    if written.rows_affected() == 1 {
        return Ok(());
    }
    Err(Error::new(Reason::Conflict, "changed at the same time; try again"))
}

/// Locks the circles of two members against other new friendships, so that a limit counted now still holds at the commit.
pub async fn lock_circles(conn: &mut PgConnection, a: MemberId, b: MemberId) -> Result<()> {
    for member in [a.min(b), a.max(b)] {
        sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 4))", member.to_string()).execute(&mut *conn).await?;
    }
    Ok(())
}

/// Makes two members friends; those who are stay so since then.
pub async fn befriend(conn: &mut PgConnection, a: MemberId, b: MemberId, since: OffsetDateTime) -> Result<()> {
    for (member, friend) in [(a.min(b), a.max(b)), (a.max(b), a.min(b))] {
        sqlx::query!(
            "INSERT INTO friendships (member_id, friend_id, since)
             VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
            member.0,
            friend.0,
            since,
        )
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Ends a friendship. `false` when there was none.
pub async fn part(conn: &mut PgConnection, a: MemberId, b: MemberId) -> Result<bool> {
    let mut were = false;
    for (member, friend) in [(a.min(b), a.max(b)), (a.max(b), a.min(b))] {
        let gone = sqlx::query!(
            "DELETE FROM friendships
             WHERE member_id = $1 AND friend_id = $2",
            member.0,
            friend.0,
        )
        .execute(&mut *conn)
        .await?;
        were |= gone.rows_affected() > 0;
    }
    Ok(were)
}

/// The friends of a member, at most 1000.
pub async fn friends(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Friend>> {
    let rows = sqlx::query!(
        r#"SELECT f.friend_id, f.since, m.email, m.given_name, m.family_name, m.display_name, m.picture
           FROM friendships f
           JOIN members m ON m.id = f.friend_id AND m.status = 'confirmed'
           WHERE f.member_id = $1
           LIMIT 1000"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter().map(|row| {
        let names = (row.given_name, row.family_name);
        let shown = Shown::kept(row.friend_id, row.email, names, row.display_name, row.picture.as_deref());
        Friend { shown, since: row.since }
    });
    Ok(rows.collect())
}

/// How many friends a member has.
pub async fn count(conn: &mut PgConnection, member: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM friendships
           WHERE member_id = $1
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// Those of the given members who are friends of a member.
pub async fn friends_among(conn: &mut PgConnection, member: MemberId, others: &[MemberId]) -> Result<Vec<MemberId>> {
    let others: Vec<Uuid> = others.iter().map(|m| m.0).collect();
    let friends = sqlx::query_scalar!(
        "SELECT friend_id
         FROM friendships
         WHERE member_id = $1 AND friend_id = ANY($2)
         LIMIT 1000",
        member.0,
        &others,
    )
    .fetch_all(conn)
    .await?;
    Ok(friends.into_iter().map(MemberId).collect())
}

/// The same, and those friendships cannot end before the transaction does. In the order of ids, as everyone locks them.
pub async fn lock_friends(conn: &mut PgConnection, member: MemberId, others: &[MemberId]) -> Result<Vec<MemberId>> {
    let others: Vec<Uuid> = others.iter().map(|m| m.0).collect();
    let friends = sqlx::query_scalar!(
        "SELECT friend_id
         FROM friendships
         WHERE member_id = $1 AND friend_id = ANY($2)
         ORDER BY friend_id
         LIMIT 1000
         FOR SHARE",
        member.0,
        &others,
    )
    .fetch_all(conn)
    .await?;
    Ok(friends.into_iter().map(MemberId).collect())
}

/// All friends of a member, in the same way.
pub async fn lock_all_friends(conn: &mut PgConnection, member: MemberId) -> Result<Vec<MemberId>> {
    let friends = sqlx::query_scalar!(
        "SELECT friend_id
         FROM friendships
         WHERE member_id = $1
         ORDER BY friend_id
         LIMIT 1000
         FOR SHARE",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(friends.into_iter().map(MemberId).collect())
}

/// Locks what is between a member and anybody, as `lock_pair` does each, in the order of the rows.
pub async fn lock_pairs(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "SELECT request_id
         FROM friend_requests
         WHERE (member_id, other_id) IN (
             SELECT least(member_id, other_id), greatest(member_id, other_id)
             FROM friend_requests
             WHERE member_id = $1
         )
         ORDER BY member_id, other_id
         FOR UPDATE",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

/// Removes every request of a member, on both sides. The others.
pub async fn remove_requests(conn: &mut PgConnection, member: MemberId) -> Result<Vec<MemberId>> {
    let others =
        sqlx::query_scalar!("DELETE FROM friend_requests WHERE member_id = $1 RETURNING other_id", member.0).fetch_all(&mut *conn).await?;
    sqlx::query!("DELETE FROM friend_requests WHERE member_id = ANY($2) AND other_id = $1", member.0, &others).execute(conn).await?;
    Ok(others.into_iter().map(MemberId).collect())
}

/// Ends every friendship of a member, in the order in which all lock them. The former friends.
pub async fn part_from_all(conn: &mut PgConnection, member: MemberId) -> Result<Vec<MemberId>> {
    sqlx::query!(
        "SELECT since
         FROM friendships
         WHERE (member_id, friend_id) IN (
             SELECT member_id, friend_id FROM friendships WHERE member_id = $1
             UNION ALL
             SELECT friend_id, member_id FROM friendships WHERE member_id = $1
         )
         ORDER BY member_id, friend_id
         FOR UPDATE",
        member.0,
    )
    .fetch_all(&mut *conn)
    .await?;
    let friends =
        sqlx::query_scalar!("DELETE FROM friendships WHERE member_id = $1 RETURNING friend_id", member.0).fetch_all(&mut *conn).await?;
    sqlx::query!("DELETE FROM friendships WHERE member_id = ANY($2) AND friend_id = $1", member.0, &friends).execute(conn).await?;
    Ok(friends.into_iter().map(MemberId).collect())
}

/// What a member knows of requests, in the order of their ids, after one: of those with who has blocked them nothing.
pub async fn requests_after(conn: &mut PgConnection, member: MemberId, after: FriendRequestId, limit: i64) -> Result<Vec<Request>> {
    let rows = sqlx::query_as!(
        Request,
        r#"SELECT request_id AS id, other_id AS other, direction AS "direction: Direction", status AS "status: RequestStatus",
                  by_email, hidden, message, sent_at, answered_at, declined_at
           FROM friend_requests
           WHERE member_id = $1 AND request_id > $2
             AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = friend_requests.other_id AND b.other_id = $1)
           ORDER BY request_id
           LIMIT $3"#,
        member.0,
        after.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
