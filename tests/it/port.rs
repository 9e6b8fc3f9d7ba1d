//! What the port tells each kind of caller: in the form that they asked in, and of browsers' affairs to browsers alone.

use crate::harness::{Logs, TestServer, until};
use base64::{Engine, engine::general_purpose::STANDARD};
use goodturn::{clock::Clock, edge::limits::Rate, pb::notifications::ListNotificationsResponse};
use prost::Message;
use reqwest::{Method, Response};
use serde_json::Value;

const LIST: &str = "/goodturn.notifications.v1.NotificationsService/ListNotifications";
const WATCH: &str = "/goodturn.notifications.v1.NotificationsService/WatchNotifications";
const TEXT: &str = "application/grpc-web-text";
const ORIGIN: &str = "https://friends.example";

fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
}

#[tokio::test]
async fn who_asks_in_text_is_answered_in_text() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let call = server.http(Method::POST, LIST).bearer_auth(&ana.token).header("content-type", TEXT).body(STANDARD.encode([0; 5]));
    let response = call.send().await.unwrap();
    assert_eq!(header(&response, "content-type"), "application/grpc-web-text+proto");
    // Each frame is padded by itself.
    let text = response.bytes().await.unwrap();
    let frames: Vec<u8> = text.chunks(4).flat_map(|four| STANDARD.decode(four).unwrap()).collect();
    let length = usize::try_from(u32::from_be_bytes(frames[1..5].try_into().unwrap())).unwrap();
    ListNotificationsResponse::decode(&frames[5..5 + length]).unwrap();
    assert_eq!(frames[5 + length], 0x80, "trailers stand after the message");
    server.stop().await;
}

#[tokio::test]
async fn an_unknown_service_is_refused_in_the_form_of_the_caller() {
    let server = TestServer::start().await;
    for (asked, answered) in [
        ("application/grpc", "application/grpc"),
        ("application/grpc-web", "application/grpc-web+proto"),
        ("application/grpc-web+proto", "application/grpc-web+proto"),
        (TEXT, "application/grpc-web-text+proto"),
    ] {
        let call = server.http(Method::POST, "/goodturn.nowhere.v1.NoService/Call").header("content-type", asked).body(vec![0; 5]);
        let response = call.send().await.unwrap();
        let told = (response.status().as_u16(), header(&response, "content-type"), header(&response, "grpc-status"));
        assert_eq!(told, (200, answered, "12"), "{asked}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_calls_too_often_reads_that_in_the_form_of_the_call() {
    let server = TestServer::start_with(Clock::system(), |config| config.rate_per_address = Rate::new(1, 1)).await;
    assert_eq!(server.http(Method::GET, "/config.json").send().await.unwrap().status(), 200);
    let post = |path: &str, content_type: &str| server.http(Method::POST, path).header("content-type", content_type).body("");
    for content_type in ["application/grpc", "application/grpc-web+proto", "application/grpc-web-text+proto"] {
        let refused = post(LIST, content_type).send().await.unwrap();
        assert_eq!((header(&refused, "content-type"), header(&refused, "grpc-status")), (content_type, "8"));
    }
    let connect = post(LIST, "application/json").send().await.unwrap();
    assert_eq!(connect.status(), 429);
    assert_eq!(connect.json::<Value>().await.unwrap()["code"], "resource_exhausted");
    let stream = post(WATCH, "application/connect+json").send().await.unwrap();
    assert_eq!((stream.status().as_u16(), header(&stream, "content-type")), (200, "application/connect+json"));
    let frame = stream.bytes().await.unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&frame[5..]).unwrap()["error"]["code"], "resource_exhausted");
    let target = post("/", "application/x-amz-json-1.1").header("x-amz-target", "AWSCognitoIdentityProviderService.GetUser").send();
    assert_eq!(target.await.unwrap().json::<Value>().await.unwrap()["__type"], "TooManyRequestsException");
    let rest = server.http(Method::GET, "/notifications").send().await.unwrap();
    assert!(!header(&rest, "retry-after").is_empty());
    assert_eq!(rest.json::<Value>().await.unwrap()["code"], "RATE_LIMITED");
    server.stop().await;
}

#[tokio::test]
async fn browsers_are_told_what_is_theirs_and_others_are_not() {
    let server = TestServer::start_with(Clock::system(), |config| config.allowed_origins = vec![ORIGIN.to_owned()]).await;
    let ana = server.ana().await;
    let get = || server.http(Method::GET, "/notifications").bearer_auth(&ana.token);
    let browser = get().header("origin", ORIGIN).header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!((browser.status().as_u16(), header(&browser, "access-control-allow-origin")), (200, ORIGIN));
    assert!(header(&browser, "access-control-expose-headers").contains("x-request-id"));
    let plain = get().send().await.unwrap();
    assert_eq!((header(&plain, "vary"), header(&plain, "x-content-type-options")), ("", "nosniff"));
    let preflight = server.http(Method::OPTIONS, LIST).header("origin", ORIGIN).header("access-control-request-method", "POST");
    let preflight = preflight.header("access-control-request-headers", "authorization,x-grpc-web").send().await.unwrap();
    assert_eq!((preflight.status().as_u16(), header(&preflight, "access-control-allow-origin")), (200, ORIGIN));
    let stranger = get().header("origin", "https://elsewhere.example").send().await.unwrap();
    assert_eq!(header(&stranger, "access-control-allow-origin"), "");
    server.stop().await;
}

#[tokio::test]
async fn a_call_that_is_given_up_is_logged_too() {
    let logs = Logs::capture("goodturn=info");
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let call = server.http(Method::POST, WATCH).bearer_auth(&ana.token).header("content-type", "application/connect+json");
    let id = "given-up-by-its-caller";
    let live = call.header("x-request-id", id).body([&[0, 0, 0, 0, 2][..], b"{}"].concat()).send().await.unwrap();
    assert_eq!(header(&live, "x-request-id"), id);
    drop(live);
    let is_told = || logs.text().lines().any(|line| line.contains(id) && line.contains("Cancelled"));
    until("the log tells of the call", async || is_told()).await;
    server.stop().await;
}
