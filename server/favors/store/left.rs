//! What becomes of what a member promised or offered, when they leave or part. All of it under the favors' locks.

use super::account_deletion::{AgainRow, AskedAgain, Left};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A favor that a back-up helps with, since the helper left.
pub struct HandedOver {
    /// Which.
    pub favor: Left,
    /// The creator's name.
    pub creator_name: String,
    /// Who helps now.
    pub heir: MemberId,
}

/// What a member was to help with is the first back-up's, where there is one, with the steps of the story. Its times are overdue,
/// and seen to by a job.
pub async fn hand_over_all(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<HandedOver>> {
    let rows = sqlx::query!(
        r#"UPDATE favors f
           SET helper_id = h.heir, accepted_at = $2, responses = f.responses - 1, timer_at = $2,
               updated_at = greatest($2, f.updated_at + interval '1 microsecond')
           FROM (
               SELECT DISTINCT ON (r.favor_id) r.favor_id, r.member_id AS heir,
                      coalesce(c.display_name, trim(c.given_name || ' ' || c.family_name)) AS creator_name
               FROM favors o
               JOIN favor_recipients r ON r.favor_id = o.id
               JOIN members c ON c.id = o.creator_id
               WHERE o.helper_id = $1 AND o.status = 'accepted' AND r.answer = 'accept' AND r.member_id <> $1
               ORDER BY r.favor_id, r.turn
           ) h
           WHERE f.id = h.favor_id
           RETURNING f.id, f.creator_id, f.title, h.heir AS "heir!", h.creator_name AS "creator_name!""#,
        member.0,
        now,
    )
    .fetch_all(&mut *conn)
    .await?;
    let favors: Vec<Uuid> = rows.iter().map(|r| r.id).collect();
    let heirs: Vec<Uuid> = rows.iter().map(|r| r.heir).collect();
    sqlx::query!(
        "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
         SELECT h.favor_id, (SELECT coalesce(max(e.step), 0) FROM favor_events e WHERE e.favor_id = h.favor_id) + s.n, s.kind,
                CASE WHEN s.n = 1 THEN $3 ELSE h.heir END, $4, ''
         FROM unnest($1::uuid[], $2::uuid[]) AS h (favor_id, heir)
         CROSS JOIN (VALUES (1, 'withdrawn'), (2, 'moved_up')) AS s (n, kind)",
        &favors,
        &heirs,
        member.0,
        now,
    )
    .execute(conn)
    .await?;
    let handed_over = rows.into_iter().map(|r| HandedOver {
        favor: Left { id: FavorId(r.id), creator: MemberId(r.creator_id), title: r.title },
        creator_name: r.creator_name,
        heir: MemberId(r.heir),
    });
    Ok(handed_over.collect())
}

/// Takes a member out of the line of those who would help, in favors that somebody else helps with.
pub async fn leave_lines(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<Left>> {
    let rows = sqlx::query!(
        "WITH gone AS (
             UPDATE favor_recipients r
             SET answer = 'decline', answered_at = $2, message = '', turn = NULL
             FROM favors f
             WHERE f.id = r.favor_id AND r.member_id = $1 AND r.answer = 'accept' AND f.status = 'accepted' AND f.helper_id <> $1
             RETURNING r.favor_id
         )
         UPDATE favors f
         SET responses = f.responses - 1
         FROM gone
         WHERE f.id = gone.favor_id
         RETURNING f.id, f.creator_id, f.title",
        member.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| Left { id: FavorId(r.id), creator: MemberId(r.creator_id), title: r.title }).collect())
}

/// Forgets what a member offered; the favors of which the creator waits for nothing of theirs any more.
pub async fn forget_offers(conn: &mut PgConnection, member: MemberId) -> Result<Vec<(FavorId, MemberId)>> {
    let rows = sqlx::query!(
        "DELETE FROM favor_applicants a
         USING favors f
         WHERE f.id = a.favor_id AND a.member_id = $1
         RETURNING f.id, f.creator_id",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (FavorId(r.id), MemberId(r.creator_id))).collect())
}

/// Forgets what others offered a member; of which favors.
pub async fn forget_offers_to(conn: &mut PgConnection, member: MemberId) -> Result<Vec<FavorId>> {
    let favors = sqlx::query_scalar!(
        "DELETE FROM favor_applicants a
         USING favors f
         WHERE f.id = a.favor_id AND f.creator_id = $1
         RETURNING f.id",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(favors.into_iter().map(FavorId).collect())
}

/// Who offers help for these favors.
pub async fn offering(conn: &mut PgConnection, favors: &[FavorId]) -> Result<Vec<(FavorId, MemberId)>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        "SELECT favor_id, member_id
         FROM favor_applicants
         WHERE favor_id = ANY($1) AND applied_at IS NOT NULL
         ORDER BY favor_id, turn",
        &favors,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (FavorId(r.favor_id), MemberId(r.member_id))).collect())
}

/// Whose offers count again, of help or of another time, for favors that nobody helps with any more.
pub async fn offering_again(conn: &mut PgConnection, favors: &[FavorId], now: OffsetDateTime) -> Result<Vec<AskedAgain>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query_as!(
        AgainRow,
        r#"SELECT a.favor_id AS "favor_id!", a.member_id AS "member_id!", f.creator_id, f.title,
                  f.start_at AS "start!", m.time_zone AS zone,
                  coalesce(c.display_name, trim(c.given_name || ' ' || c.family_name)) AS "creator_name!"
           FROM (
               SELECT favor_id, member_id, turn FROM favor_applicants WHERE favor_id = ANY($1) AND applied_at IS NOT NULL
               UNION ALL
               SELECT favor_id, member_id, position FROM favor_recipients WHERE favor_id = ANY($1) AND answer = 'another_time'
           ) a
           JOIN favors f ON f.id = a.favor_id
           JOIN members m ON m.id = a.member_id
           JOIN members c ON c.id = f.creator_id AND c.status = 'confirmed'
           WHERE f.start_at >= $2
           ORDER BY a.favor_id, a.turn"#,
        &favors,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(AskedAgain::from).collect())
}

/// Takes two members who part out of the lines of each other's favors, where they do not help; each favor with whom it lost.
pub async fn remove_back_ups(
    conn: &mut PgConnection,
    favors: &[FavorId],
    one: MemberId,
    other: MemberId,
) -> Result<Vec<(FavorId, MemberId)>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        r#"WITH gone AS (
               DELETE FROM favor_recipients r
               USING favors f
               WHERE f.id = r.favor_id AND r.favor_id = ANY($1) AND r.member_id IN ($2, $3) AND f.creator_id IN ($2, $3)
                 AND r.answer = 'accept' AND f.status = 'accepted' AND f.helper_id <> r.member_id
               RETURNING r.favor_id, r.member_id
           )
           UPDATE favors f
           SET responses = f.responses - 1
           FROM gone
           WHERE f.id = gone.favor_id
           RETURNING f.id, gone.member_id AS "member_id!""#,
        &favors,
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (FavorId(r.id), MemberId(r.member_id))).collect())
}

/// Forgets what two members who part offered each other; each favor with who offered help.
pub async fn remove_offers(
    conn: &mut PgConnection,
    favors: &[FavorId],
    one: MemberId,
    other: MemberId,
) -> Result<Vec<(FavorId, MemberId)>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        "DELETE FROM favor_applicants
         WHERE favor_id = ANY($1) AND member_id IN ($2, $3)
         RETURNING favor_id, member_id",
        &favors,
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (FavorId(r.favor_id), MemberId(r.member_id))).collect())
}
