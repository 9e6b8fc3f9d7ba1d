//! Favors: asked by a creator, answered by recipients, done by a helper.

mod account_deletion;
mod acts;
mod circle;
mod find;
mod form;
mod hooks;
mod moves;
mod news;
mod overview;
mod rules;
mod service;
mod sharing;
mod store;
mod texts;
mod timers;
mod wire;

pub use hooks::Hooks;
pub use overview::{Ahead, Overview, Trend, overview, trends};
pub use service::Service;
pub use store::{Counts, Ties, counts, earnings, ties};
pub use timers::{Clocks, Overdue, Ring};

use crate::{
    identity::Shown,
    ids::{FavorId, GroupId, MemberId},
    money::{Cents, Currency},
    rentals::Ratings,
};
use std::collections::{HashMap, HashSet};
use time::OffsetDateTime;

/// Where a favor stands, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum FavorStatus {
    /// Saved, and seen by its creator only.
    Draft,
    /// Posted; nobody has accepted.
    Active,
    /// A helper has accepted.
    Accepted,
    /// The help was given.
    Completed,
    /// Tip and payment are resolved.
    Settled,
    /// Called off.
    Cancelled,
}

/// A recipient's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Answer {
    /// I can help.
    Accept,
    /// I can't.
    Decline,
    /// I could at another time.
    AnotherTime,
}

/// Where a favor stands for a member: which of their lists it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Place {
    /// Their own: a draft, or posted and not done.
    OwnOpen,
    /// Their own, and the help was given.
    OwnCompleted,
    /// Their own, and called off.
    OwnCancelled,
    /// Waits for their answer.
    Pending,
    /// They offered another time.
    Offered,
    /// They declined.
    Declined,
    /// They offered help for a public one.
    Applied,
    /// They offered help, and another was chosen.
    NotChosen,
    /// They are the helper.
    Helping,
    /// They accepted after the helper.
    BackUp,
    /// Somebody else is the helper.
    Taken,
    /// Its start passed while nobody had accepted: it is in none of their lists until it is moved.
    Lapsed,
    /// The help was given.
    Completed,
    /// Tip and payment are resolved.
    Settled,
    /// Called off.
    Cancelled,
}

/// What kind of help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Category {
    /// General Help.
    General,
    /// Errands.
    Errands,
    /// Physical Help.
    PhysicalHelp,
    /// Pet Care.
    PetCare,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum RequestType {
    /// The recipients.
    Direct,
    /// All friends of the creator, who may apply, and the recipients.
    Public,
}

/// What a creator may write and change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What is asked, in a few words.
    pub title: String,
    /// What is asked, in full.
    pub description: String,
    /// What kind of help.
    pub category: Category,
    /// When help is needed.
    pub start: Option<OffsetDateTime>,
    /// By when an answer is needed; not after the start.
    pub confirm: Option<OffsetDateTime>,
    /// The tip.
    pub tip: Cents,
    /// Its currency.
    pub currency: Currency,
    /// Where; empty means not said.
    pub location: String,
    /// Who is asked.
    pub request_type: RequestType,
    /// How many may accept: the first is the helper.
    pub max_responses: i16,
}

/// A favor, and what the member who looks at it is to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Favor {
    /// Its id.
    pub id: FavorId,
    /// Who asks.
    pub creator: MemberId,
    /// What is asked.
    pub content: Content,
    /// Where it stands.
    pub status: FavorStatus,
    /// Whether it was ever posted.
    pub posted: bool,
    /// Whether its start passed while nobody had accepted, and it was not moved since.
    pub lapsed: bool,
    /// Whether the helper said that the tip did not arrive.
    pub tip_missing: bool,
    /// Who helps.
    pub helper: Option<MemberId>,
    /// Who is asked, the helper first. Read for the creator alone: others see themselves.
    pub recipients: Vec<MemberId>,
    /// Which groups a draft shall ask as well. Read for the creator alone.
    pub groups: Vec<GroupId>,
    /// How many have accepted.
    pub responses: i16,
    /// When it was first saved.
    pub created_at: OffsetDateTime,
    /// When it last changed.
    pub updated_at: OffsetDateTime,
    /// What the list is sorted by in which it was read; of one that was read alone, by when it is due.
    pub key: OffsetDateTime,
    /// Whether the one who looks was asked: not before it was posted.
    pub asked: bool,
    /// What they answered.
    pub answer: Option<Answer>,
    /// The start that they proposed with it.
    pub proposed: Option<OffsetDateTime>,
    /// Whether they offer help for a public favor.
    pub applies: bool,
    /// Their words with that answer or offer.
    pub words: String,
    /// How often they changed it.
    pub changes: i16,
    /// How often they stepped back.
    pub withdrawn: i16,
    /// The last start that anybody proposes. Read for the creator alone.
    pub last_proposed: Option<OffsetDateTime>,
    /// Whether anybody offers another time. Read for the creator alone.
    pub other_times: bool,
    /// Whether it is active, not public, and all who are asked have declined. Read for the creator alone.
    pub nobody_can: bool,
    /// Who offers help while nobody helps, the first first. Read for the creator; others see themselves.
    pub applicants: Vec<Applicant>,
    /// Who accepted after the helper, the first first. Read for the creator; others see themselves.
    pub back_ups: Vec<Shown>,
    /// Who asks, as the one who looks may know them.
    pub requester: Requester,
    /// Who helps; `None` also for one who has no account any more.
    pub helping: Option<Shown>,
    /// Whether one of creator and helper, of whom the one who looks is the other, has blocked the other.
    pub hidden: bool,
}

/// Who asks for a favor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requester {
    /// `None` when they have no account any more.
    pub shown: Option<Shown>,
    /// Since when they have it.
    pub since: Option<OffsetDateTime>,
    /// When their profile last changed.
    pub changed_at: Option<OffsetDateTime>,
    /// How many favors they helped with.
    pub helped: i64,
    /// What they were given by those with whom they lent or borrowed.
    pub ratings: Ratings,
    /// Whether they are a friend of the one who looks.
    pub is_friend: bool,
}

/// What the places of a favor follow from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which.
    pub favor: FavorId,
    /// Who asks.
    pub creator: MemberId,
    /// Where it stands.
    pub status: FavorStatus,
    /// Who helps.
    pub helper: Option<MemberId>,
    /// How many have accepted.
    pub responses: i16,
    /// How many may.
    pub max_responses: i16,
    /// Who was asked, and what they answered.
    pub asked: Vec<(MemberId, Option<Answer>)>,
    /// Who offers help.
    pub applicants: Vec<MemberId>,
    /// Whether its start passed while nobody had accepted.
    pub lapsed: bool,
}

impl Standing {
    /// Of a favor and those whom it concerns, or will.
    pub fn of(favor: &Favor, crowd: &Crowd) -> Self {
        Self {
            favor: favor.id,
            creator: favor.creator,
            status: favor.status,
            helper: favor.helper,
            responses: favor.responses,
            max_responses: favor.content.max_responses,
            asked: crowd.recipients.iter().filter(|r| r.asked_at.is_some()).map(|r| (r.member, r.answer)).collect(),
            applicants: crowd.applicants.clone(),
            lapsed: favor.lapsed,
        }
    }
}

/// Somebody who is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// Who.
    pub member: MemberId,
    /// When they were asked; `None` before it is posted.
    pub asked_at: Option<OffsetDateTime>,
    /// What they answered.
    pub answer: Option<Answer>,
    /// When they answered.
    pub answered_at: Option<OffsetDateTime>,
    /// Their words.
    pub message: String,
    /// The start that they proposed with another time.
    pub proposed: Option<OffsetDateTime>,
}

/// Somebody who offers help for a public favor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applicant {
    /// Who.
    pub shown: Shown,
    /// Their words.
    pub message: String,
    /// When they offered it.
    pub applied_at: OffsetDateTime,
}

/// All whom a favor concerns beside its creator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Those who are asked, the helper first.
    pub recipients: Vec<Recipient>,
    /// Those who offer help.
    pub applicants: Vec<MemberId>,
    /// Those of them whose help was not needed before, and may be again.
    pub again: Vec<MemberId>,
}

/// A step in the story of a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum EventKind {
    /// Saved as a draft.
    Drafted,
    /// Posted.
    Posted,
    /// A recipient accepted.
    Accepted,
    /// A recipient declined.
    Declined,
    /// A recipient offered another time.
    AnotherTime,
    /// Marked completed.
    Completed,
    /// Marked settled.
    Settled,
    /// Called off.
    Cancelled,
    /// Somebody stepped back, or took an offer of help back.
    Withdrawn,
    /// A back-up became the helper.
    MovedUp,
    /// A friend offered help.
    Applied,
    /// An applicant was picked.
    Chosen,
    /// One more was asked.
    Asked,
    /// A proposed start was taken.
    TimeAccepted,
    /// The tip did not arrive.
    TipMissing,
    /// Another time was declined.
    TimeDeclined,
}

impl EventKind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Drafted,
        Self::Posted,
        Self::Accepted,
        Self::Declined,
        Self::AnotherTime,
        Self::Completed,
        Self::Settled,
        Self::Cancelled,
        Self::Withdrawn,
        Self::MovedUp,
        Self::Applied,
        Self::Chosen,
        Self::Asked,
        Self::TimeAccepted,
        Self::TipMissing,
        Self::TimeDeclined,
    ];
}

/// One step that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which.
    pub kind: EventKind,
    /// By whom.
    pub actor: MemberId,
    /// When.
    pub at: OffsetDateTime,
    /// Their words.
    pub message: String,
}

/// What is known of the members of a story, to one who reads it.
#[derive(Debug, Default)]
pub struct People {
    /// As far as they have accounts.
    pub members: HashMap<MemberId, Shown>,
    /// Those who are friends of the viewer.
    pub friends: HashSet<MemberId>,
}
