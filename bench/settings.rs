//! What can be set, in the environment.

use crate::{process::GOODTURN, seed::Size};
use anyhow::{Context, Result, ensure};
use std::{env, path::PathBuf, str::FromStr, time::Duration};

/// The settings of a run.
pub struct Settings {
    /// How long each thing is measured in each round.
    pub lasting: Duration,
    /// How often everything is measured.
    pub rounds: usize,
    /// How much there is in the database.
    pub size: Size,
    /// A Postgres to use instead of a private one.
    pub database_url: Option<String>,
    /// What is measured: that which has this in its name.
    pub only: String,
    /// Whether the results are written to bench/RESULTS.md.
    pub write: bool,
    /// What stands here.
    pub this: Version,
    /// What it is compared with.
    pub before: Option<Version>,
}

/// A build of the server.
pub struct Version {
    /// The commit, as the report names it.
    pub commit: String,
    /// The program.
    pub program: PathBuf,
}

impl Settings {
    /// Reads them.
    ///
    /// # Errors
    /// When one is no number, or there would be nothing to measure.
    pub fn read() -> Result<Self> {
        let seconds: u64 = setting("BENCH_SECONDS", 2)?;
        let rounds = setting("BENCH_ROUNDS", 5)?;
        ensure!(seconds > 0 && rounds > 0, "BENCH_SECONDS and BENCH_ROUNDS are at least 1");
        let only = env::var("BENCH_ONLY").unwrap_or_default();
        Ok(Self {
            lasting: Duration::from_secs(seconds),
            rounds,
            size: Size {
                members: setting("BENCH_MEMBERS", 10_000)?,
                favors: setting("BENCH_FAVORS", 100_000)?,
                items: setting("BENCH_ITEMS", 100_000)?,
            },
            database_url: env::var("BENCH_DATABASE_URL").ok(),
            write: only.is_empty() && env::var("BENCH_WRITE").map_or(true, |v| v != "0"),
            only,
            this: Version { commit: env::var("BENCH_COMMIT").unwrap_or_else(|_| "no commit".to_owned()), program: GOODTURN.into() },
            before: before()?,
        })
    }
}

/// The build that scripts/bench.sh made of an earlier commit.
fn before() -> Result<Option<Version>> {
    let Ok(program) = env::var("BENCH_BEFORE_PROGRAM") else { return Ok(None) };
    let commit = env::var("BENCH_BEFORE_COMMIT").context("BENCH_BEFORE_COMMIT goes with BENCH_BEFORE_PROGRAM")?;
    Ok(Some(Version { commit, program: program.into() }))
}

fn setting<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(name: &str, default: T) -> Result<T> {
    match env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("{name} is {text}")),
        Err(_) => Ok(default),
    }
}
