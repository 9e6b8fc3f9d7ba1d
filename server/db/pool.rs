//! The connections of a node. One is lent for one read or one transaction; when that was cut short, or the connection failed, it is
//! closed and never used again: what it waits for, and the locks it holds, end with it.

use super::{
    Bounds,
    share::{Share, overloaded},
};
use crate::{
    bus::Bus,
    call::Call,
    error::{Error, Reason, Result},
};
use deadpool::{
    Runtime, Status,
    managed::{self, Metrics, Object, PoolError, QueueMode, RecycleError, RecycleResult, TimeoutType},
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, postgres::PgConnectOptions};
use std::{
    future::Future,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

/// A connection that was not used for so long is asked whether it still works; busier ones are not.
const ASKED_AFTER: Duration = Duration::from_secs(5);
const ANSWERS_WITHIN: Duration = Duration::from_millis(500);
/// No bound of a statement is shorter: less than what a call is waited for after its deadline, and enough for what takes a moment.
const BOUND_MIN: Duration = Duration::from_millis(20);
/// Then another takes its place: a server that was replaced, or whose address changed, is not held on to.
const AGE_MAX: Duration = Duration::from_secs(1800);
const IDLE_MAX: Duration = Duration::from_secs(300);

/// The pool. Clones are the same one.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    connections: managed::Pool<Connections>,
    bounds: Bounds,
    /// For what the server does of its own accord.
    background: Arc<Share>,
    /// What all connections hold that were made since the last failure; cancelled at the next.
    standing: Mutex<Standing>,
    bus: Bus,
}

#[derive(Clone)]
struct Standing {
    since: Instant,
    lost: CancellationToken,
}

struct Connections {
    options: PgConnectOptions,
}

/// One connection.
struct Open {
    postgres: PgConnection,
    /// The bound of its statements, where it is not the usual one.
    bound: Option<Duration>,
}

impl Open {
    /// Bounds its statements; `None` is as usual.
    async fn bound(&mut self, bound: Option<Duration>) -> sqlx::Result<()> {
        if self.bound != bound {
            let text = bound.map_or_else(|| "DEFAULT".to_owned(), |bound| bound.as_millis().to_string());
            self.postgres.execute(AssertSqlSafe(format!("SET statement_timeout TO {text}"))).await?;
            self.bound = bound;
        }
        Ok(())
    }
}

impl managed::Manager for Connections {
    type Type = Open;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Open> {
        // In a box, as what is seldom: it takes more room than all else that a read waits for.
        Ok(Open { postgres: Box::pin(PgConnection::connect_with(&self.options)).await?, bound: None })
    }

    async fn recycle(&self, connection: &mut Open, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        if metrics.age() > AGE_MAX {
            return Err(RecycleError::message("it is old"));
        }
        if metrics.last_used() > ASKED_AFTER {
            Box::pin(connection.postgres.ping()).await?;
        }
        Ok(())
    }
}

impl Pool {
    /// A pool that connects when it is used, and anew after a failure: the server outlives the database. What transactions signal goes
    /// to the bus.
    ///
    /// # Errors
    /// Never by what the configuration may say.
    pub fn open(options: PgConnectOptions, bounds: Bounds, bus: Bus) -> Result<Self> {
        let connections = managed::Pool::builder(Connections { options })
            .max_size(bounds.connections_max as usize)
            .queue_mode(QueueMode::Lifo)
            .wait_timeout(Some(bounds.acquire))
            .create_timeout(Some(bounds.acquire))
            .recycle_timeout(Some(ANSWERS_WITHIN))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(Error::internal)?;
        let background = Arc::new(Share::new(bounds.share(), bounds.acquire));
        let standing = Standing { since: Instant::now(), lost: CancellationToken::new() };
        Ok(Self(Arc::new(Inner { connections, bounds, background, standing: Mutex::new(standing), bus })))
    }

    /// The part of the connections that one service may use: enough to keep busy, never all.
    pub fn share(&self) -> Arc<Share> {
        Arc::new(Share::new(self.0.bounds.share(), self.0.bounds.acquire))
    }

    /// How long things may take.
    pub fn bounds(&self) -> &Bounds {
        &self.0.bounds
    }

    /// How many connections there are, and how many of them are idle.
    pub fn status(&self) -> Status {
        self.0.connections.status()
    }

    pub(super) fn bus(&self) -> &Bus {
        &self.0.bus
    }

    /// Lends a connection, on the share of the call in whose scope this runs, whose statements end with the deadline of that call: Postgres
    /// ends them and keeps the connection, which we could only close. Use `read!` or `transact!`.
    ///
    /// # Errors
    /// UNAVAILABLE when the database is; OVERLOADED when no connection comes free in time.
    pub async fn lend(&self) -> Result<Lent> {
        loop {
            let mut lent = self.take().await?;
            let (lost, bound, had) = (lent.lost(), self.bound(), lent.bound());
            match within(lost, lent.open().bound(bound)).await {
                Ok(()) => return Ok(lent),
                Err(e) if ended_by(had, &e) => {}
                Err(e) => return Err(lent.close(e)),
            }
        }
    }

    /// The same, with the bound of statements that it had.
    pub(super) async fn take(&self) -> Result<Lent> {
        let share = Call::current(|call| call.share.clone()).unwrap_or_else(|| self.0.background.clone());
        let place = share.enter().await?;
        loop {
            let standing = self.standing().clone();
            let connection = self.0.connections.get().await.map_err(|e| self.refused(e))?;
            if Object::metrics(&connection).created >= standing.since {
                return Ok(Lent { pool: self.clone(), connection: Some(connection), whole: false, lost: standing.lost, _place: place });
            }
            drop(Object::take(connection));
        }
    }

    /// How long a statement of the call in whose scope this runs may take, where its deadline is nearer than the usual bound.
    pub(super) fn bound(&self) -> Option<Duration> {
        let left = Call::current(|call| call.until)?.saturating_duration_since(tokio::time::Instant::now());
        // Whole milliseconds, none of them before the deadline. The next one who borrows the connection changes it under this bound.
        (left < self.0.bounds.statement).then(|| (left + Duration::from_millis(1)).max(BOUND_MIN))
    }

    /// The connections that are open have failed, or fell silent: what waits for them fails at once, and new ones are made.
    pub fn start_over(&self) {
        let old = std::mem::replace(&mut *self.standing(), Standing { since: Instant::now(), lost: CancellationToken::new() });
        old.lost.cancel();
        self.drop_idle();
    }

    /// Closes what is not in use: it has probably failed, and is made anew.
    pub fn drop_idle(&self) {
        self.0.connections.retain(|_, _| false);
    }

    /// Closes what was not used for a while.
    pub fn tidy(&self) {
        self.0.connections.retain(|_, metrics| metrics.last_used() < IDLE_MAX);
    }

    /// Lends no more; what is lent is closed when it comes back.
    pub fn close(&self) {
        self.0.connections.close();
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.0.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refused(&self, error: PoolError<sqlx::Error>) -> Error {
        match error {
            PoolError::Timeout(TimeoutType::Wait) => overloaded(),
            PoolError::Backend(e) => e.into(),
            PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => lost("it does not answer"),
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => lost("the pool is closed"),
        }
    }
}

/// A connection that is lent. Unless it is given back whole, it is closed when this is dropped.
pub struct Lent {
    pool: Pool,
    connection: Option<Object<Connections>>,
    whole: bool,
    lost: CancellationToken,
    _place: OwnedSemaphorePermit,
}

impl Lent {
    /// Is cancelled when the connection has failed without a word.
    pub fn lost(&self) -> CancellationToken {
        self.lost.clone()
    }

    /// The bound of its statements, where it is not the usual one.
    pub(super) fn bound(&self) -> Option<Duration> {
        self.connection.as_ref().and_then(|open| open.bound)
    }

    /// Closes it after a failure of what prepares it: what state it is in is not known.
    pub(super) fn close(self, e: Error) -> Error {
        self.notice(&e);
        e
    }

    fn notice(&self, e: &Error) {
        if e.reason() == Reason::Unavailable {
            // The others that are open have probably met the same end.
            self.pool.drop_idle();
        }
    }

    fn open(&mut self) -> &mut Open {
        self.connection.as_mut().expect("it is taken out only in drop")
    }

    /// Gives the connection back after its use, unless the failure may have left it in the middle of something.
    pub fn give_back<T>(mut self, result: Result<T>) -> Result<T> {
        let failed = result.as_ref().err();
        if let Some(e) = failed {
            self.notice(e);
        }
        self.whole = !failed.is_some_and(|e| matches!(e.reason(), Reason::Unavailable | Reason::Internal));
        result
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection.as_ref().expect("it is taken out only in drop").postgres
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.open().postgres
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && !self.whole
        {
            // Its socket closes here; Postgres ends what it was doing for us when it sees that.
            drop(Object::take(connection));
        }
    }
}

/// Waits for a statement, unless its connection fails without a word meanwhile.
pub async fn within<T>(lost: CancellationToken, statement: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
    match lost.run_until_cancelled(statement).await {
        Some(done) => done.map_err(Error::from),
        None => Err(self::lost("its connections fell silent")),
    }
}

/// Whether the bound of who had a connection before ended what prepares it for another: it is closed, and the next one does as well.
pub fn ended_by(had: Option<Duration>, e: &Error) -> bool {
    had.is_some() && e.reason() == Reason::DeadlineExceeded
}

/// UNAVAILABLE, for a cause that is ours to tell.
pub fn lost(cause: &'static str) -> Error {
    Error::new(Reason::Unavailable, "the database is not available")
        .retry_after(Duration::from_secs(1))
        .caused_by(anyhow::anyhow!("database: {cause}"))
}
