//! Signals between nodes, over LISTEN and NOTIFY. A signal only wakes: the rows are the truth, and one may be lost.
//!
//! A NOTIFY in a transaction makes all commits of the database wait for one another. So transactions hand their signals over when they
//! are committed, and a node sends what it gathered in some milliseconds as one statement, on a connection of its own.

use crate::error::Result;
use sqlx::{
    Connection, PgConnection,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{broadcast, mpsc, watch},
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const CHANNEL: &str = "goodturn";
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// Nothing was heard for several beats: the connection is deaf, whatever it says of itself.
const DEAF_AFTER: Duration = Duration::from_millis(3500);
const CONNECTED_WITHIN: Duration = Duration::from_secs(2);
const SAID_WITHIN: Duration = Duration::from_secs(2);
const RECONNECT_AFTER: Duration = Duration::from_millis(250);
const GATHERED_FOR: Duration = Duration::from_millis(3);
/// Signals that wait to be sent. What does not fit is lost, as any signal may be.
const UNSAID_MAX: usize = 10_000;
/// What one payload holds; Postgres takes 8,000 bytes.
const PAYLOAD_BYTES_MAX: usize = 7_000;
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

/// Says and hears the signals of all nodes.
#[derive(Clone)]
pub struct Bus {
    heard: broadcast::Sender<Signal>,
    heard_at: Arc<Mutex<Option<Instant>>>,
    unsaid: mpsc::Sender<String>,
    /// How many signals were handed over; and how many of them were sent.
    handed: Arc<AtomicU64>,
    sent: Arc<watch::Sender<u64>>,
}

/// What is on its way to Postgres.
#[derive(Default)]
struct Unsent {
    payloads: Vec<String>,
    signals: u64,
}

impl Bus {
    /// Starts to listen and to speak, until `stop`. Connects again for as long as the database is away.
    pub fn start(options: PgConnectOptions, stop: CancellationToken) -> Self {
        let (unsaid, gathered) = mpsc::channel(UNSAID_MAX);
        let (handed, sent) = (Arc::default(), Arc::new(watch::Sender::new(0)));
        let bus = Self { heard: broadcast::channel(BACKLOG).0, heard_at: Arc::default(), unsaid, handed, sent: sent.clone() };
        tokio::spawn(stop.clone().run_until_cancelled_owned(bus.clone().listen_always(options.clone())));
        tokio::spawn(stop.run_until_cancelled_owned(speak_always(options, gathered, sent)));
        bus
    }

    /// Signals from now on. A slow receiver is told by the channel that it lagged, which means `Lost`.
    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.heard.subscribe()
    }

    /// How long nothing was heard, not even a beat; `None` when nothing ever was.
    pub fn silent_for(&self) -> Option<Duration> {
        self.heard_at.lock().unwrap_or_else(PoisonError::into_inner).map(|at| at.elapsed())
    }

    /// Says something to every node, soon. Transactions do so by `Tx::signal`, when they are committed.
    pub fn say(&self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            if self.unsaid.try_send(line).is_err() {
                tracing::warn!("a signal is lost: too many wait, or the node stops");
                return;
            }
            self.handed.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Waits until all that was said is sent: a program that ends now would take it along. Whether it was.
    pub async fn flush(&self, within: Duration) -> bool {
        let handed = self.handed.load(Ordering::Acquire);
        let mut sent = self.sent.subscribe();
        matches!(timeout(within, sent.wait_for(|sent| *sent >= handed)).await, Ok(Ok(_)))
    }

    async fn listen_always(self, options: PgConnectOptions) {
        loop {
            if let Err(cause) = self.listen(&options).await {
                tracing::warn!(%cause, "signals are not heard");
            }
            let _ = self.heard.send(Signal::Lost);
            tokio::time::sleep(RECONNECT_AFTER).await;
        }
    }

    async fn listen(&self, options: &PgConnectOptions) -> anyhow::Result<()> {
        // The listener takes a pool; of one connection, which is never given back to be asked how it is.
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(CONNECTED_WITHIN).connect_lazy_with(options.clone());
        let mut listener = timeout(CONNECTED_WITHIN, async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            Ok::<_, sqlx::Error>(listener)
        })
        .await??;
        let _ = self.heard.send(Signal::Lost);
        while let Some(notice) = timeout(DEAF_AFTER, listener.try_recv()).await?? {
            *self.heard_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            for signal in notice.payload().lines().filter_map(read) {
                let _ = self.heard.send(signal);
            }
        }
        anyhow::bail!("the connection was closed")
    }
}

/// Sends what was gathered, and a beat when there is nothing.
async fn speak_always(options: PgConnectOptions, mut gathered: mpsc::Receiver<String>, sent: Arc<watch::Sender<u64>>) {
    let mut unsent = Unsent::default();
    loop {
        match timeout(CONNECTED_WITHIN, PgConnection::connect_with(&options)).await {
            Ok(Ok(mut connection)) => {
                let cause = speak(&mut connection, &mut gathered, &mut unsent, &sent).await;
                tracing::warn!(%cause, "signals are not sent");
            }
            Ok(Err(cause)) => tracing::warn!(%cause, "signals are not sent"),
            Err(_) => tracing::warn!("signals are not sent: no connection in time"),
        }
        tokio::time::sleep(RECONNECT_AFTER).await;
    }
}

/// Speaks for as long as the connection does; why it ended. What was not sent by then stays in `unsent`.
async fn speak(
    connection: &mut PgConnection,
    gathered: &mut mpsc::Receiver<String>,
    unsent: &mut Unsent,
    sent: &watch::Sender<u64>,
) -> anyhow::Error {
    loop {
        if unsent.payloads.is_empty() {
            gather(gathered, unsent).await;
        }
        match timeout(SAID_WITHIN, notify(connection, &unsent.payloads)).await {
            Ok(Ok(())) => {
                sent.send_modify(|n| *n += unsent.signals);
                *unsent = Unsent::default();
            }
            Ok(Err(cause)) => return anyhow::anyhow!(cause),
            Err(late) => return late.into(),
        }
    }
}

/// Waits for the first signal, at most until the next beat, and takes along what comes right after it.
async fn gather(gathered: &mut mpsc::Receiver<String>, Unsent { payloads, signals }: &mut Unsent) {
    let mut payload = String::new();
    if let Ok(Some(first)) = timeout(BEAT_EVERY, gathered.recv()).await {
        payload.push_str(&first);
        *signals += 1;
        tokio::time::sleep(GATHERED_FOR).await;
        while let Ok(next) = gathered.try_recv() {
            if payload.len() + next.len() >= PAYLOAD_BYTES_MAX {
                payloads.push(std::mem::take(&mut payload));
            } else {
                payload.push('\n');
            }
            payload.push_str(&next);
            *signals += 1;
        }
    }
    payloads.push(payload);
}

async fn notify(connection: &mut PgConnection, payloads: &[String]) -> Result<()> {
    sqlx::query!("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS p (payload)", CHANNEL, payloads).execute(connection).await?;
    Ok(())
}

fn read(line: &str) -> Option<Signal> {
    let mut parts = line.splitn(3, ' ');
    let (topic, key, data) = (parts.next()?, parts.next()?, parts.next()?);
    let key = Uuid::parse_str(key).ok()?;
    Some(Signal::About { topic: topic.to_owned(), key, data: data.to_owned() })
}
