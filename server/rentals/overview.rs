//! What of rentals matters to a member now, and what is counted of them.

use super::{Service, store, wire};
use crate::{
    error::Result,
    ids::{ItemId, MemberId, RentalId},
    items,
    money::Cents,
    pb::rentals as pb,
    read,
};
use time::Date;

/// A rental that begins, or is due back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Which.
    pub id: RentalId,
    /// How the item is called.
    pub title: String,
    /// The first day of what was agreed, the last day of what is out.
    pub day: Date,
}

/// What is counted of an item's rentals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemFigures {
    /// How many were completed.
    pub completed: i64,
    /// What these paid.
    pub earned: Cents,
    /// For how many days the item was lent in them.
    pub days: i64,
    /// How many are asked for, agreed or out.
    pub open: i64,
}

impl Service {
    /// How often an item of the caller's was lent.
    pub(super) async fn item_stats(&self, me: MemberId, id: ItemId) -> Result<pb::GetItemStatsResponse> {
        read!(self.deps.pool, |conn| {
            let currency = items::own(conn, me, id).await?.content.currency;
            Ok(wire::figures(store::of_item(conn, id, currency).await?, currency))
        })
    }
}
