//! Every SQL statement on profiles and problem_reports.

pub mod reports;

use super::Kept;
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// What is kept of a member; what is kept of everybody where nothing was written yet.
pub async fn kept(conn: &mut PgConnection, member: MemberId) -> Result<Kept> {
    let row = sqlx::query_as!(
        Kept,
        r#"SELECT country_code AS country, venmo, paypal, phone_step_done_at IS NOT NULL AS "phone_step_done!"
           FROM profiles
           WHERE member_id = $1
           LIMIT 1"#,
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.unwrap_or_default())
}

/// Writes it. The step that asks for a number stays done since the first time. Under the member's lock.
pub async fn put(conn: &mut PgConnection, member: MemberId, kept: &Kept, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO profiles AS p (member_id, country_code, venmo, paypal, phone_step_done_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (member_id) DO UPDATE
         SET country_code = $2, venmo = $3, paypal = $4, phone_step_done_at = coalesce(p.phone_step_done_at, $5)",
        member.0,
        kept.country,
        kept.venmo,
        kept.paypal,
        kept.phone_step_done.then_some(now),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes it.
pub async fn remove(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM profiles WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}
