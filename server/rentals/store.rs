//! Every SQL statement on rentals, rental_events, rental_pictures and member_ratings.

mod account_deletion;
mod calendar;
mod changes;
mod figures;
mod lists;
mod payments;
mod pictures;
mod ratings;
mod story;
mod ties;
mod timers;
mod unfriending;

pub use account_deletion::{Ended, Kept, end_open, forget_words, has_out, items_of, kept, remove_lonely};
pub use calendar::{OfBorrower, booked, calendar, promised, promised_of, waiting_of};
pub use changes::{Step, ask_more, decline_waiting, drop_more, extend, insert, lapse, move_to, set_days};
pub use figures::{ahead, completed, of_item};
pub use lists::{Counts, List, Wanted, counts, lent_items, page};
pub use payments::{earnings, price_steps, record};
pub use pictures::{add_pictures, pictures};
pub use ratings::{Given, forget_ratings, rate};
pub use story::{add_event, add_events, add_step, events};
pub use ties::{Ties, going_on, ties};
pub use timers::{expected, lock_ahead, missed, out, set_timer, time_anew, timed, timed_ahead, timer_at};
pub use unfriending::{Waiting, lock_waiting, remove_waiting, waiting_items};

use super::{EventKind, Handover, Moment, More, Price, Ratings, Rental, RentalStatus};
use crate::{
    days::Days,
    error::{Error, Result},
    identity::Shown,
    ids::{ItemId, MemberId, RentalId},
    items::{self, Beholder},
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

struct Row {
    id: Uuid,
    item_id: Uuid,
    title: String,
    asked_as: String,
    category: items::Category,
    owner_id: Uuid,
    borrower_id: Uuid,
    status: RentalStatus,
    first_day: Date,
    last_day: Date,
    price_cents: i64,
    deposit_cents: i64,
    total_cents: i64,
    currency: Currency,
    gratitude: i16,
    paid_cents: i64,
    was_paid: bool,
    was_received: bool,
    deposit_received_at: Option<OffsetDateTime>,
    deposit_returned_at: Option<OffsetDateTime>,
    message: String,
    decline_note: String,
    note_by_owner: String,
    note_by_borrower: String,
    asked_at: OffsetDateTime,
    started_at: Option<OffsetDateTime>,
    started_by: Option<Uuid>,
    start_note: String,
    returned_at: Option<OffsetDateTime>,
    returned_by: Option<Uuid>,
    return_note: String,
    completed_at: Option<OffsetDateTime>,
    complete_note: String,
    more_until: Option<Date>,
    more_asked_at: Option<OffsetDateTime>,
    rating_by_owner: Option<i16>,
    rating_by_borrower: Option<i16>,
    last_step: Option<EventKind>,
    zone: String,
    owner_email: Option<String>,
    owner_given_name: Option<String>,
    owner_family_name: Option<String>,
    owner_display_name: Option<String>,
    owner_picture: Option<String>,
    borrower_email: Option<String>,
    borrower_given_name: Option<String>,
    borrower_family_name: Option<String>,
    borrower_display_name: Option<String>,
    borrower_picture: Option<String>,
    owner_ratings: i32,
    owner_rated: i64,
    borrower_ratings: i32,
    borrower_rated: i64,
    friends: bool,
    owner_blocks: bool,
    borrower_blocks: bool,
    item_status: items::Status,
    visibility: items::Visibility,
    narrowed: bool,
    in_group: bool,
    booked: bool,
    out_until: Option<Date>,
}

/// The address, the first, last and chosen name, and the picture of a member; without the first three there is no account.
type Columns = (Option<String>, Option<String>, Option<String>, Option<String>, Option<String>);

fn shown(id: Uuid, (email, given_name, family_name, display_name, picture): Columns) -> Option<Shown> {
    Some(Shown::kept(id, email?, (given_name?, family_name?), display_name, picture.as_deref()))
}

fn days(first: Date, last: Date) -> Result<Days> {
    Days::new(first, last).ok_or_else(|| Error::internal(anyhow::anyhow!("a rental ends before it begins")))
}

fn handover(at: Option<OffsetDateTime>, by: Option<Uuid>, note: String) -> Option<Handover> {
    Some(Handover { at: at?, by: MemberId(by?), note, pictures: Vec::new() })
}

impl TryFrom<Row> for Rental {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let owner = (row.owner_email, row.owner_given_name, row.owner_family_name, row.owner_display_name, row.owner_picture);
        let beholder = Beholder {
            is_owner: false,
            is_friend: row.friends,
            is_hidden: row.owner_blocks || row.borrower_blocks,
            is_in_group: row.in_group,
        };
        // The owner's own return is the confirmation too, and has their words; one that counts as confirmed is nobody's.
        let is_own = row.returned_by == Some(row.owner_id);
        let confirmed_at = row.completed_at.filter(|_| !is_own && row.last_step != Some(EventKind::Lapsed));
        let borrower =
            (row.borrower_email, row.borrower_given_name, row.borrower_family_name, row.borrower_display_name, row.borrower_picture);
        Ok(Self {
            id: RentalId(row.id),
            item: ItemId(row.item_id),
            title: row.title,
            asked_as: row.asked_as,
            category: Some(row.category),
            image: None,
            owner: MemberId(row.owner_id),
            borrower: MemberId(row.borrower_id),
            status: row.status,
            days: days(row.first_day, row.last_day)?,
            price: Price {
                per_day: Cents::from_cents(row.price_cents),
                deposit: Cents::from_cents(row.deposit_cents),
                currency: row.currency,
            },
            total: Cents::from_cents(row.total_cents),
            gratitude: row.gratitude,
            paid: Cents::from_cents(row.paid_cents),
            was_paid: row.was_paid,
            was_received: row.was_received,
            deposit_received_at: row.deposit_received_at,
            deposit_returned_at: row.deposit_returned_at,
            message: row.message,
            decline_note: row.decline_note,
            note_by_owner: row.note_by_owner,
            note_by_borrower: row.note_by_borrower,
            asked_at: row.asked_at,
            started: handover(row.started_at, row.started_by, row.start_note),
            returned: handover(row.returned_at, row.returned_by, row.return_note),
            completed: handover(confirmed_at, Some(row.owner_id), row.complete_note),
            more: row.more_until.zip(row.more_asked_at).map(|(until, asked_at)| More { until, asked_at }),
            rating_by_owner: row.rating_by_owner,
            rating_by_borrower: row.rating_by_borrower,
            last_step: row.last_step,
            zone: row.zone,
            owner_shown: shown(row.owner_id, owner),
            borrower_shown: shown(row.borrower_id, borrower),
            owner_ratings: Ratings { count: row.owner_ratings.into(), total: row.owner_rated },
            borrower_ratings: Ratings { count: row.borrower_ratings.into(), total: row.borrower_rated },
            friends: row.friends,
            owner_blocks: row.owner_blocks,
            borrower_blocks: row.borrower_blocks,
            seen: items::seen(row.item_status, row.visibility, row.narrowed, beholder),
            listed: row.item_status == items::Status::Listed,
            booked: row.booked,
            out_until: row.out_until,
        })
    }
}

/// Rentals with their two sides, which are looked up one by one: a page has few, and there are many members. What may be booked by others is
/// looked at where it waits for the owner's word alone.
macro_rules! rentals {
    ($conn:expr, $whose:tt, $rest:tt $(, $arg:expr)* $(,)?) => {{
        let conn: &mut PgConnection = $conn;
        let rows = sqlx::query_as!(
            Row,
            r#"SELECT r.id, r.item_id, i.title, r.title AS asked_as,
                      i.category AS "category: items::Category", r.owner_id, r.borrower_id,
                      r.status AS "status: RentalStatus", r.first_day, r.last_day,
                      r.price_cents, r.deposit_cents, r.total_cents, r.currency AS "currency: Currency", r.gratitude, r.paid_cents,
                      r.deposit_received_at, r.deposit_returned_at, r.message, r.decline_note, r.note_by_owner, r.note_by_borrower, r.asked_at,
                      r.started_at, r.started_by, r.start_note, r.returned_at, r.returned_by, r.return_note, r.completed_at, r.complete_note,
                      r.more_until, r.more_asked_at,
                      r.rating_by_owner, r.rating_by_borrower,
                      (
                          SELECT e.kind
                          FROM rental_events e
                          WHERE e.item_id = r.item_id AND e.rental_id = r.id
                              AND e.kind NOT IN (
                                  'paid', 'not_paid', 'refunded',
                                  'deposit_received', 'deposit_not_received', 'deposit_returned', 'deposit_not_returned'
                              )
                          ORDER BY e.step DESC
                          LIMIT 1
                      ) AS "last_step: EventKind",
                      r.status = 'cancelled' AND EXISTS (
                          SELECT FROM rental_events e
                          WHERE e.item_id = r.item_id AND e.rental_id = r.id AND e.kind = 'paid'
                      ) AS "was_paid!",
                      r.status IN ('completed', 'cancelled') AND EXISTS (
                          SELECT FROM rental_events e
                          WHERE e.item_id = r.item_id AND e.rental_id = r.id AND e.kind = 'deposit_received'
                      ) AS "was_received!",
                      coalesce(o.time_zone, 'UTC') AS "zone!", o.email AS "owner_email?", o.given_name AS "owner_given_name?",
                      o.family_name AS "owner_family_name?", o.display_name AS "owner_display_name?", o.picture AS "owner_picture?",
                      b.email AS "borrower_email?", b.given_name AS "borrower_given_name?", b.family_name AS "borrower_family_name?",
                      b.display_name AS "borrower_display_name?", b.picture AS "borrower_picture?",
                      coalesce(og.count, 0) AS "owner_ratings!", coalesce(og.total, 0) AS "owner_rated!",
                      coalesce(bg.count, 0) AS "borrower_ratings!", coalesce(bg.total, 0) AS "borrower_rated!",
                      EXISTS (SELECT FROM friendships s WHERE s.member_id = r.owner_id AND s.friend_id = r.borrower_id) AS "friends!",
                      EXISTS (
                          SELECT FROM blocks k
                          WHERE k.member_id = r.owner_id AND k.other_id = r.borrower_id
                      ) AS "owner_blocks!",
                      EXISTS (
                          SELECT FROM blocks k
                          WHERE k.member_id = r.borrower_id AND k.other_id = r.owner_id
                      ) AS "borrower_blocks!",
                      i.status AS "item_status: items::Status", i.visibility AS "visibility: items::Visibility", i.narrowed,
                      i.narrowed AND EXISTS (
                          SELECT FROM item_groups g
                          JOIN group_members m ON m.owner_id = r.owner_id AND m.group_id = g.group_id AND m.member_id = r.borrower_id
                          WHERE g.item_id = r.item_id
                      ) AS "in_group!",
                      w.first_day IS NOT NULL AND (
                          EXISTS (
                              SELECT FROM rentals h
                              WHERE h.item_id = r.item_id AND h.status IN ('accepted', 'active', 'returned') AND h.id <> r.id
                                  AND h.first_day <= w.last_day AND h.held_until >= w.first_day
                          ) OR EXISTS (
                              SELECT FROM item_blackouts k
                              WHERE k.item_id = r.item_id AND k.first_day <= w.last_day AND k.last_day >= w.first_day
                          )
                      ) AS "booked!",
                      (
                          SELECT h.last_day
                          FROM rentals h
                          WHERE h.item_id = r.item_id AND h.status = 'active' AND h.id <> r.id
                          LIMIT 1
                      ) AS "out_until?"
               FROM rentals r
               JOIN items i ON i.id = r.item_id
               LEFT JOIN LATERAL (
                   SELECT CASE WHEN r.status = 'pending' THEN r.first_day ELSE r.last_day + 1 END AS first_day,
                          coalesce(r.more_until, r.last_day) AS last_day
                   WHERE r.status = 'pending' OR r.more_until IS NOT NULL
               ) w ON true
               LEFT JOIN LATERAL (SELECT * FROM members m WHERE m.id = r.owner_id AND m.status = 'confirmed' LIMIT 1) o ON true
               LEFT JOIN LATERAL (SELECT * FROM members m WHERE m.id = r.borrower_id AND m.status = 'confirmed' LIMIT 1) b ON true
               LEFT JOIN LATERAL (SELECT * FROM member_ratings m WHERE m.member_id = r.owner_id LIMIT 1) og ON true
               LEFT JOIN LATERAL (SELECT * FROM member_ratings m WHERE m.member_id = r.borrower_id LIMIT 1) bg ON true
               WHERE "# + $whose + $rest
            $(, $arg)*
        )
        .fetch_all(&mut *conn)
        .await?;
        $crate::rentals::store::with_images(conn, rows).await?
    }};
}
use rentals;

/// With the main pictures of their items, and those of their hand-overs, returns and confirmations, where there are any.
async fn with_images(conn: &mut PgConnection, rows: Vec<Row>) -> Result<Vec<Rental>> {
    let mut rentals: Vec<Rental> = rows.into_iter().map(Rental::try_from).collect::<Result<_>>()?;
    let items: Vec<ItemId> = rentals.iter().map(|rental| rental.item).collect();
    let images = if items.is_empty() { Default::default() } else { items::main_images(conn, &items).await? };
    let begun: Vec<_> = rentals.iter().filter(|r| r.started.is_some()).map(|r| (r.item, r.id)).collect();
    let mut shown = if begun.is_empty() { Default::default() } else { pictures(conn, &begun).await? };
    for rental in &mut rentals {
        rental.image = images.get(&rental.item).copied();
        let (started, returned, completed) = (&mut rental.started, &mut rental.returned, &mut rental.completed);
        for (noted, moment) in [(started, Moment::Start), (returned, Moment::Return), (completed, Moment::Complete)] {
            if let Some(noted) = noted {
                noted.pictures = shown.remove(&(rental.id, moment)).unwrap_or_default();
            }
        }
    }
    Ok(rentals)
}

/// A rental of an item.
pub async fn rental(conn: &mut PgConnection, item: ItemId, id: RentalId) -> Result<Option<Rental>> {
    Ok(rentals!(conn, "r.item_id = $1", " AND r.id = $2 LIMIT 1", item.0, id.0).pop())
}

/// Of which item a rental of a member is. That never changes.
pub async fn item_of(conn: &mut PgConnection, side: MemberId, id: RentalId) -> Result<Option<ItemId>> {
    let item =
        sqlx::query_scalar!("SELECT item_id FROM rentals WHERE id = $1 AND (owner_id = $2 OR borrower_id = $2) LIMIT 1", id.0, side.0)
            .fetch_optional(conn)
            .await?;
    Ok(item.map(ItemId))
}
