//! `make bench`: what calls cost. Starts the release server on a database of its own, fills it, loads it over gRPC and REST, lets pgbench
//! repeat the server's own SQL beside it, and prints what came of it. Loopback only, and about three minutes.
//!
//! BENCH_SECONDS (3) is how long each figure is measured, BENCH_MEMBERS (10000) and BENCH_FAVORS (100000) how much there is,
//! BENCH_DATABASE_URL a Postgres to use instead of a private one, and BENCH_WRITE=1 writes bench/RESULTS.md.

mod calls;
mod empty;
mod load;
mod people;
mod pgbench;
mod process;
mod repeat;
mod report;
mod scenarios;
mod seed;
mod servers;
mod srp;
mod streams;
mod tap;
mod usage;

use anyhow::{Context, Result};
use goodturn::clock::Clock;
use report::Report;
use scenarios::{Bench, Recorded};
use seed::Size;
use servers::{Database, Server};
use std::{env, fs, path::Path, str::FromStr, time::Duration, time::Instant};
use tap::Tap;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Members who sign in and call; as many as callers at once.
const SIGNERS: usize = 64;
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/RESULTS.md");

fn main() -> Result<()> {
    if env::args().any(|argument| argument == empty::FLAG) {
        return empty::serve();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let text = runtime.block_on(run())?;
    println!("\n{text}");
    if env::var("BENCH_WRITE").is_ok_and(|v| v == "1") {
        fs::write(RESULTS, format!("# Results of `make bench`\n\n{text}")).context(RESULTS)?;
    }
    Ok(())
}

async fn run() -> Result<String> {
    let dir = tempfile::tempdir()?;
    let size = Size { members: setting("BENCH_MEMBERS", 10_000)?, favors: setting("BENCH_FAVORS", 100_000)? };
    let seconds: u64 = setting("BENCH_SECONDS", 3)?;
    let database = Database::create(&dir.path().join("data"), env::var("BENCH_DATABASE_URL").ok()).await?;
    let (signers, recorded) = prepare(dir.path(), &database, size).await?;
    let machine = machine(&database, size, seconds);

    let server = Server::start(&dir.path().join("server"), &database.url).await?;
    let pgbench = pgbench::find(database.postgres);
    if pgbench.is_none() {
        eprintln!("there is no pgbench on this machine: this program repeats the SQL instead, and takes processor time of its own for it");
    }
    let mut bench = Bench { database, server, signers: signers.into(), lasting: Duration::from_secs(seconds), pgbench, rows: Vec::new() };
    bench.run(&recorded).await?;
    let streams_mb = streams::memory_mb(&bench.server, &bench.signers).await?;
    let report = Report { machine, rows: bench.rows, statements: recorded.statements().into(), streams_mb };
    drop(bench.server);
    bench.database.drop().await?;
    Ok(report.markdown())
}

/// Fills the database, and learns from a server behind the tap which SQL each call takes.
async fn prepare(dir: &Path, database: &Database, size: Size) -> Result<(Vec<people::Signer>, Recorded)> {
    let tap = Tap::open(dir, &database.url)?;
    let server = Server::start(&dir.join("server"), tap.url()).await?;
    let began = Instant::now();
    let mut signers = people::sign_up(&server.url, SIGNERS).await.context("signing members up")?;
    let ids: Vec<_> = signers.iter().map(|s| s.id).collect();
    seed::fill(&database.url, size, &ids, Clock::system().now()).await.context("filling the database")?;
    eprintln!("filled in {:.0} s", began.elapsed().as_secs_f64());
    people::sign_in(&server.url, &mut signers).await.context("signing members in")?;
    let recorded = Recorded::listen(&tap, &server, &signers).await.context("recording")?;
    Ok((signers, recorded))
}

fn setting<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(name: &str, default: T) -> Result<T> {
    match env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("{name} is {text}")),
        Err(_) => Ok(default),
    }
}

fn machine(database: &Database, size: Size, seconds: u64) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|p| p.1.to_owned()));
    format!(
        "{cores} cores ({}) for server, Postgres and load together; Postgres {}; {} members with {} friends each, {} favors; {seconds} s a figure.",
        model.unwrap_or_else(|| "unknown".to_owned()),
        database.version,
        size.members,
        seed::FRIENDS,
        size.favors,
    )
}
