//! Every SQL statement on pictures.

use super::{About, Digest, Listed, New, rules::Status};
use crate::{
    error::{Error, Result},
    ids::{MemberId, PictureId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub id: PictureId,
    /// Where it stands.
    pub status: Status,
    /// The length that was announced.
    pub bytes: Option<u32>,
    /// When it was announced.
    pub announced_at: OffsetDateTime,
    /// When it was dropped.
    pub dropped_at: Option<OffsetDateTime>,
    /// Whether its renditions were drawn.
    pub is_drawn: bool,
}

struct Columns {
    id: Uuid,
    status: String,
    bytes: i32,
    announced_at: OffsetDateTime,
    dropped_at: Option<OffsetDateTime>,
    is_drawn: bool,
}

impl TryFrom<Columns> for Row {
    type Error = Error;

    fn try_from(row: Columns) -> Result<Self> {
        let bytes = u32::try_from(row.bytes).ok().filter(|bytes| *bytes > 0);
        let Columns { id, status, announced_at, dropped_at, is_drawn, .. } = row;
        Ok(Self { id: PictureId(id), status: self::status(&status)?, bytes, announced_at, dropped_at, is_drawn })
    }
}

fn status(text: &str) -> Result<Status> {
    match text {
        "awaited" => Ok(Status::Awaited),
        "taken" => Ok(Status::Taken),
        "dropped" => Ok(Status::Dropped),
        _ => Err(Error::internal(anyhow::anyhow!("a picture has an unknown status"))),
    }
}

/// Writes one that is announced.
pub async fn insert(conn: &mut PgConnection, new: &New, now: OffsetDateTime, clear_at: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO pictures (member_id, id, purpose, about, format, bytes, status, announced_at, clear_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'awaited', $7, $8)",
        new.about.member.0,
        new.id.0,
        new.about.purpose.as_str(),
        new.about.thing,
        new.format.media_type(),
        new.bytes.and_then(|bytes| i32::try_from(bytes).ok()).unwrap_or(0),
        now,
        clear_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Those that wait for one thing, the oldest first.
pub async fn awaited(conn: &mut PgConnection, about: &About) -> Result<Vec<PictureId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id
         FROM pictures
         WHERE member_id = $1 AND purpose = $2 AND about = $3 AND status = 'awaited'
         ORDER BY id
         LIMIT 1000",
        about.member.0,
        about.purpose.as_str(),
        about.thing,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(PictureId).collect())
}

/// One of a thing.
pub async fn find(conn: &mut PgConnection, about: &About, id: PictureId) -> Result<Option<Row>> {
    let row = sqlx::query_as!(
        Columns,
        r#"SELECT id, status, bytes, announced_at, dropped_at, drawn_at IS NOT NULL AS "is_drawn!"
         FROM pictures
         WHERE member_id = $1 AND id = $2 AND purpose = $3 AND about = $4
         LIMIT 1"#,
        about.member.0,
        id.0,
        about.purpose.as_str(),
        about.thing,
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::try_from).transpose()
}

/// The same, locked.
pub async fn lock(conn: &mut PgConnection, about: &About, id: PictureId) -> Result<Option<Row>> {
    let row = sqlx::query_as!(
        Columns,
        r#"SELECT id, status, bytes, announced_at, dropped_at, drawn_at IS NOT NULL AS "is_drawn!"
         FROM pictures
         WHERE member_id = $1 AND id = $2 AND purpose = $3 AND about = $4
         LIMIT 1
         FOR UPDATE"#,
        about.member.0,
        id.0,
        about.purpose.as_str(),
        about.thing,
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::try_from).transpose()
}

/// One that waits is drawn of this file. Whether it is, for it may be drawn of another one already.
pub async fn draw_of(conn: &mut PgConnection, member: MemberId, id: PictureId, file: &Digest) -> Result<bool> {
    let begun = sqlx::query!(
        "UPDATE pictures
         SET drawn_of = $3
         WHERE member_id = $1 AND id = $2 AND status = 'awaited' AND (drawn_of IS NULL OR drawn_of = $3)",
        member.0,
        id.0,
        file.as_slice(),
    )
    .execute(conn)
    .await?;
    Ok(begun.rows_affected() == 1)
}

/// One that waits is drawn. Whether it waits.
pub async fn drawn(conn: &mut PgConnection, member: MemberId, id: PictureId, now: OffsetDateTime) -> Result<bool> {
    let drawn =
        sqlx::query!("UPDATE pictures SET drawn_at = $3 WHERE member_id = $1 AND id = $2 AND status = 'awaited'", member.0, id.0, now)
            .execute(conn)
            .await?;
    Ok(drawn.rows_affected() == 1)
}

/// Takes one that waits.
///
/// # Errors
/// INTERNAL when it does not: it was locked and read.
pub async fn take(conn: &mut PgConnection, member: MemberId, id: PictureId, now: OffsetDateTime) -> Result<()> {
    let taken = sqlx::query!(
        "UPDATE pictures
         SET status = 'taken', taken_at = $3, clear_at = $3, swept_at = NULL
         WHERE member_id = $1 AND id = $2 AND status = 'awaited'",
        member.0,
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    match taken.rows_affected() {
        1 => Ok(()),
        _ => Err(Error::internal(anyhow::anyhow!("a picture that waited was not taken"))),
    }
}

/// Drops one. Whether it was not dropped before.
pub async fn drop_one(conn: &mut PgConnection, member: MemberId, id: PictureId, now: OffsetDateTime) -> Result<bool> {
    let dropped = sqlx::query!(
        "UPDATE pictures
         SET status = 'dropped', dropped_at = $3, clear_at = $3, swept_at = NULL
         WHERE member_id = $1 AND id = $2 AND status IN ('awaited', 'taken')",
        member.0,
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(dropped.rows_affected() == 1)
}

/// Drops all of a member.
pub async fn drop_all(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE pictures
         SET status = 'dropped', dropped_at = $2, clear_at = $2, swept_at = NULL
         WHERE member_id = $1 AND id IN (
             SELECT id
             FROM pictures
             WHERE member_id = $1 AND status IN ('awaited', 'taken')
             ORDER BY id
             FOR UPDATE
         )",
        member.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Drops what waited too long.
pub async fn drop_late(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE pictures
         SET status = 'dropped', dropped_at = $2
         WHERE member_id = $1 AND id IN (
             SELECT id
             FROM pictures
             WHERE member_id = $1 AND status = 'awaited' AND clear_at <= $2
             ORDER BY id
             LIMIT 1000
             FOR UPDATE
         )",
        member.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Those of a member of which something is to be removed.
pub async fn due(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query_as!(
        Columns,
        r#"SELECT id, status, bytes, announced_at, dropped_at, drawn_at IS NOT NULL AS "is_drawn!"
         FROM pictures
         WHERE member_id = $1 AND status IN ('taken', 'dropped') AND clear_at <= $2
         ORDER BY id
         LIMIT $3"#,
        member.0,
        now,
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::try_from).collect()
}

/// It is to be looked at once more, unless it was dropped meanwhile.
pub async fn postpone(conn: &mut PgConnection, member: MemberId, row: &Row, until: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE pictures
         SET clear_at = $4
         WHERE member_id = $1 AND id = $2 AND dropped_at IS NOT DISTINCT FROM $3",
        member.0,
        row.id.0,
        row.dropped_at,
        until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes one that was dropped.
pub async fn remove(conn: &mut PgConnection, member: MemberId, id: PictureId) -> Result<()> {
    sqlx::query!("DELETE FROM pictures WHERE member_id = $1 AND id = $2 AND status = 'dropped'", member.0, id.0).execute(conn).await?;
    Ok(())
}

/// Nothing of one that is taken is to be removed.
pub async fn is_clear(conn: &mut PgConnection, member: MemberId, id: PictureId) -> Result<()> {
    sqlx::query!(
        "UPDATE pictures
         SET clear_at = NULL, swept_at = NULL
         WHERE member_id = $1 AND id = $2 AND status = 'taken'",
        member.0,
        id.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The members of whose pictures something is due, and was not asked for since an instant. It is noted that it is asked for now.
pub async fn left_over(conn: &mut PgConnection, now: OffsetDateTime, asked_before: OffsetDateTime, limit: i64) -> Result<Vec<MemberId>> {
    let members = sqlx::query_scalar!(
        r#"WITH due AS (
             SELECT member_id, id
             FROM pictures
             WHERE clear_at <= $1 AND (swept_at IS NULL OR swept_at <= $2)
             ORDER BY clear_at
             LIMIT $3
             FOR UPDATE SKIP LOCKED
         ), asked AS (
             UPDATE pictures AS p
             SET swept_at = $1
             FROM due
             WHERE p.member_id = due.member_id AND p.id = due.id
             RETURNING p.member_id
         )
         SELECT DISTINCT member_id AS "member_id!"
         FROM asked
         LIMIT $3"#,
        now,
        asked_before,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(members.into_iter().map(MemberId).collect())
}

/// Those of a member after an id.
pub async fn listed(conn: &mut PgConnection, member: MemberId, after: PictureId, limit: i64) -> Result<Vec<Listed>> {
    let rows = sqlx::query_as!(
        Columns,
        r#"SELECT id, status, bytes, announced_at, dropped_at, drawn_at IS NOT NULL AS "is_drawn!"
         FROM pictures
         WHERE member_id = $1 AND id > $2
         ORDER BY id
         LIMIT $3"#,
        member.0,
        after.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let listed = |row: Row| Listed { id: row.id, status: row.status, announced_at: row.announced_at };
    rows.into_iter().map(|row| Row::try_from(row).map(listed)).collect()
}
