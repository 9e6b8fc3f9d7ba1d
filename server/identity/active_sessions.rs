//! Where a member is signed in, and signing out there.

use super::{agent, refresh, store, store::sign_ins::SignIn, user_pool::UserPool};
use crate::{
    auth::Caller,
    call::Call,
    error::{Error, Reason, Result},
    ids::SessionId,
    read, transact,
};
use uuid::Uuid;

/// How many are told.
const MOST: i64 = 100;

/// What the call that runs now is made with, as its member knows it again.
pub fn agent() -> String {
    let said = Call::current(|call| call.agent.clone()).flatten();
    agent::short(said.as_ref().and_then(|said| said.to_str().ok()).unwrap_or_default())
}

/// The open sessions of a member, the one that was used last first.
///
/// # Errors
/// As the database.
pub async fn list(pool: &UserPool, caller: &Caller) -> Result<Vec<SignIn>> {
    let now = pool.deps.clock.now();
    read!(pool.deps.pool, |conn| store::sign_ins::list(conn, caller.member, MOST, now).await)
}

/// Ends a session of a member's. One that has ended stays so.
///
/// # Errors
/// RESOURCE_NOT_FOUND when there is none.
pub async fn end(pool: &UserPool, caller: &Caller, id: &str) -> Result<()> {
    let unknown = || Error::new(Reason::ResourceNotFound, "Session does not exist.");
    let id = SessionId(Uuid::parse_str(id).map_err(|_| unknown())?);
    let now = pool.deps.clock.now();
    let ended = transact!(pool.deps.pool, |tx| {
        store::sessions::find(tx, caller.member, id).await?.ok_or_else(unknown)?;
        refresh::end(tx, caller.member, Some(id), now).await
    })?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}
