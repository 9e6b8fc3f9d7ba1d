//! The keys that sign tokens, rotated and retired beside running nodes; and the secrets that seal what is stored, replaced one by the other.

use crate::harness::{Database, Member, PASSWORD, TestServer, config, until};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use goodturn::{
    app,
    clock::Clock,
    config::Config,
    identity::{
        UserPool, key_rotation,
        keys::{Haste, Keyring},
    },
    pb::notifications::WatchNotificationsRequest,
    transact,
};
use serde_json::{Value, json};
use std::sync::Arc;
use time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};

pub const OLD: &str = "61";
pub const NEW: &str = "62";

fn kid(token: &str) -> String {
    let head: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap()).unwrap();
    head["kid"].as_str().unwrap().to_owned()
}

impl TestServer {
    async fn published(&self) -> Vec<String> {
        let (_, jwks) = self.rest("GET", &format!("/{}/.well-known/jwks.json", self.config.pool_id), None, None).await;
        jwks["keys"].as_array().unwrap().iter().map(|k| k["kid"].as_str().unwrap().to_owned()).collect()
    }

    async fn rotated(&self, member: &Member) -> Value {
        let body = json!({"ClientId": self.config.web_client_id, "RefreshToken": member.refresh_token});
        self.target("GetTokensFromRefreshToken", body).await.1
    }

    async fn changed(&self, token: &str, previous: &str, proposed: &str) -> u16 {
        let body = json!({"AccessToken": token, "PreviousPassword": previous, "ProposedPassword": proposed});
        self.target("ChangePassword", body).await.0
    }

    async fn entered_by(&self, email: &str, password: &str) -> (u16, Value) {
        let parameters = json!({"USERNAME": email, "PASSWORD": password});
        let body = json!({"ClientId": self.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        self.target("InitiateAuth", body).await
    }
}

/// A user pool on a server's database, as a command has it.
async fn pool(server: &TestServer, config: &Config) -> (Arc<UserPool>, DropGuard) {
    let stop = CancellationToken::new();
    let pool = app::user_pool(config, &server.node.deps, &stop).await.unwrap();
    (pool, stop.drop_guard())
}

/// The tests' configuration with these secrets, each a repeated byte, the first of which seals.
pub fn with_secrets(secrets: &[&str]) -> Config {
    Config { secret_keys: secrets.iter().map(|s| s.repeat(32).parse().unwrap()).collect(), ..config() }
}

#[tokio::test]
async fn a_key_that_is_rotated_in_is_published_ahead_and_signs_nobody_out() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let other = server.second_node().await;
    let (pool, _stops) = pool(&server, &server.config).await;
    let made = Keyring::make().await.unwrap();
    let (next, from) = transact!(server.node.deps.pool, |tx| pool.keyring().rotate(tx, &made, Haste::Ahead).await).unwrap().unwrap();
    assert_eq!(from, server.clock.now() + Duration::hours(2));
    until("both nodes publish it", async || server.published().await.len() == 2 && other.published().await.len() == 2).await;
    let again = transact!(server.node.deps.pool, |tx| pool.keyring().rotate(tx, &made, Haste::Ahead).await).unwrap();
    assert_eq!(again, None, "one comes already");
    server.clock.advance(Duration::minutes(90));
    let ana = other.signed_in_again(&ana).await;
    assert_ne!(kid(&ana.token), next, "not yet");
    server.clock.advance(Duration::minutes(40));
    let again = other.signed_in_again(&ana).await;
    assert_eq!(kid(&again.token), next);
    for member in [&ana, &again] {
        assert!(server.knows(member).await && other.knows(member).await, "both are good");
    }
    server.clock.advance(Duration::hours(24));
    assert_eq!(server.published().await.len(), 2, "a token of a day's life may be out still");
    server.clock.advance(Duration::hours(1));
    until("the older one is retired everywhere", async || {
        server.published().await == [next.clone()] && other.published().await == [next.clone()]
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_key_is_rotated_at_once_and_another_one_retired_by_command() {
    let server = TestServer::start_with(Clock::system(), |_| {}).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let other = server.second_node().await;
    assert!(other.knows(&ana).await);
    let first = kid(&ana.token);
    let rotated = server.operator(&["keys", "rotate", "--now", "--json"]).await.json();
    let next = rotated["kid"].as_str().unwrap();
    until("it signs", async || kid(&server.signed_in_again(&ana).await.token) == next).await;
    let ben = other.signed_in_again(&ben).await;
    assert!(kid(&ben.token) == next && server.knows(&ana).await && other.knows(&ana).await);
    let listed = server.operator(&["keys", "list", "--json"]).await.json();
    let stages: Vec<_> =
        listed["keys"].as_array().unwrap().iter().map(|k| (k["kid"].as_str().unwrap(), k["stage"].as_str().unwrap())).collect();
    assert_eq!(stages, [(first.as_str(), "checks"), (next, "signs")]);
    assert!(listed["keys"].as_array().unwrap().iter().all(|k| k["sealedBySecret"] == 1), "{listed}");

    let watch = WatchNotificationsRequest::default();
    let mut his = other.notifications(&ben).watch_notifications(watch.clone()).await.unwrap().into_inner();
    let mut hers = other.notifications(&ana).watch_notifications(watch).await.unwrap().into_inner();
    for stream in [&mut his, &mut hers] {
        stream.message().await.unwrap();
    }
    // The one that signs leaks: what it signed is refused, on every node, also what was looked at before, and what is open ends.
    assert!(server.knows(&ben).await && other.knows(&ben).await);
    let retired = server.operator(&["keys", "retire", next, "--json"]).await.json();
    let successor = retired["successor"].as_str().unwrap();
    until("its tokens are refused everywhere", async || !server.knows(&ben).await && !other.knows(&ben).await).await;
    let ended = tokio::time::timeout(std::time::Duration::from_secs(5), his.message()).await.expect("within seconds");
    assert_eq!(ended.unwrap_err().code(), tonic::Code::Unauthenticated);
    let goes_on = tokio::time::timeout(std::time::Duration::from_millis(500), hers.message()).await;
    assert!(goes_on.is_err(), "the key before is another: {goes_on:?}");
    assert!(server.knows(&ana).await, "the key before is another");
    for node in [&server, &other] {
        until("both publish the successor", async || node.published().await == [first.clone(), successor.to_owned()]).await;
    }
    let refreshed = other.rotated(&ben).await;
    let token = refreshed["AuthenticationResult"]["AccessToken"].as_str().unwrap_or_default();
    assert_eq!(kid(token), successor, "he is not signed out: {refreshed}");
    let back = Member { token: token.to_owned(), ..ben };
    assert!(server.knows(&back).await && other.knows(&back).await);

    // One that signs no more needs no successor.
    let retired = server.operator(&["keys", "retire", &first]).await;
    assert_eq!(retired.out, "Retired: what it signed is refused.\n");
    until("it is refused everywhere", async || !server.knows(&ana).await && !other.knows(&ana).await).await;
    server.stop().await;
}

#[tokio::test]
async fn a_secret_is_replaced_and_dropped_without_an_end_of_anything() {
    let server = TestServer::start_with(Clock::system(), |_| {}).await;
    let ana = server.ana().await;
    let sign_up = json!({"ClientId": server.config.web_client_id, "Username": "new@example.org", "Password": PASSWORD,
        "UserAttributes": [{"Name": "name", "Value": "New Comer"}]});
    assert_eq!(server.target("SignUp", sign_up).await.0, 200);
    let code = server.code_for("new@example.org").await;
    let nobody = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_SRP_AUTH",
        "AuthParameters": {"USERNAME": "nobody@example.org", "SRP_A": "2"}});
    let salt = server.target("InitiateAuth", nobody.clone()).await.1["ChallengeParameters"]["SALT"].clone();

    let secrets = format!("{},{}", NEW.repeat(32), OLD.repeat(32));
    let refused = server.operator_with(&NEW.repeat(32), &["keys", "list"]).await;
    assert!(refused.code == Some(1) && refused.err.contains("sealed with another secret"), "{refused:?}");
    let done = server.operator_with(&secrets, &["keys", "reseal", "--json"]).await;
    assert!(done.err.contains("verifiers: 1 looked at, 1 sealed anew"), "{done:?}");
    let done = done.json();
    assert_eq!((&done["left"], &done["unreadable"]), (&json!(0), &json!(0)), "{done}");
    assert_eq!(server.operator_with(&secrets, &["keys", "reseal", "--json"]).await.json()["sealed"], 0);

    let node = TestServer::on(server.database.clone(), with_secrets(&[NEW]), server.clock.clone()).await;
    assert!(node.knows(&ana).await, "her access token is good");
    let refreshed = node.rotated(&ana).await;
    assert!(refreshed["AuthenticationResult"]["RefreshToken"].is_string(), "she is not signed out: {refreshed}");
    node.signed_in_again(&ana).await;
    let confirm = json!({"ClientId": node.config.web_client_id, "Username": "new@example.org", "ConfirmationCode": code});
    assert_eq!(node.target("ConfirmSignUp", confirm).await.0, 200, "a code that was sent is good");
    assert_eq!(node.entered_by("new@example.org", PASSWORD).await.0, 200);
    let now = node.target("InitiateAuth", nobody).await.1["ChallengeParameters"]["SALT"].clone();
    assert!(salt.is_string() && salt == now, "nobody is told from somebody by it");
    node.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn a_node_with_an_older_secret_seals_anew_by_itself() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let sealed = async |database: &Database| -> Vec<Vec<u8>> {
        let every = "SELECT sealed FROM verifiers UNION ALL SELECT sealed FROM signing_keys UNION ALL SELECT sealed FROM derive_keys";
        sqlx::query_scalar(every).fetch_all(&mut database.connect().await).await.unwrap()
    };
    let before = sealed(&server.database).await;
    let both = TestServer::on(server.database.clone(), with_secrets(&[NEW, OLD]), server.clock.clone()).await;
    until("every row is another", async || sealed(&server.database).await.iter().all(|now| !before.contains(now))).await;
    let alone = TestServer::on(server.database.clone(), with_secrets(&[NEW]), server.clock.clone()).await;
    alone.signed_in_again(&ana).await;
    both.stop().await;
    alone.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn every_sealed_column_is_sealed_anew() {
    let database = Database::create().await;
    let every = "SELECT table_name::text, column_name::text FROM information_schema.columns
                 WHERE table_schema = 'public' AND column_name LIKE '%sealed' ORDER BY 1, 2";
    let stored: Vec<(String, String)> = sqlx::query_as(every).fetch_all(&mut database.connect().await).await.unwrap();
    let mut known: Vec<(String, String)> = key_rotation::columns().map(|(table, column)| (table.to_owned(), column.to_owned())).collect();
    known.sort();
    assert_eq!(stored, known);
}

#[tokio::test]
async fn passwords_that_are_changed_meanwhile_stay_changed() {
    let server = TestServer::on(Arc::new(Database::create().await), with_secrets(&[NEW, OLD]), Clock::fixed(crate::harness::START)).await;
    let ana = server.ana().await;
    let (older, _older_stops) = pool(&server, &with_secrets(&[OLD, NEW])).await;
    let (newer, _newer_stops) = pool(&server, &with_secrets(&[NEW, OLD])).await;
    let mut password = PASSWORD.to_owned();
    for round in 0..5 {
        let next = format!("{PASSWORD}-{round}");
        // Two that seal with different secrets, at the same time as the change.
        let (one, other, changed) = tokio::join!(
            key_rotation::reseal(&older, |_| ()),
            key_rotation::reseal(&newer, |_| ()),
            server.changed(&ana.token, &password, &next)
        );
        one.unwrap();
        other.unwrap();
        assert_eq!(changed, 200, "round {round}");
        password = next;
        assert_eq!(server.entered_by(&ana.email, &password).await.0, 200, "round {round}");
    }
    let all = key_rotation::reseal(&newer, |_| ()).await.unwrap();
    assert!(all.iter().all(|p| p.unreadable == 0) && all.iter().any(|p| p.seen > 0), "{all:?}");
    let alone = TestServer::on(server.database.clone(), with_secrets(&[NEW]), server.clock.clone()).await;
    assert_eq!(alone.entered_by(&ana.email, &password).await.0, 200);
    alone.stop().await;
    server.stop().await;
}
