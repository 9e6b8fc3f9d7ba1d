//! The closed loop: so many callers at once, each calling again as soon as it was answered, for a time.

use crate::usage;
use anyhow::{Context, Result, ensure};
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
    let (server, caller, postgres) = (usage::cpu_s(watched.server), usage::own_cpu_s(), watched.postgres.map(usage::family_cpu_s));
    let began = Instant::now();
    phase.set(Phase::COUNTING);
    tokio::time::sleep(lasting).await;
    phase.set(Phase::OVER);
    let elapsed_s = began.elapsed().as_secs_f64();
    let (server_s, caller_s) = (usage::cpu_s(watched.server) - server, usage::own_cpu_s() - caller);
    let postgres_s = watched.postgres.map(usage::family_cpu_s).zip(postgres).map(|(after, before)| after - before);
    let memory_mb = Some(usage::memory_mb(watched.server));

    let mut all = Done::default();
    for task in tasks {
        let done = task.await.context("a caller ended")??;
        all.times.extend(done.times);
        all.refused += done.refused;
    }
    let figures = Figures { memory_mb, refused: all.refused, ..summary(all.times, elapsed_s) };
    let calls = figures.rate * elapsed_s;
    ensure!(calls > 0.0, "no call was answered");
    let a_call = |seconds: f64| seconds * 1e3 / calls;
    Ok(Figures { server_ms: Some(a_call(server_s)), caller_ms: Some(a_call(caller_s)), postgres_ms: postgres_s.map(a_call), ..figures })
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
