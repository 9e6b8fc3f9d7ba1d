//! The table: a line for each row, with every figure that was measured and whether it is as it must be.

use std::fmt::{Display, Write};

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

    /// In a few words.
    pub fn line(&self) -> String {
        format!("row {}: {}", self.number, self.word(self.passed()))
    }
}

/// The table in Markdown; what is not as it must be stands out.
pub fn markdown(machine: &str, seed: u64, rows: &[Row]) -> String {
    let mut out = format!("{machine} Seed {seed}.\n\n| row | what was done | must | measured | |\n|---:|---|---|---|---|\n");
    for row in rows {
        let figures = row.found.iter().map(|f| if f.good { f.text.clone() } else { format!("**{}**", f.text) });
        let measured = cell(&figures.collect::<Vec<_>>().join("; "));
        // Writing to a String does not fail.
        let _ = writeln!(out, "| {} | {} | {} | {measured} | {} |", row.number, cell(&row.did), cell(row.must), row.word(row.passed()));
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
