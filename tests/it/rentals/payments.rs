//! Payments between the two sides of a rental, as they record them.

use super::three;
use crate::{
    borrowing::{steps_of, wish},
    harness::{Member, TestServer},
};
use futures_util::future::join_all;
use goodturn::pb::{
    notifications::NotificationType as Told,
    profile::{GetProfileRequest, GetStatsRequest, PaymentInfoChange, ProfileDataChange, UpdateProfileRequest},
    rentals::{
        GetItemStatsRequest, ListRentalsRequest, RateRentalRequest, Rental, RentalAction as Action, RentalEventKind as Step,
        RentalPayment as Payment, StatusWord,
    },
};
use serde_json::json;

async fn earned(server: &TestServer, who: &Member) -> Vec<f64> {
    let stats = server.profile(who).get_stats(GetStatsRequest { uid: who.uid.clone() }).await.unwrap().into_inner().stats.unwrap();
    stats.earnings.iter().map(|earning| earning.amount).collect()
}

fn payments(rental: &Rental) -> Vec<Step> {
    let kinds = [
        Step::Paid,
        Step::NotPaid,
        Step::Refunded,
        Step::DepositReceived,
        Step::DepositNotReceived,
        Step::DepositReturned,
        Step::DepositNotReturned,
    ];
    rental.story.iter().map(|event| event.kind()).filter(|kind| kinds.contains(kind)).collect()
}

#[tokio::test]
async fn price_and_deposit_are_recorded_once_by_either_side_and_what_is_earned_was_paid() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    let out = server.rental(&ben, &id).await.unwrap();
    assert_eq!((out.due, out.paid, out.deposit_received_at), (20.0, 0.0, None));
    assert!([Action::MarkPaid, Action::ReceiveDeposit].iter().all(|action| out.allowed_actions().any(|a| a == *action)));
    let other = server.records(&ben, &id, Payment::PricePaid, 19.5).await.unwrap_err();
    assert_eq!((other.reason.as_str(), other.message.as_str()), ("WRONG_STATE", "this rental is active, and another amount is due for it"));
    let early = server.records(&ben, &id, Payment::DepositReturned, 0.0).await.unwrap_err();
    assert_eq!((early.reason.as_str(), early.message.as_str()), ("WRONG_STATE", "this rental is active"));
    let before = (server.told(&ana).await.len(), server.told(&ben).await.len());
    for _ in 0..2 {
        let held = server.records(&ana, &id, Payment::DepositReceived, 0.0).await.unwrap();
        assert!(held.deposit_received_at.is_some() && held.deposit_returned_at.is_none());
    }
    server.does(&ana, &id, Action::Return).await.unwrap();
    assert_eq!(earned(&server, &ana).await, Vec::<f64>::new(), "nothing was paid yet");
    for _ in 0..2 {
        let paid = server.records(&ben, &id, Payment::PricePaid, 20.0).await.unwrap();
        assert_eq!((paid.due, paid.paid), (0.0, 20.0));
        assert!(server.records(&ben, &id, Payment::DepositReturned, 0.0).await.unwrap().deposit_returned_at.is_some());
    }
    let done = server.rental(&ana, &id).await.unwrap();
    assert_eq!(payments(&done), [Step::DepositReceived, Step::Paid, Step::DepositReturned]);
    assert_eq!(steps_of(&done), [Action::Rate]);
    assert_eq!((earned(&server, &ana).await, earned(&server, &ben).await), (vec![20.0], vec![]));
    let request = GetItemStatsRequest { item_id: ladder.clone() };
    assert_eq!(server.rentals(&ana).get_item_stats(request).await.unwrap().into_inner().total_earned, 20.0);
    // Each of them once, and never to the one who did it.
    let (to_ana, to_ben) = (server.told(&ana).await, server.told(&ben).await);
    assert_eq!(to_ana[..to_ana.len() - before.0], [Told::RentalPayment, Told::RentalPayment]);
    assert_eq!(to_ben[..to_ben.len() - before.1], [Told::RentalCompleted, Told::RentalPayment]);
    assert_eq!(server.news(&ana).await[1].message, "Ben Okafor marked $20.00 for “Ladder” as paid.");
    server.stop().await;
}

#[tokio::test]
async fn open_payments_of_a_rental_that_is_over_are_listed_until_they_are_settled() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let open = async |who: &Member| {
        let request = ListRentalsRequest { status: vec![StatusWord::Active.into()], open_payments: true, ..Default::default() };
        let list = server.rentals(who).list_rentals(request).await.unwrap().into_inner().rentals;
        list.into_iter().map(|rental| rental.request_id).collect::<Vec<_>>()
    };
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.records(&ana, &id, Payment::DepositReceived, 0.0).await.unwrap();
    server.does(&ana, &id, Action::Return).await.unwrap();
    for (payment, left) in [(Payment::PricePaid, 1), (Payment::DepositReturned, 0)] {
        assert_eq!((open(&ana).await, open(&ben).await), (vec![id.clone()], vec![id.clone()]));
        server.records(&ben, &id, payment, 0.0).await.unwrap();
        assert_eq!((open(&ana).await.len(), open(&ben).await.len()), (left, left));
    }
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 5, 6)).await;
    server.records(&ben, &agreed, Payment::DepositReceived, 0.0).await.unwrap();
    server.does(&ana, &agreed, Action::Cancel).await.unwrap();
    assert_eq!(open(&ben).await, std::slice::from_ref(&agreed));
    server.records(&ben, &agreed, Payment::DepositReturned, 0.0).await.unwrap();
    assert_eq!(open(&ben).await, Vec::<String>::new());
    let paid = server.agreed(&ana, &ben, wish(&ladder, 7, 8)).await;
    server.records(&ben, &paid, Payment::PricePaid, 20.0).await.unwrap();
    server.does(&ana, &paid, Action::Cancel).await.unwrap();
    assert_eq!(open(&ben).await, [paid], "what was paid is to be returned");
    let told = server.news(&ben).await.remove(0);
    assert!(told.message.ends_with("Some money has already changed hands. Please work that out with each other."), "{}", told.message);
    server.rewrites("UPDATE rentals SET updated_at = updated_at - interval '31 days'").await;
    assert_eq!(open(&ana).await, Vec::<String>::new(), "not for ever");
    server.stop().await;
}

#[tokio::test]
async fn more_days_are_due_after_the_first_were_paid_and_a_cancelled_rental_owes_the_deposit_alone() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.records(&ben, &id, Payment::PricePaid, 20.0).await.unwrap();
    server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
    let longer = server.does(&ana, &id, Action::AcceptExtension).await.unwrap();
    assert_eq!((longer.due, longer.paid), (20.0, 20.0));
    // Said again after a payment, an agreement to more days is still the same one.
    let before = server.records(&ben, &id, Payment::PricePaid, 20.0).await.unwrap_err();
    assert_eq!(before.message, "this rental is active, and another amount is due for it", "the first payment, said again");
    let paid = server.records(&ana, &id, Payment::PricePaid, 40.0).await.unwrap();
    assert_eq!((paid.due, paid.paid), (0.0, 40.0));
    assert_eq!(server.news(&ben).await[0].message, "Ana Silva marked $20.00 for “Ladder” as paid.", "what was paid now");
    server.does(&ana, &id, Action::AcceptExtension).await.unwrap();

    let agreed = server.agreed(&ana, &ben, wish(&ladder, 6, 6)).await;
    server.records(&ben, &agreed, Payment::PricePaid, 0.0).await.unwrap();
    server.records(&ana, &agreed, Payment::DepositReceived, 0.0).await.unwrap();
    server.does(&ben, &agreed, Action::Cancel).await.unwrap();
    let off = server.rental(&ben, &agreed).await.unwrap();
    assert_eq!(
        (off.due, off.allowed_actions().collect::<Vec<_>>()),
        (0.0, vec![Action::Refund, Action::ReturnDeposit, Action::UnmarkPaid, Action::UnmarkDepositReceived])
    );
    assert_eq!(earned(&server, &ana).await, [40.0], "a payment for a cancelled rental is to be returned");
    server.records(&ana, &agreed, Payment::DepositReturned, 0.0).await.unwrap();
    for _ in 0..2 {
        let returned = server.records(&ben, &agreed, Payment::PriceRefunded, 0.0).await.unwrap();
        assert_eq!((returned.paid, returned.due), (0.0, 0.0));
    }
    assert_eq!(server.news(&ana).await[0].message, "Ben Okafor marked the payment of $10.00 for “Ladder” as settled.");
    // The refund did not arrive, and is open again.
    let open = server.records(&ben, &agreed, Payment::PricePaid, 0.0).await.unwrap();
    assert_eq!((open.paid, open.due), (10.0, 0.0));
    assert!(open.allowed_actions().any(|action| action == Action::Refund));
    let asked = server.wants(&ben, wish(&ladder, 8, 8)).await.unwrap().request_id;
    let early = server.records(&ben, &asked, Payment::PricePaid, 0.0).await.unwrap_err();
    assert_eq!((early.reason.as_str(), early.message.as_str()), ("WRONG_STATE", "this rental is pending"));
    server.stop().await;
}

#[tokio::test]
async fn either_side_corrects_a_payment_that_did_not_happen_and_the_other_is_told() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.does(&ben, &id, Action::Return).await.unwrap();
    let marks = [
        (&ben, Payment::PricePaid),
        (&ana, Payment::PriceNotPaid),
        (&ana, Payment::DepositReceived),
        (&ana, Payment::DepositReturned),
        (&ben, Payment::DepositNotReturned),
        (&ana, Payment::DepositNotReceived),
    ];
    for (who, payment) in marks {
        for _ in 0..2 {
            server.records(who, &id, payment, 0.0).await.unwrap();
        }
    }
    let corrected = server.rental(&ben, &id).await.unwrap();
    assert_eq!((corrected.paid, corrected.due), (0.0, 20.0));
    assert_eq!((corrected.deposit_received_at, corrected.deposit_returned_at), (None, None));
    let story =
        [Step::Paid, Step::NotPaid, Step::DepositReceived, Step::DepositReturned, Step::DepositNotReturned, Step::DepositNotReceived];
    assert_eq!(payments(&corrected), story);
    assert_eq!(server.news(&ana).await[0].message, "Ben Okafor marked the deposit of $20.00 for “Ladder” as not returned.");
    let all = "spent = array_fill(last_spent, ARRAY[100])";
    server.rewrites(&format!("UPDATE budgets SET {all} WHERE purpose = 'payments of member'")).await;
    let refused = server.records(&ben, &id, Payment::PricePaid, 0.0).await.unwrap_err();
    assert_eq!(refused.reason, "RATE_LIMITED");
    server.stop().await;
}

#[tokio::test]
async fn payments_that_both_sides_record_at_once_are_recorded_and_told_once() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.does(&ben, &id, Action::Return).await.unwrap();
    for payment in [Payment::PricePaid, Payment::DepositReceived, Payment::DepositReturned] {
        let both = (0..6).map(|n| server.records(if n % 2 == 0 { &ana } else { &ben }, &id, payment, 0.0));
        assert!(join_all(both).await.iter().all(Result::is_ok), "{payment:?}");
    }
    let story = payments(&server.rental(&ana, &id).await.unwrap());
    assert_eq!(story, [Step::Paid, Step::DepositReceived, Step::DepositReturned]);
    let told = [server.told(&ana).await, server.told(&ben).await].concat();
    assert_eq!(told.iter().filter(|kind| **kind == Told::RentalPayment).count(), 3);
    server.stop().await;
}

#[tokio::test]
async fn the_borrower_sees_how_to_pay_the_owner_while_something_is_due_and_no_block_ended_that() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let handles = PaymentInfoChange { venmo_username: Some("ana-pays".into()), ..Default::default() };
    let data = Some(ProfileDataChange { payment_info: Some(handles) });
    let change = UpdateProfileRequest { uid: ana.uid.clone(), data, ..Default::default() };
    server.profile(&ana).update_profile(change).await.unwrap();
    let seen = async |who: &Member| {
        let profile = server.profile(who).get_profile(GetProfileRequest { uid: ana.uid.clone() }).await.ok()?;
        Some(profile.into_inner().profile?.data?.payment_info?.venmo_username)
    };
    let asked = server.wants(&ben, wish(&ladder, 0, 1)).await.unwrap().request_id;
    assert_eq!(seen(&ben).await.as_deref(), Some(""), "nothing is agreed");
    server.does(&ana, &asked, Action::Accept).await.unwrap();
    assert_eq!((seen(&ben).await.as_deref(), seen(&eve).await.as_deref()), (Some("ana-pays"), Some("")));
    server.does(&ana, &asked, Action::Start).await.unwrap();
    server.block(&ana, &ben).await.unwrap();
    assert_eq!(seen(&ben).await.as_deref(), Some("ana-pays"), "it goes on, and can be paid");
    server.does(&ana, &asked, Action::Return).await.unwrap();
    assert_eq!(seen(&ben).await, None, "it is over, and the two are strangers to each other");
    let over = server.rental(&ben, &asked).await.unwrap();
    assert_eq!((over.due, over.allowed_actions().any(|action| action == Action::MarkPaid)), (0.0, false));
    for (who, payment) in [(&ben, Payment::PricePaid), (&ana, Payment::DepositReceived)] {
        assert_eq!(server.records(who, &asked, payment, 0.0).await.unwrap_err().message, "this rental is completed");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_owner_sees_how_to_pay_the_borrower_back_while_a_deposit_is_held_or_a_refund_is_due() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let handles = PaymentInfoChange { venmo_username: Some("ben-pays".into()), ..Default::default() };
    let data = Some(ProfileDataChange { payment_info: Some(handles) });
    let change = UpdateProfileRequest { uid: ben.uid.clone(), data, ..Default::default() };
    server.profile(&ben).update_profile(change).await.unwrap();
    let seen = async |who: &Member| {
        let profile = server.profile(who).get_profile(GetProfileRequest { uid: ben.uid.clone() }).await.ok()?;
        Some(profile.into_inner().profile?.data?.payment_info?.venmo_username)
    };
    let lent = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    server.records(&ben, &lent, Payment::DepositReceived, 0.0).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some(""), "the item is out");
    server.does(&ben, &lent, Action::Return).await.unwrap();
    assert_eq!((seen(&ana).await.as_deref(), seen(&eve).await.as_deref()), (Some("ben-pays"), None));
    server.does(&ana, &lent, Action::Complete).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some("ben-pays"));
    server.records(&ana, &lent, Payment::DepositReturned, 0.0).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some(""), "all is paid back");

    let asked = server.wants(&ben, wish(&ladder, 3, 4)).await.unwrap().request_id;
    server.does(&ana, &asked, Action::Accept).await.unwrap();
    server.records(&ben, &asked, Payment::PricePaid, 0.0).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some(""));
    server.does(&ben, &asked, Action::Cancel).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some("ben-pays"));
    server.records(&ana, &asked, Payment::PriceRefunded, 0.0).await.unwrap();
    assert_eq!(seen(&ana).await.as_deref(), Some(""));
    server.stop().await;
}

#[tokio::test]
async fn a_correction_takes_back_the_last_payment_and_the_story_keeps_each_sum() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let lent = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    let first = server.records(&ben, &lent, Payment::PricePaid, 0.0).await.unwrap().paid;
    server.does_with(&ben, &lent, Action::Extend, "", (0, 2)).await.unwrap();
    server.does(&ana, &lent, Action::AcceptExtension).await.unwrap();
    let both = server.records(&ben, &lent, Payment::PricePaid, 0.0).await.unwrap();
    assert!(both.paid > first && both.due == 0.0, "{both:?}");
    let corrected = server.records(&ana, &lent, Payment::PriceNotPaid, both.paid).await.unwrap();
    assert_eq!((corrected.paid, corrected.due), (first, both.paid - first));
    let again = server.records(&ana, &lent, Payment::PriceNotPaid, both.paid).await.unwrap_err();
    assert_eq!(again.message, "this rental is active, and another amount is paid for it");
    assert_eq!(server.records(&ana, &lent, Payment::PriceNotPaid, first).await.unwrap().paid, 0.0);
    let story = server.rental(&ben, &lent).await.unwrap().story;
    let sums: Vec<_> = story.iter().filter(|step| step.amount > 0.0).map(|step| (step.kind(), step.amount)).collect();
    let rest = both.paid - first;
    assert_eq!(sums, [(Step::Paid, first), (Step::Paid, rest), (Step::NotPaid, rest), (Step::NotPaid, first)]);
    assert!(server.news(&ben).await[0].message.contains(&format!("marked ${first:.2} for")), "{:?}", server.news(&ben).await[0].message);
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_with_money_of_an_agreed_rental_is_said_not_to_have_paid_it_back() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let agreed = server.wants(&ben, wish(&ladder, 3, 4)).await.unwrap().request_id;
    server.does(&ana, &agreed, Action::Accept).await.unwrap();
    let paid = server.records(&ben, &agreed, Payment::PricePaid, 0.0).await.unwrap().paid;
    let deposit = server.records(&ben, &agreed, Payment::DepositReceived, 0.0).await.unwrap().deposit;
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    let news = server.news(&ben).await.remove(0).message;
    assert!(news.starts_with("A former member cancelled the rental of “Ladder”"), "{news}");
    assert!(news.ends_with(&format!("${:.2} had been paid and wasn't paid back.", paid + deposit)), "{news}");
    server.stop().await;
}

#[tokio::test]
async fn words_go_with_a_refusal_and_a_rating_to_the_other_side_alone() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let asked = server.wants(&ben, wish(&ladder, 0, 1)).await.unwrap().request_id;
    let declined = server.does_with(&ana, &asked, Action::Decline, "My sister has it then.", (0, 0)).await.unwrap();
    assert_eq!(declined.decline_note, "My sister has it then.");
    assert_eq!(server.rental(&ben, &asked).await.unwrap().decline_note, "My sister has it then.");
    server.does_with(&ana, &asked, Action::Decline, "My sister has it then.", (0, 0)).await.unwrap();
    let other = server.does_with(&ana, &asked, Action::Decline, "Something else.", (0, 0)).await.unwrap_err();
    assert_eq!(other.message, "this rental is declined: this was already marked, and nothing can be added to it");
    let refusal = server.news(&ben).await[0].message.clone();
    assert_eq!(refusal, "Ana Silva can't lend you “Ladder” from June 16 to June 17, 2026. “My sister has it then.”");

    let lent = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    server.does(&ana, &lent, Action::Return).await.unwrap();
    let rates = async |who: &Member, note: &str| {
        let request = RateRentalRequest { request_id: lent.clone(), rating: 5, note: note.into(), ..Default::default() };
        server.rentals(who).rate_rental(request).await.unwrap().into_inner().rental.unwrap()
    };
    let before = server.told(&ben).await.len();
    for _ in 0..2 {
        let rated = rates(&ana, "Came back cleaner than before!").await;
        assert_eq!((rated.given_note.as_str(), rated.received_note.as_str()), ("Came back cleaner than before!", ""));
    }
    assert_eq!(server.told(&ben).await.len(), before + 1);
    assert_eq!(server.rental(&ben, &lent).await.unwrap().received_note, "Came back cleaner than before!");
    let before = server.told(&ana).await.len();
    rates(&ben, "").await;
    assert_eq!(server.told(&ana).await.len(), before, "stars alone are not told");
    server.stop().await;
}
