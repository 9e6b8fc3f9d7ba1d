//! What changes favors, each in one transaction: decided by the table, written, told.

use super::{
    Event, EventKind, Favor, FavorStatus, Recipient, Service,
    circle::Circle,
    form::{self, Changes, Checks, Moment},
    news,
    rules::{self, Action, To, View},
    service::not_found,
    store,
    timers,
    wire::{self, New},
};
use crate::{
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
use std::{collections::HashSet, hash::Hash};

/// The most open favors of one creator.
const OPEN_MAX: i64 = 1000;

impl Service {
    pub(super) async fn create(&self, me: MemberId, key: Option<&idempotency::Use>, new: &New) -> Result<pb::CreateFavorResponse> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return Ok(answer);
            }
            // Nobody leaves while they ask.
            identity::share(tx, &[me]).await?;
            let creator = member(tx, me).await?;
            let checks = Checks { posted: new.post, start: true, confirm: true };
            let circle = Circle::lock(tx, me, &new.recipients, &new.groups).await?;
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
                self.finish(tx, &creator, id, Action::Publish, "").await?
            } else {
                store::set_groups(tx, id, &new.groups).await?;
                store::add_event(tx, id, &Event { kind: EventKind::Drafted, actor: me, at: now, message: String::new() }).await?;
                notifications::changed(tx, me, TargetKind::Favor, id.0);
                self.seen(tx, me, id).await?.0
            };
            let answer = pb::CreateFavorResponse { favor: Some(self.show(me, favor)?) };
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    /// Does an action: decides by the table, writes, tells. The favor afterwards; `None` when it is gone.
    pub(super) async fn act(&self, me: MemberId, id: FavorId, action: Action, words: &str) -> Result<Option<pb::Favor>> {
        self.act_on(me, id, "", action, words).await
    }

    /// The same, on a version that the caller knows.
    pub(super) async fn act_on(&self, me: MemberId, id: FavorId, known: &str, action: Action, words: &str) -> Result<Option<pb::Favor>> {
        transact!(self.deps.pool, |tx| {
            let circle = if action == Action::Publish { Some(lock_circle(tx, me, id).await?) } else { None };
            let (favor, view) = self.locked(tx, me, id).await?;
            let next = rules::next(view, action, favor.words == words)?;
            if next.is_some() {
                form::check_version(known, favor.updated_at)?;
            }
            let favor = match next {
                Some(To::Gone) => {
                    self.remove(tx, me, &favor).await?;
                    return Ok(None);
                }
                Some(to) => {
                    let favor = match &circle {
                        Some(circle) => expand(tx, favor, circle).await?,
                        None => favor,
                    };
                    self.write(tx, me, &favor, (action, to), words).await?
                }
                None => favor,
            };
            self.show(me, favor).map(Some)
        })
    }

    /// Moves a favor to where a creator asks for, once it is known that they may see it.
    pub(super) async fn move_by_status(&self, me: MemberId, id: FavorId, known: &str, status: FavorStatus) -> Result<Option<pb::Favor>> {
        match rules::action_to(status) {
            Ok(action) => self.act_on(me, id, known, action, "").await,
            Err(refused) => {
                read!(self.deps.pool, |conn| self.seen(conn, me, id).await)?;
                Err(refused)
            }
        }
    }

    async fn write(&self, tx: &mut Tx, me: MemberId, favor: &Favor, (action, to): (Action, To), words: &str) -> Result<Favor> {
        let (now, actor) = (self.deps.clock.now(), member(tx, me).await?);
        if action == Action::Publish {
            let checks = Checks { posted: true, start: true, confirm: true };
            form::check(&favor.content, favor.recipients.len(), checks, Moment::new(now, &actor.time_zone))?;
        }
        if let Some(answer) = rules::answer_of(action) {
            store::answer(tx, favor.id, me, answer, words, now).await?;
        }
        match to {
            To::At(status) => store::move_to(tx, favor.id, (favor.status, status), me, now).await?,
            // Other recipients would read in it when somebody answered.
            To::Stay if rules::answer_of(action).is_some() => {}
            To::Stay | To::Gone => store::touch(tx, favor.id, now).await?,
        }
        self.finish(tx, &actor, favor.id, action, words).await
    }

    /// After the favor was written: its places, its story, and who is told. The favor as it is then.
    async fn finish(&self, tx: &mut Tx, actor: &Member, id: FavorId, action: Action, words: &str) -> Result<Favor> {
        let now = self.deps.clock.now();
        if action == Action::Publish {
            store::ask(tx, id, now).await?;
        }
        if let Some(kind) = news::step(action) {
            store::add_event(tx, id, &Event { kind, actor: actor.id, at: now, message: words.to_owned() }).await?;
        }
        let (favor, recipients) = self.replaced(tx, actor.id, id).await?;
        let creator = if actor.id == favor.creator { actor.clone() } else { member(tx, favor.creator).await? };
        let batch = news::of(action, &favor, &recipients, actor, &creator.display_name(), words);
        let settled = news::settled(action, &favor, &recipients, actor.id);
        // Who else was asked, and what they answered, is between them and the creator.
        let quiet = matches!(action, Action::Decline | Action::AnotherTime);
        let seers: &[Recipient] = if quiet { &[] } else { &recipients };
        self.tell(tx, &favor, seers, actor.id, (batch, settled)).await?;
        Ok(favor)
    }

    /// The favor as it is now, and its recipients, whose places are written.
    pub(super) async fn replaced(&self, tx: &mut Tx, me: MemberId, id: FavorId) -> Result<(Favor, Vec<Recipient>)> {
        let favor = store::favor(tx, me, id).await?.ok_or_else(not_found)?;
        let recipients = store::recipients(tx, id).await?;
        store::set_places(tx, &favor, &recipients).await?;
        Ok((favor, recipients))
    }

    /// Tells a batch with what is settled by it, sets the favor's timer, and hints at the change to all others who see the favor, the actor's own
    /// clients among them.
    async fn tell(
        &self,
        tx: &mut Tx,
        favor: &Favor,
        recipients: &[Recipient],
        actor: MemberId,
        (batch, mut settled): (Vec<notifications::New>, Vec<notifications::Settled>),
    ) -> Result<()> {
        let times = timers::set(tx, favor, actor, self.deps.clock.now()).await?;
        settled.extend(times.settled);
        notifications::tell(tx, &self.deps, &batch, &settled).await?;
        timers::enqueue(tx, times.timer).await?;
        let told: HashSet<MemberId> = batch.iter().map(|n| n.member).collect();
        let asked = recipients.iter().filter(|r| r.asked_at.is_some()).map(|r| r.member);
        let seers: HashSet<MemberId> = asked.chain([favor.creator, actor]).collect();
        for member in seers.difference(&told) {
            notifications::changed(tx, *member, TargetKind::Favor, favor.id.0);
        }
        Ok(())
    }

    async fn remove(&self, tx: &mut Tx, me: MemberId, favor: &Favor) -> Result<()> {
        let (creator, recipients) = (member(tx, me).await?, store::recipients(tx, favor.id).await?);
        let batch = news::of(Action::Delete, favor, &recipients, &creator, &creator.display_name(), "");
        let settled = news::settled(Action::Delete, favor, &recipients, me);
        store::delete(tx, favor.id).await?;
        self.tell(tx, favor, &recipients, me, (batch, settled)).await
    }

    pub(super) async fn edit(&self, me: MemberId, id: FavorId, known: &str, changes: &Changes) -> Result<pb::Favor> {
        transact!(self.deps.pool, |tx| {
            let groups = changes.groups.as_deref().unwrap_or_default();
            let circle = Circle::lock(tx, me, changes.recipients.as_deref().unwrap_or_default(), groups).await?;
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
            let checks = Checks { posted, start: content.start != old.content.start, confirm: content.confirm != old.content.confirm };
            form::check(&content, wanted.len(), checks, Moment::new(now, &creator.time_zone))?;
            form::few_enough(wanted.len())?;
            store::update(tx, id, &content, now).await?;
            let removed = self.change_recipients(tx, &old, &wanted, &circle).await?;
            if posted {
                store::ask(tx, id, now).await?;
            } else {
                store::set_groups(tx, id, &kept).await?;
            }
            let (favor, recipients) = self.replaced(tx, me, id).await?;
            // Its start had passed, and is ahead again: who had not answered may now.
            let revived = old.content.start.is_some_and(|at| at <= now) && favor.content.start.is_some_and(|at| at > now);
            let is_told = |r: &&Recipient| !old.recipients.contains(&r.member) || revived && r.answer.is_none();
            let told: Vec<_> = recipients.iter().filter(is_told).cloned().collect();
            let mut batch = news::of(Action::Publish, &favor, &told, &creator, &creator.display_name(), "");
            batch.extend(news::not_needed(&old, &removed, &creator));
            let mut settled = news::settled(Action::Edit, &old, &recipients, me);
            settled.extend(news::let_go(id, &removed));
            self.tell(tx, &favor, &recipients, me, (batch, settled)).await?;
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
        store::add_recipients(tx, old.id, &added).await?;
        Ok(removed)
    }

    /// A favor, locked before it is read, as the caller sees it. What they may not see does not exist for them.
    async fn locked(&self, tx: &mut Tx, me: MemberId, id: FavorId) -> Result<(Favor, View)> {
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

/// Who may be asked with a draft. Locked before the favor is; read again under the favor's lock, recipients that are new are no friends of these.
async fn lock_circle(tx: &mut Tx, me: MemberId, id: FavorId) -> Result<Circle> {
    let draft = store::favor(tx, me, id).await?;
    let (recipients, groups) = draft.map(|f| (f.recipients, f.groups)).unwrap_or_default();
    Circle::lock(tx, me, &recipients, &groups).await
}

/// Makes recipients of those who are in the groups of a draft.
async fn expand(tx: &mut Tx, draft: Favor, circle: &Circle) -> Result<Favor> {
    // Other groups were chosen, or one was deleted, before the favor was locked.
    if !circle.is_of(&draft.groups) {
        return Err(Error::new(Reason::Conflict, "changed at the same moment; try again"));
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

async fn member(conn: &mut PgConnection, id: MemberId) -> Result<Member> {
    identity::member(conn, id).await?.ok_or_else(|| Error::not_found("member"))
}
