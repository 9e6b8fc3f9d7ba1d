//! What the program says to Postgres, on each Postgres that the tests run on: the checked queries were checked on one.

use crate::harness::Database;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, Row, SqlSafeStr};
use std::{fs, path::Path};

/// All that are checked when the program is built.
fn statements() -> Vec<String> {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".sqlx")).unwrap();
    let statement = |file: fs::DirEntry| -> String {
        let checked: Value = serde_json::from_slice(&fs::read(file.path()).unwrap()).unwrap();
        checked["query"].as_str().unwrap().to_owned()
    };
    files.map(|file| statement(file.unwrap())).collect()
}

#[tokio::test]
async fn every_statement_is_understood() {
    let database = Database::create().await;
    let mut connection = database.connect().await;
    let mut understood = 0;
    for statement in statements() {
        let prepared = connection.prepare(AssertSqlSafe(statement.clone()).into_sql_str()).await;
        assert!(prepared.is_ok(), "{}: {statement}", prepared.err().unwrap());
        understood += 1;
    }
    assert!(understood > 100, "they were looked for where they are");
}

/// A table of the same shape with that index alone, before the other one.
const ALONE: &str = "DO $$
    BEGIN
        CREATE SCHEMA alone;
        CREATE TABLE alone.rentals (LIKE public.rentals);
        EXECUTE (
            SELECT 'ALTER TABLE alone.rentals ADD CONSTRAINT rentals_no_double_booking ' || pg_get_constraintdef(oid)
            FROM pg_constraint
            WHERE conname = 'rentals_no_double_booking'
        );
    END $$;
    SET search_path = alone, public;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET plan_cache_mode = force_generic_plan";

const ARGUMENTS: &str = "SELECT '(' || array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', ') || ')'
    FROM pg_prepared_statements
    WHERE name = 'looked_at'";

/// Postgres loses rows of a GiST index that is read while it grows, and a constraint that does not see a row lets an item be promised twice.
#[tokio::test]
async fn nothing_reads_by_the_index_that_stands_against_double_booking() {
    let database = Database::create().await;
    let mut connection = database.connect().await;
    connection.execute(ALONE).await.unwrap();
    let mut of_days = 0;
    for statement in statements().into_iter().filter(|statement| statement.contains("rentals")) {
        connection.execute(AssertSqlSafe(format!("PREPARE looked_at AS {statement}")).into_sql_str()).await.unwrap();
        let arguments: String = connection.fetch_one(ARGUMENTS).await.unwrap().get(0);
        let explain = format!("EXPLAIN EXECUTE looked_at{}", if arguments == "()" { "" } else { &arguments });
        let lines = connection.fetch_all(AssertSqlSafe(explain).into_sql_str()).await.unwrap();
        let plan: Vec<String> = lines.iter().map(|line| line.get(0)).collect();
        assert!(!plan.iter().any(|line| line.contains("no_double_booking")), "{statement}\n{}", plan.join("\n"));
        of_days += usize::from(statement.contains("held_until >="));
        connection.execute("DEALLOCATE looked_at").await.unwrap();
    }
    assert!(of_days >= 3, "those that ask which days are held are among them");
}
