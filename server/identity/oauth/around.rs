//! What stands around everything that is asked of the hosted sign-in: the rate of an address, a deadline, a share of the database, one line in
//! the log.

use super::{Face, paths, reply};
use crate::{
    call::{At, Call},
    db::GRACE,
    edge::{
        limits::{ClientAddress, household},
        metrics::Tally,
        request::REQUEST_ID,
    },
    error::{Error, Reason},
};
use axum::{
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::Response,
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};
use tonic::Code;

/// What is counted of each path.
pub struct Tallies(HashMap<&'static str, Tally>);

impl Tallies {
    /// Of these paths.
    pub fn new(paths: &[&'static str]) -> Self {
        Self(paths.iter().map(|path| (*path, Tally::new(path))).collect())
    }

    fn of(&self, path: &str) -> Option<(&'static str, &Tally)> {
        self.0.get_key_value(path).map(|(path, tally)| (*path, tally))
    }
}

/// Lets a request go on, and counts it.
pub async fn around(State(face): State<Arc<Face>>, request: Request, next: Next) -> Response {
    let Some((path, tally)) = face.tallies.of(request.uri().path()) else { return next.run(request).await };
    let began = Instant::now();
    let request_id = request.headers().get(REQUEST_ID).cloned();
    let (until, agent) = (tokio::time::Instant::now() + face.deadline, request.headers().get(header::USER_AGENT).cloned());
    let call = Call { share: face.share.clone(), until, request_id: request_id.clone(), agent };
    let at = request.extensions().get::<At>().cloned();
    let response = At::scope(at, call.scope(answer(&face, path, request, next))).await;
    let (took, status) = (began.elapsed(), response.status());
    tally.count(code(status), took);
    let (request_id, ms) = (request_id.as_ref().and_then(|id| id.to_str().ok()), took.as_secs_f64() * 1000.0);
    tracing::info!(path, request_id, status = status.as_u16(), ms, "done");
    response
}

async fn answer(face: &Face, path: &'static str, request: Request, next: Next) -> Response {
    if let Some(address) = address(&request)
        && let Err(refused) = face.rate.count(&(household(address), path))
    {
        return refusal(path, refused);
    }
    let bound: Duration = face.deadline + GRACE;
    let late = || refusal(path, Error::new(Reason::DeadlineExceeded, "the request took too long"));
    tokio::time::timeout(bound, next.run(request)).await.unwrap_or_else(|_| late())
}

/// Where a request came from.
pub fn address(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<ClientAddress>().map(|address| address.0)
}

/// A refusal as whoever asks there reads it: applications or members.
fn refusal(path: &str, error: Error) -> Response {
    match path {
        paths::TOKEN | paths::REVOKE | paths::USER_INFO => reply::json_failure(&error),
        _ => reply::page_failure(&error),
    }
}

fn code(status: StatusCode) -> Code {
    match status.as_u16() {
        ..400 => Code::Ok,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        429 => Code::ResourceExhausted,
        503 => Code::Unavailable,
        400..500 => Code::InvalidArgument,
        _ => Code::Internal,
    }
}
