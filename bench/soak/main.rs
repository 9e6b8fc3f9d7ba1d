//! `make soak`: what must survive what. Starts the release server on a Postgres of its own, hurts it as outages, slow clients, overload,
//! deploys and abuse do, and writes bench/SOAK.md with what was measured. Loopback only, and within 20 minutes.
//!
//! SOAK_ROWS=38,39 runs some rows, SOAK_SCALE=0.05 makes times and numbers smaller, SOAK_SEED repeats what was chosen by chance, and
//! SOAK_LOG names a directory for the servers' logs. Only what is run at full numbers is written; the other rows stay as they were.

mod abuse;
mod alike;
#[path = "../answers.rs"]
mod answers;
mod bare;
mod bulkhead;
#[path = "../calls.rs"]
#[expect(dead_code, reason = "make bench signs in by SRP as well")]
mod calls;
mod clients;
mod commits;
mod deploys;
mod ground;
mod http2;
#[path = "../load.rs"]
#[expect(dead_code, reason = "make bench reads all of its figures")]
mod load;
mod node;
mod outage;
mod overload;
#[path = "../people.rs"]
#[expect(dead_code, reason = "make bench refreshes as well")]
mod people;
#[path = "../pgbench.rs"]
#[expect(dead_code, reason = "make bench repeats reads by it; here it is only looked for")]
mod pgbench;
#[path = "../process.rs"]
mod process;
#[path = "../../tests/it/harness/proxy.rs"]
#[expect(clippy::unwrap_used, reason = "a wire of the tests, which end where it cannot be laid")]
mod proxy;
#[path = "../repeat.rs"]
#[expect(dead_code, reason = "pgbench.rs names what it repeats by it")]
mod repeat;
#[path = "../seed.rs"]
#[expect(dead_code, reason = "the tables of make bench name the number of friends")]
mod seed;
mod silence;
#[path = "../srp.rs"]
mod srp;
mod table;
#[path = "../tap.rs"]
mod tap;
mod traffic;
#[path = "../usage.rs"]
#[expect(dead_code, reason = "make bench looks at the most memory as well")]
mod usage;

use anyhow::{Context, Result, bail};
use ground::Ground;
use std::{
    env, fs,
    process::ExitCode,
    str::FromStr,
    time::{Duration, Instant},
};
use table::Row;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROWS: &[u32] = &[3, 4, 10, 12, 38, 39, 40, 41, 42, 43, 44, 45];
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/SOAK.md");
/// What has not been run by then has failed.
const ALL_WITHIN: Duration = Duration::from_secs(19 * 60);
const ROW_WITHIN: Duration = Duration::from_secs(300);

fn main() -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let failed = runtime.block_on(run())?;
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Whether a row failed.
async fn run() -> Result<bool> {
    let (scale, seed) = (setting("SOAK_SCALE", 1.0)?, setting("SOAK_SEED", u64::from(rand::random::<u16>()))?);
    let chosen = chosen()?;
    let mut ground = Ground::lay(scale, seed).await?;
    let began = Instant::now();
    let mut rows = Vec::new();
    for &number in &chosen {
        let left = ALL_WITHIN.saturating_sub(began.elapsed()).min(ROW_WITHIN);
        let done = match tokio::time::timeout(left, row(number, &mut ground)).await {
            Ok(done) => done,
            Err(_) => Err(anyhow::anyhow!("it did not end within {} s", left.as_secs())),
        };
        let done = done.unwrap_or_else(|cause| Row::broken(number, &cause));
        eprintln!("{}", done.line());
        rows.push(done);
    }
    println!("\n{}", table::markdown(&ground.machine, seed, &rows, ""));
    if scale >= 1.0 {
        let before = if chosen == ROWS { String::new() } else { fs::read_to_string(RESULTS).context(RESULTS)? };
        let text = table::markdown(&ground.machine, seed, &rows, &before);
        fs::write(RESULTS, format!("# Results of `make soak`\n\n{text}")).context(RESULTS)?;
    }
    Ok(rows.iter().any(|r| !r.passed()))
}

async fn row(number: u32, ground: &mut Ground) -> Result<Row> {
    match number {
        3 => outage::row(ground).await,
        4 => bulkhead::locked(ground).await,
        10 => deploys::told_to_stop(ground).await,
        12 => overload::row(ground).await,
        38 => silence::row(ground).await,
        39 => clients::row(ground).await,
        40 => deploys::two_versions(ground).await,
        41 => bulkhead::bulkhead(ground).await,
        42 => abuse::row(ground).await,
        43 => commits::row(ground).await,
        44 => bare::row(ground).await,
        45 => alike::row(ground).await,
        other => bail!("there is no row {other}"),
    }
}

fn chosen() -> Result<Vec<u32>> {
    let Ok(text) = env::var("SOAK_ROWS") else { return Ok(ROWS.to_vec()) };
    text.split(',').map(|n| n.trim().parse().with_context(|| format!("SOAK_ROWS is {text}"))).collect()
}

fn setting<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(name: &str, default: T) -> Result<T> {
    match env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("{name} is {text}")),
        Err(_) => Ok(default),
    }
}
