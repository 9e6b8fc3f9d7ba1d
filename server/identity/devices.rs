//! Devices: each has a secret of its own, proves it by SRP as members prove their passwords, and may then stand in for a second factor.

use super::{
    clients::Devices,
    mfa_assurance, refresh, rules,
    srp::{self, ELEMENT_BYTES, Element},
    store::{
        self,
        devices::{After, Device, Secret},
    },
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
    page,
    pb::identity::{DeviceSecretVerifierConfig, NewDeviceMetadata},
    read, transact,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use uuid::Uuid;

/// How many devices a member has at most.
pub const MOST: i64 = 100;
/// How many sign-ins await the proof of one device at most: who knows the password begins as many as they like.
pub const AWAITED_MOST: i64 = 20;
/// How many a page has at most.
const PAGE_MAX: i64 = 60;
const LIST: &str = "devices";
/// A salt of more bytes is no client's.
const SALT_BYTES_MAX: usize = 64;
/// What stands before the last byte of a small number.
const ZEROS: [u8; ELEMENT_BYTES - 1] = [0; ELEMENT_BYTES - 1];

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
pub fn parse(pool: &UserPool, key: &str) -> Result<DeviceId> {
    rules::present(&[("deviceKey", key)])?;
    let id = key.split_once('_').and_then(|(_, id)| Uuid::parse_str(id).ok()).map(DeviceId);
    // To the letter: it enters the proofs.
    id.filter(|id| self::key(pool, *id) == key).ok_or_else(unknown)
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
    let id = parse(pool, key)?;
    let config = config.ok_or_else(|| rules::invalid("Missing required parameter DeviceSecretVerifierConfig"))?;
    let (verifier, salt) = (read_verifier(&config.password_verifier)?, read_salt(&config.salt)?);
    let sealed = pool.settings.keys.seal(&pool.deps.ids, &label(caller.member, id), &verifier);
    let now = pool.deps.clock.now();
    let secret = Secret { salt, sealed };
    let opts_in = transact!(pool.deps.pool, |tx| {
        let is_past = mfa_assurance::way(pool, tx, caller.member, caller.session).await?.is_some();
        let session = store::sessions::find(tx, caller.member, caller.session).await?;
        // A device is confirmed by the sign-in that it was made in.
        let session = session.filter(|session| session.device == Some(id)).ok_or_else(unknown)?;
        let always = pool.client(&session.client_id)?.devices == Devices::Always;
        if !store::devices::confirm(tx, caller.member, id, (&secret, name, always && !is_past), now).await? {
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
/// RESOURCE_NOT_FOUND; NOT_AUTHORIZED where it would stand in for a factor that the session is past.
pub async fn remember(pool: &UserPool, caller: &Caller, key: &str, remembered: bool) -> Result<()> {
    let (id, now) = (parse(pool, key)?, pool.deps.clock.now());
    transact!(pool.deps.pool, |tx| {
        if remembered {
            mfa_assurance::may_change(pool, tx, caller).await?;
        }
        if !store::devices::remember(tx, caller.member, id, remembered, now).await? {
            return Err(unknown());
        }
        // What was shown before counts no longer.
        store::awaited::remove_of(tx, caller.member, id).await
    })
}

/// Forgets a device, and ends the sessions that were begun from it.
///
/// # Errors
/// RESOURCE_NOT_FOUND, also when it was forgotten before.
pub async fn forget(pool: &UserPool, caller: &Caller, key: &str) -> Result<()> {
    let (id, now) = (parse(pool, key)?, pool.deps.clock.now());
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
    let id = parse(pool, key)?;
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

/// What binds a sealed verifier to its device and member.
pub(super) fn label(member: MemberId, device: DeviceId) -> Vec<u8> {
    [b"device".as_slice(), member.0.as_bytes(), device.0.as_bytes()].concat()
}
