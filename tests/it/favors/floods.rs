//! How much one member can ask of others in a day, whichever way.

use super::{three, update};
use crate::{
    asking::{asking, drafting, refused},
    harness::{Member, START, TestServer},
};
use goodturn::{
    clock::Clock,
    config::Config,
    pb::favors::{
        AskMemberRequest, CancelFavorRequest, CreateFavorRequest, DeleteFavorRequest, FavorStatus, PublishFavorRequest, UpdateFavorRequest,
    },
};
use time::Duration;

fn adding(id: &str, recipients: &[&Member]) -> UpdateFavorRequest {
    UpdateFavorRequest { id: id.into(), recipients: recipients.iter().map(|m| m.uid.clone()).collect(), ..Default::default() }
}

fn ask(id: &str, whom: &Member) -> AskMemberRequest {
    AskMemberRequest { id: id.into(), member_id: whom.uid.clone(), ..Default::default() }
}

async fn server(favors_per_day: i32) -> TestServer {
    let settings = |c: &mut Config| (c.favors_per_day, c.identity.access_token_life_min) = (favors_per_day, 20_000);
    TestServer::start_with(Clock::fixed(START), settings).await
}

#[tokio::test]
async fn a_member_asks_so_often_in_a_day_by_whichever_way() {
    let server = server(6).await;
    let (ana, ben, eve) = three(&server).await;
    let mut favors = server.favors(&ana);
    let drafted = CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) };
    let draft = server.favor(&ana, drafted.clone()).await.id;
    let later = server.favor(&ana, drafted).await.id;
    let publish = |id: &str| PublishFavorRequest { id: id.into(), ..Default::default() };
    favors.publish_favor(publish(&draft)).await.unwrap();
    favors.ask_member(ask(&draft, &eve)).await.unwrap();
    let posted = server.favor(&ana, asking(&[&ben])).await.id;
    update(&server, &ana, adding(&posted, &[&ben, &eve])).await.unwrap();
    // It is six by now. What asks nobody more goes on.
    update(&server, &ana, UpdateFavorRequest { title: Some("Walk both dogs".into()), ..adding(&posted, &[&ben]) }).await.unwrap();
    update(&server, &ana, adding(&later, &[&ben, &eve])).await.unwrap();
    // Nor is what was done before refused when it is repeated.
    favors.publish_favor(publish(&draft)).await.unwrap();
    favors.ask_member(ask(&draft, &eve)).await.unwrap();
    let news = server.news(&eve).await.len();
    let refusals = [
        refused(favors.create_favor(asking(&[&ben])).await),
        refused(favors.create_favor(drafting()).await),
        refused(favors.publish_favor(publish(&later)).await),
        refused(favors.ask_member(ask(&posted, &eve)).await),
        update(&server, &ana, adding(&posted, &[&ben, &eve])).await.unwrap_err(),
    ];
    for refusal in refusals {
        assert_eq!(
            (refusal.reason.as_str(), refusal.message.as_str()),
            ("RATE_LIMITED", "you have asked for too many favors today; try again later")
        );
    }
    assert_eq!(server.news(&eve).await.len(), news, "who was asked too often is told nothing");
    server.favor(&ben, asking(&[&ana])).await;
    server.clock.advance(Duration::DAY - Duration::SECOND);
    refused(favors.create_favor(drafting()).await);
    server.clock.advance(Duration::SECOND);
    server.favor(&ana, drafting()).await;
}

#[tokio::test]
async fn what_is_called_off_or_removed_counts_all_the_same() {
    let server = server(10).await;
    let (ana, ben, _) = three(&server).await;
    let mut made = 0;
    while let Ok(answer) = server.favors(&ana).create_favor(asking(&[&ben])).await {
        let id = answer.into_inner().favor.unwrap().id;
        if made % 2 == 0 {
            server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
        } else {
            server.favors(&ana).delete_favor(DeleteFavorRequest { id }).await.unwrap();
        }
        made += 1;
        assert!(made <= 10, "there is an end to it");
    }
    assert_eq!(made, 10);
}
