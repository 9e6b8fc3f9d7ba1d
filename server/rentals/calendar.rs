//! In which days an item is free. Pure.

use crate::days::{self, Days};
use time::Date;

/// The most months ahead that an item is asked for, or its days told.
pub const MONTHS_AHEAD: i32 = 12;

/// What stands in the way of borrowing an item, in some days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar {
    /// What agreed rentals hold that are not handed over, or were given back.
    pub booked: Vec<Days>,
    /// For which days the item is out now.
    pub out: Option<Days>,
    /// In which days its owner does not lend it.
    pub blocked: Vec<Days>,
}

impl Calendar {
    /// Whether all of these days are free. Possession is not reservation: while it is overdue none is, whatever was booked.
    pub fn is_free(&self, range: Days, today: Date) -> bool {
        let meets = |others: &[Days]| others.iter().any(|other| other.overlaps(range));
        !self.is_overdue(today) && !meets(&self.booked) && !meets(&self.blocked) && !self.out.is_some_and(|out| out.overlaps(range))
    }

    /// Whether it should have been given back.
    pub fn is_overdue(&self, today: Date) -> bool {
        self.out.is_some_and(|out| out.last() < today)
    }

    /// The days of a range for which it is out: all that are not past while it is overdue, since nobody knows when it comes back.
    pub fn borrowed(&self, range: Days, today: Date) -> Vec<Date> {
        if self.is_overdue(today) {
            return of(range.from(today).into_iter());
        }
        self.out.map(|out| within(&[out], range)).unwrap_or_default()
    }
}

/// The year ahead: what may be asked for, and what is told when no days are named.
pub fn ahead(today: Date) -> Days {
    // A year later is never before today.
    Days::new(today, days::months_later(today, MONTHS_AHEAD)).unwrap_or_else(|| day(today))
}

/// One day.
pub fn day(day: Date) -> Days {
    Days::new(day, day).expect("a day is not before itself")
}

/// The days of a range that are in any of some others, each once, ascending.
pub fn within(ranges: &[Days], range: Days) -> Vec<Date> {
    let cut = |other: &Days| Days::new(other.first().max(range.first()), other.last().min(range.last()));
    of(days::merged(ranges.iter().filter_map(cut)).into_iter())
}

/// The days of ranges.
fn of(ranges: impl Iterator<Item = Days>) -> Vec<Date> {
    let days = |range: Days| std::iter::successors(Some(range.first()), |day| day.next_day()).take_while(move |day| range.has(*day));
    ranges.flat_map(days).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::{Duration, macros::date};

    const TODAY: Date = date!(2027 - 12 - 30);

    fn range(from: i64, days: i64) -> Days {
        let first = TODAY + Duration::days(from);
        Days::new(first, first + Duration::days(days - 1)).unwrap()
    }

    #[test]
    fn what_is_overdue_is_free_on_no_day() {
        let late = Calendar { out: Some(range(-3, 3)), ..Default::default() };
        assert!(late.is_overdue(TODAY) && !late.is_free(range(300, 1), TODAY));
        assert_eq!(late.borrowed(range(-5, 7), TODAY), [date!(2027 - 12 - 30), date!(2027 - 12 - 31)], "from today on");
        let due_today = Calendar { out: Some(range(-3, 4)), ..Default::default() };
        assert!(!due_today.is_overdue(TODAY) && due_today.is_free(range(1, 1), TODAY) && !due_today.is_free(range(0, 1), TODAY));
        assert_eq!(due_today.borrowed(range(0, 5), TODAY), [TODAY]);
    }

    #[test]
    fn a_year_ahead_ends_on_the_same_day_also_of_a_leap_year() {
        assert_eq!(ahead(TODAY).last(), date!(2028 - 12 - 30));
        assert_eq!(ahead(TODAY).count(), 367, "it has a leap day, and both ends count");
        assert_eq!(ahead(date!(2028 - 02 - 29)).last(), date!(2029 - 02 - 28));
    }

    fn ranges() -> impl Strategy<Value = Vec<Days>> {
        proptest::collection::vec((-20..80_i64, 1..9_i64).prop_map(|(from, days)| range(from, days)), 0..8)
    }

    proptest! {
        /// Over the end of a year, and over a leap day: a range is free exactly when none of its days is in anybody's.
        #[test]
        fn a_range_is_free_when_each_of_its_days_is(
            booked in ranges(), blocked in ranges(), out in proptest::option::of((-20..80_i64, 1..9_i64)), from in 0..70_i64, days in 1..9_i64,
        ) {
            let calendar = Calendar { booked, blocked, out: out.map(|(from, days)| range(from, days)) };
            let asked = range(from, days);
            let told = [within(&calendar.booked, asked), within(&calendar.blocked, asked), calendar.borrowed(asked, TODAY)];
            prop_assert_eq!(calendar.is_free(asked, TODAY), told.iter().all(Vec::is_empty));
            for days in &told {
                prop_assert!(days.windows(2).all(|pair| pair[0] < pair[1]) && days.iter().all(|day| asked.has(*day)));
            }
            for day in of(std::iter::once(asked)) {
                prop_assert_eq!(told[0].contains(&day), calendar.booked.iter().any(|range| range.has(day)));
            }
        }
    }
}
