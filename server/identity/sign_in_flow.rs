//! Getting in: what follows on what somebody who signs in has shown, up to the session.

use super::{
    Member, active_sessions,
    challenge_session::{self, Step, Ticket, micros},
    challenges,
    clients::{Client, Devices},
    devices, refresh,
    scopes::Scopes,
    secrets::NONCE_BYTES,
    steps::{self, Next, Shown, Standing, Trust},
    store::{self, attempts::Subject, factors::Factors, sessions::Session},
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId, SessionId},
    pb::identity::{AuthenticationResult, ChallengeName, NewDeviceMetadata},
};
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a step may be answered when a code is on its way; the others by the setting.
pub const CODE_LIFE: Duration = Duration::minutes(15);

/// Who signs in, by what, and from where.
#[derive(Clone)]
pub struct Entry {
    /// Which sign-in.
    pub sign_in: Uuid,
    /// The application.
    pub client: Client,
    /// Whose tries are counted, whether there is such an account or not.
    pub account: Subject,
    /// Where the call came from; `None` when from no network.
    pub from: Option<IpAddr>,
    /// The same, as tries are counted by it.
    pub network: Option<Subject>,
    /// The device that it names.
    pub device: Option<DeviceId>,
    /// How long a step may be answered.
    pub step_life: Duration,
    /// What the session is for in the hosted page; `None` for an operation of the user pool.
    pub scopes: Option<Scopes>,
    /// The code for a number that they gave on the way, which is sent once they are in.
    pub number: Option<Uuid>,
}

/// What a step of a sign-in gives.
pub enum Reply {
    /// They are in.
    Tokens(AuthenticationResult),
    /// The same in the hosted page: a session that waits for its code.
    Waits(Session),
    /// Something is asked.
    Asked(Asked),
}

/// What is asked next.
pub struct Asked {
    /// What.
    pub challenge: ChallengeName,
    /// What goes with it.
    pub parameters: Vec<(&'static str, String)>,
    /// The state of the sign-in, for the answer.
    pub session: Option<String>,
}

/// What becomes of a step inside its transaction. A refusal is committed with what it counted.
pub enum Outcome {
    /// A session has begun.
    In {
        /// Whose.
        member: Member,
        /// The session.
        session: Session,
        /// The device, when it is new.
        device: Option<NewDeviceMetadata>,
        /// Those that ended with a device which made room for it.
        ended: Vec<SessionId>,
    },
    /// Something is asked.
    Next {
        /// Of whom.
        member: Member,
        /// What.
        next: Next,
        /// What they have for it.
        factors: Factors,
        /// What the password was checked against.
        proof: [u8; 16],
    },
    /// No.
    Refused(Error),
}

/// What tells an answer apart, and the refusal of one that has served.
pub type Once<'a> = (&'a [u8; NONCE_BYTES], fn() -> Error);

/// What was shown, and what of it serves only once.
pub struct Proof<'a> {
    /// What was shown last.
    pub shown: Shown,
    /// What the password was checked against, by a hash.
    pub verifier: [u8; 16],
    /// When it began, where it is a step of more.
    pub ticket: Option<&'a Ticket>,
    /// What a recorded answer is told by: whom it has let in once, it does not let in again, but for this refusal.
    pub once: Option<Once<'a>>,
}

impl Entry {
    /// Of a client, from somewhere.
    pub fn new(pool: &UserPool, client: Client, account: Subject, from: Option<IpAddr>, device: Option<DeviceId>) -> Self {
        let device = device.filter(|_| client.devices != Devices::Off);
        let (network, step_life) = (pool.network(from), pool.settings.lives.challenge);
        Self { sign_in: pool.deps.ids.uuid(), client, account, from, network, device, step_life, scopes: None, number: None }
    }

    /// The same in the hosted page, for a session of these scopes: who sets an authenticator up there may have to get one first.
    #[must_use]
    pub fn of_page(self, scopes: Option<Scopes>) -> Self {
        let step_life = if scopes.is_some() { self.step_life.max(CODE_LIFE) } else { self.step_life };
        Self { scopes, step_life, ..self }
    }

    /// The state of the sign-in at a step.
    pub fn ticket(&self, step: Step, member: MemberId, proof: [u8; 16], now: OffsetDateTime) -> Ticket {
        Ticket {
            step,
            sign_in: self.sign_in,
            member,
            account: self.account,
            client: self.client.id.clone(),
            begun_us: micros(now),
            until_s: (now + self.step_life).unix_timestamp(),
            proof,
            device: self.device,
            code: None,
            scopes: self.scopes,
            number: self.number,
        }
    }

    /// Where the proof of a device belongs.
    fn proof(&self, member: MemberId, device: DeviceId) -> store::awaited::Proof<'_> {
        store::awaited::Proof { member, device, client: &self.client.id, sign_in: Some(self.sign_in), network: self.network }
    }

    fn address(&self) -> String {
        self.from.map_or_else(String::new, |address| address.to_string())
    }
}

/// A hash of the salt of what a password is checked against: each password has its own, while the same one may be sealed anew.
pub fn proof_of(pool: &UserPool, salt: &[u8]) -> [u8; 16] {
    let mut proof = [0; 16];
    proof.copy_from_slice(pool.settings.keys.derive("proof of a password", &[salt]).split_at(16).0);
    proof
}

/// Goes on from what was shown. The tries that it clears or counts are locked already.
pub async fn follow(
    pool: &UserPool,
    tx: &mut Tx,
    entry: &Entry,
    member: MemberId,
    proof: &Proof<'_>,
    now: OffsetDateTime,
) -> Result<Outcome> {
    // It was the password when it was looked at. One that was changed since signs nobody in: whoever changes it has ended the sessions that
    // there were.
    let admission = store::accounts::share_admission(tx, member).await?;
    let Some(admission) = admission.filter(|now| proof_of(pool, &now.salt) == proof.verifier) else {
        return Ok(Outcome::Refused(incorrect()));
    };
    if proof.ticket.is_some_and(|ticket| ticket.is_void(admission.since)) {
        return Ok(Outcome::Refused(challenge_session::invalid()));
    }
    if admission.disabled {
        return Ok(Outcome::Refused(Error::new(Reason::NotAuthorized, "User is disabled.")));
    }
    if proof.shown == Shown::Password && admission.temporary_until.is_some_and(|until| until <= now) {
        let text = "Temporary password has expired and must be reset by an administrator.";
        return Ok(Outcome::Refused(Error::new(Reason::NotAuthorized, text)));
    }
    let factors = store::factors::of(tx, member).await?;
    let trust = match entry.device {
        None => Trust::None,
        // Nothing is used up: the client tries again without it.
        Some(device) => match store::devices::find(tx, member, device).await?.filter(|device| device.sealed.is_some()) {
            None => return Ok(Outcome::Refused(devices::unknown())),
            Some(device) if device.remembered => Trust::Remembered,
            Some(_) => Trust::Known,
        },
    };
    if let Some((nonce, refusal)) = proof.once
        && !store::sessions::use_block(tx, member, nonce, now + CODE_LIFE).await?
    {
        return Ok(Outcome::Refused(refusal()));
    }
    let next = steps::next(proof.shown, &standing(&entry.client, admission.temporary_until.is_some(), &factors, trust));
    if next == Next::Done {
        return begin(pool, tx, entry, member, now).await;
    }
    if let (Next::Device, Some(device)) = (next, entry.device) {
        let bounds = (now + entry.step_life, devices::AWAITED_MOST);
        store::awaited::insert(tx, &entry.proof(member, device), entry.sign_in, bounds).await?;
    }
    let member = store::member(tx, member).await?.ok_or_else(incorrect)?;
    Ok(Outcome::Next { member, next, factors, proof: proof.verifier })
}

/// How it stands with a member at an application.
pub fn standing(client: &Client, temporary: bool, factors: &Factors, device: Trust) -> Standing {
    Standing {
        temporary,
        mfa: client.mfa,
        totp: factors.totp_on,
        has_totp: factors.totp.is_some(),
        sms: factors.sms_on && factors.phone.is_some(),
        preferred: factors.preferred,
        device,
    }
}

/// Begins the session of somebody who has shown all that the table of steps asks for.
async fn begin(pool: &UserPool, tx: &mut Tx, entry: &Entry, member: MemberId, now: OffsetDateTime) -> Result<Outcome> {
    let mut session = pool.new_session(member, &entry.client, entry.network, now);
    let (mut new, mut ended) = (None, Vec::new());
    session.device = entry.device;
    if let Some(scopes) = entry.scopes {
        // A browser is no device: it keeps no key.
        session = session.waiting(scopes);
    } else if entry.client.devices != Devices::Off && entry.device.is_none() {
        let id = DeviceId(pool.deps.ids.uuid());
        let metadata = devices::metadata(pool, id);
        let device = store::devices::NewDevice { id, group_key: &metadata.device_group_key, address: &entry.address() };
        // As if they had been forgotten.
        for gone in store::devices::insert(tx, member, &device, devices::MOST, now).await? {
            ended.extend(refresh::end_of_device(tx, member, gone, now).await?);
        }
        (session.device, new) = (Some(id), Some(metadata));
    }
    store::sessions::insert(tx, &session).await?;
    store::sign_ins::note(tx, member, session.id, &active_sessions::agent()).await?;
    let member = store::member(tx, member).await?.ok_or_else(incorrect)?;
    Ok(Outcome::In { member, session, device: new, ended })
}

/// Begins the session of somebody whose device has proved itself.
///
/// # Errors
/// NOT_AUTHORIZED when no sign-in awaits that.
pub async fn arrive(
    pool: &UserPool,
    tx: &mut Tx,
    entry: &Entry,
    proof: &store::awaited::Proof<'_>,
    now: OffsetDateTime,
) -> Result<Outcome> {
    let store::awaited::Proof { member, device, .. } = *proof;
    // The device first, as whoever forgets it locks them. What was noted of it is taken back with an error.
    if !store::devices::arrive(tx, member, device, &entry.address(), now).await? || !store::awaited::take(tx, proof, now).await? {
        return Err(incorrect());
    }
    begin(pool, tx, entry, member, now).await
}

/// The answer to a step, after its transaction.
pub async fn reply(pool: &UserPool, entry: &Entry, outcome: Outcome) -> Result<Reply> {
    match outcome {
        Outcome::Refused(error) => Err(error),
        Outcome::In { session, .. } if session.scopes.is_some() => Ok(Reply::Waits(session)),
        Outcome::In { member, session, device, ended } => {
            pool.sessions.mark_ended(&ended);
            let refresh = refresh::token(&pool.settings.keys, &session, session.refresh_generation);
            let tokens = pool.answer(member, session, Some(refresh)).await?;
            Ok(Reply::Tokens(AuthenticationResult { new_device_metadata: device, ..tokens }))
        }
        Outcome::Next { member, next, factors, proof } => {
            challenges::next(pool, entry, &member, (next, &factors, proof)).await.map(Reply::Asked)
        }
    }
}

/// The refusal of every flaw of a sign-in alike.
pub fn incorrect() -> Error {
    Error::new(Reason::NotAuthorized, "Incorrect username or password.")
}
