//! Renditions for cards of pictures that were taken before there were any: drawn by jobs, a few at a time, one job after another.

use super::store;
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    ids::PictureId,
    jobs::{self, Class, Job},
    pictures::Size,
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

const TASK: &str = "draw_cards";
/// There is one at a time.
const KEY: &str = "all";
/// How many are drawn by one job: some seconds. Of a picture that is dropped meanwhile files are removed for good long after a job has to end.
const FEW: i64 = 50;
/// Those for which somebody waits come first.
const IN_NO_HASTE: i16 = 1;

#[derive(Serialize, Deserialize)]
struct Payload {
    /// Those up to this one were looked at: what is lost is passed over.
    after: PictureId,
}

fn job(after: PictureId) -> Job<'static> {
    Job { key: Some(KEY), priority: IN_NO_HASTE, ..Job::new(Class::Pictures, TASK, json!(Payload { after })) }
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
        let mut drawn = Vec::with_capacity(few.len());
        for id in &few {
            if pictures.redraw(*id, Size::Card).await? {
                drawn.push(*id);
            }
        }
        transact!(pool, |tx| noted(tx, &drawn, few.last()).await)?;
        Ok(())
    }
}

async fn noted(tx: &mut Tx, drawn: &[PictureId], last: Option<&PictureId>) -> Result<()> {
    store::have_card(tx, drawn).await?;
    match last {
        Some(last) => jobs::enqueue(tx, &job(*last)).await,
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
        if !store::without_card(conn, first, 1).await?.is_empty() {
            jobs::enqueue_quietly(conn, &job(first)).await?;
        }
        Ok(0)
    }
}
