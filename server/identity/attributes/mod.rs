//! Changing one's attributes. A new address or number takes effect once its code is given; until then the one before stays in force, and
//! nobody learns whether it is another member's.

pub mod rules;

use self::rules::{Attribute, Changes};
use super::{
    Member,
    code_jobs::CodeTask,
    codes, confirm,
    mail::{self, SendReplaced},
    rules::{Name, invalid},
    sign_up,
    steps::Factor,
    store::{
        self,
        attempts::{Kind, Subject},
    },
    user_pool::{UserPool, Why},
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::MemberId,
    jobs,
    pb::identity::{CodeDeliveryDetails, DeliveryMedium},
    read, transact,
};
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};

/// How long a code confirms a new address or number.
const CODE_LIFE: Duration = Duration::hours(24);

/// Changes attributes, and sends a code to each new address or number.
///
/// # Errors
/// INVALID_PARAMETER; ATTEMPTS_EXCEEDED when too many codes were asked for.
pub async fn update(pool: &UserPool, member: MemberId, changes: &Changes, from: Option<IpAddr>) -> Result<Vec<CodeDeliveryDetails>> {
    if changes.phone_number.as_ref().is_some_and(|number| !number.is_empty()) {
        needs_sms(pool, Attribute::PhoneNumber)?;
    }
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        // Looked at before the locks: budgets and tries come first in their order.
        let expected = expected(changes, &store::member(tx, member).await?.ok_or_else(gone)?);
        let mut sends = Vec::with_capacity(expected.len());
        for (attribute, destination) in &expected {
            sends.push(spend(pool, tx, member, (*attribute, destination), from, now).await?);
        }
        for (attribute, _) in &expected {
            store::attempts::clear(tx, &tries(pool, member, *attribute), Kind::Code).await?;
        }
        let present = locked(tx, member).await?;
        apply(pool, tx, &present, changes, now).await?;
        let mut told = Vec::with_capacity(expected.len());
        for ((attribute, destination), goes) in expected.iter().zip(sends) {
            told.push(expect(pool, tx, member, (*attribute, destination), goes, now).await?);
        }
        Ok(told)
    })
}

/// The new address and number that wait for their codes; the ones that are in force already wait for nothing.
fn expected(changes: &Changes, present: &Member) -> Vec<(Attribute, String)> {
    let email = changes.email.clone().filter(|email| *email != present.email);
    let in_force = present.phone_number.as_ref().filter(|_| present.phone_verified);
    let number = changes.phone_number.clone().filter(|number| !number.is_empty() && Some(number) != in_force);
    [(Attribute::Email, email), (Attribute::PhoneNumber, number)]
        .into_iter()
        .filter_map(|(attribute, destination)| destination.map(|destination| (attribute, destination)))
        .collect()
}

/// Writes what takes effect at once. What waited for a code gives way to what is said now.
async fn apply(pool: &UserPool, tx: &mut Tx, present: &Member, changes: &Changes, now: OffsetDateTime) -> Result<()> {
    for (attribute, said) in [(Attribute::Email, &changes.email), (Attribute::PhoneNumber, &changes.phone_number)] {
        if said.is_some() {
            store::attributes::void(tx, present.id, attribute, now).await?;
        }
    }
    if changes.phone_number.as_deref() == Some("") {
        store::attributes::put_phone(tx, present.id, None, now).await?;
        store::accounts::begin_anew(tx, present.id, now).await?;
        let has = store::factors::of(tx, present.id).await?;
        if has.sms_on {
            let preferred = has.preferred.filter(|factor| *factor != Factor::Sms);
            store::factors::prefer(tx, present.id, (has.totp_on, false), preferred).await?;
        }
    }
    let before = Name { whole: present.said_name(), given: present.given_name.clone(), family: present.family_name.clone() };
    let name = if changes.of_name() { rules::renamed(&before, changes)? } else { before.clone() };
    if name != before || changes.zone.as_ref().is_some_and(|zone| *zone != present.time_zone) {
        let zone = changes.zone.as_ref().unwrap_or(&present.time_zone);
        store::attributes::put_profile(tx, present.id, &name, zone, now).await?;
    }
    let shown = (&name.given, &name.family) != (&before.given, &before.family) && present.display_name.is_none();
    if shown {
        pool.renamed(tx, present.id).await?;
    }
    Ok(())
}

/// Sends a code that verifies an attribute: the value that waits for one, else the one in force.
///
/// # Errors
/// INVALID_PARAMETER when there is none; ATTEMPTS_EXCEEDED when too many codes were asked for.
pub async fn send_code(pool: &UserPool, member: MemberId, attribute: Attribute, from: Option<IpAddr>) -> Result<CodeDeliveryDetails> {
    needs_sms(pool, attribute)?;
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        let present = store::member(tx, member).await?.ok_or_else(gone)?;
        let destination = destination(tx, &present, attribute, now).await?;
        let goes = spend(pool, tx, member, (attribute, &destination), from, now).await?;
        store::attempts::clear(tx, &tries(pool, member, attribute), Kind::Code).await?;
        let present = locked(tx, member).await?;
        if self::destination(tx, &present, attribute, now).await? != destination {
            return Err(Error::new(Reason::Conflict, "changed at the same moment; try again"));
        }
        store::attributes::void(tx, member, attribute, now).await?;
        expect(pool, tx, member, (attribute, &destination), goes, now).await
    })
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
/// learns without its code; ATTEMPTS_EXCEEDED after too many from one network.
pub async fn verify(pool: &UserPool, member: MemberId, attribute: Attribute, code: &str, from: Option<IpAddr>) -> Result<()> {
    let (now, network) = (pool.deps.clock.now(), pool.network(from));
    // A wrong try is committed, so the answer about it is no error of the transaction.
    transact!(pool.deps.pool, |tx| try_code(pool, tx, (member, attribute), code, network, now).await)?
}

async fn try_code(
    pool: &UserPool,
    tx: &mut Tx,
    (member, attribute): (MemberId, Attribute),
    code: &str,
    network: Option<Subject>,
    now: OffsetDateTime,
) -> Result<Result<()>> {
    let subject = tries(pool, member, attribute);
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
    let found = store::attributes::newest(tx, member, attribute, now).await?.filter(right);
    let Some(found) = found else {
        confirm::guessed(pool, tx, network, now).await?;
        return Ok(Err(confirm::mismatch()));
    };
    if seen.is_none_or(|seen| seen.id != found.id) {
        return Err(Error::new(Reason::Conflict, "changed at the same moment; try again"));
    }
    if !found.stands {
        return Ok(Err(confirm::expired()));
    }
    store::attempts::clear(tx, &subject, Kind::Code).await?;
    let replaced = (attribute == Attribute::Email && found.destination != present.email).then_some(present.email.as_str());
    let free = match attribute {
        Attribute::Email => store::attributes::put_email(tx, member, &found.destination, now).await?,
        Attribute::PhoneNumber => store::attributes::put_phone(tx, member, Some(&found.destination), now).await?,
    };
    // What was sent to the one before lets nobody in any more.
    store::accounts::begin_anew(tx, member, now).await?;
    store::attributes::use_up(tx, member, found.id, replaced.filter(|_| free), now).await?;
    if !free {
        return Ok(Err(alias_exists(attribute)));
    }
    if replaced.is_some() {
        // Codes for a new password may lie in the mailbox that is the member's no longer.
        store::attributes::void_resets(tx, member, now).await?;
        store::registrations::remove_at(tx, &found.destination).await?;
        jobs::enqueue(tx, &SendReplaced::job(member, found.id)).await?;
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

/// Lets a code stand, and sends it unless its destination has had enough of them: the answer does not tell.
async fn expect(
    pool: &UserPool,
    tx: &mut Tx,
    member: MemberId,
    (attribute, destination): (Attribute, &str),
    goes: bool,
    now: OffsetDateTime,
) -> Result<CodeDeliveryDetails> {
    let code = pool.deps.ids.uuid();
    store::attributes::expect(tx, member, (attribute, destination), code, now + CODE_LIFE, now).await?;
    if goes {
        jobs::enqueue(tx, &mail::attribute_job(attribute, member, code)).await?;
    }
    let medium = match attribute {
        Attribute::Email => DeliveryMedium::Email,
        Attribute::PhoneNumber => DeliveryMedium::Sms,
    };
    Ok(CodeDeliveryDetails {
        destination: attribute.masked(destination),
        delivery_medium: medium.into(),
        attribute_name: attribute.as_str().to_owned(),
    })
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
pub async fn standing(pool: &UserPool, member: MemberId, code: uuid::Uuid) -> Result<Option<(Attribute, String, String)>> {
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
