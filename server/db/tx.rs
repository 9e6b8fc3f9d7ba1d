//! One transaction: it ends with the deadline of its call, and says what it has to say to other nodes when it is committed.

use super::pool::{Lent, Pool, ended_by, within};
use crate::{
    bus::Bus,
    error::{Reason, Result},
};
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// An open transaction; a `&mut PgConnection` for all that works on rows. Dropped before its end, its connection is closed.
pub struct Tx {
    lent: Lent,
    bus: Bus,
    signals: Vec<String>,
}

impl Pool {
    /// Begins a transaction. Use `transact!`.
    ///
    /// # Errors
    /// As `lend`.
    pub async fn begin(&self) -> Result<Tx> {
        loop {
            let mut lent = self.take().await?;
            let had = lent.bound();
            let begin = begin(had, self.bound(), self.bounds().statement);
            match within(lent.lost(), lent.execute(AssertSqlSafe(begin))).await {
                Ok(_) => return Ok(Tx { lent, bus: self.bus().clone(), signals: Vec::new() }),
                Err(e) if ended_by(had, &e) => {}
                // In a transaction or not: nobody knows.
                Err(e) => return Err(lent.close(e)),
            }
        }
    }
}

/// One round trip: the bound of the statements comes along, where it is not the one that the connection has.
fn begin(has: Option<Duration>, wants: Option<Duration>, usual: Duration) -> String {
    if has == wants {
        return "BEGIN".to_owned();
    }
    format!("BEGIN; SET LOCAL statement_timeout = {}", wants.unwrap_or(usual).as_millis().max(1))
}

impl Tx {
    /// Is cancelled when the connection has failed without a word.
    pub fn lost(&self) -> CancellationToken {
        self.lent.lost()
    }

    /// Says something to every node once this is committed; a roll-back takes it back. A signal only wakes: a crash in between loses it,
    /// and the rows are looked at now and then. `data` is at most some hundred bytes, in one line.
    pub fn signal(&mut self, topic: &str, key: Uuid, data: &str) {
        self.signals.push(format!("{topic} {key} {data}"));
    }

    /// Commits when all went well, else rolls back.
    ///
    /// # Errors
    /// What went wrong.
    pub async fn end<T>(self, result: Result<T>) -> Result<T> {
        let Self { mut lent, bus, signals } = self;
        let (statement, result) = match result {
            Ok(value) => ("COMMIT", Ok(value)),
            // It is closed instead.
            Err(e) if e.reason() == Reason::Unavailable || e.reason() == Reason::Internal => return Err(e),
            Err(e) => ("ROLLBACK", Err(e)),
        };
        let ended = within(lent.lost(), lent.execute(statement)).await;
        let ended = lent.give_back(ended.map(drop));
        let value = result?;
        ended?;
        bus.say(signals);
        Ok(value)
    }
}

impl Deref for Tx {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.lent
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.lent
    }
}
