//! Getting in: what follows on what somebody who signs in has shown, up to the session.

use super::{
    Member,
    clients::{Client, Devices},
    devices, refresh, rules,
    scopes::Scopes,
    secrets::NONCE_BYTES,
    sign_ins,
    steps::{self, Factor, Next, Shown, Standing, Trust},
    store::{self, attempts::Subject, factors::Factors, sessions::Session},
    tickets::{self, Step, Ticket, micros},
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
    pb::identity::{AuthenticationResult, ChallengeName, NewDeviceMetadata},
};
use serde_json::json;
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a step may be answered when a code is on its way; the others by the setting.
pub const CODE_LIFE: Duration = Duration::minutes(15);

/// Who signs in, by what, and from where.
#[derive(Clone)]
pub struct Entry {
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
        Self { client, account, from, network, device, step_life, scopes: None }
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
            member,
            account: self.account,
            client: self.client.id.clone(),
            begun_us: micros(now),
            until_s: (now + self.step_life).unix_timestamp(),
            proof,
            device: self.device,
            code: None,
            scopes: self.scopes,
        }
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
        return Ok(Outcome::Refused(tickets::invalid()));
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
    let standing = Standing {
        temporary: admission.temporary_until.is_some(),
        mfa: entry.client.mfa,
        totp: factors.totp_on,
        sms: factors.sms_on && factors.phone.is_some(),
        preferred: factors.preferred,
        device: trust,
    };
    let next = steps::next(proof.shown, &standing);
    if next == Next::Done {
        return begin(pool, tx, entry, member, now).await;
    }
    if let (Next::Device, Some(device)) = (next, entry.device) {
        store::devices::await_proof(tx, member, device, &entry.client.id, now + entry.step_life).await?;
    }
    let member = store::member(tx, member).await?.ok_or_else(incorrect)?;
    Ok(Outcome::Next { member, next, factors, proof: proof.verifier })
}

/// Begins the session.
pub async fn begin(pool: &UserPool, tx: &mut Tx, entry: &Entry, member: MemberId, now: OffsetDateTime) -> Result<Outcome> {
    let mut session = pool.new_session(member, &entry.client, entry.network, now);
    let mut new = None;
    session.device = entry.device;
    if let Some(scopes) = entry.scopes {
        // A browser is no device: it keeps no key.
        session = session.waiting(scopes);
    } else if entry.client.devices != Devices::Off && entry.device.is_none() {
        let id = DeviceId(pool.deps.ids.uuid());
        let metadata = devices::metadata(pool, id);
        let device = store::devices::NewDevice { id, group_key: &metadata.device_group_key, address: &entry.address() };
        store::devices::insert(tx, member, &device, devices::MOST, now).await?;
        (session.device, new) = (Some(id), Some(metadata));
    }
    store::sessions::insert(tx, &session).await?;
    store::sign_ins::note(tx, member, session.id, &sign_ins::agent()).await?;
    let member = store::member(tx, member).await?.ok_or_else(incorrect)?;
    Ok(Outcome::In { member, session, device: new })
}

/// Begins the session of somebody whose device has proved itself.
pub async fn arrive(
    pool: &UserPool,
    tx: &mut Tx,
    entry: &Entry,
    member: MemberId,
    device: DeviceId,
    now: OffsetDateTime,
) -> Result<Outcome> {
    if !store::devices::arrive(tx, member, device, (&entry.client.id, &entry.address()), now).await? {
        return Ok(Outcome::Refused(incorrect()));
    }
    begin(pool, tx, entry, member, now).await
}

/// The answer to a step, after its transaction.
pub async fn reply(pool: &UserPool, entry: &Entry, outcome: Outcome) -> Result<Reply> {
    match outcome {
        Outcome::Refused(error) => Err(error),
        Outcome::In { session, .. } if session.scopes.is_some() => Ok(Reply::Waits(session)),
        Outcome::In { member, session, device } => {
            let refresh = refresh::token(&pool.settings.keys, &session, session.refresh_generation);
            let tokens = pool.answer(member, session, Some(refresh)).await?;
            Ok(Reply::Tokens(AuthenticationResult { new_device_metadata: device, ..tokens }))
        }
        Outcome::Next { member, next, factors, proof } => ask(pool, entry, &member, (next, &factors, proof)).await.map(Reply::Asked),
    }
}

async fn ask(pool: &UserPool, entry: &Entry, of: &Member, (next, factors, proof): (Next, &Factors, [u8; 16])) -> Result<Asked> {
    let ticket = |step| entry.ticket(step, of.id, proof, pool.deps.clock.now());
    let user = ("USER_ID_FOR_SRP", of.id.to_string());
    let (challenge, step, parameters) = match next {
        Next::NewPassword => {
            let attributes = json!({"email": of.email, "email_verified": "true", "name": of.said_name(),
                "given_name": of.given_name, "family_name": of.family_name});
            let parameters = vec![("userAttributes", attributes.to_string()), ("requiredAttributes", "[]".to_owned()), user];
            (ChallengeName::NewPasswordRequired, Step::NewPassword, parameters)
        }
        Next::Factor(Factor::Sms) => return ask_sms(pool, entry, of.id, factors, proof).await,
        Next::Factor(Factor::Totp) => {
            (ChallengeName::SoftwareTokenMfa, Step::Totp, vec![("FRIENDLY_DEVICE_NAME", factors.totp_name.clone()), user])
        }
        Next::Select => {
            let choice = json!(["SMS_MFA", "SOFTWARE_TOKEN_MFA"]).to_string();
            (ChallengeName::SelectMfaType, Step::Select, vec![("MFAS_CAN_CHOOSE", choice), user])
        }
        Next::SetUp => (ChallengeName::MfaSetup, Step::SetUp, vec![("MFAS_CAN_SETUP", json!(["SOFTWARE_TOKEN_MFA"]).to_string()), user]),
        // Clients name the device in their answer, and not all hand a state back with it: what is awaited stands with the device.
        Next::Device | Next::Done => return Ok(Asked { challenge: ChallengeName::DeviceSrpAuth, parameters: Vec::new(), session: None }),
    };
    Ok(Asked { challenge, parameters, session: Some(ticket(step).seal(pool)?) })
}

/// Sends a code by SMS, and asks for it.
async fn ask_sms(pool: &UserPool, entry: &Entry, member: MemberId, factors: &Factors, proof: [u8; 16]) -> Result<Asked> {
    if !pool.settings.sms {
        // Whoever has no other factor does not get in without one.
        return Err(Error::new(Reason::NotAuthorized, "SMS cannot be sent at present."));
    }
    let now = pool.deps.clock.now();
    let code = super::factors::send(pool, member, now).await?;
    let ticket = entry.ticket(Step::Sms, member, proof, now);
    let ticket = Ticket { code: Some(code), until_s: (now + CODE_LIFE).unix_timestamp(), ..ticket };
    let parameters = vec![
        ("CODE_DELIVERY_DELIVERY_MEDIUM", "SMS".to_owned()),
        ("CODE_DELIVERY_DESTINATION", rules::masked_phone(factors.phone.as_deref().unwrap_or_default())),
        ("USER_ID_FOR_SRP", member.to_string()),
    ];
    Ok(Asked { challenge: ChallengeName::SmsMfa, parameters, session: Some(ticket.seal(pool)?) })
}

/// Asks for a code that was sent by mail, in place of a password.
pub fn ask_custom(pool: &UserPool, entry: &Entry, (member, username): (MemberId, &str), proof: [u8; 16], code: Uuid) -> Result<Asked> {
    let now = pool.deps.clock.now();
    let ticket = entry.ticket(Step::Custom, member, proof, now);
    let ticket = Ticket { code: Some(code), until_s: (now + CODE_LIFE).unix_timestamp(), ..ticket };
    let parameters = vec![
        ("USERNAME", username.to_owned()),
        ("CODE_DELIVERY_DELIVERY_MEDIUM", "EMAIL".to_owned()),
        ("CODE_DELIVERY_DESTINATION", super::sign_up::told(username).destination),
    ];
    Ok(Asked { challenge: ChallengeName::CustomChallenge, parameters, session: Some(ticket.seal(pool)?) })
}

/// The refusal of every flaw of a sign-in alike.
pub fn incorrect() -> Error {
    Error::new(Reason::NotAuthorized, "Incorrect username or password.")
}
