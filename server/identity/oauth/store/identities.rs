//! Who members are at providers, and what follows from it.

use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Whom a provider knows by a name of its own.
#[derive(PartialEq, Eq)]
pub struct Found {
    /// The member.
    pub member: MemberId,
    /// Whether they came by it.
    pub made_member: bool,
    /// Whether they may sign in.
    pub enabled: bool,
}

/// The member whom a provider knows by this.
pub async fn member_at(conn: &mut PgConnection, provider: &str, subject: &str) -> Result<Option<Found>> {
    let row = sqlx::query!(
        r#"SELECT i.member_id, i.made_member, m.disabled_at IS NULL AS "enabled!"
           FROM identities i
           JOIN members m ON m.id = i.member_id
           WHERE i.provider = $1 AND i.subject = $2
           LIMIT 1"#,
        provider,
        subject,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Found { member: MemberId(r.member_id), made_member: r.made_member, enabled: r.enabled }))
}

/// Whether a member may sign in.
pub async fn is_enabled(conn: &mut PgConnection, member: MemberId) -> Result<bool> {
    let row = sqlx::query_scalar!(
        r#"SELECT disabled_at IS NULL AS "enabled!"
           FROM members
           WHERE id = $1
           LIMIT 1"#,
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.unwrap_or(false))
}

/// Makes a member known by what a provider calls them. `false` when somebody is known by it.
pub async fn insert_identity(
    conn: &mut PgConnection,
    (provider, subject): (&str, &str),
    member: MemberId,
    made_member: bool,
    now: OffsetDateTime,
) -> Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO identities (provider, subject, member_id, made_member, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
        provider,
        subject,
        member.0,
        made_member,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes it away again. `false` when they were not known by it.
pub async fn remove_identity(conn: &mut PgConnection, (provider, subject): (&str, &str), member: MemberId) -> Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM identities
         WHERE provider = $1 AND subject = $2 AND member_id = $3",
        provider,
        subject,
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// What a member is called, as a provider says.
pub struct Names<'a> {
    /// The full name.
    pub name: &'a str,
    /// The first name.
    pub given_name: &'a str,
    /// The last name.
    pub family_name: &'a str,
}

/// Lets the attributes of who came by a provider follow it. `true` when something changed.
pub async fn follow(conn: &mut PgConnection, member: MemberId, names: &Names<'_>, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE members
         SET name = $2, given_name = $3, family_name = $4, updated_at = $5, profile_changed_at = $5
         WHERE id = $1 AND (name, given_name, family_name) IS DISTINCT FROM ($2, $3, $4)",
        member.0,
        names.name,
        names.given_name,
        names.family_name,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The same of the address, unless it is another's. The one before, when it changed.
pub async fn follow_email(
    conn: &mut PgConnection,
    member: MemberId,
    email: &str,
    key: &str,
    now: OffsetDateTime,
) -> Result<Option<String>> {
    let before = sqlx::query_scalar!(
        r#"WITH before AS (SELECT id, email FROM members WHERE id = $1)
           UPDATE members m
           SET email = $2, email_key = $3, updated_at = $4, profile_changed_at = $4
           FROM before
           WHERE m.id = before.id AND m.email <> $2
             AND NOT EXISTS (SELECT 1 FROM members other WHERE other.email_key = $3 AND other.id <> $1)
           RETURNING before.email AS "email!""#,
        member.0,
        email,
        key,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(before)
}
