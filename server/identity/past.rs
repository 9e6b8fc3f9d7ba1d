//! Who came in past a second factor: by a client that asks for none, though the member has one. With the password alone none is changed.

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

/// Whether they have a second factor that could be taken from them.
pub const fn has_one(has: &Factors) -> bool {
    has.totp.is_some() || has.sms_on
}

/// Whether a session is of a client that asks for second factors. Of another one, the password alone has begun it.
pub async fn asks_for_one(pool: &UserPool, conn: &mut PgConnection, member: MemberId, session: SessionId) -> Result<bool> {
    let session = store::sessions::find(conn, member, session).await?;
    Ok(session.is_some_and(|session| pool.client(&session.client_id).is_ok_and(|client| client.mfa != Mfa::Off)))
}

/// Whether a caller came in past a second factor that they have.
pub async fn passed_by(pool: &UserPool, conn: &mut PgConnection, caller: &Caller) -> Result<bool> {
    let has = store::factors::of(conn, caller.member).await?;
    Ok(has_one(&has) && !asks_for_one(pool, conn, caller.member, caller.session).await?)
}

/// Refuses whoever came in past a second factor that they have: with the password alone it is not to be changed.
///
/// # Errors
/// NOT_AUTHORIZED.
pub async fn may_change(pool: &UserPool, conn: &mut PgConnection, caller: &Caller) -> Result<()> {
    if passed_by(pool, conn, caller).await? { Err(passed()) } else { Ok(()) }
}

/// The refusal.
pub fn passed() -> Error {
    Error::new(Reason::NotAuthorized, "This client asks for no second factor and cannot change one")
}
