//! What becomes of a member's rentals when they leave. Those that are open under the locks of their items.

use super::{super::RentalStatus, days};
use crate::{
    days::Days,
    error::Result,
    ids::{ItemId, MemberId, RentalId},
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// Whether a member has an item of somebody else's, or somebody has one of theirs; one whose return is not confirmed counts.
pub async fn has_out(conn: &mut PgConnection, member: MemberId) -> Result<bool> {
    let out = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM rentals WHERE owner_id = $1 AND status IN ('active', 'returned'))
                  OR EXISTS (SELECT FROM rentals WHERE borrower_id = $1 AND status IN ('active', 'returned')) AS "out!"
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(out)
}

/// The items of the open rentals of a member, on either side, in the order of their ids.
pub async fn items_of(conn: &mut PgConnection, member: MemberId) -> Result<Vec<ItemId>> {
    let items = sqlx::query_scalar!(
        r#"SELECT item_id AS "item_id!"
           FROM (
               SELECT item_id FROM rentals WHERE owner_id = $1 AND status IN ('pending', 'accepted', 'active', 'returned')
               UNION
               SELECT item_id FROM rentals WHERE borrower_id = $1 AND status IN ('pending', 'accepted', 'active', 'returned')
           ) r
           ORDER BY item_id"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(items.into_iter().map(ItemId).collect())
}

/// A rental that is open no longer.
pub struct Ended {
    /// Its id.
    pub id: RentalId,
    /// Who lends.
    pub owner: MemberId,
    /// Who borrows.
    pub borrower: MemberId,
    /// How the item is called.
    pub title: String,
    /// What was asked for, or agreed.
    pub days: Days,
    /// Where it stands now.
    pub status: RentalStatus,
    /// What was paid and not paid back, the deposit included.
    pub open: Cents,
    /// Of what currency.
    pub currency: Currency,
}

/// Ends what of a member's was asked for or agreed and not handed over, with the step of the story: what was asked of them is declined, all else
/// called off.
pub async fn end_open(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<Ended>> {
    let rows = sqlx::query!(
        r#"WITH ended AS (
               UPDATE rentals r
               SET status = o.ends_as,
                   answered_at = CASE WHEN o.ends_as = 'declined' THEN $2 ELSE r.answered_at END,
                   cancelled_at = CASE WHEN o.ends_as = 'cancelled' THEN $2 END,
                   cancelled_by = CASE WHEN o.ends_as = 'cancelled' THEN $1 END,
                   timer_at = NULL, updated_at = greatest($2, r.updated_at + interval '1 microsecond')
               FROM (
                   SELECT item_id, id, CASE WHEN status = 'pending' AND owner_id = $1 THEN 'declined' ELSE 'cancelled' END AS ends_as
                   FROM rentals
                   WHERE (owner_id = $1 OR borrower_id = $1) AND status IN ('pending', 'accepted')
               ) o
               WHERE r.item_id = o.item_id AND r.id = o.id
               RETURNING r.item_id, r.id, r.owner_id, r.borrower_id, r.first_day, r.last_day, r.status, r.title, r.currency,
                         r.paid_cents + CASE WHEN r.deposit_received_at IS NOT NULL AND r.deposit_returned_at IS NULL THEN r.deposit_cents ELSE 0 END
                         AS open
           ), told AS (
               INSERT INTO rental_events (item_id, rental_id, step, kind, actor_id, at)
               SELECT e.item_id, e.id,
                      (SELECT coalesce(max(s.step), 0) + 1 FROM rental_events s WHERE s.item_id = e.item_id AND s.rental_id = e.id),
                      e.status, $1, $2
               FROM ended e
           )
           SELECT e.id, e.owner_id, e.borrower_id, e.first_day, e.last_day, e.status AS "status: RentalStatus",
                  e.currency AS "currency: Currency", e.open AS "open!",
                  CASE WHEN e.status = 'declined' THEN e.title ELSE i.title END AS "title!"
           FROM ended e
           JOIN items i ON i.id = e.item_id
           ORDER BY e.id"#,
        member.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    let ended = rows.into_iter().map(|row| {
        Ok(Ended {
            id: RentalId(row.id),
            owner: MemberId(row.owner_id),
            borrower: MemberId(row.borrower_id),
            title: row.title,
            days: days(row.first_day, row.last_day)?,
            status: row.status,
            open: Cents::from_cents(row.open),
            currency: row.currency,
        })
    });
    ended.collect()
}

/// Clears a member's words, and what they showed of a hand-over, a return or its confirmation. What was agreed stays: it is the other's past too.
pub async fn forget_words(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("UPDATE rentals SET message = '' WHERE borrower_id = $1 AND message <> ''", member.0).execute(&mut *conn).await?;
    sqlx::query!(
        "UPDATE rentals
         SET start_note = CASE WHEN started_by = $1 THEN '' ELSE start_note END,
             return_note = CASE WHEN returned_by = $1 THEN '' ELSE return_note END,
             complete_note = CASE WHEN owner_id = $1 THEN '' ELSE complete_note END,
             decline_note = CASE WHEN owner_id = $1 THEN '' ELSE decline_note END,
             note_by_owner = CASE WHEN owner_id = $1 THEN '' ELSE note_by_owner END,
             note_by_borrower = CASE WHEN borrower_id = $1 THEN '' ELSE note_by_borrower END
         WHERE (owner_id = $1 OR borrower_id = $1)
           AND (started_by = $1 AND start_note <> '' OR returned_by = $1 AND return_note <> ''
                OR owner_id = $1 AND (complete_note <> '' OR decline_note <> '' OR note_by_owner <> '')
                OR borrower_id = $1 AND note_by_borrower <> '')",
        member.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "DELETE FROM rental_pictures p
         USING rentals r
         WHERE p.item_id = r.item_id AND p.rental_id = r.id AND (r.owner_id = $1 OR r.borrower_id = $1)
           AND $1 = CASE p.moment WHEN 'start' THEN r.started_by WHEN 'return' THEN r.returned_by ELSE r.owner_id END",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes the rentals of a member that are nobody else's past. The items that have none left.
pub async fn remove_lonely(conn: &mut PgConnection, member: MemberId) -> Result<Vec<ItemId>> {
    let items = sqlx::query_scalar!(
        "DELETE FROM rentals r
         WHERE (r.owner_id = $1 OR r.borrower_id = $1) AND NOT EXISTS (
             SELECT
             FROM members m
             WHERE m.id = CASE WHEN r.owner_id = $1 THEN r.borrower_id ELSE r.owner_id END AND m.status = 'confirmed'
         )
         RETURNING r.item_id",
        member.0,
    )
    .fetch_all(&mut *conn)
    .await?;
    let forgotten = sqlx::query_scalar!(
        r#"SELECT DISTINCT i.id AS "id!"
           FROM unnest($1::uuid[]) AS i (id)
           WHERE NOT EXISTS (SELECT FROM rentals r WHERE r.item_id = i.id)"#,
        &items,
    )
    .fetch_all(conn)
    .await?;
    Ok(forgotten.into_iter().map(ItemId).collect())
}

/// A rental, for its member's export.
pub struct Kept {
    /// Its id.
    pub id: Uuid,
    /// How the item is called.
    pub title: String,
    /// Where it stands.
    pub status: RentalStatus,
    /// The first day.
    pub first_day: Date,
    /// The last day.
    pub last_day: Date,
    /// The price of all days, in cents.
    pub total_cents: i64,
    /// The deposit, in cents.
    pub deposit_cents: i64,
    /// The currency of both.
    pub currency: Currency,
    /// What the borrower gives on top, in whole units.
    pub gratitude: i16,
    /// The borrower's words.
    pub message: String,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
    /// When it was handed over.
    pub started_at: Option<OffsetDateTime>,
    /// The words of the hand-over.
    pub start_note: String,
    /// When it was given back.
    pub returned_at: Option<OffsetDateTime>,
    /// The words of the return.
    pub return_note: String,
    /// When the return was confirmed.
    pub completed_at: Option<OffsetDateTime>,
    /// The words of the confirmation.
    pub complete_note: String,
    /// What the owner gave the borrower.
    pub rating_by_owner: Option<i16>,
    /// What the borrower gave the owner.
    pub rating_by_borrower: Option<i16>,
    /// The part of price and gratitude that was marked as paid, in cents.
    pub paid_cents: i64,
    /// When the deposit was marked as received.
    pub deposit_received_at: Option<OffsetDateTime>,
    /// When the deposit was marked as returned.
    pub deposit_returned_at: Option<OffsetDateTime>,
    /// Why the owner declined.
    pub decline_note: String,
    /// The owner's words with their rating.
    pub note_by_owner: String,
    /// The borrower's words with their rating.
    pub note_by_borrower: String,
    /// How many pictures there are of all three.
    pub pictures: i64,
}

/// The rentals of a member on one side, the newest first, before a key. Of who blocks them there are no words and pictures in what is over, as
/// everywhere (`known.rs`), and what somebody gave in stars is theirs to know.
pub async fn kept(conn: &mut PgConnection, member: MemberId, lends: bool, before: (OffsetDateTime, Uuid), limit: i64) -> Result<Vec<Kept>> {
    let rows = sqlx::query_as!(
        Kept,
        r#"SELECT r.id, CASE WHEN $2 THEN i.title ELSE r.title END AS "title!",
                  r.status AS "status: RentalStatus", r.first_day, r.last_day, r.total_cents,
                  r.deposit_cents, r.currency AS "currency: Currency", r.gratitude, r.asked_at, r.started_at, r.returned_at, r.completed_at,
                  CASE WHEN $2 AND w.hides THEN '' ELSE r.message END AS "message!",
                  CASE WHEN r.started_by <> $1 AND w.hides THEN '' ELSE r.start_note END AS "start_note!",
                  CASE WHEN r.returned_by <> $1 AND w.hides THEN '' ELSE r.return_note END AS "return_note!",
                  CASE WHEN NOT $2 AND w.hides THEN '' ELSE r.complete_note END AS "complete_note!",
                  r.paid_cents, r.deposit_received_at, r.deposit_returned_at,
                  CASE WHEN NOT $2 AND w.hides THEN '' ELSE r.decline_note END AS "decline_note!",
                  CASE WHEN NOT $2 AND w.hides THEN '' ELSE r.note_by_owner END AS "note_by_owner!",
                  CASE WHEN $2 AND w.hides THEN '' ELSE r.note_by_borrower END AS "note_by_borrower!",
                  CASE WHEN $2 THEN r.rating_by_owner END AS rating_by_owner,
                  CASE WHEN NOT $2 THEN r.rating_by_borrower END AS rating_by_borrower,
                  (
                      SELECT count(*)
                      FROM rental_pictures p
                      WHERE p.item_id = r.item_id AND p.rental_id = r.id AND (
                          NOT w.hides
                          OR $1 = CASE p.moment WHEN 'start' THEN r.started_by WHEN 'return' THEN r.returned_by ELSE r.owner_id END
                      )
                  ) AS "pictures!"
           FROM rentals r
           JOIN items i ON i.id = r.item_id
           CROSS JOIN LATERAL (
               SELECT r.status NOT IN ('accepted', 'active', 'returned') AND EXISTS (
                   SELECT FROM blocks k
                   WHERE k.member_id = CASE WHEN $2 THEN r.borrower_id ELSE r.owner_id END AND k.other_id = $1
               ) AS hides
           ) w
           WHERE (($2 AND r.owner_id = $1) OR (NOT $2 AND r.borrower_id = $1)) AND (r.asked_at, r.id) < ($3, $4)
           ORDER BY r.asked_at DESC, r.id DESC
           LIMIT $5"#,
        member.0,
        lends,
        before.0,
        before.1,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
