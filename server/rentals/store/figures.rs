//! What is counted of rentals.

use super::super::overview::{Ahead, ItemFigures};
use crate::{
    error::Result,
    ids::{ItemId, MemberId, RentalId},
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

/// How many rentals a member completed, on either side.
///
/// # Errors
/// As the database.
pub async fn completed(conn: &mut PgConnection, member: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT (SELECT count(*) FROM rentals WHERE owner_id = $1 AND status = 'completed')
                  + (SELECT count(*) FROM rentals WHERE borrower_id = $1 AND status = 'completed') AS "count!"
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// What is counted of an item's rentals. Those of another currency than the item's now, from before its owner changed that, are not in what it earned.
pub async fn of_item(conn: &mut PgConnection, item: ItemId, currency: Currency) -> Result<ItemFigures> {
    let row = sqlx::query!(
        r#"SELECT count(*) FILTER (WHERE status = 'completed') AS "completed!",
                  coalesce(sum(paid_cents) FILTER (WHERE status <> 'cancelled' AND currency = $2), 0)::bigint AS "earned!",
                  coalesce(sum(held_until - first_day + 1) FILTER (WHERE status = 'completed'), 0)::bigint AS "days!",
                  count(*) FILTER (WHERE status IN ('pending', 'accepted', 'active', 'returned')) AS "open!"
           FROM rentals
           WHERE item_id = $1
           LIMIT 1"#,
        item.0,
        currency as Currency,
    )
    .fetch_one(conn)
    .await?;
    Ok(ItemFigures { completed: row.completed, earned: Cents::from_cents(row.earned), days: row.days, open: row.open })
}

/// The rentals of a member, on either side, that begin or are due back, the first first: what is overdue too, and what was agreed and not handed
/// over by a day.
///
/// # Errors
/// As the database.
pub async fn ahead(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime, limit: i64) -> Result<Vec<Ahead>> {
    // Days are those of the owners: in the west some are a day behind.
    let today = (now - Duration::DAY).date();
    let rows = sqlx::query!(
        r#"SELECT r.id, i.title, CASE WHEN r.status = 'active' THEN r.last_day ELSE r.first_day END AS "day!"
           FROM rentals r
           JOIN items i ON i.id = r.item_id
           WHERE r.status IN ('accepted', 'active') AND (r.owner_id = $1 OR r.borrower_id = $1)
             AND (r.status = 'active' OR r.last_day >= $2)
           ORDER BY 3, r.id
           LIMIT $3"#,
        member.0,
        today,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| Ahead { id: RentalId(r.id), title: r.title, day: r.day }).collect())
}
