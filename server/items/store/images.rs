//! Statements on the pictures of items.

use crate::{
    error::Result,
    ids::{ItemId, PictureId},
};
use sqlx::PgConnection;
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// The pictures of an item in their order, at most 10.
pub async fn images(conn: &mut PgConnection, item: ItemId) -> Result<Vec<PictureId>> {
    let images =
        sqlx::query_scalar!("SELECT id FROM item_images WHERE item_id = $1 ORDER BY position LIMIT 10", item.0).fetch_all(conn).await?;
    Ok(images.into_iter().map(PictureId).collect())
}

/// Puts a picture behind the others of its item.
pub async fn add_image(conn: &mut PgConnection, item: ItemId, image: PictureId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO item_images (item_id, id, position, created_at)
         SELECT $1, $2, count(*) + 1, $3
         FROM item_images
         WHERE item_id = $1",
        item.0,
        image.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a picture away; those behind it move up. `false` when it is not there.
pub async fn remove_image(conn: &mut PgConnection, item: ItemId, image: PictureId) -> Result<bool> {
    let place = sqlx::query_scalar!("DELETE FROM item_images WHERE item_id = $1 AND id = $2 RETURNING position", item.0, image.0)
        .fetch_optional(&mut *conn)
        .await?;
    let Some(place) = place else { return Ok(false) };
    sqlx::query!("UPDATE item_images SET position = position - 1 WHERE item_id = $1 AND position > $2", item.0, place)
        .execute(conn)
        .await?;
    Ok(true)
}

/// Puts the pictures of an item, all of which are named, in order.
pub async fn order_images(conn: &mut PgConnection, item: ItemId, images: &[PictureId]) -> Result<()> {
    let images: Vec<Uuid> = images.iter().map(|image| image.0).collect();
    sqlx::query!(
        "UPDATE item_images AS m
         SET position = o.position
         FROM unnest($2::uuid[]) WITH ORDINALITY AS o (id, position)
         WHERE m.item_id = $1 AND m.id = o.id",
        item.0,
        &images,
    )
    .execute(conn)
    .await?;
    Ok(())
}

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
