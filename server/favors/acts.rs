//! One action on a favor, from the table to what is told, under the favor's lock.

use super::{
    Answer, Crowd, Event, EventKind, Favor, FavorStatus, Recipient, RequestType, Service,
    circle::Circle,
    form::{self, Checks, Moment},
    moves::{Tidings, expand, lock_circle, member},
    news::{self, Deed},
    rules::{self, Action, Role, To, View},
    service::not_found,
    sharing, store,
};
use crate::{
    db::Tx,
    error::{Error, FieldReason, Reason, Result},
    friends,
    identity::{self, Member},
    ids::{FavorId, MemberId},
    notifications::{self, Over},
    pb::favors as pb,
    transact,
};
use sqlx::PgConnection;
use std::collections::HashMap;
use time::OffsetDateTime;

/// What somebody wants to do with a favor.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// What.
    pub action: Action,
    /// Their words.
    pub words: &'a str,
    /// The version that they know; empty is whichever.
    pub known: &'a str,
    /// The terms that they know; empty is whichever.
    pub terms: &'a str,
    /// The status that they know; `None` is whichever.
    pub status: Option<FavorStatus>,
    /// With whom: who is asked, chosen, or offered another time.
    pub whom: Option<MemberId>,
    /// The start that is proposed, taken, or declined.
    pub start: Option<OffsetDateTime>,
    /// With whom it is shared: all friends, where all are asked.
    pub friends: &'a [MemberId],
}

impl Act<'_> {
    /// An action that needs no more to be said.
    pub fn of(action: Action) -> Self {
        Self { action, words: "", known: "", terms: "", status: None, whom: None, start: None, friends: &[] }
    }

    /// Whether it would do nothing that was not done before: it says the same, or is with one with whom it was done.
    fn is_same(&self, favor: &Favor) -> bool {
        match self.action {
            Action::Choose => favor.helper == self.whom,
            Action::AcceptTime => favor.helper == self.whom && favor.content.start == self.start,
            Action::Ask => self.whom.is_some_and(|whom| favor.recipients.contains(&whom)),
            _ => favor.words == self.words && favor.proposed == self.start,
        }
    }
}

impl Service {
    /// Does an action: decides by the table, writes, tells. The favor afterwards; `None` when it is gone.
    pub(super) async fn act(&self, me: MemberId, id: FavorId, act: &Act<'_>) -> Result<Option<pb::Favor>> {
        self.check_proposed(act)?;
        transact!(self.deps.pool, |tx| {
            if asks_more(tx, me, id, act).await? {
                self.spend(tx, me).await?;
            }
            let circle = lock_around(tx, me, id, act).await?;
            let (favor, view) = self.locked(tx, me, id).await?;
            let same = match act.action {
                Action::Complete | Action::Settle => act.words.is_empty() || store::ended_with(tx, id, me, act.words).await?,
                Action::DeclineTime => is_time_declined(tx, id, act).await?,
                _ => act.is_same(&favor),
            };
            let next = rules::next(view, act.action, same)?;
            if next.is_some() {
                form::check_version(act.known, favor.updated_at)?;
                form::check_terms(act.terms, &favor.content)?;
                rules::check_known(view, act.status)?;
            }
            let favor = match next {
                Some(To::Gone) => {
                    self.remove(tx, me, &favor).await?;
                    return Ok(None);
                }
                Some(to) => {
                    let favor = match &circle {
                        Some(circle) if act.action == Action::Publish => expand(tx, favor, circle).await?,
                        _ => favor,
                    };
                    check_friend(act, circle.as_ref())?;
                    let friends = match &circle {
                        Some(circle) if act.action == Action::Publish && favor.content.request_type == RequestType::Public => {
                            circle.everybody()?
                        }
                        _ => &[],
                    };
                    self.write(tx, me, (&favor, view), to, &Act { friends, ..*act }).await?
                }
                None => favor,
            };
            self.show(me, favor).map(Some)
        })
    }

    /// Refuses to propose a start that is past. One that passed since is refused when it is taken.
    fn check_proposed(&self, act: &Act) -> Result<()> {
        match act.start {
            Some(start) if act.action == Action::AnotherTime && start < self.deps.clock.now() => {
                Err(Error::field("proposed_start", FieldReason::InPast, "The start date cannot be in the past"))
            }
            _ => Ok(()),
        }
    }

    async fn write(&self, tx: &mut Tx, me: MemberId, (favor, view): (&Favor, View), to: To, act: &Act<'_>) -> Result<Favor> {
        let (now, actor) = (self.deps.clock.now(), member(tx, me).await?);
        let heir = match act.action {
            Action::Publish => {
                let checks = Checks { posted: true, start: true, confirm: true };
                form::check(&favor.content, favor.recipients.len(), checks, Moment::new(now, &actor.time_zone))?;
                move_to(tx, favor, to, me, now).await?;
                None
            }
            Action::Accept => {
                accept(tx, favor, me, act.words, now).await?;
                None
            }
            // Other recipients would read in it when somebody answered.
            Action::Decline | Action::AnotherTime => {
                let answer = rules::answer_of(act.action).unwrap_or(Answer::Decline);
                store::answer(tx, favor.id, me, (answer, act.start), act.words, now).await?;
                None
            }
            Action::Withdraw => withdraw(tx, favor, (me, view.role), act.words, now).await?,
            Action::Apply => {
                store::apply(tx, favor.id, me, act.words, now).await?;
                None
            }
            Action::Choose => {
                choose(tx, favor, act, now).await?;
                None
            }
            Action::Ask => {
                ask(tx, favor, act, now).await?;
                None
            }
            Action::AcceptTime => {
                accept_time(tx, favor, act, now).await?;
                None
            }
            Action::DeclineTime => {
                decline_time(tx, favor, act).await?;
                None
            }
            Action::ReportMissingTip => {
                store::report_missing_tip(tx, favor.id, now).await?;
                None
            }
            Action::Complete | Action::Settle | Action::Cancel | Action::Edit | Action::Delete => {
                move_to(tx, favor, to, me, now).await?;
                None
            }
        };
        self.finish(tx, &actor, favor.id, view.role, act, heir).await
    }

    /// After the favor was written: its places, its story, and who is told. The favor as it is then.
    pub(super) async fn finish(
        &self,
        tx: &mut Tx,
        actor: &Member,
        id: FavorId,
        role: Role,
        act: &Act<'_>,
        heir: Option<MemberId>,
    ) -> Result<Favor> {
        let now = self.deps.clock.now();
        if act.action == Action::Publish {
            store::ask(tx, id, now).await?;
        }
        if let Some(kind) = news::step(act.action) {
            // Others do not know whose time was declined.
            let told_to = act.whom.filter(|_| act.action == Action::DeclineTime);
            let event = Event { kind, actor: actor.id, at: now, message: act.words.to_owned() };
            store::add_event_told_to(tx, id, &event, told_to).await?;
        }
        if let Some(heir) = heir {
            store::add_event(tx, id, &Event { kind: EventKind::MovedUp, actor: heir, at: now, message: String::new() }).await?;
        }
        let (favor, crowd) = self.replaced(tx, actor.id, id).await?;
        // Who parted from the creator was left there to help, and nothing else.
        if act.action == Action::Withdraw && !favor.requester.is_friend {
            store::remove_recipients(tx, id, &[actor.id]).await?;
            store::set_places_of(tx, &[id]).await?;
        }
        let creator = if actor.id == favor.creator { actor.clone() } else { member(tx, favor.creator).await? };
        let (name, creator_name) = (actor.display_name(), creator.display_name());
        let mut zones = match act.action {
            Action::AcceptTime | Action::DeclineTime | Action::Choose | Action::Withdraw => zones(tx, &crowd).await?,
            _ => HashMap::new(),
        };
        zones.insert(creator.id, creator.time_zone.clone());
        let deed = Deed { action: act.action, actor, name, role, words: act.words, whom: act.whom, creator_name, now, zones };
        let mut settled = news::settled(act.action, &favor, &crowd, actor.id);
        let answers_offer = matches!(act.action, Action::Ask | Action::DeclineTime);
        settled.extend(act.whom.filter(|_| answers_offer).map(|whom| news::offer_answered(&favor, whom)));
        settled.extend(sharing::withdrawn(tx, &favor, act.action, (actor.id, act.whom)).await?);
        let over = news::over(act.action, role, &favor, actor.id);
        let from = over.map(|Over { pair: (creator, helper), .. }| if actor.id == creator { helper } else { creator });
        let told = match from {
            Some(from) if notifications::hides(tx, actor.id, from).await? => news::of_hidden(&deed, &favor, &crowd, from),
            _ => news::of(&deed, &favor, &crowd),
        };
        let told = told.into_iter().chain(sharing::told(&favor, &crowd, actor, act.friends)).collect();
        let news = Tidings { told, settled, over };
        // Where a back-up goes, there may be room for those who were not needed.
        let few = Crowd { applicants: crowd.again.clone(), ..Crowd::default() };
        let seers = if news::is_quiet(act.action, role) { &few } else { &crowd };
        self.tell(tx, &favor, seers, actor.id, news).await?;
        Ok(favor)
    }
}

/// The zones of those whom a favor concerns, by which they are told when it starts.
pub(super) async fn zones(conn: &mut PgConnection, crowd: &Crowd) -> Result<HashMap<MemberId, String>> {
    let ids: Vec<MemberId> = crowd.recipients.iter().map(|r| r.member).chain(crowd.applicants.iter().copied()).collect();
    let members = identity::store::members(conn, &ids).await?;
    Ok(members.into_iter().map(|(id, member)| (id, member.time_zone)).collect())
}

/// Whether an action asks somebody who is not asked yet. Read before the favor is locked: this bounds floods, and decides nothing.
async fn asks_more(tx: &mut Tx, me: MemberId, id: FavorId, act: &Act<'_>) -> Result<bool> {
    if !matches!(act.action, Action::Publish | Action::Ask) {
        return Ok(false);
    }
    let own = store::favor(tx, me, id).await?.filter(|old| old.creator == me);
    Ok(own.is_some_and(|old| old.status == FavorStatus::Draft || act.action == Action::Ask && !act.is_same(&old)))
}

/// Locks, before the favor, the friendships that the action rests on: what is found of them stays so until the transaction ends.
async fn lock_around(tx: &mut Tx, me: MemberId, id: FavorId, act: &Act<'_>) -> Result<Option<Circle>> {
    match (act.action, act.whom) {
        (Action::Publish, _) => Ok(Some(lock_circle(tx, me, id).await?)),
        (Action::Ask, Some(whom)) => Ok(Some(Circle::lock(tx, me, &[whom], &[]).await?)),
        (Action::Apply, _) => {
            let favor = store::favor(tx, me, id).await?.ok_or_else(not_found)?;
            friends::lock_friends(tx, favor.creator, &[me]).await?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Refuses to ask one who is no friend.
fn check_friend(act: &Act, circle: Option<&Circle>) -> Result<()> {
    match (act.action, act.whom, circle) {
        (Action::Ask, Some(whom), Some(circle)) => circle.of_friend("member_id", whom),
        _ => Ok(()),
    }
}

async fn move_to(tx: &mut Tx, favor: &Favor, to: To, by: MemberId, now: OffsetDateTime) -> Result<()> {
    match to {
        To::At(status) => store::move_to(tx, favor.id, (favor.status, status), by, now).await,
        To::Stay | To::Gone | To::NextInLine => store::touch(tx, favor.id, now).await,
    }
}

/// The first who accepts is the helper, later ones are back-ups.
async fn accept(tx: &mut Tx, favor: &Favor, me: MemberId, words: &str, now: OffsetDateTime) -> Result<()> {
    store::answer(tx, favor.id, me, (Answer::Accept, None), words, now).await?;
    match favor.status {
        FavorStatus::Accepted => store::add_response(tx, favor.id).await,
        _ => store::move_to(tx, favor.id, (favor.status, FavorStatus::Accepted), me, now).await,
    }
}

/// Takes somebody out of those who promised or offered help. The back-up who helps instead, if the helper went.
async fn withdraw(tx: &mut Tx, favor: &Favor, (me, role): (MemberId, Role), words: &str, now: OffsetDateTime) -> Result<Option<MemberId>> {
    match role {
        Role::Applicant => {
            store::take_back(tx, favor.id, me).await?;
            Ok(None)
        }
        Role::Helper => {
            store::step_back(tx, favor.id, me, words, now).await?;
            let heir = store::next_in_line(tx, favor.id).await?;
            match heir {
                Some(heir) => store::hand_over(tx, favor.id, me, heir, now).await?,
                None => store::reopen(tx, favor.id, me, now).await?,
            }
            Ok(heir)
        }
        _ => {
            store::step_back(tx, favor.id, me, words, now).await?;
            store::drop_response(tx, favor.id).await?;
            Ok(None)
        }
    }
}

/// Makes an applicant the helper, who was asked by that.
async fn choose(tx: &mut Tx, favor: &Favor, act: &Act<'_>, now: OffsetDateTime) -> Result<()> {
    let applicant = favor.applicants.iter().find(|a| Some(a.shown.id) == act.whom).ok_or_else(|| Error::not_found("applicant"))?;
    let chosen = applicant.shown.id;
    form::one_more(favor.recipients.len())?;
    store::remove_applicants(tx, favor.id, &[chosen]).await?;
    store::add_recipients(tx, favor.id, &[chosen]).await?;
    store::ask(tx, favor.id, now).await?;
    store::answer(tx, favor.id, chosen, (Answer::Accept, None), &applicant.message, now).await?;
    store::move_to(tx, favor.id, (favor.status, FavorStatus::Accepted), chosen, now).await
}

/// Asks one more. One who offered help need not any more: they are asked.
async fn ask(tx: &mut Tx, favor: &Favor, act: &Act<'_>, now: OffsetDateTime) -> Result<()> {
    let whom = act.whom.ok_or_else(|| Error::not_found("member"))?;
    form::one_more(favor.recipients.len())?;
    store::remove_applicants(tx, favor.id, &[whom]).await?;
    store::add_recipients(tx, favor.id, &[whom]).await?;
    store::ask(tx, favor.id, now).await?;
    store::touch(tx, favor.id, now).await
}

/// Moves the favor to the start that a recipient proposed, who is its helper from then on.
async fn accept_time(tx: &mut Tx, favor: &Favor, act: &Act<'_>, now: OffsetDateTime) -> Result<()> {
    let proposer = recipient(tx, favor.id, act).await?.ok_or_else(|| Error::not_found("recipient"))?;
    let start = act.start.filter(|start| proposer.proposed == Some(*start)).ok_or_else(changed_mind)?;
    if start < now {
        let text = "The start date cannot be in the past";
        return Err(Error::new(Reason::StartInPast, "").with_field("proposed_start", FieldReason::InPast, text));
    }
    store::update(tx, favor.id, &form::moved(&favor.content, start), now).await?;
    store::answer(tx, favor.id, proposer.member, (Answer::Accept, None), &proposer.message, now).await?;
    store::move_to(tx, favor.id, (favor.status, FavorStatus::Accepted), proposer.member, now).await
}

/// Clears an offer of another time, so that who made it is asked as at first.
async fn decline_time(tx: &mut Tx, favor: &Favor, act: &Act<'_>) -> Result<()> {
    let proposer = recipient(tx, favor.id, act).await?.ok_or_else(|| Error::not_found("recipient"))?;
    if act.start.is_some_and(|start| proposer.proposed != Some(start)) {
        return Err(changed_mind());
    }
    store::clear_other_time(tx, favor.id, proposer.member).await
}

/// Whether the recipient offers no other time any more.
async fn is_time_declined(tx: &mut Tx, id: FavorId, act: &Act<'_>) -> Result<bool> {
    Ok(recipient(tx, id, act).await?.is_some_and(|r| r.answer != Some(Answer::AnotherTime)))
}

async fn recipient(tx: &mut Tx, id: FavorId, act: &Act<'_>) -> Result<Option<Recipient>> {
    Ok(store::recipients(tx, id).await?.into_iter().find(|r| Some(r.member) == act.whom))
}

fn changed_mind() -> Error {
    let text = "is no longer the proposed start; load the favor again";
    Error::new(Reason::Conflict, "").with_field("proposed_start", FieldReason::Conflicting, text)
}
