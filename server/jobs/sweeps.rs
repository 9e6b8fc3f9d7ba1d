//! Sweeps: what has outlived its use is deleted, once an hour, by one node.

use crate::{deps::Deps, error::Result, transact};
use sqlx::PgConnection;
use std::{sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_secs(3600);
/// Any number that nothing else locks.
const LOCK: i64 = 0x600d_7012;
/// Transactions of one sweep in one go: a backlog is left to the next hour rather than holding the database.
const ROUNDS_MAX: u32 = 100;

/// Deletes old rows of one kind.
#[tonic::async_trait]
pub trait Sweep: Send + Sync + 'static {
    /// What is swept, for the log.
    fn name(&self) -> &'static str;

    /// Deletes some of what is too old at `now`, in one transaction. How many; 0 means that nothing is left.
    ///
    /// # Errors
    /// As the database.
    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64>;
}

/// Sweeps once an hour, until `stop`. Of several nodes one sweeps; the others pass.
pub async fn run_sweeps(deps: Deps, sweeps: Vec<Arc<dyn Sweep>>, stop: CancellationToken) {
    loop {
        for sweep in &sweeps {
            match sweep_all(&deps, &**sweep, &stop).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(sweep = sweep.name(), rows, "swept"),
                Err(cause) => tracing::warn!(sweep = sweep.name(), ?cause, "sweep failed"),
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

async fn sweep_all(deps: &Deps, sweep: &dyn Sweep, stop: &CancellationToken) -> Result<u64> {
    let mut rows = 0;
    for _ in 0..ROUNDS_MAX {
        let some = transact!(deps.pool, |tx| {
            let ours = sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock($1) AS "ours!""#, LOCK).fetch_one(&mut **tx).await?;
            if ours { sweep.sweep(tx, deps.clock.now()).await } else { Ok(0) }
        })?;
        if some == 0 || stop.is_cancelled() {
            break;
        }
        rows += some;
    }
    Ok(rows)
}
