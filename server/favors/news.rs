//! Who is told what when something is done with a favor, and what is expected no longer. Pure.

use super::{
    Answer, EventKind, Favor, Recipient,
    rules::{self, Action},
    texts::{self, Text},
};
use crate::{
    identity::Member,
    ids::{FavorId, MemberId},
    notifications::{New, Settled, Target},
    pb::notifications::{NotificationType as Kind, TargetKind},
};

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
        Action::Edit | Action::Delete => None,
    }
}

/// What is told of an action that was done, at most once to each member. `favor` is as it is afterwards, or before it was deleted.
pub fn of(action: Action, favor: &Favor, recipients: &[Recipient], actor: &Member, creator_name: &str, words: &str) -> Vec<New> {
    let (title, name) = (&favor.content.title, actor.display_name());
    let news = News { actor: actor.id, target: Target(TargetKind::Favor, favor.id.0), about: favor.id, was_taken: false };
    let asked = recipients.iter().filter(|r| r.asked_at.is_some());
    match action {
        Action::Edit => Vec::new(),
        Action::Publish => asked.map(|r| news.to(r.member, Kind::FavorRequest, texts::asked(&name, title), true)).collect(),
        Action::Accept | Action::Decline | Action::AnotherTime => {
            let Some(answer) = rules::answer_of(action) else { return Vec::new() };
            // An offer of another time waits for the creator to move the favor.
            let text = texts::answered(&name, title, answer, words);
            let mut batch = vec![news.to(favor.creator, Kind::FavorResponse, text, answer == Answer::AnotherTime)];
            if answer == Answer::Accept {
                // Those who declined have done with it.
                let others = asked.filter(|r| r.member != actor.id && r.answer != Some(Answer::Decline));
                let news = News { actor: favor.creator, ..news };
                batch.extend(others.map(|r| news.over(r, Kind::FavorResponse, texts::taken(creator_name, title))));
            }
            batch
        }
        Action::Complete => {
            let by_creator = actor.id == favor.creator;
            let other = if by_creator { favor.helper } else { Some(favor.creator) };
            let text = texts::completed(&name, title);
            other.map(|member| news.to(member, Kind::FavorCompleted, text, !by_creator)).into_iter().collect()
        }
        Action::Settle => {
            favor.helper.map(|member| news.to(member, Kind::FavorSettled, texts::settled(&name, title), false)).into_iter().collect()
        }
        Action::Cancel => asked
            .map(|r| News { was_taken: favor.helper.is_some(), ..news }.over(r, Kind::FavorCancelled, texts::cancelled(&name, title)))
            .collect(),
        Action::Delete => {
            // The favor is gone: the news leads to who asked.
            let news = News { target: Target(TargetKind::Member, favor.creator.0), ..news };
            asked.map(|r| news.over(r, Kind::FavorCancelled, texts::cancelled(&name, title))).collect()
        }
    }
}

/// What those are told who are not asked any more and had not declined.
pub fn not_needed(favor: &Favor, removed: &[Recipient], creator: &Member) -> Vec<New> {
    let news = News { actor: creator.id, target: Target(TargetKind::Member, creator.id.0), about: favor.id, was_taken: false };
    let told = removed.iter().filter(|r| r.asked_at.is_some() && r.answer != Some(Answer::Decline));
    told.map(|r| news.over(r, Kind::FavorCancelled, texts::not_needed(&creator.display_name(), &favor.content.title))).collect()
}

/// What is expected no longer when something was done. `favor` is as it is afterwards, or before it was deleted or changed.
pub fn settled(action: Action, favor: &Favor, recipients: &[Recipient], actor: MemberId) -> Vec<Settled> {
    let called_off = matches!(action, Action::Cancel | Action::Delete);
    let of = |member| Settled { member, about: favor.id.0, actor: None, called_off, seen: member == actor };
    match action {
        Action::Publish | Action::Complete => Vec::new(),
        // What was expected is that they answer. What they offered before waits for the creator no longer.
        Action::Decline | Action::AnotherTime => vec![of(actor), Settled { actor: Some(actor), ..of(favor.creator) }],
        // Offers of another time are answered by it, and so is the helper's word that it is done.
        Action::Edit | Action::Settle => vec![of(favor.creator)],
        Action::Accept | Action::Cancel | Action::Delete => {
            let asked = recipients.iter().filter(|r| r.asked_at.is_some()).map(|r| r.member);
            let over = |member| Settled { called_off: called_off || ![actor, favor.creator].contains(&member), ..of(member) };
            asked.chain([favor.creator]).map(over).collect()
        }
    }
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
