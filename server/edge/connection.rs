//! One connection from its first byte to its end: it must ask something soon, may rest between calls for a while, and leaves when told.

use crate::edge::{
    body_timeout::{self, Arrival, Arriving, Left, Progress},
    connection_limits::{Held, Place},
    overload::{Admitted, Overload, Verdict},
    slow_reader::{Answer, Ears, Ending, Paced, Streams},
};
use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Request, Version, header},
    response::Response,
};
use futures_util::future::{Either, ready};
use http_body::Body as _;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto,
};
use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const PING_EVERY: Duration = Duration::from_secs(20);
const PONG_WITHIN: Duration = Duration::from_secs(10);
const STREAMS_MAX: u32 = 256;
const RESETS_MAX: usize = 64;
const HEADER_BYTES_MAX: u32 = 32 * 1024;
/// How long a peer that has asked nothing yet may still do so when the server stops.
const FIRST_WORDS_WITHIN: Duration = Duration::from_secs(1);
/// How long a peer that was told to leave may stay when it has nothing to wait for.
const GOODBYE_WITHIN: Duration = Duration::from_secs(2);

/// How long the peer of a connection is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until the first request; from a request's first byte to the end of its head; until a part of an answer is taken.
    pub progress: Duration,
    /// Between calls.
    pub idle: Duration,
}

/// What answers the requests of a connection.
pub trait Answers: Clone + Send + Sync + 'static {
    /// The answer to one. `peer` is the other end of the connection.
    fn answer(&self, peer: SocketAddr, request: Request<Body>) -> impl Future<Output = Response> + Send;
}

impl Answers for Router {
    async fn answer(&self, _: SocketAddr, request: Request<Body>) -> Response {
        self.clone().oneshot(request).await.unwrap_or_else(|never| match never {})
    }
}

/// How connections are served.
pub struct Serving {
    http: auto::Builder<Streams>,
    patience: Patience,
    arrival: Arrival,
    overload: Option<Overload>,
}

impl Serving {
    /// HTTP/1 and HTTP/2, with these bounds.
    pub fn new(patience: Patience, arrival: Arrival, overload: Option<Overload>) -> Self {
        let mut http = auto::Builder::new(Streams { within: patience.progress, overload: overload.clone() });
        // Heads are timed below: the library's timer would also end connections that rest between calls.
        http.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(64 * 1024);
        http.http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PONG_WITHIN)
            .max_concurrent_streams(STREAMS_MAX)
            .max_pending_accept_reset_streams(RESETS_MAX)
            .max_header_list_size(HEADER_BYTES_MAX);
        Self { http, patience, arrival, overload }
    }

    /// Serves one connection until it ends. At `leave` it finishes its calls and takes no more.
    pub async fn run(
        &self,
        io: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        app: impl Answers,
        place: Place,
        leave: CancellationToken,
    ) {
        let talk = Talk::new(place);
        let io = Paced::new(io, self.patience.progress, talk.clone());
        let (calls, overload, arrival) = (talk.clone(), self.overload.clone(), self.arrival);
        let service = service_fn(move |request: Request<Incoming>| {
            let call = calls.begin(request.version() == Version::HTTP_2);
            let full = call.0.0.place.is_full();
            let admitted = match overload.as_ref().map_or(Verdict::Health, |overload| overload.admit(&request, full)) {
                Verdict::Refused(refusal) => return Either::Left(ready(Ok::<_, Infallible>(call.answer(refusal)))),
                Verdict::Admitted(admitted) => Some(admitted),
                Verdict::Health => None,
            };
            let (request, body) = awaited(request, arrival, admitted.as_ref());
            let (app, http1) = (app.clone(), request.version() < Version::HTTP_2);
            // In a box, which is gone when the answer begins: the stream of it may last for hours.
            Either::Right(Box::pin(async move {
                let mut answer = app.answer(peer, request).await;
                drop(admitted);
                if let Some(Sent { left, .. }) = body.filter(|body| !body.progress.ended()) {
                    if http1 {
                        // hyper closes the connection, since the unread rest would be parsed as the next request.
                        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                    } else {
                        left.read_on().await;
                    }
                }
                Ok(call.answer(answer))
            }))
        });
        let mut connection = pin!(self.http.serve_connection(TokioIo::new(io), service));
        let (mut leaves_by, mut gone_by) = (None, None);
        loop {
            tokio::select! {
                biased;
                // One that breaks is its peer's affair.
                _ = connection.as_mut() => return,
                () = leave.cancelled(), if leaves_by.is_none() => leaves_by = Some(Instant::now() + FIRST_WORDS_WITHIN),
                () = sleep_until(talk.look_again(self.patience, leaves_by, gone_by)) => {}
            }
            let now = Instant::now();
            match gone_by {
                // It does not hang up, and nothing of it is under way.
                Some(by) if now >= by && talk.is_quiet() => return,
                Some(_) => {}
                // What was sent before it could know is still answered.
                None if leaves_by.is_some_and(|by| talk.began() || now >= by) || now >= talk.due(self.patience) => {
                    connection.as_mut().graceful_shutdown();
                    gone_by = Some(now + GOODBYE_WITHIN);
                }
                None => {}
            }
        }
    }
}

/// The body of a request.
struct Sent {
    /// How far it has come.
    progress: Arc<Progress>,
    left: Left<Arriving<Incoming>>,
}

/// A request whose body is timed; how far it has come, and what is left of it. `None` when it has none.
fn awaited(request: Request<Incoming>, arrival: Arrival, admitted: Option<&Arc<Admitted>>) -> (Request<Body>, Option<Sent>) {
    if request.body().is_end_stream() {
        return (request.map(|_| Body::empty()), None);
    }
    let progress = Arc::<Progress>::default();
    let arrival = arrival.of(request.uri().path());
    let (head, body) = request.into_parts();
    let (lent, left) = body_timeout::lend(arrival.begin(body, admitted.cloned(), progress.clone()));
    let mut request = Request::from_parts(head, Body::new(lent));
    request.extensions_mut().insert(progress.clone());
    (request, Some(Sent { progress, left }))
}

/// What is known of a connection's calls.
#[derive(Clone)]
struct Talk(Arc<Shared>);

struct Shared {
    place: Place,
    state: Mutex<State>,
}

struct State {
    /// Calls that are not answered in full.
    open: usize,
    /// Whether there was one.
    began: bool,
    http2: bool,
    /// Whether bytes of an answer wait for the peer to take them, which is timed where they are written.
    full: bool,
    /// Since when nothing is under way.
    since: Instant,
    /// When the first byte of the next head came. HTTP/2 frames are no heads: its pings find out who is gone.
    head_since: Option<Instant>,
}

/// Counts as open until it is dropped.
struct Call(Talk);

impl Call {
    /// The answer, until it is taken.
    fn answer(self, response: Response) -> Response<Ending<(Self, Held)>> {
        response.map(|body| {
            let answer = Answer::begin(body);
            let held = self.0.0.place.hold(answer.held());
            answer.until((self, held))
        })
    }
}

impl Talk {
    fn new(place: Place) -> Self {
        let state = State { open: 0, began: false, http2: false, full: false, since: Instant::now(), head_since: None };
        Self(Arc::new(Shared { place, state: Mutex::new(state) }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, http2: bool) -> Call {
        let mut state = self.state();
        if !state.began {
            self.0.place.spoke();
        }
        (state.open, state.began, state.http2, state.head_since) = (state.open + 1, true, http2, None);
        drop(state);
        Call(self.clone())
    }

    fn began(&self) -> bool {
        self.state().began
    }

    fn is_quiet(&self) -> bool {
        let state = self.state();
        state.open == 0 && !state.full
    }

    /// When it has been waited for long enough, as things are.
    fn due(&self, patience: Patience) -> Instant {
        let state = self.state();
        if state.open > 0 || state.full {
            return Instant::now() + patience.idle;
        }
        match (state.began, state.head_since) {
            (false, _) => state.since + patience.progress,
            (true, Some(head)) => head + patience.progress,
            (true, None) => state.since + patience.idle,
        }
    }

    /// When to look again: a head that begins meanwhile makes `due` earlier.
    fn look_again(&self, patience: Patience, leaves_by: Option<Instant>, gone_by: Option<Instant>) -> Instant {
        let now = Instant::now();
        match (gone_by, leaves_by) {
            (Some(by), _) if by > now => by,
            (Some(_), _) => now + GOODBYE_WITHIN,
            (None, Some(by)) => by,
            (None, None) => self.due(patience).min(now + patience.progress),
        }
    }
}

impl Ears for Talk {
    fn heard(&self) {
        let mut state = self.state();
        if state.began && state.open == 0 && !state.http2 && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
    }

    fn full(&self, full: bool) {
        let mut state = self.state();
        state.full = full;
        if state.began {
            state.since = Instant::now();
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.open -= 1;
        state.since = Instant::now();
    }
}
