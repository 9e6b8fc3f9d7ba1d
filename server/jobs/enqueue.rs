//! Enqueueing: the row that the library's own function would write, but without its NOTIFY.
//!
//! A NOTIFY in a transaction makes all commits of the database wait for one another. So the row is written here, and the workers are
//! woken by the bus when it is committed. A test holds each row against the one of the library.

use super::{ATTEMPTS_MAX, Job, TOPIC};
use crate::{
    db::Tx,
    error::{Error, Result},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::collections::HashSet;
use uuid::Uuid;

/// What becomes of a job whose key comes again: the new one takes its place. `jobs` is the table; a condition may follow.
macro_rules! in_its_place {
    () => {
        "
         ON CONFLICT (key) DO UPDATE
         SET job_queue_id = excluded.job_queue_id,
             task_id = excluded.task_id,
             payload = excluded.payload,
             max_attempts = excluded.max_attempts,
             run_at = excluded.run_at,
             priority = excluded.priority,
             revision = jobs.revision + 1,
             flags = excluded.flags,
             attempts = 0,
             last_error = NULL,
             updated_at = now()
        "
    };
}

/// Enqueues a job in the caller's transaction: it exists when that commits, and wakes its workers then.
///
/// # Errors
/// As the database.
pub async fn enqueue(tx: &mut Tx, job: &Job<'_>) -> Result<()> {
    enqueue_quietly(tx, job).await?;
    if job.after.is_zero() {
        tx.signal(TOPIC, Uuid::nil(), job.class.name());
    }
    Ok(())
}

/// The same, but nobody is woken: its workers find it when they look the next time. For sweeps, which are in no haste.
///
/// # Errors
/// As the database.
pub async fn enqueue_quietly(tx: &mut PgConnection, job: &Job<'_>) -> Result<()> {
    let key = job.key.map(|key| full(job, key));
    if let Some(key) = &key {
        retire(tx, key).await?;
    }
    if !insert(tx, job, key.as_deref()).await? {
        // The first job of its class, before any worker of it.
        name(tx, job).await?;
        if !insert(tx, job, key.as_deref()).await? {
            return Err(Error::internal(anyhow::anyhow!("a job was not enqueued")));
        }
    }
    Ok(())
}

/// Enqueues jobs of one task by their keys, as `enqueue` does each, in one statement however many there are: where none of them is being done,
/// or dead.
///
/// # Errors
/// As the database.
pub async fn enqueue_all(tx: &mut Tx, jobs: &[(String, Job<'_>)]) -> Result<()> {
    let Some((_, first)) = jobs.first() else { return Ok(()) };
    let written = insert_all(tx, first, jobs).await?;
    for (key, job) in jobs.iter().filter(|(key, job)| !written.contains(&full(job, key))) {
        enqueue(tx, &Job { key: Some(key), ..job.clone() }).await?;
    }
    if jobs.iter().any(|(_, job)| job.after.is_zero()) {
        tx.signal(TOPIC, Uuid::nil(), first.class.name());
    }
    Ok(())
}

/// Removes a job that waits by its key: nothing waits for it any more. One that is being done finds that out by itself.
///
/// # Errors
/// As the database.
pub async fn dismiss(conn: &mut PgConnection, task: &str, key: &str) -> Result<()> {
    sqlx::query("DELETE FROM graphile_worker._private_jobs WHERE key = $1 AND is_available")
        .bind(format!("{task}/{key}"))
        .execute(conn)
        .await?;
    Ok(())
}

/// A key is of its task: two tasks do not replace each other's jobs.
fn full(job: &Job<'_>, key: &str) -> String {
    format!("{}/{key}", job.task)
}

/// The keys of those that were written. They are, in their order, so that two of these at once do not wait for each other in a circle.
async fn insert_all(conn: &mut PgConnection, first: &Job<'_>, jobs: &[(String, Job<'_>)]) -> Result<HashSet<String>> {
    let keys: Vec<String> = jobs.iter().map(|(key, job)| full(job, key)).collect();
    let payloads: Vec<_> = jobs.iter().map(|(_, job)| sqlx::types::Json(payload(job))).collect();
    let waits: Vec<f64> = jobs.iter().map(|(_, job)| job.after.as_secs_f64()).collect();
    let written: Vec<String> = sqlx::query_scalar(concat!(
        "INSERT INTO graphile_worker._private_jobs AS jobs (task_id, payload, run_at, max_attempts, key, priority)
         SELECT t.id, n.payload, now() + make_interval(secs => n.wait), $2, n.key, $3
         FROM graphile_worker._private_tasks AS t
         CROSS JOIN unnest($4::text[], $5::json[], $6::float8[]) AS n (key, payload, wait)
         WHERE t.identifier = $1
         ORDER BY n.key",
        in_its_place!(),
        " WHERE jobs.is_available
         RETURNING key",
    ))
    .bind(first.class.identifier())
    .bind(ATTEMPTS_MAX)
    .bind(first.priority)
    .bind(&keys)
    .bind(&payloads)
    .bind(&waits)
    .fetch_all(conn)
    .await?;
    Ok(written.into_iter().collect())
}

fn payload(job: &Job<'_>) -> Value {
    json!({ "task": job.task, "payload": job.payload })
}

/// Takes the key from a job that is being done, or is dead: what comes is another job.
async fn retire(conn: &mut PgConnection, key: &str) -> Result<()> {
    // The library's lock, so that its own functions wait for us too.
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext($1)) AS graphile_worker_key").bind(key).execute(&mut *conn).await?;
    // Locked first: whether it has begun is then read anew.
    sqlx::query(
        "SELECT id
         FROM graphile_worker._private_jobs
         WHERE key = $1
         LIMIT 1
         FOR UPDATE",
    )
    .bind(key)
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "WITH retired AS (
             UPDATE graphile_worker._private_jobs
             SET key = NULL, attempts = max_attempts, updated_at = now()
             WHERE key = $1 AND is_available IS NOT TRUE
             RETURNING id
         )
         INSERT INTO graphile_worker._private_job_retirements (id)
         SELECT id
         FROM retired
         ON CONFLICT DO NOTHING",
    )
    .bind(key)
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether it was written: not when the class has no name in the tables yet.
async fn insert(conn: &mut PgConnection, job: &Job<'_>, key: Option<&str>) -> Result<bool> {
    let done = sqlx::query(concat!(
        "INSERT INTO graphile_worker._private_jobs AS jobs (task_id, payload, run_at, max_attempts, key, priority)
         SELECT id, $2, now() + make_interval(secs => $3), $4, $5, $6
         FROM graphile_worker._private_tasks
         WHERE identifier = $1",
        in_its_place!(),
        " WHERE jobs.locked_at IS NULL",
    ))
    .bind(job.class.identifier())
    .bind(sqlx::types::Json(payload(job)))
    .bind(job.after.as_secs_f64())
    .bind(ATTEMPTS_MAX)
    .bind(key)
    .bind(job.priority)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

async fn name(conn: &mut PgConnection, job: &Job<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO graphile_worker._private_tasks (identifier)
         VALUES ($1)
         ON CONFLICT DO NOTHING",
    )
    .bind(job.class.identifier())
    .execute(conn)
    .await?;
    Ok(())
}
