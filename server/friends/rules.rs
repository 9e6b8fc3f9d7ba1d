//! What a friend request may become. Pure.

use super::{Answer, Direction, Request, RequestStatus};
use crate::{
    error::{Error, Reason, Result},
    pb::friends::Relation,
};
use time::{Duration, OffsetDateTime};

/// For how long a declined request still looks pending to its sender.
pub const SILENCE: Duration = Duration::days(30);

/// What asking does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A new request goes out.
    Send,
    /// The other has asked already: the two become friends.
    Befriend,
    /// The other has declined and is left in peace, which the sender is not told.
    Unheard,
}

/// What asking does, given the last request between the two from the asker's side.
///
/// # Errors
/// ALREADY_FRIENDS, ALREADY_SENT.
pub fn ask(friends: bool, last: Option<&Request>, now: OffsetDateTime) -> Result<Asking> {
    if friends {
        return Err(Error::new(Reason::AlreadyFriends, "you are friends already"));
    }
    let Some(last) = last else { return Ok(Asking::Send) };
    match (last.direction, last.status) {
        (_, RequestStatus::Cancelled | RequestStatus::Accepted) => Ok(Asking::Send),
        (Direction::Received, RequestStatus::Pending) => Ok(Asking::Befriend),
        // To its sender the request still waits: both want to be friends now.
        (Direction::Received, RequestStatus::Declined) if in_silence(last, now) => Ok(Asking::Befriend),
        (Direction::Sent, RequestStatus::Declined) if in_silence(last, now) && last.hidden => Ok(Asking::Unheard),
        (Direction::Sent, RequestStatus::Declined) if in_silence(last, now) => Err(already_sent()),
        (_, RequestStatus::Declined) => Ok(Asking::Send),
        (Direction::Sent, RequestStatus::Pending) => Err(already_sent()),
    }
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
        (Direction::Sent, RequestStatus::Declined) => Ok(Cancelling::Hide),
        (Direction::Sent, RequestStatus::Cancelled) => Ok(Cancelling::Nothing),
        (Direction::Sent, RequestStatus::Accepted) => Err(wrong_state(RequestStatus::Accepted)),
    }
}

/// What somebody else is to a member, given the last request between the two from the member's side.
pub fn relation(friends: bool, last: Option<&Request>, now: OffsetDateTime) -> Relation {
    match last {
        _ if friends => Relation::Friend,
        Some(r) if r.direction == Direction::Sent && waits_for_sender(r, now) => Relation::Requested,
        Some(r) if r.direction == Direction::Received && r.status == RequestStatus::Pending => Relation::Received,
        _ => Relation::None,
    }
}

/// Whether a request stands in its sender's list.
pub fn waits_for_sender(request: &Request, now: OffsetDateTime) -> bool {
    match request.status {
        RequestStatus::Pending => true,
        RequestStatus::Declined => in_silence(request, now) && !request.hidden,
        RequestStatus::Accepted | RequestStatus::Cancelled => false,
    }
}

fn in_silence(request: &Request, now: OffsetDateTime) -> bool {
    request.answered_at.is_some_and(|at| now < at + SILENCE)
}

fn already_sent() -> Error {
    Error::new(Reason::AlreadySent, "Friend request already sent")
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
mod tests {
    use super::*;
    use crate::ids::{FriendRequestId, MemberId};
    use time::macros::datetime;
    use uuid::Uuid;

    const NOW: OffsetDateTime = datetime!(2026-06-01 12:00 UTC);

    fn request(direction: Direction, status: RequestStatus) -> Request {
        let answered_at = matches!(status, RequestStatus::Accepted | RequestStatus::Declined).then_some(NOW);
        let (id, other) = (FriendRequestId(Uuid::nil()), MemberId(Uuid::nil()));
        Request { id, other, direction, status, by_email: true, hidden: false, message: String::new(), sent_at: NOW, answered_at }
    }

    #[test]
    fn a_declined_request_looks_pending_to_its_sender_for_thirty_days() {
        let declined = request(Direction::Sent, RequestStatus::Declined);
        let (last_day, after) = (NOW + SILENCE - Duration::SECOND, NOW + SILENCE);
        assert_eq!(ask(false, Some(&declined), last_day).unwrap_err().reason(), Reason::AlreadySent);
        assert_eq!(relation(false, Some(&declined), last_day), Relation::Requested);
        assert_eq!(ask(false, Some(&declined), after).unwrap(), Asking::Send);
        assert_eq!(relation(false, Some(&declined), after), Relation::None);
    }

    #[test]
    fn taking_a_declined_request_back_and_asking_again_reveals_nothing() {
        let mut declined = request(Direction::Sent, RequestStatus::Declined);
        assert_eq!(cancel(&declined).unwrap(), Cancelling::Hide);
        declined.hidden = true;
        assert_eq!(relation(false, Some(&declined), NOW), Relation::None);
        assert_eq!(ask(false, Some(&declined), NOW).unwrap(), Asking::Unheard);
    }

    #[test]
    fn asking_one_who_has_asked_befriends() {
        for status in [RequestStatus::Pending, RequestStatus::Declined] {
            assert_eq!(ask(false, Some(&request(Direction::Received, status)), NOW).unwrap(), Asking::Befriend);
        }
        assert_eq!(ask(true, None, NOW).unwrap_err().reason(), Reason::AlreadyFriends);
        assert_eq!(ask(false, None, NOW).unwrap(), Asking::Send);
    }

    #[test]
    fn a_repeated_answer_is_a_no_op_and_a_changed_one_is_refused() {
        let at = |status| request(Direction::Received, status);
        assert_eq!(answer(&at(RequestStatus::Pending), Answer::Accept).unwrap(), Some(RequestStatus::Accepted));
        assert_eq!(answer(&at(RequestStatus::Accepted), Answer::Accept).unwrap(), None);
        assert_eq!(answer(&at(RequestStatus::Declined), Answer::Decline).unwrap(), None);
        assert_eq!(answer(&at(RequestStatus::Accepted), Answer::Decline).unwrap_err().reason(), Reason::WrongState);
        assert_eq!(answer(&at(RequestStatus::Cancelled), Answer::Accept).unwrap_err().reason(), Reason::WrongState);
        assert_eq!(answer(&request(Direction::Sent, RequestStatus::Pending), Answer::Accept).unwrap_err().reason(), Reason::NotFound);
    }
}
