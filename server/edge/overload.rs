//! More calls than the node can answer: the first who learns of it says so, before anything is done for a call that will not be served.
//!
//! The sign is lateness: a task that wants to run each few milliseconds runs late when all that is ready to run waits for a core. A node that
//! is late for a while lets so many calls in at once as it can without being late, and refuses the others with an answer made beforehand.

use crate::{
    db::overloaded,
    edge::{
        http_middleware::{id_of, refusal_json},
        request::{Protocol, REQUEST_ID, is_health},
    },
    ids::Ids,
    pb,
    rest::{
        connect_refusal, is_target_call,
        status::{Exceptions, Problem},
    },
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Request, header},
    response::Response,
};
use metrics::Counter;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tonic::Status;

const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Single looks tell little: what counts is how late the node was in about so many.
const LOOKS: u32 = 8;
/// So late for so long, with more calls in flight than are let in then, is no burst and no other program that needs the cores. While calls
/// are refused, fewer are let in when the node is later than this.
const LATE: Duration = Duration::from_millis(5);
const LATE_FOR: Duration = Duration::from_millis(200);
/// And more when it is earlier than this; many more when it was for so many looks, since it is not the cores then that are short.
const EARLY: Duration = Duration::from_millis(3);
const EARLY_LOOKS: u32 = 20;
/// What keeps cores and database busy: fewer would cost more answers than it saves time.
const CALLS_MIN: usize = 64;
const CALLS_MAX: usize = 4096;
/// Nobody had to be refused for so long: it is over.
const OVER_AFTER: Duration = Duration::from_millis(500);

/// Watches over a node. Clones are the same.
#[derive(Clone)]
pub struct Overload(Arc<Inner>);

struct Inner {
    in_flight: AtomicUsize,
    /// How many calls are let in at once; `usize::MAX` as long as all are.
    limit: AtomicUsize,
    refused: AtomicBool,
    /// Made once: a refusal shall cost next to nothing.
    status: Status,
    grpc: HeaderMap,
    problem: Problem,
    exceptions: Exceptions,
    ids: Ids,
    shed: Counter,
    /// Other origins whose pages may read the refusal.
    origins: Vec<HeaderValue>,
}

/// What becomes of a call.
pub enum Verdict {
    /// It does not count.
    Health,
    /// It is let in.
    Admitted(Arc<Admitted>),
    /// The answer to it.
    Refused(Response),
}

/// A call that was let in, until it is answered.
pub struct Admitted {
    all: Arc<Inner>,
    counts: AtomicBool,
}

impl Admitted {
    /// Whether it counts at present: not while its body is awaited, so that callers who send none keep nobody out.
    pub fn count(&self, counts: bool) {
        match (self.counts.swap(counts, Ordering::Relaxed), counts) {
            (false, true) => drop(self.all.in_flight.fetch_add(1, Ordering::Relaxed)),
            (true, false) => drop(self.all.in_flight.fetch_sub(1, Ordering::Relaxed)),
            (true, true) | (false, false) => {}
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.count(false);
    }
}

impl Overload {
    /// Begins to watch, until `stop`.
    pub fn watch(origins: Vec<HeaderValue>, ids: Ids, stop: &CancellationToken) -> Self {
        let overload = Self(Arc::new(Inner {
            in_flight: AtomicUsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
            refused: AtomicBool::new(false),
            status: overloaded().into(),
            grpc: Status::from(overloaded()).into_http::<Body>().headers().clone(),
            problem: Problem::plain(&overloaded()),
            exceptions: Exceptions::new(&pb::POOL),
            ids,
            shed: metrics::counter!("goodturn_shed_total"),
            origins,
        }));
        tokio::spawn(stop.clone().run_until_cancelled_owned(overload.clone().look_always()));
        overload
    }

    async fn look_always(self) {
        let mut judge = Judge::new(Instant::now());
        loop {
            let began = Instant::now();
            sleep(LOOK_EVERY).await;
            let now = Instant::now();
            let late = (now - began).saturating_sub(LOOK_EVERY);
            let refused = self.0.refused.swap(false, Ordering::Relaxed);
            if let Some(limit) = judge.limit(late, refused, self.0.in_flight.load(Ordering::Relaxed), now) {
                self.0.limit.store(limit, Ordering::Relaxed);
            }
        }
    }

    /// Whether a call is let in, unless its caller has answers enough to take; health is always told. Asked before anything else is done
    /// for it: what is refused shall cost next to nothing.
    pub fn admit<B>(&self, request: &Request<B>, full: bool) -> Verdict {
        if is_health(request.uri().path()) {
            return Verdict::Health;
        }
        let admitted = if full { None } else { self.enter() };
        admitted.map_or_else(|| Verdict::Refused(self.refusal(request)), Verdict::Admitted)
    }

    /// Whether some calls are refused at present.
    pub fn refuses(&self) -> bool {
        self.0.limit.load(Ordering::Relaxed) != usize::MAX
    }

    fn enter(&self) -> Option<Arc<Admitted>> {
        let before = self.0.in_flight.fetch_add(1, Ordering::Relaxed);
        let admitted = Arc::new(Admitted { all: self.0.clone(), counts: AtomicBool::new(true) });
        if before < self.0.limit.load(Ordering::Relaxed) {
            return Some(admitted);
        }
        self.0.refused.store(true, Ordering::Relaxed);
        None
    }

    fn refusal<B>(&self, request: &Request<B>) -> Response {
        self.0.shed.increment(1);
        let asked = request.headers();
        let id = id_of(asked, &self.0.ids);
        let told = id.to_str().unwrap_or_default();
        let mut response = match Protocol::of(asked).content_type() {
            Some(kind) => {
                let mut response = Response::new(Body::empty());
                *response.headers_mut() = self.0.grpc.clone();
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                response
            }
            None if is_target_call(request) => self.0.exceptions.response(&self.0.problem, told),
            None => connect_refusal(request, &self.0.status).unwrap_or_else(|| refusal_json(&overloaded(), told)),
        };
        response.headers_mut().insert(REQUEST_ID, id);
        if request.method() == Method::HEAD {
            *response.body_mut() = Body::empty();
        }
        if let Some(origin) = asked.get(header::ORIGIN).filter(|o| self.0.origins.contains(o)) {
            response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            response.headers_mut().insert(header::VARY, HeaderValue::from_static("origin"));
        }
        response
    }
}

/// Decides how many calls are let in.
struct Judge {
    /// How late the node is of late: single looks tell little.
    late: Duration,
    late_since: Option<Instant>,
    /// While calls are refused.
    limit: Option<usize>,
    refused_at: Instant,
    /// How many looks in a row it was early, though calls were refused.
    early: u32,
}

impl Judge {
    fn new(now: Instant) -> Self {
        Self { late: Duration::ZERO, late_since: None, limit: None, refused_at: now, early: 0 }
    }

    /// How many calls are let in from now on, if that changes.
    fn limit(&mut self, late: Duration, refused: bool, in_flight: usize, now: Instant) -> Option<usize> {
        self.late = (self.late * (LOOKS - 1) + late) / LOOKS;
        let Some(limit) = self.limit else {
            if self.late < LATE || in_flight < 2 * CALLS_MIN {
                self.late_since = None;
                return None;
            }
            let since = *self.late_since.get_or_insert(now);
            if now - since < LATE_FOR {
                return None;
            }
            tracing::warn!(in_flight, late_ms = self.late.as_secs_f64() * 1000.0, "more calls than can be answered: some are refused");
            (self.limit, self.refused_at) = (Some(CALLS_MIN), now);
            return self.limit;
        };
        if refused {
            self.refused_at = now;
        }
        let early = self.late < EARLY && refused;
        self.early = if early { self.early + 1 } else { 0 };
        let next = match self.late {
            late if late > LATE => limit - limit / 16,
            _ if self.early > EARLY_LOOKS => limit + 1 + limit / 16,
            _ if early => limit + 1,
            _ => limit,
        };
        if now - self.refused_at > OVER_AFTER || next > CALLS_MAX {
            tracing::info!("all calls are let in again");
            *self = Self::new(now);
            return Some(usize::MAX);
        }
        self.limit = Some(next.max(CALLS_MIN));
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use axum::http::StatusCode;

    const MS: Duration = Duration::from_millis(1);

    /// What a judge says who is told the same each 5 ms for so long.
    fn hear(judge: &mut Judge, now: &mut Instant, late: Duration, refused: bool, in_flight: usize, lasting: Duration) -> Option<usize> {
        let until = *now + lasting;
        let mut last = None;
        while *now < until {
            *now += LOOK_EVERY;
            last = judge.limit(late, refused, in_flight, *now).or(last);
        }
        last
    }

    #[test]
    fn a_burst_and_a_slow_machine_with_few_calls_are_no_overload() {
        let mut now = Instant::now();
        let mut judge = Judge::new(now);
        assert_eq!(hear(&mut judge, &mut now, 50 * MS, false, 1000, LATE_FOR / 2), None);
        assert_eq!(hear(&mut judge, &mut now, MS, false, 1000, LATE_FOR), None);
        assert_eq!(hear(&mut judge, &mut now, 50 * MS, false, 1000, LATE_FOR / 2), None);
        assert_eq!(hear(&mut judge, &mut now, 50 * MS, false, 2 * CALLS_MIN - 1, 10 * LATE_FOR), None, "nobody would gain by it");
        assert_eq!(hear(&mut judge, &mut now, 2 * MS, false, 1000, 10 * LATE_FOR), None);
    }

    #[test]
    fn moments_without_lateness_hide_no_overload() {
        let mut now = Instant::now();
        let mut judge = Judge::new(now);
        let (mut limit, until) = (None, now + 2 * LATE_FOR);
        while now < until {
            for late in [20 * MS, MS, 9 * MS, Duration::ZERO] {
                limit = limit.or(hear(&mut judge, &mut now, late, false, 1000, LOOK_EVERY));
            }
        }
        assert_eq!(limit, Some(CALLS_MIN));
    }

    #[test]
    fn in_an_overload_as_many_are_let_in_as_do_not_make_it_late() {
        let mut now = Instant::now();
        let mut judge = Judge::new(now);
        assert_eq!(hear(&mut judge, &mut now, 50 * MS, false, 1000, LATE_FOR + 20 * MS), Some(CALLS_MIN));
        let more = hear(&mut judge, &mut now, MS, true, CALLS_MIN, 150 * MS).unwrap();
        assert!(more > CALLS_MIN + 5, "{more}");
        hear(&mut judge, &mut now, 4 * MS, true, more, 200 * MS);
        let same = judge.limit.unwrap();
        assert_eq!(hear(&mut judge, &mut now, 4 * MS, true, same, 200 * MS), Some(same));
        assert!(hear(&mut judge, &mut now, 20 * MS, true, same, 50 * MS).unwrap() < same);
        assert_eq!(hear(&mut judge, &mut now, MS, false, 10, OVER_AFTER + 20 * MS), Some(usize::MAX));
    }

    #[test]
    fn a_node_that_is_early_refuses_nobody_for_long() {
        let mut now = Instant::now();
        let mut judge = Judge::new(now);
        hear(&mut judge, &mut now, 50 * MS, false, 1000, LATE_FOR + 20 * MS);
        hear(&mut judge, &mut now, Duration::ZERO, true, CALLS_MAX, 700 * MS);
        assert_eq!(judge.limit, None, "whatever is in flight");
    }

    #[tokio::test]
    async fn a_refusal_is_read_on_every_face() {
        let origins = vec![HeaderValue::from_static("https://app.example")];
        let overload = Overload::watch(origins, Ids::new(Clock::system()), &CancellationToken::new());
        let asked = |kind: &'static str| {
            let path = "/goodturn.favors.v1.FavorsService/GetFavor";
            let request = Request::post(path).header(header::CONTENT_TYPE, kind).header(header::ORIGIN, "https://app.example");
            overload.refusal(&request.body(()).unwrap())
        };
        let grpc = asked("application/grpc-web+proto");
        let status = Status::from_header_map(grpc.headers()).unwrap();
        assert_eq!((grpc.status(), status.code()), (StatusCode::OK, tonic::Code::ResourceExhausted));
        assert_eq!(grpc.headers()[header::CONTENT_TYPE], "application/grpc-web+proto");
        let connect = asked("application/json");
        let body = axum::body::to_bytes(connect.into_body(), 1000).await.unwrap();
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&body).unwrap()["code"], "resource_exhausted");
        let rest = asked("application/x-amz-json-1.1");
        assert_eq!((rest.status(), &rest.headers()[header::RETRY_AFTER]), (StatusCode::TOO_MANY_REQUESTS, &HeaderValue::from(2)));
        assert_eq!(rest.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "https://app.example");
        let id = rest.headers()[REQUEST_ID].clone();
        let body = axum::body::to_bytes(rest.into_body(), 1000).await.unwrap();
        let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&told["code"], told["requestId"].as_str()), (&"OVERLOADED".into(), id.to_str().ok()));
        let target = Request::post("/").header("x-amz-target", "AWSCognitoIdentityProviderService.InitiateAuth").header(REQUEST_ID, "mine");
        let target = overload.refusal(&target.body(()).unwrap());
        assert_eq!((target.status(), &target.headers()[REQUEST_ID]), (StatusCode::BAD_REQUEST, &HeaderValue::from_static("mine")));
        let told = ["x-amzn-errortype", "x-amzn-requestid"].map(|name| target.headers()[name].to_str().unwrap());
        assert_eq!(told, ["TooManyRequestsException", "mine"]);
    }

    #[tokio::test]
    async fn who_is_refused_holds_no_place() {
        let overload = Overload::watch(Vec::new(), Ids::new(Clock::system()), &CancellationToken::new());
        overload.0.limit.store(1, Ordering::Relaxed);
        let held = overload.enter();
        assert!(held.is_some() && overload.enter().is_none() && overload.enter().is_none());
        let held = held.unwrap();
        held.count(false);
        held.count(false);
        assert!(overload.enter().is_some(), "it waits for its body");
        held.count(true);
        assert!(overload.enter().is_none());
        drop(held);
        assert!(overload.enter().is_some());
        assert_eq!(overload.0.in_flight.load(Ordering::Relaxed), 0);
    }
}
