//! Every statement on notification settings, and on what waits in notifications and their counters to be mailed.

use super::{
    super::{
        Notification,
        rules::{Due, Wishes},
    },
    Row,
};
use crate::{error::Result, ids::MemberId, pb::notifications::MailFrequency};
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap};
use time::OffsetDateTime;
use uuid::Uuid;

/// What confirmed members want mailed about topics, where they have said so, and which morning they have mail on already; and of whom of some
/// others they do not want to hear.
pub async fn wishes(
    conn: &mut PgConnection,
    (members, others): (&[MemberId], &[MemberId]),
    topics: &[i32],
) -> Result<HashMap<MemberId, Wishes>> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let others: Vec<Uuid> = others.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"SELECT m.id, m.time_zone, c.digest_at AS "digest_at?", s.topic AS "topic?", s.mail AS "mail?",
                  ARRAY(
                      SELECT q.other_id
                      FROM notification_silences AS q
                      WHERE q.member_id = m.id AND q.other_id = ANY($3)
                  ) AS "silenced!"
           FROM members AS m
           LEFT JOIN notification_counters AS c ON c.member_id = m.id
           LEFT JOIN notification_settings AS s ON s.member_id = m.id AND s.topic = ANY($2)
           WHERE m.id = ANY($1) AND m.status = 'confirmed'
           LIMIT cardinality($1) * cardinality($2)"#,
        &ids,
        topics,
        &others,
    )
    .fetch_all(conn)
    .await?;
    let mut wishes = HashMap::<MemberId, Wishes>::new();
    for row in rows {
        let of = wishes.entry(MemberId(row.id)).or_default();
        (of.zone, of.digest_at) = (row.time_zone, row.digest_at);
        of.silenced.extend(row.silenced.into_iter().map(MemberId));
        of.said.extend(row.topic.zip(row.mail.and_then(|mail| MailFrequency::try_from(mail).ok())));
    }
    Ok(wishes)
}

/// What a member has said about topics.
pub async fn said(conn: &mut PgConnection, member: MemberId) -> Result<BTreeMap<i32, MailFrequency>> {
    let rows = sqlx::query!(
        "SELECT topic, mail
         FROM notification_settings
         WHERE member_id = $1
         ORDER BY topic
         LIMIT 100",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.topic, MailFrequency::try_from(row.mail).ok()?))).collect())
}

/// Notes what a member says about topics.
pub async fn say(conn: &mut PgConnection, member: MemberId, said: &BTreeMap<i32, MailFrequency>) -> Result<()> {
    let topics: Vec<i32> = said.keys().copied().collect();
    let mails: Vec<i32> = said.values().map(|mail| *mail as i32).collect();
    sqlx::query!(
        "INSERT INTO notification_settings AS s (member_id, topic, mail)
         SELECT $1, n.topic, n.mail
         FROM unnest($2::integer[], $3::integer[]) AS n (topic, mail)
         ORDER BY n.topic
         ON CONFLICT (member_id, topic) DO UPDATE
         SET mail = excluded.mail",
        member.0,
        &topics,
        &mails,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets what a member has said about topics.
pub async fn unsay(conn: &mut PgConnection, member: MemberId, topics: &[i32]) -> Result<()> {
    sqlx::query!("DELETE FROM notification_settings WHERE member_id = $1 AND topic = ANY($2)", member.0, topics).execute(conn).await?;
    Ok(())
}

/// Forgets all that a member has said.
pub async fn remove_said(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM notification_settings WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}

/// The jobs that wait for a member, and whether they have something to tell: the next mail, and that of the morning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// When the next mail is due.
    pub mail_at: Option<OffsetDateTime>,
    /// On which morning there is mail.
    pub digest_at: Option<OffsetDateTime>,
    /// Whether something unread waits for the mail that is asked about.
    pub rows: bool,
}

/// How it stands with a member's mail of a kind.
pub async fn waiting(conn: &mut PgConnection, member: MemberId, mail: MailFrequency) -> Result<Waiting> {
    let row = sqlx::query!(
        r#"SELECT mail_at, digest_at, EXISTS (
               SELECT 1
               FROM notifications AS n
               WHERE n.member_id = c.member_id AND n.read_at IS NULL AND n.mail = $2
           ) AS "rows!"
           FROM notification_counters AS c
           WHERE member_id = $1
           LIMIT 1"#,
        member.0,
        mail as i32,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or_else(Waiting::default, |r| Waiting { mail_at: r.mail_at, digest_at: r.digest_at, rows: r.rows }))
}

/// Lets what waits unread for a member's mail of a kind wait no longer where they do not want to hear of who caused it by now.
pub async fn drop_silenced(conn: &mut PgConnection, member: MemberId, mail: MailFrequency) -> Result<()> {
    sqlx::query!(
        "UPDATE notifications AS n
         SET mail = NULL
         WHERE member_id = $1 AND read_at IS NULL AND mail = $2
           AND EXISTS (SELECT FROM notification_silences AS s WHERE s.member_id = $1 AND s.other_id = n.actor_id)",
        member.0,
        mail as i32,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes what waits unread for a member's mail of a kind: it waits no longer. The oldest first.
pub async fn take(conn: &mut PgConnection, member: MemberId, mail: MailFrequency) -> Result<Vec<Notification>> {
    let rows = sqlx::query_as!(
        Row,
        "UPDATE notifications
         SET mail = NULL
         WHERE member_id = $1 AND read_at IS NULL AND mail = $2
         RETURNING member_id, seq, id, type, title, message, actor_id, target_kind, target_id, action_required, created_at, read_at",
        member.0,
        mail as i32,
    )
    .fetch_all(conn)
    .await?;
    let mut taken: Vec<Notification> = rows.into_iter().map(Into::into).collect();
    taken.sort_unstable_by_key(|n| n.seq);
    Ok(taken)
}

/// Lets rows of a member that are still unread, and were taken, wait for mail of a kind.
pub async fn let_wait(conn: &mut PgConnection, member: MemberId, seqs: &[i64], mail: MailFrequency) -> Result<()> {
    sqlx::query!(
        "UPDATE notifications
         SET mail = $3
         WHERE member_id = $1 AND seq = ANY($2) AND read_at IS NULL AND mail IS NULL",
        member.0,
        seqs,
        mail as i32,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lets rows of a member that were taken wait again for mail of a kind: those that are still unread, and of which as much is expected as then.
pub async fn put_back(conn: &mut PgConnection, member: MemberId, taken: &[(i64, bool)], mail: MailFrequency) -> Result<()> {
    let (seqs, expectations): (Vec<i64>, Vec<bool>) = taken.iter().copied().unzip();
    sqlx::query!(
        "UPDATE notifications AS n
         SET mail = $4
         FROM unnest($2::bigint[], $3::boolean[]) AS t (seq, action_required)
         WHERE n.member_id = $1 AND n.seq = t.seq AND n.action_required = t.action_required AND n.read_at IS NULL AND n.mail IS NULL",
        member.0,
        &seqs,
        &expectations,
        mail as i32,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes when a member's jobs fall due.
pub async fn put_due(conn: &mut PgConnection, member: MemberId, due: &Due) -> Result<()> {
    sqlx::query!(
        "UPDATE notification_counters
         SET mail_at = $2, digest_at = $3
         WHERE member_id = $1",
        member.0,
        due.mail_at,
        due.digest_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Some members who have mail on a morning that has come, those of the earliest first.
pub async fn with_morning(conn: &mut PgConnection, now: OffsetDateTime, limit: i64) -> Result<Vec<MemberId>> {
    let ids = sqlx::query_scalar!(
        "SELECT member_id
         FROM notification_counters
         WHERE digest_at <= $1
         ORDER BY digest_at
         LIMIT $2",
        now,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(MemberId).collect())
}

/// Those of these members whose morning has come: it is over for them. Under the locks of their counters.
pub async fn end_morning(conn: &mut PgConnection, members: &[MemberId], now: OffsetDateTime) -> Result<Vec<MemberId>> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let ended = sqlx::query_scalar!(
        "UPDATE notification_counters
         SET digest_at = NULL
         WHERE member_id = ANY($1) AND digest_at <= $2
         RETURNING member_id",
        &ids,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(ended.into_iter().map(MemberId).collect())
}
