//! How many jobs there are, for the metrics: cheap however many wait.

use super::Class;
use crate::{db::Pool, error::Result, read};
use metrics::gauge;
use sqlx::PgConnection;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_secs(5);

/// Jobs are counted up to here; a state that has this many has this many or more.
pub const COUNT_MAX: i64 = 1000;

/// How many jobs of one class there are, by what they wait for; none is more than `COUNT_MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Due now.
    pub ready: i64,
    /// Being done.
    pub running: i64,
    /// Due later: enqueued for a time, or failed and waiting for the next try.
    pub waiting: i64,
    /// Failed for the last time. Kept for a person to look at, for 30 days.
    pub dead: i64,
}

/// Counts the jobs of one class.
///
/// # Errors
/// As the database.
pub async fn counts(conn: &mut PgConnection, class: Class) -> Result<Counts> {
    // Each part walks an index of ours in its order, and stops. A replaced job that was running has its attempts used up, and is noted
    // in the retirements: it is not dead.
    let (ready, running, waiting, dead) = sqlx::query_as(
        "WITH task AS MATERIALIZED (
             SELECT id
             FROM graphile_worker._private_tasks
             WHERE identifier = $1
         )
         SELECT (SELECT count(*) FROM (
                    SELECT 1
                    FROM graphile_worker._private_jobs
                    WHERE is_available = true AND task_id = (SELECT id FROM task) AND run_at <= now()
                    ORDER BY run_at
                    LIMIT $2
                ) AS counted),
                (SELECT count(*) FROM (
                    SELECT 1
                    FROM graphile_worker._private_jobs
                    WHERE locked_at IS NOT NULL AND task_id = (SELECT id FROM task)
                    ORDER BY locked_at
                    LIMIT $2
                ) AS counted),
                (SELECT count(*) FROM (
                    SELECT 1
                    FROM graphile_worker._private_jobs
                    WHERE is_available = true AND task_id = (SELECT id FROM task) AND run_at > now()
                    ORDER BY run_at
                    LIMIT $2
                ) AS counted),
                (SELECT count(*) FROM (
                    SELECT 1
                    FROM graphile_worker._private_jobs AS j
                    WHERE is_available = false AND locked_at IS NULL AND task_id = (SELECT id FROM task) AND NOT EXISTS (
                        SELECT 1
                        FROM graphile_worker._private_job_retirements AS r
                        WHERE r.id = j.id
                    )
                    ORDER BY run_at
                    LIMIT $2
                ) AS counted)
         LIMIT 1",
    )
    .bind(class.identifier())
    .bind(COUNT_MAX)
    .fetch_one(conn)
    .await?;
    Ok(Counts { ready, running, waiting, dead })
}

/// Records the counts until `stop`.
pub async fn watch(pool: Pool, stop: CancellationToken) {
    loop {
        for class in Class::ALL {
            let counted = stop.run_until_cancelled(async { read!(pool, |conn| counts(conn, class).await) }).await;
            // A failure shows as a gap; readiness says why.
            if let Some(Ok(counts)) = counted {
                record(class, counts);
            }
        }
        if stop.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_none() {
            return;
        }
    }
}

fn record(class: Class, counts: Counts) {
    for (state, count) in [("ready", counts.ready), ("running", counts.running), ("waiting", counts.waiting), ("dead", counts.dead)] {
        gauge!("goodturn_jobs", "class" => class.name(), "state" => state).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}
