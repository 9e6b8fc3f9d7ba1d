//! Making an account. It is a registration until its address is confirmed, and there may be several for one address: whoever reads the mails
//! that come there decides which becomes a member, by its code.

use super::{
    code_jobs::CodeTask,
    mail::SendCode,
    password_forms, rules,
    srp::{self, Element, SALT_BYTES, Salt},
    store::{
        self,
        accounts::{NewMember, Verifier},
        attempts::{Kind, Subject},
        registrations::{Registration, WAITING_MAX},
    },
    user_pool::{UserPool, Why},
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
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How often a sign-up looks at what waits at its address, when others sign up there at the same moment.
const LOOKS_MAX: u32 = 5;
/// A sign-up that repeats one so young is that one: its mail is on its way.
const REPEATED_WITHIN: Duration = Duration::minutes(1);

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
    /// What the link of an invitation is about by which they come.
    pub invitation: Option<Uuid>,
}

/// Makes a registration and sends its code, or a member where an invitation was mailed to the address. The same password from the same network is the
/// same registration; otherwise it is one more, beside those that others made for the address. At a member's address the answer is the same, and
/// the mail tells its owner how to sign in instead: a stranger does not learn that there is an account.
///
/// # Errors
/// USERNAME_EXISTS for a member's address whose invitation was mailed there; ATTEMPTS_EXCEEDED when too many codes were sent to the address, or asked for at the network.
pub async fn sign_up(pool: &UserPool, new: SignUp, from: Option<IpAddr>, claim: Option<&idempotency::Use>) -> Result<SignUpResponse> {
    let network = pool.network(from);
    let registration = prepare(pool, &new, network).await?;
    let now = pool.deps.clock.now();
    for _ in 0..LOOKS_MAX {
        let seen = own(read!(pool.deps.pool, |conn| store::registrations::waiting(conn, &new.email, now).await)?, network);
        let repeated = same(pool, &seen, &new.password).await?;
        let mut stale = false;
        let done = transact!(pool.deps.pool, |tx| {
            stale = false;
            if let Some(answer) = idempotency::replay(tx, claim, now).await? {
                return Ok(answer);
            }
            if let Some(id) = join(pool, tx, &registration, new.invitation).await? {
                let answer = SignUpResponse { user_confirmed: true, code_delivery_details: None, user_sub: id.to_string() };
                idempotency::keep(tx, claim, &answer).await?;
                return Ok(answer);
            }
            let id = match register(pool, tx, &registration, (&seen, repeated), (from, new.invitation)).await? {
                Some(id) => id,
                None => {
                    stale = true;
                    return Err(exists());
                }
            };
            let answer =
                SignUpResponse { user_confirmed: false, code_delivery_details: Some(delivery(&new.email)), user_sub: id.to_string() };
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

/// Makes it a member at once when its invitation was mailed to its address: the link proves what a code would, and no mail goes. It works once, since
/// the new member uses the invitation up. `None` when a code is needed.
async fn join(pool: &UserPool, tx: &mut Tx, new: &Registration, invitation: Option<Uuid>) -> Result<Option<MemberId>> {
    let Some(invitation) = invitation else { return Ok(None) };
    if !pool.proves(tx, invitation, &new.email).await? {
        return Ok(None);
    }
    store::registrations::lock_at(tx, &new.email).await?;
    if !admit(pool, tx, new, new.created_at).await? {
        return Err(exists());
    }
    store::registrations::remove_at(tx, &new.email).await?;
    Ok(Some(new.id))
}

/// The registration, or the one that it repeats; `None` when what waits at the address from this network is not what was looked at.
async fn register(
    pool: &UserPool,
    tx: &mut Tx,
    new: &Registration,
    (seen, repeated): (&[Registration], Option<MemberId>),
    (from, invitation): (Option<IpAddr>, Option<Uuid>),
) -> Result<Option<MemberId>> {
    let (now, subject) = (new.created_at, pool.subject(&new.email));
    if !spend_mail(pool, tx, Why::SignUp, from, (&new.email, Some(&new.email)), now).await? {
        return Err(too_many_mails());
    }
    // Further codes are asked for by the id: who asks too often is told then, not left to wait for a mail that is not sent.
    let by_id = by_name(pool, Why::SignUp, from, &repeated.unwrap_or(new.id).to_string());
    budgets::spend(tx, now, &by_id).await?;
    // A repeated one is on its way already.
    let sends = !seen.iter().any(|r| Some(r.id) == repeated && now - r.created_at < REPEATED_WITHIN);
    store::attempts::clear(tx, &subject, Kind::Code).await?;
    store::registrations::lock_at(tx, &new.email).await?;
    let waiting = store::registrations::waiting(tx, &new.email, now).await?;
    if own(waiting.clone(), new.network).iter().map(|r| r.id).ne(seen.iter().map(|r| r.id)) {
        return Ok(None);
    }
    if let Some(first) = waiting.iter().find(|r| Some(r.id) == repeated) {
        pool.registered(tx, first.id, invitation).await?;
        if sends {
            jobs::enqueue(tx, &SendCode::job(first.id, first.code)).await?;
        }
        return Ok(Some(first.id));
    }
    if waiting.len() >= WAITING_MAX
        && let Some(goes) = rules::makes_room(&waiting.iter().map(|r| (r.id, r.network)).collect::<Vec<_>>())
    {
        store::registrations::remove(tx, goes).await?;
    }
    store::registrations::insert(tx, new).await?;
    pool.registered(tx, new.id, invitation).await?;
    jobs::enqueue(tx, &SendCode::job(new.id, new.code)).await?;
    Ok(Some(new.id))
}

/// Sends another code, if there is a registration that waits for one. The answer does not tell, nor does the work: a mail about nothing is a
/// job that does nothing.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many were asked for.
pub async fn resend(pool: &UserPool, username: &str, from: Option<IpAddr>) -> Result<CodeDeliveryDetails> {
    let (now, network) = (pool.deps.clock.now(), pool.network(from));
    transact!(pool.deps.pool, |tx| {
        let waiting = waiting(tx, username, now).await?;
        // Somebody else may have signed up with the address since: from here it was this one.
        let chosen = waiting.iter().rev().find(|r| r.network == network).or(waiting.last());
        let goes = spend_mail(pool, tx, Why::SignUp, from, (username, chosen.map(|r| r.email.as_str())), now).await?;
        let chosen = chosen.filter(|_| goes);
        for name in [chosen.map_or(username, |r| &r.email), &chosen.map_or_else(|| username.to_owned(), |r| r.id.to_string())] {
            store::attempts::clear(tx, &pool.subject(name), Kind::Code).await?;
        }
        let (id, code) = (chosen.map_or_else(|| MemberId(pool.deps.ids.uuid()), |r| r.id), pool.deps.ids.uuid());
        store::registrations::put_code(tx, id, code).await?;
        jobs::enqueue(tx, &SendCode::job(id, code)).await?;
        Ok(told(username))
    })
}

/// The registrations that a user name means: those at an address, the oldest first, or the one of an id.
pub(super) async fn waiting(conn: &mut PgConnection, username: &str, now: OffsetDateTime) -> Result<Vec<Registration>> {
    match uuid::Uuid::parse_str(username) {
        Ok(id) => Ok(store::registrations::by_id(conn, MemberId(id), now).await?.into_iter().collect()),
        Err(_) => store::registrations::waiting(conn, username, now).await,
    }
}

/// Makes a member without a mail: demo data and tests.
///
/// # Errors
/// USERNAME_EXISTS.
pub async fn seed_member(pool: &UserPool, tx: &mut Tx, id: MemberId, new: &SignUp) -> Result<()> {
    let registration = Registration { id, ..prepare_as(pool, id, new, None).await? };
    if admit(pool, tx, &registration, pool.deps.clock.now()).await? { Ok(()) } else { Err(exists()) }
}

/// Makes a registration a member. `false` when the address is another's already.
pub(super) async fn admit(pool: &UserPool, tx: &mut Tx, of: &Registration, now: OffsetDateTime) -> Result<bool> {
    let member = NewMember {
        id: of.id,
        email: &of.email,
        name: &of.name,
        given_name: &of.given_name,
        family_name: &of.family_name,
        time_zone: &of.time_zone,
        verifier: Some(Verifier { salt: of.salt.clone(), sealed: of.sealed.clone() }),
    };
    if !store::accounts::insert(tx, &member, now).await? {
        return Ok(false);
    }
    pool.confirmed(tx, of.id).await?;
    Ok(true)
}

/// What a sign-up is kept as, under a new id. Takes milliseconds of computing.
pub(super) async fn prepare(pool: &UserPool, new: &SignUp, network: Option<Subject>) -> Result<Registration> {
    // Random, not of the time: a simulated account's id must look like this one.
    let id = MemberId(uuid::Builder::from_random_bytes(pool.deps.ids.bytes()).into_uuid());
    prepare_as(pool, id, new, network).await
}

async fn prepare_as(pool: &UserPool, id: MemberId, new: &SignUp, network: Option<Subject>) -> Result<Registration> {
    let Verifier { salt, sealed } = verifier_of(pool, id, &new.password).await?;
    let now = pool.deps.clock.now();
    Ok(Registration {
        id,
        email: new.email.clone(),
        name: new.name.whole.clone(),
        given_name: new.name.given.clone(),
        family_name: new.name.family.clone(),
        time_zone: new.time_zone.clone(),
        salt,
        sealed,
        network,
        code: pool.deps.ids.uuid(),
        created_at: now,
        expires_at: now + pool.settings.lives.sign_up,
    })
}

/// What a new password of an account is checked against.
pub(super) async fn verifier_of(pool: &UserPool, id: MemberId, password: &str) -> Result<Verifier> {
    let salt = srp::salt(pool.deps.ids.bytes::<SALT_BYTES>());
    let verifier = verifier(pool, id, &password_forms::to_set(password), salt).await?;
    Ok(Verifier { salt: salt.to_vec(), sealed: pool.settings.keys.seal(&pool.deps.ids, &pool.verifier_label(id), &verifier) })
}

/// Whether it is the password of an account.
pub(super) async fn has_password(pool: &UserPool, id: MemberId, salt: &[u8], sealed: &[u8], password: &str) -> Result<bool> {
    let known = pool.open_verifier(id, sealed)?;
    let salt = Salt::try_from(salt).map_err(Error::internal)?;
    for form in password_forms::to_try(password) {
        if verify_slices_are_equal(&verifier(pool, id, &form, salt).await?, &known).is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn verifier(pool: &UserPool, id: MemberId, password: &str, salt: Salt) -> Result<Element> {
    let (name, password) = (pool.srp_name().to_owned(), password.to_owned());
    pool.compute(move || srp::verifier(&name, &id.to_string(), &password, &salt)).await
}

/// Those that came from a network.
fn own(waiting: Vec<Registration>, network: Option<Subject>) -> Vec<Registration> {
    waiting.into_iter().filter(|r| r.network == network).collect()
}

/// The one with this password. The arithmetic is done before the transaction with its locks and its connection.
async fn same(pool: &UserPool, seen: &[Registration], password: &str) -> Result<Option<MemberId>> {
    for registration in seen {
        if has_password(pool, registration.id, &registration.salt, &registration.sealed, password).await? {
            return Ok(Some(registration.id));
        }
    }
    Ok(None)
}

/// Spends a mail to somebody whose address may not be the caller's: of the network first, as everywhere. `name` is what the call gives, and
/// with the network alone decides whether it is refused; `address` is where that leads, if anywhere. `false` when that one has had enough mails,
/// from some networks together: then none goes, and the answer does not tell, for it would tell that there is somebody.
///
/// # Errors
/// ATTEMPTS_EXCEEDED.
pub(super) async fn spend_mail(
    pool: &UserPool,
    conn: &mut PgConnection,
    why: Why,
    from: Option<IpAddr>,
    (name, address): (&str, Option<&str>),
    now: OffsetDateTime,
) -> Result<bool> {
    let mails = pool.settings.mails;
    if let Some(network) = pool.network(from) {
        let of_network = Spending { subject: budgets::Subject::keyed(network), budget: mails.of_network };
        budgets::spend(conn, now, &of_network).await?;
    }
    budgets::spend(conn, now, &by_name(pool, why, from, name)).await?;
    let [_, to_address] = mails.of(why);
    let nobodys = || pool.settings.keys.derive("nobody's address", &[&pool.subject(name)]);
    let address = address.map_or_else(nobodys, |address| pool.subject(address));
    let of_address = Spending { subject: budgets::Subject::keyed(address), budget: to_address };
    Ok(budgets::try_spend(conn, now, &of_address).await?.is_ok())
}

/// What a call spends by the name that it gives: what is asked for at one network uses up nothing of what others may ask for.
fn by_name(pool: &UserPool, why: Why, from: Option<IpAddr>, name: &str) -> Spending {
    let ([budget, _], name) = (pool.settings.mails.of(why), pool.subject(name));
    let subject = match pool.network(from).filter(|_| why.is_anybodys()) {
        Some(network) => pool.settings.keys.derive("name at a network", &[&name, &network]),
        None => name,
    };
    Spending { subject: budgets::Subject::keyed(subject), budget }
}

fn too_many_mails() -> Error {
    Error::new(Reason::AttemptsExceeded, budgets::MAILS_TO_ADDRESS.text)
}

fn exists() -> Error {
    Error::new(Reason::UsernameExists, "An account with the given email already exists.")
}

/// Where a code went, as far as the caller knows: masked from what they said, so that an id that is known looks like one that is not.
pub(super) fn told(username: &str) -> CodeDeliveryDetails {
    delivery(if uuid::Uuid::parse_str(username).is_ok() { "" } else { username })
}

fn delivery(address: &str) -> CodeDeliveryDetails {
    CodeDeliveryDetails {
        destination: rules::masked(address),
        delivery_medium: DeliveryMedium::Email.into(),
        attribute_name: "email".to_owned(),
    }
}
