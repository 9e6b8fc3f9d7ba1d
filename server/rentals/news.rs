//! Who is told what when something is done with a rental, and what is expected no longer. Pure.

use super::{
    EventKind, Payment, Rental, RentalStatus, Side,
    rules::{self, Action},
    texts::{self, Text},
};
use crate::{
    ids::{MemberId, RentalId},
    money::Cents,
    notifications::{New, Over, Settled, Target},
    pb::notifications::{NotificationType as Kind, TargetKind},
};
use uuid::Uuid;

/// What was done with a rental.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'a> {
    /// What.
    pub action: Action,
    /// On which side.
    pub side: Side,
    /// How the one who did it is called.
    pub name: &'a str,
    /// Their words.
    pub note: &'a str,
    /// The sum of a payment.
    pub amount: Cents,
}

/// The step of the story that an action is.
pub fn step(action: Action) -> Option<EventKind> {
    match action {
        Action::Accept => Some(EventKind::Accepted),
        Action::Decline => Some(EventKind::Declined),
        Action::Cancel => Some(EventKind::Cancelled),
        Action::Move => Some(EventKind::Moved),
        Action::Start => Some(EventKind::Started),
        Action::Return => Some(EventKind::Returned),
        Action::Complete => Some(EventKind::Completed),
        Action::Extend => Some(EventKind::ExtensionAsked),
        Action::AcceptExtension => Some(EventKind::Extended),
        Action::DeclineExtension => Some(EventKind::ExtensionDeclined),
        Action::WithdrawExtension => Some(EventKind::ExtensionWithdrawn),
        Action::Record(payment) => Some(payment.event()),
        Action::Rate => None,
    }
}

/// What the owner is told of a new request.
pub fn asked(rental: &Rental, name: &str) -> New {
    let text = texts::asked(name, &rental.title, rental.days, &rental.message);
    News::of(rental, Side::Borrower).to(Kind::RentalRequest, text, true)
}

/// What a borrower is told whose request is declined because the item is lent no longer.
pub fn removed(rental: RentalId, borrower: MemberId, owner: MemberId, name: &str, title: &str) -> New {
    let news = News { id: rental, actor: owner, member: borrower, about: rental.0 };
    news.to(Kind::RentalResponse, texts::removed(name, title), false)
}

/// What the other side is told of an action that was done. `before` is the rental as it was, `after` as it is.
pub fn of(deed: Deed<'_>, before: &Rental, after: &Rental) -> Option<New> {
    let Deed { action, side, name, note, amount } = deed;
    let (title, days) = (after.title_to(side.other()), after.days);
    let news = News::of(after, side);
    let more = News { about: more_of(after.id), ..news };
    // A payment replaces neither the news of another one nor that the rental is completed.
    let payment = News { about: payment_of(action, after.id), ..news };
    Some(match action {
        Action::Accept => news.to(Kind::RentalResponse, texts::accepted(name, title, days), false),
        Action::Decline => news.to(Kind::RentalResponse, texts::declined(name, title, days, note), false),
        Action::Cancel if before.status == RentalStatus::Pending => {
            // One takes the place of the last from this borrower, where what it calls off was not read: who asks and takes back again and
            // again fills nobody's list.
            let new = news.to(Kind::RentalCancelled, texts::taken_back(name, title, days), false);
            New { about_unread: Some(news.actor.0), ..new }
        }
        Action::Cancel => news.to(Kind::RentalCancelled, texts::cancelled(name, title, days, before.holds_money()), false),
        Action::Move => news.to(Kind::RentalMoved, texts::moved(name, title, days), true),
        Action::Start => news.to(Kind::RentalStarted, texts::started(name, title, days.last(), note), false),
        Action::Return if side == Side::Borrower => news.to(Kind::RentalReturned, texts::returned(name, title, note), true),
        Action::Return | Action::Complete => news.to(Kind::RentalCompleted, texts::completed(name, title, note), false),
        Action::Extend => more.to(Kind::RentalMoved, texts::more(name, title, after.more?.until), true),
        Action::AcceptExtension => more.to(Kind::RentalResponse, texts::extended(name, title, days.last()), false),
        Action::DeclineExtension => more.to(Kind::RentalResponse, texts::not_extended(name, title, days.last()), false),
        Action::WithdrawExtension => more.to(Kind::RentalMoved, texts::no_more(name, title, days.last()), false),
        Action::Rate if note.is_empty() => return None,
        Action::Rate => payment.to(Kind::RentalCompleted, texts::rated(name, title, note), false),
        Action::Record(recorded) => {
            payment.to(Kind::RentalPayment, texts::recorded(name, title, recorded, &after.price.currency.text(amount)), false)
        }
    })
}

/// What is expected no longer when something was done.
pub fn settled(action: Action, side: Side, rental: &Rental) -> Vec<Settled> {
    let owner = Settled { member: rental.owner, about: rental.id.0, actor: None, called_off: false, seen: side == Side::Owner };
    let more = Settled { about: more_of(rental.id), ..owner };
    match action {
        Action::Accept | Action::Decline | Action::Complete => vec![owner],
        // The request is about its new days from then on.
        Action::Move => vec![owner],
        // A borrower who cancels has read that the owner agreed: it is not mailed any more.
        Action::Cancel => vec![
            Settled { called_off: rental.status == RentalStatus::Pending, ..owner },
            Settled { member: rental.borrower, seen: side == Side::Borrower, ..owner },
        ],
        // Who asks for more days has them no longer to ask for once it is back.
        Action::Return => vec![owner, Settled { called_off: side == Side::Borrower, ..more }],
        Action::AcceptExtension | Action::DeclineExtension => vec![more],
        Action::WithdrawExtension => vec![Settled { called_off: true, ..more }],
        Action::Start | Action::Extend | Action::Rate | Action::Record(_) => Vec::new(),
    }
}

/// The end between the two sides, if an action brought it or came after it: then a block at the same moment hides its news too.
pub fn over(action: Action, before: &Rental, after: &Rental) -> Option<Over> {
    let comes_after = matches!(action, Action::Record(_) | Action::Rate);
    let is_over = (rules::goes_on(before.status) || comes_after) && !rules::goes_on(after.status);
    is_over.then(|| Over { pair: (after.owner, after.borrower), target: target(after.id) })
}

/// Where news of a rental lead.
pub const fn target(rental: RentalId) -> Target {
    Target(TargetKind::Rental, rental.0)
}

/// More days are about a thing of their own, so that they are settled without what else is told of the rental.
fn more_of(rental: RentalId) -> Uuid {
    // Turned over, the bits of an id are of no version that is made.
    Uuid::from_u128(!rental.0.as_u128() ^ 2)
}

/// Payments and the words of a rating are about things of their own too. `timers.rs` has the bits 4 to 6.
fn payment_of(action: Action, rental: RentalId) -> Uuid {
    let bits = match action {
        // A correction replaces the news that it corrects.
        Action::Record(Payment::PricePaid | Payment::PriceNotPaid | Payment::PriceRefunded) => 8,
        Action::Record(Payment::DepositReceived | Payment::DepositNotReceived) => 9,
        Action::Record(Payment::DepositReturned | Payment::DepositNotReturned) => 10,
        Action::Rate => 11,
        _ => return rental.0,
    };
    Uuid::from_u128(!rental.0.as_u128() ^ bits)
}

#[derive(Clone, Copy)]
struct News {
    id: RentalId,
    actor: MemberId,
    member: MemberId,
    about: Uuid,
}

impl News {
    /// From one side to the other.
    fn of(rental: &Rental, side: Side) -> Self {
        let member = rental.member(side.other());
        Self { id: rental.id, actor: rental.member(side), member, about: rental.id.0 }
    }

    fn to(&self, kind: Kind, (title, message): Text, action_required: bool) -> New {
        New {
            member: self.member,
            kind,
            title: title.to_owned(),
            message,
            actor: Some(self.actor),
            target: target(self.id),
            about: self.about,
            about_unread: None,
            action_required,
        }
    }
}
