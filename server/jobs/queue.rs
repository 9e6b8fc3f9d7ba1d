//! The workers of a node, one for each class: they do jobs while the node runs, begin anew when the database went away or fell silent,
//! and finish what they have when the node stops.

use super::{
    Class, Handler,
    link::Link,
    look::Looker,
    work::{self, Handlers},
};
use crate::bus::Bus;
use anyhow::{Context, Result, bail};
use graphile_worker::{Database, Worker, WorkerOptions, WorkerRecoveryConfig};
use sqlx::{
    Connection, PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    runtime::{Builder, Runtime},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

const CONNECTED_WITHIN: Duration = Duration::from_secs(2);
const BEGUN_WITHIN: Duration = Duration::from_secs(10);
const BEGIN_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// For the jobs in hand, when the node stops.
const FINISHED_WITHIN: Duration = Duration::from_secs(4);
/// For all of it, then: jobs that were not finished are given back within what is left.
const STOPPED_WITHIN: Duration = Duration::from_millis(5500);
/// The library's own looks: it is woken instead.
const NEVER: Duration = Duration::from_secs(3600);

/// How soon a worker looks for jobs, and how soon another takes over the jobs of one that died.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The longest time between two looks at the table; a new job also wakes the worker, and so does one that falls due.
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

/// Does the jobs of the handlers until `stop`; then waits for those in hand, at most 4 s, and leaves what is left to other nodes. Each
/// class has connections of its own, `at_once` and two more.
pub async fn run(options: PgConnectOptions, queue: Queue, bus: Bus, handlers: Vec<Arc<dyn Handler>>, stop: CancellationToken) {
    let lanes = Class::ALL.map(|class| Lane {
        class,
        options: options.clone(),
        queue,
        bus: bus.clone(),
        handlers: Handlers::of(class, &handlers),
        previous: Mutex::default(),
    });
    // A class without a handler is left to nodes that have one.
    let lanes = lanes.into_iter().filter(|lane| !lane.handlers.is_empty());
    futures_util::future::join_all(lanes.map(|lane| Arc::new(lane).work_always(stop.clone()))).await;
}

/// One class.
struct Lane {
    class: Class,
    options: PgConnectOptions,
    queue: Queue,
    bus: Bus,
    handlers: Handlers,
    /// The worker before this one: what it had in hand is undone.
    previous: Mutex<Option<String>>,
}

impl Lane {
    async fn work_always(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(cause) = self.clone().work_apart(&stop).await {
                tracing::warn!(class = self.class.name(), cause = format!("{cause:#}"), "jobs are not done");
            }
            stop.run_until_cancelled(sleep(BEGIN_AGAIN_AFTER)).await;
        }
    }

    /// Works in a runtime of its own, which goes away with all that hangs in it.
    async fn work_apart(self: Arc<Self>, stop: &CancellationToken) -> Result<()> {
        let apart = Apart::new()?;
        let working = apart.0.as_ref().context("it is there until it is dropped")?.spawn(self.work(stop.clone()));
        let late = async {
            stop.cancelled().await;
            sleep(STOPPED_WITHIN).await;
        };
        tokio::select! {
            done = working => done?,
            () = late => bail!("it did not stop in time"),
        }
    }

    async fn work(self: Arc<Self>, stop: CancellationToken) -> Result<()> {
        let connections = u32::try_from(self.class.at_once())? + 1;
        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(CONNECTED_WITHIN);
        let pool = pool.connect_lazy_with(self.options.clone());
        let link = Link::new(pool.clone());
        let looker = Looker {
            class: self.class,
            poll: self.queue.poll,
            signals: self.bus.subscribe(),
            done: self.handlers.done.clone(),
            wake: link.wake.clone(),
        };
        // The looker is connected before a job is in hand: were it to fail with one, that would be done twice.
        let begun = timeout(BEGUN_WITHIN, async {
            let looks = PgConnection::connect_with(&self.options).await?;
            let worker = self.worker(&link, stop).await?;
            self.take_back(&pool, worker.worker_id()).await?;
            anyhow::Ok((worker, looks))
        });
        let (worker, looks) = begun.await.context("the database does not answer")??;
        tokio::select! {
            done = worker.run() => Ok(done?),
            Err(silent) = looker.look(looks) => Err(silent),
            () = link.broken.cancelled() => bail!("the database did not answer"),
        }
    }

    async fn worker(&self, link: &Link, stop: CancellationToken) -> Result<Worker> {
        // The one of the library never looks for workers that died unless it is told to: their jobs would stay locked for hours.
        let recovery = WorkerRecoveryConfig::default()
            .heartbeat_interval(self.queue.beat)
            .sweep_interval(self.queue.beat)
            .sweep_threshold(self.queue.dead_after)
            .recovery_delay(Duration::from_secs(1));
        let options = WorkerOptions::default()
            .database(Database::new(link.clone()))
            .concurrency(self.class.at_once())
            .poll_interval(NEVER)
            .worker_recovery(recovery)
            .listen_os_shutdown_signals(false)
            .shutdown_signal(stop.cancelled_owned())
            .shutdown_grace_period(FINISHED_WITHIN)
            .shutdown_interrupted_job_retry_delay(Duration::from_secs(1))
            .add_extension(self.handlers.clone());
        Ok(work::define(self.class, options).init().await?)
    }

    /// Gives back what the worker before had in hand when it was dropped; other nodes would wait until it counts as dead.
    async fn take_back(&self, pool: &sqlx::PgPool, worker: &str) -> Result<()> {
        let previous = self.previous.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(previous) = previous {
            sqlx::query("SELECT graphile_worker.recover_dead_worker_jobs(ARRAY[$1])").bind(previous).execute(pool).await?;
        }
        *self.previous.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker.to_owned());
        Ok(())
    }
}

/// A runtime for what may hang: dropped, it is left behind with its tasks and connections, whatever they wait for.
struct Apart(Option<Runtime>);

impl Apart {
    fn new() -> Result<Self> {
        Ok(Self(Some(Builder::new_multi_thread().worker_threads(1).thread_name("jobs").enable_all().build()?)))
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
