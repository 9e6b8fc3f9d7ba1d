//! What every HTTP request meets first, whatever face it is for: a request id, the caller's address and its rate, safe headers.

use crate::{
    adapters::outbox,
    call::At,
    edge::{
        limits::{ClientAddress, Limiter, Networks, household},
        request::{Protocol, REQUEST_ID, is_health},
    },
    error::{Error, FieldReason, Reason, Result, reason_name},
    idempotency,
    ids::Ids,
    rest::TARGET,
};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Version, header, uri::Authority},
    response::{IntoResponse, Response},
};
use std::net::{IpAddr, SocketAddr};
use tokio_util::sync::CancellationToken;

const REQUEST_ID_CHARS_MAX: usize = 64;
/// What a page may load and run, where all of it is the server's.
const CSP: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; \
                   connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What a page may load and run: what is the server's, and pictures of another origin, which it also puts there.
pub fn policy(pictures: Option<&str>) -> String {
    let Some(origin) = pictures else { return CSP.to_owned() };
    ["img-src 'self'", "connect-src 'self'"]
        .iter()
        .fold(CSP.to_owned(), |policy, part| policy.replacen(part, &format!("{part} {origin}"), 1))
}

/// What the front needs.
pub struct Front {
    /// Makes request ids.
    pub ids: Ids,
    /// The rate of one address.
    pub per_address: Limiter<IpAddr>,
    /// Proxies whose word on the caller's address counts.
    pub trusted_proxies: Networks,
    /// Whether browsers shall insist on TLS from now on.
    pub tls: bool,
    /// What a page may load and run.
    pub policy: HeaderValue,
    /// The address of the server, where who comes by another name of this machine is told addresses under that one.
    pub own_address: Option<String>,
    /// Told when the node stops: clients of HTTP/1 shall call on another connection, which is not about to be closed.
    pub leaving: CancellationToken,
}

/// What is remembered of a request until it is answered.
pub struct Seen {
    /// Its caller's.
    pub address: IpAddr,
    id: HeaderValue,
    version: Version,
}

impl Front {
    /// Gives a request its id, and the address of its caller.
    pub fn receive(&self, peer: SocketAddr, request: &mut Request) -> Seen {
        let id = id_of(request.headers(), &self.ids);
        request.headers_mut().insert(REQUEST_ID, id.clone());
        let address = forwarded(peer.ip(), request.headers(), &self.trusted_proxies);
        request.extensions_mut().insert(ClientAddress(address));
        if let Some(at) = self.own_address.as_deref().and_then(|own| by_another_name(own, request)) {
            request.extensions_mut().insert(at);
        }
        Seen { address, id, version: request.version() }
    }

    /// Whether it goes on.
    ///
    /// # Errors
    /// RATE_LIMITED for all of an address' requests but those that ask for health; INVALID_ARGUMENT.
    pub fn admit(&self, address: IpAddr, request: &Request) -> Result<()> {
        if !is_health(request.uri().path()) {
            self.per_address.count(&household(address))?;
        }
        has_one_host(request)?;
        says_once(request.headers())
    }

    /// What every answer tells. What no browser shows needs no protection of browsers.
    pub fn finish(&self, seen: Seen, protocol: Protocol, response: &mut Response) {
        let headers = response.headers_mut();
        if protocol != Protocol::Grpc {
            harden(headers, self.tls, &self.policy);
        }
        if seen.version < Version::HTTP_2 && self.leaving.is_cancelled() {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        headers.insert(REQUEST_ID, seen.id);
    }
}

/// Where a request came that has another of this machine's own names than the server's address. No other name counts: it would have us tell
/// addresses of somebody else.
fn by_another_name(own: &str, request: &Request) -> Option<At> {
    if !outbox::is_local(request.headers(), request.uri().host()) {
        return None;
    }
    let said = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    let authority = said.as_ref().or(request.uri().authority())?;
    let (scheme, _) = own.split_once("://")?;
    let port = authority.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    let name = format!("{}{port}", authority.host());
    let at = format!("{scheme}://{name}");
    // A port that is none would be left out.
    (name == authority.as_str() && at != own).then(|| At(at.into()))
}

/// HTTP/1.1 wants it: a proxy in front could have read another one.
fn has_one_host(request: &Request) -> Result<()> {
    if request.version() == Version::HTTP_11 && request.headers().get_all(header::HOST).iter().count() != 1 {
        return Err(Error::field("host", FieldReason::Invalid, "must be given exactly once over HTTP/1.1"));
    }
    Ok(())
}

/// Of two a proxy in front could have read the other one.
fn says_once(headers: &HeaderMap) -> Result<()> {
    let once = [header::AUTHORIZATION, header::CONTENT_TYPE, HeaderName::from_static(idempotency::HEADER), TARGET];
    let Some(twice) = once.iter().find(|name| headers.get_all(*name).iter().nth(1).is_some()) else { return Ok(()) };
    Err(Error::field(twice.as_str(), FieldReason::Twice, "must not be given twice"))
}

/// The id that a request brought, or a new one.
pub fn id_of(headers: &HeaderMap, ids: &Ids) -> HeaderValue {
    let mut id = request_id(headers).unwrap_or_else(|| new_id(ids));
    // No two are the same: HPACK need not remember them.
    id.set_sensitive(true);
    id
}

fn request_id(headers: &HeaderMap) -> Option<HeaderValue> {
    let value = headers.get(REQUEST_ID)?;
    let text = value.to_str().ok()?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (!text.is_empty() && text.len() <= REQUEST_ID_CHARS_MAX && text.bytes().all(plain)).then(|| value.clone())
}

fn new_id(ids: &Ids) -> HeaderValue {
    HeaderValue::from_str(&ids.uuid().to_string()).unwrap_or(HeaderValue::from_static("unknown"))
}

/// Walks the chain of proxies from the near end, as far as they are trusted.
fn forwarded(peer: IpAddr, headers: &HeaderMap, trusted: &Networks) -> IpAddr {
    let mut address = peer;
    let chain = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(','));
    for hop in chain.collect::<Vec<_>>().into_iter().rev() {
        if !trusted.contain(address) {
            break;
        }
        let Ok(before) = hop.trim().parse() else { break };
        address = before;
    }
    address.to_canonical()
}

/// An error as REST clients read it, for refusals that happen before or beside the transcoder.
pub fn refusal_json(error: &Error, request_id: &str) -> Response {
    let status = crate::rest::status::http(error.code(), reason_name(error.reason()));
    let detail = |(field, reason, message)| serde_json::json!({"field": field, "reason": reason, "message": message});
    let details: Vec<_> = error.fields().map(detail).collect();
    let body = serde_json::json!({
        "code": reason_name(error.reason()), "message": error.message(), "details": details, "requestId": request_id,
    });
    let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    if let Some(wait) = error.wait() {
        let seconds = wait.as_secs().saturating_add(1);
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    (status, headers, body.to_string()).into_response()
}

/// The refusal of a method that a page of the server does not have. Which it has is told beside.
pub async fn other_method(headers: HeaderMap) -> Response {
    refusal_json(&Error::new(Reason::MethodNotAllowed, "this path does not allow this method"), own_request_id(&headers))
}

/// The id that a request was given, or brought.
pub fn own_request_id(headers: &HeaderMap) -> &str {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default()
}

fn harden(headers: &mut HeaderMap, tls: bool, policy: &HeaderValue) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(header::CACHE_CONTROL, "no-store");
    if tls {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_says_who_calls() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 9.9.9.9, 10.0.0.2".parse().unwrap());
        let trusted = Networks::new(vec!["10.0.0.0/24".parse().unwrap()]);
        assert_eq!(forwarded(ip("10.0.0.1"), &headers, &trusted), ip("9.9.9.9"));
        assert_eq!(forwarded(ip("8.8.8.8"), &headers, &trusted), ip("8.8.8.8"));
        assert_eq!(forwarded(ip("10.0.0.1"), &headers, &Networks::default()), ip("10.0.0.1"));
        // As a dual-stack port tells the peer, and as some proxies write what they saw.
        assert_eq!(forwarded(ip("::ffff:10.0.0.1"), &headers, &trusted), ip("9.9.9.9"));
        headers.insert("x-forwarded-for", "9.9.9.9, ::ffff:10.0.0.2".parse().unwrap());
        assert_eq!(forwarded(ip("10.0.0.1"), &headers, &trusted), ip("9.9.9.9"));
        assert_eq!(forwarded(ip("::ffff:8.8.8.8"), &headers, &trusted), ip("8.8.8.8"));
    }

    #[test]
    fn pictures_may_come_from_one_other_origin_and_nothing_else_may() {
        assert_eq!(policy(None), CSP);
        let with = policy(Some("https://s3.example"));
        assert!(with.contains("img-src 'self' https://s3.example data: blob:;") && with.contains("connect-src 'self' https://s3.example;"));
        assert_eq!(with.replace(" https://s3.example", ""), CSP);
    }

    #[test]
    fn another_name_of_this_machine_is_known_and_no_other() {
        let at = |uri: &str, host: Option<&str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(host) = host {
                request = request.header(header::HOST, host);
            }
            by_another_name("http://127.0.0.1:8080", &request.body(axum::body::Body::empty()).unwrap()).map(|at| at.0.to_string())
        };
        assert_eq!(at("/", Some("localhost:8080")).as_deref(), Some("http://localhost:8080"));
        assert_eq!(at("/", Some("[::1]:8080")).as_deref(), Some("http://[::1]:8080"));
        assert_eq!(at("/", Some("127.0.0.1:9000")).as_deref(), Some("http://127.0.0.1:9000"), "as a tunnel has it");
        assert_eq!(at("http://localhost:8080/", None).as_deref(), Some("http://localhost:8080"), "as HTTP/2 has it");
        for (uri, host) in [
            ("/", None),
            ("/", Some("127.0.0.1:8080")),
            ("/", Some("evil.example")),
            ("/", Some("localhost.evil.example:8080")),
            ("/", Some("a@localhost:8080")),
            ("/", Some("localhost:8080/x")),
            ("/", Some("localhost:99999")),
            ("http://evil.example/", Some("localhost:8080")),
            ("http://localhost:8080/", Some("evil.example")),
        ] {
            assert_eq!(at(uri, host), None, "{uri} {host:?}");
        }
    }

    #[test]
    fn a_forged_request_id_is_replaced() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_bytes(text.as_bytes()).unwrap());
            request_id(&headers).is_some()
        };
        assert!(read("abc-123_X"));
        assert!(!read(""));
        assert!(!read("a b"));
        assert!(!read("\"},{\"level\":\"error"));
        assert!(!read(&"x".repeat(65)));
    }
}
