//! What writes favors. All of it under the favor's lock.

use super::super::{Answer, Category, Content, Event, EventKind, FavorStatus, RequestType};
use crate::{
    error::{Error, Reason, Result},
    ids::{FavorId, GroupId, MemberId},
    money::Currency,
    terms,
};
use sqlx::PgConnection;
use std::collections::HashSet;
use time::OffsetDateTime;
use uuid::Uuid;

/// Writes a new draft, without recipients and groups.
pub async fn insert(conn: &mut PgConnection, id: FavorId, creator: MemberId, content: &Content, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO favors (id, creator_id, title, description, category, status, start_at, confirm_at, tip_cents, currency, location,
                             request_type, max_responses, responses, created_at, updated_at, found_by, located_by)
         VALUES ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $12, $13, 0, $11, $11, $14, $15)",
        id.0,
        creator.0,
        content.title,
        content.description,
        content.category as Category,
        content.start,
        content.confirm,
        content.tip.cents(),
        content.currency as Currency,
        content.location,
        now,
        content.request_type as RequestType,
        content.max_responses,
        terms::found_by(&content.title, &content.description),
        terms::fold(&content.location),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes changed content.
pub async fn update(conn: &mut PgConnection, id: FavorId, content: &Content, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE favors
         SET title = $2, description = $3, category = $4, start_at = $5, confirm_at = $6, tip_cents = $7, currency = $8, location = $9,
             updated_at = greatest($10, updated_at + interval '1 microsecond'), request_type = $11, max_responses = $12, found_by = $13,
             located_by = $14
         WHERE id = $1",
        id.0,
        content.title,
        content.description,
        content.category as Category,
        content.start,
        content.confirm,
        content.tip.cents(),
        content.currency as Currency,
        content.location,
        now,
        content.request_type as RequestType,
        content.max_responses,
        terms::found_by(&content.title, &content.description),
        terms::fold(&content.location),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes which groups a draft shall ask as well.
pub async fn set_groups(conn: &mut PgConnection, id: FavorId, groups: &[GroupId]) -> Result<()> {
    let groups: Vec<Uuid> = groups.iter().map(|g| g.0).collect();
    let written = sqlx::query!("UPDATE favors SET group_ids = $2 WHERE id = $1 AND status = 'draft'", id.0, &groups).execute(conn).await?;
    one(written.rows_affected())
}

/// Adds members to those who are asked, each once, in this order, after those who are.
pub async fn add_recipients(conn: &mut PgConnection, id: FavorId, members: &[MemberId]) -> Result<()> {
    let mut added = HashSet::new();
    let members: Vec<Uuid> = members.iter().filter(|m| added.insert(**m)).map(|m| m.0).collect();
    sqlx::query!(
        "INSERT INTO favor_recipients (favor_id, member_id, position, message)
         SELECT $1, m.member_id, (SELECT coalesce(max(o.position), 0) FROM favor_recipients o WHERE o.favor_id = $1) + m.n, ''
         FROM unnest($2::uuid[]) WITH ORDINALITY AS m (member_id, n)",
        id.0,
        &members,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes members from those who are asked.
pub async fn remove_recipients(conn: &mut PgConnection, id: FavorId, members: &[MemberId]) -> Result<()> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!(
        "DELETE FROM favor_recipients
         WHERE favor_id = $1 AND member_id = ANY($2)",
        id.0,
        &members,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that those who were not asked yet are asked now.
pub async fn ask(conn: &mut PgConnection, id: FavorId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE favor_recipients
         SET asked_at = $2
         WHERE favor_id = $1 AND asked_at IS NULL",
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes a recipient's answer with the start that it proposes, and counts it when it changes one before. An acceptance is not counted: it is
/// possible however often an answer was changed; but it has its turn, in which back-ups move up.
pub async fn answer(
    conn: &mut PgConnection,
    id: FavorId,
    member: MemberId,
    (answer, proposed): (Answer, Option<OffsetDateTime>),
    words: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favor_recipients
         SET answer = $3,
             message = $4,
             answered_at = $5,
             proposed_start = $6,
             turn = CASE WHEN $3 = 'accept' THEN (SELECT coalesce(max(o.turn), 0) + 1 FROM favor_recipients o WHERE o.favor_id = $1) END,
             changes = changes + (answer IS NOT NULL AND $3 <> 'accept')::integer
         WHERE favor_id = $1 AND member_id = $2",
        id.0,
        member.0,
        answer as Answer,
        words,
        now,
        proposed,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Clears a recipient's offer of another time, so that they are asked again. It counts as a change of their answer: how often they offer one is bounded.
pub async fn clear_other_time(conn: &mut PgConnection, id: FavorId, member: MemberId) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favor_recipients
         SET answer = NULL, answered_at = NULL, proposed_start = NULL, message = '', changes = least(changes + 1, 20)
         WHERE favor_id = $1 AND member_id = $2 AND answer = 'another_time'",
        id.0,
        member.0,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Moves a favor to another status, with the time of that; the one who accepts is the helper. Groups are a draft's alone.
///
/// # Errors
/// CONFLICT when it was not in the status it leaves.
pub async fn move_to(
    conn: &mut PgConnection,
    id: FavorId,
    (from, to): (FavorStatus, FavorStatus),
    by: MemberId,
    now: OffsetDateTime,
) -> Result<()> {
    let moved = sqlx::query!(
        "UPDATE favors
         SET status = $3,
             updated_at = greatest($5, updated_at + interval '1 microsecond'),
             group_ids = '{}',
             posted_at = CASE WHEN $3 = 'active' THEN $5 ELSE posted_at END,
             accepted_at = CASE WHEN $3 = 'accepted' THEN $5 ELSE accepted_at END,
             helper_id = CASE WHEN $3 = 'accepted' THEN $4 ELSE helper_id END,
             responses = CASE WHEN $3 = 'accepted' THEN 1 ELSE responses END,
             completed_at = CASE WHEN $3 = 'completed' THEN $5 ELSE completed_at END,
             completed_by = CASE WHEN $3 = 'completed' THEN $4 ELSE completed_by END,
             settled_at = CASE WHEN $3 = 'settled' THEN $5 ELSE settled_at END,
             cancelled_at = CASE WHEN $3 = 'cancelled' THEN $5 ELSE cancelled_at END
         WHERE id = $1 AND status = $2",
        id.0,
        from as FavorStatus,
        to as FavorStatus,
        by.0,
        now,
    )
    .execute(conn)
    .await?;
    one(moved.rows_affected())
}

/// Notes that something of a favor changed beside its status.
pub async fn touch(conn: &mut PgConnection, id: FavorId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("UPDATE favors SET updated_at = greatest($2, updated_at + interval '1 microsecond') WHERE id = $1", id.0, now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether a member ended a favor with just these words.
pub async fn ended_with(conn: &mut PgConnection, id: FavorId, actor: MemberId, message: &str) -> Result<bool> {
    let said = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM favor_events
               WHERE favor_id = $1 AND actor_id = $2 AND message = $3 AND kind IN ('completed', 'settled')
           ) AS "said!"
           LIMIT 1"#,
        id.0,
        actor.0,
        message,
    )
    .fetch_one(conn)
    .await?;
    Ok(said)
}

/// Adds a step to the story. A recipient's answer right after another one of theirs takes its place.
pub async fn add_event(conn: &mut PgConnection, id: FavorId, event: &Event) -> Result<()> {
    add_event_told_to(conn, id, event, None).await
}

/// The same with the one recipient who may read the step although others may not.
pub async fn add_event_told_to(conn: &mut PgConnection, id: FavorId, event: &Event, told_to: Option<MemberId>) -> Result<()> {
    sqlx::query!(
        "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message, told_to)
         SELECT $1, coalesce(last.step, 0) + 1 - coalesce(last.changed, false)::integer, $2, $3, $4, $5, $6
         FROM (VALUES (1)) AS one
         LEFT JOIN LATERAL (
             SELECT step,
                    actor_id = $3
                        AND (kind IN ('declined', 'another_time') AND $2 IN ('accepted', 'declined', 'another_time')
                             OR kind = 'applied' AND $2 = 'applied') AS changed
             FROM favor_events
             WHERE favor_id = $1
             ORDER BY step DESC
             LIMIT 1
         ) AS last ON true
         ON CONFLICT (favor_id, step) DO UPDATE
         SET kind = excluded.kind, at = excluded.at, message = excluded.message",
        id.0,
        event.kind as EventKind,
        event.actor.0,
        event.at,
        event.message,
        told_to.map(|m| m.0),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a favor with all that hangs on it.
pub async fn delete(conn: &mut PgConnection, id: FavorId) -> Result<()> {
    let gone = sqlx::query!("DELETE FROM favors WHERE id = $1 AND status IN ('draft', 'active')", id.0).execute(conn).await?;
    one(gone.rows_affected())
}

/// That one row was written.
///
/// # Errors
/// CONFLICT.
pub(super) fn one(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::new(Reason::Conflict, "changed at the same time; try again")) }
}
