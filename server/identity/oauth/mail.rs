//! The mail with a code that links an account, sent after the transaction that asked for it.

use super::store;
use crate::{
    identity::{self, code_jobs::CodeTask, codes, user_pool::UserPool},
    ids::MemberId,
    jobs,
    outside::mail::{Mail, Mailer},
    read,
};
use std::sync::Arc;
use uuid::Uuid;

/// Sends codes that link an account.
pub struct SendLinkCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl CodeTask for SendLinkCode {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = "send_link_code";

    /// Sends the code if it still links something.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
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
