//! What two members have to do with each other in favors.

use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;

/// What another member is to one who looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// One of the two was asked for a favor of the other's.
    pub asked: bool,
    /// One of the two helps with a favor of the other's, or did.
    pub helps: bool,
    /// One of the two helps with a favor of the other's, or has, and it is not settled yet.
    pub going_on: bool,
    /// The other one is, or was, the helper in a favor of the one who looks, which was not called off.
    pub is_helper: bool,
    /// The other one helps with such a favor, or has, and it is not settled yet.
    pub is_owed: bool,
}

/// The ties of two members. Of those who were asked for the same favor there is none.
pub async fn ties(conn: &mut PgConnection, viewer: MemberId, other: MemberId) -> Result<Ties> {
    let ties = sqlx::query_as!(
        Ties,
        r#"SELECT
               EXISTS (
                   SELECT FROM favor_recipients r
                   JOIN favors f ON f.id = r.favor_id
                   WHERE r.asked_at IS NOT NULL
                     AND ((r.member_id = $2 AND f.creator_id = $1) OR (r.member_id = $1 AND f.creator_id = $2))
               ) AS "asked!",
               EXISTS (
                   SELECT FROM favors f
                   WHERE (f.helper_id = $2 AND f.creator_id = $1) OR (f.helper_id = $1 AND f.creator_id = $2)
               ) AS "helps!",
               EXISTS (
                   SELECT FROM favors f
                   WHERE ((f.helper_id = $2 AND f.creator_id = $1) OR (f.helper_id = $1 AND f.creator_id = $2))
                     AND f.status IN ('accepted', 'completed')
               ) AS "going_on!",
               EXISTS (
                   SELECT FROM favors f
                   WHERE f.helper_id = $2 AND f.creator_id = $1 AND f.status IN ('accepted', 'completed', 'settled')
               ) AS "is_helper!",
               EXISTS (
                   SELECT FROM favors f
                   WHERE f.helper_id = $2 AND f.creator_id = $1 AND f.status IN ('accepted', 'completed')
               ) AS "is_owed!"
           LIMIT 1"#,
        viewer.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(ties)
}

/// The favors in which one of two helps the other, and which are not settled.
pub async fn going_on(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<FavorId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id
         FROM favors
         WHERE ((helper_id = $2 AND creator_id = $1) OR (helper_id = $1 AND creator_id = $2)) AND status IN ('accepted', 'completed')
         ORDER BY id
         LIMIT 10000",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(FavorId).collect())
}
