//! Second factors, and the codes that stand in for them.

use crate::{
    error::Result,
    identity::steps::Factor,
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// The second factors of a member, and what they are sent to.
#[derive(Default)]
pub struct Factors {
    /// The authenticator's secret, sealed.
    pub totp: Option<Vec<u8>>,
    /// What the member calls the authenticator.
    pub totp_name: String,
    /// Whether it is asked for.
    pub totp_on: bool,
    /// A secret that waits for its first code, sealed.
    pub made: Option<Vec<u8>>,
    /// Who made it: a session or a sign-in.
    pub made_by: Option<Uuid>,
    /// The session that set the authenticator up, or turned it off.
    pub set_up_by: Option<Uuid>,
    /// Whether SMS is asked for.
    pub sms_on: bool,
    /// Which is asked for first.
    pub preferred: Option<Factor>,
    /// The verified number, in E.164.
    pub phone: Option<String>,
}

/// Those of a member.
pub async fn of(conn: &mut PgConnection, member: MemberId) -> Result<Factors> {
    let row = sqlx::query!(
        r#"SELECT f.totp_sealed AS "totp_sealed?", f.totp_name AS "totp_name?", f.totp_on AS "totp_on?",
                  f.made_sealed AS "made_sealed?", f.made_by AS "made_by?", f.set_up_by AS "set_up_by?", f.sms_on AS "sms_on?", f.preferred AS "preferred?",
                  CASE WHEN m.phone_verified_at IS NOT NULL THEN m.phone_e164 END AS phone
           FROM members m
           LEFT JOIN second_factors f ON f.member_id = m.id
           WHERE m.id = $1 AND m.status = 'confirmed'
           LIMIT 1"#,
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or_else(Factors::default, |r| Factors {
        totp: r.totp_sealed,
        totp_name: r.totp_name.unwrap_or_default(),
        totp_on: r.totp_on.unwrap_or_default(),
        made: r.made_sealed,
        made_by: r.made_by,
        set_up_by: r.set_up_by,
        sms_on: r.sms_on.unwrap_or_default(),
        preferred: match r.preferred.as_deref() {
            Some("totp") => Some(Factor::Totp),
            Some("sms") => Some(Factor::Sms),
            _ => None,
        },
        phone: r.phone,
    }))
}

/// Keeps a new secret until its first code; the one that waited before is void.
pub async fn put_made(conn: &mut PgConnection, member: MemberId, sealed: &[u8], by: Uuid) -> Result<()> {
    sqlx::query!(
        "INSERT INTO second_factors (member_id, made_sealed, made_by)
         VALUES ($1, $2, $3)
         ON CONFLICT (member_id) DO UPDATE
         SET made_sealed = $2, made_by = $3",
        member.0,
        sealed,
        by,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes the secret that waited the authenticator's, after its first code. `false` when it is not that one any more.
pub async fn adopt(conn: &mut PgConnection, member: MemberId, sealed: &[u8], (name, period): (&str, i64)) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE second_factors
         SET totp_sealed = made_sealed, set_up_by = made_by, made_sealed = NULL, made_by = NULL, totp_name = $3, totp_used_period = $4
         WHERE member_id = $1 AND made_sealed = $2",
        member.0,
        sealed,
        name,
        period,
    )
    .execute(&mut *conn)
    .await?;
    // They were the copy of the one before.
    remove_recovery(conn, member).await?;
    Ok(done.rows_affected() == 1)
}

/// Sets what is asked for.
pub async fn prefer(conn: &mut PgConnection, member: MemberId, (totp, sms): (bool, bool), preferred: Option<Factor>) -> Result<()> {
    let preferred = preferred.map(|factor| match factor {
        Factor::Totp => "totp",
        Factor::Sms => "sms",
    });
    // In two: what is not there would be checked as if it had no authenticator.
    sqlx::query!(
        "INSERT INTO second_factors (member_id)
         VALUES ($1)
         ON CONFLICT DO NOTHING",
        member.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE second_factors
         SET totp_on = $2, sms_on = $3, preferred = $4
         WHERE member_id = $1",
        member.0,
        totp,
        sms,
        preferred,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes who may turn the authenticator on again, which was turned off.
pub async fn put_off_by(conn: &mut PgConnection, member: MemberId, session: SessionId) -> Result<()> {
    sqlx::query!("UPDATE second_factors SET set_up_by = $2 WHERE member_id = $1", member.0, session.0).execute(conn).await?;
    Ok(())
}

/// Takes away an authenticator that is off, one that waits for its first code, and the codes that would stand in for either: whoever is let in
/// from now on sets up their own.
pub async fn void_off(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "UPDATE second_factors
         SET made_sealed = NULL,
             made_by = NULL,
             set_up_by = NULL,
             totp_sealed = CASE WHEN totp_on THEN totp_sealed END,
             totp_name = CASE WHEN totp_on THEN totp_name ELSE '' END,
             totp_used_period = CASE WHEN totp_on THEN totp_used_period ELSE 0 END
         WHERE member_id = $1 AND (made_sealed IS NOT NULL OR (totp_sealed IS NOT NULL AND NOT totp_on))",
        member.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "DELETE FROM recovery_codes
         WHERE member_id = $1 AND NOT EXISTS (SELECT FROM second_factors WHERE member_id = $1 AND totp_on)",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes all of them away, with the codes that stand in for them. Whether there were any.
pub async fn remove(conn: &mut PgConnection, member: MemberId) -> Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM second_factors
         WHERE member_id = $1",
        member.0,
    )
    .execute(&mut *conn)
    .await?;
    remove_recovery(conn, member).await?;
    Ok(done.rows_affected() == 1)
}

/// Uses the code of a period up. `false` when one of it, or of a later one, was used before.
pub async fn use_period(conn: &mut PgConnection, member: MemberId, period: i64) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE second_factors
         SET totp_used_period = $2
         WHERE member_id = $1 AND totp_used_period < $2",
        member.0,
        period,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes away the codes for who has lost the authenticator.
pub async fn remove_recovery(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM recovery_codes
         WHERE member_id = $1",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets the codes for who has lost the authenticator; those before are void.
pub async fn put_recovery(conn: &mut PgConnection, member: MemberId, ids: &[Uuid], now: OffsetDateTime) -> Result<()> {
    remove_recovery(conn, member).await?;
    sqlx::query!(
        "INSERT INTO recovery_codes (member_id, id, created_at)
         SELECT $1, id, $3
         FROM unnest($2::uuid[]) AS new (id)",
        member.0,
        ids,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Those that were not used yet.
pub async fn recovery(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Uuid>> {
    let ids = sqlx::query_scalar!(
        "SELECT id
         FROM recovery_codes
         WHERE member_id = $1 AND used_at IS NULL
         LIMIT 100",
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids)
}

/// Uses one up. `false` when it was used before.
pub async fn use_recovery(conn: &mut PgConnection, member: MemberId, id: Uuid, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE recovery_codes
         SET used_at = $3
         WHERE member_id = $1 AND id = $2 AND used_at IS NULL",
        member.0,
        id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
