//! What two members have to do with each other in rentals.

use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;

/// What another member is to one who looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// One of the two asked to borrow something of the other's.
    pub asked: bool,
    /// The owner agreed, and it was not called off.
    pub agreed: bool,
}

/// The ties of two members.
///
/// # Errors
/// As the database.
pub async fn ties(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Ties> {
    let ties = sqlx::query_as!(
        Ties,
        r#"SELECT count(*) > 0 AS "asked!", coalesce(bool_or(status IN ('accepted', 'active', 'returned', 'completed')), false) AS "agreed!"
           FROM (
               SELECT status FROM rentals WHERE owner_id = $1 AND borrower_id = $2
               UNION ALL
               SELECT status FROM rentals WHERE owner_id = $2 AND borrower_id = $1
           ) r
           LIMIT 1"#,
        one.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(ties)
}
