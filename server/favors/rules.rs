//! The life of a favor: who may do what, and which status follows. Pure.

use super::{Answer, EventKind, Favor, FavorStatus, Place, Standing};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
};
use time::OffsetDateTime;

/// How often a recipient may change their answer or its words. They can accept even after that.
pub const CHANGES_MAX: i16 = 20;

/// What a member is to a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Asked it.
    Creator,
    /// Was asked, and does not help.
    Recipient,
    /// Was asked, and helps.
    Helper,
}

/// What can be done with a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Change its fields.
    Edit,
    /// Post it.
    Publish,
    /// Mark it completed.
    Complete,
    /// Mark it settled.
    Settle,
    /// Call it off.
    Cancel,
    /// Remove it.
    Delete,
    /// Offer to help.
    Accept,
    /// Say no.
    Decline,
    /// Offer another time.
    AnotherTime,
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To a status.
    At(FavorStatus),
    /// Nowhere: the status stays.
    Stay,
    /// Out of the world.
    Gone,
}

/// One line of the table: who may do what, when, and where it leads.
#[derive(Debug)]
pub struct Move {
    /// What.
    pub action: Action,
    /// Who.
    pub by: &'static [Role],
    /// When.
    pub from: &'static [FavorStatus],
    /// Where it leads.
    pub to: To,
}

/// The life of a favor. The actions of a recipient are a helper's too, though by then it is too late for them.
pub const MOVES: &[Move] = {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    const CREATOR: &[Role] = &[Role::Creator];
    const ASKED: &[Role] = &[Role::Recipient, Role::Helper];
    &[
        Move { action: Action::Edit, by: CREATOR, from: &[Draft, Active], to: To::Stay },
        Move { action: Action::Publish, by: CREATOR, from: &[Draft], to: To::At(Active) },
        Move { action: Action::Complete, by: &[Role::Creator, Role::Helper], from: &[Accepted], to: To::At(Completed) },
        Move { action: Action::Settle, by: CREATOR, from: &[Accepted, Completed], to: To::At(Settled) },
        Move { action: Action::Cancel, by: CREATOR, from: &[Draft, Active, Accepted], to: To::At(Cancelled) },
        Move { action: Action::Delete, by: CREATOR, from: &[Draft, Active], to: To::Gone },
        Move { action: Action::Accept, by: ASKED, from: &[Active], to: To::At(Accepted) },
        Move { action: Action::Decline, by: ASKED, from: &[Active], to: To::Stay },
        Move { action: Action::AnotherTime, by: ASKED, from: &[Active], to: To::Stay },
    ]
};

/// A favor as the rules see it, with the eyes of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it stands.
    pub status: FavorStatus,
    /// What the member is to it.
    pub role: Role,
    /// What the member answered.
    pub answer: Option<Answer>,
    /// How often they changed it.
    pub changes: i16,
    /// Whether it could be posted now: it has recipients and a start that is not past.
    pub ready: bool,
}

/// How a member sees a favor; `None` when it does not exist for them.
pub fn view(favor: &Favor, member: MemberId, now: OffsetDateTime) -> Option<View> {
    let role = if favor.creator == member {
        Role::Creator
    } else if favor.helper == Some(member) {
        Role::Helper
    } else if favor.asked {
        Role::Recipient
    } else {
        return None;
    };
    let ready = favor.content.start.is_some_and(|start| start >= now) && !favor.recipients.is_empty();
    Some(View { status: favor.status, role, answer: favor.answer, changes: favor.changes, ready })
}

/// Where an action leads now; `None` when it was done already. An answer with other words than before (not `same_words`) is another answer.
///
/// # Errors
/// WRONG_PARTY for the other side's action, WRONG_STATE, which names the state, at the wrong moment; LIMIT_REACHED for an answer that was
/// changed too often.
pub fn next(view: View, action: Action, same_words: bool) -> Result<Option<To>> {
    let Some(found) = MOVES.iter().find(|m| m.action == action) else {
        return Err(Error::internal(anyhow::anyhow!("{action:?} is not in the table of moves")));
    };
    if !found.by.contains(&view.role) {
        return Err(Error::new(Reason::WrongParty, "only the other side of this favor can do that"));
    }
    if repeats(view, found, same_words) {
        return Ok(None);
    }
    if !found.from.contains(&view.status) {
        return Err(Error::new(Reason::WrongState, format!("this favor is {}", word(view.status))));
    }
    if spent(view, action) {
        let text = format!("an answer can be changed {CHANGES_MAX} times; you can still accept");
        return Err(Error::new(Reason::LimitReached, text));
    }
    Ok(Some(found.to))
}

/// Whether an action was done already by the one who does it now.
fn repeats(view: View, found: &Move, same_words: bool) -> bool {
    match found.action {
        // Somebody else's acceptance is not one's own.
        Action::Accept => view.role == Role::Helper && view.status == FavorStatus::Accepted,
        Action::Decline | Action::AnotherTime => view.role == Role::Recipient && view.answer == answer_of(found.action) && same_words,
        Action::Edit | Action::Delete => false,
        Action::Publish | Action::Complete | Action::Settle | Action::Cancel => found.to == To::At(view.status),
    }
}

/// Whether an action would change an answer once too often.
fn spent(view: View, action: Action) -> bool {
    let changes = matches!(action, Action::Decline | Action::AnotherTime) && view.answer.is_some();
    changes && view.changes >= CHANGES_MAX
}

/// What a member may do now, in the order of the table. Other words for the same answer are offered where they say something new: of
/// another time.
pub fn allowed_actions(view: View) -> Vec<Action> {
    let done = |m: &Move| repeats(view, m, m.action != Action::AnotherTime) || spent(view, m.action);
    let open = |m: &&Move| m.by.contains(&view.role) && m.from.contains(&view.status) && !done(m);
    MOVES.iter().filter(open).map(|m| m.action).filter(|a| *a != Action::Publish || view.ready).collect()
}

/// The action that an answer is.
pub fn action_of(answer: Answer) -> Action {
    match answer {
        Answer::Accept => Action::Accept,
        Answer::Decline => Action::Decline,
        Answer::AnotherTime => Action::AnotherTime,
    }
}

/// The answer that an action is.
pub fn answer_of(action: Action) -> Option<Answer> {
    [Answer::Accept, Answer::Decline, Answer::AnotherTime].into_iter().find(|answer| action_of(*answer) == action)
}

/// The steps of a story that a member may know whoever made them; their own they know anyway. Who answered what is the creator's to know.
pub fn steps_of_all(view: View) -> &'static [EventKind] {
    use EventKind::{Accepted, AnotherTime, Cancelled, Completed, Declined, Drafted, Posted, Settled};
    match view.role {
        Role::Creator => &[Drafted, Posted, Accepted, Declined, AnotherTime, Completed, Settled, Cancelled],
        Role::Recipient | Role::Helper => &[Posted, Completed, Settled, Cancelled],
    }
}

/// Where a favor stands for a member who is something to it, by what they answered; `None` while they do not know of it.
pub fn place(status: FavorStatus, role: Role, answer: Option<Answer>) -> Option<Place> {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    Some(match (role, status) {
        (Role::Creator, Draft | Active | Accepted) => Place::OwnOpen,
        (Role::Creator, Completed | Settled) => Place::OwnCompleted,
        (Role::Creator, Cancelled) => Place::OwnCancelled,
        (Role::Recipient | Role::Helper, Draft) => return None,
        (Role::Recipient, _) if answer == Some(Answer::Decline) => Place::Declined,
        (Role::Recipient | Role::Helper, Active) if answer == Some(Answer::AnotherTime) => Place::Offered,
        (Role::Recipient | Role::Helper, Active) => Place::Pending,
        (Role::Helper, Accepted) => Place::Helping,
        (Role::Recipient, Accepted) => Place::Taken,
        (Role::Recipient | Role::Helper, Completed) => Place::Completed,
        (Role::Recipient | Role::Helper, Settled) => Place::Settled,
        (Role::Recipient | Role::Helper, Cancelled) => Place::Cancelled,
    })
}

/// Where a favor stands for all who are something to it. Who was never asked does not learn of it, not even that a draft was called off.
pub fn places(favor: &Standing) -> Vec<(MemberId, Place)> {
    let role = |member| if favor.helper == Some(member) { Role::Helper } else { Role::Recipient };
    let asked = favor.asked.iter().map(|(member, answer)| (*member, role(*member), *answer));
    let all = asked.chain([(favor.creator, Role::Creator, None)]);
    all.filter_map(|(member, role, answer)| Some((member, place(favor.status, role, answer)?))).collect()
}

/// The action that leads to a status which a creator asks for.
///
/// # Errors
/// WRONG_STATE for a status that is not reached by asking for it.
pub fn action_to(status: FavorStatus) -> Result<Action> {
    match status {
        FavorStatus::Active => Ok(Action::Publish),
        FavorStatus::Completed => Ok(Action::Complete),
        FavorStatus::Settled => Ok(Action::Settle),
        FavorStatus::Cancelled => Ok(Action::Cancel),
        FavorStatus::Draft | FavorStatus::Accepted => {
            Err(Error::new(Reason::WrongState, format!("a favor cannot be made {} like this", word(status))))
        }
    }
}

/// The word of a status.
pub fn word(status: FavorStatus) -> &'static str {
    match status {
        FavorStatus::Draft => "draft",
        FavorStatus::Active => "active",
        FavorStatus::Accepted => "accepted",
        FavorStatus::Completed => "completed",
        FavorStatus::Settled => "settled",
        FavorStatus::Cancelled => "cancelled",
    }
}

#[cfg(test)]
mod tests;
