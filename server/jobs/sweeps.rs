//! Sweeps: what has outlived its use is deleted, once an hour, each kind by one node at a time.

use crate::{deps::Deps, error::Result, transact};
use sqlx::PgConnection;
use std::{sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio::{sync::Semaphore, time::sleep};
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_secs(3600);
const AGAIN_AFTER_FAILURE: Duration = Duration::from_secs(60);
/// Between two rounds: who waits for what a round has locked comes through.
const PAUSE: Duration = Duration::from_millis(10);
/// Any number that nothing else locks by; the other one is the sweep's.
const LOCK: i32 = 0x600d_7012;

/// Deletes old rows of one kind.
#[tonic::async_trait]
pub trait Sweep: Send + Sync + 'static {
    /// What is swept: for the log, and for the lock.
    fn name(&self) -> &'static str;

    /// Deletes some of what is too old at `now`, in one transaction. How many; 0 means that nothing is left.
    ///
    /// # Errors
    /// As the database.
    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64>;
}

/// Sweeps once an hour, until `stop`. One node at a time does a sweep; the sweeps of a node take turns, round by round.
pub async fn run_sweeps(deps: Deps, sweeps: Vec<Arc<dyn Sweep>>, stop: CancellationToken) {
    let turn = Semaphore::new(1);
    let each = sweeps.iter().map(|sweep| sweep_always(&deps, &**sweep, &turn));
    stop.run_until_cancelled(futures_util::future::join_all(each)).await;
}

async fn sweep_always(deps: &Deps, sweep: &dyn Sweep, turn: &Semaphore) {
    loop {
        let mut rows = 0;
        let done = sweep_all(deps, sweep, turn, &mut rows).await;
        if rows > 0 {
            tracing::info!(sweep = sweep.name(), rows, "swept");
        }
        match done {
            Ok(()) => sleep(EVERY).await,
            Err(cause) => {
                tracing::warn!(sweep = sweep.name(), ?cause, "sweep failed");
                sleep(AGAIN_AFTER_FAILURE).await;
            }
        }
    }
}

/// Goes on until nothing is left, or another node does it. A round is one transaction, with its bound.
async fn sweep_all(deps: &Deps, sweep: &dyn Sweep, turn: &Semaphore, rows: &mut u64) -> Result<()> {
    loop {
        let ours_now = turn.acquire().await;
        let some = transact!(deps.pool, |tx| {
            let ours = sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS "ours!""#, LOCK, sweep.name())
                .fetch_one(&mut **tx)
                .await?;
            if ours { sweep.sweep(tx, deps.clock.now()).await } else { Ok(0) }
        })?;
        if some == 0 {
            return Ok(());
        }
        *rows += some;
        drop(ours_now);
        sleep(PAUSE).await;
    }
}
