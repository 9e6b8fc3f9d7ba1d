//! What Prometheus reads: calls by RPC, the pool, the jobs, the streams.

use crate::db::Pool;
use axum::{Router, routing::get};
use metrics::{Counter, Histogram, SharedString};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::{sync::OnceLock, time::Duration};
use tokio_util::sync::CancellationToken;
use tonic::Code;

/// The codes of gRPC, from 0 on.
const CODES: usize = 17;
const KEPT_FOR: Duration = Duration::from_secs(5);
const SECONDS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Starts to record, once in a process. The handle renders what was recorded.
///
/// # Panics
/// Never: the recorder is installed in one place.
pub fn recorder() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
                .expect("the buckets are not empty")
                .build_recorder();
            let handle = recorder.handle();
            metrics::set_global_recorder(recorder).expect("nobody else installs a recorder");
            describe();
            handle
        })
        .clone()
}

fn describe() {
    metrics::describe_counter!("goodturn_rpc_calls_total", "Calls by RPC and gRPC code.");
    metrics::describe_histogram!("goodturn_rpc_seconds", metrics::Unit::Seconds, "Time from a call's headers to its answer's, by RPC.");
    metrics::describe_gauge!("goodturn_pool_connections", "Connections to the database, by state.");
    metrics::describe_gauge!("goodturn_jobs", "Jobs by class and state, counted up to 1000; dead ones have used up their tries.");
    metrics::describe_counter!("goodturn_jobs_total", "Jobs that were run, by class, task and outcome.");
    metrics::describe_gauge!("goodturn_notification_streams", "Open streams of notifications.");
    metrics::describe_counter!("goodturn_shed_total", "Calls that were refused at the door, because there were more than can be answered.");
    metrics::describe_gauge!("goodturn_ready", "1 when the database answers.");
}

/// Lets go of what is recorded already, until `stop`: the recorder keeps each single time of a call until it is told to, and nobody may
/// ever ask for the page.
pub async fn keep_small(stop: CancellationToken) {
    let handle = recorder();
    let always = async {
        loop {
            tokio::time::sleep(KEPT_FOR).await;
            handle.run_upkeep();
        }
    };
    stop.run_until_cancelled(always).await;
}

/// What is counted of one RPC. A series begins with the first call that it counts.
pub struct Tally {
    rpc: SharedString,
    seconds: OnceLock<Histogram>,
    by_code: [OnceLock<Counter>; CODES],
}

impl Tally {
    /// Of the RPC of this path.
    pub fn new(rpc: &str) -> Self {
        Self { rpc: rpc.to_owned().into(), seconds: OnceLock::new(), by_code: [const { OnceLock::new() }; CODES] }
    }

    /// Counts one call.
    pub fn count(&self, code: Code, elapsed: Duration) {
        let seconds = self.seconds.get_or_init(|| metrics::histogram!("goodturn_rpc_seconds", "rpc" => self.rpc.clone()));
        seconds.record(elapsed.as_secs_f64());
        let begin = || metrics::counter!("goodturn_rpc_calls_total", "rpc" => self.rpc.clone(), "code" => format!("{code:?}"));
        if let Some(counter) = self.by_code.get(code as usize) {
            counter.get_or_init(begin).increment(1);
        }
    }
}

/// Reads the pool.
pub fn pool(pool: &Pool) {
    let status = pool.status();
    let counts = [("idle", status.available), ("used", status.size.saturating_sub(status.available)), ("awaited", status.waiting)];
    for (state, count) in counts {
        metrics::gauge!("goodturn_pool_connections", "state" => state).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

/// The page that Prometheus fetches.
pub fn router(handle: PrometheusHandle) -> Router {
    Router::new().route("/metrics", get(move || std::future::ready(handle.render())))
}
