//! Which sessions are open, as this node knows it: kept in memory while signals are heard, asked of the rows otherwise.

use super::store::sessions as store;
use crate::{
    auth::Caller,
    bus::{Bus, Signal},
    call::Call,
    clock::Clock,
    db::{Pool, Share, Tx},
    error::Result,
    ids::{MemberId, SessionId},
    read,
};
use moka::sync::Cache;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The bus topic: sessions of the member that the signal is about have ended; the data lists them.
const TOPIC: &str = "sessions_ended";
/// As many ids as fit into the data of one signal.
const IDS_PER_SIGNAL: usize = 16;
/// What is remembered while no signal is heard is not trusted for longer.
const SILENCE_MAX: Duration = Duration::from_secs(5);
const LOOKED_UP_WITHIN: Duration = Duration::from_secs(5);
const REMEMBERED: u64 = 200_000;
const REMEMBERED_FOR: Duration = Duration::from_secs(600);
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// More than clocks of nodes differ, and looks fail in a row.
const LOOKED_BACK: time::Duration = time::Duration::minutes(2);
/// While signals are heard, every so many looks ask the rows all the same.
const LOOKS_PER_POLL: u32 = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Open when it was read, in this epoch.
    Open(u64),
    Ended,
}

/// The sessions.
pub struct Sessions {
    pool: Pool,
    /// A share of the database for these look-ups: no service's load keeps callers of the others outside.
    share: Arc<Share>,
    clock: Clock,
    bus: Bus,
    states: Cache<SessionId, State>,
    /// Goes up whenever signals may have been lost: what was read before is not trusted any more.
    epoch: AtomicU64,
    /// Streams that end with their session.
    watched: Mutex<HashMap<SessionId, Watched>>,
}

struct Watched {
    member: MemberId,
    ended: watch::Sender<bool>,
}

impl Sessions {
    /// Knows nothing yet.
    pub fn new(pool: Pool, clock: Clock, bus: Bus) -> Self {
        let states = Cache::builder().max_capacity(REMEMBERED).time_to_live(REMEMBERED_FOR).build();
        Self { share: pool.share(), pool, clock, bus, states, epoch: AtomicU64::new(0), watched: Mutex::default() }
    }

    /// Whether a session is open.
    ///
    /// # Errors
    /// UNAVAILABLE when it must be looked up and cannot be.
    pub async fn is_open(&self, member: MemberId, session: SessionId) -> Result<bool> {
        // Read before the row is: a signal that comes in between makes the answer count for this once only.
        let epoch = self.epoch.load(Ordering::Acquire);
        if let Some(open) = self.known(session) {
            return Ok(open);
        }
        let call = Call { share: self.share.clone(), until: Instant::now() + LOOKED_UP_WITHIN, request_id: None, agent: None };
        let open = call.scope(async { read!(self.pool, |conn| store::open(conn, &[(member, session)], self.clock.now()).await) });
        let open = open.await?.contains(&session);
        let state = if open { State::Open(epoch) } else { State::Ended };
        // What a signal said is newer than the row that was read.
        let kept = self.states.entry(session).and_upsert_with(|known| match known.map(moka::Entry::into_value) {
            Some(State::Ended) => State::Ended,
            Some(State::Open(_)) | None => state,
        });
        Ok(kept.into_value() != State::Ended)
    }

    /// The same, as far as it is known without asking.
    pub fn known(&self, session: SessionId) -> Option<bool> {
        let epoch = self.epoch.load(Ordering::Acquire);
        let hears = self.hears();
        match self.states.get(&session) {
            Some(State::Ended) => Some(false),
            Some(State::Open(read_in)) if hears && read_in == epoch => Some(true),
            Some(State::Open(_)) | None => None,
        }
    }

    /// Notes on this node, after the commit, that sessions have ended.
    pub fn mark_ended(&self, sessions: &[SessionId]) {
        for session in sessions {
            self.states.entry(*session).and_upsert_with(|_| State::Ended);
            if let Some(watched) = self.watched().remove(session) {
                watched.ended.send_replace(true);
            }
        }
    }

    /// Waits until a caller's session or token has ended: open streams end then.
    pub fn ended(&self, caller: &Caller) -> impl Future<Output = ()> + Send + use<> {
        let (session, member) = (caller.session, caller.member);
        let mut ended =
            self.watched().entry(session).or_insert_with(|| Watched { member, ended: watch::Sender::new(false) }).ended.subscribe();
        // Looked at after the watch began: one of the two sees an end that comes now.
        let already = self.states.get(&session) == Some(State::Ended);
        let left_s = u64::try_from(caller.expires_at_s - self.clock.now().unix_timestamp()).unwrap_or(0);
        async move {
            if !already {
                // An error means that nobody is left who could tell, which is an end too.
                let _ = tokio::time::timeout(Duration::from_secs(left_s), ended.wait_for(|e| *e)).await;
            }
        }
    }

    /// Listens for ends that other nodes tell, until `stop`.
    pub async fn listen(&self, stop: CancellationToken) {
        let mut signals = self.bus.subscribe();
        let mut look = tokio::time::interval(LOOK_EVERY);
        let mut looks = 0_u32;
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                signal = signals.recv() => match signal {
                    Ok(Signal::About { topic, data, .. }) if topic == TOPIC => self.mark_ended(&read(&data)),
                    Ok(Signal::About { .. }) => {}
                    Ok(Signal::Lost) | Err(RecvError::Lagged(_)) => {
                        self.epoch.fetch_add(1, Ordering::AcqRel);
                        self.look_at_watched().await;
                    }
                    Err(RecvError::Closed) => return,
                },
                _ = look.tick() => {
                    self.look_at_ended().await;
                    looks = looks.wrapping_add(1);
                    if !self.hears() || looks.is_multiple_of(LOOKS_PER_POLL) {
                        self.look_at_watched().await;
                    }
                }
            }
        }
    }

    /// Asks the rows what ended lately: the node that ended it may have died before it told.
    async fn look_at_ended(&self) {
        let after = self.clock.now() - LOOKED_BACK;
        match read!(self.pool, |conn| store::ended_after(conn, after).await) {
            Ok(ended) => self.mark_ended(&ended),
            Err(cause) => tracing::warn!(%cause, "ended sessions could not be looked at"),
        }
    }

    /// Asks the rows of the watched sessions: a lost signal must not keep a stream open.
    async fn look_at_watched(&self) {
        let watched: Vec<(MemberId, SessionId)> = {
            let mut watched = self.watched();
            watched.retain(|_, w| w.ended.receiver_count() > 0);
            watched.iter().map(|(session, w)| (w.member, *session)).collect()
        };
        if watched.is_empty() {
            return;
        }
        match read!(self.pool, |conn| store::open(conn, &watched, self.clock.now()).await) {
            Ok(open) => {
                let ended: Vec<SessionId> = watched.into_iter().map(|(_, s)| s).filter(|s| !open.contains(s)).collect();
                self.mark_ended(&ended);
            }
            // The next look tells; nothing can be read from a database that is away.
            Err(cause) => tracing::warn!(%cause, "open sessions could not be looked at"),
        }
    }

    fn hears(&self) -> bool {
        self.bus.silent_for().is_some_and(|silence| silence <= SILENCE_MAX)
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<SessionId, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells every node that sessions have ended, when the transaction commits.
pub fn signal_ended(tx: &mut Tx, member: MemberId, sessions: &[SessionId]) {
    for some in sessions.chunks(IDS_PER_SIGNAL) {
        let data: Vec<String> = some.iter().map(|s| s.0.simple().to_string()).collect();
        tx.signal(TOPIC, member.0, &data.join(","));
    }
}

fn read(data: &str) -> Vec<SessionId> {
    data.split(',').filter_map(|id| Uuid::parse_str(id).ok()).map(SessionId).collect()
}
