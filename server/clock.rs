//! The time, as a parameter: real in the server, set by hand in tests.

use std::sync::{Arc, Mutex, PoisonError};
use time::{Duration, OffsetDateTime};

/// Tells the time. Clones tell the same time.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<Mutex<OffsetDateTime>>>);

impl Clock {
    /// The machine's clock.
    pub const fn system() -> Self {
        Self(None)
    }

    /// A clock that stands at an instant until it is moved.
    pub fn fixed(at: OffsetDateTime) -> Self {
        Self(Some(Arc::new(Mutex::new(at))))
    }

    /// Now, UTC, in whole microseconds: what Postgres keeps.
    pub fn now(&self) -> OffsetDateTime {
        let now = match &self.0 {
            None => system_now(),
            Some(at) => *at.lock().unwrap_or_else(PoisonError::into_inner),
        };
        now.replace_nanosecond(now.microsecond() * 1000).unwrap_or(now)
    }

    /// Moves a fixed clock; the machine's is left alone.
    pub fn advance(&self, by: Duration) {
        if let Some(at) = &self.0 {
            *at.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
fn system_now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}
