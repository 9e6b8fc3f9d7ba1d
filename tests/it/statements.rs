//! What the program says to Postgres, on each Postgres that the tests run on: the checked queries were checked on one.

use crate::harness::Database;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, Row, SqlSafeStr};
use std::{collections::HashSet, fs, path::Path};

/// The files of `.sqlx`: what the build knows of each checked statement.
fn checked() -> Vec<Value> {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".sqlx")).unwrap();
    files.map(|file| serde_json::from_slice(&fs::read(file.unwrap().path()).unwrap()).unwrap()).collect()
}

/// All statements that are checked when the program is built.
fn statements() -> Vec<String> {
    checked().iter().map(|file| file["query"].as_str().unwrap().to_owned()).collect()
}

/// The build checks statements against `.sqlx`, not against a database: this test compares the two.
#[tokio::test]
async fn sqlx_files_match_the_schema() {
    let database = Database::create().await;
    let mut connection = database.connect().await;
    let mut stale = Vec::new();
    for file in checked() {
        let statement = file["query"].as_str().unwrap().to_owned();
        let described = connection.describe(AssertSqlSafe(statement.clone()).into_sql_str()).await;
        let now = described.map(|d| effective(serde_json::to_value(d).unwrap()));
        let known = effective(file["describe"].clone());
        if now.as_ref().ok() != Some(&known) {
            stale.push(format!("{statement}\nnow: {now:?}\n.sqlx: {known}"));
        }
    }
    assert!(stale.is_empty(), "run `make sqlx` and commit the outcome:\n{}", stale.join("\n"));
}

/// A description without the nullability of columns whose name states it (`x?`, `x!`): sqlx guesses it
/// from the plan, which differs between databases, and the macros ignore it.
fn effective(mut description: Value) -> Value {
    let states_it = |column: &Value| column["name"].as_str().unwrap().contains(['?', '!']);
    let stated: Vec<bool> = description["columns"].as_array().unwrap().iter().map(states_it).collect();
    for (nullable, _) in description["nullable"].as_array_mut().unwrap().iter_mut().zip(stated).filter(|(_, stated)| *stated) {
        *nullable = Value::Null;
    }
    description
}

/// A statement that was removed or changed leaves its file behind unless `make sqlx` is run.
#[test]
fn sqlx_files_belong_to_statements_of_the_server() {
    let mut sources = String::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("server"), &mut sources);
    let sources = sources.replace("\\\"", "\"");
    let whole_lines: HashSet<&str> = sources.lines().map(str::trim).collect();
    let is_known = |line: &str| whole_lines.contains(line) || is_in(&sources, line);
    let statements = statements();
    let unknown: Vec<&String> = statements.iter().filter(|s| !s.lines().map(str::trim).all(is_known)).collect();
    assert!(unknown.is_empty(), "run `make sqlx` and commit the outcome: {unknown:#?}");
}

/// Whether a line stands in the sources, whole or in the few parts from which macros put it together.
fn is_in(sources: &str, mut line: &str) -> bool {
    const PARTS_MAX: usize = 3;
    for _ in 0..PARTS_MAX {
        let ends = (1..=line.len()).rev().filter(|end| line.is_char_boundary(*end));
        let Some(longest) = ends.into_iter().find(|end| sources.contains(&line[..*end])) else { break };
        line = &line[longest..];
    }
    line.is_empty()
}

fn read_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, sources);
        } else if path.extension().is_some_and(|e| e == "rs") {
            sources.push_str(&fs::read_to_string(path).unwrap());
        }
    }
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
