//! Tokens: which are good, how they are refreshed, and how sessions end, here and on another node.

use crate::harness::{Database, Member, OwnPostgres, PASSWORD, START, TestServer, config, until};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    pb::identity::{
        AuthFlow, AuthenticationResult, GetTokensFromRefreshTokenRequest, GetUserRequest, GlobalSignOutRequest, InitiateAuthRequest,
        RevokeTokenRequest,
    },
};
use serde_json::{Value, json};
use std::{collections::HashSet, sync::Arc};
use time::Duration;
use tonic::{Code, Status};

impl TestServer {
    async fn refreshed(&self, client_id: &str, token: &str) -> Result<AuthenticationResult, Status> {
        let request = GetTokensFromRefreshTokenRequest { refresh_token: token.into(), client_id: client_id.into(), ..Default::default() };
        let answer = self.identity(None).get_tokens_from_refresh_token(request).await?.into_inner();
        Ok(answer.authentication_result.unwrap())
    }

    async fn refreshed_by_flow(&self, token: &str) -> Result<AuthenticationResult, Status> {
        self.initiated(AuthFlow::RefreshTokenAuth, &[("REFRESH_TOKEN", token)]).await
    }

    /// By a client whose tokens do not rotate.
    async fn initiated(&self, flow: AuthFlow, parameters: &[(&str, &str)]) -> Result<AuthenticationResult, Status> {
        let request = InitiateAuthRequest {
            auth_flow: flow.into(),
            client_id: "goodturncli".to_owned(),
            auth_parameters: parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..Default::default()
        };
        Ok(self.identity(None).initiate_auth(request).await?.into_inner().authentication_result.unwrap())
    }

    /// Whether the gate lets a token in.
    async fn admits(&self, token: &str) -> bool {
        let member = Member { token: token.into(), ..Member::default() };
        self.rest("GET", "/notifications", &member, None).await.0 == 200
    }

    /// Whether a token is let in, by a call of the gate and by one that names it in its body.
    async fn lets_in(&self, token: &str) -> bool {
        let request = GetUserRequest { access_token: token.into() };
        let by_body = self.identity(None).get_user(request).await;
        let member = Member { token: token.into(), ..Member::default() };
        let (status, body) = self.rest("GET", "/notifications", &member, None).await;
        assert_eq!(by_body.is_ok(), status == 200, "{token} {status} {body}");
        if status != 200 {
            assert_eq!((status, body["message"].as_str()), (401, Some("a valid access token is required")), "{token}");
            assert_eq!(by_body.unwrap_err().code(), Code::Unauthenticated);
        }
        status == 200
    }
}

fn part(token: &str, n: usize) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(n).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn tokens_say_what_clients_read() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (access, id) = (part(&ana.token, 1), part(&ana.id_token, 1));
    assert_eq!(part(&ana.token, 0)["alg"], "RS256");
    let issued = crate::harness::START.unix_timestamp();
    let expected = json!({"sub": ana.uid, "username": ana.uid, "token_use": "access", "scope": "aws.cognito.signin.user.admin",
        "client_id": server.config.web_client_id, "iat": issued, "auth_time": issued, "exp": issued + 3600});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&access[name], value, "{name}");
    }
    let expected = json!({"sub": ana.uid, "cognito:username": ana.uid, "token_use": "id", "aud": server.config.web_client_id,
        "email": ana.email, "email_verified": true, "name": "Ana Silva", "given_name": "Ana", "family_name": "Silva"});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&id[name], value, "{name}");
    }
    assert_eq!(access["origin_jti"], id["origin_jti"]);
    assert!(access.get("aud").is_none() && access["jti"].is_string() && id["event_id"].is_string());
}

#[tokio::test]
async fn a_token_ends_after_an_hour_and_its_session_after_thirty_days() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let first = server.initiated(AuthFlow::UserPasswordAuth, &[("USERNAME", &ana.email), ("PASSWORD", PASSWORD)]).await.unwrap();
    let refresh_token = first.refresh_token.unwrap();
    server.clock.advance(Duration::seconds(3599));
    assert!(server.lets_in(&first.access_token).await);
    server.clock.advance(Duration::seconds(1));
    assert!(!server.lets_in(&first.access_token).await);
    server.clock.advance(Duration::days(29));
    let later = server.refreshed_by_flow(&refresh_token).await.unwrap();
    assert!(server.lets_in(&later.access_token).await);
    assert!(later.refresh_token.is_none(), "this flow does not rotate");
    let (old, new) = (part(&first.access_token, 1), part(&later.access_token, 1));
    assert_eq!((&old["origin_jti"], &old["auth_time"]), (&new["origin_jti"], &new["auth_time"]));
    server.clock.advance(Duration::days(1));
    assert_eq!(server.refreshed_by_flow(&refresh_token).await.unwrap_err().message(), "Refresh Token has expired");
}

#[tokio::test]
async fn a_rotated_token_answers_for_a_minute_and_ends_the_session_after() {
    let server = TestServer::start().await;
    let (ana, web) = (server.ana().await, server.config.web_client_id.clone());
    let first = server.refreshed(&web, &ana.refresh_token).await.unwrap();
    let lost = server.refreshed(&web, &ana.refresh_token).await.unwrap();
    assert_eq!(first.refresh_token, lost.refresh_token, "the same successor");
    assert_ne!(first.refresh_token.as_deref(), Some(ana.refresh_token.as_str()));
    server.clock.advance(Duration::seconds(60));
    let reused = server.refreshed(&web, &ana.refresh_token).await.unwrap_err();
    assert_eq!(crate::harness::Refused::from(reused).reason, "REFRESH_TOKEN_REUSED");
    assert!(!server.lets_in(&first.access_token).await);
    assert!(!server.lets_in(&ana.token).await);
    let after = server.refreshed(&web, &first.refresh_token.unwrap()).await.unwrap_err();
    assert_eq!(after.message(), "Refresh Token has been revoked");
}

#[tokio::test]
async fn of_fifty_refreshes_at_once_over_two_nodes_all_get_the_one_successor() {
    let server = TestServer::start().await;
    let (ana, web) = (server.ana().await, server.config.web_client_id.clone());
    let other = server.second_node().await;
    let mut token = ana.refresh_token;
    for round in 1..=3_i32 {
        let nodes = [&server, &other];
        let refreshed = async |node: &TestServer| loop {
            match node.refreshed(&web, &token).await {
                // On a busy machine some are turned away, and come again.
                Err(status) if status.code() == Code::ResourceExhausted => {}
                answer => return answer,
            }
        };
        let answers = join_all((0..50).map(|n| refreshed(nodes[n % 2]))).await;
        let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
        let successors: HashSet<_> = answers.iter().map(|answer| answer.refresh_token.clone().unwrap()).collect();
        assert_eq!(successors.len(), 1, "round {round}");
        let accesses: HashSet<_> = answers.iter().map(|answer| &answer.access_token).collect();
        assert_eq!(accesses.len(), 50, "each has an access token of its own");
        let generation: i32 = sqlx::query_scalar("SELECT max(refresh_generation) FROM sessions")
            .fetch_one(&mut server.database.connect().await)
            .await
            .unwrap();
        assert_eq!(generation, round, "it was rotated once a round");
        for access in accesses {
            assert!(server.admits(access).await && other.admits(access).await);
        }
        token = successors.into_iter().next().unwrap();
    }
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn a_refresh_token_is_good_for_its_client_alone() {
    let server = TestServer::start().await;
    let (ana, web) = (server.ana().await, server.config.web_client_id.clone());
    let foreign = server.refreshed(&server.config.client_ids[0], &ana.refresh_token).await.unwrap_err();
    assert_eq!((foreign.code(), foreign.message()), (Code::Unauthenticated, "Invalid Refresh Token"));
    let mut bytes = URL_SAFE_NO_PAD.decode(&ana.refresh_token).unwrap();
    for i in 0..bytes.len() {
        bytes[i] ^= 1;
        let edited = server.refreshed(&web, &URL_SAFE_NO_PAD.encode(&bytes)).await.unwrap_err();
        assert_eq!(edited.message(), "Invalid Refresh Token", "byte {i}");
        bytes[i] ^= 1;
    }
    server.refreshed(&web, &ana.refresh_token).await.unwrap();
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session_and_a_new_one_works_at_once() {
    let server = TestServer::start().await;
    // Codes are read before there is a second node, whose jobs would send some of them.
    let (ana, ben) = (server.ana().await, server.ben().await);
    let again = server.signed_in_again(&ana).await;
    let other = server.second_node().await;
    assert!(other.lets_in(&ana.token).await && other.lets_in(&again.token).await);
    server.identity(&ana).global_sign_out(GlobalSignOutRequest::default()).await.unwrap();
    assert!(!server.lets_in(&ana.token).await && !server.lets_in(&again.token).await, "at once here");
    until("the other node knows", async || !other.admits(&ana.token).await && !other.admits(&again.token).await).await;
    let refused = server.refreshed(&server.config.web_client_id, &ana.refresh_token).await.unwrap_err();
    assert_eq!(refused.message(), "Refresh Token has been revoked");
    let told = server.identity(None).get_user(GetUserRequest { access_token: ana.token.clone() }).await.unwrap_err();
    assert_eq!(told.message(), "Access Token has been revoked");
    let new = server.signed_in_again(&ana).await;
    assert!(server.lets_in(&new.token).await && other.lets_in(&new.token).await && other.lets_in(&ben.token).await);
}

#[tokio::test]
async fn revoking_ends_that_session_alone() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let again = server.signed_in_again(&ana).await;
    let client_id = server.config.web_client_id.clone();
    for token in [ana.refresh_token.as_str(), &ana.refresh_token, "unknown"] {
        let request = RevokeTokenRequest { token: token.into(), client_id: client_id.clone(), ..Default::default() };
        server.identity(None).revoke_token(request).await.unwrap();
    }
    assert!(!server.lets_in(&ana.token).await);
    assert!(server.lets_in(&again.token).await);
}

impl TestServer {
    /// The names of the published keys, oldest first.
    async fn kids(&self) -> Vec<String> {
        let (_, jwks) = self.rest("GET", &format!("/{}/.well-known/jwks.json", self.config.pool_id), None, None).await;
        jwks["keys"].as_array().unwrap().iter().map(|k| k["kid"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn keys_are_published_before_they_sign_and_rotated_without_a_sign_out() {
    let server = TestServer::start().await;
    let kid = |token: &str| part(token, 0)["kid"].as_str().unwrap().to_owned();
    let ana = server.ana().await;
    let first = kid(&ana.token);
    assert_eq!(server.kids().await, [first.as_str()]);
    server.clock.advance(Duration::days(90) - Duration::minutes(119));
    let second_node = server.second_node().await;
    until("both nodes publish the next key", async || server.kids().await.len() == 2 && second_node.kids().await.len() == 2).await;
    let next = server.kids().await.pop().unwrap();
    let before = server.signed_in_again(&ana).await;
    assert_eq!(kid(&before.token), first, "published, not used yet");
    server.clock.advance(Duration::minutes(100));
    let before = server.signed_in_again(&before).await;
    assert_eq!(kid(&before.token), first, "still");
    server.clock.advance(Duration::minutes(30));
    let after = server.signed_in_again(&ana).await;
    assert_eq!(kid(&after.token), next);
    for token in [&before.token, &after.token] {
        assert!(server.lets_in(token).await && second_node.lets_in(token).await, "both keys are good");
    }
    server.clock.advance(Duration::hours(25));
    let third_node = server.second_node().await;
    assert_eq!(third_node.kids().await, [next.as_str()]);
    until("the first key is retired everywhere", async || server.kids().await == [next.as_str()]).await;
}

#[tokio::test]
async fn a_node_that_hears_no_signals_asks_the_rows() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    until("the node hears signals", async || server.node.deps.bus.silent_for().is_some()).await;
    assert!(server.lets_in(&ana.token).await);
    // As another node would, whose signal was lost.
    let mut beside = server.database.connect().await;
    sqlx::query("UPDATE sessions SET ended_at = started_at - interval '1 hour'").execute(&mut beside).await.unwrap();
    assert!(server.lets_in(&ana.token).await, "remembered while signals are heard");
    sqlx::query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'LISTEN%'")
        .execute(&mut beside)
        .await
        .unwrap();
    until("the node looks at the rows", async || !server.admits(&ana.token).await).await;
}

#[tokio::test]
async fn an_outage_is_not_told_as_a_bad_token() {
    let mut postgres = OwnPostgres::start().await;
    let server = TestServer::on(Arc::new(Database::at(postgres.url())), config(), Clock::fixed(START)).await;
    let ana = server.ana().await;
    postgres.stop();
    let (who, out) = (GetUserRequest::default(), GlobalSignOutRequest::default());
    let refused = server.identity(&ana).get_user(who.clone()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    let refused = server.identity(&ana).global_sign_out(out).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    // A flaw of the token is told without the database.
    let flawed = Member { token: "x".into(), ..ana.clone() };
    assert_eq!(server.identity(&flawed).get_user(who.clone()).await.unwrap_err().code(), Code::Unauthenticated);
    postgres.run();
    until("the database is back", async || server.identity(&ana).get_user(who.clone()).await.is_ok()).await;
    server.stop().await;
}

#[tokio::test]
async fn a_node_finds_what_another_ended_and_died_before_it_told() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    assert!(server.lets_in(&ana.token).await && server.lets_in(&ben.token).await);
    let mut beside = server.database.connect().await;
    let end = sqlx::query("UPDATE sessions SET ended_at = started_at WHERE member_id::text = $1").bind(&ana.uid);
    end.execute(&mut beside).await.unwrap();
    until("the node looks at the rows", async || !server.admits(&ana.token).await).await;
    assert!(server.lets_in(&ben.token).await);
}
