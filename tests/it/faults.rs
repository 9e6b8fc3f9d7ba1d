//! What fails around the server, and that it comes through: the database away, slow, or the server itself killed.

use crate::{
    asking::{asking, drafting},
    harness::{Database, H2, Member, OwnPostgres, Program, START, Terms, TestServer, config, until},
};
use futures_util::future::join_all;
use goodturn::{
    call::Call,
    clock::Clock,
    config::Config,
    error::{Reason, Result},
    pb::{
        favors::{CreateFavorRequest, FavorResponse, ListActiveFavorsRequest},
        friends::GetActiveRequest,
        notifications::ListNotificationsRequest,
    },
    read, transact,
};
use reqwest::Method;
use rustix::process::Signal;
use sqlx::{Executor, Row};
use std::{
    collections::HashSet,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    net::TcpStream,
    time::{Instant, timeout},
};
use tonic::{Code, Request, Status};

/// Every call is answered within this while the database is away: before any statement's own bound
/// of 10 s, with room for a busy machine.
const ANSWERED_WITHIN: Duration = Duration::from_secs(8);
const LIST_ACTIVE: &str = "/goodturn.favors.v1.FavorsService/ListActiveFavors";

async fn status_of(server: &TestServer, path: &str) -> u16 {
    server.http(Method::GET, path).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn calls_fail_fast_while_the_database_is_away_and_recover_with_it() {
    let mut postgres = OwnPostgres::start().await;
    let database = Arc::new(Database::at(postgres.url()));
    let server = TestServer::on(database, config(), Clock::fixed(START)).await;
    let ana = server.ana().await;
    until("it is ready", async || status_of(&server, "/readyz").await == 200).await;

    postgres.stop();
    let mut friends = server.friends(&ana);
    let refused = timeout(ANSWERED_WITHIN, friends.get_active(GetActiveRequest::default())).await.expect("answered in time").unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    let (status, body) = timeout(ANSWERED_WITHIN, server.rest("GET", "/favor/active", &ana, None)).await.expect("answered in time");
    assert_eq!((status, body["code"].as_str()), (503, Some("UNAVAILABLE")), "{body}");
    let since = Instant::now();
    until("it is not ready", async || status_of(&server, "/readyz").await == 503).await;
    assert!(since.elapsed() < ANSWERED_WITHIN);
    assert_eq!(status_of(&server, "/healthz").await, 200, "the process itself is well");

    postgres.run();
    until("it is ready again", async || status_of(&server, "/readyz").await == 200).await;
    server.friends(&ana).get_active(GetActiveRequest::default()).await.unwrap();
    let mut beside = server.database.connect().await;
    let count = "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'goodturn' LIMIT 1";
    let connections: i32 = beside.fetch_one(count).await.unwrap().get(0);
    assert!((1..=i32::try_from(server.config.pool_connections_max).unwrap()).contains(&connections), "{connections}");
    server.stop().await;
}

#[tokio::test]
async fn a_deadline_ends_its_statement_and_leaves_the_connection_as_it_was() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.pool_connections_max = 1).await;
    let pool = &server.node.deps.pool;
    let connection = async || -> (i32, String) {
        let sql = "SELECT pg_backend_pid(), current_setting('statement_timeout')";
        read!(pool, |conn| Ok(sqlx::query_as(sql).fetch_one(conn).await?)).unwrap()
    };
    let usual = connection().await;
    let call = || Call { share: pool.share(), until: Instant::now() + Duration::from_millis(80), request_id: None, agent: None };
    let asleep = "SELECT pg_sleep(5)";
    let since = Instant::now();
    let read: Result<()> = call().scope(async { read!(pool, |conn| Ok(conn.execute(asleep).await.map(drop)?)) }).await;
    assert_eq!(connection().await, usual, "the next one has the same connection with the usual bound");
    let written: Result<()> = call().scope(async { transact!(pool, |tx| Ok(tx.execute(asleep).await.map(drop)?)) }).await;
    assert_eq!(connection().await, usual);
    for ended in [read, written] {
        assert_eq!(ended.unwrap_err().reason(), Reason::DeadlineExceeded);
    }
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    server.stop().await;
}

/// A call of the favors with a deadline, by hand, since tonic's client would end it by itself. The deadline is longer than a call
/// waits for a connection, so that calls which queue behind these fail. Its gRPC status.
async fn list_within_three_seconds(server: &TestServer, who: &Member) -> i32 {
    let call = server.http(Method::POST, LIST_ACTIVE).bearer_auth(&who.token);
    let call = call.header("content-type", "application/grpc-web+proto").header("grpc-timeout", "3S").body(vec![0; 5]);
    let answer = call.send().await.unwrap();
    answer.headers().get("grpc-status").map_or(0, |status| status.to_str().unwrap().parse().unwrap())
}

#[tokio::test]
async fn a_locked_table_costs_its_own_calls_their_deadline_and_nobody_else_anything() {
    // Longer than the test waits, so that only the deadline can end a statement.
    let bounds = |config: &mut Config| (config.lock_timeout_ms, config.statement_timeout_ms) = (60_000, 60_000);
    let server = TestServer::start_with(Clock::fixed(START), bounds).await;
    let ana = server.ana().await;
    until("it is ready", async || status_of(&server, "/readyz").await == 200).await;
    let mut beside = server.database.connect().await;
    beside.execute("BEGIN").await.unwrap();
    beside.execute("LOCK TABLE favors IN ACCESS EXCLUSIVE MODE").await.unwrap();

    // More than there are connections.
    let blocked = 2 * server.config.pool_connections_max as usize;
    let since = Instant::now();
    let waiting = join_all((0..blocked).map(|_| list_within_three_seconds(&server, &ana)));
    let others = async {
        let held = "SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'favors'::regclass LIMIT 1";
        until("they wait", async || beside.fetch_one(held).await.unwrap().get::<i32, _>(0) > 1).await;
        let mut answered = 0;
        while since.elapsed() < Duration::from_millis(900) {
            server.notifications(&ana).list_notifications(ListNotificationsRequest::default()).await.unwrap();
            server.friends(&ana).get_active(GetActiveRequest::default()).await.unwrap();
            assert_eq!(status_of(&server, "/readyz").await, 200);
            answered += 1;
        }
        assert!(answered > 0, "nobody else was answered in the meantime");
    };
    let (codes, ()) = tokio::join!(waiting, others);
    let (late, busy) = (i32::from(Code::DeadlineExceeded), i32::from(Code::ResourceExhausted));
    assert!(codes.iter().all(|code| [late, busy].contains(code)), "{codes:?}");
    assert!(codes.contains(&late), "{codes:?}");

    let active = "SELECT count(*)::int FROM pg_stat_activity
                  WHERE datname = current_database() AND application_name = 'goodturn' AND state = 'active' LIMIT 1";
    // Not in the transaction, which would see the same activity all the time.
    let mut watcher = server.database.connect().await;
    until("their statements ended with them", async || watcher.fetch_one(active).await.unwrap().get::<i32, _>(0) == 0).await;
    beside.execute("ROLLBACK").await.unwrap();
    server.favors(&ana).list_active_favors(ListActiveFavorsRequest::default()).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_call_that_its_caller_gave_up_lets_go_of_its_locks() {
    // Longer than the test waits, so that only the caller's leaving can end a statement.
    let bounds = |config: &mut Config| (config.lock_timeout_ms, config.statement_timeout_ms) = (60_000, 60_000);
    let server = TestServer::start_with(Clock::fixed(START), bounds).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let favor = server.favor(&ana, asking(&[&ben])).await;
    let mut beside = server.database.connect().await;
    beside.execute("BEGIN").await.unwrap();
    beside.execute("LOCK TABLE favor_recipients IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // Ben's answer locks the favor, then waits for the recipients; then he walks away.
    let answer = serde_json::json!({ "response": "accept" });
    let path = format!("/api/favors/{}/respond", favor.id);
    let locked = "SELECT count(*)::int FROM pg_locks WHERE relation = 'favors'::regclass AND mode = 'RowShareLock' LIMIT 1";
    let mut is_locked = async || beside.fetch_one(locked).await.unwrap().get::<i32, _>(0) > 0;
    tokio::select! {
        answered = server.rest("POST", &path, &ben, answer) => panic!("{answered:?} though it has to wait"),
        () = until("the favor is locked", &mut is_locked) => {}
    }
    until("the favor is free", async || !is_locked().await).await;
    beside.execute("ROLLBACK").await.unwrap();
    server.answer(&ben, &favor.id, FavorResponse::Accept, "").await.unwrap();
    server.stop().await;
}

/// One try to create a favor under a key that is the client's own.
async fn create(program: &Program, member: &Member, key: &str) -> Result<String, Status> {
    let mut request = Request::new(CreateFavorRequest { title: key.to_owned(), ..drafting() });
    request.metadata_mut().insert("idempotency-key", key.parse().unwrap());
    let created = program.favors(member).create_favor(request).await?;
    Ok(created.into_inner().favor.unwrap().id)
}

#[tokio::test]
async fn a_server_killed_amid_writes_loses_no_acknowledged_one_and_doubles_none() {
    let database = Arc::new(Database::create().await);
    let mut program = Program::start(database.clone()).await;
    let ana = program.ana().await;
    let mut acknowledged = HashSet::new();
    let mut asked = Vec::new();
    for round in 0..2 {
        let written = AtomicUsize::new(0);
        let writing = async {
            let mut answers = Vec::new();
            for n in 0.. {
                let keys: Vec<_> = (0..4).map(|writer| format!("{round}-{n}-{writer}")).collect();
                let tries = keys.iter().map(|key| create(&program, &ana, key));
                let done = join_all(tries).await;
                written.fetch_add(done.iter().filter(|d| d.is_ok()).count(), Ordering::SeqCst);
                let over = done.iter().any(Result::is_err);
                answers.extend(keys.into_iter().zip(done));
                if over {
                    break;
                }
            }
            answers
        };
        let killing = async {
            until("it is busy", async || written.load(Ordering::SeqCst) >= 12).await;
            program.signal(Signal::KILL);
        };
        let (answers, ()) = tokio::join!(writing, killing);
        for (key, answer) in answers {
            acknowledged.extend(answer.ok());
            asked.push(key);
        }
        program.wait();
        program.start_again().await;
    }

    let mut beside = database.connect().await;
    let rows = beside.fetch_all("SELECT id FROM favors LIMIT 100000").await.unwrap();
    let kept: HashSet<_> = rows.iter().map(|row| row.get::<uuid::Uuid, _>(0).to_string()).collect();
    assert!(acknowledged.is_subset(&kept), "acknowledged and gone: {:?}", acknowledged.difference(&kept));
    for key in &asked {
        create(&program, &ana, key).await.unwrap();
    }
    let rows = beside.fetch_all("SELECT title, count(*)::int FROM favors GROUP BY title LIMIT 100000").await.unwrap();
    assert_eq!(rows.len(), asked.len());
    for row in rows {
        assert_eq!(row.get::<i32, _>(1), 1, "{} was created twice", row.get::<String, _>(0));
    }
}

#[tokio::test]
async fn a_server_told_to_stop_finishes_what_it_began() {
    const DELAY: Duration = Duration::from_secs(1);
    let terms = Terms { environment: &[("GOODTURN_DRAIN_DELAY_S", "1")], ..Terms::default() };
    let mut program = Program::start_on(terms, Arc::new(Database::create().await)).await;
    let ana = program.ana().await;
    let answered = Arc::new(AtomicUsize::new(0));
    let (address, token) = (program.address.as_str(), ana.token.as_str());
    let regulars: Vec<_> = (0..8).map(|_| tokio::spawn(keep_asking(address.to_owned(), token.to_owned(), answered.clone()))).collect();
    let newcomers = tokio::spawn(keep_coming(address.to_owned(), token.to_owned()));
    until("it is busy", async || answered.load(Ordering::SeqCst) >= 40).await;
    let since = Instant::now();
    program.signal(Signal::TERM);
    for regular in regulars {
        let told = regular.await.unwrap();
        assert!(told.is_go_away() && told.is_remote() && told.reason() == Some(h2::Reason::NO_ERROR), "{told:?}");
        assert!(since.elapsed() >= DELAY, "told to go before the delay was over: {:?}", since.elapsed());
    }
    let refused_at = newcomers.await.unwrap();
    assert!(refused_at - since >= DELAY, "the port was closed after {:?}", refused_at - since);
    assert!(program.wait().success());
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
}

/// Asks on one connection until it takes no more calls, and tells why. Each call that was begun is answered.
async fn keep_asking(address: String, token: String, answered: Arc<AtomicUsize>) -> h2::Error {
    let mut connection = H2::connect(&address).await.unwrap();
    loop {
        match connection.call(LIST_ACTIVE, &token).await {
            Err(told) => return told,
            Ok(answer) => assert_eq!(answer.expect("what was begun is answered").grpc_status(), "0"),
        }
        answered.fetch_add(1, Ordering::SeqCst);
    }
}

/// Asks on one connection after the other until the port is closed, and tells when. Who is let in is answered.
async fn keep_coming(address: String, token: String) -> Instant {
    loop {
        let answer =
            async { H2::connect(&address).await?.call(LIST_ACTIVE, &token).await.map_err(io::Error::other)?.map_err(io::Error::other) };
        match answer.await {
            Ok(answer) => assert_eq!(answer.grpc_status(), "0"),
            Err(e) => {
                let at = Instant::now();
                // Who stands at the door when it closes is sent away by the system; then nobody is let in any more.
                let next = TcpStream::connect(&address).await.expect_err("the port is closed");
                assert_eq!(next.kind(), io::ErrorKind::ConnectionRefused, "after {e}");
                return at;
            }
        }
    }
}
