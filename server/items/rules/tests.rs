//! The tables of items, line by line and as a whole.

use super::*;
use Status::{Deleted, Draft, Listed, Unlisted};
use Visibility::{Friends, Public};

const STRANGER: Beholder = Beholder { is_owner: false, is_friend: false, is_hidden: false, is_in_group: false };
const FRIEND: Beholder = Beholder { is_friend: true, ..STRANGER };
const IN_GROUP: Beholder = Beholder { is_in_group: true, ..FRIEND };
const BLOCKED: Beholder = Beholder { is_hidden: true, ..STRANGER };

#[test]
fn who_sees_an_item_follows_from_the_table() {
    for (status, visibility, narrowed, by, expected) in [
        (Draft, Friends, false, Beholder::OWNER, Seen::Owner),
        (Unlisted, Public, true, Beholder::OWNER, Seen::Owner),
        (Deleted, Public, false, Beholder::OWNER, Seen::Nobody),
        (Draft, Public, false, FRIEND, Seen::Nobody),
        (Listed, Friends, false, FRIEND, Seen::Circle),
        (Unlisted, Friends, false, FRIEND, Seen::Circle),
        (Deleted, Friends, false, FRIEND, Seen::Nobody),
        (Listed, Friends, false, STRANGER, Seen::FriendsOnly),
        (Unlisted, Friends, false, STRANGER, Seen::Nobody),
        (Listed, Public, false, STRANGER, Seen::Circle),
        (Unlisted, Public, false, STRANGER, Seen::Circle),
        (Listed, Friends, true, STRANGER, Seen::Nobody),
        (Listed, Public, true, STRANGER, Seen::Nobody),
        (Listed, Friends, true, FRIEND, Seen::Nobody),
        (Listed, Public, true, FRIEND, Seen::Nobody),
        (Listed, Friends, true, IN_GROUP, Seen::Circle),
        (Unlisted, Public, true, IN_GROUP, Seen::Circle),
        (Listed, Friends, false, BLOCKED, Seen::Nobody),
        (Listed, Public, false, BLOCKED, Seen::Nobody),
    ] {
        assert_eq!(seen(status, visibility, narrowed, by), expected, "{status:?} {visibility:?} {narrowed} {by:?}");
    }
}

/// Everything that can be asked of the table.
fn all() -> impl Iterator<Item = (Status, Visibility, bool, Beholder)> {
    let statuses = [Draft, Listed, Unlisted, Deleted];
    let beholders = (0..16).map(|bits| Beholder {
        is_owner: bits & 1 > 0,
        is_friend: bits & 2 > 0,
        is_hidden: bits & 4 > 0,
        is_in_group: bits & 8 > 0,
    });
    beholders.flat_map(move |by| {
        statuses.into_iter().flat_map(move |status| {
            [Friends, Public].into_iter().flat_map(move |visibility| [false, true].map(|narrowed| (status, visibility, narrowed, by)))
        })
    })
}

#[test]
fn nobody_who_is_blocked_and_nobody_outside_learns_of_what_is_not_for_them() {
    for (status, visibility, narrowed, by) in all() {
        let seen = seen(status, visibility, narrowed, by);
        if by.is_hidden && !by.is_owner {
            assert_eq!(seen, Seen::Nobody);
        }
        assert_eq!(seen == Seen::Owner, by.is_owner && status != Deleted);
        if seen == Seen::FriendsOnly {
            assert!(status == Listed && visibility == Friends && !narrowed && !by.is_friend && !by.is_hidden);
        }
        if seen == Seen::Circle {
            assert!(matches!(status, Listed | Unlisted) && (by.is_friend || visibility == Public) && (by.is_in_group || !narrowed));
        }
    }
}
