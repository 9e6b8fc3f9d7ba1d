//! The processes that are measured: Goodturn's servers, their Postgres, and the bare service.

use crate::{
    bare,
    process::{Running, postgres, serve},
    usage,
};
use anyhow::{Context, Result, ensure};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::{
    env,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const STARTS_WITHIN: Duration = Duration::from_secs(60);
/// Two servers, the bare service and 64 clients of pgbench are connected at once: more than Postgres lets in by itself.
const CONNECTIONS: i32 = 160;

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
    /// When Postgres cannot be started or reached, or has too few connections.
    pub async fn create(data_dir: &Path, given: Option<String>) -> Result<Self> {
        let (maintenance, own) = match given {
            Some(url) => (url, None),
            None => private(data_dir).await.map(|(url, running)| (url, Some(running)))?,
        };
        let name = format!("goodturn_bench_{}", std::process::id());
        let mut conn = PgConnection::connect(&maintenance).await?;
        let connections: i32 = sqlx::query_scalar("SELECT current_setting('max_connections')::integer").fetch_one(&mut conn).await?;
        ensure!(connections >= CONNECTIONS, "this Postgres has {connections} connections, and {CONNECTIONS} are needed: max_connections");
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

/// A private Postgres with enough connections, which it has after it was started once more, and where it is.
async fn private(data_dir: &Path) -> Result<(String, Running)> {
    let start = || -> Result<_> {
        let mut running = Running::start(postgres(data_dir))?;
        Ok((running.first_line().context("the private Postgres")?, running))
    };
    let (url, running) = start()?;
    let mut conn = PgConnection::connect(&url).await?;
    sqlx::query(AssertSqlSafe(format!("ALTER SYSTEM SET max_connections = {CONNECTIONS}"))).execute(&mut conn).await?;
    conn.close().await?;
    drop(running);
    start()
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
    /// Starts a build of Goodturn's on a database.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn start(program: &Path, data_dir: &Path, database_url: &str) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = serve(program, data_dir, port, database_url);
        // All callers are one address, and few members hold many streams. In the environment, where an older build may find a name that it
        // does not know.
        command.env("GOODTURN_CONNECTIONS_PER_ADDRESS", "100000").env("GOODTURN_STREAMS_PER_MEMBER", "1000");
        command.env("GOODTURN_METRICS_LISTEN", "127.0.0.1:0").env("GOODTURN_MAILS_PER_NETWORK", "10000");
        command.env("GOODTURN_FAVORS_PER_DAY", "1000000");
        let server = Self { url: format!("http://127.0.0.1:{port}"), running: Running::start(command)? };
        server.ready(program).await?;
        Ok(server)
    }

    /// Starts the bare service on a database, with the statements of the feed.
    ///
    /// # Errors
    /// When it does not start.
    pub fn bare<'a>(database_url: &str, feed: impl Iterator<Item = &'a str>) -> Result<Self> {
        let program: PathBuf = env::current_exe()?;
        let mut command = Command::new(program);
        command.arg(bare::FLAG).arg(database_url).args(feed).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut running = Running::start(command)?;
        let url = format!("http://{}", running.first_line()?);
        Ok(Self { url, running })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    async fn ready(&self, program: &Path) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < STARTS_WITHIN {
            if reqwest::get(format!("{}/readyz", self.url)).await.is_ok_and(|r| r.status().is_success()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("{} did not become ready; `goodturn serve` tells why", program.display())
    }
}
