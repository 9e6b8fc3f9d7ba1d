//! What the port tells each kind of caller: in the form that they asked in, and of browsers' affairs to browsers alone.

use crate::harness::{H1, H2, Logs, TestServer, until, whole};
use base64::{Engine, engine::general_purpose::STANDARD};
use goodturn::{clock::Clock, config::Config, edge::limits::Rate, pb::notifications::ListNotificationsResponse};
use prost::Message;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tonic::codegen::http;

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
        ("application/grpc-web", "application/grpc-web+proto"),
        ("application/grpc-web+proto", "application/grpc-web+proto"),
        (TEXT, "application/grpc-web-text+proto"),
    ] {
        let call = server.http(Method::POST, "/goodturn.nowhere.v1.NoService/Call").header("content-type", asked).body(vec![0; 5]);
        let response = call.send().await.unwrap();
        let told = (response.status().as_u16(), header(&response, "content-type"), header(&response, "grpc-status"));
        assert_eq!(told, (200, answered, "12"), "{asked}");
    }
    let mut connection = H2::connect(&server.address).await.unwrap();
    let answer = connection.call("/goodturn.nowhere.v1.NoService/Call", "").await.unwrap().unwrap();
    assert_eq!((answer.status.as_u16(), answer.grpc_status()), (200, "12"));
    assert_eq!(answer.headers["content-type"], "application/grpc");
    server.stop().await;
}

#[tokio::test]
async fn grpc_over_http1_is_told_what_it_needs_instead_of_an_answer_without_a_status() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let call = server.http(Method::POST, LIST).bearer_auth(&ana.token).header("content-type", "application/grpc").body(vec![0; 5]);
    let refused = call.send().await.unwrap();
    assert_eq!((refused.status().as_u16(), header(&refused, "grpc-status")), (505, "3"));
    assert!(header(&refused, "grpc-message").contains("HTTP/2"), "{refused:?}");
    server.stop().await;
}

#[tokio::test]
async fn who_calls_too_often_reads_that_in_the_form_of_the_call() {
    let server = TestServer::start_with(Clock::system(), |config| config.rate_per_address = Rate::new(1, 1)).await;
    assert_eq!(server.http(Method::GET, "/config.json").send().await.unwrap().status(), 200);
    let post = |path: &str, content_type: &str| server.http(Method::POST, path).header("content-type", content_type).body("");
    for content_type in ["application/grpc-web+proto", "application/grpc-web-text+proto"] {
        let refused = post(LIST, content_type).send().await.unwrap();
        assert_eq!((header(&refused, "content-type"), header(&refused, "grpc-status")), (content_type, "8"));
    }
    let mut connection = H2::connect(&server.address).await.unwrap();
    assert_eq!(connection.call(LIST, "").await.unwrap().unwrap().grpc_status(), "8");
    // How the node is must be heard at all times, over every face.
    assert_eq!(connection.call("/grpc.health.v1.Health/Check", "").await.unwrap().unwrap().grpc_status(), "0");
    assert_eq!(server.http(Method::GET, "/healthz").send().await.unwrap().status(), 200);
    assert_eq!(connection.call("/grpc.health.v1.Health/Guess", "").await.unwrap().unwrap().grpc_status(), "8");
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
    let asks = "authorization,x-grpc-web,x-amz-target,x-amz-security-token,amz-sdk-invocation-id,amz-sdk-request";
    let preflight = preflight.header("access-control-request-headers", asks).send().await.unwrap();
    for name in asks.split(',') {
        assert!(header(&preflight, "access-control-allow-headers").contains(name), "{name}");
    }
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

#[tokio::test]
async fn a_call_that_cannot_be_read_is_logged_and_counts_like_any_other() {
    let logs = Logs::capture("goodturn=info");
    let server = TestServer::start_with(Clock::system(), |config| config.rate_per_member = Rate::new(1, 4)).await;
    let ana = server.ana().await;
    let post = |path: &str, token: &str, id: &str| {
        let call = server.http(Method::POST, path).bearer_auth(token).header("x-request-id", id);
        call.header("content-type", "application/json").body("{no JSON")
    };
    let status = async |path: &str, token: &str, id: &str| post(path, token, id).send().await.unwrap().status().as_u16();
    assert_eq!(status("/favor/favor-create", &ana.token, "bad-rest").await, 400);
    assert_eq!(status(LIST, &ana.token, "bad-connect").await, 400);
    assert_eq!(status("/favor/favor-create", "of nobody", "no-caller").await, 401);
    for (id, code) in [("bad-rest", "InvalidArgument"), ("bad-connect", "InvalidArgument"), ("no-caller", "Unauthenticated")] {
        let text = logs.text();
        let line = text.lines().find(|line| line.contains(id)).unwrap_or_else(|| panic!("no line of {id}"));
        assert!(line.contains(code), "{line}");
        assert_eq!(line.contains(&ana.uid), code != "Unauthenticated", "{line}");
    }
    for n in 0.. {
        let told = status("/favor/favor-create", &ana.token, "once-more").await;
        if told == 429 {
            break;
        }
        assert!(told == 400 && n < 10, "{told} for the {n}th time");
    }
    server.stop().await;
}

#[tokio::test]
async fn pages_and_files_answer_as_http_has_it() {
    let server = TestServer::start().await;
    let posted = server.http(Method::POST, "/config.json").header("x-request-id", "posted").send().await.unwrap();
    assert_eq!((posted.status().as_u16(), header(&posted, "allow")), (405, "GET,HEAD"));
    let told: Value = posted.json().await.unwrap();
    assert_eq!((&told["code"], &told["requestId"]), (&json!("METHOD_NOT_ALLOWED"), &json!("posted")));
    let part = async |range: &str| server.http(Method::GET, "/favicon.svg").header("range", range).send().await.unwrap();
    let some = part("bytes=0-3").await;
    assert_eq!((some.status().as_u16(), some.bytes().await.unwrap().len()), (206, 4));
    let beyond = part("bytes=99999999-").await;
    assert_eq!((beyond.status().as_u16(), header(&beyond, "cache-control")), (416, "no-store"));
    let since = server.http(Method::GET, "/favicon.svg").header("if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT");
    assert_eq!(since.send().await.unwrap().status(), 412);
    assert_eq!(header(&server.http(Method::GET, "/favicon.svg").send().await.unwrap(), "cache-control"), "public, max-age=86400");
    server.stop().await;
}

#[tokio::test]
async fn what_answers_head_has_no_body() {
    let server = TestServer::start_with(Clock::system(), |config| config.rate_per_address = Rate::new(1, 4)).await;
    let mut connection = H2::connect(&server.address).await.unwrap();
    for (path, content_type, status) in [
        ("/favor/favor-create", "application/json", 405),
        (LIST, "application/grpc", 405),
        ("/nothing", "text/plain", 404),
        ("/config.json", "text/plain", 200),
        ("/notifications", "text/plain", 429),
    ] {
        let head = http::Request::head(format!("http://goodturn.test{path}")).header("content-type", content_type).body(()).unwrap();
        let (response, _) = connection.begin(head, true).await.unwrap();
        // The library of the test resets a stream that has one all the same.
        let answer = whole(response.await.unwrap()).await.unwrap();
        assert_eq!(answer.status, status, "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_takes_no_encoding_is_answered_all_the_same() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for given in ["identity;q=0", "gzip;q=0, *;q=0"] {
        let draft = json!({"title": "Walk the dog", "description": "Twice", "status": "draft"});
        let create = server.http(Method::POST, "/favor/favor-create").bearer_auth(&ana.token).header("accept-encoding", given);
        assert_eq!(create.json(&draft).send().await.unwrap().status(), 200, "{given}");
        assert_eq!(server.http(Method::GET, "/healthz").header("accept-encoding", given).send().await.unwrap().status(), 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_page_of_another_origin_reads_why_it_is_refused() {
    let change = |config: &mut Config| (config.rate_per_address, config.allowed_origins) = (Rate::new(1, 1), vec![ORIGIN.to_owned()]);
    let server = TestServer::start_with(Clock::system(), change).await;
    assert_eq!(server.http(Method::GET, "/config.json").send().await.unwrap().status(), 200);
    let refused = server.http(Method::GET, "/notifications").header("origin", ORIGIN).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), header(&refused, "access-control-allow-origin")), (429, ORIGIN));
    server.stop().await;
}

#[tokio::test]
async fn a_connection_that_ends_with_an_unread_body_says_so() {
    let server = TestServer::start().await;
    let head = "POST /favor/favor-create HTTP/1.1\r\nHost: goodturn.test\r\nContent-Length: 9\r\n\r\n";
    let (told, _) = H1::opened_with(&server.address, head.as_bytes()).await.until_cut().await;
    let told = String::from_utf8(told).unwrap().to_lowercase();
    assert!(told.starts_with("http/1.1 401 ") && told.contains("connection: close\r\n"), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_comes_late_is_told_as_late_over_grpc_web() {
    let server = TestServer::start_with(Clock::system(), |config| config.progress_timeout_ms = 300).await;
    let ana = server.ana().await;
    let head = format!(
        "POST {LIST} HTTP/1.1\r\nHost: goodturn.test\r\nContent-Type: application/grpc-web\r\nAuthorization: Bearer {}\r\nContent-Length: 9\r\n\r\n\0\0",
        ana.token
    );
    let (told, _) = H1::opened_with(&server.address, head.as_bytes()).await.until_cut().await;
    let told = String::from_utf8_lossy(&told).to_lowercase();
    assert!(told.contains("grpc-status: 4\r\n") && told.contains("the%20body"), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn a_deadline_of_nothing_does_nothing() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let draft = json!({"title": "Walk the dog", "description": "Twice", "status": "draft"});
    let create = server.http(Method::POST, "/favor/favor-create").bearer_auth(&ana.token).header("grpc-timeout", "0S").json(&draft);
    assert_eq!(create.send().await.unwrap().status(), 504);
    let target = server.http(Method::POST, "/").header("x-amz-target", "AWSCognitoIdentityProviderService.GetUser");
    let target = target.header("content-type", "application/x-amz-json-1.1").header("grpc-timeout", "0S").body("{}").send().await.unwrap();
    assert_eq!((target.status().as_u16(), &target.headers()["x-amzn-errortype"]), (504, &"InternalErrorException".parse().unwrap()));
    assert_eq!(target.json::<serde_json::Value>().await.unwrap()["message"], "the call took longer than its deadline");
    let (_, list) = server.rest("GET", &format!("/api/users/{}/favors/active", ana.uid), &ana, None).await;
    assert_eq!(list["favors"].as_array().map(Vec::len), Some(0), "{list}");
    server.stop().await;
}

#[tokio::test]
async fn health_is_told_in_json_too_and_reads_no_more_than_a_name() {
    let server = TestServer::start().await;
    let ask = async |body: String| {
        let request = server.http(Method::POST, "/grpc.health.v1.Health/Check").header("content-type", "application/json").body(body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json::<serde_json::Value>().await.unwrap())
    };
    until("it serves", async || ask("{}".to_owned()).await == (200, json!({"status": "SERVING"}))).await;
    let named = json!({"service": "goodturn.identity.v1.IdentityService"}).to_string();
    until("its services serve", async || ask(named.clone()).await == (200, json!({"status": "SERVING"}))).await;
    assert_eq!(ask(json!({"service": "x"}).to_string()).await.1["code"], "not_found");
    let (status, refused) = ask(json!({"service": "x".repeat(2000)}).to_string()).await;
    assert_eq!((status, refused["message"].as_str()), (413, Some("the body must be at most 1024 bytes")), "{refused}");
    let mut client = tonic_health::pb::health_client::HealthClient::new(server.channel());
    assert!(client.check(tonic_health::pb::HealthCheckRequest { service: String::new() }).await.is_ok());
    let refused = client.check(tonic_health::pb::HealthCheckRequest { service: "x".repeat(2000) }).await.unwrap_err();
    assert_eq!(refused.message(), "the message is too large");
    server.stop().await;
}
