//! The tables: what was measured, and beside it what was aimed at. A goal that is not met is told, and fails nothing.

use crate::{
    load::Figures,
    scenarios::{Face, Row, What},
    streams::STREAMS,
};
use std::fmt::Write;

/// Processor time of other servers for a feed of 25 entries at 16 callers, in milliseconds, as measured once on a machine of two cores.
const NODE_CONNECT_MS: f64 = 0.525;
const GRPC_AIO_MS: f64 = 0.468;
const FASTIFY_MS: f64 = 0.135;
const ENVOY_MS: f64 = 0.359;

/// What was measured.
pub struct Report {
    /// What it was measured on.
    pub machine: String,
    /// The lines.
    pub rows: Vec<Row>,
    /// How many statements each kind of call takes.
    pub statements: Vec<(What, usize)>,
    /// How much memory 1,000 streams took, in MB.
    pub streams_mb: f64,
}

struct Goal {
    figure: String,
    value: Option<f64>,
    /// To be met, then what is aimed at.
    bounds: (f64, Option<f64>),
    /// Whether less is better.
    less: bool,
}

impl Report {
    /// Both tables, in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n\n", self.machine);
        out.push_str("| call | over | at once | calls/s | p50 ms | p99 ms | server CPU ms/call | Postgres CPU ms/call | server MB |\n");
        out.push_str("|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        for row in &self.rows {
            let Figures { at_once, rate, p50_ms, p99_ms, server_ms, postgres_ms, memory_mb } = row.figures;
            let (server, postgres, memory) = (cell(server_ms, 3), cell(postgres_ms, 3), cell(memory_mb, 0));
            let (call, over) = (row.what.name(), face(row.face));
            let line =
                format!("| {call} | {over} | {at_once} | {rate:.0} | {p50_ms:.2} | {p99_ms:.2} | {server} | {postgres} | {memory} |\n");
            out.push_str(&line);
        }
        out.push_str("\nStatements a call: ");
        let counts: Vec<String> = self.statements.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
        out.push_str(&counts.join("; "));
        out.push_str(".\n\n| goal | measured | to meet | aimed at | |\n|---|---:|---:|---:|---|\n");
        for goal in self.goals() {
            // Writing to a String does not fail.
            let _ = writeln!(out, "{}", goal.line());
        }
        out
    }

    fn goals(&self) -> Vec<Goal> {
        let feed = |face| self.get(What::Received, face, 16).and_then(|f| f.server_ms);
        let (grpc, rest) = (feed(Face::Grpc), feed(Face::Rest));
        let over = |value: Option<f64>, peer: f64| value.map(|v| peer / v);
        let mut goals = vec![
            at_least(
                "received list over gRPC: times cheaper than Node Connect (earlier run)",
                over(grpc, NODE_CONNECT_MS),
                5.0,
                Some(10.0),
            ),
            at_least("the same, than Python grpc.aio (earlier run)", over(grpc, GRPC_AIO_MS), 5.0, Some(10.0)),
            at_least("received list over REST: times cheaper than fastify (earlier run)", over(rest, FASTIFY_MS), 1.3, Some(2.5)),
            at_least("the same, than Envoy before bare tonic (earlier run)", over(rest, ENVOY_MS), 3.0, Some(7.0)),
        ];
        for what in [What::SignIn, What::GetActive, What::Received] {
            let cpu = |face| self.get(what, face, 16).and_then(|f| f.server_ms);
            goals.push(at_most(
                format!("{}: CPU over REST to CPU over gRPC", what.name()),
                ratio(cpu(Face::Rest), cpu(Face::Grpc)),
                1.25,
                Some(1.05),
            ));
        }
        for what in [What::GetActive, What::Received] {
            let rate = |face, at_once| self.get(what, face, at_once).map(|f| f.rate);
            let peer = |at_once| rate(Face::Pgbench, at_once).or_else(|| rate(Face::Sqlx, at_once));
            let to_pgbench = |at_once| ratio(rate(Face::Grpc, at_once), peer(at_once));
            goals.push(at_least(format!("{}: calls/s to pgbench's at 16", what.name()), to_pgbench(16), 0.75, Some(0.95)));
            goals.push(at_least(format!("{}: calls/s to pgbench's at 64", what.name()), to_pgbench(64), 1.0, None));
            let p99 = |face| self.get(what, face, 1).map(|f| f.p99_ms);
            let above = p99(Face::Grpc).zip(p99(Face::Pgbench).or_else(|| p99(Face::Sqlx))).map(|(ours, theirs)| ours - theirs);
            goals.push(at_most(format!("{}: p99 at 1 above pgbench's, ms", what.name()), above, 0.25, None));
        }
        let empty = |face| self.get(What::Empty, face, 16).map(|f| f.rate);
        goals.push(at_least(
            "empty call, authenticated, to an empty tonic call: calls/s at 16",
            ratio(empty(Face::Grpc), empty(Face::Tonic)),
            0.7,
            Some(0.9),
        ));
        goals.push(at_most(format!("{STREAMS} open notification streams, MB"), Some(self.streams_mb), 40.0, None));
        goals
    }

    fn get(&self, what: What, face: Face, at_once: usize) -> Option<Figures> {
        self.rows.iter().find(|r| r.what == what && r.face == face && r.figures.at_once == at_once).map(|r| r.figures)
    }
}

impl Goal {
    fn line(&self) -> String {
        let reaches = |bound: f64| self.value.is_some_and(|v| if self.less { v <= bound } else { v >= bound });
        let verdict = match self.bounds {
            _ if self.value.is_none() => "not measured",
            (_, Some(aim)) if reaches(aim) => "met, and what was aimed at",
            (bound, _) if reaches(bound) => "met",
            _ => "not met",
        };
        let sign = if self.less { "≤" } else { "≥" };
        let aim = self.bounds.1.map_or(String::new(), |aim| format!("{sign} {aim}"));
        format!("| {} | {} | {sign} {} | {aim} | {verdict} |", self.figure, cell(self.value, 2), self.bounds.0)
    }
}

fn at_least(figure: impl Into<String>, value: Option<f64>, bound: f64, aim: Option<f64>) -> Goal {
    Goal { figure: figure.into(), value, bounds: (bound, aim), less: false }
}

fn at_most(figure: impl Into<String>, value: Option<f64>, bound: f64, aim: Option<f64>) -> Goal {
    Goal { figure: figure.into(), value, bounds: (bound, aim), less: true }
}

fn ratio(ours: Option<f64>, theirs: Option<f64>) -> Option<f64> {
    ours.zip(theirs).map(|(ours, theirs)| ours / theirs)
}

fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |v| format!("{v:.digits$}"))
}

const fn face(face: Face) -> &'static str {
    match face {
        Face::Grpc => "gRPC",
        Face::Rest => "REST",
        Face::Pgbench => "pgbench",
        Face::Sqlx => "the SQL, by sqlx",
        Face::Tonic => "empty tonic",
    }
}
