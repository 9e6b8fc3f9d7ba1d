//! The mail with a code that links an account, sent after the transaction that asked for it.

use super::store;
use crate::{
    identity::{self, codes, user_pool::UserPool},
    ids::MemberId,
    jobs,
    outside::mail::{Mail, Mailer},
    read,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

const TASK: &str = "send_link_code";

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// The job: it is told the ids of a member and of the code, and no digits.
pub fn job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, TASK, json!(Payload { member, code }))
}

/// Sends codes that link an account.
pub struct SendLinkCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendLinkCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Sends the code if it still links something.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let (deps, now) = (&self.pool.deps, self.pool.deps.clock.now());
        let found = read!(deps.pool, |conn| {
            let stands = store::is_link_code(conn, member, code, now).await?;
            Ok(identity::store::member(conn, member).await?.filter(|_| stands))
        })?;
        let Some(member) = found else { return Ok(()) };
        let body = body(&codes::digits(&self.pool.settings.keys, code));
        self.mailer.send(Mail { to: member.email, subject: "Link your Goodturn account".to_owned(), body }).await
    }
}

fn body(digits: &str) -> String {
    format!(
        "Somebody signed in elsewhere with this address, and wants to sign in to your Goodturn account by that from now on.\n\n\
         Your code is {digits}\n\nType it in within 15 minutes to allow it.\n\n\
         If that was not you, leave this mail be and give the code to nobody: without it nothing is linked.\n"
    )
}
