//! What a member's profile changes of them, as steps of a transaction of the profile's, in the order of its locks. It is a change of attributes
//! as any other, but for the name that is shown, and for a number that may be said without a code: unverified then.

use super::{
    CODE_LIFE,
    change::{self, Begun, Written},
    gone, locked,
    rules::{Attribute, Changes, Numbers, Said},
    send_in,
};
use crate::{
    auth::Caller,
    db::Tx,
    error::{Error, Reason, Result},
    identity::{Member, codes, mfa_assurance, store, user_pool::UserPool},
    ids::MemberId,
    read, transact,
};
use sqlx::PgConnection;
use std::net::IpAddr;
use time::OffsetDateTime;

/// What shall change; `None` keeps. Read already: names and zone are fit to be kept, the number is E.164.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The name that is shown; empty: the first and the last one.
    pub display_name: Option<String>,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// An IANA zone.
    pub zone: Option<String>,
    /// The number; empty: none.
    pub number: Option<String>,
}

/// The number that a profile shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// In E.164; `None`: none.
    pub number: Option<String>,
    /// Whether it was verified.
    pub verified: bool,
}

/// A change that has spent what it takes, and written nothing yet.
pub struct Ready {
    begun: Begun,
    changes: Changes,
    said: Said,
}

/// A change that is written; what comes last in the order of locks is left.
pub struct Done(Written);

/// The number that a member's profile shows: the one that waits for its code, else the one there is.
///
/// # Errors
/// As the database.
pub async fn number(conn: &mut PgConnection, member: &Member, now: OffsetDateTime) -> Result<Number> {
    let waiting = waiting(conn, member.id, now).await?;
    let verified = waiting.is_none() && member.phone_verified;
    Ok(Number { number: waiting.or_else(|| member.phone_number.clone()), verified })
}

async fn waiting(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Option<String>> {
    let newest = store::attributes::newest(conn, member, Attribute::PhoneNumber, now).await?;
    Ok(newest.filter(|code| code.stands).map(|code| code.destination))
}

async fn said(conn: &mut PgConnection, present: &Member, wanted: &Wanted, now: OffsetDateTime) -> Result<Said> {
    let Some(number) = &wanted.number else { return Ok(Said::Keep) };
    let waiting = waiting(conn, present.id, now).await?;
    let is_factor = store::factors::of(conn, present.id).await?.sms_on;
    Ok(Numbers { present: present.phone_number.as_deref(), waiting: waiting.as_deref(), is_factor }.said(number))
}

/// Verifies the number by its code, as any attribute is; again by the same code it is a success that changes nothing, as long as that is the
/// member's number.
///
/// # Errors
/// As `verify` has them.
pub async fn verify_number(pool: &UserPool, caller: &Caller, code: &str, from: Option<IpAddr>) -> Result<()> {
    match super::verify(pool, caller, Attribute::PhoneNumber, code, from).await {
        Err(refused) if refused.reason() == Reason::ExpiredCode && is_verified_by(pool, caller.member, code).await? => Ok(()),
        done => done,
    }
}

/// Whether the member's number was verified by this code. One that was used is good for nothing else: whoever guesses it learns nothing.
async fn is_verified_by(pool: &UserPool, member: MemberId, code: &str) -> Result<bool> {
    let now = pool.deps.clock.now();
    let (newest, member) = read!(pool.deps.pool, |conn| {
        let newest = store::attributes::newest(conn, member, Attribute::PhoneNumber, now).await?;
        Ok((newest, store::member(conn, member).await?))
    })?;
    let used = newest.filter(|found| found.used && codes::matches(&pool.settings.keys, found.id, code));
    let verified = member.filter(|m| m.phone_verified).and_then(|m| m.phone_number);
    Ok(used.is_some_and(|used| verified == Some(used.destination)))
}

/// Begins a change: budgets and tries come first in the order of locks.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many codes were asked for; UNSUPPORTED_OPERATION for another number of a second factor, where there are no SMS.
pub async fn begin(
    pool: &UserPool,
    tx: &mut Tx,
    member: MemberId,
    wanted: &Wanted,
    from: Option<IpAddr>,
    now: OffsetDateTime,
) -> Result<Ready> {
    let present = store::member(tx, member).await?.ok_or_else(gone)?;
    let said = said(tx, &present, wanted, now).await?;
    if said == Said::Await && !pool.settings.sms {
        return Err(no_sms());
    }
    let changes = Changes {
        given_name: wanted.first_name.clone(),
        family_name: wanted.last_name.clone(),
        zone: wanted.zone.clone(),
        phone_number: wanted.number.clone().filter(|_| matches!(said, Said::Remove | Said::Await)),
        ..Default::default()
    };
    let begun = change::begin(pool, tx, member, &changes, from, now).await?;
    Ok(Ready { begun, changes, said })
}

/// Writes it, and locks the member for that.
///
/// # Errors
/// NOT_AUTHORIZED for another number, by a session that is past a second factor.
pub async fn write(pool: &UserPool, tx: &mut Tx, caller: &Caller, (ready, wanted): (&Ready, &Wanted), now: OffsetDateTime) -> Result<Done> {
    let before = locked(tx, caller.member).await?;
    if said(tx, &before, wanted, now).await? != ready.said {
        return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
    }
    if ready.said != Said::Keep {
        mfa_assurance::may_change(pool, tx, caller).await?;
    }
    let written = change::write(pool, tx, &ready.begun, (&before, &ready.changes), now).await?;
    if matches!(ready.said, Said::Return | Said::Replace) {
        store::attributes::void(tx, before.id, Attribute::PhoneNumber, now).await?;
    }
    if let Some(number) = wanted.number.as_ref().filter(|_| ready.said == Said::Replace) {
        store::attributes::put_unverified_phone(tx, before.id, number, now).await?;
        if before.phone_verified {
            // What was shown of a sign-in by the one before counts no longer.
            store::accounts::begin_anew(tx, before.id, now).await?;
            store::awaited::remove_all(tx, before.id).await?;
        }
    }
    let after = shown_as(tx, before.id, wanted, now).await?;
    Ok(Done(written.with_renamed(after != before.display_name())))
}

/// Writes the name that is shown. It is kept where it is another one than the first and the last: that follows them.
async fn shown_as(tx: &mut Tx, member: MemberId, wanted: &Wanted, now: OffsetDateTime) -> Result<String> {
    let present = store::member(tx, member).await?.ok_or_else(gone)?;
    let Some(name) = &wanted.display_name else { return Ok(present.display_name()) };
    let full = present.full_name();
    let name = Some(name.as_str()).filter(|name| !name.is_empty() && *name != full);
    if name != present.display_name.as_deref() {
        store::attributes::put_display_name(tx, member, name, now).await?;
    }
    Ok(name.map_or(full, str::to_owned))
}

/// Locks a member, for what is kept of them beside this.
///
/// # Errors
/// NOT_AUTHORIZED when there is no such member any more.
pub async fn lock(tx: &mut Tx, member: MemberId) -> Result<()> {
    locked(tx, member).await.map(drop)
}

/// Tells the areas above, and sends the code for a number that waits for one. Last in a transaction.
///
/// # Errors
/// As the areas.
pub async fn finish(pool: &UserPool, tx: &mut Tx, member: MemberId, Done(written): &Done) -> Result<()> {
    change::finish(pool, tx, member, written).await
}

/// A code that is on its way to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The number, masked.
    pub destination: String,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
}

/// Sends a code to the number that the profile shows, as GetUserAttributeVerificationCode does; the one before is void.
///
/// # Errors
/// WRONG_STATE without a number, or with one that is verified; UNSUPPORTED_OPERATION where there are no SMS; ATTEMPTS_EXCEEDED; NOT_AUTHORIZED
/// by a session that is past a second factor.
pub async fn prove_number(pool: &UserPool, caller: &Caller, from: Option<IpAddr>) -> Result<Sent> {
    let (member, now) = (caller.member, pool.deps.clock.now());
    if !pool.settings.sms {
        return Err(no_sms());
    }
    transact!(pool.deps.pool, |tx| {
        let present = store::member(tx, member).await?.ok_or_else(gone)?;
        match number(tx, &present, now).await? {
            Number { number: None, .. } => return Err(Error::new(Reason::WrongState, "this profile has no phone number")),
            Number { verified: true, .. } => return Err(Error::new(Reason::WrongState, "this phone number is already verified")),
            Number { .. } => {}
        }
        let told = send_in(pool, tx, (caller, Attribute::PhoneNumber), from, now).await?;
        Ok(Sent { destination: told.destination, expires_at: now + CODE_LIFE })
    })
}

fn no_sms() -> Error {
    Error::new(Reason::UnsupportedOperation, "this server does not send codes by SMS")
}
