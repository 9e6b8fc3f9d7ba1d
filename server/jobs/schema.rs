//! The queue's own schema: the library's tables, and indexes of ours by which jobs are looked for and counted class by class.

use crate::error::Result;
use graphile_worker_migrations::{MigrateError, sql::GRAPHILE_WORKER_MIGRATIONS};
use sqlx::{
    PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// The library's own indexes lead with the priority: among many jobs of a later time it would read all to find those that are due.
const INDEXES: [(&str, &str); 3] = [
    (
        "graphile_worker.goodturn_jobs_due",
        "CREATE INDEX goodturn_jobs_due
         ON graphile_worker._private_jobs (task_id, run_at)
         WHERE is_available = true",
    ),
    (
        "graphile_worker.goodturn_jobs_held",
        "CREATE INDEX goodturn_jobs_held
         ON graphile_worker._private_jobs (task_id, locked_at)
         WHERE locked_at IS NOT NULL",
    ),
    (
        "graphile_worker.goodturn_jobs_dead",
        "CREATE INDEX goodturn_jobs_dead
         ON graphile_worker._private_jobs (task_id, run_at)
         WHERE is_available = false AND locked_at IS NULL",
    ),
];

/// Whether the queue's own schema is this program's, or newer.
///
/// # Errors
/// As the database.
pub async fn is_migrated(conn: &mut PgConnection) -> Result<bool> {
    if !is_there(conn, "graphile_worker.migrations").await? {
        return Ok(false);
    }
    let revision = "SELECT coalesce(max(id), 0) FROM graphile_worker.migrations LIMIT 1";
    let revision: i32 = sqlx::query_scalar(revision).fetch_one(&mut *conn).await?;
    if GRAPHILE_WORKER_MIGRATIONS.iter().any(|m| i64::from(m.migration_number()) > i64::from(revision)) {
        return Ok(false);
    }
    for (name, _) in INDEXES {
        if !is_there(conn, name).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Brings the queue's own schema up to date, on connections that are made as the options say.
///
/// # Errors
/// When a migration fails.
pub async fn migrate(options: &PgConnectOptions) -> anyhow::Result<()> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options.clone());
    match graphile_worker_migrations::migrate(&pool, graphile_worker::Schema::default()).await {
        // This node serves; the jobs are left to the newer nodes that changed the queue.
        Err(newer @ MigrateError::IncompatbleRevision { .. }) => {
            tracing::warn!(cause = %newer, "this node does no jobs");
            return Ok(());
        }
        done => done?,
    }
    let mut conn = pool.acquire().await?;
    for (name, create) in INDEXES {
        if !is_there(&mut conn, name).await? {
            sqlx::query(create).execute(&mut *conn).await?;
        }
    }
    drop(conn);
    pool.close().await;
    Ok(())
}

async fn is_there(conn: &mut PgConnection, name: &str) -> Result<bool> {
    let there = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL LIMIT 1").bind(name);
    Ok(there.fetch_one(conn).await?)
}
