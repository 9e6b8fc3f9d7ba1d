//! Second factors that are lost: taken away by an operator who has made sure who asks for that, and told by mail.

use super::{
    factor_news::{self, News},
    refresh, store,
    user_pool::UserPool,
};
use crate::{
    db::Tx,
    error::{Error, Result},
    ids::MemberId,
};

/// What was taken away.
pub struct Removed {
    /// Whether there was an authenticator, a preference for SMS or a code of either.
    pub factors: bool,
    /// How many devices were forgotten.
    pub devices: u64,
    /// How many sessions ended.
    pub sessions: usize,
}

/// Takes all second factors of a member away, with what stands in for them: recovery codes and devices. Every session ends, and the member is
/// told by mail.
///
/// # Errors
/// NOT_FOUND.
pub async fn remove(pool: &UserPool, tx: &mut Tx, member: MemberId) -> Result<Removed> {
    let now = pool.deps.clock.now();
    if !store::accounts::lock(tx, member).await? {
        return Err(Error::not_found("member"));
    }
    let factors = store::factors::remove(tx, member).await?;
    store::accounts::begin_anew(tx, member, now).await?;
    store::awaited::remove_all(tx, member).await?;
    let devices = store::devices::forget_all(tx, member).await?;
    let sessions = refresh::end(tx, member, None, now).await?.len();
    factor_news::tell(pool, tx, member, &[News::Removed]).await?;
    Ok(Removed { factors, devices, sessions })
}
