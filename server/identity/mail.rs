//! The mail with a code, sent after the transaction that asked for it.

use super::{
    Member,
    attributes::{self, rules::Attribute},
    code_jobs::CodeTask,
    codes, policy,
    store::{self, registrations::Registration},
    user_pool::UserPool,
};
use crate::{
    adapters::{
        letter::Letter,
        mail::Mailer,
        sms::{Sms, Texter},
    },
    db::Tx,
    error::Result,
    ids::MemberId,
    jobs,
    mail_links::{MailLinks, Page},
    read, text, transact,
};
use std::sync::Arc;
use time::{Duration, OffsetDateTime, UtcOffset, macros::format_description};
use unicode_normalization::char::is_combining_mark;
use uuid::Uuid;

/// What to do about what somebody else did who was signed in.
pub const NOT_YOU: &str =
    "If this wasn't you, someone else was signed in to your account. Reset your password and contact us. We'll help you.";

/// Why members get what is about their account.
pub const ABOUT_ACCOUNT: &str = "This email is about signing in to your account, so it can't be turned off.";

/// The job of a code for a new address or number.
pub fn attribute_job(attribute: Attribute, member: MemberId, code: Uuid) -> jobs::Job<'static> {
    match attribute {
        Attribute::Email => SendAttributeCode::job(member, code),
        Attribute::PhoneNumber => SendAttributeSms::job(member, code),
    }
}

const ATTRIBUTE_TASK: &str = "send_attribute_code";

/// Sends codes that confirm an address.
pub struct SendCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl CodeTask for SendCode {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = "send_registration_code";

    /// Sends the code if it is still valid. The owner of an account at the address is told of that instead.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let (deps, now) = (&self.pool.deps, self.pool.deps.clock.now());
        let registration = read!(deps.pool, |conn| store::registrations::by_id(conn, member, now).await)?;
        let Some(registration) = registration.filter(|r| r.code == code) else { return Ok(()) };
        let is_members = read!(deps.pool, |conn| store::member_by_email(conn, &registration.email).await)?.is_some();
        let letter = if is_members {
            has_account(&self.pool.mail_links())
        } else {
            welcome(&registration, &codes::digits(&self.pool.settings.keys, code))?
        };
        self.mailer.send(letter.to(registration.email)).await
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
impl CodeTask for SendResetCode {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = "send_reset_code";

    /// Lets the code stand and sends it; to nobody when it is nobody's.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let (deps, life, now) = (&self.pool.deps, self.pool.settings.lives.reset_code, self.pool.deps.clock.now());
        let found = transact!(deps.pool, |tx| let_stand(tx, member, (code, now + life), now).await)?;
        let Some(member) = found else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.mailer.send(reset(&digits, life).to(member.email)).await
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
impl CodeTask for SendAttributeCode {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = ATTRIBUTE_TASK;

    /// Sends the code if it still stands.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let Some((Attribute::Email, to, digits)) = attributes::standing(&self.pool, member, code).await? else { return Ok(()) };
        self.mailer.send(new_address(&digits).to(to)).await
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
impl CodeTask for SendAttributeSms {
    const CLASS: jobs::Class = jobs::Class::Sms;
    const TASK: &'static str = ATTRIBUTE_TASK;

    /// Sends the code if it still stands.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let Some((Attribute::PhoneNumber, to, digits)) = attributes::standing(&self.pool, member, code).await? else { return Ok(()) };
        let body = format!("{digits} is your Goodturn code. Don't share it with anyone.");
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
impl CodeTask for SendReplaced {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = "send_address_replaced";

    /// Tells it once; of a member who left since, nobody.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let replaced = read!(self.pool.deps.pool, |conn| store::attributes::replaced(conn, member, code).await)?;
        let Some(to) = replaced else { return Ok(()) };
        self.mailer.send(address_replaced().to(to)).await
    }
}

fn address_replaced() -> Letter {
    Letter::new("Your Goodturn email address was changed")
        .paragraph(
            "The email address of your Goodturn account was changed. From now on, we'll email you at the new address, and you'll sign in with \
             it.",
        )
        .paragraph("If this wasn't you, someone else was signed in to your account. Contact us, and we'll help you.")
        .because(ABOUT_ACCOUNT)
}

fn has_account(links: &MailLinks) -> Letter {
    Letter::new("You already have a Goodturn account")
        .paragraph("Someone, probably you, tried to sign up for Goodturn with this email address. It already has an account.")
        .button("Sign in", links.address(Page::SignIn))
        .paragraph("If you forgot your password, choose \"Forgot password?\" there to set a new one.")
        .paragraph("If this wasn't you, ignore this email. Your account hasn't changed.")
        .because(ABOUT_ACCOUNT)
}

fn new_address(digits: &str) -> Letter {
    Letter::new("Your Goodturn code")
        .paragraph("Someone wants to use this email address for their Goodturn account.")
        .code("The code is", digits)
        .paragraph("Enter it within 24 hours on the page where you requested it.")
        .paragraph("If this wasn't you, ignore this email and don't share the code. Nothing changes without it.")
}

/// Sends codes that sign in.
pub struct SendSignInCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[tonic::async_trait]
impl CodeTask for SendSignInCode {
    const CLASS: jobs::Class = jobs::Class::Mail;
    const TASK: &'static str = "send_sign_in_code";

    /// Sends the code; to nobody when it is nobody's.
    async fn tell(&self, member: MemberId, code: Uuid) -> anyhow::Result<()> {
        let Some(member) = read!(self.pool.deps.pool, |conn| store::member(conn, member).await)? else { return Ok(()) };
        let digits = codes::digits(&self.pool.settings.keys, code);
        self.mailer.send(sign_in(&digits).to(member.email)).await
    }
}

fn sign_in(digits: &str) -> Letter {
    Letter::new("Your Goodturn sign-in code")
        .paragraph("Someone is signing in to your Goodturn account.")
        .code("Your code is", digits)
        .paragraph("Enter it on the sign-in page within 15 minutes.")
        .paragraph("If this wasn't you, ignore this email and don't share the code. No one can sign in without it.")
        .because(ABOUT_ACCOUNT)
}

fn reset(digits: &str, life: Duration) -> Letter {
    Letter::new("Reset your Goodturn password")
        .paragraph("Someone asked to set a new password for your Goodturn account.")
        .code("Your code is", digits)
        .paragraph(format!("Enter it within {}. Resetting your password signs you out everywhere.", policy::in_words(life)))
        .paragraph("If this wasn't you, ignore this email and don't share the code. Your password stays the same.")
        .because(ABOUT_ACCOUNT)
}

fn welcome(registration: &Registration, digits: &str) -> anyhow::Result<Letter> {
    let format = format_description!("[month repr:long] [day padding:none], [year], at [hour repr:12 padding:none]:[minute] [period] UTC");
    let (name, at) = (harmless(&registration.name), registration.created_at.to_offset(UtcOffset::UTC).format(format)?);
    let life = policy::in_words(registration.expires_at - registration.created_at);
    Ok(Letter::new("Your Goodturn code")
        .heading("Welcome to Goodturn!")
        .paragraph(format!("{name} signed up with this email address on {at}."))
        .code("Your verification code is", digits)
        .paragraph(format!("Enter it on the sign-up page within {life} of signing up."))
        .paragraph("If this wasn't you, ignore this email and don't share the code. No one can use your address without it."))
}

const NAME_CHARS_MAX: usize = 40;

/// More digits than this are a phone number or a code, not a part of a name.
const NAME_DIGITS_MAX: usize = 4;

/// A stranger's name for a mail to somebody else: as written, on one line, and not clickable. A name with more than four digits loses them, so that
/// it can hold neither a code nor a phone number.
pub fn harmless(name: &str) -> String {
    let many = name.chars().filter(|c| c.is_numeric()).count() > NAME_DIGITS_MAX;
    let kept: String = text::within(name).chars().filter(|c| !(many && c.is_numeric())).collect();
    let words = text::name(&kept).split_whitespace().collect::<Vec<_>>().join(" ");
    let is_long = words.chars().count() > NAME_CHARS_MAX;
    let kept = if is_long { NAME_CHARS_MAX - 1 } else { NAME_CHARS_MAX };
    let mut end = words.char_indices().nth(kept).map_or(words.len(), |(at, _)| at);
    // A letter keeps its marks, and a sign of several the rest of it.
    while words.get(end..).and_then(|rest| rest.chars().next()).is_some_and(|c| is_combining_mark(c) || text::is_invisible(c)) {
        end = words.get(..end).and_then(|short| short.char_indices().next_back()).map_or(0, |(at, _)| at);
    }
    let short = words.get(..end).unwrap_or_default().trim_end();
    let says_something = short.chars().any(|c| c.is_alphanumeric() || !c.is_ascii());
    let mark = if is_long { "…" } else { "" };
    if says_something { text::unlinked(short) + mark } else { "Someone".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_mail_is_shown_as_written_and_is_no_link() {
        for name in [
            "Ana Silva",
            "Zoë O'Neil-Smith",
            "प्रिया शर्मा",
            "สมชาย ใจดี",
            "தமிழ்ச்செல்வி",
            "ខ្មែរ",
            "မြန်မာ",
            "J.R.",
            "A-12",
            "שָׁלוֹם",
            "Ana (flat 3)",
            "王小明",
        ] {
            assert_eq!(harmless(name), name);
        }
        for (name, told) in [
            ("Zoe\u{308} Mu\u{308}ller", "Zoë Müller"),
            ("https://evil.example/win", "https:\u{200B}/\u{200B}/\u{200B}evil.\u{200B}example/\u{200B}win"),
            ("www\u{3002}evil\u{2024}com", "www\u{3002}\u{200B}evil\u{2024}\u{200B}com"),
            ("Your code is 123456\u{2029}\u{2029}Ana", "Your code is Ana"),
            ("Call ٠١٢٣٤٥ now", "Call now"),
            ("\u{202E}Ana\u{7}\r\nSilva", "Ana Silva"),
            ("123456", "Someone"),
            ("\u{200B} -", "Someone"),
            ("👩🏽‍🚒 🌻", "👩🏽‍🚒 🌻"),
            (&*"a".repeat(40), &*"a".repeat(40)),
            (&*"a".repeat(201), &*format!("{}…", "a".repeat(39))),
            (&*format!("{}e\u{323}\u{302}xy", "a".repeat(38)), &*format!("{}ệ…", "a".repeat(38))),
            (&*format!("{}प्रिया", "a".repeat(38)), &*format!("{}…", "a".repeat(38))),
        ] {
            assert_eq!(harmless(name), told, "{name:?}");
        }
    }
}
