//! What of rentals matters to a member now, and what is counted of them.

use crate::{ids::RentalId, money::Cents};
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
