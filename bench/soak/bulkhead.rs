//! Rows 4 and 41: a table is locked. Its calls end with their deadlines, and nobody else notices.

use crate::{
    ground::{Ground, number},
    node::Node,
    people::Signer,
    table::Row,
    traffic::{self, Deadlined, Done, LIST_ACTIVE, Traffic, good_clients, p99_ms},
};
use anyhow::Result;
use sqlx::{Connection, Executor, PgConnection};
use std::{ops::Range, time::Duration};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;
use tonic::Code;

const DEADLINE: Duration = Duration::from_secs(1);
/// The deadline, and what answering takes.
const ANSWERED_IN: Range<Duration> = Duration::from_millis(1000)..Duration::from_millis(1200);
const OTHERS_TIMES: f64 = 2.0;
const LOCK: &str = "LOCK TABLE favors IN ACCESS EXCLUSIVE MODE";
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'goodturn' AND wait_event_type = 'Lock' LIMIT 1";
const OLDEST_MS: &str = "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start) * 1000), 0)::bigint FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'goodturn' AND wait_event_type = 'Lock' LIMIT 1";

/// What was seen while the table was locked.
struct Seen {
    blocked: Vec<Done>,
    others: Vec<Done>,
    quiet: Vec<Done>,
    /// Until no statement waited for the lock any more, after the last call had ended.
    cancelled_after: Duration,
    /// The longest that a statement had waited, in milliseconds.
    oldest_ms: i64,
    /// How often the node was not ready, and how often it was asked.
    not_ready: (u32, u32),
}

/// Row 4.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn locked(ground: &mut Ground) -> Result<Row> {
    let lasting = ground.time(Duration::from_secs(30), Duration::from_secs(3));
    let mut row = Row::new(
        4,
        format!("LOCK TABLE favors for {} s, 8 callers with a deadline of 1 s (there are no items yet)", lasting.as_secs()),
        "all DEADLINE_EXCEEDED in 1.0 to 1.2 s; statements cancelled within 2 s; others' p99 < 2 times normal",
    );
    let seen = lock(ground, "row4", 8, Duration::ZERO, lasting).await?;
    let late = seen.blocked.iter().filter(|d| d.code() == Code::DeadlineExceeded && ANSWERED_IN.contains(&d.took)).count();
    let (shortest, longest) = (seen.blocked.iter().map(|d| d.took).min().unwrap_or_default(), traffic::longest(&seen.blocked));
    row.check(
        late == seen.blocked.len() && late > 0,
        format!("{} in {} to {} ms", traffic::tally(&seen.blocked), shortest.as_millis(), longest.as_millis()),
    );
    row.check(seen.cancelled_after < Duration::from_secs(2), format!("no statement waits {} ms after", seen.cancelled_after.as_millis()));
    others(&mut row, &seen.quiet, &seen.others);
    Ok(row)
}

/// Row 41.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn bulkhead(ground: &mut Ground) -> Result<Row> {
    let lasting = ground.time(Duration::from_secs(20), Duration::from_secs(3));
    let mut row = Row::new(
        41,
        format!("10 clients with deadlines of 1 s call for {} s on a locked table", lasting.as_secs()),
        "statements end within 1 s of their deadlines; others' p99 < 2 times normal; readiness stays",
    );
    let seen = lock(ground, "row41", 10, Duration::from_millis(50), lasting).await?;
    let fine = seen.blocked.iter().all(|d| [Code::DeadlineExceeded, Code::ResourceExhausted].contains(&d.code()));
    row.check(fine && !seen.blocked.is_empty(), traffic::tally(&seen.blocked));
    row.check(
        seen.oldest_ms < 2000 && seen.cancelled_after < Duration::from_secs(1),
        format!("the oldest statement waited {} ms, none {} ms after the end", seen.oldest_ms, seen.cancelled_after.as_millis()),
    );
    others(&mut row, &seen.quiet, &seen.others);
    let (not_ready, asked) = seen.not_ready;
    row.check(not_ready == 0 && asked > 0, format!("ready {} of {asked} times", asked - not_ready));
    Ok(row)
}

/// What became of good clients.
pub fn others(row: &mut Row, quiet: &[Done], others: &[Done]) {
    let (normal, then) = (p99_ms(quiet), p99_ms(others));
    row.check(then < OTHERS_TIMES * normal, format!("others' p99 {normal:.1} ms, then {then:.1} ms of {} calls", others.len()));
    let failed = others.iter().filter(|d| d.answer.is_err()).count();
    if failed > 0 {
        row.check(false, format!("{failed} of the others' calls failed: {}", traffic::first_failure(others)));
    }
}

async fn lock(ground: &Ground, name: &str, callers: usize, pause: Duration, lasting: Duration) -> Result<Seen> {
    let (database, node, signers) = ground.node(name, &[], 8).await?;
    let good = good_clients(&node, &signers).await?;
    let quiet = good.during(lasting.clamp(Duration::from_secs(3), Duration::from_secs(15))).await;
    let (mut holder, watcher) = (PgConnection::connect(&database).await?, PgConnection::connect(&database).await?);
    holder.execute("BEGIN").await?;
    holder.execute(LOCK).await?;
    good.take();
    let stop = CancellationToken::new();
    let (ages, looks) = (watch_ages(watcher, stop.clone()), watch_readiness(&node, stop.clone()));
    let blocked = Traffic::start(blocked(&node, &signers, callers), pause);
    sleep(lasting).await;
    let others = good.take();
    let mut done = blocked.take();
    done.extend(blocked.stop().await?);
    let since = Instant::now();
    let mut watcher = PgConnection::connect(&database).await?;
    while number(&mut watcher, WAITING).await? > 0 && since.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(10)).await;
    }
    let cancelled_after = since.elapsed();
    stop.cancel();
    holder.execute("ROLLBACK").await?;
    Ok(Seen { blocked: done, others, quiet, cancelled_after, oldest_ms: ages.await??, not_ready: looks.await? })
}

fn blocked(node: &Node, signers: &[Signer], count: usize) -> Vec<Deadlined> {
    signers.iter().cycle().take(count).map(|who| Deadlined::new(node, LIST_ACTIVE, who, DEADLINE)).collect()
}

/// The longest that a statement waits for the lock, in milliseconds, until `stop`. Read in no transaction, which would see the same
/// activity all the time.
fn watch_ages(mut watcher: PgConnection, stop: CancellationToken) -> JoinHandle<Result<i64>> {
    tokio::spawn(async move {
        let mut oldest = 0;
        while !stop.is_cancelled() {
            oldest = oldest.max(number(&mut watcher, OLDEST_MS).await?);
            sleep(Duration::from_millis(50)).await;
        }
        Ok(oldest)
    })
}

fn watch_readiness(node: &Node, stop: CancellationToken) -> JoinHandle<(u32, u32)> {
    let url = format!("{}/readyz", node.url);
    tokio::spawn(async move {
        let (client, mut not_ready, mut asked) = (reqwest::Client::new(), 0, 0);
        while !stop.is_cancelled() {
            asked += 1;
            not_ready += u32::from(!client.get(&url).send().await.is_ok_and(|r| r.status().is_success()));
            sleep(Duration::from_millis(100)).await;
        }
        (not_ready, asked)
    })
}
