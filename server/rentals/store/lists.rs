//! Statements on lists of rentals.

use super::{Row, rentals};
use crate::{
    error::Result,
    ids::{ItemId, MemberId},
    items,
    money::Currency,
    rentals::{EventKind, Rental, RentalStatus},
};
use sqlx::PgConnection;
use std::{cmp::Reverse, ops::Add};
use time::OffsetDateTime;
use uuid::Uuid;

/// Which rentals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Those in which a member lends.
    Lent(MemberId),
    /// Those in which a member borrows.
    Borrowed(MemberId),
    /// Those in which a member does either.
    Either(MemberId),
    /// Those of an item.
    Of(ItemId),
}

/// How many rentals a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub all: i64,
    /// Pending.
    pub pending: i64,
    /// Accepted, active or returned.
    pub accepted: i64,
    /// Declined.
    pub declined: i64,
    /// Active or returned.
    pub active: i64,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            pending: self.pending + other.pending,
            accepted: self.accepted + other.accepted,
            declined: self.declined + other.declined,
            active: self.active + other.active,
        }
    }
}

macro_rules! page {
    ($conn:expr, $whose:tt, $id:expr, $wanted:expr, $before:expr, $limit:expr) => {
        rentals!(
            $conn,
            $whose,
            " AND (r.status = ANY($2::text[]) OR r.updated_at > $6 AND (
                  r.status = 'completed' AND r.total_cents + r.gratitude::bigint * 100 > r.paid_cents
                  OR r.status = 'cancelled' AND r.paid_cents > 0
                  OR r.status IN ('completed', 'cancelled') AND r.deposit_received_at IS NOT NULL AND r.deposit_returned_at IS NULL
              ))
              AND (r.asked_at, r.id) < ($3, $4)
              ORDER BY r.asked_at DESC, r.id DESC
              LIMIT $5",
            $id,
            $wanted.statuses as &[RentalStatus],
            $before.0,
            $before.1,
            $limit,
            $wanted.open_since,
        )
    };
}

/// A filter of a list.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Rentals of these statuses.
    pub statuses: &'a [RentalStatus],
    /// Also those that are over, changed since, and have something to be paid or returned.
    pub open_since: Option<OffsetDateTime>,
}

/// Some of a list, the newest first, before a key.
pub async fn page(
    conn: &mut PgConnection,
    list: List,
    wanted: Wanted<'_>,
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Rental>> {
    Ok(match list {
        List::Lent(owner) => page!(conn, "r.owner_id = $1", owner.0, wanted, before, limit),
        List::Borrowed(borrower) => page!(conn, "r.borrower_id = $1", borrower.0, wanted, before, limit),
        // Each from its own index, since one statement about either side reads all that a member ever had.
        List::Either(member) => {
            let mut all = page!(&mut *conn, "r.owner_id = $1", member.0, wanted, before, limit);
            all.extend(page!(conn, "r.borrower_id = $1", member.0, wanted, before, limit));
            all.sort_unstable_by_key(|rental| Reverse((rental.asked_at, rental.id.0)));
            all.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            all
        }
        List::Of(item) => page!(conn, "r.item_id = $1", item.0, wanted, before, limit),
    })
}

macro_rules! counts {
    ($conn:expr, $whose:tt, $id:expr) => {
        sqlx::query_as!(
            Counts,
            r#"SELECT count(*) AS "all!", count(*) FILTER (WHERE status = 'pending') AS "pending!",
                      count(*) FILTER (WHERE status IN ('accepted', 'active', 'returned')) AS "accepted!",
                      count(*) FILTER (WHERE status = 'declined') AS "declined!",
                      count(*) FILTER (WHERE status IN ('active', 'returned')) AS "active!"
               FROM rentals
               WHERE "#
                + $whose
                + " LIMIT 1",
            $id,
        )
        .fetch_one($conn)
        .await?
    };
}

/// How many there are.
pub async fn counts(conn: &mut PgConnection, list: List) -> Result<Counts> {
    Ok(match list {
        List::Lent(owner) => counts!(conn, "owner_id = $1", owner.0),
        List::Borrowed(borrower) => counts!(conn, "borrower_id = $1", borrower.0),
        List::Either(member) => counts!(&mut *conn, "owner_id = $1", member.0) + counts!(conn, "borrower_id = $1", member.0),
        List::Of(item) => counts!(conn, "item_id = $1", item.0),
    })
}

/// Those items of an owner that somebody ever asked for.
pub async fn lent_items(conn: &mut PgConnection, owner: MemberId) -> Result<Vec<ItemId>> {
    let items = sqlx::query_scalar!(
        "SELECT DISTINCT item_id
         FROM rentals
         WHERE owner_id = $1
         LIMIT 100000",
        owner.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(items.into_iter().map(ItemId).collect())
}
