//! Payments between the two sides of a rental, as they noted them. Written under the item's lock.

use super::{super::Rental, changes::one};
use crate::{
    error::Result,
    ids::MemberId,
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Notes that all of price and gratitude is paid.
pub async fn mark_paid(conn: &mut PgConnection, rental: &Rental, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET paid_cents = total_cents + gratitude::bigint * 100,
             updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2",
        rental.item.0,
        rental.id.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Notes that the owner received the deposit.
pub async fn receive_deposit(conn: &mut PgConnection, rental: &Rental, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET deposit_received_at = $3, updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND deposit_received_at IS NULL",
        rental.item.0,
        rental.id.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Notes that the borrower got the deposit back.
pub async fn return_deposit(conn: &mut PgConnection, rental: &Rental, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET deposit_returned_at = $3, updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND deposit_received_at IS NOT NULL AND deposit_returned_at IS NULL",
        rental.item.0,
        rental.id.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// All that was marked as paid to a member for their rentals, by currency in their order, without zeros. Those that were
/// called off do not count: the two sides settle that among themselves.
///
/// # Errors
/// As the database.
pub async fn earnings(conn: &mut PgConnection, member: MemberId) -> Result<Vec<(Currency, Cents)>> {
    let rows = sqlx::query!(
        r#"SELECT currency AS "currency: Currency", sum(paid_cents)::bigint AS "cents!"
           FROM rentals
           WHERE owner_id = $1 AND paid_cents > 0 AND status <> 'cancelled'
           GROUP BY currency
           LIMIT 10"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let mut earnings: Vec<_> = rows.into_iter().map(|r| (r.currency, Cents::from_cents(r.cents))).collect();
    earnings.sort();
    Ok(earnings)
}
