//! Statements on the days in which an item is not lent.

use crate::{days::Days, error::Result, ids::ItemId};
use sqlx::PgConnection;
use time::Date;

/// The ranges of an item's black-out days that meet some days, ascending: at most 100, since it has no more.
///
/// # Errors
/// As the database.
pub async fn blackouts(conn: &mut PgConnection, item: ItemId, from: Date, until: Date) -> Result<Vec<Days>> {
    let rows = sqlx::query!(
        "SELECT first_day, last_day
         FROM item_blackouts
         WHERE item_id = $1 AND last_day >= $2 AND first_day <= $3
         ORDER BY first_day
         LIMIT 100",
        item.0,
        from,
        until,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().filter_map(|row| Days::new(row.first_day, row.last_day)).collect())
}

/// Writes all ranges that there shall be.
pub async fn set_blackouts(conn: &mut PgConnection, item: ItemId, ranges: &[Days]) -> Result<()> {
    let (firsts, lasts): (Vec<Date>, Vec<Date>) = ranges.iter().map(|range| (range.first(), range.last())).unzip();
    sqlx::query!("DELETE FROM item_blackouts WHERE item_id = $1", item.0).execute(&mut *conn).await?;
    sqlx::query!(
        "INSERT INTO item_blackouts (item_id, first_day, last_day)
         SELECT $1, r.first_day, r.last_day
         FROM unnest($2::date[], $3::date[]) AS r (first_day, last_day)",
        item.0,
        &firsts,
        &lasts,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes some thousands of those that ended before a day. How many.
pub async fn remove_past_blackouts(conn: &mut PgConnection, before: Date) -> Result<u64> {
    let gone = sqlx::query!(
        "DELETE FROM item_blackouts
         WHERE (item_id, first_day) IN (
             SELECT item_id, first_day
             FROM item_blackouts
             WHERE last_day < $1
             LIMIT 10000
             FOR UPDATE SKIP LOCKED
         )",
        before,
    )
    .execute(conn)
    .await?;
    Ok(gone.rows_affected())
}
