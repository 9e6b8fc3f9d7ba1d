//! What a side may know of a rental, and of what becomes of its item. Pure.

use super::{Ratings, Rental, Side, rules};
use crate::items::Seen;

impl Rental {
    /// As a side knows it. Where one blocks the other, what is over looks to each as if the other had left, without their name, words and pictures: so
    /// it does not tell the one of the block, and the other one nothing that came later. Who cannot see the item, and does not have it, sees no picture
    /// that it may have got since, and reads how it was called when they asked.
    pub fn known_to(mut self, side: Side) -> Self {
        if !rules::goes_on(self.status) && self.is_hidden() {
            self.forget(side.other());
        }
        if !self.shows_item_to(side) {
            (self.image, self.category) = (None, None);
            self.title.clone_from(&self.asked_as);
            // The calendar is for those alone who see the item.
            (self.booked, self.out_until) = (false, None);
        }
        self
    }

    /// How a side reads what the item is called.
    pub fn title_to(&self, side: Side) -> &str {
        if self.shows_item_to(side) { &self.title } else { &self.asked_as }
    }

    fn shows_item_to(&self, side: Side) -> bool {
        side == Side::Owner || rules::goes_on(self.status) || self.seen == Seen::Circle
    }

    fn forget(&mut self, side: Side) {
        let member = self.member(side);
        let (shown, ratings) = match side {
            Side::Owner => (&mut self.owner_shown, &mut self.owner_ratings),
            Side::Borrower => (&mut self.borrower_shown, &mut self.borrower_ratings),
        };
        (*shown, *ratings) = (None, Ratings::default());
        match side {
            Side::Owner => {
                "UTC".clone_into(&mut self.zone);
                self.decline_note.clear();
                self.note_by_owner.clear();
            }
            Side::Borrower => {
                self.message.clear();
                self.note_by_borrower.clear();
            }
        }
        for noted in [&mut self.started, &mut self.returned, &mut self.completed].into_iter().flatten().filter(|noted| noted.by == member) {
            noted.note.clear();
            noted.pictures.clear();
        }
    }
}
