//! What time does to favors: a deadline and a start that pass, and reminders of what was agreed.
//!
//! A favor has one timer at most. What changes the favor writes when the next of its times falls due, and enqueues the job that waits for it; the
//! job does what is due under the favor's lock, and writes the next instant in that transaction. So it is done once, whoever runs it
//! how often: where the instant of the favor is ahead, a job finds nothing to do.

pub mod schedule;

use super::{Favor, FavorStatus, Service, sharing, store, texts};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    ids::{FavorId, MemberId},
    jobs::{self, Class, Job},
    notifications::{self, New, Settled, Target},
    pb::notifications::{NotificationType as Kind, TargetKind},
    read, transact,
};
use schedule::{Moment, Side, Timed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// A job's wait counts from the begin of its transaction, which was before its time was said: by so much it comes later, not to come too early.
const AFTER: Duration = Duration::SECOND;
/// A job is late after so long; the sweep does what it should have done.
const LATE: Duration = Duration::minutes(5);
/// So many overdue favors are looked for at once.
const OVERDUE_AT_ONCE: i64 = 100;

/// What a change of a favor does to its times.
#[derive(Debug)]
pub struct Times {
    /// What was told of them, and is not true any more.
    pub settled: Vec<Settled>,
    /// What becomes of the job that waits.
    pub wait: Wait,
}

/// What becomes of the job that waits for a favor's next time.
#[derive(Debug)]
pub enum Wait {
    /// It waits on, or there is none.
    Unchanged,
    /// One for another instant takes its place.
    Until(Timer),
    /// Nothing falls due any more: it would wait for a start that may be far ahead.
    NoLonger(FavorId),
}

/// A job that is to wait.
#[derive(Debug)]
pub struct Timer {
    due: Due,
    after: Duration,
}

#[derive(Debug, Serialize, Deserialize)]
struct Due {
    favor: FavorId,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Writes when the next of a favor's times falls due, after `actor` has changed or removed it.
///
/// # Errors
/// As the database.
pub async fn set(tx: &mut Tx, favor: &Favor, actor: MemberId, now: OffsetDateTime) -> Result<Times> {
    let Some(timed) = store::timed(tx, favor.id).await? else {
        return Ok(Times { settled: vec![not_open(favor.creator, favor.id)], wait: Wait::NoLonger(favor.id) });
    };
    // Taken after its start and open again, it lapses anew.
    let lapsed = timed.lapsed_start.filter(|_| timed.is_lapsed());
    let next = Timed { lapsed_start: lapsed, ..timed.clone() }.next(now);
    let settled = over(&timed, actor, now);
    if (next, lapsed) == (timed.timer_at, timed.lapsed_start) {
        return Ok(Times { settled, wait: Wait::Unchanged });
    }
    store::set_timer(tx, favor.id, next, lapsed).await?;
    Ok(Times { settled, wait: next.map_or(Wait::NoLonger(favor.id), |at| Wait::Until(Timer::new(favor.id, at, now))) })
}

/// Enqueues a favor's job in the place of the one that waits, or removes that. After everything is told.
///
/// # Errors
/// As the database.
pub async fn enqueue(tx: &mut Tx, wait: Wait) -> Result<()> {
    match wait {
        Wait::Unchanged => Ok(()),
        Wait::Until(timer) => jobs::enqueue_all(tx, &[timer.job()]).await,
        Wait::NoLonger(favor) => jobs::dismiss(tx, Ring::TASK, &favor.to_string()).await,
    }
}

/// The job that looks at a favor, in the place of the one that waits: `now` was written as when its times fall due.
pub fn overdue(favor: FavorId, now: OffsetDateTime) -> (String, Job<'static>) {
    Timer { due: Due { favor, at: now }, after: AFTER }.job()
}

impl Timer {
    fn new(favor: FavorId, at: OffsetDateTime, now: OffsetDateTime) -> Self {
        Self { due: Due { favor, at }, after: if at <= now { Duration::ZERO } else { at - now + AFTER } }
    }

    /// The job with its key: a favor has one.
    fn job(self) -> (String, Job<'static>) {
        let after = self.after.try_into().unwrap_or_default();
        (self.due.favor.to_string(), Job { after, ..Job::new(Class::Timers, Ring::TASK, json!(self.due)) })
    }
}

/// What is told of a favor's times is about a thing of its own, so that it is taken back without what else is told of the favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// That nobody has accepted.
    Open,
    /// That what was agreed is ahead.
    Ahead,
}

impl About {
    fn id(self, favor: FavorId) -> Uuid {
        // No other thing has such an id: turned over, the bits of an id are of no version that is made.
        Uuid::from_u128(!favor.0.as_u128() ^ u128::from(self == Self::Ahead))
    }

    fn over(self, member: MemberId, favor: FavorId) -> Settled {
        Settled { member, about: self.id(favor), actor: None, called_off: true, seen: false }
    }
}

/// What a member was told of what is ahead, when they have to do with it no longer.
pub fn not_ahead(member: MemberId, favor: FavorId) -> Settled {
    About::Ahead.over(member, favor)
}

/// What a creator was told of an open favor, when it is open no longer.
pub fn not_open(creator: MemberId, favor: FavorId) -> Settled {
    About::Open.over(creator, favor)
}

/// What was told of a favor's times, and is not true any more now that `actor` has changed it. Pure.
fn over(favor: &Timed, actor: MemberId, now: OffsetDateTime) -> Vec<Settled> {
    let ahead = |member| not_ahead(member, favor.id);
    let open = not_open(favor.creator, favor.id);
    let is_past = |at: Option<OffsetDateTime>| at.is_some_and(|at| at <= now);
    // Who is neither has stepped back.
    let other = Some(actor).filter(|actor| *actor != favor.creator && Some(*actor) != favor.helper).map(ahead);
    match favor.status {
        FavorStatus::Draft => Vec::new(),
        // Nothing was told of it before.
        FavorStatus::Active if favor.is_new(now) => Vec::new(),
        FavorStatus::Active => {
            let moved = (!is_past(favor.start) && !is_past(favor.confirm)).then_some(open);
            other.into_iter().chain([ahead(favor.creator)]).chain(moved).collect()
        }
        FavorStatus::Accepted => other.into_iter().chain([open]).collect(),
        FavorStatus::Completed | FavorStatus::Settled | FavorStatus::Cancelled => {
            favor.helper.map(ahead).into_iter().chain([ahead(favor.creator), open]).collect()
        }
    }
}

/// Does what is due for a favor.
pub struct Ring(pub Deps);

impl Ring {
    const TASK: &'static str = "favor_timer";

    /// Does it, if this is the instant that is waited for. Once: it stands there no longer then.
    async fn ring(&self, favor: FavorId, at: OffsetDateTime) -> Result<()> {
        transact!(self.0.pool, |tx| {
            store::lock(tx, favor).await?;
            let Some(timed) = store::timed(tx, favor).await?.filter(|timed| timed.timer_at == Some(at)) else { return Ok(()) };
            let now = self.0.clock.now();
            let due = timed.due(now);
            let lapses = due.contains(&Moment::Lapse);
            let lapsed = if lapses { timed.start } else { timed.lapsed_start };
            let next = Timed { lapsed_start: lapsed, ..timed.clone() }.next_after(now);
            store::set_timer(tx, favor, next, lapsed).await?;
            let notices: Vec<Notice> = due.into_iter().flat_map(|moment| notices(&timed, moment, now)).collect();
            let mut settled: Vec<Settled> = notices.iter().map(|notice| notice.about.over(notice.member, favor)).collect();
            let news: Vec<New> = notices.into_iter().filter_map(|notice| notice.told(favor)).collect();
            if lapses {
                settled.extend(self.lapse(tx, &timed).await?);
            }
            notifications::tell(tx, &self.0, &news, &settled).await?;
            enqueue(tx, next.map_or(Wait::Unchanged, |at| Wait::Until(Timer::new(favor, at, now)))).await
        })
    }

    /// Takes it from the lists of those who were asked. What was expected of them is so no longer, until the creator moves it; friends who have
    /// not read that it asks all of them need not.
    async fn lapse(&self, tx: &mut Tx, timed: &Timed) -> Result<Vec<Settled>> {
        let (favor, crowd) = Service::new(self.0.clone()).replaced(tx, timed.creator, timed.id).await?;
        let asked = crowd.recipients.into_iter().filter(|r| r.asked_at.is_some()).map(|r| r.member);
        let (about, asked): (_, Vec<MemberId>) = (favor.id.0, asked.collect());
        for member in asked.iter().chain(&crowd.applicants) {
            notifications::changed(tx, *member, TargetKind::Favor, about);
        }
        let unasked = asked.into_iter().map(|member| Settled { member, about, actor: None, called_off: true, seen: false });
        Ok(unasked.chain(sharing::unread(tx, &favor).await?).collect())
    }
}

/// What one member is told of a favor's times, in the place of what they were told before; nothing when that is over.
struct Notice {
    member: MemberId,
    about: About,
    text: Option<texts::Text>,
    action_required: bool,
}

impl Notice {
    /// What the creator is told of a favor that nobody has accepted.
    fn open(favor: &Timed, text: texts::Text, action_required: bool) -> Self {
        Self { member: favor.creator, about: About::Open, text: Some(text), action_required }
    }

    /// What one of the two is told of what they have agreed; nothing once it begins.
    fn ahead(favor: &Timed, side: Side, now: OffsetDateTime) -> Option<Self> {
        let (member, zone) = match side {
            Side::Creator => (favor.creator, favor.creator_zone.as_deref()),
            Side::Helper => (favor.helper?, favor.helper_zone.as_deref()),
        };
        let when = favor.start.filter(|start| *start > now).map(|start| schedule::said(start, zone));
        let text = when.map(|when| texts::ahead(&favor.title, &when, side == Side::Helper));
        Some(Self { member, about: About::Ahead, text, action_required: false })
    }

    /// As it is written, if there is anything to say.
    fn told(self, favor: FavorId) -> Option<New> {
        let (title, message) = self.text?;
        Some(New {
            member: self.member,
            kind: Kind::FavorReminder,
            title: title.to_owned(),
            message,
            actor: None,
            target: Target(TargetKind::Favor, favor.0),
            about: self.about.id(favor),
            about_unread: None,
            action_required: self.action_required,
        })
    }
}

/// Who is told what at a moment. Pure.
fn notices(favor: &Timed, moment: Moment, now: OffsetDateTime) -> Vec<Notice> {
    match moment {
        Moment::Deadline => vec![Notice::open(favor, texts::unanswered(&favor.title), false)],
        Moment::Lapse => vec![Notice::open(favor, texts::lapsed(&favor.title), true)],
        Moment::Evening(side) => Notice::ahead(favor, side, now).into_iter().collect(),
        Moment::Soon | Moment::Begin => {
            [Side::Creator, Side::Helper].into_iter().filter_map(|side| Notice::ahead(favor, side, now)).collect()
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
        let Due { favor, at } = Due::deserialize(payload)?;
        let Some(due) = read!(self.0.pool, |conn| store::timer_at(conn, favor).await)? else { return Ok(()) };
        let now = self.0.clock.now();
        // One that was moved ahead waits for a job of its own. One that is overdue may have none: who was to help has left.
        if due != at && due > now {
            return Ok(());
        }
        anyhow::ensure!(at <= now, "it is not time yet");
        Ok(self.ring(favor, due).await?)
    }
}

/// The favors that somebody agreed on, whose evenings are by the clocks of the two.
pub struct Clocks;

#[tonic::async_trait]
impl jobs::Clocked for Clocks {
    const TASK: &'static str = "favor_zones";

    async fn look_anew(tx: &mut Tx, member: MemberId, now: OffsetDateTime, most: i64) -> Result<Vec<(String, Job<'static>)>> {
        let favors = store::time_anew(tx, member, now, most).await?;
        Ok(favors.into_iter().map(|favor| overdue(favor, now)).collect())
    }
}

/// Does what jobs have missed.
pub struct Overdue(pub Deps);

#[tonic::async_trait]
impl jobs::Sweep for Overdue {
    fn name(&self) -> &'static str {
        "overdue favors"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        let overdue = store::overdue(conn, now - LATE, OVERDUE_AT_ONCE).await?;
        let ring = Ring(self.0.clone());
        for (favor, at) in &overdue {
            // In transactions of their own: the favors are locked one by one.
            ring.ring(*favor, *at).await?;
        }
        Ok(u64::try_from(overdue.len()).unwrap_or(u64::MAX))
    }
}
