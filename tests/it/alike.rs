//! Accounts that are known, unknown and not confirmed cannot be told apart by answers: statuses, headers and bodies are the same, but for what
//! is random, and that has the same length. What time tells is measured by `make soak`.

use crate::harness::{PASSWORD, START, TestServer};
use goodturn::clock::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use time::Duration;

/// Of one length and one mask, since both are told back.
const KNOWN: &str = "a-known1@example.org";
const WAITING: &str = "a-waits1@example.org";
const UNKNOWN: &str = "a-nobody@example.org";
const ROUNDS: usize = 6;

/// An answer without what differs from one call to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Value,
}

impl TestServer {
    async fn answered(&self, operation: &str, mut body: Value) -> (Answer, Value) {
        body["ClientId"] = json!("goodturncli");
        let request = self.http(Method::POST, "/").header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"));
        let answer = request.header("content-type", "application/x-amz-json-1.1").body(body.to_string()).send().await.unwrap();
        let (status, mut headers) = (answer.status().as_u16(), BTreeMap::new());
        for (name, value) in answer.headers() {
            let differs = ["x-request-id", "x-amzn-requestid", "date"].contains(&name.as_str());
            let text = value.to_str().unwrap();
            headers.insert(name.to_string(), if differs { text.len().to_string() } else { text.to_owned() });
        }
        let said: Value = answer.json().await.unwrap();
        if said["ChallengeParameters"].get("SRP_B").is_some() {
            // A number that is a few digits shorter now and then, of anybody.
            headers.remove("content-length");
        }
        (Answer { status, headers, body: shown(&said) }, said)
    }
}

/// Texts that are random by their length.
fn shown(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), member(name, value))).collect(),
        other => other.clone(),
    }
}

fn member(name: &str, value: &Value) -> Value {
    match (name, value) {
        ("SRP_B" | "SALT", Value::String(_)) => json!("a number"),
        ("SECRET_BLOCK" | "Session" | "UserSub" | "USER_ID_FOR_SRP" | "USERNAME", Value::String(text)) => json!(text.len()),
        _ => shown(value),
    }
}

async fn waiting(server: &TestServer) -> String {
    let attributes = json!([{"Name": "name", "Value": "A Waiting"}]);
    let body = json!({"Username": WAITING, "Password": PASSWORD, "UserAttributes": attributes});
    server.answered("SignUp", body).await.1["UserSub"].as_str().unwrap().to_owned()
}

/// All that somebody can ask about a name without its password, one after the other.
async fn all_answers(server: &TestServer, name: &str) -> Vec<(&'static str, Answer)> {
    let begin = |flow: &str, more: Value| {
        let mut parameters = json!({"USERNAME": name});
        parameters.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"AuthFlow": flow, "AuthParameters": parameters})
    };
    let mut all = Vec::new();
    let (answer, asked) = server.answered("InitiateAuth", begin("USER_SRP_AUTH", json!({"SRP_A": "2a"}))).await;
    all.push(("USER_SRP_AUTH", answer));
    let given = &asked["ChallengeParameters"];
    let time = server.clock.now();
    let format =
        time::macros::format_description!("[weekday repr:short] [month repr:short] [day padding:none] [hour]:[minute]:[second] UTC [year]");
    let proof = json!({"USERNAME": given["USER_ID_FOR_SRP"], "PASSWORD_CLAIM_SECRET_BLOCK": given["SECRET_BLOCK"],
        "PASSWORD_CLAIM_SIGNATURE": "AAAA", "TIMESTAMP": time.format(&format).unwrap()});
    let proof = json!({"ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": proof});
    all.push(("PASSWORD_VERIFIER", server.answered("RespondToAuthChallenge", proof).await.0));
    all.push((
        "USER_PASSWORD_AUTH",
        server.answered("InitiateAuth", begin("USER_PASSWORD_AUTH", json!({"PASSWORD": "wrong password"}))).await.0,
    ));
    let (answer, asked) = server.answered("InitiateAuth", begin("CUSTOM_AUTH", json!({}))).await;
    all.push(("CUSTOM_AUTH", answer));
    for _ in 0..2 {
        let responses = json!({"USERNAME": name, "ANSWER": "12"});
        let body = json!({"ChallengeName": "CUSTOM_CHALLENGE", "Session": asked["Session"], "ChallengeResponses": responses});
        all.push(("CUSTOM_CHALLENGE", server.answered("RespondToAuthChallenge", body).await.0));
    }
    let device = json!({"USERNAME": name, "SRP_A": "2a", "DEVICE_KEY": "us-east-1_0195511f-5000-7b3f-8d2e-6a1d2e3f4a5c"});
    let device = json!({"ChallengeName": "DEVICE_SRP_AUTH", "ChallengeResponses": device});
    all.push(("DEVICE_SRP_AUTH", server.answered("RespondToAuthChallenge", device).await.0));
    all.push(("ForgotPassword", server.answered("ForgotPassword", json!({"Username": name})).await.0));
    let reset = json!({"Username": name, "ConfirmationCode": "12", "Password": PASSWORD});
    all.push(("ConfirmForgotPassword", server.answered("ConfirmForgotPassword", reset).await.0));
    all.push(("ResendConfirmationCode", server.answered("ResendConfirmationCode", json!({"Username": name})).await.0));
    all
}

#[tokio::test]
async fn known_unknown_and_unconfirmed_accounts_are_answered_alike() {
    let server = TestServer::start_with(Clock::fixed(START), |_| {}).await;
    let known = server.member("A-known1", "Silva").await;
    assert_eq!(known.email, KNOWN);
    let nobody = "0f8fad5b-d9cb-469f-a165-70867728950e".to_owned();
    for round in 0..ROUNDS {
        let waits = waiting(&server).await;
        let ids = [known.uid.as_str(), &nobody, &waits];
        for mut names in [[KNOWN, UNKNOWN, WAITING], ids] {
            // Who is asked about first changes.
            names.rotate_left(round % 3);
            let mut told = Vec::new();
            for name in names {
                told.push((name, all_answers(&server, name).await));
            }
            let (first, others) = told.split_first().unwrap();
            for (name, answers) in others {
                for (one, other) in first.1.iter().zip(answers) {
                    assert_eq!(one, other, "{} and {name} in round {round}", first.0);
                }
            }
        }
        // What may tell of members tells nothing of who waits to be one.
        let codes = |name: &str| json!({"Username": name, "ConfirmationCode": "12"});
        let [one, other] =
            [server.answered("ConfirmSignUp", codes(WAITING)).await.0, server.answered("ConfirmSignUp", codes(UNKNOWN)).await.0];
        assert_eq!(one, other, "ConfirmSignUp in round {round}");
        let fresh = format!("b-{round:06}@example.org");
        let sign_up = |name: &str, password: &str| json!({"Username": name, "Password": password, "UserAttributes": [{"Name": "name", "Value": "A B"}]});
        let one = server.answered("SignUp", sign_up(&fresh, PASSWORD)).await.0;
        let other = server.answered("SignUp", sign_up(&fresh, "Another-horse-9")).await.0;
        assert_eq!(one, other, "SignUp in round {round}");
        server.clock.advance(Duration::hours(25));
    }
    server.stop().await;
}

#[tokio::test]
async fn tries_that_are_too_many_tell_no_more_than_few() {
    let server = TestServer::start().await;
    let known = server.member("A-known1", "Silva").await;
    waiting(&server).await;
    // Who signs somebody up has used up a mail of theirs, and knows it.
    server.clock.advance(Duration::hours(2));
    let wrong = |name: &str| json!({"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": name, "PASSWORD": "wrong password"}});
    let forgot = |name: &str| json!({"Username": name});
    for _ in 0..9 {
        for operation in ["InitiateAuth", "ForgotPassword", "ResendConfirmationCode"] {
            let mut told = Vec::new();
            for name in [KNOWN, UNKNOWN, WAITING] {
                let body = if operation == "InitiateAuth" { wrong(name) } else { forgot(name) };
                told.push(server.answered(operation, body).await.0);
            }
            assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{operation}: {told:?}");
        }
    }
    assert_eq!(known.email, KNOWN);
    server.stop().await;
}
