//! The rules of rentals against the table of the design, and what holds for all of them.

use super::*;
use Payment::{DepositNotReceived, DepositNotReturned, DepositReceived, DepositReturned, PriceNotPaid, PricePaid, PriceRefunded};
use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
use proptest::{prelude::*, sample::select};
use time::{Duration, macros::date};

const TODAY: Date = date!(2028 - 02 - 29);
const STATUSES: [RentalStatus; 7] = [Pending, Accepted, Declined, Cancelled, Active, Returned, Completed];
const SIDES: [Side; 2] = [Side::Owner, Side::Borrower];
const ACTIONS: [Action; 19] = [
    Action::Accept,
    Action::Decline,
    Action::Cancel,
    Action::Move,
    Action::Start,
    Action::Return,
    Action::Complete,
    Action::Rate,
    Action::Extend,
    Action::AcceptExtension,
    Action::DeclineExtension,
    Action::WithdrawExtension,
    Action::Record(PricePaid),
    Action::Record(PriceNotPaid),
    Action::Record(PriceRefunded),
    Action::Record(DepositReceived),
    Action::Record(DepositNotReceived),
    Action::Record(DepositReturned),
    Action::Record(DepositNotReturned),
];

fn at(status: RentalStatus, side: Side) -> View {
    let days = Days::new(TODAY, TODAY + Duration::days(2)).unwrap();
    View {
        status,
        side,
        today: TODAY,
        days,
        more: None,
        taken: false,
        out: false,
        held: false,
        offered: true,
        seen: true,
        rated: false,
        paid: false,
        unpaid: false,
        was_paid: false,
        deposit: Deposit::None,
        was_received: false,
        parted: false,
        last_step: None,
    }
}

fn refusal(view: View, action: Action, same: bool) -> (Reason, String) {
    let refused = next(view, action, same).unwrap_err();
    (refused.reason(), refused.message().to_owned())
}

/// The table of the design, once more.
#[test]
fn each_side_may_do_what_the_table_says() {
    use Action::{Accept, Cancel, Complete, Decline, Extend, Move, Rate, Return, Start};
    let table: &[(RentalStatus, Side, &[Action])] = &[
        (Pending, Side::Owner, &[Accept, Decline]),
        (Pending, Side::Borrower, &[Move, Cancel]),
        (Accepted, Side::Owner, &[Start, Cancel]),
        (Accepted, Side::Borrower, &[Start, Cancel]),
        (Active, Side::Owner, &[Return]),
        (Active, Side::Borrower, &[Return, Extend]),
        (Returned, Side::Owner, &[Complete]),
        (Returned, Side::Borrower, &[]),
        (Completed, Side::Owner, &[Rate]),
        (Completed, Side::Borrower, &[Rate]),
    ];
    for status in STATUSES {
        for side in SIDES {
            let found = table.iter().find(|line| line.0 == status && line.1 == side).map_or(&[] as &[Action], |line| line.2);
            assert_eq!(allowed_actions(at(status, side)), found, "{status:?} {side:?}");
        }
    }
}

#[test]
fn other_days_are_for_who_could_ask_anew() {
    let waits = View { offered: false, ..at(Pending, Side::Borrower) };
    assert_eq!(allowed_actions(waits), [Action::Cancel]);
    assert_eq!(refusal(waits, Action::Move, false).1, "this rental is pending, and its item is no longer offered");
    assert_eq!(next(waits, Action::Move, true).unwrap(), None, "the same days are there already");
    assert_eq!(
        allowed_actions(View { held: true, taken: true, out: true, ..at(Pending, Side::Borrower) }),
        [Action::Cancel],
        "it is free on no day"
    );
    assert_eq!(allowed_actions(View { offered: false, ..at(Pending, Side::Owner) }), [Action::Accept, Action::Decline]);
    assert_eq!(allowed_actions(View { offered: false, ..at(Active, Side::Borrower) }), [Action::Return, Action::Extend], "it has begun");
    let hidden = View { offered: false, seen: false, ..at(Active, Side::Borrower) };
    assert_eq!(allowed_actions(hidden), [Action::Return], "its calendar is for those who see it");
}

#[test]
fn where_each_move_leads() {
    let leads = |status, side, action| next(at(status, side), action, true).unwrap();
    assert_eq!(leads(Pending, Side::Owner, Action::Accept), Some(To::At(Accepted)));
    assert_eq!(leads(Pending, Side::Owner, Action::Decline), Some(To::At(Declined)));
    assert_eq!(leads(Pending, Side::Borrower, Action::Cancel), Some(To::At(Cancelled)));
    assert_eq!(leads(Accepted, Side::Owner, Action::Cancel), Some(To::At(Cancelled)));
    assert_eq!(leads(Accepted, Side::Borrower, Action::Start), Some(To::At(Active)));
    assert_eq!(leads(Active, Side::Borrower, Action::Return), Some(To::At(Returned)));
    assert_eq!(leads(Active, Side::Owner, Action::Return), Some(To::At(Completed)), "the owner's own return confirms it too");
    assert_eq!(leads(Returned, Side::Owner, Action::Complete), Some(To::At(Completed)));
}

#[test]
fn who_repeats_a_move_does_nothing_and_who_contradicts_it_learns_the_state() {
    assert_eq!(next(at(Accepted, Side::Owner), Action::Accept, true).unwrap(), None);
    assert_eq!(
        refusal(at(Accepted, Side::Owner), Action::Accept, false),
        (Reason::WrongState, "this rental is accepted, for different days".into()),
        "that of other days is none of these"
    );
    for (status, side, action) in [(Cancelled, Side::Borrower, Action::Cancel), (Cancelled, Side::Owner, Action::Cancel)] {
        assert_eq!(next(at(status, side), action, false).unwrap(), None, "{status:?} {action:?}");
    }
    for (status, side, action) in [
        (Declined, Side::Owner, Action::Decline),
        (Active, Side::Owner, Action::Start),
        (Returned, Side::Borrower, Action::Return),
        (Completed, Side::Owner, Action::Return),
        (Completed, Side::Owner, Action::Complete),
    ] {
        assert_eq!(next(at(status, side), action, true).unwrap(), None, "{status:?} {action:?}");
        let (reason, message) = refusal(at(status, side), action, false);
        assert_eq!(reason, Reason::WrongState);
        assert!(message.ends_with("this was already marked, and nothing can be added to it"), "{message}");
    }
    for (side, action) in [(Side::Owner, Action::DeclineExtension), (Side::Borrower, Action::WithdrawExtension)] {
        assert_eq!(next(at(Active, side), action, true).unwrap(), None);
    }
    assert_eq!(refusal(at(Declined, Side::Owner), Action::Accept, false), (Reason::WrongState, "this rental is declined".into()));
    assert_eq!(refusal(at(Completed, Side::Borrower), Action::Return, false).1, "this rental is completed");
    assert_eq!(refusal(at(Active, Side::Owner), Action::Complete, false).1, "this rental is active");
}

#[test]
fn what_is_said_is_said_to_what_was_seen() {
    let asked = View { more: Some(TODAY + Duration::days(5)), ..at(Active, Side::Owner) };
    let agreed = View { last_step: Some(EventKind::Extended), ..at(Active, Side::Borrower) };
    for (view, action, message) in [
        (at(Pending, Side::Owner), Action::Accept, "this rental is pending, and different days are requested"),
        (at(Pending, Side::Owner), Action::Decline, "this rental is pending, and different days are requested"),
        (at(Pending, Side::Borrower), Action::Cancel, "this rental is pending"),
        (at(Accepted, Side::Borrower), Action::Cancel, "this rental is accepted"),
        (asked, Action::DeclineExtension, "this rental is active, and different days are requested"),
        (agreed, Action::WithdrawExtension, "this rental is active, and the requested days were already agreed to"),
    ] {
        assert_eq!(refusal(view, action, false), (Reason::WrongState, message.to_owned()), "{action:?}");
        assert!(next(view, action, true).is_ok() && is_of_what_is_seen(action));
    }
}

#[test]
fn the_other_sides_moves_are_the_other_sides() {
    for (status, side, action) in [
        (Pending, Side::Borrower, Action::Accept),
        (Accepted, Side::Borrower, Action::Accept),
        (Pending, Side::Owner, Action::Cancel),
        (Pending, Side::Owner, Action::Move),
        (Returned, Side::Borrower, Action::Complete),
        (Active, Side::Owner, Action::Extend),
        (Active, Side::Borrower, Action::AcceptExtension),
    ] {
        let (reason, _) = refusal(at(status, side), action, false);
        assert_eq!(reason, Reason::WrongParty, "{status:?} {side:?} {action:?}");
    }
    assert_eq!(meant(Action::DeclineExtension, Side::Borrower), Action::WithdrawExtension);
    assert_eq!(meant(Action::DeclineExtension, Side::Owner), Action::DeclineExtension);
}

#[test]
fn days_stand_in_the_way() {
    let pending = at(Pending, Side::Owner);
    let (reason, message) = refusal(View { taken: true, ..pending }, Action::Accept, true);
    assert_eq!((reason, message.as_str()), (Reason::DaysTaken, DAYS_TAKEN));
    assert!(!allowed_actions(View { taken: true, ..pending }).contains(&Action::Accept));
    let (reason, message) = refusal(View { today: TODAY + Duration::days(3), ..pending }, Action::Accept, true);
    assert_eq!((reason, message.as_str()), (Reason::WrongState, "this rental is pending, and its dates are in the past"));
    assert!(next(View { today: TODAY + Duration::days(2), ..pending }, Action::Accept, true).is_ok(), "its last day is one of them");
    let accepted = at(Accepted, Side::Borrower);
    let (reason, message) = refusal(View { today: TODAY - Duration::days(1), ..accepted }, Action::Start, false);
    assert_eq!((reason, message.as_str()), (Reason::WrongState, "this rental is accepted, and starts on 2028-02-29"));
    assert!(next(View { today: TODAY + Duration::days(9), ..accepted }, Action::Start, false).is_ok(), "a hand-over may be noted late");
    assert_eq!(refusal(View { out: true, ..accepted }, Action::Start, false).0, Reason::WrongState);
}

#[test]
fn more_days_are_agreed_to_once_and_as_they_were_asked() {
    let asked = View { more: Some(TODAY + Duration::days(5)), ..at(Active, Side::Owner) };
    assert_eq!(allowed_actions(asked), [Action::AcceptExtension, Action::DeclineExtension, Action::Return]);
    assert_eq!(next(asked, Action::AcceptExtension, true).unwrap(), Some(To::Stay));
    assert_eq!(refusal(asked, Action::AcceptExtension, false).1, "this rental is active, and different days are requested");
    assert_eq!(refusal(View { taken: true, ..asked }, Action::AcceptExtension, true).0, Reason::DaysTaken);
    let late = View { today: TODAY + Duration::days(6), ..asked };
    assert_eq!(refusal(late, Action::AcceptExtension, true).1, "this rental is active, and the requested days are in the past");
    assert_eq!(allowed_actions(late), [Action::DeclineExtension, Action::Return]);
    assert!(next(View { today: TODAY + Duration::days(5), ..asked }, Action::AcceptExtension, true).is_ok(), "its last day is one of them");
    let none = View { more: None, ..asked };
    assert_eq!(refusal(none, Action::AcceptExtension, true).1, "this rental is active, and no more days are requested");
    assert_eq!(next(View { last_step: Some(EventKind::Extended), ..none }, Action::AcceptExtension, true).unwrap(), None, "done already");
    let borrower = View { side: Side::Borrower, ..asked };
    assert_eq!(allowed_actions(borrower), [Action::Return, Action::Extend, Action::WithdrawExtension]);
    assert_eq!(next(borrower, Action::Extend, true).unwrap(), None);
    assert_eq!(next(borrower, Action::Extend, false).unwrap(), Some(To::Stay), "another day takes its place");
}

#[test]
fn a_rating_is_given_once() {
    let rated = View { rated: true, ..at(Completed, Side::Owner) };
    assert!(allowed_actions(rated).is_empty());
    assert_eq!(next(rated, Action::Rate, true).unwrap(), None);
    assert_eq!(refusal(rated, Action::Rate, false).1, "this rental is completed, and already rated");
}

fn payments(view: View) -> Vec<Payment> {
    let actions = allowed_actions(view).into_iter();
    actions.filter_map(|action| if let Action::Record(payment) = action { Some(payment) } else { None }).collect()
}

#[test]
fn the_price_is_paid_corrected_and_returned_by_either_side() {
    let table: &[(RentalStatus, &[Payment], &[Payment])] = &[
        (Pending, &[], &[]),
        (Declined, &[], &[]),
        (Accepted, &[PricePaid], &[PriceNotPaid]),
        (Active, &[PricePaid], &[PriceNotPaid]),
        (Returned, &[PricePaid], &[PriceNotPaid]),
        (Completed, &[PricePaid], &[PriceNotPaid]),
        (Cancelled, &[], &[PriceRefunded, PriceNotPaid]),
    ];
    for ((status, when_due, when_paid), side) in table.iter().flat_map(|line| SIDES.map(|side| (line, side))) {
        assert_eq!(payments(View { unpaid: true, ..at(*status, side) }), *when_due, "{status:?} {side:?}");
        assert_eq!(payments(View { paid: true, ..at(*status, side) }), *when_paid, "{status:?} {side:?}");
    }
}

#[test]
fn the_deposit_is_received_returned_and_corrected_by_either_side() {
    // The payments that can be recorded while the deposit is due, held and returned.
    let table: &[(RentalStatus, [&[Payment]; 3])] = &[
        (Pending, [&[], &[], &[]]),
        (Declined, [&[], &[], &[]]),
        (Accepted, [&[DepositReceived], &[DepositNotReceived], &[]]),
        (Active, [&[DepositReceived], &[DepositNotReceived], &[]]),
        (Returned, [&[DepositReceived], &[DepositReturned, DepositNotReceived], &[DepositNotReturned]]),
        (Completed, [&[], &[DepositReturned, DepositNotReceived], &[DepositNotReturned]]),
        (Cancelled, [&[], &[DepositReturned, DepositNotReceived], &[DepositNotReturned]]),
    ];
    for ((status, [due, held, returned]), side) in table.iter().flat_map(|line| SIDES.map(|side| (line, side))) {
        let found = |deposit| payments(View { deposit, ..at(*status, side) });
        assert_eq!(found(Deposit::Due), *due, "{status:?} {side:?}");
        assert_eq!(found(Deposit::Held), *held, "{status:?} {side:?}");
        assert_eq!(found(Deposit::Returned), *returned, "{status:?} {side:?}");
        assert_eq!(found(Deposit::None), [], "{status:?} {side:?}");
    }
}

#[test]
fn a_payment_is_recorded_once_and_for_what_was_seen_to_be_due() {
    let due = View { unpaid: true, deposit: Deposit::Due, ..at(Active, Side::Borrower) };
    let refused = |view, payment| refusal(view, Action::Record(payment), true).1;
    assert_eq!(refusal(due, Action::Record(PricePaid), false).1, "this rental is active, and another amount is due for it");
    let back = View { status: Returned, ..due };
    assert_eq!(refused(back, DepositReturned), "this rental is returned, and its deposit was not received");
    let done = View { paid: true, unpaid: false, deposit: Deposit::Returned, ..due };
    for payment in [PricePaid, DepositReceived, DepositReturned] {
        assert_eq!(next(done, Action::Record(payment), false).unwrap(), None, "{payment:?}");
        assert_eq!(next(View { status: Completed, ..done }, Action::Record(payment), false).unwrap(), None, "{payment:?}");
    }
    let more = View { unpaid: true, ..done };
    assert_eq!(next(more, Action::Record(PricePaid), true).unwrap(), Some(To::Stay), "more days were agreed to since");
    let free = View { unpaid: false, deposit: Deposit::None, ..due };
    assert_eq!(refused(free, PricePaid), "this rental is active, and nothing is due for it");
    assert_eq!(refused(free, DepositReceived), "this rental is active, and has no deposit");
}

#[test]
fn a_correction_repeated_changes_nothing_and_one_of_nothing_is_refused() {
    let refused = |view, payment| refusal(view, Action::Record(payment), true).1;
    let due = View { unpaid: true, deposit: Deposit::Due, ..at(Returned, Side::Owner) };
    for payment in [PriceNotPaid, DepositNotReceived] {
        assert_eq!(next(due, Action::Record(payment), true).unwrap(), None, "{payment:?}");
    }
    assert_eq!(next(View { deposit: Deposit::Held, ..due }, Action::Record(DepositNotReturned), true).unwrap(), None);
    assert_eq!(refused(due, DepositNotReturned), "this rental is returned, and its deposit was not received");
    let returned = View { deposit: Deposit::Returned, ..due };
    assert_eq!(refused(returned, DepositNotReceived), "this rental is returned, and its deposit was returned");
    assert_eq!(refused(View { deposit: Deposit::None, ..due }, DepositNotReceived), "this rental is returned, and has no deposit");
    assert_eq!(refused(View { paid: true, ..due }, PriceRefunded), "this rental is returned");
    let cancelled = View { status: Cancelled, was_paid: true, was_received: true, ..due };
    assert_eq!(payments(cancelled), [PricePaid, DepositReceived], "either was marked by mistake, or is still open");
    let never = View { was_paid: false, was_received: false, ..cancelled };
    assert_eq!(refused(never, PricePaid), "this rental is cancelled, and nothing is due for it");
    assert_eq!(refused(never, DepositReceived), "this rental is cancelled");
}

#[test]
fn a_correction_takes_back_the_last_payment_that_counts() {
    use EventKind::{NotPaid, Paid, Refunded};
    let cents = |steps: &[(EventKind, i64)]| {
        let steps: Vec<_> = steps.iter().map(|(kind, cents)| (*kind, Cents::from_cents(*cents))).collect();
        (last_payment(&steps).cents(), taken_back(&steps).cents())
    };
    for (steps, expected) in [
        (&[][..], (0, 0)),
        (&[(Paid, 20)], (20, 0)),
        (&[(Paid, 20), (Paid, 5)], (5, 0)),
        (&[(Paid, 20), (Paid, 5), (NotPaid, 5)], (20, 5)),
        (&[(Paid, 20), (NotPaid, 20), (Paid, 25)], (25, 0)),
        (&[(Paid, 20), (Paid, 5), (Refunded, 25)], (0, 25)),
        (&[(Paid, 20), (Refunded, 20), (Paid, 20)], (20, 0)),
    ] {
        assert_eq!(cents(steps), expected, "{steps:?}");
    }
}

#[test]
fn nothing_is_recorded_between_two_who_parted_once_the_rental_is_over() {
    let held = View { paid: true, deposit: Deposit::Held, parted: true, ..at(Returned, Side::Borrower) };
    for (status, open) in [(Returned, true), (Completed, false), (Cancelled, false)] {
        assert_eq!(!payments(View { status, ..held }).is_empty(), open, "{status:?}");
    }
}

#[test]
fn days_left_are_signed_and_told_while_it_is_out() {
    let active = at(Active, Side::Borrower);
    assert_eq!(days_left(active), Some(2));
    assert_eq!(days_left(View { today: active.days.last(), ..active }), Some(0));
    assert_eq!(days_left(View { today: date!(2028 - 03 - 05), ..active }), Some(-3));
    assert_eq!(days_left(at(Returned, Side::Borrower)), None);
}

#[test]
fn an_end_is_told_once_the_first_day_has_passed_without_a_hand_over() {
    let accepted = at(Accepted, Side::Owner);
    assert_eq!(ends_with(accepted), None, "it is today");
    let later = View { today: TODAY + Duration::days(1), ..accepted };
    assert_eq!(ends_with(later), Some(date!(2028 - 03 - 16)));
    for status in [Pending, Active, Returned, Cancelled] {
        assert_eq!(ends_with(View { status, ..later }), None, "{status:?}");
    }
}

fn views() -> impl Strategy<Value = View> {
    let more = proptest::option::of((1..9_i64).prop_map(|n| TODAY + Duration::days(2 + n)));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let deposits = select(vec![Deposit::None, Deposit::Due, Deposit::Held, Deposit::Returned]);
    let facts = (-9..9_i64, more, flags, deposits);
    (select(STATUSES.to_vec()), select(SIDES.to_vec()), facts).prop_map(|(status, side, (passed, more, flags, deposit))| {
        let (taken, out, rated, extended, unpaid) = flags;
        let view = at(status, side);
        let more = more.filter(|_| status == Active);
        let last_step = extended.then_some(EventKind::Extended);
        View { today: TODAY + Duration::days(passed), more, taken, out, rated, unpaid, deposit, last_step, ..view }
    })
}

proptest! {
    #[test]
    fn what_is_offered_can_be_done_and_changes_something(view in views(), action in select(ACTIONS.to_vec()), same in any::<bool>()) {
        let offered = allowed_actions(view).contains(&action);
        let new = matches!(next(view, action, same), Ok(Some(_)));
        let fresh = matches!(next(view, action, false), Ok(Some(_))) || matches!(next(view, action, true), Ok(Some(_)));
        prop_assert!(!offered || fresh);
        prop_assert!(!new || offered, "{action:?} works, and is not offered");
    }

    #[test]
    fn a_move_that_was_made_is_repeated_without_harm(view in views(), action in select(ACTIONS.to_vec())) {
        if let Ok(Some(To::At(status))) = next(view, action, true) {
            prop_assert_eq!(next(View { status, more: None, ..view }, action, true).unwrap(), None);
        }
    }

    #[test]
    fn what_is_over_stays_over(view in views(), action in select(ACTIONS.to_vec()), same in any::<bool>()) {
        if [Declined, Cancelled, Completed].contains(&view.status) {
            prop_assert!(!matches!(next(view, action, same), Ok(Some(To::At(_)))));
        }
    }
}
