//! Who may connect: so many connections in all, so many of one address; where there is no room, the oldest that never asked anything goes.
//! And how much may wait for one address to be taken.

use crate::edge::limits::{Networks, household};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::task::AbortHandle;

/// Files that the process keeps for what is neither a connection of a caller nor one to the database: the log, the web app, ports.
const FILES_SPARED: usize = 64;

/// How many uploads are received at once: so many files that are not whole yet.
pub const RECEIVED_AT_ONCE: usize = 256;

/// The most bytes of answers that wait for one address, or behind a proxy for one connection: HTTP/2 lets a peer ask for many and take none.
const HELD_MAX: usize = 32 << 20;
/// What an answer holds beside its bytes.
const HELD_EACH: usize = 4 << 10;

/// How many may be connected.
#[derive(Clone, Debug)]
pub struct Room {
    /// In all.
    pub connections_max: usize,
    /// From one address, or one IPv6 network of 64 bits.
    pub per_address: usize,
    /// Proxies carry many callers: they count in all only.
    pub exempt: Networks,
}

impl Room {
    /// The same, or less where the process may not open as many files beside so many others, however high its limit is raised. At that
    /// limit nobody could be served: the database would be out of reach too.
    #[must_use]
    pub fn within_files(mut self, others: usize) -> Self {
        let spared = others.saturating_add(FILES_SPARED);
        // Uploads take theirs where there are more to be had: a few are among those spared.
        let files = files_for(self.connections_max.saturating_add(spared).saturating_add(RECEIVED_AT_ONCE));
        let affordable = files.saturating_sub(spared).max(1);
        if affordable < self.connections_max {
            tracing::info!(connections = affordable, files, "fewer connections than configured: the process may not open more files");
            self.connections_max = affordable;
        }
        self
    }
}

/// How many files the process may open, after raising its limit as far as it must and may.
fn files_for(wanted: usize) -> usize {
    let (limit, wanted) = (getrlimit(Resource::Nofile), u64::try_from(wanted).unwrap_or(u64::MAX));
    let now = limit.current.unwrap_or(u64::MAX);
    let most = wanted.min(limit.maximum.unwrap_or(u64::MAX));
    let raised = now < most && setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: limit.maximum }).is_ok();
    usize::try_from(if raised { most } else { now }).unwrap_or(usize::MAX)
}

/// The places of one port.
#[derive(Clone)]
pub struct Places(Arc<Shared>);

struct Shared {
    room: Room,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    numbers: u64,
    by_address: HashMap<IpAddr, Of>,
    /// Those that have not asked anything yet, the oldest first, and how each is ended.
    silent: BTreeMap<u64, Option<AbortHandle>>,
}

/// What one address has.
#[derive(Default)]
struct Of {
    connections: usize,
    held: Arc<AtomicUsize>,
}

/// The place of one connection, until it is dropped.
pub struct Place {
    shared: Arc<Shared>,
    number: u64,
    /// Under which it counts; `None` for a proxy.
    address: Option<IpAddr>,
    /// The bytes that wait for its address, or for it alone.
    held: Arc<AtomicUsize>,
}

/// The bytes of an answer, until it is dropped.
pub struct Held {
    all: Arc<AtomicUsize>,
    own: usize,
}

impl Places {
    /// All of them free.
    pub fn new(room: Room) -> Self {
        Self(Arc::new(Shared { room, taken: Mutex::default() }))
    }

    /// Whether one more may come, when there are so many.
    pub fn may_accept(&self, connected: usize) -> bool {
        connected < self.0.room.connections_max || !self.0.taken().silent.is_empty()
    }

    /// Takes a place, beside so many that are connected; the oldest silent one leaves where there is none. `None` when the address has
    /// all that it may have.
    pub fn take(&self, peer: IpAddr, connected: usize) -> Option<Place> {
        let room = &self.0.room;
        let address = (!room.exempt.contain(peer)).then(|| household(peer));
        let mut taken = self.0.taken();
        let mut held = Arc::default();
        if let Some(address) = address {
            let of = taken.by_address.entry(address).or_default();
            if of.connections >= room.per_address {
                return None;
            }
            of.connections += 1;
            held = of.held.clone();
        }
        if connected >= room.connections_max {
            taken.end_oldest_silent();
        }
        taken.numbers += 1;
        let number = taken.numbers;
        taken.silent.insert(number, None);
        Some(Place { shared: self.0.clone(), number, address, held })
    }

    /// Ends the oldest connection that has not asked anything.
    pub fn end_oldest_silent(&self) {
        self.0.taken().end_oldest_silent();
    }

    /// How the connection with this number is ended, as long as it is silent.
    pub fn ended_by(&self, number: u64, handle: AbortHandle) {
        if let Some(slot) = self.0.taken().silent.get_mut(&number) {
            *slot = Some(handle);
        }
    }
}

impl Shared {
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn end_oldest_silent(&mut self) {
        if let Some((_, Some(handle))) = self.silent.pop_first() {
            handle.abort();
        }
    }
}

impl Place {
    /// Which one it is.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// It has asked something: from now on it does not leave to make room.
    pub fn spoke(&self) {
        self.shared.taken().silent.remove(&self.number);
    }

    /// Whether so much waits to be taken that nothing more shall be asked. Told before a call begins: what was done is always answered.
    pub fn is_full(&self) -> bool {
        self.held.load(Ordering::Relaxed) >= HELD_MAX
    }

    /// Counts an answer of so many bytes.
    pub fn hold(&self, bytes: usize) -> Held {
        let own = bytes.saturating_add(HELD_EACH);
        self.held.fetch_add(own, Ordering::Relaxed);
        Held { all: self.held.clone(), own }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.own, Ordering::Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.shared.taken();
        taken.silent.remove(&self.number);
        let Some(address) = self.address else { return };
        if let Some(of) = taken.by_address.get_mut(&address) {
            of.connections -= 1;
            if of.connections == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(connections_max: usize, per_address: usize) -> Places {
        let exempt = Networks::new(vec!["10.9.0.0/16".parse().unwrap()]);
        Places::new(Room { connections_max, per_address, exempt })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_has_its_share_and_a_proxy_has_no_bound() {
        let places = places(100, 2);
        let kept = [places.take(ip("192.0.2.1"), 0).unwrap(), places.take(ip("::ffff:192.0.2.1"), 1).unwrap()];
        assert!(places.take(ip("192.0.2.1"), 2).is_none());
        let _other = places.take(ip("192.0.2.2"), 2).unwrap();
        let _behind_proxy: Vec<_> = (0..5).map(|n| places.take(ip("::ffff:10.9.0.1"), n).unwrap()).collect();
        drop(kept);
        assert!(places.take(ip("192.0.2.1"), 6).is_some());
    }

    #[test]
    fn so_much_waits_for_one_address_whatever_its_connections_are() {
        let places = places(100, 10);
        let (one, two) = (places.take(ip("192.0.2.1"), 0).unwrap(), places.take(ip("192.0.2.1"), 1).unwrap());
        let (other, proxy) = (places.take(ip("192.0.2.2"), 2).unwrap(), places.take(ip("10.9.0.1"), 3).unwrap());
        let half = one.hold(HELD_MAX / 2);
        assert!(!two.is_full());
        let rest = two.hold(HELD_MAX / 2);
        assert!(one.is_full() && two.is_full() && !other.is_full() && !proxy.is_full());
        drop((half, rest));
        assert_eq!(one.held.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn where_there_is_no_room_the_oldest_silent_one_leaves() {
        let places = places(3, 10);
        let tasks: Vec<_> = (0..3).map(|_| tokio::spawn(std::future::pending::<()>())).collect();
        let taken: Vec<_> = (0..3).map(|n| places.take(ip("192.0.2.1"), n).unwrap()).collect();
        for (place, task) in taken.iter().zip(&tasks) {
            places.ended_by(place.number(), task.abort_handle());
        }
        taken[0].spoke();
        assert!(places.may_accept(3));
        let newest = places.take(ip("192.0.2.2"), 3).unwrap();
        let mut tasks = tasks.into_iter();
        let (spoke, oldest_silent, other) = (tasks.next().unwrap(), tasks.next().unwrap(), tasks.next().unwrap());
        assert!(oldest_silent.await.unwrap_err().is_cancelled());
        assert!(!spoke.is_finished() && !other.is_finished());
        taken[2].spoke();
        newest.spoke();
        assert!(!places.may_accept(3), "all have asked something: nobody leaves");
    }
}
