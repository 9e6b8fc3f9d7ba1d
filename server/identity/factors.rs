//! Second factors: setting an authenticator up, choosing what is asked for, and codes that stand in for a lost one.

use super::{
    challenge_session::{self, Opened, Step, Ticket, micros},
    code_jobs::CodeTask,
    confirm,
    factor_news::{self, News},
    lockout, mfa_assurance, recovery, rules,
    sign_in_flow::proof_of,
    sms::SendSecondFactor,
    steps::Factor,
    store::{self, attempts::Kind, factors::Factors},
    totp::{self, SECRET_BYTES},
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    budgets::{self, Spending},
    db::Tx,
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
    jobs, transact,
};
use time::OffsetDateTime;
use uuid::Uuid;

/// The protocol's refusal of an authenticator code that was used before.
pub const USED: &str = "Your software token has already been used once.";

const LABEL: &[u8] = b"authenticator";

/// What a member asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Whether it is on.
    pub on: bool,
    /// Whether it is asked for without a choice.
    pub preferred: bool,
}

/// What lets somebody set an authenticator up.
#[derive(Clone, Copy)]
pub enum Right<'a> {
    /// They are in, by this session.
    Session(SessionId),
    /// They have shown the password in this sign-in, and have no second factor that they could show, on or off.
    Ticket(&'a Ticket),
}

impl Right<'_> {
    /// Who goes on with what is made by it: nobody else does.
    const fn who(&self) -> Uuid {
        match self {
            Self::Session(session) => session.0,
            Self::Ticket(ticket) => ticket.sign_in,
        }
    }

    /// The session that sets it up; one that begins by it is not there yet.
    const fn session(&self) -> Option<SessionId> {
        match self {
            Self::Session(session) => Some(*session),
            Self::Ticket(_) => None,
        }
    }
}

/// Makes the secret of an authenticator; the one that waited before is void.
///
/// # Errors
/// NOT_AUTHORIZED when they may not.
pub async fn make(pool: &UserPool, member: MemberId, right: Right<'_>) -> Result<String> {
    let secret = pool.deps.ids.bytes::<SECRET_BYTES>();
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &label(member), &secret);
    transact!(pool.deps.pool, |tx| {
        check(pool, tx, member, right).await?;
        store::factors::put_made(tx, member, &sealed, right.who()).await
    })?;
    Ok(totp::spell(&secret))
}

/// Refuses whoever may not, with the member locked.
async fn check(pool: &UserPool, tx: &mut Tx, member: MemberId, right: Right<'_>) -> Result<()> {
    if !store::accounts::lock(tx, member).await? {
        return Err(challenge_session::invalid());
    }
    match right {
        Right::Session(session) => mfa_assurance::may_set_up(pool, tx, member, session).await,
        Right::Ticket(ticket) => {
            let admission = store::accounts::share_admission(tx, member).await?;
            let counts =
                admission.is_some_and(|now| proof_of(pool, &now.salt) == ticket.proof && !now.disabled && !ticket.is_void(now.since));
            let has = store::factors::of(tx, member).await?;
            if counts && !mfa_assurance::has_one(&has) { Ok(()) } else { Err(challenge_session::invalid()) }
        }
    }
}

/// Makes it in the middle of a sign-in that wants one, and goes on with another ticket.
///
/// # Errors
/// NOT_AUTHORIZED for a ticket that is no good.
pub async fn make_by_ticket(pool: &UserPool, session: &str) -> Result<(String, String)> {
    let Opened { ticket, .. } = open(pool, session)?;
    let secret = make(pool, ticket.member, Right::Ticket(&ticket)).await?;
    Ok((secret, ticket.seal(pool)?))
}

/// The one that this sign-in made and that waits for its first code, to be shown again; `None` when none does.
///
/// # Errors
/// NOT_AUTHORIZED for a ticket that is no good.
pub async fn waiting_by_ticket(pool: &UserPool, session: &str) -> Result<Option<String>> {
    let Opened { ticket, .. } = open(pool, session)?;
    let made = transact!(pool.deps.pool, |tx| {
        check(pool, tx, ticket.member, Right::Ticket(&ticket)).await?;
        Ok(made_by(store::factors::of(tx, ticket.member).await?, Right::Ticket(&ticket)))
    })?;
    let opened = made.map(|made| open_secret(pool, ticket.member, &made)).transpose()?;
    Ok(opened.and_then(|secret| Some(totp::spell(&secret.try_into().ok()?))))
}

/// Sets the authenticator up by its first code.
///
/// # Errors
/// ENABLE_SOFTWARE_TOKEN_MFA for a wrong code; INVALID_PARAMETER without a secret of their own; ATTEMPTS_EXCEEDED after too many.
pub async fn verify(pool: &UserPool, member: MemberId, (code, name): (&str, &str), right: Right<'_>, now: OffsetDateTime) -> Result<()> {
    // Who has the password alone holds back nobody who is in.
    let of = if right.session().is_some() { "setting an authenticator up" } else { "setting an authenticator up at the door" };
    let subject = pool.settings.keys.derive(of, &[member.0.as_bytes()]);
    // A wrong try is committed, so the answer about it is no error of the transaction.
    transact!(pool.deps.pool, |tx| {
        if right.session().is_some() {
            spend_change(tx, member, now).await?;
        }
        let before = store::attempts::lock_to_count(tx, &subject, Kind::Password, now).await?;
        if let Some(wait) = before.and_then(|tally| tally.locked_for(now)) {
            // Taken back, so that what is not looked at spends nothing.
            return Err(confirm::too_many(wait));
        }
        check(pool, tx, member, right).await?;
        let has = store::factors::of(tx, member).await?;
        let (sms_on, totp_on, is_another) = (has.sms_on, has.totp_on, has.totp.is_some());
        let Some(made) = made_by(has, right) else {
            return Ok(Err(rules::invalid("No software token is being set up: call AssociateSoftwareToken")));
        };
        let Some(period) = totp::period(&open_secret(pool, member, &made)?, code, now) else {
            let tally = lockout::count(pool.settings.limits.password, before, now);
            store::attempts::put(tx, &subject, Kind::Password, &tally).await?;
            return Ok(Err(Error::new(Reason::EnableSoftwareTokenMfa, "Code mismatch and fail enable Software Token MFA")));
        };
        store::attempts::clear(tx, &subject, Kind::Password).await?;
        store::factors::adopt(tx, member, &made, (name, period)).await?;
        // Who is in says apart whether it is asked for; who is not, wants it to get in.
        let is_wanted = matches!(right, Right::Ticket(_));
        if is_wanted {
            store::factors::prefer(tx, member, (true, sms_on), Some(Factor::Totp)).await?;
            store::devices::remember_none(tx, member, now).await?;
        }
        // What was shown without it counts no more.
        if is_wanted || is_another {
            store::accounts::begin_anew(tx, member, now).await?;
            store::awaited::remove_all(tx, member).await?;
        }
        if is_wanted || totp_on {
            store::sessions::precede(tx, member, right.session()).await?;
        }
        let news = match (is_another || totp_on, is_wanted) {
            (true, _) => News::AppReplaced,
            (false, true) => News::AppOn,
            // Where an application wants one it is asked for, whatever the member prefers elsewhere.
            (false, false) => News::AppSetUp,
        };
        factor_news::tell(pool, tx, member, &[news]).await?;
        Ok(Ok(()))
    })?
}

/// Sets it up in the middle of a sign-in that wants one, and goes on with another ticket.
///
/// # Errors
/// As `verify`; NOT_AUTHORIZED for a ticket that is no good.
pub async fn verify_by_ticket(pool: &UserPool, session: &str, code: &str, name: &str) -> Result<String> {
    let (Opened { ticket, .. }, now) = (open(pool, session)?, pool.deps.clock.now());
    verify(pool, ticket.member, (code, name), Right::Ticket(&ticket), now).await?;
    // It goes on where all others begin anew.
    Ticket { begun_us: micros(now), ..ticket.moved_to(Step::IsSetUp) }.seal(pool)
}

/// The secret that waits, for whoever made it.
fn made_by(has: Factors, right: Right<'_>) -> Option<Vec<u8>> {
    has.made.filter(|_| has.made_by == Some(right.who()))
}

fn open(pool: &UserPool, session: &str) -> Result<Opened> {
    let now = pool.deps.clock.now();
    // These two calls name no client: the ticket does.
    let is_of = |client: &str| challenge_session::open(pool, client, session, Step::SetUp, now);
    let mut refused = challenge_session::invalid();
    for client in &pool.settings.clients {
        match is_of(&client.id) {
            Ok(opened) => return Ok(opened),
            Err(e) => refused = e,
        }
    }
    Err(refused)
}

/// Chooses what is asked for; what is not said stays.
///
/// # Errors
/// INVALID_PARAMETER for a factor that is not set up, or by another session, and for two that are preferred; ATTEMPTS_EXCEEDED after too many changes; NOT_AUTHORIZED for a change of what is in force, by a
/// session that is past it.
pub async fn prefer(pool: &UserPool, caller: &Caller, sms: Option<Wish>, totp: Option<Wish>) -> Result<()> {
    let member = caller.member;
    if sms.is_some_and(|wish| wish.preferred) && totp.is_some_and(|wish| wish.preferred) {
        return Err(rules::invalid("Cannot set both SMS_MFA and SOFTWARE_TOKEN_MFA as preferred"));
    }
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        spend_change(tx, member, now).await?;
        if !store::accounts::lock(tx, member).await? {
            return Err(Error::new(Reason::NotAuthorized, "Invalid Access Token"));
        }
        let has = store::factors::of(tx, member).await?;
        if totp.is_some_and(|wish| wish.on || wish.preferred) && has.totp.is_none() {
            return Err(rules::invalid("User has not verified software token mfa"));
        }
        if sms.is_some_and(|wish| wish.on || wish.preferred) && (has.phone.is_none() || !pool.settings.sms) {
            return Err(rules::invalid("User does not have delivery config set to turn on SMS_MFA"));
        }
        let totp_on = totp.map_or(has.totp_on, |wish| wish.on || wish.preferred);
        let sms_on = sms.map_or(has.sms_on, |wish| wish.on || wish.preferred);
        let preferred = match (totp, sms) {
            (Some(wish), _) if wish.preferred => Some(Factor::Totp),
            (_, Some(wish)) if wish.preferred => Some(Factor::Sms),
            // What is told not to be preferred is not any more; what is not told about stays, while it is on.
            (totp, sms) => has.preferred.filter(|factor| match factor {
                Factor::Totp => totp.is_none() && totp_on,
                Factor::Sms => sms.is_none() && sms_on,
            }),
        };
        // A number that is asked in place of an authenticator is less, too; and one more is another way in.
        let another = preferred != has.preferred && has.totp_on && has.sms_on;
        let changes = totp_on != has.totp_on || has.sms_on != sms_on;
        if sms_on && !has.sms_on {
            mfa_assurance::may_set_up(pool, tx, member, caller.session).await?;
        } else if another || changes {
            mfa_assurance::may_change(pool, tx, caller).await?;
        }
        let is_turned_on = totp_on && !has.totp_on;
        // Others would turn on what they do not know whose it is.
        if is_turned_on && has.set_up_by.is_some_and(|by| by != caller.session.0) {
            return Err(rules::invalid("Another session has set the software token up: set it up in this one"));
        }
        store::factors::prefer(tx, member, (totp_on, sms_on), preferred).await?;
        if has.totp_on && !totp_on {
            store::factors::put_off_by(tx, member, caller.session).await?;
        }
        if (totp_on, sms_on) == (has.totp_on, has.sms_on) {
            let news: &[News] = if another { &[News::OrderChanged] } else { &[] };
            return factor_news::tell(pool, tx, member, news).await;
        }
        if is_turned_on {
            // Whoever made them has not shown it.
            store::factors::remove_recovery(tx, member).await?;
        }
        store::accounts::begin_anew(tx, member, now).await?;
        store::awaited::remove_all(tx, member).await?;
        if !mfa_assurance::is_on(&has) {
            store::devices::remember_none(tx, member, now).await?;
        }
        if is_turned_on || (sms_on && !has.sms_on) {
            // Of one from before that was kept nobody knows whose it is.
            let shown = !is_turned_on || has.set_up_by.is_some();
            store::sessions::precede(tx, member, shown.then_some(caller.session)).await?;
        }
        factor_news::tell(pool, tx, member, &factor_news::between(&has, (totp_on, sms_on))).await
    })
}

/// Whether it is the code of a member's authenticator, or one that stands in for it, and what is to be told of that; either is used up by it.
pub async fn is_right(pool: &UserPool, tx: &mut Tx, member: MemberId, code: &str, now: OffsetDateTime) -> Result<Result<Option<News>>> {
    let Factors { totp, .. } = store::factors::of(tx, member).await?;
    let Some(sealed) = totp else { return Ok(Err(confirm::mismatch())) };
    if let Some(period) = totp::period(&open_secret(pool, member, &sealed)?, code, now) {
        let fresh = store::factors::use_period(tx, member, period).await?;
        return Ok(if fresh { Ok(None) } else { Err(Error::new(Reason::ExpiredCode, USED)) });
    }
    for id in store::factors::recovery(tx, member).await? {
        if recovery::matches(pool, id, code) && store::factors::use_recovery(tx, member, id, now).await? {
            return Ok(Ok(Some(News::CodeUsed)));
        }
    }
    Ok(Err(confirm::mismatch()))
}

/// Sends a code by SMS to a member's verified number.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many were sent.
pub async fn send(pool: &UserPool, member: MemberId, now: OffsetDateTime) -> Result<Uuid> {
    transact!(pool.deps.pool, |tx| {
        spend(tx, member, now).await?;
        enqueue(pool, tx, member).await
    })
}

/// Spends a change of second factors, first in its transaction: it is told by mail.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when there were too many.
pub(super) async fn spend_change(tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    budgets::spend(tx, now, &Spending { subject: budgets::Subject::member(member), budget: budgets::FACTORS_OF_MEMBER }).await
}

/// Spends such a code, first in a transaction of the caller's.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many were sent.
pub(super) async fn spend(tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    budgets::spend(tx, now, &Spending { subject: budgets::Subject::member(member), budget: budgets::SMS_OF_MEMBER }).await
}

/// Sends one that is spent, last in it.
///
/// # Errors
/// As the database.
pub(super) async fn enqueue(pool: &UserPool, tx: &mut Tx, member: MemberId) -> Result<Uuid> {
    let code = pool.deps.ids.uuid();
    jobs::enqueue(tx, &SendSecondFactor::job(member, code)).await?;
    Ok(code)
}

fn open_secret(pool: &UserPool, member: MemberId, sealed: &[u8]) -> Result<Vec<u8>> {
    let opened = pool.settings.keys.open(&label(member), sealed);
    opened.ok_or_else(|| Error::internal(anyhow::anyhow!("a second factor was sealed with another secret: was the configuration changed?")))
}

/// What binds a sealed secret to its member.
pub(super) fn label(member: MemberId) -> Vec<u8> {
    [LABEL, member.0.as_bytes()].concat()
}
