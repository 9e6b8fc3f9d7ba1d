//! The SMS with a code, sent after the transaction that asked for it.

use super::{codes, store, user_pool::UserPool};
use crate::{
    ids::MemberId,
    jobs,
    outside::sms::{Sms, Texter},
    read,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

const TASK: &str = "send_second_factor";

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// The job of a code that is a second factor: it is told the ids of a member and of the code, and no digits.
pub fn job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Sms, TASK, json!(Payload { member, code }))
}

/// Sends codes that are second factors.
pub struct SendSecondFactor {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub texter: Arc<dyn Texter>,
}

#[tonic::async_trait]
impl jobs::Handler for SendSecondFactor {
    fn class(&self) -> jobs::Class {
        jobs::Class::Sms
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Sends the code to the member's verified number; nowhere when there is none any more.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let Some(to) = read!(self.pool.deps.pool, |conn| store::factors::of(conn, member).await)?.phone else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.texter.send(Sms { to, body: format!("Your Goodturn code is {digits}. Give it to nobody.") }).await
    }
}
