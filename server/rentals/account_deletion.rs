//! What becomes of rentals when a member leaves, and what is kept of a member's.

use super::{
    Hooks, RentalStatus, rules,
    store::{self, Ended, Kept},
    texts, timers,
};
use crate::{
    days,
    db::Tx,
    error::{Error, Reason, Result},
    identity,
    ids::MemberId,
    items, jobs,
    money::Cents,
    notifications::{self, New, Settled, Target, Told},
    pb::notifications::{NotificationType as Kind, TargetKind},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::{OffsetDateTime, macros::datetime};
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 200;
/// After every key.
const LAST: (OffsetDateTime, Uuid) = (datetime!(9999-12-31 00:00 UTC), Uuid::max());

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// Nobody leaves with an item of somebody else's, or while somebody has one of theirs. What was agreed is called off, what was asked of them is
    /// declined, and what they asked taken back; what is past stays for the others, without the member's words and pictures.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        let now = self.0.clock.now();
        // Nothing begins with the member any more, for whoever asks shares them first; and the items are locked.
        if store::has_out(tx, member).await? {
            return Err(Error::new(
                Reason::ItemsOut,
                "you cannot delete your account while an item is lent or borrowed; it must be returned first",
            ));
        }
        let ended = store::end_open(tx, member, now).await?;
        store::forget_words(tx, member).await?;
        store::forget_ratings(tx, member).await?;
        let forgotten = store::remove_lonely(tx, member).await?;
        items::remove_forgotten(tx, &forgotten).await?;
        let mut told = Told::default();
        for rental in ended {
            let other = if rental.owner == member { rental.borrower } else { rental.owner };
            notifications::changed(tx, other, TargetKind::Rental, rental.id.0);
            told.settled.push(Settled { member: other, about: rental.id.0, actor: None, called_off: true, seen: false });
            told.settled.extend(timers::all_over(other, rental.id));
            told.news.push(called_off(rental, other));
        }
        Ok(told)
    }
}

/// News that names nobody.
fn called_off(rental: Ended, member: MemberId) -> New {
    let (kind, (title, message)) = match rental.status {
        RentalStatus::Declined => (Kind::RentalResponse, texts::declined(texts::FORMER, &rental.title, rental.days, "")),
        _ if rental.open.cents() > 0 => {
            let open = rental.currency.text(rental.open);
            (Kind::RentalCancelled, texts::cancelled_by_former(&rental.title, rental.days, &open))
        }
        _ => (Kind::RentalCancelled, texts::cancelled(texts::FORMER, &rental.title, rental.days, false)),
    };
    let target = Target(TargetKind::Rental, rental.id.0);
    let title = title.to_owned();
    New { member, kind, title, message, actor: None, target, about: rental.id.0, about_unread: None, action_required: false }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn moved(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        jobs::Moved::<timers::Clocks>::enqueue(tx, member).await
    }

    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let mut sides = [Vec::new(), Vec::new()];
        for (lends, side) in [true, false].into_iter().zip(&mut sides) {
            let mut before = LAST;
            loop {
                let page = store::kept(conn, member, lends, before, PAGE).await?;
                let Some(last) = page.last() else { break };
                before = (last.asked_at, last.id);
                side.extend(page.iter().map(kept));
            }
        }
        let [lent, borrowed] = sides;
        Ok(Some(("rentals", json!({ "lent": lent, "borrowed": borrowed }))))
    }
}

/// As the member sees it; nobody else is named.
fn kept(rental: &Kept) -> Value {
    json!({
        "id": rental.id.to_string(),
        "item": rental.title,
        "status": rules::word(rental.status),
        "firstDay": days::text(rental.first_day),
        "lastDay": days::text(rental.last_day),
        "totalPrice": Cents::from_cents(rental.total_cents).units(),
        "deposit": Cents::from_cents(rental.deposit_cents).units(),
        "currency": rental.currency.code(),
        "gratitude": rental.gratitude,
        "paid": Cents::from_cents(rental.paid_cents).units(),
        "depositReceivedAt": rental.deposit_received_at.map(identity::instant),
        "depositReturnedAt": rental.deposit_returned_at.map(identity::instant),
        "message": rental.message,
        "askedAt": identity::instant(rental.asked_at),
        "startedAt": rental.started_at.map(identity::instant),
        "startNote": rental.start_note,
        "returnedAt": rental.returned_at.map(identity::instant),
        "returnNote": rental.return_note,
        "completedAt": rental.completed_at.map(identity::instant),
        "completeNote": rental.complete_note,
        "declineNote": rental.decline_note,
        "noteByOwner": rental.note_by_owner,
        "noteByBorrower": rental.note_by_borrower,
        "ratingByOwner": rental.rating_by_owner,
        "ratingByBorrower": rental.rating_by_borrower,
        "pictures": rental.pictures,
    })
}
