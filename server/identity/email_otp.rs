//! Signing in by a code that is sent to the verified address, in place of a password or after it. Who is nobody is asked for the code alike.

use super::{
    challenges,
    code_jobs::CodeTask,
    mail::SendSignInCode,
    secrets::NONCE_BYTES,
    sign_in_flow::{self, Entry, Reply},
    sign_up, store,
    user_pool::{UserPool, Why},
    verifier_lookup::{self, Candidate},
};
use crate::{
    db::Tx,
    error::Result,
    ids::{DeviceId, MemberId},
    jobs, read, transact,
};
use std::net::IpAddr;
use time::OffsetDateTime;
use uuid::Uuid;

/// Begins without a password. The answer does not tell whether there is such a member, nor does the work: a mail to nobody is a job that does
/// nothing.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many codes were asked for.
pub async fn begin(pool: &UserPool, client_id: &str, username: &str, device: Option<DeviceId>, from: Option<IpAddr>) -> Result<Reply> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let (account, candidate) = read!(pool.deps.pool, |conn| verifier_lookup::find(pool, conn, username, now).await)?;
    let entry = Entry::new(pool, client, account, from, device);
    let Candidate { id, salt, exists, confirmed, .. } = candidate;
    let known = exists && confirmed;
    // Nobody's password has a proof as well, that no password has.
    let proof = sign_in_flow::proof_of(pool, if known { &salt } else { id.0.as_bytes() });
    let code = send(pool, &entry, (id, username, known), now).await?;
    challenges::custom(pool, &entry, (id, username), proof, code).map(Reply::Asked)
}

/// Whether the right password counts: a recorded answer does so once.
pub async fn begins(tx: &mut Tx, member: MemberId, nonce: Option<&[u8; NONCE_BYTES]>, now: OffsetDateTime) -> Result<bool> {
    match nonce {
        Some(nonce) => store::sessions::use_block(tx, member, nonce, now + sign_in_flow::CODE_LIFE).await,
        None => Ok(false),
    }
}

/// Sends the code after the right password, and asks for it.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many codes were asked for.
pub async fn after_password(pool: &UserPool, entry: &Entry, member: MemberId, proof: [u8; 16]) -> Result<Reply> {
    let username = member.to_string();
    let code = send(pool, entry, (member, &username, true), pool.deps.clock.now()).await?;
    challenges::custom(pool, entry, (member, &username), proof, code).map(Reply::Asked)
}

/// Sends a code to a member's address; to nobody when it is nobody's, or that of somebody whom an operator keeps out.
async fn send(pool: &UserPool, entry: &Entry, (id, username, exists): (MemberId, &str, bool), now: OffsetDateTime) -> Result<Uuid> {
    transact!(pool.deps.pool, |tx| {
        let kept_out = store::operators::standing(tx, id).await?.disabled_at.is_some();
        let member = store::member(tx, id).await?.filter(|_| exists && !kept_out);
        let address = member.as_ref().map(|m| m.email.as_str());
        let goes = sign_up::spend_mail(pool, tx, Why::SignIn, entry.from, (username, address), now).await?;
        let code = pool.deps.ids.uuid();
        let to = member.filter(|_| goes).map_or_else(|| MemberId(pool.deps.ids.uuid()), |m| m.id);
        jobs::enqueue(tx, &SendSignInCode::job(to, code)).await?;
        Ok(code)
    })
}
