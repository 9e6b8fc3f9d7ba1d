//! Members as operators see them, and what they set.

use super::accounts::Verifier;
use crate::{
    error::Result,
    identity::operations::{Guards, Listed, Standing},
    ids::MemberId,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// The members after one, by when they joined, the first of all first; after `None`, from the start.
pub async fn list(conn: &mut PgConnection, after: Option<MemberId>, limit: i64) -> Result<Vec<Listed>> {
    let rows = sqlx::query!(
        r#"SELECT m.id, m.email, m.name, m.created_at, m.disabled_at, v.temporary_until AS "temporary_until?"
           FROM members m
           LEFT JOIN verifiers v ON v.member_id = m.id
           WHERE m.status = 'confirmed'
             AND ($1::uuid IS NULL OR (m.created_at, m.id) > (SELECT a.created_at, a.id FROM members a WHERE a.id = $1))
           ORDER BY m.created_at, m.id
           LIMIT $2"#,
        after.map(|id| id.0),
        limit,
    )
    .fetch_all(conn)
    .await?;
    let listed = rows.into_iter().map(|r| Listed {
        id: MemberId(r.id),
        email: r.email,
        name: r.name,
        created_at: r.created_at,
        standing: Standing { disabled_at: r.disabled_at, temporary_until: r.temporary_until },
    });
    Ok(listed.collect())
}

/// How it stands with a member's sign-in.
pub async fn standing(conn: &mut PgConnection, id: MemberId) -> Result<Standing> {
    let row = sqlx::query_as!(
        Standing,
        r#"SELECT m.disabled_at, v.temporary_until AS "temporary_until?"
           FROM members m
           LEFT JOIN verifiers v ON v.member_id = m.id
           WHERE m.id = $1
           LIMIT 1"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.unwrap_or_default())
}

/// What a sign-in asks of a member beside the password.
pub async fn guards(conn: &mut PgConnection, id: MemberId) -> Result<Guards> {
    let row = sqlx::query_as!(
        Guards,
        r#"SELECT COALESCE(f.totp_on, false) AS "authenticator!", COALESCE(f.sms_on, false) AS "sms!",
                  (SELECT count(*) FROM recovery_codes r WHERE r.member_id = m.id AND r.used_at IS NULL) AS "recovery_codes!",
                  (SELECT count(*) FROM devices d WHERE d.member_id = m.id AND d.sealed IS NOT NULL) AS "devices!"
           FROM members m
           LEFT JOIN second_factors f ON f.member_id = m.id
           WHERE m.id = $1
           LIMIT 1"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.unwrap_or_default())
}

/// Sets a password that lets a member in until an instant, to set their own.
pub async fn put_temporary(
    conn: &mut PgConnection,
    id: MemberId,
    new: &Verifier,
    until: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "UPDATE verifiers
         SET salt = $2, sealed = $3, temporary_until = $4, created_at = $5
         WHERE member_id = $1",
        id.0,
        new.salt,
        new.sealed,
        until,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps a locked member from signing in from an instant on, or lets them in again. Whether that is a change.
pub async fn put_disabled(conn: &mut PgConnection, id: MemberId, at: Option<OffsetDateTime>) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE members
         SET disabled_at = $2
         WHERE id = $1 AND (disabled_at IS NULL) <> ($2::timestamptz IS NULL)",
        id.0,
        at,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
