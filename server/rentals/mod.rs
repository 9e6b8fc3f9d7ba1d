//! Rentals: an item is asked for by a borrower, lent by its owner, given back. A borrow request is the same thing in other words.

mod account_deletion;
mod acts;
mod calendar;
mod form;
mod hooks;
mod known;
mod news;
mod overview;
mod pictures;
mod ratings;
mod requests;
mod rules;
mod service;
mod store;
mod texts;
mod timers;
mod unfriending;
mod wire;

pub use hooks::Hooks;
pub use overview::Ahead;
pub use ratings::Ratings;
pub use service::Service;
pub use store::{Ties, ahead, completed, earnings, ties};
pub use timers::{Clocks, Overdue, Ring};

use crate::{
    days::Days,
    identity::Shown,
    ids::{ItemId, MemberId, PictureId, RentalId},
    items::{Category, Seen},
    money::{Cents, Currency},
};
use time::{Date, OffsetDateTime};

/// Where a rental stands, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum RentalStatus {
    /// The borrower has asked.
    Pending,
    /// The owner agreed: the days are booked.
    Accepted,
    /// The owner declined.
    Declined,
    /// Called off before the hand-over, or asked for or agreed on in days that passed without an answer, or a hand-over.
    Cancelled,
    /// The item was handed over.
    Active,
    /// The borrower gave it back; the owner has not confirmed.
    Returned,
    /// The owner confirmed the return.
    Completed,
}

/// A side of a rental.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Whose item it is.
    Owner,
    /// Who borrows it.
    Borrower,
}

/// A step in the story of a rental.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum EventKind {
    /// The borrower asked.
    Asked,
    /// The borrower asked for other days.
    Moved,
    /// The owner agreed.
    Accepted,
    /// The owner declined.
    Declined,
    /// Either side called it off.
    Cancelled,
    /// Either side noted the hand-over.
    Started,
    /// Either side noted the return.
    Returned,
    /// The owner confirmed the return.
    Completed,
    /// The borrower asked for more days.
    ExtensionAsked,
    /// The owner agreed to more days.
    Extended,
    /// The owner refused more days.
    ExtensionDeclined,
    /// The borrower asks for more days no longer.
    ExtensionWithdrawn,
    /// Its days passed while it waited for the owner's word, or for its hand-over; or a return has waited too long to be confirmed.
    Lapsed,
    /// Either side marked the price and the gratitude as paid.
    Paid,
    /// Either side marked the deposit as received.
    DepositReceived,
    /// Either side marked the deposit as returned.
    DepositReturned,
    /// Either side marked the price and the gratitude as not paid after all.
    NotPaid,
    /// Either side marked what was paid for the cancelled rental as returned.
    Refunded,
    /// Either side marked the deposit as not received after all.
    DepositNotReceived,
    /// Either side marked the deposit as not returned after all.
    DepositNotReturned,
}

/// A payment that either side records, or its correction. The two pay each other: Goodturn holds no money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// The borrower paid the price and the gratitude.
    PricePaid,
    /// They were not paid after all.
    PriceNotPaid,
    /// The borrower got back what they had paid for a rental that was cancelled.
    PriceRefunded,
    /// The owner received the deposit.
    DepositReceived,
    /// They did not receive it after all.
    DepositNotReceived,
    /// The borrower got the deposit back.
    DepositReturned,
    /// They did not get it back after all.
    DepositNotReturned,
}

impl Payment {
    /// The step of the story.
    pub const fn event(self) -> EventKind {
        match self {
            Self::PricePaid => EventKind::Paid,
            Self::PriceNotPaid => EventKind::NotPaid,
            Self::PriceRefunded => EventKind::Refunded,
            Self::DepositReceived => EventKind::DepositReceived,
            Self::DepositNotReceived => EventKind::DepositNotReceived,
            Self::DepositReturned => EventKind::DepositReturned,
            Self::DepositNotReturned => EventKind::DepositNotReturned,
        }
    }
}

/// One step that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which.
    pub kind: EventKind,
    /// By whom; `None` when they have no account any more, and for what time alone did.
    pub actor: Option<MemberId>,
    /// When.
    pub at: OffsetDateTime,
    /// The sum of a payment; 0 for any other step.
    pub amount: Cents,
}

/// A hand-over, a return or its confirmation, as it was noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// When it was noted.
    pub at: OffsetDateTime,
    /// By whom.
    pub by: MemberId,
    /// Their words; empty means none.
    pub note: String,
    /// What they showed of it.
    pub pictures: Vec<PictureId>,
}

/// Of what a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Moment {
    /// The hand-over.
    Start,
    /// The return.
    Return,
    /// The owner's confirmation of it.
    Complete,
}

/// More days of a running rental, asked for and not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct More {
    /// The last day that is asked for.
    pub until: Date,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
}

/// What a rental costs, as it was when it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Of a day.
    pub per_day: Cents,
    /// The deposit.
    pub deposit: Cents,
    /// In which currency.
    pub currency: Currency,
}

impl Price {
    /// Of some days, both ends counted, without the deposit.
    pub fn of(self, days: Days) -> Cents {
        Cents::from_cents(self.per_day.cents() * days.count())
    }
}

/// Where the deposit of a rental is. The two sides note it; Goodturn holds no money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deposit {
    /// None was agreed.
    None,
    /// The owner has not received it.
    Due,
    /// The owner has it.
    Held,
    /// The borrower got it back.
    Returned,
}

/// A rental, and what its item's calendar says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rental {
    /// Its id.
    pub id: RentalId,
    /// What is lent.
    pub item: ItemId,
    /// How that is called.
    pub title: String,
    /// How it was called when it was asked for.
    pub asked_as: String,
    /// Its main picture.
    pub image: Option<PictureId>,
    /// What kind of thing it is; `None` where that is not for who looks.
    pub category: Option<Category>,
    /// Whose it is.
    pub owner: MemberId,
    /// Who borrows it.
    pub borrower: MemberId,
    /// Where it stands.
    pub status: RentalStatus,
    /// What was asked for, or agreed.
    pub days: Days,
    /// What it costs.
    pub price: Price,
    /// What all days cost.
    pub total: Cents,
    /// What the borrower gives on top, in whole currency units.
    pub gratitude: i16,
    /// The part of price and gratitude that was marked as paid.
    pub paid: Cents,
    /// Whether a cancelled rental was ever marked as paid. Read for no other.
    pub was_paid: bool,
    /// Whether the deposit of a rental that is over was ever marked as received. Read for no other.
    pub was_received: bool,
    /// When the deposit was marked as received.
    pub deposit_received_at: Option<OffsetDateTime>,
    /// When the deposit was marked as returned.
    pub deposit_returned_at: Option<OffsetDateTime>,
    /// The borrower's words.
    pub message: String,
    /// Why the owner declined, in their words; empty means not said.
    pub decline_note: String,
    /// The owner's words with their rating; empty means none.
    pub note_by_owner: String,
    /// The borrower's words with their rating; empty means none.
    pub note_by_borrower: String,
    /// When it was asked for.
    pub asked_at: OffsetDateTime,
    /// The hand-over.
    pub started: Option<Handover>,
    /// The return.
    pub returned: Option<Handover>,
    /// What the owner noted with the confirmation of a return that the borrower noted.
    pub completed: Option<Handover>,
    /// More days that the borrower asks for.
    pub more: Option<More>,
    /// How the owner rated the borrower.
    pub rating_by_owner: Option<i16>,
    /// How the borrower rated the owner.
    pub rating_by_borrower: Option<i16>,
    /// The last step of its story, but for payments.
    pub last_step: Option<EventKind>,
    /// The owner's zone: its days are those of there.
    pub zone: String,
    /// The owner, while they have an account.
    pub owner_shown: Option<Shown>,
    /// The borrower, while they have an account.
    pub borrower_shown: Option<Shown>,
    /// What the owner was given by all with whom they lent or borrowed.
    pub owner_ratings: Ratings,
    /// What the borrower was.
    pub borrower_ratings: Ratings,
    /// Whether the two are friends.
    pub friends: bool,
    /// Whether the owner has blocked the borrower.
    pub owner_blocks: bool,
    /// Whether the borrower has blocked the owner.
    pub borrower_blocks: bool,
    /// How the borrower sees the item, asked for it or not.
    pub seen: Seen,
    /// Whether the item is listed.
    pub listed: bool,
    /// Whether the days that wait for the owner's word are booked, or black-out days.
    pub booked: bool,
    /// The last day of another rental for which the item is out now.
    pub out_until: Option<Date>,
}

impl Rental {
    /// On which side a member is; `None` for all others.
    pub fn side(&self, member: MemberId) -> Option<Side> {
        match member {
            _ if member == self.owner => Some(Side::Owner),
            _ if member == self.borrower => Some(Side::Borrower),
            _ => None,
        }
    }

    /// Who is on a side.
    pub const fn member(&self, side: Side) -> MemberId {
        match side {
            Side::Owner => self.owner,
            Side::Borrower => self.borrower,
        }
    }

    /// A side, while they have an account.
    pub const fn shown(&self, side: Side) -> Option<&Shown> {
        match side {
            Side::Owner => self.owner_shown.as_ref(),
            Side::Borrower => self.borrower_shown.as_ref(),
        }
    }

    /// How a side rated the other one.
    pub const fn rating_by(&self, side: Side) -> Option<i16> {
        match side {
            Side::Owner => self.rating_by_owner,
            Side::Borrower => self.rating_by_borrower,
        }
    }

    /// The words of a side with its rating of the other one.
    pub fn note_by(&self, side: Side) -> &str {
        match side {
            Side::Owner => &self.note_by_owner,
            Side::Borrower => &self.note_by_borrower,
        }
    }

    /// The price and the gratitude.
    pub fn charge(&self) -> Cents {
        Cents::from_cents(self.total.cents() + i64::from(self.gratitude) * 100)
    }

    /// The part of price and gratitude that is left to pay, whatever the status.
    pub fn unpaid(&self) -> Cents {
        Cents::from_cents((self.charge().cents() - self.paid.cents()).max(0))
    }

    /// Where the deposit is.
    pub fn deposit(&self) -> Deposit {
        match (self.deposit_received_at, self.deposit_returned_at) {
            _ if self.price.deposit.cents() == 0 => Deposit::None,
            (None, _) => Deposit::Due,
            (Some(_), None) => Deposit::Held,
            (Some(_), Some(_)) => Deposit::Returned,
        }
    }

    /// Whether the owner has a payment or the deposit.
    pub fn holds_money(&self) -> bool {
        self.paid.cents() > 0 || self.deposit() == Deposit::Held
    }

    /// Whether either has blocked the other.
    pub const fn is_hidden(&self) -> bool {
        self.owner_blocks || self.borrower_blocks
    }

    /// Whether the borrower could ask for the item anew.
    pub fn is_offered(&self) -> bool {
        self.listed && self.seen == Seen::Circle
    }

    /// Whether an overdue loan of the item stands against it.
    pub fn is_held(&self, today: Date) -> bool {
        self.out_until.is_some_and(|last| last < today)
    }
}

impl Side {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Owner => Self::Borrower,
            Self::Borrower => Self::Owner,
        }
    }
}
