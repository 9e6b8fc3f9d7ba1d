//! Asking for an item: which days it is free, and the request itself.

use super::{
    EventKind, Price, Service,
    acts::{hint, name_of},
    calendar::{self, Calendar},
    form, news, rules,
    service::not_found,
    store::{self, OfBorrower},
    timers,
    wire::{self, Vocabulary},
};
use crate::{
    budgets::{self, Spending, Subject},
    days::{self, Days},
    db::Tx,
    error::{Error, Reason, Result},
    friends, idempotency,
    identity::store as identity,
    ids::{ItemId, MemberId, RentalId},
    items::{self, Item, Status},
    notifications,
    pb::rentals as pb,
    read, transact,
};
use sqlx::PgConnection;
use time::Date;

/// The most requests of one borrower that wait for the owner of one item.
const WAITING_MAX: i64 = 20;

/// What a borrower asks for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// In which days.
    pub days: Days,
    /// Their words.
    pub message: String,
    /// What they give on top, in whole currency units.
    pub gratitude: i16,
    /// The terms of the item that they know; empty is whichever.
    pub terms: String,
}

/// A request that is written.
#[derive(Clone, Debug)]
pub struct New {
    /// Whose item it is.
    pub owner: MemberId,
    /// Who asks.
    pub borrower: MemberId,
    /// In which days.
    pub days: Days,
    /// What it costs.
    pub price: Price,
    /// What the borrower gives on top, in whole currency units.
    pub gratitude: i16,
    /// The borrower's words.
    pub message: String,
    /// How the item is called.
    pub title: String,
}

impl Service {
    /// Tells which days an item is free, of a range or of the year ahead.
    pub(super) async fn availability(&self, me: MemberId, id: ItemId, asked: Option<Days>) -> Result<pb::CheckAvailabilityResponse> {
        read!(self.deps.pool, |conn| {
            let item = seen_item(conn, me, id).await?;
            let today = self.today_of(conn, item.owner).await?;
            if let Some(days) = asked {
                form::check_ahead(days, today)?;
            }
            let range = asked.unwrap_or_else(|| calendar::ahead(today));
            let calendar = calendar_of(conn, id, range).await?;
            Ok(wire::availability(&item, &calendar, asked, (range, today)))
        })
    }

    pub(super) async fn request(
        &self,
        me: MemberId,
        key: Option<&idempotency::Use>,
        id: ItemId,
        wish: &Wish,
    ) -> Result<pb::RequestRentalResponse> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return self.again(tx, me, answer).await;
            }
            budgets::spend(tx, now, &Spending { subject: Subject::member(me), budget: budgets::BORROWS_OF_MEMBER }).await?;
            let item = lock_for(tx, me, id).await?;
            check_open(&item, me)?;
            items::check_terms(&wish.terms, &item.content)?;
            let today = self.today_of(tx, item.owner).await?;
            form::check(wish.days, item.content.max_days, today)?;
            check_free(tx, id, wish.days, today).await?;
            check_waiting(tx, id, me, wish.days).await?;
            let rental = self.write_request(tx, me, &item, wish).await?;
            // Nothing of the owner's is kept beside what they can change and take away.
            let kept = pb::Rental { owner: None, item: None, ..rental.clone() };
            idempotency::keep(tx, key, &pb::RequestRentalResponse { rental: Some(kept) }).await?;
            Ok(pb::RequestRentalResponse { rental: Some(rental) })
        })
    }

    /// What was answered before, with its owner and its item as they are now.
    async fn again(&self, conn: &mut PgConnection, me: MemberId, answer: pb::RequestRentalResponse) -> Result<pb::RequestRentalResponse> {
        let Some(kept) = answer.rental else { return Ok(answer) };
        let item = ItemId::parse("item_id", &kept.item_id)?;
        let now = store::rental(conn, item, RentalId::parse("request_id", &kept.request_id)?).await?;
        let now = now.and_then(|rental| self.show(me, rental, Vocabulary::Borrow, &[]));
        let (owner, item) = now.map_or_else(|| (Some(wire::former()), None), |now| (now.owner, now.item));
        Ok(pb::RequestRentalResponse { rental: Some(pb::Rental { owner, item, ..kept }) })
    }

    async fn write_request(&self, tx: &mut Tx, me: MemberId, item: &Item, wish: &Wish) -> Result<pb::Rental> {
        let (now, id): (_, RentalId) = (self.deps.clock.now(), self.deps.ids.id());
        let content = &item.content;
        let new = New {
            owner: item.owner,
            borrower: me,
            days: wish.days,
            price: Price { per_day: content.price, deposit: content.deposit, currency: content.currency },
            gratitude: wish.gratitude,
            message: wish.message.clone(),
            title: content.title.clone(),
        };
        store::insert(tx, (item.id, id), &new, now).await?;
        store::add_event(tx, (item.id, id), EventKind::Asked, me, now).await?;
        let rental = store::rental(tx, item.id, id).await?.ok_or_else(not_found)?;
        let name = name_of(tx, me).await?;
        let news = [news::asked(&rental, &name)];
        let times = timers::set(tx, item.id, id, false, now).await?;
        notifications::push(tx, &self.deps, &news).await?;
        timers::enqueue(tx, times.timer).await?;
        hint(tx, &rental, &news);
        self.show_with_story(tx, me, rental).await
    }

    /// Which day it is where an owner is.
    async fn today_of(&self, conn: &mut PgConnection, owner: MemberId) -> Result<Date> {
        let owner = identity::member(conn, owner).await?.ok_or_else(items::not_found)?;
        Ok(days::today(self.deps.clock.now(), &owner.time_zone))
    }
}

/// An item that is to be asked for, under its lock. Neither side leaves, blocks or unfriends the other meanwhile.
async fn lock_for(tx: &mut Tx, me: MemberId, id: ItemId) -> Result<Item> {
    let owner = seen_item(tx, me, id).await?.owner;
    let pair = [me.min(owner), me.max(owner)];
    if identity::share(tx, &pair).await?.len() < 2 && me != owner {
        return Err(items::not_found());
    }
    friends::lock_friends(tx, owner, &[me]).await?;
    items::lock(tx, id).await?;
    seen_item(tx, me, id).await
}

/// An item, as far as the caller may see it.
///
/// # Errors
/// NOT_FOUND, or FRIENDS_ONLY where it may be known that there is one.
async fn seen_item(conn: &mut PgConnection, me: MemberId, id: ItemId) -> Result<Item> {
    let (item, seen) = items::find(conn, me, id).await?;
    items::may_see(seen)?;
    Ok(item)
}

/// Refuses what would wait beside its like, or beside very many.
async fn check_waiting(conn: &mut PgConnection, item: ItemId, borrower: MemberId, days: Days) -> Result<()> {
    let waiting = check_like(conn, item, borrower, days).await?;
    if waiting.count >= WAITING_MAX {
        return Err(Error::new(Reason::LimitReached, "You already have several unanswered requests for this item."));
    }
    Ok(())
}

/// Refuses days for which the borrower has asked already: of two that are alike the owner could but decline one.
///
/// # Errors
/// ALREADY_SENT.
pub(super) async fn check_like(conn: &mut PgConnection, item: ItemId, borrower: MemberId, days: Days) -> Result<OfBorrower> {
    let waiting = store::waiting_of(conn, item, borrower, days).await?;
    if waiting.same {
        return Err(Error::new(Reason::AlreadySent, "you already asked for these dates; the owner was notified"));
    }
    Ok(waiting)
}

/// Whether others may ask for it now.
fn check_open(item: &Item, me: MemberId) -> Result<()> {
    if item.owner == me {
        return Err(Error::new(Reason::WrongParty, "this is your own item"));
    }
    match item.status {
        Status::Listed => Ok(()),
        Status::Draft => Err(Error::new(Reason::WrongState, "this item is a draft")),
        Status::Unlisted => Err(Error::new(Reason::WrongState, "this item is unlisted")),
        Status::Deleted => Err(items::not_found()),
    }
}

/// What stands in the way in some days, and where the item is now.
async fn calendar_of(conn: &mut PgConnection, item: ItemId, range: Days) -> Result<Calendar> {
    let blocked = items::blackouts(conn, item, range.first(), range.last()).await?;
    Ok(Calendar { blocked, ..store::calendar(conn, item, range).await? })
}

/// Refuses days that are not free.
pub(super) async fn check_free(conn: &mut PgConnection, item: ItemId, days: Days, today: Date) -> Result<()> {
    if calendar_of(conn, item, days).await?.is_free(days, today) { Ok(()) } else { Err(rules::days_taken()) }
}
