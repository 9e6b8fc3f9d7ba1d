//! Mails that tell members about changes to their password and second factors, whoever made them.
//! It waits a moment after the transaction that it was in, so that setting up an authenticator, turning it on and making recovery codes is one mail.

use super::{
    mail::{ABOUT_ACCOUNT, NOT_YOU},
    store,
    store::factors::Factors,
    user_pool::UserPool,
};
use crate::{
    adapters::{letter::Letter, mail::Mailer},
    db::Tx,
    error::Result,
    ids::MemberId,
    jobs, read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use time::Duration;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum News {
    /// An authenticator app was set up, and waits to be turned on.
    AppSetUp,
    /// The authenticator app is asked for.
    AppOn,
    /// It is not asked for any more.
    AppOff,
    /// Another one takes its place.
    AppReplaced,
    /// A code by SMS is asked for.
    SmsOn,
    /// It is not asked for any more.
    SmsOff,
    /// It goes to another number.
    NumberChanged,
    /// Another of two is asked for first.
    OrderChanged,
    /// There are new recovery codes.
    CodesMade,
    /// One of them was used.
    CodeUsed,
    /// An operator took all of it away.
    Removed,
    /// The password was changed, or set anew by a code.
    PasswordChanged,
}

impl News {
    /// As it is stored.
    pub const fn word(self) -> &'static str {
        match self {
            Self::AppSetUp => "app_set_up",
            Self::AppOn => "app_on",
            Self::AppOff => "app_off",
            Self::AppReplaced => "app_replaced",
            Self::SmsOn => "sms_on",
            Self::SmsOff => "sms_off",
            Self::NumberChanged => "number_changed",
            Self::OrderChanged => "order_changed",
            Self::CodesMade => "codes_made",
            Self::CodeUsed => "code_used",
            Self::Removed => "removed",
            Self::PasswordChanged => "password_changed",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::AppSetUp => "An authenticator app was set up. Apps that require a second step will now ask for its codes.",
            Self::AppOn => "From now on, we'll ask for a code from your authenticator app when you sign in.",
            Self::AppOff => "We no longer ask for a code from your authenticator app when you sign in.",
            Self::AppReplaced => {
                "A new authenticator app replaced your old one. The old app's codes and your old recovery codes no longer work."
            }
            Self::SmsOn => "From now on, we'll text a code to your phone when you sign in.",
            Self::SmsOff => "We no longer text a code to your phone when you sign in.",
            Self::NumberChanged => "From now on, your sign-in codes go to another phone number.",
            Self::OrderChanged => "Your preferred method for the second step was changed.",
            Self::CodesMade => "You have new recovery codes. Any older codes no longer work.",
            Self::CodeUsed => "One of your recovery codes was used to sign in, instead of a code from your authenticator app.",
            Self::Removed => {
                "You asked us to remove your second step. We no longer ask for codes from an authenticator app, text codes or recovery codes when you sign in, and \
                 no devices are remembered. You were signed out everywhere.\n\nFrom now on, you can sign in with just your password. Please set \
                 up a second step again soon in Settings, Sign-in and security."
            }
            Self::PasswordChanged => "Your password was changed, and your other devices were signed out.",
        }
    }
}

/// What is asked for from now on and was not before, and the other way round.
pub fn between(has: &Factors, (totp_on, sms_on): (bool, bool)) -> Vec<News> {
    let turned = |before: bool, now: bool, (on, off): (News, News)| (before != now).then_some(if now { on } else { off });
    [turned(has.totp_on, totp_on, (News::AppOn, News::AppOff)), turned(has.sms_on, sms_on, (News::SmsOn, News::SmsOff))]
        .into_iter()
        .flatten()
        .collect()
}

/// A security notice waits no longer than this, however long other mail waits.
const WAIT_MAX: Duration = Duration::minutes(5);

/// Has a member told. The first of several news sets when the mail goes.
pub async fn tell(pool: &UserPool, tx: &mut Tx, member: MemberId, news: &[News]) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    let (now, wait) = (pool.deps.clock.now(), pool.deps.mail_delay.min(WAIT_MAX));
    let first = store::factor_news::since(tx, member).await?.unwrap_or(now);
    let (key, after) = (member.to_string(), (first + wait - now).clamp(Duration::ZERO, wait).unsigned_abs());
    let job = jobs::Job::new(jobs::Class::Mail, SendFactorNews::TASK, json!(Payload { member }));
    jobs::enqueue(tx, &jobs::Job { key: Some(&key), after, ..job }).await?;
    store::factor_news::add(tx, member, news, now).await
}

/// Tells members what has become of their second factors.
pub struct SendFactorNews {
    /// Whose.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
}

impl SendFactorNews {
    const TASK: &'static str = "send_factor_news";
}

#[tonic::async_trait]
impl jobs::Handler for SendFactorNews {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    /// Mails all that happened since the last mail, also what was changed again since, to the address of that time: a
    /// thief who then changes the address does not get the notice in its owner's place.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member } = Payload::deserialize(payload)?;
        let pool = &self.pool.deps.pool;
        let mut waiting = read!(pool, |conn| store::factor_news::waiting(conn, member).await)?;
        while let Some(first) = waiting.first() {
            let email = first.email.clone();
            let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|one| one.email == email);
            let news: Vec<News> = now.iter().map(|one| one.news).collect();
            self.mailer.send(letter(&summary(&news)).to(email)).await?;
            let ids: Vec<i64> = now.iter().map(|one| one.id).collect();
            transact!(pool, |tx| store::factor_news::remove(tx, &ids).await)?;
            waiting = later;
        }
        Ok(())
    }
}

/// Keeps the last of each news, and drops that an app was set up before it was turned on.
fn summary(news: &[News]) -> Vec<News> {
    let is_last = |n: usize, one: News| {
        let later = news.get(n + 1..).unwrap_or_default();
        let was_turned_on = one == News::AppSetUp && later.contains(&News::AppOn);
        !was_turned_on && !later.contains(&one)
    };
    news.iter().copied().enumerate().filter(|(n, one)| is_last(*n, *one)).map(|(_, one)| one).collect()
}

fn letter(news: &[News]) -> Letter {
    let begun = Letter::new("Security notice for your Goodturn account").paragraph("This is about how you sign in to Goodturn.");
    let told = news.iter().flat_map(|one| one.sentence().split("\n\n")).fold(begun, Letter::paragraph);
    told.paragraph(NOT_YOU).because(ABOUT_ACCOUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mail_says_each_thing_once() {
        use News::{AppOff, AppOn, AppSetUp, CodesMade};
        assert_eq!(summary(&[AppSetUp, AppOn, CodesMade, CodesMade]), [AppOn, CodesMade]);
        assert_eq!(summary(&[AppSetUp]), [AppSetUp]);
        assert_eq!(summary(&[AppOff, AppOn, AppOff]), [AppOn, AppOff], "the last word counts");
        assert_eq!(summary(&[AppOn, AppOff, AppSetUp]), [AppOn, AppOff, AppSetUp], "it was set up anew");
    }

    #[test]
    fn what_is_told_is_what_has_changed() {
        for (before, now, told) in [
            ((false, false), (false, false), vec![]),
            ((true, true), (true, true), vec![]),
            ((false, false), (true, false), vec![News::AppOn]),
            ((true, false), (false, false), vec![News::AppOff]),
            ((true, false), (false, true), vec![News::AppOff, News::SmsOn]),
            ((false, true), (true, true), vec![News::AppOn]),
            ((true, true), (false, false), vec![News::AppOff, News::SmsOff]),
        ] {
            let has = Factors { totp_on: before.0, sms_on: before.1, ..Default::default() };
            assert_eq!(between(&has, now), told, "{before:?} to {now:?}");
        }
    }
}
