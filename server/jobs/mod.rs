//! Jobs: work that is enqueued in the caller's transaction and done afterwards, by any node, until it succeeds or is dead.
//!
//! The queue is graphile_worker's. Its library names a task by a type; ours are values that hold their parts, so every job of ours is
//! one of its tasks, and the payload says which handler takes it.

mod queue;
mod sweeps;

pub use queue::{Queue, run};
pub use sweeps::{Sweep, run_sweeps};

use crate::error::Result;
use graphile_worker_migrations::{MigrateError, sql::GRAPHILE_WORKER_MIGRATIONS};
use serde_json::{Value, json};
use sqlx::{
    PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// How often a job is tried before it is dead. The wait grows as e^attempt seconds: the tries span about six hours.
pub const ATTEMPTS_MAX: i32 = 10;

/// The library's log lines hold payloads: a log filter must have this directive. `queue` logs what happens in their place.
pub const LOG_DIRECTIVE: &str = "graphile_worker=off";

/// The library's name for all jobs of ours.
const TASK: &str = "goodturn";

/// Does the jobs of one task. A job may be run again after a crash, so running it twice must be harmless.
#[tonic::async_trait]
pub trait Handler: Send + Sync + 'static {
    /// The name that `enqueue` is given.
    fn task(&self) -> &'static str;

    /// Does one job.
    ///
    /// # Errors
    /// Any failure: the job is tried again later. The text is stored, so it must hold nothing private.
    async fn run(&self, payload: &Value) -> anyhow::Result<()>;
}

/// How many jobs there are, by what they wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Due now.
    pub ready: i64,
    /// Being done.
    pub running: i64,
    /// Due later: failed and waiting for the next try.
    pub waiting: i64,
    /// Failed for the last time. Kept, for a person to look at.
    pub dead: i64,
}

/// Enqueues a job in the caller's transaction: it exists when that commits. A job with the same key that has not begun is replaced.
/// The payload must hold no secret in the clear.
///
/// # Errors
/// As the database.
pub async fn enqueue(conn: &mut PgConnection, task: &'static str, key: Option<&str>, payload: &Value) -> Result<()> {
    // The library's schema is not there when the macros are checked, so its statements are plain queries.
    sqlx::query(
        "SELECT id
         FROM graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4)",
    )
    .bind(TASK)
    .bind(json!({ "task": task, "payload": payload }))
    .bind(ATTEMPTS_MAX)
    .bind(key)
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts the jobs.
///
/// # Errors
/// As the database.
pub async fn counts(conn: &mut PgConnection) -> Result<Counts> {
    // A replaced job that was running has its attempts used up, and is noted in the retirements: it is not dead.
    let counts = sqlx::query_as(
        "SELECT count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()) AS ready,
                count(*) FILTER (WHERE locked_at IS NOT NULL) AS running,
                count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now()) AS waiting,
                count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts AND NOT EXISTS (
                    SELECT 1
                    FROM graphile_worker._private_job_retirements AS r
                    WHERE r.id = j.id
                )) AS dead
         FROM graphile_worker._private_jobs AS j
         LIMIT 1",
    )
    .fetch_one(conn)
    .await?;
    Ok(counts)
}

/// Whether the queue's own schema is this program's, or newer.
///
/// # Errors
/// As the database.
pub async fn is_migrated(conn: &mut PgConnection) -> Result<bool> {
    let there = "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL LIMIT 1";
    if !sqlx::query_scalar::<_, bool>(there).fetch_one(&mut *conn).await? {
        return Ok(false);
    }
    let revision = "SELECT coalesce(max(id), 0) FROM graphile_worker.migrations LIMIT 1";
    let revision: i32 = sqlx::query_scalar(revision).fetch_one(conn).await?;
    Ok(GRAPHILE_WORKER_MIGRATIONS.iter().all(|m| i64::from(m.migration_number()) <= i64::from(revision)))
}

/// Brings the queue's own schema up to date, on a connection that is made as the options say.
///
/// # Errors
/// When a migration fails.
pub async fn migrate(options: &PgConnectOptions) -> anyhow::Result<()> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options.clone());
    let done = graphile_worker_migrations::migrate(&pool, graphile_worker::Schema::default()).await;
    pool.close().await;
    match done {
        // This node serves; the jobs are left to the newer nodes that changed the queue.
        Err(newer @ MigrateError::IncompatbleRevision { .. }) => {
            tracing::warn!(cause = %newer, "this node does no jobs");
            Ok(())
        }
        done => Ok(done?),
    }
}
