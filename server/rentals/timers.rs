//! What time does to rentals: reminders of what begins, of what is due back, and of what should have been; and the end of what nobody answered, or handed over.
//!
//! A rental has one timer at most. What changes the rental writes when the next of its times falls due, and enqueues the job that waits for it; the
//! job does what is due under the item's lock, and writes the next instant in that transaction. So it is done once, whoever runs it
//! how often: where the instant of the rental is ahead, a job finds nothing to do.

pub mod schedule;
mod texts;

use super::{EventKind, RentalStatus, Side, news::target, store};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    ids::{ItemId, MemberId, RentalId},
    items,
    jobs::{self, Class, Job},
    notifications::{self, New, Over, Settled},
    pb::notifications::{NotificationType as Kind, TargetKind},
    read, transact,
};
use schedule::{Moment, Reminder, Timed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// A job's wait counts from the begin of its transaction, which was before its time was said: by so much it comes later, not to come too early.
const AFTER: Duration = Duration::SECOND;
/// A job is late after so long; the sweep does what it should have done.
const LATE: Duration = Duration::minutes(5);
/// Who borrows next is told of a delay from the day before on; a day more, for today is a day later in some zones, and one to count by.
const SOON: Duration = Duration::days(3);
/// So many overdue timers are looked for at once.
const OVERDUE_AT_ONCE: i64 = 100;

/// What a change of a rental does to its times.
#[derive(Debug)]
pub struct Times {
    /// What was told of them, and is not true any more.
    pub settled: Vec<Settled>,
    /// The job that waits for the next one, where it is another than before.
    pub timer: Option<Timer>,
}

/// A job that is to wait.
#[derive(Debug)]
pub struct Timer {
    due: Due,
    after: Duration,
}

#[derive(Debug, Serialize, Deserialize)]
struct Due {
    item: ItemId,
    rental: RentalId,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Writes when the next of a rental's times falls due, after it has changed. `extended` says that its last day is another one now.
///
/// # Errors
/// As the database.
pub async fn set(tx: &mut Tx, item: ItemId, rental: RentalId, extended: bool, now: OffsetDateTime) -> Result<Times> {
    let Some(timed) = store::timed(tx, item, rental).await? else { return Ok(Times { settled: Vec::new(), timer: None }) };
    let mut settled = over(&timed, extended);
    if matches!(timed.status, RentalStatus::Returned | RentalStatus::Completed) {
        settled.extend(back(tx, item, now).await?);
    }
    let next = timed.next(now);
    if next == timed.timer_at {
        return Ok(Times { settled, timer: None });
    }
    store::set_timer(tx, item, rental, next).await?;
    Ok(Times { settled, timer: next.map(|at| Timer::new((item, rental), at, now)) })
}

/// Enqueues a rental's job in the place of the one that waits. After everything is told.
///
/// # Errors
/// As the database.
pub async fn enqueue(tx: &mut Tx, timer: Option<Timer>) -> Result<()> {
    match timer {
        Some(timer) => jobs::enqueue_all(tx, &[timer.job()]).await,
        None => Ok(()),
    }
}

/// What the next borrowers were told of an item that was overdue, which is back. Their clients read anew whether it is late.
async fn back(tx: &mut Tx, item: ItemId, now: OffsetDateTime) -> Result<Vec<Settled>> {
    let mut settled = Vec::new();
    for next in store::expected(tx, item, now.date() + SOON).await? {
        for member in [next.owner, next.borrower] {
            settled.push(About::Held.over(member, next.id));
            notifications::changed(tx, member, TargetKind::Rental, next.id.0);
        }
    }
    Ok(settled)
}

impl Timer {
    fn new((item, rental): (ItemId, RentalId), at: OffsetDateTime, now: OffsetDateTime) -> Self {
        Self { due: Due { item, rental, at }, after: if at <= now { Duration::ZERO } else { at - now + AFTER } }
    }

    /// One that looks at a rental: `now` was written as when its times fall due.
    fn at_once((item, rental): (ItemId, RentalId), now: OffsetDateTime) -> Self {
        Self { due: Due { item, rental, at: now }, after: AFTER }
    }

    /// The job with its key: a rental has one.
    fn job(self) -> (String, Job<'static>) {
        let after = self.after.try_into().unwrap_or_default();
        (self.due.rental.to_string(), Job { after, ..Job::new(Class::Timers, Ring::TASK, json!(self.due)) })
    }
}

/// What is told of a rental's times is about a thing of its own, so that it is taken back without what else is told of the rental.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// That its days begin, or did without a hand-over.
    Begins = 4,
    /// That it is due back, or should have been, or that its return is not confirmed.
    Due = 5,
    /// That its days begin while somebody else still has the item.
    Held = 6,
}

impl About {
    const ALL: [Self; 3] = [Self::Begins, Self::Due, Self::Held];

    fn id(self, rental: RentalId) -> Uuid {
        // As the more days that are asked for: turned over, the bits of an id are of no version that is made.
        Uuid::from_u128(!rental.0.as_u128() ^ self as u128)
    }

    fn over(self, member: MemberId, rental: RentalId) -> Settled {
        Settled { member, about: self.id(rental), actor: None, called_off: true, seen: false }
    }
}

/// All that a member was told of a rental's times, when none of it is true any more.
pub fn all_over(member: MemberId, rental: RentalId) -> impl Iterator<Item = Settled> {
    About::ALL.into_iter().map(move |about| about.over(member, rental))
}

/// What was told of a rental's times, and is not true any more as it stands now. Pure.
fn over(rental: &Timed, extended: bool) -> Vec<Settled> {
    let both = |abouts: &[About]| -> Vec<Settled> {
        let of = |member| abouts.iter().map(move |about| about.over(member, rental.id)).collect::<Vec<_>>();
        [rental.owner, rental.borrower].into_iter().flat_map(of).collect()
    };
    match rental.status {
        RentalStatus::Pending | RentalStatus::Accepted => Vec::new(),
        RentalStatus::Active if extended => both(&About::ALL),
        RentalStatus::Active => both(&[About::Begins, About::Held]),
        RentalStatus::Declined | RentalStatus::Cancelled | RentalStatus::Returned | RentalStatus::Completed => both(&About::ALL),
    }
}

/// Does what is due for a rental.
pub struct Ring(pub Deps);

impl Ring {
    const TASK: &'static str = "rental_timer";

    /// Does it, if this is the instant that is waited for. Once: it stands there no longer then.
    async fn ring(&self, (item, rental): (ItemId, RentalId), at: OffsetDateTime) -> Result<()> {
        transact!(self.0.pool, |tx| {
            items::lock(tx, item).await?;
            let Some(timed) = store::timed(tx, item, rental).await?.filter(|timed| timed.timer_at == Some(at)) else { return Ok(()) };
            let now = self.0.clock.now();
            if timed.has_lapsed(now) {
                return self.lapse(tx, &timed, now).await;
            }
            let (due, next) = (timed.due(now), timed.next_after(now));
            store::set_timer(tx, item, rental, next).await?;
            // Possession is not reservation: who is late holds the item for whoever comes next.
            let is_held = store::out(tx, item).await?.is_some_and(|other| other.id != rental && other.is_overdue(now));
            let notices: Vec<Notice> = due.into_iter().map(|moment| Notice::of(&timed, moment, is_held)).collect();
            let settled: Vec<Settled> = notices.iter().flat_map(|notice| notice.replaced(rental)).collect();
            let news: Vec<New> = notices.into_iter().map(|notice| notice.told(rental)).collect();
            notifications::tell(tx, &self.0, &news, &settled).await?;
            enqueue(tx, next.map(|at| Timer::new((item, rental), at, now))).await
        })
    }

    /// Ends what nobody answered in its days, or handed over or confirmed in time: who waited for it is told, and nothing is expected of anybody any more.
    async fn lapse(&self, tx: &mut Tx, timed: &Timed, now: OffsetDateTime) -> Result<()> {
        store::lapse(tx, (timed.item, timed.id), timed.status, now).await?;
        store::add_events(tx, timed.item, &[timed.id], EventKind::Lapsed, None, now).await?;
        let both = [timed.owner, timed.borrower];
        let end = Over { pair: (timed.owner, timed.borrower), target: target(timed.id) };
        let asked = Settled { member: timed.owner, about: timed.id.0, actor: None, called_off: true, seen: false };
        match timed.status {
            RentalStatus::Accepted => {
                let text = || texts::unnoted_to_the_end(&timed.title, timed.days);
                let news = both.map(|member| ended(timed, (member, Kind::RentalCancelled), text()));
                let settled = over(&Timed { status: RentalStatus::Cancelled, ..timed.clone() }, false);
                notifications::tell_of_end(tx, &self.0, &news, &settled, Some(end)).await
            }
            RentalStatus::Returned => {
                let news = both.map(|member| ended(timed, (member, Kind::RentalCompleted), texts::unconfirmed_to_the_end(&timed.title)));
                let mut settled = over(&Timed { status: RentalStatus::Completed, ..timed.clone() }, false);
                // That it was noted stays true.
                settled.push(Settled { called_off: false, ..asked });
                notifications::tell_of_end(tx, &self.0, &news, &settled, Some(end)).await
            }
            _ => {
                let news = ended(timed, (timed.borrower, Kind::RentalCancelled), texts::unanswered(&timed.title, timed.days));
                notifications::tell(tx, &self.0, &[news], &[asked]).await?;
                notifications::changed(tx, timed.owner, TargetKind::Rental, timed.id.0);
                Ok(())
            }
        }
    }
}

/// What is told of a rental that has lapsed. Pure.
fn ended(rental: &Timed, (member, kind): (MemberId, Kind), (title, message): super::texts::Text) -> New {
    New {
        member,
        kind,
        title: title.to_owned(),
        message,
        actor: None,
        target: target(rental.id),
        about: rental.id.0,
        about_unread: None,
        action_required: false,
    }
}

/// What one side is reminded of, in the place of what they were told before.
struct Notice {
    member: MemberId,
    about: About,
    text: super::texts::Text,
    action_required: bool,
}

impl Notice {
    /// Pure.
    fn of(rental: &Timed, moment: Moment, is_held: bool) -> Self {
        let (title, side, days) = (rental.title.as_str(), moment.side, rental.days);
        let (about, text, action_required) = match moment.reminder {
            Reminder::Begins if is_held => (About::Held, texts::held(title, side, days), false),
            Reminder::Unnoted if is_held => (About::Held, texts::held(title, side, days), false),
            Reminder::Begins => (About::Begins, texts::begins(title, side, days), false),
            Reminder::Unnoted => (About::Begins, texts::unnoted(title, side, days), false),
            Reminder::Passed => (About::Begins, texts::passed(title, days), true),
            Reminder::Due => (About::Due, texts::due(title, days.last()), false),
            Reminder::Overdue => (About::Due, texts::overdue(title, side, days.last()), side == Side::Borrower),
            // What was told of the return asks for it already.
            Reminder::Unconfirmed => (About::Due, texts::unconfirmed(title), false),
        };
        Self { member: rental.member(side), about, text, action_required }
    }

    /// Of what begins there is one word, whether somebody else has the item or not.
    fn replaced(&self, rental: RentalId) -> Vec<Settled> {
        let abouts: &[About] = if self.about == About::Due { &[About::Due] } else { &[About::Begins, About::Held] };
        abouts.iter().map(|about| about.over(self.member, rental)).collect()
    }

    fn told(self, rental: RentalId) -> New {
        let (title, message) = self.text;
        New {
            member: self.member,
            kind: Kind::RentalReminder,
            title: title.to_owned(),
            message,
            actor: None,
            target: target(rental),
            about: self.about.id(rental),
            about_unread: None,
            action_required: self.action_required,
        }
    }
}

#[tonic::async_trait]
impl jobs::Handler for Ring {
    fn class(&self) -> Class {
        Class::Timers
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Due { item, rental, at } = Due::deserialize(payload)?;
        let Some(due) = read!(self.0.pool, |conn| store::timer_at(conn, item, rental).await)? else { return Ok(()) };
        let now = self.0.clock.now();
        // One that was moved waits for a job of its own.
        if due != at {
            return Ok(());
        }
        anyhow::ensure!(at <= now, "it is not time yet");
        Ok(self.ring((item, rental), at).await?)
    }
}

/// The rentals that wait for something: whose hours are by the clocks of both sides, and whose days by the owner's.
pub struct Clocks;

#[tonic::async_trait]
impl jobs::Clocked for Clocks {
    const TASK: &'static str = "rental_zones";

    async fn look_anew(tx: &mut Tx, member: MemberId, now: OffsetDateTime, most: i64) -> Result<Vec<(String, Job<'static>)>> {
        let items = store::lock_ahead(tx, member, now, most).await?;
        let ahead = store::timed_ahead(tx, member, &items, now).await?;
        let rentals: Vec<_> = ahead.iter().map(|timed| (timed.item, timed.id)).collect();
        store::time_anew(tx, &rentals, now).await?;
        Ok(rentals.into_iter().map(|rental| Timer::at_once(rental, now).job()).collect())
    }
}

/// Does what jobs have missed.
pub struct Overdue(pub Deps);

#[tonic::async_trait]
impl jobs::Sweep for Overdue {
    fn name(&self) -> &'static str {
        "overdue rentals"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        let overdue = store::missed(conn, now - LATE, OVERDUE_AT_ONCE).await?;
        let ring = Ring(self.0.clone());
        for (item, rental, at) in &overdue {
            // In transactions of their own: the items are locked one by one.
            ring.ring((*item, *rental), *at).await?;
        }
        Ok(u64::try_from(overdue.len()).unwrap_or(u64::MAX))
    }
}
