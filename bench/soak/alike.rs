//! Row 45: whether time tells known, unknown and unconfirmed accounts apart, over a thousand interleaved tries of each operation.

use crate::{
    calls::CLIENT_ID,
    ground::{Ground, MAILS, number},
    node::Node,
    table::Row,
};
use anyhow::{Context, Result, ensure};
use rand::{RngExt, rngs::StdRng};
use reqwest::Client;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use std::time::{Duration, Instant};

/// How often one of a kind would come out slower than one of another, where nothing tells them apart: half the times. So far it may be off by
/// chance and by the machine; who guesses by one try would be right in so many of a hundred more.
const OFF_MAX: f64 = 0.06;
/// Standard deviations that chance may give, of the worst of all comparisons.
const CHANCE: f64 = 4.5;
const KINDS: [&str; 3] = ["known", "unknown", "unconfirmed"];
/// Each name is tried a few times alone, so that no lock-out tells what it is of.
const TRIES_OF_NAME: u32 = 4;
const SETTINGS: [(&str, &str); 5] = [
    MAILS,
    ("GOODTURN_SENDS_CODE", "100"),
    ("GOODTURN_TRIES_PASSWORD", "100"),
    ("GOODTURN_TRIES_NETWORK", "1000000"),
    ("GOODTURN_TRIES_CODE", "20"),
];

/// What is asked of a name.
type Operation = (&'static str, &'static str, fn(&str) -> Value);

const OPERATIONS: [Operation; 6] = [
    ("SRP", "InitiateAuth", |name| json!({"AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": name, "SRP_A": "2a"}})),
    (
        "password",
        "InitiateAuth",
        |name| json!({"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": name, "PASSWORD": "wrong one"}}),
    ),
    ("code by mail", "InitiateAuth", |name| json!({"AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": name}})),
    ("ForgotPassword", "ForgotPassword", |name| json!({"Username": name})),
    (
        "ConfirmForgotPassword",
        "ConfirmForgotPassword",
        |name| json!({"Username": name, "ConfirmationCode": "12", "Password": "Another-horse-9"}),
    ),
    ("ResendConfirmationCode", "ResendConfirmationCode", |name| json!({"Username": name})),
];

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let tries = ground.count(1000, 60);
    let did = format!("{tries} tries of each of {} operations, of {} in turn", OPERATIONS.len(), KINDS.join(", "));
    let must = "by its time alone nobody tells one from another: a slower answer is as likely of either";
    let mut row = Row::new(45, did, must);
    let names = tries / TRIES_OF_NAME + 1;
    let (database, node, _) = ground.node("row45", &SETTINGS, names).await?;
    let client = Client::new();
    for n in 0..names {
        sign_up(&client, &node, &name(2, n)).await?;
    }
    let mut connection = PgConnection::connect(&database).await?;
    let waiting = number(&mut connection, "SELECT count(*) FROM registrations LIMIT 1").await?;
    ensure!(waiting >= i64::from(names), "{waiting} wait to be confirmed");
    for operation in &OPERATIONS {
        let times = measure(&client, &node, operation, tries, &mut ground.chance).await?;
        let kinds: Vec<_> = KINDS.iter().zip(&times).collect();
        for (n, (one, ones)) in kinds.iter().enumerate() {
            for (other, others) in kinds.iter().skip(n + 1) {
                let ((share, off), medians) = (slower(ones, others), (median(ones), median(others)));
                let percent = share * 100.0;
                let text = format!(
                    "{}: {one} slower than {other} in {percent:.1} % (medians {:.2} and {:.2} ms)",
                    operation.0, medians.0, medians.1
                );
                row.check((share - 0.5).abs() <= OFF_MAX.max(off * CHANCE), text);
            }
        }
    }
    Ok(row)
}

/// The n-th name of a kind; all have as many letters.
fn name(kind: usize, n: u32) -> String {
    match kind {
        0 => format!("signer{n}@ring.example"),
        1 => format!("nobody{n}@ring.example"),
        _ => format!("waiter{n}@ring.example"),
    }
}

async fn sign_up(client: &Client, node: &Node, name: &str) -> Result<()> {
    let attributes = json!([{"Name": "name", "Value": "Zoe Waiting"}]);
    let body = json!({"Username": name, "Password": "Correct-horse-7", "UserAttributes": attributes});
    call(client, node, "SignUp", body).await.map(drop)
}

async fn call(client: &Client, node: &Node, operation: &str, mut body: Value) -> Result<Duration> {
    body.as_object_mut().context("a body has members")?.insert("ClientId".to_owned(), json!(CLIENT_ID));
    let request = client.post(&node.url).header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"));
    let request = request.header("content-type", "application/x-amz-json-1.1").body(body.to_string());
    let began = Instant::now();
    let answer = request.send().await?;
    let status = answer.status();
    let text = answer.text().await?;
    let took = began.elapsed();
    let meant = ["NotAuthorizedException", "CodeMismatchException"].iter().any(|word| text.contains(word)) && !text.contains("exceeded");
    ensure!(status.is_success() || meant, "{operation}: {status} {text}");
    Ok(took)
}

/// The times of the three kinds, in milliseconds: in each try one of each, in an order of chance.
async fn measure(client: &Client, node: &Node, (_, operation, body): &Operation, tries: u32, chance: &mut StdRng) -> Result<[Vec<f64>; 3]> {
    let mut times = [const { Vec::new() }; 3];
    for n in 0..tries {
        let first = chance.random_range(0..3_usize);
        for kind in (0..3).map(|k| (first + k) % 3) {
            let took = call(client, node, operation, body(&name(kind, n / TRIES_OF_NAME))).await?;
            times.get_mut(kind).context("there are three kinds")?.push(took.as_secs_f64() * 1000.0);
        }
    }
    Ok(times)
}

/// How often one of the first is slower than one of the second, and by how much chance would move that (Mann and Whitney).
fn slower(one: &[f64], other: &[f64]) -> (f64, f64) {
    let mut all: Vec<(f64, bool)> = one.iter().map(|t| (*t, true)).chain(other.iter().map(|t| (*t, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ranks: f64 = (1_u32..).zip(&all).filter(|(_, (_, mine))| *mine).map(|(rank, _)| f64::from(rank)).sum();
    let count = |times: &[f64]| u32::try_from(times.len()).map_or(f64::MAX, f64::from);
    let (n, m) = (count(one), count(other));
    ((ranks - n * (n + 1.0) / 2.0) / (n * m), ((n + m + 1.0) / (12.0 * n * m)).sqrt())
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
