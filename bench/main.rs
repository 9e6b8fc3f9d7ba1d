//! `make bench`: what calls cost. Starts the release server on a database of its own, fills it, and loads it over gRPC and REST. In the
//! same rounds it loads a bare service of tonic and sqlx, the build of an earlier commit, and Postgres alone by pgbench, which repeats the
//! server's own SQL. Prints what came of it and writes bench/RESULTS.md. Loopback only, and within half an hour.
//!
//! BENCH_SECONDS (2) is how long each thing is measured in each round, BENCH_ROUNDS (5) how many rounds there are; BENCH_MEMBERS (10000)
//! BENCH_FAVORS and BENCH_ITEMS (100000) how much is in the database, BENCH_DATABASE_URL a Postgres to use instead of a private one. BENCH_BEFORE is
//! the commit to compare with (the last one, when the program has changes that are not committed, else the one before that), or `none`.
//! BENCH_WRITE=0 writes no file; nor does BENCH_ONLY, which measures what has this in its name alone. scripts/bench.sh builds that commit, and says which they are.

mod accepts;
mod answers;
mod asked;
mod bare;
mod before;
mod calls;
mod cells;
mod crowd;
mod goals;
mod growth;
mod lending;
mod load;
mod people;
mod pgbench;
mod pictures;
mod probe;
mod process;
mod recorded;
mod repeat;
mod report;
mod rounds;
mod seed;
mod servers;
mod settings;
mod srp;
mod streams;
mod tap;
mod usage;
mod what;

use anyhow::{Context, Result};
use cells::{Ground, Node};
use crowd::Crowd;
use goodturn::clock::Clock;
use people::Signer;
use recorded::Recorded;
use report::Report;
use servers::{Database, Server};
use settings::{Settings, Version};
use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Instant,
};
use tap::Tap;
use what::Build;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Members who sign in and call; as many as callers at once.
const SIGNERS: usize = 64;
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/RESULTS.md");

fn main() -> Result<()> {
    if env::args().any(|argument| argument == bare::FLAG) {
        return bare::serve();
    }
    let settings = Settings::read()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let text = runtime.block_on(run(&settings))?;
    println!("\n{text}");
    if settings.write {
        fs::write(RESULTS, text).context(RESULTS)?;
    }
    Ok(())
}

async fn run(settings: &Settings) -> Result<String> {
    let dir = tempfile::tempdir()?;
    let database = Database::create(&dir.path().join("data"), settings.database_url.clone()).await?;
    let machine = machine(&database, settings);
    let (signers, crowd, recorded) = prepare(dir.path(), &database, settings).await?;

    let this = node(Build::This, &settings.this, dir.path(), &database, &signers).await?;
    let (before, left_out) = match &settings.before {
        Some(version) => match node(Build::Before, version, dir.path(), &database, &signers).await {
            Ok(node) => (Some(node), None),
            Err(why) => (None, Some(format!("{why:#}"))),
        },
        None => (None, None),
    };
    let bare = Server::bare(&database.url, recorded.feeds.first.statements())?;
    let lengths = probe::alike(&this.server, &bare, &this.signers, &recorded.feeds.first.asked).await?;
    let ground = Ground {
        this,
        before,
        crowd,
        bare,
        database_url: database.url.clone(),
        postgres: database.postgres,
        pgbench: pgbench(&database),
        lasting: settings.lasting,
    };
    let mut cells = ground.cells(&recorded).await?;
    cells.retain(|cell| cell.name().contains(&settings.only));
    let results = rounds::run(&cells, settings.rounds).await?;
    let streams = streams::measure(&ground.this.server, &ground.crowd).await.context("opening streams")?;
    let pictures = pictures::measure(&ground.this.server, &ground.this.signers).await.context("setting pictures")?;
    let growth = growth::measure(&ground, &recorded.feeds, settings.size, &settings.only).await.context("letting everybody list more")?;
    drop(ground);
    database.drop().await?;
    let (commit, before) = (settings.this.commit.clone(), settings.before.as_ref().map(|version| version.commit.clone()));
    let report = Report { commit, before, left_out, machine, results, statements: recorded.counts(), lengths, streams, pictures, growth };
    Ok(report.markdown())
}

/// Fills the database, and learns from a server behind the tap which SQL each call takes.
async fn prepare(dir: &Path, database: &Database, settings: &Settings) -> Result<(Vec<Signer>, Crowd, Recorded)> {
    let tap = Tap::open(dir, &database.url)?;
    let server = Server::start(&settings.this.program, &dir.join("server"), tap.url()).await?;
    let began = Instant::now();
    let mut signers = people::sign_up(&server.url, "signer", SIGNERS).await.context("signing members up")?;
    let mut crowd = Crowd::sign_up(&server.url).await?;
    let ids: Vec<_> = signers.iter().map(|s| s.id).collect();
    seed::fill(&database.url, settings.size, &ids, Clock::system().now()).await.context("filling the database")?;
    crowd.fill(&database.url, Clock::system().now()).await.context("filling the crowd's circles")?;
    seed::settle(&database.url).await?;
    eprintln!("filled in {:.0} s", began.elapsed().as_secs_f64());
    people::sign_in(&server.url, &mut signers).await.context("signing members in")?;
    crowd.sign_in(&server.url).await.context("signing the crowd in")?;
    let recorded = Recorded::listen(&tap, &server, &database.url, &signers, &crowd).await.context("recording")?;
    Ok((signers, crowd, recorded))
}

/// Starts a build, signs the members in to it, and sees that it answers.
async fn node(build: Build, version: &Version, dir: &Path, database: &Database, signers: &[Signer]) -> Result<Node> {
    let server = Server::start(&version.program, &dir.join("server"), &database.url).await?;
    let mut signers = signers.to_vec();
    people::sign_in(&server.url, &mut signers).await.context("signing members in")?;
    probe::serves(&server.url, &signers).await.with_context(|| format!("the server of {}", version.commit))?;
    Ok(Node { build, server, signers: signers.into() })
}

fn pgbench(database: &Database) -> Option<PathBuf> {
    let program = pgbench::find(database.postgres);
    if program.is_none() {
        eprintln!("there is no pgbench on this machine: this program repeats the SQL instead, and takes processor time of its own for it");
    }
    program
}

fn machine(database: &Database, settings: &Settings) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|p| p.1.to_owned()));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "{cores} cores ({}) for servers, Postgres and load together, with a load of {} before; Postgres {}; {} members with {} friends each, \
         {} favors and {} items. Medians of {} rounds, in each of which everything is measured for {} s, in turn.",
        model.unwrap_or_else(|| "unknown".to_owned()),
        load.split(' ').next().unwrap_or("unknown"),
        database.version,
        settings.size.members,
        seed::FRIENDS,
        settings.size.favors,
        settings.size.items,
        settings.rounds,
        settings.lasting.as_secs(),
    )
}
