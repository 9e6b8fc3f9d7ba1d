//! The one service behind the port. Every request meets the front; then it is a call of gRPC, of gRPC-Web, of REST or Connect, or none:
//! health, discovery, a file of the app. CORS and compression stand around all of them for browsers, and are not asked by others.

use crate::{
    edge::{
        connection::Answers,
        http_middleware::{Front, own_request_id, refusal_json},
        request::{Protocol, REQUEST_ID, takes_compressed},
        rpc_dispatch::Calls,
    },
    error::{Error, FieldReason, Reason},
    rest::Transcoder,
};
use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header},
    response::Response,
};
use futures_util::{FutureExt, future::BoxFuture};
use std::{
    any::Any,
    convert::Infallible,
    net::SocketAddr,
    panic::AssertUnwindSafe,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tonic::Status;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, util::BoxCloneSyncService};
use tower_http::{
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
    cors::{AllowOrigin, CorsLayer},
};

/// Answers every request. Clones are the same.
#[derive(Clone)]
pub struct Port(Arc<Parts>);

struct Parts {
    front: Front,
    faces: Faces,
    browsers: BoxCloneSyncService<Request, Response, Infallible>,
}

impl Port {
    /// `beside` is what no call is; pages of the `origins` may call as the app itself does.
    pub fn new(front: Front, calls: Calls, rest: Arc<Transcoder<Calls>>, beside: Router, origins: Vec<HeaderValue>) -> Self {
        let faces = Faces(Arc::new(Behind { calls, rest, beside }));
        let compressed = DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"));
        let layers = ServiceBuilder::new().layer(cors(origins)).layer(CompressionLayer::new().compress_when(compressed));
        let browsers = BoxCloneSyncService::new(layers.service(faces.clone()).map_response(|response| response.map(Body::new)));
        Self(Arc::new(Parts { front, faces, browsers }))
    }
}

impl Answers for Port {
    async fn answer(&self, peer: SocketAddr, mut request: Request) -> Response {
        let Parts { front, faces, browsers } = &*self.0;
        let (protocol, seen) = (Protocol::of(request.headers()), front.receive(peer, &mut request));
        let head = request.method() == Method::HEAD;
        if let Err(e) = front.admit(seen.address, &request) {
            request.extensions_mut().insert(Refused(e.into()));
        }
        // In a box: what stands around browsers takes more room than all that gRPC needs.
        let mut response = match is_browsers(protocol, &mut request) {
            true => never_fails(Box::pin(browsers.clone().oneshot(request)).await),
            false => faces.answer(protocol, request).await,
        };
        front.finish(seen, protocol, &mut response);
        if head {
            *response.body_mut() = Body::empty();
        }
        response
    }
}

/// Whether a request may come from a browser, or wants what browsers want: it names an origin, takes a compressed answer, or asks what it
/// may ask.
fn is_browsers(protocol: Protocol, request: &mut Request) -> bool {
    if protocol == Protocol::Grpc {
        return false;
    }
    let compressed = takes_compressed(request.headers());
    if !compressed {
        // The layer would answer 406 to who takes nothing, after the work is done.
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    compressed || request.headers().contains_key(header::ORIGIN) || request.method() == Method::OPTIONS
}

/// Stands in the extensions of a request that is refused before it is a call: browsers read the refusal only as CORS lets them.
#[derive(Clone)]
struct Refused(Status);

/// What answers in each protocol.
#[derive(Clone)]
struct Faces(Arc<Behind>);

struct Behind {
    calls: Calls,
    rest: Arc<Transcoder<Calls>>,
    beside: Router,
}

impl Faces {
    /// Answers, even when it panics; the process goes on then.
    async fn answer(&self, protocol: Protocol, mut request: Request) -> Response {
        if let Some(Refused(status)) = request.extensions_mut().remove() {
            return self.refuse(protocol, &request, status);
        }
        let id = (protocol == Protocol::Http).then(|| request.headers().get(REQUEST_ID).cloned()).flatten();
        let answered = AssertUnwindSafe(self.serve(protocol, request)).catch_unwind().await;
        answered.unwrap_or_else(|panic| panicked(protocol, id, &*panic))
    }

    async fn serve(&self, protocol: Protocol, request: Request) -> Response {
        let posted = request.method() == Method::POST;
        match protocol {
            Protocol::Http => Box::pin(self.http(request)).await,
            Protocol::OtherGrpc => unsupported_type(),
            _ if !posted => not_posted(request.headers()),
            Protocol::Grpc if request.version() < Version::HTTP_2 => needs_http2(),
            Protocol::Grpc => self.0.calls.answer(request).await,
            Protocol::GrpcWeb | Protocol::GrpcWebText => Box::pin(self.grpc_web(protocol, request)).await,
        }
    }

    async fn http(&self, request: Request) -> Response {
        match self.0.rest.answer(request).await {
            Ok(response) => response,
            Err(other) if self.0.calls.serve(other.uri().path()) => {
                if other.method() == Method::POST {
                    unsupported_type()
                } else {
                    not_posted(other.headers())
                }
            }
            Err(other) => never_fails(self.0.beside.clone().oneshot(other).await),
        }
    }

    /// The library knows the types without parameters, and answers as `accept` says: who asks in text shall have it in text.
    async fn grpc_web(&self, protocol: Protocol, mut request: Request) -> Response {
        if let Some(kind) = protocol.content_type() {
            request.headers_mut().insert(header::CONTENT_TYPE, kind.clone());
            if protocol == Protocol::GrpcWebText {
                request.headers_mut().insert(header::ACCEPT, kind);
            }
        }
        never_fails(GrpcWebLayer::new().layer(self.0.calls.clone()).oneshot(request).await).map(Body::new)
    }

    /// Refuses what is no call yet, as its caller reads it.
    fn refuse(&self, protocol: Protocol, request: &Request, status: Status) -> Response {
        if protocol == Protocol::Http { self.0.rest.refusal(request, &status) } else { refused(protocol, status) }
    }
}

impl Service<Request> for Faces {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let faces = self.clone();
        Box::pin(async move { Ok(faces.answer(Protocol::of(request.headers()), request).await) })
    }
}

fn never_fails<T>(result: Result<T, Infallible>) -> T {
    result.unwrap_or_else(|never| match never {})
}

/// A refusal in gRPC, in whichever of its forms.
fn refused(protocol: Protocol, status: Status) -> Response {
    let mut response: Response = status.into_http();
    if let Some(kind) = protocol.content_type() {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// As the protocol wants it: HTTP 415, and what a gRPC client reads beside.
fn unsupported_type() -> Response {
    let text = "must be application/grpc, application/grpc-web or application/grpc-web-text, with or without +proto";
    let mut response = refused(Protocol::OtherGrpc, Error::field("content-type", FieldReason::Invalid, text).into());
    *response.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    response
}

/// There are no trailers to tell an answer's status in.
fn needs_http2() -> Response {
    let text = "application/grpc requires HTTP/2; over HTTP/1.1, use application/grpc-web or application/json";
    let mut response = refused(Protocol::Grpc, Error::field("content-type", FieldReason::Invalid, text).into());
    *response.status_mut() = StatusCode::HTTP_VERSION_NOT_SUPPORTED;
    response
}

fn not_posted(headers: &HeaderMap) -> Response {
    let mut response = refusal_json(&Error::new(Reason::MethodNotAllowed, "an RPC allows only POST"), own_request_id(headers));
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// Answers a panic with an internal error.
fn panicked(protocol: Protocol, id: Option<HeaderValue>, panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = text.unwrap_or("not a text"), "a call panicked");
    let error = Error::new(Reason::Internal, "an internal error occurred");
    let id = id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or_default();
    if protocol == Protocol::Http { refusal_json(&error, id) } else { refused(protocol, error.into()) }
}

fn cors(origins: Vec<HeaderValue>) -> CorsLayer {
    let headers = [
        "authorization",
        "content-type",
        "cache-control",
        "idempotency-key",
        "grpc-timeout",
        "connect-protocol-version",
        "connect-timeout-ms",
        "x-grpc-web",
        "x-user-agent",
        "x-request-id",
        "x-amz-target",
        "x-amz-user-agent",
        "x-amz-security-token",
        "amz-sdk-invocation-id",
        "amz-sdk-request",
    ];
    let exposed =
        ["grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id", "retry-after", "x-amzn-errortype", "x-amzn-requestid"];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(headers.map(HeaderName::from_static))
        .expose_headers(exposed.map(HeaderName::from_static))
        .max_age(Duration::from_secs(7200))
}
