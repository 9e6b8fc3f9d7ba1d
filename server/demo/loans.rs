//! What the demo members borrow from each other: told through the same service that members call. One loan is over, one runs, one is overdue, and one
//! is asked for.

use super::{
    present::{Present, When::Hours},
    story::{Cast, by},
};
use crate::{
    clock::Clock,
    error::Error,
    ids::MemberId,
    pb::{
        items::{ListMyItemsRequest, items_service_server::ItemsService},
        rentals::{
            AcceptRentalRequest, CompleteRentalRequest, RateRentalRequest, RequestRentalRequest, ReturnRentalRequest, StartRentalRequest,
            rentals_service_server::RentalsService,
        },
    },
};
use tonic::Status;

type Result<T = ()> = std::result::Result<T, Status>;

/// Tells of the loans: services whose clock the story moves on.
pub struct Loans<'a, Items, Rentals> {
    /// Their clock.
    pub clock: &'a Clock,
    /// When and where it is told.
    pub present: &'a Present,
    /// The service.
    pub items: &'a Items,
    /// The service.
    pub rentals: &'a Rentals,
}

/// A wish: whose thing, how it is called, when it is asked for and until when it is needed, in hours from the present, with what words.
struct Wish(MemberId, &'static str, i64, i64, &'static str);

impl<It: ItemsService, Re: RentalsService> Loans<'_, It, Re> {
    /// Ben's bike was with Ana, who gave it back, and both were glad of it.
    ///
    /// # Errors
    /// As the services.
    pub async fn past(&self, c: &Cast) -> Result {
        let words = "For the big grocery run on Saturday. I'll bring it back with full tires.";
        let id =
            self.lent(c.ana, Wish(c.ben, "Cargo bike", -211, -194, words), "The key to the lock is on the ring with the red tag.").await?;
        self.at(-198);
        let back =
            ReturnRentalRequest { request_id: id.clone(), note: "It's in your yard. The tires are full.".to_owned(), ..Default::default() };
        self.rentals.return_rental(by(c.ana, back)).await?;
        self.at(-196);
        self.rentals.complete_rental(by(c.ben, CompleteRentalRequest { request_id: id.clone(), ..Default::default() })).await?;
        for (who, hours, rating) in [(c.ana, -195, 5), (c.ben, -194, 5)] {
            self.at(hours);
            let request = RateRentalRequest { request_id: id.clone(), rating, ..Default::default() };
            self.rentals.rate_rental(by(who, request)).await?;
        }
        Ok(())
    }

    /// Marcus should have brought Ana's ladder back two days ago.
    ///
    /// # Errors
    /// As the services.
    pub async fn late(&self, c: &Cast) -> Result {
        let wish = Wish(c.ana, "Extension ladder", -69, -48, "The gutters are full of leaves again.");
        self.lent(c.marcus, wish, "All the rungs are solid, and the strap is in the bag.").await.map(drop)
    }

    /// Ana looks at the stars by Priya's telescope.
    ///
    /// # Errors
    /// As the services.
    pub async fn running(&self, c: &Cast) -> Result {
        let wish = Wish(c.priya, "Telescope for beginners", -15, 72, "My niece is here for the weekend and wants to see Saturn.");
        self.lent(c.ana, wish, "").await.map(drop)
    }

    /// Priya would like to borrow what Ana has just listed.
    ///
    /// # Errors
    /// As the services.
    pub async fn asked(&self, c: &Cast) -> Result {
        self.at(-2);
        let item = self.named(c.ana, "Sewing machine").await?;
        let (start_date, end_date) = (self.present.day(Hours(72)), self.present.day(Hours(120)));
        let message = "I have three pairs of curtains to hem.".to_owned();
        let request = RequestRentalRequest { item_id: item, start_date, end_date, message, gratitude: 5, ..Default::default() };
        self.rentals.request_rental(by(c.priya, request)).await?;
        Ok(())
    }

    /// Asked for, agreed to, and handed over by its owner.
    async fn lent(&self, borrower: MemberId, wish: Wish, note: &str) -> Result<String> {
        let Wish(owner, title, asked_h, until_h, words) = wish;
        self.at(asked_h);
        let item_id = self.named(owner, title).await?;
        let (start_date, end_date) = (self.present.day(Hours(asked_h)), self.present.day(Hours(until_h)));
        let request = RequestRentalRequest { item_id, start_date, end_date, message: words.to_owned(), ..Default::default() };
        let id = self.rentals.request_rental(by(borrower, request)).await?.into_inner().rental.unwrap_or_default().request_id;
        self.at(asked_h + 1);
        self.rentals.accept_rental(by(owner, AcceptRentalRequest { request_id: id.clone(), ..Default::default() })).await?;
        self.at(asked_h + 3);
        let start = StartRentalRequest { request_id: id.clone(), note: note.to_owned(), ..Default::default() };
        self.rentals.start_rental(by(owner, start)).await?;
        Ok(id)
    }

    /// The id of a thing.
    async fn named(&self, owner: MemberId, title: &str) -> Result<String> {
        let own = self.items.list_my_items(by(owner, ListMyItemsRequest::default())).await?.into_inner().items;
        own.into_iter().find(|item| item.title == title).map(|item| item.item_id).ok_or_else(|| Error::not_found("item").into())
    }

    fn at(&self, hours: i64) {
        self.present.move_on(self.clock, hours);
    }
}
