//! Another time with a proposed start, which the creator takes in one step.

use super::{
    three,
    timers::{live_in, start_at},
    update,
};
use crate::{
    asking::{asking, fields, proposed},
    harness::{START, TestServer},
};
use goodturn::pb::{
    favors::{
        AcceptProposedTimeRequest, CreateFavorRequest, DeclineProposedTimeRequest, FavorAction, FavorEventKind, FavorResponse, FavorStatus,
        GetFavorStoryRequest, RespondToFavorRequest, UpdateFavorRequest,
    },
    notifications::NotificationType,
    timestamp,
};
use time::Duration;

#[tokio::test]
async fn the_favor_moves_to_the_proposed_start_and_the_proposer_helps() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    assert!(!server.seen(&ana, &id).await.allowed_actions().any(|a| a == FavorAction::AcceptTime));
    server.propose(&ben, &id, 0).await.unwrap();
    server.propose(&ben, &id, 1).await.unwrap();
    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    assert_eq!(story.recipients[0].proposed_start, Some(timestamp(proposed(1))));
    assert!(server.seen(&ana, &id).await.allowed_actions().any(|a| a == FavorAction::AcceptTime));
    let outdated = server.accept_time(&ana, &id, &ben, 0).await.unwrap_err();
    assert_eq!((outdated.reason.as_str(), fields(&outdated)), ("CONFLICT", vec!["proposed_start: CONFLICTING".to_owned()]));
    assert_eq!(server.accept_time(&ana, &id, &eve, 1).await.unwrap_err().reason, "CONFLICT", "she proposed none");
    assert_eq!(server.accept_time(&ana, &id, &ana, 1).await.unwrap_err().message, "recipient not found");
    assert_eq!(server.accept_time(&eve, &id, &ben, 1).await.unwrap_err().reason, "WRONG_PARTY");

    let told = (server.told(&ben).await.len(), server.told(&eve).await.len());
    for _ in 0..2 {
        let moved = server.accept_time(&ana, &id, &ben, 1).await.unwrap();
        assert_eq!((moved.status(), moved.responses), (FavorStatus::Accepted, 1));
        assert_eq!((moved.start_date, moved.confirmation_date), (Some(timestamp(proposed(1))), Some(timestamp(proposed(1)))));
        assert_eq!(moved.helper.unwrap().uid, ben.uid);
    }
    assert_eq!((server.told(&ben).await.len(), server.told(&eve).await.len()), (told.0 + 1, told.1));
    let news = server.news(&ben).await.remove(0);
    assert_eq!(news.title, "Your time was accepted");
    assert_eq!(news.message, "Ana Silva moved “Walk the dog” to the time you proposed: Thu, Jun 18, 10:00 AM. You're the helper.");
    let news = server.news(&eve).await.remove(0);
    assert_eq!(news.title, "Someone else is helping", "in the place of the unread request");
    assert_eq!(news.message, "Ana Silva moved “Walk the dog” to Thu, Jun 18, 10:00 AM and found someone to help.");
    assert!(server.news(&ana).await.iter().all(|n| !n.action_required), "the offer was answered");
    assert_eq!(*server.steps(&ben, &id).await.last().unwrap(), FavorEventKind::TimeAccepted);
    server.withdraw(&ben, &id, "").await.unwrap();
    assert_eq!(server.seen(&ana, &id).await.status(), FavorStatus::Active);
    let again = server.news(&eve).await.remove(0);
    assert_eq!((again.r#type(), again.title.as_str()), (NotificationType::FavorRequest, "Help is needed again"));
    assert_eq!(again.message, "Ana Silva needs help with “Walk the dog” again: Thu, Jun 18, 10:00 AM.");
}

#[tokio::test]
async fn those_who_may_still_be_back_ups_are_told_of_the_new_time_by_their_clocks() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let (cleo, dan) = (server.member("Cleo", "Marsh").await, server.member("Dan", "Moss").await);
    server.befriend(&ana, &cleo).await;
    server.befriend(&ana, &dan).await;
    live_in(&server, &eve, "America/New_York").await;
    let asked = CreateFavorRequest { max_responses: 2, ..asking(&[&ben, &eve, &cleo, &dan]) };
    let id = server.favor(&ana, asked).await.id;
    server.propose(&ben, &id, 1).await.unwrap();
    server.propose(&cleo, &id, 2).await.unwrap();
    server.answer(&dan, &id, FavorResponse::Decline, "").await.unwrap();
    let declined = server.told(&dan).await;
    server.accept_time(&ana, &id, &ben, 1).await.unwrap();
    let moved = |when: &str| format!("Ana Silva moved “Walk the dog” to {when} and found someone to help. You can still be a backup.");
    let news = server.news(&eve).await.remove(0);
    assert_eq!((news.r#type(), news.message), (NotificationType::FavorRequest, moved("Thu, Jun 18, 6:00 AM")));
    assert!(news.action_required, "she has not answered");
    let news = server.news(&cleo).await.remove(0);
    assert_eq!((news.r#type(), news.message), (NotificationType::FavorResponse, moved("Thu, Jun 18, 10:00 AM")));
    assert!(!news.action_required, "she has offered another time");
    assert_eq!(server.told(&dan).await, declined);
}

#[tokio::test]
async fn a_request_whose_start_had_passed_is_renewed_with_its_new_time() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    server.clock.advance(Duration::days(2));
    let start = server.clock.now() + Duration::DAY;
    update(&server, &ana, UpdateFavorRequest { id, start_date: Some(timestamp(start)), ..Default::default() }).await.unwrap();
    let news = server.news(&ben).await.remove(0);
    assert_eq!((news.r#type(), news.title.as_str()), (NotificationType::FavorRequest, "New time for a favor"));
    assert_eq!(news.message, "Ana Silva asked you for a favor: “Walk the dog”. New time: Fri, Jun 19, 9:00 AM.");
}

#[tokio::test]
async fn a_proposed_start_goes_with_another_time_alone_and_is_not_past() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    let with = |response: FavorResponse, hours| RespondToFavorRequest {
        id: id.clone(),
        response: response.into(),
        proposed_start: Some(timestamp(proposed(hours))),
        ..Default::default()
    };
    let accepting = server.favors(&ben).respond_to_favor(with(FavorResponse::Accept, 0)).await;
    assert_eq!(fields(&crate::asking::refused(accepting)), ["proposed_start: CONFLICTING"]);
    let past = server.favors(&ben).respond_to_favor(with(FavorResponse::AnotherTime, -49)).await;
    assert_eq!(fields(&crate::asking::refused(past)), ["proposed_start: IN_PAST"]);
    server.propose(&ben, &id, -48).await.unwrap();
    server.clock.advance(Duration::minutes(10));
    let late = server.accept_time(&ana, &id, &ben, -48).await.unwrap_err();
    assert_eq!((late.reason.as_str(), fields(&late)), ("START_IN_PAST", vec!["proposed_start: IN_PAST".to_owned()]));
    assert!(!server.seen(&ana, &id).await.allowed_actions().any(|a| a == FavorAction::AcceptTime));
    // Who says something else proposes nothing any more.
    server.propose(&ben, &id, 1).await.unwrap();
    server.answer(&ben, &id, FavorResponse::AnotherTime, "Some day").await.unwrap();
    assert_eq!(server.accept_time(&ana, &id, &ben, 1).await.unwrap_err().reason, "CONFLICT");
    let none = AcceptProposedTimeRequest { id: id.clone(), uid: ben.uid.clone(), proposed_start: None };
    let none = crate::asking::refused(server.favors(&ana).accept_proposed_time(none).await);
    assert_eq!(none.fields[0].0, "proposed_start");
    // A deadline before the proposed start stays.
    let confirm = Some(timestamp(crate::harness::START + Duration::hours(3)));
    update(&server, &ana, UpdateFavorRequest { id: id.clone(), confirmation_date: confirm, ..Default::default() }).await.unwrap();
    server.propose(&ben, &id, 3).await.unwrap();
    assert_eq!(server.accept_time(&ana, &id, &ben, 3).await.unwrap().confirmation_date, confirm);
}

#[tokio::test]
async fn what_is_proposed_between_two_seconds_is_taken_as_it_is_told() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let exact = Some(prost_types::Timestamp { nanos: 500_000_000, ..timestamp(proposed(1)) });
    let id = server.favor(&ana, CreateFavorRequest { start_date: exact, confirmation_date: exact, ..asking(&[&ben]) }).await;
    // As it is read, it is sent again.
    let again = UpdateFavorRequest { id: id.id.clone(), start_date: id.start_date, title: Some("Walk".into()), ..Default::default() };
    let id = update(&server, &ana, again).await.unwrap().id;
    let request =
        RespondToFavorRequest { id: id.clone(), response: FavorResponse::AnotherTime.into(), proposed_start: exact, ..Default::default() };
    server.favors(&ben).respond_to_favor(request).await.unwrap();
    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    assert_eq!(story.recipients[0].proposed_start, Some(timestamp(proposed(1))));
    for _ in 0..2 {
        assert_eq!(server.accept_time(&ana, &id, &ben, 1).await.unwrap().start_date, Some(timestamp(proposed(1))));
    }
}

#[tokio::test]
async fn whose_time_is_declined_is_told_once_and_asked_again_at_the_original_time() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let favor = server.favor(&ana, asking(&[&ben, &eve])).await;
    let id = favor.id;
    let may_decline = async || server.seen(&ana, &id).await.allowed_actions().any(|a| a == FavorAction::DeclineTime);
    assert!(!may_decline().await);
    assert_eq!(server.decline_time(&ana, &id, &ana, "").await.unwrap_err().message, "recipient not found");
    assert_eq!(server.decline_time(&eve, &id, &ben, "").await.unwrap_err().reason, "WRONG_PARTY");
    server.propose(&ben, &id, 1).await.unwrap();
    server.propose(&eve, &id, 2).await.unwrap();
    assert!(may_decline().await);
    let told = (server.told(&ben).await.len(), server.told(&eve).await);
    for _ in 0..2 {
        let declined = server.decline_time(&ana, &id, &ben, "I'm away then").await.unwrap();
        assert_eq!((declined.status(), declined.start_date, &declined.etag), (FavorStatus::Active, favor.start_date, &favor.etag));
    }
    let seen = server.seen(&ben, &id).await;
    assert_eq!((seen.status(), seen.answered), (FavorStatus::Pending, false));
    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    let asked = &story.recipients[0];
    assert_eq!((asked.response(), asked.answered_at, asked.proposed_start), (FavorResponse::Unspecified, None, None));
    assert!(asked.asked_at.is_some());
    let news = server.news(&ben).await;
    assert_eq!((news.len(), news[0].r#type(), news[0].action_required), (told.0 + 1, NotificationType::FavorRequest, true));
    assert_eq!(
        news[0].message,
        "Ana Silva can't do the time you proposed for “Walk the dog”. It still starts Wed, Jun 17, 9:00 AM. “I'm away then”"
    );
    let waiting: Vec<_> = server.news(&ana).await.into_iter().filter(|n| n.action_required).map(|n| n.message).collect();
    assert_eq!(waiting, ["Eve Stone can help you with “Walk the dog” at another time: Thu, Jun 18, 11:00 AM."], "hers waits still");
    // Only the creator and the proposer see this step.
    use FavorEventKind::{AnotherTime, Posted, TimeDeclined};
    assert_eq!(server.steps(&ana, &id).await, [Posted, AnotherTime, AnotherTime, TimeDeclined]);
    assert_eq!(server.steps(&ben, &id).await, [Posted, AnotherTime, TimeDeclined]);
    assert_eq!((server.steps(&eve, &id).await, server.told(&eve).await), (vec![Posted, AnotherTime], told.1));
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.seen(&ana, &id).await.start_date, favor.start_date);
    assert_eq!(server.decline_time(&ana, &id, &ben, "").await.unwrap_err().reason, "WRONG_STATE");
    super::lists::agree(&server).await;
}

#[tokio::test]
async fn another_time_in_words_alone_or_in_the_past_can_be_declined() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &id, FavorResponse::AnotherTime, "Some day").await.unwrap();
    server.propose(&eve, &id, -47).await.unwrap();
    server.clock.advance(Duration::days(2));
    let known = |hours| DeclineProposedTimeRequest {
        id: id.clone(),
        uid: eve.uid.clone(),
        proposed_start: Some(timestamp(proposed(hours))),
        ..Default::default()
    };
    let other = crate::asking::refused(server.favors(&ana).decline_proposed_time(known(-46)).await);
    assert_eq!((other.reason.as_str(), fields(&other)), ("CONFLICT", vec!["proposed_start: CONFLICTING".to_owned()]));
    server.favors(&ana).decline_proposed_time(known(-47)).await.unwrap();
    let declined = server.decline_time(&ana, &id, &ben, "").await.unwrap();
    assert!(!declined.allowed_actions().any(|a| a == FavorAction::DeclineTime));
    for who in [&ben, &eve] {
        let news = server.news(who).await.remove(0);
        assert_eq!(news.message, "Ana Silva can't do the time you proposed for “Walk the dog”.");
        assert_eq!((news.r#type(), news.action_required), (NotificationType::FavorResponse, false), "it should have begun");
    }
    assert!(server.news(&ana).await.iter().all(|n| n.r#type() != NotificationType::FavorResponse || !n.action_required));
}

#[tokio::test]
async fn a_declined_time_can_be_offered_again_twenty_times() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    for n in 0..20 {
        server.propose(&ben, &id, n).await.unwrap();
        server.decline_time(&ana, &id, &ben, "").await.unwrap();
    }
    let seen = server.seen(&ben, &id).await;
    assert_eq!(seen.allowed_actions().collect::<Vec<_>>(), [FavorAction::Accept, FavorAction::Decline]);
    assert_eq!(server.propose(&ben, &id, 20).await.unwrap_err().reason, "LIMIT_REACHED");
    server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap();
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
}
