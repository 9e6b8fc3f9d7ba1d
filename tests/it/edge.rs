//! The edge of the server: silent, slow and too many callers, the order of stopping, and heads of requests that are wrong.

use crate::harness::{Database, H1, H2, Member, Program, START, Terms, TestServer, grpc, until, whole};
use bytes::Bytes;
use goodturn::{
    clock::Clock,
    config::Config,
    error::Result,
    ids::MemberId,
    notifications::{self, New, Target},
    pb::notifications::{NotificationType, TargetKind, WatchNotificationsRequest, WatchNotificationsResponse},
    transact,
};
use h2::{Reason, client::Builder};
use reqwest::Method;
use serde_json::json;
use std::{io::ErrorKind, sync::Arc, time::Duration};
use tokio::{
    net::TcpStream,
    time::{Instant, interval, timeout},
};
use tonic::{Code, Request, Streaming, codegen::http};
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};
use tonic_types::StatusExt;

/// What a test that waits for a bound waits: less than any other bound that could end the same.
const PROGRESS: Duration = Duration::from_millis(400);
const IDLE: Duration = Duration::from_millis(1200);
const BODY: Duration = Duration::from_millis(1500);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const EMPTY_SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
const LIST: &str = "/goodturn.notifications.v1.NotificationsService/ListNotifications";

async fn impatient(change: impl FnOnce(&mut Config)) -> TestServer {
    TestServer::start_with(Clock::fixed(START), |config| {
        config.progress_timeout_ms = u64::try_from(PROGRESS.as_millis()).unwrap();
        config.idle_timeout_ms = u64::try_from(IDLE.as_millis()).unwrap();
        config.body_timeout_ms = u64::try_from(BODY.as_millis()).unwrap();
        change(config);
    })
    .await
}

/// A connection that has asked something.
async fn served(server: &TestServer) -> H1 {
    let mut connection = H1::connect(&server.address).await.unwrap();
    assert_eq!(connection.get("/healthz").await.unwrap(), 200);
    connection
}

async fn watch(server: &TestServer, who: &Member) -> Streaming<WatchNotificationsResponse> {
    let mut stream = server.notifications(who).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    stream
}

async fn tell(server: &TestServer, to: &Member) {
    let new = New {
        member: MemberId(to.uid.parse().unwrap()),
        kind: NotificationType::FavorResponse,
        title: "Favor accepted".into(),
        message: "It goes on.".into(),
        actor: None,
        target: Target(TargetKind::Favor, uuid::Uuid::from_u128(7)),
        about: uuid::Uuid::from_u128(7),
        about_unread: None,
        action_required: false,
    };
    let told: Result<()> =
        transact!(server.node.deps.pool, |tx| notifications::push(tx, &server.node.deps, std::slice::from_ref(&new)).await);
    told.unwrap();
}

#[tokio::test]
async fn who_asks_nothing_is_cut_and_others_are_served_meanwhile() {
    let server = impatient(|_| {}).await;
    let started = [PREFACE, EMPTY_SETTINGS].concat();
    // The head of a header block that goes on, and does not.
    let half_block = [&started, &[0, 0, 1, 1, 0, 0, 0, 0, 1, 0x83][..]].concat();
    let openings: [(&str, &[u8]); 6] = [
        ("no byte", b""),
        ("half a preface", &PREFACE[..10]),
        ("one letter", b"G"),
        ("half a head", b"POST / HTTP/1.1\r\nHost: goodturn.test\r\nX-Half: "),
        ("no stream", &started),
        ("half a header block", &half_block),
    ];
    for (what, bytes) in openings {
        let mut silent = H1::opened_with(&server.address, bytes).await;
        let mut good = H1::connect(&server.address).await.unwrap();
        assert_eq!(good.get("/healthz").await.unwrap(), 200, "beside {what}");
        let (_, after) = silent.until_cut().await;
        assert!(after < Duration::from_secs(3), "{what}: {after:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_head_that_drips_is_cut() {
    let server = impatient(|_| {}).await;
    let mut slow = H1::opened_with(&server.address, b"GET / HTTP/1.1\r\nX-Slow: ").await;
    let (since, mut drops) = (Instant::now(), interval(Duration::from_millis(30)));
    while slow.say(b"x").await.is_ok() {
        assert!(since.elapsed() < Duration::from_secs(5), "it drips on");
        drops.tick().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_connection_rests_between_calls_for_its_time_and_a_head_that_begins_must_end() {
    let server = impatient(|_| {}).await;
    // It rests from the end of the call on, of which we may hear late.
    let called = Instant::now();
    let mut resting = served(&server).await;
    let (_, after) = resting.until_cut().await;
    assert!(called.elapsed() >= IDLE - Duration::from_millis(50) && after < IDLE + PROGRESS + Duration::from_secs(2), "{after:?}");

    let server_that_waits_long = impatient(|config| config.idle_timeout_ms = 600_000).await;
    let mut halting = served(&server_that_waits_long).await;
    halting.say(b"GET /healthz HTTP/1.1\r\nX-Half: ").await.unwrap();
    halting.until_cut().await;
    server_that_waits_long.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn an_http2_connection_without_streams_is_told_to_go_and_one_with_a_live_stream_stays() {
    let server = impatient(|_| {}).await;
    let ana = server.ana().await;
    let mut live = watch(&server, &ana).await;
    let mut resting = H2::connect(&server.address).await.unwrap();
    let answer = resting.call(LIST, &ana.token).await.unwrap().unwrap();
    assert_eq!(answer.grpc_status(), "0");
    timeout(Duration::from_secs(5), &mut resting.ended).await.expect("it is told to go").unwrap().unwrap();
    let told = resting.call(LIST, &ana.token).await.err().expect("nothing more is begun");
    assert!(told.is_go_away() && told.is_remote() && told.reason() == Some(Reason::NO_ERROR), "{told:?}");

    timeout(IDLE + PROGRESS, live.message()).await.expect_err("a live stream neither ends nor says anything");
    tell(&server, &ana).await;
    assert_eq!(live.message().await.unwrap().unwrap().notification.unwrap().title, "Favor accepted");
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_stalls_or_drips_ends_its_call_on_every_face() {
    let server = impatient(|_| {}).await;
    let ana = server.ana().await;
    let late = i32::from(Code::DeadlineExceeded).to_string();
    let mut connection = H2::connect(&server.address).await.unwrap();
    for drips in [false, true] {
        let since = Instant::now();
        let (response, mut body) = connection.begin(grpc(LIST, &ana.token), false).await.unwrap();
        let dripping = async {
            let mut drops = interval(if drips { PROGRESS / 4 } else { Duration::from_secs(60) });
            // A frame that tells of 200 bytes.
            body.send_data(Bytes::from_static(&[0, 0, 0, 0, 200]), false).unwrap();
            loop {
                drops.tick().await;
                let _ = body.send_data(Bytes::from_static(b"x"), false);
            }
        };
        let answer = tokio::select! {
            answer = async { whole(response.await.unwrap()).await } => answer,
            () = dripping => unreachable!(),
        };
        let answer = answer.unwrap();
        assert_eq!(answer.grpc_status(), late, "drips: {drips}");
        let (least, most) = if drips { (BODY, BODY * 3) } else { (PROGRESS, BODY) };
        assert!(since.elapsed() >= least && since.elapsed() < most, "drips: {drips}, {:?}", since.elapsed());
    }

    let head = format!(
        "POST /favor/favor-create HTTP/1.1\r\nHost: goodturn.test\r\nAuthorization: Bearer {}\r\nContent-Length: 100\r\n\r\n{{",
        ana.token
    );
    let mut rest = H1::opened_with(&server.address, head.as_bytes()).await;
    let (told, after) = rest.until_cut().await;
    let told = String::from_utf8(told).unwrap();
    assert!(told.starts_with("HTTP/1.1 504 ") && told.contains("DEADLINE_EXCEEDED") && told.contains("the body"), "{told}");
    assert!(after < Duration::from_secs(3), "{after:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_reader_that_takes_nothing_is_cut_on_http1() {
    let server = impatient(|_| {}).await;
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: goodturn.test\r\n\r\n".repeat(200);
    let deaf = H1::opened_with(&server.address, asked.as_bytes()).await;
    until("the server gives it up", async || deaf.is_cut_for_writing()).await;
    server.stop().await;
}

#[tokio::test]
async fn a_stream_that_is_not_read_is_reset_and_its_connection_stays() {
    let server = impatient(|_| {}).await;
    let ana = server.ana().await;
    let mut connection = H2::connect_with(&server.address, Builder::new().initial_window_size(0)).await.unwrap();
    let request = |method: &str, path: &str| {
        let request = http::Request::builder().method(method).uri(format!("http://goodturn.test{path}"));
        request.header("authorization", format!("Bearer {}", ana.token)).body(()).unwrap()
    };
    let (live, _) = connection.begin(request("GET", "/notifications/stream"), true).await.unwrap();
    let mut unread = live.await.unwrap().into_body();
    let reset = timeout(Duration::from_secs(5), unread.data()).await.expect("it is given up").unwrap().unwrap_err();
    assert!(reset.is_reset() && reset.is_remote(), "{reset:?}");
    let (beside, _) = connection.begin(request("HEAD", "/openapi.json"), true).await.unwrap();
    assert_eq!(beside.await.unwrap().status(), 200);
    server.stop().await;
}

#[tokio::test]
async fn answers_that_nobody_takes_are_bounded_whatever_is_asked_for() {
    let server = TestServer::start().await;
    let request = || http::Request::get("http://goodturn.test/openapi.json").body(()).unwrap();
    let mut deaf = H2::connect_with(&server.address, Builder::new().initial_window_size(0)).await.unwrap();
    let mut kept = Vec::new();
    let refused = loop {
        let (answer, _) = deaf.begin(request(), true).await.unwrap();
        let answer = answer.await.unwrap();
        if answer.status() != 200 {
            break answer;
        }
        kept.push(answer.into_body());
        assert!(kept.len() < 250, "the server holds all of them");
    };
    assert_eq!((refused.status().as_u16(), &refused.headers()["retry-after"]), (429, &http::HeaderValue::from_static("2")));
    assert!(kept.len() > 20, "{}", kept.len());
    drop((kept, deaf));
    until("there is room again", async || {
        let mut hungry = H2::connect(&server.address).await.unwrap();
        let (answer, _) = hungry.begin(request(), true).await.unwrap();
        answer.await.unwrap().status() == 200
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn one_address_has_so_many_connections_and_the_next_is_turned_away() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.connections_per_address = 3).await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(served(&server).await);
    }
    let (told, after) = H1::connect(&server.address).await.unwrap().until_cut().await;
    assert!(told.is_empty() && after < Duration::from_secs(1), "{after:?}");
    assert_eq!(kept[0].get("/healthz").await.unwrap(), 200, "those inside notice nothing");
    kept.pop();
    until("the place is free again", async || {
        let mut again = H1::connect(&server.address).await.unwrap();
        again.get("/healthz").await.is_ok_and(|status| status == 200)
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn at_the_limit_the_oldest_silent_one_makes_room() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.connections_max = 3).await;
    let spoke = served(&server).await;
    let mut oldest = H1::connect(&server.address).await.unwrap();
    let other = H1::connect(&server.address).await.unwrap();
    let _newcomer = served(&server).await;
    assert!(oldest.until_cut().await.1 < Duration::from_secs(1));
    for mut inside in [spoke, other] {
        assert_eq!(inside.get("/healthz").await.unwrap(), 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_is_full_still_hears_that_it_shall_stop() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.connections_max = 2).await;
    let mut inside = Vec::new();
    for _ in 0..2 {
        inside.push(served(&server).await);
    }
    // At the door, since nobody inside is silent.
    let _waiting = H1::opened_with(&server.address, b"GET /healthz HTTP/1.1\r\nHost: goodturn.test\r\n\r\n").await;
    timeout(Duration::from_secs(5), server.stop()).await.expect("it stops");
}

#[tokio::test]
async fn silent_connections_up_to_the_limit_of_files_lock_nobody_out() {
    let environment = &[("GOODTURN_CONNECTIONS_PER_ADDRESS", "100000")];
    let program = Program::start_on(Terms { files_max: Some(128), environment }, Arc::new(Database::create().await)).await;
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(H1::connect(&program.address).await.unwrap());
    }
    let ana = timeout(Duration::from_secs(10), program.ana()).await.expect("members are served");
    let (status, _) = program.rest("GET", "/notifications", &ana, None).await;
    assert_eq!(status, 200, "the database can be reached");
}

#[tokio::test]
async fn one_stream_too_many_ends_the_oldest_with_a_reason_and_the_others_live_on() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.streams_per_member = 3).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let mut stranger = watch(&server, &ben).await;
    let mut oldest = watch(&server, &ana).await;
    let mut kept = vec![watch(&server, &ana).await, watch(&server, &ana).await];
    kept.push(watch(&server, &ana).await);
    let ended = timeout(Duration::from_secs(5), oldest.message()).await.expect("it ends at once").unwrap_err();
    assert_eq!(ended.code(), Code::ResourceExhausted);
    assert_eq!(ended.get_error_details().error_info().unwrap().reason, "STREAM_REPLACED");
    tell(&server, &ana).await;
    for stream in &mut kept {
        assert_eq!(stream.message().await.unwrap().unwrap().notification.unwrap().title, "Favor accepted");
    }
    tell(&server, &ben).await;
    assert!(stranger.message().await.unwrap().unwrap().notification.is_some());
    server.stop().await;
}

#[tokio::test]
async fn a_server_told_to_stop_says_so_first_and_closes_its_port_after_the_delay() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.drain_delay_s = Some(3)).await;
    let ana = server.ana().await;
    let address = server.address.clone();
    let ready = async || H1::connect(&address).await.unwrap().get("/readyz").await.unwrap();
    until("it is ready", async || ready().await == 200).await;
    let mut live = watch(&server, &ana).await;
    let mut health = HealthClient::new(server.channel());
    let mut told = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(told.message().await.unwrap().unwrap().status, ServingStatus::Serving as i32);

    let since = Instant::now();
    let stopped = tokio::spawn(server.stop());
    assert_eq!(told.message().await.unwrap().unwrap().status, ServingStatus::NotServing as i32);
    assert_eq!(ready().await, 503);
    let answer = H2::connect(&address).await.unwrap().call(LIST, &ana.token).await.unwrap().unwrap();
    assert_eq!(answer.grpc_status(), "0", "a newcomer is still served");
    assert!(since.elapsed() < Duration::from_secs(3), "the delay is over before the test looked: {:?}", since.elapsed());
    let ended = live.message().await.unwrap_err();
    assert_eq!(ended.code(), Code::Unavailable);
    assert!(since.elapsed() >= Duration::from_secs(3), "streams end after the delay: {:?}", since.elapsed());
    until("the port is closed", async || TcpStream::connect(&address).await.is_err_and(|e| e.kind() == ErrorKind::ConnectionRefused)).await;
    drop((health, told, live));
    timeout(Duration::from_secs(8), stopped).await.expect("it ends").unwrap();
}

#[tokio::test]
async fn a_malformed_grpc_timeout_is_refused_by_its_name_on_every_face() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let mut request = Request::new(goodturn::pb::notifications::ListNotificationsRequest::default());
    request.metadata_mut().insert("grpc-timeout", "soon".parse().unwrap());
    let refused = server.notifications(&ana).list_notifications(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(refused.message().starts_with("grpc-timeout: "), "{refused:?}");
    let request = server.http(Method::GET, "/notifications").bearer_auth(&ana.token).header("grpc-timeout", "10");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 400);
    let body: serde_json::Value = response.json().await.unwrap();
    assert_eq!((&body["code"], &body["details"][0]["field"]), (&json!("INVALID_ARGUMENT"), &json!("grpc-timeout")), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn forms_of_grpc_that_are_not_read_are_refused_as_the_protocol_says() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let invalid = i32::from(Code::InvalidArgument).to_string();
    let ok = i32::from(Code::Ok).to_string();
    let mut connection = H2::connect(&server.address).await.unwrap();
    for (content_type, status, code) in [
        ("application/grpc", 200, &ok),
        ("application/grpc+proto", 200, &ok),
        ("application/grpc+json", 415, &invalid),
        ("application/grpc-web+json", 415, &invalid),
        ("application/grpc-web-text+thrift", 415, &invalid),
        ("application/grpcs", 415, &invalid),
        ("application/xml", 415, &invalid),
        ("text/plain", 415, &invalid),
    ] {
        let mut head = grpc(LIST, &ana.token);
        head.headers_mut().insert("content-type", content_type.parse().unwrap());
        let (response, mut body) = connection.begin(head, false).await.unwrap();
        let _ = body.send_data(Bytes::from_static(&[0; 5]), true);
        let answer = whole(response.await.unwrap()).await.unwrap();
        assert_eq!((answer.status.as_u16(), answer.grpc_status()), (status, code.as_str()), "{content_type}");
    }
    let web = server.http(Method::POST, LIST).bearer_auth(&ana.token).header("content-type", "application/grpc-web+json").body("{}");
    let refused = web.send().await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["grpc-status"].to_str().unwrap()), (415, invalid.as_str()));
    assert!(refused.headers()["grpc-message"].to_str().unwrap().starts_with("content-type"), "{:?}", refused.headers());
    server.stop().await;
}

#[tokio::test]
async fn what_a_proxy_could_read_otherwise_is_said_once() {
    let server = TestServer::start().await;
    for name in ["Authorization", "Content-Type", "Idempotency-Key", "X-Amz-Target"] {
        for twice in [false, true] {
            let said = format!("{name}: a/b\r\n").repeat(1 + usize::from(twice));
            let asked = format!("GET /openapi.json HTTP/1.1\r\nHost: a.test\r\n{said}Connection: close\r\n\r\n");
            let (told, _) = H1::opened_with(&server.address, asked.as_bytes()).await.until_cut().await;
            let told = String::from_utf8_lossy(&told);
            let field = format!(r#""field":"{}""#, name.to_lowercase());
            assert_eq!((told.starts_with("HTTP/1.1 400"), told.contains(&field)), (twice, twice), "{name}: {told:.300}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_request_of_http1_names_its_host_once() {
    let server = TestServer::start().await;
    for (hosts, status) in [("", 400), ("Host: a.test\r\nHost: b.test\r\n", 400), ("Host: a.test\r\n", 200)] {
        let asked = format!("GET /openapi.json HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let (told, _) = H1::opened_with(&server.address, asked.as_bytes()).await.until_cut().await;
        let told = String::from_utf8_lossy(&told);
        assert!(told.starts_with(&format!("HTTP/1.1 {status}")), "{hosts:?}: {told:.200}");
        assert_eq!(told.contains(r#""field":"host""#), status == 400, "{told:.400}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_root_is_a_page_and_takes_calls_and_nothing_else() {
    let server = TestServer::start().await;
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let refused = server.http(method.clone(), "/").body("{}").send().await.unwrap();
        assert_eq!(refused.status(), 405, "{method}");
        assert_eq!(refused.headers()["allow"], "GET, HEAD, POST");
        let body: serde_json::Value = refused.json().await.unwrap();
        assert_eq!(body["code"], "METHOD_NOT_ALLOWED");
    }
    for method in [Method::GET, Method::HEAD] {
        assert_eq!(server.http(method, "/").send().await.unwrap().status(), 200);
    }
    let (status, body) = server.target("InitiateAuth", json!({})).await;
    assert_eq!((status, body["__type"].as_str()), (400, Some("InvalidParameterException")), "{body}");
    assert_eq!(server.http(Method::PUT, "/no-such-page").send().await.unwrap().status(), 404);
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_after_it_was_sent_and_by_its_size() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let json = format!(r#"{{"profile":{{"fname":"{}"}}}}"#, "a".repeat(3 << 20));
    let mut h2 = H2::connect(&server.address).await.unwrap();
    for length in [Some(json.len()), None] {
        let mut request = http::Request::builder().method("PATCH").uri(format!("http://goodturn.test/api/users/{}", ana.uid));
        request = request.header("content-type", "application/json").header("authorization", format!("Bearer {}", ana.token));
        if let Some(length) = length {
            request = request.header("content-length", length);
        }
        let (response, mut body) = h2.begin(request.body(()).unwrap(), false).await.unwrap();
        let mut rest = Bytes::from(json.clone());
        while !rest.is_empty() {
            body.reserve_capacity(rest.len());
            let room = std::future::poll_fn(|cx| body.poll_capacity(cx)).await.expect("the stream is read to its end").unwrap();
            let part = rest.split_to(room.min(rest.len()));
            body.send_data(part, rest.is_empty()).unwrap();
        }
        assert_eq!(whole(response.await.unwrap()).await.unwrap().status, 413);
    }
    server.stop().await;
}

#[tokio::test]
async fn the_address_that_ends_mails_is_a_page_for_browsers_and_linked_pages_are_for_all() {
    let server = TestServer::start().await;
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let url = |path: &str| format!("http://{}{path}", server.address);
    for accept in ["text/html", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8"] {
        for method in [Method::GET, Method::HEAD] {
            let asked = http.request(method, url("/notifications/unsubscribe?token=abc_-1")).header("accept", accept);
            let answer = asked.send().await.unwrap();
            assert_eq!(
                (answer.status().as_u16(), answer.headers()["location"].to_str().unwrap()),
                (303, "/unsubscribe#abc_-1"),
                "{accept}"
            );
        }
    }
    let json = http.get(url("/notifications/unsubscribe?token=abc")).header("accept", "application/json").send().await.unwrap();
    assert_eq!(json.status(), 405);
    for path in ["/join", "/unsubscribe", "/no-invitations", "/favors/018f", "/share/items/018f", "/share/rentals/018f"] {
        for method in [Method::GET, Method::HEAD] {
            let page = http.request(method, url(path)).header("accept", "image/avif,*/*").send().await.unwrap();
            let kind = page.headers()["content-type"].to_str().unwrap().to_owned();
            assert_eq!((page.status().as_u16(), kind.as_str()), (200, "text/html; charset=utf-8"), "{path}");
        }
        let json = http.get(url(path)).header("accept", "application/json").send().await.unwrap();
        assert_eq!(json.status(), 404, "{path}");
    }
    server.stop().await;
}
