//! What items ask of the areas above them, and what they set off there.

use super::Item;
use crate::{
    days::Days,
    db::Tx,
    error::Result,
    ids::{ItemId, MemberId},
    notifications::Told,
};
use sqlx::PgConnection;
use std::collections::HashMap;
use time::OffsetDateTime;

/// An area above in which items are lent. What it writes is there with what happened, or not at all; it locks what stands below the items in
/// the order of locks.
#[tonic::async_trait]
pub trait Hook: Send + Sync + 'static {
    /// An item is being removed, under its lock. What waits for an answer is declined; what is to be told of it is told at last, in one go.
    ///
    /// # Errors
    /// Any, which keeps the item: WRONG_STATE while it is promised or out.
    async fn removing(&self, _tx: &mut Tx, _item: &Item, _now: OffsetDateTime) -> Result<Told> {
        Ok(Told::default())
    }

    /// The first of these days in which an item is booked, if it is in any.
    ///
    /// # Errors
    /// As the database.
    async fn booked(&self, _conn: &mut PgConnection, _item: ItemId, _days: &[Days]) -> Result<Option<Days>> {
        Ok(None)
    }

    /// Which of some items are promised or out: those cannot be removed now.
    ///
    /// # Errors
    /// As the database.
    async fn busy(&self, _conn: &mut PgConnection, _items: &[ItemId]) -> Result<Vec<ItemId>> {
        Ok(Vec::new())
    }

    /// Items of others that a member who leaves has to do with: they are locked with the member's own, in one order.
    ///
    /// # Errors
    /// As the database.
    async fn concerned(&self, _conn: &mut PgConnection, _member: MemberId) -> Result<Vec<ItemId>> {
        Ok(Vec::new())
    }

    /// Those items of an owner that others remember: their history tells of them.
    ///
    /// # Errors
    /// As the database.
    async fn remembered(&self, _conn: &mut PgConnection, _owner: MemberId) -> Result<Vec<ItemId>> {
        Ok(Vec::new())
    }
}

/// What is counted of an owner elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Repute {
    /// The mean of the ratings that they were given, to one decimal.
    pub rating: Option<f64>,
    /// How many favors they helped with that were completed or settled.
    pub favors_completed: i64,
}

/// An area above that knows how members did. Of who is left out there is nothing to tell.
#[tonic::async_trait]
pub trait Reputation: Send + Sync + 'static {
    /// Of some members, in one go.
    ///
    /// # Errors
    /// As the database.
    async fn of(&self, conn: &mut PgConnection, members: &[MemberId]) -> Result<HashMap<MemberId, Repute>>;
}
