//! What matters to a member now, and what is asked for around them.

use crate::{
    asking::{asking, drafting},
    harness::{Member, START, TestServer},
};
use goodturn::pb::{
    favors::{CancelFavorRequest, CreateFavorRequest, Favor, FavorCategory, FavorResponse},
    profile::{GetDashboardRequest, GetDashboardResponse, ListTrendingCategoriesRequest, UpcomingKind},
    timestamp,
};
use time::Duration;

async fn dashboard(server: &TestServer, who: &Member) -> GetDashboardResponse {
    server.profile(who).get_dashboard(GetDashboardRequest::default()).await.unwrap().into_inner()
}

async fn trends(server: &TestServer, who: &Member) -> Vec<(FavorCategory, String, i32)> {
    let answer = server.profile(who).list_trending_categories(ListTrendingCategoriesRequest {}).await.unwrap().into_inner();
    assert_eq!(answer.days, 30);
    answer.categories.into_iter().map(|c| (c.category(), c.label, c.count)).collect()
}

fn ids(favors: &[Favor]) -> Vec<&str> {
    favors.iter().map(|f| f.id.as_str()).collect()
}

fn on_day(day: i64, recipients: &[&Member]) -> CreateFavorRequest {
    CreateFavorRequest { start_date: Some(timestamp(START + Duration::days(day))), title: format!("Day {day}"), ..asking(recipients) }
}

#[tokio::test]
async fn a_dashboard_has_what_matters_now_and_five_of_each_at_most() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let mut asked = Vec::new();
    for day in [7, 6, 5, 4, 3, 2] {
        asked.push(server.favor(&ana, on_day(day, &[&ben])).await.id);
        server.clock.advance(Duration::SECOND);
    }
    let of_ben = dashboard(&server, &ben).await;
    assert_eq!(ids(&of_ben.awaiting_my_answer), [&asked[5], &asked[4], &asked[3], &asked[2], &asked[1]], "the soonest first");
    assert!(of_ben.active_favors.is_empty() && of_ben.recent_favors.is_empty() && of_ben.upcoming.is_empty());
    assert_eq!(of_ben.unread_notifications, server.unread(&ben).await);
    assert!(of_ben.unread_notifications > 0);

    server.answer(&ben, &asked[5], FavorResponse::Accept, "").await.unwrap();
    server.answer(&ben, &asked[4], FavorResponse::AnotherTime, "On Friday?").await.unwrap();
    server.answer(&ben, &asked[3], FavorResponse::Decline, "").await.unwrap();
    let of_ben = dashboard(&server, &ben).await;
    assert_eq!(ids(&of_ben.awaiting_my_answer), [&asked[2], &asked[1], &asked[0]], "what was answered waits no more");
    let next = &of_ben.upcoming[0];
    assert_eq!((of_ben.upcoming.len(), next.kind(), &next.id, next.title.as_str()), (1, UpcomingKind::Favor, &asked[5], "Day 2"));
    assert_eq!(next.date, "2026-06-18T09:00:00Z");

    server.clock.advance(Duration::SECOND);
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: asked[0].clone(), ..Default::default() }).await.unwrap();
    let of_ana = dashboard(&server, &ana).await;
    assert_eq!(ids(&of_ana.active_favors), [&asked[5], &asked[4], &asked[3], &asked[2], &asked[1]]);
    assert_eq!(
        (of_ana.recent_favors.len(), of_ana.recent_favors[0].id.as_str()),
        (5, asked[0].as_str()),
        "what changed last, called off or not"
    );
    let upcoming: Vec<_> = of_ana.upcoming.iter().map(|u| u.title.as_str()).collect();
    assert_eq!(upcoming, ["Day 2", "Day 3", "Day 4", "Day 5", "Day 6"]);
    let stats = of_ana.stats.unwrap();
    assert_eq!((stats.favors_posted, stats.friends), (6, 1));
    let of_eve = dashboard(&server, &eve).await;
    assert!(of_eve.active_favors.is_empty() && of_eve.awaiting_my_answer.is_empty() && of_eve.upcoming.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn categories_are_counted_of_what_one_may_see_in_thirty_days() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let of = |category: FavorCategory| CreateFavorRequest { category: category.into(), ..asking(&[&ben]) };
    for category in [FavorCategory::PetCare, FavorCategory::PetCare, FavorCategory::Errands] {
        server.favor(&ana, of(category)).await;
    }
    server.favor(&ben, CreateFavorRequest { recipients: vec![ana.uid.clone()], ..of(FavorCategory::Errands) }).await;
    server.favor(&ana, CreateFavorRequest { category: FavorCategory::PhysicalHelp.into(), ..drafting() }).await;
    let (pets, errands) = ("Pet Care".to_owned(), "Errands".to_owned());
    let both = [(FavorCategory::Errands, errands, 2), (FavorCategory::PetCare, pets, 2)];
    assert_eq!(trends(&server, &ana).await, both, "a draft is not asked for yet");
    assert_eq!(trends(&server, &ben).await, both);
    assert_eq!(trends(&server, &eve).await, [], "nothing around her");
    server.clock.advance(Duration::days(31));
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(trends(&server, &ana).await, []);
    server.stop().await;
}
