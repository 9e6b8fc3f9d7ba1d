//! Signing in: by SRP, where the password never travels, or with the plain password. An account that does not exist answers like one whose
//! password is wrong, with the same work.

use super::{
    email_otp, lockout, password_forms, rules,
    scopes::Scopes,
    secret_block::{self, Block, Offer},
    secrets::NONCE_BYTES,
    sign_in_flow::{self, Entry, Outcome, Proof, Reply, incorrect, proof_of},
    srp,
    steps::Shown,
    store::{
        self,
        attempts::{Kind, Subject},
    },
    user_pool::UserPool,
    verifier_lookup::{self, Candidate},
};
use crate::{
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
    read, transact,
};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::{Engine, engine::general_purpose::STANDARD};
use sqlx::PgConnection;
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};

/// How long a SECRET_BLOCK can be answered.
const BLOCK_LIFE: Duration = Duration::minutes(5);
/// How far a client's clock may be off.
const CLOCK_SKEW: Duration = Duration::minutes(5);
/// Who has signed in from a network in this time is at home there.
const AT_HOME_FOR: Duration = Duration::days(30);
const BLOCK_LABEL: &[u8] = b"secret block";
/// Of a sign-in that wants a code by mail after the password.
const CODE_BLOCK_LABEL: &[u8] = b"secret block, then a code";

/// Who tries to sign in.
struct Attempt {
    entry: Entry,
    /// How long their network is still locked out. It is told after the same work as ever, but to who is at home there and has the right password.
    network_held: Option<Duration>,
}

/// What follows on the right password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The steps that the member and the client want.
    Steps,
    /// A code by mail, and then those.
    Code,
}

impl Then {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::Steps => BLOCK_LABEL,
            Self::Code => CODE_BLOCK_LABEL,
        }
    }
}

/// What a client is asked.
pub struct Challenge {
    /// B, hexadecimal.
    pub srp_b: String,
    /// The salt, hexadecimal.
    pub salt: String,
    /// The state, sealed.
    pub secret_block: String,
    /// The user name that enters the proof.
    pub user_id: MemberId,
}

/// A client's answer.
pub struct Answer<'a> {
    /// The user name.
    pub username: &'a str,
    /// The state, as it was given.
    pub secret_block: &'a str,
    /// The proof.
    pub signature: &'a str,
    /// The client's time, as it entered the proof.
    pub timestamp: &'a str,
    /// The device that it names.
    pub device: Option<DeviceId>,
}

/// Begins a sign-in by SRP. Any node can answer the next step: the state is in the challenge.
///
/// # Errors
/// INVALID_PARAMETER when A is no number of the group, or 0.
pub async fn challenge(pool: &UserPool, client_id: &str, username: &str, srp_a: &str, then: Then) -> Result<Challenge> {
    let client = pool.client(client_id)?.clone();
    let a = srp::parse_a(srp_a).ok_or_else(|| rules::invalid("SRP_A is not a number of the group"))?;
    let now = pool.deps.clock.now();
    let (account, candidate) = read!(pool.deps.pool, |conn| verifier_lookup::find(pool, conn, username, now).await)?;
    let Offer { b, big_b, u } = secret_block::offer(pool, candidate.verifier, a).await?;
    let block = Block { member: candidate.id, account, expires_at_s: (now + BLOCK_LIFE).unix_timestamp(), b, u, a, client_id: client.id };
    Ok(Challenge {
        srp_b: srp::hex_of(&big_b),
        salt: hex::encode(candidate.salt),
        secret_block: STANDARD.encode(pool.settings.keys.seal(&pool.deps.ids, then.label(), &block.write())),
        user_id: candidate.id,
    })
}

/// Ends a sign-in by SRP.
///
/// # Errors
/// NOT_AUTHORIZED for every flaw alike; USER_NOT_CONFIRMED after the right password; RESOURCE_NOT_FOUND for an unknown device after it;
/// ATTEMPTS_EXCEEDED.
pub async fn respond(pool: &UserPool, client_id: &str, answer: &Answer<'_>, from: Option<IpAddr>) -> Result<Reply> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let sealed = STANDARD.decode(answer.secret_block).map_err(|_| incorrect())?;
    let opened = |then: Then| Some((Block::read(&pool.settings.keys.open(then.label(), &sealed)?)?, then));
    let (block, then) = opened(Then::Steps).or_else(|| opened(Then::Code)).ok_or_else(incorrect)?;
    if !block.is_for(pool, &client.id, answer.username, now) {
        return Err(incorrect());
    }
    on_time(answer.timestamp, now)?;
    let (attempt, candidate) = read!(pool.deps.pool, |conn| {
        let entry = Entry::new(pool, client.clone(), block.account, from, answer.device);
        let attempt = Attempt::begin(conn, entry, now).await?;
        let account = store::accounts::by_id(conn, block.member, now).await?;
        Ok((attempt, verifier_lookup::of(pool, account, block.member)?))
    })?;
    let signature = STANDARD.decode(answer.signature).unwrap_or_default();
    let (name, timestamp, verifier) = (pool.srp_name().to_owned(), answer.timestamp.to_owned(), candidate.verifier);
    let nonce = sealed.first_chunk::<NONCE_BYTES>().copied();
    let right = pool
        .compute(move || {
            let key = srp::session_key(&block.a, &verifier, &block.u, &block.b);
            srp::proves(&key, &name, &block.member.to_string(), &sealed, &timestamp, &signature)
        })
        .await?;
    conclude(pool, &attempt, &candidate, (right, nonce, then), now).await
}

/// Refuses a proof of another time than now.
///
/// # Errors
/// INVALID_PARAMETER for what is none; NOT_AUTHORIZED.
pub fn on_time(timestamp: &str, now: OffsetDateTime) -> Result<()> {
    let at = rules::timestamp(timestamp);
    let at = at.ok_or_else(|| rules::invalid("TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."))?;
    if (at - now).abs() > CLOCK_SKEW { Err(incorrect()) } else { Ok(()) }
}

/// Signs in with the plain password.
///
/// # Errors
/// As `respond`.
pub async fn with_password(
    pool: &UserPool,
    client_id: &str,
    (username, password): (&str, &str),
    device: Option<DeviceId>,
    from: Option<IpAddr>,
) -> Result<Reply> {
    enter(pool, client_id, (username, password), (device, None), from).await
}

/// The same in the hosted page: a session for these scopes, which waits for its code.
///
/// # Errors
/// As `respond`.
pub(super) async fn in_page(
    pool: &UserPool,
    client_id: &str,
    scopes: Scopes,
    password: (&str, &str),
    from: Option<IpAddr>,
) -> Result<Reply> {
    enter(pool, client_id, password, (None, Some(scopes)), from).await
}

async fn enter(
    pool: &UserPool,
    client_id: &str,
    (username, password): (&str, &str),
    (device, scopes): (Option<DeviceId>, Option<Scopes>),
    from: Option<IpAddr>,
) -> Result<Reply> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let (attempt, candidate) = read!(pool.deps.pool, |conn| {
        let (account, candidate) = verifier_lookup::find(pool, conn, username, now).await?;
        let entry = Entry::new(pool, client.clone(), account, from, device).of_page(scopes);
        Ok((Attempt::begin(conn, entry, now).await?, candidate))
    })?;
    let (name, forms, id, salt, known) =
        (pool.srp_name().to_owned(), password_forms::to_try(password), candidate.id, candidate.salt, candidate.verifier);
    let is = move |form: &String| verify_slices_are_equal(&srp::verifier(&name, &id.to_string(), form, &salt), &known).is_ok();
    let right = pool.compute(move || forms.iter().any(is)).await?;
    conclude(pool, &attempt, &candidate, (right, None, Then::Steps), now).await
}

async fn conclude(
    pool: &UserPool,
    Attempt { entry, network_held }: &Attempt,
    candidate: &Candidate,
    (right, nonce, then): (bool, Option<[u8; NONCE_BYTES]>, Then),
    now: OffsetDateTime,
) -> Result<Reply> {
    let proof = (right && candidate.exists).then(|| proof_of(pool, &candidate.salt));
    let outcome = transact!(pool.deps.pool, |tx| {
        // Locked here: of passwords tried at the same moment only those that come before the lock-out count, right or wrong.
        let before = store::attempts::lock(tx, &entry.account, Kind::Password).await?;
        if let Some(wait) = before.and_then(|t| t.locked_for(now)) {
            return Ok(Some(Outcome::Refused(locked_out(wait))));
        }
        if let (Some(wait), Some(network)) = (*network_held, &entry.network)
            && !(right && is_at_home(tx, candidate.id, network, now).await?)
        {
            return Ok(Some(Outcome::Refused(locked_out(wait))));
        }
        let Some(verifier) = proof else { return refuse(pool, tx, entry, now).await.map(Some) };
        if !candidate.confirmed {
            return Ok(Some(Outcome::Refused(Error::new(Reason::UserNotConfirmed, "User is not confirmed."))));
        }
        let outcome = match then {
            Then::Code if email_otp::begins(tx, candidate.id, nonce.as_ref(), now).await? => None,
            Then::Code => Some(Outcome::Refused(incorrect())),
            // A recorded answer signs nobody in a second time, and makes nobody's wrong tries forgotten.
            Then::Steps => {
                let proof = Proof {
                    shown: Shown::Password,
                    verifier,
                    ticket: None,
                    once: nonce.as_ref().map(|nonce| (nonce, incorrect as fn() -> Error)),
                };
                Some(sign_in_flow::follow(pool, tx, entry, candidate.id, &proof, now).await?)
            }
        };
        if !matches!(outcome, Some(Outcome::Refused(_))) {
            store::attempts::clear(tx, &entry.account, Kind::Password).await?;
        }
        Ok(outcome)
    })?;
    match outcome {
        Some(outcome) => sign_in_flow::reply(pool, entry, outcome).await,
        None => email_otp::after_password(pool, entry, candidate.id, proof.unwrap_or_default()).await,
    }
}

/// Counts a failed try, of the account and of the network address.
async fn refuse(pool: &UserPool, conn: &mut PgConnection, entry: &Entry, now: OffsetDateTime) -> Result<Outcome> {
    let limits = &pool.settings.limits;
    let counted = [(Some(entry.account), Kind::Password, limits.password), (entry.network, Kind::Network, limits.network)];
    for (subject, kind, curve) in counted {
        let Some(subject) = subject else { continue };
        let before = store::attempts::lock_to_count(conn, &subject, kind, now).await?;
        if let Some(wait) = before.and_then(|t| t.locked_for(now)) {
            return Ok(Outcome::Refused(locked_out(wait)));
        }
        store::attempts::put(conn, &subject, kind, &lockout::count(curve, before, now)).await?;
    }
    Ok(Outcome::Refused(incorrect()))
}

impl Attempt {
    /// Begins one. A look before the work: the one that counts comes after it, under a lock.
    async fn begin(conn: &mut PgConnection, entry: Entry, now: OffsetDateTime) -> Result<Self> {
        if let Some(wait) = held(conn, &entry.account, Kind::Password, now).await? {
            return Err(locked_out(wait));
        }
        let network_held = match &entry.network {
            Some(network) => held(conn, network, Kind::Network, now).await?,
            None => None,
        };
        Ok(Self { entry, network_held })
    }
}

async fn held(conn: &mut PgConnection, subject: &Subject, kind: Kind, now: OffsetDateTime) -> Result<Option<Duration>> {
    let until = store::attempts::locked_until(conn, subject, kind).await?;
    Ok(until.filter(|until| *until > now).map(|until| until - now))
}

/// Whether a member has signed in from a network of late: what others do there does not hold them back, though their own wrong tries do.
pub(super) async fn is_at_home(conn: &mut PgConnection, member: MemberId, network: &Subject, now: OffsetDateTime) -> Result<bool> {
    store::sessions::was_at(conn, member, network, now - AT_HOME_FOR).await
}

/// The refusal of tries until some time has gone by.
pub(super) fn locked_out(wait: Duration) -> Error {
    Error::new(Reason::PasswordAttemptsExceeded, "Password attempts exceeded").retry_after(wait.unsigned_abs())
}
