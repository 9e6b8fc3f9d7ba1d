//! Closing an account, for applications that make sure who asks: by the password, or soon after a sign-in. DeleteUser of the protocol asks for an
//! access token alone.

use super::{
    deletion, passwords,
    store::{self, sessions::Session},
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    read,
};
use time::{Duration, OffsetDateTime};

/// A sign-in is fresh for this long.
const FRESH_FOR: Duration = Duration::minutes(10);

/// Deletes the caller's account.
///
/// # Errors
/// NOT_AUTHORIZED for a wrong password, or without one long after the sign-in; ATTEMPTS_EXCEEDED after too many wrong ones; else as
/// `deletion::delete`.
pub async fn close(pool: &UserPool, caller: &Caller, password: &str) -> Result<()> {
    if password.is_empty() {
        let session = read!(pool.deps.pool, |conn| store::sessions::find(conn, caller.member, caller.session).await)?;
        if !session.is_some_and(|session| is_fresh(&session, pool.deps.clock.now())) {
            return Err(Error::new(Reason::NotAuthorized, "Sign in again to delete your account."));
        }
    } else {
        passwords::prove(pool, caller.member, password).await?;
    }
    deletion::delete(pool, caller.member).await
}

/// Whether its member showed who they are a short time ago. A refresh shows nothing.
fn is_fresh(session: &Session, now: OffsetDateTime) -> bool {
    session.authenticated_at() >= now - FRESH_FOR
}
