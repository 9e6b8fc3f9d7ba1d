//! What members gave each other after a rental.

use super::super::Side;
use crate::{
    error::Result,
    ids::{ItemId, MemberId, RentalId},
};
use sqlx::PgConnection;

/// A rating that one side gives the other.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The side that rates.
    pub by: Side,
    /// The member who is rated.
    pub whom: MemberId,
    /// 1 to 5.
    pub rating: i16,
    /// The words that go with it; empty means none.
    pub note: &'a str,
}

/// Writes how a side rated the other one, whose ratings count one more, if they are a member still. Under the item's lock.
pub async fn rate(conn: &mut PgConnection, (item, id): (ItemId, RentalId), given: Given<'_>) -> Result<()> {
    let Given { by, whom, rating, note } = given;
    sqlx::query!(
        "UPDATE rentals
         SET rating_by_owner = CASE WHEN $3 THEN $4 ELSE rating_by_owner END,
             rating_by_borrower = CASE WHEN $3 THEN rating_by_borrower ELSE $4 END,
             note_by_owner = CASE WHEN $3 THEN $5 ELSE note_by_owner END,
             note_by_borrower = CASE WHEN $3 THEN note_by_borrower ELSE $5 END
         WHERE item_id = $1 AND id = $2 AND status = 'completed'",
        item.0,
        id.0,
        by == Side::Owner,
        rating,
        note,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO member_ratings AS r (member_id, count, total)
         SELECT id, 1, $2::smallint
         FROM members
         WHERE id = $1 AND status = 'confirmed'
         ON CONFLICT (member_id) DO UPDATE
         SET count = r.count + 1, total = r.total + excluded.total",
        whom.0,
        rating,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets what a member was given.
pub async fn forget_ratings(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM member_ratings WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}
