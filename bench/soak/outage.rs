//! Row 3: Postgres is away for a minute and comes back.

use crate::{
    calls::channel,
    ground::{Ground, number},
    node::Node,
    table::Row,
    traffic::{self, Done, Traffic, favors},
};
use anyhow::Result;
use sqlx::{Connection, PgConnection};
use std::time::Duration;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tonic::Code;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient};

const CALLERS: usize = 16;
const POOL: i64 = 16;
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(20);
const CONNECTIONS: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'goodturn' AND datname = current_database() LIMIT 1";

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let away = ground.time(Duration::from_secs(60), Duration::from_secs(4));
    let mut row = Row::new(
        3,
        format!("Postgres stopped for {} s under {CALLERS} callers, and started again on its data", away.as_secs()),
        "every call < 2 s and UNAVAILABLE; health NOT_SERVING < 2 s; /healthz up; connections ≤ pool; success < 1 s after Postgres accepts",
    );
    let (database, node, signers) = ground.node("row3", &[], 4).await?;
    let calls = Traffic::start(favors(&node, &signers, CALLERS).await?, Duration::from_millis(10));
    calls.during(Duration::from_secs(1)).await;

    let cut = Instant::now();
    let health = not_serving(&node, cut).await?;
    ground.postgres.stop().await?;
    let stopped = Instant::now();
    let (mut looks, mut alive) = (0, 0);
    while stopped.elapsed() < away {
        looks += 1;
        alive += u32::from(node.status("/healthz").await == Some(200));
        sleep(Duration::from_millis(200)).await;
    }
    let missed = calls.take();
    let again = Instant::now();
    let accepts = ground.postgres.accepts();
    ground.postgres.go_on().await?;
    let accepted = accepts.await?;
    sleep(Duration::from_secs(3)).await;
    let back = calls.take();
    let mut conn = PgConnection::connect(&database).await?;
    let connections = number(&mut conn, CONNECTIONS).await?;

    told(&mut row, &missed, stopped);
    let health = health.await?;
    row.check(health.is_some_and(|t| t < ANSWERED_WITHIN), format!("NOT_SERVING after {}", shown(health)));
    row.check(alive == looks, format!("/healthz up {alive} of {looks} times"));
    row.check(connections <= POOL, format!("{connections} connections after"));
    let first = back.iter().filter(|d| d.answer.is_ok() && d.began > again).map(Done::ended).min();
    let first = first.map(|t| t.saturating_duration_since(accepted));
    row.check(first.is_some_and(|t| t < Duration::from_secs(1)), format!("first success {} after Postgres accepted", shown(first)));
    drop(calls);
    Ok(row)
}

fn told(row: &mut Row, missed: &[Done], stopped: Instant) {
    let longest = traffic::longest(missed);
    row.check(longest < ANSWERED_WITHIN, format!("{} calls, the longest {} ms", missed.len(), longest.as_millis()));
    let away: Vec<Done> = missed.iter().filter(|d| d.began > stopped || d.answer.is_err()).cloned().collect();
    let unavailable = !away.is_empty() && away.iter().all(|d| d.code() == Code::Unavailable);
    row.check(unavailable, format!("answers while it was away: {}", traffic::tally(&away)));
}

/// Asks over gRPC until it says that it does not serve; how long that took. `None` when it never says so.
async fn not_serving(node: &Node, since: Instant) -> Result<JoinHandle<Option<Duration>>> {
    let mut client = HealthClient::new(channel(&node.url).await?);
    Ok(tokio::spawn(async move {
        let told = async {
            loop {
                let answer = client.check(HealthCheckRequest::default()).await;
                if answer.is_ok_and(|a| a.get_ref().status() == ServingStatus::NotServing) {
                    return since.elapsed();
                }
                sleep(LOOK_EVERY).await;
            }
        };
        timeout(Duration::from_secs(10), told).await.ok()
    }))
}

fn shown(time: Option<Duration>) -> String {
    time.map_or_else(|| "never".to_owned(), |t| format!("{} ms", t.as_millis()))
}
