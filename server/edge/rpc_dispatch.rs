//! Every RPC of the node, and what each call of one passes: admission, the member's rate, the deadline, metrics and one log line.

use crate::{
    auth::{self, Admitted, Gate, Unfit},
    call::{At, Call},
    db::{GRACE, Pool, Share},
    edge::{
        body_timeout::Progress,
        deadline,
        limits::{ClientAddress, Limiter, household},
        metrics::Tally,
        request::REQUEST_ID,
    },
    error::{Error, Reason},
    ids::MemberId,
    pb,
};
use axum::{
    BoxError,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Uri},
    response::Response,
};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body::{Frame, SizeHint};
use prost_reflect::MethodDescriptor;
use std::{
    collections::HashMap,
    convert::Infallible,
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tonic::{Code, Status, server::NamedService};
use tower::Service;

type Served = BoxFuture<'static, Result<axum::http::Response<tonic::body::Body>, Infallible>>;
type Serve = Arc<dyn Fn(Request) -> Served + Send + Sync>;

/// The services of a node, by their names.
#[derive(Clone, Default)]
pub struct Services(HashMap<&'static str, Serve>);

impl Services {
    /// These and one more.
    #[must_use]
    pub fn and<S>(mut self, service: S) -> Self
    where
        S: NamedService + Clone + Send + Sync + 'static,
        S: Service<Request, Response = axum::http::Response<tonic::body::Body>, Error = Infallible, Future = Served>,
    {
        self.0.insert(S::NAME, Arc::new(move |request| service.clone().call(request)));
        self
    }
}

/// The rates of RPCs.
pub struct Rates {
    /// Of one member.
    pub per_member: Limiter<MemberId>,
    /// Of one address, for each operation that goes without a token: these are what guessing is done with.
    pub per_operation: Limiter<(IpAddr, String)>,
}

/// Answers calls of gRPC. Clones are the same.
#[derive(Clone)]
pub struct Calls(Arc<Parts>);

struct Parts {
    services: Services,
    gate: Gate,
    rates: Rates,
    deadline: Duration,
    rpcs: HashMap<String, Rpc>,
    /// Of what is no RPC of the contract: an unknown path would make a metric of its own.
    others: Arc<Tally>,
}

struct Rpc {
    streams: bool,
    /// Of its service.
    share: Arc<Share>,
    tally: Arc<Tally>,
}

impl Calls {
    /// The services behind the gate, with the rates, the longest that a call may take, and the database, of which each service gets a share.
    pub fn new(services: Services, gate: Gate, rates: Rates, deadline: Duration, pool: &Pool) -> Self {
        let mut shares = HashMap::new();
        let mut rpc = |method: &MethodDescriptor, path: &str| {
            let share = shares.entry(method.parent_service().full_name().to_owned()).or_insert_with(|| pool.share()).clone();
            Rpc { streams: method.is_server_streaming(), share, tally: Arc::new(Tally::new(path)) }
        };
        let rpcs = pb::methods().map(|m| (pb::rpc_path(&m), m)).map(|(path, m)| (path.clone(), rpc(&m, &path))).collect();
        Self(Arc::new(Parts { services, gate, rates, deadline, rpcs, others: Arc::new(Tally::new("unknown")) }))
    }

    /// Whether a path is one of a service.
    pub fn serve(&self, path: &str) -> bool {
        self.0.service(path).is_some()
    }

    /// Answers a call. Whatever is wrong with it stands in the answer, as gRPC has it.
    pub async fn answer(&self, mut request: Request) -> Response {
        let rpc = self.0.rpcs.get(request.uri().path());
        let mut watch = Watch::begin(&request, rpc.map_or(&self.0.others, |rpc| &rpc.tally));
        let progress = request.extensions().get::<Arc<Progress>>().cloned();
        let answered = match self.0.admit(&mut request, &mut watch).await {
            Ok(asked) => self.0.within_deadline(rpc, asked, request, watch.id.clone()).await,
            Err(status) => status.into_http(),
        };
        watch.over(blame(answered, progress.as_deref()))
    }
}

impl<B> Service<axum::http::Request<B>> for Calls
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: axum::http::Request<B>) -> Self::Future {
        let (calls, request) = (self.clone(), request.map(Body::new));
        Box::pin(async move { Ok(calls.answer(request).await) })
    }
}

impl Parts {
    /// Whether the call may be made. How long it may take, if its caller says so.
    async fn admit(&self, request: &mut Request, watch: &mut Watch) -> Result<Option<Duration>, Status> {
        let unfit = request.extensions_mut().remove::<Unfit>();
        if !auth::OPEN.iter().any(|prefix| request.uri().path().starts_with(prefix)) {
            self.count(request, unfit.is_some(), watch).await?;
        }
        match unfit {
            Some(Unfit(status)) => Err(status),
            None => Ok(deadline::asked(request.headers())?),
        }
    }

    /// Counts the call on the rate of who makes it. Nobody is asked for the caller of an unfit one.
    async fn count(&self, request: &mut Request, unfit: bool, watch: &mut Watch) -> crate::error::Result<()> {
        let path = request.uri().path();
        if auth::PUBLIC.contains(&path)
            && let Some(ClientAddress(address)) = request.extensions().get()
        {
            self.rates.per_operation.count(&(household(*address), path.to_owned()))?;
        }
        let caller = match request.extensions_mut().remove::<Admitted>() {
            Some(Admitted(caller)) => caller,
            None if unfit => None,
            None => self.gate.admit(request.uri().path(), request.headers()).await?,
        };
        if let Some(caller) = caller {
            watch.member = Some(caller.member);
            self.rates.per_member.count(&caller.member)?;
            request.extensions_mut().insert(caller);
        }
        Ok(())
    }

    async fn within_deadline(&self, rpc: Option<&Rpc>, asked: Option<Duration>, request: Request, id: Option<HeaderValue>) -> Response {
        let limit = asked.map_or(self.deadline, |a| a.min(self.deadline));
        let now = tokio::time::Instant::now();
        if limit.is_zero() {
            return Status::from(deadline::exceeded()).into_http();
        }
        let at = request.extensions().get::<At>().cloned();
        let agent = request.headers().get(axum::http::header::USER_AGENT).cloned();
        let running = self.serve(request);
        let done = match rpc {
            // What it asks of the database ends with it, and counts on the share of its service.
            Some(rpc) => {
                let call = Call { share: rpc.share.clone(), until: now + limit, request_id: id, agent };
                tokio::time::timeout(limit + GRACE, At::scope(at, call.scope(running))).await
            }
            None => tokio::time::timeout(limit, running).await,
        };
        match (done, asked) {
            (Err(_), _) => Status::from(deadline::exceeded()).into_http(),
            (Ok(response), Some(asked)) if rpc.is_some_and(|rpc| rpc.streams) => deadline::bound_stream(response, now + asked),
            (Ok(response), _) => response,
        }
    }

    /// The service that a path names.
    fn service(&self, path: &str) -> Option<&Serve> {
        path.split('/').nth(1).and_then(|name| self.services.0.get(name))
    }

    async fn serve(&self, request: Request) -> Response {
        match self.service(request.uri().path()) {
            Some(serve) => match serve(request).await {
                Ok(response) => response.map(Body::new),
                Err(never) => match never {},
            },
            None => Status::from(auth::no_such_rpc()).into_http(),
        }
    }
}

/// Bytes that are no call, or too many of them, are the caller's mistake, though the library calls the first a fault of the server. Its
/// own statuses have no details; ours always do.
fn blame(response: Response, body: Option<&Progress>) -> Response {
    let headers = response.headers();
    if headers.contains_key("grpc-status-details-bin") {
        return response;
    }
    match code_of(headers) {
        Some(code) if code != Code::Ok && body.is_some_and(Progress::is_late) => deadline::body_came_late().into_http(),
        Some(code) if code != Code::Ok && body.is_some_and(Progress::is_broken) => {
            Status::from(Error::new(Reason::Cancelled, "the body is incomplete")).into_http()
        }
        Some(Code::Internal | Code::Unknown) => Status::from(Error::malformed("the body is not a valid call of this RPC")).into_http(),
        Some(Code::OutOfRange) => Status::from(Error::new(Reason::TooLarge, "the message is too large")).into_http(),
        _ => response,
    }
}

fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|v| Code::from_bytes(v.as_bytes()))
}

/// Counts and logs one call when its code is known: at once for a failure, at the trailers otherwise, as cancelled when nobody waits for
/// them any more.
struct Watch {
    tally: Arc<Tally>,
    uri: Uri,
    id: Option<HeaderValue>,
    member: Option<MemberId>,
    began: Instant,
    /// Until the answer's headers.
    took: Option<Duration>,
    ended: bool,
}

impl Watch {
    fn begin(request: &Request, tally: &Arc<Tally>) -> Self {
        let id = request.headers().get(REQUEST_ID).cloned();
        Self { tally: tally.clone(), uri: request.uri().clone(), id, member: None, began: Instant::now(), took: None, ended: false }
    }

    /// The answer, which is watched to its end.
    fn over(mut self, response: Response) -> Response {
        self.took = Some(self.began.elapsed());
        if let Some(code) = code_of(response.headers()) {
            self.end(code);
            return response;
        }
        response.map(|body| Body::new(Watched { body, watch: self }))
    }

    fn end(&mut self, code: Code) {
        self.ended = true;
        let took = self.took.unwrap_or_else(|| self.began.elapsed());
        self.tally.count(code, took);
        let request_id = self.id.as_ref().and_then(|id| id.to_str().ok());
        let (member, ms) = (self.member.map(tracing::field::display), took.as_secs_f64() * 1000.0);
        tracing::info!(path = self.uri.path(), request_id, member, code = ?code, ms, "done");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.ended {
            self.end(Code::Cancelled);
        }
    }
}

struct Watched {
    body: Body,
    watch: Watch,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(code) = frame.trailers_ref().and_then(code_of)
        {
            self.watch.end(code);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
