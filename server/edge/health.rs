//! Whether this node can serve: asked of the database every second, told over gRPC health, /readyz and the metrics.

use axum::{Router, http::StatusCode, routing::get};
use sqlx::PgPool;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio_util::sync::CancellationToken;
use tonic_health::{ServingStatus, server::HealthReporter};

const ASK_EVERY: Duration = Duration::from_millis(500);
const ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// Whether the database answered when it was last asked.
#[derive(Clone, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// Whether this node can serve.
    pub fn is_ready(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks until `stop`, then tells that the node no longer serves.
    pub async fn watch(self, pool: PgPool, reporter: HealthReporter, services: Vec<String>, stop: CancellationToken) {
        let mut told = None;
        loop {
            let ready = !stop.is_cancelled() && answers(&pool).await;
            if told != Some(ready) {
                self.tell(ready, &reporter, &services).await;
                told = Some(ready);
            }
            crate::edge::metrics::pool(&pool);
            if stop.is_cancelled() {
                return;
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(ASK_EVERY) => {}
            }
        }
    }

    async fn tell(&self, ready: bool, reporter: &HealthReporter, services: &[String]) {
        self.0.store(ready, Ordering::Relaxed);
        metrics::gauge!("goodturn_ready").set(f64::from(u8::from(ready)));
        let status = if ready { ServingStatus::Serving } else { ServingStatus::NotServing };
        for service in services {
            reporter.set_service_status(service.clone(), status).await;
        }
        if !ready {
            tracing::warn!("not ready: the database does not answer, or the node is stopping");
        }
    }
}

async fn answers(pool: &PgPool) -> bool {
    let asked = sqlx::query!("SELECT 1 AS one").fetch_one(pool);
    matches!(tokio::time::timeout(ANSWER_WITHIN, asked).await, Ok(Ok(_)))
}

/// `/healthz`: the process runs. `/readyz`: it can serve.
pub fn router(readiness: Readiness) -> Router {
    let ready = move || {
        let ready = readiness.is_ready();
        std::future::ready(if ready { (StatusCode::OK, "ready\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") })
    };
    Router::new().route("/healthz", get(|| std::future::ready("alive\n"))).route("/readyz", get(ready))
}
