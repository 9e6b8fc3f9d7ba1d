//! What falls due for a favor, and when, by the clocks of those whom it concerns. Pure.

use super::super::FavorStatus;
use crate::ids::{FavorId, MemberId};
use jiff::{Timestamp, Zoned, tz::TimeZone};
use time::{Duration, OffsetDateTime};

/// When a reminder comes on the evening before.
const EVENING_HOUR: i8 = 18;
/// How long before the start the last reminder comes.
const SOON: Duration = Duration::HOUR;

/// A favor, as its times depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Its id.
    pub id: FavorId,
    /// What is asked.
    pub title: String,
    /// Who asks.
    pub creator: MemberId,
    /// Who helps.
    pub helper: Option<MemberId>,
    /// The creator's zone; `None` when they have no account any more.
    pub creator_zone: Option<String>,
    /// The helper's zone.
    pub helper_zone: Option<String>,
    /// Where it stands.
    pub status: FavorStatus,
    /// When help is needed.
    pub start: Option<OffsetDateTime>,
    /// By when an answer is needed.
    pub confirm: Option<OffsetDateTime>,
    /// The start that passed while nobody had accepted.
    pub lapsed_start: Option<OffsetDateTime>,
    /// What is waited for, or what was missed.
    pub timer_at: Option<OffsetDateTime>,
}

/// One of the two who have agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who asks.
    Creator,
    /// Who helps.
    Helper,
}

/// What falls due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nobody has accepted by the deadline: the creator is told.
    Deadline,
    /// Nobody has accepted by the start: the creator is asked to move or cancel it, and those who were asked need not answer any more.
    Lapse,
    /// It is the evening before: one of the two who agreed is reminded.
    Evening(Side),
    /// It begins in an hour: both are.
    Soon,
    /// It begins: what reminds of it is over.
    Begin,
}

impl Timed {
    /// Whether its start has passed while nobody had accepted, and was seen to.
    pub fn is_lapsed(&self) -> bool {
        self.status == FavorStatus::Active && self.lapsed_start.is_some() && self.lapsed_start == self.start
    }

    /// Whether it was posted just now: no timer was ever set, though it has times to come.
    pub fn is_new(&self, now: OffsetDateTime) -> bool {
        self.timer_at.is_none() && self.lapsed_start.is_none() && self.start.is_some_and(|start| start > now)
    }

    /// What is to come, or is past, as the favor stands.
    fn moments(&self) -> Vec<(OffsetDateTime, Moment)> {
        let Some(start) = self.start else { return Vec::new() };
        match self.status {
            FavorStatus::Active => {
                // The deadline that is the start says nothing of its own.
                let deadline = self.confirm.filter(|at| *at < start).map(|at| (at, Moment::Deadline));
                let lapse = (!self.is_lapsed()).then_some((start, Moment::Lapse));
                deadline.into_iter().chain(lapse).collect()
            }
            FavorStatus::Accepted => {
                let sides = [(Side::Creator, &self.creator_zone), (Side::Helper, &self.helper_zone)];
                let evenings = sides.into_iter().map(|(side, zone)| (evening_before(start, zone.as_deref()), Moment::Evening(side)));
                evenings.chain([(start - SOON, Moment::Soon), (start, Moment::Begin)]).collect()
            }
            FavorStatus::Draft | FavorStatus::Completed | FavorStatus::Settled | FavorStatus::Cancelled => Vec::new(),
        }
    }

    /// What is due at `now` and was not seen to: what was missed since the timer that stands there. A start that passed is due until the favor has
    /// lapsed by it.
    fn is_missed(&self, at: OffsetDateTime, moment: Moment, now: OffsetDateTime) -> bool {
        at <= now && (moment == Moment::Lapse || self.timer_at.is_some_and(|from| from <= at))
    }

    /// When the next of its times falls due; one that was missed is due at `now`, or was before.
    pub fn next(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.moments().into_iter().filter(|(at, moment)| *at > now || self.is_missed(*at, *moment, now)).map(|(at, _)| at).min()
    }

    /// When the next one does once all that was due has been seen to.
    pub fn next_after(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.moments().into_iter().map(|(at, _)| at).filter(|at| *at > now).min()
    }

    /// What is due, without that which the last of it makes untrue: of a late run only that is told which still stands.
    pub fn due(&self, now: OffsetDateTime) -> Vec<Moment> {
        let missed = self.moments().into_iter().filter(|(at, moment)| self.is_missed(*at, *moment, now));
        let due: Vec<Moment> = missed.map(|(_, moment)| moment).collect();
        let has = |moment| due.contains(&moment);
        let stands = |moment: &Moment| match moment {
            Moment::Deadline => !has(Moment::Lapse) && !self.is_lapsed(),
            Moment::Evening(_) => !has(Moment::Soon) && !has(Moment::Begin),
            Moment::Soon => !has(Moment::Begin),
            Moment::Lapse | Moment::Begin => true,
        };
        due.iter().copied().filter(stands).collect()
    }
}

/// Six in the evening of the day before, in an IANA zone; one that is not known, or nobody's, counts as UTC.
fn evening_before(start: OffsetDateTime, zone: Option<&str>) -> OffsetDateTime {
    let evening = local(start, zone).and_then(|start| {
        let evening = start.date().yesterday().ok()?.at(EVENING_HOUR, 0, 0, 0).to_zoned(start.time_zone().clone()).ok()?;
        OffsetDateTime::from_unix_timestamp(evening.timestamp().as_second()).ok()
    });
    // A zone that left a day out has no such evening.
    evening.filter(|evening| *evening < start).unwrap_or(start - Duration::DAY)
}

fn local(at: OffsetDateTime, zone: Option<&str>) -> Option<Zoned> {
    let zone = zone.and_then(|zone| TimeZone::get(zone).ok()).unwrap_or(TimeZone::UTC);
    Some(Timestamp::from_second(at.unix_timestamp()).ok()?.to_zoned(zone))
}

/// An instant in short, in an IANA zone: "Sat, Nov 28, 9:00 AM".
pub fn short(at: OffsetDateTime, zone: Option<&str>) -> String {
    local(at, zone).map_or_else(|| "soon".into(), |at| at.strftime("%a, %b %-d, %-I:%M %p").to_string())
}

/// An instant as it is said in an IANA zone: "on Thursday, June 18 at 10:00 AM". The day has its name: it is read on the day after too.
pub fn said(at: OffsetDateTime, zone: Option<&str>) -> String {
    local(at, zone).map_or_else(|| "soon".into(), |at| at.strftime("on %A, %B %-d at %-I:%M %p").to_string())
}

#[cfg(test)]
mod tests;
