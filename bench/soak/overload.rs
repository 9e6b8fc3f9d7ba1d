//! Row 12: three times as many calls as can be served, whether or not those before were answered.

use crate::{
    calls::{Asked, bearer, channel},
    ground::{Ground, sign_in},
    load::{Figures, Watched, summary},
    node::Node,
    people::Signer,
    seed::{self, Size},
    table::Row,
    traffic::{Done, GET_ACTIVE, Traffic, circles, p99_ms},
    usage,
};
use anyhow::{Context, Result};
use goodturn::{
    clock::Clock,
    pb::friends::{GetActiveRequest, GetActiveResponse},
};
use std::{process::Command, sync::Arc, time::Duration};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval, sleep},
};
use tonic::{Code, Request, Status, client::Grpc, codegen::http::uri::PathAndQuery, transport::Channel};
use tonic_prost::ProstCodec;

const TIMES: f64 = 3.0;
const AT_ONCE: [usize; 3] = [16, 32, 64];
/// A connection has at most 256 streams: this is room for what waits.
const CONNECTIONS: usize = 32;
const TICK: Duration = Duration::from_millis(2);
const GOODPUT_MIN: f64 = 0.9;
const SHED_WITHIN_MS: f64 = 100.0;
const P99_TIMES: f64 = 5.0;
const RECOVERS_WITHIN: Duration = Duration::from_secs(2);
/// What an open loop needs to reach its rate, and the server to know that this is no burst.
const RAMP: Duration = Duration::from_secs(2);
const WARM_UP: Duration = Duration::from_millis(700);

type Sent = (Instant, Duration, Code);

/// What the open loop gave.
struct Flood {
    offered: f64,
    accepted: Figures,
    shed: Figures,
    others: usize,
    /// Cores that the server and Postgres kept busy.
    cores: (f64, f64),
    ended: Instant,
}

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let lasting = ground.time(Duration::from_secs(20), Duration::from_secs(3));
    let (node, signers) = filled(ground).await?;
    let watched = Watched { server: node.pid(), postgres: ground.postgres.pid().await? };
    let apart = Apart::set(watched);
    let where_ = if apart.done { "server and Postgres on one core, the load on the other" } else { "the load on the same cores" };
    let mut row = Row::new(
        12,
        format!("GetActive, 40 friends, over gRPC: open loop at 3 times the capacity for {} s; {where_}", lasting.as_secs()),
        "goodput ≥ 90 % of peak; the rest shed < 100 ms with RESOURCE_EXHAUSTED; p99 of accepted < 5 times that at 16 callers; \
         recovery < 2 s",
    );
    let (mut peak, mut unloaded) = (0.0, f64::NAN);
    for at_once in AT_ONCE {
        let (rate, p99_ms, refused) = closed(&node, &signers, at_once, ground.time(Duration::from_secs(5), Duration::from_secs(2))).await?;
        peak = f64::max(peak, rate);
        unloaded = if at_once == 16 { p99_ms } else { unloaded };
        row.note(format!("{at_once} callers: {rate:.0}/s, p99 {p99_ms:.1} ms, {refused:.0}/s refused"));
    }

    let flood = flood(&node, &signers, TIMES * peak, lasting, watched).await?;
    judge(&mut row, &flood, peak, unloaded);
    recovery(&mut row, &node, &signers, &flood, unloaded).await?;
    Ok(row)
}

/// What so many callers get, each of whom waits for its answer: calls a second, p99 in milliseconds, and refusals a second.
async fn closed(node: &Node, signers: &[Signer], at_once: usize, lasting: Duration) -> Result<(f64, f64, f64)> {
    let calls = Traffic::start(circles(node, signers, at_once).await?, Duration::ZERO);
    sleep(WARM_UP).await;
    let (well, refused): (Vec<Done>, Vec<Done>) = calls.during(lasting).await.into_iter().partition(|d| d.answer.is_ok());
    calls.stop().await?;
    let rate = |done: &[Done]| done.len() as f64 / lasting.as_secs_f64();
    Ok((rate(&well), p99_ms(&well), rate(&refused)))
}

fn judge(row: &mut Row, flood: &Flood, peak: f64, unloaded: f64) {
    let (server, postgres) = flood.cores;
    row.check(
        flood.offered > 0.9 * TIMES * peak,
        format!("offered {:.0}/s; the server had {server:.2} cores, Postgres {postgres:.2}", flood.offered),
    );
    let part = flood.accepted.rate / peak;
    row.check(part >= GOODPUT_MIN, format!("goodput {:.0}/s, {:.0} % of peak", flood.accepted.rate, part * 100.0));
    let (accepted, shed) = (flood.accepted.p99_ms, flood.shed.p99_ms);
    row.check(accepted < P99_TIMES * unloaded, format!("p99 of the accepted {accepted:.1} ms, {:.1} times", accepted / unloaded));
    row.check(shed < SHED_WITHIN_MS, format!("{:.0}/s shed, p50 {:.1} ms, p99 {shed:.1} ms", flood.shed.rate, flood.shed.p50_ms));
    row.check(flood.others == 0, format!("{} answered otherwise", flood.others));
}

/// Calls as before the flood, from its end on.
async fn recovery(row: &mut Row, node: &Node, signers: &[Signer], flood: &Flood, unloaded: f64) -> Result<()> {
    let calls = Traffic::start(circles(node, signers, 16).await?, Duration::ZERO);
    sleep(2 * RECOVERS_WITHIN).await;
    let done = calls.stop().await?;
    let since = |d: &Done| d.ended().saturating_duration_since(flood.ended);
    let last = done.iter().filter(|d| d.answer.is_err()).map(since).max().unwrap_or_default();
    let settled: Vec<_> = done.iter().filter(|d| since(d) > RECOVERS_WITHIN).cloned().collect();
    let p99 = p99_ms(&settled);
    row.check(
        last < RECOVERS_WITHIN && p99 < 2.0 * unloaded,
        format!("last refusal {} ms after the end, p99 {p99:.1} ms from 2 s on", last.as_millis()),
    );
    Ok(())
}

async fn filled(ground: &Ground) -> Result<(Node, Vec<Signer>)> {
    let (database, node, mut signers) = ground.node("row12", &[], 0).await?;
    signers.extend(sign_in(&node, &database, 64).await?);
    let ids: Vec<_> = signers.iter().map(|s| s.id).collect();
    seed::fill(&database, Size { members: 1000, favors: 10_000, items: 10_000 }, &ids, Clock::system().now())
        .await
        .context("filling the database")?;
    Ok((node, signers))
}

/// The load has a core of its own, where there are two: who generates it shall not take from what is measured. All have all of them again
/// when this is dropped: Postgres and the load serve the rows that follow.
struct Apart {
    watched: Watched,
    cores: usize,
    done: bool,
}

impl Apart {
    fn set(watched: Watched) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let done = cores >= 2 && put(watched, "0", "1");
        Self { watched, cores, done }
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        if self.cores >= 2 {
            let all = format!("0-{}", self.cores - 1);
            put(self.watched, &all, &all);
        }
    }
}

/// Puts the server and Postgres on some cores, and the load on others; whether each of them is there.
fn put(watched: Watched, served: &str, load: &str) -> bool {
    let postgres = watched.postgres.into_iter().flat_map(|pid| usage::children(pid).chain([pid]));
    let elsewhere = postgres.chain([watched.server]).filter(|pid| !pin(*pid, served)).count();
    pin(std::process::id(), load) && elsewhere == 0
}

/// Processor time of the server and of Postgres.
fn cpu_s(watched: Watched) -> (f64, f64) {
    (usage::cpu_s(watched.server), watched.postgres.map_or(0.0, usage::family_cpu_s))
}

/// Puts all threads of a process on these cores.
fn pin(pid: u32, cores: &str) -> bool {
    let done = Command::new("taskset").args(["-a", "-c", "-p", cores]).arg(pid.to_string()).output();
    done.is_ok_and(|d| d.status.success())
}

async fn flood(node: &Node, signers: &[Signer], rate: f64, lasting: Duration, watched: Watched) -> Result<Flood> {
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        clients.push(channel(&node.url).await?);
    }
    let asked = signers.iter().map(|s| Ok((GetActiveRequest { uid: s.id.to_string() }, Some(bearer(&s.token)?))));
    let asked: Arc<[Asked<GetActiveRequest>]> = asked.collect::<Result<Vec<_>>>()?.into();
    let (sent, mut came) = mpsc::unbounded_channel();
    let began = Instant::now();
    let sender = tokio::spawn(send(clients, asked, rate, RAMP + lasting, sent));
    sleep(RAMP).await;
    let before = cpu_s(watched);
    sleep(lasting).await;
    let after = cpu_s(watched);
    let seconds = lasting.as_secs_f64();
    let cores = ((after.0 - before.0) / seconds, (after.1 - before.1) / seconds);
    sender.await?;
    let ended = Instant::now();
    let mut all = Vec::new();
    while let Some(one) = came.recv().await {
        all.push(one);
    }
    Ok(sorted_out(&all, began + RAMP, lasting, cores, ended))
}

fn sorted_out(all: &[Sent], from: Instant, lasting: Duration, cores: (f64, f64), ended: Instant) -> Flood {
    let seconds = lasting.as_secs_f64();
    let within = |at: Instant| at >= from && at < from + lasting;
    let offered = all.iter().filter(|s| within(s.0)).count() as f64 / seconds;
    let times = |code: Code| all.iter().filter(|s| s.2 == code && within(s.0 + s.1)).map(|s| s.1).collect::<Vec<_>>();
    let others = all.iter().filter(|s| ![Code::Ok, Code::ResourceExhausted].contains(&s.2)).count();
    let (accepted, shed) = (summary(times(Code::Ok), seconds), summary(times(Code::ResourceExhausted), seconds));
    Flood { offered, accepted, shed, others, cores, ended }
}

/// Sends at this rate, whatever becomes of it. A call counts from when it was due.
async fn send(
    clients: Vec<Channel>,
    asked: Arc<[Asked<GetActiveRequest>]>,
    rate: f64,
    lasting: Duration,
    sent: mpsc::UnboundedSender<Sent>,
) {
    let began = Instant::now();
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut turn = clients.iter().cycle().zip(asked.iter().cycle());
    let mut count = 0.0;
    while began.elapsed() < lasting {
        ticks.tick().await;
        let due = rate * began.elapsed().as_secs_f64();
        while count < due {
            count += 1.0;
            let Some((client, asked)) = turn.next() else { return };
            tokio::spawn(one(client.clone(), asked.clone(), sent.clone()));
        }
    }
}

async fn one(client: Channel, (message, token): Asked<GetActiveRequest>, sent: mpsc::UnboundedSender<Sent>) {
    let began = Instant::now();
    let mut request = Request::new(message);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token);
    }
    let mut client = Grpc::new(client);
    let answer: Result<tonic::Response<GetActiveResponse>, Status> = match client.ready().await {
        Ok(()) => client.unary(request, PathAndQuery::from_static(GET_ACTIVE), ProstCodec::default()).await,
        Err(e) => Err(Status::unavailable(e.to_string())),
    };
    // The receiver outlives all that is sent.
    let _ = sent.send((began, began.elapsed(), answer.map_or_else(|e| e.code(), |_| Code::Ok)));
}
