//! Migrations: each is applied once, by whichever node comes first, beside nodes that serve.

use crate::{
    db::{self, Bounds},
    jobs,
};
use anyhow::{Context, Result, bail};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection,
    migrate::{Migrate, MigrateError, Migrator},
    postgres::PgConnectOptions,
};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Every migration, embedded.
pub static MIGRATIONS: Migrator = sqlx::migrate!("server/migrations");

/// Any number that nothing else locks.
const TURN: i64 = 0x600d_7013;
const LOOK_EVERY: Duration = Duration::from_millis(200);
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// For the turn of another node, and for tables in use.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// Whoever comes after a waiting DDL waits behind it, readers too: it gives up its place and comes again.
const LOCK_WITHIN: Duration = Duration::from_millis(500);
/// Nobody waits behind an index that is built beside writers: it may wait for any transaction of a node, and is not built in vain.
const BESIDE_WRITERS_WITHIN: Duration = Duration::from_secs(30);
const COME_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Brings the schema up to date. Safe on every start and on several nodes at once; a schema that a newer release made is left as it is.
///
/// # Errors
/// When a migration fails or was changed after it was applied, or when another node or a table in use held it up for ten minutes.
pub async fn run(url: &str) -> Result<()> {
    apply(url, &MIGRATIONS).await
}

/// As `run`, with migrations of the caller's. One that runs outside of a transaction must bear to be begun anew.
///
/// # Errors
/// As `run`.
pub async fn apply(url: &str, migrations: &Migrator) -> Result<()> {
    let options = options(url)?;
    let mut migrator = Migrator::with_migrations(migrations.iter().cloned().collect());
    // The turn is taken here: the migrator's own lock is waited for by a statement, which everything that watches snapshots would see.
    migrator.set_ignore_missing(true).set_locking(false);
    let since = Instant::now();
    loop {
        match once(&options, &migrator).await {
            Err(cause) if is_lock(&cause) && since.elapsed() < WAIT_MAX => {
                tracing::info!(cause = format!("{cause:#}"), "a migration waits for a table in use");
                sleep(COME_AGAIN_AFTER).await;
            }
            done => return done,
        }
    }
}

/// A connection of its own: a statement may take as long as it takes, but waits for a lock only briefly.
fn options(url: &str) -> Result<PgConnectOptions> {
    let bounds = Bounds { statement: Duration::ZERO, lock: LOCK_WITHIN, ..Bounds::default() };
    Ok(db::options(url, bounds, "goodturn migrate")?)
}

async fn once(options: &PgConnectOptions, migrator: &Migrator) -> Result<()> {
    let mut conn = timeout(CONNECT_WITHIN, options.connect()).await.context("the database does not answer")??;
    // With nothing to apply it does not matter who has the turn. While nodes are replaced, one of the release before can start beside
    // a newer one that migrates.
    if !is_current(&mut conn, migrator).await? {
        wait_for_turn(&mut conn).await?;
        drop_unfinished(&mut conn, migrator).await?;
    }
    for migrations in migrator.iter().as_slice().chunk_by(|a, b| a.no_tx == b.no_tx) {
        let Some(last) = migrations.last() else { continue };
        let within = if last.no_tx { BESIDE_WRITERS_WITHIN } else { LOCK_WITHIN };
        sqlx::query_scalar!("SELECT set_config('lock_timeout', $1, false)", within.as_millis().to_string()).fetch_one(&mut conn).await?;
        migrator.run_to(last.version, &mut conn).await?;
    }
    jobs::migrate(options).await?;
    Ok(conn.close().await?)
}

async fn is_current(conn: &mut PgConnection, migrator: &Migrator) -> Result<bool> {
    let applied = match conn.list_applied_migrations(&migrator.table_name).await {
        Ok(applied) => applied,
        Err(MigrateError::Execute(e)) if e.as_database_error().is_some_and(|e| e.code().as_deref() == Some("42P01")) => return Ok(false),
        Err(e) => return Err(e.into()),
    };
    let ours = migrator.iter().all(|m| applied.iter().any(|a| a.version == m.version));
    Ok(ours && jobs::is_migrated(conn).await?)
}

async fn wait_for_turn(conn: &mut PgConnection) -> Result<()> {
    let since = Instant::now();
    let mut told = false;
    while !sqlx::query_scalar!(r#"SELECT pg_try_advisory_lock($1) AS "ours!""#, TURN).fetch_one(&mut *conn).await? {
        if !told {
            tracing::info!("another node migrates the database; this one waits");
            told = true;
        }
        if since.elapsed() > WAIT_MAX {
            bail!("another node has migrated the database for {WAIT_MAX:?}: see the connection named \"goodturn migrate\"");
        }
        sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// Drops what a broken off `CREATE INDEX CONCURRENTLY` of these migrations left: the next try would take it for the index.
/// No migration builds one yet. Those to come build their indexes on tables in use in this way.
async fn drop_unfinished(conn: &mut PgConnection, migrator: &Migrator) -> Result<()> {
    let unfinished = sqlx::query_scalar!(
        r#"SELECT c.relname::text AS "name!"
           FROM pg_index i
           JOIN pg_class c ON c.oid = i.indexrelid
           WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
           LIMIT 100"#
    )
    .fetch_all(&mut *conn)
    .await?;
    for name in unfinished {
        if migrator.iter().any(|m| m.no_tx && m.sql.as_str().split_whitespace().any(|word| word == name)) {
            conn.execute(AssertSqlSafe(format!("DROP INDEX IF EXISTS {name}"))).await?;
        }
    }
    Ok(())
}

/// Whether a migration failed since somebody else had what it needs.
fn is_lock(cause: &anyhow::Error) -> bool {
    cause.chain().any(|e| {
        let ours = e.downcast_ref::<sqlx::Error>().and_then(|e| e.as_database_error()).and_then(|e| e.code());
        let queue = e.downcast_ref::<graphile_worker::DbError>().and_then(|e| e.code());
        matches!(ours.as_deref().or(queue), Some("55P03" | "40P01"))
    })
}
