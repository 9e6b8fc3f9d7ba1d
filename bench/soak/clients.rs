//! Row 39: clients that are silent or slow, by the thousand, beside good ones. What is still open is read where the kernel lists it.

use crate::{
    bulkhead::others,
    ground::Ground,
    http2::{self, connect},
    node::Node,
    people::Signer,
    table::Row,
    traffic::{Done, Traffic, WATCH, good_clients},
    usage,
};
use anyhow::{Context, Result};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::{
    fs,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep},
};

/// How many connections an address may have.
const PER_ADDRESS: u32 = 200;
/// How many of them these clients use.
const USED: u32 = 150;
const OPENED_WITHIN: Duration = Duration::from_secs(5);
/// A second for what the looks in between do not see.
const CUT_BY: Duration = Duration::from_secs(31);
const CUT_FROM: Duration = Duration::from_secs(9);
const LOOK_EVERY: Duration = Duration::from_millis(250);
const STREAMS_PER_MEMBER: u32 = 20;
const LIMIT: u32 = 60;

#[derive(Clone, Copy, Debug)]
enum Kind {
    Silent,
    HalfPreface,
    HalfHeaders,
    SlowBody,
    DeafReader,
}

const KINDS: [Kind; 5] = [Kind::Silent, Kind::HalfPreface, Kind::HalfHeaders, Kind::SlowBody, Kind::DeafReader];

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Silent => "without a byte",
            Self::HalfPreface => "half a preface",
            Self::HalfHeaders => "half headers",
            Self::SlowBody => "a body a byte a second",
            Self::DeafReader => "a stream that is never read",
        }
    }

    /// What each connection says at once.
    fn says(self, node: &Node, who: &Signer) -> Vec<u8> {
        match self {
            Self::Silent => Vec::new(),
            Self::HalfPreface => http2::PREFACE.iter().take(14).copied().collect(),
            Self::HalfHeaders => b"GET /healthz HTTP/1.1\r\nHost: goodturn.bench\r\nX-Half: ".to_vec(),
            Self::SlowBody => b"POST / HTTP/1.1\r\nHost: goodturn.bench\r\nContent-Type: application/x-amz-json-1.1\r\n\
                X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth\r\nContent-Length: 10000\r\n\r\n{"
                .to_vec(),
            Self::DeafReader => http2::call(WATCH, &node.address.to_string(), &who.token),
        }
    }
}

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let count = ground.count(2000, 50).min(files()?);
    let mut row = Row::new(
        39,
        format!("{count} connections of each kind, from addresses with {USED} each, beside 8 good clients"),
        "each cut within 10 to 30 s; at most N an address (200); good clients' p99 < 2 times normal; SIGTERM seen at the connection limit",
    );
    let per_address = PER_ADDRESS.to_string();
    let settings = [("GOODTURN_CONNECTIONS_PER_ADDRESS", per_address.as_str())];
    let (_, node, signers) = ground.node("row39", &settings, (count / STREAMS_PER_MEMBER).max(8)).await?;
    let good = good_clients(&node, &signers).await?;
    let quiet = good.during(ground.time(Duration::from_secs(15), Duration::from_secs(4))).await;
    let before_mb = usage::memory_mb(node.pid());
    for (block, kind) in (1..).zip(KINDS) {
        let beside = bad_clients(&mut row, &node, &signers, (block, kind), count, &good).await?;
        others(&mut row, &quiet, &beside);
    }
    row.note(format!("server {before_mb:.0} MB before, {:.0} MB after", usage::memory_mb(node.pid())));
    one_address(&mut row, &node).await?;
    drop(good);
    drop(node);
    at_the_limit(ground, &mut row).await?;
    Ok(row)
}

/// Opens the connections, waits until all of them are cut, and judges when. What good clients met meanwhile.
async fn bad_clients(
    row: &mut Row,
    node: &Node,
    signers: &[Signer],
    (block, kind): (u8, Kind),
    count: u32,
    good: &Traffic,
) -> Result<Vec<Done>> {
    good.take();
    let began = Instant::now();
    let mut open = Vec::new();
    for n in 0..count {
        let from = Ipv4Addr::new(127, 0, block, u8::try_from(n / USED + 1)?);
        let mut stream = connect(from.into(), node.address).await.with_context(|| format!("connection {n}, {}", kind.name()))?;
        let who = signers.iter().cycle().nth(usize::try_from(n / STREAMS_PER_MEMBER)?).context("nobody")?;
        stream.write_all(&kind.says(node, who)).await?;
        open.push(stream);
        sleep((OPENED_WITHIN * n / count).saturating_sub(began.elapsed())).await;
    }
    let opened = Instant::now();
    let there = established(node.address, block)?;
    let (mut first_cut, mut most) = (None, there);
    let left = loop {
        let left = established(node.address, block)?;
        most = most.max(left);
        if left < most && first_cut.is_none() {
            first_cut = Some(began.elapsed());
        }
        if left == 0 || opened.elapsed() > CUT_BY + Duration::from_secs(5) {
            break left;
        }
        if matches!(kind, Kind::SlowBody) {
            trickle(&open).await;
        } else {
            sleep(LOOK_EVERY).await;
        }
    };
    let (first, last) = (first_cut.unwrap_or_default(), opened.elapsed());
    row.check(
        most == count && left == 0 && first >= CUT_FROM && last <= CUT_BY,
        format!("{}: {most} open, cut after {:.0} to {:.0} s, {left} left", kind.name(), first.as_secs_f64(), last.as_secs_f64()),
    );
    let beside = good.take();
    drop(open);
    Ok(beside)
}

/// A byte on each connection, in the course of a second: those who send them know nothing of one another.
async fn trickle(open: &[TcpStream]) {
    const PARTS: u32 = 50;
    for part in open.chunks(open.len().div_ceil(PARTS as usize).max(1)) {
        // One that was cut takes no more.
        part.iter().for_each(|stream| drop(stream.try_write(b" ")));
        sleep(Duration::from_secs(1) / PARTS).await;
    }
}

/// How many connections of a block of addresses the server has.
fn established(server: SocketAddr, block: u8) -> Result<u32> {
    const ESTABLISHED: &str = "01";
    let table = fs::read_to_string("/proc/net/tcp").context("/proc/net/tcp")?;
    let port = format!(":{:04X}", server.port());
    let of_block = |line: &&str| {
        let mut words = line.split_whitespace().skip(1);
        let (Some(local), Some(remote), Some(state)) = (words.next(), words.next(), words.next()) else { return false };
        let address = remote.split(':').next().and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or_default();
        let [.., third, _] = address.to_ne_bytes();
        local.ends_with(&port) && state == ESTABLISHED && third == block
    };
    Ok(u32::try_from(table.lines().skip(1).filter(of_block).count())?)
}

/// More connections of one address than it may have.
async fn one_address(row: &mut Row, node: &Node) -> Result<()> {
    const BLOCK: u8 = 90;
    let from = IpAddr::from([127, 0, BLOCK, 1]);
    let mut open = Vec::new();
    for _ in 0..PER_ADDRESS + 50 {
        open.push(connect(from, node.address).await?);
    }
    sleep(Duration::from_secs(1)).await;
    let left = established(node.address, BLOCK)?;
    row.check(left <= PER_ADDRESS && left > 0, format!("{} from one address: {left} stay", open.len()));
    Ok(())
}

/// A node with all connections that it may have, each of which has asked something.
async fn at_the_limit(ground: &Ground, row: &mut Row) -> Result<()> {
    let database = ground.database("row39_limit").await?;
    let limit = LIMIT.to_string();
    let mut node = Node::start(&ground.dir("row39"), &database, &[("GOODTURN_CONNECTIONS_MAX", limit.as_str())]).await?;
    sleep(Duration::from_millis(300)).await;
    let mut open: Vec<TcpStream> = Vec::new();
    for _ in 0..LIMIT {
        let mut stream = connect(IpAddr::from([127, 0, 91, 1]), node.address).await?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: goodturn.bench\r\n\r\n").await?;
        let mut answer = [0; 16];
        // The last ones may find no room: they wait outside.
        let _ = tokio::time::timeout(Duration::from_millis(500), stream.read(&mut answer)).await;
        open.push(stream);
    }
    for _ in 0..10 {
        open.push(connect(IpAddr::from([127, 0, 91, 2]), node.address).await?);
    }
    let told = Instant::now();
    node.signal(Signal::TERM);
    let status = node.end(Duration::from_secs(30)).await?;
    let took = told.elapsed();
    row.check(status.success() && took < Duration::from_secs(10), format!("{status} {} ms after SIGTERM at the limit", took.as_millis()));
    Ok(())
}

/// How many connections this process may open, after raising its limit as far as it may.
fn files() -> Result<u32> {
    const SPARED: u64 = 500;
    let limit = getrlimit(Resource::Nofile);
    if setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).is_err() {
        eprintln!("the limit of open files stays as it is");
    }
    let most = getrlimit(Resource::Nofile).current.unwrap_or(100_000).saturating_sub(SPARED);
    Ok(u32::try_from(most).unwrap_or(u32::MAX))
}
