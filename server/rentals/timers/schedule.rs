//! What falls due for a rental, and when, by the clocks of those whom it concerns. Pure.
//!
//! A day of a rental is a day of its owner's. Each side is reminded at an hour of their own within it: in the evening of the day before, and in
//! the morning of the day itself and of those after it.

use super::super::{RentalStatus, Side, rules};
use crate::{
    days::Days,
    ids::{ItemId, MemberId, RentalId},
};
use jiff::{Timestamp, ToSpan, Zoned, civil, tz::TimeZone};
use time::{Date, OffsetDateTime};

/// When the day before is reminded of.
const EVENING_HOUR: i8 = 18;
/// When a day itself is.
const MORNING_HOUR: i8 = 9;
/// So many days after the last one it is said that the item is overdue.
const LATE_DAYS: [i32; 3] = [1, 3, 7];
/// So many days after the first one, and after the last one, it is said that no hand-over is noted.
const UNNOTED_DAYS: i32 = 1;
const PASSED_DAYS: [i32; 2] = [1, 7];
/// So many days after a return was noted its owner is asked to confirm it.
const UNCONFIRMED_DAYS: [i32; 2] = [3, 10];
/// Both sides, who lends first.
const SIDES: [Side; 2] = [Side::Owner, Side::Borrower];

/// A rental, as its times depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The item.
    pub item: ItemId,
    /// Its id.
    pub id: RentalId,
    /// How the item is called.
    pub title: String,
    /// Who lends.
    pub owner: MemberId,
    /// Who borrows.
    pub borrower: MemberId,
    /// The owner's zone; `None` when they have no account any more.
    pub owner_zone: Option<String>,
    /// The borrower's zone.
    pub borrower_zone: Option<String>,
    /// Where it stands.
    pub status: RentalStatus,
    /// What was asked for, or agreed.
    pub days: Days,
    /// When its return was noted.
    pub returned_at: Option<OffsetDateTime>,
    /// What is waited for, or what was missed.
    pub timer_at: Option<OffsetDateTime>,
}

/// Of what somebody is reminded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// That the days of an accepted rental begin.
    Begins,
    /// That they have begun, and no hand-over is noted.
    Unnoted,
    /// That they have passed without one.
    Passed,
    /// That the item is due back.
    Due,
    /// That it should have been back.
    Overdue,
    /// That its return is not confirmed.
    Unconfirmed,
}

/// What falls due: somebody is reminded, so many days after the first day (of what begins, or has begun), the last one, or that of the return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Of what.
    pub reminder: Reminder,
    /// Who.
    pub side: Side,
    /// -1 for the day before.
    pub days: i32,
}

impl Timed {
    /// Who is on a side.
    pub const fn member(&self, side: Side) -> MemberId {
        match side {
            Side::Owner => self.owner,
            Side::Borrower => self.borrower,
        }
    }

    fn zone(&self, side: Side) -> TimeZone {
        zone(match side {
            Side::Owner => self.owner_zone.as_deref(),
            Side::Borrower => self.borrower_zone.as_deref(),
        })
    }

    /// Of what its sides are reminded as it stands, and when; what is past too.
    fn moments(&self) -> Vec<(OffsetDateTime, Moment)> {
        let of = |reminder: Reminder, side: Side, days: &[i32]| -> Vec<Moment> {
            days.iter().map(|days| Moment { reminder, side, days: *days }).collect()
        };
        // Of one day alone it is said at once that it has passed.
        let is_one_day = self.days.first() == self.days.last();
        let moments: Vec<Moment> = match self.status {
            RentalStatus::Accepted => {
                let begins = SIDES.into_iter().flat_map(|side| of(Reminder::Begins, side, &[-1, 0]));
                let unnoted =
                    SIDES.into_iter().flat_map(|side| of(Reminder::Unnoted, side, &[UNNOTED_DAYS]).into_iter().filter(|_| !is_one_day));
                let passed = SIDES.into_iter().flat_map(|side| of(Reminder::Passed, side, &PASSED_DAYS));
                begins.chain(unnoted).chain(passed).collect()
            }
            RentalStatus::Active => {
                let late = SIDES.into_iter().flat_map(|side| of(Reminder::Overdue, side, &LATE_DAYS));
                of(Reminder::Due, Side::Borrower, &[-1, 0]).into_iter().chain(late).collect()
            }
            RentalStatus::Returned => of(Reminder::Unconfirmed, Side::Owner, &UNCONFIRMED_DAYS),
            RentalStatus::Pending | RentalStatus::Declined | RentalStatus::Cancelled | RentalStatus::Completed => Vec::new(),
        };
        moments.into_iter().filter_map(|moment| Some((self.instant(moment)?, moment))).collect()
    }

    /// The last day, of the owner's, of what is not waited for longer: that of a request without an answer; of one that was accepted, and of a return,
    /// some days later.
    fn waits_until(&self) -> Option<civil::Date> {
        let (day, more) = match self.status {
            RentalStatus::Pending => (civil_day(self.days.last()), 0),
            RentalStatus::Accepted => (civil_day(self.days.last()), rules::UNNOTED_DAYS),
            RentalStatus::Returned => (self.returned_on(), rules::UNCONFIRMED_DAYS),
            RentalStatus::Active | RentalStatus::Declined | RentalStatus::Cancelled | RentalStatus::Completed => (None, 0),
        };
        day?.checked_add(more.days()).ok()
    }

    /// When that day is over: it ends by itself then, or counts as confirmed.
    fn lapses_at(&self) -> Option<OffsetDateTime> {
        let after = self.waits_until()?.tomorrow().ok()?.to_zoned(self.zone(Side::Owner)).ok()?;
        OffsetDateTime::from_unix_timestamp(after.timestamp().as_second()).ok()
    }

    /// The owner's day on which its return was noted.
    fn returned_on(&self) -> Option<civil::Date> {
        Some(local(self.returned_at?, &self.zone(Side::Owner))?.date())
    }

    /// Whether it has waited for an answer until its days were over, or for a hand-over or a confirmation even longer.
    pub fn has_lapsed(&self, now: OffsetDateTime) -> bool {
        self.lapses_at().is_some_and(|at| at <= now)
    }

    /// All instants at which something falls due.
    fn instants(&self) -> impl Iterator<Item = OffsetDateTime> {
        self.moments().into_iter().map(|(at, _)| at).chain(self.lapses_at())
    }

    /// When it is so far: the first time that the clocks of that side show the hour within the owner's day.
    fn instant(&self, moment: Moment) -> Option<OffsetDateTime> {
        let from = match moment.reminder {
            Reminder::Begins | Reminder::Unnoted => civil_day(self.days.first()),
            Reminder::Passed | Reminder::Due | Reminder::Overdue => civil_day(self.days.last()),
            Reminder::Unconfirmed => self.returned_on(),
        };
        let day = from?.checked_add(i64::from(moment.days).days()).ok()?;
        let hour = if moment.days < 0 { EVENING_HOUR } else { MORNING_HOUR };
        let begins = day.to_zoned(self.zone(Side::Owner)).ok()?;
        first_at(&begins, hour, &self.zone(moment.side))
    }

    /// Whether it was due by `now` and was not seen to: it was missed since the timer that stands there.
    fn is_missed(&self, at: OffsetDateTime, now: OffsetDateTime) -> bool {
        at <= now && self.timer_at.is_some_and(|from| from <= at)
    }

    /// When the next of its times falls due; one that was missed is due at `now`, or was before.
    pub fn next(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.instants().filter(|at| *at > now || self.is_missed(*at, now)).min()
    }

    /// When the next one does once all that was due has been seen to.
    pub fn next_after(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.instants().filter(|at| *at > now).min()
    }

    /// What is due and still true: of a late run each side hears the last of it alone, and nothing of days that are past.
    pub fn due(&self, now: OffsetDateTime) -> Vec<Moment> {
        let mut missed: Vec<(OffsetDateTime, Moment)> = self.moments().into_iter().filter(|(at, _)| self.is_missed(*at, now)).collect();
        missed.sort_by_key(|(at, _)| *at);
        let last_of = |side: Side| missed.iter().rev().map(|(_, moment)| *moment).find(|moment| moment.side == side);
        SIDES.into_iter().filter_map(last_of).filter(|moment| self.stands(*moment, now)).collect()
    }

    fn stands(&self, moment: Moment, now: OffsetDateTime) -> bool {
        match moment.reminder {
            Reminder::Begins => !self.is_after(self.days.first(), now),
            Reminder::Unnoted | Reminder::Due => !self.is_after(self.days.last(), now),
            Reminder::Passed | Reminder::Overdue | Reminder::Unconfirmed => true,
        }
    }

    /// Whether a day of the owner's is over.
    fn is_after(&self, day: Date, now: OffsetDateTime) -> bool {
        let today = local(now, &self.zone(Side::Owner)).map(|now| now.date());
        civil_day(day).zip(today).is_some_and(|(day, today)| today > day)
    }

    /// Whether the item should be back by now.
    pub fn is_overdue(&self, now: OffsetDateTime) -> bool {
        self.status == RentalStatus::Active && self.is_after(self.days.last(), now)
    }
}

/// The first instant from another one on at which the clocks of a zone show a full hour.
fn first_at(from: &Zoned, hour: i8, zone: &TimeZone) -> Option<OffsetDateTime> {
    let today = from.timestamp().to_zoned(zone.clone()).date();
    let hours =
        [Some(today), today.tomorrow().ok()].into_iter().flatten().filter_map(|day| day.at(hour, 0, 0, 0).to_zoned(zone.clone()).ok());
    let at = hours.map(|at| at.timestamp()).find(|at| *at >= from.timestamp())?;
    OffsetDateTime::from_unix_timestamp(at.as_second()).ok()
}

/// An IANA zone; one that is not known, or nobody's, counts as UTC.
fn zone(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}

fn local(at: OffsetDateTime, zone: &TimeZone) -> Option<Zoned> {
    Some(Timestamp::from_second(at.unix_timestamp()).ok()?.to_zoned(zone.clone()))
}

fn civil_day(day: Date) -> Option<civil::Date> {
    let (year, month, of_month) =
        (i16::try_from(day.year()).ok()?, i8::try_from(u8::from(day.month())).ok()?, i8::try_from(day.day()).ok()?);
    civil::Date::new(year, month, of_month).ok()
}

#[cfg(test)]
mod tests;
