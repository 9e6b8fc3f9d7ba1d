//! What is between two members who part.

use super::super::Answer;
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// How many favors are locked at once.
const LOCKED_AT_ONCE: i64 = 1000;

/// One who is not asked any more.
pub struct Parted {
    /// For which favor.
    pub favor: FavorId,
    /// Who.
    pub member: MemberId,
    /// Whether they had been asked: a draft has asked nobody.
    pub asked: bool,
    /// What they had answered.
    pub answer: Option<Answer>,
}

/// Locks the drafts and open favors of either that ask the other, and those that the other offers help for, in the order of their ids. Those too
/// in which the other helps: they may step back at the same moment.
pub async fn lock_between(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<FavorId>> {
    let (mut all, mut after) = (Vec::new(), Uuid::nil());
    // However much help was offered in the past: those that are open may stand behind all of it.
    loop {
        let ids = sqlx::query_scalar!(
            "SELECT f.id
             FROM favors f
             WHERE f.creator_id IN ($1, $2) AND f.id > $3 AND f.id IN (
                 SELECT o.id
                 FROM favor_recipients r
                 JOIN favors o ON o.id = r.favor_id
                 WHERE o.creator_id IN ($1, $2) AND o.status IN ('draft', 'active', 'accepted') AND r.member_id IN ($1, $2)
                 UNION ALL
                 SELECT o.id
                 FROM favor_applicants a
                 JOIN favors o ON o.id = a.favor_id
                 WHERE o.creator_id IN ($1, $2) AND a.member_id IN ($1, $2)
             )
             ORDER BY f.id
             LIMIT $4
             FOR UPDATE OF f",
            one.0,
            other.0,
            after,
            LOCKED_AT_ONCE,
        )
        .fetch_all(&mut *conn)
        .await?;
        let Some(last) = ids.last() else { return Ok(all) };
        after = *last;
        all.extend(ids.into_iter().map(FavorId));
    }
}

/// Takes two members out of favors that they have not promised to help with by now.
pub async fn remove_asked(conn: &mut PgConnection, favors: &[FavorId], one: MemberId, other: MemberId) -> Result<Vec<Parted>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let removed = sqlx::query!(
        r#"WITH removed AS (
               DELETE FROM favor_recipients r
               USING favors f
               WHERE f.id = r.favor_id AND r.favor_id = ANY($1) AND r.member_id IN ($2, $3)
                 AND f.status IN ('draft', 'active', 'accepted') AND r.answer IS DISTINCT FROM 'accept'
               RETURNING r.favor_id, r.member_id, r.asked_at IS NOT NULL AS asked, r.answer
           ), unlisted AS (
               DELETE FROM favor_places p
               USING removed r
               WHERE p.favor_id = r.favor_id AND p.member_id = r.member_id
           )
           SELECT favor_id, member_id, asked AS "asked!", answer AS "answer: Answer"
           FROM removed
           LIMIT cardinality($1)"#,
        &favors,
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    let parted = removed.into_iter().map(|row| Parted {
        favor: FavorId(row.favor_id),
        member: MemberId(row.member_id),
        asked: row.asked,
        answer: row.answer,
    });
    Ok(parted.collect())
}
