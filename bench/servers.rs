//! The processes that are measured: Goodturn's server, its Postgres, and the peer.

use crate::{
    empty,
    process::{GOODTURN, Running, postgres, serve},
    usage,
};
use anyhow::{Context, Result};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::{
    env,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const STARTS_WITHIN: Duration = Duration::from_secs(60);

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
                let mut child = Running::start(postgres(data_dir))?;
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
    /// Starts Goodturn's on a database.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn start(data_dir: &Path, database_url: &str) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = serve(data_dir, port, database_url);
        // All callers are one address, and few members hold many streams.
        command.args(["--connections-per-address=100000", "--streams-per-member=1000"]);
        command.args(["--metrics-listen=127.0.0.1:0", "--mails-per-network=1000000"]);
        let server = Self { url: format!("http://127.0.0.1:{port}"), running: Running::start(command)? };
        server.ready().await?;
        Ok(server)
    }

    /// Starts the peer that does nothing.
    ///
    /// # Errors
    /// When it does not start.
    pub fn empty() -> Result<Self> {
        let program: PathBuf = env::current_exe()?;
        let mut command = Command::new(program);
        command.arg(empty::FLAG).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut running = Running::start(command)?;
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
