//! What was aimed at, beside what was measured. A goal that is not met is told, and fails nothing.

use crate::{
    growth::Growth,
    load::Figures,
    rounds::Results,
    streams::{STREAMS, Streams},
    what::{ALONE, Build, CROWD, Face, Key, STEER, What},
};

const GRPC: Face = Face::Grpc(Build::This);
const REST: Face = Face::Rest(Build::This);
/// The reads that peers do as well.
const READS: [What; 2] = [What::GetActive, What::Received];

/// A figure, and what it is to be.
pub struct Goal {
    figure: String,
    value: Option<f64>,
    bounds: Bounds,
}

enum Bounds {
    /// To be met, then what is aimed at.
    AtMost(f64, Option<f64>),
    /// The same.
    AtLeast(f64, Option<f64>),
    /// Nothing: the figure is told.
    Told,
}

/// Every goal that can be measured here.
pub fn goals(results: &Results, growth: Option<&Growth>, streams: Streams) -> Vec<Goal> {
    let mut goals = Vec::new();
    for what in READS {
        goals.push(Goal::of(what, "CPU over gRPC to the bare service's", results.cpu_ratio(what, GRPC, Face::Bare), at_most(0.9, 0.75)));
    }
    for what in [What::SignIn, What::GetActive, What::Received] {
        goals.push(Goal::of(what, "CPU over REST to CPU over gRPC", results.cpu_ratio(what, REST, GRPC), at_most(1.15, 1.05)));
    }
    for what in READS {
        goals.push(Goal::of(what, "calls/s to pgbench's at 16", results.rate_to_sql(what, GRPC, STEER), at_least(0.75, 0.95)));
        goals.push(Goal::of(what, "calls/s to pgbench's at 64", results.rate_to_sql(what, GRPC, CROWD), Bounds::AtLeast(1.0, None)));
        goals.push(Goal::of(what, "p99 at 1 above pgbench's, ms", results.p99_above_sql(what), Bounds::AtMost(0.25, None)));
        for (at_once, figure) in
            [(STEER, "the bare service's calls/s to pgbench's at 16"), (CROWD, "the bare service's calls/s to pgbench's at 64")]
        {
            goals.push(Goal::of(what, figure, results.rate_to_sql(what, Face::Bare, at_once), Bounds::Told));
        }
    }
    let rate = |what, face| results.figures(what, face, STEER).map(|f| f.rate);
    let bare = rate(What::Empty, Face::Bare);
    goals.push(Goal::of(What::Empty, "calls/s to the bare service's", ratio(rate(What::Empty, GRPC), bare), at_least(0.7, 0.8)));
    let unread = ratio(rate(What::Unread, Face::Bare), bare);
    goals.push(Goal::of(What::Unread, "the bare service's calls/s to those of its empty call", unread, Bounds::Told));
    let cpu = results.cpu_ratio(What::Empty, GRPC, Face::Bare);
    goals.push(Goal::of(What::Empty, "CPU to the bare service's", cpu, Bounds::Told));
    goals.extend(feed(results, growth));
    goals.push(Goal::of(What::Accept, "calls/s to pgbench's at 16", results.rate_to_sql(What::Accept, GRPC, STEER), Bounds::Told));
    goals.extend([(What::SignIn, "5.8"), (What::SignInSrp, "8.7")].into_iter().flat_map(|(what, first)| sign_in(results, what, first)));
    goals.push(Goal {
        figure: format!("{STREAMS} open notification streams, MB"),
        value: Some(streams.memory_mb),
        bounds: Bounds::AtMost(40.0, Some(25.0)),
    });
    goals.push(Goal {
        figure: format!("{STREAMS} open notification streams: until 99 of 100 have heard, ms"),
        value: Some(streams.p99_ms),
        bounds: Bounds::AtMost(50.0, None),
    });
    goals
}

/// The feed, and how its cost grows, of server and Postgres together: the bounds are those of ten times the friends, and there are more.
fn feed(results: &Results, growth: Option<&Growth>) -> Vec<Goal> {
    let what = What::Feed;
    let mut goals = vec![
        Goal::of(what, "calls/s to pgbench's at 16", results.rate_to_sql(what, GRPC, STEER), at_least(0.75, 0.95)),
        Goal::of(what, "calls/s to pgbench's at 64", results.rate_to_sql(what, GRPC, CROWD), Bounds::AtLeast(1.0, None)),
        Goal::of(what, "the bare service's calls/s to pgbench's at 16", results.rate_to_sql(what, Face::Bare, STEER), Bounds::Told),
        Goal::of(what, "the bare service's calls/s to pgbench's at 64", results.rate_to_sql(what, Face::Bare, CROWD), Bounds::Told),
        Goal::of(what, "CPU over gRPC to the bare service's", results.cpu_ratio(what, GRPC, Face::Bare), Bounds::Told),
    ];
    let cost = |what| results.cost(Key { what, face: GRPC, at_once: STEER });
    let crowd = ratio(cost(What::FeedCrowd), cost(what));
    goals.push(Goal::of(What::FeedCrowd, "CPU to that with 40 friends", crowd, Bounds::AtMost(4.5, None)));
    let grown = |(what, ratio)| Goal::of(what, "CPU with ten times the items to that with these", ratio, Bounds::AtMost(2.0, None));
    goals.extend(growth.into_iter().flat_map(Growth::ratios).map(grown));
    goals
}

/// Half of what it took in the first release is the goal; that was measured on another machine, so that a bound in milliseconds would say
/// nothing here.
fn sign_in(results: &Results, what: What, first_release_ms: &str) -> [Goal; 2] {
    let ms = results.figures(what, GRPC, STEER).and_then(|f| f.server_ms);
    let to_before = results.cpu_ratio(what, GRPC, Face::Grpc(Build::Before));
    [
        Goal::of(what, &format!("CPU, ms (first release, elsewhere: {first_release_ms})"), ms, Bounds::Told),
        Goal::of(what, "CPU to that of the build before", to_before, Bounds::Told),
    ]
}

impl Results {
    /// The medians of one thing.
    pub fn figures(&self, what: What, face: Face, at_once: usize) -> Option<Figures> {
        self.median(Key { what, face, at_once })
    }

    /// Processor time over one face to that over another.
    pub fn cpu_ratio(&self, what: What, face: Face, other: Face) -> Option<f64> {
        let cpu = |face| self.figures(what, face, STEER)?.server_ms;
        ratio(cpu(face), cpu(other))
    }

    fn rate_to_sql(&self, what: What, face: Face, at_once: usize) -> Option<f64> {
        ratio(self.figures(what, face, at_once).map(|f| f.rate), self.sql(what, at_once).map(|f| f.rate))
    }

    fn p99_above_sql(&self, what: What) -> Option<f64> {
        Some(self.figures(what, GRPC, ALONE)?.p99_ms - self.sql(what, ALONE)?.p99_ms)
    }

    /// pgbench's, else those of what takes its place.
    fn sql(&self, what: What, at_once: usize) -> Option<Figures> {
        self.figures(what, Face::Pgbench, at_once).or_else(|| self.figures(what, Face::Sqlx, at_once))
    }
}

impl Goal {
    fn of(what: What, figure: &str, value: Option<f64>, bounds: Bounds) -> Self {
        Self { figure: format!("{}: {figure}", what.name()), value, bounds }
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let (sign, bounds) = match self.bounds {
            Bounds::AtMost(bound, aim) => ("≤", Some((bound, aim))),
            Bounds::AtLeast(bound, aim) => ("≥", Some((bound, aim))),
            Bounds::Told => ("", None),
        };
        let cell = |bound: Option<f64>| bound.map_or(String::new(), |b| format!("{sign} {b}"));
        let (bound, aim) = (cell(bounds.map(|b| b.0)), cell(bounds.and_then(|b| b.1)));
        let value = self.value.map_or("–".to_owned(), |v| format!("{v:.2}"));
        format!("| {} | {value} | {bound} | {aim} | {} |", self.figure, self.verdict())
    }

    fn verdict(&self) -> &'static str {
        let Some(value) = self.value else { return "not measured" };
        let (met, aimed) = match self.bounds {
            Bounds::AtMost(bound, aim) => (value <= bound, aim.is_some_and(|aim| value <= aim)),
            Bounds::AtLeast(bound, aim) => (value >= bound, aim.is_some_and(|aim| value >= aim)),
            Bounds::Told => return "for information",
        };
        match (met, aimed) {
            (_, true) => "met, and what was aimed at",
            (true, false) => "met",
            (false, false) => "not met",
        }
    }
}

const fn at_most(bound: f64, aim: f64) -> Bounds {
    Bounds::AtMost(bound, Some(aim))
}

const fn at_least(bound: f64, aim: f64) -> Bounds {
    Bounds::AtLeast(bound, Some(aim))
}

fn ratio(ours: Option<f64>, theirs: Option<f64>) -> Option<f64> {
    ours.zip(theirs).map(|(ours, theirs)| ours / theirs)
}
