//! Answers to what a sign-in asked for after the first step. Each ticket serves once; wrong answers are counted of it, of the member, and of the
//! network that they come from.

mod new_password;

pub use new_password::new_password;

use super::{
    attributes::rules::Attribute,
    challenge_session::{self, Opened, Step, Ticket},
    challenges, codes, confirm,
    factor_news::{self, News},
    factors, lockout, mail, rules, sign_in,
    sign_in_flow::{self, Entry, Outcome, Proof, Reply, proof_of},
    steps::{Factor, Shown},
    store::{
        self,
        accounts::Admission,
        attempts::{Kind, Subject},
    },
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
    jobs, transact,
};
use std::net::IpAddr;
use time::OffsetDateTime;
use uuid::Uuid;

/// Who answers, and from where.
#[derive(Clone, Copy)]
pub struct From<'a> {
    /// The application.
    pub client: &'a str,
    /// The user name that it says.
    pub username: &'a str,
    /// The ticket, as it came.
    pub session: &'a str,
    /// The device that it names.
    pub device: Option<DeviceId>,
    /// Where the call came from.
    pub from: Option<IpAddr>,
}

/// A code that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Of an authenticator, or one that stands in for it.
    Totp,
    /// By SMS.
    Sms,
    /// By mail, in place of a password.
    Custom,
}

impl Asked {
    const fn step(self) -> Step {
        match self {
            Self::Totp => Step::Totp,
            Self::Sms => Step::Sms,
            Self::Custom => Step::Custom,
        }
    }

    /// Whose tries are counted. A code in place of a password is asked for by whoever knows the name: those tries shut nobody out of the others.
    fn tally(self, pool: &UserPool, member: MemberId) -> Subject {
        match self {
            Self::Totp | Self::Sms => tries(pool, member),
            Self::Custom => pool.settings.keys.derive("code by mail", &[member.0.as_bytes()]),
        }
    }

    const fn shown(self) -> Shown {
        match self {
            Self::Totp | Self::Sms => Shown::Factor,
            // It stands in for a password: what else is wanted still is.
            Self::Custom => Shown::Password,
        }
    }
}

/// Goes on with a code.
///
/// # Errors
/// CODE_MISMATCH; EXPIRED_CODE for one of an authenticator that was used before; NOT_AUTHORIZED for a ticket that is no good, and after five
/// wrong tries of it; ATTEMPTS_EXCEEDED and PASSWORD_ATTEMPTS_EXCEEDED after too many.
pub async fn code(pool: &UserPool, of: From<'_>, asked: Asked, code: &str) -> Result<Reply> {
    let now = pool.deps.clock.now();
    let (entry, opened) = begin(pool, of, asked.step(), now)?;
    let outcome = transact!(pool.deps.pool, |tx| {
        let tally = asked.tally(pool, opened.ticket.member);
        if let Some(refused) = count(pool, tx, &entry, &opened, &tally, now).await? {
            return Ok(Outcome::Refused(refused));
        }
        match is_right(pool, tx, &opened.ticket, asked, code, now).await? {
            Ok(news) => {
                let outcome = go_on(pool, tx, &entry, (&opened, asked.shown()), &tally, now).await?;
                factor_news::tell(pool, tx, opened.ticket.member, news.as_slice()).await?;
                Ok(outcome)
            }
            Err(refused) => {
                wrong(pool, tx, &entry, &tally, now).await?;
                Ok(Outcome::Refused(refused))
            }
        }
    })?;
    sign_in_flow::reply(pool, &entry, outcome).await
}

async fn is_right(
    pool: &UserPool,
    tx: &mut Tx,
    ticket: &Ticket,
    asked: Asked,
    code: &str,
    now: OffsetDateTime,
) -> Result<Result<Option<News>>> {
    match asked {
        Asked::Totp => factors::is_right(pool, tx, ticket.member, code, now).await,
        Asked::Sms | Asked::Custom => {
            let right = ticket.code.is_some_and(|id| codes::matches(&pool.settings.keys, id, code));
            // Of nobody no code is right: none was sent.
            let exists = store::accounts::by_id(tx, ticket.member, now).await?.account.is_some_and(|account| account.confirmed);
            let asked_for = asked != Asked::Sms || store::factors::of(tx, ticket.member).await?.sms_on;
            Ok(if right && exists && asked_for { Ok(None) } else { Err(confirm::mismatch()) })
        }
    }
}

/// Goes on with the second factor that was chosen.
///
/// # Errors
/// INVALID_PARAMETER for one that the member has not; NOT_AUTHORIZED for a ticket that is no good; ATTEMPTS_EXCEEDED when too many SMS were
/// sent: the ticket is good for the other one still.
pub async fn select(pool: &UserPool, of: From<'_>, choice: &str) -> Result<Reply> {
    let now = pool.deps.clock.now();
    let (entry, opened) = begin(pool, of, Step::Select, now)?;
    let factor = match choice {
        "SMS_MFA" => Factor::Sms,
        "SOFTWARE_TOKEN_MFA" => Factor::Totp,
        _ => return Err(rules::invalid("ANSWER must be one of SMS_MFA, SOFTWARE_TOKEN_MFA")),
    };
    let Opened { ticket, nonce } = opened;
    let (member, proof) = (ticket.member, ticket.proof);
    let is_void = |admission: &Admission| ticket.is_void(admission.since);
    let (factors, code) = transact!(pool.deps.pool, |tx| {
        // First in the order of locks, and taken back by any refusal: a ticket is used up by what can be asked for alone.
        if factor == Factor::Sms {
            factors::spend(tx, member, now).await?;
        }
        let admission = store::accounts::share_admission(tx, member).await?.ok_or_else(challenge_session::invalid)?;
        if proof_of(pool, &admission.salt) != proof || admission.disabled || is_void(&admission) {
            return Err(challenge_session::invalid());
        }
        let factors = store::factors::of(tx, member).await?;
        let has = match factor {
            Factor::Sms => factors.sms_on && factors.phone.is_some() && pool.settings.sms,
            Factor::Totp => factors.totp_on,
        };
        if !has {
            return Err(rules::invalid(format!("{choice} is not enabled for the user")));
        }
        if !store::sessions::use_block(tx, member, &nonce, now + sign_in_flow::CODE_LIFE).await? {
            return Err(challenge_session::used());
        }
        let code = if factor == Factor::Sms { Some(factors::enqueue(pool, tx, member).await?) } else { None };
        Ok((factors, code))
    })?;
    challenges::factor(pool, &entry, member, (&factors, code), proof).map(Reply::Asked)
}

/// Goes on after an authenticator was set up.
///
/// # Errors
/// NOT_AUTHORIZED for a ticket that is no good.
pub async fn is_set_up(pool: &UserPool, of: From<'_>) -> Result<Reply> {
    let now = pool.deps.clock.now();
    let (entry, opened) = begin(pool, of, Step::IsSetUp, now)?;
    let proof = Proof {
        shown: Shown::Factor,
        verifier: opened.ticket.proof,
        ticket: Some(&opened.ticket),
        once: Some((&opened.nonce, challenge_session::used)),
    };
    let outcome = transact!(pool.deps.pool, |tx| {
        let outcome = sign_in_flow::follow(pool, tx, &entry, opened.ticket.member, &proof, now).await?;
        send_number(tx, &entry, &outcome).await?;
        Ok(outcome)
    })?;
    sign_in_flow::reply(pool, &entry, outcome).await
}

/// Reads the ticket, and by it who goes on.
fn begin(pool: &UserPool, of: From<'_>, step: Step, now: OffsetDateTime) -> Result<(Entry, Opened)> {
    let client = pool.client(of.client)?.clone();
    let opened = challenge_session::open(pool, of.client, of.session, step, now)?;
    let ticket = &opened.ticket;
    let named = Uuid::parse_str(of.username).is_ok_and(|id| id == ticket.member.0) || pool.subject(of.username) == ticket.account;
    if !named {
        return Err(challenge_session::invalid());
    }
    // Clients name a device in the answer that they did not know when they began. A page has none.
    let device = ticket.device.or(of.device).filter(|_| ticket.scopes.is_none());
    let entry = Entry {
        sign_in: ticket.sign_in,
        number: ticket.number,
        ..Entry::new(pool, client, ticket.account, of.from, device).of_page(ticket.scopes)
    };
    Ok((entry, opened))
}

async fn go_on(
    pool: &UserPool,
    tx: &mut Tx,
    entry: &Entry,
    (opened, shown): (&Opened, Shown),
    tally: &Subject,
    now: OffsetDateTime,
) -> Result<Outcome> {
    let proof =
        Proof { shown, verifier: opened.ticket.proof, ticket: Some(&opened.ticket), once: Some((&opened.nonce, challenge_session::used)) };
    let outcome = sign_in_flow::follow(pool, tx, entry, opened.ticket.member, &proof, now).await?;
    if !matches!(outcome, Outcome::Refused(_)) {
        store::attempts::clear(tx, tally, Kind::Password).await?;
    }
    send_number(tx, entry, &outcome).await?;
    Ok(outcome)
}

/// Sends the code for a number that was given on the way, to who is in. Whose device has to prove itself first asks for it later.
async fn send_number(tx: &mut Tx, entry: &Entry, outcome: &Outcome) -> Result<()> {
    match (entry.number, outcome) {
        (Some(code), Outcome::In { member, .. }) => jobs::enqueue(tx, &mail::attribute_job(Attribute::PhoneNumber, member.id, code)).await,
        _ => Ok(()),
    }
}

/// Counts a try before it is looked at; why it is refused, if it is.
async fn count(
    pool: &UserPool,
    tx: &mut Tx,
    entry: &Entry,
    opened: &Opened,
    tally: &Subject,
    now: OffsetDateTime,
) -> Result<Option<Error>> {
    let of_ticket = pool.settings.keys.derive("tries of a ticket", &[&opened.nonce]);
    if let Err(refused) = confirm::count(pool, tx, &of_ticket, entry.network, now).await? {
        return Ok(Some(if refused.reason() == Reason::ExpiredCode { challenge_session::invalid() } else { refused }));
    }
    let before = store::attempts::lock_to_count(tx, tally, Kind::Password, now).await?;
    Ok(before.and_then(|tally| tally.locked_for(now)).map(sign_in::locked_out))
}

/// Counts a wrong one, of the member and of the network.
pub async fn wrong(pool: &UserPool, tx: &mut Tx, entry: &Entry, tally: &Subject, now: OffsetDateTime) -> Result<()> {
    let before = store::attempts::lock(tx, tally, Kind::Password).await?;
    store::attempts::put(tx, tally, Kind::Password, &lockout::count(pool.settings.limits.password, before, now)).await?;
    confirm::guessed(pool, tx, entry.network, now).await
}

/// Whose tries of second factors are counted: who knows the password begins as many sign-ins as they like.
pub fn tries(pool: &UserPool, member: MemberId) -> Subject {
    pool.settings.keys.derive("second factor", &[member.0.as_bytes()])
}
