//! The life of a favor: who may do what, and which status follows. Pure.

use super::{Answer, EventKind, Favor, FavorStatus, Place, RequestType, Standing};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
    money::Cents,
};
use time::OffsetDateTime;

/// How often a recipient may change their answer or its words. They can accept even after that.
pub const CHANGES_MAX: i16 = 20;
/// How often somebody may step back from a favor and still promise help again.
pub const WITHDRAWALS_MAX: i16 = 5;

/// What a member is to a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Asked it.
    Creator,
    /// Was asked, and does not help.
    Recipient,
    /// Was asked, and helps.
    Helper,
    /// Was asked, and helps when the helper steps back.
    BackUp,
    /// Offers help for a public one.
    Applicant,
    /// Is a friend of the creator of a public one.
    Friend,
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
    /// Step back, or take an offer of help back.
    Withdraw,
    /// Offer help for a public favor.
    Apply,
    /// Pick one of those who offered help.
    Choose,
    /// Ask one more.
    Ask,
    /// Say that the tip did not arrive.
    ReportMissingTip,
    /// Take a proposed start.
    AcceptTime,
    /// Decline another time.
    DeclineTime,
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
    /// To the next in line: when the helper goes, the first back-up helps, or it is active again. Else the status stays.
    NextInLine,
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

/// The life of a favor. The actions of a recipient are those of who has accepted too, though by then it is too late for them.
pub const MOVES: &[Move] = {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    const CREATOR: &[Role] = &[Role::Creator];
    const ASKED: &[Role] = &[Role::Recipient, Role::Helper, Role::BackUp];
    const PROMISED: &[Role] = &[Role::Helper, Role::BackUp, Role::Applicant];
    &[
        Move { action: Action::Edit, by: CREATOR, from: &[Draft, Active], to: To::Stay },
        Move { action: Action::Publish, by: CREATOR, from: &[Draft], to: To::At(Active) },
        Move { action: Action::Complete, by: &[Role::Creator, Role::Helper], from: &[Accepted], to: To::At(Completed) },
        Move { action: Action::Settle, by: CREATOR, from: &[Accepted, Completed], to: To::At(Settled) },
        Move { action: Action::Cancel, by: CREATOR, from: &[Draft, Active, Accepted], to: To::At(Cancelled) },
        Move { action: Action::Delete, by: CREATOR, from: &[Draft, Active], to: To::Gone },
        Move { action: Action::Accept, by: ASKED, from: &[Active, Accepted], to: To::At(Accepted) },
        Move { action: Action::Decline, by: ASKED, from: &[Active, Accepted], to: To::Stay },
        Move { action: Action::AnotherTime, by: ASKED, from: &[Active], to: To::Stay },
        Move { action: Action::Withdraw, by: PROMISED, from: &[Active, Accepted], to: To::NextInLine },
        Move { action: Action::Apply, by: &[Role::Friend, Role::Applicant], from: &[Active], to: To::Stay },
        Move { action: Action::Choose, by: CREATOR, from: &[Active], to: To::At(Accepted) },
        Move { action: Action::Ask, by: CREATOR, from: &[Active], to: To::Stay },
        Move { action: Action::ReportMissingTip, by: &[Role::Helper], from: &[Settled], to: To::Stay },
        Move { action: Action::AcceptTime, by: CREATOR, from: &[Active], to: To::At(Accepted) },
        Move { action: Action::DeclineTime, by: CREATOR, from: &[Active], to: To::Stay },
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
    /// How often they stepped back.
    pub withdrawn: i16,
    /// Whether it could be posted now: it asks somebody and has a start that is not past.
    pub ready: bool,
    /// Whether its start, if it has one, is not past.
    pub ahead: bool,
    /// How many have accepted.
    pub responses: i16,
    /// How many may.
    pub max_responses: i16,
    /// Whether there is somebody to choose.
    pub applicants: bool,
    /// Whether there is a proposed start to take.
    pub proposals: bool,
    /// Whether there is another time to decline.
    pub other_times: bool,
    /// Whether there is a tip.
    pub tip: bool,
    /// Whether it was said that it did not arrive.
    pub tip_missing: bool,
}

/// How a member sees a favor; `None` when it does not exist for them.
pub fn view(favor: &Favor, member: MemberId, now: OffsetDateTime) -> Option<View> {
    let content = &favor.content;
    let public = content.request_type == RequestType::Public;
    Some(View {
        status: favor.status,
        role: role(favor, member)?,
        answer: favor.answer,
        changes: favor.changes,
        withdrawn: favor.withdrawn,
        ahead: content.start.is_none_or(|start| start >= now),
        ready: content.start.is_some_and(|start| start >= now) && (public || !favor.recipients.is_empty()),
        responses: favor.responses,
        max_responses: content.max_responses,
        applicants: !favor.applicants.is_empty(),
        proposals: favor.last_proposed.is_some_and(|start| start >= now),
        other_times: favor.other_times,
        tip: content.tip != Cents::default(),
        tip_missing: favor.tip_missing,
    })
}

/// With whom a member has something going on in a favor: one has promised the other help, and it is not settled yet.
pub fn going_on_with(favor: &Favor, member: MemberId) -> Option<MemberId> {
    let goes_on = matches!(favor.status, FavorStatus::Accepted | FavorStatus::Completed);
    match favor.helper.filter(|_| goes_on) {
        Some(helper) if helper == member => Some(favor.creator),
        helper => helper.filter(|_| favor.creator == member),
    }
}

fn role(favor: &Favor, member: MemberId) -> Option<Role> {
    let open_to_friends = favor.posted && favor.content.request_type == RequestType::Public && favor.requester.is_friend;
    match favor {
        _ if favor.creator == member => Some(Role::Creator),
        _ if favor.helper == Some(member) => Some(Role::Helper),
        _ if favor.asked && favor.answer == Some(Answer::Accept) => Some(Role::BackUp),
        _ if favor.asked => Some(Role::Recipient),
        _ if open_to_friends && favor.applies => Some(Role::Applicant),
        _ if open_to_friends => Some(Role::Friend),
        _ => None,
    }
}

/// Refuses what was decided while it stood otherwise.
///
/// # Errors
/// WRONG_STATE, which names the state.
pub fn check_known(view: View, known: Option<FavorStatus>) -> Result<()> {
    if known.is_none_or(|known| known == view.status) { Ok(()) } else { Err(Refused::WrongState.said(view)) }
}

/// Where an action leads now; `None` when it was done already: with the same words, or to the same member (`same`). An answer with other words
/// than before is another answer.
///
/// # Errors
/// WRONG_PARTY for the other side's action, WRONG_STATE, which names the state, at the wrong moment; START_IN_PAST for one more who would help
/// with what should have begun; LIMIT_REACHED for an answer that was changed too often.
pub fn next(view: View, action: Action, same: bool) -> Result<Option<To>> {
    let Some(found) = MOVES.iter().find(|m| m.action == action) else {
        return Err(Error::internal(anyhow::anyhow!("{action:?} is not in the table of moves")));
    };
    decide(view, found, same).map_err(|refused| refused.said(view))
}

fn decide(view: View, found: &Move, same: bool) -> std::result::Result<Option<To>, Refused> {
    let action = found.action;
    if repeats(view, found, same) {
        return Ok(None);
    }
    if !found.by.contains(&view.role) {
        return Err(Refused::WrongParty);
    }
    if !found.from.contains(&view.status) || !has_room(view, action) {
        return Err(Refused::WrongState);
    }
    if matches!(action, Action::Apply | Action::Ask) && !view.ahead {
        return Err(Refused::StartInPast);
    }
    if action == Action::ReportMissingTip && !view.tip {
        return Err(Refused::NoTip);
    }
    spent(view, action)?;
    Ok(Some(match found.to {
        To::NextInLine if view.role != Role::Helper => To::Stay,
        To::NextInLine if view.responses > 1 => To::At(FavorStatus::Accepted),
        To::NextInLine => To::At(FavorStatus::Active),
        to => to,
    }))
}

/// Why an action cannot be done. It is said to who tries: a list asks for every action of every favor, and says none of it.
#[derive(Clone, Copy, Debug)]
enum Refused {
    WrongParty,
    WrongState,
    StartInPast,
    NoTip,
    OfferChanged,
    AnswerChanged,
    SteppedBack,
}

impl Refused {
    fn said(self, view: View) -> Error {
        let spent = |text: String| Error::new(Reason::LimitReached, text);
        match self {
            Self::WrongParty => Error::new(Reason::WrongParty, "only the other side of this favor can do that"),
            Self::WrongState => Error::new(Reason::WrongState, format!("this favor is {}", word(view.status))),
            Self::StartInPast => Error::new(Reason::StartInPast, "the start of this favor is in the past; move it first"),
            Self::NoTip => Error::new(Reason::WrongState, "this favor has no tip"),
            Self::OfferChanged => spent(format!("an offer can be changed at most {CHANGES_MAX} times")),
            Self::AnswerChanged => spent(format!("an answer can be changed at most {CHANGES_MAX} times; you can still accept")),
            Self::SteppedBack => spent(format!("you can step back from a favor at most {WITHDRAWALS_MAX} times")),
        }
    }
}

/// Whether an action was done already by the one who does it now.
fn repeats(view: View, found: &Move, same: bool) -> bool {
    // Who stepped back is a recipient, or a friend, again.
    if found.action == Action::Withdraw {
        let back = matches!((view.role, view.answer), (Role::Friend, _) | (Role::Recipient, Some(Answer::Decline)));
        return back && view.withdrawn > 0;
    }
    if !found.by.contains(&view.role) {
        return false;
    }
    match found.action {
        // Somebody else's acceptance is not one's own.
        Action::Accept => view.role != Role::Recipient && view.status == FavorStatus::Accepted,
        Action::Decline | Action::AnotherTime => view.role == Role::Recipient && view.answer == answer_of(found.action) && same,
        Action::Apply => view.role == Role::Applicant && same,
        Action::Choose | Action::AcceptTime => found.to == To::At(view.status) && same,
        Action::Ask => same,
        Action::DeclineTime => view.status == FavorStatus::Active && same,
        Action::ReportMissingTip => view.tip_missing,
        Action::Edit | Action::Delete | Action::Withdraw => false,
        Action::Publish | Action::Cancel => found.to == To::At(view.status),
        // Thanks that come after the end would be lost.
        Action::Complete | Action::Settle => found.to == To::At(view.status) && same,
    }
}

/// Whether one may still answer: while somebody helps already, those who did not accept may, until there are back-ups enough.
fn has_room(view: View, action: Action) -> bool {
    let answers = matches!(action, Action::Accept | Action::Decline) && view.status == FavorStatus::Accepted;
    !answers || (view.role == Role::Recipient && has_places(view.responses, view.max_responses))
}

/// Refuses an action that would change an answer, or a mind, once too often.
fn spent(view: View, action: Action) -> std::result::Result<(), Refused> {
    let changes = match action {
        Action::Decline => view.answer.is_some(),
        // An offer that was declined is no answer any more, and counts.
        Action::AnotherTime => true,
        Action::Apply => view.role == Role::Applicant,
        _ => false,
    };
    if changes && view.changes >= CHANGES_MAX {
        return Err(if action == Action::Apply { Refused::OfferChanged } else { Refused::AnswerChanged });
    }
    // A start that is proposed is a promise once the creator takes it.
    let promises = matches!(action, Action::Accept | Action::AnotherTime | Action::Apply) && view.withdrawn >= WITHDRAWALS_MAX;
    if promises { Err(Refused::SteppedBack) } else { Ok(()) }
}

/// What a member may do now, in the order of the table. Other words for the same answer are offered where they say something new: of
/// another time.
pub fn allowed_actions(view: View) -> Vec<Action> {
    let same = |m: &Move| !matches!(m.action, Action::AnotherTime | Action::Ask | Action::DeclineTime);
    let open = |m: &&Move| matches!(decide(view, m, same(m)), Ok(Some(_)));
    let offered = |action: &Action| match action {
        Action::Publish => view.ready,
        Action::Choose => view.applicants,
        Action::AcceptTime => view.proposals,
        Action::DeclineTime => view.other_times,
        _ => true,
    };
    MOVES.iter().filter(open).map(|m| m.action).filter(offered).collect()
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
    use EventKind::{Cancelled, Chosen, Completed, Posted, Settled, TimeAccepted};
    match view.role {
        Role::Creator => EventKind::ALL,
        Role::Helper => &[Posted, Completed, Settled, Cancelled, Chosen, TimeAccepted],
        Role::Recipient | Role::BackUp | Role::Applicant | Role::Friend => &[Posted, Completed, Settled, Cancelled],
    }
}

/// Whether there is room for one more who accepts.
pub fn has_places(responses: i16, max_responses: i16) -> bool {
    responses < max_responses
}

/// Where a favor stands for a member who is something to it, by what they answered; `None` while they do not know of it. While there is room for
/// back-ups, it waits for those who have not answered.
pub fn place(status: FavorStatus, role: Role, answer: Option<Answer>, room: bool) -> Option<Place> {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    Some(match (role, status) {
        (Role::Creator, Draft | Active | Accepted) => Place::OwnOpen,
        (Role::Creator, Completed | Settled) => Place::OwnCompleted,
        (Role::Creator, Cancelled) => Place::OwnCancelled,
        (_, Draft) | (Role::Friend, _) => return None,
        (Role::Recipient, _) if answer == Some(Answer::Decline) => Place::Declined,
        (Role::Applicant, Active) => Place::Applied,
        (Role::Applicant, Accepted | Completed | Settled) => Place::NotChosen,
        (Role::Helper, Accepted) => Place::Helping,
        (Role::BackUp, Accepted) => Place::BackUp,
        (Role::Recipient, Accepted) if !room => Place::Taken,
        (_, Active | Accepted) if answer == Some(Answer::AnotherTime) => Place::Offered,
        (_, Active | Accepted) => Place::Pending,
        (_, Completed) => Place::Completed,
        (_, Settled) => Place::Settled,
        (_, Cancelled) => Place::Cancelled,
    })
}

/// The place that takes another's once the start has passed while nobody had accepted: what waited for somebody waits for the creator.
fn lapsed(place: Place) -> Place {
    match place {
        Place::Pending | Place::Offered | Place::Applied => Place::Lapsed,
        other => other,
    }
}

/// Where a favor stands for all who are something to it. Who was never asked does not learn of it, not even that a draft was called off.
pub fn places(favor: &Standing) -> Vec<(MemberId, Place)> {
    let role = |member, answer| match answer {
        _ if favor.helper == Some(member) => Role::Helper,
        Some(Answer::Accept) => Role::BackUp,
        _ => Role::Recipient,
    };
    let asked = favor.asked.iter().map(|(member, answer)| (*member, role(*member, *answer), *answer));
    let offering = favor.applicants.iter().map(|member| (*member, Role::Applicant, None));
    let all = asked.chain(offering).chain([(favor.creator, Role::Creator, None)]);
    let room = has_places(favor.responses, favor.max_responses);
    let placed = all.filter_map(|(member, role, answer)| Some((member, place(favor.status, role, answer, room)?)));
    placed.map(|(member, place)| (member, if favor.lapsed { lapsed(place) } else { place })).collect()
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
            Err(Error::new(Reason::WrongState, format!("the status of a favor cannot be set to {}", word(status))))
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
