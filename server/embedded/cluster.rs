//! One cluster on disk, and the Postgres process that serves it: initdb, launch, readiness, stop.

use super::{
    account::{self, Account},
    binaries::Binaries,
};
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// The superuser of the cluster; only the server reaches its socket.
pub const USER: &str = "goodturn";
/// A socket's path may have 107 bytes on Linux and 103 on macOS.
const SOCKET_BYTES_MAX: usize = 103;
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Recovery after a crash comes before the first connection, and may take its time.
const READY_WITHIN: Duration = Duration::from_secs(120);
const STOP_WITHIN: Duration = Duration::from_secs(20);
/// What it has not written by then it finds again in its log at the next start.
const FAST_WITHIN: Duration = Duration::from_secs(4);
const AT_ONCE_WITHIN: Duration = Duration::from_secs(1);

/// Runs nothing over TCP, logs no values, and keeps UTC.
const SETTINGS: &[&str] = &[
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_error_verbosity=terse",
    "log_min_error_statement=panic",
    "log_parameter_max_length_on_error=0",
];

/// A cluster: where it lies, which Postgres serves it, and as whom.
#[derive(Clone, Debug)]
pub struct Cluster {
    binaries: Binaries,
    account: Option<Account>,
    root: PathBuf,
    sockets: PathBuf,
    settings: Vec<String>,
    /// Whether Postgres shall stop when the thread that launched it ends. Only the program itself can ask for that.
    pub guarded: bool,
}

impl Cluster {
    /// The cluster under `root`, which is made if it is not there. `extra` are settings on top of our own.
    ///
    /// # Errors
    /// When the directories cannot be made or given to the account.
    pub fn open(binaries: Binaries, account: Option<Account>, root: &Path, extra: &[&str]) -> Result<Self> {
        private_dir(root, account)?;
        let root = root.canonicalize()?;
        let binaries = binaries.within_reach(account, &root)?;
        let mut sockets = root.join("s");
        if sockets.join(".s.PGSQL.5432").as_os_str().len() > SOCKET_BYTES_MAX {
            sockets = env::temp_dir().join(format!("goodturn-{}", super::short_name(&root)));
        }
        private_dir(&sockets, account)?;
        let settings = SETTINGS.iter().chain(extra).map(|s| (*s).to_owned()).collect();
        Ok(Self { binaries, account, root, sockets, settings, guarded: false })
    }

    /// The address of a database of this cluster.
    pub fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user={USER}", self.sockets.display())
    }

    /// Where its files are.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The major version of Postgres that serves it.
    pub fn major(&self) -> u32 {
        self.binaries.major
    }

    fn data(&self) -> PathBuf {
        self.root.join(format!("pg{}", self.binaries.major))
    }

    /// Where Postgres writes its log.
    pub fn log(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// Makes the data directory unless it is there. A crash half-way leaves none: it is made beside, then renamed.
    ///
    /// # Errors
    /// What initdb said.
    pub fn init(&self, extra: &[&str]) -> Result<()> {
        let data = self.data();
        if data.join("PG_VERSION").exists() {
            return Ok(());
        }
        super::remove_halves(&self.root);
        // A name of its own: the initdb of a killed server may still be removing what it had made.
        let half = data.with_extension(format!("{}.half", std::process::id()));
        // Collation by code point, letters as Unicode has them: the same on every machine.
        let locale: &[&str] = match self.binaries.major {
            ..17 => &["--locale=C.UTF-8"],
            17.. => &["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
        };
        let said = self
            .command("initdb")?
            .arg("-D")
            .arg(&half)
            .args(["-U", USER, "--encoding=UTF8", "--auth-local=trust", "--auth-host=reject", "--no-instructions"])
            .args(locale)
            .args(extra)
            .output()
            .context("starting initdb")?;
        if !said.status.success() {
            bail!("initdb failed: {}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
        }
        Ok(fs::rename(&half, &data)?)
    }

    /// Starts Postgres and waits until it takes connections. One that a dead server left behind is stopped first: the caller holds the
    /// lock, so nobody else owns it.
    ///
    /// # Errors
    /// When it ends at once, or is not ready in two minutes.
    pub fn launch(&self) -> Result<Child> {
        self.stop_orphan()?;
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log())?;
        let mut command = self.command("postgres")?;
        command.arg("-D").arg(self.data());
        command.arg("-c").arg(format!("unix_socket_directories={}", self.sockets.display()));
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        let mut child = command.stdout(log.try_clone()?).stderr(log).spawn().context("starting postgres")?;
        let since = Instant::now();
        while !self.is_ready(&child) {
            if let Some(status) = child.try_wait()? {
                bail!("Postgres did not start ({status}): see {}", self.log().display());
            }
            if since.elapsed() > READY_WITHIN {
                stop(&mut child)?;
                bail!("Postgres was not ready in {READY_WITHIN:?}: see {}", self.log().display());
            }
            sleep(LOOK_EVERY);
        }
        Ok(child)
    }

    /// A program of the installation, run as the account, away from the terminal's signals.
    fn command(&self, program: &str) -> Result<Command> {
        let program = self.binaries.bin.join(program);
        let mut command = if self.guarded { super::guard::command(&program)? } else { Command::new(&program) };
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C").env("TZ", "UTC");
        // A group of its own: Ctrl-C reaches the server, which stops Postgres after it has drained.
        command.stdin(Stdio::null()).current_dir("/").process_group(0);
        if let Some(Account { uid, gid }) = self.account {
            command.uid(uid).gid(gid);
        }
        Ok(command)
    }

    /// Line 1 of postmaster.pid is the process, line 8 its state: what pg_ctl looks at.
    fn is_ready(&self, child: &Child) -> bool {
        let Ok(file) = fs::read_to_string(self.data().join("postmaster.pid")) else { return false };
        let mut lines = file.lines().map(str::trim);
        lines.next() == Some(&child.id().to_string()) && lines.nth(6) == Some("ready")
    }

    fn stop_orphan(&self) -> Result<()> {
        let data = self.data();
        let Some(pid) = fs::read_to_string(data.join("postmaster.pid")).ok().and_then(|f| f.lines().next()?.trim().parse().ok()) else {
            return Ok(());
        };
        let Some(pid) = Pid::from_raw(pid).filter(|pid| serves(*pid, &data)) else {
            return Ok(());
        };
        let (since, mut asked) = (Instant::now(), false);
        while test_kill_process(pid).is_ok() && serves(pid, &data) {
            if !asked {
                tracing::warn!(pid = pid.as_raw_nonzero().get(), "stopping the Postgres that a dead server left behind");
                // Gone between the two looks is as good as stopped.
                let _ = kill_process(pid, Signal::INT);
                asked = true;
            }
            if since.elapsed() > STOP_WITHIN {
                bail!("the Postgres of an earlier server (process {pid}) does not stop");
            }
            sleep(LOOK_EVERY);
        }
        Ok(())
    }
}

/// Stops Postgres: fast, then at once, then by force.
///
/// # Errors
/// When the process cannot be waited for.
pub fn stop(child: &mut Child) -> Result<()> {
    for (signal, within) in [(Signal::INT, FAST_WITHIN), (Signal::QUIT, AT_ONCE_WITHIN), (Signal::KILL, STOP_WITHIN)] {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        kill_process(Pid::from_child(child), signal)?;
        let since = Instant::now();
        while since.elapsed() < within {
            if child.try_wait()?.is_some() {
                return Ok(());
            }
            sleep(LOOK_EVERY);
        }
    }
    bail!("Postgres does not stop")
}

/// Whether a process is a Postgres on this data: ids are used again.
fn serves(pid: Pid, data: &Path) -> bool {
    let data = data.to_string_lossy();
    let command_line = match fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(line) => line,
        Err(_) if Path::new("/proc/self").exists() => return false,
        Err(_) => Command::new("ps").args(["-o", "command=", "-p", &pid.to_string()]).output().map(|o| o.stdout).unwrap_or_default(),
    };
    String::from_utf8_lossy(&command_line).contains(&*data)
}

/// Makes a directory that only the account (or, without one, this user) can enter.
fn private_dir(dir: &Path, account: Option<Account>) -> Result<()> {
    let context = || format!("making {} for Postgres", dir.display());
    fs::create_dir_all(dir).with_context(context)?;
    let found = fs::symlink_metadata(dir)?;
    let owner = account.map_or(rustix::process::geteuid().as_raw(), |a| a.uid);
    // Under /tmp another user may have been first; root may take over only what is its own.
    if !found.is_dir() || (found.uid() != owner && found.uid() != rustix::process::geteuid().as_raw()) {
        bail!("{} is not ours: it belongs to user {}", dir.display(), found.uid());
    }
    account::give(dir, account)?;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).with_context(context)
}
