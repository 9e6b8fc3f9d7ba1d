//! The SMS with a code, sent after the transaction that asked for it.

use super::{code_jobs::CodeTask, codes, store, user_pool::UserPool};
use crate::{
    adapters::sms::{Sms, Texter},
    ids::MemberId,
    jobs, read,
};
use std::sync::Arc;
use uuid::Uuid;

/// Sends codes that are second factors.
pub struct SendSecondFactor {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub texter: Arc<dyn Texter>,
}

#[tonic::async_trait]
impl CodeTask for SendSecondFactor {
    const CLASS: jobs::Class = jobs::Class::Sms;
    const TASK: &'static str = "send_second_factor";

    /// Sends the code to the member's verified number; nowhere when there is none any more.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let Some(to) = read!(self.pool.deps.pool, |conn| store::factors::of(conn, member).await)?.phone else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.texter.send(Sms { to, body: format!("{digits} is your Goodturn code. Don't share it with anyone.") }).await
    }
}
