//! Friends between the wire and the domain.

use super::{Answer, Friend, Invitation, Request, RequestStatus, rules::INVITED_FOR};
use crate::{
    digits,
    error::{Error, FieldReason, Result},
    identity::{Member, rules},
    ids::{InvitationId, MemberId},
    notifications::Apart,
    pb::{self, friends as wire},
    pictures::Pictures,
};
use std::collections::HashMap;

/// A contact to search by, told apart and in its plain form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contact {
    /// An e-mail address.
    Email(String),
    /// A phone number: `+` and digits.
    Phone(String),
}

/// Reads a contact: trimmed, an e-mail address if it has an @, else a phone number.
///
/// # Errors
/// INVALID_ARGUMENT when it is neither, or not of the type that was said.
pub fn contact(text: &str, kind: wire::ContactType) -> Result<Contact> {
    let text = text.trim();
    let email = match kind {
        wire::ContactType::Unspecified => text.contains('@'),
        wire::ContactType::Email => true,
        wire::ContactType::Phone => false,
    };
    let read = if email { is_email(text).then(|| Contact::Email(text.to_owned())) } else { phone(text).map(Contact::Phone) };
    let reason = if text.is_empty() { FieldReason::Required } else { FieldReason::Invalid };
    let words =
        if text.is_empty() { "Please enter an email or phone number" } else { "Please enter a valid email address or phone number" };
    read.ok_or_else(|| Error::field("contact", reason, words))
}

/// Reads an address to invite: one that somebody could join with, which has one spelling but for letter case. By what stands behind a plus sign, and
/// by dots, addresses differ, as accounts do: that some mailboxes hold several is known to their servers alone, and for one of them to refuse what is
/// another's elsewhere is worse than that it refuses each by itself.
///
/// # Errors
/// INVALID_ARGUMENT when it is none.
pub fn invited(text: &str) -> Result<String> {
    let text = text.trim();
    if rules::is_email(text) {
        return Ok(text.to_owned());
    }
    Err(Error::field("contact", FieldReason::Invalid, "Please enter a valid email address to send an invitation."))
}

/// No spaces, one @, a dot in the domain: what the documented client checks.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let dotted = domain.split_once('.').is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    !local.is_empty() && dotted && !domain.contains('@') && !text.contains(char::is_whitespace)
}

/// An optional +, or 00 for it, then at most 16 digits of which the first is 1 to 9; what people write between them does not count. A number of
/// ten digits without + is one of the country that every profile is sent with, the US.
fn phone(text: &str) -> Option<String> {
    let plain = digits::phone(text);
    let plain = plain.strip_prefix("00").map_or_else(|| plain.clone(), |rest| format!("+{rest}"));
    let digits = plain.strip_prefix('+').unwrap_or(&plain);
    let good = (1..=16).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let country = if !plain.starts_with('+') && digits.len() == 10 { "+1" } else { "+" };
    good.then(|| format!("{country}{digits}"))
}

/// An invitation, as its inviter sees it.
pub fn sent_invitation(sent: Invitation) -> wire::SentInvitation {
    wire::SentInvitation {
        id: sent.id.to_string(),
        email: sent.email,
        message: sent.message,
        sent_at: Some(pb::timestamp(sent.sent_at)),
        expires_at: Some(pb::timestamp(sent.expires_at)),
        resend_at: Some(pb::timestamp(sent.sent_at + INVITED_FOR)),
    }
}

/// An answer.
pub fn answer(action: wire::FriendRequestAction) -> Result<Answer> {
    match action {
        wire::FriendRequestAction::Accept => Ok(Answer::Accept),
        wire::FriendRequestAction::Decline => Ok(Answer::Decline),
        wire::FriendRequestAction::Unspecified => Err(Error::field("action", FieldReason::Required, "must be accept or decline")),
    }
}

/// Where a request stands, in the words of the wire.
pub fn status(status: RequestStatus) -> wire::FriendRequestStatus {
    match status {
        RequestStatus::Pending => wire::FriendRequestStatus::Pending,
        RequestStatus::Accepted => wire::FriendRequestStatus::Accepted,
        RequestStatus::Declined | RequestStatus::Cancelled => wire::FriendRequestStatus::Declined,
    }
}

/// A request in a list. To the sender, the other's address shows only if it was the sender who wrote it.
pub fn request(request: Request, other: &Member, pictures: &Pictures) -> wire::FriendRequest {
    let show_email = match request.direction {
        super::Direction::Received => true,
        super::Direction::Sent => request.by_email,
    };
    wire::FriendRequest {
        friend_request: request.id.to_string(),
        friend_request_date: Some(pb::timestamp(request.sent_at)),
        message: request.message,
        user: Some(other.to_person(show_email, pictures)),
    }
}

/// A friend in a list.
fn friend(friend: Friend, pictures: &Pictures) -> wire::Friend {
    let person = friend.shown.into_person(true, pictures);
    wire::Friend {
        uid: person.uid,
        display_name: person.display_name,
        email: person.email,
        first_name: person.first_name,
        last_name: person.last_name,
        profile_picture_url: person.profile_picture_url,
        accepted_at: Some(pb::timestamp(friend.since)),
    }
}

/// What a search answers: the member, and what they are to the one who searches. An address shows only if it was searched by.
pub fn found(found: Option<(&Member, wire::Relation)>, contact: &Contact, pictures: &Pictures) -> wire::FindFriendResponse {
    let by_email = matches!(contact, Contact::Email(_));
    let relation = found.map_or(wire::Relation::Unspecified, |(_, relation)| relation);
    let user = found.map(|(member, _)| member).map(|m| m.to_person(by_email, pictures)).map(|person| wire::FoundMember {
        uid: person.uid,
        display_name: person.display_name,
        email: person.email,
        first_name: person.first_name,
        last_name: person.last_name,
        profile_picture_url: person.profile_picture_url,
    });
    wire::FindFriendResponse {
        exists: user.is_some(),
        found: user.is_some(),
        invitable: user.is_none() && by_email,
        relation: relation.into(),
        user,
    }
}

/// The circle: the friends by display name, and the groups.
pub fn circle(friends: Vec<Friend>, groups: Vec<pb::groups::Group>, pictures: &Pictures) -> wire::GetActiveResponse {
    let mut list: Vec<_> = friends.into_iter().map(|f| friend(f, pictures)).collect();
    list.sort_by_cached_key(|f| (f.display_name.to_lowercase(), f.uid.clone()));
    wire::GetActiveResponse { friends: Some(wire::FriendList { list }), groups }
}

/// Those whom a member has blocked.
pub fn blocked(blocked: Vec<Apart>) -> wire::ListBlockedMembersResponse {
    let one = |b: Apart| wire::BlockedMember { since: Some(pb::timestamp(b.since)), user: Some(b.into_person()) };
    wire::ListBlockedMembersResponse { blocked: blocked.into_iter().map(one).collect() }
}

/// What inviting answers.
pub fn invitation(id: InvitationId, expires_at: time::OffsetDateTime) -> wire::SendInviteResponse {
    wire::SendInviteResponse { invitation: id.to_string(), expires_at: Some(pb::timestamp(expires_at)) }
}

/// A link to join that counts: who has it may know who invites, and at which address.
pub fn counts(of: &Invitation, inviter: &Member) -> wire::GetInvitationResponse {
    let (link, inviter_name) = (wire::InvitationLink::Join.into(), inviter.display_name());
    wire::GetInvitationResponse { link, counts: true, inviter_name, email: of.email.clone(), declined: false }
}

/// A link to refuse invitations, and whether its address does.
pub fn refuses(email: String, declined: bool) -> wire::GetInvitationResponse {
    wire::GetInvitationResponse { link: wire::InvitationLink::Decline.into(), counts: true, email, declined, ..Default::default() }
}

/// A link that counts no more.
pub fn gone(link: wire::InvitationLink) -> wire::GetInvitationResponse {
    wire::GetInvitationResponse { link: link.into(), ..Default::default() }
}

/// What asking answers.
pub fn sent(id: crate::ids::FriendRequestId, status: wire::FriendRequestStatus) -> wire::SendFriendRequestResponse {
    wire::SendFriendRequestResponse { friend_request: id.to_string(), status: status.into() }
}

/// Whether a request may stand in a list now: its other side has an account.
pub fn requests(rows: Vec<Request>, members: &HashMap<MemberId, Member>, pictures: &Pictures) -> Vec<wire::FriendRequest> {
    rows.into_iter().filter_map(|r| members.get(&r.other).map(|m| request(r, m, pictures))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Contact> {
        contact(text, wire::ContactType::Unspecified).ok()
    }

    #[test]
    fn contacts_are_told_apart() {
        assert_eq!(read(" ben@example.org "), Some(Contact::Email("ben@example.org".into())));
        assert_eq!(read("(555) 123-4567"), Some(Contact::Phone("+15551234567".into())));
        assert_eq!(read("+49 170 1234567"), Some(Contact::Phone("+491701234567".into())));
        for bad in ["", "ben@", "ben@org", "a b@example.org", "a@b@example.org", "ben@.org", "0123", "+12345678901234567", "ben"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
