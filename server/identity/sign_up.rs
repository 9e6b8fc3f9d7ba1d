//! Making an account, and confirming its address with a code.

use super::{
    codes, lockout, mail, rules,
    srp::{self, Element, SALT_BYTES, Salt},
    store::{
        self,
        accounts::{Account, NewAccount, UNCONFIRMED_LIFE},
        attempts::{Kind, Subject},
    },
    user_pool::UserPool,
};
use crate::{
    budgets::{self, Spending},
    db::Tx,
    error::{Error, Reason, Result},
    idempotency,
    ids::MemberId,
    jobs,
    pb::identity::{CodeDeliveryDetails, DeliveryMedium, SignUpResponse},
    read, transact,
};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use sqlx::PgConnection;
use std::net::IpAddr;
use time::OffsetDateTime;

/// How often a sign-up looks at what waits at its address, when others sign up there at the same moment.
const LOOKS_MAX: u32 = 5;

/// What a sign-up asks for, checked.
pub struct SignUp {
    /// The address, as it was typed.
    pub email: String,
    /// The password.
    pub password: String,
    /// The name.
    pub name: rules::Name,
    /// An IANA zone.
    pub time_zone: String,
}

/// An account that is ready to be stored.
struct Prepared {
    id: MemberId,
    salt: Salt,
    sealed: Vec<u8>,
}

/// What waits at an address to be confirmed, as it was before the transaction.
struct Waiting {
    sealed: Vec<u8>,
    same_password: bool,
}

/// Makes an unconfirmed account and sends its code. One that was never confirmed makes room for another password.
///
/// # Errors
/// USERNAME_EXISTS; ATTEMPTS_EXCEEDED when too many codes were sent to the address, or asked for at the network.
pub async fn sign_up(pool: &UserPool, new: SignUp, from: Option<IpAddr>, claim: Option<&idempotency::Use>) -> Result<SignUpResponse> {
    // Random, not of the time: a simulated account's id must look like this one.
    let id = MemberId(uuid::Builder::from_random_bytes(pool.deps.ids.bytes()).into_uuid());
    let prepared = prepare(pool, id, &new.password).await?;
    let now = pool.deps.clock.now();
    for _ in 0..LOOKS_MAX {
        let waiting = waiting(pool, &new, now).await?;
        let mut stale = false;
        let done = transact!(pool.deps.pool, |tx| {
            stale = false;
            if let Some(answer) = idempotency::replay(tx, claim, now).await? {
                return Ok(answer);
            }
            let subject = pool.subject(&new.email);
            spend_mail(pool, tx, from, subject, now).await?;
            store::attempts::clear(tx, &subject, Kind::Code).await?;
            match room(tx, &new, waiting.as_ref(), now).await? {
                Room::Free => {}
                Room::Taken => return Err(exists()),
                Room::Changed => {
                    stale = true;
                    return Err(exists());
                }
            }
            store::accounts::remove_unconfirmed(tx, &new.email).await?;
            insert(tx, &new, &prepared, now).await?;
            send_code(pool, tx, prepared.id, now).await?;
            let answer = SignUpResponse {
                user_confirmed: false,
                code_delivery_details: Some(delivery(&new.email)),
                user_sub: prepared.id.to_string(),
            };
            idempotency::keep(tx, claim, &answer).await?;
            Ok(answer)
        });
        if !stale {
            return done;
        }
    }
    // Others sign up with this address all the time.
    Err(exists())
}

/// Confirms an address with its code.
///
/// # Errors
/// CODE_MISMATCH; EXPIRED_CODE after five wrong tries, when it was used, voided or is too old; NOT_AUTHORIZED when there is nothing to confirm.
pub async fn confirm(pool: &UserPool, username: &str, code: &str) -> Result<()> {
    let now = pool.deps.clock.now();
    // A wrong try is committed, so the answer about it is no error of the transaction.
    transact!(pool.deps.pool, |tx| try_code(pool, tx, username, code, now).await)?
}

async fn try_code(pool: &UserPool, tx: &mut Tx, username: &str, code: &str, now: OffsetDateTime) -> Result<Result<()>> {
    let account = pool.account(tx, username, now).await?;
    if account.as_ref().is_some_and(|a| a.confirmed) {
        return Ok(Err(Error::new(Reason::NotAuthorized, "User cannot be confirmed. Current status is CONFIRMED")));
    }
    let subject = pool.subject(account.as_ref().map_or(username, |a| &a.email_key));
    // Counted before it is looked at: codes tried at the same moment are five in all. Unknown addresses count alike.
    let before = store::attempts::lock_to_count(tx, &subject, Kind::Code, now).await?;
    if before.is_some_and(|t| t.locked_for(now).is_some()) {
        return Ok(Err(expired()));
    }
    let tally = lockout::count(pool.settings.limits.code, before, now);
    store::attempts::put(tx, &subject, Kind::Code, &tally).await?;
    let Some(account) = account else { return Ok(Err(mismatch())) };
    let Some(id) = store::codes::standing(tx, account.id, now).await? else { return Ok(Err(expired())) };
    if !codes::matches(&pool.settings.keys, id, code) {
        return Ok(Err(mismatch()));
    }
    // The member before the code, as everybody locks them.
    if !store::accounts::lock_unconfirmed(tx, account.id).await? || !store::codes::use_up(tx, account.id, id, now).await? {
        return Ok(Err(expired()));
    }
    store::accounts::confirm(tx, account.id, now).await?;
    store::attempts::clear(tx, &subject, Kind::Code).await?;
    pool.confirmed(tx, account.id).await?;
    Ok(Ok(()))
}

/// Sends another code, if there is an account that waits for one. The answer does not tell.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many were asked for.
pub async fn resend(pool: &UserPool, username: &str, from: Option<IpAddr>) -> Result<CodeDeliveryDetails> {
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        let account = pool.account(tx, username, now).await?;
        let subject = pool.subject(account.as_ref().map_or(username, |a| &a.email_key));
        spend_mail(pool, tx, from, subject, now).await?;
        if let Some(waiting) = account.as_ref().filter(|a| !a.confirmed) {
            store::attempts::clear(tx, &subject, Kind::Code).await?;
            // Looked at again under its lock: it may have been confirmed meanwhile, or made room for another.
            if store::accounts::lock_unconfirmed(tx, waiting.id).await? {
                send_code(pool, tx, waiting.id, now).await?;
            }
        }
        // Masked from what the caller said: an id that is known must look like one that is not.
        Ok(delivery(if uuid::Uuid::parse_str(username).is_ok() { "" } else { username }))
    })
}

/// Makes a confirmed member without a mail: demo data and tests.
///
/// # Errors
/// USERNAME_EXISTS.
pub async fn seed_member(pool: &UserPool, tx: &mut Tx, id: MemberId, new: &SignUp) -> Result<()> {
    let prepared = prepare(pool, id, &new.password).await?;
    let now = pool.deps.clock.now();
    insert(tx, new, &prepared, now).await?;
    store::accounts::confirm(tx, id, now).await?;
    pool.confirmed(tx, id).await
}

async fn prepare(pool: &UserPool, id: MemberId, password: &str) -> Result<Prepared> {
    let salt = srp::salt(pool.deps.ids.bytes::<SALT_BYTES>());
    let verifier = verifier(pool, id, password, salt).await?;
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &pool.verifier_label(id), &verifier);
    Ok(Prepared { id, salt, sealed })
}

async fn verifier(pool: &UserPool, id: MemberId, password: &str, salt: Salt) -> Result<Element> {
    let (name, password) = (pool.srp_name().to_owned(), password.to_owned());
    pool.compute(move || srp::verifier(&name, &id.to_string(), &password, &salt)).await
}

/// What waits at the address. The arithmetic is done here, before the transaction with its locks and its connection.
async fn waiting(pool: &UserPool, new: &SignUp, now: OffsetDateTime) -> Result<Option<Waiting>> {
    let account = read!(pool.deps.pool, |conn| store::accounts::by_email(conn, &new.email, now).await)?;
    let Some(account) = account.filter(|a| !a.confirmed) else { return Ok(None) };
    let same_password = has_password(pool, &account, &new.password).await?;
    Ok(Some(Waiting { sealed: account.sealed, same_password }))
}

/// Whether there is room for a sign-up at its address.
enum Room {
    /// Nobody, or somebody with another password who was never confirmed.
    Free,
    /// A member, or the same sign-up.
    Taken,
    /// Not what was looked at.
    Changed,
}

async fn room(conn: &mut PgConnection, new: &SignUp, waiting: Option<&Waiting>, now: OffsetDateTime) -> Result<Room> {
    store::accounts::lock_by_email(conn, &new.email).await?;
    let Some(account) = store::accounts::by_email(conn, &new.email, now).await? else { return Ok(Room::Free) };
    Ok(match waiting.filter(|w| w.sealed == account.sealed) {
        _ if account.confirmed => Room::Taken,
        None => Room::Changed,
        Some(Waiting { same_password: true, .. }) => Room::Taken,
        Some(_) => Room::Free,
    })
}

async fn has_password(pool: &UserPool, account: &Account, password: &str) -> Result<bool> {
    let known = pool.open_verifier(account)?;
    let salt = Salt::try_from(account.salt.as_slice()).map_err(Error::internal)?;
    let given = verifier(pool, account.id, password, salt).await?;
    Ok(verify_slices_are_equal(&given, &known).is_ok())
}

async fn insert(conn: &mut PgConnection, new: &SignUp, prepared: &Prepared, now: OffsetDateTime) -> Result<()> {
    let account = NewAccount {
        id: prepared.id,
        email: &new.email,
        given_name: &new.name.given,
        family_name: &new.name.family,
        time_zone: &new.time_zone,
        salt: &prepared.salt,
        sealed: &prepared.sealed,
    };
    if store::accounts::insert(conn, &account, now).await? {
        return Ok(());
    }
    // Tried again, the transaction sees the account that was first.
    Err(Error::new(Reason::Conflict, "changed at the same moment; try again"))
}

/// Spends a mail to somebody whose address may not be the caller's: of the network first, as everywhere.
async fn spend_mail(pool: &UserPool, conn: &mut PgConnection, from: Option<IpAddr>, address: Subject, now: OffsetDateTime) -> Result<()> {
    let mails = pool.settings.mails;
    if let Some(network) = pool.network(from) {
        let of_network = Spending { subject: budgets::Subject::keyed(network), budget: mails.of_network };
        budgets::spend(conn, now, &of_network).await?;
    }
    let to_address = Spending { subject: budgets::Subject::keyed(address), budget: mails.to_address };
    budgets::spend(conn, now, &to_address).await
}

/// Lets a new code stand and has it sent.
async fn send_code(pool: &UserPool, tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    let id = pool.deps.ids.uuid();
    store::codes::replace(tx, member, id, now + UNCONFIRMED_LIFE, now).await?;
    jobs::enqueue(tx, &mail::job(member, id)).await
}

fn exists() -> Error {
    Error::new(Reason::UsernameExists, "An account with the given email already exists.")
}

fn delivery(address: &str) -> CodeDeliveryDetails {
    CodeDeliveryDetails {
        destination: rules::masked(address),
        delivery_medium: DeliveryMedium::Email.into(),
        attribute_name: "email".to_owned(),
    }
}

fn mismatch() -> Error {
    Error::new(Reason::CodeMismatch, "Invalid verification code provided, please try again.")
}

fn expired() -> Error {
    Error::new(Reason::ExpiredCode, "Invalid code provided, please request a code again.")
}
