//! What every row stands on: a Postgres of this run, databases in it, members, and how large things are.

use crate::{
    node::{self, Node},
    people::{self, Signer},
    process::{Running, postgres},
    seed,
};
use anyhow::{Context, Result};
use rand::{SeedableRng, rngs::StdRng};
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

/// A row may have connections of two nodes and of pgbench.
const CONNECTIONS_MAX: &str = "ALTER SYSTEM SET max_connections = 300";

/// All members sign up from one network.
pub const MAILS: (&str, &str) = ("GOODTURN_MAILS_PER_NETWORK", "10000");

/// The run.
pub struct Ground {
    /// The private Postgres, with all settings as they come: what is committed is on the disk.
    pub postgres: Postgres,
    /// Chooses what is left to chance.
    pub chance: StdRng,
    /// What it runs on.
    pub machine: String,
    scale: f64,
    dir: TempDir,
}

/// A Postgres that can be stopped and started.
pub struct Postgres {
    /// Of its database `postgres`.
    url: String,
    data_dir: PathBuf,
    running: Option<Running>,
}

impl Ground {
    /// Starts Postgres.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn lay(scale: f64, seed: u64) -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let mut postgres = Postgres::start(dir.path().join("data")).await?;
        let mut conn = PgConnection::connect(&postgres.url).await?;
        conn.execute(CONNECTIONS_MAX).await?;
        let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut conn).await?;
        conn.close().await?;
        postgres.stop().await?;
        postgres.go_on().await?;
        Ok(Self { postgres, chance: StdRng::seed_from_u64(seed), machine: machine(&version, scale), scale, dir })
    }

    /// A directory for the data of a node.
    pub fn dir(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A time at this scale, and at least so long.
    pub fn time(&self, full: Duration, least: Duration) -> Duration {
        full.mul_f64(self.scale.min(1.0)).max(least)
    }

    /// A number at this scale, and at least so much.
    pub fn count(&self, full: u32, least: u32) -> u32 {
        let scaled = (f64::from(full) * self.scale.min(1.0)).round();
        // Between 0 and `full`: nothing is cut off.
        format!("{scaled:.0}").parse().unwrap_or(full).max(least)
    }

    /// A new and empty database; its URL.
    ///
    /// # Errors
    /// When Postgres refuses it.
    pub async fn database(&self, name: &str) -> Result<String> {
        let mut conn = PgConnection::connect(&self.postgres.url).await?;
        conn.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))).await?;
        conn.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await?;
        Ok(self.postgres.url.replacen("/postgres?", &format!("/{name}?"), 1))
    }

    /// A database of this name, a node on it, and so many members who are signed in.
    ///
    /// # Errors
    /// When the node does not start.
    pub async fn node(&self, name: &str, settings: &[(&str, &str)], members: u32) -> Result<(String, Node, Vec<Signer>)> {
        let database = self.database(name).await?;
        let node = Node::start(&self.dir(name), &database, &[settings, &[MAILS]].concat()).await?;
        let signers = sign_in(&node, &database, members).await?;
        Ok((database, node, signers))
    }
}

/// Makes so many members and signs them in.
///
/// # Errors
/// When the server refuses one.
pub async fn sign_in(node: &Node, database: &str, members: u32) -> Result<Vec<Signer>> {
    let mut signers = people::sign_up(&node.url, "signer", usize::try_from(members)?).await.context("signing members up")?;
    let mut conn = PgConnection::connect(database).await?;
    for &sql in seed::CONFIRMED {
        conn.execute(sql).await?;
    }
    people::sign_in(&node.url, &mut signers).await.context("signing members in")?;
    Ok(signers)
}

/// One number from the database.
///
/// # Errors
/// When it is none.
pub async fn number(conn: &mut PgConnection, sql: &'static str) -> Result<i64> {
    Ok(sqlx::query_scalar(sql).fetch_one(conn).await?)
}

impl Postgres {
    async fn start(data_dir: PathBuf) -> Result<Self> {
        let mut own = Self { url: String::new(), data_dir, running: None };
        own.go_on().await?;
        Ok(own)
    }

    /// Starts it, on the data that it had.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn go_on(&mut self) -> Result<()> {
        let data_dir = self.data_dir.clone();
        let started = tokio::task::spawn_blocking(move || launch(&data_dir)).await?;
        let (url, running) = started.context("the private Postgres")?;
        (self.url, self.running) = (url, Some(running));
        Ok(())
    }

    /// Stops it, whoever is connected.
    ///
    /// # Errors
    /// When it does not stop.
    pub async fn stop(&mut self) -> Result<()> {
        let Some(mut running) = self.running.take() else { return Ok(()) };
        running.signal(Signal::TERM);
        node::end_of(&mut running, Duration::from_secs(30)).await.map(drop)
    }

    /// Waits, beside what else is done, until it takes connections; when it did.
    pub fn accepts(&self) -> JoinHandle<Instant> {
        let url = self.url.clone();
        tokio::spawn(async move {
            while PgConnection::connect(&url).await.is_err() {
                sleep(Duration::from_millis(5)).await;
            }
            Instant::now()
        })
    }

    /// The parent of all its processes.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn pid(&self) -> Result<Option<u32>> {
        let mut conn = PgConnection::connect(&self.url).await?;
        let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut conn).await?;
        Ok(u32::try_from(backend).ok().and_then(crate::usage::parent))
    }
}

fn launch(data_dir: &Path) -> Result<(String, Running)> {
    let mut running = Running::start(postgres(data_dir))?;
    Ok((running.first_line()?, running))
}

fn machine(postgres: &str, scale: f64) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|p| p.1.to_owned()));
    let model = model.unwrap_or_else(|| "unknown".to_owned());
    let scale = if scale >= 1.0 { String::new() } else { format!(" Times and numbers scaled by {scale}.") };
    format!("{cores} cores ({model}) for server, Postgres and load together; Postgres {postgres}.{scale}")
}
