//! The limit: the server's own statements of one call, repeated by pgbench against the same database.

use crate::{
    load::{Figures, WARM_UP, WARM_UP_PART, summary},
    repeat::Call,
    tap::{Statement, Value, new_id, sign_new_ids},
    usage,
};
use anyhow::{Context, Result, bail, ensure};
use goodturn::clock::Clock;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};
use tempfile::TempDir;
use time::OffsetDateTime;

const SCRIPT: &str = "call.sql";
const LOG: &str = "log";
/// Each client connects, and then has every statement planned anew until Postgres keeps the plan: that is not to be measured.
const WARM_UP_EACH: Duration = Duration::from_millis(50);
const SPARE: Duration = Duration::from_millis(300);

/// Where pgbench is: beside the Postgres that runs, else on the path.
pub fn find(postgres: Option<u32>) -> Option<PathBuf> {
    let beside = postgres.and_then(|pid| Some(fs::read_link(format!("/proc/{pid}/exe")).ok()?.with_file_name("pgbench")));
    let on_path = env::split_paths(&env::var_os("PATH").unwrap_or_default()).map(|dir| dir.join("pgbench")).collect::<Vec<_>>();
    beside.into_iter().chain(on_path).find(|p| p.is_file())
}

/// The statements of one kind of call, as some members made it.
pub struct Scripts {
    dir: TempDir,
    /// What each member's call executes; the statements are the same, the values are not.
    pub calls: Arc<[Call]>,
    /// How many ids each call makes.
    pub new_ids: usize,
}

/// Which of the calls a client repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// One of them, always.
    Own,
    /// The next one, each once, for a call uses up what it is about.
    Next,
}

impl Scripts {
    /// Writes the script, and a table with the values that go with it. What passed by chance, as the server looked after itself, is left
    /// out: the members do not share it.
    ///
    /// # Errors
    /// When nothing was recorded, or it cannot be written.
    pub async fn write(url: &str, table: &str, calls: &[Call], since: OffsetDateTime) -> Result<Self> {
        Self::of(Turn::Own, url, table, calls, since).await
    }

    /// The same for calls that can be made once only: they are run off, one after the other.
    ///
    /// # Errors
    /// As above.
    pub async fn write_once(url: &str, table: &str, calls: &[Call], since: OffsetDateTime) -> Result<Self> {
        Self::of(Turn::Next, url, table, calls, since).await
    }

    async fn of(turn: Turn, url: &str, table: &str, calls: &[Call], since: OffsetDateTime) -> Result<Self> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (_, statements) in calls {
            let mut texts: Vec<&str> = statements.iter().map(|s| s.sql.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            texts.into_iter().for_each(|sql| *seen.entry(sql).or_default() += 1);
        }
        let shared = |s: &&Statement| seen.get(s.sql.as_str()).is_some_and(|n| n * 2 > calls.len());
        let kept = calls.iter().map(|(member, statements)| (*member, statements.iter().filter(shared).cloned().collect()));
        let mut kept: Vec<Call> = kept.collect();
        let made: Vec<usize> = kept.iter_mut().map(|(_, statements)| sign_new_ids(statements, since)).collect();
        let shape = |call: &Call, made: usize| (call.1.iter().map(|s| s.sql.clone()).collect::<Vec<_>>(), made);
        let mut shapes: HashMap<(Vec<String>, usize), usize> = HashMap::new();
        for (call, made) in kept.iter().zip(&made) {
            *shapes.entry(shape(call, *made)).or_default() += 1;
        }
        // The usual one: the first call may have done something by the way.
        let (usual, _) = shapes.into_iter().max_by_key(|(_, calls)| *calls).context("nothing was recorded")?;
        ensure!(!usual.0.is_empty(), "nothing was recorded");
        let new_ids = usual.1;
        let alike = |call: &Call, made: usize| shape(call, made) == usual;
        let calls: Arc<[Call]> = kept.into_iter().zip(made).filter(|(call, made)| alike(call, *made)).map(|(call, _)| call).collect();
        store(url, table, &calls).await.context("writing the values for pgbench")?;
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join(SCRIPT), script(turn, table, &calls, new_ids))?;
        Ok(Self { dir, calls, new_ids })
    }

    /// How many statements one call makes.
    pub fn statements(&self) -> usize {
        self.calls.first().map_or(0, |(_, statements)| statements.len())
    }

    /// Repeats them, prepared, with so many clients at once.
    ///
    /// # Errors
    /// When pgbench fails.
    pub fn run(&self, pgbench: &Path, url: &str, postgres: Option<u32>, at_once: usize, lasting: Duration) -> Result<Figures> {
        let mut command = self.command(pgbench, at_once);
        let warm_up = WARM_UP + WARM_UP_EACH * u32::try_from(at_once)?;
        // In whole seconds, as it wants them, and a little longer than is looked at.
        command.arg(format!("--time={}", (warm_up + lasting + SPARE).as_secs() + 1)).arg(url);
        let cpu_s = || postgres.map(usage::family_cpu_s);

        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().context("running pgbench")?;
        thread::sleep(warm_up);
        let (before, from) = (cpu_s(), Clock::system().now());
        thread::sleep(lasting);
        let (after, to) = (cpu_s(), Clock::system().now());
        let output = child.wait_with_output()?;
        if !output.status.success() {
            bail!("pgbench: {}", String::from_utf8_lossy(&output.stderr));
        }
        let done = done(self.dir.path())?.into_iter().filter(|d| (from..to).contains(&d.ended));
        let times: Vec<Duration> = done.map(|d| d.took).collect();
        let postgres_ms = after.zip(before).map(|(after, before)| (after - before) * 1e3 / times.len().max(1) as f64);
        Ok(Figures { postgres_ms, ..summary(times, (to - from).as_seconds_f64()) })
    }

    /// Runs each of them once. The first of each client, which have every statement planned, do not count.
    ///
    /// # Errors
    /// When pgbench fails.
    pub fn run_off(&self, pgbench: &Path, url: &str, postgres: Option<u32>, at_once: usize) -> Result<Figures> {
        let each = self.calls.len() / at_once;
        ensure!(each > 0, "of the calls that were recorded only {} are alike", self.calls.len());
        let mut command = self.command(pgbench, at_once);
        command.args(["--define=turn=-1", &format!("--define=clients={at_once}"), &format!("--transactions={each}"), url]);
        let before = postgres.map(usage::family_cpu_s);
        let output = command.stdin(Stdio::null()).output().context("running pgbench")?;
        if !output.status.success() {
            bail!("pgbench: {}", String::from_utf8_lossy(&output.stderr));
        }
        let after = postgres.map(usage::family_cpu_s);
        let mut done = done(self.dir.path())?;
        let postgres_ms = after.zip(before).map(|(after, before)| (after - before) * 1e3 / done.len().max(1) as f64);
        done.retain(|d| d.number >= each / WARM_UP_PART);
        let began = done.iter().map(|d| d.ended - d.took).min().context("pgbench has done nothing")?;
        let ended = done.iter().map(|d| d.ended).max().unwrap_or(began);
        let times = done.into_iter().map(|d| d.took).collect();
        Ok(Figures { postgres_ms, ..summary(times, (ended - began).as_seconds_f64()) })
    }

    fn command(&self, pgbench: &Path, at_once: usize) -> Command {
        let mut command = Command::new(pgbench);
        command.args(["--no-vacuum", "--protocol=prepared", "--log", "--define=chosen=0"]).current_dir(self.dir.path());
        command.arg(format!("--log-prefix={LOG}")).arg(format!("--file={SCRIPT}"));
        command.arg(format!("--client={at_once}")).arg(format!("--jobs={}", at_once.min(2)));
        command
    }
}

/// A row for each member, with the values of all statements: for a client to find its own at once.
async fn store(url: &str, table: &str, calls: &[Call]) -> Result<()> {
    let conn = &mut PgConnection::connect(url).await?;
    let count = calls.first().map_or(0, |(_, statements)| values(statements).count());
    let columns: String = (0..count).map(|n| format!(", v{n} text")).collect();
    sqlx::query(AssertSqlSafe(format!("CREATE TABLE {table} (n integer PRIMARY KEY{columns})"))).execute(&mut *conn).await?;
    let places: String = (0..count).map(|n| format!(", ${}", n + 2)).collect();
    let sql = format!("INSERT INTO {table} VALUES ($1{places})");
    for (n, (_, statements)) in calls.iter().enumerate() {
        let query = sqlx::query(AssertSqlSafe(sql.clone())).bind(i32::try_from(n)?);
        values(statements).fold(query, |query, value| query.bind(&value.text)).execute(&mut *conn).await?;
    }
    Ok(())
}

fn values(statements: &[Statement]) -> impl Iterator<Item = &Value> {
    statements.iter().flat_map(|s| &s.values)
}

/// One script for all, so that its statements are prepared once in a connection: a client chooses its member at its first transaction, or
/// its call at each, and its variables outlive that.
fn script(turn: Turn, table: &str, calls: &[Call], new_ids: usize) -> String {
    let statements = calls.first().map_or(&[][..], |(_, statements)| statements);
    let own = format!("\\if :chosen = 0\n\\set chosen 1\nSELECT * FROM {table} WHERE n = :client_id % {} \\gset\n\\endif", calls.len());
    let next = format!("\\set turn :turn + 1\n\\set n :turn * :clients + :client_id\nSELECT * FROM {table} WHERE n = :n \\gset");
    let mut lines = vec![if turn == Turn::Own { own } else { next }];
    lines.extend((0..new_ids).map(|n| format!("\\set new{n} random(1, 9223372036854775807)")));
    let mut before = 0;
    for statement in statements {
        lines.push(line(statement, new_ids, before));
        before += statement.values.len();
    }
    lines.join("\n")
}

/// One statement, its parameters named. A new row gets a new id each time, as it does from the server.
fn line(statement: &Statement, new_ids: usize, before: usize) -> String {
    let mut out = String::new();
    let mut rest = statement.sql.as_str();
    while let Some((ahead, after)) = rest.split_once('$') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = after.split_at(digits);
        let index = number.parse::<usize>().unwrap_or_default().wrapping_sub(1);
        out.push_str(ahead);
        out.push_str(&match statement.values.get(index) {
            Some(Value { text: None, kind }) => format!("NULL::{kind}"),
            // The server names the types as well.
            Some(Value { text: Some(text), kind }) => {
                let value = format!("{}::{kind}", with_new_ids(text, new_ids, before + index));
                if is_numbers_of_notifications(statement, kind) { with_new_numbers(&value) } else { value }
            }
            None => format!("${number}"),
        });
        rest = after;
    }
    format!("{out}{rest};")
}

/// The numbers of notifications, which the server has counted under a lock and which are unique for their member.
fn is_numbers_of_notifications(statement: &Statement, kind: &str) -> bool {
    statement.sql.starts_with("INSERT INTO notifications") && kind == "int8[]"
}

/// The same numbers further up, at a place of this turn. A notification has an id, so that there is a new one to take it from.
fn with_new_numbers(numbers: &str) -> String {
    format!("ARRAY(SELECT number + :new0::bigint / 4 FROM unnest({numbers}) AS number)")
}

/// A variable, its signs replaced by the ids of this turn.
fn with_new_ids(text: &str, new_ids: usize, index: usize) -> String {
    let signs = (0..new_ids).filter(|n| text.contains(&new_id(*n)));
    signs.fold(format!(":v{index}"), |value, n| format!("replace({value}::text, '{}', lpad(to_hex(:new{n}::bigint), 32, '0'))", new_id(n)))
}

/// A transaction that pgbench did.
struct Done {
    /// Its place among those of its client.
    number: usize,
    took: Duration,
    ended: OffsetDateTime,
}

/// All transactions, from the logs of all threads, which are not kept: the next run has its own.
fn done(dir: &Path) -> Result<Vec<Done>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(LOG) {
            let text = fs::read_to_string(entry.path())?;
            fs::remove_file(entry.path())?;
            all.extend(text.lines().filter_map(transaction));
        }
    }
    Ok(all)
}

/// A line of the log: client, transaction, time in microseconds, script, and when it ended in seconds and microseconds of the epoch.
fn transaction(line: &str) -> Option<Done> {
    let words: Vec<i64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
    let [_, number, took, _, seconds, micros, ..] = words[..] else { return None };
    let ended = OffsetDateTime::from_unix_timestamp(seconds).ok()? + time::Duration::microseconds(micros);
    Some(Done { number: number.try_into().ok()?, took: Duration::from_micros(took.try_into().ok()?), ended })
}
