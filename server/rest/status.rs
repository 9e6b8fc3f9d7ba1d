//! Errors as REST clients read them: the one table from gRPC codes to HTTP, and the JSON of an error.

use super::{
    options,
    plan::{Kind, MessageId, Plans},
    write::text_to,
};
use crate::{
    error::{Error, reason_name},
    pb::common::ErrorReason,
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use prost_reflect::DescriptorPool;
use std::{collections::HashMap, time::Duration};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// The HTTP status of a failure: of its gRPC code, but for reasons that HTTP tells apart.
pub fn http(code: Code, reason: &str) -> StatusCode {
    match (reason, code) {
        ("UNKNOWN_ROUTE", _) => StatusCode::NOT_FOUND,
        ("METHOD_NOT_ALLOWED", _) => StatusCode::METHOD_NOT_ALLOWED,
        ("UNSUPPORTED_TYPE", _) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
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

/// The reason of a status that tonic made itself, without details.
fn reason_of(code: Code) -> &'static str {
    match code {
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::Unauthenticated => "UNAUTHENTICATED",
        Code::PermissionDenied => "NOT_YOURS",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists | Code::Aborted => "CONFLICT",
        Code::FailedPrecondition => "WRONG_STATE",
        Code::ResourceExhausted => "RATE_LIMITED",
        // Tonic says so of a message above its limit.
        Code::OutOfRange => "TOO_LARGE",
        // Tonic says so of a method that a service does not have.
        Code::Unimplemented => "UNKNOWN_ROUTE",
        Code::Unavailable => "UNAVAILABLE",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::Cancelled => "CANCELLED",
        Code::Ok | Code::Unknown | Code::Internal | Code::DataLoss => "INTERNAL",
    }
}

/// A failure, as its details tell it.
#[derive(Debug)]
pub struct Problem {
    http: StatusCode,
    reason: String,
    message: String,
    fields: Vec<FieldProblem>,
    retry_after: Option<Duration>,
}

#[derive(Debug)]
struct FieldProblem {
    field: String,
    reason: String,
    message: String,
}

impl Problem {
    /// Reads a status. Field paths are spelt as JSON spells them; `messages` are those that they may be in, the likeliest first.
    pub fn of(status: &Status, plans: &Plans, messages: &[MessageId]) -> Self {
        let details = status.get_error_details();
        let reason = details.error_info().map_or(reason_of(status.code()), |info| info.reason.as_str()).to_owned();
        let mut message = status.message().to_owned();
        if reason == "INTERNAL" {
            // Tonic's own texts may tell what is behind.
            "an internal error occurred".clone_into(&mut message);
        }
        let mut fields = Vec::new();
        for violation in details.bad_request().map(|b| b.field_violations.as_slice()).unwrap_or_default() {
            let within = messages.iter().find(|message| has_first(plans, **message, &violation.field));
            let field = within.map_or_else(|| violation.field.clone(), |message| spelt(plans, *message, &violation.field));
            if let Some(rest) = message.strip_prefix(&violation.field).filter(|rest| fields.is_empty() && rest.starts_with(": ")) {
                message = format!("{field}{rest}");
            }
            fields.push(FieldProblem { field, reason: violation.reason.clone(), message: violation.description.clone() });
        }
        let retry_after = details.retry_info().and_then(|r| r.retry_delay);
        Self { http: http(status.code(), &reason), reason, message, fields, retry_after }
    }

    /// The error of the REST face: `{"code","message","details","requestId"}`.
    pub fn json(&self, request_id: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        object(&mut out, &[("code", &self.reason), ("message", &self.message)], |out| {
            out.extend_from_slice(b",\"details\":[");
            for (at, field) in self.fields.iter().enumerate() {
                out.extend_from_slice(if at == 0 { b"" } else { b"," });
                object(out, &[("field", &field.field), ("reason", &field.reason), ("message", &field.message)], |_| {});
            }
            out.extend_from_slice(b"],\"requestId\":");
            text_to(request_id, out);
        });
        out
    }

    /// The answer of the REST face.
    pub fn response(&self, request_id: &str) -> Response {
        let mut response = Response::new(Body::from(self.json(request_id)));
        *response.status_mut() = self.http;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.say_when(headers);
        if self.http == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl Problem {
    /// One that has no fields.
    pub fn plain(error: &Error) -> Self {
        let reason = reason_name(error.reason()).to_owned();
        let (http, message) = (http(error.code(), &reason), error.message().to_owned());
        Self { http, reason, message, fields: Vec::new(), retry_after: error.wait() }
    }

    fn say_when(&self, headers: &mut HeaderMap) {
        if let Some(wait) = self.retry_after {
            // Whole seconds, rounded up: a client that comes back then is not refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
    }
}

/// Whether a path begins with a field of a message.
fn has_first(plans: &Plans, message: MessageId, path: &str) -> bool {
    path.split(['.', '[']).next().is_some_and(|name| plans.message(message).named(name).is_some())
}

/// The path of a field by its names in JSON: `recipients[2]` is `recepients[2]`.
fn spelt(plans: &Plans, mut message: MessageId, path: &str) -> String {
    let (mut spelt, mut parts) = (String::new(), path.split('.'));
    for part in parts.by_ref() {
        let (name, index) = part.split_at(part.find('[').unwrap_or(part.len()));
        let field = plans.message(message).named(name);
        if !spelt.is_empty() {
            spelt.push('.');
        }
        spelt.push_str(field.map_or(name, |f| &f.json));
        spelt.push_str(index);
        match field.map(|f| f.kind) {
            Some(Kind::Object(inner)) => message = inner,
            _ => break,
        }
    }
    for rest in parts {
        spelt.push('.');
        spelt.push_str(rest);
    }
    spelt
}

fn object(out: &mut Vec<u8>, texts: &[(&str, &str)], more: impl FnOnce(&mut Vec<u8>)) {
    for (at, (name, text)) in texts.iter().enumerate() {
        out.push(if at == 0 { b'{' } else { b',' });
        text_to(name, out);
        out.push(b':');
        text_to(text, out);
    }
    more(out);
    out.push(b'}');
}

/// The types that the target-header protocol gives to reasons.
#[derive(Debug)]
pub struct Exceptions(HashMap<String, String>);

/// What that protocol calls a fault of the server: the only one that is not HTTP 400.
const FAULT: &str = "InternalErrorException";

impl Exceptions {
    /// Reads them from the contract.
    pub fn new(pool: &DescriptorPool) -> Self {
        let reasons = pool.get_enum_by_name("goodturn.common.v1.ErrorReason");
        let values = reasons.iter().flat_map(prost_reflect::EnumDescriptor::values);
        Self(
            values
                .filter_map(|value| {
                    let reason = ErrorReason::try_from(value.number()).ok()?;
                    Some((reason_name(reason).to_owned(), options::words(&value)?.exception))
                })
                .filter(|(_, exception)| !exception.is_empty())
                .collect(),
        )
    }

    /// The answer of the target-header face: `{"__type","message"}`.
    pub fn response(&self, problem: &Problem, request_id: &str) -> Response {
        let exception = self.0.get(&problem.reason).map_or("InvalidParameterException", String::as_str);
        let mut out = Vec::with_capacity(128);
        object(&mut out, &[("__type", exception), ("message", &problem.message)], |_| {});
        let mut response = Response::new(Body::from(out));
        // One that took too long or cannot be served now is told as everywhere; who went away is no fault.
        let fault = exception == FAULT && problem.http.is_server_error();
        *response.status_mut() = if fault { problem.http } else { StatusCode::BAD_REQUEST };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(super::target::CONTENT_TYPE));
        insert(headers, super::target::ERROR_TYPE, exception);
        insert(headers, super::target::REQUEST_ID, request_id);
        problem.say_when(headers);
        response
    }
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
