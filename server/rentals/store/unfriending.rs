//! What is between two members who part.

use crate::{
    error::Result,
    ids::{ItemId, MemberId, RentalId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// A request that waits between two members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// For which item.
    pub item: ItemId,
    /// Its id.
    pub id: RentalId,
    /// Who was asked.
    pub owner: MemberId,
    /// Who asked.
    pub borrower: MemberId,
}

/// For which items of each other two members wait.
pub async fn waiting_items(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<ItemId>> {
    let items = sqlx::query_scalar!(
        "SELECT DISTINCT item_id
         FROM rentals
         WHERE status = 'pending' AND (owner_id = $1 AND borrower_id = $2 OR owner_id = $2 AND borrower_id = $1)
         ORDER BY item_id",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(items.into_iter().map(ItemId).collect())
}

/// The requests of either to the other that wait, locked, under the locks of their items.
pub async fn lock_waiting(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<Waiting>> {
    let rows = sqlx::query!(
        "SELECT item_id, id, owner_id, borrower_id
         FROM rentals
         WHERE status = 'pending' AND (owner_id = $1 AND borrower_id = $2 OR owner_id = $2 AND borrower_id = $1)
         ORDER BY item_id, id
         FOR UPDATE",
        one.0,
        other.0,
    )
    .fetch_all(conn)
    .await?;
    let waiting = rows.into_iter().map(|row| Waiting {
        item: ItemId(row.item_id),
        id: RentalId(row.id),
        owner: MemberId(row.owner_id),
        borrower: MemberId(row.borrower_id),
    });
    Ok(waiting.collect())
}

/// Removes those of some requests that still wait. Which were removed.
pub async fn remove_waiting(conn: &mut PgConnection, requests: &[Waiting]) -> Result<Vec<RentalId>> {
    let (items, ids): (Vec<Uuid>, Vec<Uuid>) = requests.iter().map(|w| (w.item.0, w.id.0)).unzip();
    let removed = sqlx::query_scalar!(
        "DELETE FROM rentals r
         USING unnest($1::uuid[], $2::uuid[]) AS w (item_id, id)
         WHERE r.item_id = w.item_id AND r.id = w.id AND r.status = 'pending'
         RETURNING r.id",
        &items,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(removed.into_iter().map(RentalId).collect())
}
