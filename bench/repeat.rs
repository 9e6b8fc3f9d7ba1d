//! Where there is no pgbench: the server's own statements, prepared, from connections of this program.

use crate::{
    load::Caller,
    tap::{Statement, Value, new_id},
};
use anyhow::{Context, Result};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// What one member's call executes.
pub type Call = (Uuid, Vec<Statement>);

/// Repeats the calls of one member after the other, on a connection of its own.
pub struct Repeater {
    conn: PgConnection,
    /// The name of each prepared statement.
    prepared: HashMap<String, String>,
    calls: Arc<[Call]>,
    /// How many ids each call makes.
    new_ids: usize,
    next: usize,
}

impl Repeater {
    /// The caller of this number.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn new(n: usize, url: &str, calls: &Arc<[Call]>, new_ids: usize) -> Result<Self> {
        Ok(Self { conn: PgConnection::connect(url).await?, prepared: HashMap::new(), calls: calls.clone(), new_ids, next: n })
    }

    async fn execute(&mut self, fresh: &[Uuid], statement: &Statement) -> Result<()> {
        if statement.values.is_empty() {
            self.conn.execute(AssertSqlSafe(statement.sql.clone())).await?;
            return Ok(());
        }
        let name = match self.prepared.get(&statement.sql) {
            Some(name) => name.clone(),
            None => {
                let name = format!("s{}", self.prepared.len());
                let kinds: Vec<&str> = statement.values.iter().map(|v| v.kind).collect();
                let sql = format!("PREPARE {name} ({}) AS {}", kinds.join(", "), statement.sql);
                self.conn.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
                self.prepared.insert(statement.sql.clone(), name.clone());
                name
            }
        };
        let values: Vec<String> = statement.values.iter().map(|v| literal(v, fresh)).collect();
        let sql = format!("EXECUTE {name} ({})", values.join(", "));
        self.conn.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        Ok(())
    }
}

impl Caller for Repeater {
    async fn call(&mut self) -> Result<Duration> {
        let calls = self.calls.clone();
        let (_, statements) = calls.get(self.next % calls.len()).context("nothing was recorded")?;
        self.next += 1;
        let fresh: Vec<Uuid> = (0..self.new_ids).map(|_| Uuid::from_u128(rand::random())).collect();
        let began = Instant::now();
        for statement in statements {
            self.execute(&fresh, statement).await?;
        }
        Ok(began.elapsed())
    }
}

fn literal(value: &Value, fresh: &[Uuid]) -> String {
    let Some(text) = &value.text else { return format!("NULL::{}", value.kind) };
    let text = fresh.iter().enumerate().fold(text.replace('\'', "''"), |text, (n, id)| text.replace(&new_id(n), &id.to_string()));
    format!("'{text}'::{}", value.kind)
}
