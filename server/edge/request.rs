//! What the head of any HTTP request tells, whatever face it is for.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The header of the request id, in and out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The content types of gRPC and gRPC-Web that are read; a message is always in protobuf's binary form.
const GRPC: [&str; 6] = [
    "application/grpc",
    "application/grpc+proto",
    "application/grpc-web",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc-web-text+proto",
];

/// Whether a path tells how the node is, which must be heard at all times: balancers decide by it.
pub fn is_health(path: &str) -> bool {
    path == "/healthz" || path == "/readyz" || path.starts_with("/grpc.health.v1.Health/")
}

/// Whether a request speaks gRPC or gRPC-Web, in a form that is read or not.
pub fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|v| begins_with(v.as_bytes(), b"application/grpc"))
}

/// The content type of gRPC or gRPC-Web as the services know it, without parameters; `None` when it is in a form that is not read.
pub fn grpc_type(headers: &HeaderMap) -> Option<HeaderValue> {
    let given = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let essence = given.split(';').next().unwrap_or_default().trim();
    GRPC.into_iter().find(|known| known.eq_ignore_ascii_case(essence)).map(HeaderValue::from_static)
}

fn begins_with(value: &[u8], start: &[u8]) -> bool {
    value.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_grpc_are_known_and_others_are_not_taken_for_them() {
        let read = |text: &'static str| {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(text))]);
            (is_grpc(&headers), grpc_type(&headers).map(|v| v.to_str().unwrap().to_owned()))
        };
        for known in GRPC {
            assert_eq!(read(known), (true, Some(known.to_owned())));
        }
        assert_eq!(read("Application/GRPC-Web+Proto; charset=utf-8"), (true, Some("application/grpc-web+proto".to_owned())));
        for other in ["application/grpc+json", "application/grpc-web+json", "application/grpc-web-text+json", "application/grpcx"] {
            assert_eq!(read(other), (true, None), "{other}");
        }
        for other in ["application/json", "application/grp", ""] {
            assert_eq!(read(other), (false, None), "{other}");
        }
    }
}
