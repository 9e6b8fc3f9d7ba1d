//! What a member said in stories.

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
