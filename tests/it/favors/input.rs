//! What a favor must bring, and how it is refused.

use super::{masked, three, update};
use crate::{
    asking::{asking, drafting, fields, refused},
    harness::{Member, Refused, START, TestServer},
};
use goodturn::pb::{
    favors::{CreateFavorRequest, FavorAction, FavorResponse, FavorStatus, PublishFavorRequest, RequestType, UpdateFavorRequest},
    timestamp,
};
use time::Duration;

#[tokio::test]
async fn posting_says_all_that_is_missing() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let empty =
        CreateFavorRequest { title: "  ".into(), description: " ".into(), status: FavorStatus::Active.into(), ..Default::default() };
    let missing = refused(server.favors(&ana).create_favor(empty).await);
    assert_eq!(fields(&missing), ["title: REQUIRED", "description: REQUIRED", "start_date: REQUIRED", "recipients: REQUIRED"]);
    assert_eq!(missing.message, "title: Please enter a favor title");
    let draft = server.favor(&ana, drafting()).await;
    assert!(draft.allowed_actions().all(|a| a != FavorAction::Publish), "it is not ready");
    let missing = refused(server.favors(&ana).publish_favor(PublishFavorRequest { id: draft.id, ..Default::default() }).await);
    assert_eq!(fields(&missing), ["start_date: REQUIRED", "recipients: REQUIRED"]);
}

#[tokio::test]
async fn a_start_is_ahead_and_a_deadline_before_it() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let at = |start, confirm| CreateFavorRequest {
        start_date: Some(timestamp(START + start)),
        confirmation_date: Some(timestamp(START + confirm)),
        ..asking(&[&ben])
    };
    let past = refused(server.favors(&ana).create_favor(at(-Duration::MINUTE, -Duration::MINUTE)).await);
    assert_eq!((past.reason.as_str(), fields(&past)), ("START_IN_PAST", vec!["start_date: IN_PAST".into()]));
    let late = refused(server.favors(&ana).create_favor(at(Duration::DAY, Duration::days(2))).await);
    assert_eq!((late.reason.as_str(), fields(&late)), ("INVALID_ARGUMENT", vec!["confirmation_date: AFTER_START".into()]));
    // A draft may name an hour of today that has passed, but posting it is too late.
    let draft = CreateFavorRequest { status: FavorStatus::Draft.into(), ..at(-Duration::MINUTE, -Duration::MINUTE) };
    let draft = server.favor(&ana, draft).await;
    assert_eq!(
        refused(server.favors(&ana).publish_favor(PublishFavorRequest { id: draft.id, ..Default::default() }).await).reason,
        "START_IN_PAST"
    );
}

#[tokio::test]
async fn only_friends_can_be_asked() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let stranger = refused(server.favors(&ana).create_favor(asking(&[&ben, &eve])).await);
    assert_eq!((stranger.reason.as_str(), fields(&stranger)), ("NOT_A_FRIEND", vec!["recipients[1]: NOT_A_FRIEND".into()]));
    let favor = server.favor(&ana, asking(&[&ben])).await;
    let change = UpdateFavorRequest { id: favor.id, recipients: vec![ben.uid.clone(), ana.uid.clone()], ..Default::default() };
    assert_eq!(fields(&update(&server, &ana, change).await.unwrap_err()), ["recipients[1]: NOT_A_FRIEND"]);
}

#[tokio::test]
async fn who_is_asked_and_how_many_may_accept_is_written_and_changed() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let plain = server.favor(&ana, drafting()).await;
    assert_eq!((plain.request_type(), plain.max_responses), (RequestType::Direct, 1));
    let many = CreateFavorRequest { max_responses: 101, ..drafting() };
    assert_eq!(refused(server.favors(&ana).create_favor(many).await).fields[0].0, "max_responses");
    let request_type = Some(RequestType::Public.into());
    let change = UpdateFavorRequest { id: plain.id, request_type, max_responses: Some(3), ..Default::default() };
    let changed = update(&server, &ana, change.clone()).await.unwrap();
    assert_eq!((changed.request_type(), changed.max_responses), (RequestType::Public, 3));
    assert_eq!(update(&server, &ana, change.clone()).await.unwrap().etag, changed.etag, "done twice, it is done once");
    let back = UpdateFavorRequest { request_type: Some(RequestType::Unspecified.into()), ..masked(change, &["request_type"]) };
    assert_eq!(update(&server, &ana, back).await.unwrap().request_type(), RequestType::Direct);
}

#[tokio::test]
async fn a_recipient_in_two_letter_cases_is_one() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let twice = |first: &Member, second: &Member| vec![first.uid.to_uppercase(), second.uid.clone(), first.uid.clone()];
    let favor = server.favor(&ana, CreateFavorRequest { recipients: twice(&eve, &ben), ..asking(&[]) }).await;
    assert_eq!(favor.recipients, [eve.uid.clone(), ben.uid.clone()]);
    let alone = UpdateFavorRequest { id: favor.id.clone(), recipients: vec![ben.uid.to_uppercase()], ..Default::default() };
    assert_eq!(update(&server, &ana, alone).await.unwrap().recipients, std::slice::from_ref(&ben.uid));
    let both = UpdateFavorRequest { id: favor.id, recipients: twice(&eve, &ben), ..Default::default() };
    assert_eq!(update(&server, &ana, both).await.unwrap().recipients, [ben.uid.clone(), eve.uid.clone()]);
}

#[tokio::test]
async fn a_deadline_is_not_past_when_it_is_posted_or_set() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let confirm = |at| Some(timestamp(at));
    let past = |refused: Refused| {
        assert_eq!((refused.reason.as_str(), fields(&refused)), ("INVALID_ARGUMENT", vec!["confirmation_date: IN_PAST".into()]));
        assert_eq!(refused.message, "confirmation_date: The confirmation deadline cannot be in the past");
    };
    let long_past = CreateFavorRequest { confirmation_date: confirm(START - Duration::days(400)), ..asking(&[&ben]) };
    past(refused(server.favors(&ana).create_favor(long_past).await));
    let soon = CreateFavorRequest { confirmation_date: confirm(START + Duration::minutes(5)), ..asking(&[&ben]) };
    let active = server.favor(&ana, soon.clone()).await.id;
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..soon }).await.id;
    server.clock.advance(Duration::minutes(10));
    let change = |confirmation_date| UpdateFavorRequest { id: active.clone(), confirmation_date, ..Default::default() };
    past(update(&server, &ana, change(confirm(START))).await.unwrap_err());
    let title = |id: &str| UpdateFavorRequest { id: id.into(), title: Some("Walk the cat".into()), ..Default::default() };
    update(&server, &ana, title(&active)).await.unwrap();
    update(&server, &ana, title(&draft)).await.unwrap();
    past(refused(server.favors(&ana).publish_favor(PublishFavorRequest { id: draft, ..Default::default() }).await));
    update(&server, &ana, change(confirm(START + Duration::minutes(15)))).await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_seen_is_missing() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let unseen = CreateFavorRequest { title: "\u{200B}\u{3164}".into(), description: "\u{2800} \u{202E}".into(), ..asking(&[&ben]) };
    let missing = refused(server.favors(&ana).create_favor(unseen).await);
    assert_eq!(fields(&missing), ["title: REQUIRED", "description: REQUIRED"]);
    assert_eq!(missing.message, "title: Please enter a favor title");
    let turned = CreateFavorRequest { title: "\u{202E}Walk\u{202C} the dog".into(), location: "\u{3164}".into(), ..asking(&[&ben]) };
    let favor = server.favor(&ana, turned).await;
    assert_eq!((favor.title.as_str(), favor.location.as_str()), ("Walk the dog", ""));
    let title = UpdateFavorRequest { id: favor.id.clone(), title: Some("\u{200D}".into()), ..Default::default() };
    assert_eq!(fields(&update(&server, &ana, title).await.unwrap_err()), ["title: REQUIRED"]);
    let wordless = server.answer(&ben, &favor.id, FavorResponse::AnotherTime, "\u{2800}").await.unwrap_err();
    assert_eq!(fields(&wordless), ["message: REQUIRED"]);
}

#[tokio::test]
async fn a_text_with_a_null_is_refused_by_its_name() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let new = CreateFavorRequest { title: "a\0b".into(), location: "\0".into(), tip: 12.5, ..drafting() };
    let refusal = refused(server.favors(&ana).create_favor(new).await);
    assert_eq!(fields(&refusal), ["title: INVALID", "location: INVALID"]);
    let body = serde_json::json!({ "title": "A", "description": "b\u{0}", "status": "draft" });
    let (status, answer) = server.rest("POST", "/favor/favor-create", &ana, body).await;
    assert_eq!((status, &answer["details"][0]["field"]), (400, &serde_json::json!("description")), "{answer}");
}
