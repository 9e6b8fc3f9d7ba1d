//! Rentals as tests borrow and lend.

use crate::{
    harness::{Member, Refused, START, TestServer},
    lending::listed,
};
use goodturn::{
    days,
    pb::{
        items::{CreateItemRequest, DayRange, SetBlackoutDaysRequest},
        rentals::{
            AcceptExtensionRequest, AcceptRentalRequest, CancelRentalRequest, CheckAvailabilityRequest, CheckAvailabilityResponse,
            CompleteRentalRequest, DeclineExtensionRequest, DeclineRentalRequest, ExtendRentalRequest, GetRentalRequest, MoveRentalRequest,
            RecordRentalPaymentRequest, Rental, RentalAction as Action, RentalPayment, RequestRentalRequest, ReturnRentalRequest,
            StartRentalRequest,
        },
    },
};
use time::Duration;

/// The day so many days after the first one of a test.
pub fn day(n: i64) -> String {
    days::text(START.date() + Duration::days(n))
}

/// A wish for an item, from one day until another.
pub fn wish(item: &str, first: i64, last: i64) -> RequestRentalRequest {
    RequestRentalRequest { item_id: item.into(), start_date: day(first), end_date: day(last), ..Default::default() }
}

/// The actions that record or correct a payment. They leave the status as it is.
pub const PAYMENTS: [(Action, RentalPayment); 7] = [
    (Action::MarkPaid, RentalPayment::PricePaid),
    (Action::UnmarkPaid, RentalPayment::PriceNotPaid),
    (Action::Refund, RentalPayment::PriceRefunded),
    (Action::ReceiveDeposit, RentalPayment::DepositReceived),
    (Action::UnmarkDepositReceived, RentalPayment::DepositNotReceived),
    (Action::ReturnDeposit, RentalPayment::DepositReturned),
    (Action::UnmarkDepositReturned, RentalPayment::DepositNotReturned),
];

/// The payment that an action records.
pub fn payment_of(action: Action) -> Option<RentalPayment> {
    PAYMENTS.iter().find(|(recorded, _)| *recorded == action).map(|(_, payment)| *payment)
}

/// The actions that a side may take on a rental, but for payments, which stand beside its life.
pub fn steps_of(rental: &Rental) -> Vec<Action> {
    rental.allowed_actions().filter(|action| payment_of(*action).is_none()).collect()
}

impl TestServer {
    /// Changes rows in a way that no call does.
    pub async fn rewrites(&self, statement: &str) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(&mut self.database.connect().await).await.unwrap();
    }

    /// Lets days pass: who goes on then has signed in again.
    pub async fn days_pass(&self, days: i64, people: &mut [&mut Member]) {
        self.clock.advance(Duration::days(days));
        for member in people {
            **member = self.signed_in_again(member).await;
        }
    }

    /// Lists an item for friends: 10 a day, a deposit of 20.
    pub async fn lends(&self, owner: &Member, title: &str) -> String {
        let item = CreateItemRequest { price_per_day: 10.0, deposit: 20.0, ..listed(title) };
        self.item(owner, item).await.item_id
    }

    /// Changes an item.
    pub async fn item_is(&self, item: &str, change: &str) {
        self.rewrites(&format!("UPDATE items SET {change} WHERE id = '{item}'")).await;
    }

    /// Asks to borrow an item.
    pub async fn wants(&self, who: &Member, wish: RequestRentalRequest) -> Result<Rental, Refused> {
        Ok(self.rentals(who).request_rental(wish).await?.into_inner().rental.unwrap())
    }

    /// A rental with the eyes of a member.
    pub async fn rental(&self, who: &Member, id: &str) -> Result<Rental, Refused> {
        let request = GetRentalRequest { request_id: id.into(), ..Default::default() };
        Ok(self.rentals(who).get_rental(request).await?.into_inner().rental.unwrap())
    }

    /// Does something with a rental that needs no more to be said.
    pub async fn does(&self, who: &Member, id: &str, action: Action) -> Result<Rental, Refused> {
        self.does_with(who, id, action, "", (0, 0)).await
    }

    /// Does something with a rental, with a note or days where it has them.
    pub async fn does_with(&self, who: &Member, id: &str, action: Action, note: &str, days: (i64, i64)) -> Result<Rental, Refused> {
        let (mut rentals, request_id, item_id, note) = (self.rentals(who), id.to_owned(), String::new(), note.to_owned());
        let (start_date, end_date) = (day(days.0), day(days.1));
        let rental = match action {
            Action::Unspecified | Action::Rate => unreachable!("it is not done here"),
            Action::Accept => {
                rentals.accept_rental(AcceptRentalRequest { item_id, request_id, ..Default::default() }).await?.into_inner().rental
            }
            Action::Decline => {
                rentals.decline_rental(DeclineRentalRequest { item_id, request_id, note, ..Default::default() }).await?.into_inner().rental
            }
            Action::Cancel => {
                rentals.cancel_rental(CancelRentalRequest { item_id, request_id, ..Default::default() }).await?.into_inner().rental
            }
            Action::Move => {
                let request = MoveRentalRequest { item_id, request_id, start_date, end_date };
                rentals.move_rental(request).await?.into_inner().rental
            }
            Action::Start => {
                let request = StartRentalRequest { item_id, request_id, note, picture_keys: Vec::new() };
                rentals.start_rental(request).await?.into_inner().rental
            }
            Action::Return => {
                let request = ReturnRentalRequest { item_id, request_id, note, picture_keys: Vec::new() };
                rentals.return_rental(request).await?.into_inner().rental
            }
            Action::Complete => {
                let request = CompleteRentalRequest { item_id, request_id, note, picture_keys: Vec::new() };
                rentals.complete_rental(request).await?.into_inner().rental
            }
            Action::Extend => rentals.extend_rental(ExtendRentalRequest { item_id, request_id, end_date }).await?.into_inner().rental,
            Action::AcceptExtension => {
                let request = AcceptExtensionRequest { item_id, request_id, ..Default::default() };
                rentals.accept_extension(request).await?.into_inner().rental
            }
            Action::DeclineExtension | Action::WithdrawExtension => {
                rentals.decline_extension(DeclineExtensionRequest { item_id, request_id, ..Default::default() }).await?.into_inner().rental
            }
            other => {
                let payment = payment_of(other).unwrap();
                return self.records(who, id, payment, 0.0).await;
            }
        };
        Ok(rental.unwrap())
    }

    /// Records a payment; an amount of 0 is not checked.
    pub async fn records(&self, who: &Member, id: &str, payment: RentalPayment, amount: f64) -> Result<Rental, Refused> {
        let request = RecordRentalPaymentRequest { request_id: id.into(), payment: payment.into(), amount, ..Default::default() };
        Ok(self.rentals(who).record_rental_payment(request).await?.into_inner().rental.unwrap())
    }

    /// A rental that was agreed to.
    pub async fn agreed(&self, owner: &Member, borrower: &Member, wish: RequestRentalRequest) -> String {
        let id = self.wants(borrower, wish).await.unwrap().request_id;
        self.does(owner, &id, Action::Accept).await.unwrap();
        id
    }

    /// A rental that began.
    pub async fn out(&self, owner: &Member, borrower: &Member, wish: RequestRentalRequest) -> String {
        let id = self.agreed(owner, borrower, wish).await;
        self.does(owner, &id, Action::Start).await.unwrap();
        id
    }

    /// Which days an item is free, of a range if one is named.
    pub async fn free(&self, who: &Member, item: &str, range: Option<(i64, i64)>) -> Result<CheckAvailabilityResponse, Refused> {
        let (start_date, end_date) = range.map(|(first, last)| (day(first), day(last))).unwrap_or_default();
        let request = CheckAvailabilityRequest { item_id: item.into(), start_date, end_date };
        Ok(self.rentals(who).check_availability(request).await?.into_inner())
    }

    /// Keeps an item for its owner in these days, and in no others.
    pub async fn keeps(&self, owner: &Member, item: &str, ranges: &[(i64, i64)]) -> Result<(), Refused> {
        let ranges = ranges.iter().map(|(first, last)| DayRange { start_date: day(*first), end_date: day(*last) }).collect();
        self.items(owner).set_blackout_days(SetBlackoutDaysRequest { item_id: item.into(), ranges, ..Default::default() }).await?;
        Ok(())
    }

    /// Sets the zone of a member, whose days are those of there.
    pub async fn lives_in(&self, who: &Member, zone: &str) {
        self.rewrites(&format!("UPDATE members SET time_zone = '{zone}' WHERE id = '{}'", who.uid)).await;
    }
}
