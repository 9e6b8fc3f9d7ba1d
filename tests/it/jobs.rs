//! Jobs: enqueued with the transaction, done once, tried again, and dead in the end.

use crate::harness::{Database, START};
use goodturn::{
    clock::Clock,
    db,
    error::Result,
    jobs::{self, Counts, Handler, Queue, Sweep},
};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{sync::Semaphore, sync::mpsc, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

const QUICK: Queue = Queue { poll: Duration::from_millis(50), beat: Duration::from_millis(100), dead_after: Duration::from_millis(500) };

/// Reports each payload that it is given, then waits for a permit, then succeeds or fails as the payload says.
struct Greet {
    given: mpsc::UnboundedSender<Value>,
    permits: Arc<Semaphore>,
}

#[tonic::async_trait]
impl Handler for Greet {
    fn task(&self) -> &'static str {
        "greet"
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        self.given.send(payload.clone())?;
        self.permits.acquire().await?.forget();
        anyhow::ensure!(payload["fail"] != true, "the sky is cloudy");
        Ok(())
    }
}

struct Worker {
    given: mpsc::UnboundedReceiver<Value>,
    permits: Arc<Semaphore>,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Worker {
    fn start(pool: &PgPool, permits: usize) -> Self {
        let (sender, given) = mpsc::unbounded_channel();
        let (permits, stop) = (Arc::new(Semaphore::new(permits)), CancellationToken::new());
        let handler = Arc::new(Greet { given: sender, permits: permits.clone() });
        let running = tokio::spawn(jobs::run(pool.clone(), QUICK, vec![handler], stop.clone()));
        Self { given, permits, stop, running }
    }

    async fn given(&mut self) -> Value {
        timeout(Duration::from_secs(20), self.given.recv()).await.expect("a job is done within 20 seconds").unwrap()
    }

    async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

fn pool(database: &Database) -> PgPool {
    db::pool(database.url(), db::Bounds::default()).unwrap()
}

async fn enqueue(pool: &PgPool, key: Option<&str>, payload: Value) {
    let mut tx = pool.begin().await.unwrap();
    jobs::enqueue(&mut tx, "greet", key, &payload).await.unwrap();
    tx.commit().await.unwrap();
}

async fn counts(pool: &PgPool) -> Counts {
    jobs::counts(&mut pool.acquire().await.unwrap()).await.unwrap()
}

async fn until(pool: &PgPool, wanted: Counts) {
    let reached = async {
        while counts(pool).await != wanted {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let reached = timeout(Duration::from_secs(20), reached).await;
    assert!(reached.is_ok(), "{:?} and not {wanted:?}", counts(pool).await);
}

#[tokio::test]
async fn a_job_exists_only_if_its_transaction_commits() {
    let database = Database::create().await;
    let pool = pool(&database);
    let mut tx = pool.begin().await.unwrap();
    jobs::enqueue(&mut tx, "greet", None, &json!({ "to": "nobody" })).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(counts(&pool).await, Counts::default());
    enqueue(&pool, None, json!({ "to": "ana" })).await;
    assert_eq!(counts(&pool).await, Counts { ready: 1, ..Counts::default() });
    let mut worker = Worker::start(&pool, 9);
    assert_eq!(worker.given().await, json!({ "to": "ana" }));
    until(&pool, Counts::default()).await;
    assert!(worker.given.try_recv().is_err());
}

#[tokio::test]
async fn a_key_names_one_job_that_has_not_begun() {
    let database = Database::create().await;
    let pool = pool(&database);
    enqueue(&pool, Some("ana"), json!({ "n": 1 })).await;
    enqueue(&pool, Some("ana"), json!({ "n": 2 })).await;
    assert_eq!(counts(&pool).await.ready, 1);
    let mut worker = Worker::start(&pool, 0);
    assert_eq!(worker.given().await, json!({ "n": 2 }));
    // This one has begun: the next is a job of its own.
    enqueue(&pool, Some("ana"), json!({ "n": 3 })).await;
    assert_eq!(worker.given().await, json!({ "n": 3 }));
    worker.permits.add_permits(2);
    until(&pool, Counts::default()).await;
}

#[tokio::test]
async fn a_failed_job_waits_and_is_tried_again_until_it_is_dead() {
    let database = Database::create().await;
    let pool = pool(&database);
    enqueue(&pool, None, json!({ "fail": true })).await;
    let mut worker = Worker::start(&pool, 99);
    worker.given().await;
    until(&pool, Counts { waiting: 1, ..Counts::default() }).await;
    let (attempts, wait_s): (i16, f64) =
        sqlx::query_as("SELECT attempts, extract(epoch FROM run_at - now())::float8 FROM graphile_worker._private_jobs")
            .fetch_one(&pool)
            .await
            .unwrap();
    assert!(attempts == 1 && wait_s > 1.0, "{attempts} {wait_s}");
    sqlx::query("UPDATE graphile_worker._private_jobs SET run_at = now(), attempts = $1")
        .bind(jobs::ATTEMPTS_MAX - 1)
        .execute(&pool)
        .await
        .unwrap();
    worker.given().await;
    until(&pool, Counts { dead: 1, ..Counts::default() }).await;
    let why: String = sqlx::query_scalar("SELECT last_error FROM graphile_worker._private_jobs").fetch_one(&pool).await.unwrap();
    assert!(why.contains("the sky is cloudy"), "{why}");
}

#[tokio::test]
async fn two_workers_do_each_job_once() {
    let database = Database::create().await;
    let (one, other) = (pool(&database), pool(&database));
    for n in 0..100 {
        enqueue(&one, None, json!({ "n": n })).await;
    }
    let (mut left, mut right) = (Worker::start(&one, 100), Worker::start(&other, 100));
    until(&one, Counts::default()).await;
    let mut done = Vec::new();
    for worker in [&mut left, &mut right] {
        while let Ok(payload) = worker.given.try_recv() {
            done.push(payload["n"].as_u64().unwrap());
        }
    }
    done.sort_unstable();
    assert_eq!(done, (0..100).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_worker_that_stops_finishes_the_job_in_hand() {
    let database = Database::create().await;
    let pool = pool(&database);
    enqueue(&pool, None, json!({})).await;
    let mut worker = Worker::start(&pool, 0);
    worker.given().await;
    worker.stop.cancel();
    worker.permits.add_permits(1);
    worker.stop().await;
    assert_eq!(counts(&pool).await, Counts::default());
}

#[tokio::test]
async fn the_job_of_a_worker_that_died_is_taken_over() {
    let database = Database::create().await;
    let pool = pool(&database);
    enqueue(&pool, None, json!({ "n": 1 })).await;
    // A runtime that goes away takes every task of the worker with it, as a kill does.
    let dying = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let url = database.url().to_owned();
    let mut worker = dying.spawn(async move { Worker::start(&db::pool(&url, db::Bounds::default()).unwrap(), 0) }).await.unwrap();
    worker.given().await;
    dying.shutdown_background();
    assert_eq!(counts(&pool).await.running, 1);
    let mut heir = Worker::start(&pool, 1);
    assert_eq!(heir.given().await, json!({ "n": 1 }));
    until(&pool, Counts::default()).await;
}

#[tokio::test]
async fn a_worker_outlives_its_connections() {
    let database = Database::create().await;
    let pool = pool(&database);
    let mut worker = Worker::start(&pool, 9);
    enqueue(&pool, None, json!({ "n": 1 })).await;
    worker.given().await;
    until(&pool, Counts::default()).await;
    let mut beside = database.connect().await;
    sqlx::query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .execute(&mut beside)
        .await
        .unwrap();
    jobs::enqueue(&mut beside, "greet", None, &json!({ "n": 2 })).await.unwrap();
    assert_eq!(worker.given().await, json!({ "n": 2 }));
    until(&pool, Counts::default()).await;
}

/// Pretends to delete, three rows in all.
struct Three(AtomicU64);

#[tonic::async_trait]
impl Sweep for Three {
    fn name(&self) -> &'static str {
        "three"
    }

    async fn sweep(&self, _: &mut PgConnection, _: time::OffsetDateTime) -> Result<u64> {
        Ok(u64::from(self.0.fetch_add(1, Ordering::SeqCst) < 3))
    }
}

#[tokio::test]
async fn a_sweep_goes_on_until_nothing_is_left() {
    let database = Database::create().await;
    let (stop, clock) = (CancellationToken::new(), Clock::fixed(START));
    let deps = database.deps(clock, &stop);
    let three = Arc::new(Three(AtomicU64::new(0)));
    let sweeping = tokio::spawn(jobs::run_sweeps(deps, vec![three.clone()], stop.clone()));
    let swept = async {
        while three.0.load(Ordering::SeqCst) < 4 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), swept).await.unwrap();
    stop.cancel();
    sweeping.await.unwrap();
    assert_eq!(three.0.load(Ordering::SeqCst), 4);
}
