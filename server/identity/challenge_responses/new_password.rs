//! The answer to the wish for a password of one's own.

use super::{From, begin, send_number};
use crate::{
    error::{Error, Reason, Result},
    identity::{
        attributes::{change, rules::Changes},
        challenge_session::{self, Step},
        policy, rules,
        sign_in_flow::{self, Entry, Outcome, Proof, Reply, proof_of},
        sign_up,
        steps::Shown,
        store::{
            self,
            accounts::{Account, Verifier},
        },
        user_pool::UserPool,
    },
    read, transact,
};

/// Sets a password in place of a temporary one, with the attributes that are said beside it, and goes on.
///
/// # Errors
/// INVALID_PASSWORD; NOT_AUTHORIZED for a ticket that is no good, and for another address, as the protocol has it; else as `attributes::update`.
pub async fn new_password(pool: &UserPool, of: From<'_>, password: &str, changes: &Changes) -> Result<Reply> {
    let now = pool.deps.clock.now();
    let (entry, opened) = begin(pool, of, Step::NewPassword, now)?;
    pool.settings.password_policy.check(password)?;
    if changes.phone_number.as_deref() == Some("") {
        // It would let this very sign-in begin anew.
        return Err(rules::schema("phone_number", "Invalid phone number format."));
    }
    let member = opened.ticket.member;
    let present = read!(pool.deps.pool, |conn| store::accounts::by_id(conn, member, now).await)?.account.and_then(Account::with_password);
    if let Some((_, Verifier { salt, sealed })) = present
        && sign_up::has_password(pool, member, &salt, &sealed, password).await?
    {
        let why = format!("{}Password must not be the temporary one", policy::REFUSED);
        return Err(Error::new(Reason::InvalidPassword, why));
    }
    let verifier = sign_up::verifier_of(pool, member, password).await?;
    // Any refusal takes all of it back: the temporary one stays, and they begin anew.
    let (entry, outcome) = transact!(pool.deps.pool, |tx| {
        let begun = change::begin(pool, tx, member, changes, of.from, now).await?;
        if !store::accounts::lock(tx, member).await? {
            return Err(challenge_session::invalid());
        }
        let admission = store::accounts::share_admission(tx, member).await?.ok_or_else(challenge_session::invalid)?;
        if proof_of(pool, &admission.salt) != opened.ticket.proof {
            return Err(challenge_session::used());
        }
        store::accounts::put_verifier(tx, member, &verifier, now).await?;
        store::factors::void_off(tx, member).await?;
        let present = store::member(tx, member).await?.ok_or_else(challenge_session::invalid)?;
        if changes.email.as_ref().is_some_and(|email| *email != present.email) {
            return Err(Error::new(Reason::NotAuthorized, "Cannot modify an already provided email"));
        }
        let written = change::write(pool, tx, &begun, (&present, changes), now).await?;
        let proof = Proof {
            shown: Shown::NewPassword,
            verifier: proof_of(pool, &verifier.salt),
            ticket: Some(&opened.ticket),
            once: Some((&opened.nonce, challenge_session::used)),
        };
        let outcome = match sign_in_flow::follow(pool, tx, &entry, member, &proof, now).await? {
            Outcome::Refused(refused) => return Err(refused),
            outcome => outcome,
        };
        change::tell(pool, tx, member, &written).await?;
        // Who knows a temporary password alone has nobody sent an SMS.
        let entry = Entry { number: written.number(), ..entry.clone() };
        send_number(tx, &entry, &outcome).await?;
        Ok((entry, outcome))
    })?;
    sign_in_flow::reply(pool, &entry, outcome).await
}
