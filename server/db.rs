//! The database: the pool, and a transaction that is tried again when it loses a race.

use crate::error::{Error, Result};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{str::FromStr, time::Duration};

/// How often a transaction that lost a race is begun anew.
pub const RETRIES_MAX: u32 = 4;

/// Bounds of the pool and of what a statement may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most connections.
    pub connections_max: u32,
    /// How long a call waits for a connection.
    pub acquire: Duration,
    /// How long one statement may run.
    pub statement: Duration,
    /// How long one statement waits for a lock.
    pub lock: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections_max: 16, acquire: Duration::from_millis(1500), statement: Duration::from_secs(10), lock: Duration::from_secs(5) }
    }
}

/// Opens the pool. Connections are made as they are needed, and anew after a failure: the server outlives the database.
///
/// # Errors
/// When the URL cannot be read.
pub fn pool(url: &str, bounds: Bounds) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|e| Error::internal(e).with_context("DATABASE_URL cannot be read"))?
        .application_name("goodturn")
        .options([
            ("statement_timeout", bounds.statement.as_millis().to_string()),
            ("lock_timeout", bounds.lock.as_millis().to_string()),
            ("idle_in_transaction_session_timeout", "30000".to_owned()),
            ("timezone", "UTC".to_owned()),
        ]);
    Ok(PgPoolOptions::new().max_connections(bounds.connections_max).acquire_timeout(bounds.acquire).connect_lazy_with(options))
}

/// How long to wait before the next try: longer each time, and not the same for all who collided.
pub fn pause(attempt: u32) -> Duration {
    let spread = u64::from(rand::random::<u8>()) / 16;
    Duration::from_millis((10_u64 << attempt.min(6)) + spread)
}

/// Runs a body in one transaction and commits it: `transact!(pool, |tx| { …; Ok(value) })`. `tx` is a `&mut PgConnection`. A body that
/// loses a race (deadlock, lock time-out, CONFLICT) is run again, so it must not consume what it captured.
#[macro_export]
macro_rules! transact {
    ($pool:expr, |$tx:ident| $body:expr) => {{
        let mut attempt = 0;
        loop {
            let result: $crate::error::Result<_> = async {
                let mut transaction = $pool.begin().await?;
                let $tx: &mut sqlx::PgConnection = &mut transaction;
                let value = async { $body }.await;
                let value: $crate::error::Result<_> = value;
                let value = value?;
                transaction.commit().await?;
                Ok(value)
            }
            .await;
            match result {
                Err(e) if e.is_lost_race() && attempt < $crate::db::RETRIES_MAX => {
                    tokio::time::sleep($crate::db::pause(attempt)).await;
                    attempt += 1;
                }
                done => break done,
            }
        }
    }};
}
