//! Signing in: by SRP, where the password never travels, or with the plain password. An account that does not exist answers like one whose
//! password is wrong, with the same work.

use super::{
    Member,
    clients::Client,
    lockout, refresh, rules,
    secrets::NONCE_BYTES,
    srp::{self, ELEMENT_BYTES, Element, Salt},
    store::{
        self,
        attempts::{Kind, Subject},
        sessions::Session,
    },
    user_pool::UserPool,
};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
    pb::identity::AuthenticationResult,
    read, transact,
};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::{Engine, engine::general_purpose::STANDARD};
use sqlx::PgConnection;
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a SECRET_BLOCK can be answered.
const BLOCK_LIFE: Duration = Duration::minutes(5);
/// How far a client's clock may be off.
const CLOCK_SKEW: Duration = Duration::minutes(5);
/// Who has signed in from a network in this time is at home there.
const AT_HOME_FOR: Duration = Duration::days(30);
const BLOCK_LABEL: &[u8] = b"secret block";

/// Who tries to sign in, and from where.
pub struct Attempt {
    client: Client,
    /// The account, by its address, whether it exists or not.
    account: Subject,
    /// The network address; `None` when the call came from no network.
    network: Option<Subject>,
    /// How long that one is still locked out. It is told after the same work as ever, but to who is at home there and has the right password.
    network_held: Option<Duration>,
}

/// What a password is checked against: a real account, or one that is simulated.
struct Candidate {
    id: MemberId,
    salt: Salt,
    verifier: Element,
    /// The verifier as it was read; `None` when simulated.
    sealed: Option<Vec<u8>>,
    /// Whether the address was confirmed.
    confirmed: bool,
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
}

/// Begins a sign-in by SRP. Any node can answer the next step: the state is in the challenge.
///
/// # Errors
/// INVALID_PARAMETER when A is no number of the group, or 0.
pub async fn challenge(pool: &UserPool, client_id: &str, username: &str, srp_a: &str) -> Result<Challenge> {
    let client = pool.client(client_id)?.clone();
    let a = srp::parse_a(srp_a).ok_or_else(|| rules::invalid("SRP_A is not a number of the group"))?;
    let now = pool.deps.clock.now();
    let (account, candidate) = read!(pool.deps.pool, |conn| find(pool, conn, username, now).await)?;
    let b = pool.deps.ids.bytes::<32>();
    let verifier = candidate.verifier;
    let (big_b, u) = pool
        .compute(move || {
            let big_b = srp::offer(&verifier, &b);
            (big_b, srp::scramble(&a, &big_b))
        })
        .await?;
    let u = u.ok_or_else(|| rules::invalid("SRP_A cannot be used"))?;
    let block = Block { member: candidate.id, account, expires_at_s: (now + BLOCK_LIFE).unix_timestamp(), b, u, a, client_id: client.id };
    Ok(Challenge {
        srp_b: srp::hex_of(&big_b),
        salt: hex::encode(candidate.salt),
        secret_block: STANDARD.encode(pool.settings.keys.seal(&pool.deps.ids, BLOCK_LABEL, &block.write())),
        user_id: candidate.id,
    })
}

/// Ends a sign-in by SRP.
///
/// # Errors
/// NOT_AUTHORIZED for every flaw alike; USER_NOT_CONFIRMED after the right password; ATTEMPTS_EXCEEDED.
pub async fn respond(pool: &UserPool, client_id: &str, answer: &Answer<'_>, from: Option<IpAddr>) -> Result<AuthenticationResult> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let sealed = STANDARD.decode(answer.secret_block).map_err(|_| incorrect())?;
    let opened = pool.settings.keys.open(BLOCK_LABEL, &sealed);
    let block = opened.as_deref().and_then(Block::read).ok_or_else(incorrect)?;
    let named = Uuid::parse_str(answer.username).is_ok_and(|id| id == block.member.0) || pool.subject(answer.username) == block.account;
    if block.client_id != client.id || block.expires_at_s <= now.unix_timestamp() || !named {
        return Err(incorrect());
    }
    let at = rules::timestamp(answer.timestamp)
        .ok_or_else(|| rules::invalid("TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."))?;
    if (at - now).abs() > CLOCK_SKEW {
        return Err(incorrect());
    }
    let (attempt, candidate) = read!(pool.deps.pool, |conn| {
        let attempt = Attempt::begin(conn, client.clone(), block.account, pool.network(from), now).await?;
        let account = store::accounts::by_id(conn, block.member, now).await?;
        Ok((attempt, candidate(pool, account, block.member)?))
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
    conclude(pool, &attempt, &candidate, right, nonce, now).await
}

/// Signs in with the plain password.
///
/// # Errors
/// As `respond`.
pub async fn with_password(
    pool: &UserPool,
    client_id: &str,
    username: &str,
    password: &str,
    from: Option<IpAddr>,
) -> Result<AuthenticationResult> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let (attempt, candidate) = read!(pool.deps.pool, |conn| {
        let (account, candidate) = find(pool, conn, username, now).await?;
        Ok((Attempt::begin(conn, client.clone(), account, pool.network(from), now).await?, candidate))
    })?;
    let (name, password, id, salt, known) =
        (pool.srp_name().to_owned(), password.to_owned(), candidate.id, candidate.salt, candidate.verifier);
    let right =
        pool.compute(move || verify_slices_are_equal(&srp::verifier(&name, &id.to_string(), &password, &salt), &known).is_ok()).await?;
    conclude(pool, &attempt, &candidate, right, None, now).await
}

/// What becomes of an attempt. A wrong one is committed, so it is no error of the transaction.
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack")]
enum Outcome {
    SignedIn(Member, Session),
    Refused(Error),
}

async fn conclude(
    pool: &UserPool,
    attempt: &Attempt,
    candidate: &Candidate,
    right: bool,
    nonce: Option<[u8; NONCE_BYTES]>,
    now: OffsetDateTime,
) -> Result<AuthenticationResult> {
    let session = pool.new_session(candidate.id, &attempt.client, attempt.network, now);
    let outcome = transact!(pool.deps.pool, |tx| {
        // Locked here: of passwords tried at the same moment only those that come before the lock-out count, right or wrong.
        let before = store::attempts::lock(tx, &attempt.account, Kind::Password).await?;
        if let Some(wait) = before.and_then(|t| t.locked_for(now)) {
            return Ok(Outcome::Refused(locked_out(wait)));
        }
        if let (Some(wait), Some(network)) = (attempt.network_held, &attempt.network)
            && !(right && is_at_home(tx, candidate.id, network, now).await?)
        {
            return Ok(Outcome::Refused(locked_out(wait)));
        }
        if right && candidate.sealed.is_some() {
            enter(tx, attempt, candidate, &session, nonce, now).await
        } else {
            refuse(pool, tx, attempt, now).await
        }
    })?;
    match outcome {
        Outcome::SignedIn(member, session) => {
            let refresh = refresh::token(&pool.settings.keys, &session, session.refresh_generation);
            pool.answer(member, session, Some(refresh)).await
        }
        Outcome::Refused(error) => Err(error),
    }
}

/// Begins the session.
async fn enter(
    conn: &mut PgConnection,
    attempt: &Attempt,
    candidate: &Candidate,
    session: &Session,
    nonce: Option<[u8; NONCE_BYTES]>,
    now: OffsetDateTime,
) -> Result<Outcome> {
    if !candidate.confirmed {
        return Ok(Outcome::Refused(Error::new(Reason::UserNotConfirmed, "User is not confirmed.")));
    }
    // It was the password when it was looked at. One that was changed since signs nobody in: whoever changes it has ended the sessions that
    // there were.
    let now_sealed = store::accounts::share_verifier(conn, session.member).await?;
    if now_sealed.is_none() || now_sealed != candidate.sealed {
        return Ok(Outcome::Refused(incorrect()));
    }
    if let Some(nonce) = nonce {
        // A recorded answer signs nobody in a second time, and makes nobody's wrong tries forgotten.
        if !store::sessions::use_block(conn, session.member, &nonce, now + BLOCK_LIFE).await? {
            return Ok(Outcome::Refused(incorrect()));
        }
    }
    store::attempts::clear(conn, &attempt.account, Kind::Password).await?;
    store::sessions::insert(conn, session).await?;
    let member = store::member(conn, session.member).await?.ok_or_else(incorrect)?;
    Ok(Outcome::SignedIn(member, session.clone()))
}

/// Counts a failed try, of the account and of the network address.
async fn refuse(pool: &UserPool, conn: &mut PgConnection, attempt: &Attempt, now: OffsetDateTime) -> Result<Outcome> {
    let limits = &pool.settings.limits;
    let counted = [(Some(attempt.account), Kind::Password, limits.password), (attempt.network, Kind::Network, limits.network)];
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
    async fn begin(
        conn: &mut PgConnection,
        client: Client,
        account: Subject,
        network: Option<Subject>,
        now: OffsetDateTime,
    ) -> Result<Self> {
        if let Some(wait) = held(conn, &account, Kind::Password, now).await? {
            return Err(locked_out(wait));
        }
        let network_held = match &network {
            Some(network) => held(conn, network, Kind::Network, now).await?,
            None => None,
        };
        Ok(Self { client, account, network, network_held })
    }
}

async fn held(conn: &mut PgConnection, subject: &Subject, kind: Kind, now: OffsetDateTime) -> Result<Option<Duration>> {
    let until = store::attempts::locked_until(conn, subject, kind).await?;
    Ok(until.filter(|until| *until > now).map(|until| until - now))
}

/// Whether a member has signed in from a network of late: what others do there does not hold them back, though their own wrong tries do.
async fn is_at_home(conn: &mut PgConnection, member: MemberId, network: &Subject, now: OffsetDateTime) -> Result<bool> {
    store::sessions::was_at(conn, member, network, now - AT_HOME_FOR).await
}

async fn find(pool: &UserPool, conn: &mut PgConnection, username: &str, now: OffsetDateTime) -> Result<(Subject, Candidate)> {
    let account = pool.account(conn, username, now).await?;
    let subject = pool.subject(username);
    let simulated = pool.settings.keys.derive("simulated id", &[&subject]);
    let id = Uuid::parse_str(username).unwrap_or_else(|_| uuid::Builder::from_random_bytes(first(&simulated)).into_uuid());
    Ok((subject, candidate(pool, account, MemberId(id))?))
}

/// The account, or a simulated one: always the same for the same id, by which an address is simulated too, and nobody's password.
fn candidate(pool: &UserPool, account: Option<store::accounts::Account>, id: MemberId) -> Result<Candidate> {
    let Some(account) = account else {
        let (keys, id_bytes) = (&pool.settings.keys, id.0.as_bytes());
        let mut bytes = [0; ELEMENT_BYTES];
        for (n, part) in (0_u8..).zip(bytes.chunks_mut(32)) {
            part.copy_from_slice(&keys.derive("simulated verifier", &[id_bytes, &[n]]));
        }
        let salt = srp::salt(first(&keys.derive("simulated salt", &[id_bytes])));
        return Ok(Candidate { id, salt, verifier: srp::element_from(&bytes), sealed: None, confirmed: false });
    };
    Ok(Candidate {
        id: account.id,
        salt: Salt::try_from(account.salt.as_slice()).map_err(Error::internal)?,
        verifier: pool.open_verifier(account.id, &account.sealed)?,
        sealed: Some(account.sealed),
        confirmed: account.confirmed,
    })
}

fn first(bytes: &[u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(bytes.split_at(16).0);
    half
}

fn incorrect() -> Error {
    Error::new(Reason::NotAuthorized, "Incorrect username or password.")
}

fn locked_out(wait: Duration) -> Error {
    Error::new(Reason::PasswordAttemptsExceeded, "Password attempts exceeded").retry_after(wait.unsigned_abs())
}

/// The state between the two steps.
struct Block {
    member: MemberId,
    account: Subject,
    expires_at_s: i64,
    b: [u8; 32],
    u: [u8; 32],
    a: Element,
    client_id: String,
}

impl Block {
    fn write(&self) -> Vec<u8> {
        let parts: [&[u8]; 7] = [
            self.member.0.as_bytes(),
            &self.account,
            &self.expires_at_s.to_be_bytes(),
            &self.b,
            &self.u,
            &self.a,
            self.client_id.as_bytes(),
        ];
        parts.concat()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (member, rest) = bytes.split_first_chunk::<16>()?;
        let (account, rest) = rest.split_first_chunk::<32>()?;
        let (expires, rest) = rest.split_first_chunk::<8>()?;
        let (b, rest) = rest.split_first_chunk::<32>()?;
        let (u, rest) = rest.split_first_chunk::<32>()?;
        let (a, rest) = rest.split_first_chunk::<ELEMENT_BYTES>()?;
        Some(Self {
            member: MemberId(Uuid::from_bytes(*member)),
            account: *account,
            expires_at_s: i64::from_be_bytes(*expires),
            b: *b,
            u: *u,
            a: *a,
            client_id: String::from_utf8(rest.to_vec()).ok()?,
        })
    }
}
