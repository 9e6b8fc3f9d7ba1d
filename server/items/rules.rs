//! Who may see an item, and what its owner may do with it. Pure.

use super::{Status, Visibility};
use crate::{
    days::{self, Days},
    error::{Error, FieldReason, Reason, Result},
    ids::PictureId,
};
use std::collections::BTreeSet;
use time::Date;

/// The most pictures of an item.
pub const IMAGES_MAX: usize = 10;
/// How far ahead days can be blacked out.
pub const AHEAD_MONTHS: i32 = 24;

/// What somebody is to an item's owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beholder {
    /// Whether they are the owner.
    pub is_owner: bool,
    /// Whether they are the owner's friend.
    pub is_friend: bool,
    /// Whether either has blocked the other: neither exists for the other then.
    pub is_hidden: bool,
    /// Whether they are in one of the groups to which the item is narrowed.
    pub is_in_group: bool,
}

impl Beholder {
    /// The owner.
    pub const OWNER: Self = Self { is_owner: true, is_friend: false, is_hidden: false, is_in_group: false };
}

/// What somebody may see of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// All of it: it is theirs.
    Owner,
    /// It was made for them too: they may ask for it while it is listed.
    Circle,
    /// That it is for friends of its owner.
    FriendsOnly,
    /// Nothing: there is no such item.
    Nobody,
}

/// The table. That it is for friends is told of what is listed for all of them, and to nobody who is blocked.
pub const fn seen(status: Status, visibility: Visibility, narrowed: bool, by: Beholder) -> Seen {
    match status {
        Status::Deleted => Seen::Nobody,
        _ if by.is_owner => Seen::Owner,
        Status::Draft => Seen::Nobody,
        Status::Listed | Status::Unlisted => {
            if by.is_hidden {
                return Seen::Nobody;
            }
            let is_for = if narrowed { by.is_friend && by.is_in_group } else { by.is_friend || matches!(visibility, Visibility::Public) };
            match (is_for, status) {
                (true, _) => Seen::Circle,
                (false, Status::Listed) if !narrowed && !by.is_friend => Seen::FriendsOnly,
                (false, _) => Seen::Nobody,
            }
        }
    }
}

/// Refuses who may not see an item, in the words of one that there is not, or of one that is for friends.
///
/// # Errors
/// NOT_FOUND, FRIENDS_ONLY.
pub fn may_see(seen: Seen) -> Result<()> {
    match seen {
        Seen::Owner | Seen::Circle => Ok(()),
        Seen::FriendsOnly => Err(Error::new(
            Reason::FriendsOnly,
            "This item is only available to friends. Send a friend request to the owner to access their items.",
        )),
        Seen::Nobody => Err(not_found()),
    }
}

/// There is no such item, or nobody may know of it who asks.
pub fn not_found() -> Error {
    Error::not_found("item")
}

/// What somebody may do with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ask to borrow it.
    Request,
    /// Change its fields.
    Edit,
    /// List it.
    List,
    /// Take it off the list.
    Unlist,
    /// Remove it.
    Delete,
}

/// What somebody may do now. What is promised or out cannot be removed.
pub fn allowed_actions(status: Status, seen: Seen, is_busy: bool) -> Vec<Action> {
    let listing = if next(status, Status::Listed).is_some() { Action::List } else { Action::Unlist };
    match (seen, status) {
        (Seen::Owner, _) if is_busy => vec![Action::Edit, listing],
        (Seen::Owner, _) => vec![Action::Edit, listing, Action::Delete],
        (Seen::Circle, Status::Listed) => vec![Action::Request],
        (Seen::Circle | Seen::FriendsOnly | Seen::Nobody, _) => Vec::new(),
    }
}

/// Where an item goes whose owner wants it listed, or not; `None` when it is there already. A draft is not listed, and stays a draft.
pub const fn next(status: Status, wanted: Status) -> Option<Status> {
    match (status, wanted) {
        (Status::Draft | Status::Unlisted, Status::Listed) => Some(Status::Listed),
        (Status::Listed, Status::Unlisted) => Some(Status::Unlisted),
        _ => None,
    }
}

/// Refuses one more picture than there may be.
///
/// # Errors
/// LIMIT_REACHED.
pub fn one_more_image(images: usize) -> Result<()> {
    if images < IMAGES_MAX {
        return Ok(());
    }
    Err(Error::new(Reason::LimitReached, format!("an item can have at most {IMAGES_MAX} pictures")))
}

/// Refuses what is not exactly the pictures of an item, each once.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn is_order_of(wanted: &[PictureId], images: &[PictureId]) -> Result<()> {
    let set = |ids: &[PictureId]| ids.iter().copied().collect::<BTreeSet<_>>();
    if wanted.len() == images.len() && set(wanted) == set(images) {
        return Ok(());
    }
    Err(Error::field("image_ids", FieldReason::Invalid, "must list each picture of the item exactly once"))
}

/// The ranges that are kept of those that an owner wants: as few as say the same, of today or later.
///
/// # Errors
/// INVALID_ARGUMENT naming one that ends too far ahead.
pub fn black_outs(asked: &[Days], today: Date) -> Result<Vec<Days>> {
    let end = days::months_later(today, AHEAD_MONTHS);
    if let Some(late) = asked.iter().position(|range| range.last() > end) {
        let text = format!("must be within the next {AHEAD_MONTHS} months, until {}", days::text(end));
        return Err(Error::field(format!("ranges[{late}].end_date"), FieldReason::OutOfRange, text));
    }
    Ok(days::merged(asked.iter().filter_map(|range| range.from(today))))
}

/// Refuses to black out days in which an item is booked.
pub fn booked(days: Days) -> Error {
    let text = format!("the item is booked from {} to {}", days::text(days.first()), days::text(days.last()));
    Error::new(Reason::DaysTaken, text)
}

#[cfg(test)]
mod tests;
