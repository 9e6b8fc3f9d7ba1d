//! What a friend request may become. Pure.

use super::{Answer, Direction, Invitation, Request, RequestStatus, Standing};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
    pb::friends::Relation,
};
use time::{Duration, OffsetDateTime};

/// For how long a declined request still looks pending to its sender.
pub const SILENCE: Duration = Duration::days(30);

/// How long an address is not invited by the same member again.
pub const INVITED_FOR: Duration = Duration::days(7);

/// Whether a member may invite an address, by the invitation of theirs that stands there.
///
/// # Errors
/// ALREADY_INVITED.
pub fn invite(before: Option<&Invitation>, now: OffsetDateTime) -> Result<()> {
    if before.is_some_and(|invitation| now < invitation.sent_at + INVITED_FOR) {
        return Err(Error::new(Reason::AlreadyInvited, "you have already invited this address"));
    }
    Ok(())
}

/// What asking does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A new request goes out.
    Send,
    /// The other has asked already, and not taken it back: the two become friends.
    Befriend,
    /// The other has declined and is left in peace. The sender is not told: to them it is a new request like any.
    Unheard,
}

/// What asking does, given what the asker and the other one know of each other's requests.
///
/// # Errors
/// NOT_FOUND when one has blocked the other, as for nobody; ALREADY_FRIENDS, ALREADY_SENT.
pub fn ask(standing: Standing, mine: Option<&Request>, theirs: Option<&Request>, now: OffsetDateTime) -> Result<Asking> {
    if standing.hidden {
        return Err(Error::not_found("member"));
    }
    if standing.friends {
        return Err(Error::new(Reason::AlreadyFriends, "you are already friends"));
    }
    if mine.is_some_and(|r| stands(r, now)) {
        return Err(Error::new(Reason::AlreadySent, "Friend request already sent"));
    }
    // Declined or not, the other one wants it still: both do now.
    if theirs.is_some_and(|r| stands(r, now)) {
        return Ok(Asking::Befriend);
    }
    if mine.is_some_and(|r| in_silence(r, now)) {
        return Ok(Asking::Unheard);
    }
    Ok(Asking::Send)
}

/// Where an answer leads; `None` when it was given already.
///
/// # Errors
/// NOT_FOUND for the sender, who has nothing to answer; WRONG_STATE.
pub fn answer(request: &Request, answer: Answer) -> Result<Option<RequestStatus>> {
    if request.direction == Direction::Sent {
        return Err(Error::not_found("friend request"));
    }
    match (request.status, answer) {
        (RequestStatus::Pending, Answer::Accept) => Ok(Some(RequestStatus::Accepted)),
        (RequestStatus::Pending, Answer::Decline) => Ok(Some(RequestStatus::Declined)),
        (RequestStatus::Accepted, Answer::Accept) | (RequestStatus::Declined, Answer::Decline) => Ok(None),
        (RequestStatus::Accepted | RequestStatus::Declined | RequestStatus::Cancelled, _) => Err(wrong_state(request.status)),
    }
}

/// What taking a request back does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelling {
    /// It is gone on both sides.
    Withdraw,
    /// It leaves the sender's list; the other has declined it already.
    Hide,
    /// It was gone.
    Nothing,
}

/// What taking a request back does.
///
/// # Errors
/// NOT_FOUND for the receiver, whose request it is not; WRONG_STATE once the two are friends.
pub fn cancel(request: &Request) -> Result<Cancelling> {
    match (request.direction, request.status) {
        (Direction::Received, _) => Err(Error::not_found("friend request")),
        (Direction::Sent, RequestStatus::Pending) => Ok(Cancelling::Withdraw),
        (Direction::Sent, RequestStatus::Declined) if !request.hidden => Ok(Cancelling::Hide),
        (Direction::Sent, RequestStatus::Declined | RequestStatus::Cancelled) => Ok(Cancelling::Nothing),
        (Direction::Sent, RequestStatus::Accepted) => Err(wrong_state(RequestStatus::Accepted)),
    }
}

/// The rows of a pair, the acting side's first; `None` where a row stays as it is.
pub type Rows = (Option<Request>, Option<Request>);

/// A new request on both sides. What was declined before stays noted.
pub fn sent(new: &Request, me: MemberId, mine: Option<&Request>, theirs: Option<&Request>) -> Rows {
    let declined_at = |row: Option<&Request>| row.and_then(|r| r.declined_at);
    let sent = Request { declined_at: declined_at(mine), ..new.clone() };
    let received = Request { other: me, direction: Direction::Received, declined_at: declined_at(theirs), ..new.clone() };
    (Some(sent), Some(received))
}

/// A new request that its sender alone knows of: declined like the one that began the silence, and standing until that is over. The other
/// side's row stays.
pub fn unheard(new: &Request, mine: Option<&Request>) -> Rows {
    let declined_at = mine.and_then(|r| r.declined_at);
    let sent = Request { status: RequestStatus::Declined, answered_at: declined_at, declined_at, ..new.clone() };
    (Some(sent), None)
}

/// What waits between two of whom one has blocked the other, called off in silence: to the blocked one it is gone, as if the other one had left.
pub fn called_off(mine: Option<&Request>, theirs: Option<&Request>, now: OffsetDateTime) -> Rows {
    (mine.and_then(|row| let_go(row, now)), theirs.and_then(let_go_of_me))
}

/// The row of the one who blocks.
fn let_go(row: &Request, now: OffsetDateTime) -> Option<Request> {
    match (row.direction, row.status) {
        (Direction::Received, RequestStatus::Pending) => {
            Some(Request { status: RequestStatus::Declined, answered_at: Some(now), ..row.clone() })
        }
        (Direction::Sent, RequestStatus::Pending) => Some(Request { status: RequestStatus::Cancelled, ..row.clone() }),
        (Direction::Sent, RequestStatus::Declined) => Some(Request { hidden: true, ..row.clone() }),
        (_, RequestStatus::Accepted | RequestStatus::Cancelled) | (Direction::Received, RequestStatus::Declined) => None,
    }
}

/// The row of the one who is blocked.
fn let_go_of_me(row: &Request) -> Option<Request> {
    match (row.direction, row.status) {
        (_, RequestStatus::Pending) => Some(Request { status: RequestStatus::Cancelled, ..row.clone() }),
        (Direction::Sent, RequestStatus::Declined) => Some(Request { hidden: true, ..row.clone() }),
        (_, RequestStatus::Accepted | RequestStatus::Cancelled) | (Direction::Received, RequestStatus::Declined) => None,
    }
}

/// The request of the other one, accepted by this side, whatever this side knew of it.
pub fn accepted(other: MemberId, theirs: &Request, now: OffsetDateTime) -> Rows {
    let sent = Request { status: RequestStatus::Accepted, hidden: false, answered_at: Some(now), declined_at: None, ..theirs.clone() };
    (Some(Request { other, direction: Direction::Received, ..sent.clone() }), Some(sent))
}

/// A received request, declined.
pub fn declined(mine: &Request, theirs: &Request, now: OffsetDateTime) -> Rows {
    let declined = |row: &Request| Request { status: RequestStatus::Declined, answered_at: Some(now), ..row.clone() };
    (Some(declined(mine)), Some(Request { declined_at: Some(now), ..declined(theirs) }))
}

/// A sent request, taken back.
pub fn taken_back(cancelling: Cancelling, mine: &Request, theirs: &Request) -> Rows {
    let gone = |row: &Request| Request { status: RequestStatus::Cancelled, ..row.clone() };
    match cancelling {
        Cancelling::Withdraw => (Some(gone(mine)), Some(gone(theirs))),
        Cancelling::Hide => (Some(Request { hidden: true, ..mine.clone() }), None),
        Cancelling::Nothing => (None, None),
    }
}

/// What somebody else is to a member, given the last request between the two from the member's side. Unspecified: nobody.
pub fn relation(standing: Standing, last: Option<&Request>, now: OffsetDateTime) -> Relation {
    match last {
        _ if standing.hidden => Relation::Unspecified,
        _ if standing.friends => Relation::Friend,
        Some(r) if stands(r, now) => Relation::Requested,
        Some(r) if r.direction == Direction::Received && r.status == RequestStatus::Pending => Relation::Received,
        _ => Relation::None,
    }
}

/// Whether a request stands in its sender's list: they want to be friends, as far as they have said.
pub fn stands(request: &Request, now: OffsetDateTime) -> bool {
    request.direction == Direction::Sent
        && match request.status {
            RequestStatus::Pending => true,
            RequestStatus::Declined => in_silence(request, now) && !request.hidden,
            RequestStatus::Accepted | RequestStatus::Cancelled => false,
        }
}

/// Whether requests of this side are not heard, since the other one has declined one.
fn in_silence(request: &Request, now: OffsetDateTime) -> bool {
    request.declined_at.is_some_and(|at| now < at + SILENCE)
}

fn wrong_state(status: RequestStatus) -> Error {
    let word = match status {
        RequestStatus::Pending => "pending",
        RequestStatus::Accepted => "accepted",
        RequestStatus::Declined => "declined",
        RequestStatus::Cancelled => "cancelled",
    };
    Error::new(Reason::WrongState, format!("this friend request is {word}"))
}

#[cfg(test)]
mod tests;
