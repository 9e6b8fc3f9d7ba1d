//! Items as they are answered: with what is counted of their owners, and with what the caller may do.

use super::{Seen, Whole, rules, service::Service, store, wire};
use crate::{
    error::Result,
    ids::{ItemId, MemberId},
    pb::items as pb,
};
use sqlx::PgConnection;
use std::collections::{BTreeSet, HashSet};

impl Service {
    /// An item as the caller may see it.
    ///
    /// # Errors
    /// NOT_FOUND, FRIENDS_ONLY.
    pub(super) async fn shown(&self, conn: &mut PgConnection, me: MemberId, id: ItemId) -> Result<pb::Item> {
        let (_, seen) = super::find(conn, me, id).await?;
        rules::may_see(seen)?;
        let whole = store::whole(conn, me, id).await?.ok_or_else(rules::not_found)?;
        self.all(conn, vec![whole], seen).await?.pop().ok_or_else(rules::not_found)
    }

    /// Items that are all seen in the same way.
    pub(super) async fn all(&self, conn: &mut PgConnection, wholes: Vec<Whole>, seen: Seen) -> Result<Vec<pb::Item>> {
        if wholes.is_empty() {
            return Ok(Vec::new());
        }
        let owners: BTreeSet<MemberId> = wholes.iter().map(|whole| whole.item.owner).collect();
        let reputes = self.reputation.of(conn, &owners.into_iter().collect::<Vec<_>>()).await?;
        let busy = if seen == Seen::Owner { self.busy(conn, &wholes).await? } else { HashSet::new() };
        let show = |whole: Whole| {
            let (repute, is_busy) = (reputes.get(&whole.item.owner).copied().unwrap_or_default(), busy.contains(&whole.item.id));
            wire::item(whole, seen, repute, is_busy, &self.deps.pictures)
        };
        Ok(wholes.into_iter().map(show).collect())
    }

    async fn busy(&self, conn: &mut PgConnection, wholes: &[Whole]) -> Result<HashSet<ItemId>> {
        let ids: Vec<ItemId> = wholes.iter().map(|whole| whole.item.id).collect();
        let mut busy = HashSet::new();
        for hook in self.hooks.iter() {
            busy.extend(hook.busy(conn, &ids).await?);
        }
        Ok(busy)
    }
}
