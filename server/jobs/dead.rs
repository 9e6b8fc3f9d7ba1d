//! Dead jobs: kept for a month, for a person to look at, and then forgotten.

use super::Sweep;
use crate::error::Result;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

const KEPT_FOR: Duration = Duration::days(30);

/// Forgets jobs that have been dead for 30 days.
pub struct Dead;

#[tonic::async_trait]
impl Sweep for Dead {
    fn name(&self) -> &'static str {
        "dead jobs"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        // A failure moves `run_at` on to the next try that there might have been: some hours after the last one.
        let done = sqlx::query(
            "DELETE FROM graphile_worker._private_jobs
             WHERE is_available = false AND locked_at IS NULL AND id IN (
                 SELECT dead.id
                 FROM graphile_worker._private_tasks AS t
                 CROSS JOIN LATERAL (
                     SELECT j.id
                     FROM graphile_worker._private_jobs AS j
                     WHERE j.is_available = false AND j.locked_at IS NULL AND j.task_id = t.id AND j.run_at <= $1
                     ORDER BY j.run_at
                     LIMIT 1000
                 ) AS dead
                 LIMIT 1000
             )",
        )
        .bind(now - KEPT_FOR)
        .execute(conn)
        .await?;
        Ok(done.rows_affected())
    }
}
