//! Jobs: enqueued with the transaction, done once, tried again, and dead in the end; in classes that do not wait for each other.

use crate::harness::{Database, Proxy, START, until};
use goodturn::{
    clock::Clock,
    db,
    deps::Deps,
    error::Result,
    jobs::{self, Class, Counts, Handler, Job, Queue},
    read, transact,
};
use serde_json::{Value, json};
use sqlx::Executor;
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio::{
    sync::{Semaphore, mpsc},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

const QUICK: Queue = Queue { poll: Duration::from_millis(50), beat: Duration::from_millis(100), dead_after: Duration::from_millis(500) };
/// Looks by itself only after the test has failed: it must be woken.
const WOKEN: Queue = Queue { poll: Duration::from_secs(60), ..QUICK };

/// A job of the tests never comes so far.
pub const LATER: Duration = Duration::from_secs(864_000_000);

/// A database, and what services on it are given.
pub struct Ground {
    pub database: Database,
    pub deps: Deps,
    pub stop: CancellationToken,
}

impl Ground {
    pub async fn new() -> Self {
        let (database, stop) = (Database::create().await, CancellationToken::new());
        let deps = database.deps(Clock::fixed(START), &stop);
        Self { database, deps, stop }
    }

    pub async fn enqueue(&self, job: &Job<'_>) {
        self.try_enqueue(job).await.unwrap();
    }

    async fn try_enqueue(&self, job: &Job<'_>) -> Result<()> {
        transact!(self.deps.pool, |tx| jobs::enqueue(tx, job).await)
    }

    pub async fn counts(&self, class: Class) -> Counts {
        read!(self.deps.pool, |conn| jobs::counts(conn, class).await).unwrap()
    }

    async fn reaches(&self, class: Class, wanted: Counts) {
        until(&format!("{class:?} {wanted:?}"), async || self.counts(class).await == wanted).await;
    }

    async fn run(&self, sql: &'static str) {
        self.database.connect().await.execute(sql).await.unwrap();
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Reports each payload that it is given, then waits for a permit, then succeeds or fails as the payload says.
struct Greet {
    class: Class,
    given: mpsc::UnboundedSender<Value>,
    permits: Arc<Semaphore>,
}

#[tonic::async_trait]
impl Handler for Greet {
    fn class(&self) -> Class {
        self.class
    }

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

/// What one class is given, and how many of its jobs may end.
struct Lane {
    given: mpsc::UnboundedReceiver<Value>,
    permits: Arc<Semaphore>,
}

impl Lane {
    fn new(class: Class, permits: usize) -> (Self, Arc<dyn Handler>) {
        let (sender, given) = mpsc::unbounded_channel();
        let permits = Arc::new(Semaphore::new(permits));
        (Self { given, permits: permits.clone() }, Arc::new(Greet { class, given: sender, permits }))
    }

    async fn given(&mut self) -> Value {
        timeout(Duration::from_secs(20), self.given.recv()).await.expect("a job is done within 20 seconds").unwrap()
    }
}

/// The workers of a node with one handler, of mail.
struct Worker {
    mail: Lane,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Worker {
    fn start(ground: &Ground, permits: usize) -> Self {
        Self::on(ground.database.url(), ground, QUICK, permits)
    }

    fn on(url: &str, ground: &Ground, queue: Queue, permits: usize) -> Self {
        let (mail, handler) = Lane::new(Class::Mail, permits);
        let stop = CancellationToken::new();
        let running = tokio::spawn(work(url, ground, queue, vec![handler], stop.clone()));
        Self { mail, stop, running }
    }

    async fn given(&mut self) -> Value {
        self.mail.given().await
    }

    async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

fn work(
    url: &str,
    ground: &Ground,
    queue: Queue,
    handlers: Vec<Arc<dyn Handler>>,
    stop: CancellationToken,
) -> impl Future<Output = ()> + use<> {
    let options = db::options(url, db::Bounds::default(), "goodturn jobs").unwrap();
    jobs::run(options, queue, ground.deps.bus.clone(), handlers, stop)
}

/// A mail job that greets.
pub fn greeting(payload: Value) -> Job<'static> {
    Job::new(Class::Mail, "greet", payload)
}

#[tokio::test]
async fn a_job_exists_only_if_its_transaction_commits() {
    let ground = Ground::new().await;
    let rolled_back: Result<()> = transact!(ground.deps.pool, |tx| {
        jobs::enqueue(tx, &greeting(json!({ "to": "nobody" }))).await?;
        Err(goodturn::error::Error::not_found("nobody"))
    });
    assert!(rolled_back.is_err());
    assert_eq!(ground.counts(Class::Mail).await, Counts::default());
    ground.enqueue(&greeting(json!({ "to": "ana" }))).await;
    assert_eq!(ground.counts(Class::Mail).await, Counts { ready: 1, ..Counts::default() });
    let mut worker = Worker::start(&ground, 9);
    assert_eq!(worker.given().await, json!({ "to": "ana" }));
    ground.reaches(Class::Mail, Counts::default()).await;
    assert!(worker.mail.given.try_recv().is_err());
}

#[tokio::test]
async fn a_key_names_one_job_that_has_not_begun() {
    let ground = Ground::new().await;
    let numbered = |n: i32| Job { key: Some("ana"), ..greeting(json!({ "n": n, "fail": n == 2 })) };
    ground.enqueue(&numbered(1)).await;
    ground.enqueue(&numbered(2)).await;
    assert_eq!(ground.counts(Class::Mail).await.ready, 1);
    let mut worker = Worker::start(&ground, 0);
    assert_eq!(worker.given().await["n"], 2);
    // This one has begun: the next is a job of its own. It fails, and is not tried again.
    ground.enqueue(&numbered(3)).await;
    assert_eq!(worker.given().await["n"], 3);
    worker.mail.permits.add_permits(2);
    ground.reaches(Class::Mail, Counts::default()).await;
    // The same key of another task names another job.
    ground.enqueue(&Job { after: LATER, ..numbered(4) }).await;
    let other = Job { key: Some("ana"), after: LATER, ..Job::new(Class::Mail, "part", json!({})) };
    ground.enqueue(&other).await;
    assert_eq!(ground.counts(Class::Mail).await.waiting, 2);
}

#[tokio::test]
async fn a_failed_job_waits_and_is_tried_again_until_it_is_dead() {
    let ground = Ground::new().await;
    ground.enqueue(&greeting(json!({ "fail": true }))).await;
    let mut worker = Worker::start(&ground, 99);
    worker.given().await;
    ground.reaches(Class::Mail, Counts { waiting: 1, ..Counts::default() }).await;
    let mut beside = ground.database.connect().await;
    let (attempts, wait_s): (i16, f64) =
        sqlx::query_as("SELECT attempts, extract(epoch FROM run_at - now())::float8 FROM graphile_worker._private_jobs")
            .fetch_one(&mut beside)
            .await
            .unwrap();
    assert!(attempts == 1 && wait_s > 1.0, "{attempts} {wait_s}");
    sqlx::query("UPDATE graphile_worker._private_jobs SET run_at = now(), attempts = $1")
        .bind(jobs::ATTEMPTS_MAX - 1)
        .execute(&mut beside)
        .await
        .unwrap();
    worker.given().await;
    ground.reaches(Class::Mail, Counts { dead: 1, ..Counts::default() }).await;
    let why: String = sqlx::query_scalar("SELECT last_error FROM graphile_worker._private_jobs").fetch_one(&mut beside).await.unwrap();
    assert!(why.contains("the sky is cloudy"), "{why}");
}

#[tokio::test]
async fn a_job_is_done_when_its_time_comes_and_not_before() {
    let ground = Ground::new().await;
    let mut worker = Worker::on(ground.database.url(), &ground, WOKEN, 9);
    let in_a_second = "SELECT now() + interval '1 second'";
    let mut beside = ground.database.connect().await;
    let due: OffsetDateTime = sqlx::query_scalar(in_a_second).fetch_one(&mut beside).await.unwrap();
    ground.enqueue(&Job { after: Duration::from_secs(1), ..greeting(json!({ "n": 1 })) }).await;
    assert_eq!(ground.counts(Class::Mail).await, Counts { waiting: 1, ..Counts::default() });
    // The worker sees it when it looks for another reason.
    ground.enqueue(&greeting(json!({ "n": 0 }))).await;
    assert_eq!(worker.given().await["n"], 0);
    assert_eq!(worker.given().await["n"], 1);
    let now: OffsetDateTime = sqlx::query_scalar("SELECT now()").fetch_one(&mut beside).await.unwrap();
    assert!(now >= due, "{now} is before {due}");
}

#[tokio::test]
async fn the_lowest_number_of_priority_is_done_first() {
    let ground = Ground::new().await;
    let mut worker = Worker::start(&ground, 0);
    for _ in 0..Class::Mail.at_once() {
        ground.enqueue(&greeting(json!({}))).await;
        worker.given().await;
    }
    for priority in [5, 0, -5] {
        ground.enqueue(&Job { priority, ..greeting(json!({ "priority": priority })) }).await;
    }
    for priority in [-5, 0, 5] {
        worker.mail.permits.add_permits(1);
        assert_eq!(worker.given().await["priority"], priority);
    }
}

#[tokio::test]
async fn slow_pictures_hold_up_no_mail() {
    let ground = Ground::new().await;
    let ((mut mail, mails), (mut pictures, paints)) = (Lane::new(Class::Mail, 99), Lane::new(Class::Pictures, 0));
    let working = tokio::spawn(work(ground.database.url(), &ground, WOKEN, vec![mails, paints], ground.stop.clone()));
    for n in 0..20 {
        ground.enqueue(&Job::new(Class::Pictures, "greet", json!({ "n": n }))).await;
    }
    for _ in 0..Class::Pictures.at_once() {
        pictures.given().await;
    }
    ground.enqueue(&greeting(json!({ "code": true }))).await;
    assert_eq!(mail.given().await, json!({ "code": true }));
    ground.reaches(Class::Mail, Counts::default()).await;
    assert_eq!(ground.counts(Class::Pictures).await, Counts { ready: 18, running: 2, ..Counts::default() });
    assert!(pictures.given.try_recv().is_err(), "more than two at once");
    pictures.permits.add_permits(99);
    ground.reaches(Class::Pictures, Counts::default()).await;
    ground.stop.cancel();
    working.await.unwrap();
}

#[tokio::test]
async fn many_jobs_at_once_are_done_by_one_wake() {
    let ground = Ground::new().await;
    let mut worker = Worker::on(ground.database.url(), &ground, WOKEN, 200);
    ground.enqueue(&greeting(json!({ "n": 0 }))).await;
    worker.given().await;
    let all: Result<()> = transact!(ground.deps.pool, |tx| {
        for n in 1..=100 {
            jobs::enqueue(tx, &greeting(json!({ "n": n }))).await?;
        }
        Ok(())
    });
    all.unwrap();
    for _ in 1..=100 {
        worker.given().await;
    }
    ground.reaches(Class::Mail, Counts::default()).await;
}

#[tokio::test]
async fn two_workers_do_each_job_once() {
    let ground = Ground::new().await;
    for n in 0..100 {
        ground.enqueue(&greeting(json!({ "n": n }))).await;
    }
    let (mut left, mut right) = (Worker::start(&ground, 100), Worker::start(&ground, 100));
    ground.reaches(Class::Mail, Counts::default()).await;
    let mut done = Vec::new();
    for worker in [&mut left, &mut right] {
        while let Ok(payload) = worker.mail.given.try_recv() {
            done.push(payload["n"].as_u64().unwrap());
        }
    }
    done.sort_unstable();
    assert_eq!(done, (0..100).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_worker_that_stops_finishes_the_job_in_hand() {
    let ground = Ground::new().await;
    ground.enqueue(&greeting(json!({}))).await;
    let mut worker = Worker::start(&ground, 0);
    worker.given().await;
    worker.stop.cancel();
    worker.mail.permits.add_permits(1);
    worker.stop().await;
    assert_eq!(ground.counts(Class::Mail).await, Counts::default());
}

#[tokio::test]
async fn the_job_of_a_worker_that_died_is_taken_over() {
    let ground = Arc::new(Ground::new().await);
    ground.enqueue(&greeting(json!({ "n": 1 }))).await;
    // A runtime that goes away takes every task of the worker with it, as a kill does.
    let dying = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let shared = ground.clone();
    let mut worker = dying.spawn(async move { Worker::start(&shared, 0) }).await.unwrap();
    worker.given().await;
    dying.shutdown_background();
    assert_eq!(ground.counts(Class::Mail).await.running, 1);
    let mut heir = Worker::start(&ground, 1);
    assert_eq!(heir.given().await, json!({ "n": 1 }));
    ground.reaches(Class::Mail, Counts::default()).await;
}

#[tokio::test]
async fn a_worker_outlives_its_connections() {
    let ground = Ground::new().await;
    let mut worker = Worker::start(&ground, 9);
    ground.enqueue(&greeting(json!({ "n": 1 }))).await;
    worker.given().await;
    ground.reaches(Class::Mail, Counts::default()).await;
    ground
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .await;
    until("a job is enqueued", async || ground.try_enqueue(&greeting(json!({ "n": 2 }))).await.is_ok()).await;
    assert_eq!(worker.given().await, json!({ "n": 2 }));
    ground.reaches(Class::Mail, Counts::default()).await;
}

#[tokio::test]
async fn a_worker_whose_connections_fell_silent_begins_anew_and_takes_its_jobs_back() {
    let ground = Ground::new().await;
    let proxy = Proxy::to(ground.database.url()).await;
    let patient = Queue { dead_after: Duration::from_secs(3600), ..Queue::default() };
    let mut worker = Worker::on(&proxy.url(), &ground, patient, 0);
    ground.enqueue(&greeting(json!({ "n": 1 }))).await;
    worker.given().await;
    proxy.silence();
    let since = Instant::now();
    ground.enqueue(&greeting(json!({ "n": 2 }))).await;
    // The job in hand is not ended by this, nobody else waits for the old worker, and the new job is done too: perhaps by both workers,
    // for the old one may have taken it by a connection that was opened after the silence.
    let mut numbers = BTreeSet::new();
    while numbers.len() < 2 {
        numbers.insert(worker.given().await["n"].as_i64());
    }
    assert_eq!(numbers, [Some(1), Some(2)].into());
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
    worker.mail.permits.add_permits(9);
    ground.reaches(Class::Mail, Counts::default()).await;
}

#[tokio::test]
async fn a_worker_stops_in_time_though_everything_hangs() {
    let ground = Ground::new().await;
    let proxy = Proxy::to(ground.database.url()).await;
    let mut worker = Worker::on(&proxy.url(), &ground, Queue::default(), 0);
    ground.enqueue(&greeting(json!({}))).await;
    worker.given().await;
    proxy.swallow_all();
    let since = Instant::now();
    worker.stop().await;
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
}
