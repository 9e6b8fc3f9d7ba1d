//! Codes that stand in for a lost authenticator. None is stored: each is derived from its id.

use super::{
    factor_news::{self, News},
    factors, mfa_assurance, rules, store,
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    text, transact,
};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

const PURPOSE: &str = "recovery code";
/// How many codes stand in for a lost authenticator.
const CODES: usize = 10;
/// Characters of such a code, which nobody mistakes for others.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
const CHARS: usize = 10;

/// Makes the codes that stand in for the authenticator that is on; those before are void.
///
/// # Errors
/// INVALID_PARAMETER while none is on; NOT_AUTHORIZED by a session that neither showed it nor set it up;
/// ATTEMPTS_EXCEEDED after too many changes.
pub async fn make(pool: &UserPool, caller: &Caller) -> Result<Vec<String>> {
    let ids: Vec<Uuid> = (0..CODES).map(|_| pool.deps.ids.uuid()).collect();
    let now = pool.deps.clock.now();
    transact!(pool.deps.pool, |tx| {
        factors::spend_change(tx, caller.member, now).await?;
        if !store::accounts::lock(tx, caller.member).await? {
            return Err(Error::new(Reason::NotAuthorized, "Invalid Access Token"));
        }
        mfa_assurance::may_change(pool, tx, caller).await?;
        let has = store::factors::of(tx, caller.member).await?;
        if !has.totp_on {
            let why =
                if has.totp.is_none() { "User has not verified software token mfa" } else { "User has not enabled software token mfa" };
            return Err(rules::invalid(why));
        }
        store::factors::put_recovery(tx, caller.member, &ids, now).await?;
        factor_news::tell(pool, tx, caller.member, &[News::CodesMade]).await
    })?;
    Ok(ids.iter().map(|id| spell(pool.settings.keys.derive(PURPOSE, &[id.as_bytes()]))).collect())
}

/// Whether a code is the one of an id.
pub fn matches(pool: &UserPool, id: Uuid, code: &str) -> bool {
    let separates = |c: &char| text::is_space(*c) || text::is_invisible(*c) || *c == '-';
    let given: String = code.nfkc().filter(|c| !separates(c)).flat_map(char::to_lowercase).collect();
    let code = spell(pool.settings.keys.derive(PURPOSE, &[id.as_bytes()]));
    verify_slices_are_equal(code.as_bytes(), given.as_bytes()).is_ok()
}

/// Ten letters and digits, of which 31 are told apart at a glance.
fn spell(bytes: [u8; 32]) -> String {
    let mut number = bytes.iter().take(16).fold(0_u128, |n, b| n << 8 | u128::from(*b));
    let letters = LETTERS.len() as u128;
    let letter = |_| {
        let at = usize::try_from(number % letters).unwrap_or(0);
        number /= letters;
        LETTERS.get(at).map_or('a', |letter| char::from(*letter))
    };
    (0..CHARS).map(letter).collect()
}
