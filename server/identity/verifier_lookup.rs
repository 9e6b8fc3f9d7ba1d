//! What a password is checked against. An account that does not exist has something as well, which no password fits.

use super::{
    srp::{self, ELEMENT_BYTES, Element, Salt},
    store::{
        accounts::{Account, Found, Verifier},
        attempts::Subject,
    },
    user_pool::UserPool,
};
use crate::{
    error::{Error, Result},
    ids::MemberId,
};
use sqlx::PgConnection;
use std::hint::black_box;
use time::OffsetDateTime;

/// What a password is checked against: a real account, or one that is simulated.
pub(super) struct Candidate {
    /// The member's id.
    pub(super) id: MemberId,
    /// The salt of the verifier.
    pub(super) salt: Salt,
    /// The verifier.
    pub(super) verifier: Element,
    /// Whether there is such an account: it is simulated otherwise.
    pub(super) exists: bool,
    /// Whether the address was confirmed.
    pub(super) confirmed: bool,
}

/// The account that a name means, and the name by its hash; a simulated one when there is none.
pub(super) async fn find(pool: &UserPool, conn: &mut PgConnection, username: &str, now: OffsetDateTime) -> Result<(Subject, Candidate)> {
    let found = pool.found(conn, username, now).await?;
    Ok((pool.subject(username), of(pool, found, pool.simulated(username))?))
}

/// The account, or a simulated one: always the same for the same id, by which an address is simulated too, and nobody's password. Each has both
/// worked out, for the time of either would tell which it is.
pub(super) fn of(pool: &UserPool, Found { account, instead }: Found, id: MemberId) -> Result<Candidate> {
    let simulated = simulated(pool, id);
    let confirmed = account.as_ref().is_some_and(|account| account.confirmed);
    let Some((account, Verifier { salt, sealed })) = account.and_then(Account::with_password) else {
        // Opened as if it were the one that was sought. Whether it can be is of no matter.
        let _ = black_box(instead.map(|(other, verifier)| pool.open_verifier(other, &verifier.sealed)));
        return Ok(simulated);
    };
    Ok(Candidate {
        id: account,
        salt: Salt::try_from(salt.as_slice()).map_err(Error::internal)?,
        verifier: pool.open_verifier(account, &sealed)?,
        exists: true,
        confirmed,
    })
}

fn simulated(pool: &UserPool, id: MemberId) -> Candidate {
    let (keys, id_bytes) = (&pool.settings.keys, id.0.as_bytes());
    let mut bytes = [0; ELEMENT_BYTES];
    for (n, part) in (0_u8..).zip(bytes.chunks_mut(32)) {
        part.copy_from_slice(&keys.derive("simulated verifier", &[id_bytes, &[n]]));
    }
    let salt = srp::salt(half(keys.derive("simulated salt", &[id_bytes])));
    Candidate { id, salt, verifier: srp::element_from(&bytes), exists: false, confirmed: false }
}

/// The first half of a hash.
pub(super) fn half(bytes: [u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(bytes.split_at(16).0);
    half
}
