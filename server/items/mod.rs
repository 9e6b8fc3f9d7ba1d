//! Items: things that members lend. Who may see one, what is told of it, and in which days it is not lent.

mod account_deletion;
mod blackouts;
mod changes;
mod form;
mod hooks;
mod images;
mod lists;
mod rules;
mod service;
mod show;
mod store;
mod wire;

pub use account_deletion::Hooks;
pub use blackouts::Sweep;
pub use form::check_terms;
pub use hooks::{Hook, Reputation, Repute};
pub use images::add_drawn;
pub use rules::{Beholder, Seen, may_see, not_found, seen};
pub use service::Service;
pub use store::{blackouts, has_public, item, lock, main_images, remove_forgotten, shared};
pub use wire::category_word;

use crate::{
    days::Days,
    error::Result,
    identity::Shown,
    ids::{GroupId, ItemId, MemberId, PictureId},
    money::{Cents, Currency},
    pictures::{Pictures, Size},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Whether others can find an item, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Status {
    /// New, and never listed: its owner's alone.
    Draft,
    /// Others find it and may ask for it.
    Listed,
    /// Taken off the list: who may see it still does.
    Unlisted,
    /// Removed. Only the history of its rentals tells of it.
    Deleted,
}

/// Who may see an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Visibility {
    /// The owner's friends.
    Friends,
    /// Every member.
    Public,
}

/// What kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Category {
    /// Electronics.
    Electronics,
    /// Sports & Outdoors.
    Sports,
    /// Tools & Equipment.
    Tools,
    /// Transportation.
    Transportation,
    /// Home & Garden.
    Home,
    /// Entertainment.
    Entertainment,
    /// Fashion & Accessories.
    Fashion,
    /// Anything else.
    Other,
}

/// What notice the owner expects of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type, serde::Serialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Policy {
    /// Flexible.
    Flex,
    /// Moderate.
    Moderate,
    /// Strict.
    Strict,
}

/// What an owner may write and change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What it is.
    pub title: String,
    /// More about it.
    pub description: String,
    /// What kind of thing.
    pub category: Category,
    /// A reference link; empty means none.
    pub url: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// The price of a day.
    pub price: Cents,
    /// The deposit.
    pub deposit: Cents,
    /// In which currency both are.
    pub currency: Currency,
    /// For how many days it may be borrowed at most, both end days counted; 0 means no limit.
    pub max_days: i16,
    /// What notice the owner expects.
    pub policy: Policy,
    /// Where it is; empty means not said.
    pub city: String,
}

/// A thing that is lent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// Whose it is.
    pub owner: MemberId,
    /// What its owner wrote.
    pub content: Content,
    /// Whether only members of some groups of the owner may see it.
    pub narrowed: bool,
    /// Whether others can find it.
    pub status: Status,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it last changed.
    pub updated_at: OffsetDateTime,
    /// When others could first see it.
    pub listed_at: Option<OffsetDateTime>,
}

/// An item, and what is told beside it.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The item.
    pub item: Item,
    /// Its pictures in the owner's order.
    pub images: Vec<PictureId>,
    /// The groups to which it is narrowed. Read for the owner alone.
    pub groups: Vec<GroupId>,
    /// Whose it is, without the address; `None` when they have no account any more.
    pub owner: Option<Shown>,
    /// How many items they list now.
    pub shared: i64,
}

/// How many items a member has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All that were not removed.
    pub all: i64,
    /// Those that are listed.
    pub listed: i64,
}

/// Owns what there is not.
const NOBODY: MemberId = MemberId(Uuid::nil());

/// What a member may see of an item, as it is now.
///
/// # Errors
/// As the database.
pub async fn seen_by(conn: &mut PgConnection, caller: MemberId, item: &Item) -> Result<Seen> {
    let beholder = if item.owner == caller { rules::Beholder::OWNER } else { store::beholder(conn, caller, (item.id, item.owner)).await? };
    Ok(rules::seen(item.status, item.content.visibility, item.narrowed, beholder))
}

/// An item, and what a member may see of it.
///
/// # Errors
/// NOT_FOUND where there is none. How long that takes does not tell whether there is one that is not for them.
pub async fn find(conn: &mut PgConnection, caller: MemberId, id: ItemId) -> Result<(Item, Seen)> {
    let Some(item) = store::item(conn, id).await? else {
        store::beholder(conn, caller, (id, NOBODY)).await?;
        return Err(not_found());
    };
    let seen = seen_by(conn, caller, &item).await?;
    Ok((item, seen))
}

/// An item of a member's own.
///
/// # Errors
/// NOT_FOUND for all others.
pub async fn own(conn: &mut PgConnection, owner: MemberId, id: ItemId) -> Result<Item> {
    let item = store::item(conn, id).await?;
    item.filter(|item| item.owner == owner && item.status != Status::Deleted).ok_or_else(not_found)
}

/// The address of an item's picture as lists show it; empty for none.
pub fn face(pictures: &Pictures, image: Option<PictureId>) -> String {
    image.map(|id| pictures.address(id, Size::Medium)).unwrap_or_default()
}

/// The same as cards show it.
fn card(pictures: &Pictures, image: Option<PictureId>) -> String {
    image.map(|id| pictures.address(id, Size::Card)).unwrap_or_default()
}

/// The first of some days that a range meets, if any.
pub fn met(days: &[Days], range: Days) -> Option<Days> {
    days.iter().copied().find(|other| other.overlaps(range))
}
