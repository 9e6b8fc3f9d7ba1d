//! The tables of a run, in Markdown.

use crate::{
    before,
    goals::goals,
    growth::Growth,
    load::Figures,
    pictures::{AT_ONCE, Pictures},
    probe::Lengths,
    rounds::Results,
    streams::{STREAMS, Streams},
    what::{ALONE, Build, CROWD, Face, STEER, What},
};

/// What was measured.
pub struct Report {
    /// What stands here.
    pub commit: String,
    /// The commit that it is compared with.
    pub before: Option<String>,
    /// Why there is nothing to compare with, where there should be.
    pub left_out: Option<String>,
    /// What it was measured on, and how.
    pub machine: String,
    /// The figures.
    pub results: Results,
    /// What ten times the items did to the feed.
    pub growth: Option<Growth>,
    /// How many statements each kind of call takes.
    pub statements: [(What, usize); 16],
    /// How long the answers of the reads are, for all callers together.
    pub lengths: [(What, Lengths); 3],
    /// What open notification streams cost.
    pub streams: Streams,
    /// What it takes to set a picture.
    pub pictures: Pictures,
}

const ON_THE_PEERS: &str = "The bare service is plain tonic and sqlx, with sqlx's own pool and as many connections, in a process of its own, \
    and in the same rounds: no authentication, validation, log, metrics or limits. It has one query a table, all on one connection that \
    it takes once a call: for GetActive the friendships, then the members by their ids; for the received list the page with the \
    caller's answers (the statement of the first release), then the members around it, how often they helped, and who of them is a \
    friend; for the feed our own statements, as they were taped. Its answers are as long as ours.";
const ON_THE_ANSWERS: &str = "Each answer is checked: decoded and looked at, or byte for byte the one that was for the same question.";

const ON_THE_EMPTY_CALL: &str = "The empty call asks for drafts that the member was asked for: it is authenticated, validated, logged, and \
    answered with an empty list without the database (by builds that ask it all the same, with a statement). The refused call asks for a \
    rental and names none: it is authenticated and logged, and refused as INVALID_ARGUMENT, with the field, where the message is checked. The bare service's takes and gives an empty message; once more it is sent a member's token with it, which it does not \
    look at: what any call pays that brings one.";

const ON_THE_ACCEPTS: &str = "AcceptRental uses up what it is about, so that each is made once, and all requests are put back before the next time: an item each \
    goes through 3,200 requests of 64 owners, no two of one item at once, and pgbench repeats what each of them took (and looks its values up \
    before, a statement more). One item for all is 16 requests for the same days at once, on one item after the other: one wins of each, \
    in the answers and in the rows, and the others hear DAYS_TAKEN.";
/// Calls a second at 16, and what of them is pgbench's.
const PEERS: &str = "Others that answer the same feed, with nothing around it, as they were measured before this server was built, on another machine: only what they \
    are to pgbench on that machine can be held against ours.\n\n\
    | peer | calls/s | to pgbench's |\n|---|---:|---:|\n\
    | pgbench | 7153 | 1 |\n\
    | bare tonic and sqlx | 4785 | 0.67 |\n\
    | Node, fastify and pg, REST | 4160 | 0.58 |\n\
    | bare tonic behind Envoy's transcoder, REST | 2483 | 0.35 |\n\
    | Python, FastAPI and asyncpg, REST | 2292 | 0.32 |\n\
    | PostGraphile | 1896 | 0.27 |\n\
    | Python, grpc.aio and asyncpg | 1866 | 0.26 |\n\
    | Node, Connect and pg, gRPC | 1819 | 0.25 |";

const REFUSED: &str = "Calls that were turned away as overloaded and came again at once, in all rounds together";

impl Report {
    /// All of it.
    pub fn markdown(&self) -> String {
        let against = self.before.as_ref().map_or(String::new(), |before| format!(", beside {before}"));
        let mut parts = vec![format!("# Results of `make bench`\n\n{}{against}. {}", self.commit, self.machine)];
        parts.push(self.goals());
        parts.extend(self.against());
        for (at_once, title) in [(STEER, "16 callers"), (ALONE, "1 caller"), (CROWD, "64 callers")] {
            parts.push(format!("## {title}\n\n{}", self.table(at_once)));
        }
        parts.push(self.feed());
        parts.push(self.beside());
        parts.push(self.notes());
        parts.join("\n\n") + "\n"
    }

    fn goals(&self) -> String {
        let mut lines = vec!["## Goals\n\n| goal | measured | to meet | aimed at | |\n|---|---:|---:|---:|---|".to_owned()];
        lines.extend(goals(&self.results, self.growth.as_ref(), self.streams).iter().map(|goal| goal.line()));
        lines.join("\n")
    }

    fn against(&self) -> Option<String> {
        let commit = self.before.as_ref()?;
        let text = match &self.left_out {
            Some(why) => format!("It could not be measured: {why}"),
            None => before::compare(&self.results),
        };
        Some(format!("## Against {commit}\n\n{text}"))
    }

    fn table(&self, at_once: usize) -> String {
        let head = "| call | over | server CPU ms/call | least to most | calls/s | p50 ms | p99 ms | callers' CPU ms/call | Postgres CPU ms/call | server MB |\n\
                    |---|---|---:|---:|---:|---:|---:|---:|---:|---:|";
        let mut lines = vec![head.to_owned()];
        for key in self.results.keys().filter(|key| key.at_once == at_once) {
            let Some(figures) = self.results.median(key) else { continue };
            let Figures { rate, p50_ms, p99_ms, server_ms, caller_ms, postgres_ms, memory_mb, .. } = figures;
            let spread = self.results.cpu_spread(key).map_or("–".to_owned(), |(least, most)| format!("{least:.3} to {most:.3}"));
            let [server, caller, postgres] = [server_ms, caller_ms, postgres_ms].map(|ms| cell(ms, 3));
            let memory = cell(memory_mb, 0);
            let (call, over) = (key.what.name(), key.face.name());
            let times = format!("{rate:.0} | {p50_ms:.2} | {p99_ms:.2}");
            lines.push(format!("| {call} | {over} | {server} | {spread} | {times} | {caller} | {postgres} | {memory} |"));
        }
        lines.join("\n")
    }

    /// What is no call in a loop.
    fn beside(&self) -> String {
        let Streams { memory_mb, p50_ms, p99_ms, cpu_ms } = self.streams;
        let pictures = self.pictures;
        let kb = memory_mb * 1024.0 / STREAMS as f64;
        format!(
            "## Streams and pictures\n\n\
             A favor that asks 100 members who have {STREAMS} streams open: half of the streams have heard of it {p50_ms:.0} ms after the call began, and \
             99 of 100 after {p99_ms:.0} ms; {cpu_ms:.3} ms of the server's CPU an event, and {kb:.0} KB of memory a stream.\n\n\
             A JPEG of 12 million pixels ({} KB) that becomes a member's picture, {AT_ONCE} at once: p50 {:.0} ms, p99 {:.0} ms, {:.0} ms of the server's \
             CPU with the upload, {:.0} MB more memory at the peak.",
            pictures.bytes / 1024,
            pictures.p50_ms,
            pictures.p99_ms,
            pictures.cpu_ms,
            pictures.peak_mb,
        )
    }

    fn feed(&self) -> String {
        let ours = self.results.figures(What::Feed, Face::Grpc(Build::This), STEER).map_or(0.0, |f| f.rate);
        let sql = self.results.figures(What::Feed, Face::Pgbench, STEER).map_or(f64::NAN, |f| f.rate);
        format!("## The feed beside its peers\n\nOurs makes {ours:.0} calls/s at 16, {:.2} of pgbench's {sql:.0}. {PEERS}", ours / sql)
    }

    fn notes(&self) -> String {
        let counts = self.statements.map(|(what, n)| format!("{} {n}", what.name())).join("; ");
        let lengths = self.lengths.map(|(what, l)| format!("{} {} and {}", what.name(), l.ours, l.bare)).join("; ");
        let mut notes = format!(
            "{ON_THE_PEERS} Bytes of the answers to all callers, ours and its own: {lengths}.\n\n\
             pgbench (without one, this program) repeats our own statements, as they were taped between this server and \
             Postgres. Statements a call: {counts}.\n\n\
             {ON_THE_ANSWERS}\n\n\
             {ON_THE_EMPTY_CALL}\n\n\
             {ON_THE_ACCEPTS}"
        );
        for (title, lines) in [("Measured once more, since a call had failed", self.results.again.clone()), (REFUSED, self.refused())] {
            if !lines.is_empty() {
                notes.push_str(&format!("\n\n{title}:\n\n- {}", lines.join("\n- ")));
            }
        }
        notes
    }

    fn refused(&self) -> Vec<String> {
        let count = |key| self.results.median(key).map_or(0, |figures| figures.refused);
        let keys = self.results.keys().filter(|key| count(*key) > 0);
        keys.map(|key| format!("{}: {}", key.name(), count(key))).collect()
    }
}

fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |v| format!("{v:.digits$}"))
}
