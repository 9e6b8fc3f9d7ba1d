//! What is counted of items.

use super::super::{Counts, Status};
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;

/// How many items a member has, those that were removed left out.
pub async fn count(conn: &mut PgConnection, owner: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM items
           WHERE owner_id = $1 AND status <> 'deleted'
           LIMIT 1"#,
        owner.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// The same by status.
pub async fn counts(conn: &mut PgConnection, owner: MemberId) -> Result<Counts> {
    let counts = sqlx::query_as!(
        Counts,
        r#"SELECT count(*) AS "all!", count(*) FILTER (WHERE status = $2) AS "listed!"
           FROM items
           WHERE owner_id = $1 AND status <> 'deleted'
           LIMIT 1"#,
        owner.0,
        Status::Listed as Status,
    )
    .fetch_one(conn)
    .await?;
    Ok(counts)
}

/// How many items a member lists now.
///
/// # Errors
/// As the database.
pub async fn shared(conn: &mut PgConnection, owner: MemberId) -> Result<i64> {
    Ok(counts(conn, owner).await?.listed)
}

/// Whether a member has something that every member may see who is not blocked.
///
/// # Errors
/// As the database.
pub async fn has_public(conn: &mut PgConnection, owner: MemberId) -> Result<bool> {
    let has = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM items
               WHERE owner_id = $1 AND status IN ('listed', 'unlisted') AND visibility = 'public' AND NOT narrowed
           ) AS "has!"
           LIMIT 1"#,
        owner.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(has)
}
