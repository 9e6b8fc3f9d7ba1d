//! What falls due, tried by hand and in all orders.

use super::*;
use proptest::prelude::*;
use time::{
    Duration,
    macros::{date, datetime},
};
use uuid::Uuid;

const FIRST: Date = date!(2026 - 06 - 18);
const LAST: Date = date!(2026 - 06 - 20);

fn rental(status: RentalStatus) -> Timed {
    Timed {
        item: ItemId(Uuid::from_u128(1)),
        id: RentalId(Uuid::from_u128(2)),
        title: "Cordless drill".into(),
        owner: MemberId(Uuid::from_u128(3)),
        borrower: MemberId(Uuid::from_u128(4)),
        owner_zone: Some("Europe/Lisbon".into()),
        borrower_zone: Some("America/New_York".into()),
        status,
        days: Days::new(FIRST, LAST).unwrap(),
        returned_at: None,
        timer_at: None,
    }
}

const fn moment(reminder: Reminder, side: Side, days: i32) -> Moment {
    Moment { reminder, side, days }
}

/// Rings whatever falls due, each when it does. What was due, and when.
fn rung(mut rental: Timed, mut now: OffsetDateTime) -> Vec<(OffsetDateTime, Vec<Moment>)> {
    let mut rung = Vec::new();
    rental.timer_at = rental.next(now);
    while let Some(at) = rental.timer_at {
        now = now.max(at);
        if rental.has_lapsed(now) {
            break;
        }
        rung.push((at, rental.due(now)));
        rental.timer_at = rental.next_after(now);
    }
    rung
}

#[test]
fn both_sides_are_reminded_of_what_begins_and_asked_about_a_hand_over_that_nobody_noted() {
    use Reminder::{Begins, Passed, Unnoted};
    use Side::{Borrower, Owner};
    let expected = [
        (datetime!(2026-06-17 17:00 UTC), vec![moment(Begins, Owner, -1)]),
        (datetime!(2026-06-17 22:00 UTC), vec![moment(Begins, Borrower, -1)]),
        (datetime!(2026-06-18 08:00 UTC), vec![moment(Begins, Owner, 0)]),
        (datetime!(2026-06-18 13:00 UTC), vec![moment(Begins, Borrower, 0)]),
        (datetime!(2026-06-19 08:00 UTC), vec![moment(Unnoted, Owner, 1)]),
        (datetime!(2026-06-19 13:00 UTC), vec![moment(Unnoted, Borrower, 1)]),
        (datetime!(2026-06-21 08:00 UTC), vec![moment(Passed, Owner, 1)]),
        (datetime!(2026-06-21 13:00 UTC), vec![moment(Passed, Borrower, 1)]),
        (datetime!(2026-06-27 08:00 UTC), vec![moment(Passed, Owner, 7)]),
        (datetime!(2026-06-27 13:00 UTC), vec![moment(Passed, Borrower, 7)]),
    ];
    assert_eq!(rung(rental(RentalStatus::Accepted), datetime!(2026-06-10 09:00 UTC)), expected);
    assert_eq!(rung(rental(RentalStatus::Accepted), datetime!(2026-06-17 20:00 UTC)), expected[1..], "one evening has passed");
    assert_eq!(rung(rental(RentalStatus::Accepted), datetime!(2026-06-18 13:00 UTC)), expected[4..]);
    // Of one day it is said once that it has passed.
    let one_day = Timed { days: Days::new(FIRST, FIRST).unwrap(), ..rental(RentalStatus::Accepted) };
    let reminders: Vec<_> = rung(one_day, datetime!(2026-06-18 15:00 UTC)).into_iter().flat_map(|(_, due)| due).collect();
    assert_eq!(reminders, [(Owner, 1), (Borrower, 1), (Owner, 7), (Borrower, 7)].map(|(side, days)| moment(Passed, side, days)));
}

#[test]
fn the_borrower_is_reminded_of_the_last_day_and_both_of_what_is_overdue() {
    use Reminder::{Due, Overdue};
    use Side::{Borrower, Owner};
    let rung = rung(rental(RentalStatus::Active), datetime!(2026-06-18 15:00 UTC));
    let late = |day: OffsetDateTime, days| {
        let hours = Duration::hours(5);
        [(day, vec![moment(Overdue, Owner, days)]), (day + hours, vec![moment(Overdue, Borrower, days)])]
    };
    let due = [
        (datetime!(2026-06-19 22:00 UTC), vec![moment(Due, Borrower, -1)]),
        (datetime!(2026-06-20 13:00 UTC), vec![moment(Due, Borrower, 0)]),
    ];
    let days = [(datetime!(2026-06-21 08:00 UTC), 1), (datetime!(2026-06-23 08:00 UTC), 3), (datetime!(2026-06-27 08:00 UTC), 7)];
    let expected: Vec<_> = due.into_iter().chain(days.into_iter().flat_map(|(day, days)| late(day, days))).collect();
    assert_eq!(rung, expected);
}

/// Two weeks from the owner's day on which it was noted: half an hour after midnight in Lisbon.
#[test]
fn the_owner_is_asked_to_confirm_a_return_which_counts_as_confirmed_in_the_end() {
    let at = datetime!(2026-06-19 23:30 UTC);
    let returned = Timed { returned_at: Some(at), ..rental(RentalStatus::Returned) };
    let asked = |days| moment(Reminder::Unconfirmed, Side::Owner, days);
    let expected = [(datetime!(2026-06-23 08:00 UTC), vec![asked(3)]), (datetime!(2026-06-30 08:00 UTC), vec![asked(10)])];
    assert_eq!(rung(returned.clone(), at), expected);
    let end = datetime!(2026-07-04 23:00 UTC);
    assert_eq!((returned.next_after(datetime!(2026-06-30 08:00 UTC)), returned.next_after(end)), (Some(end), None));
    assert!(returned.has_lapsed(end) && !returned.has_lapsed(end - Duration::SECOND));
}

#[test]
fn nothing_falls_due_for_what_was_not_agreed_or_is_over() {
    for status in [RentalStatus::Declined, RentalStatus::Cancelled, RentalStatus::Completed] {
        assert_eq!(rental(status).next(datetime!(2026-06-10 09:00 UTC)), None, "{status:?}");
    }
}

/// The clocks go forward at midnight in Cairo, and back at midnight in Havana: there are such days without their first hour, and with two of them.
#[test]
fn a_request_lapses_when_the_owners_last_day_is_over() {
    let of = |zone: Option<&str>, day| Timed {
        owner_zone: zone.map(str::to_owned),
        days: Days::new(day, day).unwrap(),
        ..rental(RentalStatus::Pending)
    };
    for (zone, day, at) in [
        (Some("Europe/Lisbon"), LAST, datetime!(2026-06-20 23:00 UTC)),
        (Some("America/Los_Angeles"), date!(2027 - 12 - 31), datetime!(2028-01-01 08:00 UTC)),
        (Some("Asia/Tokyo"), date!(2028 - 02 - 28), datetime!(2028-02-28 15:00 UTC)),
        (Some("Africa/Cairo"), date!(2026 - 04 - 23), datetime!(2026-04-23 22:00 UTC)),
        (Some("America/Havana"), date!(2026 - 10 - 31), datetime!(2026-11-01 04:00 UTC)),
        (None, LAST, datetime!(2026-06-21 00:00 UTC)),
    ] {
        let (waiting, second) = (of(zone, day), Duration::SECOND);
        assert_eq!((waiting.next(at - second), waiting.next_after(at)), (Some(at), None), "{zone:?}");
        assert!(waiting.has_lapsed(at) && !waiting.has_lapsed(at - second) && waiting.due(at).is_empty());
        for status in [RentalStatus::Accepted, RentalStatus::Active, RentalStatus::Declined] {
            assert!(!Timed { status, ..waiting.clone() }.has_lapsed(at));
        }
    }
    let missed = Timed { timer_at: Some(datetime!(2026-06-10 09:00 UTC)), ..rental(RentalStatus::Pending) };
    assert_eq!(missed.next(datetime!(2026-07-01 09:00 UTC)), Some(datetime!(2026-06-20 23:00 UTC)), "it was missed");
}

#[test]
fn what_was_agreed_and_not_handed_over_ends_two_weeks_after_its_last_day() {
    let (end, second) = (datetime!(2026-07-04 23:00 UTC), Duration::SECOND);
    let accepted = rental(RentalStatus::Accepted);
    assert_eq!((accepted.next(end - second), accepted.next_after(end)), (Some(end), None));
    assert!(accepted.has_lapsed(end) && !accepted.has_lapsed(end - second));
}

#[test]
fn what_comes_late_is_told_as_far_as_it_is_true_and_to_each_side_once() {
    use Reminder::{Begins, Due, Overdue, Passed, Unnoted};
    use Side::{Borrower, Owner};
    let at = |status, now| Timed { timer_at: Some(datetime!(2026-06-10 09:00 UTC)), ..rental(status) }.due(now);
    assert_eq!(at(RentalStatus::Accepted, datetime!(2026-06-18 14:00 UTC)), [moment(Begins, Owner, 0), moment(Begins, Borrower, 0)]);
    assert_eq!(at(RentalStatus::Accepted, datetime!(2026-06-19 07:00 UTC)), [], "its first day is over");
    assert_eq!(at(RentalStatus::Accepted, datetime!(2026-06-20 14:00 UTC)), [moment(Unnoted, Owner, 1), moment(Unnoted, Borrower, 1)]);
    assert_eq!(at(RentalStatus::Accepted, datetime!(2026-06-21 07:00 UTC)), [], "they have passed, which is said in the morning");
    assert_eq!(at(RentalStatus::Accepted, datetime!(2026-07-02 07:00 UTC)), [moment(Passed, Owner, 7), moment(Passed, Borrower, 7)]);
    assert_eq!(at(RentalStatus::Active, datetime!(2026-06-20 14:00 UTC)), [moment(Due, Borrower, 0)]);
    // Past midnight of the owner's, before anybody is told that it is overdue.
    assert_eq!(at(RentalStatus::Active, datetime!(2026-06-20 23:30 UTC)), []);
    assert_eq!(at(RentalStatus::Active, datetime!(2026-06-25 09:00 UTC)), [moment(Overdue, Owner, 3), moment(Overdue, Borrower, 3)]);
    assert_eq!(at(RentalStatus::Active, datetime!(2026-09-25 09:00 UTC)), [moment(Overdue, Owner, 7), moment(Overdue, Borrower, 7)]);
}

#[test]
fn a_change_right_after_a_moment_does_not_pass_it_over() {
    let at = datetime!(2026-06-20 13:00 UTC);
    let waiting = Timed { timer_at: Some(at), ..rental(RentalStatus::Active) };
    assert_eq!(waiting.next(at + Duration::SECOND), Some(at), "its job has not run yet");
    let longer = Timed { days: Days::new(FIRST, date!(2026 - 06 - 24)).unwrap(), ..waiting.clone() };
    assert_eq!(longer.next(at + Duration::SECOND), Some(datetime!(2026-06-23 22:00 UTC)), "it is due later now");
    let returned = Timed { status: RentalStatus::Returned, ..waiting };
    assert_eq!(returned.next(at + Duration::SECOND), None);
}

#[test]
fn a_day_is_the_owners_and_the_hour_each_ones_own() {
    let at = |owner: &str, borrower: &str, day: Date, days| {
        let zones = Timed { owner_zone: Some(owner.into()), borrower_zone: Some(borrower.into()), ..rental(RentalStatus::Active) };
        Timed { days: Days::new(day, day).unwrap(), ..zones }.instant(moment(Reminder::Due, Side::Borrower, days)).unwrap()
    };
    for (owner, borrower, day, days, instant) in [
        ("Europe/Lisbon", "Europe/Lisbon", LAST, 0, datetime!(2026-06-20 08:00 UTC)),
        // Nine in the morning over there comes first within that day of the owner's, by whatever date.
        ("America/Los_Angeles", "Asia/Tokyo", LAST, 0, datetime!(2026-06-21 00:00 UTC)),
        ("Pacific/Kiritimati", "America/Los_Angeles", LAST, 0, datetime!(2026-06-19 16:00 UTC)),
        ("Europe/Lisbon", "Asia/Kathmandu", LAST, -1, datetime!(2026-06-19 12:15 UTC)),
        // The clocks go forward, and back, on that day.
        ("America/New_York", "America/New_York", date!(2026 - 03 - 08), 0, datetime!(2026-03-08 13:00 UTC)),
        ("America/New_York", "America/New_York", date!(2026 - 03 - 08), -1, datetime!(2026-03-07 23:00 UTC)),
        ("Europe/Berlin", "Europe/Berlin", date!(2026 - 10 - 25), 0, datetime!(2026-10-25 08:00 UTC)),
        ("Europe/Berlin", "Europe/Berlin", date!(2026 - 10 - 25), -1, datetime!(2026-10-24 16:00 UTC)),
        // A leap day, and the last day of a year.
        ("UTC", "UTC", date!(2028 - 03 - 01), -1, datetime!(2028-02-29 18:00 UTC)),
        ("UTC", "UTC", date!(2027 - 01 - 01), -1, datetime!(2026-12-31 18:00 UTC)),
        // A zone that left out the day before.
        ("Pacific/Apia", "Pacific/Apia", date!(2011 - 12 - 31), 0, datetime!(2011-12-30 19:00 UTC)),
        ("No/Such", "No/Such", LAST, 0, datetime!(2026-06-20 09:00 UTC)),
    ] {
        assert_eq!(at(owner, borrower, day, days), instant, "{day} {days} in {owner} for {borrower}");
    }
}

#[test]
fn it_is_overdue_from_midnight_of_the_owner_on() {
    for (now, overdue) in
        [(datetime!(2026-06-20 22:59:59 UTC), false), (datetime!(2026-06-20 23:00 UTC), true), (datetime!(2026-07-20 09:00 UTC), true)]
    {
        assert_eq!(rental(RentalStatus::Active).is_overdue(now), overdue, "{now}");
    }
    assert!(!rental(RentalStatus::Returned).is_overdue(datetime!(2026-07-20 09:00 UTC)));
}

const ZONES: [&str; 6] = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Kiritimati", "Europe/Lisbon"];

proptest! {
    #[test]
    fn each_moment_rings_once_in_order_and_never_early(
        active: bool, first in 0_i64..800, length in 0_i64..60, now in 0_i64..80_000_000, owner in 0_usize..6, borrower in 0_usize..6,
    ) {
        let status = if active { RentalStatus::Active } else { RentalStatus::Accepted };
        let first_day = date!(2026 - 01 - 01) + Duration::days(first);
        let zones = Timed { owner_zone: Some(ZONES[owner].into()), borrower_zone: Some(ZONES[borrower].into()), ..rental(status) };
        let timed = Timed { days: Days::new(first_day, first_day + Duration::days(length)).unwrap(), ..zones };
        let begun = datetime!(2026-01-01 00:00 UTC) + Duration::seconds(now);
        let rung = rung(timed.clone(), begun);
        prop_assert!(rung.windows(2).all(|pair| pair[0].0 < pair[1].0));
        prop_assert!(rung.iter().all(|(at, due)| *at > begun && !due.is_empty()));
        let all: Vec<Moment> = rung.iter().flat_map(|(_, due)| due.clone()).collect();
        prop_assert!(all.iter().enumerate().all(|(n, moment)| !all[..n].contains(moment)));
        let ahead = timed.moments().into_iter().filter(|(at, _)| *at > begun).count();
        prop_assert_eq!(all.len(), ahead, "none is passed over");
    }

    /// Whenever it is looked at, no side hears two things, and none that is not true by the owner's calendar.
    #[test]
    fn a_late_look_tells_each_side_one_thing_at_most(
        active: bool, since in 0_i64..6_000_000, late in 0_i64..6_000_000, owner in 0_usize..6, borrower in 0_usize..6,
    ) {
        let status = if active { RentalStatus::Active } else { RentalStatus::Accepted };
        let from = datetime!(2026-05-10 00:00 UTC) + Duration::seconds(since);
        let zones = Timed { owner_zone: Some(ZONES[owner].into()), borrower_zone: Some(ZONES[borrower].into()), ..rental(status) };
        let timed = Timed { timer_at: Some(from), ..zones };
        let now = from + Duration::seconds(late);
        let due = timed.due(now);
        for side in SIDES {
            prop_assert!(due.iter().filter(|moment| moment.side == side).count() <= 1);
        }
        for moment in due {
            prop_assert_eq!(moment.reminder == Reminder::Overdue, timed.is_overdue(now));
            prop_assert!(timed.instant(moment).is_some_and(|at| at <= now && at >= from));
        }
    }
}
