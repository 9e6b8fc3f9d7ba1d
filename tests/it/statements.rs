//! What the program says to Postgres, on each Postgres that the tests run on: the checked queries were checked on one.

use crate::harness::Database;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use std::{fs, path::Path};

#[tokio::test]
async fn every_statement_is_understood() {
    let database = Database::create().await;
    let mut connection = database.connect().await;
    let mut understood = 0;
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".sqlx")).unwrap() {
        let checked: Value = serde_json::from_slice(&fs::read(file.unwrap().path()).unwrap()).unwrap();
        let statement = checked["query"].as_str().unwrap().to_owned();
        let prepared = connection.prepare(AssertSqlSafe(statement.clone()).into_sql_str()).await;
        assert!(prepared.is_ok(), "{}: {statement}", prepared.err().unwrap());
        understood += 1;
    }
    assert!(understood > 100, "they were looked for where they are");
}
