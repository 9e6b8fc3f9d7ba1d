//! Refresh tokens: what they are, using one, and ending sessions.
//!
//! A token names its member, session and generation, and carries a proof that is derived from the session's seed and a key of the
//! configuration. So the successor of a rotated token can be told again to a client that lost the answer, and no row holds a token.

use super::{
    Member,
    clients::Client,
    scopes::Scopes,
    secrets::Keys,
    sessions::signal_ended,
    store::{self, sessions::Session},
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId, SessionId},
    pb::identity::AuthenticationResult,
    transact,
};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a rotated token still answers, with the same successor: for answers that were lost, and calls at the same moment. Longer than a
/// call may take.
const GRACE: Duration = Duration::seconds(60);
const PURPOSE: &str = "refresh token";
const TOKEN_BYTES: usize = 16 + 16 + 4 + 32;

struct RefreshToken {
    member: MemberId,
    session: SessionId,
    generation: i32,
    proof: [u8; 32],
}

/// The refresh token of a generation of a session.
pub fn token(keys: &Keys, session: &Session, generation: i32) -> String {
    let generation = generation.to_be_bytes();
    let proof = keys.derive(PURPOSE, &of(session, &generation));
    let parts = [session.member.0.as_bytes().as_slice(), session.id.0.as_bytes(), &generation, &proof];
    URL_SAFE_NO_PAD.encode(parts.concat())
}

/// What a proof is derived from.
fn of<'a>(session: &'a Session, generation: &'a [u8; 4]) -> [&'a [u8]; 4] {
    [&session.refresh_seed, session.member.0.as_bytes(), session.id.0.as_bytes(), generation]
}

impl RefreshToken {
    fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().filter(|b| b.len() == TOKEN_BYTES)?;
        let (member, rest) = bytes.split_first_chunk::<16>()?;
        let (session, rest) = rest.split_first_chunk::<16>()?;
        let (generation, proof) = rest.split_first_chunk::<4>()?;
        Some(Self {
            member: MemberId(Uuid::from_bytes(*member)),
            session: SessionId(Uuid::from_bytes(*session)),
            generation: i32::from_be_bytes(*generation),
            proof: proof.try_into().ok()?,
        })
    }

    fn is_of(&self, keys: &Keys, session: &Session) -> bool {
        let generation = self.generation.to_be_bytes();
        verify_slices_are_equal(&self.proof, &keys.derive(PURPOSE, &of(session, &generation))).is_ok()
    }
}

/// How a client proves its secret, if it has one.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    /// By the hash of what the member is called, or was when their client last heard of it: id, address, user name.
    Hash(&'a str),
    /// By the secret itself.
    Secret(&'a str),
}

impl Proof<'_> {
    /// What can be told before it is known whose token it is.
    fn check_early(self, client: &Client) -> Result<()> {
        match self {
            Self::Hash(given) if given.is_empty() || client.secret.is_none() => client.proves_by_hash(&[], given),
            Self::Hash(_) => Ok(()),
            Self::Secret(given) => client.proves_by_secret(given),
        }
    }

    fn check(self, client: &Client, member: &Member, session: &Session) -> Result<()> {
        match self {
            Self::Hash(given) => {
                let (id, username, lower) = (member.id.to_string(), member.username(), store::email_key(&member.email));
                let present = [id.as_str(), &member.email, &lower, &username];
                let names: Vec<&str> = present.into_iter().chain(session.former_names.iter().map(String::as_str)).collect();
                client.proves_by_hash(&names, given)
            }
            Self::Secret(_) => Ok(()),
        }
    }
}

/// What a refresh brings beside the token.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The proof of the client's secret.
    pub proof: Proof<'a>,
    /// The device that it names.
    pub device: Option<DeviceId>,
    /// The scopes that are asked for, where fewer may be.
    pub scopes: Option<Scopes>,
}

/// Whether a session is refreshed from where it was begun: it is bound to its device once that is confirmed.
async fn is_from_its_device(tx: &mut Tx, session: &Session, named: Option<DeviceId>) -> Result<bool> {
    let Some(device) = session.device else { return Ok(true) };
    if named.is_some() {
        return Ok(named == Some(device));
    }
    let known = store::devices::find(tx, session.member, device).await?;
    Ok(known.is_none_or(|device| device.sealed.is_none()))
}

/// What becomes of a refresh.
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack")]
enum Outcome {
    Good(Renewed),
    /// A rotated token came back: somebody else may have it.
    Reused(Vec<SessionId>),
}

/// Tokens for a refresh token; with `may_rotate` and a client that rotates, a new refresh token too.
///
/// # Errors
/// As `renew`.
pub async fn refresh(pool: &UserPool, client_id: &str, text: &str, shown: Shown<'_>, may_rotate: bool) -> Result<AuthenticationResult> {
    let Renewed { member, session, next } = renew(pool, client_id, text, shown, may_rotate).await?;
    pool.answer(member, session, next).await
}

/// A session that goes on.
pub(super) struct Renewed {
    pub member: Member,
    pub session: Session,
    /// The refresh token from now on, where it is another one.
    pub next: Option<String>,
}

/// Goes on with the session of a refresh token.
///
/// # Errors
/// NOT_AUTHORIZED when it is no good; REFRESH_TOKEN_REUSED when it was rotated, which ends the session.
pub(super) async fn renew(pool: &UserPool, client_id: &str, text: &str, shown: Shown<'_>, may_rotate: bool) -> Result<Renewed> {
    let client = pool.client(client_id)?;
    shown.proof.check_early(client)?;
    let token = RefreshToken::read(text).ok_or_else(invalid)?;
    let now = pool.deps.clock.now();
    let outcome = transact!(pool.deps.pool, |tx| use_token(pool, tx, (client, shown), &token, may_rotate, now).await)?;
    match outcome {
        Outcome::Good(renewed) => Ok(renewed),
        Outcome::Reused(ended) => {
            pool.sessions.mark_ended(&ended);
            Err(Error::new(Reason::RefreshTokenReused, "Refresh Token has been reused"))
        }
    }
}

async fn use_token(
    pool: &UserPool,
    tx: &mut Tx,
    (client, shown): (&Client, Shown<'_>),
    token: &RefreshToken,
    may_rotate: bool,
    now: OffsetDateTime,
) -> Result<Outcome> {
    let keys = &pool.settings.keys;
    let session = store::sessions::find(tx, token.member, token.session).await?.ok_or_else(invalid)?;
    if !token.is_of(keys, &session) || session.client_id != client.id {
        return Err(invalid());
    }
    if session.ended_at.is_some() {
        return Err(not_authorized("Refresh Token has been revoked"));
    }
    if session.expires_at <= now {
        return Err(not_authorized("Refresh Token has expired"));
    }
    let member = store::member(tx, token.member).await?.ok_or_else(invalid)?;
    shown.proof.check(client, &member, &session)?;
    // What its client may not have any more, a session of the hosted sign-in does not go on with.
    let session = session.within(client.allowed()).ok_or_else(invalid)?;
    if !is_from_its_device(tx, &session, shown.device).await? {
        return Err(invalid());
    }
    // Told before anything is used up.
    if shown.scopes.is_some_and(|asked| !session.granted().has(asked)) {
        return Err(Error::new(Reason::InvalidParameter, "scope contains a value that was not granted"));
    }
    let rotates = may_rotate && client.rotates;
    let next = if token.generation == session.refresh_generation {
        // Of fifty refreshes at once one rotates; the others begin anew and see that it did.
        if rotates && !store::sessions::rotate(tx, &session, now).await? {
            return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
        }
        token.generation.saturating_add(1)
    } else if is_in_grace(&session, token.generation, now) {
        session.refresh_generation
    } else {
        return end(tx, token.member, Some(token.session), now).await.map(Outcome::Reused);
    };
    store::sign_ins::refreshed(tx, session.member, session.id, now).await?;
    let next = rotates.then(|| self::token(keys, &session, next));
    Ok(Outcome::Good(Renewed { member, session, next }))
}

fn is_in_grace(session: &Session, generation: i32, now: OffsetDateTime) -> bool {
    generation.checked_add(1) == Some(session.refresh_generation) && session.rotated_at.is_some_and(|at| now - at < GRACE)
}

/// Ends the session of a refresh token, of any generation. One that is unknown, or another client's, is let be.
pub async fn revoke(pool: &UserPool, client_id: &str, text: &str) -> Result<()> {
    let client = pool.client(client_id)?;
    let Some(token) = RefreshToken::read(text) else {
        // Access and id tokens have three parts; their session ends with its refresh token.
        let is_jwt = text.split('.').count() == 3;
        return if is_jwt { Err(Error::new(Reason::UnsupportedTokenType, "Unsupported token type")) } else { Ok(()) };
    };
    let now = pool.deps.clock.now();
    let ended = transact!(pool.deps.pool, |tx| {
        match store::sessions::find(tx, token.member, token.session).await? {
            Some(session) if token.is_of(&pool.settings.keys, &session) && session.client_id == client.id => {
                end(tx, token.member, Some(token.session), now).await
            }
            _ => Ok(Vec::new()),
        }
    })?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// Ends every session of a member: at once here, within a second elsewhere.
pub async fn sign_out(pool: &UserPool, member: MemberId) -> Result<()> {
    let now = pool.deps.clock.now();
    let ended = transact!(pool.deps.pool, |tx| {
        store::accounts::begin_anew(tx, member, now).await?;
        store::factors::void_off(tx, member).await?;
        store::awaited::remove_all(tx, member).await?;
        end(tx, member, None, now).await
    })?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// Ends one session of a member, or all of them, and tells the other nodes. Those that were open.
pub(super) async fn end(tx: &mut Tx, member: MemberId, only: Option<SessionId>, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let ended = store::sessions::end(tx, member, only, now).await?;
    signal_ended(tx, member, &ended);
    Ok(ended)
}

/// Ends every session that was begun from a device, and tells the other nodes. Those that were open.
pub(super) async fn end_of_device(tx: &mut Tx, member: MemberId, device: DeviceId, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let ended = store::sessions::end_of_device(tx, member, device, now).await?;
    signal_ended(tx, member, &ended);
    Ok(ended)
}

/// Ends every session of a member but one, and tells the other nodes. Those that were open.
pub(super) async fn end_others(tx: &mut Tx, member: MemberId, kept: SessionId, now: OffsetDateTime) -> Result<Vec<SessionId>> {
    let ended = store::sessions::end_others(tx, member, kept, now).await?;
    signal_ended(tx, member, &ended);
    Ok(ended)
}

fn invalid() -> Error {
    not_authorized("Invalid Refresh Token")
}

fn not_authorized(text: &'static str) -> Error {
    Error::new(Reason::NotAuthorized, text)
}
