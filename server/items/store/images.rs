//! Statements on the pictures of items.

use crate::{
    error::Result,
    ids::{ItemId, PictureId},
};
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// The main picture of each of some items that have one.
///
/// # Errors
/// As the database.
pub async fn main_images(conn: &mut PgConnection, items: &[ItemId]) -> Result<HashMap<ItemId, PictureId>> {
    let items: Vec<Uuid> = items.iter().map(|item| item.0).collect();
    let rows = sqlx::query!(
        "SELECT DISTINCT ON (item_id) item_id, id
         FROM item_images
         WHERE item_id = ANY($1)
         ORDER BY item_id, position
         LIMIT cardinality($1)",
        &items,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (ItemId(row.item_id), PictureId(row.id))).collect())
}
