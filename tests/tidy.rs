//! The shape of the code, as server/ARCHITECTURE.md has it: who may use whom, what may stand where. Each failure names its line.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A lower one never uses a higher one; those of one row may use each other. What is not named here is kernel, below all of them. The
/// files of the edge count one by one: what an RPC meets first uses the areas, and its limits are used by them.
const ORDER: &[&[&str]] = &[
    &["adapters"],
    &["identity"],
    &["config"],
    &["notifications"],
    &["friends"],
    &["groups"],
    &["items"],
    &["rentals"],
    &["favors"],
    &["profile"],
    &["rest", "edge::http_middleware", "config"],
    &["edge::body_timeout", "edge::rpc_dispatch", "edge::discovery", "edge::pictures", "edge::static_files", "edge::overload"],
    &["edge::slow_reader", "edge::connection", "edge::listener"],
    &["edge::protocol_router"],
    &["app", "demo", "operators"],
    &["commands"],
    &["lib", "main"],
];

const EDGE: &str = "edge";

/// Kernel files with tables, or a question to the database, of their own.
const KERNEL_SQL: &[&str] = &["budgets", "bus", "idempotency", "jobs", "migrate"];

/// Where a gRPC status is made: where every failure becomes one, and on the edge.
const STATUS: &[&str] = &["edge::deadline", "edge::rpc_dispatch", "edge::overload", "edge::protocol_router", "error", "rest"];

struct File {
    /// From the root of the repository.
    path: PathBuf,
    text: String,
}

impl File {
    /// The area or kernel file that it belongs to: `server/favors/rules.rs` and `server/favors.rs` are of `favors`, and
    /// `server/edge/rpc_dispatch.rs` is `edge::rpc_dispatch`.
    fn part(&self) -> String {
        let mut below = self.path.strip_prefix("server").unwrap().iter().map(|p| p.to_str().unwrap().trim_end_matches(".rs"));
        match (below.next().unwrap(), below.next()) {
            (EDGE, Some(file)) => format!("{EDGE}::{file}"),
            (part, _) => part.to_owned(),
        }
    }

    fn is_room(&self, name: &str) -> bool {
        self.path.iter().skip(2).any(|p| p == name || p.to_str() == Some(&format!("{name}.rs")))
    }

    /// Lines of code, with their numbers; comments are left out.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(i, line)| (i + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path.display())
    }

    fn lines_with(&self, words: &[&str], what: &str) -> Vec<String> {
        self.code()
            .filter(|(_, line)| words.iter().any(|w| has_word(line, w)))
            .map(|(n, line)| self.at(n, &format!("{what}: {}", line.trim())))
            .collect()
    }
}

/// Whether a text has a word that does not go on to the left.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(i, _)| !text[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn files(dir: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    collect(&root.join(dir), root, &mut found);
    assert!(!found.is_empty(), "{dir} has no files to look at");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(dir: &Path, root: &Path, found: &mut Vec<File>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, root, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(File { text: fs::read_to_string(&path).unwrap(), path: path.strip_prefix(root).unwrap().to_owned() });
        }
    }
}

fn none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn rank(part: &str) -> usize {
    ORDER.iter().position(|row| row.contains(&part)).map_or(0, |i| i + 1)
}

/// The parts that a file names after `crate::`, alone or in braces, with the line.
fn used(file: &File) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let text: Vec<_> = file.text.lines().map(|l| if l.trim_start().starts_with("//") { "" } else { l }).collect();
    let text = text.join("\n");
    for (i, _) in text.match_indices("crate::") {
        if text[..i].ends_with('$') {
            continue;
        }
        let line = text[..i].lines().count().max(1);
        let rest = &text[i + "crate::".len()..];
        let parts = match rest.strip_prefix('{') {
            Some(group) => names(group),
            None => parts_at(rest),
        };
        found.extend(parts.into_iter().map(|part| (line, part)));
    }
    found
}

/// The parts that a path begins with: one, or several files of the edge.
fn parts_at(path: &str) -> Vec<String> {
    let part = name(path);
    let Some(inside) = path.trim_start().strip_prefix(EDGE).and_then(|rest| rest.strip_prefix("::")) else { return vec![part] };
    let files = match inside.strip_prefix('{') {
        Some(group) => names(group),
        None => vec![name(inside)],
    };
    files.into_iter().map(|file| format!("{EDGE}::{file}")).collect()
}

fn name(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first names of a group in braces, whose opening one was read.
fn names(group: &str) -> Vec<String> {
    let (mut depth, mut found) = (1, parts_at(group));
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => found.extend(parts_at(&group[i + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn a_lower_part_never_uses_a_higher_one() {
    let mut problems = Vec::new();
    for file in files("server") {
        let own = file.part();
        for (line, part) in used(&file) {
            if rank(&part) > rank(&own) {
                problems.push(file.at(line, &format!("{own} may not use {part}")));
            }
        }
    }
    none(problems);
}

#[test]
fn rules_are_pure() {
    let foreign = ["tonic", "sqlx", "async ", "Clock", "PgConnection", "tokio"];
    none(files("server").iter().filter(|f| f.is_room("rules")).flat_map(|f| f.lines_with(&foreign, "not in a rules.rs")).collect());
}

#[test]
fn sql_stands_in_stores() {
    let sql = ["query!(", "query_as!(", "query_scalar!(", "sqlx::query", "raw_sql(", "QueryBuilder"];
    let elsewhere = |f: &&File| !f.is_room("store") && !KERNEL_SQL.contains(&&*f.part());
    none(files("server").iter().filter(elsewhere).flat_map(|f| f.lines_with(&sql, "SQL belongs in a store.rs")).collect());
}

#[test]
fn connections_are_lent_for_one_read_or_one_transaction() {
    let elsewhere = |f: &&File| !["db", "bus", "edge::health", "jobs"].contains(&&*f.part());
    let words = [".lend()", ".begin()", "PgPool", "PgListener", "connect_with("];
    none(files("server").iter().filter(elsewhere).flat_map(|f| f.lines_with(&words, "use read! or transact!")).collect());
}

#[test]
fn nothing_notifies_in_a_transaction() {
    let elsewhere = |f: &&File| f.part() != "bus";
    let words = ["pg_notify", "NOTIFY "];
    none(files("server").iter().filter(elsewhere).flat_map(|f| f.lines_with(&words, "all commits would wait: use Tx::signal")).collect());
}

#[test]
fn a_store_has_no_transaction_of_its_own() {
    let words = ["transact!", "begin()", "commit()", "rollback()"];
    let problem = "the service owns the transaction";
    none(files("server").iter().filter(|f| f.is_room("store")).flat_map(|f| f.lines_with(&words, problem)).collect());
}

#[test]
fn a_status_is_made_in_one_place() {
    // The areas have statuses of their own, whose values begin with a capital.
    let made: Vec<_> = ('a'..='z').map(|c| format!("Status::{c}")).collect();
    let made: Vec<_> = made.iter().map(String::as_str).collect();
    let elsewhere = |f: &&File| !STATUS.contains(&&*f.part());
    none(files("server").iter().filter(elsewhere).flat_map(|f| f.lines_with(&made, "make an Error instead")).collect());
}

/// The bodies of `app/parts.rs` where the areas stand that hear of something, by what they implement to hear of it.
const HEARD: &[(&str, &str)] = &[
    ("friends::Hook for", "friends_hooks"),
    ("items::Hook for", "items_hooks"),
    ("identity::Hook for", "identity_hooks"),
    ("notifications::Leaving for", "let leaving"),
];

/// The text from a name to the end of its statement or function.
fn body<'a>(text: &'a str, name: &str) -> &'a str {
    let begin = text.rfind(&format!("fn {name}(")).or_else(|| text.rfind(name)).unwrap();
    let rest = &text[begin..];
    let end = if name.starts_with("let ") { rest.find(";\n") } else { rest.find("\n}\n") };
    &rest[..end.unwrap()]
}

#[test]
fn an_area_that_hears_of_something_stands_in_the_list_of_those_who_are_told() {
    let server = files("server");
    let parts = server.iter().find(|f| f.path.ends_with("app/parts.rs")).unwrap();
    let mut problems = Vec::new();
    let mut found = 0;
    for file in &server {
        for (implements, list) in HEARD {
            let lines = file.code().filter(|(_, line)| line.starts_with("impl ") && has_word(line, implements));
            for (line, _) in lines.filter(|_| file.part() != "app") {
                found += 1;
                if !has_word(body(&parts.text, list), &file.part()) {
                    problems.push(file.at(line, &format!("{} is not told: it does not stand in {list} of app/parts.rs", file.part())));
                }
            }
        }
    }
    assert!(found >= 8, "only {found} hooks were found: are they still written like this?");
    none(problems);
}

/// What an area has that hears of its members: it tells what it keeps of each, and forgets who leaves.
const HEARS: &[&[&str]] =
    &[&["impl identity::Hook for"], &["async fn exported("], &["impl notifications::Leaving for", "async fn deleted("]];

#[test]
fn each_area_hears_of_members() {
    let server = files("server");
    let areas: Vec<_> = server.iter().filter(|f| f.path.ends_with("service.rs")).map(File::part).collect();
    let above = areas.iter().filter(|area| *area != "identity");
    assert!(above.clone().count() >= 7, "only {areas:?} were found: are their services still in such files?");
    let mut problems = Vec::new();
    for area in above {
        let of_it: Vec<_> = server.iter().filter(|f| f.part() == *area).collect();
        for ways in HEARS.iter().filter(|ways| !of_it.iter().any(|f| ways.iter().any(|way| f.text.contains(way)))) {
            problems.push(format!("server/{area}: {ways:?} is not there: it does not hear of its members"));
        }
    }
    none(problems);
}

#[test]
fn the_first_line_says_what_lives_there() {
    let without = |f: &File| !f.text.lines().next().is_some_and(|line| line.starts_with("//! ") && line.len() > 12);
    let all = files("server").into_iter().chain(files("tests"));
    none(all.filter(without).map(|f| f.at(1, "begins without a //! sentence")).collect());
}

#[test]
fn the_order_is_read_from_any_use() {
    let file = |text: &str| File { path: "server/identity/mod.rs".into(), text: text.to_owned() };
    let parts = |text: &str| used(&file(text)).into_iter().map(|(_, part)| part).collect::<Vec<_>>();
    assert_eq!(parts("use crate::favors::FavorId;"), ["favors"]);
    assert_eq!(parts("use crate::{\n    error::{Error, Result},\n    favors,\n};"), ["error", "favors"]);
    assert_eq!(parts("// crate::favors\nlet x = $crate::favors::y; crate::ids::z()"), ["ids"]);
    assert_eq!(
        parts("use crate::{\n    edge::{limits::Rate, rpc_dispatch},\n    error,\n};"),
        ["edge::limits", "edge::rpc_dispatch", "error"]
    );
    assert_eq!(parts("crate::edge::codec::check(m)"), ["edge::codec"]);
    assert!(has_word("Err(Status::internal(e))", "Status::") && !has_word("FavorStatus::Active", "Status::"));
}
