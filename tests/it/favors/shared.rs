//! Favors that ask all friends: each friend is told once, and what nobody read goes when there is nothing to offer any more.

use super::{three, timers, update};
use crate::{
    asking::{asking, asking_all},
    harness::{Member, START, TestServer},
};
use goodturn::pb::{
    favors::{
        AskMemberRequest, CancelFavorRequest, CreateFavorRequest, DeleteFavorRequest, FavorResponse, FavorStatus, PublishFavorRequest,
        RequestType, UpdateFavorRequest,
    },
    friends::RemoveFriendRequest,
    identity::DeleteUserRequest,
    notifications::{MarkAllNotificationsReadRequest, MuteMemberRequest, NotificationType as Told, TargetKind},
    timestamp,
};
use time::Duration;

/// Counts the news to a member that a favor asks all friends.
async fn shares(server: &TestServer, who: &Member) -> usize {
    server.told(who).await.iter().filter(|told| **told == Told::FavorShared).count()
}

async fn mails(server: &TestServer, task: &str) -> i64 {
    let sql = "SELECT count(*) FROM graphile_worker._private_jobs WHERE payload->>'task' = $1";
    sqlx::query_scalar(sql).bind(task).fetch_one(&mut server.database.connect().await).await.unwrap()
}

#[tokio::test]
async fn each_friend_is_told_once_of_a_favor_for_all_and_mailed_in_the_morning() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let stranger = server.member("Max", "Stranger").await;
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking_all() }).await.id;
    assert_eq!((shares(&server, &ben).await, mails(&server, "begin_morning").await), (0, 0), "nobody knows of a draft");
    let at_once = mails(&server, "send_notifications").await;
    for _ in 0..2 {
        server.favors(&ana).publish_favor(PublishFavorRequest { id: draft.clone(), ..Default::default() }).await.unwrap();
    }
    for friend in [&ben, &eve] {
        let news = server.news(friend).await.remove(0);
        assert_eq!((news.r#type(), news.title.as_str(), news.action_required), (Told::FavorShared, "A friend needs help", false));
        assert_eq!(news.message, "Ana Silva asked all their friends for a favor: “Walk the dog”.");
        let target = news.target.unwrap();
        assert_eq!((target.kind(), target.id, news.actor.unwrap().uid), (TargetKind::Favor, draft.clone(), ana.uid.clone()));
    }
    assert_eq!((mails(&server, "begin_morning").await, mails(&server, "send_notifications").await), (1, at_once));
    assert_eq!((shares(&server, &stranger).await, shares(&server, &ana).await), (0, 0));
    // Neither a change, nor that it is open again, tells it anew.
    let start = Some(timestamp(START + Duration::days(3)));
    let moved = UpdateFavorRequest { id: draft.clone(), title: Some("Walk two dogs".into()), start_date: start, ..Default::default() };
    update(&server, &ana, moved).await.unwrap();
    assert_eq!((shares(&server, &ben).await, shares(&server, &eve).await), (1, 1));
    server.apply(&ben, &draft, "").await.unwrap();
    assert_eq!(shares(&server, &ben).await, 0, "who offers help has read of it");
    server.choose(&ana, &draft, &ben).await.unwrap();
    assert_eq!(shares(&server, &eve).await, 0, "there is nothing to offer any more");
    server.withdraw(&ben, &draft, "").await.unwrap();
    assert_eq!((shares(&server, &ben).await, shares(&server, &eve).await), (0, 0));
}

#[tokio::test]
async fn who_is_asked_by_name_hears_of_that_and_the_others_when_a_favor_opens_to_all() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let both = CreateFavorRequest { request_type: RequestType::Public.into(), ..asking(&[&ben]) };
    server.favor(&ana, both).await;
    assert_eq!((server.told(&ben).await[0], server.told(&eve).await[0]), (Told::FavorRequest, Told::FavorShared));
    let direct = server.favor(&ana, asking(&[&ben])).await.id;
    for _ in 0..2 {
        let opened = UpdateFavorRequest { id: direct.clone(), request_type: Some(RequestType::Public.into()), ..Default::default() };
        update(&server, &ana, opened).await.unwrap();
    }
    assert_eq!((shares(&server, &ben).await, shares(&server, &eve).await), (0, 2));
    let ask = AskMemberRequest { id: direct.clone(), member_id: eve.uid.clone(), message: String::new() };
    server.favors(&ana).ask_member(ask).await.unwrap();
    assert_eq!((shares(&server, &eve).await, server.told(&eve).await[0]), (1, Told::FavorRequest));
    // There is room for her as a back-up: what she was asked stays when somebody else accepts.
    let two = UpdateFavorRequest { id: direct.clone(), max_responses: Some(2), ..Default::default() };
    update(&server, &ana, two).await.unwrap();
    server.answer(&ben, &direct, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.told(&eve).await[0], Told::FavorRequest);
}

#[tokio::test]
async fn unread_news_of_a_favor_for_all_go_when_it_is_over_and_read_ones_stay() {
    let server = timers::start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    let id = server.favor(&ana, asking_all()).await.id;
    server.notifications(&cleo).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    let unread = server.unread(&ben).await;
    server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
    assert_eq!((shares(&server, &ben).await, server.unread(&ben).await), (0, unread - 1));
    assert_eq!((shares(&server, &cleo).await, server.told(&ben).await.contains(&Told::FavorCancelled)), (1, false));
    let id = server.favor(&ana, asking_all()).await.id;
    server.favors(&ana).delete_favor(DeleteFavorRequest { id }).await.unwrap();
    assert_eq!(shares(&server, &ben).await, 0);
    // With the friendship, of whoever it is.
    server.favor(&ana, asking_all()).await;
    server.favor(&eve, asking_all()).await;
    assert_eq!((shares(&server, &eve).await, shares(&server, &ana).await), (1, 1));
    server.remove(&ana, &eve).await.unwrap();
    assert_eq!((shares(&server, &eve).await, shares(&server, &ana).await, shares(&server, &ben).await), (0, 0, 1));
    // With its start, and with the account.
    timers::pass(&server, START + Duration::days(2)).await;
    assert_eq!(shares(&server, &ben).await, 0);
    let start = Some(timestamp(START + Duration::days(4)));
    server.favor(&ana, CreateFavorRequest { start_date: start, ..asking_all() }).await;
    assert_eq!(shares(&server, &ben).await, 1);
    let leave = DeleteUserRequest { access_token: ana.token.clone() };
    server.identity(None).delete_user(leave).await.unwrap();
    assert_eq!((shares(&server, &ben).await, shares(&server, &cleo).await), (0, 1), "what she has read names nobody");
    assert_eq!(server.news(&cleo).await[0].message, "A former member asked all their friends for a favor.");
}

#[tokio::test]
async fn a_muted_friend_is_not_heard_and_blocked_members_are_not_told() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let mute = MuteMemberRequest { member_id: ana.uid.clone() };
    server.notifications(&ben).mute_member(mute).await.unwrap();
    server.block(&ana, &eve).await.unwrap();
    server.favor(&ana, asking_all()).await;
    assert_eq!((shares(&server, &ben).await, shares(&server, &eve).await), (0, 0));
}

#[tokio::test]
async fn a_favor_shared_while_a_friendship_ends_tells_friends_or_nobody() {
    let server = TestServer::start().await;
    let (ana, _, eve) = three(&server).await;
    for round in 0..6 {
        let friend = server.member(&format!("Friend{round}"), "Test").await;
        server.befriend(&ana, &friend).await;
        let remove = RemoveFriendRequest { friend_id: ana.uid.clone(), ..Default::default() };
        let (mut friends, mut favors) = (server.friends(&friend), server.favors(&ana));
        let post = CreateFavorRequest { title: format!("Favor {round}"), ..asking_all() };
        let (posted, removed) = tokio::join!(favors.create_favor(post), friends.remove_friend(remove));
        posted.unwrap();
        removed.unwrap();
        assert_eq!(shares(&server, &friend).await, 0, "round {round}: what was told first goes with the friendship");
        assert_eq!(shares(&server, &eve).await, round + 1);
    }
    server.stop().await;
}
