//! Every statement on notifications and their counters. Those on notification_settings, and on what waits to be mailed, stand in `mails`; those
//! on notification_silences in `silences`.

mod former;
pub mod mails;
pub mod silences;

pub use former::{forget_actor, forget_told};

use super::{
    New, Notification, Settled, Target,
    rules::{Due, WITHDRAWN},
};
use crate::{
    error::Result,
    ids::{MemberId, NotificationId},
    pb::notifications::{MailFrequency, NotificationType, TargetKind},
};
use sqlx::PgConnection;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use time::OffsetDateTime;
use uuid::Uuid;

struct Row {
    member_id: Uuid,
    seq: i64,
    id: Uuid,
    r#type: i32,
    title: String,
    message: String,
    actor_id: Option<Uuid>,
    target_kind: i32,
    target_id: Uuid,
    action_required: bool,
    created_at: OffsetDateTime,
    read_at: Option<OffsetDateTime>,
}

impl From<Row> for Notification {
    fn from(row: Row) -> Self {
        Self {
            id: NotificationId(row.id),
            member: MemberId(row.member_id),
            seq: row.seq,
            // A number that a newer node wrote has no name here yet.
            kind: NotificationType::try_from(row.r#type).unwrap_or_default(),
            title: row.title,
            message: row.message,
            actor: row.actor_id.map(MemberId),
            target: Target(TargetKind::try_from(row.target_kind).unwrap_or_default(), row.target_id),
            action_required: row.action_required,
            at: row.created_at,
            read: row.read_at.is_some(),
        }
    }
}

/// How it stands with a member's rows.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The last seq before those that are counted now.
    pub seq: i64,
    /// When the next mail is due.
    pub mail_at: Option<OffsetDateTime>,
}

/// Counts new unread rows for members, some of whom may have none, and locks their counters in the order of their ids. Mail that is due
/// later stays due then, and that of a morning too.
pub async fn take_seqs(
    conn: &mut PgConnection,
    members: &BTreeMap<MemberId, i32>,
    due: &BTreeMap<MemberId, Due>,
    now: OffsetDateTime,
) -> Result<HashMap<MemberId, Counter>> {
    let ids: Vec<Uuid> = members.keys().map(|m| m.0).collect();
    let counts: Vec<i32> = members.values().copied().collect();
    let (mails_at, digests_at): (Vec<_>, Vec<_>) =
        members.keys().map(|m| due.get(m).map_or((None, None), |due| (due.mail_at, due.digest_at))).unzip();
    let rows = sqlx::query!(
        r#"INSERT INTO notification_counters AS c (member_id, last_seq, unread, mail_at, digest_at)
           SELECT n.member_id, n.count, n.count, n.mail_at, n.digest_at
           FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[]) AS n (member_id, count, mail_at, digest_at)
           ORDER BY n.member_id
           ON CONFLICT (member_id) DO UPDATE
           SET last_seq = c.last_seq + excluded.last_seq,
               unread = c.unread + excluded.unread,
               mail_at = CASE WHEN c.mail_at > $5 THEN c.mail_at ELSE coalesce(excluded.mail_at, c.mail_at) END,
               digest_at = coalesce(c.digest_at, excluded.digest_at)
           RETURNING member_id, last_seq, mail_at"#,
        &ids,
        &counts,
        &mails_at as &[Option<OffsetDateTime>],
        &digests_at as &[Option<OffsetDateTime>],
        now,
    )
    .fetch_all(conn)
    .await?;
    let before = |member, last: i64| last - members.get(&member).copied().map_or(0, i64::from);
    let counter = |member, last, mail_at| (member, Counter { seq: before(member, last), mail_at });
    Ok(rows.into_iter().map(|r| counter(MemberId(r.member_id), r.last_seq, r.mail_at)).collect())
}

/// Deletes the unread rows whose place news take: of the same kind, from the same actor, about the same thing. They are unread no longer
/// in the counters too.
pub async fn delete_unread(conn: &mut PgConnection, news: &[New]) -> Result<()> {
    let members: Vec<Uuid> = news.iter().map(|n| n.member.0).collect();
    let types: Vec<i32> = news.iter().map(|n| n.kind as i32).collect();
    let actors: Vec<Option<Uuid>> = news.iter().map(|n| n.actor.map(|a| a.0)).collect();
    let abouts: Vec<Uuid> = news.iter().map(|n| n.about).collect();
    sqlx::query!(
        "WITH gone AS (
             DELETE FROM notifications AS n
             USING unnest($1::uuid[], $2::integer[], $3::uuid[], $4::uuid[]) AS w (member_id, type, actor_id, about_id)
             WHERE n.member_id = w.member_id
               AND n.type = w.type
               AND n.actor_id = w.actor_id
               AND coalesce(n.about_id, n.target_id) = w.about_id
               AND n.read_at IS NULL
             RETURNING n.member_id
         ), counted AS (
             SELECT member_id, count(*)::integer AS count
             FROM gone
             GROUP BY member_id
         )
         UPDATE notification_counters AS c
         SET unread = c.unread - counted.count
         FROM counted
         WHERE c.member_id = counted.member_id",
        &members,
        &types,
        &actors as &[Option<Uuid>],
        &abouts,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the unread rows of which something was expected that is called off, those that go with it (`WITHDRAWN`), and answers that
/// are about a thing of their own; they are unread no longer in the counters too. Whose they were.
pub async fn delete_called_off(conn: &mut PgConnection, settled: &[Settled]) -> Result<BTreeSet<MemberId>> {
    let (members, abouts, actors) = columns(settled.iter().filter(|s| s.called_off));
    let withdrawn = WITHDRAWN.map(|kind| kind as i32);
    let lost = sqlx::query_scalar!(
        "WITH gone AS (
             DELETE FROM notifications AS n
             USING unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS s (member_id, about_id, actor_id)
             WHERE n.member_id = s.member_id
               AND coalesce(n.about_id, n.target_id) = s.about_id
               AND (s.actor_id IS NULL OR n.actor_id = s.actor_id)
               AND (n.action_required OR n.type = ANY($4) OR n.type = $5 AND n.about_id <> n.target_id)
               AND n.read_at IS NULL
             RETURNING n.member_id
         ), counted AS (
             SELECT member_id, count(*)::integer AS count
             FROM gone
             GROUP BY member_id
         )
         UPDATE notification_counters AS c
         SET unread = c.unread - counted.count
         FROM counted
         WHERE c.member_id = counted.member_id
         RETURNING c.member_id",
        &members,
        &abouts,
        &actors as &[Option<Uuid>],
        &withdrawn,
        NotificationType::FavorResponse as i32,
    )
    .fetch_all(conn)
    .await?;
    Ok(lost.into_iter().map(MemberId).collect())
}

/// Takes the expectation from the rows that are settled; those of a member who has seen them count as read. Whose rows changed.
pub async fn settle(conn: &mut PgConnection, settled: &[Settled], now: OffsetDateTime) -> Result<BTreeSet<MemberId>> {
    let (members, abouts, actors) = columns(settled);
    let seen: Vec<bool> = settled.iter().map(|s| s.seen).collect();
    let changed = sqlx::query_scalar!(
        r#"WITH done AS (
             UPDATE notifications AS n
             SET action_required = false, mail = NULL, read_at = CASE WHEN s.seen THEN coalesce(n.read_at, $5) ELSE n.read_at END
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) AS s (member_id, about_id, actor_id, seen)
             JOIN notifications AS before ON before.member_id = s.member_id
                                         AND coalesce(before.about_id, before.target_id) = s.about_id
                                         AND (s.actor_id IS NULL OR before.actor_id = s.actor_id)
                                         AND before.action_required
             WHERE n.member_id = before.member_id AND n.seq = before.seq
             RETURNING n.member_id, s.seen AND before.read_at IS NULL AS read
         ), counted AS (
             SELECT member_id, count(*) FILTER (WHERE read)::integer AS count
             FROM done
             GROUP BY member_id
         ), taken AS (
             UPDATE notification_counters AS c
             SET unread = c.unread - counted.count
             FROM counted
             WHERE c.member_id = counted.member_id AND counted.count > 0
         )
         SELECT member_id AS "member_id!" FROM counted LIMIT cardinality($1)"#,
        &members,
        &abouts,
        &actors as &[Option<Uuid>],
        &seen,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(changed.into_iter().map(MemberId).collect())
}

fn columns<'a>(settled: impl IntoIterator<Item = &'a Settled>) -> (Vec<Uuid>, Vec<Uuid>, Vec<Option<Uuid>>) {
    settled.into_iter().map(|s| (s.member.0, s.about, s.actor.map(|a| a.0))).collect()
}

/// A row to be stored.
pub struct NewRow<'n> {
    /// Its place among the member's.
    pub seq: i64,
    /// Its id.
    pub id: NotificationId,
    /// The mail that waits to tell of it.
    pub mail: Option<MailFrequency>,
    /// What it says.
    pub new: &'n New,
}

/// Stores new rows.
pub async fn insert(conn: &mut PgConnection, rows: &[NewRow<'_>], now: OffsetDateTime) -> Result<()> {
    let members: Vec<Uuid> = rows.iter().map(|r| r.new.member.0).collect();
    let seqs: Vec<i64> = rows.iter().map(|r| r.seq).collect();
    let ids: Vec<Uuid> = rows.iter().map(|r| r.id.0).collect();
    let types: Vec<i32> = rows.iter().map(|r| r.new.kind as i32).collect();
    let titles: Vec<String> = rows.iter().map(|r| r.new.title.clone()).collect();
    let messages: Vec<String> = rows.iter().map(|r| r.new.message.clone()).collect();
    let actors: Vec<Option<Uuid>> = rows.iter().map(|r| r.new.actor.map(|a| a.0)).collect();
    let kinds: Vec<i32> = rows.iter().map(|r| r.new.target.0 as i32).collect();
    let targets: Vec<Uuid> = rows.iter().map(|r| r.new.target.1).collect();
    let abouts: Vec<Uuid> = rows.iter().map(|r| r.new.about).collect();
    let asks: Vec<bool> = rows.iter().map(|r| r.new.action_required).collect();
    let mails: Vec<Option<i32>> = rows.iter().map(|r| r.mail.map(|mail| mail as i32)).collect();
    sqlx::query!(
        "INSERT INTO notifications
             (member_id, seq, id, type, title, message, actor_id, target_kind, target_id, about_id, action_required, mail, created_at)
         SELECT n.*, $13
         FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::uuid[], $8::integer[], $9::uuid[],
                     $10::uuid[], $11::boolean[], $12::integer[]) AS n",
        &members,
        &seqs,
        &ids,
        &types,
        &titles,
        &messages,
        &actors as &[Option<Uuid>],
        &kinds,
        &targets,
        &abouts,
        &asks,
        &mails as &[Option<i32>],
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A member's counters: the seq of the last row, and how many are unread.
pub async fn counters(conn: &mut PgConnection, member: MemberId) -> Result<(i64, i32)> {
    let row = sqlx::query!(
        "SELECT last_seq, unread
         FROM notification_counters
         WHERE member_id = $1
         LIMIT 1",
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or((0, 0), |r| (r.last_seq, r.unread)))
}

/// How many rows are unread, of each member who was ever told something.
pub async fn unread(conn: &mut PgConnection, members: &[MemberId]) -> Result<HashMap<MemberId, i32>> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        "SELECT member_id, unread
         FROM notification_counters
         WHERE member_id = ANY($1)
         LIMIT cardinality($1)",
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (MemberId(r.member_id), r.unread)).collect())
}

/// A member's rows, newest first, from before a seq.
pub async fn list(conn: &mut PgConnection, member: MemberId, before: i64, limit: i64) -> Result<Vec<Notification>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT member_id, seq, id, type, title, message, actor_id, target_kind, target_id, action_required, created_at, read_at
         FROM notifications
         WHERE member_id = $1 AND seq < $2
         ORDER BY seq DESC
         LIMIT $3",
        member.0,
        before,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The rows of members after the seq that each has seen, oldest first; at most `limit` of each. One statement for all of them.
pub async fn after(conn: &mut PgConnection, seen: &[(MemberId, i64)], limit: i64) -> Result<Vec<Notification>> {
    let members: Vec<Uuid> = seen.iter().map(|s| s.0.0).collect();
    let seqs: Vec<i64> = seen.iter().map(|s| s.1).collect();
    let rows = sqlx::query_as!(
        Row,
        "SELECT n.member_id, n.seq, n.id, n.type, n.title, n.message, n.actor_id, n.target_kind, n.target_id, n.action_required,
                n.created_at, n.read_at
         FROM unnest($1::uuid[], $2::bigint[]) AS s (member_id, seq)
         CROSS JOIN LATERAL (
             SELECT member_id, seq, id, type, title, message, actor_id, target_kind, target_id, action_required, created_at, read_at
             FROM notifications AS m
             WHERE m.member_id = s.member_id AND m.seq > s.seq
             ORDER BY m.seq
             LIMIT $3
         ) AS n
         ORDER BY n.member_id, n.seq",
        &members,
        &seqs,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// One row of a member.
pub async fn get(conn: &mut PgConnection, member: MemberId, id: NotificationId) -> Result<Option<Notification>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT member_id, seq, id, type, title, message, actor_id, target_kind, target_id, action_required, created_at, read_at
         FROM notifications
         WHERE member_id = $1 AND id = $2
         LIMIT 1",
        member.0,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Into::into))
}

/// Locks the counters of members, in the order of their ids, as a push does.
pub async fn lock(conn: &mut PgConnection, members: &[MemberId]) -> Result<()> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!(
        "SELECT member_id
         FROM notification_counters
         WHERE member_id = ANY($1)
         ORDER BY member_id
         LIMIT cardinality($1)
         FOR UPDATE",
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

/// Marks rows of a member as read, from one seq to another. How many were unread.
pub async fn mark_read(conn: &mut PgConnection, member: MemberId, (first, last): (i64, i64), now: OffsetDateTime) -> Result<i32> {
    let done = sqlx::query!(
        "UPDATE notifications
         SET read_at = $4
         WHERE member_id = $1 AND seq BETWEEN $2 AND $3 AND read_at IS NULL",
        member.0,
        first,
        last,
        now,
    )
    .execute(conn)
    .await?;
    Ok(i32::try_from(done.rows_affected()).unwrap_or(i32::MAX))
}

/// Counts so many rows of members as no longer unread. Under the locks of their counters.
pub async fn take_unread(conn: &mut PgConnection, counts: &BTreeMap<MemberId, i32>) -> Result<()> {
    let ids: Vec<Uuid> = counts.keys().map(|m| m.0).collect();
    let counts: Vec<i32> = counts.values().copied().collect();
    sqlx::query!(
        "UPDATE notification_counters AS c
         SET unread = c.unread - n.count
         FROM unnest($1::uuid[], $2::integer[]) AS n (member_id, count)
         WHERE c.member_id = n.member_id",
        &ids,
        &counts,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Some members who have rows from before an instant.
pub async fn members_with_old(conn: &mut PgConnection, before: OffsetDateTime) -> Result<Vec<MemberId>> {
    let ids = sqlx::query_scalar!(
        "SELECT DISTINCT o.member_id
         FROM (
             SELECT member_id
             FROM notifications
             WHERE created_at < $1
             ORDER BY created_at
             LIMIT 1000
         ) AS o
         LIMIT 1000",
        before,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(MemberId).collect())
}

/// Deletes the rows of members from before an instant. Of each row, whose it was, and whether it was unread.
pub async fn delete_old(conn: &mut PgConnection, members: &[MemberId], before: OffsetDateTime) -> Result<Vec<(MemberId, bool)>> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"DELETE FROM notifications
           WHERE member_id = ANY($1) AND created_at < $2
           RETURNING member_id, read_at IS NULL AS "unread!""#,
        &ids,
        before,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (MemberId(r.member_id), r.unread)).collect())
}

/// Who was told something that a member caused.
pub async fn told_by(conn: &mut PgConnection, actor: MemberId) -> Result<Vec<MemberId>> {
    let ids = sqlx::query_scalar!("SELECT DISTINCT member_id FROM notifications WHERE actor_id = $1", actor.0).fetch_all(conn).await?;
    Ok(ids.into_iter().map(MemberId).collect())
}

/// Deletes all that a member was told, and their counters. Under the lock of those.
pub async fn remove_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM notifications WHERE member_id = $1", member.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM notification_counters WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}

/// Deletes what a member caused and nobody has read, where an answer is expected or help was asked of all friends. Under the locks of the counters.
pub async fn remove_asked_by(conn: &mut PgConnection, actor: MemberId) -> Result<()> {
    let gone = sqlx::query_scalar!(
        "DELETE FROM notifications
         WHERE actor_id = $1 AND (action_required OR type = $2) AND read_at IS NULL
         RETURNING member_id",
        actor.0,
        NotificationType::FavorShared as i32,
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut unread = BTreeMap::<MemberId, i32>::new();
    for member in gone {
        *unread.entry(MemberId(member)).or_default() += 1;
    }
    take_unread(conn, &unread).await
}
