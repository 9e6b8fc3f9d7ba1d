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
    let more = Migration::new(9999, "of a test".into(), MigrationType::Simple, sql.into_sql_str(), false);
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

/// Two members, and favors of the first in all states, of which the other was asked; as the release before the places wrote them.
const BEFORE_PLACES: &str = "
    INSERT INTO members (id, email, email_key, given_name, family_name, status, confirmed_at, created_at, updated_at, profile_changed_at)
    SELECT ('00000000-0000-4000-8000-00000000000' || n)::uuid, n || '@example.org', n || '@example.org', 'Ana', 'Silva', 'confirmed', now(),
           now(), now(), now()
    FROM generate_series(1, 3) n;
    INSERT INTO favors (id, creator_id, title, description, category, status, start_at, tip_cents, currency, location, max_responses,
                        responses, helper_id, created_at, updated_at, posted_at, accepted_at, completed_at, completed_by, settled_at,
                        cancelled_at)
    SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid, '00000000-0000-4000-8000-000000000001', 'Favor', 'Favor', 'general', status,
           '2031-01-01', 0, 'USD', '', 1, CASE WHEN n IN (3, 4, 5) THEN 1 ELSE 0 END,
           CASE WHEN n IN (3, 4, 5) THEN '00000000-0000-4000-8000-000000000002'::uuid END, now(), '2030-01-01',
           CASE WHEN n > 1 THEN now() END, CASE WHEN n IN (3, 4, 5) THEN now() END, CASE WHEN n IN (4, 5) THEN now() END,
           CASE WHEN n IN (4, 5) THEN '00000000-0000-4000-8000-000000000002'::uuid END, CASE WHEN n = 5 THEN now() END,
           CASE WHEN n = 6 THEN now() END
    FROM unnest(ARRAY['draft', 'active', 'accepted', 'completed', 'settled', 'cancelled']) WITH ORDINALITY AS f (status, n);
    INSERT INTO favor_recipients (favor_id, member_id, position, place, due_key, asked_at, answer, answered_at, message)
    SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid, ('00000000-0000-4000-8000-00000000000' || m)::uuid, m, place, '2031-01-01',
           CASE WHEN n > 1 THEN now() END, answer, CASE WHEN answer IS NOT NULL THEN now() END, ''
    FROM (VALUES (1, 2, 'draft', NULL), (1, 3, 'draft', NULL), (2, 2, 'pending', 'another_time'), (2, 3, 'pending', NULL),
                 (3, 2, 'helping', 'accept'), (3, 3, 'taken', NULL), (4, 2, 'completed', 'accept'), (4, 3, 'completed', NULL),
                 (5, 2, 'settled', 'accept'), (5, 3, 'settled', NULL), (6, 2, 'declined', 'decline'), (6, 3, 'cancelled', NULL))
         AS r (n, m, place, answer)";

/// The migrations below a version.
fn below(version: i64) -> Migrator {
    Migrator::with_migrations(MIGRATIONS.iter().filter(|m| m.version < version).cloned().collect())
}

/// Where favors stand for each member.
async fn places(conn: &mut PgConnection) -> Vec<String> {
    let of_member = "SELECT string_agg(right(favor_id::text, 1) || ' ' || place, ', ' ORDER BY favor_id) AS told
                     FROM favor_places
                     WHERE due_key = '2031-01-01' AND (changed_at IS NULL OR changed_at = '2030-01-01')
                     GROUP BY member_id
                     ORDER BY member_id
                     LIMIT 10";
    conn.fetch_all(of_member).await.unwrap().iter().map(|row| row.get("told")).collect()
}

#[tokio::test]
async fn favors_of_before_the_places_stand_where_they_stood() {
    let database = Database::empty().await;
    migrate::apply(database.url(), &below(37)).await.unwrap();
    let mut beside = database.connect().await;
    beside.execute(BEFORE_PLACES).await.unwrap();
    migrate::run(database.url()).await.unwrap();
    let expected = [
        "1 own_open, 2 own_open, 3 own_open, 4 own_completed, 5 own_completed, 6 own_cancelled",
        "2 offered, 3 helping, 4 completed, 5 settled, 6 declined",
        "2 pending, 3 taken, 4 completed, 5 settled, 6 cancelled",
    ];
    assert_eq!(places(&mut beside).await, expected);
}

/// What a node of the release before changes after the triggers and while the rest is carried over.
#[tokio::test]
async fn what_an_older_node_changes_while_places_are_carried_over_is_not_lost() {
    let database = Database::empty().await;
    migrate::apply(database.url(), &below(37)).await.unwrap();
    let (mut older, mut beside) = (database.connect().await, database.connect().await);
    older.execute(BEFORE_PLACES).await.unwrap();
    migrate::apply(database.url(), &below(39)).await.unwrap();
    assert!(places(&mut beside).await.is_empty(), "they are not carried over under the locks of the triggers");
    let cancels = "UPDATE favors SET status = 'cancelled', cancelled_at = now() WHERE title = 'Favor' AND status = 'active'";
    older.execute("BEGIN; SELECT id FROM favors WHERE status IN ('active', 'accepted') FOR UPDATE").await.unwrap();
    older.execute(cancels).await.unwrap();
    older.execute("DELETE FROM favor_recipients WHERE place IN ('taken', 'pending') AND answer IS NULL").await.unwrap();
    let waits = "SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'goodturn migrate' AND wait_event_type = 'Lock' LIMIT 1";
    let holding = async {
        until("the migration waits", async || number(&mut beside, waits).await == 1).await;
        until("the migration has given up its place", async || number(&mut beside, waits).await == 0).await;
        // What it does not work on is free.
        beside.execute("SET lock_timeout = 400; UPDATE favors SET updated_at = '2030-01-01' WHERE status = 'settled'").await.unwrap();
        older.execute("COMMIT").await.unwrap();
    };
    let (migrated, ()) = tokio::join!(migrate::run(database.url()), holding);
    migrated.unwrap();
    let expected = [
        "1 own_open, 2 own_cancelled, 3 own_open, 4 own_completed, 5 own_completed, 6 own_cancelled",
        "2 offered, 3 helping, 4 completed, 5 settled, 6 declined",
        "4 completed, 5 settled, 6 cancelled",
    ];
    assert_eq!(places(&mut beside).await, expected);
}

#[tokio::test]
async fn an_index_of_which_the_building_broke_off_is_built_anew() {
    let database = Database::empty().await;
    migrate::apply(database.url(), &below(45)).await.unwrap();
    let mut beside = database.connect().await;
    let broken = "SET allow_system_table_mods = on;
                  CREATE INDEX favors_by_creator ON favors (creator_id, status);
                  CREATE INDEX of_an_operator ON favors (title);
                  UPDATE pg_index SET indisvalid = false
                  WHERE indexrelid IN ('favors_by_creator'::regclass, 'of_an_operator'::regclass)";
    beside.execute(broken).await.unwrap();
    migrate::run(database.url()).await.unwrap();
    let whole = "SELECT string_agg(c.relname || ' ' || i.indisvalid, ', ' ORDER BY c.relname)
                 FROM pg_index i
                 JOIN pg_class c ON c.oid = i.indexrelid
                 WHERE c.relname IN ('favors_by_creator', 'of_an_operator')
                 LIMIT 1";
    let told: String = beside.fetch_one(whole).await.unwrap().get(0);
    assert_eq!(told, "favors_by_creator true, of_an_operator false", "and nobody else's is touched");
}

/// The text of a migration without its comments, and its statements.
fn statements(migration: &Migration) -> Vec<String> {
    let code: Vec<&str> = migration.sql.as_str().lines().filter(|line| !line.starts_with("--")).collect();
    code.join("\n").split(";\n").map(|s| s.trim().to_owned()).collect()
}

/// Of a table that is in use: what was made by the migration itself is not yet.
#[test]
fn no_migration_reads_a_table_in_use_under_a_lock_that_stops_its_writers() {
    // What landed before is as it is.
    for migration in MIGRATIONS.iter().filter(|m| m.version >= 37) {
        let statements = statements(migration);
        let is_new = |table: &str| statements.iter().any(|s| s.starts_with(&format!("CREATE TABLE {table} ")));
        for statement in &statements {
            let words: Vec<&str> = statement.split_whitespace().collect();
            let after = |word: &str| words.iter().position(|w| *w == word).and_then(|i| words.get(i + 1)).copied().unwrap_or_default();
            if statement.starts_with("CREATE INDEX") && !is_new(after("ON")) {
                assert!(migration.no_tx && statement.contains("CONCURRENTLY IF NOT EXISTS"), "{}: {statement}", migration.version);
            }
            if statement.starts_with("ALTER TABLE") && statement.contains("CHECK") && !is_new(after("TABLE")) {
                let checks = statement.matches("CHECK (").count();
                assert_eq!(statement.matches("NOT VALID").count(), checks, "{}: {statement}", migration.version);
            }
            let copies = statement.starts_with("INSERT") || statement.starts_with("UPDATE");
            assert!(migration.no_tx || !copies, "{}: {statement}", migration.version);
        }
        assert!(!migration.no_tx || statements.iter().filter(|s| s.starts_with("CREATE INDEX")).count() <= 1, "{}", migration.version);
    }
}
