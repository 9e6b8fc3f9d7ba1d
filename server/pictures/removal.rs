//! Files that nothing needs any more are removed from the store: by a job, after the change that dropped them is committed; and a sweep asks again
//! for what a job could not do. A row stays until its files cannot come back, so that none is ever left without one.

use super::{
    Object, Pictures, Size,
    rules::{self, Cleared, Status},
    store::{self, Row},
};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    ids::MemberId,
    jobs::{self, Class, Job},
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

const TASK: &str = "clear_pictures";
/// How many pictures are cleared at once.
const PAGE: i64 = 100;
/// How long a job has before the sweep asks again.
const ASKED_AGAIN: Duration = Duration::hours(1);
/// How many members the sweep asks for in one round.
const ROUND: i64 = 1000;

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
}

fn job(member: MemberId, wait: Duration) -> Job<'static> {
    let after = std::time::Duration::try_from(wait).unwrap_or_default();
    Job { after, ..Job::new(Class::Pictures, TASK, json!(Payload { member })) }
}

/// Asks for the removal of what a member's pictures need no more, at an instant. Last in a transaction.
pub(super) async fn ask(tx: &mut Tx, member: MemberId, at: OffsetDateTime, now: OffsetDateTime) -> Result<()> {
    jobs::enqueue(tx, &job(member, at - now)).await
}

/// Removes files.
pub struct Clear(pub Deps);

#[tonic::async_trait]
impl jobs::Handler for Clear {
    fn class(&self) -> Class {
        Class::Pictures
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// All that is due of one member's; what may come back is looked at once more when it cannot.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member } = Payload::deserialize(payload)?;
        let Deps { pool, clock, pictures, .. } = &self.0;
        loop {
            let now = clock.now();
            // Nobody takes what is being removed.
            transact!(pool, |tx| store::drop_late(tx, member, now).await)?;
            let due = read!(pool, |conn| store::due(conn, member, now, PAGE).await)?;
            if due.is_empty() {
                return Ok(());
            }
            for row in &due {
                remove(pictures, row).await?;
            }
            transact!(pool, |tx| noted(tx, member, &due, now).await)?;
        }
    }
}

async fn remove(pictures: &Pictures, row: &Row) -> anyhow::Result<()> {
    pictures.remove(Object::Upload(row.id)).await?;
    if row.status == Status::Dropped {
        for size in Size::ALL {
            pictures.remove(Object::Rendition(row.id, size)).await?;
        }
    }
    Ok(())
}

/// Notes what was removed. A picture that was dropped meanwhile is due once more, and is left as it is.
async fn noted(tx: &mut Tx, member: MemberId, due: &[Row], now: OffsetDateTime) -> Result<()> {
    let mut again: Option<OffsetDateTime> = None;
    for row in due {
        match (rules::cleared(row.announced_at, row.dropped_at, now), row.status) {
            (Cleared::Again(at), _) => {
                store::postpone(tx, member, row, at).await?;
                again = Some(again.map_or(at, |before| before.max(at)));
            }
            (Cleared::ForGood, Status::Dropped) => store::remove(tx, member, row.id).await?,
            (Cleared::ForGood, _) => store::is_clear(tx, member, row.id).await?,
        }
    }
    match again {
        Some(at) => ask(tx, member, at, now).await,
        None => Ok(()),
    }
}

/// Asks for the removal of what is due since an hour: uploads that nobody took, and what a job gave up.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "pictures"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        let members = store::left_over(conn, now, now - ASKED_AGAIN, ROUND).await?;
        for member in &members {
            jobs::enqueue_quietly(conn, &job(*member, Duration::ZERO)).await?;
        }
        Ok(u64::try_from(members.len()).unwrap_or(u64::MAX))
    }
}
