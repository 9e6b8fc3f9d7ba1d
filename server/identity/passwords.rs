//! Passwords that are forgotten, or changed. An account that does not exist answers like one that does, with the same work.

use super::{
    code_jobs::CodeTask,
    codes, confirm,
    factor_news::{self, News},
    lockout,
    mail::SendResetCode,
    refresh, sign_in, sign_up,
    store::{
        self,
        accounts::{Account, Verifier},
        attempts::{Kind, Subject},
    },
    user_pool::{UserPool, Why},
};
use crate::{
    auth::Caller,
    db::Tx,
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
    jobs,
    pb::identity::CodeDeliveryDetails,
    read, transact,
};
use std::{collections::BTreeSet, net::IpAddr};
use time::OffsetDateTime;

/// Sends a code, if there is such a member; the one before is void. The answer does not tell, nor does the work: all that is done for a member alone
/// is done by the job that sends the mail.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many were asked for.
pub async fn forgot(pool: &UserPool, username: &str, from: Option<IpAddr>) -> Result<CodeDeliveryDetails> {
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        let member = pool.account(tx, username, now).await?.filter(|account| account.confirmed);
        let address = member.as_ref().map(|m| m.email.as_str());
        let goes = sign_up::spend_mail(pool, tx, Why::NewPassword, from, (username, address), now).await?;
        for subject in [tries_from(pool, username, pool.network(from)), tries(pool, username)] {
            store::attempts::clear(tx, &subject, Kind::Code).await?;
        }
        let (id, code) = (member.filter(|_| goes).map_or_else(|| MemberId(pool.deps.ids.uuid()), |m| m.id), pool.deps.ids.uuid());
        jobs::enqueue(tx, &SendResetCode::job(id, code)).await?;
        Ok(sign_up::told(username))
    })
}

/// Sets a new password by a code, and ends every session.
///
/// # Errors
/// INVALID_PASSWORD; CODE_MISMATCH; EXPIRED_CODE for a code that had its time, and after five wrong tries from one network, or three times as many
/// from all; ATTEMPTS_EXCEEDED after too many wrong codes of any kind from one network.
pub async fn reset(pool: &UserPool, username: &str, code: &str, password: &str, from: Option<IpAddr>) -> Result<()> {
    pool.settings.password_policy.check(password)?;
    let now = pool.deps.clock.now();
    let account = read!(pool.deps.pool, |conn| pool.account(conn, username, now).await)?;
    let account = account.filter(|account| account.confirmed);
    let member = account.as_ref().map_or_else(|| MemberId(pool.deps.ids.uuid()), |account| account.id);
    let verifier = sign_up::verifier_of(pool, member, password).await?;
    let names = [username.to_owned(), account.map_or_else(|| username.to_owned(), |account| account.email), member.to_string()];
    let network = pool.network(from);
    let reset = Reset { subject: tries_from(pool, username, network), in_all: tries(pool, username), network, member, names, verifier };
    // A wrong try is committed, so the answer about it is no error of the transaction.
    let ended = transact!(pool.deps.pool, |tx| try_code(pool, tx, &reset, code, now).await)??;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// A new password that waits for its code.
struct Reset {
    /// Whose tries are counted: those from here, and all of them. A stranger elsewhere, who names the same account, uses up theirs.
    subject: Subject,
    in_all: Subject,
    network: Option<Subject>,
    /// Nobody's id when there is no such member.
    member: MemberId,
    /// All that the member can be named by.
    names: [String; 3],
    verifier: Verifier,
}

async fn try_code(pool: &UserPool, tx: &mut Tx, reset: &Reset, code: &str, now: OffsetDateTime) -> Result<Result<Vec<SessionId>>> {
    let held = match count(pool, tx, reset, now).await? {
        Ok(held) => held,
        Err(refused) => return Ok(Err(refused)),
    };
    let member = reset.member;
    // The tries of its password before the member, as a sign-in locks them; in one order, however the member is named.
    let passwords: BTreeSet<Subject> = reset.names.iter().map(|name| pool.subject(name)).collect();
    for subject in &passwords {
        store::attempts::lock(tx, subject, Kind::Password).await?;
    }
    let known = store::accounts::lock(tx, member).await?;
    let newest = store::codes::newest(tx, member, now).await?.filter(|_| known);
    let given = newest.filter(|c| codes::matches(&pool.settings.keys, c.id, code));
    if let Some(refused) = held
        && !(given.is_some() && is_at_home(tx, reset, now).await?)
    {
        return Ok(Err(refused));
    }
    let Some(given) = given else {
        confirm::guessed(pool, tx, reset.network, now).await?;
        return Ok(Err(confirm::mismatch()));
    };
    if !given.stands || !store::codes::use_up(tx, member, given.id, now).await? {
        return Ok(Err(confirm::expired()));
    }
    store::accounts::put_verifier(tx, member, &reset.verifier, now).await?;
    store::factors::void_off(tx, member).await?;
    for subject in [&reset.subject, &reset.in_all] {
        store::attempts::clear(tx, subject, Kind::Code).await?;
    }
    for subject in &passwords {
        store::attempts::clear(tx, subject, Kind::Password).await?;
    }
    store::awaited::remove_all(tx, member).await?;
    store::devices::remember_none(tx, member, now).await?;
    let ended = refresh::end(tx, member, None, now).await?;
    factor_news::tell(pool, tx, member, &[News::PasswordChanged]).await?;
    Ok(Ok(ended))
}

/// Counts a try before it is looked at: what refuses it, but to who is at home at the network and has the right code. The tries from the network
/// itself hold for everybody.
async fn count(pool: &UserPool, tx: &mut Tx, reset: &Reset, now: OffsetDateTime) -> Result<Result<Option<Error>>> {
    let limits = &pool.settings.limits;
    let from_here = store::attempts::lock_to_count(tx, &reset.subject, Kind::Code, now).await?;
    if from_here.is_some_and(|tally| tally.locked_for(now).is_some()) {
        return Ok(Err(confirm::expired()));
    }
    store::attempts::put(tx, &reset.subject, Kind::Code, &lockout::count(limits.code, from_here, now)).await?;
    let in_all = store::attempts::lock_to_count(tx, &reset.in_all, Kind::Code, now).await?;
    if in_all.is_some_and(|tally| tally.locked_for(now).is_some()) {
        return Ok(Ok(Some(confirm::expired())));
    }
    store::attempts::put(tx, &reset.in_all, Kind::Code, &lockout::count(limits.code_in_all, in_all, now)).await?;
    let until = match &reset.network {
        Some(network) => store::attempts::locked_until(tx, network, Kind::Network).await?.filter(|until| *until > now),
        None => None,
    };
    Ok(Ok(until.map(|until| confirm::too_many(until - now))))
}

/// What others do at a network does not hold back who has signed in there of late.
async fn is_at_home(tx: &mut Tx, reset: &Reset, now: OffsetDateTime) -> Result<bool> {
    match &reset.network {
        Some(network) => sign_in::is_at_home(tx, reset.member, network, now).await,
        None => Ok(false),
    }
}

/// Sets a new password by the present one, and ends every other session.
///
/// # Errors
/// INVALID_PASSWORD; NOT_AUTHORIZED when the present one is wrong; ATTEMPTS_EXCEEDED after too many.
pub async fn change(pool: &UserPool, caller: &Caller, previous: &str, proposed: &str) -> Result<()> {
    pool.settings.password_policy.check(proposed)?;
    let (now, member) = (pool.deps.clock.now(), caller.member);
    let gone = || Error::new(Reason::NotAuthorized, "Invalid Access Token");
    let account = read!(pool.deps.pool, |conn| store::accounts::by_id(conn, member, now).await)?.account.ok_or_else(gone)?;
    let (_, known) = account.with_password().ok_or_else(wrong)?;
    let right = sign_up::has_password(pool, member, &known.salt, &known.sealed, previous).await?;
    let verifier = sign_up::verifier_of(pool, member, proposed).await?;
    let ended = transact!(pool.deps.pool, |tx| {
        if let Err(refused) = count_own(pool, tx, member, right, now).await? {
            return Ok(Err(refused));
        }
        if !store::accounts::lock(tx, member).await? {
            return Err(gone());
        }
        // What was looked at is the password still: another change at the same moment may have come first. Each has a salt of its own, while
        // the same verifier may have been sealed anew.
        if store::accounts::by_id(tx, member, now).await?.account.and_then(Account::with_password).is_none_or(|(_, v)| v.salt != known.salt)
        {
            return Ok(Err(wrong()));
        }
        store::accounts::put_verifier(tx, member, &verifier, now).await?;
        store::factors::void_off(tx, member).await?;
        store::awaited::remove_all(tx, member).await?;
        let ended = refresh::end_others(tx, member, caller.session, now).await?;
        factor_news::tell(pool, tx, member, &[News::PasswordChanged]).await?;
        Ok(Ok(ended))
    })??;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// Makes sure that somebody knows a member's password. Wrong ones are counted with those of `change`.
///
/// # Errors
/// NOT_AUTHORIZED when it is wrong; ATTEMPTS_EXCEEDED after too many.
pub async fn prove(pool: &UserPool, member: MemberId, password: &str) -> Result<()> {
    let now = pool.deps.clock.now();
    let account = read!(pool.deps.pool, |conn| store::accounts::by_id(conn, member, now).await)?.account;
    let (_, known) = account.and_then(Account::with_password).ok_or_else(wrong)?;
    let right = sign_up::has_password(pool, member, &known.salt, &known.sealed, password).await?;
    transact!(pool.deps.pool, |tx| count_own(pool, tx, member, right, now).await)?
}

/// Counts the try of a member's own password: of its own, so that wrong sign-ins of others do not keep a member from it.
async fn count_own(pool: &UserPool, tx: &mut Tx, member: MemberId, right: bool, now: OffsetDateTime) -> Result<Result<()>> {
    let subject = pool.settings.keys.derive("change", &[member.0.as_bytes()]);
    let before = store::attempts::lock_to_count(tx, &subject, Kind::Password, now).await?;
    if let Some(wait) = before.and_then(|t| t.locked_for(now)) {
        return Ok(Err(confirm::too_many(wait)));
    }
    if !right {
        let tally = lockout::count(pool.settings.limits.password, before, now);
        store::attempts::put(tx, &subject, Kind::Password, &tally).await?;
        return Ok(Err(wrong()));
    }
    store::attempts::clear(tx, &subject, Kind::Password).await?;
    Ok(Ok(()))
}

fn wrong() -> Error {
    Error::new(Reason::NotAuthorized, "Incorrect username or password.")
}

/// Whose tries of codes for a new password are counted: not with those that confirm an address.
fn tries(pool: &UserPool, username: &str) -> Subject {
    pool.settings.keys.derive("reset", &[&pool.subject(username)])
}

/// The same, of those from one network.
fn tries_from(pool: &UserPool, username: &str, network: Option<Subject>) -> Subject {
    pool.settings.keys.derive("reset from a network", &[&pool.subject(username), network.as_ref().map_or(&[][..], <[u8; 32]>::as_slice)])
}
