//! The order of locks, checked in every test: each transaction of the server must first lock the tables in the order of `db::LOCK_ORDER`.

use goodturn::db::{LOCK_ORDER, TX_SPAN};
use std::{
    fmt,
    sync::{Mutex, Once},
};
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
};
use tracing_subscriber::{
    Layer,
    filter::Targets,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
    util::SubscriberInitExt,
};

static BROKEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ENDED: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

/// Begins to watch, unless a test's own log does already.
pub fn begin() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let _ = tracing_subscriber::registry().with(watch()).try_init();
    });
}

/// What watches.
pub fn watch<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    Watch.with_filter(Targets::new().with_target(TX_SPAN, Level::TRACE).with_target("sqlx::query", Level::DEBUG))
}

/// What was locked out of order since the last time.
pub fn broken() -> Vec<String> {
    std::mem::take(&mut *BROKEN.lock().unwrap())
}

/// How many statements each transaction had that locked a table, in the order of their ends.
pub fn statements_on(table: &str) -> Vec<usize> {
    ENDED.lock().unwrap().iter().filter(|seen| seen.locked.iter().any(|t| t == table)).map(|seen| seen.statements).collect()
}

struct Watch;

/// What was seen of a transaction so far.
#[derive(Default)]
struct Seen {
    locked: Vec<String>,
    statements: usize,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Watch {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().target() == TX_SPAN {
            context.span(id).unwrap().extensions_mut().insert(Seen::default());
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut statement = Statement::default();
        event.record(&mut statement);
        let Some(scope) = context.event_scope(event) else { return };
        for span in scope {
            if let Some(Seen { locked, statements }) = span.extensions_mut().get_mut() {
                *statements += 1;
                BROKEN.lock().unwrap().extend(locks(&statement.sql()).into_iter().filter_map(|table| add(locked, table)));
                return;
            }
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        ENDED.lock().unwrap().extend(context.span(&id).and_then(|span| span.extensions_mut().remove::<Seen>()));
    }
}

/// The statement, which is told whole or, when it is long, by its beginning and whole after that.
#[derive(Default)]
struct Statement {
    summary: String,
    whole: String,
}

impl Statement {
    fn sql(self) -> String {
        if self.whole.is_empty() { self.summary } else { self.whole }
    }
}

impl Visit for Statement {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => self.summary = value.to_owned(),
            "db.statement" => self.whole = value.to_owned(),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

/// Notes a lock; what is wrong with it.
fn add(locked: &mut Vec<String>, table: String) -> Option<String> {
    if locked.contains(&table) {
        return None;
    }
    let rank = |table: &str| LOCK_ORDER.iter().position(|line| line.contains(&table));
    let wrong = match rank(&table) {
        None => Some(format!("{table} has no place in db::LOCK_ORDER")),
        Some(mine) => locked.iter().find(|t| rank(t) > Some(mine)).map(|later| format!("{table} is locked after {later}")),
    };
    locked.push(table);
    wrong
}

/// The tables whose rows a statement locks.
fn locks(sql: &str) -> Vec<String> {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let word = |i: usize| words.get(i).copied().unwrap_or_default();
    let name = |i: usize| table(word(i));
    let mut found = Vec::new();
    for i in 0..words.len() {
        match (word(i), word(i + 1)) {
            ("INSERT", "INTO") | ("DELETE", "FROM") => found.push(name(i + 2)),
            ("UPDATE", next) if next != "SET" && (i == 0 || !["FOR", "DO", "KEY"].contains(&word(i - 1))) => found.push(name(i + 1)),
            ("FOR", "UPDATE" | "SHARE" | "NO") if word(i + 2) != "SKIP" => {
                let from = words.iter().position(|w| *w == "FROM").map_or(i, |at| at + 1);
                found.push(name(from));
            }
            (call, _) if call.starts_with("pg_advisory_xact_lock") => found.push(advisory(sql)),
            _ => {}
        }
    }
    found
}

fn table(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    if word.starts_with("graphile_worker") { "jobs".to_owned() } else { word.to_owned() }
}

/// What an advisory lock stands for.
fn advisory(sql: &str) -> String {
    let meant = [("signing keys", "signing keys"), ("goodturn groups", "groups"), ("graphile_worker", "jobs")]
        .into_iter()
        .find(|(word, _)| sql.contains(word));
    meant.map_or("circles", |(_, table)| table).to_owned()
}

#[test]
fn statements_are_read() {
    assert_eq!(locks("SELECT id\n FROM favors WHERE id = $1\n FOR UPDATE"), ["favors"]);
    assert_eq!(locks("SELECT id\n FROM members WHERE id = $1\n FOR NO KEY UPDATE"), ["members"]);
    assert_eq!(locks("INSERT INTO attempts (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET a = 1"), ["attempts"]);
    assert_eq!(locks("UPDATE members SET a = 1 WHERE id IN (SELECT id FROM x FOR UPDATE SKIP LOCKED)"), ["members"]);
    assert_eq!(locks("SELECT pg_advisory_xact_lock(hashtextextended('goodturn signing keys', 0))"), ["signing keys"]);
    assert_eq!(locks("SELECT 1 FROM favors"), Vec::<String>::new());
    let mut locked = Vec::new();
    assert_eq!(add(&mut locked, "favors".into()), None);
    assert_eq!(add(&mut locked, "favors".into()), None);
    assert_eq!(add(&mut locked, "members".into()).as_deref(), Some("members is locked after favors"));
    assert_eq!(add(&mut locked, "new_things".into()).as_deref(), Some("new_things has no place in db::LOCK_ORDER"));
}
