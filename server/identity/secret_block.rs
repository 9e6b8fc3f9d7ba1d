//! What the protocol calls a SECRET_BLOCK: the state of a proof by SRP, sealed by who uses it.

use super::{
    rules,
    srp::{self, ELEMENT_BYTES, Element},
    store::attempts::Subject,
    user_pool::UserPool,
};
use crate::{error::Result, ids::MemberId};
use time::OffsetDateTime;
use uuid::Uuid;

/// The state of a proof by SRP between its two steps.
pub struct Block {
    /// Whose proof; nobody's id for an account that does not exist.
    pub member: MemberId,
    /// Whose tries are counted.
    pub account: Subject,
    /// Until when it can be answered, in seconds since the epoch.
    pub expires_at_s: i64,
    /// The server's secret number.
    pub b: [u8; 32],
    /// What both sides make of A and B.
    pub u: [u8; 32],
    /// The client's public number.
    pub a: Element,
    /// The client.
    pub client_id: String,
}

/// The server's half of what both sides prove.
pub struct Offer {
    /// The server's secret number.
    pub b: [u8; 32],
    /// Its public one.
    pub big_b: Element,
    /// What both sides make of A and B.
    pub u: [u8; 32],
}

/// Makes one for what is proved to be known. Takes milliseconds of computing.
///
/// # Errors
/// INVALID_PARAMETER for an A that cannot be used; UNAVAILABLE when no core is free.
pub async fn offer(pool: &UserPool, verifier: Element, a: Element) -> Result<Offer> {
    let b = pool.deps.ids.bytes::<32>();
    let (big_b, u) = pool
        .compute(move || {
            let big_b = srp::offer(&verifier, &b);
            (big_b, srp::scramble(&a, &big_b))
        })
        .await?;
    let u = u.ok_or_else(|| rules::invalid("SRP_A cannot be used"))?;
    Ok(Offer { b, big_b, u })
}

impl Block {
    /// Whether it is good now, for this client and this name of the account.
    pub fn is_for(&self, pool: &UserPool, client: &str, username: &str, now: OffsetDateTime) -> bool {
        let named = Uuid::parse_str(username).is_ok_and(|id| id == self.member.0) || pool.subject(username) == self.account;
        self.client_id == client && self.expires_at_s > now.unix_timestamp() && named
    }

    /// As bytes, to be sealed.
    pub fn write(&self) -> Vec<u8> {
        let parts: [&[u8]; 7] = [
            self.member.0.as_bytes(),
            &self.account,
            &self.expires_at_s.to_be_bytes(),
            &self.b,
            &self.u,
            &self.a,
            self.client_id.as_bytes(),
        ];
        parts.concat()
    }

    /// From those.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (member, rest) = bytes.split_first_chunk::<16>()?;
        let (account, rest) = rest.split_first_chunk::<32>()?;
        let (expires, rest) = rest.split_first_chunk::<8>()?;
        let (b, rest) = rest.split_first_chunk::<32>()?;
        let (u, rest) = rest.split_first_chunk::<32>()?;
        let (a, rest) = rest.split_first_chunk::<ELEMENT_BYTES>()?;
        Some(Self {
            member: MemberId(Uuid::from_bytes(*member)),
            account: *account,
            expires_at_s: i64::from_be_bytes(*expires),
            b: *b,
            u: *u,
            a: *a,
            client_id: String::from_utf8(rest.to_vec()).ok()?,
        })
    }
}
