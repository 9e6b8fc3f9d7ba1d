//! What open notification streams cost: memory, and how long it takes until all of them have heard of one thing.

use crate::{
    calls::{Rpc, bearer, channel},
    crowd::Crowd,
    load::summary,
    people::Signer,
    servers::Server,
    usage,
};
use anyhow::{Context, Result, ensure};
use goodturn::{
    clock::Clock,
    pb::{
        favors::{CreateFavorRequest, CreateFavorResponse, FavorStatus},
        notifications::{WatchNotificationsRequest, WatchNotificationsResponse},
    },
};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel as queue};
use tonic::{
    Request, Streaming,
    client::Grpc,
    codegen::http::uri::PathAndQuery,
    transport::{Channel, Endpoint},
};
use tonic_prost::ProstCodec;

/// How many are opened.
pub const STREAMS: usize = 1000;
const PER_CONNECTION: usize = 50;
const PATH: &str = "/goodturn.notifications.v1.NotificationsService/WatchNotifications";
const CREATE: &str = "/goodturn.favors.v1.FavorsService/CreateFavor";
/// Until what opening took is given back.
const SETTLES_WITHIN: Duration = Duration::from_secs(1);
/// How often something happens that all are told of.
const TIMES: usize = 12;
const HEARD_WITHIN: Duration = Duration::from_secs(20);

/// What 1,000 streams of 100 members cost.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    /// How much the resident memory of the server grew with them, in MB.
    pub memory_mb: f64,
    /// From the call that asks all of them for a favor until half of the streams had heard of it, in milliseconds.
    pub p50_ms: f64,
    /// The same for 99 of 100.
    pub p99_ms: f64,
    /// Processor time of the server for each event of a stream, in milliseconds.
    pub cpu_ms: f64,
}

/// Opens them, and posts favors that ask every guest.
///
/// # Errors
/// When a stream is refused or ends, or has not heard of a favor in time.
pub async fn measure(server: &Server, crowd: &Crowd) -> Result<Streams> {
    let before = usage::memory_mb(server.pid());
    let (sender, mut heard) = queue(STREAMS);
    for (number, stream) in open(server, &crowd.guests).await?.into_iter().enumerate() {
        tokio::spawn(listen(number, stream, sender.clone()));
    }
    tokio::time::sleep(SETTLES_WITHIN).await;
    let memory_mb = usage::memory_mb(server.pid()) - before;
    let mut times = Vec::new();
    let mut host = Rpc::<CreateFavorRequest, CreateFavorResponse>::to(channel(&server.url).await?, CREATE);
    let cpu = usage::cpu_s(server.pid());
    for poster in crowd.hosts.iter().cycle().take(TIMES) {
        let began = Instant::now();
        let posted = host.send((favor(&crowd.guests), Some(bearer(&poster.token)?))).await?.0.context("posting")?;
        let id = posted.favor.context("nothing is told of the favor")?.id;
        times.extend(all(&mut heard, &id, began).await?);
    }
    let events = times.len();
    let figures = summary(times, 1.0);
    let cpu_ms = (usage::cpu_s(server.pid()) - cpu) * 1e3 / events as f64;
    Ok(Streams { memory_mb, p50_ms: figures.p50_ms, p99_ms: figures.p99_ms, cpu_ms })
}

async fn open(server: &Server, signers: &[Signer]) -> Result<Vec<Streaming<WatchNotificationsResponse>>> {
    let mut open = Vec::new();
    for (connection, n) in (0..STREAMS).step_by(PER_CONNECTION).enumerate() {
        let channel: Channel = Endpoint::from_shared(server.url.clone())?.connect().await?;
        let first = connection * PER_CONNECTION;
        for signer in signers.iter().cycle().skip(first % signers.len()).take(PER_CONNECTION.min(STREAMS - n)) {
            let mut request = Request::new(WatchNotificationsRequest::default());
            request.metadata_mut().insert("authorization", bearer(&signer.token)?);
            let mut client = Grpc::new(channel.clone());
            client.ready().await?;
            let stream = client.server_streaming(request, PathAndQuery::from_static(PATH), ProstCodec::default()).await?;
            open.push(stream.into_inner());
        }
    }
    Ok(open)
}

/// What a stream brought: its number, what it is about, and when.
type Heard = (usize, String, Instant);

/// Tells of each notification that the stream brings, until it ends.
async fn listen(number: usize, mut stream: Streaming<WatchNotificationsResponse>, heard: Sender<Heard>) {
    while let Ok(Some(event)) = stream.message().await {
        let Some(target) = event.notification.and_then(|n| n.target) else { continue };
        if heard.send((number, target.id, Instant::now())).await.is_err() {
            return;
        }
    }
}

/// How long it took until each of them had heard of it, once.
async fn all(heard: &mut Receiver<Heard>, favor: &str, began: Instant) -> Result<Vec<Duration>> {
    let mut times = vec![None; STREAMS];
    for n in 0..STREAMS {
        let left = HEARD_WITHIN.saturating_sub(began.elapsed());
        let told = tokio::time::timeout(left, heard.recv()).await.with_context(|| format!("{n} of {STREAMS} streams heard"))?;
        let (number, about, at) = told.context("all streams have ended")?;
        let time = times.get_mut(number).context("there is no such stream")?;
        ensure!(about == favor, "stream {number} was told of another favor");
        ensure!(time.is_none(), "stream {number} was told twice");
        *time = Some(at.saturating_duration_since(began));
    }
    ensure!(heard.is_empty(), "a stream was told twice");
    Ok(times.into_iter().flatten().collect())
}

fn favor(guests: &[Signer]) -> CreateFavorRequest {
    let start = Clock::system().now() + time::Duration::days(2);
    CreateFavorRequest {
        title: "Help at the street party".to_owned(),
        description: "Tables and benches have to be carried, and somebody should look after the grill.".to_owned(),
        status: FavorStatus::Active.into(),
        start_date: Some(prost_types::Timestamp { seconds: start.unix_timestamp(), nanos: 0 }),
        recipients: guests.iter().map(|guest| guest.id.to_string()).collect(),
        ..Default::default()
    }
}
