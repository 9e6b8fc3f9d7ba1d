//! What the head of any HTTP request tells, whatever face it is for.

use axum::http::{HeaderMap, HeaderName, header};

/// The header of the request id, in and out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Whether a request speaks gRPC or gRPC-Web.
pub fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|v| v.as_bytes().starts_with(b"application/grpc"))
}
