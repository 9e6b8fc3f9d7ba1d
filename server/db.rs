//! The database: the pool, reads, and transactions that are tried again when they lose a race.

mod pool;
mod share;
mod tx;

pub use pool::{Lent, Pool};
pub use share::{Share, overloaded};
pub use tx::Tx;

use crate::{
    call::Call,
    error::{Error, Reason, Result},
};
use sqlx::postgres::PgConnectOptions;
use std::{future::Future, str::FromStr, time::Duration};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How often a transaction that lost a race is begun anew.
pub const RETRIES_MAX: u32 = 4;

/// How long a read or a transaction of the server's own may take; those of calls have the deadline of the call.
const OWN_WORK_WITHIN: Duration = Duration::from_secs(10);

/// How long after the deadline of a call Postgres may still say that it ended a statement: its connection is closed otherwise.
pub const GRACE: Duration = Duration::from_millis(60);

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

impl Bounds {
    /// The most connections of one service: half of them, so that one which waits for a lock does not stop the others.
    pub fn share(&self) -> usize {
        (self.connections_max as usize / 2).max(1)
    }
}

/// How to connect, for a purpose that Postgres shows beside the connection. A backend whose client is gone ends within a second: it
/// looks for that while it works, and its kernel while it waits.
///
/// # Errors
/// When the URL cannot be read.
pub fn options(url: &str, bounds: Bounds, purpose: &str) -> Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url).map_err(|e| Error::internal(e).with_context("DATABASE_URL cannot be read"))?;
    Ok(options.application_name(purpose).options([
        ("statement_timeout", bounds.statement.as_millis().to_string()),
        ("lock_timeout", bounds.lock.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", "30000".to_owned()),
        ("client_connection_check_interval", "500".to_owned()),
        ("tcp_keepalives_idle", "10".to_owned()),
        ("tcp_keepalives_interval", "5".to_owned()),
        ("tcp_keepalives_count", "3".to_owned()),
        ("tcp_user_timeout", "20000".to_owned()),
        ("timezone", "UTC".to_owned()),
    ]))
}

/// How long to wait before the next try: longer each time, and not the same for all who collided.
pub fn pause(attempt: u32) -> Duration {
    let spread = u64::from(rand::random::<u8>()) / 16;
    Duration::from_millis((10_u64 << attempt.min(6)) + spread)
}

/// Bounds work with the database: by the deadline of the call in whose scope it runs; what is nobody's call has a bound of its own.
///
/// # Errors
/// DEADLINE_EXCEEDED, or as the work.
pub async fn bounded<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let until = Call::current(|call| call.until + GRACE).unwrap_or_else(|| Instant::now() + OWN_WORK_WITHIN);
    match tokio::time::timeout_at(until, work).await {
        Ok(done) => done,
        Err(_) => Err(Error::new(Reason::DeadlineExceeded, "the database took too long")),
    }
}

/// Works on a connection, unless that fails without a word meanwhile.
///
/// # Errors
/// UNAVAILABLE then, or as the work.
pub async fn work<T>(lost: CancellationToken, body: impl Future<Output = Result<T>>) -> Result<T> {
    lost.run_until_cancelled(body).await.unwrap_or_else(|| Err(pool::lost("its connections fell silent")))
}

/// The order in which every transaction first locks rows of each table, or what stands for them, so that none waits for another in a
/// circle. What stands in one line is under the lock of its first. Within a table the order is that of the ids; of a pair of members, the
/// lower one first. The tests check every transaction.
pub const LOCK_ORDER: &[&[&str]] = &[
    &["idempotency_keys"],
    &["budgets"],
    &["attempts"],
    &["registrations"],
    &["signing keys", "signing_keys", "derive_keys"],
    &["federated_sign_ins"],
    &["members", "verifiers", "codes", "second_factors", "recovery_codes", "identities"],
    &["used_secret_blocks"],
    &["devices", "awaited_devices"],
    &["sessions", "authorization_codes", "browser_sessions"],
    &["invitations"],
    &["invitation_claims"],
    &["invitation_refusals"],
    &["friend_requests"],
    &["blocks"],
    &["notification_silences"],
    &["member_reports"],
    &["circles"],
    &["friendships"],
    &["groups", "group_members"],
    &["items", "item_groups", "item_images", "item_blackouts"],
    &["rentals", "rental_events", "rental_pictures"],
    &["member_ratings"],
    &["favors", "favor_places", "favor_recipients", "favor_applicants", "favor_events"],
    &["profiles"],
    &["problem_reports"],
    &["pictures"],
    &["notification_settings"],
    &["notification_counters", "notifications"],
    &["jobs"],
    &["factor_news"],
    &["audit"],
];

/// Marks the statements of one transaction, for the tests' look at the order of locks.
pub fn tx_span() -> tracing::Span {
    tracing::trace_span!(target: TX_SPAN, "transaction")
}

/// The target of the spans of transactions.
pub const TX_SPAN: &str = "goodturn::tx";

/// Reads on one connection: `read!(pool, |conn| { …; Ok(value) })`. `conn` is a `&mut PgConnection`, in no transaction.
#[macro_export]
macro_rules! read {
    ($pool:expr, |$conn:ident| $body:expr) => {
        $crate::db::bounded(async {
            let mut lent = $pool.lend().await?;
            let lost = lent.lost();
            let result = {
                let $conn: &mut sqlx::PgConnection = &mut lent;
                $crate::db::work(lost, async { $body }).await
            };
            lent.give_back(result)
        })
        .await
    };
}

/// Runs a body in one transaction and commits it: `transact!(pool, |tx| { …; Ok(value) })`. `tx` is a `&mut Tx`. A body that loses a race
/// (deadlock, lock time-out, CONFLICT) is run again, so it must not consume what it captured.
#[macro_export]
macro_rules! transact {
    ($pool:expr, |$tx:ident| $body:expr) => {
        $crate::db::bounded(async {
            let mut attempt = 0;
            loop {
                let mut transaction = $pool.begin().await?;
                let (lost, span) = (transaction.lost(), $crate::db::tx_span());
                let result = {
                    let $tx: &mut $crate::db::Tx = &mut transaction;
                    tracing::Instrument::instrument($crate::db::work(lost, async { $body }), span).await
                };
                match transaction.end(result).await {
                    Err(e) if e.is_lost_race() && attempt < $crate::db::RETRIES_MAX => {
                        tokio::time::sleep($crate::db::pause(attempt)).await;
                        attempt += 1;
                    }
                    done => break done,
                }
            }
        })
        .await
    };
}
