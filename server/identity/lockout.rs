//! How tries are counted, and when a subject is locked out. Pure.

use time::{Duration, OffsetDateTime};

/// What was counted of one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many tries.
    pub count: i32,
    /// The first of them.
    pub first_at: OffsetDateTime,
    /// The last of them.
    pub last_at: OffsetDateTime,
    /// Until when further ones are refused.
    pub locked_until: OffsetDateTime,
}

/// How a count becomes a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// The try numbered `free` locks for 1 second, each later one for twice as long as the one before.
    Doubling {
        /// Tries up to the first lock.
        free: i32,
        /// The longest lock.
        longest: Duration,
        /// Without a try for so long, all is forgotten.
        quiet: Duration,
    },
    /// The try numbered `free` locks until the window, which the first try opened, is over.
    Window {
        /// Tries in one window.
        free: i32,
        /// How long a window is.
        length: Duration,
    },
}

/// The curves of all that is counted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wrong passwords of one account.
    pub password: Curve,
    /// Wrong passwords from one network address: a bound on trying one password on many accounts.
    pub network: Curve,
    /// Tries of one code, from one network where they are counted by it.
    pub code: Curve,
    /// Tries of one code from all networks.
    pub code_in_all: Curve,
}

/// So many networks use up all tries of a code: a stranger at one does not.
const NETWORKS: i32 = 3;

impl Limits {
    /// The usual curves, by how many tries are free: wrong passwords of one account, wrong passwords from one network address, and tries of
    /// one code.
    pub const fn new(password: i32, network: i32, code: i32) -> Self {
        Self {
            // An hour of quiet, not a quarter: who guesses, waits and begins anew would else get 40 guesses an hour.
            password: Curve::Doubling { free: password, longest: Duration::minutes(15), quiet: Duration::hours(1) },
            network: Curve::Window { free: network, length: Duration::minutes(15) },
            code: Curve::Window { free: code, length: Duration::hours(24) },
            code_in_all: Curve::Window { free: NETWORKS.saturating_mul(code), length: Duration::hours(24) },
        }
    }
}

impl Tally {
    /// How long a subject is still locked out.
    pub fn locked_for(&self, now: OffsetDateTime) -> Option<Duration> {
        (self.locked_until > now).then(|| self.locked_until - now)
    }
}

/// Counts one more try. Not to be called during a lock: those tries do not extend it.
pub fn count(curve: Curve, before: Option<Tally>, now: OffsetDateTime) -> Tally {
    let remembered = before.filter(|t| t.count > 0).filter(|t| match curve {
        Curve::Doubling { quiet, .. } => now - t.last_at < quiet,
        Curve::Window { length, .. } => now - t.first_at < length,
    });
    let (count, first_at) = remembered.map_or((1, now), |t| (t.count.saturating_add(1), t.first_at));
    let locked_until = match curve {
        Curve::Doubling { free, longest, .. } => now + doubled(count - free, longest),
        Curve::Window { free, length } if count >= free => first_at + length,
        Curve::Window { .. } => now,
    };
    Tally { count, first_at, last_at: now, locked_until }
}

/// 2^n seconds, at most `longest`; nothing for a negative n.
fn doubled(n: i32, longest: Duration) -> Duration {
    match u32::try_from(n) {
        Err(_) => Duration::ZERO,
        Ok(n) => Duration::seconds(1_i64.checked_shl(n).filter(|s| *s > 0).unwrap_or(i64::MAX)).min(longest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::macros::datetime;

    const START: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);

    fn password(count: i32) -> i64 {
        let before = Tally { count: count - 1, first_at: START, last_at: START, locked_until: START };
        super::count(Limits::new(5, 100, 5).password, Some(before), START).locked_for(START).map_or(0, Duration::whole_seconds)
    }

    #[test]
    fn the_fifth_failure_locks_for_a_second_and_each_later_one_for_twice_as_long() {
        let table = [(1, 0), (4, 0), (5, 1), (6, 2), (7, 4), (14, 512), (15, 900), (16, 900), (64, 900), (i32::MAX, 900)];
        for (failures, seconds) in table {
            assert_eq!(password(failures), seconds, "{failures} failures");
        }
    }

    #[test]
    fn an_hour_of_quiet_forgets() {
        let curve = Limits::new(5, 100, 5).password;
        let before = Tally { count: 9, first_at: START, last_at: START, locked_until: START };
        assert_eq!(count(curve, Some(before), START + Duration::minutes(59)).count, 10);
        assert_eq!(count(curve, Some(before), START + Duration::hours(1)).count, 1);
    }

    #[test]
    fn a_window_locks_until_its_end() {
        let curve = Curve::Window { free: 2, length: Duration::hours(1) };
        let first = count(curve, None, START);
        assert_eq!(first.locked_for(START), None);
        let second = count(curve, Some(first), START + Duration::minutes(50));
        assert_eq!(second.locked_for(START + Duration::minutes(50)), Some(Duration::minutes(10)));
        assert_eq!(count(curve, Some(second), START + Duration::hours(1)).count, 1);
    }

    proptest! {
        /// However the guesses are spread, no hour holds more than 20 of them.
        #[test]
        fn no_hour_has_more_than_twenty_guesses(waits in prop::collection::vec(0_i64..4000, 1..200)) {
            let curve = Limits::new(5, 100, 5).password;
            let (mut now, mut tally, mut guesses) = (START, None, Vec::new());
            for wait in waits {
                now += Duration::seconds(wait);
                now = now.max(tally.map_or(now, |t: Tally| t.locked_until));
                tally = Some(count(curve, tally, now));
                guesses.push(now);
            }
            for (i, first) in guesses.iter().enumerate() {
                let within = guesses[i..].iter().take_while(|g| **g - *first < Duration::hours(1)).count();
                prop_assert!(within <= 20, "{within} guesses in an hour");
            }
        }
    }
}
