//! Renditions for cards of pictures that were taken before there were any: drawn by jobs, a few at a time, one job after another.

use super::store;
use crate::{
    db::Tx,
    deps::Deps,
    error::{Reason, Result},
    ids::PictureId,
    jobs::{self, Class, Job},
    pictures::Size,
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use uuid::Uuid;

const TASK: &str = "draw_cards";
/// There is one at a time.
const KEY: &str = "all";
/// How many are drawn by one job, and for how long: less than a job may take. Of a picture that is dropped meanwhile files are removed for good long
/// after a job has to end.
const FEW: i64 = 50;
const LONG: Duration = Duration::from_secs(20);
/// Where one cannot be read or written, or nobody has time to draw, the next ones wait for so long: the store may be away.
const LATER: Duration = Duration::from_secs(30);
/// Those for which somebody waits come first.
const IN_NO_HASTE: i16 = 1;

#[derive(Serialize, Deserialize)]
struct Payload {
    /// Those up to this one were looked at: what is lost is passed over.
    after: PictureId,
}

fn job(looked_at: PictureId, after: Duration) -> Job<'static> {
    Job { key: Some(KEY), priority: IN_NO_HASTE, after, ..Job::new(Class::Pictures, TASK, json!(Payload { after: looked_at })) }
}

/// Draws them.
pub struct DrawCards(pub Deps);

#[tonic::async_trait]
impl jobs::Handler for DrawCards {
    fn class(&self) -> Class {
        Class::Pictures
    }

    fn task(&self) -> &'static str {
        TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { after } = Payload::deserialize(payload)?;
        let Deps { pool, pictures, .. } = &self.0;
        let few = read!(pool, |conn| store::without_card(conn, after, FEW).await)?;
        let (mut drawn, mut next, mut looked_at) = (Vec::with_capacity(few.len()), None, after);
        let began = Instant::now();
        for id in few {
            match pictures.redraw(id, Size::Card).await {
                Ok(true) => drawn.push(id),
                Ok(false) => {}
                Err(why) => {
                    tracing::warn!(picture = %id, %why, "a picture was not drawn for cards");
                    // Behind one that cannot be read, until the next sweep; where nobody had time to draw, at that one.
                    next = Some((if why.reason() == Reason::Overloaded { looked_at } else { id }, LATER));
                    break;
                }
            }
            looked_at = id;
            next = Some((looked_at, Duration::ZERO));
            if began.elapsed() > LONG {
                break;
            }
        }
        transact!(pool, |tx| noted(tx, &drawn, next).await)?;
        Ok(())
    }
}

/// What was done is noted also where it broke off, and it goes on behind the last one that was looked at.
async fn noted(tx: &mut Tx, drawn: &[PictureId], next: Option<(PictureId, Duration)>) -> Result<()> {
    store::have_card(tx, drawn).await?;
    match next {
        Some((looked_at, after)) => jobs::enqueue(tx, &job(looked_at, after)).await,
        None => Ok(()),
    }
}

/// Has them drawn where there are any, as after an update.
pub struct CardSweep;

#[tonic::async_trait]
impl jobs::Sweep for CardSweep {
    fn name(&self) -> &'static str {
        "cards"
    }

    async fn sweep(&self, conn: &mut PgConnection, _now: OffsetDateTime) -> Result<u64> {
        let first = PictureId(Uuid::nil());
        // One that is on its way comes to its end, also past those that it cannot read: another one in its place would begin with them again.
        if !jobs::is_there(conn, TASK, KEY).await? && !store::without_card(conn, first, 1).await?.is_empty() {
            jobs::enqueue_quietly(conn, &job(first, Duration::ZERO)).await?;
        }
        Ok(0)
    }
}
