//! Sweeps: they go on until nothing is left, and do not wait for one another.

use crate::{harness::until, jobs::Ground};
use goodturn::{
    error::Result,
    jobs::{self, Sweep},
};
use sqlx::{Executor, PgConnection};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Pretends to delete, so many times; then nothing is left.
struct Rounds {
    name: &'static str,
    left: u64,
    done: AtomicU64,
}

impl Rounds {
    fn new(name: &'static str, left: u64) -> Arc<Self> {
        Arc::new(Self { name, left, done: AtomicU64::new(0) })
    }

    fn done(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }
}

#[tonic::async_trait]
impl Sweep for Rounds {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn sweep(&self, _: &mut PgConnection, _: time::OffsetDateTime) -> Result<u64> {
        Ok(u64::from(self.done.fetch_add(1, Ordering::SeqCst) < self.left))
    }
}

#[tokio::test]
async fn a_sweep_goes_on_until_nothing_is_left() {
    let ground = Ground::new().await;
    let (many, few) = (Rounds::new("many", 250), Rounds::new("few", 3));
    let sweeping = tokio::spawn(jobs::run_sweeps(ground.deps.clone(), vec![many.clone(), few.clone()], ground.stop.clone()));
    until("the short one is through", async || few.done() == 4).await;
    assert!(many.done() < 250, "it waited for the long one");
    until("the long one is through", async || many.done() == 251).await;
    ground.stop.cancel();
    sweeping.await.unwrap();
    assert_eq!((many.done(), few.done()), (251, 4));
}

#[tokio::test]
async fn a_sweep_that_another_node_does_holds_up_no_other() {
    let ground = Ground::new().await;
    let mut other_node = ground.database.connect().await;
    other_node.execute("BEGIN").await.unwrap();
    other_node.execute("SELECT pg_advisory_xact_lock(x'600d7012'::int, hashtext('long'))").await.unwrap();
    let (long, short) = (Rounds::new("long", 3), Rounds::new("short", 3));
    let sweeping = tokio::spawn(jobs::run_sweeps(ground.deps.clone(), vec![long.clone(), short.clone()], ground.stop.clone()));
    until("the short one is through", async || short.done() == 4).await;
    ground.stop.cancel();
    sweeping.await.unwrap();
    assert_eq!(long.done(), 0);
}

#[tokio::test]
async fn a_sweep_without_end_gives_way_when_the_node_stops() {
    let ground = Ground::new().await;
    let endless = Rounds::new("endless", u64::MAX);
    let sweeping = tokio::spawn(jobs::run_sweeps(ground.deps.clone(), vec![endless.clone()], ground.stop.clone()));
    until("it sweeps", async || endless.done() > 3).await;
    ground.stop.cancel();
    sweeping.await.unwrap();
}
