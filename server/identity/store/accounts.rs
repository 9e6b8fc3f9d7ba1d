//! Accounts as sign-up and sign-in see them: confirmed or not, with what a password is checked against.

use super::email_key;
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long an account that is not confirmed lives, and its codes with it.
pub const UNCONFIRMED_LIFE: Duration = Duration::hours(24);

/// An account that exists.
pub struct Account {
    /// The member's id, also while the account is unconfirmed.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: String,
    /// What the address is found by.
    pub email_key: String,
    /// Whether the address was confirmed.
    pub confirmed: bool,
    /// The salt of the verifier.
    pub salt: Vec<u8>,
    /// The verifier, sealed.
    pub sealed: Vec<u8>,
}

/// A new account.
pub struct NewAccount<'a> {
    /// The member's id.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: &'a str,
    /// The first name.
    pub given_name: &'a str,
    /// The last name.
    pub family_name: &'a str,
    /// An IANA zone.
    pub time_zone: &'a str,
    /// The salt of the verifier.
    pub salt: &'a [u8],
    /// The verifier, sealed.
    pub sealed: &'a [u8],
}

struct Row {
    id: Uuid,
    email: String,
    email_key: String,
    confirmed: bool,
    salt: Vec<u8>,
    sealed: Vec<u8>,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        let Row { id, email, email_key, confirmed, salt, sealed } = row;
        Self { id: MemberId(id), email, email_key, confirmed, salt, sealed }
    }
}

/// The account with this address. One that was not confirmed in time is none.
pub async fn by_email(conn: &mut PgConnection, email: &str, now: OffsetDateTime) -> Result<Option<Account>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT m.id, m.email, m.email_key, m.status = 'confirmed' AS "confirmed!", v.salt, v.sealed
           FROM members m
           JOIN verifiers v ON v.member_id = m.id
           WHERE m.email_key = $1 AND (m.status = 'confirmed' OR m.created_at > $2)
           LIMIT 1"#,
        email_key(email),
        now - UNCONFIRMED_LIFE,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Account::from))
}

/// The account with this id. One that was not confirmed in time is none.
pub async fn by_id(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<Option<Account>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT m.id, m.email, m.email_key, m.status = 'confirmed' AS "confirmed!", v.salt, v.sealed
           FROM members m
           JOIN verifiers v ON v.member_id = m.id
           WHERE m.id = $1 AND (m.status = 'confirmed' OR m.created_at > $2)
           LIMIT 1"#,
        id.0,
        now - UNCONFIRMED_LIFE,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Account::from))
}

/// Locks the account with this address, of any age, against another sign-up or confirmation.
pub async fn lock_by_email(conn: &mut PgConnection, email: &str) -> Result<()> {
    sqlx::query!(
        "SELECT id
         FROM members
         WHERE email_key = $1
         LIMIT 1
         FOR UPDATE",
        email_key(email),
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

/// Locks an account, which may be gone, and says whether it still waits to be confirmed.
pub async fn lock_unconfirmed(conn: &mut PgConnection, id: MemberId) -> Result<bool> {
    let waits = sqlx::query_scalar!(
        r#"SELECT status = 'unconfirmed' AS "waits!"
           FROM members
           WHERE id = $1
           LIMIT 1
           FOR UPDATE"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(waits == Some(true))
}

/// Removes the account with this address, with all that hangs on it, unless it is confirmed.
pub async fn remove_unconfirmed(conn: &mut PgConnection, email: &str) -> Result<()> {
    sqlx::query!(
        "DELETE FROM members
         WHERE email_key = $1 AND status = 'unconfirmed'",
        email_key(email),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes an unconfirmed account. `false` when the address was taken at the same moment.
pub async fn insert(conn: &mut PgConnection, new: &NewAccount<'_>, now: OffsetDateTime) -> Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO members (id, email, email_key, given_name, family_name, time_zone, status, created_at, updated_at, profile_changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'unconfirmed', $7, $7, $7)
         ON CONFLICT (email_key) DO NOTHING",
        new.id.0,
        new.email,
        email_key(new.email),
        new.given_name,
        new.family_name,
        new.time_zone,
        now,
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if inserted == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "INSERT INTO verifiers (member_id, salt, sealed, created_at)
         VALUES ($1, $2, $3, $4)",
        new.id.0,
        new.salt,
        new.sealed,
        now,
    )
    .execute(conn)
    .await?;
    Ok(true)
}

/// Confirms an account that waits for it.
///
/// # Errors
/// CONFLICT when it does not.
pub async fn confirm(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<()> {
    let done = sqlx::query!(
        "UPDATE members
         SET status = 'confirmed', confirmed_at = $2, updated_at = $2
         WHERE id = $1 AND status = 'unconfirmed'",
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    if done.rows_affected() == 1 {
        return Ok(());
    }
    Err(Error::new(Reason::Conflict, "changed at the same moment; try again"))
}
