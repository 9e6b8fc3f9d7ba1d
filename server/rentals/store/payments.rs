//! Payments between the two sides of a rental, as they noted them. Written under the item's lock.

use super::{
    super::{EventKind, Payment, Rental},
    changes::one,
};
use crate::{
    error::Result,
    ids::MemberId,
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// The steps of the story that are about the price, each with its sum, the oldest first.
///
/// # Errors
/// As the database.
pub async fn price_steps(conn: &mut PgConnection, rental: &Rental) -> Result<Vec<(EventKind, Cents)>> {
    let steps = sqlx::query!(
        r#"SELECT kind AS "kind: EventKind", amount_cents
           FROM rental_events
           WHERE item_id = $1 AND rental_id = $2 AND kind IN ('paid', 'not_paid', 'refunded')
           ORDER BY step
           LIMIT 10000"#,
        rental.item.0,
        rental.id.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(steps.into_iter().map(|step| (step.kind, Cents::from_cents(step.amount_cents))).collect())
}

/// Writes a payment, or its correction, of an amount.
///
/// # Errors
/// As the database.
pub async fn record(conn: &mut PgConnection, rental: &Rental, (payment, amount): (Payment, Cents), now: OffsetDateTime) -> Result<()> {
    let (paid, received, returned) = (rental.paid, rental.deposit_received_at, rental.deposit_returned_at);
    let (paid, received, returned) = match payment {
        Payment::PricePaid => (Cents::from_cents(paid.cents() + amount.cents()), received, returned),
        Payment::PriceNotPaid | Payment::PriceRefunded => (Cents::from_cents(paid.cents() - amount.cents()), received, returned),
        Payment::DepositReceived => (paid, Some(now), returned),
        Payment::DepositNotReceived => (paid, None, returned),
        Payment::DepositReturned => (paid, received, Some(now)),
        Payment::DepositNotReturned => (paid, received, None),
    };
    let written = sqlx::query!(
        "UPDATE rentals
         SET paid_cents = $3, deposit_received_at = $4, deposit_returned_at = $5,
             updated_at = greatest($6, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2",
        rental.item.0,
        rental.id.0,
        paid.cents(),
        received,
        returned,
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
