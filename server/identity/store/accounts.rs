//! Accounts as sign-in sees them: members and what waits to become one, with what a password is checked against.

use super::email_key;
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// An account that exists.
pub struct Account {
    /// The member's id, or that of a registration.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: String,
    /// Whether the address was confirmed.
    pub confirmed: bool,
    /// What its password is checked against; `None` for who signs in by a provider alone.
    pub verifier: Option<Verifier>,
}

impl Account {
    /// Whose it is and what a password is checked against; `None` when it has none.
    pub fn with_password(self) -> Option<(MemberId, Verifier)> {
        Some((self.id, self.verifier?))
    }
}

/// What a password is checked against.
#[derive(PartialEq, Eq)]
pub struct Verifier {
    /// The salt.
    pub salt: Vec<u8>,
    /// The verifier, sealed.
    pub sealed: Vec<u8>,
}

/// A new member, whose address is confirmed.
pub struct NewMember<'a> {
    /// The member's id.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: &'a str,
    /// The full name.
    pub name: &'a str,
    /// The first name.
    pub given_name: &'a str,
    /// The last name.
    pub family_name: &'a str,
    /// An IANA zone.
    pub time_zone: &'a str,
    /// What their password is checked against, if they have one.
    pub verifier: Option<Verifier>,
}

/// What there is under a name.
pub struct Found {
    /// The account, if there is one.
    pub account: Option<Account>,
    /// Where no member was found, somebody's verifier, of no meaning: it is read so that nobody takes as long to find as somebody.
    pub instead: Option<(MemberId, Verifier)>,
}

struct Row {
    id: Uuid,
    email: String,
    confirmed: bool,
    salt: Option<Vec<u8>>,
    sealed: Option<Vec<u8>>,
    sought: bool,
}

impl From<Option<Row>> for Found {
    fn from(row: Option<Row>) -> Self {
        let Some(Row { id, email, confirmed, salt, sealed, sought }) = row else { return Self { account: None, instead: None } };
        let (id, verifier) = (MemberId(id), salt.zip(sealed).map(|(salt, sealed)| Verifier { salt, sealed }));
        match sought {
            true => Self { account: Some(Account { id, email, confirmed, verifier }), instead: None },
            false => Self { account: None, instead: verifier.map(|verifier| (id, verifier)) },
        }
    }
}

/// The account with this address: the member's, else the newest of those that wait to be confirmed. `simulated` is the id that the address has
/// when it is nobody's.
pub async fn by_email(conn: &mut PgConnection, email: &str, simulated: MemberId, now: OffsetDateTime) -> Result<Found> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id AS "id!", email AS "email!", confirmed AS "confirmed!", salt, sealed, sought AS "sought!"
           FROM (
               SELECT m.id, m.email, true AS confirmed, v.salt, v.sealed, m.created_at, true AS sought
               FROM members m
               LEFT JOIN verifiers v ON v.member_id = m.id
               WHERE m.email_key = $1 AND m.status = 'confirmed'
               UNION ALL
               SELECT r.id, r.email, false, r.salt, r.sealed, r.created_at, true
               FROM registrations r
               WHERE r.email_key = $1 AND r.expires_at > $2
               UNION ALL
               SELECT * FROM (
                   SELECT v.member_id, '', false, v.salt, v.sealed, $2, false
                   FROM verifiers v
                   WHERE v.member_id >= $3
                     AND NOT EXISTS (SELECT FROM members m WHERE m.email_key = $1 AND m.status = 'confirmed')
                   ORDER BY v.member_id
                   LIMIT 1
               ) instead
           ) accounts
           ORDER BY sought DESC, confirmed DESC, created_at DESC
           LIMIT 1"#,
        email_key(email),
        now,
        simulated.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.into())
}

/// The account with this id.
pub async fn by_id(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<Found> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id AS "id!", email AS "email!", confirmed AS "confirmed!", salt, sealed, sought AS "sought!"
           FROM (
               SELECT m.id, m.email, true AS confirmed, v.salt, v.sealed, true AS sought
               FROM members m
               LEFT JOIN verifiers v ON v.member_id = m.id
               WHERE m.id = $1 AND m.status = 'confirmed'
               UNION ALL
               SELECT r.id, r.email, false, r.salt, r.sealed, true
               FROM registrations r
               WHERE r.id = $1 AND r.expires_at > $2
               UNION ALL
               SELECT * FROM (
                   SELECT v.member_id, '', false, v.salt, v.sealed, false
                   FROM verifiers v
                   WHERE v.member_id > $1
                     AND NOT EXISTS (SELECT FROM members m WHERE m.id = $1 AND m.status = 'confirmed')
                   ORDER BY v.member_id
                   LIMIT 1
               ) instead
           ) accounts
           ORDER BY sought DESC, confirmed DESC
           LIMIT 1"#,
        id.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.into())
}

/// Makes a member. `false` when the address is another's already.
pub async fn insert(conn: &mut PgConnection, new: &NewMember<'_>, now: OffsetDateTime) -> Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO members (id, email, email_key, name, given_name, family_name, time_zone, status, confirmed_at, created_at, updated_at,
                              profile_changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'confirmed', $8, $8, $8, $8)
         ON CONFLICT (email_key) DO NOTHING",
        new.id.0,
        new.email,
        email_key(new.email),
        new.name,
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
    if let Some(verifier) = &new.verifier {
        put_verifier(conn, new.id, verifier, now).await?;
    }
    Ok(true)
}

/// Locks a member, and says whether there is one.
pub async fn lock(conn: &mut PgConnection, id: MemberId) -> Result<bool> {
    let row = sqlx::query!(
        "SELECT id
         FROM members
         WHERE id = $1 AND status = 'confirmed'
         LIMIT 1
         FOR NO KEY UPDATE",
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// Sets what a member's password is checked against.
pub async fn put_verifier(conn: &mut PgConnection, id: MemberId, new: &Verifier, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO verifiers (member_id, salt, sealed, created_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (member_id) DO UPDATE
         SET salt = $2, sealed = $3, created_at = $4, temporary_until = NULL",
        id.0,
        new.salt,
        new.sealed,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether and how a member may sign in.
pub struct Admission {
    /// The salt of what the password is checked against, which every password has its own of.
    pub salt: Vec<u8>,
    /// Until when the password lets them in, if an operator set it.
    pub temporary_until: Option<OffsetDateTime>,
    /// Whether an operator keeps them out.
    pub disabled: bool,
    /// Since when what was shown of a sign-in counts.
    pub since: Option<OffsetDateTime>,
}

/// What was shown of a sign-in counts no longer.
pub async fn begin_anew(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET sign_ins_since = $2
         WHERE id = $1 AND status = 'confirmed'",
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// How it stands with a member's password, kept from being changed until the transaction ends; `None` when there is no such member.
pub async fn share_admission(conn: &mut PgConnection, id: MemberId) -> Result<Option<Admission>> {
    let row = sqlx::query_as!(
        Admission,
        r#"SELECT v.salt, v.temporary_until, m.disabled_at IS NOT NULL AS "disabled!", m.sign_ins_since AS since
         FROM members m
         JOIN verifiers v ON v.member_id = m.id
         WHERE m.id = $1 AND m.status = 'confirmed'
         LIMIT 1
         FOR SHARE OF m, v"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}
