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
