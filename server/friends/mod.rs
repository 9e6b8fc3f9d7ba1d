//! Friends: who is whose, and the requests that lead there.

mod account_deletion;
mod groups;
mod hooks;
mod invitations;
mod reports;
mod rules;
mod service;
mod store;
mod texts;
mod wire;

pub use account_deletion::Hooks;
pub use groups::Groups;
pub use hooks::{Hook, Tied};
pub use invitations::{SendInvitation, Sweep as InvitationSweep};
pub use reports::MemberReports;
pub use service::{Service, relation};
pub use store::{befriend, count as count_friends, friends_among, lock_all_friends, lock_friends};

use crate::{
    identity::Shown,
    ids::{FriendRequestId, InvitationId, MemberId, ReportId},
};
use time::OffsetDateTime;

/// The most friends of one member.
pub const FRIENDS_MAX: i64 = 1000;
/// The most requests that one member may have waiting for answers: as many as a list shows.
pub const SENT_MAX: i64 = 200;

/// The most members that one member may have blocked: as many as a list shows.
pub const BLOCKS_MAX: i64 = 1000;

/// On which side of a request a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Direction {
    /// Asked somebody.
    Sent,
    /// Was asked.
    Received,
}

/// Where a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum RequestStatus {
    /// Waits for an answer.
    Pending,
    /// The two became friends.
    Accepted,
    /// Declined, in silence.
    Declined,
    /// Taken back.
    Cancelled,
}

/// An answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Become friends.
    Accept,
    /// Decline in silence.
    Decline,
}

/// The last request between two members that one of them knows of, from that one's side. The two may know of different ones: what was
/// asked anew after it was declined is not heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its id, the same for both sides if both know of it.
    pub id: FriendRequestId,
    /// The other side.
    pub other: MemberId,
    /// Which side this is.
    pub direction: Direction,
    /// Where it stands.
    pub status: RequestStatus,
    /// Whether the sender wrote to an e-mail address.
    pub by_email: bool,
    /// Whether the sender took it back after it was declined.
    pub hidden: bool,
    /// The sender's words.
    pub message: String,
    /// When it was sent.
    pub sent_at: OffsetDateTime,
    /// When it was accepted or declined.
    pub answered_at: Option<OffsetDateTime>,
    /// When the other one last declined a request of this side's, this or an earlier one.
    pub declined_at: Option<OffsetDateTime>,
}

/// A friend, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friend {
    /// The member.
    pub shown: Shown,
    /// Since when.
    pub since: OffsetDateTime,
}

/// How two members stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether they are friends.
    pub friends: bool,
    /// Whether either has blocked the other: neither exists for the other then.
    pub hidden: bool,
}

/// An invitation by mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// Who invites.
    pub inviter: MemberId,
    /// Whereto, as it was typed.
    pub email: String,
    /// Whether there was no member with this address when it was last sent.
    pub was_nobodys: bool,
    /// The inviter's words.
    pub message: String,
    /// When it was last sent.
    pub sent_at: OffsetDateTime,
    /// Until when its link counts.
    pub expires_at: OffsetDateTime,
}

/// What a member says about another one to those who run the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// Who says it.
    pub member: MemberId,
    /// About whom.
    pub reported: MemberId,
    /// What happened, in their words.
    pub reason: String,
    /// When.
    pub at: OffsetDateTime,
}
