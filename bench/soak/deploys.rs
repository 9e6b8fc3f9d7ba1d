//! Rows 10 and 40: a node is told to stop under load; two versions, and two nodes at once, on one database.

use crate::{
    calls::{HttpCall, Rest},
    ground::{Ground, number},
    http2,
    node::Node,
    people::Signer,
    table::Row,
    traffic::{self, Traffic, circles, favors, news},
};
use anyhow::{Context, Result};
use bytes::Bytes;
use reqwest::{Method, header::HeaderMap};
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    net::TcpStream,
    task::JoinHandle,
    time::{Instant, sleep},
};

const GRPC: usize = 64;
const REST: usize = 16;
/// Between the calls of one caller: busy, but no overload.
const PAUSE: Duration = Duration::from_millis(25);
/// How long the node serves on after it said that it is not ready, in seconds.
const DELAY_S: u64 = 2;
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// As a later release would leave it: a migration that this program does not know, and what it added.
const NEWER: &[&str] = &[
    "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'newer', true, '\\x00', 1)",
    "INSERT INTO graphile_worker.migrations (id) VALUES (9999)",
    "ALTER TABLE members ADD COLUMN newer text",
    "ALTER TABLE favors ADD COLUMN newer text NOT NULL DEFAULT 'newer'",
    "ALTER TABLE notifications ADD COLUMN newer jsonb",
];
const SLOW: &[&str] = &[
    "CREATE SEQUENCE soak_ddl",
    "CREATE EVENT TRIGGER soak_ddl ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION soak_ddl()",
];
const MIGRATIONS: &str = "SELECT count(*) FROM _sqlx_migrations WHERE success AND version <> 9999 LIMIT 1";
const TWICE: &str = "SELECT count(*) - count(DISTINCT version) + count(*) FILTER (WHERE NOT success) FROM _sqlx_migrations LIMIT 1";

/// Row 10.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn told_to_stop(ground: &mut Ground) -> Result<Row> {
    let mut row = Row::new(
        10,
        format!("SIGTERM under {GRPC} gRPC and {REST} REST callers, {DELAY_S} s until the port closes"),
        "0 failed calls among those begun before the port closed; exit 0 < 10 s after that; GOAWAY seen",
    );
    let delay = DELAY_S.to_string();
    let (_, mut node, signers) = ground.node("row10", &[("GOODTURN_DRAIN_DELAY_S", &delay)], 16).await?;
    let mut traffic = Traffic::start(favors(&node, &signers, GRPC).await?, PAUSE);
    traffic.add(rests(&node, &signers)?, PAUSE);
    sleep(ground.time(Duration::from_secs(5), Duration::from_secs(2))).await;
    let (goaway, door) = (tokio::spawn(http2::goaway_comes(node.address)), last_open(node.address));
    sleep(Duration::from_millis(300)).await;

    let told = Instant::now();
    node.signal(Signal::TERM);
    let status = node.end(Duration::from_secs(40)).await?;
    let took = told.elapsed();
    let open_until = door.await?;
    let done = traffic.stop().await?;
    // Who comes after the port is closed finds nobody; whatever else fails was begun.
    let excused = |d: &traffic::Done| d.answer.as_ref().is_err_and(|r| r.at_door) && d.ended() > open_until;
    let failed: Vec<_> = done.iter().filter(|d| d.answer.is_err() && !excused(d)).cloned().collect();
    let well = done.iter().filter(|d| d.answer.is_ok()).count();
    let after = done.iter().filter(|d| d.answer.is_ok() && d.began > told).count();
    row.check(
        failed.is_empty() && after > 0,
        format!("{} failed of {well}, {after} of them begun after the signal {}", failed.len(), traffic::first_failure(&failed)),
    );
    let open_for = open_until.saturating_duration_since(told);
    row.check(
        open_for + Duration::from_millis(200) > Duration::from_secs(DELAY_S),
        format!("port open {} ms longer", open_for.as_millis()),
    );
    row.check(
        status.success() && took < ENDS_WITHIN + Duration::from_secs(DELAY_S),
        format!("{status} {} ms after the signal", took.as_millis()),
    );
    let seen = goaway.await??;
    row.check(seen, if seen { "GOAWAY seen" } else { "no GOAWAY" });
    Ok(row)
}

fn rests(node: &Node, signers: &[Signer]) -> Result<Vec<Rest>> {
    let calls = signers.iter().map(|s| {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", format!("Bearer {}", s.token).parse()?);
        let url = format!("{}/favor/active", node.url).parse()?;
        Ok(HttpCall { method: Method::GET, url, headers, body: Bytes::new(), bytes_min: 2 })
    });
    let calls: Arc<[HttpCall]> = calls.collect::<Result<Vec<_>>>()?.into();
    (0..REST).map(|n| Rest::new(n, &calls)).collect()
}

/// When the port was last found open.
fn last_open(address: SocketAddr) -> JoinHandle<Instant> {
    tokio::spawn(async move {
        let mut last = Instant::now();
        while TcpStream::connect(address).await.is_ok() {
            last = Instant::now();
            sleep(Duration::from_millis(3)).await;
        }
        last
    })
}

/// Row 40.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn two_versions(ground: &mut Ground) -> Result<Row> {
    let held = ground.time(Duration::from_secs(30), Duration::from_secs(12));
    let mut row = Row::new(
        40,
        format!(
            "the schema becomes a newer one under load, and a second node starts on it; two nodes start at once on an empty database \
             while a statement of a migration takes {} s, longer than statement_timeout (there was no release before)",
            held.as_secs()
        ),
        "0 errors; both start; each migration applied once",
    );
    let migrations = newer_schema(ground, &mut row).await?;
    at_once(ground, &mut row, held, migrations).await?;
    Ok(row)
}

/// How many migrations this program has.
async fn newer_schema(ground: &Ground, row: &mut Row) -> Result<i64> {
    let lasting = ground.time(Duration::from_secs(5), Duration::from_secs(1));
    let (database, node, signers) = ground.node("row40", &[], 8).await?;
    let mut traffic = Traffic::start(favors(&node, &signers, 8).await?, Duration::from_millis(1));
    traffic.add(circles(&node, &signers, 4).await?, Duration::from_millis(1));
    sleep(lasting).await;
    let mut conn = PgConnection::connect(&database).await?;
    for sql in NEWER {
        conn.execute(*sql).await?;
    }
    let second = Node::start(&ground.dir("row40"), &database, &[]).await.context("the second node, on the newer schema")?;
    traffic.add(favors(&second, &signers, 4).await?, Duration::from_millis(1));
    traffic.add(news(&second, &signers, 4).await?, Duration::from_millis(1));
    sleep(lasting).await;
    let done = traffic.stop().await?;
    let failed = done.iter().filter(|d| d.answer.is_err()).count();
    row.check(failed == 0, format!("newer schema: {failed} errors of {} calls {}", done.len(), traffic::first_failure(&done)));
    number(&mut conn, MIGRATIONS).await
}

async fn at_once(ground: &Ground, row: &mut Row, held: Duration, migrations: i64) -> Result<()> {
    let database = ground.database("row40_empty").await?;
    let mut conn = PgConnection::connect(&database).await?;
    let function = format!(
        "CREATE FUNCTION soak_ddl() RETURNS event_trigger LANGUAGE plpgsql AS
         $$ BEGIN IF nextval('public.soak_ddl') = 3 THEN PERFORM pg_sleep({}); END IF; END $$",
        held.as_secs()
    );
    conn.execute(AssertSqlSafe(function)).await?;
    for sql in SLOW {
        conn.execute(*sql).await?;
    }
    let dir = ground.dir("row40");
    let (mut one, mut other) = (Node::begin(&dir, &database, &[])?, Node::begin(&dir, &database, &[])?);
    let started = tokio::try_join!(one.ready(), other.ready());
    match started {
        Ok((a, b)) => row.check(a.max(b) >= held, format!("both nodes ready after {:.1} and {:.1} s", a.as_secs_f64(), b.as_secs_f64())),
        Err(cause) => row.check(false, format!("{cause:#}")),
    }
    let (applied, twice) = (number(&mut conn, MIGRATIONS).await?, number(&mut conn, TWICE).await?);
    row.check(applied == migrations && twice == 0, format!("{applied} of {migrations} migrations applied, {twice} twice or not well"));
    Ok(())
}
