//! What changes around the open sessions of a member, and is noted in them.

use crate::{
    error::Result,
    ids::{MemberId, SessionId},
};
use sqlx::PgConnection;

/// Notes that a second factor is in force from now on, which this session has set up and no other has shown.
pub async fn precede(conn: &mut PgConnection, member: MemberId, set_up_by: Option<SessionId>) -> Result<()> {
    sqlx::query!(
        "UPDATE sessions
         SET precedes_factor = id IS DISTINCT FROM $2
         WHERE member_id = $1 AND ended_at IS NULL AND precedes_factor <> (id IS DISTINCT FROM $2)",
        member.0,
        set_up_by.map(|session| session.0),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps what the member was called until now, since clients know them by it. Of many names the latest stay.
pub async fn keep_name(conn: &mut PgConnection, member: MemberId, name: &str) -> Result<()> {
    sqlx::query!(
        "UPDATE sessions
         SET former_names = array_prepend($2::text, former_names[1:4])
         WHERE member_id = $1 AND ended_at IS NULL",
        member.0,
        name,
    )
    .execute(conn)
    .await?;
    Ok(())
}
