//! The program itself, `goodturn serve`, for tests that kill it.

use super::{Database, Faces, scratch, until};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    net::TcpListener,
    ops::Deref,
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
};
use tempfile::TempDir;

/// A server in a process of its own, in local mode.
pub struct Program {
    /// The same after a restart.
    faces: Faces,
    database: Arc<Database>,
    data_dir: TempDir,
    terms: Terms,
    child: Child,
}

/// On what terms it runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// How many files it may open; as many as the test, when not set.
    pub files_max: Option<u32>,
    /// Settings that differ, by variable.
    pub environment: &'static [(&'static str, &'static str)],
}

impl Program {
    /// Starts it on a database, and waits until it is ready.
    pub async fn start(database: Arc<Database>) -> Self {
        Self::start_on(Terms::default(), database).await
    }

    /// The same, on other terms.
    pub async fn start_on(terms: Terms, database: Arc<Database>) -> Self {
        // Free now; the moment until the program binds it is the test's risk.
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (address, data_dir) = (free.to_string(), scratch());
        let child = spawn(&address, &database, &data_dir, terms);
        let program = Self { faces: Faces::new(address), database, data_dir, terms, child };
        program.is_ready().await;
        program
    }

    /// The same program once more, after it ended.
    pub async fn start_again(&mut self) {
        self.child = spawn(&self.faces.address, &self.database, &self.data_dir, self.terms);
        self.is_ready().await;
    }

    async fn is_ready(&self) {
        let url = self.url("/readyz");
        until("the program is ready", async || reqwest::get(&url).await.is_ok_and(|r| r.status() == 200)).await;
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Deref for Program {
    type Target = Faces;

    fn deref(&self) -> &Faces {
        &self.faces
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(address: &str, database: &Database, data_dir: &TempDir, terms: Terms) -> Child {
    let program = env!("CARGO_BIN_EXE_goodturn");
    let mut command = match terms.files_max {
        None => Command::new(program),
        Some(files) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -n {files}; exec {program}")]);
            shell
        }
    };
    command
        .env("GOODTURN_LISTEN", address)
        .env("GOODTURN_DATA_DIR", data_dir.path())
        .env("DATABASE_URL", database.url())
        .env("GOODTURN_RATE_PER_ADDRESS", "10000:10000")
        .env("GOODTURN_RATE_PER_MEMBER", "10000:10000")
        .env("GOODTURN_RATE_IDENTITY", "10000:10000")
        .env("GOODTURN_MAILS_PER_NETWORK", "10000")
        .envs(terms.environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
