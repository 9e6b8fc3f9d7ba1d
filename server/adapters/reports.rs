//! Reports of members to those who run the server: mailed where an address of theirs is set, and deleted after half a year. What a report says,
//! and where it is kept, is its area's.

use crate::{
    adapters::{letter::Letter, mail::Mailer},
    db::Tx,
    deps::Deps,
    error::Result,
    ids::ReportId,
    jobs::{self, Class, Job},
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::{marker::PhantomData, sync::Arc};
use time::{Duration, OffsetDateTime};

/// How long a report is kept.
const KEPT_FOR: Duration = Duration::days(180);

/// The reports of an area.
#[tonic::async_trait]
pub trait Reports: Send + Sync + 'static {
    /// The task that mails one.
    const TASK: &'static str;
    /// What is swept.
    const NAME: &'static str;

    /// The mail of a report; `None` when it was mailed, or who wrote it has left.
    async fn letter(conn: &mut PgConnection, id: ReportId) -> Result<Option<Letter>>;

    /// Notes that it was mailed.
    async fn mailed(conn: &mut PgConnection, id: ReportId, now: OffsetDateTime) -> Result<()>;

    /// Removes some that are older. How many.
    async fn remove_old(conn: &mut PgConnection, before: OffsetDateTime) -> Result<u64>;
}

#[derive(Serialize, Deserialize)]
struct Payload {
    report: ReportId,
}

/// Has a report mailed.
///
/// # Errors
/// As the database.
pub async fn mail<R: Reports>(tx: &mut Tx, report: ReportId) -> Result<()> {
    jobs::enqueue(tx, &Job::new(Class::Mail, R::TASK, json!(Payload { report }))).await
}

/// Mails reports.
pub struct SendReport<R> {
    deps: Deps,
    mailer: Arc<dyn Mailer>,
    to: String,
    of: PhantomData<fn() -> R>,
}

impl<R> SendReport<R> {
    /// By this mailer, to this address.
    pub fn new(deps: Deps, mailer: Arc<dyn Mailer>, to: impl Into<String>) -> Self {
        Self { deps, mailer, to: to.into(), of: PhantomData }
    }
}

#[tonic::async_trait]
impl<R: Reports> jobs::Handler for SendReport<R> {
    fn class(&self) -> Class {
        Class::Mail
    }

    fn task(&self) -> &'static str {
        R::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { report } = Payload::deserialize(payload)?;
        let Some(letter) = read!(self.deps.pool, |conn| R::letter(conn, report).await)? else { return Ok(()) };
        self.mailer.send(letter.to(self.to.clone())).await?;
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| R::mailed(tx, report, now).await)?;
        Ok(())
    }
}

/// Deletes reports that are too old.
pub struct Sweep<R>(PhantomData<fn() -> R>);

impl<R> Default for Sweep<R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

#[tonic::async_trait]
impl<R: Reports> jobs::Sweep for Sweep<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        R::remove_old(conn, now - KEPT_FOR).await
    }
}
