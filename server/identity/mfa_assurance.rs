//! Who is in past a second factor that the member has: by a client that asks for none, since before it was on, or by a provider that was linked. By such a session none is
//! changed, and nothing is made that would stand in for one: recovery codes, a device that is remembered, another address or number.

use super::{
    clients::Mfa,
    store::{self, factors::Factors},
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;

/// How it stands with a member's second factors, and with one of their sessions.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Whether they have one that could be taken from them, on or off.
    has_one: bool,
    /// Whether one is in force.
    is_on: bool,
    /// Whether the session's client asks for second factors.
    asks: bool,
    /// Whether the session has not shown the one in force, nor set it up.
    precedes: bool,
}

/// In which way a session is past a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// Its client asks for none: the password alone has begun it.
    Client,
    /// It began before there was one, or by a provider, which asks for none.
    Session,
}

impl Past {
    /// The refusal.
    pub fn refusal(self) -> Error {
        let text = match self {
            Self::Client => "This client does not ask for a second factor and cannot change one",
            Self::Session => "This session has not passed the second factor. Sign in again with your password.",
        };
        Error::new(Reason::NotAuthorized, text)
    }
}

/// The rule. Of who has one that is off, whoever signs in has shown all that there is to show, but at a client that asks for none.
const fn past(of: Standing) -> Option<Past> {
    match of {
        Standing { has_one: true, asks: false, .. } => Some(Past::Client),
        Standing { is_on: true, precedes: true, .. } => Some(Past::Session),
        _ => None,
    }
}

/// The rule of setting one up: a client that asks for none could not take it away again.
const fn past_setting_up(of: Standing) -> Option<Past> {
    if of.asks { past(of) } else { Some(Past::Client) }
}

/// Whether they have a second factor that could be taken from them.
pub const fn has_one(has: &Factors) -> bool {
    has.totp.is_some() || has.sms_on
}

/// Whether one is in force.
pub const fn is_on(has: &Factors) -> bool {
    has.totp_on || has.sms_on
}

/// Whether a member's session is past a second factor that they have, and how. The member is locked first: what is made by it is there before
/// a factor is, or knows of it.
pub async fn way(pool: &UserPool, conn: &mut PgConnection, member: MemberId, session: SessionId) -> Result<Option<Past>> {
    Ok(past(standing(pool, conn, member, session).await?))
}

async fn standing(pool: &UserPool, conn: &mut PgConnection, member: MemberId, session: SessionId) -> Result<Standing> {
    store::accounts::lock(conn, member).await?;
    let (has, session) = (store::factors::of(conn, member).await?, store::sessions::find(conn, member, session).await?);
    let asks = session.as_ref().is_some_and(|session| pool.client(&session.client_id).is_ok_and(|client| client.mfa != Mfa::Off));
    let precedes = session.is_none_or(|session| session.precedes_factor);
    Ok(Standing { has_one: has_one(&has), is_on: is_on(&has), asks, precedes })
}

/// Refuses whoever may set none up.
///
/// # Errors
/// NOT_AUTHORIZED.
pub async fn may_set_up(pool: &UserPool, conn: &mut PgConnection, member: MemberId, session: SessionId) -> Result<()> {
    past_setting_up(standing(pool, conn, member, session).await?).map_or(Ok(()), |past| Err(past.refusal()))
}

/// Refuses whoever is past a second factor that they have.
///
/// # Errors
/// NOT_AUTHORIZED.
pub async fn may_change(pool: &UserPool, conn: &mut PgConnection, caller: &Caller) -> Result<()> {
    way(pool, conn, caller.member, caller.session).await?.map_or(Ok(()), |past| Err(past.refusal()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_past_a_second_factor_follows_from_the_table() {
        let (asks, lax) = (true, false);
        for (has_one, is_on, asks, precedes, is_past) in [
            // There is none.
            (false, false, asks, false, None),
            (false, false, lax, true, None),
            // One that is off is shown at no client, and could be taken away at one.
            (true, false, asks, false, None),
            (true, false, asks, true, None),
            (true, false, lax, false, Some(Past::Client)),
            // One in force.
            (true, true, asks, false, None),
            (true, true, asks, true, Some(Past::Session)),
            (true, true, lax, false, Some(Past::Client)),
            (true, true, lax, true, Some(Past::Client)),
        ] {
            let of = Standing { has_one, is_on, asks, precedes };
            assert_eq!(past(of), is_past, "{of:?}");
            let expected = if asks { is_past } else { Some(Past::Client) };
            assert_eq!(past_setting_up(of), expected, "{of:?}");
        }
    }
}
