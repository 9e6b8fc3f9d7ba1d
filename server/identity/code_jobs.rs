//! Jobs about codes: each is told the ids of a member and of a code, and no digits.

use crate::{ids::MemberId, jobs};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// Tells somebody something about a code, after the transaction that asked for it.
#[tonic::async_trait]
pub trait CodeTask: Send + Sync + 'static {
    /// Whose workers do it.
    const CLASS: jobs::Class;
    /// The name that its jobs have.
    const TASK: &'static str;

    /// Tells it; nobody when it is not true any more. May be called again after a crash.
    ///
    /// # Errors
    /// As a handler of jobs.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()>;

    /// The job of a member, or of who would be one, and of a code.
    fn job(member: MemberId, code: Uuid) -> jobs::Job<'static>
    where
        Self: Sized,
    {
        jobs::Job::new(Self::CLASS, Self::TASK, json!(Payload { member, code }))
    }
}

#[tonic::async_trait]
impl<T: CodeTask> jobs::Handler for T {
    fn class(&self) -> jobs::Class {
        T::CLASS
    }

    fn task(&self) -> &'static str {
        T::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        self.tell(member, code).await
    }
}
