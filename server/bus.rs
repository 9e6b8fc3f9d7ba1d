//! Signals between nodes, over LISTEN and NOTIFY. A signal only wakes: the rows are the truth, and one may be lost.

use crate::error::Result;
use sqlx::{PgConnection, PgPool, postgres::PgListener};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const CHANNEL: &str = "goodturn";
const BEAT_EVERY: Duration = Duration::from_secs(1);
const RECONNECT_AFTER: Duration = Duration::from_millis(250);
const BACKLOG: usize = 4096;

/// What was said, to every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Something about one member, session or thing.
    About {
        /// What kind of signal; each area has its own words.
        topic: String,
        /// Whom or what it is about.
        key: Uuid,
        /// More, if the topic has it.
        data: String,
    },
    /// Signals may have been lost: look at the rows.
    Lost,
}

/// Hears the signals of all nodes.
#[derive(Clone)]
pub struct Bus {
    sender: broadcast::Sender<Signal>,
    heard: Arc<Mutex<Option<Instant>>>,
}

impl Bus {
    /// Starts to listen, until `stop`. Connects again for as long as the database is away.
    pub fn start(pool: PgPool, stop: CancellationToken) -> Self {
        let bus = Self { sender: broadcast::channel(BACKLOG).0, heard: Arc::default() };
        tokio::spawn(bus.clone().run(pool.clone(), stop.clone()));
        tokio::spawn(beat(pool, stop));
        bus
    }

    /// Signals from now on. A slow receiver is told by the channel that it lagged, which means `Lost`.
    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.sender.subscribe()
    }

    /// How long nothing was heard, not even a beat; `None` when nothing ever was.
    pub fn silent_for(&self) -> Option<Duration> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).map(|at| at.elapsed())
    }

    async fn run(self, pool: PgPool, stop: CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => return,
                result = self.listen(&pool) => if let Err(cause) = result {
                    tracing::warn!(%cause, "signals are not heard");
                },
            }
            let _ = self.sender.send(Signal::Lost);
            tokio::time::sleep(RECONNECT_AFTER).await;
        }
    }

    async fn listen(&self, pool: &PgPool) -> sqlx::Result<()> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        let _ = self.sender.send(Signal::Lost);
        while let Some(notice) = listener.try_recv().await? {
            *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            if let Some(signal) = read(notice.payload()) {
                let _ = self.sender.send(signal);
            }
        }
        Ok(())
    }
}

/// Says something to every node when the transaction commits; a roll-back takes it back. `data` is at most some hundred bytes.
///
/// # Errors
/// As the database.
pub async fn signal(conn: &mut PgConnection, topic: &str, key: Uuid, data: &str) -> Result<()> {
    signal_all(conn, topic, &[key], data).await
}

/// Says the same about many, in one statement.
///
/// # Errors
/// As the database.
pub async fn signal_all(conn: &mut PgConnection, topic: &str, keys: &[Uuid], data: &str) -> Result<()> {
    let payloads: Vec<String> = keys.iter().map(|key| format!("{topic} {key} {data}")).collect();
    sqlx::query!("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS p (payload)", CHANNEL, &payloads).execute(conn).await?;
    Ok(())
}

async fn beat(pool: PgPool, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BEAT_EVERY) => {
                // A failure shows as silence, which is what listeners look at.
                let _ = sqlx::query!("SELECT pg_notify($1, '')", CHANNEL).execute(&pool).await;
            }
        }
    }
}

fn read(payload: &str) -> Option<Signal> {
    let mut parts = payload.splitn(3, ' ');
    let (topic, key, data) = (parts.next()?, parts.next()?, parts.next()?);
    let key = Uuid::parse_str(key).ok()?;
    Some(Signal::About { topic: topic.to_owned(), key, data: data.to_owned() })
}
