//! The ears of a node: who is connected here, and what to tell them. One task, and one statement for all members at once.

use super::{Notification, TOPIC_CHANGED, TOPIC_PUSHED, people, recent::Recent, store, wire};
use crate::{
    bus::Signal,
    deps::Deps,
    error::Result,
    identity,
    ids::MemberId,
    pb::notifications::{Notification as Wire, Target as WireTarget},
    pictures::Pictures,
    read,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{
        Semaphore, SemaphorePermit,
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
/// When a node comes back, all its clients do: so many streams read their rows at once, and the others wait. Other calls need the
/// database too.
const READERS_MAX: usize = 4;

/// What a stream is told.
#[derive(Debug)]
pub enum Live {
    /// A notification, by its seq.
    Told(i64, Box<Wire>),
    /// Something has changed.
    Changed(WireTarget),
}

/// The streams that are open on this node.
pub struct Hub {
    rooms: Mutex<Rooms>,
    recent: Mutex<Recent>,
    readers: Semaphore,
    seats_max: usize,
}

/// Why a seat was taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Too much was left unread.
    TooSlow,
    /// The member opened more streams than there are seats, and this one is the oldest.
    Replaced,
}

#[derive(Default)]
struct Rooms {
    by_member: HashMap<MemberId, Room>,
    seats: u64,
}

/// The streams of one member, the last seq that they were told of, and how many are unread.
struct Room {
    seq: i64,
    unread: Arc<AtomicI32>,
    /// By their numbers, the oldest first.
    seats: BTreeMap<u64, Line>,
}

/// The way to a seat.
struct Line {
    sender: mpsc::Sender<Arc<Live>>,
    replaced: Arc<AtomicBool>,
}

/// A stream's place in the hub, until it is dropped.
pub struct Seat {
    hub: Arc<Hub>,
    member: MemberId,
    number: u64,
    unread: Arc<AtomicI32>,
    receiver: mpsc::Receiver<Arc<Live>>,
    replaced: Arc<AtomicBool>,
}

impl Seat {
    /// The next thing that happens.
    ///
    /// # Errors
    /// Why there is no next one, after what was told until then.
    pub async fn hear(&mut self) -> std::result::Result<Arc<Live>, Lost> {
        let lost = |replaced: &AtomicBool| if replaced.load(Ordering::Relaxed) { Lost::Replaced } else { Lost::TooSlow };
        self.receiver.recv().await.ok_or_else(|| lost(&self.replaced))
    }

    /// How many notifications are unread, as last read by the hub or by a stream of the member.
    pub fn unread(&self) -> i32 {
        self.unread.load(Ordering::Relaxed)
    }

    /// So many are unread: the stream read the rows itself.
    pub fn set_unread(&self, count: i32) {
        self.unread.store(count, Ordering::Relaxed);
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

/// What was heard and is not yet told.
#[derive(Default)]
struct Heard {
    pushed: HashSet<MemberId>,
    changed: Vec<(MemberId, WireTarget)>,
    /// Signals may have been lost: anybody may have new rows.
    lost: bool,
}

impl Hub {
    /// Starts to listen, until `stop`, for so many streams of each member.
    pub fn start(deps: Deps, seats_max: usize, stop: CancellationToken) -> Arc<Self> {
        let hub = Arc::new(Self { rooms: Mutex::default(), recent: Mutex::default(), readers: Semaphore::new(READERS_MAX), seats_max });
        let signals = deps.bus.subscribe();
        tokio::spawn(hub.clone().run(deps, signals, stop));
        hub
    }

    /// Takes a seat for a stream of a member. `last` is the member's last seq, read before: the hub tells what comes after it, or
    /// sooner when the member has other streams here. The oldest of them gives way when there are too many.
    pub fn join(self: &Arc<Self>, member: MemberId, last: i64) -> Seat {
        let (sender, receiver) = mpsc::channel(BACKLOG_MAX);
        let mut rooms = self.rooms();
        rooms.seats += 1;
        let number = rooms.seats;
        let room = rooms.by_member.entry(member).or_insert_with(|| Room { seq: last, unread: Arc::default(), seats: BTreeMap::new() });
        while room.seats.len() >= self.seats_max
            && let Some((_, oldest)) = room.seats.pop_first()
        {
            oldest.replaced.store(true, Ordering::Relaxed);
        }
        let replaced = Arc::<AtomicBool>::default();
        room.seats.insert(number, Line { sender, replaced: replaced.clone() });
        let unread = room.unread.clone();
        drop(rooms);
        metrics::gauge!("goodturn_notification_streams").increment(1.0);
        Seat { hub: self.clone(), member, number, unread, receiver, replaced }
    }

    /// What changed for a member a moment ago. Asked by who has a seat: what comes later is told there.
    pub fn recently(&self, member: MemberId) -> VecDeque<WireTarget> {
        self.recent().of(Instant::now(), member)
    }

    /// Waits for a stream's turn to read rows; hold it while reading.
    pub async fn turn_to_read(&self) -> SemaphorePermit<'_> {
        self.readers.acquire().await.expect("it is never closed")
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, deps: Deps, mut signals: broadcast::Receiver<Signal>, stop: CancellationToken) {
        let mut poll = interval(POLL_EVERY);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut heard = Heard::default();
            tokio::select! {
                () = stop.cancelled() => return,
                _ = poll.tick() => heard.lost = true,
                signal = signals.recv() => heard.add(signal),
            }
            // What came meanwhile is read in the same statement.
            while !signals.is_empty() {
                heard.add(signals.recv().await);
            }
            if let Err(cause) = self.deliver(&deps, heard).await {
                tracing::warn!(%cause, "notifications are late: their rows cannot be read");
            }
        }
    }

    /// Tells connected members what they have not been told.
    async fn deliver(&self, deps: &Deps, heard: Heard) -> Result<()> {
        // Before anybody is told, so that who takes a seat meanwhile hears of it twice rather than never.
        for (member, target) in &heard.changed {
            self.recent().note(Instant::now(), *member, target.clone());
        }
        let told = self.tell_rows(deps, self.seen(&heard)).await;
        // After the rows, so that the count goes with them; and when these cannot be read all the same. A row that is late is found by the
        // next poll, but of a hint there is no row.
        for (member, target) in heard.changed {
            self.tell(member, &Arc::new(Live::Changed(target)));
        }
        told
    }

    /// Tells members the rows after those that they were told of, round by round until there is no more.
    async fn tell_rows(&self, deps: &Deps, mut seen: Vec<(MemberId, i64)>) -> Result<()> {
        while !seen.is_empty() {
            let members: Vec<MemberId> = seen.iter().map(|s| s.0).collect();
            let (rows, unread, people) = read!(deps.pool, |conn| {
                let rows = store::after(conn, &seen, ROWS_AT_ONCE).await?;
                let (unread, people) = (store::unread(conn, &members).await?, people(conn, &rows).await?);
                Ok((rows, unread, people))
            })?;
            self.count(&unread);
            let mut told = HashMap::<MemberId, (i64, i64)>::new();
            for row in rows {
                let (count, last) = told.entry(row.member).or_default();
                (*count, *last) = (*count + 1, row.seq);
                self.tell_row(row, &people, &deps.pictures);
            }
            // Only those who had a full share may have more.
            seen = told.into_iter().filter(|(_, (count, _))| *count >= ROWS_AT_ONCE).map(|(m, (_, last))| (m, last)).collect();
        }
        Ok(())
    }

    /// Those who are connected here and may have something new, with the last seq that they were told of.
    fn seen(&self, heard: &Heard) -> Vec<(MemberId, i64)> {
        let rooms = self.rooms();
        if heard.lost {
            return rooms.by_member.iter().map(|(member, room)| (*member, room.seq)).collect();
        }
        let members: HashSet<MemberId> = heard.pushed.iter().copied().chain(heard.changed.iter().map(|c| c.0)).collect();
        members.into_iter().filter_map(|m| Some((m, rooms.by_member.get(&m)?.seq))).collect()
    }

    fn count(&self, unread: &HashMap<MemberId, i32>) {
        let rooms = self.rooms();
        for (member, count) in unread {
            if let Some(room) = rooms.by_member.get(member) {
                room.unread.store(*count, Ordering::Relaxed);
            }
        }
    }

    fn tell_row(&self, row: Notification, people: &HashMap<MemberId, identity::Member>, pictures: &Pictures) {
        let (member, seq) = (row.member, row.seq);
        self.tell(member, &Arc::new(Live::Told(seq, Box::new(wire::notification(row, people, pictures)))));
        if let Some(room) = self.rooms().by_member.get_mut(&member) {
            room.seq = room.seq.max(seq);
        }
    }

    /// Gives it to every stream of a member. One that has no room for it is too slow, and loses its seat.
    fn tell(&self, member: MemberId, live: &Arc<Live>) {
        if let Some(room) = self.rooms().by_member.get_mut(&member) {
            room.seats.retain(|_, line| line.sender.try_send(live.clone()).is_ok());
        }
    }
}

impl Heard {
    fn add(&mut self, signal: Result<Signal, RecvError>) {
        match signal {
            Ok(Signal::About { topic, key, .. }) if topic == TOPIC_PUSHED => {
                self.pushed.insert(MemberId(key));
            }
            Ok(Signal::About { topic, key, data }) if topic == TOPIC_CHANGED => {
                self.changed.extend(wire::change(&data).map(|target| (MemberId(key), target)));
            }
            Ok(Signal::About { .. }) => {}
            Ok(Signal::Lost) | Err(RecvError::Lagged(_) | RecvError::Closed) => self.lost = true,
        }
    }
}
