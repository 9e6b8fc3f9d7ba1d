//! The life of a rental: who may do what, and which status follows. Pure.

use super::{Deposit, EventKind, Payment, Rental, RentalStatus, Side};
use crate::{
    days::{self, Days},
    error::{Error, Reason, Result},
    ids::MemberId,
    items::Seen,
    money::Cents,
};
use time::{Date, Duration};

/// The words of what cannot be booked.
pub const DAYS_TAKEN: &str = "This item is not available for the selected dates.";

/// So many days after its last one an accepted rental whose hand-over nobody noted ends by itself.
pub const UNNOTED_DAYS: i64 = 14;
/// So many days after the borrower noted it a return that its owner does not confirm counts as confirmed: who gave something back shall not be held by
/// another's silence.
pub const UNCONFIRMED_DAYS: i64 = 14;

/// What can be done with a rental.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Agree.
    Accept,
    /// Say no.
    Decline,
    /// Call it off.
    Cancel,
    /// Ask for other days.
    Move,
    /// Note the hand-over.
    Start,
    /// Note the return.
    Return,
    /// Confirm the return.
    Complete,
    /// Rate the other side.
    Rate,
    /// Ask for more days.
    Extend,
    /// Agree to more days.
    AcceptExtension,
    /// Refuse more days.
    DeclineExtension,
    /// Ask for more days no longer.
    WithdrawExtension,
    /// Record a payment, or correct one.
    Record(Payment),
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To a status.
    At(RentalStatus),
    /// Nowhere: the status stays.
    Stay,
}

/// One line of the table: who may do what, when, and where it leads.
#[derive(Debug)]
pub struct Move {
    /// What.
    pub action: Action,
    /// Who.
    pub by: &'static [Side],
    /// When.
    pub from: RentalStatus,
    /// Where it leads.
    pub to: To,
}

/// The life of a rental. An action may have several lines.
pub const MOVES: &[Move] = {
    use Payment::{DepositNotReceived, DepositNotReturned, DepositReceived, DepositReturned, PriceNotPaid, PricePaid, PriceRefunded};
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    const OWNER: &[Side] = &[Side::Owner];
    const BORROWER: &[Side] = &[Side::Borrower];
    const EITHER: &[Side] = &[Side::Owner, Side::Borrower];
    &[
        Move { action: Action::Accept, by: OWNER, from: Pending, to: To::At(Accepted) },
        Move { action: Action::Decline, by: OWNER, from: Pending, to: To::At(Declined) },
        Move { action: Action::Move, by: BORROWER, from: Pending, to: To::Stay },
        Move { action: Action::Start, by: EITHER, from: Accepted, to: To::At(Active) },
        Move { action: Action::Cancel, by: BORROWER, from: Pending, to: To::At(Cancelled) },
        Move { action: Action::Cancel, by: EITHER, from: Accepted, to: To::At(Cancelled) },
        Move { action: Action::AcceptExtension, by: OWNER, from: Active, to: To::Stay },
        Move { action: Action::DeclineExtension, by: OWNER, from: Active, to: To::Stay },
        Move { action: Action::Return, by: BORROWER, from: Active, to: To::At(Returned) },
        Move { action: Action::Return, by: OWNER, from: Active, to: To::At(Completed) },
        Move { action: Action::Extend, by: BORROWER, from: Active, to: To::Stay },
        Move { action: Action::WithdrawExtension, by: BORROWER, from: Active, to: To::Stay },
        Move { action: Action::Complete, by: OWNER, from: Returned, to: To::At(Completed) },
        Move { action: Action::Rate, by: EITHER, from: Completed, to: To::Stay },
        // Members pay each other when it suits them: before the hand-over, or long after the return.
        Move { action: Action::Record(PricePaid), by: EITHER, from: Accepted, to: To::Stay },
        Move { action: Action::Record(PricePaid), by: EITHER, from: Active, to: To::Stay },
        Move { action: Action::Record(PricePaid), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(PricePaid), by: EITHER, from: Completed, to: To::Stay },
        // A cancelled rental takes no new payment: this only undoes a refund or a correction.
        Move { action: Action::Record(PricePaid), by: EITHER, from: Cancelled, to: To::Stay },
        Move { action: Action::Record(PriceRefunded), by: EITHER, from: Cancelled, to: To::Stay },
        Move { action: Action::Record(DepositReceived), by: EITHER, from: Accepted, to: To::Stay },
        Move { action: Action::Record(DepositReceived), by: EITHER, from: Active, to: To::Stay },
        Move { action: Action::Record(DepositReceived), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(DepositReceived), by: EITHER, from: Completed, to: To::Stay },
        Move { action: Action::Record(DepositReceived), by: EITHER, from: Cancelled, to: To::Stay },
        Move { action: Action::Record(DepositReturned), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(DepositReturned), by: EITHER, from: Completed, to: To::Stay },
        Move { action: Action::Record(DepositReturned), by: EITHER, from: Cancelled, to: To::Stay },
        // Either side's word counts at once, so either side can correct it.
        Move { action: Action::Record(PriceNotPaid), by: EITHER, from: Accepted, to: To::Stay },
        Move { action: Action::Record(PriceNotPaid), by: EITHER, from: Active, to: To::Stay },
        Move { action: Action::Record(PriceNotPaid), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(PriceNotPaid), by: EITHER, from: Completed, to: To::Stay },
        Move { action: Action::Record(PriceNotPaid), by: EITHER, from: Cancelled, to: To::Stay },
        Move { action: Action::Record(DepositNotReceived), by: EITHER, from: Accepted, to: To::Stay },
        Move { action: Action::Record(DepositNotReceived), by: EITHER, from: Active, to: To::Stay },
        Move { action: Action::Record(DepositNotReceived), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(DepositNotReceived), by: EITHER, from: Completed, to: To::Stay },
        Move { action: Action::Record(DepositNotReceived), by: EITHER, from: Cancelled, to: To::Stay },
        Move { action: Action::Record(DepositNotReturned), by: EITHER, from: Returned, to: To::Stay },
        Move { action: Action::Record(DepositNotReturned), by: EITHER, from: Completed, to: To::Stay },
        Move { action: Action::Record(DepositNotReturned), by: EITHER, from: Cancelled, to: To::Stay },
    ]
};

/// A rental as the rules see it, with the eyes of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it stands.
    pub status: RentalStatus,
    /// On which side the one who looks is.
    pub side: Side,
    /// Which day it is where the owner is.
    pub today: Date,
    /// Its days.
    pub days: Days,
    /// The last day of the more days that are asked for.
    pub more: Option<Date>,
    /// Whether the days that wait for the owner's word are not free.
    pub taken: bool,
    /// Whether the item is out with somebody else.
    pub out: bool,
    /// Whether they are late with it, so that it is free on no day.
    pub held: bool,
    /// Whether the borrower could ask for the item anew.
    pub offered: bool,
    /// Whether the borrower sees the item, listed or not.
    pub seen: bool,
    /// Whether this side rated the other.
    pub rated: bool,
    /// Whether something of price and gratitude was marked as paid.
    pub paid: bool,
    /// Whether something of them is not paid.
    pub unpaid: bool,
    /// Whether a cancelled rental was ever marked as paid. Read for no other.
    pub was_paid: bool,
    /// Where the deposit is.
    pub deposit: Deposit,
    /// Whether the deposit of a rental that is over was ever marked as received. Read for no other.
    pub was_received: bool,
    /// Whether the other side has left, or one of the two blocks the other.
    pub parted: bool,
    /// The last step of its story, but for payments.
    pub last_step: Option<EventKind>,
}

impl View {
    /// Whether it ended by itself.
    fn has_lapsed(self) -> bool {
        self.last_step == Some(EventKind::Lapsed)
    }
}

/// How a member sees a rental; `None` when it does not exist for them.
pub fn view(rental: &Rental, member: MemberId, today: Date) -> Option<View> {
    let side = rental.side(member)?;
    Some(View {
        status: rental.status,
        side,
        today,
        days: rental.days,
        more: rental.more.map(|more| more.until),
        // Possession is not reservation: who is late holds the item for all days to come.
        taken: rental.booked || rental.is_held(today),
        held: rental.is_held(today),
        out: rental.out_until.is_some(),
        offered: rental.is_offered(),
        seen: rental.seen == Seen::Circle,
        rated: rental.rating_by(side).is_some(),
        paid: rental.paid.cents() > 0,
        unpaid: rental.unpaid().cents() > 0,
        was_paid: rental.was_paid,
        deposit: rental.deposit(),
        was_received: rental.was_received,
        parted: rental.is_hidden() || rental.shown(side.other()).is_none(),
        last_step: rental.last_step,
    })
}

/// What an action is for the side that does it: the borrower's word against more days takes the question back.
pub fn meant(action: Action, side: Side) -> Action {
    match (action, side) {
        (Action::DeclineExtension, Side::Borrower) => Action::WithdrawExtension,
        _ => action,
    }
}

/// Whether an action is said to what its side has seen: it may name that, and is refused where it is not so any more.
pub const fn is_of_what_is_seen(action: Action) -> bool {
    matches!(
        action,
        Action::Accept
            | Action::Decline
            | Action::Cancel
            | Action::AcceptExtension
            | Action::DeclineExtension
            | Action::WithdrawExtension
            | Action::Record(Payment::PricePaid | Payment::PriceNotPaid)
    )
}

/// Where an action leads now; `None` when it was done already. `same` says that it names the days, the status or the rating that are there,
/// or that it has nothing to add.
///
/// # Errors
/// WRONG_PARTY for the other side's action, WRONG_STATE, which names the state, at the wrong moment; DAYS_TAKEN for days that are not free.
pub fn next(view: View, action: Action, same: bool) -> Result<Option<To>> {
    decide(view, action, same).map_err(|refused| refused.said(view))
}

fn decide(view: View, action: Action, same: bool) -> std::result::Result<Option<To>, Refused> {
    let lines = || MOVES.iter().filter(move |line| line.action == action);
    if lines().any(|line| line.by.contains(&view.side) && repeats(view, line, same)) {
        return Ok(None);
    }
    if !lines().any(|line| line.by.contains(&view.side)) {
        return Err(Refused::WrongParty);
    }
    if !lines().any(|line| line.from == view.status) {
        let is_noted = lines().any(|line| line.by.contains(&view.side) && repeats(view, line, true));
        return Err(match action {
            Action::Accept if is_noted => Refused::OtherDaysAgreed,
            _ if is_noted && !view.has_lapsed() => Refused::Noted,
            _ => Refused::WrongState,
        });
    }
    let found = lines().find(|line| line.from == view.status && line.by.contains(&view.side)).ok_or(Refused::WrongParty)?;
    check_moment(view, action, same)?;
    Ok(Some(found.to))
}

/// Why an action cannot be done. It is said to who tries: a list asks for every action of every rental, and says none of it.
#[derive(Clone, Copy, Debug)]
enum Refused {
    WrongParty,
    WrongState,
    Noted,
    Past,
    MorePast,
    NothingAsked,
    OtherDaysAsked,
    Agreed,
    OtherDaysAgreed,
    Taken,
    NotOffered,
    NotYet,
    StillOut,
    Rated,
    NothingDue,
    OtherAmount,
    OtherPaid,
    NoDeposit,
    NotReceived,
    DepositReturned,
}

impl Refused {
    fn said(self, view: View) -> Error {
        match self {
            Self::WrongParty => Error::new(Reason::WrongParty, "only the other side of this rental can do that"),
            Self::WrongState if view.status == RentalStatus::Completed && view.has_lapsed() => {
                wrong_state(view, ": its return was confirmed automatically")
            }
            Self::Noted => wrong_state(view, ": this was already marked, and nothing can be added to it"),
            Self::WrongState => wrong_state(view, ""),
            Self::Past => wrong_state(view, ", and its dates are in the past"),
            Self::MorePast => wrong_state(view, ", and the requested days are in the past"),
            Self::NothingAsked => wrong_state(view, ", and no more days are requested"),
            Self::OtherDaysAsked => wrong_state(view, ", and different days are requested"),
            Self::Agreed => wrong_state(view, ", and the requested days were already agreed to"),
            Self::OtherDaysAgreed => wrong_state(view, ", for different days"),
            Self::Taken => days_taken(),
            Self::NotOffered => wrong_state(view, ", and its item is no longer offered"),
            Self::NotYet => wrong_state(view, &format!(", and starts on {}", days::text(view.days.first()))),
            Self::StillOut => still_out(),
            Self::Rated => wrong_state(view, ", and already rated"),
            Self::NothingDue => wrong_state(view, ", and nothing is due for it"),
            Self::OtherAmount => wrong_state(view, ", and another amount is due for it"),
            Self::OtherPaid => wrong_state(view, ", and another amount is paid for it"),
            Self::NoDeposit => wrong_state(view, ", and has no deposit"),
            Self::NotReceived => wrong_state(view, ", and its deposit was not received"),
            Self::DepositReturned => wrong_state(view, ", and its deposit was returned"),
        }
    }
}

/// Whether an action was done already.
fn repeats(view: View, line: &Move, same: bool) -> bool {
    match line.action {
        Action::Move => view.status == line.from && same,
        Action::Extend => view.status == line.from && view.more.is_some() && same,
        Action::AcceptExtension => view.status == line.from && view.more.is_none() && same && view.last_step == Some(EventKind::Extended),
        Action::DeclineExtension | Action::WithdrawExtension => view.status == line.from && view.more.is_none() && same,
        Action::Rate => view.status == line.from && view.rated && same,
        // What came first counts: words and pictures that come later would be lost.
        Action::Start | Action::Return | Action::Complete => line.to == To::At(view.status) && same,
        // Who agrees to other days than those that are agreed is told.
        Action::Accept => line.to == To::At(view.status) && same,
        Action::Decline => line.to == To::At(view.status) && same,
        Action::Cancel => line.to == To::At(view.status),
        // A cancelled rental takes no more than was paid before.
        Action::Record(Payment::PricePaid) => view.paid && (!view.unpaid || view.status == RentalStatus::Cancelled),
        Action::Record(Payment::PriceNotPaid | Payment::PriceRefunded) => view.status == line.from && !view.paid,
        Action::Record(Payment::DepositReceived) => matches!(view.deposit, Deposit::Held | Deposit::Returned),
        Action::Record(Payment::DepositNotReceived) => view.status == line.from && view.deposit == Deposit::Due,
        Action::Record(Payment::DepositReturned) => view.deposit == Deposit::Returned,
        Action::Record(Payment::DepositNotReturned) => view.status == line.from && view.deposit == Deposit::Held,
    }
}

/// What the table does not say: days that are past, to come, or not free.
fn check_moment(view: View, action: Action, same: bool) -> std::result::Result<(), Refused> {
    match action {
        Action::Accept if view.days.last() < view.today => Err(Refused::Past),
        Action::Accept | Action::Decline if !same => Err(Refused::OtherDaysAsked),
        Action::Cancel if !same => Err(Refused::WrongState),
        Action::DeclineExtension | Action::WithdrawExtension if !same && view.more.is_none() => Err(Refused::Agreed),
        Action::DeclineExtension | Action::WithdrawExtension if !same => Err(Refused::OtherDaysAsked),
        Action::AcceptExtension if view.more.is_none() => Err(Refused::NothingAsked),
        Action::AcceptExtension if !same => Err(Refused::OtherDaysAsked),
        Action::AcceptExtension if view.more.is_some_and(|until| until < view.today) => Err(Refused::MorePast),
        Action::Accept | Action::AcceptExtension if view.taken => Err(Refused::Taken),
        // The calendar is for those alone who see the item: other days would be asked of it one by one.
        Action::Move if !view.offered => Err(Refused::NotOffered),
        Action::Extend if !view.seen => Err(Refused::NotOffered),
        Action::Move if view.held => Err(Refused::Taken),
        Action::Start if view.today < view.days.first() => Err(Refused::NotYet),
        Action::Start if view.out => Err(Refused::StillOut),
        Action::Rate if view.rated => Err(Refused::Rated),
        // After the end the two are strangers to each other: a payment would tell that the other side is still there.
        Action::Record(_) if is_over_between(view) => Err(Refused::WrongState),
        Action::Record(payment) => check_payment(view, payment, same),
        _ => Ok(()),
    }
}

fn check_payment(view: View, payment: Payment, same: bool) -> std::result::Result<(), Refused> {
    match (payment, view.deposit) {
        (Payment::PricePaid, _) if !view.unpaid || (view.status == RentalStatus::Cancelled && !view.was_paid) => Err(Refused::NothingDue),
        (Payment::PricePaid, _) if !same => Err(Refused::OtherAmount),
        (Payment::PriceNotPaid, _) if !same => Err(Refused::OtherPaid),
        (Payment::PricePaid | Payment::PriceNotPaid | Payment::PriceRefunded, _) => Ok(()),
        (_, Deposit::None) => Err(Refused::NoDeposit),
        (Payment::DepositReceived, _) if !goes_on(view.status) && !view.was_received => Err(Refused::WrongState),
        (Payment::DepositReturned | Payment::DepositNotReturned, Deposit::Due) => Err(Refused::NotReceived),
        (Payment::DepositNotReceived, Deposit::Returned) => Err(Refused::DepositReturned),
        _ => Ok(()),
    }
}

/// The payment of the price that was recorded last and not taken back; 0 if there is none. `steps` are those of the story that are about the price,
/// the oldest first.
pub fn last_payment(steps: &[(EventKind, Cents)]) -> Cents {
    let mut open = Vec::new();
    for (kind, amount) in steps {
        match kind {
            EventKind::Paid => open.push(*amount),
            EventKind::NotPaid => drop(open.pop()),
            _ => open.clear(),
        }
    }
    open.pop().unwrap_or(Cents::from_cents(0))
}

/// The sum that a refund or a correction took back, if it is the last of these steps: what counts as paid again where that is undone.
pub fn taken_back(steps: &[(EventKind, Cents)]) -> Cents {
    steps.last().filter(|(kind, _)| *kind != EventKind::Paid).map_or(Cents::from_cents(0), |(_, amount)| *amount)
}

/// Whether a side can show something now: what is about to be handed over, given back, or confirmed to be back.
///
/// # Errors
/// WRONG_STATE, which names the state.
pub fn may_show(view: View) -> Result<()> {
    let may = allowed_actions(view).into_iter().any(|action| matches!(action, Action::Start | Action::Return | Action::Complete));
    if may { Ok(()) } else { Err(wrong_state(view, "")) }
}

/// What a side may do now, in the order of the table.
pub fn allowed_actions(view: View) -> Vec<Action> {
    let open = |line: &&Move| {
        let leads = line.from == view.status && line.by.contains(&view.side);
        leads && matches!(decide(view, line.action, is_of_what_is_seen(line.action)), Ok(Some(_)))
    };
    MOVES.iter().filter(open).map(|line| line.action).collect()
}

/// How many days are left until the last one; 0 on that day, negative when it is overdue. While the item is out alone.
pub fn days_left(view: View) -> Option<i64> {
    (view.status == RentalStatus::Active).then(|| (view.days.last() - view.today).whole_days())
}

/// Whether the hand-over may be late: somebody else is overdue, and it is to be handed over by tomorrow.
pub fn is_held_over(view: View, rental: &Rental) -> bool {
    let soon = view.today.next_day().is_none_or(|tomorrow| view.days.first() <= tomorrow);
    view.status == RentalStatus::Accepted && soon && rental.is_held(view.today)
}

/// The day with which an accepted rental ends by itself, once its first one has passed without a hand-over.
pub fn ends_with(view: View) -> Option<Date> {
    let waits = view.status == RentalStatus::Accepted && view.days.first() < view.today;
    view.days.last().checked_add(Duration::days(UNNOTED_DAYS)).filter(|_| waits)
}

/// Whether the price is to be paid: from the agreement on, until it is called off or the two part after its end.
pub const fn is_payable(view: View) -> bool {
    let is_agreed = goes_on(view.status) || matches!(view.status, RentalStatus::Completed);
    is_agreed && !is_over_between(view)
}

/// Whether the rental is over and its two sides have parted.
const fn is_over_between(view: View) -> bool {
    view.parted && !goes_on(view.status)
}

/// Whether a pending request cannot be accepted any more.
pub fn is_taken(view: View) -> bool {
    view.status == RentalStatus::Pending && view.taken
}

/// Whether it is agreed and not over: neither a block nor what becomes of the item hides anything of it.
pub const fn goes_on(status: RentalStatus) -> bool {
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    match status {
        Accepted | Active | Returned => true,
        Pending | Declined | Cancelled | Completed => false,
    }
}

/// Whether the two sides know each other's addresses.
pub fn reach_each_other(status: RentalStatus) -> bool {
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    match status {
        Accepted | Active | Returned | Completed => true,
        Pending | Declined | Cancelled => false,
    }
}

/// The refusal of days that are not free.
pub fn days_taken() -> Error {
    Error::new(Reason::DaysTaken, DAYS_TAKEN)
}

/// The refusal of a second hand-over of one item.
pub fn still_out() -> Error {
    Error::new(Reason::WrongState, "this rental is accepted, and someone else still has the item")
}

fn wrong_state(view: View, why: &str) -> Error {
    Error::new(Reason::WrongState, format!("this rental is {}{why}", word(view.status)))
}

/// The word of a status.
pub fn word(status: RentalStatus) -> &'static str {
    match status {
        RentalStatus::Pending => "pending",
        RentalStatus::Accepted => "accepted",
        RentalStatus::Declined => "declined",
        RentalStatus::Cancelled => "cancelled",
        RentalStatus::Active => "active",
        RentalStatus::Returned => "returned",
        RentalStatus::Completed => "completed",
    }
}

#[cfg(test)]
mod tests;
