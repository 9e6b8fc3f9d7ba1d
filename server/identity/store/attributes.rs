//! What a member says of themselves, and the addresses and numbers that wait for their codes.

use super::email_key;
use crate::{
    error::{Error, Reason, Result},
    identity::{attributes::rules::Attribute, rules::Name},
    ids::{MemberId, PictureId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// What waits for a code.
pub struct Waiting {
    /// What the digits are derived from.
    pub id: Uuid,
    /// Where they went, and what takes effect once they are given.
    pub destination: String,
    /// Whether the code can still be used.
    pub stands: bool,
    /// Whether it was.
    pub used: bool,
}

/// Writes the name and the zone. Under the member's lock.
pub async fn put_profile(conn: &mut PgConnection, member: MemberId, name: &Name, zone: &str, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET name = $2, given_name = $3, family_name = $4, time_zone = $5, updated_at = $6, profile_changed_at = $6
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        name.whole,
        name.given,
        name.family,
        zone,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the address. `false` when it is another member's.
///
/// # Errors
/// CONFLICT when it became another's at this moment.
pub async fn put_email(conn: &mut PgConnection, member: MemberId, email: &str, now: OffsetDateTime) -> Result<bool> {
    let taken = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM members WHERE email_key = $2 AND id <> $1 AND status = 'confirmed') AS "taken!""#,
        member.0,
        email_key(email),
    )
    .fetch_one(&mut *conn)
    .await?;
    if taken {
        return Ok(false);
    }
    let written = sqlx::query!(
        "UPDATE members
         SET email = $2, email_key = $3, updated_at = $4, profile_changed_at = $4
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        email,
        email_key(email),
        now,
    )
    .execute(conn)
    .await;
    lost_or(written)
}

/// Writes the number, which is verified, or takes it away. `false` when it is another member's.
///
/// # Errors
/// CONFLICT when it became another's at this moment.
pub async fn put_phone(conn: &mut PgConnection, member: MemberId, number: Option<&str>, now: OffsetDateTime) -> Result<bool> {
    let taken = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM members WHERE phone_e164 = $2 AND id <> $1 AND phone_verified_at IS NOT NULL
           ) AS "taken!""#,
        member.0,
        number,
    )
    .fetch_one(&mut *conn)
    .await?;
    if taken {
        return Ok(false);
    }
    let written = sqlx::query!(
        "UPDATE members
         SET phone_e164 = $2,
             phone_verified_at = CASE WHEN $2::text IS NULL THEN NULL ELSE $3::timestamptz END,
             updated_at = $3,
             profile_changed_at = $3
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        number,
        now,
    )
    .execute(conn)
    .await;
    lost_or(written)
}

/// Writes a number that nobody has verified. Anybody may say any.
pub async fn put_unverified_phone(conn: &mut PgConnection, member: MemberId, number: &str, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET phone_e164 = $2, phone_verified_at = NULL, updated_at = $3, profile_changed_at = $3
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        number,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the name that is shown; `None`: the first and the last one.
pub async fn put_display_name(conn: &mut PgConnection, member: MemberId, name: Option<&str>, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET display_name = $2, updated_at = $3, profile_changed_at = $3
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        name,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the picture. Under the member's lock.
pub async fn put_picture(conn: &mut PgConnection, member: MemberId, picture: Option<PictureId>, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET picture = $2, updated_at = $3, profile_changed_at = $3
         WHERE id = $1 AND status = 'confirmed'",
        member.0,
        picture.map(|id| id.to_string()),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Another took it between the look and the writing: the next look sees it.
fn lost_or(written: Result<sqlx::postgres::PgQueryResult, sqlx::Error>) -> Result<bool> {
    match written {
        Ok(_) => Ok(true),
        Err(e) if e.as_database_error().is_some_and(|e| e.is_unique_violation()) => {
            Err(Error::new(Reason::Conflict, "changed at the same time; try again"))
        }
        Err(e) => Err(e.into()),
    }
}

/// Lets a code stand; the one before was voided.
pub async fn expect(
    conn: &mut PgConnection,
    member: MemberId,
    (attribute, destination): (Attribute, &str),
    id: Uuid,
    expires_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "INSERT INTO codes (member_id, id, purpose, destination, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        member.0,
        id,
        attribute.as_str(),
        destination,
        now,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Voids the code of an attribute that stands.
pub async fn void(conn: &mut PgConnection, member: MemberId, attribute: Attribute, now: OffsetDateTime) -> Result<()> {
    void_purpose(conn, member, attribute.as_str(), now).await
}

/// Voids the code for a new password that stands.
pub async fn void_resets(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<()> {
    void_purpose(conn, member, "reset_password", now).await
}

async fn void_purpose(conn: &mut PgConnection, member: MemberId, purpose: &str, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE codes
         SET voided_at = $3
         WHERE member_id = $1 AND purpose = $2 AND used_at IS NULL AND voided_at IS NULL",
        member.0,
        purpose,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest code of an attribute, whether it stands or not.
pub async fn newest(conn: &mut PgConnection, member: MemberId, attribute: Attribute, now: OffsetDateTime) -> Result<Option<Waiting>> {
    let row = sqlx::query_as!(
        Waiting,
        r#"SELECT id, destination AS "destination!", used_at IS NULL AND voided_at IS NULL AND expires_at > $3 AS "stands!",
                  used_at IS NOT NULL AS "used!"
           FROM codes
           WHERE member_id = $1 AND purpose = $2
           ORDER BY used_at IS NULL AND voided_at IS NULL DESC, created_at DESC, id DESC
           LIMIT 1"#,
        member.0,
        attribute.as_str(),
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// Uses a code up, and keeps the address that it replaced until that was told.
pub async fn use_up(conn: &mut PgConnection, member: MemberId, id: Uuid, replaced: Option<&str>, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE codes
         SET used_at = $3, replaced = $4
         WHERE member_id = $1 AND id = $2 AND used_at IS NULL AND voided_at IS NULL",
        member.0,
        id,
        now,
        replaced,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The address that was replaced by a code.
pub async fn replaced(conn: &mut PgConnection, member: MemberId, id: Uuid) -> Result<Option<String>> {
    let row = sqlx::query_scalar!(
        "SELECT replaced
         FROM codes
         WHERE member_id = $1 AND id = $2
         LIMIT 1",
        member.0,
        id,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.flatten())
}
