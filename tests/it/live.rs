//! Notifications over the faces of whole servers: gRPC, REST and NDJSON, from one node to the other.

use crate::harness::{Member, TestServer};
use futures_util::StreamExt;
use goodturn::{
    error::Result,
    ids::MemberId,
    notifications::{self, New, Target},
    pb::{
        identity::GlobalSignOutRequest,
        notifications::{NotificationType, TargetKind, WatchNotificationsRequest},
    },
    transact,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use tonic::Code;
use uuid::Uuid;

const FAVOR: Uuid = Uuid::from_u128(7);

async fn tell(server: &TestServer, to: &Member, from: &Member) {
    let id = |member: &Member| MemberId(member.uid.parse().unwrap());
    let new = New {
        member: id(to),
        kind: NotificationType::FavorResponse,
        title: "Favor accepted".into(),
        message: format!("{} helps you.", from.name),
        actor: Some(id(from)),
        target: Target(TargetKind::Favor, FAVOR),
        about: FAVOR,
        about_unread: None,
        action_required: true,
    };
    let told: Result<()> =
        transact!(server.node.deps.pool, |tx| notifications::push(tx, &server.node.deps, std::slice::from_ref(&new)).await);
    told.unwrap();
}

#[tokio::test]
async fn a_client_of_one_node_hears_over_grpc_what_another_node_did_until_it_signs_out() {
    let one = TestServer::start().await;
    let (ana, ben) = (one.ana().await, one.ben().await);
    // After the sign-ups: any node may send the mail, and an outbox is its node's own.
    let other = one.second_node().await;
    let mut stream = other.notifications(&ana).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    assert!(stream.message().await.unwrap().unwrap().notification.is_none());
    tell(&one, &ana, &ben).await;
    let told = stream.message().await.unwrap().unwrap();
    let notification = told.notification.unwrap();
    let actor = notification.actor.unwrap();
    assert_eq!((notification.title.as_str(), told.unread_count), ("Favor accepted", 1));
    assert_eq!((actor.display_name.as_str(), actor.email.as_str()), ("Ben Okafor", ""));

    let sign_out = GlobalSignOutRequest { access_token: ana.token.clone() };
    one.identity(&ana).global_sign_out(sign_out).await.unwrap();
    let ended = timeout(Duration::from_secs(5), stream.message()).await.expect("signed out everywhere within seconds");
    assert_eq!(ended.unwrap_err().code(), Code::Unauthenticated);
    other.stop().await;
    one.stop().await;
}

#[tokio::test]
async fn rest_lists_and_marks_in_the_documented_shape() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (status, empty) = server.rest("GET", "/notifications", &ana, None).await;
    assert_eq!((status, empty), (200, json!({ "notifications": [], "unreadCount": 0, "cursor": "", "hasMore": false })));
    tell(&server, &ana, &ben).await;
    let (_, list) = server.rest("GET", "/notifications?limit=1", &ana, None).await;
    let id = list["notifications"][0]["id"].as_str().unwrap().to_owned();
    let mut notification = json!({
        "id": id,
        "type": "favor_response",
        "title": "Favor accepted",
        "message": "Ben Okafor helps you.",
        "timestamp": "2026-06-16T09:00:00Z",
        "read": false,
        "actionRequired": true,
        "target": { "kind": "favor", "id": FAVOR.to_string() },
    });
    assert_eq!(list, json!({ "notifications": [notification], "unreadCount": 1, "cursor": "", "hasMore": false }));
    let (status, marked) = server.rest("POST", &format!("/notifications/{id}:read"), &ana, json!({})).await;
    notification["read"] = Value::Bool(true);
    assert_eq!((status, marked), (200, json!({ "notification": notification, "unreadCount": 0 })));
    assert_eq!(server.rest("POST", &format!("/notifications/{id}:read"), &ben, json!({})).await.0, 404);
    assert_eq!(server.rest("POST", "/notifications:read-all", &ana, json!({})).await, (200, json!({ "unreadCount": 0 })));
    server.stop().await;
}

#[tokio::test]
async fn rest_streams_a_line_of_json_for_each_event_and_ends_when_the_server_stops() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let response = server.http(Method::GET, "/notifications/stream").bearer_auth(&ana.token).send().await.unwrap();
    assert_eq!((response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()), (200, "application/x-ndjson"));
    let mut chunks = response.bytes_stream();
    let mut line = async || {
        let chunk = timeout(Duration::from_secs(10), chunks.next()).await.expect("a line comes").expect("the stream goes on").unwrap();
        serde_json::from_slice::<Value>(&chunk).unwrap()
    };
    let first = line().await;
    assert!(first.get("notification").is_none_or(Value::is_null), "{first}");
    tell(&server, &ana, &ben).await;
    let told = line().await;
    assert_eq!(told["notification"]["title"], "Favor accepted", "{told}");
    assert_eq!(told["unreadCount"], 1);
    let stopped = tokio::spawn(server.stop());
    let last = line().await;
    assert_eq!(last["error"]["code"], "UNAVAILABLE", "{last}");
    timeout(Duration::from_secs(5), stopped).await.expect("open streams do not hold a server that stops").unwrap();
}
