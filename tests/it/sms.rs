//! SMS, handed to a real HTTP server in this process.

use super::harness::{TestServer, config};
use axum::http::StatusCode;
use goodturn::{
    adapters::sms::{Sms, Texter, Webhook},
    clock::Clock,
    config::Mode,
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

/// Answers one request with these words, and gives back what was asked.
async fn server(answer: String) -> (u16, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut asked, mut part) = (String::new(), [0; 4096]);
        while !asked.ends_with('}') {
            let n = stream.read(&mut part).await.unwrap();
            assert!(n > 0, "it broke off after {asked}");
            asked.push_str(std::str::from_utf8(&part[..n]).unwrap());
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
        asked
    });
    (port, asked)
}

fn sms() -> Sms {
    Sms { to: "+14155550123".into(), body: "Ça va? \"123456\" is your code".into() }
}

#[tokio::test]
async fn an_sms_is_posted_as_it_was_written() {
    let (port, asked) = server("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".into()).await;
    let webhook = Webhook::new(&format!("http://me:a%40b@127.0.0.1:{port}/send?from=goodturn")).unwrap();
    webhook.send(sms()).await.unwrap();
    let asked = asked.await.unwrap();
    let (head, body) = asked.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /send?from=goodturn HTTP/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("host: 127.0.0.1:{port}\r\n")) && head.contains("content-type: application/json"), "{head}");
    assert!(head.contains("authorization: Basic bWU6YUBi"), "{head}");
    let said: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(said, json!({ "to": "+14155550123", "body": "Ça va? \"123456\" is your code" }));
}

#[tokio::test]
async fn a_refusal_and_a_redirect_are_failures_that_tell_nothing_of_the_answer() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let location = format!("location: http://{}/\r\n", elsewhere.local_addr().unwrap());
    for (status, header) in [(StatusCode::INTERNAL_SERVER_ERROR, ""), (StatusCode::TEMPORARY_REDIRECT, location.as_str())] {
        let code = status.as_u16();
        let (port, asked) = server(format!("HTTP/1.1 {code} No\r\n{header}content-length: 12\r\n\r\n+14155550123")).await;
        let failed = Webhook::new(&format!("http://127.0.0.1:{port}")).unwrap().send(sms()).await.unwrap_err();
        assert_eq!(format!("{failed:#}"), format!("the SMS sender refused with {code}"));
        asked.await.unwrap();
    }
    let followed = tokio::time::timeout(std::time::Duration::from_millis(50), elsewhere.accept()).await;
    assert!(followed.is_err(), "a redirect was followed");
}

#[tokio::test]
async fn a_sender_that_is_away_or_not_safe_is_said_to_be() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let plain = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
    });
    let unsafe_one = Webhook::new(&format!("https://127.0.0.1:{port}")).unwrap().send(sms()).await.unwrap_err();
    assert_eq!(unsafe_one.to_string(), "no safe connection to the SMS sender");
    plain.await.unwrap();
    let away = Webhook::new(&format!("http://127.0.0.1:{port}")).unwrap().send(sms()).await.unwrap_err();
    assert_eq!(away.to_string(), "the SMS sender cannot be reached");
}

#[test]
fn a_wrong_setting_is_told_without_its_words() {
    for wrong in ["ftp://ana:secret@example.org", "secret", "http://", "https://ana:secret@/x"] {
        let told = Webhook::new(wrong).err().expect(wrong).to_string();
        assert!(told.starts_with("the SMS URL cannot be read") && !told.contains("secret"), "{told}");
    }
}

#[tokio::test]
async fn clients_are_told_whether_there_is_a_sender() {
    let local = TestServer::start().await;
    let (_, told) = local.rest("GET", "/config.json", None, None).await;
    assert_eq!(told["sms"], true, "local mode keeps them in its outbox");
    local.stop().await;
    let production = TestServer::start_with(Clock::fixed(super::harness::START), |c| {
        c.mode = Mode::Production;
        c.drain_delay_s = Some(0);
    })
    .await;
    let (_, told) = production.rest("GET", "/config.json", None, None).await;
    assert_eq!(told["sms"], false);
    production.stop().await;
    assert!(config().has_sms());
}
