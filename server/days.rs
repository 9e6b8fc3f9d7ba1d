//! Calendar days: dates without a zone, and ranges of them of which both ends count.

use crate::error::{Error, FieldReason, Result};
use time::{Date, Duration, OffsetDateTime, format_description::BorrowedFormatItem, macros::format_description};

const FORMAT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A range of days. Its last day is never before its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Days {
    first: Date,
    last: Date,
}

impl Days {
    /// From one day until another, if that is not before it.
    pub fn new(first: Date, last: Date) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// The first day.
    pub const fn first(self) -> Date {
        self.first
    }

    /// The last day.
    pub const fn last(self) -> Date {
        self.last
    }

    /// How many days these are, both ends counted.
    pub fn count(self) -> i64 {
        (self.last - self.first).whole_days() + 1
    }

    /// Whether a day is one of these.
    pub fn has(self, day: Date) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// Whether some day is one of both.
    pub fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Those of these days that are not before a day, if there are any.
    pub fn from(self, day: Date) -> Option<Self> {
        Self::new(self.first.max(day), self.last)
    }
}

/// Ranges as few as say the same, ascending: those that overlap or touch become one.
pub fn merged(ranges: impl IntoIterator<Item = Days>) -> Vec<Days> {
    let mut ranges: Vec<Days> = ranges.into_iter().collect();
    ranges.sort_unstable();
    let mut merged: Vec<Days> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(before) if range.first <= next(before.last) => before.last = before.last.max(range.last),
            _ => merged.push(range),
        }
    }
    merged
}

fn next(day: Date) -> Date {
    day.next_day().unwrap_or(day)
}

/// Reads a day of a request, `YYYY-MM-DD`, of the years 1970 to 9999.
///
/// # Errors
/// INVALID_ARGUMENT naming the field.
pub fn parse(field: impl Into<String>, text: &str) -> Result<Date> {
    let day = Date::parse(text, FORMAT).ok().filter(|day| text.len() == 10 && (1970..=9999).contains(&day.year()));
    day.ok_or_else(|| Error::field(field, FieldReason::Invalid, "must be a date like 2026-06-01"))
}

/// A day on the wire.
pub fn text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), u8::from(day.month()), day.day())
}

/// Which day it is in an IANA zone; one that is not known counts as UTC.
pub fn today(now: OffsetDateTime, zone: &str) -> Date {
    in_zone(now, zone).unwrap_or_else(|| now.to_offset(time::UtcOffset::UTC).date())
}

fn in_zone(now: OffsetDateTime, zone: &str) -> Option<Date> {
    let zone = jiff::tz::TimeZone::get(zone).ok()?;
    let offset = zone.to_offset(jiff::Timestamp::from_second(now.unix_timestamp()).ok()?);
    Some((now.to_offset(time::UtcOffset::UTC) + Duration::seconds(offset.seconds().into())).date())
}

/// The day so many months later; in a month that is too short, its last.
pub fn months_later(day: Date, months: i32) -> Date {
    let count = day.year() * 12 + i32::from(u8::from(day.month())) - 1 + months;
    let (year, month) = (count.div_euclid(12), count.rem_euclid(12) + 1);
    let month = u8::try_from(month).ok().and_then(|month| time::Month::try_from(month).ok()).unwrap_or(time::Month::January);
    let last = month.length(year);
    Date::from_calendar_date(year, month, day.day().min(last)).unwrap_or(Date::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::macros::{date, datetime};

    fn days(first: Date, last: Date) -> Days {
        Days::new(first, last).unwrap()
    }

    #[test]
    fn both_ends_count() {
        let june = days(date!(2026 - 06 - 01), date!(2026 - 06 - 03));
        assert_eq!((june.count(), june.has(date!(2026 - 06 - 03)), june.has(date!(2026 - 06 - 04))), (3, true, false));
        assert!(june.overlaps(days(date!(2026 - 06 - 03), date!(2026 - 06 - 09))));
        assert!(!june.overlaps(days(date!(2026 - 06 - 04), date!(2026 - 06 - 09))));
        assert_eq!(june.from(date!(2026 - 06 - 03)), Some(days(date!(2026 - 06 - 03), date!(2026 - 06 - 03))));
        assert_eq!(june.from(date!(2026 - 06 - 04)), None);
        assert_eq!(Days::new(date!(2026 - 06 - 02), date!(2026 - 06 - 01)), None);
        assert_eq!(days(date!(2028 - 02 - 28), date!(2028 - 03 - 01)).count(), 3, "a leap year");
        assert_eq!(days(date!(2026 - 12 - 31), date!(2027 - 01 - 01)).count(), 2);
    }

    #[test]
    fn a_day_is_read_to_the_letter() {
        assert_eq!(parse("start_date", "2026-06-01").unwrap(), date!(2026 - 06 - 01));
        assert_eq!(parse("start_date", "2028-02-29").unwrap(), date!(2028 - 02 - 29));
        for bad in ["", "2026-6-1", "2026-02-29", "2026-13-01", "0001-01-01", "+2026-06-01", "2026-06-01 ", "2026-06-0１", "-026-06-01"] {
            let refused = parse("start_date", bad).unwrap_err();
            assert_eq!(refused.fields().next().map(|(field, ..)| field), Some("start_date"), "{bad}");
        }
        assert_eq!(text(date!(2026 - 06 - 01)), "2026-06-01");
    }

    #[test]
    fn today_is_that_of_the_zone() {
        let noon = datetime!(2026-06-01 12:00 UTC);
        assert_eq!(today(noon, "Pacific/Kiritimati"), date!(2026 - 06 - 02));
        assert_eq!(today(noon, "America/Los_Angeles"), date!(2026 - 06 - 01));
        assert_eq!(today(datetime!(2027-01-01 04:59 UTC), "America/New_York"), date!(2026 - 12 - 31));
        assert_eq!(today(noon, "Nowhere/At_all"), date!(2026 - 06 - 01));
    }

    /// Over a leap day, a change of clocks in either direction and the end of a year: each day comes once, and has as many hours as its clocks say.
    #[test]
    fn the_days_of_a_year_follow_one_another_in_every_zone() {
        for (zone, long, short) in [
            ("America/New_York", 1, 1),
            ("Europe/Lisbon", 1, 1),
            ("Australia/Lord_Howe", 0, 0),
            ("Asia/Kolkata", 0, 0),
            ("Pacific/Apia", 0, 0),
        ] {
            let mut hours = std::collections::BTreeMap::<Date, i32>::new();
            for hour in 0..(366 + 3) * 24 {
                let now = datetime!(2027-12-31 00:30 UTC) + Duration::hours(hour);
                let clocks = jiff::Timestamp::from_second(now.unix_timestamp()).unwrap().in_tz(zone).unwrap();
                let day = today(now, zone);
                assert_eq!(text(day), clocks.strftime("%Y-%m-%d").to_string(), "{zone}");
                *hours.entry(day).or_default() += 1;
            }
            let days: Vec<Date> = hours.keys().copied().collect();
            assert!(days.windows(2).all(|pair| next(pair[0]) == pair[1]), "{zone}");
            let leap_year = days.iter().filter(|day| day.year() == 2028);
            let of = |n: i32| leap_year.clone().filter(|day| hours[day] == n).count();
            assert_eq!((leap_year.clone().count(), of(25), of(23)), (366, long, short), "{zone}");
        }
    }

    #[test]
    fn a_month_later_is_the_same_day_where_there_is_one() {
        assert_eq!(months_later(date!(2026 - 08 - 31), 6), date!(2027 - 02 - 28));
        assert_eq!(months_later(date!(2026 - 11 - 30), 24), date!(2028 - 11 - 30));
        assert_eq!(months_later(date!(2026 - 12 - 01), 1), date!(2027 - 01 - 01));
        assert_eq!(months_later(date!(2026 - 01 - 31), 25), date!(2028 - 02 - 29));
    }

    fn any_days() -> impl Strategy<Value = Vec<Days>> {
        let range = (0i64..60, 0i64..9).prop_map(|(from, more)| {
            let first = date!(2026 - 12 - 01) + Duration::days(from);
            days(first, first + Duration::days(more))
        });
        proptest::collection::vec(range, 0..20)
    }

    proptest! {
        #[test]
        fn merged_ranges_are_the_same_days_and_apart(ranges in any_days()) {
            let merged = merged(ranges.iter().copied());
            for n in -1..80 {
                let day = date!(2026 - 12 - 01) + Duration::days(n);
                prop_assert_eq!(merged.iter().any(|r| r.has(day)), ranges.iter().any(|r| r.has(day)));
            }
            for pair in merged.windows(2) {
                prop_assert!(next(pair[0].last) < pair[1].first, "{:?}", pair);
            }
        }
    }
}
