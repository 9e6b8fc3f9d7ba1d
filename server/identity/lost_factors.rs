//! Second factors that are lost: taken away by an operator who has made sure who asks for that, and told by mail.

use super::{refresh, store, user_pool::UserPool};
use crate::{
    db::Tx,
    error::{Error, Result},
    ids::MemberId,
    jobs,
    outside::mail::{Mail, Mailer},
    read,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// What was taken away.
pub struct Removed {
    /// Whether there was an authenticator, a preference for SMS or a code of either.
    pub factors: bool,
    /// How many devices were forgotten.
    pub devices: u64,
    /// How many sessions ended.
    pub sessions: usize,
}

/// Takes all second factors of a member away, with what stands in for them: recovery codes and devices. Every session ends, and the member is
/// told by mail.
///
/// # Errors
/// NOT_FOUND.
pub async fn remove(pool: &UserPool, tx: &mut Tx, member: MemberId) -> Result<Removed> {
    let now = pool.deps.clock.now();
    if !store::accounts::lock(tx, member).await? {
        return Err(Error::not_found("member"));
    }
    let factors = store::factors::remove(tx, member).await?;
    store::accounts::begin_anew(tx, member, now).await?;
    store::awaited::remove_all(tx, member).await?;
    let devices = store::devices::forget_all(tx, member).await?;
    let sessions = refresh::end(tx, member, None, now).await?.len();
    jobs::enqueue(tx, &SendFactorsRemoved::job(member)).await?;
    Ok(Removed { factors, devices, sessions })
}

/// Tells members that their second factors were taken away.
pub struct SendFactorsRemoved {
    /// Whose.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
}

impl SendFactorsRemoved {
    const TASK: &'static str = "send_factors_removed";

    fn job(member: MemberId) -> jobs::Job<'static> {
        jobs::Job::new(jobs::Class::Mail, Self::TASK, json!(Payload { member }))
    }
}

#[tonic::async_trait]
impl jobs::Handler for SendFactorsRemoved {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    /// Tells it; of a member who left since, nobody.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member } = Payload::deserialize(payload)?;
        let Some(member) = read!(self.pool.deps.pool, |conn| store::member(conn, member).await)? else { return Ok(()) };
        let subject = "The second step of your Goodturn account was taken away".to_owned();
        self.mailer.send(Mail { to: member.email, subject, body: BODY.to_owned() }).await
    }
}

const BODY: &str = "You asked us to take away the second step of your Goodturn account: the authenticator app, codes by SMS and recovery codes ask for \
    nothing any more, and no device is remembered. You were signed out everywhere.\n\n\
    From now on your password alone signs you in. Set up another second step soon: Settings, \"Sign-in and security\".\n\n\
    If that was not you, somebody else asked for it in your name: set another password, and write to us. We will help you.\n";
