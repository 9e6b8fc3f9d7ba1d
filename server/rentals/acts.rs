//! One action on a rental, from the table to what is told, under its item's lock.

use super::{
    EventKind, Handover, Moment, Payment, Rental, RentalStatus, Service, Side, form,
    news::{self, Deed},
    pictures::Looked,
    requests,
    rules::{self, Action, To, View},
    service::{STEPS_MAX, not_found},
    store::{self, Step},
    texts, timers,
    wire::Vocabulary,
};
use crate::{
    budgets::{self, Spending, Subject},
    days::Days,
    db::Tx,
    error::{Error, Result},
    identity::store as identity,
    ids::{ItemId, MemberId, RentalId},
    items::{self, Item},
    money::Cents,
    notifications::{self, New},
    pb::{notifications::TargetKind, rentals as pb},
    pictures, transact,
};
use sqlx::PgConnection;
use time::Date;
use uuid::Uuid;

/// Which rental a call names.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Of which item; `None` is whichever it is of.
    pub item: Option<ItemId>,
    /// Its id.
    pub id: RentalId,
}

/// What somebody wants to do with a rental.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// What.
    pub action: Action,
    /// Their words, of a refusal, a hand-over, a return or its confirmation, or with a rating.
    pub note: &'a str,
    /// The days that are asked for, as they are wished or known.
    pub days: Option<Days>,
    /// The last day that is asked for, agreed to, or known.
    pub until: Option<Date>,
    /// The status that is known.
    pub known: Option<RentalStatus>,
    /// What they show of one, as far as it was looked at.
    pub pictures: &'a [Looked],
    /// The keys by which they name it.
    pub keys: &'a [String],
    /// How they rate the other side.
    pub rating: Option<i16>,
    /// The whole charge, or what is paid of it, as they know it; `None` is whatever it is.
    pub amount: Option<Cents>,
}

impl Act<'_> {
    /// An action that needs no more to be said.
    pub fn of(action: Action) -> Self {
        Self { action, note: "", days: None, until: None, known: None, pictures: &[], keys: &[], rating: None, amount: None }
    }

    /// Whether it names the days, the status or the rating that are there, or has nothing to add; what need not be named counts as named.
    pub(super) fn is_same(&self, rental: &Rental, side: Side) -> bool {
        let asked = rental.more.map(|more| more.until);
        match self.action {
            // Words that come after the refusal would be lost.
            Action::Decline if rental.status == RentalStatus::Declined => self.note.is_empty() || self.note == rental.decline_note,
            Action::Accept | Action::Decline => self.days.is_none_or(|days| days == rental.days),
            Action::Cancel => self.known.is_none_or(|known| known == rental.status),
            Action::Move => self.days == Some(rental.days),
            Action::Extend => self.until == asked,
            // Agreed to already, the more days are the last ones.
            Action::AcceptExtension => self.until.is_none_or(|until| until == asked.unwrap_or(rental.days.last())),
            // Not asked for any more, they are not the last ones unless they were agreed to.
            Action::DeclineExtension | Action::WithdrawExtension => {
                self.until.is_none_or(|until| asked.map_or(until > rental.days.last(), |asked| asked == until))
            }
            Action::Rate => self.rating == rental.rating_by(side) && (self.note.is_empty() || self.note == rental.note_by(side)),
            Action::Start => self.adds_nothing(rental.started.as_ref(), rental.member(side)),
            Action::Return => self.adds_nothing(rental.returned.as_ref(), rental.member(side)),
            Action::Complete => self.adds_nothing(rental.completed.as_ref(), rental.member(side)),
            Action::Record(Payment::PricePaid) => self.amount.is_none_or(|amount| amount == rental.charge()),
            Action::Record(Payment::PriceNotPaid) => self.amount.is_none_or(|amount| amount == rental.paid),
            Action::Record(_) => true,
        }
    }

    /// Whether all that is said and shown stands there already, as that of who says it.
    fn adds_nothing(&self, noted: Option<&Handover>, by: MemberId) -> bool {
        let stands = |noted: &Handover| {
            let shown = |key: &String| noted.pictures.iter().any(|picture| Uuid::try_parse(key) == Ok(picture.0));
            noted.by == by && (self.note.is_empty() || self.note == noted.note) && self.keys.iter().all(shown)
        };
        (self.note.is_empty() && self.keys.is_empty()) || noted.is_some_and(stands)
    }
}

impl Service {
    /// Does an action: decides by the table, writes, tells. The rental afterwards.
    pub(super) async fn act(&self, me: MemberId, named: Named, act: Act<'_>) -> Result<pb::Rental> {
        transact!(self.deps.pool, |tx| {
            if matches!(act.action, Action::Move | Action::Extend | Action::Rate | Action::Record(_)) {
                let (rental, view) = self.seen(tx, me, named).await?;
                // Who is refused, or did it already, spends nothing and holds nobody.
                if rules::next(view, act.action, act.is_same(&rental, view.side))?.is_none() {
                    return self.show_with_story(tx, me, rental).await;
                }
                self.enter(tx, act.action, &rental, me).await?;
            }
            let (item, rental, view) = self.locked(tx, me, named).await?;
            let act = Act { action: rules::meant(act.action, view.side), ..act };
            let rental = match rules::next(view, act.action, act.is_same(&rental, view.side))? {
                Some(to) => self.write(tx, (&item, &rental, view), to, act).await?,
                None => rental,
            };
            self.show_with_story(tx, me, rental).await
        })
    }

    /// Takes what an action needs before the item: part of a budget, and locks that keep either side from leaving meanwhile. Ratings go with the
    /// member, and a member who left is not told of payments.
    async fn enter(&self, tx: &mut Tx, action: Action, rental: &Rental, me: MemberId) -> Result<()> {
        let budget = match action {
            Action::Move | Action::Extend => Some(budgets::DAYS_OF_MEMBER),
            Action::Record(_) => Some(budgets::PAYMENTS_OF_MEMBER),
            _ => None,
        };
        if let Some(budget) = budget {
            budgets::spend(tx, self.deps.clock.now(), &Spending { subject: Subject::member(me), budget }).await?;
        }
        if matches!(action, Action::Rate | Action::Record(_)) {
            identity::share(tx, &[rental.owner.min(rental.borrower), rental.owner.max(rental.borrower)]).await?;
        }
        Ok(())
    }

    async fn write(&self, tx: &mut Tx, (item, rental, view): (&Item, &Rental, View), to: To, act: Act<'_>) -> Result<Rental> {
        let (now, me) = (self.deps.clock.now(), rental.member(view.side));
        let mut amount = Cents::from_cents(0);
        if let To::At(status) = to {
            let statuses = (rental.status, status);
            store::move_to(tx, rental, Step { statuses, by: me, note: act.note, today: view.today, now }).await?;
        }
        match act.action {
            Action::Move => {
                let days = act.days.unwrap_or(rental.days);
                form::check(days, item.content.max_days, view.today)?;
                requests::check_free(tx, item.id, days, view.today).await?;
                requests::check_like(tx, item.id, rental.borrower, days).await?;
                store::set_days(tx, rental, days, now).await?;
            }
            Action::Extend => {
                let until = act.until.unwrap_or(rental.days.last());
                form::longer(rental.days, until, item.content.max_days, view.today)?;
                check_more_free(tx, rental, until).await?;
                store::ask_more(tx, rental, until, now).await?;
            }
            Action::AcceptExtension => {
                let until = rental.more.map_or(rental.days.last(), |more| more.until);
                let longer = form::range(rental.days.first(), until)?;
                store::extend(tx, rental, rental.price.of(longer), now).await?;
            }
            Action::DeclineExtension | Action::WithdrawExtension => store::drop_more(tx, rental, now).await?,
            Action::Rate => {
                let (whom, rating) = (rental.member(view.side.other()), act.rating.unwrap_or_default());
                let given = store::Given { by: view.side, whom, rating, note: act.note };
                store::rate(tx, (rental.item, rental.id), given).await?;
            }
            Action::Record(payment) => {
                amount = match payment {
                    Payment::PricePaid if rental.status == RentalStatus::Cancelled => {
                        rules::taken_back(&store::price_steps(tx, rental).await?)
                    }
                    Payment::PricePaid => rental.unpaid(),
                    Payment::PriceNotPaid => rules::last_payment(&store::price_steps(tx, rental).await?),
                    Payment::PriceRefunded => rental.paid,
                    _ => rental.price.deposit,
                };
                store::record(tx, rental, (payment, amount), now).await?;
            }
            Action::Accept | Action::Decline | Action::Cancel | Action::Start | Action::Return | Action::Complete => {}
        }
        self.finish(tx, (rental, view.side), act, amount).await
    }

    /// After the rental was written: its story, and who is told. `amount` is the sum of a payment. The rental as it is then.
    async fn finish(&self, tx: &mut Tx, (before, side): (&Rental, Side), act: Act<'_>, amount: Cents) -> Result<Rental> {
        let (now, me, key) = (self.deps.clock.now(), before.member(side), (before.item, before.id));
        if let Some(kind) = news::step(act.action) {
            store::add_step(tx, key, (kind, amount), me, now).await?;
        }
        // The owner's own return is the confirmation too.
        if act.action == Action::Return && side == Side::Owner {
            store::add_event(tx, key, EventKind::Completed, me, now).await?;
        }
        if !act.pictures.is_empty() {
            self.take(tx, me, key, moment(act.action), act.pictures).await?;
        }
        let after = store::rental(tx, before.item, before.id).await?.ok_or_else(not_found)?;
        let over = news::over(act.action, before, &after);
        let news = self.told(tx, (before, &after), (side, &act, amount), over.is_some()).await?;
        let times = timers::set(tx, key.0, key.1, act.action == Action::AcceptExtension, now).await?;
        let settled: Vec<_> = news::settled(act.action, side, before).into_iter().chain(times.settled).collect();
        notifications::tell_of_end(tx, &self.deps, &news, &settled, over).await?;
        timers::enqueue(tx, times.timer).await?;
        if !act.pictures.is_empty() {
            pictures::clear(tx, me, now).await?;
        }
        hint(tx, &after, &news);
        Ok(after)
    }

    /// What the other side is told of an action. That it is over is said as of one who has left, by who hides from them.
    async fn told(
        &self,
        tx: &mut Tx,
        (before, after): (&Rental, &Rental),
        (side, act, amount): (Side, &Act<'_>, Cents),
        is_over: bool,
    ) -> Result<Vec<New>> {
        let (me, other) = (before.member(side), before.member(side.other()));
        // A rating may come after the two have parted.
        if act.action == Action::Rate && (after.shown(side.other()).is_none() || after.is_hidden()) {
            return Ok(Vec::new());
        }
        let name = name_of(tx, me).await?;
        if is_over && notifications::hides(tx, me, other).await? {
            let deed = Deed { action: act.action, side, name: texts::FORMER, note: "", amount };
            return Ok(news::of(deed, before, after).map(|new| New { actor: None, ..new }).into_iter().collect());
        }
        let deed = Deed { action: act.action, side, name: &name, note: act.note, amount };
        Ok(news::of(deed, before, after).into_iter().collect())
    }

    /// A rental, its item locked before it is read, as the caller sees it. Others learn nothing of it.
    pub(super) async fn locked(&self, tx: &mut Tx, me: MemberId, named: Named) -> Result<(Item, Rental, View)> {
        let item = item_of(tx, me, named).await?;
        let item = items::lock(tx, item).await?.ok_or_else(not_found)?;
        let (rental, view) = self.seen_of(tx, me, (item.id, named.id)).await?;
        Ok((item, rental, view))
    }

    pub(super) async fn seen(&self, conn: &mut PgConnection, me: MemberId, named: Named) -> Result<(Rental, View)> {
        let item = item_of(conn, me, named).await?;
        self.seen_of(conn, me, (item, named.id)).await
    }

    async fn seen_of(&self, conn: &mut PgConnection, me: MemberId, (item, id): (ItemId, RentalId)) -> Result<(Rental, View)> {
        let rental = store::rental(conn, item, id).await?.ok_or_else(not_found)?;
        let view = self.view(me, &rental).ok_or_else(not_found)?;
        Ok((rental, view))
    }

    /// As it is answered, with its story.
    pub(super) async fn show_with_story(&self, conn: &mut PgConnection, me: MemberId, rental: Rental) -> Result<pb::Rental> {
        let mut story = store::events(conn, (rental.item, rental.id), STEPS_MAX).await?;
        story.reverse();
        self.show(me, rental, Vocabulary::Borrow, &story).ok_or_else(not_found)
    }
}

/// Of which moment the pictures of an action are.
const fn moment(action: Action) -> Moment {
    match action {
        Action::Start => Moment::Start,
        Action::Complete => Moment::Complete,
        _ => Moment::Return,
    }
}

/// Of which item a rental of the caller is that they name. To others it takes as long to find that there is none, and they lock nothing.
async fn item_of(conn: &mut PgConnection, me: MemberId, named: Named) -> Result<ItemId> {
    let item = store::item_of(conn, me, named.id).await?;
    item.filter(|item| named.item.is_none_or(|named| named == *item)).ok_or_else(not_found)
}

/// Whether more days of a rental are free. Its own days, also those in which it is overdue, stand against nobody but others.
async fn check_more_free(conn: &mut PgConnection, rental: &Rental, until: Date) -> Result<()> {
    let Some(more) = rental.days.last().next_day().and_then(|first| Days::new(first, until)) else { return Ok(()) };
    let booked = store::calendar(conn, rental.item, more).await?.booked;
    let blocked = items::blackouts(conn, rental.item, more.first(), more.last()).await?;
    let taken = items::met(&booked, more).or(items::met(&blocked, more));
    taken.map_or(Ok(()), |_| Err(rules::days_taken()))
}

/// How a member is called.
pub(super) async fn name_of(conn: &mut PgConnection, member: MemberId) -> Result<String> {
    let member = identity::member(conn, member).await?;
    member.map(|member| member.display_name()).ok_or_else(|| Error::not_found("member"))
}

/// Hints at a change to the open clients of both sides; who is told hears of it by that.
pub(super) fn hint(tx: &mut Tx, rental: &Rental, told: &[New]) {
    for member in [rental.owner, rental.borrower] {
        if !told.iter().any(|new| new.member == member) {
            notifications::changed(tx, member, TargetKind::Rental, rental.id.0);
        }
    }
}
