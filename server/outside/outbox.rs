//! The local form of mail and SMS: kept in memory, and shown at /dev/outbox to whoever sits at this machine.

use super::{
    mail::{Mail, Mailer},
    sms::{self, Sms},
};
use crate::clock::Clock;
use axum::{
    Json, Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Serialize;
use std::{
    collections::VecDeque,
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// How many messages are kept; the oldest go first.
pub const MESSAGES_MAX: usize = 500;
const STYLE: &str = include_str!("outbox.css");

/// A message that was sent nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// How it would have gone: `email` or `sms`.
    pub channel: &'static str,
    /// The address or the number.
    pub to: String,
    /// One line; empty for an SMS.
    pub subject: String,
    /// The text.
    pub body: String,
    /// When, UTC.
    #[serde(with = "time::serde::rfc3339")]
    pub sent_at: OffsetDateTime,
}

/// Keeps messages. Clones share them.
#[derive(Clone)]
pub struct Outbox {
    clock: Clock,
    messages: Arc<Mutex<VecDeque<Message>>>,
}

impl Outbox {
    /// An empty one.
    pub fn new(clock: Clock) -> Self {
        Self { clock, messages: Arc::default() }
    }

    /// What it holds, the newest first.
    pub fn messages(&self) -> Vec<Message> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn keep(&self, message: Message) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push_front(message);
        messages.truncate(MESSAGES_MAX);
    }
}

#[tonic::async_trait]
impl Mailer for Outbox {
    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        let Mail { to, subject, body } = mail;
        self.keep(Message { channel: "email", to, subject, body, sent_at: self.clock.now() });
        Ok(())
    }
}

#[tonic::async_trait]
impl sms::Texter for Outbox {
    async fn send(&self, sms: Sms) -> anyhow::Result<()> {
        let Sms { to, body } = sms;
        self.keep(Message { channel: "sms", to, subject: String::new(), body, sent_at: self.clock.now() });
        Ok(())
    }
}

/// `GET /dev/outbox` and `GET /dev/outbox.json`. They are not there for anybody but this machine's own browser.
pub fn router(outbox: Outbox) -> Router {
    Router::new()
        .route("/dev/outbox", get(page))
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

async fn json(State(outbox): State<Outbox>) -> Response {
    #[derive(Serialize)]
    struct Messages {
        messages: Vec<Message>,
    }
    ([(header::CACHE_CONTROL, "no-store")], Json(Messages { messages: outbox.messages() })).into_response()
}

async fn page(State(outbox): State<Outbox>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, html(&outbox.messages())).into_response()
}

fn html(messages: &[Message]) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"refresh\" content=\"3\">\n<title>Outbox · Goodturn</title>\n<link rel=\"stylesheet\" href=\"/dev/outbox.css\">\n\
         <main>\n<h1>Outbox</h1>\n<p>Mail and SMS that this machine did not send, the newest first.</p>\n",
    );
    if messages.is_empty() {
        page.push_str("<p>No messages yet.</p>\n");
    }
    for m in messages {
        let at = m.sent_at.format(&Rfc3339).unwrap_or_default();
        let _ = write!(
            page,
            "<article>\n<h2>{}</h2>\n<p>{} to <strong>{}</strong> at <time datetime=\"{at}\">{at}</time></p>\n<pre>{}</pre>\n</article>\n",
            if m.subject.is_empty() { "SMS".to_owned() } else { escaped(&m.subject) },
            m.channel,
            escaped(&m.to),
            escaped(&m.body),
        );
    }
    page.push_str("</main>\n</html>\n");
    page
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use time::macros::datetime;
    use tower::ServiceExt;

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
        let message = |text: &str| Message { channel: "email", to: text.into(), subject: text.into(), body: text.into(), sent_at };
        let page = html(&[message("<script>alert('1')</script> & \"x\"")]);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;"));
        assert!(page.contains("2026-03-04T05:06:07Z"));
    }

    #[tokio::test]
    async fn it_is_not_there_for_another_host() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        outbox.send(Mail { to: "ana@example.com".into(), subject: "Code".into(), body: "123456".into() }).await.unwrap();
        for (host, path, status) in [
            ("localhost:8080", "/dev/outbox", 200),
            ("localhost:8080", "/dev/outbox.css", 200),
            ("localhost:8080", "/dev/outbox.json", 200),
            ("goodturn.example", "/dev/outbox", 404),
            ("goodturn.example", "/dev/outbox.json", 404),
        ] {
            let request = Request::get(path).header("host", host).body(Body::empty()).unwrap();
            let response = router(outbox.clone()).oneshot(request).await.unwrap();
            assert_eq!(response.status().as_u16(), status, "{host}{path}");
            assert!(response.headers().get("access-control-allow-origin").is_none());
            let body = axum::body::to_bytes(response.into_body(), 100_000).await.unwrap();
            if path.ends_with(".json") && status == 200 {
                let message = serde_json::json!({
                    "channel": "email", "to": "ana@example.com", "subject": "Code", "body": "123456", "sent_at": "2026-03-04T05:06:07Z",
                });
                assert_eq!(serde_json::from_slice::<serde_json::Value>(&body).unwrap(), serde_json::json!({ "messages": [message] }));
            }
            assert!(status == 200 || body.is_empty());
        }
    }

    #[tokio::test]
    async fn an_sms_stands_beside_mails() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        outbox.send(Mail { to: "ana@example.com".into(), subject: "Code".into(), body: "123456".into() }).await.unwrap();
        sms::Texter::send(&outbox, Sms { to: "+14155550123".into(), body: "654321".into() }).await.unwrap();
        let kept = outbox.messages();
        assert_eq!(
            kept.iter().map(|m| (m.channel, m.to.as_str())).collect::<Vec<_>>(),
            [("sms", "+14155550123"), ("email", "ana@example.com")]
        );
        assert!(html(&kept).contains("<h2>SMS</h2>"));
    }

    #[tokio::test]
    async fn the_newest_comes_first_and_the_oldest_goes() {
        let outbox = Outbox::new(Clock::fixed(datetime!(2026-03-04 05:06:07 UTC)));
        for n in 0..=MESSAGES_MAX {
            outbox.send(Mail { to: "ana@example.com".into(), subject: n.to_string(), body: String::new() }).await.unwrap();
        }
        let kept = outbox.messages();
        assert_eq!(kept.len(), MESSAGES_MAX);
        assert_eq!(kept[0].subject, MESSAGES_MAX.to_string());
        assert_eq!(kept[MESSAGES_MAX - 1].subject, "1");
    }
}
