//! When things of the demo are: by day, where its members live.

use crate::{clock::Clock, days};
use jiff::tz::TimeZone;
use prost_types::Timestamp;
use std::ops::RangeInclusive;
use time::{Duration, OffsetDateTime};

/// The first and the last hour of the day at which something is.
const DAY: RangeInclusive<i8> = 8..=20;

/// When something is, seen from the present.
#[derive(Clone, Copy)]
pub enum When {
    /// So many hours from it.
    Hours(i64),
    /// So many days from it, at an hour of the day.
    Clock(i64, i8),
}

/// The moment at which the demo is made, and the zone of its members.
pub struct Present {
    now: OffsetDateTime,
    zone: TimeZone,
}

impl Present {
    /// Now, in the zone of the machine: whoever looks at the demo sits at it, and the app shows the hours of theirs.
    pub fn here(now: OffsetDateTime) -> Self {
        let zone = TimeZone::system();
        Self { now, zone: if zone.iana_name().is_some() { zone } else { TimeZone::UTC } }
    }

    /// The IANA name of the zone.
    pub fn zone(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// The instant on the full quarter of an hour. What would be in the night was the evening before, or will be in the morning.
    pub fn at(&self, when: When) -> OffsetDateTime {
        let (plain, found) = match when {
            When::Hours(hours) => {
                let at = self.now + Duration::hours(hours);
                (at, self.by_day(at))
            }
            When::Clock(days, hour) => {
                let at = self.now + Duration::days(days);
                (at, self.clocks(at).and_then(|local| local.with().hour(hour).minute(0).second(0).build()))
            }
        };
        found.ok().and_then(|local| OffsetDateTime::from_unix_timestamp(local.timestamp().as_second()).ok()).unwrap_or(plain)
    }

    /// The same as it is sent.
    pub fn timestamp(&self, when: When) -> Timestamp {
        Timestamp { seconds: self.at(when).unix_timestamp(), nanos: 0 }
    }

    /// The day on which something is.
    pub fn day(&self, when: When) -> String {
        days::text(days::today(self.at(when), self.zone()))
    }

    /// Moves a clock on to some hours from the present.
    pub fn move_on(&self, clock: &Clock, hours: i64) {
        clock.advance((self.at(When::Hours(hours)) - clock.now()).max(Duration::ZERO));
    }

    fn clocks(&self, at: OffsetDateTime) -> Result<jiff::Zoned, jiff::Error> {
        Ok(jiff::Timestamp::from_second(at.unix_timestamp())?.to_zoned(self.zone.clone()))
    }

    fn by_day(&self, at: OffsetDateTime) -> Result<jiff::Zoned, jiff::Error> {
        let local = self.clocks(at)?;
        let of = |day: jiff::Zoned, hour: i8, minute: i8| day.with().hour(hour).minute(minute).second(0).build();
        match (local.hour(), local.minute()) {
            (hour, minute) if DAY.contains(&hour) => of(local, hour, minute - minute % 15),
            (hour, _) if at > self.now => of(if hour < *DAY.start() { local } else { local.tomorrow()? }, *DAY.start(), 0),
            (hour, _) => of(if hour < *DAY.start() { local.yesterday()? } else { local }, *DAY.end(), 45),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    fn present(now: OffsetDateTime, zone: &str) -> Present {
        Present { now, zone: TimeZone::get(zone).unwrap() }
    }

    #[test]
    fn what_would_be_in_the_night_was_in_the_evening_or_will_be_in_the_morning() {
        let at_night = present(datetime!(2026-11-23 01:14:31 UTC), "UTC");
        assert_eq!(at_night.at(When::Hours(13)), datetime!(2026-11-23 14:00 UTC));
        assert_eq!(at_night.at(When::Hours(5)), datetime!(2026-11-23 08:00 UTC));
        assert_eq!(at_night.at(When::Hours(21)), datetime!(2026-11-24 08:00 UTC));
        assert_eq!(at_night.at(When::Hours(-3)), datetime!(2026-11-22 20:45 UTC));
        assert_eq!(at_night.at(When::Hours(-22)), datetime!(2026-11-21 20:45 UTC));
        assert_eq!(at_night.at(When::Clock(2, 15)), datetime!(2026-11-25 15:00 UTC));
        let elsewhere = present(datetime!(2026-11-23 01:14:31 UTC), "Asia/Kathmandu");
        assert_eq!(elsewhere.at(When::Hours(3)), datetime!(2026-11-23 04:00 UTC), "a quarter to ten there");
        assert_eq!((elsewhere.day(When::Hours(-3)), elsewhere.zone()), ("2026-11-22".to_owned(), "Asia/Kathmandu"));
    }

    #[test]
    fn whenever_and_wherever_it_is_made_all_is_by_day_and_in_its_order() {
        for zone in ["UTC", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Apia"] {
            for hour in 0..24 {
                let present = present(datetime!(2026-11-23 00:07 UTC) + Duration::hours(hour), zone);
                let all: Vec<OffsetDateTime> = (-500..200).map(|hours| present.at(When::Hours(hours))).collect();
                assert!(all.is_sorted(), "{zone} {hour}");
                for (hours, at) in (-500..200).zip(all) {
                    assert!(DAY.contains(&present.clocks(at).unwrap().hour()), "{zone} {at}");
                    assert!(hours < 1 && at <= present.now || hours > 0 && at > present.now, "{zone} {at}: what is ahead stays ahead");
                }
                assert!(present.at(When::Clock(1, 9)) > present.now, "{zone} {hour}");
            }
        }
    }
}
