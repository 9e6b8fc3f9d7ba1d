//! The mails about links: with the code that makes one, and about one that was made or taken away. Sent after the transaction that it was in.

use super::{link::LIFE, store};
use crate::{
    adapters::{letter::Letter, mail::Mailer},
    identity::{
        self,
        code_jobs::CodeTask,
        codes,
        mail::{ABOUT_ACCOUNT, NOT_YOU},
        user_pool::UserPool,
    },
    ids::MemberId,
    jobs, read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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

    /// Sends the code if it still links something: its time begins now, whatever held the mail up.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let (deps, now) = (&self.pool.deps, self.pool.deps.clock.now());
        let found = transact!(deps.pool, |tx| {
            let Some((id, stood)) = store::lock_link_code(tx, member, code, now).await? else { return Ok(None) };
            // One that was asked for before all had to be shown anew links nothing, and would begin its life again here.
            let since = store::share_owner(tx, member).await?.and_then(|owner| owner.since);
            if since.is_some_and(|since| since >= stood - LIFE) {
                return Ok(None);
            }
            store::put_link_code(tx, &id, code, now + LIFE).await?;
            identity::store::member(tx, member).await
        })?;
        let Some(member) = found else { return Ok(()) };
        self.mailer.send(code_letter(&codes::digits(&self.pool.settings.keys, code)).to(member.email)).await
    }
}

/// Tells members that a provider was linked to their account, or is not any more.
pub struct SendLinkNews {
    /// Whose accounts.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[derive(Serialize, Deserialize)]
struct LinkNews {
    member: MemberId,
    provider: String,
    linked: bool,
}

impl SendLinkNews {
    const TASK: &'static str = "send_link_news";

    /// The job about a member and a provider.
    pub fn job(member: MemberId, provider: &str, linked: bool) -> jobs::Job<'static> {
        let news = LinkNews { member, provider: provider.to_owned(), linked };
        jobs::Job::new(jobs::Class::Mail, Self::TASK, json!(news))
    }
}

#[tonic::async_trait]
impl jobs::Handler for SendLinkNews {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    /// Tells it, of a link that was taken away since as well; of a member who left since, nobody.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let LinkNews { member, provider, linked } = LinkNews::deserialize(payload)?;
        let Some(member) = read!(self.pool.deps.pool, |conn| identity::store::member(conn, member).await)? else { return Ok(()) };
        self.mailer.send(if linked { linked_news(&provider) } else { unlinked_news(&provider) }.to(member.email)).await
    }
}

fn linked_news(provider: &str) -> Letter {
    Letter::new(format!("{provider} was linked to your Goodturn account"))
        .paragraph(format!("{provider} was linked to your Goodturn account. From now on, you can sign in with {provider}."))
        .paragraph(NOT_YOU)
        .because(ABOUT_ACCOUNT)
}

fn unlinked_news(provider: &str) -> Letter {
    Letter::new(format!("{provider} was unlinked from your Goodturn account"))
        .paragraph(format!(
            "{provider} is no longer linked to your Goodturn account, and you can't sign in with it. You were signed out everywhere else."
        ))
        .paragraph(NOT_YOU)
        .because(ABOUT_ACCOUNT)
}

fn code_letter(digits: &str) -> Letter {
    Letter::new("Link your Goodturn account")
        .paragraph("Someone signed in to another service with this email address and wants to use that service to sign in to Goodturn.")
        .code("Your code is", digits)
        .paragraph("Enter it within 15 minutes to allow this.")
        .paragraph("If this wasn't you, ignore this email and don't share the code. Nothing is linked without it.")
        .because(ABOUT_ACCOUNT)
}
