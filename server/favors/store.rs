//! Every SQL statement on favors, favor_recipients and favor_events.

use super::{Answer, Category, Content, Currency, Event, EventKind, Favor, Place, Recipient, Status, rules};
use crate::{
    error::{Error, Reason, Result},
    ids::{FavorId, MemberId},
    money::Cents,
};
use sqlx::PgConnection;
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

struct Row {
    id: Uuid,
    creator_id: Uuid,
    title: String,
    description: String,
    category: Category,
    status: Status,
    start_at: Option<OffsetDateTime>,
    confirm_at: Option<OffsetDateTime>,
    tip_cents: i64,
    currency: Currency,
    location: String,
    max_responses: i16,
    responses: i16,
    helper_id: Option<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    due_key: OffsetDateTime,
    recipients: Vec<Uuid>,
    asked: bool,
    answer: Option<Answer>,
    words: String,
}

impl From<Row> for Favor {
    fn from(row: Row) -> Self {
        Self {
            id: FavorId(row.id),
            creator: MemberId(row.creator_id),
            content: Content {
                title: row.title,
                description: row.description,
                category: row.category,
                start: row.start_at,
                confirm: row.confirm_at,
                tip: Cents::from_cents(row.tip_cents),
                currency: row.currency,
                location: row.location,
            },
            status: row.status,
            helper: row.helper_id.map(MemberId),
            recipients: row.recipients.into_iter().map(MemberId).collect(),
            max_responses: row.max_responses,
            responses: row.responses,
            created_at: row.created_at,
            updated_at: row.updated_at,
            due_key: row.due_key,
            asked: row.asked,
            answer: row.answer,
            words: row.words,
        }
    }
}

/// Favors with the eyes of the member in $1.
macro_rules! favors {
    ($conn:expr, $rest:tt, $($arg:expr),+ $(,)?) => {{
        let rows = sqlx::query_as!(
            Row,
            r#"SELECT f.id, f.creator_id, f.title, f.description, f.category AS "category: Category", f.status AS "status: Status",
                      f.start_at, f.confirm_at, f.tip_cents, f.currency AS "currency: Currency", f.location, f.max_responses, f.responses,
                      f.helper_id, f.created_at, f.updated_at, f.due_key AS "due_key!",
                      ARRAY(
                          SELECT a.member_id
                          FROM favor_recipients a
                          WHERE a.favor_id = f.id
                          ORDER BY a.member_id IS NOT DISTINCT FROM f.helper_id DESC, a.position
                          LIMIT 100
                      ) AS "recipients!",
                      r.member_id IS NOT NULL AS "asked!", r.answer AS "answer: Answer", coalesce(r.message, '') AS "words!"
               FROM favors f
               LEFT JOIN favor_recipients r ON r.favor_id = f.id AND r.member_id = $1
               "# + $rest,
            $($arg),+
        )
        .fetch_all($conn)
        .await?;
        rows.into_iter().map(Favor::from).collect::<Vec<_>>()
    }};
}

/// Locks a favor until the end of the transaction. To be read after that, in a statement of its own: what a locking statement joins to
/// the row is as old as its snapshot.
pub async fn lock(conn: &mut PgConnection, id: FavorId) -> Result<()> {
    sqlx::query!("SELECT id FROM favors WHERE id = $1 LIMIT 1 FOR UPDATE", id.0).fetch_optional(conn).await?;
    Ok(())
}

/// A favor, with the eyes of a member.
pub async fn favor(conn: &mut PgConnection, viewer: MemberId, id: FavorId) -> Result<Option<Favor>> {
    Ok(favors!(conn, "WHERE f.id = $2 LIMIT 1", viewer.0, id.0).pop())
}

/// The favors of a creator on one shelf (active, completed, cancelled), the first due first, after a key.
pub async fn by_due(
    conn: &mut PgConnection,
    creator: MemberId,
    shelf: &str,
    after: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Favor>> {
    Ok(favors!(
        conn,
        "WHERE f.creator_id = $1 AND f.shelf = $2 AND (f.due_key, f.id) > ($3, $4)
         ORDER BY f.due_key, f.id
         LIMIT $5",
        creator.0,
        shelf,
        after.0,
        after.1,
        limit,
    ))
}

/// The same, the last changed first, before a key.
pub async fn by_change(
    conn: &mut PgConnection,
    creator: MemberId,
    shelf: &str,
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Favor>> {
    Ok(favors!(
        conn,
        "WHERE f.creator_id = $1 AND f.shelf = $2 AND (f.updated_at, f.id) < ($3, $4)
         ORDER BY f.updated_at DESC, f.id DESC
         LIMIT $5",
        creator.0,
        shelf,
        before.0,
        before.1,
        limit,
    ))
}

/// The favors that a member was asked for, in some places, the first due first, after a key. Each place is read from its own stretch of
/// the index, at most a page of it, so that a long past costs nothing.
pub async fn received(
    conn: &mut PgConnection,
    member: MemberId,
    places: &[Place],
    after: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Favor>> {
    Ok(favors!(
        conn,
        "WHERE f.id IN (
             SELECT p.favor_id
             FROM unnest($2::text[]) AS w (place)
             CROSS JOIN LATERAL (
                 SELECT l.favor_id
                 FROM favor_recipients l
                 WHERE l.member_id = $1 AND l.place = w.place AND (l.due_key, l.favor_id) > ($3, $4)
                 ORDER BY l.due_key, l.favor_id
                 LIMIT $5
             ) p
         )
         ORDER BY f.due_key, f.id
         LIMIT $5",
        member.0,
        places as &[Place],
        after.0,
        after.1,
        limit,
    ))
}

/// Those who are asked, the helper first.
pub async fn recipients(conn: &mut PgConnection, id: FavorId) -> Result<Vec<Recipient>> {
    let rows = sqlx::query_as!(
        Recipient,
        r#"SELECT r.member_id AS member, r.asked_at, r.answer AS "answer: Answer", r.answered_at, r.message
           FROM favor_recipients r
           JOIN favors f ON f.id = r.favor_id
           WHERE r.favor_id = $1
           ORDER BY r.member_id IS NOT DISTINCT FROM f.helper_id DESC, r.position
           LIMIT 100"#,
        id.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Writes a new draft.
pub async fn insert(conn: &mut PgConnection, id: FavorId, creator: MemberId, content: &Content, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO favors (id, creator_id, title, description, category, status, start_at, confirm_at, tip_cents, currency, location,
                             max_responses, responses, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, 1, 0, $11, $11)",
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
             updated_at = $10
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
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Adds members to those who are asked, in this order, after those who are.
pub async fn add_recipients(conn: &mut PgConnection, id: FavorId, members: &[MemberId]) -> Result<()> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!(
        "INSERT INTO favor_recipients (favor_id, member_id, position, place, due_key, message)
         SELECT f.id, m.member_id, (SELECT coalesce(max(o.position), 0) FROM favor_recipients o WHERE o.favor_id = $1) + m.n,
                'draft', f.due_key, ''
         FROM favors f
         CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS m (member_id, n)
         WHERE f.id = $1",
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

/// Writes a recipient's answer.
pub async fn answer(
    conn: &mut PgConnection,
    id: FavorId,
    member: MemberId,
    answer: Answer,
    words: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favor_recipients
         SET answer = $3, message = $4, answered_at = $5
         WHERE favor_id = $1 AND member_id = $2",
        id.0,
        member.0,
        answer as Answer,
        words,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Moves a favor to another status, with the time of that; the one who accepts is the helper.
///
/// # Errors
/// CONFLICT when it was not in the status it leaves.
pub async fn move_to(conn: &mut PgConnection, id: FavorId, (from, to): (Status, Status), by: MemberId, now: OffsetDateTime) -> Result<()> {
    let moved = sqlx::query!(
        "UPDATE favors
         SET status = $3,
             updated_at = $5,
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
        from as Status,
        to as Status,
        by.0,
        now,
    )
    .execute(conn)
    .await?;
    one(moved.rows_affected())
}

/// Notes that something of a favor changed beside its status.
pub async fn touch(conn: &mut PgConnection, id: FavorId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("UPDATE favors SET updated_at = $2 WHERE id = $1", id.0, now).execute(conn).await?;
    Ok(())
}

/// Writes where the favor stands for each of those who are asked. Under the favor's lock, after every change to it.
pub async fn set_places(conn: &mut PgConnection, favor: &Favor, recipients: &[Recipient]) -> Result<()> {
    let members: Vec<Uuid> = recipients.iter().map(|r| r.member.0).collect();
    let places: Vec<Place> = recipients.iter().map(|r| rules::place(favor.status, favor.helper == Some(r.member), r.answer)).collect();
    sqlx::query!(
        "UPDATE favor_recipients r
         SET place = p.place, due_key = $4
         FROM unnest($2::uuid[], $3::text[]) AS p (member_id, place)
         WHERE r.favor_id = $1 AND r.member_id = p.member_id",
        favor.id.0,
        &members,
        &places as &[Place],
        favor.due_key,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Adds a step to the story.
pub async fn add_event(conn: &mut PgConnection, id: FavorId, event: &Event) -> Result<()> {
    sqlx::query!(
        "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
         SELECT $1, coalesce(max(step), 0) + 1, $2, $3, $4, $5
         FROM favor_events
         WHERE favor_id = $1",
        id.0,
        event.kind as EventKind,
        event.actor.0,
        event.at,
        event.message,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The story, oldest first; at most 1000 steps.
pub async fn events(conn: &mut PgConnection, id: FavorId) -> Result<Vec<Event>> {
    let rows = sqlx::query_as!(
        Event,
        r#"SELECT kind AS "kind: EventKind", actor_id AS actor, at, message
           FROM favor_events
           WHERE favor_id = $1
           ORDER BY step
           LIMIT 1000"#,
        id.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Removes a favor with all that hangs on it.
pub async fn delete(conn: &mut PgConnection, id: FavorId) -> Result<()> {
    let gone = sqlx::query!("DELETE FROM favors WHERE id = $1 AND status IN ('draft', 'active')", id.0).execute(conn).await?;
    one(gone.rows_affected())
}

/// How many open favors a creator has.
pub async fn count_open(conn: &mut PgConnection, creator: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM favors
           WHERE creator_id = $1 AND shelf = 'active'
           LIMIT 1"#,
        creator.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// How many favors each of these members helped with that were completed or settled.
pub async fn helped(conn: &mut PgConnection, members: &[MemberId]) -> Result<HashMap<MemberId, i64>> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"SELECT helper_id AS "helper_id!", count(*) AS "count!"
           FROM favors
           WHERE helper_id = ANY($1) AND status IN ('completed', 'settled')
           GROUP BY helper_id
           LIMIT 200"#,
        &members,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (MemberId(r.helper_id), r.count)).collect())
}

/// What is counted of a member's favors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Posted by the member.
    pub posted: i64,
    /// Of those, completed or settled.
    pub completed: i64,
}

/// How many favors a member posted, and how many of them were completed or settled.
pub async fn counts(conn: &mut PgConnection, member: MemberId) -> Result<Counts> {
    let counts = sqlx::query_as!(
        Counts,
        r#"SELECT count(*) AS "posted!", count(*) FILTER (WHERE status IN ('completed', 'settled')) AS "completed!"
           FROM favors
           WHERE creator_id = $1 AND posted_at IS NOT NULL
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(counts)
}

/// The tips of settled favors that a member helped with, in the order of the currencies, without zeros.
pub async fn earnings(conn: &mut PgConnection, member: MemberId) -> Result<Vec<(Currency, Cents)>> {
    let rows = sqlx::query!(
        r#"SELECT currency AS "currency: Currency", sum(tip_cents)::bigint AS "cents!"
           FROM favors
           WHERE helper_id = $1 AND status = 'settled'
           GROUP BY currency
           HAVING sum(tip_cents) > 0
           LIMIT 10"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let mut earnings: Vec<_> = rows.into_iter().map(|r| (r.currency, Cents::from_cents(r.cents))).collect();
    earnings.sort();
    Ok(earnings)
}

fn one(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::new(Reason::Conflict, "changed at the same moment; try again")) }
}
