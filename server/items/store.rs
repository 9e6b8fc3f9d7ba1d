//! Every SQL statement on items, item_groups, item_images and item_blackouts.

mod account_deletion;
mod blackouts;
mod changes;
mod figures;
mod images;
mod whole;

pub use account_deletion::{Kept, kept_after, lock_all_of, remove_all_of, remove_beside, remove_forgotten};
pub use blackouts::{blackouts, remove_past_blackouts, set_blackouts};
pub use changes::{groups, insert, move_to, set_groups, touch, update};
pub use figures::{count, counts, has_public, shared};
pub use images::{add_image, images, main_images, order_images, remove_image};
pub use whole::{Filter, feed, feed_by, feed_of, feed_with, mine, whole};

use super::{Category, Content, Item, Policy, Status, Visibility, rules::Beholder};
use crate::{
    error::Result,
    ids::{ItemId, MemberId},
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

struct Row {
    id: Uuid,
    owner_id: Uuid,
    title: String,
    description: String,
    category: Category,
    url: String,
    visibility: Visibility,
    narrowed: bool,
    status: Status,
    price_cents: i64,
    deposit_cents: i64,
    currency: Currency,
    max_days: i16,
    policy: Policy,
    city: String,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    listed_at: Option<OffsetDateTime>,
}

impl From<Row> for Item {
    fn from(row: Row) -> Self {
        Self {
            id: ItemId(row.id),
            owner: MemberId(row.owner_id),
            content: Content {
                title: row.title,
                description: row.description,
                category: row.category,
                url: row.url,
                visibility: row.visibility,
                price: Cents::from_cents(row.price_cents),
                deposit: Cents::from_cents(row.deposit_cents),
                currency: row.currency,
                max_days: row.max_days,
                policy: row.policy,
                city: row.city,
            },
            narrowed: row.narrowed,
            status: row.status,
            created_at: row.created_at,
            updated_at: row.updated_at,
            listed_at: row.listed_at,
        }
    }
}

macro_rules! items {
    ($rest:literal $(, $arg:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT i.id, i.owner_id, i.title, i.description, i.category AS "category: Category", i.url,
                      i.visibility AS "visibility: Visibility", i.narrowed, i.status AS "status: Status", i.price_cents, i.deposit_cents,
                      i.currency AS "currency: Currency", i.max_days, i.policy AS "policy: Policy", i.city, i.created_at, i.updated_at,
                      i.listed_at
               FROM items i
               "# + $rest
            $(, $arg)*
        )
    };
}

/// Locks an item until the end of the transaction, and reads it: one that was removed too, of which its rentals still tell.
///
/// # Errors
/// As the database.
pub async fn lock(conn: &mut PgConnection, id: ItemId) -> Result<Option<Item>> {
    Ok(items!("WHERE i.id = $1 LIMIT 1 FOR UPDATE", id.0).fetch_optional(conn).await?.map(Item::from))
}

/// An item, one that was removed too.
///
/// # Errors
/// As the database.
pub async fn item(conn: &mut PgConnection, id: ItemId) -> Result<Option<Item>> {
    Ok(items!("WHERE i.id = $1 LIMIT 1", id.0).fetch_optional(conn).await?.map(Item::from))
}

/// The items of a member after an id, in the order of their ids, those too that were removed.
async fn after(conn: &mut PgConnection, owner: MemberId, after: ItemId, limit: i64) -> Result<Vec<Item>> {
    let rows = items!("WHERE i.owner_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3", owner.0, after.0, limit).fetch_all(conn).await?;
    Ok(rows.into_iter().map(Item::from).collect())
}

/// What somebody else is to an item's owner.
pub async fn beholder(conn: &mut PgConnection, caller: MemberId, (item, owner): (ItemId, MemberId)) -> Result<Beholder> {
    let by = sqlx::query!(
        r#"SELECT
               EXISTS (SELECT FROM friendships WHERE member_id = $1 AND friend_id = $2) AS "is_friend!",
               EXISTS (
                   SELECT FROM blocks
                   WHERE (member_id = $1 AND other_id = $2) OR (member_id = $2 AND other_id = $1)
               ) AS "is_hidden!",
               EXISTS (
                   SELECT FROM item_groups g
                   JOIN group_members m ON m.owner_id = $2 AND m.group_id = g.group_id AND m.member_id = $1
                   WHERE g.item_id = $3
               ) AS "is_in_group!"
           LIMIT 1"#,
        caller.0,
        owner.0,
        item.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(Beholder { is_owner: false, is_friend: by.is_friend, is_hidden: by.is_hidden, is_in_group: by.is_in_group })
}
