//! Who may see an item, and what its owner may do with it. Pure.

use super::{Status, Visibility};
use crate::error::{Error, Reason, Result};

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

#[cfg(test)]
mod tests;
