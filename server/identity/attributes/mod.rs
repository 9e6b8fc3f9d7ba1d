//! Changing one's attributes. A new address or number takes effect once its code is given; until then the one before stays in force, and
//! nobody learns whether it is another member's.

pub mod change;
pub mod profile;
pub mod rules;

use self::{
    change::expect,
    rules::{Attribute, Changes},
};
use super::{
    Member,
    code_jobs::CodeTask,
    codes, confirm,
    factor_news::{self, News},
    mail::SendReplaced,
    mfa_assurance,
    rules::invalid,
    sign_up,
    store::{
        self,
        attempts::{Kind, Subject},
    },
    user_pool::{UserPool, Why},
};
use crate::{
    auth::Caller,
    db::Tx,
    error::{Error, Reason, Result},
    ids::MemberId,
    jobs,
    pb::identity::CodeDeliveryDetails,
    read, transact,
};
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a code confirms a new address or number.
const CODE_LIFE: Duration = Duration::hours(24);

/// Changes attributes, and sends a code to each new address or number.
///
/// # Errors
/// INVALID_PARAMETER; ATTEMPTS_EXCEEDED when too many codes were asked for; NOT_AUTHORIZED for the number of a second factor, by a client that
/// asks for none.
pub async fn update(pool: &UserPool, caller: &Caller, changes: &Changes, from: Option<IpAddr>) -> Result<Vec<CodeDeliveryDetails>> {
    let (member, now) = (caller.member, pool.deps.clock.now());
    transact!(pool.deps.pool, |tx| {
        let begun = change::begin(pool, tx, member, changes, from, now).await?;
        let present = locked(tx, member).await?;
        // An address brings new passwords and members of providers in: it is as good as a second factor.
        let moves = changes.email.as_ref().is_some_and(|email| *email != present.email);
        if moves || (changes.phone_number.is_some() && store::factors::of(tx, member).await?.sms_on) {
            mfa_assurance::may_change(pool, tx, caller).await?;
        }
        let written = change::write(pool, tx, &begun, (&present, changes), now).await?;
        change::finish(pool, tx, member, &written).await?;
        Ok(written.told())
    })
}

/// Sends a code that verifies an attribute: the value that waits for one, else the one in force.
///
/// # Errors
/// INVALID_PARAMETER when there is none; ATTEMPTS_EXCEEDED when too many codes were asked for; NOT_AUTHORIZED by a client that asks for no second
/// factor, of who has one.
pub async fn send_code(pool: &UserPool, caller: &Caller, attribute: Attribute, from: Option<IpAddr>) -> Result<CodeDeliveryDetails> {
    needs_sms(pool, attribute)?;
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| send_in(pool, tx, (caller, attribute), from, now).await)
}

/// The same, as steps of a transaction.
async fn send_in(
    pool: &UserPool,
    tx: &mut Tx,
    (caller, attribute): (&Caller, Attribute),
    from: Option<IpAddr>,
    now: OffsetDateTime,
) -> Result<CodeDeliveryDetails> {
    let member = caller.member;
    let present = store::member(tx, member).await?.ok_or_else(gone)?;
    let destination = destination(tx, &present, attribute, now).await?;
    let goes = spend(pool, tx, member, (attribute, &destination), from, now).await?;
    store::attempts::clear(tx, &tries(pool, member, attribute), Kind::Code).await?;
    let present = locked(tx, member).await?;
    mfa_assurance::may_change(pool, tx, caller).await?;
    if self::destination(tx, &present, attribute, now).await? != destination {
        return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
    }
    store::attributes::void(tx, member, attribute, now).await?;
    let sent = expect(pool, tx, member, (attribute, &destination), goes, now).await?;
    sent.enqueue(tx, member).await?;
    Ok(sent.told())
}

async fn destination(tx: &mut Tx, present: &Member, attribute: Attribute, now: OffsetDateTime) -> Result<String> {
    let waits = store::attributes::newest(tx, present.id, attribute, now).await?.filter(|code| code.stands);
    let in_force = match attribute {
        Attribute::Email => Some(present.email.clone()),
        Attribute::PhoneNumber => present.phone_number.clone(),
    };
    waits.map(|code| code.destination).or(in_force).ok_or_else(|| invalid("User does not have a phone_number."))
}

/// Verifies an attribute by its code: from now on it is in force.
///
/// # Errors
/// CODE_MISMATCH; EXPIRED_CODE for a code that had its time, and after five wrong tries; ALIAS_EXISTS when it is another member's, which nobody
/// learns without its code; ATTEMPTS_EXCEEDED after too many from one network; NOT_AUTHORIZED by a client that asks for no second factor, of who
/// has one.
pub async fn verify(pool: &UserPool, caller: &Caller, attribute: Attribute, code: &str, from: Option<IpAddr>) -> Result<()> {
    let (now, network) = (pool.deps.clock.now(), pool.network(from));
    // A wrong try is committed, so the answer about it is no error of the transaction.
    transact!(pool.deps.pool, |tx| try_code(pool, tx, (caller, attribute), code, network, now).await)?
}

async fn try_code(
    pool: &UserPool,
    tx: &mut Tx,
    (caller, attribute): (&Caller, Attribute),
    code: &str,
    network: Option<Subject>,
    now: OffsetDateTime,
) -> Result<Result<()>> {
    let (member, subject) = (caller.member, tries(pool, caller.member, attribute));
    if let Err(refused) = confirm::count(pool, tx, &subject, network, now).await? {
        return Ok(Err(refused));
    }
    let right = |found: &store::attributes::Waiting| codes::matches(&pool.settings.keys, found.id, code);
    let seen = store::attributes::newest(tx, member, attribute, now).await?.filter(right);
    if let Some(found) = seen.as_ref().filter(|_| attribute == Attribute::Email) {
        // What waits at the address is dropped with it, and locked before the member.
        store::registrations::lock_at(tx, &found.destination).await?;
    }
    let present = locked(tx, member).await?;
    mfa_assurance::may_change(pool, tx, caller).await?;
    let found = store::attributes::newest(tx, member, attribute, now).await?.filter(right);
    let Some(found) = found else {
        confirm::guessed(pool, tx, network, now).await?;
        return Ok(Err(confirm::mismatch()));
    };
    if seen.is_none_or(|seen| seen.id != found.id) {
        return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
    }
    if !found.stands {
        return Ok(Err(confirm::expired()));
    }
    store::attempts::clear(tx, &subject, Kind::Code).await?;
    let is_factor = attribute == Attribute::PhoneNumber
        && Some(&found.destination) != present.phone_number.as_ref()
        && store::factors::of(tx, member).await?.sms_on;
    let replaced = (attribute == Attribute::Email && found.destination != present.email).then_some(present.email.as_str());
    let free = match attribute {
        Attribute::Email => store::attributes::put_email(tx, member, &found.destination, now).await?,
        Attribute::PhoneNumber => store::attributes::put_phone(tx, member, Some(&found.destination), now).await?,
    };
    // What was sent to the one before lets nobody in any more.
    store::accounts::begin_anew(tx, member, now).await?;
    store::attributes::use_up(tx, member, found.id, replaced.filter(|_| free), now).await?;
    store::awaited::remove_all(tx, member).await?;
    if !free {
        return Ok(Err(alias_exists(attribute)));
    }
    if let Some(before) = replaced {
        // Codes for a new password may lie in the mailbox that is the member's no longer.
        store::attributes::void_resets(tx, member, now).await?;
        store::registrations::remove_at(tx, &found.destination).await?;
        store::sessions::keep_name(tx, member, before).await?;
        jobs::enqueue(tx, &SendReplaced::job(member, found.id)).await?;
    }
    if is_factor {
        factor_news::tell(pool, tx, member, &[News::NumberChanged]).await?;
    }
    Ok(Ok(()))
}

/// The member, locked before they are read.
async fn locked(tx: &mut Tx, member: MemberId) -> Result<Member> {
    if !store::accounts::lock(tx, member).await? {
        return Err(gone());
    }
    store::member(tx, member).await?.ok_or_else(gone)
}

async fn spend(
    pool: &UserPool,
    tx: &mut Tx,
    member: MemberId,
    (attribute, destination): (Attribute, &str),
    from: Option<IpAddr>,
    now: OffsetDateTime,
) -> Result<bool> {
    let why = match attribute {
        Attribute::Email => Why::NewAddress,
        Attribute::PhoneNumber => Why::NewNumber,
    };
    sign_up::spend_mail(pool, tx, why, from, (&member.to_string(), Some(destination)), now).await
}

/// Whose tries are counted: of each attribute on its own.
fn tries(pool: &UserPool, member: MemberId, attribute: Attribute) -> Subject {
    pool.settings.keys.derive("attribute", &[member.0.as_bytes(), attribute.as_str().as_bytes()])
}

fn needs_sms(pool: &UserPool, attribute: Attribute) -> Result<()> {
    if attribute == Attribute::PhoneNumber && !pool.settings.sms {
        return Err(invalid("User pool does not have SMS configuration to perform this operation."));
    }
    Ok(())
}

fn alias_exists(attribute: Attribute) -> Error {
    let noun = match attribute {
        Attribute::Email => "email",
        Attribute::PhoneNumber => "phone number",
    };
    Error::new(Reason::AliasExists, format!("An account with the {noun} already exists."))
}

fn gone() -> Error {
    Error::new(Reason::NotAuthorized, "Invalid Access Token")
}

/// What a job about an attribute is told to send: whereto, and the digits; `None` when it does not stand any more.
pub async fn standing(pool: &UserPool, member: MemberId, code: Uuid) -> Result<Option<(Attribute, String, String)>> {
    let now = pool.deps.clock.now();
    read!(pool.deps.pool, |conn| {
        for attribute in [Attribute::Email, Attribute::PhoneNumber] {
            let newest = store::attributes::newest(conn, member, attribute, now).await?;
            if let Some(found) = newest.filter(|found| found.stands && found.id == code) {
                return Ok(Some((attribute, found.destination, codes::digits(&pool.settings.keys, code))));
            }
        }
        Ok(None)
    })
}
