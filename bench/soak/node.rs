//! A server in a process of its own, which is told to stop, or killed.

use crate::process::{GOODTURN, Running, serve};
use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;
use std::{
    env, fs,
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};
use tokio::time::{Instant, sleep};

const STARTS_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// It ends with this.
pub struct Node {
    /// Where it listens.
    pub url: String,
    /// The same.
    pub address: SocketAddr,
    running: Running,
}

impl Node {
    /// Starts one and waits until it is ready.
    ///
    /// # Errors
    /// When it ends, or is not ready in a minute.
    pub async fn start(data_dir: &Path, database: &str, settings: &[(&str, &str)]) -> Result<Self> {
        let mut node = Self::begin(data_dir, database, settings)?;
        node.ready().await?;
        Ok(node)
    }

    /// Starts one. Settings are variables of the environment.
    ///
    /// # Errors
    /// When there is no program.
    pub fn begin(data_dir: &Path, database: &str, settings: &[(&str, &str)]) -> Result<Self> {
        let address = free_port()?;
        let mut command = serve(Path::new(GOODTURN), data_dir, address.port(), database);
        command.envs(settings.iter().copied());
        Self::run(command, address)
    }

    /// Starts one at an address where another was, and waits until it is ready.
    ///
    /// # Errors
    /// As `start`.
    pub async fn again(data_dir: &Path, database: &str, address: SocketAddr) -> Result<Self> {
        let mut node = Self::run(serve(Path::new(GOODTURN), data_dir, address.port(), database), address)?;
        node.ready().await?;
        Ok(node)
    }

    /// Runs a command that serves on this address.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn run(mut command: Command, address: SocketAddr) -> Result<Self> {
        if let Some(dir) = env::var_os("SOAK_LOG") {
            fs::create_dir_all(&dir)?;
            command.stderr(fs::File::create(Path::new(&dir).join(format!("{}.log", address.port())))?);
        }
        Ok(Self { url: format!("http://{address}"), address, running: Running::start(command)? })
    }

    /// Waits until it is ready; how long that took.
    ///
    /// # Errors
    /// When it ends, or is not ready in a minute.
    pub async fn ready(&mut self) -> Result<Duration> {
        let since = Instant::now();
        while !self.is_ready().await {
            if let Some(status) = self.running.ended() {
                bail!("a server ended instead of starting: {status}; SOAK_LOG shows why");
            }
            ensure!(since.elapsed() < STARTS_WITHIN, "a server was not ready in {} s; SOAK_LOG shows why", STARTS_WITHIN.as_secs());
            sleep(LOOK_EVERY).await;
        }
        Ok(since.elapsed())
    }

    /// What `/readyz` says.
    pub async fn is_ready(&self) -> bool {
        self.status("/readyz").await == Some(200)
    }

    /// The status of a page; `None` when nobody answers.
    pub async fn status(&self, path: &str) -> Option<u16> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(2)).build().ok()?;
        Some(client.get(format!("{}{path}", self.url)).send().await.ok()?.status().as_u16())
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    /// Tells it something.
    pub fn signal(&self, signal: Signal) {
        self.running.signal(signal);
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it does not end in time.
    pub async fn end(&mut self, within: Duration) -> Result<ExitStatus> {
        end_of(&mut self.running, within).await
    }
}

/// Waits for the end of a process.
///
/// # Errors
/// When it does not end in time.
pub async fn end_of(running: &mut Running, within: Duration) -> Result<ExitStatus> {
    let since = Instant::now();
    loop {
        if let Some(status) = running.ended() {
            return Ok(status);
        }
        ensure!(since.elapsed() < within, "process {} did not end within {} s", running.pid(), within.as_secs());
        sleep(LOOK_EVERY).await;
    }
}

/// A port of this machine that is free now.
///
/// # Errors
/// When there is none.
pub fn free_port() -> Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).context("looking for a port")
}
