//! The database falls silent: what is connected to it hears nothing more, as in a fail-over, while new connections work.

use crate::harness::{Client, Database, Member, Program, Proxy, START, TestServer, config, until};
use goodturn::{
    clock::Clock,
    pb::{
        favors::{ListActiveFavorsRequest, favors_service_client::FavorsServiceClient},
        notifications::WatchNotificationsRequest,
    },
};
use rustix::process::Signal;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, sleep, timeout};
use tonic::Code;

/// So many call all the time.
const CALLERS: usize = 20;
const BACK_WITHIN: Duration = Duration::from_secs(10);

/// What calls were answered: when each began and ended, and how.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<(Instant, Instant, Code)>>>);

impl Calls {
    /// Calls until it is aborted.
    fn keep_calling(&self, mut favors: FavorsServiceClient<Client>) -> tokio::task::JoinHandle<()> {
        let calls = self.clone();
        tokio::spawn(async move {
            loop {
                let began = Instant::now();
                let answer = favors.list_active_favors(ListActiveFavorsRequest::default()).await;
                let code = answer.map_or_else(|e| e.code(), |_| Code::Ok);
                calls.0.lock().unwrap().push((began, Instant::now(), code));
                sleep(Duration::from_millis(5)).await;
            }
        })
    }

    fn all(&self) -> Vec<(Instant, Instant, Code)> {
        self.0.lock().unwrap().clone()
    }
}

async fn server_behind(proxy: &Proxy) -> (TestServer, Member) {
    let server = TestServer::on(Arc::new(Database::at(proxy.url())), config(), Clock::fixed(START)).await;
    let ana = server.ana().await;
    (server, ana)
}

#[tokio::test]
async fn calls_live_news_and_jobs_come_back_after_the_database_fell_silent() {
    let database = Database::create().await;
    let proxy = Proxy::to(database.url()).await;
    let (server, ana) = server_behind(&proxy).await;
    let ben = server.ben().await;
    let mut stream = server.notifications(&ana).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    let calls = Calls::default();
    let callers: Vec<_> = (0..CALLERS).map(|_| calls.keep_calling(server.favors(&ana))).collect();
    until("all of them are answered", async || calls.all().len() > 10 * CALLERS).await;

    proxy.silence();
    let cut = Instant::now();
    let back = || calls.all().into_iter().filter(|c| c.0 > cut && c.2 == Code::Ok).count();
    until("calls are answered again", async || back() > 10 * CALLERS).await;
    assert!(cut.elapsed() < BACK_WITHIN, "{:?}", cut.elapsed());
    callers.iter().for_each(|c| c.abort());
    for (began, ended, code) in calls.all() {
        assert!(ended - began < Duration::from_secs(5), "a call took {:?} and was {code:?}", ended - began);
        assert!([Code::Ok, Code::Unavailable, Code::ResourceExhausted].contains(&code), "{code:?}");
    }

    // A job mails the code of a sign-up, and Ana is told by her stream.
    server.signs_up("zoe@example.org", "Zoe", "Hart").await;
    assert!(cut.elapsed() < 2 * BACK_WITHIN, "a code was mailed after {:?}", cut.elapsed());
    let eve = server.eve().await;
    server.befriend(&eve, &ana).await;
    let told = timeout(BACK_WITHIN, stream.message()).await.expect("the stream goes on").unwrap().unwrap();
    assert_eq!(told.notification.unwrap().title, "New friend request");
    until("signals are heard again", async || server.node.deps.bus.silent_for().is_some_and(|s| s < Duration::from_millis(1500))).await;
    let since = Instant::now();
    server.befriend(&eve, &ben).await;
    assert!(since.elapsed() < Duration::from_secs(5));

    // No place in the pool is lost.
    let all = futures_util::future::join_all(
        (0..100).map(|_| async { server.favors(&ana).list_active_favors(ListActiveFavorsRequest::default()).await.map(drop) }),
    );
    assert!(timeout(BACK_WITHIN, all).await.expect("in time").iter().all(Result::is_ok));
    assert!(server.node.deps.pool.status().size <= server.config.pool_connections_max as usize);
    timeout(BACK_WITHIN, server.stop()).await.expect("it stops");
}

#[tokio::test]
async fn a_silent_database_is_no_outage_and_a_black_hole_is_one() {
    let database = Database::create().await;
    let proxy = Proxy::to(database.url()).await;
    let (server, ana) = server_behind(&proxy).await;
    let ready = async || reqwest::get(server.url("/readyz")).await.unwrap().status() == 200;
    until("it is ready", ready).await;
    proxy.silence();
    let until_then = Instant::now() + Duration::from_secs(4);
    while Instant::now() < until_then {
        assert!(ready().await, "new connections work all the time");
        sleep(Duration::from_millis(50)).await;
    }
    proxy.swallow_all();
    until("it is not ready", async || !ready().await).await;
    let mut favors = server.favors(&ana);
    let refused = timeout(Duration::from_secs(5), favors.list_active_favors(ListActiveFavorsRequest::default()));
    let code = refused.await.expect("answered in time").unwrap_err().code();
    assert_eq!(code, Code::Unavailable);
    timeout(BACK_WITHIN, server.stop()).await.expect("it stops");
}

#[tokio::test]
async fn the_program_ends_when_told_to_though_the_database_is_silent() {
    let database = Database::create().await;
    let proxy = Proxy::to(database.url()).await;
    let mut program = Program::start(Arc::new(Database::at(proxy.url()))).await;
    let ana = program.ana().await;
    let calls = Calls::default();
    let _callers: Vec<_> = (0..CALLERS).map(|_| calls.keep_calling(program.favors(&ana))).collect();
    until("all of them are answered", async || calls.all().len() > 2 * CALLERS).await;
    proxy.swallow_all();
    sleep(Duration::from_millis(100)).await;
    let told = Instant::now();
    program.signal(Signal::TERM);
    let ended = tokio::task::spawn_blocking(move || program.wait());
    let status = timeout(Duration::from_secs(15), ended).await.expect("it ends").unwrap();
    // On a busy machine it is noticed late that it has ended.
    let ended_at = Instant::now() - Duration::from_secs(1);
    assert!(status.success() && told.elapsed() < Duration::from_secs(10), "{status} after {:?}", told.elapsed());
    let told = [Code::Ok, Code::Unavailable, Code::ResourceExhausted];
    // What comes after the end meets a closed port, which is UNAVAILABLE as well, or a connection that breaks off.
    let others: Vec<_> = calls.all().into_iter().filter(|c| c.1 < ended_at && !told.contains(&c.2)).collect();
    assert!(others.is_empty(), "{others:?}");
}
