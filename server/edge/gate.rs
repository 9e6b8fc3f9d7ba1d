//! The layer around every RPC: admission, the member's rate, the deadline, metrics and one log line.

use crate::{
    auth::{self, Admitted, Gate},
    db::{Call, GRACE, Pool, Share},
    edge::{
        deadline, front,
        limits::{ClientAddress, Limiter, household},
        metrics,
        request::is_grpc,
    },
    error::{Error, Reason},
    ids::MemberId,
    pb,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};
use http_body_util::BodyExt;
use prost_reflect::MethodDescriptor;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};
use tonic::{Code, Status, metadata::MetadataMap};
use tracing::Instrument;

/// What the layer needs.
#[derive(Clone)]
pub struct Guard(Arc<Parts>);

/// The rates of RPCs.
pub struct Rates {
    /// Of one member.
    pub per_member: Limiter<MemberId>,
    /// Of one address, for each operation that goes without a token: these are what guessing is done with.
    pub per_operation: Limiter<(IpAddr, String)>,
}

struct Parts {
    gate: Gate,
    rates: Rates,
    deadline: Duration,
    rpcs: HashMap<String, Rpc>,
}

struct Rpc {
    streams: bool,
    /// Of its service.
    share: Arc<Share>,
}

impl Guard {
    /// With the gate, the rates, the longest that a call may take, and the database, of which each service gets a share.
    pub fn new(gate: Gate, rates: Rates, deadline: Duration, pool: &Pool) -> Self {
        let mut shares = HashMap::new();
        let mut rpc = |method: &MethodDescriptor| {
            let share = shares.entry(method.parent_service().full_name().to_owned()).or_insert_with(|| pool.share()).clone();
            Rpc { streams: method.is_server_streaming(), share }
        };
        let rpcs = pb::methods().map(|m| (pb::rpc_path(&m), rpc(&m))).collect();
        Self(Arc::new(Parts { gate, rates, deadline, rpcs }))
    }
}

/// Runs one RPC.
pub async fn layer(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return not_posted();
    }
    if !is_grpc(request.headers()) {
        return front::unsupported_type();
    }
    let began = Instant::now();
    let path = request.uri().path().to_owned();
    let request_id = request.headers().get("x-request-id").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let span = tracing::info_span!("rpc", path, request_id, member = tracing::field::Empty);
    let response = async {
        match admit(&guard.0, &path, &mut request).await {
            Ok(asked) => within_deadline(&guard.0, &path, asked, request, next).await,
            Err(e) => Status::from(e).into_http::<Body>(),
        }
    }
    .instrument(span.clone())
    .await;
    // An unknown path would make a metric of its own.
    let label = if guard.0.rpcs.contains_key(&path) { path } else { "unknown".to_owned() };
    observe(blame(response), label, began, span)
}

/// Over HTTP/1 such a request does not come so far.
fn not_posted() -> Response {
    let mut response = front::refusal_json(&Error::new(Reason::MethodNotAllowed, "an RPC has POST"), "");
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// Whether the call may be made. How long it may take, if its caller says so.
async fn admit(parts: &Parts, path: &str, request: &mut Request) -> crate::error::Result<Option<Duration>> {
    if auth::OPEN.iter().any(|prefix| path.starts_with(prefix)) {
        return deadline::asked(request.headers());
    }
    if auth::PUBLIC.contains(&path)
        && let Some(ClientAddress(address)) = request.extensions().get()
    {
        parts.rates.per_operation.count(&(household(*address), path.to_owned()))?;
    }
    let caller = match request.extensions_mut().remove::<Admitted>() {
        Some(Admitted(caller)) => caller,
        None => {
            // Borrowed for the look-up: the metadata map has no form that only reads headers.
            let metadata = MetadataMap::from_headers(std::mem::take(request.headers_mut()));
            let admitted = parts.gate.admit(path, &metadata).await;
            *request.headers_mut() = metadata.into_headers();
            admitted?
        }
    };
    if let Some(caller) = caller {
        tracing::Span::current().record("member", tracing::field::display(caller.member));
        parts.rates.per_member.count(&caller.member)?;
        request.extensions_mut().insert(caller);
    }
    deadline::asked(request.headers())
}

async fn within_deadline(parts: &Parts, path: &str, asked: Option<Duration>, request: Request, next: Next) -> Response {
    let limit = asked.map_or(parts.deadline, |a| a.min(parts.deadline));
    let ends = asked.map(|a| tokio::time::Instant::now() + a);
    let running = next.run(request);
    let rpc = parts.rpcs.get(path);
    let done = match rpc {
        // What it asks of the database ends with it, and counts on the share of its service.
        Some(rpc) => {
            let call = Call { share: rpc.share.clone(), until: tokio::time::Instant::now() + limit };
            tokio::time::timeout(limit + GRACE, call.scope(running)).await
        }
        None => tokio::time::timeout(limit, running).await,
    };
    match done {
        Err(_) => Status::from(deadline::exceeded()).into_http(),
        Ok(response) => match ends.filter(|_| rpc.is_some_and(|rpc| rpc.streams)) {
            Some(at) => deadline::bound_stream(response, at),
            None => response,
        },
    }
}

/// Counts the call when its status is known: at once for a failure, at the trailers otherwise.
fn observe(response: Response, path: String, began: Instant, span: tracing::Span) -> Response {
    let elapsed = began.elapsed();
    if let Some(code) = code_of(response.headers()) {
        done(&path, code, elapsed, &span);
        return response;
    }
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            if let Some(code) = frame.trailers_ref().and_then(code_of) {
                done(&path, code, elapsed, &span);
            }
            frame
        }))
    })
}

/// Bytes that are no call, or too many of them, are the caller's mistake, though the library calls the first a fault of the server. Its
/// own statuses have no details; ours always do.
fn blame(response: Response) -> Response {
    let headers = response.headers();
    if headers.contains_key("grpc-status-details-bin") {
        return response;
    }
    match code_of(headers) {
        Some(Code::Internal | Code::Unknown) => Status::from(Error::malformed("the bytes are not a call of this RPC")).into_http(),
        Some(Code::OutOfRange) => Status::from(Error::new(Reason::TooLarge, "the message is larger than the server reads")).into_http(),
        _ => response,
    }
}

fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|v| Code::from_bytes(v.as_bytes()))
}

fn done(path: &str, code: Code, elapsed: Duration, span: &tracing::Span) {
    metrics::rpc(path, code, elapsed);
    let _in = span.enter();
    tracing::info!(code = ?code, ms = elapsed.as_secs_f64() * 1000.0, "done");
}
