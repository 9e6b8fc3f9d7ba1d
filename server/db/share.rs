//! Who may use how much of the database: a share of the connections for each service. What cannot be served in time is turned away at once.

use crate::error::{Error, Reason, Result};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout},
};

/// A queue that was never empty for so long is no burst: the service gets more calls than it can serve.
const BURST_MAX: Duration = Duration::from_secs(1);
/// How long a call waits for a connection then: those it serves shall be served quickly, and the others soon know.
const WAIT_IN_OVERLOAD: Duration = Duration::from_millis(80);
/// More calls than this never wait for one service: what waits holds memory.
const WAITING_MAX: usize = 1000;
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The most connections that one service uses at once.
pub struct Share {
    places: Arc<Semaphore>,
    wait_max: Duration,
    burst_max: Duration,
    queue: Mutex<Queue>,
}

/// The calls that wait for a place.
#[derive(Clone, Copy)]
struct Queue {
    waiting: usize,
    /// Since when some always were.
    since: Instant,
}

/// One call in the queue, until it is dropped.
struct Waiting<'a>(&'a Share);

impl Share {
    /// So many places; a call waits for one as long as `wait_max`, and much less in an overload.
    pub fn new(places: usize, wait_max: Duration) -> Self {
        let queue = Queue { waiting: 0, since: Instant::now() };
        Self { places: Arc::new(Semaphore::new(places.max(1))), wait_max, burst_max: BURST_MAX, queue: Mutex::new(queue) }
    }

    /// The same, where each call has its whole wait in an overload too: for what takes long and is seldom, so that a few at once are a queue already.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { burst_max: Duration::MAX, ..self }
    }

    /// A place, for as long as the permit is held.
    ///
    /// # Errors
    /// OVERLOADED when none comes free in time.
    pub async fn enter(&self) -> Result<OwnedSemaphorePermit> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        let (_waiting, wait) = self.queue_up()?;
        match timeout(wait, self.places.clone().acquire_owned()).await {
            Ok(place) => place.map_err(Error::internal),
            Err(_) => Err(overloaded()),
        }
    }

    fn queue_up(&self) -> Result<(Waiting<'_>, Duration)> {
        let mut queue = self.queue();
        if queue.waiting >= WAITING_MAX {
            return Err(overloaded());
        }
        if queue.waiting == 0 {
            queue.since = Instant::now();
        }
        queue.waiting += 1;
        let wait = if queue.since.elapsed() > self.burst_max { WAIT_IN_OVERLOAD.min(self.wait_max) } else { self.wait_max };
        Ok((Waiting(self), wait))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.queue().waiting -= 1;
    }
}

/// OVERLOADED: nothing was done, and nothing will be.
pub fn overloaded() -> Error {
    Error::new(Reason::Overloaded, "the server is busy; try again in a moment").retry_after(RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{advance, sleep};

    #[tokio::test(start_paused = true)]
    async fn a_burst_waits_and_an_overload_is_turned_away_soon() {
        let share = Arc::new(Share::new(1, Duration::from_millis(1500)));
        let held = share.enter().await.unwrap();
        let began = Instant::now();
        let burst = tokio::spawn({
            let share = share.clone();
            async move { share.enter().await.map(drop) }
        });
        sleep(BURST_MAX + Duration::from_millis(1)).await;
        assert_eq!(share.enter().await.unwrap_err().reason(), Reason::Overloaded);
        assert_eq!(began.elapsed(), BURST_MAX + Duration::from_millis(1) + WAIT_IN_OVERLOAD, "turned away within moments");
        drop(held);
        burst.await.unwrap().unwrap();
        // The queue is empty: the next one waits like anybody.
        let held = share.enter().await.unwrap();
        let began = Instant::now();
        share.enter().await.unwrap_err();
        assert_eq!(began.elapsed(), Duration::from_millis(1500));
        drop(held);
        let _ = share.enter().await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_patient_waits_behind_a_queue_of_any_length() {
        let share = Arc::new(Share::new(1, Duration::from_secs(8)).patient());
        let mut held = share.enter().await.unwrap();
        for _ in 0..4 {
            let next = tokio::spawn({
                let share = share.clone();
                async move { share.enter().await }
            });
            let after = tokio::spawn({
                let share = share.clone();
                async move { share.enter().await.map(drop) }
            });
            sleep(BURST_MAX * 2).await;
            drop(held);
            held = next.await.unwrap().unwrap();
            assert!(!after.is_finished(), "it waits");
            after.abort();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_share_says_nothing_of_another() {
        let (one, other) = (Share::new(1, Duration::from_secs(1)), Share::new(1, Duration::from_secs(1)));
        let _held = one.enter().await.unwrap();
        advance(Duration::from_secs(5)).await;
        let _ = other.enter().await.unwrap();
    }
}
