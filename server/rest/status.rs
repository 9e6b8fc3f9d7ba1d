//! Errors as REST clients read them: the one table from gRPC codes to HTTP.

use axum::http::StatusCode;
use tonic::Code;

/// The HTTP status of a failure: of its gRPC code, but for two reasons that HTTP tells apart.
pub fn http(code: Code, reason: &str) -> StatusCode {
    match (reason, code) {
        ("METHOD_NOT_ALLOWED", _) => StatusCode::METHOD_NOT_ALLOWED,
        ("TOO_LARGE", _) => StatusCode::PAYLOAD_TOO_LARGE,
        (_, Code::Ok) => StatusCode::OK,
        (_, Code::InvalidArgument | Code::OutOfRange) => StatusCode::BAD_REQUEST,
        (_, Code::Unauthenticated) => StatusCode::UNAUTHORIZED,
        (_, Code::PermissionDenied) => StatusCode::FORBIDDEN,
        (_, Code::NotFound) => StatusCode::NOT_FOUND,
        (_, Code::FailedPrecondition | Code::AlreadyExists | Code::Aborted) => StatusCode::CONFLICT,
        (_, Code::ResourceExhausted) => StatusCode::TOO_MANY_REQUESTS,
        // 499, as proxies call a caller that went away.
        (_, Code::Cancelled) => StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
        (_, Code::Unimplemented) => StatusCode::NOT_IMPLEMENTED,
        (_, Code::Unavailable) => StatusCode::SERVICE_UNAVAILABLE,
        (_, Code::DeadlineExceeded) => StatusCode::GATEWAY_TIMEOUT,
        (_, Code::Unknown | Code::Internal | Code::DataLoss) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
