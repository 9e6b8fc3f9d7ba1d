//! The processes that are measured: Goodturn's server, its Postgres, and the peer.

use crate::{empty, usage};
use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::{
    env,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const GOODTURN: &str = env!("CARGO_BIN_EXE_goodturn");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const STARTS_WITHIN: Duration = Duration::from_secs(60);
const STOPS_WITHIN: Duration = Duration::from_secs(20);
/// No caller shall meet it.
const RATE: &str = "10000000:10000000";

/// A child that ends with this.
pub struct Running(Child);

impl Running {
    /// Its process.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    fn first_line(&mut self) -> Result<String> {
        let stdout = self.0.stdout.take().context("its output is not piped")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        ensure!(!line.is_empty(), "it ended at once");
        Ok(line.trim().to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        // It may have ended by itself; then there is nothing to stop.
        let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
        let asked = Instant::now();
        while asked.elapsed() < STOPS_WITHIN {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn goodturn(subcommand: &str, data_dir: &Path) -> Command {
    let mut command = Command::new(GOODTURN);
    command.arg(subcommand).env_remove("DATABASE_URL").stdin(Stdio::null());
    command.arg(format!("--data-dir={}", data_dir.display())).arg(format!("--web-dir={ROOT}/web/dist"));
    command
}

/// A database of this run, in a Postgres that was named or in a private one.
pub struct Database {
    /// Where it is.
    pub url: String,
    /// The parent of all Postgres processes, when it runs here.
    pub postgres: Option<u32>,
    /// Which Postgres that is.
    pub version: String,
    name: String,
    maintenance: String,
    _own: Option<Running>,
}

impl Database {
    /// Makes it.
    ///
    /// # Errors
    /// When Postgres cannot be started or reached.
    pub async fn create(data_dir: &Path, given: Option<String>) -> Result<Self> {
        let (maintenance, own) = match given {
            Some(url) => (url, None),
            None => {
                let mut child = Running(goodturn("postgres", data_dir).stdout(Stdio::piped()).spawn().context(GOODTURN)?);
                (child.first_line().context("the private Postgres")?, Some(child))
            }
        };
        let name = format!("goodturn_bench_{}", std::process::id());
        let mut conn = PgConnection::connect(&maintenance).await?;
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut conn).await?;
        let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut conn).await?;
        let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut conn).await?;
        // Of a Postgres elsewhere this finds no process, or a wrong one, whose name tells.
        let parent = u32::try_from(backend).ok().and_then(usage::parent).filter(|pid| is_postgres(*pid));
        let mark = if maintenance.contains('?') { '&' } else { '?' };
        let url = format!("{maintenance}{mark}dbname={name}");
        Ok(Self { url, postgres: parent, version, name, maintenance, _own: own })
    }

    /// Removes it.
    ///
    /// # Errors
    /// When Postgres is gone.
    pub async fn drop(self) -> Result<()> {
        let mut conn = PgConnection::connect(&self.maintenance).await?;
        sqlx::query(AssertSqlSafe(format!("DROP DATABASE {} WITH (FORCE)", self.name))).execute(&mut conn).await?;
        Ok(())
    }
}

fn is_postgres(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim().starts_with("post"))
}

/// A running server.
pub struct Server {
    /// Where it listens.
    pub url: String,
    running: Running,
}

impl Server {
    /// Starts Goodturn's on a database, with rates that nobody meets and all else as in production; its log goes nowhere, but is written.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn start(data_dir: &Path, database_url: &str) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = goodturn("serve", data_dir);
        command.args([
            "--public-url=http://goodturn.bench",
            "--log-format=json",
            "--metrics-listen=127.0.0.1:0",
            "--mails-per-network=1000000",
        ]);
        command.arg(format!("--listen=127.0.0.1:{port}"));
        for rate in ["--rate-per-address", "--rate-per-member", "--rate-identity", "--rate-find-friend"] {
            command.arg(format!("{rate}={RATE}"));
        }
        // All callers are one address, and few members hold many streams.
        command.args(["--connections-per-address=100000", "--streams-per-member=1000"]);
        command.env("DATABASE_URL", database_url).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self { url: format!("http://127.0.0.1:{port}"), running: Running(command.spawn().context(GOODTURN)?) };
        server.ready().await?;
        Ok(server)
    }

    /// Starts the peer that does nothing.
    ///
    /// # Errors
    /// When it does not start.
    pub fn empty() -> Result<Self> {
        let program: PathBuf = env::current_exe()?;
        let mut running = Running(Command::new(program).arg(empty::FLAG).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?);
        let url = format!("http://{}", running.first_line()?);
        Ok(Self { url, running })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    async fn ready(&self) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < STARTS_WITHIN {
            if reqwest::get(format!("{}/readyz", self.url)).await.is_ok_and(|r| r.status().is_success()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("{GOODTURN} did not become ready; `goodturn serve` tells why")
    }
}
