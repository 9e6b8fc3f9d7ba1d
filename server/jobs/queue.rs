//! The worker of a node: takes jobs while the node runs, and finishes those it has when it stops.

use super::{Handler, TASK};
use graphile_worker::{IntoTaskHandlerResult, TaskHandler, Worker, WorkerContext, WorkerOptions, WorkerRecoveryConfig};
use metrics::counter;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use std::{collections::HashMap, fmt, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

const AT_ONCE: usize = 4;
/// A job that takes longer has failed: it would hold its place for ever.
const RUN_WITHIN: Duration = Duration::from_secs(60);
const STOP_WITHIN: Duration = Duration::from_secs(10);
const BEGIN_AGAIN_AFTER: Duration = Duration::from_secs(2);

/// How soon a worker looks for jobs, and how soon another takes over the jobs of one that died.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// Between looks at the table; a new job also wakes the worker.
    pub poll: Duration,
    /// Between signs of life.
    pub beat: Duration,
    /// A worker that was silent for so long is dead.
    pub dead_after: Duration,
}

impl Default for Queue {
    fn default() -> Self {
        Self { poll: Duration::from_secs(2), beat: Duration::from_secs(10), dead_after: Duration::from_secs(60) }
    }
}

/// Does jobs until `stop`; then waits for those in hand, at most 10 s, and leaves what is left to other nodes. Begins again for as long
/// as the database is away.
pub async fn run(pool: PgPool, queue: Queue, handlers: Vec<Arc<dyn Handler>>, stop: CancellationToken) {
    let handlers = Handlers(Arc::new(handlers.into_iter().map(|h| (h.task(), h)).collect()));
    while !stop.is_cancelled() {
        if let Err(cause) = work(&pool, queue, &handlers, &stop).await {
            tracing::warn!(%cause, "jobs are not done");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BEGIN_AGAIN_AFTER) => {}
        }
    }
}

async fn work(pool: &PgPool, queue: Queue, handlers: &Handlers, stop: &CancellationToken) -> anyhow::Result<()> {
    // The one of the library never looks for workers that died unless it is told to: their jobs would stay locked for hours.
    let recovery = WorkerRecoveryConfig::default()
        .heartbeat_interval(queue.beat)
        .sweep_interval(queue.beat)
        .sweep_threshold(queue.dead_after)
        .recovery_delay(Duration::from_secs(1));
    let worker: Worker = WorkerOptions::default()
        .pg_pool(pool.clone())
        .concurrency(AT_ONCE)
        .poll_interval(queue.poll)
        .worker_recovery(recovery)
        .listen_os_shutdown_signals(false)
        .shutdown_signal(stop.clone().cancelled_owned())
        .shutdown_grace_period(STOP_WITHIN)
        .shutdown_interrupted_job_retry_delay(Duration::from_secs(1))
        .add_extension(handlers.clone())
        .define_job::<Job>()
        .init()
        .await?;
    Ok(worker.run().await?)
}

#[derive(Clone)]
struct Handlers(Arc<HashMap<&'static str, Arc<dyn Handler>>>);

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[derive(Deserialize, Serialize)]
struct Job {
    task: String,
    payload: Value,
}

impl TaskHandler for Job {
    const IDENTIFIER: &'static str = TASK;

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let handler = context.get_ext::<Handlers>().and_then(|h| h.0.get(self.task.as_str()).cloned());
        let done = match handler {
            Some(handler) => match tokio::time::timeout(RUN_WITHIN, handler.run(&self.payload)).await {
                Ok(done) => done,
                Err(_) => Err(anyhow::anyhow!("it took longer than {RUN_WITHIN:?}")),
            },
            // A newer node enqueued it: the next try may be that node's.
            None => Err(anyhow::anyhow!("no handler for this task")),
        };
        let attempt = context.job().attempts();
        let outcome = if done.is_ok() { "done" } else { "failed" };
        counter!("goodturn_jobs_total", "task" => self.task.clone(), "outcome" => outcome).increment(1);
        done.map_err(|cause| {
            let text = format!("{cause:#}");
            tracing::warn!(task = self.task, attempt, cause = text, "job failed");
            text
        })
    }
}
