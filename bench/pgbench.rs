//! The limit: the server's own statements of one call, repeated by pgbench against the same database.

use crate::{
    load::{Figures, summary},
    repeat::Call,
    tap::{Statement, Value},
    usage,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::{BTreeMap, HashMap},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use uuid::Uuid;

/// pgbench takes no more scripts at once.
pub const SCRIPTS_MAX: usize = 128;

/// Where pgbench is: beside the Postgres that runs, else on the path.
pub fn find(postgres: Option<u32>) -> Option<PathBuf> {
    let beside = postgres.and_then(|pid| Some(fs::read_link(format!("/proc/{pid}/exe")).ok()?.with_file_name("pgbench")));
    let on_path = env::split_paths(&env::var_os("PATH").unwrap_or_default()).map(|dir| dir.join("pgbench")).collect::<Vec<_>>();
    beside.into_iter().chain(on_path).find(|p| p.is_file())
}

/// The statements of one kind of call, as some members made it.
pub struct Scripts {
    dir: TempDir,
    /// Each value that differs from member to member, by name.
    values: BTreeMap<usize, String>,
    /// What each member's call executes.
    pub calls: Arc<[Call]>,
}

impl Scripts {
    /// Writes a script for each member. What passed by chance, as the server looked after itself, is left out: the members do not share it.
    ///
    /// # Errors
    /// When nothing was recorded, or a file cannot be written.
    pub fn write(calls: &[Call]) -> Result<Self> {
        let calls = calls.get(..calls.len().min(SCRIPTS_MAX)).unwrap_or_default();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (_, statements) in calls {
            let mut texts: Vec<&str> = statements.iter().map(|s| s.sql.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            texts.into_iter().for_each(|sql| *seen.entry(sql).or_default() += 1);
        }
        let shared = |s: &&Statement| seen.get(s.sql.as_str()).is_some_and(|n| n * 2 > calls.len());
        let kept = |(member, statements): &Call| (*member, statements.iter().filter(shared).cloned().collect());
        let (dir, calls): (_, Arc<[Call]>) = (tempfile::tempdir()?, calls.iter().map(kept).collect());
        let mut names = HashMap::new();
        for (n, (member, statements)) in calls.iter().enumerate() {
            ensure!(!statements.is_empty(), "nothing was recorded");
            let lines: Vec<String> = statements.iter().map(|s| line(s, *member, &mut names)).collect();
            fs::write(script(dir.path(), n), lines.join("\n"))?;
        }
        Ok(Self { dir, values: names.into_iter().map(|(value, name)| (name, value)).collect(), calls })
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
        for n in 0..self.calls.len() {
            command.arg(format!("--file={}", script(self.dir.path(), n).display()));
        }
        for (name, value) in &self.values {
            command.arg(format!("--define=v{name}={value}"));
        }
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

fn script(dir: &Path, n: usize) -> PathBuf {
    dir.join(format!("{n}.sql"))
}

/// One statement, its parameters named. A new row gets a new id each time, as it does from the server.
fn line(statement: &Statement, member: Uuid, names: &mut HashMap<String, usize>) -> String {
    let mut out = String::new();
    let mut rest = statement.sql.as_str();
    while let Some((before, after)) = rest.split_once('$') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = after.split_at(digits);
        let index: usize = number.parse().unwrap_or_default();
        out.push_str(before);
        out.push_str(&match statement.values.get(index.wrapping_sub(1)) {
            Some(value) if statement.makes(value, member) => "gen_random_uuid()".to_owned(),
            Some(Value { text: Some(value), kind }) => {
                let next = names.len();
                // The server names the types as well.
                format!(":v{}::{kind}", names.entry(value.clone()).or_insert(next))
            }
            Some(Value { text: None, kind }) => format!("NULL::{kind}"),
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
