//! The table: a line for each row, with every figure that was measured and whether it is as it must be.

use std::{collections::BTreeMap, fmt::Display};

/// What was done and what came of it.
pub struct Row {
    number: u32,
    did: String,
    must: &'static str,
    found: Vec<Found>,
    not_run: bool,
}

struct Found {
    text: String,
    good: bool,
}

impl Row {
    /// A row whose figures are still to be added.
    pub fn new(number: u32, did: impl Into<String>, must: &'static str) -> Self {
        Self { number, did: did.into(), must, found: Vec::new(), not_run: false }
    }

    /// A row that this machine cannot run, and why.
    pub fn not_run(number: u32, must: &'static str, why: impl Display) -> Self {
        let mut row = Self::new(number, "not run", must);
        row.not_run = true;
        row.note(why);
        row
    }

    /// A row that could not be run to its end.
    pub fn broken(number: u32, cause: &anyhow::Error) -> Self {
        let mut row = Self::new(number, "broke off", "");
        row.check(false, format!("{cause:#}"));
        row
    }

    /// Adds a figure, and whether it is as it must be.
    pub fn check(&mut self, good: bool, text: impl Display) {
        eprintln!("  {}{text}", if good { "" } else { "NOT MET: " });
        self.found.push(Found { text: text.to_string(), good });
    }

    /// Adds a figure that nothing is asked of.
    pub fn note(&mut self, text: impl Display) {
        self.check(true, text);
    }

    /// Whether every figure is as it must be. What was not run has not failed.
    pub fn passed(&self) -> bool {
        self.found.iter().all(|f| f.good)
    }

    const fn word(&self, passed: bool) -> &'static str {
        match (self.not_run, passed) {
            (true, _) => "not run",
            (false, true) => "passed",
            (false, false) => "**failed**",
        }
    }

    fn markdown(&self, seed: u64) -> String {
        let figures = self.found.iter().map(|f| if f.good { f.text.clone() } else { format!("**{}**", f.text) });
        let measured = cell(&figures.collect::<Vec<_>>().join("; "));
        let word = self.word(self.passed());
        format!("| {} | {} | {} | {measured} | {word} | {seed} |", self.number, cell(&self.did), cell(self.must))
    }

    /// In a few words.
    pub fn line(&self) -> String {
        format!("row {}: {}", self.number, self.word(self.passed()))
    }
}

/// The table in Markdown; what is not as it must be stands out. Of a table that was written before, the rows stay which were not run now.
pub fn markdown(machine: &str, seed: u64, rows: &[Row], before: &str) -> String {
    let mut lines: BTreeMap<u32, String> = before.lines().filter_map(|line| Some((number(line)?, line.to_owned()))).collect();
    lines.extend(rows.iter().map(|row| (row.number, row.markdown(seed))));
    let head = "| row | what was done | must | measured | | seed |\n|---:|---|---|---|---|---:|";
    let lines: Vec<String> = lines.into_values().collect();
    format!("{machine}\n\n{head}\n{}\n", lines.join("\n"))
}

/// The row that a line of a table is.
fn number(line: &str) -> Option<u32> {
    line.strip_prefix("| ")?.split_once(' ')?.0.parse().ok()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
