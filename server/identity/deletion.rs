//! Deleting an account, in one transaction: each area removes what is the member's alone and leaves others theirs, without the name.

use super::{refresh, service, store, user_pool::UserPool};
use crate::{
    db::Tx,
    error::Result,
    idempotency,
    ids::{MemberId, SessionId},
    transact,
};

/// Deletes an account and ends its sessions everywhere. One that is gone stays so.
///
/// # Errors
/// As the areas: any refusal keeps the account.
pub async fn delete(pool: &UserPool, member: MemberId) -> Result<()> {
    let ended = transact!(pool.deps.pool, |tx| steps(pool, tx, member).await)?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// The same, in a transaction of the caller's. The sessions that ended.
///
/// # Errors
/// As `delete`.
pub async fn steps(pool: &UserPool, tx: &mut Tx, member: MemberId) -> Result<Vec<SessionId>> {
    let now = pool.deps.clock.now();
    let Some(present) = store::member(tx, member).await? else { return Ok(Vec::new()) };
    // What was answered is kept for a day under these: who signs up with the address again begins anew.
    let sign_ups = service::scope(&pool.subject(&present.email))?;
    idempotency::forget_of(tx, &[member, sign_ups]).await?;
    store::registrations::lock_at(tx, &present.email).await?;
    store::registrations::remove_at(tx, &present.email).await?;
    store::account_deletion::remove_underway(tx, member).await?;
    // A second call at the same moment waits here, and finds nobody.
    if !store::accounts::lock(tx, member).await? {
        return Ok(Vec::new());
    }
    store::account_deletion::remove_keys(tx, member, now).await?;
    let ended = refresh::end(tx, member, None, now).await?;
    pool.deleted(tx, member).await?;
    store::account_deletion::forget(tx, member, now).await?;
    Ok(ended)
}
