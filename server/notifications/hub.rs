//! The ears of a node: who is connected here, and what to tell them. One task, and one statement for all members at once.

use super::{Notification, TOPIC_CHANGED, TOPIC_PUSHED, store, wire};
use crate::{
    bus::Signal,
    deps::Deps,
    error::Result,
    identity,
    ids::MemberId,
    pb::notifications::{Notification as Wire, Target as WireTarget},
};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        mpsc,
    },
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

/// How soon a lost wake-up is found.
pub const POLL_EVERY: Duration = Duration::from_secs(3);
/// What one stream may leave unread before it is too slow.
pub const BACKLOG_MAX: usize = 1024;
const ROWS_AT_ONCE: i64 = 100;

/// What a stream is told.
#[derive(Debug)]
pub enum Live {
    /// A notification, by its seq.
    Told(i64, Wire),
    /// Something has changed.
    Changed(WireTarget),
}

/// The streams that are open on this node.
pub struct Hub {
    rooms: Mutex<Rooms>,
}

#[derive(Default)]
struct Rooms {
    by_member: HashMap<MemberId, Room>,
    seats: u64,
}

/// The streams of one member, and the last seq that they were told of.
struct Room {
    seq: i64,
    seats: HashMap<u64, mpsc::Sender<Arc<Live>>>,
}

/// A stream's place in the hub, until it is dropped.
pub struct Seat {
    hub: Arc<Hub>,
    member: MemberId,
    number: u64,
    receiver: mpsc::Receiver<Arc<Live>>,
}

impl Seat {
    /// The next thing that happens; `None` when too much was left unread.
    pub async fn hear(&mut self) -> Option<Arc<Live>> {
        self.receiver.recv().await
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut rooms = self.hub.rooms();
        if let Some(room) = rooms.by_member.get_mut(&self.member) {
            room.seats.remove(&self.number);
            if room.seats.is_empty() {
                rooms.by_member.remove(&self.member);
            }
        }
        metrics::gauge!("goodturn_notification_streams").decrement(1.0);
    }
}

/// Whom to read the rows of.
#[derive(Debug, PartialEq, Eq)]
enum Woken {
    Some(HashSet<MemberId>),
    All,
}

impl Hub {
    /// Starts to listen, until `stop`.
    pub fn start(deps: Deps, stop: CancellationToken) -> Arc<Self> {
        let hub = Arc::new(Self { rooms: Mutex::default() });
        let signals = deps.bus.subscribe();
        tokio::spawn(hub.clone().run(deps, signals, stop));
        hub
    }

    /// Takes a seat for a stream of a member. `last` is the member's last seq, read before: the hub tells what comes after it, or
    /// sooner when the member has other streams here.
    pub fn join(self: &Arc<Self>, member: MemberId, last: i64) -> Seat {
        let (sender, receiver) = mpsc::channel(BACKLOG_MAX);
        let mut rooms = self.rooms();
        rooms.seats += 1;
        let number = rooms.seats;
        let room = rooms.by_member.entry(member).or_insert_with(|| Room { seq: last, seats: HashMap::new() });
        room.seats.insert(number, sender);
        metrics::gauge!("goodturn_notification_streams").increment(1.0);
        Seat { hub: self.clone(), member, number, receiver }
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, deps: Deps, mut signals: broadcast::Receiver<Signal>, stop: CancellationToken) {
        let mut poll = interval(POLL_EVERY);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut woken = Woken::Some(HashSet::new());
            tokio::select! {
                () = stop.cancelled() => return,
                _ = poll.tick() => woken = Woken::All,
                signal = signals.recv() => self.hear(signal, &mut woken),
            }
            // What came meanwhile is read in the same statement.
            while !signals.is_empty() {
                self.hear(signals.recv().await, &mut woken);
            }
            if let Err(cause) = self.deliver(&deps, woken).await {
                tracing::warn!(%cause, "notifications are late: their rows cannot be read");
            }
        }
    }

    fn hear(&self, signal: Result<Signal, RecvError>, woken: &mut Woken) {
        match signal {
            Ok(Signal::About { topic, key, .. }) if topic == TOPIC_PUSHED => {
                if let Woken::Some(members) = woken {
                    members.insert(MemberId(key));
                }
            }
            Ok(Signal::About { topic, key, data }) if topic == TOPIC_CHANGED => {
                if let Some(target) = wire::change(&data) {
                    self.tell(MemberId(key), &Arc::new(Live::Changed(target)));
                }
            }
            Ok(Signal::About { .. }) => {}
            Ok(Signal::Lost) | Err(RecvError::Lagged(_)) | Err(RecvError::Closed) => *woken = Woken::All,
        }
    }

    /// Tells connected members what they have not been told, round by round until there is no more.
    async fn deliver(&self, deps: &Deps, woken: Woken) -> Result<()> {
        let mut seen = self.seen(&woken);
        while !seen.is_empty() {
            let mut conn = deps.pool.acquire().await?;
            let rows = store::after(&mut conn, &seen, ROWS_AT_ONCE).await?;
            let people = identity::store::members(&mut conn, &wire::actors(&rows)).await?;
            drop(conn);
            let mut counts = HashMap::<MemberId, (i64, i64)>::new();
            for row in rows {
                let (member, seq) = (row.member, row.seq);
                let (count, last) = counts.entry(member).or_default();
                (*count, *last) = (*count + 1, seq);
                self.tell_row(row, &people);
            }
            // Only those who had a full share may have more.
            seen = counts.into_iter().filter(|(_, (count, _))| *count >= ROWS_AT_ONCE).map(|(m, (_, last))| (m, last)).collect();
        }
        Ok(())
    }

    fn seen(&self, woken: &Woken) -> Vec<(MemberId, i64)> {
        let rooms = self.rooms();
        match woken {
            Woken::All => rooms.by_member.iter().map(|(member, room)| (*member, room.seq)).collect(),
            Woken::Some(members) => members.iter().filter_map(|m| Some((*m, rooms.by_member.get(m)?.seq))).collect(),
        }
    }

    fn tell_row(&self, row: Notification, people: &HashMap<MemberId, identity::Member>) {
        let (member, seq) = (row.member, row.seq);
        self.tell(member, &Arc::new(Live::Told(seq, wire::notification(row, people))));
        if let Some(room) = self.rooms().by_member.get_mut(&member) {
            room.seq = room.seq.max(seq);
        }
    }

    /// Gives it to every stream of a member. One that has no room for it is too slow, and loses its seat.
    fn tell(&self, member: MemberId, live: &Arc<Live>) {
        if let Some(room) = self.rooms().by_member.get_mut(&member) {
            room.seats.retain(|_, sender| sender.try_send(live.clone()).is_ok());
        }
    }
}
