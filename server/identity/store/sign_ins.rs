//! Sessions as their member sees them.

use crate::{
    error::Result,
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Where a member is signed in.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The session.
    pub id: SessionId,
    /// The application.
    pub client_id: String,
    /// The program that it was begun with; empty when it said nothing of itself.
    pub agent: String,
    /// Since when.
    pub started_at: OffsetDateTime,
    /// When it was last refreshed.
    pub refreshed_at: Option<OffsetDateTime>,
    /// When it can be refreshed no more.
    pub expires_at: OffsetDateTime,
}

/// Notes what a session was begun with.
pub async fn note(conn: &mut PgConnection, member: MemberId, id: SessionId, agent: &str) -> Result<()> {
    sqlx::query!(
        "UPDATE sessions
         SET agent = $3
         WHERE member_id = $1 AND id = $2",
        member.0,
        id.0,
        agent,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that a session was refreshed.
pub async fn refreshed(conn: &mut PgConnection, member: MemberId, id: SessionId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE sessions
         SET refreshed_at = greatest(refreshed_at, $3)
         WHERE member_id = $1 AND id = $2",
        member.0,
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Those that are open, the one that was used last first; at most `most`.
pub async fn list(conn: &mut PgConnection, member: MemberId, most: i64, now: OffsetDateTime) -> Result<Vec<SignIn>> {
    let rows = sqlx::query_as!(
        SignIn,
        r#"SELECT id AS "id: SessionId", client_id, agent, started_at, refreshed_at, expires_at
           FROM sessions
           WHERE member_id = $1 AND ended_at IS NULL AND expires_at > $2
           ORDER BY greatest(started_at, refreshed_at) DESC, id DESC
           LIMIT $3"#,
        member.0,
        now,
        most,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
