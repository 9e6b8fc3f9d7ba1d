//! Members whose clocks show another zone: what areas time by them is looked at anew, after the change and by a job for each area.

use super::{Class, Handler, Job, enqueue, enqueue_all};
use crate::{db::Tx, deps::Deps, error::Result, ids::MemberId, transact};
use serde_json::{Value, json};
use std::marker::PhantomData;
use time::OffsetDateTime;

/// So much of one member's is looked at, what is due first.
const LOOKED_AT_MAX: i64 = 1000;

/// An area that times something by the clocks of members.
#[tonic::async_trait]
pub trait Clocked: Send + Sync + 'static {
    /// The name of its jobs.
    const TASK: &'static str;

    /// Has that of a member's which waits for an instant wait for nothing but to be looked at, and says which jobs do; so much at most.
    ///
    /// # Errors
    /// As the database.
    async fn look_anew(tx: &mut Tx, member: MemberId, now: OffsetDateTime, most: i64) -> Result<Vec<(String, Job<'static>)>>;
}

/// Has an area look anew.
pub struct Moved<T> {
    deps: Deps,
    area: PhantomData<T>,
}

impl<T: Clocked> Moved<T> {
    /// For the area's jobs.
    pub const fn new(deps: Deps) -> Self {
        Self { deps, area: PhantomData }
    }

    /// Enqueues it, once for however many moves of a member.
    ///
    /// # Errors
    /// As the database.
    pub async fn enqueue(tx: &mut Tx, member: MemberId) -> Result<()> {
        enqueue(tx, &Job { key: Some(&member.to_string()), ..Job::new(Class::Timers, T::TASK, json!(member)) }).await
    }
}

#[tonic::async_trait]
impl<T: Clocked> Handler for Moved<T> {
    fn class(&self) -> Class {
        Class::Timers
    }

    fn task(&self) -> &'static str {
        T::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let member: MemberId = serde_json::from_value(payload.clone())?;
        let done: Result<()> = transact!(self.deps.pool, |tx| {
            let jobs = T::look_anew(tx, member, self.deps.clock.now(), LOOKED_AT_MAX).await?;
            enqueue_all(tx, &jobs).await
        });
        Ok(done?)
    }
}
