//! The steps of stories, and what a member said in them.

use super::super::{Event, EventKind};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;

/// A step that a member made with some words.
pub struct Said {
    /// Of which favor.
    pub favor: FavorId,
    /// Its number in the story.
    pub step: i32,
    /// The step.
    pub event: Event,
}

/// The steps that a member made with some words, after one of a favor.
pub async fn said(conn: &mut PgConnection, member: MemberId, after: (FavorId, i32), limit: i64) -> Result<Vec<Said>> {
    let rows = sqlx::query!(
        r#"SELECT favor_id, step, kind AS "kind: EventKind", at, message
           FROM favor_events
           WHERE actor_id = $1 AND message <> '' AND (favor_id, step) > ($2, $3) AND kind = ANY($5)
           ORDER BY favor_id, step
           LIMIT $4"#,
        member.0,
        after.0.0,
        after.1,
        limit,
        EventKind::ALL as &[EventKind],
    )
    .fetch_all(conn)
    .await?;
    let said = rows.into_iter().map(|row| Said {
        favor: FavorId(row.favor_id),
        step: row.step,
        event: Event { kind: row.kind, actor: member, at: row.at, message: row.message },
    });
    Ok(said.collect())
}

/// The newest steps of the story, newest first: those of some kinds, and those of a member, or told to them. That somebody was picked, or their time taken, is told
/// of who helps now, not of those before. While nodes are replaced a newer one may write kinds that this one does not know: they are left out.
pub async fn events(conn: &mut PgConnection, id: FavorId, kinds: &[EventKind], member: MemberId, limit: i64) -> Result<Vec<Event>> {
    let rows = sqlx::query_as!(
        Event,
        r#"SELECT kind AS "kind: EventKind", actor_id AS actor, at, message
           FROM favor_events
           WHERE favor_id = $1 AND kind = ANY($5) AND (
               $3 IN (actor_id, told_to)
               OR kind = ANY($2) AND (
                   kind NOT IN ('chosen', 'time_accepted')
                   OR at >= (SELECT f.accepted_at FROM favors f WHERE f.id = $1)
               )
           )
           ORDER BY step DESC
           LIMIT $4"#,
        id.0,
        kinds as &[EventKind],
        member.0,
        limit,
        EventKind::ALL as &[EventKind],
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
