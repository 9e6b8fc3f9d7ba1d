//! The private Postgres with the real program: killed from either side, locked, restarted, stopped; as root and as anybody.

use crate::harness::{installed, scratch, until};
use goodturn::embedded::{
    account::{Account, place},
    cluster::Cluster,
};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sqlx::{Connection, Executor, PgConnection, Row};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;

/// Somebody who owns nothing.
const NOBODY: u32 = 65_534;

/// `goodturn postgres` on a data directory.
struct Server {
    child: Child,
    url: String,
    data_dir: PathBuf,
}

impl Server {
    fn start(data_dir: &Path, user: Option<u32>) -> Self {
        let mut child = command(data_dir, user).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        if url.is_empty() {
            let mut told = String::new();
            child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
            panic!("it did not start: {told}");
        }
        Self { child, url: url.trim().to_owned(), data_dir: data_dir.to_owned() }
    }

    /// The process of Postgres, from its own file.
    fn postgres(&self) -> Option<Pid> {
        let root = place(&self.data_dir, Account::choose(&self.data_dir.join("postgres")).unwrap());
        let data = fs::read_dir(root).ok()?.flatten().map(|e| e.path().join("postmaster.pid")).find(|p| p.exists())?;
        Pid::from_raw(fs::read_to_string(data).ok()?.lines().next()?.trim().parse().ok()?)
    }

    async fn write(&self, n: i32) {
        let mut connection = PgConnection::connect(&self.url).await.unwrap();
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int PRIMARY KEY)").await.unwrap();
        sqlx::query("INSERT INTO kept (n) VALUES ($1)").bind(n).execute(&mut connection).await.unwrap();
    }

    async fn read(&self) -> sqlx::Result<Vec<i32>> {
        let mut connection = PgConnection::connect(&self.url).await?;
        let rows = connection.fetch_all("SELECT n FROM kept ORDER BY n LIMIT 100").await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn stop(mut self) {
        let postgres = self.postgres().unwrap();
        self.signal(Signal::TERM);
        assert!(self.child.wait().unwrap().success());
        assert!(is_gone(postgres), "Postgres outlived its server");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(data_dir: &Path, user: Option<u32>) -> Command {
    let web_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodturn"));
    command.arg("postgres").arg("--data-dir").arg(data_dir).arg("--web-dir").arg(web_dir);
    command.env_remove("DATABASE_URL").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(id) = user {
        command.uid(id).gid(id);
    }
    command
}

fn is_gone(pid: Pid) -> bool {
    // A zombie waits for its parent, which may be this machine's first process.
    test_kill_process(pid).is_err() || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| s.contains(") Z "))
}

/// As whoever runs the tests and, where that is root, as a normal user too. Each with a data directory of its own.
fn users() -> Vec<(Option<u32>, TempDir)> {
    let mut users = vec![(None, scratch())];
    if rustix::process::geteuid().is_root() {
        let dir = scratch();
        std::os::unix::fs::chown(dir.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        users.push((Some(NOBODY), dir));
    }
    users
}

#[tokio::test]
async fn a_clean_stop_and_a_start_keep_the_data() {
    for (user, dir) in users() {
        let server = Server::start(dir.path(), user);
        server.write(1).await;
        server.stop();
        let server = Server::start(dir.path(), user);
        assert_eq!(server.read().await.unwrap(), [1]);
        server.stop();
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let dir = scratch();
    let first = Server::start(dir.path(), None);
    first.write(1).await;
    let second = command(dir.path(), None).output().unwrap();
    let told = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success());
    assert!(told.contains(&format!("another server (process {}) already uses", first.child.id())), "{told}");
    assert!(told.contains("GOODTURN_DATA_DIR or DATABASE_URL"), "{told}");
    assert_eq!(first.read().await.unwrap(), [1]);
    first.stop();
}

#[tokio::test]
async fn a_killed_server_takes_postgres_along_and_loses_nothing() {
    for (user, dir) in users() {
        let mut server = Server::start(dir.path(), user);
        server.write(1).await;
        let postgres = server.postgres().unwrap();
        server.signal(Signal::KILL);
        server.child.wait().unwrap();
        // Not waited for: the next server finds the old Postgres still on its way out.
        let server = Server::start(dir.path(), user);
        assert!(is_gone(postgres));
        assert_eq!(server.read().await.unwrap(), [1]);
        server.stop();
    }
}

#[tokio::test]
async fn a_killed_postgres_is_started_again() {
    for (user, dir) in users() {
        let server = Server::start(dir.path(), user);
        server.write(1).await;
        let killed = server.postgres().unwrap();
        kill_process(killed, Signal::KILL).unwrap();
        until("Postgres is back", async || server.read().await.is_ok_and(|kept| kept == [1])).await;
        assert_ne!(server.postgres(), Some(killed));
        server.write(2).await;
        server.stop();
    }
}

#[tokio::test]
async fn an_orphan_is_stopped_before_a_new_start() {
    let dir = scratch();
    let root = dir.path().join("postgres");
    let account = Account::choose(&root).unwrap();
    let binaries = installed().into_iter().next().unwrap();
    let cluster = Cluster::open(binaries, account, &root, &[]).unwrap();
    cluster.init(&["--no-sync"]).unwrap();
    let mut orphan = cluster.launch().unwrap();
    let reaper = std::thread::spawn({
        let id = Pid::from_child(&orphan);
        move || (orphan.wait().unwrap(), id)
    });
    let server = Server::start(dir.path(), None);
    let (status, id) = reaper.join().unwrap();
    assert!(status.success(), "it was stopped, not killed: {status}");
    assert_ne!(server.postgres(), Some(id));
    server.stop();
}

#[tokio::test]
async fn a_private_home_of_root_is_no_obstacle() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let home = scratch();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let data_dir = home.path().join("goodturn/.data");
    let server = Server::start(&data_dir, None);
    server.write(1).await;
    let root = PathBuf::from(server.url.split("host=").nth(1).unwrap().split("/s&").next().unwrap());
    assert!(root.starts_with("/var/lib/goodturn"), "{}", server.url);
    server.stop();
    let server = Server::start(&data_dir, None);
    assert_eq!(server.read().await.unwrap(), [1]);
    server.stop();
    fs::remove_dir_all(root).unwrap();
}

#[tokio::test]
async fn a_killed_server_leaves_no_half_made_cluster() {
    let dir = scratch();
    let mut child = command(dir.path(), None).spawn().unwrap();
    let half =
        || fs::read_dir(dir.path().join("postgres")).is_ok_and(|d| d.flatten().any(|e| e.path().extension().is_some_and(|x| x == "half")));
    while !half() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it had made anything");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let server = Server::start(dir.path(), None);
    // The initdb of the killed one may be removing it at this moment.
    until("what was half made is gone", async || !half()).await;
    server.stop();
}
