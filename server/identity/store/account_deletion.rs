//! Removing what an account holds. What others keep hangs on a row without anything of the member's.

use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

/// No token of an ended session is good for longer.
const SESSION_KEPT: Duration = Duration::hours(1);

/// Removes sign-ins by a provider that wait for the proof that an account is the member's, with their codes. Before the member is locked.
pub async fn remove_underway(conn: &mut PgConnection, id: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM federated_sign_ins WHERE member_id = $1", id.0).execute(conn).await?;
    Ok(())
}

/// Removes what lets the member in. Sessions stay until no token of theirs is good, so that every node hears that they have ended.
pub async fn remove_keys(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("DELETE FROM verifiers WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM codes WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM second_factors WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM recovery_codes WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM identities WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM used_secret_blocks WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    // With the sign-ins that await their proofs.
    sqlx::query!("DELETE FROM devices WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM authorization_codes WHERE member_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!(
        "UPDATE sessions
         SET network = NULL, device_id = NULL, former_names = '{}',
             expires_at = greatest(least(expires_at, $2), started_at + interval '1 microsecond')
         WHERE member_id = $1",
        id.0,
        now + SESSION_KEPT,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("DELETE FROM browser_sessions WHERE member_id = $1", id.0).execute(conn).await?;
    Ok(())
}

/// Leaves a row without anything of the member's. The address is free.
pub async fn forget(conn: &mut PgConnection, id: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE members
         SET status = 'deleted', email = 'deleted', email_key = id::text, name = 'Former member', given_name = 'Former',
             family_name = 'member',
             display_name = NULL, picture = NULL, phone_e164 = NULL, phone_verified_at = NULL, time_zone = 'UTC', disabled_at = NULL, sign_ins_since = NULL,
             confirmed_at = NULL, created_at = $2, updated_at = $2, profile_changed_at = $2
         WHERE id = $1 AND status = 'confirmed'",
        id.0,
        now,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("DELETE FROM factor_news WHERE member_id = $1", id.0).execute(conn).await?;
    Ok(())
}
