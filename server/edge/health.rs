//! Whether this node can serve: asked of the database on a connection of its own, told over gRPC health, /readyz and the metrics.

use super::metrics as recorded;
use crate::db::Pool;
use axum::{Router, http::StatusCode, routing::get};
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic_health::{ServingStatus, server::HealthReporter};

const ASK_EVERY: Duration = Duration::from_millis(500);
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// What a slow machine needs longer for is not silence yet, though a new connection was quicker.
const GRACE: Duration = Duration::from_millis(500);
/// In a row, until this node says that it cannot serve: one lost answer is no outage.
const FAILURES: u32 = 2;
/// In a row, until it serves again.
const SUCCESSES: u32 = 2;

/// Whether the database answers and the node shall be called.
#[derive(Clone)]
pub struct Readiness {
    answers: Arc<AtomicBool>,
    leaving: CancellationToken,
}

impl Readiness {
    /// Not ready until the database has answered; no more from `leaving` on, though the node serves on for a while.
    pub fn new(leaving: CancellationToken) -> Self {
        Self { answers: Arc::default(), leaving }
    }

    /// Whether this node can serve.
    pub fn is_ready(&self) -> bool {
        self.answers.load(Ordering::Relaxed) && !self.leaving.is_cancelled()
    }

    /// Asks until `stop`, and tells from `leaving` on that the node no longer serves. What it finds out about the database's connections,
    /// the pool learns.
    pub async fn watch(
        self,
        pool: Pool,
        options: PgConnectOptions,
        reporter: HealthReporter,
        services: Vec<String>,
        stop: CancellationToken,
    ) {
        let (mut probe, mut streak, mut left) = (Probe { options, connection: None }, Streak::default(), false);
        loop {
            let answer = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                () = self.leaving.cancelled(), if !left => {
                    left = true;
                    self.tell(false, &reporter, &services).await;
                    continue;
                }
                answer = probe.ask() => answer,
            };
            match answer {
                Answer::Fresh(Before::Silent) => pool.start_over(),
                Answer::Fresh(Before::Closed) => pool.drop_idle(),
                Answer::Usual | Answer::None => {}
            }
            if let Some(ready) = streak.add(answer != Answer::None)
                && !left
            {
                self.tell(ready, &reporter, &services).await;
            }
            pool.tidy();
            recorded::pool(&pool);
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.leaving.cancelled(), if !left => {}
                () = sleep(ASK_EVERY) => {}
            }
        }
        self.tell(false, &reporter, &services).await;
    }

    async fn tell(&self, ready: bool, reporter: &HealthReporter, services: &[String]) {
        self.answers.store(ready, Ordering::Relaxed);
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

/// What the database answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// On the connection that it answers on.
    Usual,
    /// On a new connection.
    Fresh(Before),
    /// It did not.
    None,
}

/// What became of the connection before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// It was closed, or there was none.
    Closed,
    /// It stands and says nothing, as after a fail-over that swallowed it.
    Silent,
}

struct Probe {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
}

impl Probe {
    async fn ask(&mut self) -> Answer {
        let Some(mut usual) = self.connection.take() else { return self.ask_anew(Before::Closed).await };
        let answered = {
            let asked = usual.ping();
            tokio::pin!(asked);
            match timeout(ANSWER_WITHIN, &mut asked).await {
                Ok(answered) => Some(answered),
                // A slow machine answers on neither connection in time: only when the new one is quicker was the old one silent.
                Err(_) => match self.ask_anew(Before::Silent).await {
                    Answer::None => return Answer::None,
                    fresh => match timeout(GRACE, &mut asked).await {
                        Ok(answered) => Some(answered),
                        Err(_) => return fresh,
                    },
                },
            }
        };
        match answered {
            Some(Ok(())) => {
                self.connection = Some(usual);
                Answer::Usual
            }
            Some(Err(_)) | None => self.ask_anew(Before::Closed).await,
        }
    }

    async fn ask_anew(&mut self, before: Before) -> Answer {
        let asked = async {
            let mut fresh = PgConnection::connect_with(&self.options).await?;
            fresh.ping().await?;
            Ok::<_, sqlx::Error>(fresh)
        };
        match timeout(ANSWER_WITHIN, asked).await {
            Ok(Ok(fresh)) => {
                self.connection = Some(fresh);
                Answer::Fresh(before)
            }
            Ok(Err(_)) | Err(_) => Answer::None,
        }
    }
}

/// Answers of one kind in a row.
#[derive(Default)]
struct Streak {
    told: Option<bool>,
    length: u32,
}

impl Streak {
    /// What is to be told now; `None` when nothing new.
    fn add(&mut self, good: bool) -> Option<bool> {
        if self.told == Some(good) {
            self.length = 0;
            return None;
        }
        self.length += 1;
        let needed = match self.told {
            None => 1,
            Some(true) => FAILURES,
            Some(false) => SUCCESSES,
        };
        if self.length < needed {
            return None;
        }
        *self = Self { told: Some(good), length: 0 };
        self.told
    }
}

/// `/healthz`: the process runs. `/readyz`: it can serve.
pub fn router(readiness: Readiness) -> Router {
    let ready = move || {
        let ready = readiness.is_ready();
        std::future::ready(if ready { (StatusCode::OK, "ready\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") })
    };
    Router::new().route("/healthz", get(|| std::future::ready("alive\n"))).route("/readyz", get(ready))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lost_answer_is_no_outage_and_one_answer_is_no_recovery() {
        let mut streak = Streak::default();
        assert_eq!(streak.add(true), Some(true), "the first answer counts");
        let told: Vec<_> = [false, true, false, false, true, false, true, true].map(|good| streak.add(good)).into();
        assert_eq!(told, [None, None, None, Some(false), None, None, None, Some(true)]);
    }
}
