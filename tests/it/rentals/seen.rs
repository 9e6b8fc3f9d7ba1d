//! What is agreed to, declined or called off is what was seen: where it is otherwise by then, nothing is done, and the state is told.

use super::three;
use crate::{
    borrowing::{day, wish},
    harness::{Member, Refused, TestServer},
};
use goodturn::pb::rentals::{
    AcceptRentalRequest, CancelRentalRequest, DeclineExtensionRequest, DeclineRentalRequest, Rental, RentalAction as Action, RentalStatus,
};

async fn accepts(server: &TestServer, who: &Member, seen: &Rental) -> Result<Rental, Refused> {
    let request = AcceptRentalRequest {
        request_id: seen.request_id.clone(),
        start_date: seen.start_date.clone(),
        end_date: seen.end_date.clone(),
        ..Default::default()
    };
    Ok(server.rentals(who).accept_rental(request).await?.into_inner().rental.unwrap())
}

async fn declines(server: &TestServer, who: &Member, seen: &Rental) -> Result<Rental, Refused> {
    let request = DeclineRentalRequest {
        request_id: seen.request_id.clone(),
        start_date: seen.start_date.clone(),
        end_date: seen.end_date.clone(),
        ..Default::default()
    };
    Ok(server.rentals(who).decline_rental(request).await?.into_inner().rental.unwrap())
}

async fn cancels(server: &TestServer, who: &Member, seen: &Rental) -> Result<Rental, Refused> {
    let request = CancelRentalRequest { request_id: seen.request_id.clone(), known_status: seen.rental_status, ..Default::default() };
    Ok(server.rentals(who).cancel_rental(request).await?.into_inner().rental.unwrap())
}

async fn wants_no_more(server: &TestServer, who: &Member, id: &str, until: &str) -> Result<Rental, Refused> {
    let request = DeclineExtensionRequest { request_id: id.into(), end_date: until.into(), ..Default::default() };
    Ok(server.rentals(who).decline_extension(request).await?.into_inner().rental.unwrap())
}

fn wrong(refused: Result<Rental, Refused>) -> (String, String) {
    let refused = refused.unwrap_err();
    (refused.reason, refused.message)
}

fn is_wrong(message: &str) -> (String, String) {
    ("WRONG_STATE".into(), message.into())
}

#[tokio::test]
async fn a_request_is_called_off_as_a_request_and_a_rental_as_one() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let request = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap();
    let agreed = server.does(&ana, &request.request_id, Action::Accept).await.unwrap();
    assert_eq!(wrong(cancels(&server, &ben, &request).await), is_wrong("this rental is accepted"));
    assert_eq!(cancels(&server, &ben, &agreed).await.unwrap().rental_status(), RentalStatus::Cancelled);
    for seen in [&request, &agreed] {
        assert_eq!(cancels(&server, &ben, seen).await.unwrap().rental_status(), RentalStatus::Cancelled, "again: nothing");
    }
    let whichever = server.agreed(&ana, &ben, wish(&ladder, 3, 4)).await;
    assert!(server.does(&ben, &whichever, Action::Cancel).await.is_ok(), "who names no status means whichever");
    server.stop().await;
}

#[tokio::test]
async fn days_that_were_moved_are_neither_accepted_nor_declined_as_those_of_before() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let before = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap();
    let moved = server.does_with(&ben, &before.request_id, Action::Move, "", (5, 6)).await.unwrap();
    let others = is_wrong("this rental is pending, and different days are requested");
    assert_eq!(wrong(accepts(&server, &ana, &before).await), others);
    assert_eq!(wrong(declines(&server, &ana, &before).await), others);
    let half = Rental { end_date: String::new(), ..before.clone() };
    assert_eq!(accepts(&server, &ana, &half).await.unwrap_err().fields[0].0, "end_date");
    assert_eq!(accepts(&server, &ana, &moved).await.unwrap().start_date, day(5));
    assert_eq!(accepts(&server, &ana, &moved).await.unwrap().rental_status(), RentalStatus::Accepted, "again: nothing");
    server.stop().await;
}

#[tokio::test]
async fn more_days_that_were_agreed_to_are_not_taken_back_as_if_they_waited() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    server.does_with(&ben, &id, Action::Extend, "", (0, 5)).await.unwrap();
    server.does_with(&ben, &id, Action::Extend, "", (0, 4)).await.unwrap();
    let others = is_wrong("this rental is active, and different days are requested");
    assert_eq!(wrong(wants_no_more(&server, &ana, &id, &day(5)).await), others);
    server.does(&ana, &id, Action::AcceptExtension).await.unwrap();
    let agreed = is_wrong("this rental is active, and the requested days were already agreed to");
    assert_eq!(wrong(wants_no_more(&server, &ben, &id, &day(4)).await), agreed);
    server.does_with(&ben, &id, Action::Extend, "", (0, 6)).await.unwrap();
    for _ in 0..2 {
        assert!(wants_no_more(&server, &ben, &id, &day(6)).await.unwrap().extension.is_none());
    }
    server.stop().await;
}

/// Whoever is first: no loan is called off as a request, and none is agreed to in days that nobody saw.
#[tokio::test]
async fn at_the_same_moment_nothing_is_done_to_what_was_not_seen() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    for n in 0..8 {
        let seen = server.wants(&ben, wish(&ladder, n, n)).await.unwrap();
        let (accepted, cancelled) = tokio::join!(accepts(&server, &ana, &seen), cancels(&server, &ben, &seen));
        assert!(accepted.is_ok() != cancelled.is_ok(), "{accepted:?} {cancelled:?}");
        let status = server.rental(&ben, &seen.request_id).await.unwrap().rental_status();
        assert_eq!(status, if accepted.is_ok() { RentalStatus::Accepted } else { RentalStatus::Cancelled });
    }
    for n in 20..28 {
        let seen = server.wants(&ben, wish(&ladder, n, n)).await.unwrap();
        let id = &seen.request_id;
        let (moved, accepted) = tokio::join!(server.does_with(&ben, id, Action::Move, "", (n + 20, n + 20)), accepts(&server, &ana, &seen));
        assert!(moved.is_ok() != accepted.is_ok(), "{moved:?} {accepted:?}");
        let now = server.rental(&ben, id).await.unwrap();
        assert_eq!(
            (now.start_date.clone(), now.rental_status() == RentalStatus::Accepted),
            (day(if moved.is_ok() { n + 20 } else { n }), accepted.is_ok())
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn who_is_no_side_of_a_rental_waits_for_no_lock_by_naming_it_and_takes_none() {
    let server = TestServer::start().await;
    let (_, ben, eve, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let mut holder = server.database.connect().await;
    for sql in ["BEGIN", "SELECT id FROM items FOR UPDATE"] {
        sqlx::query(sql).execute(&mut holder).await.unwrap();
    }
    for action in [Action::Accept, Action::Decline, Action::Cancel, Action::Move, Action::Start, Action::Return, Action::Complete] {
        let refused = server.does_with(&eve, &id, action, "", (5, 6)).await.unwrap_err();
        assert_eq!(refused.reason, "NOT_FOUND", "{action:?}");
    }
    sqlx::query("ROLLBACK").execute(&mut holder).await.unwrap();
    assert!(server.does(&ben, &id, Action::Cancel).await.is_ok());
    server.stop().await;
}
