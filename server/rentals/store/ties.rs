//! What two members have to do with each other in rentals.

use crate::{
    error::Result,
    ids::{MemberId, RentalId},
};
use sqlx::PgConnection;

/// What another member is to one who looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// One of the two asked to borrow something of the other's.
    pub asked: bool,
    /// The owner agreed, and it was not called off.
    pub agreed: bool,
    /// It is agreed, or out, or its return is not confirmed: a block does not end that.
    pub going_on: bool,
    /// The one who looks has to pay the other: a price or a deposit as the borrower, a deposit or a refund as the owner.
    pub is_owed: bool,
    /// The same, in one that goes on: a block does not end that.
    pub is_owed_still: bool,
}

/// The ties of two members.
///
/// # Errors
/// As the database.
pub async fn ties(conn: &mut PgConnection, viewer: MemberId, other: MemberId) -> Result<Ties> {
    let ties = sqlx::query_as!(
        Ties,
        r#"SELECT count(*) > 0 AS "asked!", coalesce(bool_or(status IN ('accepted', 'active', 'returned', 'completed')), false) AS "agreed!",
                  coalesce(bool_or(status IN ('accepted', 'active', 'returned')), false) AS "going_on!",
                  coalesce(bool_or(owes), false) AS "is_owed!",
                  coalesce(bool_or(owes AND status IN ('accepted', 'active', 'returned')), false) AS "is_owed_still!"
           FROM (
               SELECT status,
                      status = 'cancelled' AND paid_cents > 0
                      OR status IN ('returned', 'completed', 'cancelled')
                          AND deposit_received_at IS NOT NULL AND deposit_returned_at IS NULL AS owes
               FROM rentals
               WHERE owner_id = $1 AND borrower_id = $2
               UNION ALL
               SELECT status,
                      status IN ('accepted', 'active', 'returned', 'completed') AND total_cents + gratitude::bigint * 100 > paid_cents
                      OR status IN ('accepted', 'active') AND deposit_cents > 0 AND deposit_received_at IS NULL
               FROM rentals
               WHERE owner_id = $2 AND borrower_id = $1
           ) r
           LIMIT 1"#,
        viewer.0,
        other.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(ties)
}

/// What is agreed between two, and not over.
pub async fn going_on(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<RentalId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id
         FROM rentals
         WHERE ((owner_id = $1 AND borrower_id = $2) OR (owner_id = $2 AND borrower_id = $1)) AND status IN ('accepted', 'active', 'returned')
         ORDER BY id
         LIMIT 10000",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(RentalId).collect())
}
