//! Rentals between the wire and the domain.

use super::{
    Event, EventKind, Handover, Payment, Ratings, Rental, RentalStatus, Side,
    acts::Named,
    calendar::{self, Calendar},
    form,
    overview::ItemFigures,
    requests::Wish,
    rules::{self, Action, View},
    store::Counts,
};
use crate::{
    days::{self, Days},
    error::{Error, FieldReason, Result},
    identity::Shown,
    ids::{ItemId, MemberId, RentalId},
    items::{self, Item, Status},
    money::{Cents, Currency, UNITS_MAX},
    pb::{self, items::ItemCategory, rentals as wire},
    pictures::{New, Pictures, Size},
    text,
};
use time::{Date, OffsetDateTime};

/// The most that a rental can cost in whole currency units: a year at the highest price, and the gratitude.
const CHARGE_MAX: f64 = 367.0 * UNITS_MAX;

/// In which words a call tells a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Of rentals: each status has its own.
    Rental,
    /// Of borrow requests.
    Borrow,
}

/// Reads which rental is meant; without an item it is looked up.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn named(item: &str, id: &str) -> Result<Named> {
    let item = if item.is_empty() { None } else { Some(ItemId::parse("item_id", item)?) };
    Ok(Named { item, id: RentalId::parse("request_id", id)? })
}

/// Reads the days of a request.
///
/// # Errors
/// INVALID_ARGUMENT naming the day.
pub fn range(first: &str, last: &str) -> Result<Days> {
    form::range(days::parse("start_date", first)?, days::parse("end_date", last)?)
}

/// Reads days that may be named, as those of a question or those that a caller knows.
///
/// # Errors
/// INVALID_ARGUMENT when only one of them is there.
pub fn named_days(first: &str, last: &str) -> Result<Option<Days>> {
    let missing = |field| Err(Error::field(field, FieldReason::Required, "is required together with the other date"));
    match (first.is_empty(), last.is_empty()) {
        (true, true) => Ok(None),
        (true, false) => missing("start_date"),
        (false, true) => missing("end_date"),
        (false, false) => range(first, last).map(Some),
    }
}

/// Reads the last day that may be named.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn named_day(last: &str) -> Result<Option<Date>> {
    if last.is_empty() { Ok(None) } else { days::parse("end_date", last).map(Some) }
}

/// The status that a caller knows, where they name it.
pub fn known_status(known: wire::RentalStatus) -> Option<RentalStatus> {
    match known {
        wire::RentalStatus::Unspecified => None,
        wire::RentalStatus::Pending => Some(RentalStatus::Pending),
        wire::RentalStatus::Accepted => Some(RentalStatus::Accepted),
        wire::RentalStatus::Declined => Some(RentalStatus::Declined),
        wire::RentalStatus::Cancelled => Some(RentalStatus::Cancelled),
        wire::RentalStatus::Active => Some(RentalStatus::Active),
        wire::RentalStatus::Returned => Some(RentalStatus::Returned),
        wire::RentalStatus::Completed => Some(RentalStatus::Completed),
    }
}

/// Reads what a borrower asks for.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn wish(asked: &wire::RequestRentalRequest) -> Result<Wish> {
    let gratitude = i16::try_from(asked.gratitude);
    Ok(Wish {
        days: range(&asked.start_date, &asked.end_date)?,
        message: text::clean(&asked.message),
        gratitude: gratitude.map_err(|_| Error::field("gratitude", FieldReason::OutOfRange, "Amount must be between 0 and 9999"))?,
        terms: asked.terms.clone(),
    })
}

/// The statuses that a filter names, in the words of its list; none given: all.
pub fn statuses(filter: impl Iterator<Item = wire::StatusWord>, vocabulary: Vocabulary) -> Vec<RentalStatus> {
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    let mut named: Vec<RentalStatus> = filter.flat_map(|word| of_word(word, vocabulary).iter().copied()).collect();
    if named.is_empty() {
        named = vec![Pending, Accepted, Declined, Cancelled, Active, Returned, Completed];
    }
    // In one order, so that a cursor of the list is of this filter however it is written.
    named.sort_unstable_by_key(|status| *status as u8);
    named.dedup();
    named
}

fn of_word(word: wire::StatusWord, vocabulary: Vocabulary) -> &'static [RentalStatus] {
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    match word {
        wire::StatusWord::Unspecified => &[],
        wire::StatusWord::Pending | wire::StatusWord::Initiated => &[Pending],
        wire::StatusWord::Accepted if vocabulary == Vocabulary::Borrow => &[Accepted, Active, Returned],
        wire::StatusWord::Accepted => &[Accepted],
        wire::StatusWord::Declined | wire::StatusWord::Rejected => &[Declined],
        wire::StatusWord::Cancelled => &[Cancelled],
        wire::StatusWord::Active => &[Active],
        wire::StatusWord::Returned => &[Returned],
        wire::StatusWord::Completed => &[Completed],
    }
}

/// A side that a request names, if it does.
pub fn side(asked: wire::Side) -> Option<Side> {
    match asked {
        wire::Side::Owner => Some(Side::Owner),
        wire::Side::Borrower => Some(Side::Borrower),
        wire::Side::Unspecified => None,
    }
}

/// Which days are free, of a range or of all that is ahead.
pub fn availability(
    item: &Item,
    calendar: &Calendar,
    asked: Option<Days>,
    (range, today): (Days, Date),
) -> wire::CheckAvailabilityResponse {
    let texts = |days: Vec<Date>| days.into_iter().map(days::text).collect();
    let wanted = asked.unwrap_or_else(|| calendar::day(today));
    let short_enough = form::is_short_enough(wanted, item.content.max_days);
    wire::CheckAvailabilityResponse {
        available: item.status == Status::Listed && short_enough && calendar.is_free(wanted, today),
        booked_dates: texts(calendar::within(&calendar.booked, range)),
        borrowed_dates: texts(calendar.borrowed(range, today)),
        blocked_dates: texts(calendar::within(&calendar.blocked, range)),
        estimate: asked.map(|days| estimate(item, days)),
        today: days::text(today),
    }
}

fn estimate(item: &Item, days: Days) -> wire::Estimate {
    let content = &item.content;
    let subtotal = super::Price { per_day: content.price, deposit: content.deposit, currency: content.currency }.of(days);
    wire::Estimate {
        days: i32::try_from(days.count()).unwrap_or(i32::MAX),
        subtotal: subtotal.units(),
        deposit: content.deposit.units(),
        total: Cents::from_cents(subtotal.cents() + content.deposit.cents()).units(),
        currency: content.currency.word().into(),
    }
}

/// A rental as one of its sides sees it, with its story where it is told.
pub fn rental(rental: &Rental, view: View, vocabulary: Vocabulary, story: &[Event], pictures: &Pictures) -> wire::Rental {
    let knows_email = !rental.is_hidden() && (rental.friends || rules::reach_each_other(rental.status));
    let party =
        |side: Side, shown: &Option<Shown>, ratings: Ratings| party((shown.as_ref(), ratings), side == view.side || knows_email, pictures);
    let handover = |noted: &Option<Handover>| noted.as_ref().map(|noted| handover(noted, rental, pictures));
    wire::Rental {
        request_id: rental.id.to_string(),
        item_id: rental.item.to_string(),
        item: Some(item(rental, pictures)),
        borrower: Some(party(Side::Borrower, &rental.borrower_shown, rental.borrower_ratings)),
        owner: Some(party(Side::Owner, &rental.owner_shown, rental.owner_ratings)),
        start_date: days::text(rental.days.first()),
        end_date: days::text(rental.days.last()),
        total_price: rental.total.units(),
        currency: rental.price.currency.word().into(),
        deposit: rental.price.deposit.units(),
        gratitude: rental.gratitude.into(),
        message: rental.message.clone(),
        created_at: Some(pb::timestamp(rental.asked_at)),
        status: status_word(rental.status, vocabulary).into(),
        request_status: request_status(rental.status).into(),
        rental_status: rental_status(rental.status).into(),
        days_left: rules::days_left(view).map(|days| i32::try_from(days).unwrap_or(i32::MIN)),
        allowed_actions: rules::allowed_actions(view).into_iter().map(|action| action_word(action).into()).collect(),
        days_taken: rules::is_taken(view),
        started: handover(&rental.started),
        returned: handover(&rental.returned),
        completed: handover(&rental.completed),
        extension: extension(rental, view),
        given_rating: rental.rating_by(view.side).map(Into::into),
        story: story.iter().map(|step| event(step, rental)).collect(),
        held_over: rules::is_held_over(view, rental),
        ends_with: rules::ends_with(view).map(days::text).unwrap_or_default(),
        today: days::text(view.today),
        paid: rental.paid.units(),
        due: if rules::is_payable(view) { rental.unpaid().units() } else { 0.0 },
        deposit_received_at: rental.deposit_received_at.map(pb::timestamp),
        deposit_returned_at: rental.deposit_returned_at.map(pb::timestamp),
        decline_note: rental.decline_note.clone(),
        given_note: rental.note_by(view.side).to_owned(),
        received_note: rental.note_by(view.side.other()).to_owned(),
    }
}

/// A side that has no account any more, or hides.
pub fn former() -> wire::Party {
    wire::Party { name: "Former member".to_owned(), ..Default::default() }
}

fn item(rental: &Rental, pictures: &Pictures) -> wire::RentedItem {
    let category = rental.category.map_or(ItemCategory::Unspecified, items::category_word);
    wire::RentedItem { title: rental.title.clone(), main_image: items::face(pictures, rental.image), category: category.into() }
}

fn party((shown, ratings): (Option<&Shown>, Ratings), show_email: bool, pictures: &Pictures) -> wire::Party {
    let Some(person) = shown.map(|shown| shown.clone().into_person(show_email, pictures)) else {
        return former();
    };
    wire::Party {
        uid: person.uid,
        name: person.display_name,
        email: person.email,
        profile_picture_url: person.profile_picture_url,
        rating: ratings.mean(),
    }
}

/// The id of a side that has an account.
fn id_of(member: MemberId, rental: &Rental) -> String {
    let is_shown = [&rental.owner_shown, &rental.borrower_shown].into_iter().flatten().any(|shown| shown.id == member);
    if is_shown { member.to_string() } else { String::new() }
}

fn handover(noted: &Handover, rental: &Rental, pictures: &Pictures) -> wire::Handover {
    wire::Handover {
        at: Some(pb::timestamp(noted.at)),
        noted_by: id_of(noted.by, rental),
        note: noted.note.clone(),
        picture_urls: noted.pictures.iter().map(|picture| pictures.address(*picture, Size::Large)).collect(),
    }
}

fn extension(rental: &Rental, view: View) -> Option<wire::Extension> {
    let more = rental.more?;
    let longer = Days::new(rental.days.first(), more.until)?;
    Some(wire::Extension {
        end_date: days::text(more.until),
        total_price: rental.price.of(longer).units(),
        asked_at: Some(pb::timestamp(more.asked_at)),
        days_taken: view.taken,
    })
}

fn event(event: &Event, rental: &Rental) -> wire::RentalEvent {
    wire::RentalEvent {
        kind: event_word(event.kind).into(),
        actor_id: event.actor.map(|actor| id_of(actor, rental)).unwrap_or_default(),
        at: Some(pb::timestamp(event.at)),
        amount: event.amount.units(),
    }
}

/// A rating.
///
/// # Errors
/// INVALID_ARGUMENT for one that is none.
pub fn rating(asked: i32) -> Result<i16> {
    let rating = i16::try_from(asked).ok().filter(|rating| (1..=5).contains(rating));
    rating.ok_or_else(|| Error::field("rating", FieldReason::OutOfRange, "must be from 1 to 5"))
}

/// The action that records a payment, and the whole charge as the caller knows it.
///
/// # Errors
/// INVALID_ARGUMENT for an amount that is none.
pub fn payment(asked: &wire::RecordRentalPaymentRequest) -> Result<(Action, Option<Cents>)> {
    let amount = Cents::parse_within("amount", asked.amount, (CHARGE_MAX, "must be from 0 to 367,000,000"))?;
    let payment = match asked.payment() {
        wire::RentalPayment::PricePaid => Payment::PricePaid,
        wire::RentalPayment::PriceNotPaid => Payment::PriceNotPaid,
        wire::RentalPayment::PriceRefunded => Payment::PriceRefunded,
        wire::RentalPayment::DepositReceived => Payment::DepositReceived,
        wire::RentalPayment::DepositNotReceived => Payment::DepositNotReceived,
        wire::RentalPayment::DepositReturned => Payment::DepositReturned,
        wire::RentalPayment::DepositNotReturned => Payment::DepositNotReturned,
        wire::RentalPayment::Unspecified => return Err(Error::field("payment", FieldReason::Required, "is required")),
    };
    Ok((Action::Record(payment), Some(amount).filter(|amount| amount.cents() > 0)))
}

/// Where a picture is to be put.
pub fn announced(upload_url: String, new: &New, until: OffsetDateTime) -> wire::CreateRentalPictureUploadResponse {
    wire::CreateRentalPictureUploadResponse { upload_url, key: new.key(), expires_at: Some(pb::timestamp(until)) }
}

/// What is counted of an item.
pub fn figures(figures: ItemFigures, currency: Currency) -> wire::GetItemStatsResponse {
    let count = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
    wire::GetItemStatsResponse {
        total_rentals: count(figures.completed),
        total_earned: figures.earned.units(),
        days_rented: count(figures.days),
        active_requests: count(figures.open),
        currency: currency.word().into(),
    }
}

/// How many a list has.
pub fn counts(counts: Counts) -> wire::RentalCounts {
    let count = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
    wire::RentalCounts {
        all: count(counts.all),
        pending: count(counts.pending),
        accepted: count(counts.accepted),
        declined: count(counts.declined),
        active: count(counts.active),
    }
}

fn status_word(status: RentalStatus, vocabulary: Vocabulary) -> wire::StatusWord {
    use RentalStatus::{Accepted, Active, Cancelled, Completed, Declined, Pending, Returned};
    match (status, vocabulary) {
        (Pending, Vocabulary::Rental) => wire::StatusWord::Pending,
        (Pending, Vocabulary::Borrow) => wire::StatusWord::Initiated,
        (Declined, Vocabulary::Rental) => wire::StatusWord::Declined,
        (Declined, Vocabulary::Borrow) => wire::StatusWord::Rejected,
        (Accepted, _) | (Active | Returned, Vocabulary::Borrow) => wire::StatusWord::Accepted,
        (Active, Vocabulary::Rental) => wire::StatusWord::Active,
        (Returned, Vocabulary::Rental) => wire::StatusWord::Returned,
        (Cancelled, _) => wire::StatusWord::Cancelled,
        (Completed, _) => wire::StatusWord::Completed,
    }
}

fn request_status(status: RentalStatus) -> wire::BorrowRequestStatus {
    match status {
        RentalStatus::Pending => wire::BorrowRequestStatus::Initiated,
        RentalStatus::Accepted | RentalStatus::Active | RentalStatus::Returned => wire::BorrowRequestStatus::Accepted,
        RentalStatus::Declined => wire::BorrowRequestStatus::Rejected,
        RentalStatus::Cancelled => wire::BorrowRequestStatus::Cancelled,
        RentalStatus::Completed => wire::BorrowRequestStatus::Completed,
    }
}

fn rental_status(status: RentalStatus) -> wire::RentalStatus {
    match status {
        RentalStatus::Pending => wire::RentalStatus::Pending,
        RentalStatus::Accepted => wire::RentalStatus::Accepted,
        RentalStatus::Declined => wire::RentalStatus::Declined,
        RentalStatus::Cancelled => wire::RentalStatus::Cancelled,
        RentalStatus::Active => wire::RentalStatus::Active,
        RentalStatus::Returned => wire::RentalStatus::Returned,
        RentalStatus::Completed => wire::RentalStatus::Completed,
    }
}

fn action_word(action: Action) -> wire::RentalAction {
    match action {
        Action::Accept => wire::RentalAction::Accept,
        Action::Decline => wire::RentalAction::Decline,
        Action::Cancel => wire::RentalAction::Cancel,
        Action::Move => wire::RentalAction::Move,
        Action::Start => wire::RentalAction::Start,
        Action::Return => wire::RentalAction::Return,
        Action::Complete => wire::RentalAction::Complete,
        Action::Rate => wire::RentalAction::Rate,
        Action::Extend => wire::RentalAction::Extend,
        Action::AcceptExtension => wire::RentalAction::AcceptExtension,
        Action::DeclineExtension => wire::RentalAction::DeclineExtension,
        Action::WithdrawExtension => wire::RentalAction::WithdrawExtension,
        Action::Record(Payment::PricePaid) => wire::RentalAction::MarkPaid,
        Action::Record(Payment::PriceNotPaid) => wire::RentalAction::UnmarkPaid,
        Action::Record(Payment::PriceRefunded) => wire::RentalAction::Refund,
        Action::Record(Payment::DepositReceived) => wire::RentalAction::ReceiveDeposit,
        Action::Record(Payment::DepositNotReceived) => wire::RentalAction::UnmarkDepositReceived,
        Action::Record(Payment::DepositReturned) => wire::RentalAction::ReturnDeposit,
        Action::Record(Payment::DepositNotReturned) => wire::RentalAction::UnmarkDepositReturned,
    }
}

fn event_word(kind: EventKind) -> wire::RentalEventKind {
    match kind {
        EventKind::Asked => wire::RentalEventKind::Asked,
        EventKind::Moved => wire::RentalEventKind::Moved,
        EventKind::Accepted => wire::RentalEventKind::Accepted,
        EventKind::Declined => wire::RentalEventKind::Declined,
        EventKind::Cancelled => wire::RentalEventKind::Cancelled,
        EventKind::Started => wire::RentalEventKind::Started,
        EventKind::Returned => wire::RentalEventKind::Returned,
        EventKind::Completed => wire::RentalEventKind::Completed,
        EventKind::ExtensionAsked => wire::RentalEventKind::ExtensionAsked,
        EventKind::Extended => wire::RentalEventKind::Extended,
        EventKind::ExtensionDeclined => wire::RentalEventKind::ExtensionDeclined,
        EventKind::ExtensionWithdrawn => wire::RentalEventKind::ExtensionWithdrawn,
        EventKind::Lapsed => wire::RentalEventKind::Lapsed,
        EventKind::Paid => wire::RentalEventKind::Paid,
        EventKind::DepositReceived => wire::RentalEventKind::DepositReceived,
        EventKind::DepositReturned => wire::RentalEventKind::DepositReturned,
        EventKind::NotPaid => wire::RentalEventKind::NotPaid,
        EventKind::Refunded => wire::RentalEventKind::Refunded,
        EventKind::DepositNotReceived => wire::RentalEventKind::DepositNotReceived,
        EventKind::DepositNotReturned => wire::RentalEventKind::DepositNotReturned,
    }
}
