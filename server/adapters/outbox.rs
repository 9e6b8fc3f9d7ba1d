//! The local form of mail and SMS: kept in memory, and shown at /dev/outbox to whoever sits at this machine.

use super::{
    mail::{Mail, Mailer},
    sms::{self, Sms},
};
use crate::clock::Clock;
use axum::{
    Json, Router,
    extract::{Path, Query, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use maud::{DOCTYPE, Markup, html};
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// How many messages are kept; the oldest go first.
pub const MESSAGES_MAX: usize = 500;
const STYLE: &str = include_str!("outbox.css");

/// What a mail may load when it is looked at: nothing.
const MAIL_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A message that was sent nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// 1, 2, 3, … as they were sent.
    pub number: u64,
    /// How it would have gone: `email` or `sms`.
    pub channel: &'static str,
    /// The address or the number.
    pub to: String,
    /// One line; empty for an SMS.
    pub subject: String,
    /// The text.
    pub body: String,
    /// The same as HTML; empty for an SMS.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub html: String,
    /// Where a mail program asks for no more of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_click: Option<String>,
    /// When, UTC.
    #[serde(with = "time::serde::rfc3339")]
    pub sent_at: OffsetDateTime,
}

/// Keeps messages. Clones share them.
#[derive(Clone)]
pub struct Outbox {
    clock: Clock,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    messages: VecDeque<Message>,
    sent: u64,
}

impl Outbox {
    /// An empty one.
    pub fn new(clock: Clock) -> Self {
        Self { clock, kept: Arc::default() }
    }

    /// What it holds, the newest first.
    pub fn messages(&self) -> Vec<Message> {
        self.kept().messages.iter().cloned().collect()
    }

    fn keep(&self, message: Message) {
        let mut kept = self.kept();
        kept.sent += 1;
        let number = kept.sent;
        kept.messages.push_front(Message { number, ..message });
        kept.messages.truncate(MESSAGES_MAX);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message of which nothing is said yet.
    fn message(&self, channel: &'static str, to: String, body: String) -> Message {
        let sent_at = self.clock.now();
        Message { number: 0, channel, to, subject: String::new(), body, html: String::new(), one_click: None, sent_at }
    }
}

#[tonic::async_trait]
impl Mailer for Outbox {
    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        let Mail { to, subject, body, html, one_click } = mail;
        self.keep(Message { subject, html, one_click, ..self.message("email", to, body) });
        Ok(())
    }
}

#[tonic::async_trait]
impl sms::Texter for Outbox {
    async fn send(&self, sms: Sms) -> anyhow::Result<()> {
        let Sms { to, body } = sms;
        self.keep(self.message("sms", to, body));
        Ok(())
    }
}

/// `GET /dev/outbox`, `GET /dev/outbox/{number}` with a mail as it looks, and `GET /dev/outbox.json`, with
/// `?to=` for one address or number. They are not there for anybody but this machine's own browser.
pub fn router(outbox: Outbox) -> Router {
    Router::new()
        .route("/dev/outbox", get(page))
        .route("/dev/outbox/{number}", get(mail))
        .route("/dev/outbox.css", get(|| async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE) }))
        .route("/dev/outbox.json", get(json))
        .layer(middleware::from_fn(only_this_machine))
        .with_state(outbox)
}

/// A page of another site must not read codes by a name that points here, nor through a proxy that somebody put in front.
async fn only_this_machine(request: Request, next: Next) -> Response {
    if is_local(request.headers(), request.uri().host()) { next.run(request).await } else { StatusCode::NOT_FOUND.into_response() }
}

/// Whether a request came from this machine by its own name, and through no proxy.
pub fn is_local(headers: &HeaderMap, authority: Option<&str>) -> bool {
    let forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];
    if forwarded.iter().any(|name| headers.contains_key(*name)) {
        return false;
    }
    // HTTP/2 has the host in the URI; if both are there, both must be ours.
    let said = headers.get(header::HOST).map(|h| h.to_str().unwrap_or_default());
    let hosts = [said.map(without_port), authority];
    hosts.iter().flatten().count() > 0 && hosts.into_iter().flatten().all(is_loopback)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host == "[::1]"
        || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

#[derive(Deserialize)]
struct Filter {
    /// Only messages to this address or number.
    to: Option<String>,
}

async fn json(State(outbox): State<Outbox>, Query(filter): Query<Filter>) -> Response {
    #[derive(Serialize)]
    struct Messages {
        messages: Vec<Message>,
    }
    let mut messages = outbox.messages();
    if let Some(to) = filter.to {
        messages.retain(|message| message.to == to);
    }
    ([(header::CACHE_CONTROL, "no-store")], Json(Messages { messages })).into_response()
}

async fn page(State(outbox): State<Outbox>) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Html(listed(&outbox.messages()).into_string())).into_response()
}

async fn mail(State(outbox): State<Outbox>, Path(number): Path<u64>) -> Response {
    let found = outbox.messages().into_iter().find(|m| m.number == number && !m.html.is_empty());
    let Some(mail) = found else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CACHE_CONTROL, "no-store"), (header::CONTENT_SECURITY_POLICY, MAIL_CSP)], Html(mail.html)).into_response()
}

fn listed(messages: &[Message]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta http-equiv="refresh" content="3";
                title { "Outbox · Goodturn" }
                link rel="stylesheet" href="/dev/outbox.css";
            }
            body {
                main {
                    h1 { "Outbox" }
                    p { "Emails and text messages that this machine kept instead of sending, newest first." }
                    @if messages.is_empty() { p { "No messages yet." } }
                    @for message in messages { (shown(message)) }
                }
            }
        }
    }
}

fn shown(m: &Message) -> Markup {
    let at = m.sent_at.format(&Rfc3339).unwrap_or_default();
    html! {
        article {
            h2 { @if m.subject.is_empty() { "SMS" } @else { (m.subject) } }
            p { (m.channel) " to " strong { (m.to) } " at " time datetime=(at) { (at) } }
            pre { (m.body) }
            @if !m.html.is_empty() { p { a href={ "/dev/outbox/" (m.number) } { "Preview" } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use time::macros::datetime;
    use tower::ServiceExt;

    fn code(to: &str) -> Mail {
        Mail { to: to.into(), subject: "Code".into(), body: "123456".into(), html: "<p>123456</p>".into(), one_click: None }
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(k, v)| (header::HeaderName::from_static(k), v.parse().unwrap())).collect()
    }

    #[test]
    fn only_a_loopback_host_without_a_proxy_is_local() {
        for host in ["localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080", "[::1]"] {
            assert!(is_local(&headers(&[("host", host)]), None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example", "192.168.0.4:80", "0.0.0.0", "", ":80"] {
            assert!(!is_local(&headers(&[("host", host)]), None), "{host}");
        }
        for proxy in ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"] {
            assert!(!is_local(&headers(&[("host", "localhost"), (proxy, "1.2.3.4")]), None), "{proxy}");
        }
        assert!(is_local(&headers(&[]), Some("localhost")));
        assert!(!is_local(&headers(&[("host", "localhost")]), Some("evil.example")));
        assert!(!is_local(&headers(&[]), None));
    }

    #[test]
    fn what_a_message_holds_is_shown_as_text() {
        let sent_at = datetime!(2026-03-04 05:06:07 UTC);
        let text = "<script>alert('1')</script> & \"x\"".to_owned();
        let outbox = Outbox::new(Clock::fixed(sent_at));
        let message = Message { subject: text.clone(), ..outbox.message("email", text.clone(), text) };
        let page = listed(&[message]).into_string();
        assert!(!page.contains("<script"), "{page}");
        assert_eq!(page.matches("&lt;script&gt;alert('1')&lt;/script&gt; &amp; &quot;x&quot;").count(), 3, "{page}");
        assert!(page.contains("2026-03-04T05:06:07Z"));
    }

    #[tokio::test]
    async fn it_is_not_there_for_another_host() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        outbox.send(code("ana@example.com")).await.unwrap();
        for (host, path, status) in [
            ("localhost:8080", "/dev/outbox", 200),
            ("localhost:8080", "/dev/outbox.css", 200),
            ("localhost:8080", "/dev/outbox.json", 200),
            ("localhost:8080", "/dev/outbox/1", 200),
            ("localhost:8080", "/dev/outbox/2", 404),
            ("goodturn.example", "/dev/outbox", 404),
            ("goodturn.example", "/dev/outbox/1", 404),
            ("goodturn.example", "/dev/outbox.json", 404),
        ] {
            let request = Request::get(path).header("host", host).body(Body::empty()).unwrap();
            let response = router(outbox.clone()).oneshot(request).await.unwrap();
            assert_eq!(response.status().as_u16(), status, "{host}{path}");
            assert!(response.headers().get("access-control-allow-origin").is_none());
            let body = axum::body::to_bytes(response.into_body(), 100_000).await.unwrap();
            if path.ends_with(".json") && status == 200 {
                let message = serde_json::json!({
                    "number": 1, "channel": "email", "to": "ana@example.com", "subject": "Code", "body": "123456", "html": "<p>123456</p>",
                    "sent_at": "2026-03-04T05:06:07Z",
                });
                assert_eq!(serde_json::from_slice::<serde_json::Value>(&body).unwrap(), serde_json::json!({ "messages": [message] }));
            }
            assert!(status == 200 || body.is_empty());
            assert!(path != "/dev/outbox/1" || status != 200 || body == "<p>123456</p>");
        }
    }

    #[tokio::test]
    async fn an_sms_stands_beside_mails() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        outbox.send(code("ana@example.com")).await.unwrap();
        sms::Texter::send(&outbox, Sms { to: "+14155550123".into(), body: "654321".into() }).await.unwrap();
        let kept = outbox.messages();
        assert_eq!(
            kept.iter().map(|m| (m.channel, m.to.as_str())).collect::<Vec<_>>(),
            [("sms", "+14155550123"), ("email", "ana@example.com")]
        );
        assert!(listed(&kept).into_string().contains("<h2>SMS</h2>"));
    }

    #[tokio::test]
    async fn the_newest_comes_first_and_the_oldest_goes() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        for n in 0..=MESSAGES_MAX {
            outbox.send(Mail { subject: n.to_string(), ..code("ana@example.com") }).await.unwrap();
        }
        let kept = outbox.messages();
        assert_eq!(kept.len(), MESSAGES_MAX);
        assert_eq!(kept[0].subject, MESSAGES_MAX.to_string());
        assert_eq!(kept[MESSAGES_MAX - 1].subject, "1");
    }
}
