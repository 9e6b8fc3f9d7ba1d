//! Sign-ups for one address: each is a registration of its own, and only who reads the mails decides which becomes a member.

use crate::harness::{PASSWORD, TestServer};
use futures_util::future::join_all;
use goodturn::{clock::Clock, config::Config};
use serde_json::{Value, json};
use time::Duration;

const EMAIL: &str = "ana@example.org";
const HOME: &str = "198.51.100.7";
const ELSEWHERE: &str = "203.0.113.9";
const STRANGE: &str = "A-strange-password";

/// A server that believes this machine who calls.
pub async fn server(change: impl FnOnce(&mut Config)) -> TestServer {
    let proxied = |c: &mut Config| {
        c.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        change(c);
    };
    TestServer::start_with(Clock::fixed(crate::harness::START), proxied).await
}

/// A target call from an address.
pub async fn call(server: &TestServer, operation: &str, mut body: Value, from: &str) -> (u16, Value) {
    body["ClientId"] = server.config.web_client_id.clone().into();
    let request = server.http(reqwest::Method::POST, "/").header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"));
    let request = request.header("content-type", "application/x-amz-json-1.1").header("x-forwarded-for", from).body(body.to_string());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_slice(&response.bytes().await.unwrap()).unwrap())
}

async fn sign_up(server: &TestServer, name: &str, password: &str, from: &str) -> String {
    let body = json!({"Username": EMAIL, "Password": password, "UserAttributes": [{"Name": "name", "Value": name}]});
    let (status, made) = call(server, "SignUp", body, from).await;
    assert_eq!(status, 200, "{made}");
    made["UserSub"].as_str().unwrap().to_owned()
}

async fn confirm(server: &TestServer, username: &str, code: &str, from: &str) -> String {
    let (status, answer) = call(server, "ConfirmSignUp", json!({"Username": username, "ConfirmationCode": code}), from).await;
    if status == 200 { String::new() } else { answer["__type"].as_str().unwrap().to_owned() }
}

async fn sign_in(server: &TestServer, password: &str) -> String {
    let body = json!({"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": EMAIL, "PASSWORD": password}});
    let (status, answer) = call(server, "InitiateAuth", body, HOME).await;
    if status == 200 { String::new() } else { answer["__type"].as_str().unwrap().to_owned() }
}

/// The code in the newest mail about somebody of this name that was not seen yet.
async fn code_of(server: &TestServer, name: &str, seen: &[&str]) -> String {
    let digits = |body: &str| body.split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).map(str::to_owned);
    let says = format!("{name} signed up");
    let mail = server.mail_to(EMAIL, |body| body.contains(&says) && digits(body).is_some_and(|code| !seen.contains(&&*code))).await;
    digits(mail["body"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_stranger_who_signs_up_the_same_address_never_gets_in() {
    let server = server(|_| {}).await;
    sign_up(&server, "Eve Before", STRANGE, ELSEWHERE).await;
    let ana = sign_up(&server, "Ana Silva", PASSWORD, HOME).await;
    let between = sign_up(&server, "Eve Between", STRANGE, "192.0.2.77").await;
    assert_ne!(ana, between);
    // Whose address it is reads who it was, and when.
    let says = "Eve Between signed up with this email address on June 16, 2026, at 9:00 AM UTC.";
    server.mail_to(EMAIL, |body| body.contains(says)).await;
    // The web app confirms by the UserSub: a stranger's registration neither voids her code nor uses up her tries.
    for _ in 0..8 {
        confirm(&server, EMAIL, "000000", ELSEWHERE).await;
    }
    let hers = code_of(&server, "Ana Silva", &[]).await;
    assert_eq!(confirm(&server, &between, &hers, ELSEWHERE).await, "CodeMismatchException", "it is not the stranger's");
    assert_eq!(confirm(&server, &ana.to_uppercase(), &hers, HOME).await, "");
    assert_eq!(confirm(&server, &ana, &hers, HOME).await, "NotAuthorizedException", "once");
    assert_eq!(sign_in(&server, PASSWORD).await, "");
    assert_eq!(sign_in(&server, STRANGE).await, "NotAuthorizedException");
    // The others' registrations are gone with it. A later one is answered alike, and its mail has no code: it tells the owner how to sign in.
    let theirs = code_of(&server, "Eve Between", &[]).await;
    assert_eq!(confirm(&server, &between, &theirs, ELSEWHERE).await, "CodeMismatchException");
    let after = json!({"Username": EMAIL, "Password": STRANGE, "UserAttributes": [{"Name": "name", "Value": "Eve After"}]});
    let (status, answer) = call(&server, "SignUp", after.clone(), ELSEWHERE).await;
    assert_eq!((status, &answer["UserConfirmed"]), (200, &json!(false)));
    let mail = server.mail_to(EMAIL, |body| body.contains("It already has an account.")).await;
    let digits = mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).any(|run| run.len() == 6);
    assert!(!digits, "{mail}");
    assert_eq!(call(&server, "SignUp", after, ELSEWHERE).await.1["UserSub"], answer["UserSub"], "as any sign-up that is repeated");
    assert_eq!(confirm(&server, answer["UserSub"].as_str().unwrap(), "000000", ELSEWHERE).await, "CodeMismatchException");
    assert_eq!(sign_in(&server, STRANGE).await, "NotAuthorizedException");
    assert_eq!(sign_in(&server, PASSWORD).await, "");
    server.stop().await;
}

#[tokio::test]
async fn by_the_address_the_code_says_which_registration_it_is() {
    let server = server(|_| {}).await;
    sign_up(&server, "Ana Silva", PASSWORD, HOME).await;
    sign_up(&server, "Eve Stranger", STRANGE, ELSEWHERE).await;
    let hers = code_of(&server, "Ana Silva", &[]).await;
    // From home, another code is for what was signed up from home.
    assert_eq!(call(&server, "ResendConfirmationCode", json!({"Username": EMAIL}), HOME).await.0, 200);
    let anew = code_of(&server, "Ana Silva", &[&hers]).await;
    assert_eq!(confirm(&server, EMAIL, &hers, HOME).await, "CodeMismatchException", "the new one voids the old");
    assert_eq!(confirm(&server, EMAIL, &anew, HOME).await, "");
    assert_eq!(sign_in(&server, PASSWORD).await, "");
    assert_eq!(sign_in(&server, STRANGE).await, "NotAuthorizedException");
    server.stop().await;
}

#[tokio::test]
async fn the_same_sign_up_is_the_same_registration_and_others_are_others() {
    let server = server(|c| (c.sends_code, c.mails_per_address) = (100, 100)).await;
    let answers = join_all((0..10).map(|_| sign_up(&server, "Ana Silva", PASSWORD, HOME))).await;
    assert!(answers.iter().all(|id| *id == answers[0]), "{answers:?}");
    assert_ne!(sign_up(&server, "Ana Silva", PASSWORD, ELSEWHERE).await, answers[0], "from another network");
    server.clock.advance(Duration::SECOND);
    assert_ne!(sign_up(&server, "Ana Silva", STRANGE, HOME).await, answers[0], "with another password");
    assert_eq!(sign_in(&server, "no such password").await, "NotAuthorizedException");
    assert_eq!(sign_in(&server, STRANGE).await, "UserNotConfirmedException");
    server.stop().await;
}

#[tokio::test]
async fn who_fills_an_address_pushes_out_their_own() {
    let server = server(|c| c.sends_code = 100).await;
    let ana = sign_up(&server, "Ana Silva", PASSWORD, HOME).await;
    for n in 0..12 {
        sign_up(&server, "Eve Stranger", &format!("{STRANGE}{n}"), ELSEWHERE).await;
        server.clock.advance(Duration::SECOND);
    }
    let waiting: i64 =
        sqlx::query_scalar("SELECT count(*) FROM registrations").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(waiting, 5);
    let hers = code_of(&server, "Ana Silva", &[]).await;
    assert_eq!(confirm(&server, &ana, &hers, HOME).await, "");
    server.stop().await;
}

#[tokio::test]
async fn of_two_registrations_confirmed_at_once_one_becomes_the_member() {
    let server = server(|_| {}).await;
    for round in ["Silva", "Okafor", "Rossi", "Kim"] {
        let names = (format!("Ana {round}"), format!("Eve {round}"));
        let (one, two) = (sign_up(&server, &names.0, PASSWORD, HOME).await, sign_up(&server, &names.1, STRANGE, ELSEWHERE).await);
        let codes = (code_of(&server, &names.0, &[]).await, code_of(&server, &names.1, &[]).await);
        let told = tokio::join!(confirm(&server, &one, &codes.0, HOME), confirm(&server, &two, &codes.1, ELSEWHERE));
        let good = [&told.0, &told.1].into_iter().filter(|told| told.is_empty()).count();
        assert_eq!(good, 1, "{told:?}");
        let password = if told.0.is_empty() { PASSWORD } else { STRANGE };
        assert_eq!(sign_in(&server, password).await, "", "round {round}");
        let mut conn = server.database.connect().await;
        sqlx::raw_sql("DELETE FROM members; DELETE FROM budgets").execute(&mut conn).await.unwrap();
        server.clock.advance(Duration::HOUR);
    }
    server.stop().await;
}

#[tokio::test]
async fn wrong_codes_count_on_the_network_too() {
    let server = server(|c| c.tries_network = 20).await;
    let ana = sign_up(&server, "Ana Silva", PASSWORD, HOME).await;
    let mut told = Vec::new();
    for n in 0..24 {
        told.push(confirm(&server, &format!("nobody{n}@example.org"), "000000", ELSEWHERE).await);
    }
    assert_eq!(told.iter().filter(|t| *t == "CodeMismatchException").count(), 20, "{told:?}");
    assert_eq!(told.last().unwrap(), "LimitExceededException");
    let hers = code_of(&server, "Ana Silva", &[]).await;
    assert_eq!(confirm(&server, &ana, &hers, ELSEWHERE).await, "LimitExceededException");
    assert_eq!(confirm(&server, &ana, &hers, HOME).await, "");
    server.stop().await;
}
