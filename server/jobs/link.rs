//! The library's way to the database: every answer has a bound, and it is woken by us instead of by a NOTIFY of its own.

use futures_util::{StreamExt, stream};
use graphile_worker::{
    BoxFuture, Database, DatabaseDriver, DbError, DbExecutor, DbParams, DbRow, DbTransaction, Notification, NotificationStream,
    TransactionDriver,
};
use sqlx::PgPool;
use std::{any::Any, fmt, sync::Arc, time::Duration};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;

/// A statement of the library takes milliseconds: one that takes so long will never be answered.
const ANSWERED_WITHIN: Duration = Duration::from_secs(12);

/// One worker's way to the database.
#[derive(Clone)]
pub(super) struct Link {
    database: Database,
    /// Cancelled when an answer did not come.
    pub(super) broken: CancellationToken,
    /// Makes the worker look for jobs.
    pub(super) wake: Arc<Notify>,
}

impl Link {
    /// Over a pool.
    pub(super) fn new(pool: PgPool) -> Self {
        Self { database: pool.into(), broken: CancellationToken::new(), wake: Arc::default() }
    }

    async fn bounded<T>(&self, answer: BoxFuture<'_, Result<T, DbError>>) -> Result<T, DbError> {
        match timeout(ANSWERED_WITHIN, answer).await {
            Ok(answer) => answer,
            Err(_) => {
                self.broken.cancel();
                Err(DbError::new("the database did not answer"))
            }
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}

impl DbExecutor for Link {
    fn execute<'a>(&'a self, sql: &'a str, params: DbParams) -> BoxFuture<'a, Result<u64, DbError>> {
        Box::pin(self.bounded(self.database.execute(sql, params)))
    }

    fn fetch_all<'a>(&'a self, sql: &'a str, params: DbParams) -> BoxFuture<'a, Result<Vec<DbRow>, DbError>> {
        Box::pin(self.bounded(self.database.fetch_all(sql, params)))
    }
}

impl DatabaseDriver for Link {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn begin<'a>(&'a self) -> BoxFuture<'a, Result<DbTransaction, DbError>> {
        Box::pin(async {
            let transaction = self.bounded(Box::pin(self.database.begin())).await?;
            Ok(DbTransaction::new(Box::new(Transaction { transaction, link: self.clone() })))
        })
    }

    /// What it hears are our wakes, on whatever channel.
    fn listen<'a>(&'a self, channel: &'a str) -> BoxFuture<'a, Result<Option<NotificationStream>, DbError>> {
        let channel = channel.to_owned();
        let wakes = stream::unfold(self.wake.clone(), |wake| async {
            wake.notified().await;
            Some(((), wake))
        });
        let heard = wakes.map(move |()| Ok(Notification { channel: channel.clone(), payload: String::new() }));
        Box::pin(async { Ok(Some(heard.boxed())) })
    }
}

struct Transaction {
    transaction: DbTransaction,
    link: Link,
}

impl DbExecutor for Transaction {
    fn execute<'a>(&'a self, sql: &'a str, params: DbParams) -> BoxFuture<'a, Result<u64, DbError>> {
        Box::pin(self.link.bounded(self.transaction.execute(sql, params)))
    }

    fn fetch_all<'a>(&'a self, sql: &'a str, params: DbParams) -> BoxFuture<'a, Result<Vec<DbRow>, DbError>> {
        Box::pin(self.link.bounded(self.transaction.fetch_all(sql, params)))
    }
}

impl TransactionDriver for Transaction {
    fn commit(self: Box<Self>) -> BoxFuture<'static, Result<(), DbError>> {
        Box::pin(async move {
            let Self { transaction, link } = *self;
            link.bounded(Box::pin(transaction.commit())).await
        })
    }
}
