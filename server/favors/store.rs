//! Every SQL statement on favors, favor_places, favor_recipients, favor_applicants and favor_events.

mod account_deletion;
mod changes;
mod crowd;
mod figures;
mod find;
mod left;
mod people;
mod places;
mod said;
mod shares;
mod ties;
mod timers;
mod unfriending;

pub use account_deletion::{
    asked, asked_again, cancel_open, decline_open, forget_words, leave_others, lock_all_of, remove_lonely, reopen_helped,
};
pub use changes::{
    add_event, add_event_told_to, add_recipients, answer, ask, clear_other_time, delete, ended_with, insert, move_to, remove_recipients,
    set_groups, touch, update,
};
pub use crowd::{
    add_response, apply, crowd, drop_response, hand_over, next_in_line, remove_applicants, reopen, report_missing_tip, step_back, take_back,
};
pub use figures::{Counts, ahead, count_open, counts, earnings, posted_since};
pub use find::{found_by_due, found_by_words};
pub use left::{forget_offers, forget_offers_to, hand_over_all, leave_lines, offering, offering_again, remove_back_ups, remove_offers};
pub use people::people;
pub use places::{set_places, set_places_of};
pub use said::{Said, events, said};
pub use shares::{shares_between, unread_shares};
pub use ties::{Ties, going_on, ties};
pub use timers::{overdue, set_timer, time_anew, timed, timer_at};
pub use unfriending::{lock_between, remove_asked};

use super::{Answer, Category, Content, Favor, FavorStatus, Place, Recipient, RequestType, Requester};
use crate::{
    error::Result,
    identity::Shown,
    ids::{FavorId, GroupId, MemberId, PictureId},
    money::{Cents, Currency},
    rentals::Ratings,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

struct Row {
    id: Uuid,
    creator_id: Uuid,
    title: String,
    description: String,
    category: Category,
    status: FavorStatus,
    start_at: Option<OffsetDateTime>,
    confirm_at: Option<OffsetDateTime>,
    tip_cents: i64,
    currency: Currency,
    location: String,
    request_type: RequestType,
    max_responses: i16,
    responses: i16,
    posted: bool,
    lapsed: bool,
    tip_missing: bool,
    helper_id: Option<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    key: OffsetDateTime,
    recipients: Vec<Uuid>,
    groups: Vec<Uuid>,
    asked: bool,
    answer: Option<Answer>,
    proposed: Option<OffsetDateTime>,
    last_proposed: Option<OffsetDateTime>,
    other_times: bool,
    nobody_can: bool,
    applies: bool,
    words: String,
    changes: i16,
    withdrawn: i16,
    creator_email: Option<String>,
    creator_given_name: Option<String>,
    creator_family_name: Option<String>,
    creator_display_name: Option<String>,
    creator_picture: Option<String>,
    creator_since: Option<OffsetDateTime>,
    creator_changed_at: Option<OffsetDateTime>,
    creator_helped: i64,
    creator_ratings: i32,
    creator_rated: i64,
    creator_is_friend: bool,
    hidden: bool,
    helper_email: Option<String>,
    helper_given_name: Option<String>,
    helper_family_name: Option<String>,
    helper_display_name: Option<String>,
    helper_picture: Option<String>,
}

/// The address, the first, last and chosen name, and the picture of a member; without the first three there is no account.
type Columns = (Option<String>, Option<String>, Option<String>, Option<String>, Option<String>);

fn shown(id: Uuid, (email, given_name, family_name, display_name, picture): Columns) -> Option<Shown> {
    let picture = PictureId::kept(picture.as_deref());
    Some(Shown { id: MemberId(id), email: email?, given_name: given_name?, family_name: family_name?, display_name, picture })
}

impl From<Row> for Favor {
    fn from(row: Row) -> Self {
        let creator = (row.creator_email, row.creator_given_name, row.creator_family_name, row.creator_display_name, row.creator_picture);
        let helper = (row.helper_email, row.helper_given_name, row.helper_family_name, row.helper_display_name, row.helper_picture);
        Self {
            requester: Requester {
                shown: shown(row.creator_id, creator),
                since: row.creator_since,
                changed_at: row.creator_changed_at,
                helped: row.creator_helped,
                ratings: Ratings { count: row.creator_ratings.into(), total: row.creator_rated },
                is_friend: row.creator_is_friend,
            },
            helping: row.helper_id.and_then(|id| shown(id, helper)),
            hidden: row.hidden,
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
                request_type: row.request_type,
                max_responses: row.max_responses,
            },
            status: row.status,
            posted: row.posted,
            lapsed: row.lapsed,
            tip_missing: row.tip_missing,
            helper: row.helper_id.map(MemberId),
            recipients: row.recipients.into_iter().map(MemberId).collect(),
            groups: row.groups.into_iter().map(GroupId).collect(),
            responses: row.responses,
            created_at: row.created_at,
            updated_at: row.updated_at,
            key: row.key,
            asked: row.asked,
            answer: row.answer,
            proposed: row.proposed,
            applies: row.applies,
            words: row.words,
            changes: row.changes,
            withdrawn: row.withdrawn,
            last_proposed: row.last_proposed,
            other_times: row.other_times,
            nobody_can: row.nobody_can,
            applicants: Vec::new(),
            back_ups: Vec::new(),
        }
    }
}

/// Favors with the eyes of the member in $1, and who asks and who helps. The members are looked up one by one: a page has few, and there
/// are many. Of their own favors nobody is a recipient or a friend. Of two of whom one has blocked the other, each is to the other as one who
/// left, but while one of them helps the other.
macro_rules! favors {
    ($conn:expr, key $key:tt, $rest:tt, $viewer:expr $(, $arg:expr)* $(,)?) => {{
        let conn: &mut PgConnection = $conn;
        let rows = sqlx::query_as!(
            Row,
            r#"SELECT f.id, f.creator_id, f.title, f.description, f.category AS "category: Category", f.status AS "status: FavorStatus",
                      f.start_at, f.confirm_at, f.tip_cents, f.currency AS "currency: Currency",
                      CASE WHEN c.id IS NULL THEN '' ELSE f.location END AS "location!",
                      f.request_type AS "request_type: RequestType", f.max_responses, f.responses, f.posted_at IS NOT NULL AS "posted!",
                      coalesce(f.status = 'active' AND f.lapsed_start = f.start_at, false) AS "lapsed!",
                      f.tip_missing_at IS NOT NULL AS "tip_missing!", f.helper_id, f.created_at, f.updated_at, "# + $key + r#" AS "key!",
                      CASE WHEN f.creator_id = $1 THEN ARRAY(
                          SELECT o.member_id
                          FROM favor_recipients o
                          WHERE o.favor_id = f.id
                            AND (
                                o.member_id IS NOT DISTINCT FROM f.helper_id
                                OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = o.member_id AND b.other_id = $1)
                                   AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $1 AND b.other_id = o.member_id)
                            )
                          ORDER BY o.member_id IS NOT DISTINCT FROM f.helper_id DESC, o.position
                          LIMIT 100
                      ) ELSE '{}' END AS "recipients!",
                      CASE WHEN f.creator_id = $1 AND f.status = 'draft' THEN ARRAY(
                          SELECT g.id
                          FROM groups g
                          WHERE g.owner_id = $1 AND g.id = ANY(f.group_ids)
                          ORDER BY array_position(f.group_ids, g.id)
                          LIMIT 20
                      ) ELSE '{}' END AS "groups!",
                      r.asked_at IS NOT NULL AS "asked!", r.answer AS "answer: Answer",
                      CASE WHEN r.answer = 'another_time' THEN r.proposed_start END AS "proposed?",
                      a.applied_at IS NOT NULL AS "applies!", coalesce(r.message, a.message, '') AS "words!",
                      coalesce(r.changes, a.changes, 0::smallint) AS "changes!",
                      coalesce(r.withdrawn, a.withdrawn, 0::smallint) AS "withdrawn!",
                      t.last_proposed AS "last_proposed?", t.other_times AS "other_times!", t.nobody_can AS "nobody_can!",
                      c.email AS "creator_email?", c.given_name AS "creator_given_name?", c.family_name AS "creator_family_name?",
                      c.display_name AS "creator_display_name?", c.picture AS "creator_picture?", c.created_at AS "creator_since?",
                      c.profile_changed_at AS "creator_changed_at?",
                      (
                          SELECT count(*)
                          FROM favors o
                          WHERE o.helper_id = f.creator_id AND o.status IN ('completed', 'settled')
                      ) AS "creator_helped!",
                      coalesce(g.count, 0) AS "creator_ratings!", coalesce(g.total, 0) AS "creator_rated!",
                      f.creator_id <> $1 AND EXISTS (SELECT FROM friendships s WHERE s.member_id = $1 AND s.friend_id = f.creator_id)
                          AS "creator_is_friend!",
                      EXISTS (
                          SELECT FROM blocks b
                          WHERE b.member_id = $1 AND b.other_id = CASE WHEN f.creator_id = $1 THEN f.helper_id ELSE f.creator_id END
                      ) OR EXISTS (
                          SELECT FROM blocks b
                          WHERE b.member_id = CASE WHEN f.creator_id = $1 THEN f.helper_id ELSE f.creator_id END AND b.other_id = $1
                      ) AS "hidden!",
                      h.email AS "helper_email?", h.given_name AS "helper_given_name?", h.family_name AS "helper_family_name?",
                      h.display_name AS "helper_display_name?", h.picture AS "helper_picture?"
               FROM favors f
               LEFT JOIN LATERAL (
                   SELECT *
                   FROM favor_recipients o
                   WHERE o.favor_id = f.id AND o.member_id = $1 AND f.creator_id <> $1
                   LIMIT 1
               ) r ON true
               LEFT JOIN LATERAL (
                   SELECT *
                   FROM favor_applicants o
                   WHERE o.favor_id = f.id AND o.member_id = $1 AND f.request_type = 'public'
                   LIMIT 1
               ) a ON true
               LEFT JOIN LATERAL (
                   SELECT max(o.proposed_start) FILTER (WHERE o.answer = 'another_time') AS last_proposed,
                          coalesce(bool_or(o.answer = 'another_time'), false) AS other_times,
                          f.request_type = 'direct' AND coalesce(bool_and(o.answer IS NOT DISTINCT FROM 'decline'), false) AS nobody_can
                   FROM favor_recipients o
                   WHERE o.favor_id = f.id AND f.creator_id = $1 AND f.status = 'active'
               ) t ON true
               LEFT JOIN LATERAL (SELECT coalesce(f.status IN ('accepted', 'completed') AND $1 IN (f.creator_id, f.helper_id), false) AS going_on) w
                   ON true
               LEFT JOIN LATERAL (
                   SELECT *
                   FROM members m
                   WHERE m.id = f.creator_id AND m.status = 'confirmed'
                     AND (
                         w.going_on
                         OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = m.id AND b.other_id = $1)
                            AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $1 AND b.other_id = m.id)
                     )
                   LIMIT 1
               ) c ON true
               LEFT JOIN LATERAL (
                   SELECT *
                   FROM members m
                   WHERE m.id = f.helper_id AND m.status = 'confirmed'
                     AND (
                         w.going_on
                         OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = m.id AND b.other_id = $1)
                            AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $1 AND b.other_id = m.id)
                     )
                   LIMIT 1
               ) h ON true
               LEFT JOIN LATERAL (SELECT * FROM member_ratings m WHERE m.member_id = f.creator_id LIMIT 1) g ON true
               "# + $rest,
            $viewer $(, $arg)*
        )
        .fetch_all(&mut *conn)
        .await?;
        crowd::around(conn, $viewer, rows.into_iter().map(Favor::from).collect()).await?
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
    Ok(favors!(conn, key "f.due_key", "WHERE f.id = $2 LIMIT 1", viewer.0, id.0).pop())
}

/// Favors, in any order.
pub async fn by_ids(conn: &mut PgConnection, viewer: MemberId, ids: &[FavorId]) -> Result<Vec<Favor>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    Ok(favors!(conn, key "f.due_key", "WHERE f.id = ANY($2) LIMIT cardinality($2)", viewer.0, &ids))
}

/// The favors in some places of a member, the first due first, after a key. Each place is read from its own stretch of the index, at most a
/// page of it, so that a long past costs nothing.
pub async fn by_due(
    conn: &mut PgConnection,
    member: MemberId,
    places: &[Place],
    after: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Favor>> {
    Ok(favors!(
        conn,
        key "k.due_key",
        "JOIN (
             SELECT p.due_key, p.favor_id
             FROM unnest($2::text[]) AS w (place)
             CROSS JOIN LATERAL (
                 SELECT l.due_key, l.favor_id
                 FROM favor_places l
                 WHERE l.member_id = $1 AND l.place = w.place AND (l.due_key, l.favor_id) > ($3, $4)
                 ORDER BY l.due_key, l.favor_id
                 LIMIT $5
             ) p
             ORDER BY p.due_key, p.favor_id
             LIMIT $5
         ) k ON k.favor_id = f.id
         ORDER BY k.due_key, k.favor_id
         LIMIT $5",
        member.0,
        places as &[Place],
        after.0,
        after.1,
        limit,
    ))
}

/// Those in some places of their creator, the last changed first, before a key.
pub async fn by_change(
    conn: &mut PgConnection,
    creator: MemberId,
    places: &[Place],
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Favor>> {
    Ok(favors!(
        conn,
        key "k.changed_at",
        "JOIN (
             SELECT p.changed_at, p.favor_id
             FROM unnest($2::text[]) AS w (place)
             CROSS JOIN LATERAL (
                 SELECT l.changed_at, l.favor_id
                 FROM favor_places l
                 WHERE l.member_id = $1 AND l.place = w.place AND l.changed_at IS NOT NULL AND (l.changed_at, l.favor_id) < ($3, $4)
                 ORDER BY l.changed_at DESC, l.favor_id DESC
                 LIMIT $5
             ) p
             ORDER BY p.changed_at DESC, p.favor_id DESC
             LIMIT $5
         ) k ON k.favor_id = f.id
         ORDER BY k.changed_at DESC, k.favor_id DESC
         LIMIT $5",
        creator.0,
        places as &[Place],
        before.0,
        before.1,
        limit,
    ))
}

/// Those who are asked, the helper first.
pub async fn recipients(conn: &mut PgConnection, id: FavorId) -> Result<Vec<Recipient>> {
    let rows = sqlx::query_as!(
        Recipient,
        r#"SELECT r.member_id AS member, r.asked_at, r.answer AS "answer: Answer", r.answered_at, r.message,
                  CASE WHEN r.answer = 'another_time' THEN r.proposed_start END AS proposed
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
