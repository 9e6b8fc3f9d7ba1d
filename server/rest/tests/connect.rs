//! The Connect face, against services that answer what a test tells them.

use super::http::{ANA, Answered, ana, ask, ask_failing, ask_services, stranger, with};
use crate::{
    error::{Error, FieldReason, Reason},
    ids::MemberId,
    pb::{favors::ListActiveFavorsRequest, friends::GetActiveResponse, notifications::WatchNotificationsResponse},
    rest::stream::{self, FRAME_HEAD},
};
use axum::{
    body::Body,
    extract::Request,
    http::{Method, StatusCode},
};
use bytes::BytesMut;
use prost::Message as _;
use serde_json::{Value as Json, json};
use tonic::Status;

const LIST: &str = "/goodturn.favors.v1.FavorsService/ListActiveFavors";
const CREATE: &str = "/goodturn.favors.v1.FavorsService/CreateFavor";
const WATCH: &str = "/goodturn.notifications.v1.NotificationsService/WatchNotifications";

fn post(path: &str, body: &str) -> Request {
    with(ana(Method::POST, path, body), "connect-protocol-version", "1")
}

fn typed(path: &str, kind: &str, body: Vec<u8>) -> Request {
    let mut request = with(post(path, ""), "content-type", kind);
    *request.body_mut() = Body::from(body);
    request
}

fn is(answered: &Answered, status: u16, code: &str) {
    assert_eq!((answered.status.as_u16(), answered.json()["code"].as_str()), (status, Some(code)), "{}", answered.text);
}

/// The frames of a stream: the flag of each, and its JSON.
fn frames(bytes: &[u8]) -> Vec<(u8, Json)> {
    let (mut rest, mut found) = (BytesMut::from(bytes), Vec::new());
    while let Some(flag) = rest.first().copied() {
        found.push((flag, serde_json::from_slice(&stream::next(&mut rest).unwrap()).unwrap()));
    }
    found
}

fn framed(message: &[u8]) -> Vec<u8> {
    let mut framed = vec![0; FRAME_HEAD];
    framed.extend_from_slice(message);
    stream::frame(&mut framed).unwrap();
    framed
}

#[tokio::test]
async fn json_is_that_of_protobuf() {
    let answer = GetActiveResponse::default().encode_to_vec();
    let answered =
        ask_services(vec![answer], Status::ok(""), post(LIST, r#"{"limit":5,"order":"FAVOR_ORDER_RECENT","unknown":1}"#)).await.unwrap();
    assert_eq!((answered.status, answered.header("content-type"), answered.json()), (StatusCode::OK, "application/json", json!({})));
    assert_eq!(answered.called_with(), json!({"limit": 5, "order": "FAVOR_ORDER_RECENT"}));
    assert_eq!(answered.call.unwrap().caller, Some(MemberId(ANA)));
    is(&ask(post(LIST, "{\"limit\":\"x\"}")).await, 400, "invalid_argument");
    let unknown = ask(post(LIST, r#"{"order":"FAVOR_ORDER_LOUDEST"}"#)).await;
    is(&unknown, 400, "invalid_argument");
    assert!(unknown.call.is_none() && unknown.json()["message"].as_str().unwrap().starts_with("order: must be one of: FAVOR_ORDER_"));
    is(&ask(post("/goodturn.favors.v1.FavorsService/Nothing", "{}")).await, 404, "unimplemented");
}

#[tokio::test]
async fn bytes_go_through_as_they_are() {
    let asked = ListActiveFavorsRequest { limit: Some(7), ..Default::default() };
    let request = typed(LIST, "application/proto", asked.encode_to_vec());
    let answered = ask_services(vec![b"bytes".to_vec()], Status::ok(""), request).await.unwrap();
    assert_eq!((answered.header("content-type"), answered.text.as_str()), ("application/proto", "bytes"));
    assert_eq!(answered.called_with(), json!({"limit": 7}));
}

#[tokio::test]
async fn a_failure_has_its_code_and_all_details() {
    let refused = Error::field("title", FieldReason::Required, "is required");
    let answered = ask_failing(refused, post(CREATE, "{}")).await;
    is(&answered, 400, "invalid_argument");
    let types: Vec<_> = answered.json()["details"].as_array().unwrap().iter().map(|d| d["type"].clone()).collect();
    assert_eq!(types, ["google.rpc.ErrorInfo", "google.rpc.BadRequest"]);
    assert!(answered.json()["details"][0]["value"].as_str().is_some_and(|v| !v.ends_with('=')));
    is(&ask_failing(Error::not_found("favor"), post(LIST, "{}")).await, 404, "not_found");
    is(&ask_failing(Error::new(Reason::WrongState, "it is done"), post(CREATE, "{}")).await, 400, "failed_precondition");
    is(&ask(with(post(LIST, "{}"), "connect-protocol-version", "2")).await, 400, "invalid_argument");
}

#[tokio::test]
async fn a_stranger_learns_nothing_of_a_bad_message() {
    for request in [stranger(Method::POST, LIST, "{"), stranger(Method::GET, &format!("{LIST}?encoding=json&message=%7B"), "")] {
        is(&ask(request).await, 401, "unauthenticated");
    }
}

#[tokio::test]
async fn what_changes_nothing_may_be_asked_by_get() {
    let asked = |path: &str| ask(ana(Method::GET, path, ""));
    let plain = asked(&format!("{LIST}?connect=v1&encoding=json&message=%7B%22limit%22%3A3%7D")).await;
    assert_eq!((plain.status, plain.called_with()), (StatusCode::OK, json!({"limit": 3})));
    let base64 = asked(&format!("{LIST}?encoding=json&base64=1&message=eyJsaW1pdCI6NH0")).await;
    assert_eq!(base64.called_with(), json!({"limit": 4}));
    let changing = asked(&format!("{CREATE}?encoding=json&message=%7B%7D")).await;
    assert_eq!((changing.status.as_u16(), changing.header("allow")), (405, "POST"));
    is(&asked(&format!("{LIST}?encoding=json")).await, 400, "invalid_argument");
    is(&asked(&format!("{LIST}?encoding=json&compression=gzip&message=%7B%7D")).await, 501, "unimplemented");
    assert_eq!(asked(&format!("{LIST}?encoding=json&compression=identity&message=%7B%7D")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_stream_has_frames_and_ends_with_one_of_its_own() {
    let events = [1, 2].map(|n| WatchNotificationsResponse { unread_count: n, ..Default::default() }.encode_to_vec());
    let watch = || typed(WATCH, "application/connect+json", framed(b"{}"));
    let answered = ask_services(events.to_vec(), Status::ok(""), watch()).await.unwrap();
    assert_eq!(answered.header("content-type"), "application/connect+json");
    assert_eq!(frames(&answered.bytes), [(0, json!({"unreadCount": 1})), (0, json!({"unreadCount": 2})), (2, json!({}))]);
    let failed = ask_services(events.to_vec(), Error::unauthenticated().into(), watch()).await.unwrap();
    assert_eq!(frames(&failed.bytes).last().map(|(flag, end)| (*flag, end["error"]["code"].clone())), Some((2, "unauthenticated".into())));
    let broken = ask(typed(WATCH, "application/connect+json", vec![0, 0, 0, 0, 9, b'{'])).await;
    assert_eq!((broken.status, &frames(&broken.bytes)[0].1["error"]["code"]), (StatusCode::OK, &json!("invalid_argument")));
    is(&ask(post(WATCH, "{}")).await, 415, "invalid_argument");
}

#[tokio::test]
async fn what_is_compressed_is_unimplemented_and_told_what_is_read() {
    for kind in ["application/json", "application/proto"] {
        let answered = ask(with(typed(LIST, kind, b"{}".to_vec()), "content-encoding", "gzip")).await;
        is(&answered, 501, "unimplemented");
        assert_eq!((answered.header("content-type"), answered.header("accept-encoding")), ("application/json", "identity"));
        let message = answered.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("gzip") && message.contains("identity") && answered.call.is_none(), "{message}");
    }
    for kind in ["application/connect+json", "application/connect+proto"] {
        let answered = ask(with(typed(WATCH, kind, framed(b"{}")), "connect-content-encoding", "zstd")).await;
        assert_eq!((answered.status, answered.header("connect-accept-encoding")), (StatusCode::OK, "identity"));
        assert_eq!(frames(&answered.bytes)[0].1["error"]["code"], "unimplemented");
    }
    let plain = with(with(post(LIST, "{}"), "content-encoding", "identity"), "connect-content-encoding", "identity");
    assert_eq!(ask(plain).await.status, StatusCode::OK);
    is(&ask(with(stranger(Method::POST, LIST, "{}"), "content-encoding", "gzip")).await, 401, "unauthenticated");
}

#[tokio::test]
async fn a_frame_of_a_request_has_no_flag() {
    for flag in [1, 2, 128] {
        let mut frame = framed(b"{}");
        frame[0] = flag;
        let answered = ask(typed(WATCH, "application/connect+json", frame)).await;
        assert_eq!(frames(&answered.bytes)[0].1["error"]["code"], "invalid_argument", "{flag}");
    }
}

#[tokio::test]
async fn its_deadline_is_told_on() {
    for (given, told) in [("1500", "1500m"), ("9999999999", "10000000S"), ("0", "0m")] {
        let answered = ask(with(post(LIST, "{}"), "connect-timeout-ms", given)).await;
        let call = answered.call.unwrap();
        assert_eq!((call.headers["grpc-timeout"].to_str().unwrap(), call.headers.contains_key("connect-timeout-ms")), (told, false));
    }
    for wrong in ["", "1.5", "-1", "12345678901"] {
        is(&ask(with(post(LIST, "{}"), "connect-timeout-ms", wrong)).await, 400, "invalid_argument");
    }
}
