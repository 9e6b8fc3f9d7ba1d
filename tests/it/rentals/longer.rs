//! More days of a running rental.

use super::three;
use crate::{
    asking::fields,
    borrowing::{day, steps_of, wish},
    harness::{Refused, TestServer},
};
use goodturn::pb::{
    notifications::NotificationType as Told,
    rentals::{AcceptExtensionRequest, RentalAction as Action, RentalEventKind as Step},
};

#[tokio::test]
async fn more_days_are_asked_for_and_agreed_to() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.item_is(&ladder, "price_cents = 5000").await;
    for until in [3, 3, 4] {
        let asked = server.does_with(&ben, &id, Action::Extend, "", (0, until)).await.unwrap();
        let more = asked.extension.unwrap();
        assert_eq!(
            (more.end_date, more.total_price),
            (day(until), 10.0 * f64::from(u8::try_from(until).unwrap() + 1)),
            "at the price as it was"
        );
        assert_eq!((asked.end_date, asked.total_price), (day(1), 20.0), "nothing is agreed yet");
    }
    let news = server.news(&ana).await;
    assert_eq!((news[0].r#type(), news[0].action_required), (Told::RentalMoved, true));
    assert_eq!(news[0].message, "Ben Okafor would like to keep “Ladder” until June 20, 2026.");
    assert!(news[1].r#type() != Told::RentalMoved, "one that was not read is replaced");
    assert!(server.free(&eve, &ladder, Some((2, 3))).await.unwrap().available, "what waits blocks nothing");

    let other = AcceptExtensionRequest { request_id: id.clone(), end_date: day(3), ..Default::default() };
    let refused = Refused::from(server.rentals(&ana).accept_extension(other).await.unwrap_err());
    assert_eq!(
        (refused.reason.as_str(), refused.message.as_str()),
        ("WRONG_STATE", "this rental is active, and different days are requested")
    );
    for end_date in [day(4), day(4), String::new()] {
        let agree = AcceptExtensionRequest { request_id: id.clone(), end_date, ..Default::default() };
        let longer = server.rentals(&ana).accept_extension(agree).await.unwrap().into_inner().rental.unwrap();
        assert_eq!((longer.end_date, longer.total_price, longer.extension, longer.days_left), (day(4), 50.0, None, Some(4)));
    }
    assert!(!server.news(&ana).await[0].action_required, "it was answered");
    let told = server.news(&ben).await;
    assert_eq!(
        (told[0].r#type(), told[0].message.as_str()),
        (Told::RentalResponse, "Ana Silva agreed that you can keep “Ladder” until June 20, 2026.")
    );
    assert!(!server.free(&eve, &ladder, Some((2, 3))).await.unwrap().available);
    let steps: Vec<_> = server.rental(&ana, &id).await.unwrap().story.iter().map(|e| e.kind()).skip(3).collect();
    assert_eq!(steps, [Step::ExtensionAsked, Step::ExtensionAsked, Step::Extended]);
    server.stop().await;
}

#[tokio::test]
async fn more_days_are_refused_where_the_next_booking_stands() {
    let server = TestServer::start().await;
    let (mut ana, mut ben, mut eve, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    let next = server.wants(&eve, wish(&ladder, 4, 5)).await.unwrap().request_id;
    assert_eq!(fields(&server.does_with(&ben, &id, Action::Extend, "", (0, 1)).await.unwrap_err()), ["end_date: OUT_OF_RANGE"]);
    assert_eq!(server.does_with(&ana, &id, Action::Extend, "", (0, 3)).await.unwrap_err().reason, "WRONG_PARTY");
    server.does_with(&ben, &id, Action::Extend, "", (0, 4)).await.unwrap();
    assert!(!server.rental(&ben, &id).await.unwrap().extension.unwrap().days_taken);
    server.does(&ana, &next, Action::Accept).await.unwrap();
    for who in [&ana, &ben] {
        assert!(server.rental(who, &id).await.unwrap().extension.unwrap().days_taken, "both read why it is not agreed to");
    }
    let seen = server.rental(&ana, &id).await.unwrap();
    assert_eq!(steps_of(&seen), [Action::DeclineExtension, Action::Return]);
    assert_eq!(server.does(&ana, &id, Action::AcceptExtension).await.unwrap_err().reason, "DAYS_TAKEN");
    assert_eq!(server.does_with(&ben, &id, Action::Extend, "", (0, 5)).await.unwrap_err().reason, "DAYS_TAKEN", "at once");
    server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
    server.keeps(&ana, &ladder, &[(2, 2)]).await.unwrap();
    assert_eq!(server.does(&ana, &id, Action::AcceptExtension).await.unwrap_err().reason, "DAYS_TAKEN", "black-out days too");
    server.keeps(&ana, &ladder, &[]).await.unwrap();
    // Who is late asks from today on.
    server.days_pass(3, &mut [&mut ana, &mut ben, &mut eve]).await;
    server.does(&ana, &id, Action::AcceptExtension).await.unwrap();
    assert_eq!(server.rental(&ben, &id).await.unwrap().days_left, Some(0));
    server.does(&eve, &next, Action::Cancel).await.unwrap();
    server.item_is(&ladder, "max_days = 5").await;
    server.days_pass(1, &mut [&mut ana, &mut ben]).await;
    assert_eq!(fields(&server.does_with(&ben, &id, Action::Extend, "", (0, 5)).await.unwrap_err()), ["end_date: OUT_OF_RANGE"]);
    server.does_with(&ben, &id, Action::Extend, "", (0, 4)).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn the_owner_refuses_more_days_and_the_borrower_takes_the_question_back() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    assert_eq!(
        server.does(&ana, &id, Action::AcceptExtension).await.unwrap_err().message,
        "this rental is active, and no more days are requested"
    );
    assert!(server.does(&ana, &id, Action::DeclineExtension).await.unwrap().story.len() == 3, "there is nothing to refuse");
    server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
    for _ in 0..2 {
        assert_eq!(server.does(&ana, &id, Action::DeclineExtension).await.unwrap().extension, None);
    }
    assert_eq!(
        server.news(&ben).await[0].message,
        "Ana Silva declined your request to keep “Ladder” longer. It's still due back on June 17, 2026."
    );
    server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
    for _ in 0..2 {
        assert_eq!(server.does(&ben, &id, Action::WithdrawExtension).await.unwrap().extension, None);
    }
    let news = server.news(&ana).await;
    assert_eq!((news[0].r#type(), news[0].action_required), (Told::RentalMoved, false));
    assert_eq!(news[0].message, "Ben Okafor withdrew the request to keep “Ladder” longer. It's still due back on June 17, 2026.");
    let steps: Vec<_> = server.rental(&ana, &id).await.unwrap().story.iter().map(|e| e.kind()).skip(3).collect();
    assert_eq!(steps, [Step::ExtensionAsked, Step::ExtensionDeclined, Step::ExtensionAsked, Step::ExtensionWithdrawn]);

    // A return ends what was asked.
    server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
    let returned = server.does(&ben, &id, Action::Return).await.unwrap();
    assert_eq!(returned.extension, None);
    let waits: Vec<_> = server.news(&ana).await.into_iter().filter(|told| told.action_required).map(|told| told.r#type()).collect();
    assert_eq!(waits, [Told::RentalReturned], "nobody waits for more days");
    assert_eq!(server.does(&ana, &id, Action::DeclineExtension).await.unwrap_err().message, "this rental is returned");
    server.stop().await;
}
