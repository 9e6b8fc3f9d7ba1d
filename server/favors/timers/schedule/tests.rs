//! What falls due, tried by hand and in all orders.

use super::*;
use proptest::prelude::*;
use time::macros::datetime;
use uuid::Uuid;

const START: OffsetDateTime = datetime!(2026-06-18 09:00 UTC);

fn favor(status: FavorStatus) -> Timed {
    Timed {
        id: FavorId(Uuid::from_u128(1)),
        title: "Walk the dog".into(),
        creator: MemberId(Uuid::from_u128(2)),
        helper: (status == FavorStatus::Accepted).then_some(MemberId(Uuid::from_u128(3))),
        creator_zone: Some("Europe/Lisbon".into()),
        helper_zone: Some("America/New_York".into()),
        status,
        start: Some(START),
        confirm: Some(START - Duration::hours(20)),
        lapsed_start: None,
        timer_at: None,
    }
}

/// Rings whatever falls due, each when it does. What was due, and when.
fn rung(mut favor: Timed, mut now: OffsetDateTime) -> Vec<(OffsetDateTime, Vec<Moment>)> {
    let mut rung = Vec::new();
    favor.timer_at = favor.next(now);
    while let Some(at) = favor.timer_at {
        now = now.max(at);
        let due = favor.due(now);
        if due.contains(&Moment::Lapse) {
            favor.lapsed_start = favor.start;
        }
        rung.push((at, due));
        favor.timer_at = favor.next_after(now);
    }
    rung
}

#[test]
fn an_open_favor_has_a_deadline_and_then_lapses() {
    let now = START - Duration::days(2);
    let both = [(START - Duration::hours(20), vec![Moment::Deadline]), (START, vec![Moment::Lapse])];
    assert_eq!(rung(favor(FavorStatus::Active), now), both);
    let without = Timed { confirm: Some(START), ..favor(FavorStatus::Active) };
    assert_eq!(rung(without, now), [(START, vec![Moment::Lapse])], "a deadline that is the start is one moment");
    let late = favor(FavorStatus::Active);
    assert_eq!(rung(late.clone(), START + Duration::HOUR), [(START, vec![Moment::Lapse])], "opened again after its start");
    let lapsed = Timed { lapsed_start: Some(START), ..late.clone() };
    assert_eq!((lapsed.is_lapsed(), rung(lapsed.clone(), START)), (true, vec![]));
    let moved = Timed { start: Some(START + Duration::DAY), ..lapsed };
    assert!(!moved.is_lapsed());
    assert_eq!(rung(moved, START).last().unwrap().0, START + Duration::DAY);
    for over in [FavorStatus::Draft, FavorStatus::Completed, FavorStatus::Settled, FavorStatus::Cancelled] {
        assert_eq!(favor(over).next(now), None);
    }
}

#[test]
fn the_two_who_agreed_are_reminded_in_their_evening_and_an_hour_before() {
    let expected = [
        (datetime!(2026-06-17 17:00 UTC), vec![Moment::Evening(Side::Creator)]),
        (datetime!(2026-06-17 22:00 UTC), vec![Moment::Evening(Side::Helper)]),
        (START - Duration::HOUR, vec![Moment::Soon]),
        (START, vec![Moment::Begin]),
    ];
    assert_eq!(rung(favor(FavorStatus::Accepted), START - Duration::days(3)), expected);
    assert_eq!(rung(favor(FavorStatus::Accepted), datetime!(2026-06-17 20:00 UTC)), expected[1..], "the evening of one has passed");
    assert_eq!(rung(favor(FavorStatus::Accepted), START - Duration::minutes(20)), expected[3..]);
    assert_eq!(rung(favor(FavorStatus::Accepted), START), []);
}

#[test]
fn what_comes_late_is_told_as_far_as_it_is_true() {
    let since = START - Duration::days(2);
    let at = |favor: Timed, now| Timed { timer_at: Some(since), ..favor }.due(now);
    let (open, taken) = (favor(FavorStatus::Active), favor(FavorStatus::Accepted));
    assert_eq!(at(open.clone(), START - Duration::HOUR), [Moment::Deadline]);
    assert_eq!(at(open, START), [Moment::Lapse]);
    let both = [Moment::Evening(Side::Creator), Moment::Evening(Side::Helper)];
    assert_eq!(at(taken.clone(), START - Duration::hours(2)), both);
    assert_eq!(at(taken.clone(), START - Duration::minutes(10)), [Moment::Soon]);
    assert_eq!(at(taken, START + Duration::DAY), [Moment::Begin]);
}

#[test]
fn a_move_right_after_a_moment_does_not_pass_it_over() {
    let deadline = START - Duration::hours(20);
    let waiting = Timed { timer_at: Some(deadline), ..favor(FavorStatus::Active) };
    assert_eq!(waiting.next(deadline + Duration::SECOND), Some(deadline), "its job has not run yet");
    let accepted = Timed { timer_at: Some(deadline), ..favor(FavorStatus::Accepted) };
    assert_eq!(accepted.next(deadline + Duration::SECOND), Some(datetime!(2026-06-17 17:00 UTC)));
}

#[test]
fn the_evening_before_is_six_by_the_clocks_of_the_zone() {
    for (start, zone, evening) in [
        (datetime!(2026-06-18 09:00 UTC), "Europe/Lisbon", datetime!(2026-06-17 17:00 UTC)),
        (datetime!(2026-06-18 02:00 UTC), "America/New_York", datetime!(2026-06-16 22:00 UTC)),
        (datetime!(2026-06-18 22:00 UTC), "Pacific/Kiritimati", datetime!(2026-06-18 04:00 UTC)),
        (datetime!(2026-06-18 09:00 UTC), "Asia/Kathmandu", datetime!(2026-06-17 12:15 UTC)),
        // The clocks go forward, and back, in the night between.
        (datetime!(2026-03-08 14:00 UTC), "America/New_York", datetime!(2026-03-07 23:00 UTC)),
        (datetime!(2026-03-07 15:00 UTC), "America/New_York", datetime!(2026-03-06 23:00 UTC)),
        (datetime!(2026-10-25 09:00 UTC), "Europe/Berlin", datetime!(2026-10-24 16:00 UTC)),
        (datetime!(2026-10-26 09:00 UTC), "Europe/Berlin", datetime!(2026-10-25 17:00 UTC)),
        // A zone that left out the day before.
        (datetime!(2011-12-30 20:00 UTC), "Pacific/Apia", datetime!(2011-12-29 20:00 UTC)),
        (datetime!(2026-06-18 09:00 UTC), "No/Such", datetime!(2026-06-17 18:00 UTC)),
    ] {
        assert_eq!(evening_before(start, Some(zone)), evening, "before {start} in {zone}");
    }
    assert_eq!(evening_before(START, None), datetime!(2026-06-17 18:00 UTC));
}

#[test]
fn an_instant_is_said_by_the_clocks_of_the_zone() {
    let at = datetime!(2026-06-18 09:05 UTC);
    for (zone, words) in [
        ("Europe/Lisbon", "on Thursday, June 18 at 10:05 AM"),
        ("America/Los_Angeles", "on Thursday, June 18 at 2:05 AM"),
        ("Pacific/Kiritimati", "on Thursday, June 18 at 11:05 PM"),
        ("Pacific/Pago_Pago", "on Wednesday, June 17 at 10:05 PM"),
    ] {
        assert_eq!(said(at, Some(zone)), words);
    }
}

proptest! {
    #[test]
    fn each_moment_rings_once_in_order_and_never_early(
        accepted: bool, start in 0_i64..400_000, before in 0_i64..300_000, now in 0_i64..500_000, zones in 0_usize..4,
    ) {
        let zone = |n: usize| Some(["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"][n % 4].to_owned());
        let at = |seconds| datetime!(2026-10-20 00:00 UTC) + Duration::seconds(seconds);
        let status = if accepted { FavorStatus::Accepted } else { FavorStatus::Active };
        let timed = Timed {
            start: Some(at(start)), confirm: Some(at(start - before)), creator_zone: zone(zones), helper_zone: zone(zones + 1), ..favor(status)
        };
        let rung = rung(timed, at(now));
        prop_assert!(rung.windows(2).all(|pair| pair[0].0 < pair[1].0));
        prop_assert!(rung.iter().all(|(_, due)| !due.is_empty()));
        let all: Vec<Moment> = rung.iter().flat_map(|(_, due)| due.clone()).collect();
        prop_assert!(all.iter().enumerate().all(|(n, moment)| !all[..n].contains(moment)));
        prop_assert!(rung.iter().all(|(due_at, due)| *due_at >= at(now) || *due == [Moment::Lapse]));
        prop_assert_eq!(rung.iter().any(|(_, due)| due.contains(&Moment::Lapse)), !accepted);
    }
}
