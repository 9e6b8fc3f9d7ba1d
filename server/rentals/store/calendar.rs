//! Statements on the days that rentals hold.

use crate::{
    days::Days,
    error::Result,
    ids::{ItemId, MemberId},
    rentals::{RentalStatus, calendar::Calendar},
};
use sqlx::PgConnection;
use time::Date;
use uuid::Uuid;

/// What rentals of an item hold of some days, and for which days it is out now, whether or not these are among them. The black-out days are the
/// item's to tell.
pub async fn calendar(conn: &mut PgConnection, item: ItemId, range: Days) -> Result<Calendar> {
    // Each holds a day of these that no other does, but for the one that is out.
    let rows = sqlx::query!(
        r#"SELECT status AS "status: RentalStatus", first_day, held_until
           FROM rentals
           WHERE item_id = $1 AND status IN ('accepted', 'active', 'returned')
               AND (status = 'active' OR first_day <= $3 AND held_until >= $2)
           ORDER BY first_day
           LIMIT 1000"#,
        item.0,
        range.first(),
        range.last(),
    )
    .fetch_all(conn)
    .await?;
    let mut calendar = Calendar::default();
    for (status, days) in rows.into_iter().filter_map(|row| Some((row.status, Days::new(row.first_day, row.held_until)?))) {
        match status {
            RentalStatus::Active => calendar.out = Some(days),
            _ => calendar.booked.push(days),
        }
    }
    Ok(calendar)
}

/// The first of some ranges in which rentals of an item hold a day.
pub async fn booked(conn: &mut PgConnection, item: ItemId, ranges: &[Days]) -> Result<Option<Days>> {
    let first: Vec<Date> = ranges.iter().map(|range| range.first()).collect();
    let last: Vec<Date> = ranges.iter().map(|range| range.last()).collect();
    let found = sqlx::query!(
        r#"SELECT w.first_day AS "first_day!", w.last_day AS "last_day!"
           FROM unnest($2::date[], $3::date[]) WITH ORDINALITY AS w (first_day, last_day, place)
           WHERE EXISTS (
               SELECT FROM rentals r
               WHERE r.item_id = $1 AND r.status IN ('accepted', 'active', 'returned')
                   AND r.first_day <= w.last_day AND r.held_until >= w.first_day
           )
           ORDER BY w.place
           LIMIT 1"#,
        item.0,
        &first,
        &last,
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.and_then(|row| Days::new(row.first_day, row.last_day)))
}

/// The requests of a borrower that wait for the owner of an item.
#[derive(Clone, Copy, Debug)]
pub struct OfBorrower {
    /// How many there are.
    pub count: i64,
    /// Whether one is for just the days that are asked about.
    pub same: bool,
}

/// What of a borrower's waits for the owner of an item, beside what they ask for now.
pub async fn waiting_of(conn: &mut PgConnection, item: ItemId, borrower: MemberId, days: Days) -> Result<OfBorrower> {
    let waiting = sqlx::query_as!(
        OfBorrower,
        r#"SELECT count(*) AS "count!", coalesce(bool_or(first_day = $3 AND last_day = $4), false) AS "same!"
           FROM rentals
           WHERE item_id = $1 AND borrower_id = $2 AND status = 'pending'
           LIMIT 1"#,
        item.0,
        borrower.0,
        days.first(),
        days.last(),
    )
    .fetch_one(conn)
    .await?;
    Ok(waiting)
}

/// Those of some items that are promised, or out.
pub async fn promised_of(conn: &mut PgConnection, items: &[ItemId]) -> Result<Vec<ItemId>> {
    let items: Vec<Uuid> = items.iter().map(|item| item.0).collect();
    let promised = sqlx::query_scalar!(
        r#"SELECT i.id AS "id!"
           FROM unnest($1::uuid[]) AS i (id)
           WHERE EXISTS (SELECT FROM rentals r WHERE r.item_id = i.id AND r.status IN ('accepted', 'active', 'returned'))
           LIMIT cardinality($1)"#,
        &items,
    )
    .fetch_all(conn)
    .await?;
    Ok(promised.into_iter().map(ItemId).collect())
}

/// A status of a rental for which an item is promised, or out; `None` where there is no such rental.
pub async fn promised(conn: &mut PgConnection, item: ItemId) -> Result<Option<RentalStatus>> {
    let status = sqlx::query_scalar!(
        r#"SELECT status AS "status: RentalStatus"
           FROM rentals
           WHERE item_id = $1 AND status IN ('accepted', 'active', 'returned')
           LIMIT 1"#,
        item.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(status)
}
