//! Devices: each has a secret of its own, proves it by SRP as members prove their passwords, and may then stand in for a second factor.

use super::{
    answers,
    block::Block,
    clients::Devices,
    entry::{self, Asked, Entry, Outcome, Reply, incorrect},
    refresh, rules,
    secrets::NONCE_BYTES,
    sign_in::{self, Answer},
    srp::{self, ELEMENT_BYTES, Element},
    store::{
        self,
        attempts::Kind,
        devices::{After, Device, Secret},
    },
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
    page,
    pb::identity::{ChallengeName, DeviceSecretVerifierConfig, NewDeviceMetadata},
    read, transact,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::net::IpAddr;
use time::Duration;
use uuid::Uuid;

/// How many devices a member has at most.
pub const MOST: i64 = 100;
/// How many a page has at most.
const PAGE_MAX: i64 = 60;
const LIST: &str = "devices";
/// A salt of more bytes is no client's.
const SALT_BYTES_MAX: usize = 64;
const BLOCK_LIFE: Duration = Duration::minutes(5);
/// What stands before the last byte of a small number.
const ZEROS: [u8; ELEMENT_BYTES - 1] = [0; ELEMENT_BYTES - 1];
const BLOCK_LABEL: &[u8] = b"secret block of a device";

/// What a client is told of a new device.
pub fn metadata(pool: &UserPool, id: DeviceId) -> NewDeviceMetadata {
    let group = hex::encode(pool.deps.ids.bytes::<4>());
    NewDeviceMetadata { device_key: key(pool, id), device_group_key: format!("-{group}") }
}

/// The key of a device: the pool's region and a UUID.
pub fn key(pool: &UserPool, id: DeviceId) -> String {
    let region = pool.settings.pool_id.split_once('_').map_or("", |(region, _)| region);
    format!("{region}_{id}")
}

/// Reads a key.
///
/// # Errors
/// INVALID_PARAMETER when it is missing; RESOURCE_NOT_FOUND for one that none of ours can be.
pub fn parse(key: &str) -> Result<DeviceId> {
    rules::present(&[("deviceKey", key)])?;
    let id = key.split_once('_').and_then(|(_, id)| Uuid::parse_str(id).ok());
    id.map(DeviceId).ok_or_else(unknown)
}

/// The refusal of a device that is not the member's.
pub fn unknown() -> Error {
    Error::new(Reason::ResourceNotFound, "Device does not exist.")
}

/// Confirms the device that a session was begun from, with what its proofs are checked against. Whether the member must still say that it shall
/// be remembered.
///
/// # Errors
/// INVALID_PARAMETER; RESOURCE_NOT_FOUND.
pub async fn confirm(pool: &UserPool, caller: &Caller, key: &str, config: Option<&DeviceSecretVerifierConfig>, name: &str) -> Result<bool> {
    let id = parse(key)?;
    let config = config.ok_or_else(|| rules::invalid("Missing required parameter DeviceSecretVerifierConfig"))?;
    let (verifier, salt) = (read_verifier(&config.password_verifier)?, read_salt(&config.salt)?);
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &label(caller.member, id), &verifier);
    let now = pool.deps.clock.now();
    let secret = Secret { salt, sealed };
    let opts_in = transact!(pool.deps.pool, |tx| {
        let session = store::sessions::find(tx, caller.member, caller.session).await?;
        // A device is confirmed by the sign-in that it was made in.
        let session = session.filter(|session| session.device == Some(id)).ok_or_else(unknown)?;
        let always = pool.client(&session.client_id)?.devices == Devices::Always;
        if !store::devices::confirm(tx, caller.member, id, (&secret, name, always), now).await? {
            return Err(unknown());
        }
        Ok(!always)
    })?;
    Ok(opts_in)
}

/// A verifier: base64, with or without a zero byte in front.
fn read_verifier(text: &str) -> Result<Element> {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    // Of 1, anything is a proof.
    let verifier = srp::parse_a(&hex::encode(bytes)).filter(|verifier| verifier.strip_prefix(&ZEROS) != Some(&[1]));
    verifier.ok_or_else(|| rules::invalid("PasswordVerifier is not a number of the group"))
}

fn read_salt(text: &str) -> Result<Vec<u8>> {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    if (1..=SALT_BYTES_MAX).contains(&bytes.len()) { Ok(bytes) } else { Err(rules::invalid("Salt must be base64 of 1 to 64 bytes")) }
}

/// Says whether a device stands in for a second factor.
///
/// # Errors
/// RESOURCE_NOT_FOUND.
pub async fn remember(pool: &UserPool, caller: &Caller, key: &str, remembered: bool) -> Result<()> {
    let (id, now) = (parse(key)?, pool.deps.clock.now());
    let found = transact!(pool.deps.pool, |tx| store::devices::remember(tx, caller.member, id, remembered, now).await)?;
    if found { Ok(()) } else { Err(unknown()) }
}

/// Forgets a device, and ends the sessions that were begun from it.
///
/// # Errors
/// RESOURCE_NOT_FOUND, also when it was forgotten before.
pub async fn forget(pool: &UserPool, caller: &Caller, key: &str) -> Result<()> {
    let (id, now) = (parse(key)?, pool.deps.clock.now());
    let ended = transact!(pool.deps.pool, |tx| {
        if !store::devices::forget(tx, caller.member, id).await? {
            return Err(unknown());
        }
        refresh::end_of_device(tx, caller.member, id, now).await
    })?;
    pool.sessions.mark_ended(&ended);
    Ok(())
}

/// A device of a member's.
///
/// # Errors
/// RESOURCE_NOT_FOUND.
pub async fn get(pool: &UserPool, caller: &Caller, key: &str) -> Result<Device> {
    let id = parse(key)?;
    let found = read!(pool.deps.pool, |conn| store::devices::find(conn, caller.member, id).await)?;
    found.filter(|device| device.sealed.is_some()).ok_or_else(unknown)
}

/// A page of a member's devices, the newest first, and where the next one begins.
///
/// # Errors
/// INVALID_PARAMETER for a token that is none.
pub async fn list(pool: &UserPool, caller: &Caller, limit: i32, token: &str) -> Result<(Vec<Device>, Option<String>)> {
    let most = if limit == 0 { PAGE_MAX } else { i64::from(limit).clamp(1, PAGE_MAX) };
    let cursors = &pool.deps.cursors;
    let after: Option<After> =
        cursors.read(LIST, caller.member, ("PaginationToken", token)).map_err(|_| rules::invalid("Invalid pagination token given."))?;
    let rows = read!(pool.deps.pool, |conn| store::devices::list(conn, caller.member, after, most + 1).await)?;
    let (rows, more) = page::cut(rows, most);
    let next = match rows.last().filter(|_| more) {
        Some(last) => Some(cursors.write::<After>(LIST, caller.member, &(last.created_at, last.id.0))?),
        None => None,
    };
    Ok((rows, next))
}

/// Begins the proof of a device, which is awaited since everything else of the sign-in was shown.
///
/// # Errors
/// NOT_AUTHORIZED for every flaw alike; INVALID_PARAMETER.
pub async fn challenge(pool: &UserPool, client: &str, username: &str, (key, srp_a): (&str, &str)) -> Result<Asked> {
    let (id, now) = (parse(key)?, pool.deps.clock.now());
    let a = srp::parse_a(srp_a).ok_or_else(|| rules::invalid("SRP_A is not a number of the group"))?;
    let found = read!(pool.deps.pool, |conn| {
        let Some(account) = pool.account(conn, username, now).await?.filter(|account| account.confirmed) else { return Ok(None) };
        let device = store::devices::awaited(conn, account.id, id, client, now).await?;
        Ok(device.map(|device| (account.id, device)))
    })?;
    let (member, device) = found.ok_or_else(incorrect)?;
    let verifier = open(pool, member, &device)?;
    let b = pool.deps.ids.bytes::<32>();
    let (big_b, u) = pool
        .compute(move || {
            let big_b = srp::offer(&verifier, &b);
            (big_b, srp::scramble(&a, &big_b))
        })
        .await?;
    let u = u.ok_or_else(|| rules::invalid("SRP_A cannot be used"))?;
    let expires_at_s = (now + BLOCK_LIFE).unix_timestamp();
    let block = Block { member, account: pool.subject(username), expires_at_s, b, u, a, client_id: client.to_owned() };
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &block_label(id), &block.write());
    let parameters = vec![
        ("SRP_B", srp::hex_of(&big_b)),
        ("SALT", hex::encode(canonical(device.salt.as_deref().unwrap_or_default()))),
        ("SECRET_BLOCK", STANDARD.encode(sealed)),
        ("USERNAME", username.to_owned()),
        ("DEVICE_KEY", key.to_owned()),
    ];
    Ok(Asked { challenge: ChallengeName::DevicePasswordVerifier, parameters, session: None })
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
    let block = opened.as_deref().and_then(Block::read).ok_or_else(incorrect)?;
    if !block.is_for(pool, &client.id, answer.username, now) {
        return Err(incorrect());
    }
    sign_in::on_time(answer.timestamp, now)?;
    let member = block.member;
    let device = read!(pool.deps.pool, |conn| store::devices::awaited(conn, member, id, &client.id, now).await)?.ok_or_else(incorrect)?;
    let entry = Entry::new(pool, client, block.account, from, Some(id));
    let nonce: [u8; NONCE_BYTES] = *sealed.first_chunk().ok_or_else(incorrect)?;
    let right = proves(pool, answer, (block, sealed, device)).await?;
    let outcome = transact!(pool.deps.pool, |tx| {
        let tries = answers::tries(pool, member);
        let before = store::attempts::lock_to_count(tx, &tries, Kind::Password, now).await?;
        if let Some(wait) = before.and_then(|tally| tally.locked_for(now)) {
            return Ok(Outcome::Refused(sign_in::locked_out(wait)));
        }
        if !right {
            answers::wrong(pool, tx, &entry, &tries, now).await?;
            return Ok(Outcome::Refused(incorrect()));
        }
        store::attempts::clear(tx, &tries, Kind::Password).await?;
        if store::accounts::share_admission(tx, member).await?.is_none_or(|admission| admission.disabled) {
            return Ok(Outcome::Refused(incorrect()));
        }
        if !store::sessions::use_block(tx, member, &nonce, now + BLOCK_LIFE).await? {
            return Ok(Outcome::Refused(incorrect()));
        }
        entry::arrive(pool, tx, &entry, member, id, now).await
    })?;
    entry::reply(pool, &entry, outcome).await
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

/// What binds a sealed verifier to its device and member.
/// What binds a sealed verifier to its device.
pub(super) fn label(member: MemberId, device: DeviceId) -> Vec<u8> {
    [b"device".as_slice(), member.0.as_bytes(), device.0.as_bytes()].concat()
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
