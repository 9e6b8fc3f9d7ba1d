//! Confirming an address with a code: the registration whose code it is becomes a member, and the others at the address are dropped.

use super::{
    codes, lockout, sign_up,
    store::{
        self,
        attempts::{Kind, Subject},
        registrations::Registration,
    },
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::MemberId,
    read, transact,
};
use sqlx::PgConnection;
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Confirms the registration of an id, or the one at an address whose code it is.
///
/// # Errors
/// CODE_MISMATCH; EXPIRED_CODE after five wrong tries; ATTEMPTS_EXCEEDED after too many from one network; NOT_AUTHORIZED when the address was
/// confirmed before.
pub async fn confirm(pool: &UserPool, username: &str, code: &str, from: Option<IpAddr>) -> Result<()> {
    let now = pool.deps.clock.now();
    if read!(pool.deps.pool, |conn| pool.account(conn, username, now).await)?.is_some_and(|account| account.confirmed) {
        return Err(confirmed());
    }
    let network = pool.network(from);
    // A wrong try is committed, so the answer about it is no error of the transaction.
    transact!(pool.deps.pool, |tx| try_code(pool, tx, username, code, network, now).await)?
}

async fn try_code(
    pool: &UserPool,
    tx: &mut Tx,
    username: &str,
    code: &str,
    network: Option<Subject>,
    now: OffsetDateTime,
) -> Result<Result<()>> {
    // Counted before it is looked at: codes tried at the same moment are five in all. Unknown names count alike.
    if let Err(refused) = count(pool, tx, &pool.subject(username), network, now).await? {
        return Ok(Err(refused));
    }
    let Some(found) = find(pool, tx, username, code, now).await? else {
        // By the same call a moment ago, it may be.
        if pool.account(tx, username, now).await?.is_some_and(|account| account.confirmed) {
            return Ok(Err(confirmed()));
        }
        guessed(pool, tx, network, now).await?;
        return Ok(Err(mismatch()));
    };
    if !sign_up::admit(pool, tx, &found, now).await? {
        return Ok(Err(confirmed()));
    }
    store::registrations::remove_at(tx, &found.email).await?;
    store::attempts::clear(tx, &pool.subject(username), Kind::Code).await?;
    Ok(Ok(()))
}

/// Counts the try of a code, unless its subject or its network has had too many.
pub(super) async fn count(
    pool: &UserPool,
    conn: &mut PgConnection,
    subject: &Subject,
    network: Option<Subject>,
    now: OffsetDateTime,
) -> Result<Result<()>> {
    let before = store::attempts::lock_to_count(conn, subject, Kind::Code, now).await?;
    if before.is_some_and(|t| t.locked_for(now).is_some()) {
        return Ok(Err(expired()));
    }
    if let Some(network) = network {
        let until = store::attempts::locked_until(conn, &network, Kind::Network).await?.filter(|until| *until > now);
        if let Some(until) = until {
            return Ok(Err(too_many(until - now)));
        }
    }
    let tally = lockout::count(pool.settings.limits.code, before, now);
    store::attempts::put(conn, subject, Kind::Code, &tally).await?;
    Ok(Ok(()))
}

/// Counts a wrong one of the network: a bound on trying one code on many addresses.
pub(super) async fn guessed(pool: &UserPool, conn: &mut PgConnection, network: Option<Subject>, now: OffsetDateTime) -> Result<()> {
    let Some(network) = network else { return Ok(()) };
    let before = store::attempts::lock_to_count(conn, &network, Kind::Network, now).await?;
    if before.is_some_and(|t| t.locked_for(now).is_some()) {
        return Ok(());
    }
    store::attempts::put(conn, &network, Kind::Network, &lockout::count(pool.settings.limits.network, before, now)).await
}

/// The registration whose code it is, with all at its address locked.
async fn find(pool: &UserPool, conn: &mut PgConnection, username: &str, code: &str, now: OffsetDateTime) -> Result<Option<Registration>> {
    let address = match Uuid::parse_str(username) {
        Ok(id) => store::registrations::by_id(conn, MemberId(id), now).await?.map(|registration| registration.email),
        Err(_) => Some(username.to_owned()),
    };
    store::registrations::lock_at(conn, &address.unwrap_or_default()).await?;
    // Looked at under the locks: it may have another code by now, or have made room.
    let waiting = sign_up::waiting(conn, username, now).await?;
    Ok(waiting.into_iter().find(|registration| codes::matches(&pool.settings.keys, registration.code, code)))
}

/// The refusal of a code that had its time, or too many tries.
pub(super) fn expired() -> Error {
    Error::new(Reason::ExpiredCode, "Invalid code provided, please request a code again.")
}

/// The refusal of tries until some time has gone by.
pub(super) fn too_many(wait: Duration) -> Error {
    Error::new(Reason::AttemptsExceeded, "Attempt limit exceeded, please try after some time.").retry_after(wait.unsigned_abs())
}

/// The refusal of a wrong code.
pub(super) fn mismatch() -> Error {
    Error::new(Reason::CodeMismatch, "Invalid verification code provided, please try again.")
}

fn confirmed() -> Error {
    Error::new(Reason::NotAuthorized, "User cannot be confirmed. Current status is CONFIRMED")
}
