//! The processes of Goodturn's program that are started here, and end with what holds them.

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The program.
pub const GOODTURN: &str = env!("CARGO_BIN_EXE_goodturn");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const STOPS_WITHIN: Duration = Duration::from_secs(20);
/// No caller shall meet it.
const RATE: &str = "10000000:10000000";

/// A child that ends with this.
pub struct Running(Child);

impl Running {
    /// Starts it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(mut command: Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        Ok(Self(command.spawn().context(program)?))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    /// What it says first. Waits for that: it blocks.
    ///
    /// # Errors
    /// When it ends without a word.
    pub fn first_line(&mut self) -> Result<String> {
        let stdout = self.0.stdout.take().context("its output is not piped")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        ensure!(!line.is_empty(), "it ended at once");
        Ok(line.trim().to_owned())
    }

    /// Sends a signal. It may have ended by itself; then there is nothing to tell.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process(pid, signal));
    }

    /// How it ended; `None` while it runs.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < STOPS_WITHIN {
            if self.ended().is_some() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A command of a build of the program, with a directory for its data.
fn goodturn(program: &Path, subcommand: &str, data_dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg(subcommand).env_remove("DATABASE_URL").stdin(Stdio::null());
    command.arg(format!("--data-dir={}", data_dir.display())).arg(format!("--web-dir={ROOT}/web/dist"));
    command
}

/// The private Postgres, which says where it is when it is ready.
pub fn postgres(data_dir: &Path) -> Command {
    let mut command = goodturn(Path::new(GOODTURN), "postgres", data_dir);
    command.env("GOODTURN_LOG", "warn").stdout(Stdio::piped());
    command
}

/// The server of a build on a port of this machine and a database, with rates that nobody meets and all else as in production; its log
/// goes nowhere, but is written.
pub fn serve(program: &Path, data_dir: &Path, port: u16, database_url: &str) -> Command {
    let mut command = goodturn(program, "serve", data_dir);
    command.args(["--public-url=http://goodturn.bench", "--log-format=json"]).arg(format!("--listen=127.0.0.1:{port}"));
    for rate in ["--rate-per-address", "--rate-per-member", "--rate-identity", "--rate-find-friend"] {
        command.arg(format!("{rate}={RATE}"));
    }
    command.env("DATABASE_URL", database_url).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
