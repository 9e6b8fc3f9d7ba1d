//! Budgets: what strangers can have sent, and how often the same is asked, over nodes, restarts and hours.

use crate::{
    harness::{PASSWORD, TestServer, until},
    registrations,
};
use futures_util::future::join_all;
use goodturn::{
    budgets::{self, ASKS_OF_MEMBER, Budget, MAILS_TO_ADDRESS, Spending, Subject},
    clock::Clock,
    config::Config,
    error::{Error, Reason, Result},
    jobs::Sweep,
    pb::identity::ResendConfirmationCodeRequest,
    transact,
};
use serde_json::{Value, json};
use sqlx::{Executor, PgConnection};
use time::Duration;
use tonic_types::StatusExt;

const FULL: &str = "Attempt limit exceeded, please try after some time.";

async fn server(change: impl FnOnce(&mut Config)) -> TestServer {
    TestServer::start_with(Clock::fixed(crate::harness::START), change).await
}

/// A sign-up from an address, `None` for the test's own: the status, and the exception when it was refused.
async fn sign_up(server: &TestServer, email: &str, from: Option<&str>) -> (u16, Value) {
    let body = json!({"ClientId": server.config.web_client_id, "Username": email, "Password": PASSWORD,
        "UserAttributes": [{"Name": "name", "Value": "Ana Silva"}]});
    let mut request = server.http(reqwest::Method::POST, "/").header("x-amz-target", "AWSCognitoIdentityProviderService.SignUp");
    if let Some(address) = from {
        request = request.header("x-forwarded-for", address);
    }
    let response = request.header("content-type", "application/x-amz-json-1.1").body(body.to_string()).send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    (status, body["__type"].clone())
}

fn refused() -> (u16, Value) {
    (400, "LimitExceededException".into())
}

async fn resend(server: &TestServer, email: &str) -> (u16, Value) {
    server.target("ResendConfirmationCode", json!({"ClientId": server.config.web_client_id, "Username": email})).await
}

async fn registered(server: &TestServer) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM registrations").fetch_one(&mut server.database.connect().await).await.unwrap()
}

fn of(budget: Budget) -> Spending {
    Spending { subject: Subject::keyed([7; 32]), budget }
}

async fn spend(server: &TestServer, spending: &Spending) -> Result<()> {
    let now = server.clock.now();
    transact!(server.node.deps.pool, |tx| budgets::spend(tx, now, spending).await)
}

fn wait(refused: Result<()>) -> std::time::Duration {
    refused.unwrap_err().wait().unwrap()
}

#[tokio::test]
async fn of_thirty_sign_ups_at_once_from_one_network_a_budget_of_five_lets_five_through() {
    let server = server(|c| c.mails_per_network = 5).await;
    let emails: Vec<_> = (0..30).map(|n| format!("n{n}@example.org")).collect();
    let mut answers = join_all(emails.iter().map(|email| sign_up(&server, email, None))).await;
    // A busy machine looks at some of so many passwords only when it is asked again.
    for (email, answer) in emails.iter().zip(&mut answers).filter(|(_, answer)| answer.1 == "TooManyRequestsException") {
        *answer = sign_up(&server, email, None).await;
    }
    assert_eq!(answers.iter().filter(|a| a.0 == 200).count(), 5, "{answers:?}");
    assert_eq!(answers.iter().filter(|a| **a == refused()).count(), 25, "{answers:?}");
    assert_eq!(registered(&server).await, 5);
}

#[tokio::test]
async fn what_was_spent_counts_on_every_node_and_after_a_restart() {
    let one = server(|c| c.mails_per_network = 3).await;
    let two = one.second_node().await;
    assert_eq!(sign_up(&one, "a@example.org", None).await.0, 200);
    assert_eq!(sign_up(&two, "b@example.org", None).await.0, 200);
    assert_eq!(resend(&two, "a@example.org").await.0, 200);
    assert_eq!(sign_up(&one, "c@example.org", None).await, refused());
    let (database, config, clock) = (one.database.clone(), one.config.clone(), one.clock.clone());
    one.stop().await;
    two.stop().await;
    let again = TestServer::on(database, config, clock).await;
    assert_eq!(sign_up(&again, "c@example.org", None).await, refused());
    again.clock.advance(Duration::hours(1));
    assert_eq!(sign_up(&again, "c@example.org", None).await.0, 200, "the hour is over");
}

#[tokio::test]
async fn each_network_has_a_budget_of_its_own() {
    let server = server(|c| {
        c.mails_per_network = 1;
        c.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    assert_eq!(sign_up(&server, "a@example.org", Some("2001:db8::1")).await.0, 200);
    assert_eq!(sign_up(&server, "b@example.org", Some("2001:db8::2")).await, refused(), "one household");
    assert_eq!(sign_up(&server, "b@example.org", Some("2001:db8:0:1::1")).await.0, 200);
}

#[tokio::test]
async fn mails_to_an_address_are_bounded_a_day_alike_for_known_and_unknown_ones() {
    let server = server(|c| (c.sends_code, c.mails_per_address) = (2, 4)).await;
    let ben = "ben@example.org";
    server.signs_up(ben, "Ben", "Okafor").await;
    assert_eq!(sign_up(&server, "ana@example.org", None).await.0, 200);
    assert_eq!(resend(&server, "nobody@example.org").await.0, 200);
    // One was sent to each by now.
    let sent = async |expected: &[bool]| {
        for email in ["ana@example.org", ben, "nobody@example.org"] {
            for (n, sent) in expected.iter().enumerate() {
                let (status, body) = resend(&server, email).await;
                assert_eq!(status == 200, *sent, "{email}, {n} of {expected:?}: {body}");
                assert!(*sent || (body["__type"] == "LimitExceededException" && body["message"] == FULL), "{body}");
            }
        }
    };
    sent(&[true, false, false]).await;
    server.clock.advance(Duration::hours(1));
    sent(&[true, true, false]).await;
    server.clock.advance(Duration::hours(1));
    sent(&[false]).await;
    server.clock.advance(Duration::hours(22));
    sent(&[true, true, false]).await;
}

#[tokio::test]
async fn what_is_asked_for_at_one_network_leaves_others_theirs() {
    let server = server(|c| {
        c.sends_code = 2;
        c.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let ben = server.ben().await;
    for email in [&*ben.email, "nobody@example.org"] {
        let ask = async |from: &str| registrations::call(&server, "ForgotPassword", json!({"Username": email}), from).await.0;
        for network in ["198.51.100.7", "203.0.113.9", "192.0.2.1", "192.0.2.2"] {
            let answers = [ask(network).await, ask(network).await, ask(network).await];
            assert_eq!(answers, [200, 200, 400], "{email} from {network}");
        }
    }
    let spent = "SELECT cardinality(spent) FROM budgets WHERE purpose = 'resets to address'";
    let spent: Vec<i32> = sqlx::query_scalar(spent).fetch_all(&mut server.database.connect().await).await.unwrap();
    assert_eq!(spent, [6, 6], "three networks had theirs sent; of the fourth nothing went, and nobody was told");
}

#[tokio::test]
async fn a_sign_up_at_a_members_address_spends_as_any_other() {
    let server = server(|c| c.mails_per_network = 2).await;
    assert_eq!(sign_up(&server, "ana@example.org", None).await.0, 200);
    let code = server.code_for("ana@example.org").await;
    let confirmed = json!({"ClientId": server.config.web_client_id, "Username": "ana@example.org", "ConfirmationCode": code});
    assert_eq!(server.target("ConfirmSignUp", confirmed).await.0, 200);
    assert_eq!(sign_up(&server, "ana@example.org", None).await.0, 200);
    assert_eq!(sign_up(&server, "ben@example.org", None).await, refused());
    assert_eq!(sign_up(&server, "ana@example.org", None).await, refused());
}

#[tokio::test]
async fn a_roll_back_takes_back_what_was_spent() {
    let server = server(|_| {}).await;
    let once = of(ASKS_OF_MEMBER.daily(1));
    let now = server.clock.now();
    for _ in 0..3 {
        let failed: Result<()> = transact!(server.node.deps.pool, |tx| {
            budgets::spend(tx, now, &once).await?;
            Err(Error::not_found("thing"))
        });
        assert_eq!(failed.unwrap_err().reason(), Reason::NotFound);
    }
    spend(&server, &once).await.unwrap();
    assert_eq!(spend(&server, &once).await.unwrap_err().reason(), Reason::RateLimited);
}

#[tokio::test]
async fn a_refusal_says_how_long_to_wait_for_the_hour_or_the_day() {
    let server = server(|_| {}).await;
    let spending = of(MAILS_TO_ADDRESS.hourly(1).daily(2));
    spend(&server, &spending).await.unwrap();
    server.clock.advance(Duration::minutes(20));
    assert_eq!(wait(spend(&server, &spending).await), Duration::minutes(40));
    server.clock.advance(Duration::minutes(40));
    spend(&server, &spending).await.unwrap();
    assert_eq!(wait(spend(&server, &spending).await), Duration::hours(23), "the day is longer");
    let other = Spending { subject: Subject::keyed([8; 32]), ..spending.clone() };
    spend(&server, &other).await.unwrap();
    spend(&server, &Spending { budget: ASKS_OF_MEMBER, ..spending.clone() }).await.unwrap();
    server.clock.advance(Duration::hours(23));
    spend(&server, &spending).await.unwrap();

    let username = "ana@example.org".to_owned();
    let ask = ResendConfirmationCodeRequest { client_id: server.config.web_client_id.clone(), username, ..Default::default() };
    for _ in 0..server.config.sends_code {
        server.identity(None).resend_confirmation_code(ask.clone()).await.unwrap();
    }
    let full = server.identity(None).resend_confirmation_code(ask).await.unwrap_err();
    assert_eq!(full.code(), tonic::Code::ResourceExhausted);
    let wait = full.get_error_details().retry_info().unwrap().retry_delay.unwrap();
    assert_eq!(wait, Duration::hours(1));
}

#[tokio::test]
async fn no_hour_and_no_day_holds_more_wherever_it_begins() {
    let server = server(|_| {}).await;
    let spending = of(MAILS_TO_ADDRESS.hourly(3).daily(5));
    let (mut granted, began) = (Vec::new(), server.clock.now());
    while server.clock.now() < began + Duration::days(3) {
        while spend(&server, &spending).await.is_ok() {
            granted.push(server.clock.now());
        }
        server.clock.advance(Duration::minutes(7));
    }
    for (length, most) in [(Duration::HOUR, 3), (Duration::DAY, 5)] {
        let within = |from: time::OffsetDateTime| granted.iter().filter(|at| **at >= from && **at < from + length).count();
        assert!(granted.iter().all(|from| within(*from) <= most), "{granted:?}");
    }
    assert!(granted.len() >= 14, "what is there is given: {granted:?}");
    let kept: i32 =
        sqlx::query_scalar("SELECT cardinality(spent) FROM budgets LIMIT 1").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert!(kept <= 5, "{kept}");
}

#[tokio::test]
async fn rows_are_swept_when_nothing_of_them_counts() {
    let server = server(|_| {}).await;
    let sweep = async || {
        let now = server.clock.now();
        transact!(server.node.deps.pool, |tx| budgets::Sweep.sweep(tx, now).await).unwrap()
    };
    let spending = of(MAILS_TO_ADDRESS);
    spend(&server, &spending).await.unwrap();
    server.clock.advance(Duration::DAY - Duration::MINUTE);
    spend(&server, &spending).await.unwrap();
    server.clock.advance(Duration::MINUTE);
    assert_eq!(sweep().await, 0, "what was spent last counts for a day");
    server.clock.advance(Duration::DAY - Duration::MINUTE);
    assert_eq!(sweep().await, 1);
    assert_eq!(sweep().await, 0);
}

/// Whether nobody holds the rows of these tables.
async fn are_free(beside: &mut PgConnection, tables: &[&str]) -> bool {
    for table in tables {
        let sql = format!("SELECT 1 FROM {table} FOR UPDATE NOWAIT");
        if beside.execute(sqlx::AssertSqlSafe(sql)).await.is_err() {
            return false;
        }
    }
    true
}

/// A mail with a code that was not seen yet.
async fn next_code(server: &TestServer, email: &str, seen: &mut Vec<String>) -> String {
    let code_in = |body: &str| body.split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).map(str::to_owned);
    let mail = server.mail_to(email, |body| code_in(body).is_some_and(|code| !seen.contains(&code))).await;
    seen.push(code_in(mail["body"].as_str().unwrap()).unwrap());
    seen.last().unwrap().clone()
}

/// While somebody holds what comes first, a call that waits for it holds nothing of what comes later.
#[tokio::test]
async fn sign_up_confirm_and_resend_lock_in_one_order() {
    let server = server(|c| c.sends_code = 100).await;
    let email = "ana@example.org";
    assert_eq!(sign_up(&server, email, None).await.0, 200);
    let (mut holder, mut beside) = (server.database.connect().await, server.database.connect().await);
    let (mut seen, mut passwords) = (Vec::new(), 0);
    let client_id = server.config.web_client_id.as_str();
    let try_code = async |code: &str| {
        server.target("ConfirmSignUp", json!({"ClientId": client_id, "Username": email, "ConfirmationCode": code})).await.0
    };
    let calls = [
        ("budgets", "resend", &["attempts", "registrations"][..]),
        ("budgets", "sign_up", &["attempts", "registrations"]),
        ("attempts", "resend", &["registrations"]),
        ("attempts", "sign_up", &["registrations"]),
        ("registrations", "resend", &[]),
        ("registrations", "sign_up", &[]),
        ("attempts", "confirm", &["registrations"]),
    ];
    for (held, call, later) in calls {
        let code = next_code(&server, email, &mut seen).await;
        // So that there is a row of tries to hold.
        assert_eq!(try_code(if code == "000000" { "000001" } else { "000000" }).await, 400);
        holder.execute(sqlx::AssertSqlSafe(format!("BEGIN; SELECT 1 FROM {held} FOR UPDATE"))).await.unwrap();
        passwords += 1;
        let password = format!("{PASSWORD}{passwords}");
        let works = async {
            match call {
                "confirm" => try_code(&code).await,
                "resend" => resend(&server, email).await.0,
                _ => {
                    let name = json!([{"Name": "name", "Value": "Ana Silva"}]);
                    let body = json!({"ClientId": client_id, "Username": email, "Password": password, "UserAttributes": name});
                    server.target("SignUp", body).await.0
                }
            }
        };
        let looks = async {
            until("the call waits for a lock", async || {
                let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
                sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut beside).await.unwrap() == 1
            })
            .await;
            let free = are_free(&mut beside, later).await;
            holder.execute("ROLLBACK").await.unwrap();
            free
        };
        assert_eq!(tokio::join!(works, looks), (200, true), "{call} while {held} is held");
    }
}
