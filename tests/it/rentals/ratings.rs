//! Ratings, and what is counted of rentals.

use super::three;
use crate::{
    asking::asking,
    borrowing::wish,
    harness::{Member, Refused, START, TestServer},
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    pb::{
        favors::CreateFavorRequest,
        items::GetItemRequest,
        profile::{GetDashboardRequest, GetStatsRequest, UpcomingKind},
        rentals::{GetItemStatsRequest, RateRentalRequest, Rental, RentalAction as Action, RequestRentalRequest},
        timestamp,
    },
};
use time::Duration;

async fn rates(server: &TestServer, who: &Member, id: &str, rating: i32) -> Result<Rental, Refused> {
    let request = RateRentalRequest { request_id: id.into(), rating, ..Default::default() };
    Ok(server.rentals(who).rate_rental(request).await?.into_inner().rental.unwrap())
}

/// A rental that is over.
async fn over(server: &TestServer, owner: &Member, borrower: &Member, wish: RequestRentalRequest) -> String {
    let id = server.out(owner, borrower, wish).await;
    server.does(owner, &id, Action::Return).await.unwrap();
    id
}

#[tokio::test]
async fn each_side_rates_the_other_once_and_the_mean_stands_wherever_they_are_told() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let early = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    assert_eq!(rates(&server, &ben, &early, 5).await.unwrap_err().message, "this rental is active");
    server.does(&ana, &early, Action::Return).await.unwrap();
    let stranger = rates(&server, &eve, &early, 1).await.unwrap_err();
    assert_eq!((stranger.reason.as_str(), stranger.message.as_str()), ("NOT_FOUND", "rental not found"));
    for _ in 0..2 {
        let rated = rates(&server, &ben, &early, 5).await.unwrap();
        assert_eq!((rated.given_rating, rated.owner.unwrap().rating, rated.borrower.unwrap().rating), (Some(5), Some(5.0), None));
        assert!(!rated.allowed_actions.contains(&Action::Rate.into()));
    }
    let other = rates(&server, &ben, &early, 4).await.unwrap_err();
    assert_eq!((other.reason.as_str(), other.message.as_str()), ("WRONG_STATE", "this rental is completed, and already rated"));
    let of_ana = server.rental(&ana, &early).await.unwrap();
    assert_eq!((of_ana.given_rating, of_ana.owner.unwrap().rating), (None, Some(5.0)), "what she was given is hers to know");
    for (who, rating) in [(&ben, 4), (&eve, 5)] {
        let id = over(&server, &ana, who, wish(&ladder, 0, 0)).await;
        rates(&server, who, &id, rating).await.unwrap();
    }
    let item = server.items(&eve).get_item(GetItemRequest { item_id: ladder.clone() }).await.unwrap().into_inner().item.unwrap();
    assert_eq!(item.owner.unwrap().rating, Some(4.7), "three ratings: 5, 4 and 5");
    let own = async |who: &Member| {
        let request = GetStatsRequest { uid: who.uid.clone() };
        server.profile(who).get_stats(request).await.unwrap().into_inner().stats.unwrap().rating
    };
    assert_eq!((own(&ana).await, own(&eve).await), (Some(4.7), None));
    let favor = server.favor(&ana, asking(&[&ben])).await;
    assert_eq!(server.seen(&ben, &favor.id).await.requester.unwrap().rating, Some(4.7));
    server.stop().await;
}

/// Who may not rate, or has, holds neither side: a block, or a farewell, would wait for whoever tries again and again.
#[tokio::test]
async fn a_rating_that_is_refused_or_repeated_waits_for_nobody_and_holds_nobody() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let going_on = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    let drill = server.lends(&ana, "Drill").await;
    let rated = over(&server, &ana, &ben, wish(&drill, 0, 0)).await;
    rates(&server, &ben, &rated, 5).await.unwrap();
    // Where a block would stand.
    let mut other = server.database.connect().await;
    for sql in ["BEGIN", "SELECT FROM members FOR UPDATE"] {
        sqlx::query(sql).execute(&mut other).await.unwrap();
    }
    assert_eq!(rates(&server, &ben, &going_on, 1).await.unwrap_err().reason, "WRONG_STATE");
    assert_eq!(rates(&server, &ben, &rated, 1).await.unwrap_err().reason, "WRONG_STATE");
    assert_eq!(rates(&server, &ben, &rated, 5).await.unwrap().given_rating, Some(5));
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn of_many_ratings_at_once_each_side_gives_one() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = over(&server, &ana, &ben, wish(&ladder, 0, 0)).await;
    let calls = (0..10).map(|n| rates(&server, if n % 2 == 0 { &ana } else { &ben }, &id, 1 + n / 2));
    let outcomes = join_all(calls).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 2);
    assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|refused| refused.reason == "WRONG_STATE"));
    let rows: Vec<(i32, i64)> =
        sqlx::query_as("SELECT count, total FROM member_ratings LIMIT 10").fetch_all(&mut server.database.connect().await).await.unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|(count, total)| *count == 1 && (1..=5).contains(total)), "{rows:?}");
    server.stop().await;
}

#[tokio::test]
async fn an_items_numbers_are_of_what_is_over_and_earnings_of_what_was_paid() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let stats = async |who: &Member| {
        let request = GetItemStatsRequest { item_id: ladder.clone() };
        Ok::<_, Refused>(server.rentals(who).get_item_stats(request).await?.into_inner())
    };
    assert_eq!(stats(&ben).await.unwrap_err().message, "item not found");
    let paid = over(&server, &ana, &ben, RequestRentalRequest { gratitude: 7, ..wish(&ladder, 0, 2) }).await;
    assert_eq!(stats(&ana).await.unwrap().total_earned, 0.0, "nobody has paid");
    server.does(&ben, &paid, Action::MarkPaid).await.unwrap();
    server.agreed(&ana, &eve, wish(&ladder, 5, 6)).await;
    server.wants(&ben, wish(&ladder, 8, 9)).await.unwrap();
    let declined = server.wants(&ben, wish(&ladder, 8, 10)).await.unwrap().request_id;
    server.does(&ana, &declined, Action::Decline).await.unwrap();
    let of_item = stats(&ana).await.unwrap();
    assert_eq!((of_item.total_rentals, of_item.total_earned, of_item.days_rented, of_item.active_requests), (1, 37.0, 1, 2));
    let earned = async |who: &Member| {
        let stats = server.profile(who).get_stats(GetStatsRequest { uid: who.uid.clone() }).await.unwrap().into_inner().stats.unwrap();
        (stats.rentals_completed, stats.earnings.iter().map(|e| e.amount).collect::<Vec<_>>())
    };
    assert_eq!((earned(&ana).await, earned(&ben).await, earned(&eve).await), ((1, vec![37.0]), (1, vec![]), (0, vec![])));
    server.stop().await;
}

#[tokio::test]
async fn the_dashboard_has_what_begins_and_what_is_due_back_with_what_is_overdue_first() {
    let server = TestServer::start_with(Clock::fixed(START), |c| c.identity.access_token_life_min = 20_000).await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let drill = server.lends(&ana, "Drill").await;
    let late = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    let ahead = server.agreed(&ana, &ben, wish(&drill, 4, 5)).await;
    server.wants(&ben, wish(&drill, 8, 9)).await.unwrap();
    server.clock.advance(Duration::days(3));
    let at = || Some(timestamp(START + Duration::days(5)));
    let favor = CreateFavorRequest { start_date: at(), confirmation_date: at(), ..asking(&[&ben]) };
    let favor = server.favor(&ana, favor).await;
    let upcoming = async |who: &Member| {
        let request = GetDashboardRequest { uid: who.uid.clone() };
        let told = server.profile(who).get_dashboard(request).await.unwrap().into_inner().upcoming;
        told.into_iter().map(|u| (u.kind(), u.id, u.title, u.date)).collect::<Vec<_>>()
    };
    let rental = |id: &String, title: &str, date: &str| (UpcomingKind::Rental, id.clone(), title.to_owned(), date.to_owned());
    let (overdue, begins) = (rental(&late, "Ladder", "2026-06-17"), rental(&ahead, "Drill", "2026-06-20"));
    assert_eq!(upcoming(&ben).await, [overdue.clone(), begins.clone()]);
    let of_ana = upcoming(&ana).await;
    assert_eq!((&of_ana[0], &of_ana[1]), (&overdue, &begins), "both sides know, and a day stands before its hours");
    assert_eq!((of_ana.len(), of_ana[2].0, &of_ana[2].1), (3, UpcomingKind::Favor, &favor.id));
    assert!(upcoming(&eve).await.is_empty());
    server.stop().await;
}
