//! What creators write, and who is told of it, each in one transaction. What is done with a favor besides is in acts.rs.

use super::{
    Crowd, Event, EventKind, Favor, FavorStatus, Recipient, RequestType, Service,
    acts::{Act, zones},
    circle::Circle,
    form::{self, Changes, Checks, Moment},
    news::{self, Deed},
    rules::{self, Action, Role, View},
    service::not_found,
    sharing, store, timers,
    wire::{self, New},
};
use crate::{
    budgets::{self, Spending, Subject},
    db::Tx,
    error::{Error, Reason, Result},
    idempotency,
    identity::{Member, store as identity},
    ids::{FavorId, GroupId, MemberId},
    notifications,
    pb::{favors as pb, notifications::TargetKind},
    read, transact,
};
use sqlx::PgConnection;
use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

/// The most open favors of one creator.
const OPEN_MAX: i64 = 1000;

/// What is told of a change, what is settled by it, and with whom the favor is over.
pub(super) struct Tidings {
    pub told: Vec<notifications::New>,
    pub settled: Vec<notifications::Settled>,
    pub over: Option<notifications::Over>,
}

impl Service {
    pub(super) async fn create(&self, me: MemberId, key: Option<&idempotency::Use>, new: &New) -> Result<pb::CreateFavorResponse> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return Ok(answer);
            }
            self.spend(tx, me).await?;
            // Nobody leaves while they ask.
            identity::share(tx, &[me]).await?;
            let creator = member(tx, me).await?;
            let checks = Checks { posted: new.post, start: true, confirm: true };
            let is_shared = new.post && new.content.request_type == RequestType::Public;
            let circle = if is_shared {
                Circle::lock_all(tx, me, &new.groups).await?
            } else {
                Circle::lock(tx, me, &new.recipients, &new.groups).await?
            };
            let recipients = if new.post { circle.expanded(&new.recipients) } else { new.recipients.clone() };
            form::check(&new.content, recipients.len(), checks, Moment::new(now, &creator.time_zone))?;
            // Guards against floods, not an invariant: two at once may both be the last.
            if store::count_open(tx, me).await? >= OPEN_MAX {
                return Err(Error::new(Reason::LimitReached, "you have too many open favors"));
            }
            circle.of_friends(&new.recipients, &[])?;
            circle.of_own(&new.groups)?;
            form::few_enough(recipients.len())?;
            let id: FavorId = self.deps.ids.id();
            store::insert(tx, id, me, &new.content, now).await?;
            store::add_recipients(tx, id, &recipients).await?;
            let favor = if new.post {
                store::move_to(tx, id, (FavorStatus::Draft, FavorStatus::Active), me, now).await?;
                let friends = if is_shared { circle.everybody()? } else { &[] };
                self.finish(tx, &creator, id, Role::Creator, &Act { friends, ..Act::of(Action::Publish) }, None).await?
            } else {
                store::set_groups(tx, id, &new.groups).await?;
                store::add_event(tx, id, &Event { kind: EventKind::Drafted, actor: me, at: now, message: String::new() }).await?;
                notifications::changed(tx, me, TargetKind::Favor, id.0);
                let draft = self.seen(tx, me, id).await?.0;
                store::set_places(tx, &draft, &Crowd::default()).await?;
                draft
            };
            let answer = pb::CreateFavorResponse { favor: Some(self.show(me, favor)?) };
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    /// Bounds what is kept, and what others are told, by how often one member asks in a day. Before anything else is locked.
    pub(super) async fn spend(&self, tx: &mut Tx, me: MemberId) -> Result<()> {
        let budget = budgets::FAVORS_OF_MEMBER.daily(self.deps.favors_per_day);
        budgets::spend(tx, self.deps.clock.now(), &Spending { subject: Subject::member(me), budget }).await
    }

    /// Moves a favor to where a creator asks for, once it is known that they may see it.
    pub(super) async fn move_by_status(&self, me: MemberId, id: FavorId, known: &str, status: FavorStatus) -> Result<Option<pb::Favor>> {
        match rules::action_to(status) {
            Ok(action) => self.act(me, id, &Act { known, ..Act::of(action) }).await,
            Err(refused) => {
                read!(self.deps.pool, |conn| self.seen(conn, me, id).await)?;
                Err(refused)
            }
        }
    }

    /// The favor as it is now, and all whom it concerns, whose places are written.
    pub(super) async fn replaced(&self, tx: &mut Tx, me: MemberId, id: FavorId) -> Result<(Favor, Crowd)> {
        let favor = store::favor(tx, me, id).await?.ok_or_else(not_found)?;
        let crowd = store::crowd(tx, id).await?;
        let again = store::set_places(tx, &favor, &crowd).await?;
        Ok((favor, Crowd { again, ..crowd }))
    }

    /// Tells a batch with what is settled by it and with whom it is over, sets the favor's timer, and hints at the change to all others who see the favor, the actor's own
    /// clients among them.
    pub(super) async fn tell(
        &self,
        tx: &mut Tx,
        favor: &Favor,
        crowd: &Crowd,
        actor: MemberId,
        Tidings { told: batch, mut settled, over }: Tidings,
    ) -> Result<()> {
        let times = timers::set(tx, favor, actor, self.deps.clock.now()).await?;
        settled.extend(times.settled);
        notifications::tell_of_end(tx, &self.deps, &batch, &settled, over).await?;
        timers::enqueue(tx, times.wait).await?;
        let told: HashSet<MemberId> = batch.iter().map(|n| n.member).collect();
        let asked = crowd.recipients.iter().filter(|r| r.asked_at.is_some()).map(|r| r.member);
        let seers: HashSet<MemberId> = asked.chain(crowd.applicants.iter().copied()).chain([favor.creator, actor]).collect();
        for member in seers.difference(&told) {
            notifications::changed(tx, *member, TargetKind::Favor, favor.id.0);
        }
        Ok(())
    }

    pub(super) async fn remove(&self, tx: &mut Tx, me: MemberId, favor: &Favor) -> Result<()> {
        let (creator, crowd) = (member(tx, me).await?, store::crowd(tx, favor.id).await?);
        let deed = Deed::by_creator(Action::Delete, &creator, self.deps.clock.now());
        let (told, mut settled) = (news::of(&deed, favor, &crowd), news::settled(Action::Delete, favor, &crowd, me));
        settled.extend(sharing::withdrawn(tx, favor, Action::Delete, (me, None)).await?);
        store::delete(tx, favor.id).await?;
        self.tell(tx, favor, &crowd, me, Tidings { told, settled, over: None }).await
    }

    pub(super) async fn edit(&self, me: MemberId, id: FavorId, known: &str, changes: &Changes) -> Result<pb::Favor> {
        transact!(self.deps.pool, |tx| {
            let opens = opens_to_all(tx, me, id, changes).await?;
            if opens || asks_more(tx, me, id, changes).await? {
                self.spend(tx, me).await?;
            }
            let groups = changes.groups.as_deref().unwrap_or_default();
            let circle = if opens {
                Circle::lock_all(tx, me, groups).await?
            } else {
                Circle::lock(tx, me, changes.recipients.as_deref().unwrap_or_default(), groups).await?
            };
            let (old, view) = self.locked(tx, me, id).await?;
            rules::next(view, Action::Edit, true)?;
            circle.of_own(groups)?;
            let (now, creator) = (self.deps.clock.now(), member(tx, me).await?);
            let content = changes.apply(&old.content);
            let posted = old.status == FavorStatus::Active;
            let (wanted, kept) = wanted(&old, changes, &circle);
            if content == old.content && same(&wanted, &old.recipients) && same(&kept, &old.groups) {
                return self.show(me, old);
            }
            form::check_version(known, old.updated_at)?;
            form::stays_public(old.status, &old.content, &content)?;
            let opens = posted && (old.content.request_type, content.request_type) == (RequestType::Direct, RequestType::Public);
            let friends = if opens { circle.everybody()? } else { &[] };
            // Whoever is added to those who are asked can still help.
            let asks = opens || posted && wanted.iter().any(|m| !old.recipients.contains(m));
            let start = asks || content.start != old.content.start;
            let checks = Checks { posted, start, confirm: content.confirm != old.content.confirm };
            form::check(&content, wanted.len(), checks, Moment::new(now, &creator.time_zone))?;
            form::few_enough(wanted.len())?;
            store::update(tx, id, &content, now).await?;
            let removed = self.change_recipients(tx, &old, &wanted, &circle).await?;
            if posted {
                store::ask(tx, id, now).await?;
            } else {
                store::set_groups(tx, id, &kept).await?;
            }
            let (favor, crowd) = self.replaced(tx, me, id).await?;
            // Its start had passed, and is ahead again: who had not answered may now.
            let revived = old.content.start.is_some_and(|at| at <= now) && favor.content.start.is_some_and(|at| at > now);
            let (known, added): (Vec<Recipient>, Vec<Recipient>) =
                crowd.recipients.iter().cloned().partition(|r| old.recipients.contains(&r.member));
            let zones = if revived { zones(tx, &crowd).await? } else { HashMap::new() };
            let deed = Deed { zones, ..Deed::by_creator(Action::Publish, &creator, now) };
            let mut batch = news::of(&deed, &favor, &Crowd { recipients: added, ..Crowd::default() });
            if revived {
                batch.extend(news::asked_at_new_time(&deed, &favor, &Crowd { recipients: known, ..Crowd::default() }));
            }
            batch.extend(news::not_needed(&old, &removed, &creator));
            batch.extend(sharing::told(&favor, &crowd, &creator, friends));
            let mut settled = news::answered_by_change(&old, &favor, &crowd, &removed);
            settled.extend(news::let_go(id, &removed));
            settled.extend(sharing::asked_by_name(&old, &favor));
            self.tell(tx, &favor, &crowd, me, Tidings { told: batch, settled, over: None }).await?;
            self.show(me, favor)
        })
    }

    /// Brings the recipients to those wanted, of whom some are friends; the ones who are not asked any more.
    async fn change_recipients(&self, tx: &mut Tx, old: &Favor, wanted: &[MemberId], circle: &Circle) -> Result<Vec<Recipient>> {
        let added: Vec<_> = wanted.iter().copied().filter(|m| !old.recipients.contains(m)).collect();
        let removed: Vec<_> = store::recipients(tx, old.id).await?.into_iter().filter(|r| !wanted.contains(&r.member)).collect();
        circle.of_friends(wanted, &old.recipients)?;
        let gone: Vec<_> = removed.iter().map(|r| r.member).collect();
        store::remove_recipients(tx, old.id, &gone).await?;
        // Who offered help is asked, and need not any more.
        store::remove_applicants(tx, old.id, &added).await?;
        store::add_recipients(tx, old.id, &added).await?;
        Ok(removed)
    }

    /// A favor, locked before it is read, as the caller sees it. What they may not see does not exist for them.
    pub(super) async fn locked(&self, tx: &mut Tx, me: MemberId, id: FavorId) -> Result<(Favor, View)> {
        store::lock(tx, id).await?;
        self.seen(tx, me, id).await
    }

    pub(super) async fn seen(&self, conn: &mut PgConnection, me: MemberId, id: FavorId) -> Result<(Favor, View)> {
        let favor = store::favor(conn, me, id).await?.ok_or_else(not_found)?;
        let view = rules::view(&favor, me, self.deps.clock.now()).ok_or_else(not_found)?;
        Ok((favor, view))
    }

    /// A favor that was read with the eyes of the caller, as it is answered.
    pub(super) fn show(&self, me: MemberId, favor: Favor) -> Result<pb::Favor> {
        let view = rules::view(&favor, me, self.deps.clock.now()).ok_or_else(not_found)?;
        Ok(wire::favor(favor, view, me, &self.deps.pictures))
    }
}

/// Whether a change asks friends for a posted favor who are not asked yet. Read before it is locked: this bounds floods, and decides nothing.
async fn asks_more(tx: &mut Tx, me: MemberId, id: FavorId, changes: &Changes) -> Result<bool> {
    let wanted = changes.recipients.as_deref().unwrap_or_default();
    let by_groups = changes.groups.as_ref().is_some_and(|groups| !groups.is_empty());
    if wanted.is_empty() && !by_groups {
        return Ok(false);
    }
    let posted = store::favor(tx, me, id).await?.filter(|old| old.creator == me && old.status == FavorStatus::Active);
    Ok(posted.is_some_and(|old| by_groups || wanted.iter().any(|m| !old.recipients.contains(m))))
}

/// Whether a change asks all friends for a posted favor that asks some. Read before it is locked; `Circle::everybody` finds what changed since.
async fn opens_to_all(tx: &mut Tx, me: MemberId, id: FavorId, changes: &Changes) -> Result<bool> {
    if changes.request_type != Some(RequestType::Public) {
        return Ok(false);
    }
    let is_direct = |old: &Favor| old.status == FavorStatus::Active && old.content.request_type == RequestType::Direct;
    Ok(store::favor(tx, me, id).await?.is_some_and(|old| old.creator == me && is_direct(&old)))
}

/// Who may be asked with a draft. Locked before the favor is; read again under the favor's lock, recipients that are new are no friends of these.
pub(super) async fn lock_circle(tx: &mut Tx, me: MemberId, id: FavorId) -> Result<Circle> {
    match store::favor(tx, me, id).await?.filter(|draft| draft.creator == me && draft.status == FavorStatus::Draft) {
        Some(draft) if draft.content.request_type == RequestType::Public => Circle::lock_all(tx, me, &draft.groups).await,
        Some(draft) => Circle::lock(tx, me, &draft.recipients, &draft.groups).await,
        None => Circle::lock(tx, me, &[], &[]).await,
    }
}

/// Makes recipients of those who are in the groups of a draft.
pub(super) async fn expand(tx: &mut Tx, draft: Favor, circle: &Circle) -> Result<Favor> {
    // Other groups were chosen, or one was deleted, before the favor was locked.
    if !circle.is_of(&draft.groups) {
        return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
    }
    circle.of_friends(&draft.recipients, &[])?;
    let recipients = circle.expanded(&draft.recipients);
    form::few_enough(recipients.len())?;
    store::add_recipients(tx, draft.id, recipients.get(draft.recipients.len()..).unwrap_or_default()).await?;
    Ok(Favor { recipients, groups: Vec::new(), ..draft })
}

/// Whom a favor shall ask after a change, and the groups that it keeps: a draft those of the change, a posted one none, for who is in them is
/// asked at once.
fn wanted(old: &Favor, changes: &Changes, circle: &Circle) -> (Vec<MemberId>, Vec<GroupId>) {
    let recipients = changes.recipients.as_ref().unwrap_or(&old.recipients);
    if old.status == FavorStatus::Active {
        return (circle.expanded(recipients), Vec::new());
    }
    (recipients.clone(), changes.groups.clone().unwrap_or_else(|| old.groups.clone()))
}

fn same<T: Eq + Hash>(one: &[T], other: &[T]) -> bool {
    one.iter().collect::<HashSet<_>>() == other.iter().collect()
}

pub(super) async fn member(conn: &mut PgConnection, id: MemberId) -> Result<Member> {
    identity::member(conn, id).await?.ok_or_else(|| Error::not_found("member"))
}
