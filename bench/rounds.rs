//! Rounds: everything is measured once in each of them, in turn, so that what slows the machine for a while slows all alike; what is
//! reported are medians over the rounds.

use crate::{load::Figures, what::Key};
use anyhow::{Context, Result};
use futures_util::future::BoxFuture;
use std::future::Future;

/// Measures one thing once.
pub struct Cell {
    key: Key,
    measure: Box<dyn Fn() -> BoxFuture<'static, Result<Figures>>>,
}

impl Cell {
    /// What is measured, and how.
    pub fn new<F>(key: Key, measure: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = Result<Figures>> + Send + 'static,
    {
        Self { key, measure: Box::new(move || Box::pin(measure())) }
    }

    /// What is measured.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The same in words.
    pub fn name(&self) -> String {
        self.key.name()
    }
}

/// What was measured: each thing with its figures of all rounds.
pub struct Results {
    all: Vec<(Key, Vec<Figures>)>,
    /// What was measured once more, since a call had failed, and why.
    pub again: Vec<String>,
}

/// Measures all cells so many times. Every other round goes backwards: who was before another then comes after it. Where a call fails,
/// that cell is measured once more.
///
/// # Errors
/// When a call fails then, too.
pub async fn run(cells: &[Cell], rounds: usize) -> Result<Results> {
    let mut results = Results { all: cells.iter().map(|cell| (cell.key, Vec::new())).collect(), again: Vec::new() };
    for round in 0..rounds {
        let mut turn: Vec<_> = cells.iter().zip(&mut results.all).collect();
        if round % 2 == 1 {
            turn.reverse();
        }
        for (Cell { key, measure }, (_, figures)) in turn {
            let label = key.name();
            let measured = match measure().await {
                Ok(measured) => measured,
                Err(why) => {
                    results.again.push(format!("{label}: {why:#}"));
                    measure().await.with_context(|| label.clone())?
                }
            };
            eprintln!("round {} of {rounds}: {label}: {:.0}/s", round + 1, measured.rate);
            figures.push(measured);
        }
    }
    Ok(results)
}

impl Results {
    /// What was measured, in the order of the first round.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.all.iter().map(|(key, _)| *key)
    }

    /// The median of each figure, and all refusals; `None` when this was not measured.
    pub fn median(&self, key: Key) -> Option<Figures> {
        let rounds = self.rounds(key)?;
        let of = |figure: fn(&Figures) -> f64| median(rounds.iter().map(figure).collect());
        let of_some = |figure: fn(&Figures) -> Option<f64>| median(rounds.iter().filter_map(figure).collect());
        Some(Figures {
            rate: of(|f| f.rate)?,
            p50_ms: of(|f| f.p50_ms)?,
            p99_ms: of(|f| f.p99_ms)?,
            server_ms: of_some(|f| f.server_ms),
            caller_ms: of_some(|f| f.caller_ms),
            postgres_ms: of_some(|f| f.postgres_ms),
            memory_mb: of_some(|f| f.memory_mb),
            refused: rounds.iter().map(|f| f.refused).sum(),
        })
    }

    /// Processor time of the server and of Postgres for each call, in milliseconds.
    pub fn cost(&self, key: Key) -> Option<f64> {
        let figures = self.median(key)?;
        Some(figures.server_ms? + figures.postgres_ms?)
    }

    /// The least and the most processor time of the server for each call, in milliseconds; `None` where there is no server.
    pub fn cpu_spread(&self, key: Key) -> Option<(f64, f64)> {
        let all = self.rounds(key)?.iter().filter_map(|f| f.server_ms);
        all.fold(None, |spread, ms| Some(spread.map_or((ms, ms), |(least, most): (f64, f64)| (least.min(ms), most.max(ms)))))
    }

    fn rounds(&self, key: Key) -> Option<&[Figures]> {
        self.all.iter().find(|(other, _)| *other == key).map(|(_, figures)| figures.as_slice())
    }
}

/// The one in the middle; of two, half of their sum.
fn median(mut all: Vec<f64>) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    let (upper, lower) = (all.get(all.len() / 2)?, all.get(all.len().saturating_sub(1) / 2)?);
    Some(f64::midpoint(*lower, *upper))
}
