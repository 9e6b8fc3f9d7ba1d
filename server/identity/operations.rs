//! What operators do to members. Each is a step in a transaction of the caller's, who also notes it in the audit.

use super::{
    Member, refresh, rules,
    sign_up::{self, SignUp},
    store::{
        self,
        accounts::Verifier,
        attempts::{Kind, Subject},
        registrations::Registration,
    },
    user_pool::UserPool,
};
pub use super::{
    lost_factors::{Removed, remove as remove_factors},
    store::sign_ins::SignIn,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    ids::{Ids, MemberId},
};
use sqlx::PgConnection;
use std::collections::BTreeSet;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many sessions an operator is told of.
const SESSIONS_MOST: i64 = 1000;

/// What operators set about a member's sign-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Since when the member may not sign in.
    pub disabled_at: Option<OffsetDateTime>,
    /// Until when the password lets them in to set their own; `None` when it is their own.
    pub temporary_until: Option<OffsetDateTime>,
}

impl Standing {
    /// In a word.
    pub fn word(&self, now: OffsetDateTime) -> &'static str {
        match (self.disabled_at, self.temporary_until) {
            (Some(_), _) => "disabled",
            (None, Some(until)) if until <= now => "temporary-password-expired",
            (None, Some(_)) => "temporary-password",
            (None, None) => "active",
        }
    }
}

/// A member in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The id.
    pub id: MemberId,
    /// The address.
    pub email: String,
    /// The name as they said it.
    pub name: String,
    /// Since when.
    pub created_at: OffsetDateTime,
    /// How it stands with their sign-in.
    pub standing: Standing,
}

/// What a sign-in asks of a member beside the password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Whether an authenticator is asked for.
    pub authenticator: bool,
    /// Whether SMS is asked for.
    pub sms: bool,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
    /// How many devices are confirmed.
    pub devices: i64,
}

/// A member to be made, with the arithmetic done.
pub struct Prepared(Registration);

/// The member that an operator means, by address or id.
///
/// # Errors
/// As the database.
pub async fn find(conn: &mut PgConnection, named: &str) -> Result<Option<Member>> {
    match Uuid::parse_str(named.trim()) {
        Ok(id) => store::member(conn, MemberId(id)).await,
        Err(_) => store::member_by_email(conn, named).await,
    }
}

/// The members after one, by when they joined.
///
/// # Errors
/// As the database.
pub async fn list(conn: &mut PgConnection, after: Option<MemberId>, limit: i64) -> Result<Vec<Listed>> {
    store::operators::list(conn, after, limit).await
}

/// What operators set about a member's sign-in, and the open sessions, the one that was used last first.
///
/// # Errors
/// As the database.
pub async fn sessions(pool: &UserPool, conn: &mut PgConnection, id: MemberId) -> Result<(Standing, Vec<SignIn>)> {
    let sessions = store::sign_ins::list(conn, id, SESSIONS_MOST, pool.deps.clock.now()).await?;
    Ok((store::operators::standing(conn, id).await?, sessions))
}

/// What a sign-in asks of a member beside the password.
///
/// # Errors
/// As the database.
pub async fn guards(conn: &mut PgConnection, id: MemberId) -> Result<Guards> {
    store::operators::guards(conn, id).await
}

/// Reads a member to be made: the address, the name (or its parts) and the zone.
///
/// # Errors
/// INVALID_PARAMETER with what is wrong.
pub fn read(email: &str, (name, given, family): (&str, &str, &str), zone: &str, password: String) -> Result<SignUp> {
    if !rules::is_email(email.trim()) {
        return Err(rules::invalid("--email: must be a valid email address"));
    }
    let time_zone = rules::zone(zone).ok_or_else(|| rules::invalid("--zone: must be an IANA time zone like America/New_York"))?;
    Ok(SignUp { email: email.trim().to_owned(), password, name: rules::name(name, given, family)?, time_zone, invitation: None })
}

/// Does the arithmetic for a member to be made.
///
/// # Errors
/// UNAVAILABLE when no core is free.
pub async fn prepare(pool: &UserPool, new: &SignUp) -> Result<Prepared> {
    sign_up::prepare(pool, new, None).await.map(Prepared)
}

/// Makes a member with a confirmed address and a password that is temporary. Registrations that wait at the address are dropped.
///
/// # Errors
/// USERNAME_EXISTS.
pub async fn create(pool: &UserPool, tx: &mut Tx, Prepared(new): &Prepared) -> Result<(MemberId, OffsetDateTime)> {
    let now = pool.deps.clock.now();
    let until = now + pool.settings.lives.temporary_password;
    store::registrations::lock_at(tx, &new.email).await?;
    if !sign_up::admit(pool, tx, new, now).await? {
        return Err(Error::new(Reason::UsernameExists, "a member with this address already exists"));
    }
    store::registrations::remove_at(tx, &new.email).await?;
    let verifier = Verifier { salt: new.salt.clone(), sealed: new.sealed.clone() };
    store::operators::put_temporary(tx, new.id, &verifier, until, now).await?;
    Ok((new.id, until))
}

/// A new temporary password of a member, with the arithmetic done.
///
/// # Errors
/// UNAVAILABLE when no core is free.
pub async fn prepare_password(pool: &UserPool, id: MemberId, password: &str) -> Result<Verifier> {
    sign_up::verifier_of(pool, id, password).await
}

/// Sets a temporary password and ends every session; wrong tries are forgotten, and a code for a new password is void. Until when it is good.
///
/// # Errors
/// NOT_FOUND.
pub async fn reset_password(pool: &UserPool, tx: &mut Tx, member: &Member, new: &Verifier) -> Result<(OffsetDateTime, usize)> {
    let now = pool.deps.clock.now();
    let until = now + pool.settings.lives.temporary_password;
    // The tries of the password before the member, in one order, as a sign-in locks them.
    let names: BTreeSet<Subject> = [member.email.clone(), member.id.to_string()].iter().map(|name| pool.subject(name)).collect();
    for subject in &names {
        store::attempts::clear(tx, subject, Kind::Password).await?;
    }
    lock(tx, member.id).await?;
    store::operators::put_temporary(tx, member.id, new, until, now).await?;
    store::codes::void(tx, member.id, now).await?;
    store::factors::void_off(tx, member.id).await?;
    store::awaited::remove_all(tx, member.id).await?;
    store::devices::remember_none(tx, member.id, now).await?;
    let ended = refresh::end(tx, member.id, None, now).await?;
    Ok((until, ended.len()))
}

/// Keeps a member from signing in, and ends every session. Whether that is a change, and how many sessions ended.
///
/// # Errors
/// NOT_FOUND.
pub async fn disable(pool: &UserPool, tx: &mut Tx, id: MemberId) -> Result<(bool, usize)> {
    let now = pool.deps.clock.now();
    lock(tx, id).await?;
    let changed = store::operators::put_disabled(tx, id, Some(now)).await?;
    store::awaited::remove_all(tx, id).await?;
    let ended = refresh::end(tx, id, None, now).await?;
    Ok((changed, ended.len()))
}

/// Lets a member sign in again. Whether that is a change.
///
/// # Errors
/// NOT_FOUND.
pub async fn enable(tx: &mut Tx, id: MemberId) -> Result<bool> {
    lock(tx, id).await?;
    store::operators::put_disabled(tx, id, None).await
}

/// Ends every session of a member. How many were open.
///
/// # Errors
/// NOT_FOUND.
pub async fn sign_out(pool: &UserPool, tx: &mut Tx, id: MemberId) -> Result<usize> {
    lock(tx, id).await?;
    let now = pool.deps.clock.now();
    store::accounts::begin_anew(tx, id, now).await?;
    store::factors::void_off(tx, id).await?;
    store::awaited::remove_all(tx, id).await?;
    Ok(refresh::end(tx, id, None, now).await?.len())
}

async fn lock(tx: &mut Tx, id: MemberId) -> Result<()> {
    if store::accounts::lock(tx, id).await? { Ok(()) } else { Err(Error::not_found("member")) }
}

/// Letters and digits that nobody takes for another.
const ALPHABET: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const GROUP: usize = 4;
const GROUPS: usize = 5;

/// A password that is read out or typed once: groups of four, of any kind of character that a policy may ask for; longer where it asks for more.
pub fn temporary_password(pool: &UserPool) -> String {
    spell(&pool.deps.ids, pool.settings.password_policy.chars_min)
}

fn spell(ids: &Ids, chars_min: usize) -> String {
    let groups = GROUPS.max(chars_min.div_ceil(GROUP));
    loop {
        let drawn: Vec<String> = (0..groups).map(|_| (0..GROUP).map(|_| letter(ids)).collect()).collect();
        let password = drawn.join("-");
        let has = |is: fn(&char) -> bool| password.chars().any(|c| is(&c));
        if has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit) {
            return password;
        }
    }
}

/// Each as likely as the others: bytes above the last whole round of the alphabet are drawn again.
fn letter(ids: &Ids) -> char {
    loop {
        let [byte] = ids.bytes::<1>();
        let at = usize::from(byte);
        if at < 256 / ALPHABET.len() * ALPHABET.len() {
            return char::from(*ALPHABET.get(at % ALPHABET.len()).unwrap_or(&b'A'));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock::Clock, identity::PasswordPolicy};
    use time::{Duration, macros::datetime};

    #[test]
    fn a_temporary_password_is_long_clear_and_fits_every_policy() {
        let ids = Ids::seeded(Clock::system(), 1);
        for chars_min in [8, 24, 128] {
            let strict = PasswordPolicy { chars_min, upper: true, lower: true, digit: true, symbol: true };
            for _ in 0..200 {
                let password = spell(&ids, chars_min);
                assert!(strict.check(&password).is_ok() && password.len() >= 24, "{password}");
                assert!(!password.contains(['0', 'O', '1', 'l', 'I', 'o', 'L']), "{password}");
            }
        }
    }

    #[test]
    fn every_letter_is_drawn() {
        let ids = Ids::seeded(Clock::system(), 1);
        let drawn: BTreeSet<char> = (0..5000).map(|_| letter(&ids)).collect();
        assert_eq!(drawn.len(), ALPHABET.len());
    }

    #[test]
    fn a_standing_is_told_in_a_word() {
        let now = datetime!(2026-03-01 12:00 UTC);
        let (past, later) = (Some(now), Some(now + Duration::SECOND));
        for (disabled_at, temporary_until, word) in [
            (None, None, "active"),
            (None, later, "temporary-password"),
            (None, past, "temporary-password-expired"),
            (past, later, "disabled"),
        ] {
            assert_eq!(Standing { disabled_at, temporary_until }.word(now), word);
        }
    }
}
