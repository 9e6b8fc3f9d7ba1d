//! Answers: who gives which, how often, what the story says of them, and what is expected after them.

use super::{received, three, update};
use crate::{
    asking::{asking, asking_all, fields},
    harness::{Member, Refused, START, TestServer},
};
use goodturn::pb::{
    favors::{
        CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, DeleteFavorRequest, FavorAction, FavorEventKind, FavorResponse,
        FavorStatus, GetFavorStoryRequest, GetFavorStoryResponse, ListActiveFavorsRequest, ListReceivedFavorsRequest, RequestType,
        SettleFavorRequest, UpdateFavorRequest,
    },
    notifications::{MarkAllNotificationsReadRequest, NotificationType as Told},
    timestamp,
};
use time::Duration;

/// Whether anything is expected of a member, by what they were told.
async fn is_expected(server: &TestServer, who: &Member) -> bool {
    server.news(who).await.iter().any(|n| n.action_required)
}

async fn story(server: &TestServer, who: &Member, id: &str) -> GetFavorStoryResponse {
    server.favors(who).get_favor_story(GetFavorStoryRequest { id: id.into() }).await.unwrap().into_inner()
}

#[tokio::test]
async fn answers_may_change_while_nobody_helps() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let wordless = server.answer(&ben, &id, FavorResponse::AnotherTime, " ").await.unwrap_err();
    assert_eq!(fields(&wordless), ["message: REQUIRED"]);
    for _ in 0..2 {
        let offered = server.answer(&ben, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
        assert_eq!(offered.status(), FavorStatus::Pending);
    }
    let offer = server.news(&ana).await.remove(0);
    assert_eq!(offer.message, "Ben Okafor can help you with “Walk the dog” at another time. “At noon?”");
    assert!(offer.action_required);
    for _ in 0..2 {
        assert_eq!(server.answer(&eve, &id, FavorResponse::Decline, "").await.unwrap().status(), FavorStatus::Declined);
    }
    assert_eq!(received(&server, &eve, &[]).await, Vec::<String>::new());
    assert_eq!(received(&server, &eve, &[FavorStatus::Declined]).await, std::slice::from_ref(&id));
    assert_eq!(server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap().status(), FavorStatus::Accepted);
    let told: Vec<_> = server.news(&ana).await.into_iter().map(|n| n.message).collect();
    let accepted = "Eve Stone will help you with “Walk the dog”.";
    assert_eq!(told[..2], [accepted, offer.message.as_str()], "the acceptance took the place of the decline");
    assert_eq!(server.told(&ana).await[2], Told::FriendAccepted);
    assert_eq!(received(&server, &eve, &[]).await, [id]);
    assert_eq!(received(&server, &ben, &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_answer_changes_twenty_times_and_fills_neither_the_list_nor_the_story() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let unread = server.unread(&ana).await;
    for n in 0..=20 {
        server.answer(&ben, &id, FavorResponse::AnotherTime, &format!("At {n}?")).await.unwrap();
    }
    for n in 21..30 {
        let refused = server.answer(&ben, &id, FavorResponse::AnotherTime, &format!("At {n}?")).await.unwrap_err();
        assert_eq!(refused.reason, "LIMIT_REACHED");
        assert_eq!(refused.message, "an answer can be changed at most 20 times; you can still accept");
    }
    assert_eq!(server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap_err().reason, "LIMIT_REACHED");
    server.answer(&ben, &id, FavorResponse::AnotherTime, "At 20?").await.unwrap();
    assert_eq!(server.seen(&ben, &id).await.allowed_actions().collect::<Vec<_>>(), [FavorAction::Accept]);
    assert_eq!(server.unread(&ana).await, unread + 1);
    assert_eq!(server.news(&ana).await[0].message, "Ben Okafor can help you with “Walk the dog” at another time. “At 20?”");
    let told = story(&server, &ana, &id).await;
    let steps: Vec<_> = told.events.iter().map(|e| (e.kind(), e.message.as_str())).collect();
    assert_eq!(steps, [(FavorEventKind::Posted, ""), (FavorEventKind::AnotherTime, "At 20?")]);
    // A step of somebody else's in between is kept in its order.
    server.answer(&eve, &id, FavorResponse::Decline, "Sorry").await.unwrap();
    assert_eq!(server.answer(&ben, &id, FavorResponse::Accept, "Now").await.unwrap().status(), FavorStatus::Accepted);
    let kinds: Vec<_> = story(&server, &ana, &id).await.events.iter().map(|e| e.kind()).collect();
    use FavorEventKind::{Accepted, AnotherTime, Declined, Posted};
    assert_eq!(kinds, [Posted, AnotherTime, Declined, Accepted]);
}

#[tokio::test]
async fn who_offered_another_time_waits_for_the_creator_and_nobody_for_them() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let offered = async |who| server.seen(who, &id).await.answered;
    assert!(!offered(&ben).await);
    server.answer(&ben, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
    assert_eq!((offered(&ben).await, offered(&eve).await, offered(&ana).await), (true, false, false));
    let listed = &server.favors(&ben).list_received_favors(ListReceivedFavorsRequest::default()).await.unwrap().into_inner().favors[0];
    assert_eq!((listed.status(), listed.answered), (FavorStatus::Pending, true));
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert!(!offered(&ben).await);
}

#[tokio::test]
async fn a_decline_with_other_words_replaces_the_words() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    server.answer(&ben, &id, FavorResponse::Decline, "Not me").await.unwrap();
    let told = server.told(&ana).await.len();
    for _ in 0..2 {
        server.answer(&ben, &id, FavorResponse::Decline, "I am away").await.unwrap();
    }
    let after = story(&server, &ana, &id).await;
    assert_eq!((after.recipients[0].message.as_str(), after.recipients[0].response()), ("I am away", FavorResponse::Decline));
    assert_eq!((after.events.len(), after.events[1].message.as_str()), (2, "I am away"));
    assert_eq!(server.told(&ana).await.len(), told);
    let last = "Ben Okafor can't help you with “Walk the dog”. Ask someone else or cancel the favor. “I am away”";
    assert_eq!(server.news(&ana).await[0].message, last);
}

#[tokio::test]
async fn a_long_story_shows_its_newest_steps() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let mut beside = server.database.connect().await;
    let steps = "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
                 SELECT f.id, 1 + n, 'another_time', m.id, f.created_at, 'At ' || n
                 FROM favors f, members m, generate_series(1, 1100) AS n
                 WHERE m.email = 'eve@example.org'";
    sqlx::query(steps).execute(&mut beside).await.unwrap();
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    let told = story(&server, &ana, &id).await;
    let ends = (told.events[0].message.as_str(), told.events[98].message.as_str(), told.events[99].kind());
    assert_eq!((told.events.len(), ends, told.has_earlier), (100, ("At 1002", "At 1100", FavorEventKind::Accepted), true));
    // What others did, of which they do not know, takes nothing away from ben's story.
    let his = story(&server, &ben, &id).await;
    let kinds: Vec<_> = his.events.iter().map(|e| e.kind()).collect();
    assert_eq!((kinds, his.has_earlier), (vec![FavorEventKind::Posted, FavorEventKind::Accepted], false));
}

#[tokio::test]
async fn a_step_that_only_a_newer_release_knows_takes_nothing_from_the_story() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    let newer = "ALTER TABLE favor_events DROP CONSTRAINT favor_events_kind_check;
                 INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
                 SELECT id, 2, 'of_tomorrow', creator_id, created_at, 'Hello' FROM favors";
    sqlx::raw_sql(newer).execute(&mut server.database.connect().await).await.unwrap();
    for who in [&ana, &ben] {
        assert_eq!(server.steps(who, &id).await, [FavorEventKind::Posted], "{}", who.name);
    }
    let (status, all) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    assert_eq!(status, 200, "{all}");
}

#[tokio::test]
async fn what_is_expected_is_over_once_it_is_answered_or_nothing_waits() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let offered = async || {
        let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
        server.answer(&ben, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
        let expected = (is_expected(&server, &ana).await, is_expected(&server, &ben).await, is_expected(&server, &eve).await);
        assert_eq!(expected, (true, false, true), "ben has answered");
        id
    };
    let nothing = async |why: &str| {
        for who in [&ana, &ben, &eve] {
            assert!(!is_expected(&server, who).await, "{why}: {}", who.name);
        }
    };
    let id = offered().await;
    server.notifications(&ana).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap();
    assert!(!is_expected(&server, &ana).await, "the offer was taken back");
    server.answer(&eve, &id, FavorResponse::Decline, "").await.unwrap();
    nothing("all have declined").await;

    let id = offered().await;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    nothing("it is taken").await;
    server.favors(&ben).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    assert!(is_expected(&server, &ana).await, "to settle it");
    server.favors(&ana).settle_favor(SettleFavorRequest { id, ..Default::default() }).await.unwrap();
    nothing("it is settled").await;

    let id = offered().await;
    server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
    nothing("it is called off").await;

    let id = offered().await;
    server.favors(&ana).delete_favor(DeleteFavorRequest { id }).await.unwrap();
    nothing("it is gone").await;

    let id = offered().await;
    let change =
        UpdateFavorRequest { id: id.clone(), recipients: vec![ben.uid.clone()], title: Some("Walk the cat".into()), ..Default::default() };
    update(&server, &ana, change).await.unwrap();
    assert!(!is_expected(&server, &eve).await, "eve is not asked any more");
    assert!(is_expected(&server, &ana).await, "another title answers no offer of another time");
    update(&server, &ana, moved(&id)).await.unwrap();
    nothing("the offer was answered by the move").await;

    let id = offered().await;
    let without_ben = UpdateFavorRequest { id, recipients: vec![eve.uid.clone()], ..Default::default() };
    update(&server, &ana, without_ben).await.unwrap();
    assert!(!is_expected(&server, &ana).await, "who offered is not asked any more");
}

/// A favor of these tests, a day later.
fn moved(id: &str) -> UpdateFavorRequest {
    UpdateFavorRequest { id: id.into(), start_date: Some(timestamp(START + Duration::days(2))), ..Default::default() }
}

#[tokio::test]
async fn an_offer_of_help_waits_to_be_chosen_whatever_is_changed() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, CreateFavorRequest { recipients: vec![ben.uid.clone()], ..asking_all() }).await.id;
    server.answer(&ben, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
    server.apply(&eve, &id, "I can").await.unwrap();
    let waiting = async || {
        let news = server.news(&ana).await.into_iter().filter(|n| n.action_required);
        news.map(|n| n.actor.unwrap().uid).collect::<Vec<_>>()
    };
    assert_eq!(waiting().await, [eve.uid.as_str(), &ben.uid]);
    update(&server, &ana, UpdateFavorRequest { id: id.clone(), title: Some("Walk the cat".into()), ..Default::default() }).await.unwrap();
    assert_eq!(waiting().await, [eve.uid.as_str(), &ben.uid]);
    update(&server, &ana, moved(&id)).await.unwrap();
    assert_eq!(waiting().await, [eve.uid.as_str()], "the offer of another time was answered");
    server.choose(&ana, &id, &eve).await.unwrap();
    assert_eq!(waiting().await, [""; 0]);
}

#[tokio::test]
async fn a_creator_is_told_when_all_who_were_asked_have_declined() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let nobody_can = async |who| server.seen(who, &id).await.nobody_can;
    server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap();
    assert!(!nobody_can(&ana).await, "eve has not answered");
    server.answer(&eve, &id, FavorResponse::AnotherTime, "On Friday?").await.unwrap();
    assert!(!nobody_can(&ana).await, "another time is an offer");
    server.answer(&eve, &id, FavorResponse::Decline, "").await.unwrap();
    assert!(nobody_can(&ana).await);
    assert!(!nobody_can(&eve).await, "what others said is not hers to know");
    let listed = server.favors(&ana).list_active_favors(ListActiveFavorsRequest::default()).await.unwrap().into_inner();
    assert!(listed.favors[0].nobody_can);
    server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap();
    assert!(!nobody_can(&ana).await);
    let public = CreateFavorRequest { request_type: RequestType::Public.into(), ..asking(&[&ben]) };
    let public = server.favor(&ana, public).await.id;
    server.answer(&ben, &public, FavorResponse::Decline, "").await.unwrap();
    assert!(!server.seen(&ana, &public).await.nobody_can, "any friend can offer to help");
    assert!(!server.favor(&ana, asking_all()).await.nobody_can, "nobody was asked by name");
}

#[tokio::test]
async fn who_has_answered_has_read_what_asked_for_it() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    for who in [&ana, &ben, &eve] {
        server.notifications(who).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    }
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    assert_eq!((server.unread(&ben).await, server.unread(&eve).await), (1, 1));
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.unread(&ben).await, 0, "he answered it");
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!((server.unread(&ben).await, server.unread(&ana).await), (0, 1));
    assert!(server.news(&ben).await.first().unwrap().read);
}

#[tokio::test]
async fn who_helps_is_not_told_to_the_others() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    let told = server.news(&eve).await.remove(0);
    assert_eq!((told.title.as_str(), told.actor.unwrap().uid), ("Someone else is helping", ana.uid));
}

#[tokio::test]
async fn thanks_go_with_the_end_of_a_favor_to_the_helper_and_nobody_else_reads_them() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for friend in [&ben, &eve] {
        server.befriend(&ana, friend).await;
    }
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    server.favors(&ana).complete_favor(CompleteFavorRequest { id: id.clone(), message: "You saved my day!".into() }).await.unwrap();
    let settle = async |message: &str| {
        let request = SettleFavorRequest { id: id.clone(), message: message.into() };
        server.favors(&ana).settle_favor(request).await.map(drop).map_err(|e| Refused::from(e).message)
    };
    for _ in 0..2 {
        settle("Dinner is on me.").await.unwrap();
    }
    settle("").await.unwrap();
    assert_eq!(settle("And dessert!").await.unwrap_err(), "this favor is settled", "words that come later would be lost");
    let news: Vec<String> = server.news(&ben).await.into_iter().map(|told| told.message).collect();
    let expected = [
        "Ana Silva marked “Walk the dog” as settled. “Dinner is on me.”",
        "Ana Silva marked “Walk the dog” as completed. “You saved my day!”",
    ];
    assert_eq!(news[..2], expected);
    let words = async |who: &Member| {
        let events = story(&server, who, &id).await.events;
        events.into_iter().map(|event| event.message).filter(|message| !message.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(words(&ben).await, ["You saved my day!", "Dinner is on me."]);
    assert_eq!(words(&ana).await, words(&ben).await);
    assert_eq!(words(&eve).await, Vec::<String>::new());
    server.stop().await;
}
