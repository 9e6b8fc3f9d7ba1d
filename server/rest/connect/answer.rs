//! Answers of Connect: errors with their codes, and streams that end with a frame of their own.

use super::form::{Asked, Form, Kind};
use crate::{
    error::{Error, Reason},
    rest::{
        status::http,
        stream::{self, FRAME_HEAD},
    },
};
use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use bytes::BytesMut;
use http_body_util::BodyExt;
use prost::Message as _;
use prost_reflect::MethodDescriptor;
use serde_json::{Value, json};
use std::{convert::Infallible, pin::Pin};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// The flag of the frame that ends a stream.
const END: u8 = 2;

/// What is read of all that HTTP and the protocol could compress with.
const PLAIN: HeaderValue = HeaderValue::from_static("identity");
const STREAM_ACCEPTS: HeaderName = HeaderName::from_static("connect-accept-encoding");

/// A failure before there was an answer: of a plain call with the HTTP status of its code, of a stream as its only frame. It may be one of a
/// request that was compressed, so it says what is read.
pub fn refusal(asked: Asked, status: &Status) -> Response {
    if asked.kind == Kind::Stream {
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(asked.form.stream_type())), (STREAM_ACCEPTS, PLAIN)];
        return (headers, end(Some(status))).into_response();
    }
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json")), (header::ACCEPT_ENCODING, PLAIN)];
    (http_status(status), headers, error(status).to_string()).into_response()
}

/// A GET of what changes something.
pub fn only_post() -> Response {
    let refused = Status::from(Error::new(Reason::MethodNotAllowed, "this RPC allows POST"));
    let mut response = refusal(Asked { form: Form::Json, kind: Kind::Get }, &refused);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// As the protocol has it, but for reasons that HTTP tells apart; it has 400 where REST has 409 for a state.
fn http_status(status: &Status) -> StatusCode {
    let reason = status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default();
    if status.code() == Code::FailedPrecondition { StatusCode::BAD_REQUEST } else { http(status.code(), &reason) }
}

fn error(status: &Status) -> Value {
    let details = tonic_types::pb::Status::decode(status.details()).unwrap_or_default().details;
    let detail = |any: &prost_types::Any| {
        let name = any.type_url.rsplit('/').next().unwrap_or_default();
        json!({"type": name, "value": STANDARD_NO_PAD.encode(&any.value)})
    };
    json!({"code": code(status.code()), "message": status.message(), "details": details.iter().map(detail).collect::<Vec<_>>()})
}

const fn code(code: Code) -> &'static str {
    match code {
        Code::Cancelled => "canceled",
        Code::InvalidArgument => "invalid_argument",
        Code::DeadlineExceeded => "deadline_exceeded",
        Code::NotFound => "not_found",
        Code::AlreadyExists => "already_exists",
        Code::PermissionDenied => "permission_denied",
        Code::ResourceExhausted => "resource_exhausted",
        Code::FailedPrecondition => "failed_precondition",
        Code::Aborted => "aborted",
        Code::OutOfRange => "out_of_range",
        Code::Unimplemented => "unimplemented",
        Code::Internal => "internal",
        Code::Unavailable => "unavailable",
        Code::DataLoss => "data_loss",
        Code::Unauthenticated => "unauthenticated",
        Code::Ok | Code::Unknown => "unknown",
    }
}

/// The frame that ends a stream, well or with a failure.
fn end(failed: Option<&Status>) -> Bytes {
    let told = failed.map_or_else(|| json!({}), |status| json!({"error": error(status)}));
    framed(END, told.to_string().as_bytes())
}

fn framed(flag: u8, message: &[u8]) -> Bytes {
    let mut out = vec![0; FRAME_HEAD];
    out.extend_from_slice(message);
    // No message of ours is longer than a frame may be.
    if stream::frame(&mut out).is_ok()
        && let Some(first) = out.first_mut()
    {
        *first = flag;
    }
    out.into()
}

/// The messages of a stream as they come, and its end.
pub fn stream<B>(form: Form, method: Option<MethodDescriptor>, body: B) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let state = Frames { form, method, body: Some(Box::pin(body)), buffer: BytesMut::new() };
    Body::from_stream(futures_util::stream::unfold(
        state,
        |mut state| async move { Some((Ok::<_, Infallible>(state.next().await?), state)) },
    ))
}

struct Frames<B> {
    form: Form,
    method: Option<MethodDescriptor>,
    /// `None` after its end.
    body: Option<Pin<Box<B>>>,
    buffer: BytesMut,
}

impl<B> Frames<B>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = stream::next(&mut self.buffer) {
                return Some(match self.form.write(self.method.as_ref(), message) {
                    Ok(message) => framed(0, &message),
                    Err(e) => self.ends(Some(&e.into())),
                });
            }
            match self.body.as_mut()?.frame().await {
                None => return Some(self.ends(None)),
                Some(Err(e)) => return Some(self.ends(Some(&stream::lost(e)))),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.buffer.extend_from_slice(&data),
                    Err(frame) => return Some(self.ends(frame.trailers_ref().and_then(|t| stream::check(t).err()).as_ref())),
                },
            }
        }
    }

    fn ends(&mut self, failed: Option<&Status>) -> Bytes {
        self.body = None;
        self.buffer.clear();
        end(failed)
    }
}
