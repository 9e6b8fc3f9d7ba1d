//! What items ask of their rentals, and what becomes of rentals when an item is removed.

use super::{EventKind, news, rules, store, texts};
use crate::{
    days::Days,
    db::Tx,
    deps::Deps,
    error::{Error, Reason, Result},
    identity::store as identity,
    ids::{ItemId, MemberId},
    items::{self, Item},
    notifications::{self, Settled, Told},
    pb::notifications::TargetKind,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Hears of items, friendships and members.
pub struct Hooks(pub Deps);

#[tonic::async_trait]
impl items::Hook for Hooks {
    async fn removing(&self, tx: &mut Tx, item: &Item, now: OffsetDateTime) -> Result<Told> {
        if let Some(status) = store::promised(tx, item.id).await? {
            return Err(Error::new(Reason::WrongState, format!("this item has a rental that is {}", rules::word(status))));
        }
        let owner = identity::member(tx, item.owner).await?;
        let name = owner.map_or_else(|| texts::FORMER.to_owned(), |owner| owner.display_name());
        let declined = store::decline_waiting(tx, item.id, now).await?;
        let ids: Vec<_> = declined.iter().map(|(id, ..)| *id).collect();
        store::add_events(tx, item.id, &ids, EventKind::Declined, Some(item.owner), now).await?;
        let mut told = Told::default();
        for (id, borrower, asked_as) in declined {
            told.news.push(news::removed(id, borrower, item.owner, &name, &asked_as));
            told.settled.push(Settled { member: item.owner, about: id.0, actor: None, called_off: false, seen: true });
            notifications::changed(tx, item.owner, TargetKind::Rental, id.0);
        }
        Ok(told)
    }

    async fn booked(&self, conn: &mut PgConnection, item: ItemId, days: &[Days]) -> Result<Option<Days>> {
        store::booked(conn, item, days).await
    }

    async fn busy(&self, conn: &mut PgConnection, items: &[ItemId]) -> Result<Vec<ItemId>> {
        store::promised_of(conn, items).await
    }

    async fn concerned(&self, conn: &mut PgConnection, member: MemberId) -> Result<Vec<ItemId>> {
        store::items_of(conn, member).await
    }

    async fn remembered(&self, conn: &mut PgConnection, owner: MemberId) -> Result<Vec<ItemId>> {
        store::lent_items(conn, owner).await
    }
}
