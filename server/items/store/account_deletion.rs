//! Statements for when a member leaves, and for what is kept of them.

use super::super::Item;
use crate::{
    days::Days,
    error::Result,
    ids::{GroupId, ItemId, MemberId, PictureId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// An item with what is kept beside it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The item.
    pub item: Item,
    /// The groups to which it is narrowed.
    pub groups: Vec<GroupId>,
    /// The days in which it is not lent.
    pub blackouts: Vec<Days>,
    /// How many pictures it has.
    pub images: i64,
}

/// Locks all items of a member, and these, in the order of their ids.
pub async fn lock_all_of(conn: &mut PgConnection, owner: MemberId, also: &[ItemId]) -> Result<()> {
    let also: Vec<Uuid> = also.iter().map(|item| item.0).collect();
    sqlx::query!("SELECT id FROM items WHERE owner_id = $1 OR id = ANY($2) ORDER BY id FOR UPDATE", owner.0, &also).fetch_all(conn).await?;
    Ok(())
}

/// Removes all items of a member whose account ends. Those that others remember stay as tombstones, by their titles alone.
pub async fn remove_all_of(conn: &mut PgConnection, owner: MemberId, remembered: &[ItemId], now: OffsetDateTime) -> Result<()> {
    let remembered: Vec<Uuid> = remembered.iter().map(|item| item.0).collect();
    sqlx::query!("DELETE FROM items WHERE owner_id = $1 AND id <> ALL($2)", owner.0, &remembered).execute(&mut *conn).await?;
    sqlx::query!(
        "UPDATE items
         SET status = 'deleted', description = '', url = '', city = '', found_by = '', updated_at = $2
         WHERE owner_id = $1",
        owner.0,
        now,
    )
    .execute(&mut *conn)
    .await?;
    for item in remembered {
        super::remove_beside(conn, ItemId(item)).await?;
    }
    Ok(())
}

/// Removes those of some items that were removed, and that nobody remembers any more.
///
/// # Errors
/// As the database.
pub async fn remove_forgotten(conn: &mut PgConnection, items: &[ItemId]) -> Result<()> {
    let items: Vec<Uuid> = items.iter().map(|item| item.0).collect();
    sqlx::query!("DELETE FROM items WHERE id = ANY($1) AND status = 'deleted'", &items).execute(conn).await?;
    Ok(())
}

/// Removes what an item that is removed has beside its fields. The pictures that it had.
pub async fn remove_beside(conn: &mut PgConnection, id: ItemId) -> Result<Vec<PictureId>> {
    sqlx::query!("DELETE FROM item_groups WHERE item_id = $1", id.0).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM item_blackouts WHERE item_id = $1", id.0).execute(&mut *conn).await?;
    let images = sqlx::query_scalar!("DELETE FROM item_images WHERE item_id = $1 RETURNING id", id.0).fetch_all(conn).await?;
    Ok(images.into_iter().map(PictureId).collect())
}

/// Those of a member after an id, in the order of their ids, with those that were removed and are kept for others.
pub async fn kept_after(conn: &mut PgConnection, owner: MemberId, after: ItemId, limit: i64) -> Result<Vec<Kept>> {
    let items = super::after(conn, owner, after, limit).await?;
    let ids: Vec<Uuid> = items.iter().map(|item| item.id.0).collect();
    let beside = sqlx::query!(
        r#"SELECT i.id AS "id!",
                  ARRAY(SELECT g.group_id FROM item_groups g WHERE g.item_id = i.id ORDER BY g.group_id LIMIT 20) AS "groups!",
                  ARRAY(SELECT b.first_day FROM item_blackouts b WHERE b.item_id = i.id ORDER BY b.first_day LIMIT 100) AS "firsts!",
                  ARRAY(SELECT b.last_day FROM item_blackouts b WHERE b.item_id = i.id ORDER BY b.first_day LIMIT 100) AS "lasts!",
                  (SELECT count(*) FROM item_images m WHERE m.item_id = i.id) AS "images!"
           FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, place)
           ORDER BY i.place
           LIMIT cardinality($1)"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    let kept = items.into_iter().zip(beside).map(|(item, row)| Kept {
        item,
        groups: row.groups.into_iter().map(GroupId).collect(),
        blackouts: row.firsts.into_iter().zip(row.lasts).filter_map(|(first, last)| Days::new(first, last)).collect(),
        images: row.images,
    });
    Ok(kept.collect())
}
