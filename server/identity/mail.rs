//! The mail with a code, sent after the transaction that asked for it.

use super::{codes, store, user_pool::UserPool};
use crate::{
    ids::MemberId,
    jobs,
    outside::mail::{Mail, Mailer},
    read,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// The name of the task.
const TASK: &str = "send_code";

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// The job: it is told ids, and no code.
pub fn job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, TASK, json!(Payload { member, code }))
}

/// Sends codes.
pub struct SendCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Sends the code if it still confirms something: used, voided and expired ones are let be.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let (deps, now) = (&self.pool.deps, self.pool.deps.clock.now());
        let account = read!(deps.pool, |conn| {
            let account = store::accounts::by_id(conn, member, now).await?.filter(|a| !a.confirmed);
            let standing = store::codes::standing(conn, member, now).await?;
            Ok(account.filter(|_| standing == Some(code)))
        })?;
        let Some(account) = account else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.mailer.send(Mail { to: account.email, subject: "Your Goodturn code".to_owned(), body: body(&digits) }).await
    }
}

fn body(digits: &str) -> String {
    format!(
        "Welcome to Goodturn.\n\nYour verification code is {digits}\n\nType it into the sign-up page within 24 hours.\n\
         If you did not just sign up, leave this mail be: without the code nobody can use your address.\n"
    )
}
