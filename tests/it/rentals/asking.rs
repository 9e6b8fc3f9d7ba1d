//! Asking for an item: which days are free, what may be asked for, and what is refused.

use super::three;
use crate::{
    asking::fields,
    borrowing::{day, wish},
    harness::{TestServer, locks, until},
    lending::ladder,
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    pb::{
        common::Currency,
        items::{BrowseFeedRequest, CancellationPolicy, UpdateItemRequest},
        notifications::NotificationType as Told,
        rentals::{RentalAction as Action, RentalEventKind as Step, RequestRentalRequest},
    },
};
use time::macros::datetime;
use tonic::Request;

fn texts(days: impl IntoIterator<Item = i64>) -> Vec<String> {
    days.into_iter().map(day).collect()
}

#[tokio::test]
async fn availability_tells_what_stands_in_the_way() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    server.wants(&ben, wish(&ladder, 12, 13)).await.unwrap();
    server.agreed(&ana, &ben, wish(&ladder, 3, 4)).await;
    server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.keeps(&ana, &ladder, &[(8, 9)]).await.unwrap();

    let year = server.free(&eve, &ladder, None).await.unwrap();
    assert!(!year.available, "it is out today");
    assert_eq!((year.booked_dates, year.borrowed_dates, year.blocked_dates), (texts(3..=4), texts(0..=1), texts(8..=9)));
    assert_eq!((year.estimate, year.today), (None, day(0)));
    let range = server.free(&eve, &ladder, Some((4, 8))).await.unwrap();
    assert_eq!((range.available, range.booked_dates, range.borrowed_dates, range.blocked_dates), (false, texts([4]), vec![], texts([8])));
    let estimate = range.estimate.unwrap();
    assert_eq!((estimate.days, estimate.subtotal, estimate.deposit, estimate.total), (5, 50.0, 20.0, 70.0));
    assert!(server.free(&eve, &ladder, Some((10, 14))).await.unwrap().available, "what waits blocks nothing");
    server.item_is(&ladder, "max_days = 4").await;
    assert!(!server.free(&eve, &ladder, Some((10, 14))).await.unwrap().available, "five days are too many");
    assert!(server.free(&eve, &ladder, Some((10, 13))).await.unwrap().available);
    server.stop().await;
}

#[tokio::test]
async fn what_is_overdue_is_free_on_no_day_until_it_is_given_back() {
    let server = TestServer::start().await;
    let (mut ana, mut ben, mut eve, ladder) = three(&server).await;
    let late = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    let waits = server.wants(&eve, wish(&ladder, 30, 31)).await.unwrap().request_id;
    server.days_pass(2, &mut [&mut ana, &mut ben, &mut eve]).await;
    let year = server.free(&eve, &ladder, None).await.unwrap();
    assert_eq!((year.available, year.borrowed_dates.len()), (false, 366));
    assert!(!server.free(&eve, &ladder, Some((100, 101))).await.unwrap().available);
    for refused in
        [server.wants(&eve, wish(&ladder, 40, 41)).await.unwrap_err(), server.does(&ana, &waits, Action::Accept).await.unwrap_err()]
    {
        assert_eq!(
            (refused.reason.as_str(), refused.message.as_str()),
            ("DAYS_TAKEN", "This item is not available for the selected dates.")
        );
    }
    assert!(server.rental(&eve, &waits).await.unwrap().days_taken);
    server.does(&ben, &late, Action::Return).await.unwrap();
    assert!(server.free(&eve, &ladder, None).await.unwrap().available);
    server.does(&ana, &waits, Action::Accept).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn who_may_not_see_an_item_learns_nothing_of_its_days() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let cleo = server.member("Cleo", "Marsh").await;
    let both = async |reason: &str| {
        let calendar = server.free(&cleo, &ladder, None).await.unwrap_err();
        let asked = server.wants(&cleo, wish(&ladder, 1, 2)).await.unwrap_err();
        assert_eq!((calendar.reason.as_str(), asked.reason.as_str()), (reason, reason));
        asked.message
    };
    let text = "This item is only available to friends. Send a friend request to the owner to access their items.";
    assert_eq!(both("FRIENDS_ONLY").await, text);
    server.item_is(&ladder, "narrowed = true").await;
    assert_eq!(both("NOT_FOUND").await, "item not found");
    server.item_is(&ladder, "narrowed = false, status = 'deleted'").await;
    both("NOT_FOUND").await;
    for who in [&ana, &ben] {
        assert_eq!(server.free(who, &ladder, None).await.unwrap_err().reason, "NOT_FOUND");
    }
    // Unlisted, it is seen by its circle, and not lent.
    server.item_is(&ladder, "status = 'unlisted'").await;
    both("NOT_FOUND").await;
    assert!(!server.free(&ben, &ladder, Some((1, 2))).await.unwrap().available);
    let refused = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap_err();
    assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("WRONG_STATE", "this item is unlisted"));
    server.item_is(&ladder, "status = 'listed'").await;
    assert_eq!(server.wants(&ana, wish(&ladder, 1, 2)).await.unwrap_err().reason, "WRONG_PARTY");
    server.stop().await;
}

#[tokio::test]
async fn days_that_cannot_be_asked_for_are_named() {
    let server = TestServer::start().await;
    let (_, ben, _, ladder) = three(&server).await;
    server.item_is(&ladder, "max_days = 3").await;
    for (first, last, field) in [
        (-1, 1, "start_date: IN_PAST"),
        (2, 1, "end_date: CONFLICTING"),
        (1, 4, "end_date: OUT_OF_RANGE"),
        (365, 366, "end_date: OUT_OF_RANGE"),
    ] {
        assert_eq!(fields(&server.wants(&ben, wish(&ladder, first, last)).await.unwrap_err()), [field], "{first} {last}");
    }
    let text = server.wants(&ben, wish(&ladder, 1, 4)).await.unwrap_err().message;
    assert_eq!(text, "end_date: This item can only be rented for a maximum of 3 days.");
    let no_day = RequestRentalRequest { start_date: "2026-06-31".into(), ..wish(&ladder, 1, 2) };
    assert_eq!(fields(&server.wants(&ben, no_day).await.unwrap_err()), ["start_date: INVALID"]);
    for (first, last, field) in [(-1, 1, "start_date: IN_PAST"), (2, 1, "end_date: CONFLICTING"), (365, 366, "end_date: OUT_OF_RANGE")] {
        assert_eq!(fields(&server.free(&ben, &ladder, Some((first, last))).await.unwrap_err()), [field]);
    }
    let half = goodturn::pb::rentals::CheckAvailabilityRequest { item_id: ladder.clone(), start_date: day(1), ..Default::default() };
    let refused = server.rentals(&ben).check_availability(half).await.unwrap_err();
    assert_eq!(fields(&refused.into()), ["end_date: REQUIRED"]);
    assert!(server.wants(&ben, wish(&ladder, 365, 365)).await.is_ok(), "a year ahead");
    server.stop().await;
}

/// What a borrower agrees to is what they saw.
#[tokio::test]
async fn an_item_whose_price_was_raised_is_not_asked_for_at_the_old_one() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let terms = async || server.feed(&ben, BrowseFeedRequest::default()).await.items[0].terms.clone();
    let knowing = |terms: &str, last| RequestRentalRequest { terms: terms.into(), ..wish(&ladder, 1, last) };
    let change = |update: UpdateItemRequest| server.changes_item(&ana, UpdateItemRequest { item_id: ladder.clone(), ..update });
    let first = terms().await;
    change(UpdateItemRequest { description: Some("Now with a rack".into()), max_days: Some(9), ..Default::default() }).await.unwrap();
    let asked = server.wants(&ben, knowing(&first, 2)).await.unwrap();
    for update in [
        UpdateItemRequest { price_per_day: Some(50.0), ..Default::default() },
        UpdateItemRequest { deposit: Some(500.0), ..Default::default() },
        UpdateItemRequest { currency: Some(Currency::Eur.into()), ..Default::default() },
        UpdateItemRequest { cancellation_policy: Some(CancellationPolicy::Strict.into()), ..Default::default() },
    ] {
        let before = terms().await;
        change(update.clone()).await.unwrap();
        let refused = server.wants(&ben, knowing(&before, 2)).await.unwrap_err();
        assert_eq!((refused.reason.as_str(), fields(&refused)), ("CONFLICT", vec!["terms: CONFLICTING".to_owned()]), "{update:?}");
    }
    assert_eq!(server.wants(&ben, knowing(&terms().await, 3)).await.unwrap().total_price, 150.0);
    server.wants(&ben, wish(&ladder, 1, 4)).await.expect("who says none asks by whichever");
    assert_eq!(server.rental(&ben, &asked.request_id).await.unwrap().total_price, asked.total_price, "as it was asked for");
    server.stop().await;
}

/// Late in the evening of the last day of a year it is the next year already where the owner is; what is past there is past.
#[tokio::test]
async fn today_is_the_owners() {
    let start = datetime!(2027-12-31 20:00:00 UTC);
    let server = TestServer::start_with(Clock::fixed(start), |_| {}).await;
    let (ana, ben, _, ladder) = three(&server).await;
    let on = |first: &str, last: &str| RequestRentalRequest { start_date: first.into(), end_date: last.into(), ..wish(&ladder, 0, 0) };
    server.lives_in(&ana, "Asia/Tokyo").await;
    assert_eq!(server.free(&ben, &ladder, None).await.unwrap().today, "2028-01-01");
    assert_eq!(fields(&server.wants(&ben, on("2027-12-31", "2028-01-02")).await.unwrap_err()), ["start_date: IN_PAST"]);
    let id = server.wants(&ben, on("2028-01-01", "2028-03-01")).await.unwrap();
    assert_eq!(id.total_price, 610.0, "a leap year");
    server.does(&ana, &id.request_id, Action::Accept).await.unwrap();
    assert_eq!(server.does(&ben, &id.request_id, Action::Start).await.unwrap().days_left, Some(60));
    server.lives_in(&ana, "America/Los_Angeles").await;
    let moved = server.rental(&ben, &id.request_id).await.unwrap();
    assert_eq!((moved.days_left, moved.today.as_str()), (Some(61), "2027-12-31"), "her day is another since she moved");
    server.stop().await;
}

#[tokio::test]
async fn the_same_request_is_made_once() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let with_key = |wish: RequestRentalRequest| {
        let mut request = Request::new(wish);
        request.metadata_mut().insert("idempotency-key", "one".parse().unwrap());
        request
    };
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(server.rentals(&ben).request_rental(with_key(wish(&ladder, 1, 2))).await.unwrap().into_inner().rental.unwrap().request_id);
    }
    assert_eq!(ids[0], ids[1]);
    let other = server.rentals(&ben).request_rental(with_key(wish(&ladder, 1, 3))).await.unwrap_err();
    assert_eq!(crate::harness::Refused::from(other).reason, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(server.told(&ana).await.iter().filter(|told| **told == Told::RentalRequest).count(), 1);
    server.stop().await;
}

#[tokio::test]
async fn twenty_requests_wait_for_one_item_and_a_hundred_are_made_a_day() {
    let server = TestServer::start().await;
    let (_, mut ben, _, ladder) = three(&server).await;
    let owner = server.member("Olga", "Many").await;
    server.befriend(&owner, &ben).await;
    for n in 0..20 {
        server.wants(&ben, wish(&ladder, n / 2, n + 1)).await.unwrap();
    }
    assert_eq!(server.wants(&ben, wish(&ladder, 1, 40)).await.unwrap_err().reason, "LIMIT_REACHED");
    for thing in 0..4 {
        let item = server.lends(&owner, &format!("Thing {thing}")).await;
        for n in 0..20 {
            server.wants(&ben, wish(&item, 1, n + 2)).await.unwrap();
        }
    }
    let fresh = server.lends(&owner, "One more").await;
    let refused = server.wants(&ben, wish(&fresh, 1, 2)).await.unwrap_err();
    assert_eq!(
        (refused.reason.as_str(), refused.message.as_str()),
        ("RATE_LIMITED", "you have asked to borrow too often today; try again later")
    );
    server.days_pass(1, &mut [&mut ben]).await;
    server.wants(&ben, wish(&fresh, 1, 2)).await.unwrap();
    server.stop().await;
}

/// From two devices too: of two that are alike the owner could but decline one.
#[tokio::test]
async fn of_two_requests_for_the_same_days_one_is_made() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let both = join_all((0..8).map(|_| server.wants(&ben, wish(&ladder, 1, 3)))).await;
    let (made, refused): (Vec<_>, Vec<_>) = both.into_iter().partition(Result::is_ok);
    let refused: Vec<_> = refused.into_iter().map(|no| no.unwrap_err()).map(|no| (no.reason, no.message)).collect();
    assert_eq!(refused, vec![("ALREADY_SENT".to_owned(), "you already asked for these dates; the owner was notified".to_owned()); 7]);
    let [made] = made.try_into().unwrap();
    let made = made.unwrap().request_id;
    let other = server.wants(&ben, wish(&ladder, 2, 3)).await.unwrap().request_id;
    assert_eq!(server.does_with(&ben, &other, Action::Move, "", (1, 3)).await.unwrap_err().reason, "ALREADY_SENT");
    server.wants(&eve, wish(&ladder, 1, 3)).await.unwrap();
    assert_eq!(server.told(&ana).await.iter().filter(|told| **told == Told::RentalRequest).count(), 3);
    server.does(&ben, &made, Action::Cancel).await.unwrap();
    server.does_with(&ben, &other, Action::Move, "", (1, 3)).await.unwrap();
    server.stop().await;
}

/// A repeated call changes nothing, so that it spends nothing.
#[tokio::test]
async fn days_are_changed_a_hundred_times_a_day_and_asked_for_again_as_often_as_one_likes() {
    let server = TestServer::start().await;
    let (_, ben, _, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 1, 3)).await.unwrap().request_id;
    let spent = format!("'days of member', array_fill(now(), ARRAY[99]), now() FROM members WHERE id = '{}'", ben.uid);
    server.rewrites(&format!("INSERT INTO budgets SELECT uuid_send(id), {spent}")).await;
    for _ in 0..3 {
        server.does_with(&ben, &id, Action::Move, "", (1, 4)).await.unwrap();
    }
    assert_eq!(server.does_with(&ben, &id, Action::Move, "", (1, 5)).await.unwrap_err().reason, "RATE_LIMITED");
    server.does_with(&ben, &id, Action::Move, "", (1, 4)).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_request_whose_days_were_taken_says_so_and_is_moved() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let (one, other) = (server.wants(&ben, wish(&ladder, 1, 3)).await.unwrap(), server.wants(&eve, wish(&ladder, 3, 5)).await.unwrap());
    server.does(&ana, &one.request_id, Action::Accept).await.unwrap();
    let taken = server.rental(&ana, &other.request_id).await.unwrap();
    assert!(taken.days_taken);
    assert_eq!(taken.allowed_actions().collect::<Vec<_>>(), [Action::Decline]);
    assert_eq!(server.does(&ana, &other.request_id, Action::Accept).await.unwrap_err().reason, "DAYS_TAKEN");
    assert_eq!(server.does_with(&eve, &other.request_id, Action::Move, "", (2, 4)).await.unwrap_err().reason, "DAYS_TAKEN");
    assert_eq!(server.does_with(&ana, &other.request_id, Action::Move, "", (4, 9)).await.unwrap_err().reason, "WRONG_PARTY");
    for _ in 0..2 {
        let moved = server.does_with(&eve, &other.request_id, Action::Move, "", (4, 9)).await.unwrap();
        assert_eq!((moved.start_date, moved.end_date, moved.total_price, moved.days_taken), (day(4), day(9), 60.0, false));
    }
    let news = server.news(&ana).await;
    assert_eq!((news[0].r#type(), news[0].action_required), (Told::RentalMoved, true));
    assert!(news[1..].iter().all(|told| !told.action_required), "it waits as one thing");
    server.keeps(&ana, &ladder, &[(9, 9)]).await.unwrap();
    assert!(server.rental(&eve, &other.request_id).await.unwrap().days_taken, "black-out days count as taken");
    assert_eq!(server.does(&ana, &other.request_id, Action::Accept).await.unwrap_err().reason, "DAYS_TAKEN");
    let moved = server.does_with(&eve, &other.request_id, Action::Move, "", (4, 8)).await.unwrap();
    let steps: Vec<_> = moved.story.iter().map(|e| e.kind()).collect();
    assert_eq!(steps, [Step::Asked, Step::Moved, Step::Moved]);
    server.does(&ana, &other.request_id, Action::Accept).await.unwrap();
    assert_eq!(server.does_with(&eve, &other.request_id, Action::Move, "", (5, 8)).await.unwrap_err().reason, "WRONG_STATE");
    server.stop().await;
}

#[tokio::test]
async fn who_takes_back_what_was_not_read_leaves_one_line() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let before = server.told(&ana).await.len();
    for n in 0..3 {
        let id = server.wants(&ben, wish(&ladder, n, n)).await.unwrap().request_id;
        server.does(&ben, &id, Action::Cancel).await.unwrap();
    }
    let told = server.told(&ana).await;
    assert_eq!(told[..told.len() - before], [Told::RentalCancelled]);
    server.stop().await;
}

/// How long an answer takes must not tell that there is an item which is not for who asks.
#[tokio::test]
async fn an_item_that_is_not_for_the_caller_causes_as_many_statements_as_none() {
    let server = TestServer::start().await;
    let (ana, ben, _, _) = three(&server).await;
    let draft = server.item(&ana, ladder()).await.item_id;
    let mut counts = Vec::new();
    for item in [draft, uuid::Uuid::from_u128(404).to_string()] {
        let before = locks::statements_on("budgets").len();
        assert_eq!(server.wants(&ben, wish(&item, 1, 2)).await.unwrap_err().message, "item not found");
        until("the transaction is seen", async || locks::statements_on("budgets").len() == before + 1).await;
        counts.push(locks::statements_on("budgets")[before]);
    }
    assert_eq!(counts[0], counts[1]);
    server.stop().await;
}
