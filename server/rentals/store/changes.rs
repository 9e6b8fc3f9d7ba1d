//! What writes rentals. All of it under the item's lock.

use crate::{
    days::Days,
    error::{Error, Result},
    ids::{ItemId, MemberId, RentalId},
    money::{Cents, Currency},
    rentals::{Rental, RentalStatus, requests::New, rules},
};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};

/// What is written with a new status.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// From which status, and to which.
    pub statuses: (RentalStatus, RentalStatus),
    /// Who leads there.
    pub by: MemberId,
    /// Their words, of a refusal, a hand-over, a return or its confirmation.
    pub note: &'a str,
    /// Which day it is where the owner is: a return frees those behind it.
    pub today: Date,
    /// When.
    pub now: OffsetDateTime,
}

/// Writes a new rental, pending.
pub async fn insert(conn: &mut PgConnection, (item, id): (ItemId, RentalId), new: &New, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO rentals (item_id, id, owner_id, borrower_id, status, first_day, last_day, held_until, price_cents, deposit_cents,
                              total_cents, currency, gratitude, message, asked_at, updated_at, title)
         VALUES ($1, $2, $3, $4, 'pending', $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)",
        item.0,
        id.0,
        new.owner.0,
        new.borrower.0,
        new.days.first(),
        new.days.last(),
        new.price.per_day.cents(),
        new.price.deposit.cents(),
        new.price.of(new.days).cents(),
        new.price.currency as Currency,
        new.gratitude,
        new.message,
        now,
        new.title,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves a rental from one status to another, with what goes with it: who did it and when, and the days that a return frees. More days that
/// were asked for are so no longer.
///
/// # Errors
/// DAYS_TAKEN or WRONG_STATE when a constraint says so, whatever was read before.
pub async fn move_to(conn: &mut PgConnection, rental: &Rental, step: Step<'_>) -> Result<()> {
    let (from, to) = step.statuses;
    let written = sqlx::query!(
        "UPDATE rentals
         SET status = $4,
             updated_at = greatest($5, updated_at + interval '1 microsecond'),
             answered_at = CASE WHEN $4 IN ('accepted', 'declined') THEN $5 ELSE answered_at END,
             decline_note = CASE WHEN $4 = 'declined' THEN $7 ELSE '' END,
             cancelled_at = CASE WHEN $4 = 'cancelled' THEN $5 END,
             cancelled_by = CASE WHEN $4 = 'cancelled' THEN $6::uuid END,
             started_at = CASE WHEN $4 = 'active' THEN $5 ELSE started_at END,
             started_by = CASE WHEN $4 = 'active' THEN $6 ELSE started_by END,
             start_note = CASE WHEN $4 = 'active' THEN $7 ELSE start_note END,
             returned_at = CASE WHEN $4 IN ('returned', 'completed') THEN coalesce(returned_at, $5) END,
             returned_by = CASE WHEN $4 IN ('returned', 'completed') THEN coalesce(returned_by, $6) END,
             return_note = CASE WHEN $4 IN ('returned', 'completed') AND returned_at IS NULL THEN $7 ELSE return_note END,
             held_until = CASE
                 WHEN $4 IN ('returned', 'completed') AND returned_at IS NULL THEN greatest(first_day, least(last_day, $8))
                 ELSE held_until
             END,
             completed_at = CASE WHEN $4 = 'completed' THEN $5 END,
             complete_note = CASE WHEN $4 = 'completed' AND returned_at IS NOT NULL THEN $7 ELSE '' END,
             more_until = NULL,
             more_asked_at = NULL
         WHERE item_id = $1 AND id = $2 AND status = $3",
        rental.item.0,
        rental.id.0,
        from as RentalStatus,
        to as RentalStatus,
        step.now,
        step.by.0,
        step.note,
        step.today,
    )
    .execute(conn)
    .await
    .map_err(refused)?;
    one(written.rows_affected())
}

/// Ends a pending or accepted rental whose days have passed, which nobody called off, or one that was given back, which nobody confirmed.
pub async fn lapse(conn: &mut PgConnection, (item, id): (ItemId, RentalId), from: RentalStatus, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET status = CASE WHEN status = 'returned' THEN 'completed' ELSE 'cancelled' END,
             cancelled_at = CASE WHEN status <> 'returned' THEN $3::timestamptz END,
             completed_at = CASE WHEN status = 'returned' THEN $3 END,
             timer_at = NULL, updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND status = $4 AND status IN ('pending', 'accepted', 'returned')",
        item.0,
        id.0,
        now,
        from as RentalStatus,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Writes other days of a pending rental, and what they cost.
pub async fn set_days(conn: &mut PgConnection, rental: &Rental, days: Days, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET first_day = $3, last_day = $4, held_until = $4, total_cents = $5,
             updated_at = greatest($6, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND status = 'pending'",
        rental.item.0,
        rental.id.0,
        days.first(),
        days.last(),
        rental.price.of(days).cents(),
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Notes that more days are asked for.
pub async fn ask_more(conn: &mut PgConnection, rental: &Rental, until: Date, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET more_until = $3, more_asked_at = $4, updated_at = greatest($4, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND status = 'active'",
        rental.item.0,
        rental.id.0,
        until,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Notes that more days are asked for no longer.
pub async fn drop_more(conn: &mut PgConnection, rental: &Rental, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET more_until = NULL, more_asked_at = NULL, updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND status = 'active' AND more_until IS NOT NULL",
        rental.item.0,
        rental.id.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Books the more days that are asked for, at this price in all.
///
/// # Errors
/// DAYS_TAKEN when the constraint says so.
pub async fn extend(conn: &mut PgConnection, rental: &Rental, total: Cents, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE rentals
         SET last_day = more_until, held_until = more_until, total_cents = $3, more_until = NULL, more_asked_at = NULL,
             updated_at = greatest($4, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND id = $2 AND status = 'active' AND more_until IS NOT NULL",
        rental.item.0,
        rental.id.0,
        total.cents(),
        now,
    )
    .execute(conn)
    .await
    .map_err(refused)?;
    one(written.rows_affected())
}

/// Declines all that waits for the owner of an item: each with its borrower, and how the item was called when they asked.
pub async fn decline_waiting(conn: &mut PgConnection, item: ItemId, now: OffsetDateTime) -> Result<Vec<(RentalId, MemberId, String)>> {
    let rows = sqlx::query!(
        "UPDATE rentals
         SET status = 'declined', answered_at = $2, timer_at = NULL, updated_at = greatest($2, updated_at + interval '1 microsecond')
         WHERE item_id = $1 AND status = 'pending'
         RETURNING id, borrower_id, title",
        item.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (RentalId(row.id), MemberId(row.borrower_id), row.title)).collect())
}

/// What the constraints behind the lock refuse.
fn refused(e: sqlx::Error) -> Error {
    match e.as_database_error().and_then(|refusal| refusal.constraint()) {
        Some("rentals_no_double_booking") => rules::days_taken().caused_by(e),
        Some("rentals_one_active") => rules::still_out().caused_by(e),
        _ => e.into(),
    }
}

/// Under the lock nobody else has changed it since it was read.
pub(super) fn one(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::internal(anyhow::anyhow!("{rows} rentals were written instead of one"))) }
}
