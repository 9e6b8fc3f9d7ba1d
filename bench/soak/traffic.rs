//! Callers beside what a row does: each calls again and again, and how each call went is kept.

use crate::{
    calls::{Asked, Rest, Rpc, bearer, channels},
    load::{Caller, summary},
    node::Node,
    people::Signer,
};
use anyhow::{Context, Result};
use goodturn::pb::{
    favors::{ListActiveFavorsRequest, ListActiveFavorsResponse},
    friends::{GetActiveRequest, GetActiveResponse},
    notifications::{ListNotificationsRequest, ListNotificationsResponse},
};
use prost::Message;
use std::{
    collections::BTreeMap,
    fmt::Write,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

/// A read of the favors.
pub const LIST_ACTIVE: &str = "/goodturn.favors.v1.FavorsService/ListActiveFavors";
/// The circle of a member.
pub const GET_ACTIVE: &str = "/goodturn.friends.v1.FriendsService/GetActive";
/// What a member was told.
pub const LIST_NOTIFICATIONS: &str = "/goodturn.notifications.v1.NotificationsService/ListNotifications";
/// The same as it comes.
pub const WATCH: &str = "/goodturn.notifications.v1.NotificationsService/WatchNotifications";
/// Asks somebody to be a friend.
pub const SEND: &str = "/goodturn.friends.v1.FriendsService/SendFriendRequest";
/// Answers a favor.
pub const RESPOND: &str = "/goodturn.favors.v1.FavorsService/RespondToFavor";

/// How clients say that a call never left them: no connection, one that takes no more, or one that closed before its turn came.
const AT_DOOR: [&str; 4] =
    ["ConnectError", "ConnectionRefused", "GoAway(b\"\", NO_ERROR, Remote)", "hyper::Error(Canceled, \"connection closed\")"];

/// A call that was not answered with what it asked for.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Its gRPC code.
    pub code: Code,
    /// Whether it was turned away before it began: no connection, or one that takes no more calls.
    pub at_door: bool,
    /// All that is known.
    pub how: String,
}

/// One call.
#[derive(Clone, Debug)]
pub struct Done {
    /// When it began.
    pub began: Instant,
    /// How long it took.
    pub took: Duration,
    /// How it went.
    pub answer: Result<(), Refusal>,
}

impl Done {
    /// When it ended.
    pub fn ended(&self) -> Instant {
        self.began + self.took
    }

    /// Its gRPC code.
    pub fn code(&self) -> Code {
        self.answer.as_ref().map_or_else(|refusal| refusal.code, |()| Code::Ok)
    }
}

/// Makes one call after the other.
pub trait Ask: Send + 'static {
    /// One call.
    fn ask(&mut self) -> impl Future<Output = Result<(), Refusal>> + Send;
}

impl<Q: Message + Clone + 'static, A: Message + Default + 'static> Ask for Rpc<Q, A> {
    async fn ask(&mut self) -> Result<(), Refusal> {
        self.call().await.map(drop).map_err(|e| refusal(&e))
    }
}

impl Ask for Rest {
    async fn ask(&mut self) -> Result<(), Refusal> {
        self.call().await.map(drop).map_err(|e| refusal(&e))
    }
}

fn refusal(error: &anyhow::Error) -> Refusal {
    let status = error.downcast_ref::<Status>();
    let request = error.downcast_ref::<reqwest::Error>();
    let how = status.map_or_else(|| format!("{error:#}"), |status| format!("{status:?}"));
    let by_wire = AT_DOOR.iter().any(|words| how.contains(words));
    let code = status.map_or(Code::Unavailable, Status::code);
    Refusal { code, at_door: by_wire || request.is_some_and(reqwest::Error::is_connect), how }
}

/// Calls with a deadline of which the server alone knows, since a client of gRPC would end them by itself.
pub struct Deadlined {
    client: reqwest::Client,
    url: String,
    token: String,
    deadline: Duration,
}

impl Deadlined {
    /// Calls an RPC whose request may be empty.
    pub fn new(node: &Node, path: &str, who: &Signer, deadline: Duration) -> Self {
        Self { client: reqwest::Client::new(), url: format!("{}{path}", node.url), token: who.token.clone(), deadline }
    }
}

impl Ask for Deadlined {
    async fn ask(&mut self) -> Result<(), Refusal> {
        let call = self.client.post(&self.url).bearer_auth(&self.token).header("content-type", "application/grpc-web+proto");
        let call = call.header("grpc-timeout", format!("{}m", self.deadline.as_millis())).body(vec![0; 5]);
        let broken = |e: &reqwest::Error| Refusal { code: Code::Unknown, at_door: e.is_connect(), how: format!("{e:?}") };
        let answer = call.send().await.map_err(|e| broken(&e))?;
        let header = |name: &str| answer.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
        let (code, how, status) = (header("grpc-status"), header("grpc-message"), answer.status());
        answer.bytes().await.map_err(|e| broken(&e))?;
        match (code.as_str(), status.is_success()) {
            ("" | "0", true) => Ok(()),
            ("" | "0", false) => Err(Refusal { code: Code::Unknown, at_door: false, how: status.to_string() }),
            (code, _) => Err(Refusal { code: Code::from_bytes(code.as_bytes()), at_door: false, how }),
        }
    }
}

/// Callers at work.
pub struct Traffic {
    done: Arc<Mutex<Vec<Done>>>,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Traffic {
    /// Lets them call, with a pause after each call.
    pub fn start<A: Ask>(callers: Vec<A>, pause: Duration) -> Self {
        let mut traffic = Self { done: Arc::default(), stop: CancellationToken::new(), tasks: Vec::new() };
        traffic.add(callers, pause);
        traffic
    }

    /// Adds more of them.
    pub fn add<A: Ask>(&mut self, callers: Vec<A>, pause: Duration) {
        for caller in callers {
            self.tasks.push(tokio::spawn(keep_asking(caller, pause, self.done.clone(), self.stop.clone())));
        }
    }

    /// The calls that ended since this was asked last.
    pub fn take(&self) -> Vec<Done> {
        std::mem::take(&mut *self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The calls that ended during a time from now on.
    pub async fn during(&self, time: Duration) -> Vec<Done> {
        self.take();
        sleep(time).await;
        self.take()
    }

    /// Ends them after the call that each is in; what was not taken.
    ///
    /// # Errors
    /// When one has ended by itself.
    pub async fn stop(mut self) -> Result<Vec<Done>> {
        self.stop.cancel();
        for task in std::mem::take(&mut self.tasks) {
            task.await.context("a caller ended")?;
        }
        Ok(self.take())
    }
}

impl Drop for Traffic {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn keep_asking(mut caller: impl Ask, pause: Duration, done: Arc<Mutex<Vec<Done>>>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let began = Instant::now();
        let answer = caller.ask().await;
        done.lock().unwrap_or_else(PoisonError::into_inner).push(Done { began, took: began.elapsed(), answer });
        sleep(pause).await;
    }
}

/// So many callers of the favors, over gRPC.
///
/// # Errors
/// When the server does not answer.
pub async fn favors(
    node: &Node,
    signers: &[Signer],
    at_once: usize,
) -> Result<Vec<Rpc<ListActiveFavorsRequest, ListActiveFavorsResponse>>> {
    rpcs(node, signers, at_once, LIST_ACTIVE, |_| ListActiveFavorsRequest::default()).await
}

/// So many callers of the circle, over gRPC.
///
/// # Errors
/// When the server does not answer.
pub async fn circles(node: &Node, signers: &[Signer], at_once: usize) -> Result<Vec<Rpc<GetActiveRequest, GetActiveResponse>>> {
    rpcs(node, signers, at_once, GET_ACTIVE, |s| GetActiveRequest { uid: s.id.to_string() }).await
}

/// So many callers of the notifications, over gRPC.
///
/// # Errors
/// When the server does not answer.
pub async fn news(
    node: &Node,
    signers: &[Signer],
    at_once: usize,
) -> Result<Vec<Rpc<ListNotificationsRequest, ListNotificationsResponse>>> {
    rpcs(node, signers, at_once, LIST_NOTIFICATIONS, |_| ListNotificationsRequest::default()).await
}

async fn rpcs<Q: Message + Clone + 'static, A: Message + Default + 'static>(
    node: &Node,
    signers: &[Signer],
    at_once: usize,
    path: &'static str,
    message: impl Fn(&Signer) -> Q,
) -> Result<Vec<Rpc<Q, A>>> {
    let asked: Vec<Asked<Q>> = signers.iter().map(|s| Ok((message(s), Some(bearer(&s.token)?)))).collect::<Result<_>>()?;
    let asked: Arc<[Asked<Q>]> = asked.into();
    let channels = channels(&node.url, at_once).await?.into_iter().enumerate();
    Ok(channels.map(|(n, channel)| Rpc::new(n, channel, path, &asked, |answer| Ok(answer.map(drop)?))).collect())
}

/// Good clients of two services, who pause between calls: what others do to the server shows in how long theirs take.
///
/// # Errors
/// When the server does not answer.
pub async fn good_clients(node: &Node, signers: &[Signer]) -> Result<Traffic> {
    let pause = Duration::from_millis(5);
    let mut traffic = Traffic::start(circles(node, signers, 4).await?, pause);
    traffic.add(news(node, signers, 4).await?, pause);
    // Connections, plans and caches are warm after that.
    traffic.during(Duration::from_secs(1)).await;
    Ok(traffic)
}

/// How many of these calls took less than what 99 of 100 did, in milliseconds.
pub fn p99_ms(done: &[Done]) -> f64 {
    summary(done.iter().map(|d| d.took).collect(), 1.0).p99_ms
}

/// The longest of these calls.
pub fn longest(done: &[Done]) -> Duration {
    done.iter().map(|d| d.took).max().unwrap_or_default()
}

/// How many calls ended how.
pub fn tally(done: &[Done]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for d in done {
        *counts.entry(format!("{:?}", d.code())).or_default() += 1;
    }
    counts.into_iter().fold(String::new(), |mut out, (code, n)| {
        // Writing to a String does not fail.
        let _ = write!(out, "{}{n} {code}", if out.is_empty() { "" } else { ", " });
        out
    })
}

/// How the first of these calls failed, for who looks for the cause.
pub fn first_failure(done: &[Done]) -> String {
    done.iter().find_map(|d| d.answer.as_ref().err()).map_or(String::new(), |r| r.how.chars().take(200).collect())
}
