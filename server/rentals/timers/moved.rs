//! A member whose clocks show another zone has other hours, and other days for what they lend: the times of their rentals are looked at anew.

use super::Timer;
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    ids::MemberId,
    jobs::{self, Class, Job},
    rentals::store,
    transact,
};
use serde_json::{Value, json};

/// Of so many rentals, those that are due first.
const LOOKED_AT_MAX: i64 = 1000;

/// Writes for a member's rentals that their times are to be found anew, and enqueues the jobs that do.
pub struct Moved(pub Deps);

impl Moved {
    const TASK: &'static str = "rental_zones";

    /// Enqueues it, once for however many moves.
    ///
    /// # Errors
    /// As the database.
    pub async fn enqueue(tx: &mut Tx, member: MemberId) -> Result<()> {
        let job = Job::new(Class::Timers, Self::TASK, json!(member));
        jobs::enqueue(tx, &Job { key: Some(&member.to_string()), ..job }).await
    }
}

#[tonic::async_trait]
impl jobs::Handler for Moved {
    fn class(&self) -> Class {
        Class::Timers
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let member: MemberId = serde_json::from_value(payload.clone())?;
        let done: Result<()> = transact!(self.0.pool, |tx| {
            let now = self.0.clock.now();
            let items = store::lock_ahead(tx, member, now, LOOKED_AT_MAX).await?;
            let rentals = store::time_anew(tx, member, &items, now).await?;
            let jobs: Vec<_> = rentals.into_iter().map(|rental| Timer::at_once(rental, now).job()).collect();
            jobs::enqueue_all(tx, &jobs).await
        });
        Ok(done?)
    }
}
