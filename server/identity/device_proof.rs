//! The proof of a device by SRP: the last step of a sign-in that names one.

use super::{
    challenge_responses::{self, From},
    challenge_session,
    devices::{key, label, parse},
    rules,
    secret_block::{self, Block, Offer},
    secrets::NONCE_BYTES,
    sign_in::{self, Answer},
    sign_in_flow::{self, Asked, Entry, Outcome, Reply, incorrect},
    srp::{self, Element},
    store::{self, attempts::Kind, awaited::Proof, devices::Device},
    user_pool::UserPool,
};
use crate::{
    error::{Error, Result},
    ids::{DeviceId, MemberId},
    pb::identity::ChallengeName,
    read, transact,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use sqlx::PgConnection;
use std::net::IpAddr;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const BLOCK_LIFE: Duration = Duration::minutes(5);
const BLOCK_LABEL: &[u8] = b"secret block of a device";

/// Begins the proof of a device, which a sign-in awaits since everything else was shown.
///
/// # Errors
/// NOT_AUTHORIZED for every flaw alike; INVALID_PARAMETER.
pub async fn challenge(pool: &UserPool, of: From<'_>, (key, srp_a): (&str, &str)) -> Result<Asked> {
    let (id, now) = (parse(pool, key)?, pool.deps.clock.now());
    let a = srp::parse_a(srp_a).ok_or_else(|| rules::invalid("SRP_A is not a number of the group"))?;
    let sign_in = challenge_session::sign_in(pool, of.client, of.session)?;
    let found = read!(pool.deps.pool, |conn| {
        let account = pool.account(conn, of.username, now).await?.filter(|account| account.confirmed);
        // Of nobody it is looked for as well.
        let member = account.map_or(MemberId(Uuid::nil()), |account| account.id);
        let proof = Proof { member, device: id, client: of.client, sign_in, network: pool.network(of.from) };
        Ok(awaited(conn, &proof, now).await?.map(|device| (member, device)))
    })?;
    let (member, device) = found.ok_or_else(incorrect)?;
    let verifier = open(pool, member, &device)?;
    let Offer { b, big_b, u } = secret_block::offer(pool, verifier, a).await?;
    let expires_at_s = (now + BLOCK_LIFE).unix_timestamp();
    let block = Block { member, account: pool.subject(of.username), expires_at_s, b, u, a, client_id: of.client.to_owned() };
    let plain = [sign_in.unwrap_or_default().as_bytes().as_slice(), &block.write()].concat();
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &block_label(id), &plain);
    let parameters = vec![
        ("SRP_B", srp::hex_of(&big_b)),
        ("SALT", hex::encode(canonical(device.salt.as_deref().unwrap_or_default()))),
        ("SECRET_BLOCK", STANDARD.encode(sealed)),
        ("USERNAME", of.username.to_owned()),
        ("DEVICE_KEY", key.to_owned()),
    ];
    Ok(Asked { challenge: ChallengeName::DevicePasswordVerifier, parameters, session: None })
}

/// The device of a proof that is awaited.
async fn awaited(conn: &mut PgConnection, proof: &Proof<'_>, now: OffsetDateTime) -> Result<Option<Device>> {
    if !store::awaited::is(conn, proof, now).await? {
        return Ok(None);
    }
    Ok(store::devices::find(conn, proof.member, proof.device).await?.filter(|device| device.sealed.is_some()))
}

/// The sign-in that a block is of, where its client says so, and the block.
fn read_block(plain: &[u8]) -> Option<(Option<Uuid>, Block)> {
    let (sign_in, block) = plain.split_first_chunk::<16>()?;
    Some((Some(Uuid::from_bytes(*sign_in)).filter(|id| !id.is_nil()), Block::read(block)?))
}

/// Ends the proof of a device: whoever it belongs to is in.
///
/// # Errors
/// NOT_AUTHORIZED for every flaw alike; INVALID_PARAMETER; PASSWORD_ATTEMPTS_EXCEEDED.
pub async fn respond(pool: &UserPool, client_id: &str, answer: &Answer<'_>, from: Option<IpAddr>) -> Result<Reply> {
    let client = pool.client(client_id)?.clone();
    let now = pool.deps.clock.now();
    let id = answer.device.ok_or_else(|| rules::invalid("Missing required parameter DEVICE_KEY"))?;
    let sealed = STANDARD.decode(answer.secret_block).map_err(|_| incorrect())?;
    let opened = pool.settings.keys.open(&block_label(id), &sealed);
    let (sign_in, block) = opened.as_deref().and_then(read_block).ok_or_else(incorrect)?;
    if !block.is_for(pool, &client.id, answer.username, now) {
        return Err(incorrect());
    }
    sign_in::on_time(answer.timestamp, now)?;
    let (member, client_id) = (block.member, client.id.clone());
    let awaits = Proof { member, device: id, client: &client_id, sign_in, network: pool.network(from) };
    let device = read!(pool.deps.pool, |conn| awaited(conn, &awaits, now).await)?.ok_or_else(incorrect)?;
    let entry = Entry::new(pool, client, block.account, from, Some(id));
    let nonce: [u8; NONCE_BYTES] = *sealed.first_chunk().ok_or_else(incorrect)?;
    let right = proves(pool, answer, (block, sealed, device)).await?;
    let outcome = transact!(pool.deps.pool, |tx| {
        let tries = challenge_responses::tries(pool, member);
        let before = store::attempts::lock_to_count(tx, &tries, Kind::Password, now).await?;
        if let Some(wait) = before.and_then(|tally| tally.locked_for(now)) {
            return Ok(Outcome::Refused(sign_in::locked_out(wait)));
        }
        if !right {
            challenge_responses::wrong(pool, tx, &entry, &tries, now).await?;
            return Ok(Outcome::Refused(incorrect()));
        }
        store::attempts::clear(tx, &tries, Kind::Password).await?;
        if store::accounts::share_admission(tx, member).await?.is_none_or(|admission| admission.disabled) {
            return Ok(Outcome::Refused(incorrect()));
        }
        if !store::sessions::use_block(tx, member, &nonce, now + BLOCK_LIFE).await? {
            return Ok(Outcome::Refused(incorrect()));
        }
        sign_in_flow::arrive(pool, tx, &entry, &awaits, now).await
    })?;
    sign_in_flow::reply(pool, &entry, outcome).await
}

async fn proves(pool: &UserPool, answer: &Answer<'_>, (block, sealed, device): (Block, Vec<u8>, Device)) -> Result<bool> {
    let (verifier, key) = (open(pool, block.member, &device)?, key(pool, device.id));
    let (signature, timestamp) = (STANDARD.decode(answer.signature).unwrap_or_default(), answer.timestamp.to_owned());
    pool.compute(move || {
        let session_key = srp::session_key(&block.a, &verifier, &block.u, &block.b);
        srp::proves(&session_key, &device.group_key, &key, &sealed, &timestamp, &signature)
    })
    .await
}

fn open(pool: &UserPool, member: MemberId, device: &Device) -> Result<Element> {
    let sealed = device.sealed.as_deref().unwrap_or_default();
    let opened = pool.settings.keys.open(&label(member, device.id), sealed).and_then(|v| Element::try_from(v.as_slice()).ok());
    opened.ok_or_else(|| Error::internal(anyhow::anyhow!("a device was sealed with another secret: was the configuration changed?")))
}

fn block_label(device: DeviceId) -> Vec<u8> {
    [BLOCK_LABEL, device.0.as_bytes()].concat()
}

/// A number as the protocol hashes it: no zero byte in front, but before one that would look negative. Clients that get another form hash another.
fn canonical(bytes: &[u8]) -> Vec<u8> {
    let mut digits: Vec<u8> = bytes.iter().copied().skip_while(|byte| *byte == 0).collect();
    if digits.first().is_none_or(|byte| *byte > 0x7f) {
        digits.insert(0, 0);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salt_is_told_in_the_form_that_clients_hash() {
        for (kept, told) in
            [(vec![0, 0x7f], "7f"), (vec![0, 0x80], "0080"), (vec![0x80], "0080"), (vec![0, 0, 1, 0], "0100"), (vec![0], "00")]
        {
            assert_eq!(hex::encode(canonical(&kept)), told, "{kept:?}");
        }
    }
}
