//! One after the other, in this node: the searches of a member, each of which can take a connection for longer than all else that they ask; their
//! pictures, each of which takes a processor for a second; and the calls that want one picture drawn, of which one is enough.

use crate::error::{Error, Reason, Result};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::{Mutex as Turn, OwnedMutexGuard},
    time::timeout,
};

/// So many searches of a member run or wait: more than anybody types while one runs.
pub const SEARCHES_AT_ONCE: usize = 5;
/// How long a call waits for its turn.
const TURN_WITHIN: Duration = Duration::from_secs(10);
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Whose turn it is, in each line: of members who search now, or have pictures drawn, or of pictures.
#[derive(Clone)]
pub struct Turns<K> {
    lines: Arc<Mutex<HashMap<K, Weak<Turn<()>>>>>,
    at_once_max: usize,
}

impl<K: Copy + Eq + Hash> Turns<K> {
    /// Lines in each of which so many are at most, the one whose turn it is with them.
    pub fn new(at_once_max: usize) -> Self {
        Self { lines: Arc::default(), at_once_max }
    }

    /// Waits for a turn in this line, which lasts until the guard is dropped.
    ///
    /// # Errors
    /// RATE_LIMITED when too many wait already, or it does not come in time: those in front are of the same line.
    pub async fn take(&self, key: K) -> Result<OwnedMutexGuard<()>> {
        let turn = self.join(key)?;
        timeout(TURN_WITHIN, turn.lock_owned()).await.map_err(|_| too_many())
    }

    /// The line of this key. Lines in which nobody is any more are forgotten.
    fn join(&self, key: K) -> Result<Arc<Turn<()>>> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|_, line| line.strong_count() > 0);
        let line = lines.get(&key).and_then(Weak::upgrade).unwrap_or_default();
        // This one counts.
        if Arc::strong_count(&line) > self.at_once_max {
            return Err(too_many());
        }
        lines.insert(key, Arc::downgrade(&line));
        Ok(line)
    }
}

fn too_many() -> Error {
    Error::new(Reason::RateLimited, "too many requests; try again later").retry_after(TRY_AGAIN_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::MemberId;
    use futures_util::FutureExt;

    #[tokio::test(start_paused = true)]
    async fn whose_turn_does_not_come_in_time_is_told_to_come_again() {
        let (turns, ana) = (Turns::new(SEARCHES_AT_ONCE), MemberId(uuid::Uuid::from_u128(1)));
        let first = turns.take(ana).await.unwrap();
        assert_eq!(turns.take(ana).await.unwrap_err().reason(), Reason::RateLimited);
        drop(first);
        turns.take(ana).await.unwrap();
    }

    #[tokio::test]
    async fn a_member_has_one_turn_at_a_time_and_a_short_line() {
        let (turns, ana, ben) = (Turns::new(SEARCHES_AT_ONCE), MemberId(uuid::Uuid::from_u128(1)), MemberId(uuid::Uuid::from_u128(2)));
        let first = turns.take(ana).await.unwrap();
        let mut waiting: Vec<_> = (1..SEARCHES_AT_ONCE).map(|_| Box::pin(turns.take(ana))).collect();
        for turn in &mut waiting {
            assert!(turn.now_or_never().is_none());
        }
        assert_eq!(turns.take(ana).await.unwrap_err().reason(), Reason::RateLimited);
        turns.take(ben).await.unwrap();
        drop(first);
        let next = waiting.remove(0).await.unwrap();
        assert!(waiting[0].as_mut().now_or_never().is_none());
        drop((next, waiting));
        turns.take(ben).await.unwrap();
        assert_eq!(turns.lines.lock().unwrap().len(), 1, "who searches no more is forgotten");
    }
}
