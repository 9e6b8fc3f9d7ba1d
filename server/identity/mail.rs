//! The mail with a code, sent after the transaction that asked for it.

use super::{
    Member,
    attributes::{self, rules::Attribute},
    codes, policy,
    store::{self, registrations::Registration},
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::Result,
    ids::MemberId,
    jobs,
    outside::{
        mail::{Mail, Mailer},
        sms::{Sms, Texter},
    },
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use time::{Duration, OffsetDateTime, UtcOffset, macros::format_description};
use uuid::Uuid;

/// The names of the tasks.
const TASK: &str = "send_registration_code";
/// What a node of the release before calls it, which kept elsewhere what nobody has confirmed.
const OLDER_TASK: &str = "send_code";
const RESET_TASK: &str = "send_reset_code";
const SIGN_IN_TASK: &str = "send_sign_in_code";
const ATTRIBUTE_TASK: &str = "send_attribute_code";
const REPLACED_TASK: &str = "send_address_replaced";

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// The job: it is told the ids of a registration and of its code, and no digits.
pub fn job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, TASK, json!(Payload { member, code }))
}

/// The job of a code for a new password: it is told the ids of a member and of the code, and no digits.
pub fn reset_job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, RESET_TASK, json!(Payload { member, code }))
}

/// The job of a code for a new address or number: it is told the ids of a member and of the code.
pub fn attribute_job(attribute: Attribute, member: MemberId, code: Uuid) -> jobs::Job<'static> {
    let class = match attribute {
        Attribute::Email => jobs::Class::Mail,
        Attribute::PhoneNumber => jobs::Class::Sms,
    };
    jobs::Job::new(class, ATTRIBUTE_TASK, json!(Payload { member, code }))
}

/// The job that tells an address that it was replaced by the one of a code.
pub fn replaced_job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, REPLACED_TASK, json!(Payload { member, code }))
}

/// The job of a code that signs in: it is told the ids of a member and of the code, and no digits.
pub fn sign_in_job(member: MemberId, code: Uuid) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, SIGN_IN_TASK, json!(Payload { member, code }))
}

/// Sends codes that confirm an address.
pub struct SendCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

/// The same for jobs of the release before: those that are about its own rows are left to its nodes.
pub struct SendOlderCode(pub SendCode);

#[tonic::async_trait]
impl jobs::Handler for SendOlderCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        OLDER_TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        anyhow::ensure!(self.0.send(payload).await?, "this is for a node of the release before");
        Ok(())
    }
}

impl SendCode {
    /// Sends the code if it still confirms something, and says whether it did.
    async fn send(&self, payload: &Value) -> anyhow::Result<bool> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let (deps, now) = (&self.pool.deps, self.pool.deps.clock.now());
        let registration = read!(deps.pool, |conn| store::registrations::by_id(conn, member, now).await)?;
        let Some(registration) = registration.filter(|r| r.code == code) else { return Ok(false) };
        let body = body(&registration, &codes::digits(&self.pool.settings.keys, code))?;
        self.mailer.send(Mail { to: registration.email, subject: "Your Goodturn code".to_owned(), body }).await?;
        Ok(true)
    }
}

#[tonic::async_trait]
impl jobs::Handler for SendCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Codes of nobody, and those that others took the place of, are let be.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        self.send(payload).await.map(drop)
    }
}

/// Sends codes that allow a new password.
pub struct SendResetCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendResetCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        RESET_TASK
    }

    /// Lets the code stand and sends it; to nobody when it is nobody's.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let (deps, life, now) = (&self.pool.deps, self.pool.settings.lives.reset_code, self.pool.deps.clock.now());
        let found = transact!(deps.pool, |tx| let_stand(tx, member, (code, now + life), now).await)?;
        let Some(member) = found else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.mailer.send(Mail { to: member.email, subject: "Your new Goodturn password".to_owned(), body: reset_body(&digits, life) }).await
    }
}

/// Lets a code for a new password stand in place of the one before, unless that is of a later call. Here, and not where it is asked for: the time
/// of that would tell that there is a member.
async fn let_stand(
    tx: &mut Tx,
    member: MemberId,
    (code, expires_at): (Uuid, OffsetDateTime),
    now: OffsetDateTime,
) -> Result<Option<Member>> {
    if !store::accounts::lock(tx, member).await? {
        return Ok(None);
    }
    match store::codes::newest(tx, member, now).await? {
        // Tried again: it was written, but not sent.
        Some(newest) if newest.id == code && newest.stands => {}
        Some(newest) if newest.id >= code => return Ok(None),
        _ => store::codes::replace(tx, member, code, expires_at, now).await?,
    }
    store::member(tx, member).await
}

/// Sends codes to new addresses of members.
pub struct SendAttributeCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendAttributeCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        ATTRIBUTE_TASK
    }

    /// Sends the code if it still stands.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let Some((Attribute::Email, to, digits)) = attributes::standing(&self.pool, member, code).await? else { return Ok(()) };
        self.mailer.send(Mail { to, subject: "Your Goodturn code".to_owned(), body: address_body(&digits) }).await
    }
}

/// Sends codes to new numbers of members.
pub struct SendAttributeSms {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub texter: Arc<dyn Texter>,
}

#[tonic::async_trait]
impl jobs::Handler for SendAttributeSms {
    fn class(&self) -> jobs::Class {
        jobs::Class::Sms
    }

    fn task(&self) -> &'static str {
        ATTRIBUTE_TASK
    }

    /// Sends the code if it still stands.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let Some((Attribute::PhoneNumber, to, digits)) = attributes::standing(&self.pool, member, code).await? else { return Ok(()) };
        let body = format!("{digits} is your Goodturn code. If you did not ask for it, give it to nobody.");
        self.texter.send(Sms { to, body }).await
    }
}

/// Tells an address that its account has another one now.
pub struct SendReplaced {
    /// Whose addresses.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendReplaced {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        REPLACED_TASK
    }

    /// Tells it once; of a member who left since, nobody.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let replaced = read!(self.pool.deps.pool, |conn| store::attributes::replaced(conn, member, code).await)?;
        let Some(to) = replaced else { return Ok(()) };
        let subject = "Your Goodturn address was changed".to_owned();
        self.mailer.send(Mail { to, subject, body: REPLACED_BODY.to_owned() }).await
    }
}

const REPLACED_BODY: &str = "The address of your Goodturn account was changed. From now on mail goes to the new one, and you sign in with it.\n\n\
    If that was not you, somebody else was signed in as you: write to us, and we will help you.\n";

fn address_body(digits: &str) -> String {
    format!(
        "Somebody wants this to be the address of their Goodturn account.\n\nThe code is {digits}\n\nIt has to be typed in within 24 hours, where \
         it was asked for.\n\nIf that was not you, leave this mail be and give the code to nobody: nothing changes without it.\n"
    )
}

/// Sends codes that sign in.
pub struct SendSignInCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl jobs::Handler for SendSignInCode {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        SIGN_IN_TASK
    }

    /// Sends the code; to nobody when it is nobody's.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { member, code } = Payload::deserialize(payload)?;
        let Some(member) = read!(self.pool.deps.pool, |conn| store::member(conn, member).await)? else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.mailer.send(Mail { to: member.email, subject: "Your Goodturn sign-in code".to_owned(), body: sign_in_body(&digits) }).await
    }
}

fn sign_in_body(digits: &str) -> String {
    format!(
        "Somebody signs in to your Goodturn account.\n\nYour code is {digits}\n\nType it in within a quarter of an hour, where you signed in.\n\n\
         If that was not you, leave this mail be and give the code to nobody: without it nobody gets in.\n"
    )
}

fn reset_body(digits: &str, life: Duration) -> String {
    let life = policy::in_words(life);
    format!(
        "Somebody asked for a new password of your Goodturn account.\n\nYour code is {digits}\n\nType it in within {life}. It signs you out \
         everywhere.\n\nIf that was not you, leave this mail be and give the code to nobody: your password stays as it is.\n"
    )
}

fn body(registration: &Registration, digits: &str) -> anyhow::Result<String> {
    let format = format_description!("[day padding:none] [month repr:long] [year] at [hour]:[minute] UTC");
    let (name, at) = (harmless(&registration.name), registration.created_at.to_offset(UtcOffset::UTC).format(format)?);
    let life = policy::in_words(registration.expires_at - registration.created_at);
    Ok(format!(
        "Welcome to Goodturn.\n\n{name} signed up with this address on {at}.\n\nYour verification code is {digits}\n\n\
         Type it into the sign-up page within {life} of then.\n\n\
         If that was not you, leave this mail be and give the code to nobody: without it nobody can use your address.\n"
    ))
}

const NAME_CHARS_MAX: usize = 40;

/// What a stranger calls themselves, in a mail to somebody else: letters and the marks within names, so that nothing of it becomes a link, a line
/// of its own, or another code.
fn harmless(name: &str) -> String {
    let kept = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '\u{2019}');
    let words: Vec<String> = name.split_whitespace().map(|word| word.chars().filter(|c| kept(*c)).collect()).collect();
    let plain = words.into_iter().filter(|word: &String| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let short: String = plain.chars().take(NAME_CHARS_MAX).collect();
    if short.is_empty() { "Somebody".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_mail_is_no_link() {
        assert_eq!(harmless("Ana Silva"), "Ana Silva");
        for (name, told) in [
            ("Zoë O'Neil-Smith", "Zoë O'Neil-Smith"),
            ("https://evil.example/win", "httpsevilexamplewin"),
            ("www\u{3002}evil\u{2024}com", "wwwevilcom"),
            ("Your code is 123456\u{2029}\u{2029}Ana", "Your code is Ana"),
            ("123456", "Somebody"),
            (&*"a".repeat(201), &*"a".repeat(40)),
        ] {
            assert_eq!(harmless(name), told);
        }
    }
}
