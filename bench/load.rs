//! The closed loop: so many callers at once, each calling again as soon as it was answered, for a time.

use crate::usage;
use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};
use tonic::{Code, Status};

/// Calls before the count begins fill caches, pools and the branch predictors.
pub const WARM_UP: Duration = Duration::from_millis(700);
/// Of calls that are counted beforehand, so many are one that warms up.
pub const WARM_UP_PART: usize = 5;

/// Makes one call after the other.
pub trait Caller: Send + 'static {
    /// One call, checked; how long the server took to answer it.
    fn call(&mut self) -> impl Future<Output = Result<Duration>> + Send;
}

/// The processes to watch.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// The server that is called.
    pub server: u32,
    /// The parent of all Postgres processes; `None` when it runs elsewhere.
    pub postgres: Option<u32>,
}

/// What one run gave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Calls a second.
    pub rate: f64,
    /// Half of the calls took less, in milliseconds.
    pub p50_ms: f64,
    /// 99 of 100 calls took less, in milliseconds.
    pub p99_ms: f64,
    /// Processor time of the server for each call, in milliseconds; `None` where there is no server.
    pub server_ms: Option<f64>,
    /// Processor time of this program, which makes the calls and reads the answers, for each call, in milliseconds; `None` where it makes none.
    pub caller_ms: Option<f64>,
    /// Processor time of Postgres for each call, in milliseconds; `None` where it is not used, or runs elsewhere.
    pub postgres_ms: Option<f64>,
    /// Resident memory of the server at the end, in MB; `None` where there is no server.
    pub memory_mb: Option<f64>,
    /// How often a call was turned away as overloaded, and came again at once.
    pub refused: usize,
}

#[derive(Default)]
struct Phase(AtomicU8);

impl Phase {
    const COUNTING: u8 = 1;
    const OVER: u8 = 2;

    fn set(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }

    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Relaxed) == phase
    }
}

/// Loads a server with these callers, one task each, and measures.
///
/// # Errors
/// When any call failed, but for an overload; when none was answered.
pub async fn run<C: Caller>(watched: Watched, callers: Vec<C>, lasting: Duration) -> Result<Figures> {
    let phase = Arc::new(Phase::default());
    let tasks: Vec<_> = callers.into_iter().map(|caller| tokio::spawn(work(caller, phase.clone()))).collect();
    tokio::time::sleep(WARM_UP).await;
    let meter = Meter::begin(watched);
    phase.set(Phase::COUNTING);
    tokio::time::sleep(lasting).await;
    phase.set(Phase::OVER);
    let used = meter.end();

    let mut all = Done::default();
    for task in tasks {
        let done = task.await.context("a caller ended")??;
        all.times.extend(done.times);
        all.refused += done.refused;
    }
    Ok(Figures { refused: all.refused, ..used.figures(all.times)? })
}

/// The same for calls that use up what they are about: each caller makes so many, and before that a fifth as many that do not count.
///
/// # Errors
/// When any call failed, but for an overload.
pub async fn run_off<C: Caller>(watched: Watched, callers: Vec<C>, each: usize) -> Result<Figures> {
    let (callers, _) = make(callers, each / WARM_UP_PART).await?;
    let meter = Meter::begin(watched);
    let (_, done) = make(callers, each - each / WARM_UP_PART).await?;
    Ok(Figures { refused: done.refused, ..meter.read(done.times)? })
}

/// So many calls of each, and what became of them.
async fn make<C: Caller>(callers: Vec<C>, each: usize) -> Result<(Vec<C>, Done)> {
    let done = try_join_all(callers.into_iter().map(|caller| calls(caller, each))).await?;
    let (callers, done): (Vec<C>, Vec<Done>) = done.into_iter().unzip();
    let refused = done.iter().map(|d| d.refused).sum();
    Ok((callers, Done { times: done.into_iter().flat_map(|d| d.times).collect(), refused }))
}

async fn calls<C: Caller>(mut caller: C, each: usize) -> Result<(C, Done)> {
    let mut done = Done::default();
    for _ in 0..each {
        match caller.call().await {
            Ok(took) => done.times.push(took),
            Err(why) if is_overload(&why) => done.refused += 1,
            Err(why) => return Err(why),
        }
    }
    Ok((caller, done))
}

/// What is used from one moment to another.
pub struct Meter {
    watched: Watched,
    server_s: f64,
    caller_s: f64,
    postgres_s: Option<f64>,
    began: Instant,
}

struct Used {
    elapsed_s: f64,
    server_s: f64,
    caller_s: f64,
    postgres_s: Option<f64>,
    memory_mb: f64,
}

impl Meter {
    /// From now on.
    pub fn begin(watched: Watched) -> Self {
        Self {
            watched,
            server_s: usage::cpu_s(watched.server),
            caller_s: usage::own_cpu_s(),
            postgres_s: watched.postgres.map(usage::family_cpu_s),
            began: Instant::now(),
        }
    }

    fn end(self) -> Used {
        let postgres_s = self.watched.postgres.map(usage::family_cpu_s);
        Used {
            elapsed_s: self.began.elapsed().as_secs_f64(),
            server_s: usage::cpu_s(self.watched.server) - self.server_s,
            caller_s: usage::own_cpu_s() - self.caller_s,
            postgres_s: postgres_s.zip(self.postgres_s).map(|(after, before)| after - before),
            memory_mb: usage::memory_mb(self.watched.server),
        }
    }

    /// What the calls that took these times used, from the begin until now.
    ///
    /// # Errors
    /// When there was none.
    pub fn read(self, times: Vec<Duration>) -> Result<Figures> {
        self.end().figures(times)
    }
}

impl Used {
    fn figures(self, times: Vec<Duration>) -> Result<Figures> {
        ensure!(!times.is_empty(), "no call was answered");
        let calls = times.len() as f64;
        let a_call = |seconds: f64| seconds * 1e3 / calls;
        Ok(Figures {
            server_ms: Some(a_call(self.server_s)),
            caller_ms: Some(a_call(self.caller_s)),
            postgres_ms: self.postgres_s.map(a_call),
            memory_mb: Some(self.memory_mb),
            ..summary(times, self.elapsed_s)
        })
    }
}

#[derive(Default)]
struct Done {
    times: Vec<Duration>,
    refused: usize,
}

async fn work(mut caller: impl Caller, phase: Arc<Phase>) -> Result<Done> {
    let mut done = Done::default();
    while !phase.is(Phase::OVER) {
        match caller.call().await {
            Ok(took) if phase.is(Phase::COUNTING) => done.times.push(took),
            Ok(_) => {}
            Err(why) if is_overload(&why) => done.refused += usize::from(phase.is(Phase::COUNTING)),
            Err(why) => return Err(why),
        }
    }
    Ok(done)
}

/// On a machine that has other things to do as well, more callers than the database has connections may be too many.
fn is_overload(why: &anyhow::Error) -> bool {
    why.downcast_ref::<Status>().is_some_and(|status| status.code() == Code::ResourceExhausted)
}

/// The rate and the percentiles of calls that were made within a time.
pub fn summary(mut times: Vec<Duration>, elapsed_s: f64) -> Figures {
    times.sort_unstable();
    let at = |percent: usize| {
        let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(index).map_or(f64::NAN, |t| t.as_secs_f64() * 1e3)
    };
    Figures { rate: times.len() as f64 / elapsed_s, p50_ms: at(50), p99_ms: at(99), ..Figures::default() }
}
