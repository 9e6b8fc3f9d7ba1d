//! The Connect face: the same services for clients that speak Connect, as `buf curl` does unless told otherwise. Its messages and errors are
//! those of the protocol (connectrpc.com/docs/protocol), not of the REST paths.

mod answer;
mod form;
mod words;

use super::{
    Transcoder, call,
    stream::{self, FRAME_HEAD},
};
use crate::{
    auth,
    edge::deadline,
    error::{Error, FieldReason, Result},
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{self, HeaderMap, HeaderName, HeaderValue, Method, Uri, header, request::Parts},
    response::Response,
};
#[cfg(test)]
pub use form::read_json;
pub use form::{Asked, Form, Kind};
use prost_reflect::{MethodDescriptor, prost_types::method_options::IdempotencyLevel};
use tonic::Status;
use tower::Service;

const TIMEOUT: &str = "connect-timeout-ms";
const VERSION: &str = "connect-protocol-version";
/// How the messages of a stream are compressed. Of all else it is HTTP's own header.
const STREAM_ENCODING: HeaderName = HeaderName::from_static("connect-content-encoding");

impl<S, B> Transcoder<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Into<axum::BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    /// Answers a call of Connect.
    pub(super) async fn connect(&self, asked: Asked, request: Request) -> Response {
        let method = self.methods.get(request.uri().path());
        if asked.kind == Kind::Get && !method.is_some_and(reads_only) {
            return answer::only_post();
        }
        let (head, body) = request.into_parts();
        let answered = match asked.kind {
            Kind::Stream => self.streamed(asked.form, method, head, body).await,
            Kind::Get | Kind::Unary => self.unary(asked, method, head, body).await,
        };
        answered.unwrap_or_else(|status| answer::refusal(asked, &status))
    }

    async fn unary(&self, asked: Asked, method: Option<&MethodDescriptor>, mut head: Parts, body: Body) -> Result<Response, Status> {
        let message = self.message_alone(asked, method, &mut head, body).await;
        let (parts, body) = self.serve(path(&head)?, head, message).await?.into_parts();
        stream::check(&parts.headers)?;
        let wire = stream::single(body).await?;
        let mut response = Response::new(Body::from(asked.form.write(method, wire)?));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(asked.form.unary_type()));
        call::keep_headers(&parts.headers, response.headers_mut());
        Ok(response)
    }

    async fn message_alone(
        &self,
        asked: Asked,
        method: Option<&MethodDescriptor>,
        head: &mut Parts,
        body: Body,
    ) -> Result<Vec<u8>, Status> {
        self.begin(head).await?;
        if method.is_some_and(|m| m.is_server_streaming() || m.is_client_streaming()) {
            let text = "must be application/connect+json or application/connect+proto for this RPC";
            return Err(call::unsupported("content-type", text).into());
        }
        let given = match asked.kind {
            Kind::Get => form::in_query(&head.uri)?,
            _ => self.collect(head, body).await?,
        };
        let mut message = vec![0; FRAME_HEAD];
        asked.form.read(method, &given, &mut message)?;
        stream::frame(&mut message)?;
        Ok(message)
    }

    async fn streamed(&self, form: Form, method: Option<&MethodDescriptor>, mut head: Parts, body: Body) -> Result<Response, Status> {
        let messages = self.messages(form, method, &mut head, body).await;
        let (parts, body) = self.serve(path(&head)?, head, messages).await?.into_parts();
        stream::check(&parts.headers)?;
        let mut response = Response::new(answer::stream(form, method.cloned(), body));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(form.stream_type()));
        call::keep_headers(&parts.headers, response.headers_mut());
        Ok(response)
    }

    /// The messages as gRPC frames them; in the binary form these are its frames.
    async fn messages(&self, form: Form, method: Option<&MethodDescriptor>, head: &mut Parts, body: Body) -> Result<Body, Status> {
        self.begin(head).await?;
        Ok(match form {
            Form::Proto => body,
            Form::Json => Body::from(form.read_frames(method, self.collect(head, body).await?)?),
        })
    }

    async fn begin(&self, head: &mut Parts) -> Result<(), Status> {
        self.check_length(head)?;
        // Health and reflection are no calls of ours.
        if !auth::OPEN.iter().any(|prefix| head.uri.path().starts_with(prefix)) {
            let path = head.uri.path().to_owned();
            self.admit(&path, head).await?;
        }
        protocol(&mut head.headers)
    }
}

/// Of the RPC, without the query of a GET.
fn path(head: &Parts) -> Result<Uri> {
    Uri::builder().path_and_query(head.uri.path()).build().map_err(Error::internal)
}

/// What the protocol's own headers ask for; the deadline is told on as gRPC spells it.
fn protocol(headers: &mut HeaderMap) -> Result<(), Status> {
    if headers.get(VERSION).is_some_and(|v| v != "1") {
        return Err(Error::field(VERSION, FieldReason::Invalid, "must be 1").into());
    }
    for encoding in [header::CONTENT_ENCODING, STREAM_ENCODING] {
        form::plain(headers.get(&encoding).map(|given| String::from_utf8_lossy(given.as_bytes())))?;
    }
    let Some(given) = headers.remove(TIMEOUT) else { return Ok(()) };
    let wrong = || Error::field(TIMEOUT, FieldReason::Invalid, "must be 1 to 10 digits: milliseconds");
    let digits = given.to_str().ok().filter(|text| (1..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()));
    let milliseconds: u64 = digits.and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
    // gRPC has at most eight digits: in seconds ten of milliseconds fit, rounded up.
    let told = if milliseconds < 100_000_000 { format!("{milliseconds}m") } else { format!("{}S", milliseconds.div_ceil(1000)) };
    headers.insert(deadline::HEADER, HeaderValue::try_from(told).map_err(Error::internal)?);
    Ok(())
}

/// Whether a call may be made by GET: it changes nothing, and is no stream.
fn reads_only(method: &MethodDescriptor) -> bool {
    let level = method.method_descriptor_proto().options.as_ref().map(prost_reflect::prost_types::MethodOptions::idempotency_level);
    level == Some(IdempotencyLevel::NoSideEffects) && !method.is_server_streaming()
}

/// How a request speaks Connect; `None` when it does not.
pub fn asked(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Asked> {
    is_rpc(uri.path()).then(|| form::asked(method, uri, headers)).flatten()
}

/// A refusal in Connect, of a request that speaks it.
pub fn refusal<B>(request: &http::Request<B>, status: &Status) -> Option<Response> {
    asked(request.method(), request.uri(), request.headers()).map(|asked| answer::refusal(asked, status))
}

/// Paths of RPCs begin with the name of a package, which no other path has.
fn is_rpc(path: &str) -> bool {
    let mut parts = path.strip_prefix('/').unwrap_or(path).split('/');
    let (service, method, more) = (parts.next(), parts.next(), parts.next());
    service.is_some_and(|name| name.contains('.')) && method.is_some_and(|name| !name.is_empty()) && more.is_none()
}
