//! Who is told what when something is done with a favor. Pure.

use super::{
    Answer, EventKind, Favor, Recipient,
    rules::{self, Action},
    texts::{self, Text},
};
use crate::{
    identity::Member,
    ids::MemberId,
    notifications::{New, Target},
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
    let news = News { actor: actor.id, target: Target(TargetKind::Favor, favor.id.0) };
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
                batch.extend(others.map(|r| news.to(r.member, Kind::FavorResponse, texts::taken(creator_name, title), false)));
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
        Action::Cancel => asked.map(|r| news.to(r.member, Kind::FavorCancelled, texts::cancelled(&name, title), false)).collect(),
        Action::Delete => {
            // The favor is gone: the news leads to who asked.
            let news = News { target: Target(TargetKind::Member, favor.creator.0), ..news };
            asked.map(|r| news.to(r.member, Kind::FavorCancelled, texts::cancelled(&name, title), false)).collect()
        }
    }
}

/// What those are told who are not asked any more and had not declined.
pub fn not_needed(favor: &Favor, removed: &[Recipient], creator: &Member) -> Vec<New> {
    let news = News { actor: creator.id, target: Target(TargetKind::Member, creator.id.0) };
    let told = removed.iter().filter(|r| r.asked_at.is_some() && r.answer != Some(Answer::Decline));
    told.map(|r| news.to(r.member, Kind::FavorCancelled, texts::not_needed(&creator.display_name(), &favor.content.title), false)).collect()
}

struct News {
    actor: MemberId,
    target: Target,
}

impl News {
    fn to(&self, member: MemberId, kind: Kind, (title, message): Text, action_required: bool) -> New {
        let title = title.to_owned();
        New { member, kind, title, message, actor: Some(self.actor), target: self.target, action_required }
    }
}
