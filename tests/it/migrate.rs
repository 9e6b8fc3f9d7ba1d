//! Migrations beside nodes that serve: older and newer ones, several at once, slow ones and tables in use.

use crate::harness::{Database, Program, until};
use goodturn::migrate::{self, MIGRATIONS};
use sqlx::{
    Executor, PgConnection, Row, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// The migrations of the program and one more.
fn newer(sql: &'static str) -> Migrator {
    with(sql, false)
}

/// The same, where the one more may run outside of a transaction.
fn with(sql: &'static str, no_tx: bool) -> Migrator {
    let more = Migration::new(9999, "of a test".into(), MigrationType::Simple, sql.into_sql_str(), no_tx);
    Migrator::with_migrations(MIGRATIONS.iter().cloned().chain([more]).collect())
}

async fn number(conn: &mut PgConnection, sql: &'static str) -> i64 {
    conn.fetch_one(sql).await.unwrap().get(0)
}

const NEWEST: &str = "SELECT max(version) FROM _sqlx_migrations LIMIT 1";

#[tokio::test]
async fn the_program_starts_on_the_schema_of_a_newer_release() {
    let database = Arc::new(Database::create().await);
    let mut beside = database.connect().await;
    beside.execute("INSERT INTO _sqlx_migrations VALUES (9999, 'newer', now(), true, '\\x00', 1)").await.unwrap();
    beside.execute("INSERT INTO graphile_worker.migrations (id) VALUES (9999)").await.unwrap();
    let program = Program::start(database.clone()).await;
    program.ana().await;
    assert_eq!(number(&mut beside, NEWEST).await, 9999);
    // A queue that this program cannot work on leaves it without jobs, and serving.
    beside.execute("UPDATE graphile_worker.migrations SET breaking = true WHERE id = 9999").await.unwrap();
    migrate::run(database.url()).await.unwrap();
}

#[tokio::test]
async fn a_migration_that_was_changed_after_it_was_applied_is_refused() {
    let database = Database::create().await;
    let mut beside = database.connect().await;
    beside.execute("UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 1").await.unwrap();
    let refused = migrate::run(database.url()).await.unwrap_err();
    assert!(refused.to_string().contains("migration 1 was previously applied but has been modified"), "{refused:#}");
}

#[tokio::test]
async fn nodes_that_start_at_once_wait_for_a_slow_migration_and_apply_it_once() {
    let database = Database::empty().await;
    let mut beside = database.connect().await;
    // What an operator has set for the database does not cut a migration either.
    for bound in ["statement_timeout", "lock_timeout"] {
        let sql = format!("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET {bound} = 300', current_database()); END $$");
        beside.execute(sqlx::AssertSqlSafe(sql)).await.unwrap();
    }
    let slow = newer("CREATE TABLE applied (n int); INSERT INTO applied VALUES (1); SELECT pg_sleep(2)");
    let since = Instant::now();
    let nodes = (0..4).map(|_| migrate::apply(database.url(), &slow));
    for done in futures_util::future::join_all(nodes).await {
        done.unwrap();
    }
    assert!(since.elapsed() > Duration::from_secs(2), "{:?}", since.elapsed());
    assert_eq!(number(&mut beside, "SELECT count(*) FROM applied LIMIT 1").await, 1);
    let rows = number(&mut beside, "SELECT count(*) FROM _sqlx_migrations WHERE success LIMIT 1").await;
    assert_eq!(usize::try_from(rows).unwrap(), slow.iter().count());
    let queue = number(&mut beside, "SELECT count(*) FROM graphile_worker.migrations LIMIT 1").await;
    assert_eq!(usize::try_from(queue).unwrap(), graphile_worker_migrations::sql::GRAPHILE_WORKER_MIGRATIONS.len());
}

#[tokio::test]
async fn an_older_node_starts_while_a_newer_one_migrates() {
    let database = Database::create().await;
    let slow = newer("SELECT pg_sleep(3)");
    let mut beside = database.connect().await;
    let older = async {
        let asleep = "SELECT count(*) FROM pg_stat_activity
                      WHERE datname = current_database() AND application_name = 'goodturn migrate' AND query LIKE '%pg_sleep%' LIMIT 1";
        until("the newer node migrates", async || number(&mut beside, asleep).await == 1).await;
        migrate::run(database.url()).await.unwrap();
        assert!(number(&mut beside, NEWEST).await < 9999, "it waited for the newer node");
    };
    let (newer, ()) = tokio::join!(migrate::apply(database.url(), &slow), older);
    newer.unwrap();
    assert_eq!(number(&mut beside, NEWEST).await, 9999);
}

#[tokio::test]
async fn a_migration_that_waits_for_a_table_lets_its_readers_through() {
    let database = Database::create().await;
    let (mut long, mut beside, mut reader) = (database.connect().await, database.connect().await, database.connect().await);
    long.execute("BEGIN").await.unwrap();
    long.execute("SELECT id FROM favors LIMIT 1").await.unwrap();
    let altering = newer("ALTER TABLE favors ADD COLUMN of_a_test int");
    let over = AtomicBool::new(false);
    let waits = "SELECT count(*) FROM pg_locks
                 WHERE NOT granted AND relation = 'favors'::regclass AND mode = 'AccessExclusiveLock' LIMIT 1";
    let holding = async {
        for _ in 0..2 {
            until("the migration waits", async || number(&mut beside, waits).await == 1).await;
            until("the migration has given up its place", async || number(&mut beside, waits).await == 0).await;
        }
        long.execute("COMMIT").await.unwrap();
    };
    let migrating = async {
        let done = migrate::apply(database.url(), &altering).await;
        over.store(true, Ordering::SeqCst);
        done
    };
    let reading = async {
        let mut longest = Duration::ZERO;
        while !over.load(Ordering::SeqCst) {
            let since = Instant::now();
            reader.execute("SELECT id FROM favors LIMIT 1").await.unwrap();
            longest = longest.max(since.elapsed());
            sleep(Duration::from_millis(5)).await;
        }
        longest
    };
    let (migrated, (), longest) = tokio::join!(migrating, holding, reading);
    migrated.unwrap();
    assert!(longest < Duration::from_secs(1), "a reader waited {longest:?}");
    assert_eq!(number(&mut beside, NEWEST).await, 9999);
}

#[tokio::test]
async fn an_index_of_which_the_building_broke_off_is_built_anew() {
    let database = Database::create().await;
    let mut beside = database.connect().await;
    let broken = "SET allow_system_table_mods = on;
                  CREATE INDEX of_a_test ON favors (creator_id, status);
                  CREATE INDEX of_an_operator ON favors (title);
                  UPDATE pg_index SET indisvalid = false
                  WHERE indexrelid IN ('of_a_test'::regclass, 'of_an_operator'::regclass)";
    beside.execute(broken).await.unwrap();
    let builds = "-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS of_a_test ON favors (creator_id, status)";
    migrate::apply(database.url(), &with(builds, true)).await.unwrap();
    let whole = "SELECT string_agg(c.relname || ' ' || i.indisvalid, ', ' ORDER BY c.relname)
                 FROM pg_index i
                 JOIN pg_class c ON c.oid = i.indexrelid
                 WHERE c.relname IN ('of_a_test', 'of_an_operator')
                 LIMIT 1";
    let told: String = beside.fetch_one(whole).await.unwrap().get(0);
    assert_eq!(told, "of_a_test true, of_an_operator false", "and nobody else's is touched");
}

/// The text of a migration without its comments, and its statements.
fn statements(migration: &Migration) -> Vec<String> {
    let code: Vec<&str> = migration.sql.as_str().lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    code.join("\n").split(";\n").map(|s| s.trim().to_owned()).collect()
}

/// What a migration must not do: read a table in use under a lock that stops its writers. A table that it made itself is not in use yet.
fn holds_up_writers(migration: &Migration) -> Option<String> {
    let statements = statements(migration);
    let is_new = |table: &str| statements.iter().any(|s| s.starts_with(&format!("CREATE TABLE {table} ")));
    let mut indexes = 0;
    for statement in &statements {
        let words: Vec<&str> = statement.split_whitespace().collect();
        let after = |word: &str| words.iter().position(|w| *w == word).and_then(|i| words.get(i + 1)).copied().unwrap_or_default();
        let is_index = statement.starts_with("CREATE INDEX") || statement.starts_with("CREATE UNIQUE INDEX");
        indexes += usize::from(is_index);
        let is_beside_writers = migration.no_tx && statement.contains("CONCURRENTLY IF NOT EXISTS");
        let builds = is_index && !is_new(after("ON")) && !is_beside_writers;
        let checks = statement.starts_with("ALTER TABLE")
            && !is_new(after("TABLE"))
            && statement.matches("NOT VALID").count() != statement.matches("CHECK (").count();
        let copies = (statement.starts_with("INSERT") || statement.starts_with("UPDATE")) && !migration.no_tx;
        if builds || checks || copies {
            return Some(statement.clone());
        }
    }
    // Begun anew after a failure, it would find the first one built.
    (migration.no_tx && indexes > 1).then(|| "more than one index".to_owned())
}

#[test]
fn no_migration_holds_up_writers() {
    for migration in MIGRATIONS.iter() {
        assert_eq!(holds_up_writers(migration), None, "{}", migration.version);
    }
}

#[test]
fn a_migration_that_holds_up_writers_is_found() {
    let last = |sql, no_tx| holds_up_writers(with(sql, no_tx).iter().last().unwrap());
    for (sql, no_tx) in [
        ("CREATE INDEX more ON favors (title)", false),
        ("CREATE INDEX CONCURRENTLY more ON favors (title)", true),
        ("CREATE UNIQUE INDEX more ON favors (title)", false),
        ("CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON favors (title);\nCREATE INDEX CONCURRENTLY IF NOT EXISTS b ON favors (title)", true),
        ("ALTER TABLE favors ADD CONSTRAINT more CHECK (title <> '')", false),
        ("UPDATE favors SET title = 'x'", false),
    ] {
        assert!(last(sql, no_tx).is_some(), "{sql}");
    }
    for (sql, no_tx) in [
        ("CREATE TABLE more (n int CHECK (n > 0));\n-- Why.\nCREATE INDEX more_by_n ON more (n)", false),
        ("CREATE INDEX CONCURRENTLY IF NOT EXISTS more ON favors (title)", true),
        ("ALTER TABLE favors ADD CONSTRAINT more CHECK (title <> '') NOT VALID", false),
        ("UPDATE favors SET title = 'x'", true),
    ] {
        assert_eq!(last(sql, no_tx), None, "{sql}");
    }
}
