//! What the head of any HTTP request tells, whatever face it is for.

use crate::mail_links;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The header of the request id, in and out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a request speaks, by its content type; a message of gRPC is always in protobuf's binary form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// gRPC.
    Grpc,
    /// gRPC-Web.
    GrpcWeb,
    /// gRPC-Web in base64.
    GrpcWebText,
    /// A form of gRPC that is not read.
    OtherGrpc,
    /// Anything else.
    Http,
}

impl Protocol {
    /// Of a request with these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        if !is_grpc(headers) {
            return Self::Http;
        }
        let given = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let essence = given.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().strip_prefix("application/grpc").map(|form| form.strip_suffix("+proto").unwrap_or(form)) {
            Some("") => Self::Grpc,
            Some("-web") => Self::GrpcWeb,
            Some("-web-text") => Self::GrpcWebText,
            _ => Self::OtherGrpc,
        }
    }

    /// The type of its answers; `None` where each has its own.
    pub fn content_type(self) -> Option<HeaderValue> {
        match self {
            Self::Grpc | Self::OtherGrpc => Some(HeaderValue::from_static("application/grpc")),
            Self::GrpcWeb => Some(HeaderValue::from_static("application/grpc-web+proto")),
            Self::GrpcWebText => Some(HeaderValue::from_static("application/grpc-web-text+proto")),
            Self::Http => None,
        }
    }
}

/// Where calls live: what is not found there is no page.
const CALLS: [&str; 4] = ["/api/", "/v2/", "/dev/", "/favor/"];

/// Pages that mails and members link to. A program that follows a link may accept anything, not HTML by name.
const LINKED: [&str; 9] =
    ["/join", "/no-invitations", "/unsubscribe", "/favors", "/share", "/friends", "/inbox", "/settings", mail_links::ONE_CLICK_PATH];

/// A question for health is shorter: a length, a service's name and what stands around it.
pub const HEALTH_BYTES_MAX: usize = 1024;

/// Whether a path tells how the node is, which must be heard at all times: balancers decide by it.
pub fn is_health(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/grpc.health.v1.Health/Check" | "/grpc.health.v1.Health/Watch" | "/grpc.health.v1.Health/List")
}

/// Whether a GET is for a page of the app: it accepts HTML, or it is for a page that is linked to and does not ask for JSON. A path with a dot
/// in its last part is a file. The app itself tells which pages are unknown.
pub fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let accepts = |what: &str| {
        let all = headers.get_all(header::ACCEPT);
        all.iter().filter_map(|v| v.to_str().ok()).any(|v| v.to_ascii_lowercase().contains(what))
    };
    let call = CALLS.iter().any(|prefix| path.starts_with(prefix));
    let linked = || LINKED.iter().any(|page| path.strip_prefix(page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    path == "/" || path == "/index.html" || !file && !call && (accepts("text/html") || linked() && !accepts("json"))
}

/// Whether a request speaks gRPC or gRPC-Web, in a form that is read or not.
pub fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|v| begins_with(v.as_bytes(), b"application/grpc"))
}

/// Whether a caller takes answers in an encoding that is given. A header that takes none, not even the plain one, is as if it were not there.
pub fn takes_compressed(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING);
    let mut asked = all.iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).map(str::trim);
    asked.any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0));
        ["gzip", "br"].iter().any(|known| name.trim().eq_ignore_ascii_case(known)) && !refused
    })
}

fn begins_with(value: &[u8], start: &[u8]) -> bool {
    value.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_grpc_are_known_and_others_are_not_taken_for_them() {
        let read = |text: &'static str| Protocol::of(&HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(text))]));
        assert_eq!(read("application/grpc"), Protocol::Grpc);
        assert_eq!(read("application/grpc+proto"), Protocol::Grpc);
        assert_eq!(read("application/grpc-web"), Protocol::GrpcWeb);
        assert_eq!(read("Application/GRPC-Web+Proto; charset=utf-8"), Protocol::GrpcWeb);
        assert_eq!(read("application/grpc-web-text"), Protocol::GrpcWebText);
        assert_eq!(read("application/grpc-web-text+proto"), Protocol::GrpcWebText);
        for other in ["application/grpc+json", "application/grpc-web+json", "application/grpc-web-text+json", "application/grpcx"] {
            assert_eq!(read(other), Protocol::OtherGrpc, "{other}");
        }
        for other in ["application/json", "application/grp", ""] {
            assert_eq!(read(other), Protocol::Http, "{other}");
        }
    }

    #[test]
    fn linked_pages_are_pages_unless_json_is_asked_for() {
        let page = |path: &str, accept: Option<&'static str>| {
            let accept = accept.map(|accept| (header::ACCEPT, HeaderValue::from_static(accept)));
            is_page(path, &HeaderMap::from_iter(accept))
        };
        let linked = ["/join", "/no-invitations", "/unsubscribe", "/favors/018f", "/share/items/018f", "/share", "/friends/requests"];
        for path in linked.into_iter().chain(["/inbox", "/settings/notifications", "/notifications/unsubscribe"]) {
            for accept in
                [None, Some("*/*"), Some("image/avif,*/*;q=0.8"), Some("text/plain"), Some("TEXT/HTML"), Some("text/html,application/json")]
            {
                assert!(page(path, accept), "{path} {accept:?}");
            }
            for accept in ["application/json", "application/problem+json", "application/JSON, */*"] {
                assert!(!page(path, Some(accept)), "{path} {accept}");
            }
        }
        for path in ["/favors.json", "/joint", "/items/018f", "/api/users", "/notifications", "/assets/a.js", "/x"] {
            assert!(!page(path, Some("*/*")), "{path}");
        }
        assert!(page("/x", Some("text/html")) && !page("/api/users", Some("text/html")));
    }

    #[test]
    fn who_takes_no_encoding_of_ours_is_answered_plainly() {
        let takes =
            |text: &'static str| takes_compressed(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]));
        for given in ["gzip", "br", "deflate, GZIP;q=0.5", "gzip, deflate, br, zstd"] {
            assert!(takes(given), "{given}");
        }
        for none in ["", "identity", "identity;q=0", "gzip;q=0, *;q=0", "br; q=0.0", "zstd", "*"] {
            assert!(!takes(none), "{none}");
        }
    }
}
