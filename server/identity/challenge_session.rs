//! What the protocol calls a Session: the state of a sign-in between two steps, sealed, so that any node goes on with it. Each is for one
//! member, one client and one step, and serves once.

use super::{rules, scopes::Scopes, secrets::NONCE_BYTES, store::attempts::Subject, user_pool::UserPool};
use crate::{
    error::{Error, Reason, Result},
    ids::{DeviceId, MemberId},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

const LABEL: &[u8] = b"sign-in ticket";
/// Shorter texts are no Session to any client.
const CHARS_MIN: usize = 20;
/// How every refusal of one begins.
pub const INVALID: &str = "Invalid session for the user";

/// Bytes in hexadecimal: a ticket's length tells nothing of them.
mod fixed {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex::encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[u8; N], D::Error> {
        let bytes = hex::decode(String::deserialize(from)?).map_err(D::Error::custom)?;
        bytes.try_into().map_err(|_| D::Error::custom("another length"))
    }
}

/// What a ticket is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A password in place of a temporary one.
    NewPassword,
    /// A code by SMS.
    Sms,
    /// A code of an authenticator.
    Totp,
    /// A choice between the two.
    Select,
    /// Setting an authenticator up.
    SetUp,
    /// Going on after it was set up.
    IsSetUp,
    /// A code by mail, in place of a password.
    Custom,
    /// The proof of a device.
    Device,
}

/// The state of a sign-in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ticket {
    /// What it is for.
    pub step: Step,
    /// Which sign-in it is of.
    pub sign_in: Uuid,
    /// Who signs in; nobody's id where the answers must not tell.
    pub member: MemberId,
    /// The name that they gave, by its hash: whoever goes on gives the same, or the id.
    #[serde(with = "fixed")]
    pub account: Subject,
    /// By what client.
    pub client: String,
    /// Since when, in microseconds since the epoch.
    pub begun_us: i64,
    /// Until when, in seconds since the epoch.
    pub until_s: i64,
    /// What the password was checked against, by a hash: one that is changed in between ends the sign-in.
    #[serde(with = "fixed")]
    pub proof: [u8; 16],
    /// The device that the sign-in names.
    pub device: Option<DeviceId>,
    /// What the digits are derived from that were sent.
    pub code: Option<Uuid>,
    /// What the session is for in the hosted page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Scopes>,
    /// The code for a number that was given on the way: it is sent once they are in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Uuid>,
}

/// A ticket that came back.
pub struct Opened {
    /// What it says.
    pub ticket: Ticket,
    /// What it is told apart by.
    pub nonce: [u8; NONCE_BYTES],
}

impl Ticket {
    /// Whether it was given before what is shown of a sign-in began to count anew.
    pub fn is_void(&self, since: Option<OffsetDateTime>) -> bool {
        since.is_some_and(|since| self.begun_us < micros(since))
    }

    /// As the client gets it.
    pub fn seal(&self, pool: &UserPool) -> Result<String> {
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        Ok(URL_SAFE_NO_PAD.encode(pool.settings.keys.seal(&pool.deps.ids, LABEL, &plain)))
    }

    /// The same sign-in, a step further.
    pub fn moved_to(self, step: Step) -> Self {
        Self { step, ..self }
    }
}

/// The sign-in that a ticket is of, whatever its step: clients hand back the one that they had last. `None` when none came back.
///
/// # Errors
/// NOT_AUTHORIZED for what is no ticket of this client.
pub fn sign_in(pool: &UserPool, client: &str, text: &str) -> Result<Option<Uuid>> {
    if text.is_empty() {
        return Ok(None);
    }
    let (ticket, _) = unseal(pool, text)?;
    if ticket.client == client { Ok(Some(ticket.sign_in)) } else { Err(invalid()) }
}

fn unseal(pool: &UserPool, text: &str) -> Result<(Ticket, [u8; NONCE_BYTES])> {
    let sealed = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
    let plain = pool.settings.keys.open(LABEL, &sealed).ok_or_else(invalid)?;
    let ticket = serde_json::from_slice(&plain).map_err(|_| invalid())?;
    Ok((ticket, *sealed.first_chunk().ok_or_else(invalid)?))
}

/// Reads the ticket of a step that came back from a client.
///
/// # Errors
/// INVALID_PARAMETER for what cannot be one; NOT_AUTHORIZED for one that is another's, another step's, or too old.
pub fn open(pool: &UserPool, client: &str, text: &str, step: Step, now: OffsetDateTime) -> Result<Opened> {
    if text.is_empty() {
        return Err(rules::invalid("Missing required parameter Session"));
    }
    if text.len() < CHARS_MIN {
        let why = "1 validation error detected: Value at 'session' failed to satisfy constraint: Member must have length greater than or equal to 20";
        return Err(rules::invalid(why));
    }
    let (ticket, nonce) = unseal(pool, text)?;
    if ticket.client != client || ticket.step != step {
        return Err(invalid());
    }
    if ticket.until_s <= now.unix_timestamp() {
        return Err(Error::new(Reason::NotAuthorized, format!("{INVALID}, session is expired.")));
    }
    Ok(Opened { ticket, nonce })
}

/// An instant as tickets have it: the database keeps no more of one.
pub fn micros(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX)
}

/// The refusal of a ticket.
pub fn invalid() -> Error {
    Error::new(Reason::NotAuthorized, format!("{INVALID}."))
}

/// The refusal of a ticket that has served.
pub fn used() -> Error {
    Error::new(Reason::NotAuthorized, format!("{INVALID}, session can only be used once."))
}
