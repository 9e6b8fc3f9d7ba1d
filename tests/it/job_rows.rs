//! The rows of jobs: as the library would write them, cheap to count however many wait, and forgotten when they are long dead.

use crate::{
    harness::{START, TestServer, until},
    jobs::{Ground, LATER, greeting},
};
use goodturn::{
    clock::Clock,
    db,
    error::Result,
    jobs::{self, Class, Counts, Dead, Handler, Job, Queue, Sweep},
    transact,
};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection, Row, postgres::PgListener};
use std::sync::Arc;
use time::Duration;
use tokio_util::sync::CancellationToken;

/// All of a job's row but what makes it another row.
async fn row(conn: &mut PgConnection, key: &str) -> Value {
    sqlx::query_scalar(
        "SELECT to_jsonb(j) - 'id' - 'key' - 'created_at' - 'updated_at' - 'run_at'
             || jsonb_build_object('due_in', (j.run_at - now())::text, 'touched', j.updated_at = now())
         FROM graphile_worker._private_jobs AS j
         WHERE key = $1
         LIMIT 1",
    )
    .bind(key)
    .fetch_one(conn)
    .await
    .unwrap()
}

/// Rows that have lost their key, in order of their payload.
async fn keyless(conn: &mut PgConnection, locked: bool) -> Vec<Value> {
    sqlx::query_scalar(
        "SELECT to_jsonb(j) - 'id' - 'created_at' - 'updated_at' - 'run_at' - 'locked_at' - 'payload'
             || jsonb_build_object('retired', EXISTS (SELECT 1 FROM graphile_worker._private_job_retirements AS r WHERE r.id = j.id))
         FROM graphile_worker._private_jobs AS j
         WHERE key IS NULL AND (locked_at IS NOT NULL) = $1
         ORDER BY id
         LIMIT 10",
    )
    .bind(locked)
    .fetch_all(conn)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_row_is_what_the_library_would_have_written() {
    let ground = Ground::new().await;
    // The function that is followed is of this revision: read the next one before this number is changed.
    assert_eq!(graphile_worker_migrations::sql::GRAPHILE_WORKER_MIGRATIONS.len(), 22);
    // Each step is done to both: nothing yet, one that waits, one that has begun, and one that is dead.
    let states = [
        "SELECT 1",
        "UPDATE graphile_worker._private_jobs SET attempts = 3, last_error = 'x', priority = 9 WHERE key IS NOT NULL",
        "UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now(), locked_by = 'somebody' WHERE key IS NOT NULL",
        "UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'x' WHERE key IS NOT NULL",
    ];
    for (n, state) in states.into_iter().enumerate() {
        ground.database.connect().await.execute(state).await.unwrap();
        let after = if n % 2 == 0 { LATER } else { std::time::Duration::ZERO };
        let job = Job { key: Some("ours"), after, priority: 7, ..greeting(json!({ "n": n })) };
        let (ours, theirs) = transact!(ground.deps.pool, |tx| {
            jobs::enqueue(tx, &job).await?;
            sqlx::query(
                "SELECT graphile_worker.add_job('goodturn_mail', $1::json, run_at => now() + make_interval(secs => $2), max_attempts => $3, job_key => 'theirs', priority => 7)",
            )
            .bind(json!({ "task": "greet", "payload": { "n": n } }))
            .bind(after.as_secs_f64())
            .bind(jobs::ATTEMPTS_MAX)
            .execute(&mut **tx)
            .await?;
            Ok((row(tx, "greet/ours").await, row(tx, "theirs").await))
        })
        .unwrap();
        assert_eq!(ours, theirs, "{state}");
        assert_eq!((ours["payload"]["payload"]["n"].as_u64(), ours["priority"].as_i64()), (u64::try_from(n).ok(), Some(7)));
    }
    let mut beside = ground.database.connect().await;
    for locked in [true, false] {
        let replaced = keyless(&mut beside, locked).await;
        assert_eq!(replaced.len(), 2, "{replaced:?}");
        assert_eq!(replaced[0], replaced[1]);
        assert_eq!(replaced[0]["retired"], true);
    }
}

#[tokio::test]
async fn enqueueing_sends_no_notice_in_the_transaction() {
    let ground = Ground::new().await;
    let mut listener = PgListener::connect(ground.database.url()).await.unwrap();
    listener.listen("jobs:insert").await.unwrap();
    ground.enqueue(&greeting(json!({}))).await;
    ground.database.connect().await.execute("NOTIFY \"jobs:insert\", 'the test'").await.unwrap();
    assert_eq!(listener.recv().await.unwrap().payload(), "the test");
}

/// Does nothing.
struct Nothing(Class);

#[tonic::async_trait]
impl Handler for Nothing {
    fn class(&self) -> Class {
        self.0
    }

    fn task(&self) -> &'static str {
        "greet"
    }

    async fn run(&self, _: &Value) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Blocks of the jobs' table and its indexes that were read so far, by connections that are closed.
async fn blocks_read(ground: &Ground) -> i64 {
    let sql = "SELECT (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint
               FROM pg_statio_all_tables
               WHERE relid = 'graphile_worker._private_jobs'::regclass
               LIMIT 1";
    ground.database.connect().await.fetch_one(sql).await.unwrap().get(0)
}

#[tokio::test]
async fn a_hundred_thousand_waiting_jobs_are_not_read() {
    let ground = Ground::new().await;
    for class in [Class::Timers, Class::Mail] {
        ground.enqueue(&Job { after: LATER, ..Job::new(class, "greet", json!({})) }).await;
    }
    let many = "INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at)
                SELECT t.id, '{\"task\": \"greet\", \"payload\": {}}', now() + n * interval '1 minute'
                FROM graphile_worker._private_tasks AS t, generate_series(1, 50000) AS n";
    let mut beside = ground.database.connect().await;
    beside.execute(many).await.unwrap();
    beside.execute("VACUUM ANALYZE graphile_worker._private_jobs").await.unwrap();
    beside.close().await.unwrap();
    let in_use = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'goodturn%' LIMIT 1";
    let gone = async || ground.database.connect().await.fetch_one(in_use).await.unwrap().get::<i64, _>(0) == 0;
    let before = blocks_read(&ground).await;

    let (stop, queue) = (CancellationToken::new(), Queue { poll: std::time::Duration::from_millis(20), ..Queue::default() });
    let options = db::options(ground.database.url(), db::Bounds::default(), "goodturn jobs").unwrap();
    let handlers: Vec<Arc<dyn Handler>> = vec![Arc::new(Nothing(Class::Mail)), Arc::new(Nothing(Class::Timers))];
    let working = tokio::spawn(jobs::run(options, queue, ground.deps.bus.clone(), handlers, stop.clone()));
    for n in 0..10 {
        ground.enqueue(&greeting(json!({ "n": n }))).await;
        until("it is done", async || ground.counts(Class::Mail).await.ready + ground.counts(Class::Mail).await.running == 0).await;
        // One that waits is moved, as a timer is by each change of its thing.
        let moved = ("the timer of a thing".to_owned(), Job { after: LATER, ..Job::new(Class::Timers, "greet", json!({ "n": n })) });
        let done: Result<()> = transact!(ground.deps.pool, |tx| jobs::enqueue_all(tx, std::slice::from_ref(&moved)).await);
        done.unwrap();
    }
    let capped = Counts { waiting: jobs::COUNT_MAX, ..Counts::default() };
    assert_eq!((ground.counts(Class::Timers).await, ground.counts(Class::Mail).await), (capped, capped));
    stop.cancel();
    working.await.unwrap();
    // A backend tells what it read when it ends at the latest.
    ground.stop.cancel();
    ground.deps.pool.close();
    ground.deps.pool.drop_idle();
    until("the connections are closed", gone).await;
    let table: i64 = ground
        .database
        .connect()
        .await
        .fetch_one("SELECT pg_relation_size('graphile_worker._private_jobs') / current_setting('block_size')::int LIMIT 1")
        .await
        .unwrap()
        .get(0);
    let read = blocks_read(&ground).await - before;
    // Reading it for each look and each job would come to a hundred times the table.
    assert!(read < 5 * table, "{read} blocks were read, and the table has {table}");
}

#[tokio::test]
async fn dead_jobs_are_forgotten_after_thirty_days() {
    let ground = Ground::new().await;
    for key in ["dead long ago", "dead of late", "waits since long ago"] {
        ground.enqueue(&Job { key: Some(key), ..greeting(json!({})) }).await;
    }
    let mut beside = ground.database.connect().await;
    let age = |days: i64| START - Duration::days(days);
    for (key, at, attempts) in [("dead long ago", age(31), 10), ("dead of late", age(29), 10), ("waits since long ago", age(31), 9)] {
        let done = sqlx::query("UPDATE graphile_worker._private_jobs SET run_at = $2, attempts = $3 WHERE key = 'greet/' || $1")
            .bind(key)
            .bind(at)
            .bind(attempts)
            .execute(&mut beside)
            .await
            .unwrap();
        assert_eq!(done.rows_affected(), 1);
    }
    assert_eq!(Dead.sweep(&mut beside, START).await.unwrap(), 1);
    assert_eq!(Dead.sweep(&mut beside, START).await.unwrap(), 0);
    assert_eq!(ground.counts(Class::Mail).await, Counts { ready: 1, dead: 1, ..Counts::default() });
}

#[tokio::test]
async fn jobs_are_measured_by_class() {
    let server = TestServer::start_with(Clock::fixed(START), |c| c.metrics_listen = Some("127.0.0.1:0".parse().unwrap())).await;
    server.signs_up("ana@example.org", "Ana", "Silva").await;
    let url = format!("http://{}/metrics", server.node.metrics_address.unwrap());
    let wanted = [
        r#"goodturn_jobs_total{class="mail",task="send_registration_code",outcome="done"} 1"#,
        r#"goodturn_jobs{class="pictures",state="waiting"} 0"#,
        r#"goodturn_jobs{class="mail",state="dead"} 0"#,
    ];
    until("the metrics say so", async || {
        let told = reqwest::get(&url).await.unwrap().text().await.unwrap();
        wanted.iter().all(|line| told.lines().any(|l| l == *line))
    })
    .await;
    server.stop().await;
}
