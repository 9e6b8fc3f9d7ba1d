//! Who is told what when something is done with a favor, and what is expected no longer. Pure.

use super::{
    Answer, Crowd, EventKind, Favor, FavorStatus, Recipient, RequestType,
    rules::{self, Action, Role},
    texts::{self, Text},
    timers::schedule,
};
use crate::{
    identity::Member,
    ids::{FavorId, MemberId},
    notifications::{New, Over, Settled, Target},
    pb::notifications::{NotificationType as Kind, TargetKind},
};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// What was done with a favor.
#[derive(Clone, Debug)]
pub struct Deed<'a> {
    /// What.
    pub action: Action,
    /// By whom.
    pub actor: &'a Member,
    /// How they are called.
    pub name: String,
    /// What they were to it before.
    pub role: Role,
    /// Their words.
    pub words: &'a str,
    /// The friend who was asked, or whose proposed time was declined.
    pub whom: Option<MemberId>,
    /// How the creator is called.
    pub creator_name: String,
    /// When.
    pub now: OffsetDateTime,
    /// The zones of those who are told when it starts.
    pub zones: HashMap<MemberId, String>,
}

impl<'a> Deed<'a> {
    /// Something that a creator did without words.
    pub fn by_creator(action: Action, creator: &'a Member, now: OffsetDateTime) -> Self {
        let creator_name = creator.display_name();
        Self {
            action,
            actor: creator,
            name: creator_name.clone(),
            role: Role::Creator,
            words: "",
            whom: None,
            creator_name,
            now,
            zones: HashMap::new(),
        }
    }

    /// When the favor starts, by a member's clocks.
    fn start(&self, favor: &Favor, member: MemberId) -> String {
        favor.content.start.map_or_else(|| "soon".to_owned(), |start| self.said(start, member))
    }

    /// The same; `None` if the start has passed.
    fn start_ahead(&self, favor: &Favor, member: MemberId) -> Option<String> {
        favor.content.start.filter(|start| *start >= self.now).map(|start| self.said(start, member))
    }

    fn said(&self, at: OffsetDateTime, member: MemberId) -> String {
        schedule::short(at, self.zones.get(&member).map(String::as_str))
    }
}

/// The step of the story that an action is.
pub fn step(action: Action) -> Option<EventKind> {
    match action {
        Action::Publish => Some(EventKind::Posted),
        Action::Accept => Some(EventKind::Accepted),
        Action::Decline => Some(EventKind::Declined),
        Action::AnotherTime => Some(EventKind::AnotherTime),
        Action::Complete => Some(EventKind::Completed),
        Action::Settle => Some(EventKind::Settled),
        Action::Cancel => Some(EventKind::Cancelled),
        Action::Withdraw => Some(EventKind::Withdrawn),
        Action::Apply => Some(EventKind::Applied),
        Action::Choose => Some(EventKind::Chosen),
        Action::Ask => Some(EventKind::Asked),
        Action::ReportMissingTip => Some(EventKind::TipMissing),
        Action::AcceptTime => Some(EventKind::TimeAccepted),
        Action::DeclineTime => Some(EventKind::TimeDeclined),
        Action::Edit | Action::Delete => None,
    }
}

/// Whether others than the creator learn nothing of what was done: who else was asked or offers help, and what they said, is between them.
pub fn is_quiet(action: Action, role: Role) -> bool {
    match action {
        Action::Decline | Action::AnotherTime | Action::DeclineTime | Action::Apply | Action::Ask | Action::ReportMissingTip => true,
        Action::Withdraw => role != Role::Helper,
        _ => false,
    }
}

/// What is told of an action that was done, at most once to each member. `favor` is as it is afterwards, or before it was deleted.
pub fn of(deed: &Deed, favor: &Favor, crowd: &Crowd) -> Vec<New> {
    let (title, name, words) = (&favor.content.title, &deed.name, deed.words);
    let news = News { actor: deed.actor.id, target: target(favor.id), about: favor.id, was_taken: false };
    let to_creator = |text, expected| vec![news.to(favor.creator, Kind::FavorResponse, text, expected)];
    let to_helper = |kind, text| favor.helper.map(|member| news.to(member, kind, text, false)).into_iter();
    match deed.action {
        Action::Edit => Vec::new(),
        Action::Publish => asked(crowd).map(|r| news.to(r.member, Kind::FavorRequest, texts::asked(name, title, ""), true)).collect(),
        Action::Ask => deed.whom.map(|m| news.to(m, Kind::FavorRequest, texts::asked(name, title, words), true)).into_iter().collect(),
        Action::Accept if favor.helper != Some(deed.actor.id) => {
            let mut batch = to_creator(texts::backs_up(name, title, words), false);
            batch.extend(taken(deed, favor, crowd, news));
            batch
        }
        Action::Accept | Action::Decline | Action::AnotherTime => {
            let Some(answer) = rules::answer_of(deed.action) else { return Vec::new() };
            // An offer of another time waits for the creator to move the favor.
            let proposed = crowd.recipients.iter().find(|r| r.member == deed.actor.id).and_then(|r| r.proposed);
            let when = proposed.map(|at| deed.said(at, favor.creator));
            let text = match answer {
                Answer::Decline if has_nobody(favor, crowd) => texts::nobody_can(name, title, words),
                _ => texts::answered(name, title, answer, when.as_deref(), words),
            };
            let mut batch = to_creator(text, answer == Answer::AnotherTime);
            if answer == Answer::Accept {
                batch.extend(taken(deed, favor, crowd, news));
            }
            batch
        }
        Action::Choose => {
            let when = favor.helper.and_then(|helper| deed.start_ahead(favor, helper));
            let told = to_helper(Kind::FavorResponse, texts::chosen(name, title, when.as_deref()));
            told.chain(taken(deed, favor, crowd, news)).collect()
        }
        Action::AcceptTime => {
            let when = favor.helper.map(|helper| deed.start(favor, helper)).unwrap_or_default();
            let told = to_helper(Kind::FavorResponse, texts::time_accepted(name, title, &when));
            told.chain(taken(deed, favor, crowd, news)).chain(moved(deed, favor, crowd, news)).collect()
        }
        Action::DeclineTime => {
            let told = deed.whom.map(|member| {
                // Once it should have begun, nobody is asked any more.
                let when = deed.start_ahead(favor, member);
                let kind = if when.is_some() { Kind::FavorRequest } else { Kind::FavorResponse };
                news.to(member, kind, texts::time_declined(name, title, when.as_deref(), words), when.is_some())
            });
            told.into_iter().collect()
        }
        Action::Apply => to_creator(texts::applied(name, title, words), true),
        Action::Withdraw => stepped_back(deed, favor, crowd, news),
        Action::Complete => {
            let by_creator = deed.actor.id == favor.creator;
            let other = if by_creator { favor.helper } else { Some(favor.creator) };
            let text = texts::completed(name, title, words);
            other.map(|member| news.to(member, Kind::FavorCompleted, text, !by_creator)).into_iter().collect()
        }
        Action::Settle => to_helper(Kind::FavorSettled, texts::settled(name, title, words)).collect(),
        Action::ReportMissingTip => vec![news.to(favor.creator, Kind::FavorSettled, texts::tip_missing(name, title, words), false)],
        Action::Cancel => {
            let news = News { was_taken: favor.helper.is_some(), ..news };
            called_off(crowd, news, texts::cancelled(name, title))
        }
        Action::Delete => {
            // The favor is gone: the news leads to who asked.
            let news = News { target: Target(TargetKind::Member, favor.creator.0), ..news };
            called_off(crowd, news, texts::cancelled(name, title))
        }
    }
}

/// The same where who did it hides from one of those: to them it is said as of one who has left.
pub fn of_hidden(deed: &Deed, favor: &Favor, crowd: &Crowd, from: MemberId) -> Vec<New> {
    let former = Deed { name: texts::FORMER.to_owned(), words: "", ..deed.clone() };
    let unnamed = of(&former, favor, crowd).into_iter().filter(|new| new.member == from).map(|new| New { actor: None, ..new });
    of(deed, favor, crowd).into_iter().filter(|new| new.member != from).chain(unnamed).collect()
}

/// Where news of a favor lead.
pub const fn target(favor: FavorId) -> Target {
    Target(TargetKind::Favor, favor.0)
}

/// Between whom the favor is over by what was done: its creator and who helps, or helped. `favor` is as it is afterwards.
pub fn over(action: Action, role: Role, favor: &Favor, actor: MemberId) -> Option<Over> {
    let helper = match action {
        Action::Settle | Action::Cancel | Action::ReportMissingTip => favor.helper,
        Action::Withdraw if role == Role::Helper => Some(actor),
        _ => None,
    };
    helper.map(|helper| Over { pair: (favor.creator, helper), target: target(favor.id) })
}

/// Whether all who were asked for a favor declined, and no other friend can offer help.
fn has_nobody(favor: &Favor, crowd: &Crowd) -> bool {
    favor.content.request_type == RequestType::Direct && asked(crowd).all(|r| r.answer == Some(Answer::Decline))
}

fn asked(crowd: &Crowd) -> impl Iterator<Item = &Recipient> {
    crowd.recipients.iter().filter(|r| r.asked_at.is_some())
}

/// To all who are not needed any more, or not yet: those who were asked, once there are back-ups enough, and those who offered help, once somebody
/// helps. Those who declined have done with it.
fn taken(deed: &Deed, favor: &Favor, crowd: &Crowd, news: News) -> Vec<New> {
    let news = News { actor: favor.creator, ..news };
    let (creator, title) = (&deed.creator_name, &favor.content.title);
    let text = |member: MemberId| match deed.action {
        Action::AcceptTime => texts::taken_at(creator, title, &deed.start(favor, member)),
        _ => texts::taken(creator, title),
    };
    let is_full = favor.responses >= favor.content.max_responses;
    let others = waiting(crowd).filter(|_| is_full);
    let mut batch: Vec<New> = others.map(|r| news.over(r, Kind::FavorResponse, text(r.member))).collect();
    if favor.responses == 1 {
        batch.extend(crowd.applicants.iter().map(|member| news.to(*member, Kind::FavorResponse, text(*member), false)));
    }
    let of_taken = |new: New| New { about: taken_of(new.about), about_unread: new.about_unread.map(taken_of), ..new };
    batch.into_iter().map(of_taken).collect()
}

/// Those who were asked and have neither accepted nor declined.
fn waiting(crowd: &Crowd) -> impl Iterator<Item = &Recipient> {
    asked(crowd).filter(|r| !matches!(r.answer, Some(Answer::Accept | Answer::Decline)))
}

/// That the favor starts at another time, to those who may still be back-ups. They are asked for it if they have said nothing yet.
fn moved(deed: &Deed, favor: &Favor, crowd: &Crowd, news: News) -> Vec<New> {
    let has_room = rules::has_places(favor.responses, favor.content.max_responses);
    let told = waiting(crowd).filter(|_| has_room).map(|r| {
        let text = texts::moved(&deed.creator_name, &favor.content.title, &deed.start(favor, r.member));
        let kind = if r.answer.is_none() { Kind::FavorRequest } else { Kind::FavorResponse };
        news.to(r.member, kind, text, r.answer.is_none())
    });
    told.collect()
}

/// That a favor whose start had passed has a new one, to those who have not answered.
pub fn asked_at_new_time<'a>(deed: &'a Deed<'a>, favor: &'a Favor, crowd: &'a Crowd) -> impl Iterator<Item = New> {
    let news = News { actor: deed.actor.id, target: target(favor.id), about: favor.id, was_taken: false };
    asked(crowd).filter(|r| r.answer.is_none()).map(move |r| {
        let text = texts::asked_at_new_time(&deed.name, &favor.content.title, &deed.start(favor, r.member));
        news.to(r.member, Kind::FavorRequest, text, true)
    })
}

/// That somebody else helps is about a thing of its own, so that it is taken back without what else is told of the favor, or of its creator.
fn taken_of(id: Uuid) -> Uuid {
    // As the times of favors: turned over, the bits of an id are of no version that is made. They take the last bit, this one the one before.
    Uuid::from_u128(!id.as_u128() ^ 2)
}

/// What those were told whose help was not needed, and may be again. Where they had not read that they were asked, it may be of a later favor of the
/// same creator, and is not missed: it was one they did not know of.
pub fn not_taken(member: MemberId, creator: MemberId, favor: FavorId) -> [Settled; 2] {
    let over = |id| Settled { member, about: taken_of(id), actor: Some(creator), called_off: true, seen: false };
    [over(favor.0), over(creator.0)]
}

/// Somebody does not help, or would not, any more. Where the helper goes, a back-up helps; without one, those who have said nothing are asked
/// again, and what was offered counts again, while it has not begun.
fn stepped_back(deed: &Deed, favor: &Favor, crowd: &Crowd, news: News) -> Vec<New> {
    let (title, name, words) = (&favor.content.title, &deed.name, deed.words);
    let reopened = deed.role == Role::Helper && favor.status == FavorStatus::Active;
    let text = match deed.role {
        Role::Helper => texts::stepped_back(name, !reopened, title, words),
        Role::BackUp => texts::backs_up_no_more(name, title, words),
        _ => texts::took_back(name, title, words),
    };
    let mut batch = vec![news.to(favor.creator, Kind::FavorResponse, text, reopened)];
    let news = News { actor: favor.creator, ..news };
    if reopened {
        let ahead = favor.content.start.is_some_and(|start| start >= deed.now);
        if !ahead {
            return batch;
        }
        let again = asked(crowd).filter(|r| r.answer.is_none());
        let text = |member| texts::asked_again(&deed.creator_name, title, &deed.start(favor, member));
        batch.extend(again.map(|r| news.to(r.member, Kind::FavorRequest, text(r.member), true)));
        let text = texts::open_again(&deed.creator_name, title);
        let offered = asked(crowd).filter(|r| r.answer == Some(Answer::AnotherTime)).map(|r| &r.member).chain(&crowd.applicants);
        batch.extend(offered.map(|member| news.to(*member, Kind::FavorResponse, text.clone(), false)));
    } else if deed.role == Role::Helper {
        let text = texts::moved_up(&deed.creator_name, title);
        batch.extend(favor.helper.map(|heir| news.to(heir, Kind::FavorResponse, text, false)));
    }
    batch
}

fn called_off(crowd: &Crowd, news: News, text: Text) -> Vec<New> {
    let offered = crowd.applicants.iter().map(|member| news.to(*member, Kind::FavorCancelled, text.clone(), false));
    asked(crowd).map(|r| news.over(r, Kind::FavorCancelled, text.clone())).chain(offered).collect()
}

/// What those are told who are not asked any more and had not declined.
pub fn not_needed(favor: &Favor, removed: &[Recipient], creator: &Member) -> Vec<New> {
    let news = News { actor: creator.id, target: Target(TargetKind::Member, creator.id.0), about: favor.id, was_taken: false };
    let told = removed.iter().filter(|r| r.asked_at.is_some() && r.answer != Some(Answer::Decline));
    told.map(|r| news.over(r, Kind::FavorCancelled, texts::not_needed(&creator.display_name(), &favor.content.title))).collect()
}

/// What is expected no longer when something was done. `favor` is as it is afterwards, or before it was deleted or changed.
pub fn settled(action: Action, favor: &Favor, crowd: &Crowd, actor: MemberId) -> Vec<Settled> {
    let called_off = matches!(action, Action::Cancel | Action::Delete);
    let of = |member| Settled { member, about: favor.id.0, actor: None, called_off, seen: member == actor };
    match action {
        // `answered_by_change` settles what a change answers, and `offer_answered` what is declined.
        Action::Publish | Action::Apply | Action::Ask | Action::Edit | Action::DeclineTime => Vec::new(),
        // Who might have been a back-up need not answer any more.
        Action::Complete => unanswered(favor, crowd).collect(),
        // What was expected is that they answer. What they offered before waits for the creator no longer.
        Action::Decline | Action::AnotherTime | Action::Withdraw => {
            let again = crowd.again.iter().flat_map(|member| not_taken(*member, favor.creator, favor.id));
            again.chain([of(actor), Settled { actor: Some(actor), ..of(favor.creator) }]).collect()
        }
        // The helper's word that it is done is answered by it.
        Action::Settle => unanswered(favor, crowd).chain([of(favor.creator)]).collect(),
        Action::ReportMissingTip => vec![of(actor)],
        // A back-up has answered; the others may still.
        Action::Accept if favor.responses > 1 && favor.responses < favor.content.max_responses => vec![of(actor)],
        // While there is room, those who were asked may still answer.
        Action::Accept | Action::Choose | Action::AcceptTime if favor.responses < favor.content.max_responses => {
            let parties = [Some(actor), Some(favor.creator), favor.helper].into_iter().flatten();
            parties.chain(crowd.applicants.iter().copied()).map(of).collect()
        }
        Action::Accept | Action::Choose | Action::AcceptTime | Action::Cancel | Action::Delete => {
            let over = |member| {
                let is_party = [Some(actor), Some(favor.creator), favor.helper].contains(&Some(member));
                Settled { called_off: called_off || !is_party, ..of(member) }
            };
            let members = asked(crowd).map(|r| r.member).chain(crowd.applicants.iter().copied());
            members.chain([favor.creator]).map(over).collect()
        }
    }
}

/// The creator asked this member, or declined their time: that answers any offer they made.
pub const fn offer_answered(favor: &Favor, whom: MemberId) -> Settled {
    Settled { member: favor.creator, about: favor.id.0, actor: Some(whom), called_off: false, seen: true }
}

/// Those of whom an answer is expected still.
fn unanswered(favor: &Favor, crowd: &Crowd) -> impl Iterator<Item = Settled> {
    let open = asked(crowd).filter(|r| r.answer.is_none());
    open.map(|r| Settled { member: r.member, about: favor.id.0, actor: None, called_off: true, seen: false })
}

/// What is expected of the creator no longer when they changed a favor. Offers of another time wait for the favor to be moved, and offers of help for
/// one to be chosen: where some wait still, only what is of others is over. `old` is as it was before, `crowd` as it is afterwards.
pub fn answered_by_change(old: &Favor, new: &Favor, crowd: &Crowd, removed: &[Recipient]) -> Vec<Settled> {
    let over = |actor| Settled { member: old.creator, about: old.id.0, actor, called_off: false, seen: true };
    let is_moved = old.content.start != new.content.start;
    let waits = |r: &Recipient| !is_moved && r.answer == Some(Answer::AnotherTime);
    if crowd.applicants.is_empty() && !crowd.recipients.iter().any(waits) {
        return vec![over(None)];
    }
    let others = crowd.recipients.iter().filter(|r| !waits(r)).chain(removed);
    others.map(|r| over(Some(r.member))).collect()
}

/// What is expected no longer of those who are not asked any more.
pub fn let_go(favor: FavorId, removed: &[Recipient]) -> impl Iterator<Item = Settled> {
    removed.iter().map(move |r| Settled { member: r.member, about: favor.0, actor: None, called_off: true, seen: false })
}

#[derive(Clone, Copy)]
struct News {
    actor: MemberId,
    target: Target,
    about: FavorId,
    /// Whether others than the helper knew already that they are not needed.
    was_taken: bool,
}

impl News {
    fn to(&self, member: MemberId, kind: Kind, (title, message): Text, action_required: bool) -> New {
        let title = title.to_owned();
        let (actor, about) = (Some(self.actor), self.about.0);
        New { member, kind, title, message, actor, target: self.target, about, about_unread: None, action_required }
    }

    /// That it is over for a recipient. To one who had promised nothing, and has not read that they were asked or knew that somebody else helps,
    /// one of these takes the place of the last from this creator: who posts and calls off again and again, or has a friend accept, fills
    /// nobody's list.
    fn over(&self, recipient: &Recipient, kind: Kind, text: Text) -> New {
        let promised = matches!(recipient.answer, Some(Answer::Accept | Answer::AnotherTime));
        let new = self.to(recipient.member, kind, text, false);
        match (promised, self.was_taken) {
            (true, _) => new,
            (false, false) => New { about_unread: Some(self.actor.0), ..new },
            (false, true) => New { about: self.actor.0, ..new },
        }
    }
}
