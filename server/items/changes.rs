//! What owners write: making items, changing them, listing them and taking them off the list, removing them. Each in one transaction.

use super::{
    Item, Status,
    form::{self, Changes, New},
    rules,
    service::Service,
    store,
};
use crate::{
    budgets::{self, Spending, Subject},
    db::Tx,
    error::{Error, Result},
    groups, idempotency,
    identity::store as members,
    ids::{GroupId, ItemId, MemberId},
    notifications::{self, Told},
    pb::{items as pb, notifications::TargetKind},
    pictures, transact,
};
use sqlx::PgConnection;

impl Service {
    pub(super) async fn create(&self, me: MemberId, key: Option<&idempotency::Use>, new: &New) -> Result<pb::CreateItemResponse> {
        form::check(&new.content)?;
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return Ok(answer);
            }
            // Also what makes two at once wait for each other: the number of items is counted once.
            budgets::spend(tx, now, &Spending { subject: Subject::member(me), budget: budgets::ITEMS_OF_MEMBER }).await?;
            // Who is leaving at this moment leaves nothing behind.
            if members::share(tx, &[me]).await?.is_empty() {
                return Err(Error::unauthenticated());
            }
            form::of_own(&new.groups, &own_groups(tx, me, &new.groups).await?, &[])?;
            form::one_more(store::count(tx, me).await?)?;
            let id: ItemId = self.deps.ids.id();
            store::insert(tx, id, me, new, now).await?;
            store::set_groups(tx, id, &new.groups).await?;
            notifications::changed(tx, me, TargetKind::Item, id.0);
            let answer = pb::CreateItemResponse { item: Some(self.shown(tx, me, id).await?) };
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    pub(super) async fn update(&self, me: MemberId, id: ItemId, changes: &Changes) -> Result<pb::Item> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            let asked = changes.groups.as_deref().unwrap_or_default();
            let own = own_groups(tx, me, asked).await?;
            let old = owned(tx, me, id).await?;
            let before = store::groups(tx, id).await?;
            form::of_own(asked, &own, &before)?;
            let content = changes.apply(&old.content);
            form::check(&content)?;
            let (groups, to) = (changes.groups.as_ref().unwrap_or(&before), changes.status.and_then(|to| rules::next(old.status, to)));
            // One that is narrowed to groups which are gone stays so until its owner says otherwise.
            let narrowed = changes.groups.as_ref().map_or(old.narrowed, |groups| !groups.is_empty());
            if content == old.content && narrowed == old.narrowed && form::same(groups, &before) && to.is_none() {
                return self.shown(tx, me, id).await;
            }
            store::update(tx, id, &content, narrowed, now).await?;
            store::set_groups(tx, id, groups).await?;
            if let Some(to) = to {
                store::move_to(tx, id, (old.status, to), now).await?;
            }
            notifications::changed(tx, me, TargetKind::Item, id.0);
            self.shown(tx, me, id).await
        })
    }

    pub(super) async fn delete(&self, me: MemberId, id: ItemId) -> Result<()> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            let item = store::lock(tx, id).await?.filter(|item| item.owner == me).ok_or_else(rules::not_found)?;
            if item.status == Status::Deleted {
                return Ok(());
            }
            store::move_to(tx, id, (item.status, Status::Deleted), now).await?;
            let images = store::remove_beside(tx, id).await?;
            let mut told = Told::default();
            for hook in self.hooks.iter() {
                let more = hook.removing(tx, &item, now).await?;
                told.news.extend(more.news);
                told.settled.extend(more.settled);
            }
            pictures::drop_some(tx, me, &images, now).await?;
            notifications::tell(tx, &self.deps, &told.news, &told.settled).await?;
            notifications::changed(tx, me, TargetKind::Item, id.0);
            if !images.is_empty() {
                pictures::clear(tx, me, now).await?;
            }
            Ok(())
        })
    }
}

/// An item of the caller's, locked. What is another's, or was removed, does not exist for them.
pub(super) async fn owned(tx: &mut Tx, me: MemberId, id: ItemId) -> Result<Item> {
    let item = store::lock(tx, id).await?;
    item.filter(|item| item.owner == me && item.status != Status::Deleted).ok_or_else(rules::not_found)
}

/// Those of some groups that are a member's.
async fn own_groups(conn: &mut PgConnection, me: MemberId, groups: &[GroupId]) -> Result<Vec<GroupId>> {
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    Ok(groups::named(conn, me, groups).await?.into_iter().map(|group| group.id).collect())
}
