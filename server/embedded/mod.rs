//! The private Postgres of a machine that has none: started, kept running and stopped by the server. Its socket is the only way in.

pub mod account;
pub mod binaries;
pub mod cluster;
pub mod guard;

use account::Account;
use anyhow::{Context, Result, bail};
use aws_lc_rs::digest::{SHA256, digest};
use cluster::Cluster;
use rustix::fs::{FlockOperation, flock};
use std::{
    fs::{self, File},
    io::{Read, Write},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::{Path, PathBuf},
    process::Child,
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread::{self, JoinHandle},
    time::Duration,
};

const LOOK_EVERY: Duration = Duration::from_millis(50);
const RESTART_AFTER_MIN: Duration = Duration::from_millis(100);
const RESTART_AFTER_MAX: Duration = Duration::from_secs(5);

/// A running private Postgres. It stops when this is dropped, and when the server dies.
#[derive(Debug)]
pub struct Embedded {
    url: String,
    stop: Option<SyncSender<()>>,
    keeper: Option<JoinHandle<()>>,
    _lock: File,
}

impl Embedded {
    /// Starts it on a data directory, which this server then owns. Takes seconds the first time: it blocks.
    ///
    /// # Errors
    /// When another server owns the directory, no Postgres is found, or it does not start.
    pub fn start(data_dir: &Path, web_dir: &Path) -> Result<Self> {
        let data_dir = directory(data_dir)?;
        let lock = match lock(&data_dir)? {
            Ok(lock) => lock,
            Err(owner) => bail!(
                "another server (process {owner}) already uses {}: stop it, or set GOODTURN_DATA_DIR or DATABASE_URL",
                data_dir.display()
            ),
        };
        Self::start_locked(&data_dir, web_dir, lock)
    }

    /// The private Postgres of a data directory, for a command beside a server: where the one of a running server is, or one of its own.
    ///
    /// # Errors
    /// As `start`.
    pub fn reach(data_dir: &Path, web_dir: &Path) -> Result<(String, Option<Self>)> {
        let data_dir = directory(data_dir)?;
        match lock(&data_dir)? {
            Ok(lock) => {
                let own = Self::start_locked(&data_dir, web_dir, lock)?;
                Ok((own.url().to_owned(), Some(own)))
            }
            Err(_) => Ok((cluster(&data_dir, web_dir)?.url("postgres"), None)),
        }
    }

    fn start_locked(data_dir: &Path, web_dir: &Path, lock: File) -> Result<Self> {
        let mut cluster = cluster(data_dir, web_dir)?;
        cluster.guarded = true;
        let root = cluster.root().to_owned();
        let (url, major) = (cluster.url("postgres"), cluster.major());

        let (stop, stopped) = mpsc::sync_channel(1);
        let (report, started) = mpsc::sync_channel(1);
        // A thread of its own for good: the guard ties Postgres to the life of the thread that started it.
        let keeper = thread::Builder::new().name("postgres".to_owned()).spawn(move || {
            let (child, said) = match cluster.init(&[]).and_then(|()| cluster.launch()) {
                Ok(child) => (Some(child), Ok(())),
                Err(e) => (None, Err(e)),
            };
            // The starter waits for this; if it is gone, so is the need for Postgres, and `stopped` says so.
            let _ = report.send(said);
            if let Some(child) = child {
                keep(&cluster, child, &stopped);
            }
        })?;
        started.recv().context("the thread that keeps Postgres ended")??;
        tracing::info!(postgres = major, root = %root.display(), "the private Postgres is ready");
        Ok(Self { url, stop: Some(stop), keeper: Some(keeper), _lock: lock })
    }

    /// Where it is reached, for the pool.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(keeper) = self.keeper.take() {
            // It reports its own failures.
            let _ = keeper.join();
        }
    }
}

/// Waits until it is told to stop; starts Postgres again whenever it ends before that.
fn keep(cluster: &Cluster, mut child: Child, stopped: &Receiver<()>) {
    while !told(stopped, LOOK_EVERY) {
        let Ok(Some(status)) = child.try_wait() else { continue };
        tracing::error!(%status, "Postgres ended; it is started again");
        match restart(cluster, stopped) {
            Some(again) => child = again,
            None => return,
        }
    }
    if let Err(cause) = cluster::stop(&mut child) {
        tracing::error!(cause = format!("{cause:#}"), "Postgres could not be stopped");
    }
}

/// Tries for as long as it takes; `None` when it is told to stop meanwhile.
fn restart(cluster: &Cluster, stopped: &Receiver<()>) -> Option<Child> {
    let mut wait = RESTART_AFTER_MIN;
    loop {
        // The first try often comes too early: the backends of a killed Postgres need a moment to notice.
        match cluster.launch() {
            Ok(child) => {
                tracing::info!("Postgres is back");
                return Some(child);
            }
            Err(cause) => tracing::warn!(cause = format!("{cause:#}"), "Postgres does not start yet"),
        }
        if told(stopped, wait) {
            return None;
        }
        wait = (wait * 2).min(RESTART_AFTER_MAX);
    }
}

fn told(stopped: &Receiver<()>, within: Duration) -> bool {
    !matches!(stopped.recv_timeout(within), Err(RecvTimeoutError::Timeout))
}

fn directory(data_dir: &Path) -> Result<PathBuf> {
    fs::create_dir_all(data_dir).with_context(|| format!("making the data directory {}", data_dir.display()))?;
    Ok(data_dir.canonicalize()?)
}

/// The cluster of a data directory, running or not.
fn cluster(data_dir: &Path, web_dir: &Path) -> Result<Cluster> {
    let account = Account::choose(&data_dir.join("postgres"))?;
    let root = account::place(data_dir, account);
    let account = Account::choose(&root)?;
    let binaries = binaries::choose(binaries::find_all(web_dir), &root)?;
    Cluster::open(binaries, account, &root, &[])
}

/// Takes the data directory for this process, or tells whose it is. The kernel gives it back whatever way the process ends.
fn lock(data_dir: &Path) -> Result<Result<File, String>> {
    let path = data_dir.join("server.lock");
    let mut file = File::options().create(true).truncate(false).read(true).write(true).mode(0o600).open(&path)?;
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        let mut owner = String::new();
        let _ = file.read_to_string(&mut owner);
        return Ok(Err(owner.trim().to_owned()));
    }
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())?;
    Ok(Ok(file))
}

/// Removes what a server that was killed had half made.
fn remove_halves(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|e| e == "half") {
            // One that is being removed already is as good as gone.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A short name for a path, where the path itself would be too long.
fn short_name(path: &Path) -> String {
    let digest = digest(&SHA256, path.as_os_str().as_bytes());
    hex::encode(digest.as_ref().get(..6).unwrap_or_default())
}
