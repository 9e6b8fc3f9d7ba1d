//! The limit: the server's own statements of one call, repeated by pgbench against the same database.

use crate::{
    load::{Figures, summary},
    repeat::Call,
    tap::{Statement, Value},
    usage,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use uuid::Uuid;

const SCRIPT: &str = "call.sql";

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
}

impl Scripts {
    /// Writes the script. What passed by chance, as the server looked after itself, is left out: the members do not share it.
    ///
    /// # Errors
    /// When nothing was recorded, or the file cannot be written.
    pub fn write(calls: &[Call]) -> Result<Self> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (_, statements) in calls {
            let mut texts: Vec<&str> = statements.iter().map(|s| s.sql.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            texts.into_iter().for_each(|sql| *seen.entry(sql).or_default() += 1);
        }
        let shared = |s: &&Statement| seen.get(s.sql.as_str()).is_some_and(|n| n * 2 > calls.len());
        let kept = calls.iter().map(|(member, statements)| (*member, statements.iter().filter(shared).cloned().collect()));
        let kept: Vec<Call> = kept.collect();
        let texts = |call: &Call| call.1.iter().map(|s| s.sql.clone()).collect::<Vec<_>>();
        let first = kept.first().map(&texts).unwrap_or_default();
        ensure!(!first.is_empty(), "nothing was recorded");
        let calls: Arc<[Call]> = kept.into_iter().filter(|call| texts(call) == first).collect();
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join(SCRIPT), script(&calls))?;
        Ok(Self { dir, calls })
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
        let log = self.dir.path().join(format!("log-{at_once}-"));
        let mut command = Command::new(pgbench);
        command.args(["--no-vacuum", "--protocol=prepared", "--log"]).arg(format!("--log-prefix={}", log.display()));
        command.arg(format!("--client={at_once}")).arg(format!("--jobs={}", at_once.min(2)));
        command.arg(format!("--time={}", lasting.as_secs().max(1)));
        command.args(["--define=chosen=0"]).arg(format!("--file={}", self.dir.path().join(SCRIPT).display()));
        let before = postgres.map(usage::family_cpu_s);
        let began = Instant::now();
        let output = command.arg(url).output().context("running pgbench")?;
        if !output.status.success() {
            bail!("pgbench: {}", String::from_utf8_lossy(&output.stderr));
        }
        let (said, elapsed) = (String::from_utf8_lossy(&output.stdout).into_owned(), began.elapsed().as_secs_f64());
        let times = times(self.dir.path(), &format!("log-{at_once}-"))?;
        let cpu_s = postgres.map(usage::family_cpu_s).zip(before).map(|(after, before)| after - before);
        let postgres_ms = cpu_s.map(|s| s * 1e3 / times.len().max(1) as f64);
        let figures = summary(times, elapsed);
        // Its own word on the rate leaves out the time that connecting took.
        let rate = said.lines().find_map(|l| l.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        Ok(Figures { at_once, rate: rate.context("pgbench told no rate")?, postgres_ms, ..figures })
    }
}

/// One script for all, so that its statements are prepared once in a connection: a client chooses its member at its first transaction, and
/// its variables outlive that.
fn script(calls: &[Call]) -> String {
    let rows = calls.iter().enumerate().map(|(n, (_, statements))| {
        let values = statements.iter().flat_map(|s| &s.values).map(|v| match &v.text {
            // pgbench would take a colon for a variable, even in a text.
            Some(text) => format!(", '{}'", text.replace('\'', "''").replace(':', "' || chr(58) || '")),
            None => ", NULL".to_owned(),
        });
        format!("({n}{})", values.collect::<String>())
    });
    let rows: Vec<String> = rows.collect();
    let (member, statements) = calls.first().map_or((Uuid::nil(), &[][..]), |(member, statements)| (*member, statements));
    let names: String = (0..statements.iter().map(|s| s.values.len()).sum()).map(|n| format!(", v{n}")).collect();
    let choice = format!("SELECT * FROM (VALUES {}) AS c (n{names}) WHERE n = :client_id % {} \\gset", rows.join(", "), calls.len());
    let mut lines = vec!["\\if :chosen = 0".to_owned(), "\\set chosen 1".to_owned(), choice, "\\endif".to_owned()];
    let mut before = 0;
    for statement in statements {
        lines.push(line(statement, member, before));
        before += statement.values.len();
    }
    lines.join("\n")
}

/// One statement, its parameters named. A new row gets a new id each time, as it does from the server.
fn line(statement: &Statement, member: Uuid, before: usize) -> String {
    let mut out = String::new();
    let mut rest = statement.sql.as_str();
    while let Some((ahead, after)) = rest.split_once('$') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = after.split_at(digits);
        let index = number.parse::<usize>().unwrap_or_default().wrapping_sub(1);
        out.push_str(ahead);
        out.push_str(&match statement.values.get(index) {
            Some(value) if statement.makes(value, member) => "gen_random_uuid()".to_owned(),
            Some(Value { text: None, kind }) => format!("NULL::{kind}"),
            // The server names the types as well.
            Some(Value { kind, .. }) => format!(":v{}::{kind}", before + index),
            None => format!("${number}"),
        });
        rest = after;
    }
    format!("{out}{rest};")
}

/// How long each transaction took, from the logs of all threads.
fn times(dir: &Path, prefix: &str) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            let text = fs::read_to_string(entry.path())?;
            // The third word of a line is the time in microseconds.
            times.extend(text.lines().filter_map(|l| l.split(' ').nth(2)?.parse().ok()).map(Duration::from_micros));
        }
    }
    Ok(times)
}
