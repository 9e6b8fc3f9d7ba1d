//! Sealed columns of any table, row by row: for sealing them anew. The tables are named by `identity::key_rotation`.

use crate::error::Result;
use sqlx::{AssertSqlSafe, PgConnection, Row};

/// A column that holds sealed bytes; NULL where there are none.
pub struct Column {
    /// Its table.
    pub table: &'static str,
    /// The columns of the table's key, with their types.
    pub key: &'static [(&'static str, &'static str)],
    /// The column.
    pub sealed: &'static str,
}

/// What stands in one row: its key, as texts, and what is sealed there.
pub struct Sealed {
    /// The key.
    pub key: Vec<String>,
    /// The sealed bytes.
    pub bytes: Vec<u8>,
}

/// The rows after a key, in the order of the keys, at most `limit`.
pub async fn page(conn: &mut PgConnection, of: &Column, after: Option<&[String]>, limit: i64) -> Result<Vec<Sealed>> {
    let Column { table, sealed, key } = of;
    let names = key.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let texts = key.iter().map(|(name, _)| format!("{name}::text")).collect::<Vec<_>>().join(", ");
    let bounds = (1..).zip(*key).map(|(n, (_, kind))| format!("($1::text[])[{n}]::{kind}")).collect::<Vec<_>>().join(", ");
    let further = if after.is_some() { format!("AND ({names}) > ({bounds})") } else { "AND $1::text[] IS NULL".to_owned() };
    // Names of the program's own, and no value: those are bound.
    let sql = format!(
        "SELECT ARRAY[{texts}] AS key, {sealed} AS sealed
         FROM {table}
         WHERE {sealed} IS NOT NULL {further}
         ORDER BY {names}
         LIMIT $2"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(after).bind(limit).fetch_all(conn).await?;
    rows.iter().map(|row| Ok(Sealed { key: row.try_get("key")?, bytes: row.try_get("sealed")? })).collect()
}

/// Puts other bytes in the place of those that were read. `false` when something else stands there by now.
pub async fn put(conn: &mut PgConnection, of: &Column, read: &Sealed, anew: &[u8]) -> Result<bool> {
    let Column { table, sealed, key } = of;
    let is_row = (1..).zip(*key).map(|(n, (name, kind))| format!("{name} = ($1::text[])[{n}]::{kind}")).collect::<Vec<_>>().join(" AND ");
    let sql = format!(
        "UPDATE {table}
         SET {sealed} = $3
         WHERE {is_row} AND {sealed} = $2"
    );
    let done = sqlx::query(AssertSqlSafe(sql)).bind(&read.key).bind(&read.bytes).bind(anew).execute(conn).await?;
    Ok(done.rows_affected() == 1)
}
