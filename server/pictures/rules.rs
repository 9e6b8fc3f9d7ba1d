//! How long what lasts, how large what may be, and what is left of a picture when its files were removed. Pure.

use super::Purpose;
use time::{Duration, OffsetDateTime};

/// The most bytes of an upload: 5 MiB.
pub const BYTES_MAX: usize = 5 << 20;
/// How long an address takes an upload.
pub const UPLOAD_LIFE: Duration = Duration::minutes(5);
/// How long an upload waits to be taken.
pub const AWAITED_FOR: Duration = Duration::hours(24);
/// How many uploads for one thing wait at most; one more takes the place of the oldest. A thing of several pictures may have all of them sent at once.
pub const fn awaited_max(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Profile | Purpose::Rental => 5,
        Purpose::Item => 10,
    }
}
/// An upload may come so long after its address has expired: what says when it does may be another clock than ours, and one that began in time
/// lasts (`PICTURE_WITHIN` of `edge/body_timeout.rs`).
const UPLOADS_END: Duration = Duration::minutes(5);
/// A call that began before a picture was dropped may write renditions of it for so long: no call lasts longer.
const CALLS_END: Duration = Duration::minutes(11);
const HOUR_S: i64 = 3600;

/// From when until when an address is good that is told now: whole hours, and an hour at least.
pub fn address_life(now: OffsetDateTime) -> (OffsetDateTime, OffsetDateTime) {
    let begun = Duration::seconds(now.unix_timestamp().rem_euclid(HOUR_S)) + Duration::nanoseconds(now.nanosecond().into());
    let from = now - begun;
    (from, from + Duration::hours(2))
}

/// The hour in which addresses that are told at this instant are the same.
pub fn hour(now: OffsetDateTime) -> i64 {
    now.unix_timestamp().div_euclid(HOUR_S)
}

/// Where a picture stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It may be uploaded, and taken.
    Awaited,
    /// Its thing has it.
    Taken,
    /// Nothing has it, and nothing will.
    Dropped,
}

/// Whether an upload may still be taken.
pub fn may_be_taken(status: Status, announced_at: OffsetDateTime, now: OffsetDateTime) -> bool {
    status == Status::Awaited && now < announced_at + AWAITED_FOR
}

/// What follows on the removal of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleared {
    /// They may come back until then: they are to be removed once more.
    Again(OffsetDateTime),
    /// They stay away.
    ForGood,
}

/// Whether files that were removed now may come back: an address that takes an upload works on, a call is still writing renditions.
pub fn cleared(announced_at: OffsetDateTime, dropped_at: Option<OffsetDateTime>, now: OffsetDateTime) -> Cleared {
    let uploads_end = announced_at + UPLOAD_LIFE + UPLOADS_END;
    let end = dropped_at.map_or(uploads_end, |dropped_at| uploads_end.max(dropped_at + CALLS_END));
    if now < end { Cleared::Again(end) } else { Cleared::ForGood }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn an_address_is_the_same_for_an_hour_and_good_for_one() {
        for (now, from) in [
            (datetime!(2026-06-16 09:00:00 UTC), datetime!(2026-06-16 09:00 UTC)),
            (datetime!(2026-06-16 09:59:59.999 UTC), datetime!(2026-06-16 09:00 UTC)),
            (datetime!(2026-06-16 23:30 UTC), datetime!(2026-06-16 23:00 UTC)),
            (datetime!(1969-12-31 23:30 UTC), datetime!(1969-12-31 23:00 UTC)),
        ] {
            let (begins, ends) = address_life(now);
            assert_eq!(begins, from, "{now}");
            assert_eq!((hour(begins), hour(begins - Duration::NANOSECOND)), (hour(now), hour(now) - 1), "{now}");
            assert!(ends - now > Duration::HOUR && ends - now <= Duration::hours(2), "{now}");
        }
    }

    #[test]
    fn only_what_waits_is_taken_and_not_for_ever() {
        let at = datetime!(2026-06-16 09:00 UTC);
        assert!(may_be_taken(Status::Awaited, at, at + AWAITED_FOR - Duration::SECOND));
        assert!(!may_be_taken(Status::Awaited, at, at + AWAITED_FOR));
        assert!(!may_be_taken(Status::Taken, at, at));
        assert!(!may_be_taken(Status::Dropped, at, at));
    }

    #[test]
    fn files_are_gone_for_good_when_nobody_can_bring_them_back() {
        let (at, minutes) = (datetime!(2026-06-16 09:00 UTC), Duration::minutes);
        for (dropped, now, after) in [
            (None, minutes(1), Cleared::Again(at + minutes(10))),
            (None, minutes(10), Cleared::ForGood),
            (Some(minutes(1)), minutes(1), Cleared::Again(at + minutes(12))),
            (Some(minutes(60)), minutes(61), Cleared::Again(at + minutes(71))),
            (Some(minutes(60)), minutes(71), Cleared::ForGood),
        ] {
            assert_eq!(cleared(at, dropped.map(|d| at + d), at + now), after, "{dropped:?} {now}");
        }
    }
}
