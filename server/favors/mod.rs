//! Favors: asked by a creator, answered by recipients, done by a helper.

mod circle;
mod form;
mod hooks;
mod leaving;
mod moves;
mod news;
mod overview;
mod rules;
mod service;
mod store;
mod texts;
mod timers;
mod wire;

pub use hooks::Hooks;
pub use overview::{Ahead, Overview, Trend, overview, trends};
pub use service::Service;
pub use store::{Counts, Ties, counts, earnings, helped, ties};
pub use timers::{Overdue, Ring};
pub use wire::currency_word;

use crate::{
    identity::Shown,
    ids::{FavorId, GroupId, MemberId},
    money::Cents,
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

/// Where a favor stands for one who was asked: which of their lists it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Place {
    /// Not posted: they do not know of it.
    Draft,
    /// Waits for their answer.
    Pending,
    /// They declined.
    Declined,
    /// They are the helper.
    Helping,
    /// Somebody else is the helper.
    Taken,
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

/// The currency of a tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "UPPERCASE")]
pub enum Currency {
    /// US dollars.
    Usd,
    /// Indian rupees.
    Inr,
    /// Euros.
    Eur,
    /// Pounds sterling.
    Gbp,
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
    /// Who helps.
    pub helper: Option<MemberId>,
    /// Who is asked, the helper first. Read for the creator alone: others see themselves.
    pub recipients: Vec<MemberId>,
    /// Which groups a draft shall ask as well. Read for the creator alone.
    pub groups: Vec<GroupId>,
    /// How many may accept.
    pub max_responses: i16,
    /// How many have accepted.
    pub responses: i16,
    /// When it was first saved.
    pub created_at: OffsetDateTime,
    /// When it last changed.
    pub updated_at: OffsetDateTime,
    /// What lists are sorted by.
    pub due_key: OffsetDateTime,
    /// Whether the one who looks was asked: not before it was posted.
    pub asked: bool,
    /// What they answered.
    pub answer: Option<Answer>,
    /// Their words with that answer.
    pub words: String,
    /// How often they changed it.
    pub changes: i16,
    /// Who asks, as the one who looks may know them.
    pub requester: Requester,
    /// Who helps; `None` also for one who has no account any more.
    pub helping: Option<Shown>,
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
    /// Whether they are a friend of the one who looks.
    pub is_friend: bool,
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
