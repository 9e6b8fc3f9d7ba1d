//! One call: admission, the message out of path, query and body, the RPC, and its answer as JSON.

use super::{
    Face, Transcoder,
    read::{self, Found},
    routes::Binding,
    stream::{self, FRAME_HEAD, Form},
    target,
    text::{self, delimited},
    write::{self, Broken},
};
use crate::{
    auth::{Admitted, Unfit},
    edge::request::{HEALTH_BYTES_MAX, is_health},
    error::{Error, FieldReason, Reason, Result},
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{self, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header, request::Parts, uri::PathAndQuery},
    response::Response,
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use prost::Message as _;
use prost_types::FieldMask;
use std::{error::Error as StdError, sync::Arc};
use tonic::Status;
use tower::{Service, ServiceExt};

impl<S, B> Transcoder<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Into<axum::BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    pub(super) async fn call(
        &self,
        face: Face,
        binding: &Arc<Binding>,
        values: Result<Vec<String>>,
        request: Request,
        request_id: &str,
    ) -> std::result::Result<Response, Status> {
        let (mut head, body) = request.into_parts();
        let form = Form::asked(&head.headers);
        let message = self.message(face, binding, values, &mut head, body).await;
        let response = self.serve(binding.rpc.clone(), head, message).await?;
        self.respond(face, binding, response, form, request_id).await
    }

    /// The message of a call that may be made.
    async fn message(
        &self,
        face: Face,
        binding: &Binding,
        values: Result<Vec<String>>,
        head: &mut Parts,
        body: Body,
    ) -> std::result::Result<Vec<u8>, Status> {
        self.admit(binding.rpc.path(), head).await?;
        let body = match binding.body {
            Some(_) => self.read_body(head, body).await?,
            None => Bytes::new(),
        };
        let mut message = vec![0; FRAME_HEAD];
        self.fill(face, binding, values?, head, &body, &mut message)?;
        stream::frame(&mut message)?;
        Ok(message)
    }

    /// First of all that can fail for the caller: a stranger learns nothing of what a good request is.
    pub(super) async fn admit(&self, rpc: &str, head: &mut Parts) -> std::result::Result<(), Status> {
        self.check_length(head)?;
        let caller = self.gate.admit(rpc, &head.headers).await?;
        head.extensions.insert(Admitted(caller));
        Ok(())
    }

    /// Calls the RPC behind the request as a gRPC client would, even when there is no message to call it with: then it is refused there,
    /// where calls are counted.
    pub(super) async fn serve<M: Into<Body>>(
        &self,
        path: Uri,
        mut head: Parts,
        message: std::result::Result<M, Status>,
    ) -> Result<http::Response<B>> {
        let body = message.map(Into::into).unwrap_or_else(|status| {
            head.extensions.insert(Unfit(status));
            Body::empty()
        });
        let called = self.service.clone().oneshot(rpc(path, head, body)).await;
        called.map_err(|e| Error::internal(anyhow::anyhow!("the service failed: {}", e.into())))
    }

    /// Refuses a body that says itself that it is too long.
    pub(super) fn check_length(&self, head: &Parts) -> Result<()> {
        let length = head.headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|l| l > self.bytes_max(head)) { Err(self.too_large(head)) } else { Ok(()) }
    }

    /// Who asks for health passes no rate, and has little to say.
    fn bytes_max(&self, head: &Parts) -> usize {
        if is_health(head.uri.path()) { HEALTH_BYTES_MAX } else { self.body_bytes_max }
    }

    fn too_large(&self, head: &Parts) -> Error {
        Error::new(Reason::TooLarge, format!("the body must be at most {} bytes", self.bytes_max(head)))
    }

    async fn read_body(&self, head: &Parts, body: Body) -> std::result::Result<Bytes, Status> {
        check_type(&head.headers)?;
        self.collect(head, body).await
    }

    /// A body of whatever type, when it is not compressed and not too long.
    pub(super) async fn collect(&self, head: &Parts, body: Body) -> std::result::Result<Bytes, Status> {
        if head.headers.get(header::CONTENT_ENCODING).is_some_and(|v| v != "identity") {
            return Err(unsupported("content-encoding", "compressed bodies are not supported").into());
        }
        match Limited::new(body, self.bytes_max(head)).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(e) if is_too_long(&*e) => Err(self.too_large(head).into()),
            Err(e) => Err(told_why(&*e).unwrap_or_else(|| Error::malformed("the body is incomplete").into())),
        }
    }

    /// Builds the message. Where two places give the same field, the path wins.
    fn fill(&self, face: Face, binding: &Binding, values: Vec<String>, head: &Parts, body: &Bytes, out: &mut Vec<u8>) -> Result<()> {
        let mut found = match binding.body {
            Some(target) => {
                let (message, bound, with_mask) = (binding.input, binding.bound.as_slice(), binding.mask.is_some());
                let asked = read::Asked { message, target, bound, with_mask, exact: face == Face::Target };
                read::body(&self.plans, asked, body, out)?
            }
            None => Found::default(),
        };
        if !matches!(binding.body, Some(read::Target::Whole))
            && let Some(parameters) = head.uri.path_and_query().and_then(PathAndQuery::query)
        {
            found.given.extend(text::parameters(&self.plans, binding.input, &binding.bound, parameters, out)?);
        }
        for (number, wire) in &binding.defaults {
            if !found.given.contains(number) {
                out.extend_from_slice(wire);
            }
        }
        for (field, value) in binding.from_path.iter().zip(values) {
            field.write(&self.plans, &value, out)?;
        }
        if let (Some(number), Some(paths)) = (binding.mask, found.mask) {
            delimited(number, &FieldMask { paths }.encode_to_vec(), out);
        }
        Ok(())
    }

    async fn respond(
        &self,
        face: Face,
        binding: &Arc<Binding>,
        response: http::Response<B>,
        form: Form,
        request_id: &str,
    ) -> std::result::Result<Response, Status> {
        let (parts, body) = response.into_parts();
        stream::check(&parts.headers)?;
        if parts.status != StatusCode::OK {
            return Err(Error::internal(anyhow::anyhow!("the service answered HTTP {}", parts.status)).into());
        }
        let mut response = if binding.streams {
            let writer = stream::Writer { plans: self.plans.clone(), binding: binding.clone(), form, request_id: request_id.to_owned() };
            typed(stream::body(body, writer), form.content_type())
        } else {
            let wire = stream::single(body).await?;
            let mut json = Vec::with_capacity(wire.len() * 2 + 64);
            write::answer(&self.plans, &binding.answer, &wire, &mut json)
                .map_err(|Broken(e)| Error::internal(anyhow::anyhow!("an answer that breaks the contract: {e}")))?;
            let length = HeaderValue::from(json.len());
            let mut response = typed(Body::from(json), if face == Face::Target { target::CONTENT_TYPE } else { "application/json" });
            // Told here for HEAD, whose body is dropped.
            response.headers_mut().insert(header::CONTENT_LENGTH, length);
            response
        };
        keep_headers(&parts.headers, response.headers_mut());
        if face == Face::Target {
            response.headers_mut().extend(HeaderValue::from_str(request_id).map(|id| (target::REQUEST_ID, id)));
        }
        Ok(response)
    }
}

fn typed(body: Body, content_type: &'static str) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The headers of the service's answer that callers of every face are given.
pub fn keep_headers(from: &HeaderMap, to: &mut HeaderMap) {
    for (name, value) in from.iter().filter(|(name, _)| **name == header::SET_COOKIE || name.as_str().starts_with("x-")) {
        to.append(name, value.clone());
    }
}

/// The same call as a gRPC client would make it.
fn rpc(path: Uri, head: Parts, body: Body) -> http::Request<Body> {
    let mut request = http::Request::new(body);
    *request.method_mut() = Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = path;
    *request.headers_mut() = head.headers;
    *request.extensions_mut() = head.extensions;
    let headers = request.headers_mut();
    let ours: Vec<HeaderName> = headers.keys().filter(|name| !goes_through(name)).cloned().collect();
    for name in ours {
        headers.remove(name);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(header::TE, HeaderValue::from_static("trailers"));
    request
}

/// Whether a header is metadata of the call. Those of one connection, of the body and of gRPC itself are not; the deadline is.
fn goes_through(name: &HeaderName) -> bool {
    let name = name.as_str();
    name == crate::edge::deadline::HEADER
        || !(name.starts_with("content-")
            || name.starts_with("grpc-")
            || name.starts_with("connect-")
            || name.starts_with("proxy-")
            || matches!(
                name,
                "connection"
                    | "keep-alive"
                    | "te"
                    | "trailer"
                    | "transfer-encoding"
                    | "upgrade"
                    | "host"
                    | "accept"
                    | "accept-encoding"
                    | "expect"
            ))
}

/// A body is JSON. A form or plain text, which any site can make a browser send, is not read.
fn check_type(headers: &HeaderMap) -> Result<()> {
    let Some(given) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let given = given.to_str().unwrap_or("unreadable");
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if ["application/json", target::CONTENT_TYPE, target::OLDER_CONTENT_TYPE].contains(&essence.as_str()) {
        return Ok(());
    }
    Err(unsupported("content-type", &format!("must be application/json, not {given}")))
}

/// A body of a type or an encoding that is not read, by the header that says so.
pub fn unsupported(header: &str, text: &str) -> Error {
    Error::new(Reason::UnsupportedType, "").with_field(header, FieldReason::Invalid, text.to_owned())
}

/// What the edge says of a body that it gave up.
fn told_why(e: &(dyn StdError + 'static)) -> Option<Status> {
    e.downcast_ref::<Status>().cloned().or_else(|| e.source().and_then(told_why))
}

fn is_too_long(e: &(dyn StdError + 'static)) -> bool {
    e.is::<LengthLimitError>() || e.source().is_some_and(is_too_long)
}
