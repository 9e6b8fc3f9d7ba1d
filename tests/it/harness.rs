//! What tests stand on: the real server in this process, on a database of its own, and people to try it with.

mod cluster;
mod faces;
pub mod locks;
mod logs;
mod people;
mod pictures;
mod program;
mod proxy;
mod seeder;
mod wire;

pub use cluster::{Database, OwnPostgres, installed};
pub use faces::{Bearer, Client, Faces, Refused};
pub use logs::Logs;
pub use people::{Member, PASSWORD};
pub use pictures::{PUBLIC_URL, drawn};
pub use program::{Program, Terms};
pub use proxy::Proxy;
pub use seeder::Seeder;
pub use wire::{H1, H2, grpc, whole};

use clap::Parser;
use goodturn::{
    app::Node,
    clock::Clock,
    config::{Cli, Config},
};
use std::{ops::Deref, path::Path, sync::Arc, time::Duration};
use tempfile::TempDir;
use time::{OffsetDateTime, macros::datetime};
use tokio::time::{Instant, sleep};

/// When the fixed clock of a test starts: a Tuesday in the summer.
pub const START: OffsetDateTime = datetime!(2026-06-16 09:00:00 UTC);

/// A running node and what surrounds it.
pub struct TestServer {
    /// Moves the time, when it is a fixed one.
    pub clock: Clock,
    /// The database, which all nodes of a test share.
    pub database: Arc<Database>,
    /// What it was started with.
    pub config: Config,
    /// The node itself.
    pub node: Node,
    faces: Faces,
}

impl Deref for TestServer {
    type Target = Faces;

    fn deref(&self) -> &Faces {
        &self.faces
    }
}

impl TestServer {
    /// A node at the fixed time START.
    pub async fn start() -> Self {
        Self::start_with(Clock::fixed(START), |_| {}).await
    }

    /// A node with another clock, or with other settings.
    pub async fn start_with(clock: Clock, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = config();
        change(&mut config);
        let is_near = (clock.now() - START).abs() < time::Duration::days(30);
        let database = if is_near { Database::with_keys().await } else { Database::create().await };
        Self::on(Arc::new(database), config, clock).await
    }

    /// Another node on the same database, with the same clock.
    pub async fn second_node(&self) -> Self {
        Self::on(self.database.clone(), self.config.clone(), self.clock.clone()).await
    }

    /// A node on a database of the caller's.
    pub async fn on(database: Arc<Database>, config: Config, clock: Clock) -> Self {
        let node = Node::start(&config, database.url(), clock.clone()).await.unwrap();
        let mut faces = Faces::new(node.address);
        faces.seeder = Some(Seeder::new(config.clone(), node.deps.clone()));
        Self { clock, database, config, node, faces }
    }

    /// Stops the node, as SIGTERM would.
    pub async fn stop(self) {
        self.node.stop().await;
    }
}

/// The configuration of tests: as local mode has it, on a free port, with rates that only a test of rates would reach.
pub fn config() -> Config {
    let data_dir = std::env::temp_dir().join(format!("goodturn-test-{}", std::process::id()));
    let flags = ["goodturn", "--listen=127.0.0.1:0", "--public-url=http://goodturn.test", "--web-dir=tests/it/web"];
    let plenty = ["--rate-per-address", "--rate-per-member", "--rate-identity", "--rate-find-friend"].map(|f| format!("{f}=10000:10000"));
    let mails = ["--mails-per-network", "--mails-per-address"].map(|f| format!("{f}=10000"));
    let key = format!("--secret-keys={}", "61".repeat(32));
    let data_dir = format!("--data-dir={}", data_dir.display());
    let pictures_dir = format!("--pictures-dir={}/pictures", env!("CARGO_TARGET_TMPDIR"));
    let arguments = flags.into_iter().map(str::to_owned).chain(plenty).chain(mails).chain([key, data_dir, pictures_dir]);
    Cli::try_parse_from(arguments).unwrap().config.checked().unwrap()
}

/// A directory that goes away with the test; in memory where that is possible.
pub fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    // Other accounts than ours, which Postgres runs under, must get through.
    std::fs::set_permissions(dir.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    dir
}

/// Waits for what others bring about; the test fails when it has not come in twenty seconds.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !is_so().await {
        assert!(since.elapsed() < Duration::from_secs(20), "not so after {:?}: {what}", since.elapsed());
        sleep(Duration::from_millis(10)).await;
    }
}
