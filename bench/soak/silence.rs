//! Row 38: the database goes silent. What was connected hears nothing more and is not told, while new connections work.

use crate::{
    calls::{Rpc, bearer, channel},
    ground::{Ground, MAILS, sign_in},
    node::{Node, free_port},
    people::Signer,
    proxy::Proxy,
    table::Row,
    traffic::{self, Deadlined, Done, LIST_ACTIVE, SEND, Traffic, WATCH},
};
use anyhow::{Context, Result};
use futures_util::future::join_all;
use goodturn::pb::{
    friends::{SendFriendRequestRequest, SendFriendRequestResponse},
    identity::{Attribute, SignUpRequest, SignUpResponse},
    notifications::{WatchNotificationsRequest, WatchNotificationsResponse},
};
use rand::RngExt;
use rustix::process::Signal;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout},
};
use tonic::{Code, Request, Status, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

const CALLERS: usize = 20;
/// Those who ask others to be friends, one for each delivery that is timed.
const ASKERS: usize = 24;
const POOL: f64 = 16.0;
const DEADLINE: Duration = Duration::from_secs(5);
const LATE: Duration = Duration::from_millis(200);
const BACK_WITHIN: Duration = Duration::from_secs(10);
const DELIVERED_WITHIN: Duration = Duration::from_millis(100);
/// Deliveries in a row that must be quick again.
const DELIVERIES: usize = 5;
const SIGN_UP: &str = "/goodturn.identity.v1.IdentityService/SignUp";

/// The worst of all repetitions.
#[derive(Default)]
struct Worst {
    longest: Duration,
    success: Duration,
    ready: Duration,
    mailed: Duration,
    live: Duration,
    delivered: Duration,
    used: f64,
    lost: usize,
    stopped: Duration,
    status: bool,
}

/// Where the parts of one repetition stand.
struct Stage<'a> {
    proxy: Proxy,
    node: Node,
    metrics: SocketAddr,
    callers: &'a [Signer],
    askers: &'a [Signer],
    watcher: &'a Signer,
}

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let times = ground.count(5, 1);
    let mut row = Row::new(
        38,
        format!("the wire to Postgres swallows all bytes under {CALLERS} calls, a stream, the bus and jobs; then all of it. {times} times"),
        "calls fail within their deadline (5 s); success, bus and jobs < 10 s; no place in the pool lost; live < 100 ms; \
         SIGTERM in a black hole < 10 s",
    );
    let (database, node, mut signers) = ground.node("row38", &[], 0).await?;
    signers.extend(sign_in(&node, &database, u32::try_from(CALLERS + ASKERS)? + times).await?);
    drop(node);
    let (callers, rest) = signers.split_at(CALLERS);
    let (askers, watchers) = rest.split_at(ASKERS);
    let mut worst = Worst { status: true, ..Worst::default() };
    for watcher in watchers {
        let proxy = Proxy::to(&database).await;
        let metrics = free_port()?;
        let metrics_listen = metrics.to_string();
        let settings = [("GOODTURN_METRICS_LISTEN", metrics_listen.as_str()), MAILS];
        let node = Node::start(&ground.dir("row38"), &proxy.url(), &settings).await?;
        let moment = Duration::from_millis(ground.chance.random_range(500..1500));
        once(&mut worst, Stage { proxy, node, metrics, callers, askers, watcher }, moment).await?;
    }
    judge(&mut row, &worst);
    Ok(row)
}

fn judge(row: &mut Row, worst: &Worst) {
    let ms = |t: Duration| t.as_millis();
    row.check(worst.longest < DEADLINE + LATE, format!("longest call {} ms", ms(worst.longest)));
    row.check(worst.success < BACK_WITHIN, format!("first success after {} ms", ms(worst.success)));
    row.check(worst.ready < BACK_WITHIN, format!("ready after {} ms", ms(worst.ready)));
    row.check(worst.mailed < BACK_WITHIN, format!("a sign-up's code after {} ms", ms(worst.mailed)));
    row.check(worst.live < BACK_WITHIN, format!("live news after {} ms", ms(worst.live)));
    row.check(worst.delivered < DELIVERED_WITHIN, format!("then delivered in {} ms", ms(worst.delivered)));
    row.check(
        worst.lost == 0 && worst.used == 0.0,
        format!("{} of 100 calls at once failed after, {} places still taken", worst.lost, worst.used),
    );
    row.check(worst.status && worst.stopped < BACK_WITHIN, format!("ended {} ms after SIGTERM in a black hole", ms(worst.stopped)));
}

async fn once(worst: &mut Worst, mut stage: Stage<'_>, moment: Duration) -> Result<()> {
    let mut news = watch(&stage.node, stage.watcher).await?;
    let calls = Traffic::start(deadlined(&stage), Duration::from_millis(5));
    sleep(moment).await;
    stage.proxy.silence();
    let cut = Instant::now();
    let (ready, mailed, live) = tokio::join!(ready(&stage.node, cut), mailed(&stage.node, cut), live(&stage, &mut news, cut));
    let (live, delivered) = live?;
    let done = calls.stop().await?;
    worst.longest = worst.longest.max(traffic::longest(&done));
    worst.success = worst.success.max(first_success(&done, cut));
    (worst.ready, worst.mailed) = (worst.ready.max(ready), worst.mailed.max(mailed?));
    (worst.live, worst.delivered) = (worst.live.max(live), worst.delivered.max(delivered));
    worst.lost = worst.lost.max(all_at_once(&stage).await);
    worst.used = worst.used.max(places_taken(stage.metrics).await?);

    let black = Traffic::start(deadlined(&stage), Duration::from_millis(5));
    sleep(Duration::from_millis(200)).await;
    stage.proxy.swallow_all();
    sleep(moment).await;
    let told = Instant::now();
    stage.node.signal(Signal::TERM);
    let status = stage.node.end(Duration::from_secs(30)).await?;
    worst.stopped = worst.stopped.max(told.elapsed());
    worst.status &= status.success();
    let done = black.stop().await?;
    worst.longest = worst.longest.max(traffic::longest(&done));
    Ok(())
}

fn deadlined(stage: &Stage) -> Vec<Deadlined> {
    stage.callers.iter().map(|who| Deadlined::new(&stage.node, LIST_ACTIVE, who, DEADLINE)).collect()
}

fn first_success(done: &[Done], cut: Instant) -> Duration {
    let first = done.iter().filter(|d| d.answer.is_ok() && d.began > cut).map(Done::ended).min();
    first.map_or(Duration::MAX, |t| t - cut)
}

async fn ready(node: &Node, cut: Instant) -> Duration {
    while !node.is_ready().await && cut.elapsed() < 3 * BACK_WITHIN {
        sleep(Duration::from_millis(50)).await;
    }
    cut.elapsed()
}

/// Until somebody signed up, and the job had mailed the code.
async fn mailed(node: &Node, cut: Instant) -> Result<Duration> {
    let email = format!("late{}@ring.example", node.address.port());
    let mut rpc: Rpc<SignUpRequest, SignUpResponse> = Rpc::to(channel(&node.url).await?, SIGN_UP);
    let asked = SignUpRequest {
        client_id: crate::calls::CLIENT_ID.to_owned(),
        username: email.clone(),
        password: "Correct-horse-7".to_owned(),
        user_attributes: vec![Attribute { name: "name".to_owned(), value: "Lou Late".to_owned() }],
        ..Default::default()
    };
    let mut asked_well = false;
    while cut.elapsed() < 3 * BACK_WITHIN {
        asked_well = asked_well || is_done(&rpc.send((asked.clone(), None)).await?.0);
        let outbox = reqwest::get(format!("{}/dev/outbox.json", node.url)).await?.text().await?;
        if outbox.contains(&email) {
            return Ok(cut.elapsed());
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(cut.elapsed())
}

/// What was committed and not answered is refused when it is asked again.
fn is_done<A>(answer: &Result<A, Status>) -> bool {
    answer.as_ref().map_or_else(|refused| refused.code() == Code::AlreadyExists, |_| true)
}

/// The news of a member as they come, by who caused them.
async fn watch(node: &Node, who: &Signer) -> Result<mpsc::UnboundedReceiver<String>> {
    let mut request = Request::new(WatchNotificationsRequest::default());
    request.metadata_mut().insert("authorization", bearer(&who.token)?);
    let mut client = Grpc::new(channel(&node.url).await?);
    client.ready().await?;
    let codec = ProstCodec::<WatchNotificationsRequest, WatchNotificationsResponse>::default();
    let mut stream = client.server_streaming(request, PathAndQuery::from_static(WATCH), codec).await?.into_inner();
    let (heard, news) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok(Some(event)) = stream.message().await {
            let actor = event.notification.and_then(|n| n.actor).map(|a| a.uid);
            if heard.send(actor.unwrap_or_default()).is_err() {
                return;
            }
        }
    });
    Ok(news)
}

/// Until news come live again, and how long each of some took from the answer to who caused it.
async fn live(stage: &Stage<'_>, news: &mut mpsc::UnboundedReceiver<String>, cut: Instant) -> Result<(Duration, Duration)> {
    let mut rpc: Rpc<SendFriendRequestRequest, SendFriendRequestResponse> = Rpc::to(channel(&stage.node.url).await?, SEND);
    let (mut back, mut slowest, mut quick) = (None, Duration::ZERO, 0);
    for asker in stage.askers {
        let asked = SendFriendRequestRequest { receiver_uid: stage.watcher.id.to_string(), ..Default::default() };
        while !is_done(&rpc.send((asked.clone(), Some(bearer(&asker.token)?))).await?.0) && cut.elapsed() < 3 * BACK_WITHIN {
            sleep(Duration::from_millis(50)).await;
        }
        let took = heard_of(news, &asker.id.to_string()).await;
        match back {
            None if took < DELIVERED_WITHIN => back = Some(cut.elapsed()),
            None => {}
            Some(_) => {
                slowest = slowest.max(took);
                quick += 1;
            }
        }
        if quick == DELIVERIES {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok((back.unwrap_or(Duration::MAX), if quick == DELIVERIES { slowest } else { Duration::MAX }))
}

async fn heard_of(news: &mut mpsc::UnboundedReceiver<String>, actor: &str) -> Duration {
    let since = Instant::now();
    let heard = async {
        while let Some(who) = news.recv().await {
            if who == actor {
                return;
            }
        }
        // The stream has ended: nothing comes any more.
        std::future::pending::<()>().await;
    };
    let _ = timeout(BACK_WITHIN / 10, heard).await;
    since.elapsed()
}

/// How many of a hundred calls at once fail.
async fn all_at_once(stage: &Stage<'_>) -> usize {
    use crate::traffic::Ask;
    let calls = stage.callers.iter().cycle().take(100).map(|who| {
        let mut call = Deadlined::new(&stage.node, LIST_ACTIVE, who, DEADLINE);
        async move { call.ask().await.is_err() }
    });
    join_all(calls).await.into_iter().filter(|failed| *failed).count()
}

/// How many connections the pool lends while nobody calls.
async fn places_taken(metrics: SocketAddr) -> Result<f64> {
    let mut used = POOL;
    for _ in 0..20 {
        let text = reqwest::get(format!("http://{metrics}/metrics")).await?.text().await?;
        let line = text.lines().find_map(|l| l.strip_prefix("goodturn_pool_connections{state=\"used\"} "));
        used = line.context("the metrics have no pool")?.parse()?;
        if used == 0.0 {
            break;
        }
        sleep(Duration::from_millis(250)).await;
    }
    Ok(used)
}
