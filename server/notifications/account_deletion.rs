//! What becomes of notifications when a member leaves: their own go, and those that others have of them keep no name.

use super::{New, Settled, Target, changed, rules, store, tell_and_lock};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    identity,
    ids::MemberId,
    jobs::{self, Job},
    pb::notifications::TargetKind,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::sync::Arc;
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 500;

/// What an area has to say of a member who leaves, or is blocked.
#[derive(Debug, Default)]
pub struct Told {
    /// To others. Nothing in it names the member.
    pub news: Vec<New>,
    /// What is expected no longer.
    pub settled: Vec<Settled>,
    /// What goes on between the two of a block: what is expected there keeps its names.
    pub goes_on: Vec<Target>,
    /// What is to be done after it, by its keys: of one task.
    pub jobs: Vec<(String, Job<'static>)>,
}

/// An area above that removes what is a leaving member's. What all of them have to say is told at last, in one go.
#[tonic::async_trait]
pub trait Leaving: Send + Sync + 'static {
    /// The account is being deleted. Locks what stands above the notifications in the order of locks.
    ///
    /// # Errors
    /// Any, which keeps the account.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told>;
}

/// Hears of members, and lets the areas above say what they have to.
pub struct Hooks {
    deps: Deps,
    areas: Vec<Arc<dyn Leaving>>,
}

impl Hooks {
    /// With the areas above, the lower ones first.
    pub fn new(deps: Deps, areas: Vec<Arc<dyn Leaving>>) -> Self {
        Self { deps, areas }
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn deleted(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        let (mut news, mut settled, mut jobs) = (Vec::new(), Vec::new(), Vec::new());
        for area in &self.areas {
            let told = area.left(tx, member).await?;
            news.extend(told.news.into_iter().filter(|new| new.member != member));
            settled.extend(told.settled);
            jobs.push(told.jobs);
        }
        store::mails::remove_said(tx, member).await?;
        // All counters are locked in one go; what the member caused is found before, under the locks of the areas.
        let others = store::told_by(tx, member).await?;
        let also: Vec<MemberId> = others.iter().copied().chain([member]).collect();
        tell_and_lock(tx, &self.deps, &news, &settled, &also).await?;
        store::remove_all_of(tx, member).await?;
        store::remove_asked_by(tx, member).await?;
        store::forget_actor(tx, member, &rules::sentences_of_former()).await?;
        for other in others {
            changed(tx, other, TargetKind::Notifications, Uuid::nil());
        }
        for of_area in jobs {
            jobs::enqueue_all(tx, &of_area).await?;
        }
        Ok(())
    }

    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let (mut all, mut before) = (Vec::new(), i64::MAX);
        loop {
            let page = store::list(conn, member, before, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Some(("notifications", Value::Array(all)))) };
            before = last.seq;
            all.extend(page.iter().map(|n| {
                json!({
                    "id": n.id.to_string(),
                    "type": n.kind.as_str_name().trim_start_matches("NOTIFICATION_TYPE_").to_lowercase(),
                    "title": n.title,
                    "message": n.message,
                    "at": identity::instant(n.at),
                    "read": n.read,
                })
            }));
        }
    }
}
