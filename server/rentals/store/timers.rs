//! When the times of rentals fall due.

use super::{
    super::{RentalStatus, timers::schedule::Timed},
    days,
};
use crate::{
    error::{Error, Result},
    ids::{ItemId, MemberId, RentalId},
};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// So many rentals of one item are expected at once at most: they do not overlap.
const EXPECTED_MAX: i64 = 50;
/// So many rentals of a member are timed anew at once at most.
const AHEAD_MAX: i64 = 10_000;

struct Row {
    item_id: Uuid,
    id: Uuid,
    title: String,
    owner_id: Uuid,
    borrower_id: Uuid,
    owner_zone: Option<String>,
    borrower_zone: Option<String>,
    status: RentalStatus,
    first_day: Date,
    last_day: Date,
    returned_at: Option<OffsetDateTime>,
    timer_at: Option<OffsetDateTime>,
}

impl TryFrom<Row> for Timed {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        Ok(Self {
            item: ItemId(row.item_id),
            id: RentalId(row.id),
            title: row.title,
            owner: MemberId(row.owner_id),
            borrower: MemberId(row.borrower_id),
            owner_zone: row.owner_zone,
            borrower_zone: row.borrower_zone,
            status: row.status,
            days: days(row.first_day, row.last_day)?,
            returned_at: row.returned_at,
            timer_at: row.timer_at,
        })
    }
}

macro_rules! timed {
    ($rest:literal $(, $arg:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT r.item_id, r.id, CASE WHEN r.status = 'pending' THEN r.title ELSE i.title END AS "title!",
                      r.owner_id, r.borrower_id, r.status AS "status: RentalStatus", r.first_day, r.last_day, r.returned_at,
                      r.timer_at, o.time_zone AS "owner_zone?", b.time_zone AS "borrower_zone?"
               FROM rentals r
               JOIN items i ON i.id = r.item_id
               LEFT JOIN members o ON o.id = r.owner_id AND o.status = 'confirmed'
               LEFT JOIN members b ON b.id = r.borrower_id AND b.status = 'confirmed'
               "# + $rest
            $(, $arg)*
        )
    };
}

/// A rental, as its times depend on it. For writing, under its item's lock.
pub async fn timed(conn: &mut PgConnection, item: ItemId, id: RentalId) -> Result<Option<Timed>> {
    let row = timed!("WHERE r.item_id = $1 AND r.id = $2 LIMIT 1", item.0, id.0).fetch_optional(conn).await?;
    row.map(Timed::try_from).transpose()
}

/// The rental for which an item is out.
pub async fn out(conn: &mut PgConnection, item: ItemId) -> Result<Option<Timed>> {
    let row = timed!("WHERE r.item_id = $1 AND r.status = 'active' LIMIT 1", item.0).fetch_optional(conn).await?;
    row.map(Timed::try_from).transpose()
}

/// Writes when the next of a rental's times falls due.
pub async fn set_timer(conn: &mut PgConnection, item: ItemId, id: RentalId, next: Option<OffsetDateTime>) -> Result<()> {
    sqlx::query!("UPDATE rentals SET timer_at = $3 WHERE item_id = $1 AND id = $2", item.0, id.0, next).execute(conn).await?;
    Ok(())
}

/// Locks the items of those of a member's rentals that wait for something, the first of them, in the order of their ids.
pub async fn lock_ahead(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime, limit: i64) -> Result<Vec<ItemId>> {
    let items = sqlx::query_scalar!(
        "WITH ahead AS (
             SELECT r.item_id
             FROM rentals r
             WHERE (r.owner_id = $1 OR r.borrower_id = $1) AND r.timer_at > $2
             ORDER BY r.timer_at
             LIMIT $3
         )
         SELECT i.id FROM items i WHERE i.id IN (SELECT item_id FROM ahead) ORDER BY i.id FOR UPDATE",
        member.0,
        now,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(items.into_iter().map(ItemId).collect())
}

/// A member's rentals of some items that wait for something. Under the items' locks.
pub async fn timed_ahead(conn: &mut PgConnection, member: MemberId, items: &[ItemId], now: OffsetDateTime) -> Result<Vec<Timed>> {
    let items: Vec<Uuid> = items.iter().map(|item| item.0).collect();
    let rows = timed!(
        "WHERE r.item_id = ANY ($2) AND (r.owner_id = $1 OR r.borrower_id = $1) AND r.timer_at > $3 ORDER BY r.id LIMIT $4",
        member.0,
        &items,
        now,
        AHEAD_MAX,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Timed::try_from).collect()
}

/// Has rentals of some items wait for nothing but to be looked at.
pub async fn time_anew(conn: &mut PgConnection, rentals: &[(ItemId, RentalId)], now: OffsetDateTime) -> Result<()> {
    let (items, ids): (Vec<Uuid>, Vec<Uuid>) = rentals.iter().map(|(item, id)| (item.0, id.0)).unzip();
    sqlx::query!(
        "UPDATE rentals r
         SET timer_at = $3
         FROM unnest($1::uuid[], $2::uuid[]) AS n (item_id, id)
         WHERE r.item_id = n.item_id AND r.id = n.id",
        &items,
        &ids,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The instant for which a rental's job waits.
pub async fn timer_at(conn: &mut PgConnection, item: ItemId, id: RentalId) -> Result<Option<OffsetDateTime>> {
    let at = sqlx::query_scalar!("SELECT timer_at FROM rentals WHERE item_id = $1 AND id = $2 LIMIT 1", item.0, id.0)
        .fetch_optional(conn)
        .await?;
    Ok(at.flatten())
}

/// Rentals of whose times some were missed, those that have waited for longest first.
pub async fn missed(conn: &mut PgConnection, before: OffsetDateTime, limit: i64) -> Result<Vec<(ItemId, RentalId, OffsetDateTime)>> {
    let rows = sqlx::query!(
        r#"SELECT item_id, id, timer_at AS "timer_at!"
           FROM rentals
           WHERE timer_at <= $1
           ORDER BY timer_at
           LIMIT $2"#,
        before,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (ItemId(row.item_id), RentalId(row.id), row.timer_at)).collect())
}

/// A rental that waits for its hand-over.
pub struct Expected {
    /// Its id.
    pub id: RentalId,
    /// Who lends.
    pub owner: MemberId,
    /// Who borrows.
    pub borrower: MemberId,
}

/// The accepted rentals of an item that begin before a day.
pub async fn expected(conn: &mut PgConnection, item: ItemId, before: Date) -> Result<Vec<Expected>> {
    let rows = sqlx::query!(
        "SELECT id, owner_id, borrower_id
         FROM rentals
         WHERE item_id = $1 AND status = 'accepted' AND first_day < $2
         ORDER BY first_day
         LIMIT $3",
        item.0,
        before,
        EXPECTED_MAX,
    )
    .fetch_all(conn)
    .await?;
    let expected = |id, owner, borrower| Expected { id: RentalId(id), owner: MemberId(owner), borrower: MemberId(borrower) };
    Ok(rows.into_iter().map(|row| expected(row.id, row.owner_id, row.borrower_id)).collect())
}
