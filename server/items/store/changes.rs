//! What writes items. All of it under the item's lock, or of one that nobody knows yet.

use super::super::{Category, Content, Policy, Status, Visibility, form::New};
use crate::{
    error::{Error, Reason, Result},
    ids::{GroupId, ItemId, MemberId},
    money::Currency,
    terms,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Writes a new item, a draft or listed.
pub async fn insert(conn: &mut PgConnection, id: ItemId, owner: MemberId, new: &New, now: OffsetDateTime) -> Result<()> {
    let content = &new.content;
    let status = if new.listed { Status::Listed } else { Status::Draft };
    sqlx::query!(
        "INSERT INTO items (id, owner_id, title, description, category, url, visibility, narrowed, status, price_cents, deposit_cents, currency,
                            max_days, policy, city, created_at, updated_at, listed_at, found_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, $18)",
        id.0,
        owner.0,
        content.title,
        content.description,
        content.category as Category,
        content.url,
        content.visibility as Visibility,
        !new.groups.is_empty(),
        status as Status,
        content.price.cents(),
        content.deposit.cents(),
        content.currency as Currency,
        content.max_days,
        content.policy as Policy,
        content.city,
        now,
        new.listed.then_some(now),
        terms::found_by(&content.title, &content.description),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes what an owner changed.
pub async fn update(conn: &mut PgConnection, id: ItemId, content: &Content, narrowed: bool, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE items
         SET title = $2, description = $3, category = $4, url = $5, visibility = $6, narrowed = $7, price_cents = $8, deposit_cents = $9,
             currency = $10, max_days = $11, policy = $12, city = $13, updated_at = $14, found_by = $15
         WHERE id = $1",
        id.0,
        content.title,
        content.description,
        content.category as Category,
        content.url,
        content.visibility as Visibility,
        narrowed,
        content.price.cents(),
        content.deposit.cents(),
        content.currency as Currency,
        content.max_days,
        content.policy as Policy,
        content.city,
        now,
        terms::found_by(&content.title, &content.description),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves an item from one status to another. When it is listed for the first time, its place in the feed is that moment's. Of one that is removed its
/// title alone is kept, for the history of its rentals.
///
/// # Errors
/// CONFLICT when it is not where it was.
pub async fn move_to(conn: &mut PgConnection, id: ItemId, (from, to): (Status, Status), now: OffsetDateTime) -> Result<()> {
    let moved = sqlx::query!(
        "UPDATE items
         SET status = $3, updated_at = $4, listed_at = CASE WHEN $3 = 'listed' THEN coalesce(listed_at, $4) ELSE listed_at END,
             description = CASE WHEN $3 = 'deleted' THEN '' ELSE description END,
             url = CASE WHEN $3 = 'deleted' THEN '' ELSE url END,
             city = CASE WHEN $3 = 'deleted' THEN '' ELSE city END,
             found_by = CASE WHEN $3 = 'deleted' THEN '' ELSE found_by END
         WHERE id = $1 AND status = $2",
        id.0,
        from as Status,
        to as Status,
        now,
    )
    .execute(conn)
    .await?;
    if moved.rows_affected() == 1 { Ok(()) } else { Err(Error::new(Reason::Conflict, "changed at the same time; try again")) }
}

/// Notes that something beside its fields changed.
pub async fn touch(conn: &mut PgConnection, id: ItemId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("UPDATE items SET updated_at = $2 WHERE id = $1", id.0, now).execute(conn).await?;
    Ok(())
}

/// The groups to which an item is narrowed.
pub async fn groups(conn: &mut PgConnection, id: ItemId) -> Result<Vec<GroupId>> {
    let groups =
        sqlx::query_scalar!("SELECT group_id FROM item_groups WHERE item_id = $1 ORDER BY group_id LIMIT 20", id.0).fetch_all(conn).await?;
    Ok(groups.into_iter().map(GroupId).collect())
}

/// Brings those groups to these.
pub async fn set_groups(conn: &mut PgConnection, id: ItemId, groups: &[GroupId]) -> Result<()> {
    let groups: Vec<Uuid> = groups.iter().map(|g| g.0).collect();
    sqlx::query!("DELETE FROM item_groups WHERE item_id = $1 AND group_id <> ALL($2)", id.0, &groups).execute(&mut *conn).await?;
    sqlx::query!(
        "INSERT INTO item_groups (item_id, group_id)
         SELECT $1, g.id
         FROM unnest($2::uuid[]) AS g (id)
         ON CONFLICT DO NOTHING",
        id.0,
        &groups,
    )
    .execute(conn)
    .await?;
    Ok(())
}
