//! The tables of items, line by line and as a whole.

use super::*;
use Status::{Deleted, Draft, Listed, Unlisted};
use Visibility::{Friends, Public};
use proptest::prelude::*;
use time::{Duration, macros::date};
use uuid::Uuid;

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

#[test]
fn what_may_be_done_follows_from_who_one_is_and_where_it_stands() {
    use Action::{Delete, Edit, List, Request, Unlist};
    for (status, seen, is_busy, expected) in [
        (Draft, Seen::Owner, false, vec![Edit, List, Delete]),
        (Listed, Seen::Owner, false, vec![Edit, Unlist, Delete]),
        (Unlisted, Seen::Owner, false, vec![Edit, List, Delete]),
        (Listed, Seen::Owner, true, vec![Edit, Unlist]),
        (Listed, Seen::Circle, false, vec![Request]),
        (Unlisted, Seen::Circle, false, vec![]),
        (Listed, Seen::FriendsOnly, false, vec![]),
        (Deleted, Seen::Nobody, false, vec![]),
    ] {
        assert_eq!(allowed_actions(status, seen, is_busy), expected, "{status:?} {seen:?} {is_busy}");
    }
}

#[test]
fn listing_goes_back_and_forth_and_what_is_done_is_done() {
    for (status, wanted, expected) in [
        (Draft, Listed, Some(Listed)),
        (Draft, Unlisted, None),
        (Listed, Listed, None),
        (Listed, Unlisted, Some(Unlisted)),
        (Unlisted, Listed, Some(Listed)),
        (Unlisted, Unlisted, None),
        (Deleted, Listed, None),
    ] {
        assert_eq!(next(status, wanted), expected, "{status:?} {wanted:?}");
    }
}

#[test]
fn who_may_not_see_an_item_is_told_that_there_is_none_or_that_it_is_for_friends() {
    may_see(Seen::Owner).unwrap();
    may_see(Seen::Circle).unwrap();
    assert_eq!(may_see(Seen::Nobody).unwrap_err().reason(), Reason::NotFound);
    let refused = may_see(Seen::FriendsOnly).unwrap_err();
    let text = "This item is only available to friends. Send a friend request to the owner to access their items.";
    assert_eq!((refused.reason(), refused.message()), (Reason::FriendsOnly, text));
}

#[test]
fn an_order_names_each_picture_once() {
    let ids = |ns: &[u128]| ns.iter().map(|n| PictureId(Uuid::from_u128(*n))).collect::<Vec<_>>();
    is_order_of(&ids(&[2, 1]), &ids(&[1, 2])).unwrap();
    for wrong in [&[1][..], &[1, 2, 3], &[1, 1], &[1, 3], &[]] {
        assert_eq!(is_order_of(&ids(wrong), &ids(&[1, 2])).unwrap_err().fields().next().unwrap().0, "image_ids", "{wrong:?}");
    }
    one_more_image(9).unwrap();
    assert_eq!(one_more_image(10).unwrap_err().reason(), Reason::LimitReached);
}

const TODAY: Date = date!(2028 - 02 - 29);

#[test]
fn black_outs_end_within_two_years_and_begin_today() {
    let days = |first, last| Days::new(first, last).unwrap();
    let kept = black_outs(&[days(date!(2028 - 02 - 01), date!(2028 - 03 - 02)), days(date!(2028 - 01 - 01), date!(2028 - 02 - 28))], TODAY);
    assert_eq!(kept.unwrap(), [days(TODAY, date!(2028 - 03 - 02))]);
    black_outs(&[days(TODAY, date!(2030 - 02 - 28))], TODAY).unwrap();
    let late = black_outs(&[days(TODAY, TODAY), days(TODAY, date!(2030 - 03 - 01))], TODAY).unwrap_err();
    assert_eq!(late.fields().next().unwrap().0, "ranges[1].end_date");
}

proptest! {
    #[test]
    fn black_outs_are_the_days_that_were_asked_for_and_are_not_past(
        asked in proptest::collection::vec((-40i64..600, 0i64..40), 0..30),
    ) {
        let asked: Vec<Days> = asked
            .into_iter()
            .map(|(from, more)| {
                let first = TODAY + Duration::days(from);
                Days::new(first, first + Duration::days(more)).unwrap()
            })
            .collect();
        let kept = black_outs(&asked, TODAY).unwrap();
        for n in -40..650 {
            let day = TODAY + Duration::days(n);
            prop_assert_eq!(kept.iter().any(|r| r.has(day)), n >= 0 && asked.iter().any(|r| r.has(day)));
        }
        prop_assert_eq!(black_outs(&kept, TODAY).unwrap(), kept, "what is kept is kept as it is");
    }
}
