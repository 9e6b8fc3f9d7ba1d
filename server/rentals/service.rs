//! RentalsService: the order of steps of each RPC.

use super::{
    Event, Rental, Side,
    acts::{Act, Named},
    pictures::Note,
    rules::{self, Action, View},
    store::{self, List},
    wire::{self, Vocabulary},
};
use crate::{
    auth, days,
    deps::Deps,
    error::{Error, Result},
    idempotency,
    ids::{ItemId, MemberId},
    items,
    page::{self, LAST, bound, micros},
    pb::{rentals as pb, rentals::rentals_service_server::RentalsService},
    read, text,
};
use time::Duration;
use tonic::{Request, Response, Status};

const REQUEST: &str = "rentals.RequestRental";
/// The most steps of a story that are told.
pub(super) const STEPS_MAX: i64 = 100;

/// A rental that is over is listed for its open payments this long after its last change. Many members never mark one.
const OPEN_FOR: Duration = Duration::days(30);

/// RentalsService.
#[derive(Clone)]
pub struct Service {
    pub(super) deps: Deps,
}

/// One page of a list.
struct Page {
    rentals: Vec<pb::Rental>,
    cursor: String,
    has_more: bool,
    counts: Option<pb::RentalCounts>,
}

/// What is asked of a list.
struct Asked<'a> {
    /// Names it in the cursor.
    name: &'static str,
    list: List,
    vocabulary: Vocabulary,
    statuses: Vec<pb::StatusWord>,
    /// Also rentals that are over and have open payments.
    open_payments: bool,
    limit: Option<i32>,
    cursor: &'a str,
}

impl Service {
    /// With what every service is given.
    pub fn new(deps: Deps) -> Self {
        Self { deps }
    }

    async fn get(&self, me: MemberId, named: Named) -> Result<pb::Rental> {
        read!(self.deps.pool, |conn| {
            let (rental, _) = self.seen(conn, me, named).await?;
            self.show_with_story(conn, me, rental).await
        })
    }

    async fn list(&self, me: MemberId, asked: Asked<'_>) -> Result<Page> {
        let statuses = wire::statuses(asked.statuses.into_iter(), asked.vocabulary);
        let name = format!("{}/{:?}/{statuses:?}/{}", asked.name, asked.list, asked.open_payments);
        let open_since = asked.open_payments.then(|| self.deps.clock.now() - OPEN_FOR);
        let wanted = store::Wanted { statuses: &statuses, open_since };
        let (limit, key) = (page::limit(asked.limit), self.deps.cursors.read(&name, me, ("cursor", asked.cursor))?);
        read!(self.deps.pool, |conn| {
            if let List::Of(item) = asked.list {
                items::own(conn, me, item).await?;
            }
            let counts = store::counts(conn, asked.list).await?;
            let rentals = store::page(conn, asked.list, wanted, bound(key, LAST), limit + 1).await?;
            let (rentals, has_more) = page::cut(rentals, limit);
            let cursor = match rentals.last() {
                Some(last) if has_more => self.deps.cursors.write(&name, me, &(micros(last.asked_at), last.id.0))?,
                _ => String::new(),
            };
            let rentals = rentals.into_iter().filter_map(|rental| self.show(me, rental, asked.vocabulary, &[])).collect();
            Ok(Page { rentals, cursor, has_more, counts: Some(wire::counts(counts)) })
        })
    }

    /// How a member sees a rental, today.
    pub(super) fn view(&self, me: MemberId, rental: &Rental) -> Option<View> {
        rules::view(rental, me, days::today(self.deps.clock.now(), &rental.zone))
    }

    /// A rental as it is answered to one of its sides.
    pub(super) fn show(&self, me: MemberId, rental: Rental, vocabulary: Vocabulary, story: &[Event]) -> Option<pb::Rental> {
        let rental = rental.side(me).map(|side| rental.known_to(side))?;
        let view = self.view(me, &rental)?;
        Some(wire::rental(&rental, view, vocabulary, story, &self.deps.pictures))
    }
}

pub(super) fn not_found() -> Error {
    Error::not_found("rental")
}

type Answered<T> = std::result::Result<Response<T>, Status>;

/// The caller, and the rental that the request names.
fn on<T>(request: &Request<T>, item: &str, id: &str) -> Result<(MemberId, Named)> {
    Ok((auth::caller(request)?.member, wire::named(item, id)?))
}

#[tonic::async_trait]
impl RentalsService for Service {
    async fn check_availability(&self, request: Request<pb::CheckAvailabilityRequest>) -> Answered<pb::CheckAvailabilityResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let (item, range) = (ItemId::parse("item_id", &asked.item_id)?, wire::named_days(&asked.start_date, &asked.end_date)?);
        Ok(Response::new(self.availability(me, item, range).await?))
    }

    async fn request_rental(&self, request: Request<pb::RequestRentalRequest>) -> Answered<pb::RequestRentalResponse> {
        let me = auth::caller(&request)?.member;
        let key = idempotency::of(&request, me, REQUEST)?;
        let (item, wish) = (ItemId::parse("item_id", &request.get_ref().item_id)?, wire::wish(request.get_ref())?);
        Ok(Response::new(self.request(me, key.as_ref(), item, &wish).await?))
    }

    async fn list_item_rentals(&self, request: Request<pb::ListItemRentalsRequest>) -> Answered<pb::ListItemRentalsResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let list = List::Of(ItemId::parse("item_id", &asked.item_id)?);
        let (vocabulary, statuses) = (Vocabulary::Borrow, asked.status().collect());
        let asked =
            Asked { name: "rentals/item", list, vocabulary, statuses, open_payments: false, limit: asked.limit, cursor: &asked.cursor };
        let Page { rentals, cursor, has_more, counts } = self.list(me, asked).await?;
        Ok(Response::new(pb::ListItemRentalsResponse { rentals, cursor, has_more, counts }))
    }

    async fn get_rental(&self, request: Request<pb::GetRentalRequest>) -> Answered<pb::GetRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        Ok(Response::new(pb::GetRentalResponse { rental: Some(self.get(me, named).await?) }))
    }

    async fn list_sent_rentals(&self, request: Request<pb::ListSentRentalsRequest>) -> Answered<pb::ListSentRentalsResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let (list, vocabulary, statuses) = (List::Borrowed(me), Vocabulary::Borrow, asked.status().collect());
        let asked =
            Asked { name: "rentals/sent", list, vocabulary, statuses, open_payments: false, limit: asked.limit, cursor: &asked.cursor };
        let Page { rentals, cursor, has_more, counts } = self.list(me, asked).await?;
        Ok(Response::new(pb::ListSentRentalsResponse { rentals, cursor, has_more, counts }))
    }

    async fn list_received_rentals(&self, request: Request<pb::ListReceivedRentalsRequest>) -> Answered<pb::ListReceivedRentalsResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let (list, vocabulary, statuses) = (List::Lent(me), Vocabulary::Borrow, asked.status().collect());
        let asked =
            Asked { name: "rentals/received", list, vocabulary, statuses, open_payments: false, limit: asked.limit, cursor: &asked.cursor };
        let Page { rentals, cursor, has_more, counts } = self.list(me, asked).await?;
        Ok(Response::new(pb::ListReceivedRentalsResponse { rentals, cursor, has_more, counts }))
    }

    async fn list_rentals(&self, request: Request<pb::ListRentalsRequest>) -> Answered<pb::ListRentalsResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let list = match wire::side(asked.side()) {
            Some(Side::Owner) => List::Lent(me),
            Some(Side::Borrower) => List::Borrowed(me),
            None => List::Either(me),
        };
        let (vocabulary, statuses) = (Vocabulary::Rental, asked.status().collect());
        let open_payments = asked.open_payments;
        let asked = Asked { name: "rentals", list, vocabulary, statuses, open_payments, limit: asked.limit, cursor: &asked.cursor };
        let Page { rentals, cursor, has_more, counts } = self.list(me, asked).await?;
        Ok(Response::new(pb::ListRentalsResponse { rentals, cursor, has_more, counts }))
    }

    async fn accept_rental(&self, request: Request<pb::AcceptRentalRequest>) -> Answered<pb::AcceptRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let days = wire::named_days(&request.get_ref().start_date, &request.get_ref().end_date)?;
        let rental = Some(self.act(me, named, Act { days, ..Act::of(Action::Accept) }).await?);
        Ok(Response::new(pb::AcceptRentalResponse { rental }))
    }

    async fn decline_rental(&self, request: Request<pb::DeclineRentalRequest>) -> Answered<pb::DeclineRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let days = wire::named_days(&request.get_ref().start_date, &request.get_ref().end_date)?;
        let note = text::clean(&request.get_ref().note);
        let rental = Some(self.act(me, named, Act { days, note: &note, ..Act::of(Action::Decline) }).await?);
        Ok(Response::new(pb::DeclineRentalResponse { rental }))
    }

    async fn cancel_rental(&self, request: Request<pb::CancelRentalRequest>) -> Answered<pb::CancelRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let known = wire::known_status(request.get_ref().known_status());
        let rental = Some(self.act(me, named, Act { known, ..Act::of(Action::Cancel) }).await?);
        Ok(Response::new(pb::CancelRentalResponse { rental }))
    }

    async fn start_rental(&self, request: Request<pb::StartRentalRequest>) -> Answered<pb::StartRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let (words, keys) = (text::clean(&request.get_ref().note), &request.get_ref().picture_keys);
        let rental = Some(self.note(me, named, Note { action: Action::Start, words: &words, keys }).await?);
        Ok(Response::new(pb::StartRentalResponse { rental }))
    }

    async fn return_rental(&self, request: Request<pb::ReturnRentalRequest>) -> Answered<pb::ReturnRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let (words, keys) = (text::clean(&request.get_ref().note), &request.get_ref().picture_keys);
        let rental = Some(self.note(me, named, Note { action: Action::Return, words: &words, keys }).await?);
        Ok(Response::new(pb::ReturnRentalResponse { rental }))
    }

    async fn complete_rental(&self, request: Request<pb::CompleteRentalRequest>) -> Answered<pb::CompleteRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let (words, keys) = (text::clean(&request.get_ref().note), &request.get_ref().picture_keys);
        let rental = Some(self.note(me, named, Note { action: Action::Complete, words: &words, keys }).await?);
        Ok(Response::new(pb::CompleteRentalResponse { rental }))
    }

    async fn move_rental(&self, request: Request<pb::MoveRentalRequest>) -> Answered<pb::MoveRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let days = Some(wire::range(&request.get_ref().start_date, &request.get_ref().end_date)?);
        let rental = Some(self.act(me, named, Act { days, ..Act::of(Action::Move) }).await?);
        Ok(Response::new(pb::MoveRentalResponse { rental }))
    }

    async fn extend_rental(&self, request: Request<pb::ExtendRentalRequest>) -> Answered<pb::ExtendRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let until = Some(days::parse("end_date", &request.get_ref().end_date)?);
        let rental = Some(self.act(me, named, Act { until, ..Act::of(Action::Extend) }).await?);
        Ok(Response::new(pb::ExtendRentalResponse { rental }))
    }

    async fn accept_extension(&self, request: Request<pb::AcceptExtensionRequest>) -> Answered<pb::AcceptExtensionResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let until = wire::named_day(&request.get_ref().end_date)?;
        let rental = Some(self.act(me, named, Act { until, ..Act::of(Action::AcceptExtension) }).await?);
        Ok(Response::new(pb::AcceptExtensionResponse { rental }))
    }

    async fn decline_extension(&self, request: Request<pb::DeclineExtensionRequest>) -> Answered<pb::DeclineExtensionResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let until = wire::named_day(&request.get_ref().end_date)?;
        let rental = Some(self.act(me, named, Act { until, ..Act::of(Action::DeclineExtension) }).await?);
        Ok(Response::new(pb::DeclineExtensionResponse { rental }))
    }

    async fn rate_rental(&self, request: Request<pb::RateRentalRequest>) -> Answered<pb::RateRentalResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let rating = Some(wire::rating(request.get_ref().rating)?);
        let note = text::clean(&request.get_ref().note);
        let rental = Some(self.act(me, named, Act { rating, note: &note, ..Act::of(Action::Rate) }).await?);
        Ok(Response::new(pb::RateRentalResponse { rental }))
    }

    async fn record_rental_payment(&self, request: Request<pb::RecordRentalPaymentRequest>) -> Answered<pb::RecordRentalPaymentResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        let (action, amount) = wire::payment(request.get_ref())?;
        let rental = Some(self.act(me, named, Act { amount, ..Act::of(action) }).await?);
        Ok(Response::new(pb::RecordRentalPaymentResponse { rental }))
    }

    async fn create_rental_picture_upload(
        &self,
        request: Request<pb::CreateRentalPictureUploadRequest>,
    ) -> Answered<pb::CreateRentalPictureUploadResponse> {
        let (me, named) = on(&request, &request.get_ref().item_id, &request.get_ref().request_id)?;
        Ok(Response::new(self.announce(me, named, request.get_ref()).await?))
    }

    async fn get_item_stats(&self, request: Request<pb::GetItemStatsRequest>) -> Answered<pb::GetItemStatsResponse> {
        let me = auth::caller(&request)?.member;
        let item = ItemId::parse("item_id", &request.get_ref().item_id)?;
        Ok(Response::new(self.item_stats(me, item).await?))
    }
}
