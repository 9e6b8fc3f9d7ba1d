//! What days can be asked for. Pure.

use super::calendar;
use crate::{
    days::Days,
    error::{Error, FieldReason, Result},
};
use time::Date;

/// The most days of one rental, both ends counted, whatever its item allows.
pub const DAYS_MAX: i64 = 366;

/// The days that a request names.
///
/// # Errors
/// INVALID_ARGUMENT when they end before they begin.
pub fn range(first: Date, last: Date) -> Result<Days> {
    Days::new(first, last).ok_or_else(|| Error::field("end_date", FieldReason::Conflicting, "must not be before start_date"))
}

/// Whether days are to come, and not too far ahead. `today` is where the owner is.
///
/// # Errors
/// INVALID_ARGUMENT naming the day.
pub fn check_ahead(days: Days, today: Date) -> Result<()> {
    if days.first() < today {
        return Err(Error::field("start_date", FieldReason::InPast, "These dates are in the past."));
    }
    check_end(days.last(), today)
}

/// Whether days may be asked for: to come, and as many as the owner allows; 0 is no limit of theirs.
///
/// # Errors
/// INVALID_ARGUMENT naming the day.
pub fn check(days: Days, max_days: i16, today: Date) -> Result<()> {
    check_ahead(days, today)?;
    check_count(days, max_days)
}

/// The days of a running rental with more of them.
///
/// # Errors
/// INVALID_ARGUMENT when the new last day is not after the present one, or is past, or makes too many.
pub fn longer(days: Days, until: Date, max_days: i16, today: Date) -> Result<Days> {
    if until <= days.last() {
        return Err(Error::field("end_date", FieldReason::OutOfRange, "Choose a day after the current last day."));
    }
    if until < today {
        return Err(Error::field("end_date", FieldReason::InPast, "These dates are in the past."));
    }
    check_end(until, today)?;
    let longer = range(days.first(), until)?;
    check_count(longer, max_days)?;
    Ok(longer)
}

/// Whether so many days may be lent at once.
pub fn is_short_enough(days: Days, max_days: i16) -> bool {
    check_count(days, max_days).is_ok()
}

fn check_end(last: Date, today: Date) -> Result<()> {
    if calendar::ahead(today).last() < last {
        return Err(Error::field("end_date", FieldReason::OutOfRange, "Choose dates within the next 12 months."));
    }
    Ok(())
}

fn check_count(days: Days, max_days: i16) -> Result<()> {
    let most = if max_days == 0 { DAYS_MAX } else { i64::from(max_days).min(DAYS_MAX) };
    if days.count() > most {
        let text = format!("This item can only be rented for a maximum of {most} days.");
        return Err(Error::field("end_date", FieldReason::OutOfRange, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::{Duration, macros::date};

    const TODAY: Date = date!(2027 - 03 - 01);

    fn days(first: Date, last: Date) -> Days {
        range(first, last).unwrap()
    }

    fn refused<T: std::fmt::Debug>(result: Result<T>) -> (String, &'static str) {
        let error = result.unwrap_err();
        let (field, reason, _) = error.fields().next().unwrap();
        (field.to_owned(), reason)
    }

    #[test]
    fn each_refusal_names_its_day() {
        assert_eq!(refused(range(date!(2027 - 03 - 02), TODAY)), ("end_date".into(), "CONFLICTING"));
        assert_eq!(refused(check(days(date!(2027 - 02 - 28), TODAY), 0, TODAY)), ("start_date".into(), "IN_PAST"));
        let far = date!(2028 - 03 - 02);
        assert_eq!(refused(check(days(far, far), 0, TODAY)), ("end_date".into(), "OUT_OF_RANGE"));
        assert!(check(days(TODAY, TODAY), 1, TODAY).is_ok(), "today is not past, and one day is one");
        assert_eq!(refused(check(days(TODAY, date!(2027 - 03 - 03)), 2, TODAY)), ("end_date".into(), "OUT_OF_RANGE"));
        assert!(check(days(TODAY, date!(2027 - 03 - 02)), 2, TODAY).is_ok(), "both ends count");
        // The year ahead has 367 days when it has a leap day.
        assert_eq!(refused(check(days(TODAY, date!(2028 - 03 - 01)), 0, TODAY)), ("end_date".into(), "OUT_OF_RANGE"));
        assert!(check(days(TODAY, date!(2028 - 02 - 29)), 0, TODAY).is_ok());
    }

    #[test]
    fn more_days_are_after_the_present_ones_and_not_past() {
        let late = days(date!(2027 - 02 - 20), date!(2027 - 02 - 25));
        assert_eq!(refused(longer(late, date!(2027 - 02 - 25), 0, TODAY)), ("end_date".into(), "OUT_OF_RANGE"));
        assert_eq!(refused(longer(late, date!(2027 - 02 - 28), 0, TODAY)), ("end_date".into(), "IN_PAST"));
        assert_eq!(refused(longer(late, TODAY, 9, TODAY)), ("end_date".into(), "OUT_OF_RANGE"), "ten days in all");
        assert_eq!(longer(late, TODAY, 10, TODAY).unwrap().count(), 10);
    }

    proptest! {
        #[test]
        fn what_may_be_asked_for_can_be_stored(from in -5..400_i64, count in 1..400_i64, max in 0..=365_i16) {
            let first = TODAY + Duration::days(from);
            let asked = days(first, first + Duration::days(count - 1));
            if check(asked, max, TODAY).is_ok() {
                prop_assert!(asked.first() >= TODAY && asked.count() <= DAYS_MAX && (max == 0 || asked.count() <= i64::from(max)));
                prop_assert!((asked.last() - asked.first()).whole_days() < 366, "as the table has it");
            }
        }
    }
}
