//! Databases for tests: one throw-away cluster for all processes of a test run, one migrated template, a copy for each test.

use super::{START, config, locks, scratch};
use goodturn::{
    adapters::pictures::local::Local,
    app,
    bus::Bus,
    clock::Clock,
    db,
    deps::Deps,
    embedded::{
        account::Account,
        binaries::{self, Binaries},
        cluster::{self, Cluster},
    },
    ids::Ids,
    migrate,
    page::Cursors,
    pictures::Pictures,
};
use rustix::fs::{FlockOperation, flock};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    os::unix::process::{CommandExt, parent_id},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const TEMPLATE: &str = "goodturn_template";
/// The same with keys: making one takes longer than most tests.
const TEMPLATE_WITH_KEYS: &str = "goodturn_template_with_keys";
/// Nothing of it shall outlive the run, so nothing needs to reach a disk.
const SETTINGS: &[&str] = &[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "autovacuum=off",
    "max_connections=400",
];
/// Ends the cluster some time after the run that it was started for.
const WATCH: &str =
    r#"while kill -0 "$1" 2>/dev/null; do sleep 1; done; kill -INT "$2"; while kill -0 "$2" 2>/dev/null; do sleep 1; done; rm -rf "$3""#;

/// One test's database; a copy is dropped with this.
pub struct Database {
    url: String,
    /// The cluster and the name of a copy.
    copy: Option<(String, String)>,
}

impl Database {
    /// A copy of the migrated template.
    pub async fn create() -> Self {
        Self::copy_of(TEMPLATE).await
    }

    /// A copy of the template that has the keys of `config()`, made at START.
    pub async fn with_keys() -> Self {
        Self::copy_of(TEMPLATE_WITH_KEYS).await
    }

    /// One without a table.
    pub async fn empty() -> Self {
        Self::copy_of("template1").await
    }

    /// One without a table, whose letters are those of ASCII.
    pub async fn of_locale_c() -> Self {
        Self::copy_of("template0 LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'").await
    }

    async fn copy_of(template: &str) -> Self {
        locks::begin();
        let cluster_url = tokio::task::spawn_blocking(cluster_url).await.unwrap();
        let name = format!("t_{}", uuid::Uuid::from_bytes(rand::random()).simple());
        statement(&cluster_url, format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")).await;
        let url = with_database(&cluster_url, &name);
        Self { url, copy: Some((cluster_url, name)) }
    }

    /// One that somebody else looks after.
    pub fn at(url: String) -> Self {
        Self { url, copy: None }
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What services are given, on this database. The bus listens until `stop`.
    pub fn deps(&self, clock: Clock, stop: &CancellationToken) -> Deps {
        let options = |purpose| db::options(&self.url, db::Bounds::default(), purpose).unwrap();
        let bus = Bus::start(options("goodturn bus"), stop.clone());
        let pool = db::Pool::open(options("goodturn"), db::Bounds::default(), bus.clone()).unwrap();
        let mail_delay = time::Duration::MINUTE;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        let pictures = Pictures::new(Arc::new(Local::new(&folder, "http://goodturn.test".into(), [b"key".as_slice()])), clock.clone());
        Deps {
            pool,
            clock: clock.clone(),
            ids: Ids::new(clock),
            cursors: Cursors::new(b"key", []),
            bus,
            pictures,
            mail_delay,
            favors_per_day: 200,
        }
    }

    /// A connection beside the server's, to look at rows or to be in the way.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let Some((url, name)) = self.copy.take() else { return };
        // A runtime cannot be entered twice on one thread.
        let ended = thread::spawn(move || blocking(end(&url, &name))).join();
        if thread::panicking() {
            return;
        }
        assert_eq!(locks::broken(), [""; 0], "out of the order of locks");
        assert_eq!(ended.unwrap(), 0, "deadlocks");
    }
}

/// Removes a database; how many deadlocks there were in it.
async fn end(url: &str, name: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    // Backends report what they counted when they end. Waiting with pg_terminate_backend's own time-out
    // takes a tenth of a second for each of them.
    let terminate = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1";
    let since = Instant::now();
    while sqlx::query_scalar::<_, i64>(terminate).bind(name).fetch_one(&mut connection).await.unwrap() > 0 {
        assert!(since.elapsed() < Duration::from_secs(20), "backends of {name} do not end");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let deadlocks = sqlx::query_scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = $1").bind(name).fetch_one(&mut connection);
    let deadlocks = deadlocks.await.unwrap();
    connection.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))).await.unwrap();
    connection.close().await.unwrap();
    deadlocks
}

fn blocking<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

async fn statement(url: &str, sql: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
    connection.close().await.unwrap();
}

fn with_database(url: &str, name: &str) -> String {
    url.replacen("/postgres?", &format!("/{name}?"), 1)
}

/// The cluster of this run; whoever comes first starts it.
fn cluster_url() -> String {
    let root = root();
    fs::create_dir_all(root.parent().unwrap()).unwrap();
    let lock = fs::File::create(root.with_extension("lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let kept = root.with_extension("url");
    if let Ok(url) = fs::read_to_string(&kept)
        && blocking(PgConnection::connect(&url)).is_ok()
    {
        return url;
    }
    let url = start(&root);
    fs::write(&kept, &url).unwrap();
    url
}

/// In memory where that is possible; one for each run (the parent of nextest's processes) and each state of the migrations.
fn root() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
    let mut hasher = DefaultHasher::new();
    migrate::MIGRATIONS.iter().for_each(|m| m.checksum.hash(&mut hasher));
    major().hash(&mut hasher);
    base.join(format!("goodturn-test-{}", rustix::process::geteuid().as_raw())).join(format!("{}-{:x}", parent_id(), hasher.finish()))
}

/// The major version to test with, where it is not the best one found.
fn major() -> Option<u32> {
    env::var("GOODTURN_TEST_POSTGRES").ok().map(|v| v.parse().expect("GOODTURN_TEST_POSTGRES is a major version"))
}

/// Every Postgres that a test may use.
pub fn installed() -> Vec<Binaries> {
    let web_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    binaries::find_all(&web_dir)
}

#[expect(clippy::zombie_processes, reason = "the cluster serves other processes of the run after this one; the watcher ends it")]
fn start(root: &Path) -> String {
    let found = installed().into_iter().find(|b| major().is_none_or(|m| m == b.major));
    let found = found.expect("no Postgres for the tests: run `npm ci` in web/, or install one");
    let _ = fs::remove_dir_all(root);
    let account = Account::choose(root).unwrap();
    let cluster = Cluster::open(found, account, root, SETTINGS).unwrap();
    cluster.init(&["--no-sync"]).unwrap();
    let child = cluster.launch().unwrap();
    Command::new("sh")
        .args(["-c", WATCH, "watch"])
        .args([parent_id().to_string(), child.id().to_string()])
        .arg(root)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let url = cluster.url("postgres");
    blocking(make_templates(&url));
    url
}

async fn make_templates(url: &str) {
    statement(url, format!("CREATE DATABASE {TEMPLATE}")).await;
    migrate::run(&with_database(url, TEMPLATE)).await.unwrap();
    statement(url, format!("CREATE DATABASE {TEMPLATE_WITH_KEYS} TEMPLATE {TEMPLATE}")).await;
    let stop = CancellationToken::new();
    let deps = app::deps(&config(), &with_database(url, TEMPLATE_WITH_KEYS), Clock::fixed(START), &stop).unwrap();
    app::user_pool(&config(), &deps, &stop).await.unwrap();
    stop.cancel();
    deps.pool.close();
}

/// A Postgres of one test's own, which it may stop.
pub struct OwnPostgres {
    cluster: Cluster,
    running: Option<Child>,
    _dir: TempDir,
}

impl OwnPostgres {
    /// Makes and starts one, with an empty and migrated database.
    pub async fn start() -> Self {
        let dir = scratch();
        let root = dir.path().join("postgres");
        let account = Account::choose(&root).unwrap();
        let found = installed().into_iter().next().unwrap();
        let cluster = Cluster::open(found, account, &root, SETTINGS).unwrap();
        cluster.init(&["--no-sync"]).unwrap();
        let mut own = Self { cluster, running: None, _dir: dir };
        own.run();
        migrate::run(&own.url()).await.unwrap();
        own
    }

    /// Where it is, running or not.
    pub fn url(&self) -> String {
        self.cluster.url("postgres")
    }

    /// Starts it again.
    pub fn run(&mut self) {
        self.running = Some(self.cluster.launch().unwrap());
    }

    /// Stops it at once, connections or not.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            cluster::stop(&mut child).unwrap();
        }
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        self.stop();
    }
}
