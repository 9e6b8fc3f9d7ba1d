//! What stands here against an earlier build: the processor time of each call. What became worse is named, and fails nothing.

use crate::{
    rounds::Results,
    what::{Build, Face, STEER, What},
};

/// From here on a call has become worse: medians of rounds repeat within 10 %.
const WORSE: f64 = 1.15;

/// What is called, and the face of a build.
type Call = (What, fn(Build) -> Face);

const CALLS: [Call; 12] = [
    (What::SignIn, Face::Grpc),
    (What::SignIn, Face::Rest),
    (What::SignInSrp, Face::Grpc),
    (What::Refresh, Face::Grpc),
    (What::GetUser, Face::Grpc),
    (What::Forged, Face::Grpc),
    (What::GetActive, Face::Grpc),
    (What::GetActive, Face::Rest),
    (What::Received, Face::Grpc),
    (What::Received, Face::Rest),
    (What::Empty, Face::Grpc),
    (What::Refused, Face::Grpc),
];

struct Pair {
    name: String,
    before_ms: f64,
    now_ms: f64,
}

/// A table of all calls, and under it what became worse.
pub fn compare(results: &Results) -> String {
    let pairs: Vec<Pair> = CALLS.into_iter().filter_map(|call| pair(results, call)).collect();
    let mut lines = vec!["| call | before, CPU ms | now, CPU ms | now to before |\n|---|---:|---:|---:|".to_owned()];
    lines.extend(pairs.iter().map(|p| format!("| {} | {:.3} | {:.3} | {:.2} |", p.name, p.before_ms, p.now_ms, p.ratio())));
    let worse: Vec<String> = pairs.iter().filter(|p| p.ratio() >= WORSE).map(Pair::worse).collect();
    lines.push(String::new());
    lines.push(if worse.is_empty() { "No call takes 15 % more than before.".to_owned() } else { worse.join("\n") });
    lines.join("\n")
}

fn pair(results: &Results, (what, face): Call) -> Option<Pair> {
    let cpu = |build| results.figures(what, face(build), STEER)?.server_ms;
    let name = format!("{}, {}", what.name(), face(Build::This).name());
    Some(Pair { name, before_ms: cpu(Build::Before)?, now_ms: cpu(Build::This)? })
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.now_ms / self.before_ms
    }

    fn worse(&self) -> String {
        format!("- worse: {} takes {:.2} times what it took, {:.3} ms and not {:.3}", self.name, self.ratio(), self.now_ms, self.before_ms)
    }
}
