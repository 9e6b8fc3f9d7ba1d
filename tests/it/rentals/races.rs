//! What happens to rentals at once.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
};
use futures_util::future::join_all;
use goodturn::pb::{
    notifications::NotificationType as Told,
    rentals::{Rental, RentalAction as Action, RentalStatus},
};
use std::time::Duration;

/// Does it again while the node has too much to do at once, or gave the connection up for that: that is no answer.
async fn answered(server: &TestServer, who: &Member, id: &str, action: Action) -> Result<Rental, Refused> {
    loop {
        match server.does(who, id, action).await {
            Err(refused) if is_busy(&refused) => tokio::time::sleep(Duration::from_millis(50)).await,
            answer => return answer,
        }
    }
}

fn is_busy(refused: &Refused) -> bool {
    ["OVERLOADED", "UNAVAILABLE"].contains(&refused.reason.as_str()) || refused.code == tonic::Code::Cancelled
}

async fn count(server: &TestServer, what: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {what}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&mut server.database.connect().await).await.unwrap()
}

#[tokio::test]
async fn of_two_hundred_overlapping_acceptances_at_once_one_wins() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let ladder = server.lends(&ana, "Ladder").await;
    let mut asked = Vec::new();
    for n in 0..10 {
        let borrower = server.member(&format!("Borrower{n}"), "Test").await;
        server.befriend(&ana, &borrower).await;
        for m in 0..20 {
            // All of them want the twentieth day.
            asked.push(server.wants(&borrower, wish(&ladder, m, 20 + (n + m) % 7)).await.unwrap().request_id);
        }
    }
    assert_eq!(asked.len(), 200);
    let answers = join_all(asked.iter().map(|id| answered(&server, &ana, id, Action::Accept))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    let refused: Vec<_> = lost.into_iter().filter_map(Result::err).filter(|refused| refused.reason != "DAYS_TAKEN").collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(count(&server, "rentals WHERE status = 'accepted'").await, 1);
    assert_eq!(count(&server, "rental_events WHERE kind = 'accepted'").await, 1);
    assert_eq!(count(&server, "notifications WHERE message LIKE '%will lend you%'").await, 1);
    server.stop().await;
}

#[tokio::test]
async fn acceptances_of_apart_days_at_once_all_win() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let mut asked = Vec::new();
    for n in 0..20 {
        asked.push(server.wants(&ben, wish(&ladder, 2 * n, 2 * n + 1)).await.unwrap().request_id);
    }
    let answers = join_all(asked.iter().map(|id| answered(&server, &ana, id, Action::Accept))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    server.stop().await;
}

/// The two sides contradict each other at once: one of them is first, and the other learns the state.
#[tokio::test]
async fn of_two_moves_at_once_one_counts() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    for n in 0..6 {
        let id = server.wants(&ben, wish(&ladder, n, n)).await.unwrap().request_id;
        let (accepted, cancelled) = tokio::join!(server.does(&ana, &id, Action::Accept), server.does(&ben, &id, Action::Cancel));
        let status = server.rental(&ben, &id).await.unwrap().rental_status();
        assert!(cancelled.is_ok(), "it may be cancelled before and after");
        assert_eq!(status, RentalStatus::Cancelled);
        assert!(accepted.is_ok() || accepted.unwrap_err().message == "this rental is cancelled");
    }
    let mut known = server.told(&ana).await.len();
    for n in 0..6 {
        let id = server.agreed(&ana, &ben, wish(&ladder, 0, n)).await;
        let (one, other) = tokio::join!(server.does(&ana, &id, Action::Start), server.does(&ben, &id, Action::Start));
        assert_eq!((one.unwrap().rental_status(), other.unwrap().rental_status()), (RentalStatus::Active, RentalStatus::Active));
        let (owners, borrowers) = tokio::join!(server.does(&ana, &id, Action::Return), server.does(&ben, &id, Action::Return));
        let seen = server.rental(&ana, &id).await.unwrap();
        match seen.rental_status() {
            RentalStatus::Completed => assert!(owners.is_ok() && borrowers.unwrap_err().message == "this rental is completed"),
            status => {
                assert_eq!((status, owners.unwrap_err().message.as_str()), (RentalStatus::Returned, "this rental is returned"));
                assert!(borrowers.is_ok());
                server.does(&ana, &id, Action::Complete).await.unwrap();
            }
        }
        let told = server.told(&ana).await;
        let news = &told[..told.len() - known];
        assert!(news.iter().filter(|kind| **kind == Told::RentalStarted).count() <= 1, "{news:?}");
        known = told.len();
    }
    server.stop().await;
}

#[tokio::test]
async fn more_days_and_the_next_booking_at_once_do_not_meet() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    for _ in 0..6 {
        let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
        let next = server.wants(&eve, wish(&ladder, 3, 4)).await.unwrap().request_id;
        server.does_with(&ben, &id, Action::Extend, "", (0, 3)).await.unwrap();
        let (more, booked) = tokio::join!(server.does(&ana, &id, Action::AcceptExtension), server.does(&ana, &next, Action::Accept));
        assert!(more.is_ok() != booked.is_ok(), "{more:?} {booked:?}");
        let refused = more.err().or(booked.err()).unwrap();
        assert_eq!(refused.reason, "DAYS_TAKEN");
        server.does(&ana, &id, Action::Return).await.unwrap();
        if server.does(&ana, &next, Action::Cancel).await.is_err() {
            server.does(&ana, &next, Action::Decline).await.unwrap();
        }
    }
    server.stop().await;
}
