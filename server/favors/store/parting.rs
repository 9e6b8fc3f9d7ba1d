//! What is between two members who part.

use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Locks the drafts and open favors of either that the other has not answered, offers help for or is a back-up in, in the order of their ids.
pub async fn lock_unanswered(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<FavorId>> {
    let ids = sqlx::query_scalar!(
        "SELECT f.id
         FROM favors f
         WHERE f.creator_id IN ($1, $2) AND f.id IN (
             SELECT o.id
             FROM favor_recipients r
             JOIN favors o ON o.id = r.favor_id
             WHERE o.creator_id IN ($1, $2) AND o.status IN ('draft', 'active', 'accepted') AND r.member_id IN ($1, $2)
               AND (r.answer IS NULL OR r.answer = 'accept' AND o.helper_id <> r.member_id)
             UNION ALL
             SELECT o.id
             FROM favor_applicants a
             JOIN favors o ON o.id = a.favor_id
             WHERE o.creator_id IN ($1, $2) AND a.member_id IN ($1, $2)
         )
         ORDER BY f.id
         LIMIT 2000
         FOR UPDATE OF f",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(FavorId).collect())
}

/// Takes two members out of favors where they have not answered by now; each favor with whom it lost, and whether they had been asked.
pub async fn remove_unanswered(
    conn: &mut PgConnection,
    favors: &[FavorId],
    one: MemberId,
    other: MemberId,
) -> Result<Vec<(FavorId, MemberId, bool)>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let removed = sqlx::query!(
        r#"WITH removed AS (
               DELETE FROM favor_recipients
               WHERE favor_id = ANY($1) AND member_id IN ($2, $3) AND answer IS NULL
               RETURNING favor_id, member_id, asked_at IS NOT NULL AS asked
           ), unlisted AS (
               DELETE FROM favor_places p
               USING removed r
               WHERE p.favor_id = r.favor_id AND p.member_id = r.member_id
           )
           SELECT favor_id, member_id, asked AS "asked!"
           FROM removed
           LIMIT 2000"#,
        &favors,
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(removed.into_iter().map(|row| (FavorId(row.favor_id), MemberId(row.member_id), row.asked)).collect())
}
