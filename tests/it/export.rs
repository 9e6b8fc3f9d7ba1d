//! The export of one's data: all of it, nothing that is others', and no secret.

use crate::{
    asking::{asking, drafting},
    harness::{Member, TestServer},
};
use goodturn::{
    error::Result,
    ids::MemberId,
    notifications::{self, New, Target},
    pb::{
        favors::{AskMemberRequest, FavorResponse},
        friends::{FriendRequestAction, RespondToFriendRequestRequest, SendFriendRequestRequest},
        identity::ExportUserDataRequest,
        notifications::{NotificationType, TargetKind},
    },
    transact,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use time::Duration;
use uuid::Uuid;

async fn export(server: &TestServer, who: &Member) -> Value {
    let path = format!("/v2/users/{}/export", who.uid);
    let (status, answer) = server.rest("GET", &path, who, None).await;
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(answer["document"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn all_that_is_kept_of_a_member_is_told_and_no_secret() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let ask = SendFriendRequestRequest { receiver_uid: eve.uid.clone(), message: "It is Ana".into(), ..Default::default() };
    let asked = server.friends(&ana).send_friend_request(ask).await.unwrap().into_inner();
    let decline = RespondToFriendRequestRequest {
        request_id: asked.friend_request,
        action: FriendRequestAction::Decline.into(),
        ..Default::default()
    };
    server.friends(&eve).respond_to_friend_request(decline).await.unwrap();
    server.favor(&ana, drafting()).await;
    let his = server.favor(&ben, asking(&[&ana])).await.id;
    server.answer(&ana, &his, FavorResponse::AnotherTime, "On Friday?").await.unwrap();
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    let own = server.favor(&ana, asking(&[&ben])).await.id;
    let ask = AskMemberRequest { id: own, member_id: cleo.uid.clone(), message: "And you?".into() };
    server.favors(&ana).ask_member(ask).await.unwrap();
    let change = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "email", "Value": "new@example.org"}]});
    assert_eq!(server.target("UpdateUserAttributes", change).await.0, 200);

    let all = export(&server, &ana).await;
    let own = &all["identity"];
    assert_eq!((&own["sub"], &own["email"], &own["name"]), (&json!(ana.uid), &json!(ana.email), &json!("Ana Silva")));
    assert_eq!(own["waitingForCode"], json!({"email": "new@example.org"}));
    assert_eq!((own["sessions"].as_array().unwrap().len(), &own["sessions"][0]["clientId"]), (1, &json!(server.web_client_id)));
    assert_eq!(all["friends"]["friends"][0]["displayName"], "Ben Okafor");
    let requests = all["friends"]["requests"].as_array().unwrap();
    let sent = requests.iter().find(|r| r["uid"] == json!(eve.uid)).unwrap();
    assert_eq!((&sent["status"], &sent["message"]), (&json!("pending"), &json!("It is Ana")), "declining is silent");
    assert_eq!((&all["favors"]["asked"][0]["status"], &all["favors"]["received"][0]["message"]), (&json!("draft"), &json!("On Friday?")));
    let said =
        all["favors"]["said"].as_array().unwrap().iter().map(|said| (said["step"].as_str().unwrap(), said["message"].as_str().unwrap()));
    assert_eq!(said.collect::<BTreeSet<_>>(), BTreeSet::from([("AnotherTime", "On Friday?"), ("Asked", "And you?")]), "with every step");
    assert!(all["notifications"].as_array().unwrap().iter().any(|n| n["type"] == "favor_request"));
    let text = all.to_string();
    let code = server.code_for("new@example.org").await;
    for secret in [&code, &ana.refresh_token, &ana.token, &ben.email, &eve.email] {
        assert!(!text.contains(secret.as_str()), "{secret} in {text}");
    }
    for word in ["seed", "sealed", "salt", "network", "declined"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    server.stop().await;
}

#[tokio::test]
async fn it_is_whole_however_much_there_is() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let member = MemberId(ana.uid.parse().unwrap());
    let news: Vec<New> = (0..1203)
        .map(|n| New {
            member,
            kind: NotificationType::System,
            title: "News".into(),
            message: format!("Number {n}."),
            actor: None,
            target: Target(TargetKind::Unspecified, Uuid::nil()),
            about: Uuid::from_u128(n),
            about_unread: None,
            action_required: false,
        })
        .collect();
    let deps = &server.node.deps;
    let told: Result<()> = transact!(deps.pool, |tx| notifications::push(tx, deps, &news).await);
    told.unwrap();
    assert_eq!(export(&server, &ana).await["notifications"].as_array().unwrap().len(), 1203);
    server.stop().await;
}

#[tokio::test]
async fn it_is_the_callers_own_and_a_few_times_a_day() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let path = format!("/v2/users/{}/export", ana.uid);
    assert_eq!(server.rest("GET", &path, &ben, None).await.0, 403);
    assert_eq!(server.rest("GET", &path, None, None).await.0, 401);
    for _ in 0..4 {
        export(&server, &ana).await;
    }
    let over_grpc = server.identity(&ana).export_user_data(ExportUserDataRequest::default()).await.unwrap().into_inner();
    assert!(over_grpc.document.contains(&ana.email));
    let (status, answer) = server.rest("GET", &path, &ana, None).await;
    assert_eq!((status, &answer["code"]), (429, &json!("RATE_LIMITED")));
    export(&server, &ben).await;
    server.clock.advance(Duration::DAY);
    let ana = server.signed_in_again(&ana).await;
    export(&server, &ana).await;
    server.stop().await;
}
