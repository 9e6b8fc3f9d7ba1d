//! One search of each member at a time, in this node: a search can take a connection for longer than all else that they ask.

use crate::{
    db,
    error::{Error, Reason, Result},
    ids::MemberId,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// So many searches of a member run or wait: more than anybody types while one runs.
const AT_ONCE_MAX: usize = 5;
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Whose turn it is, of each member who searches now.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<MemberId, Weak<Turn<()>>>>>);

impl Turns {
    /// Waits for the member's turn, which lasts until the guard is dropped.
    ///
    /// # Errors
    /// RATE_LIMITED when too many wait already, DEADLINE_EXCEEDED when it does not come in time.
    pub async fn take(&self, member: MemberId) -> Result<OwnedMutexGuard<()>> {
        let turn = self.join(member)?;
        db::bounded(async { Ok(turn.lock_owned().await) }).await
    }

    /// The member's line, of which nobody else is forgotten but who has no search any more.
    fn join(&self, member: MemberId) -> Result<Arc<Turn<()>>> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|_, line| line.strong_count() > 0);
        let line = lines.get(&member).and_then(Weak::upgrade).unwrap_or_default();
        // This one counts.
        if Arc::strong_count(&line) > AT_ONCE_MAX {
            return Err(Error::new(Reason::RateLimited, "too many calls; try again later").retry_after(TRY_AGAIN_AFTER));
        }
        lines.insert(member, Arc::downgrade(&line));
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn a_member_has_one_turn_at_a_time_and_a_short_line() {
        let (turns, ana, ben) = (Turns::default(), MemberId(uuid::Uuid::from_u128(1)), MemberId(uuid::Uuid::from_u128(2)));
        let first = turns.take(ana).await.unwrap();
        let mut waiting: Vec<_> = (1..AT_ONCE_MAX).map(|_| Box::pin(turns.take(ana))).collect();
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
        assert_eq!(turns.0.lock().unwrap().len(), 1, "who searches no more is forgotten");
    }
}
