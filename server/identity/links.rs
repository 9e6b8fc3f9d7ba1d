//! Taking a way to sign in away: what a provider calls a member brings them in no more.

use super::{
    Identity, mfa_assurance,
    oauth::{self, SendLinkNews},
    refresh, rules,
    store::{self, accounts::Account},
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    jobs, transact,
};

/// Unlinks a provider, and ends every other session: who came by it may be in one of them.
///
/// # Errors
/// RESOURCE_NOT_FOUND when they are not known by it; INVALID_PARAMETER when it is the only way in; NOT_AUTHORIZED by a client that asks for no
/// second factor, of who has one.
pub async fn unlink(pool: &UserPool, caller: &Caller, provider: &str, subject: &str) -> Result<()> {
    let (member, now) = (caller.member, pool.deps.clock.now());
    let gone = || Error::new(Reason::NotAuthorized, "Invalid Access Token");
    let ended = transact!(pool.deps.pool, |tx| {
        if !store::accounts::lock(tx, member).await? {
            return Err(gone());
        }
        let present = store::member(tx, member).await?.ok_or_else(gone)?;
        let is_meant = |identity: &Identity| identity.provider == provider && identity.subject == subject;
        let none = || Error::new(Reason::ResourceNotFound, "Identity does not exist.");
        let meant = present.identities.iter().find(|identity| is_meant(identity)).ok_or_else(none)?;
        mfa_assurance::may_change(pool, tx, caller).await?;
        // One whose provider is not configured any more lets nobody in.
        let lets_in = |identity: &Identity| !is_meant(identity) && pool.settings.providers.contains(&identity.provider);
        let password = store::accounts::by_id(tx, member, now).await?.account.and_then(Account::with_password);
        if password.is_none() && !present.identities.iter().any(lets_in) {
            return Err(rules::invalid("This is your only way to sign in. Set a password first."));
        }
        oauth::store::remove_identity(tx, (provider, subject), member).await?;
        store::accounts::begin_anew(tx, member, now).await?;
        store::awaited::remove_all(tx, member).await?;
        let ended = refresh::end_others(tx, member, caller.session, now).await?;
        if meant.made_member {
            // They were called by it: the session that stays is known by that name to its client.
            store::sessions::keep_name(tx, member, &meant.username()).await?;
        }
        jobs::enqueue(tx, &SendLinkNews::job(member, provider, false)).await?;
        Ok(ended)
    })?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}
