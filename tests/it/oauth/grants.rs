//! What applications are granted beside what they ask for: the app itself may call what members may, and others what they asked for.

use super::{
    browser::{ALL, Browser, ELSEWHERE, VERIFIER, claims, request},
    dir, federated, server,
    upstream::Upstream,
};
use crate::harness::{Member, PASSWORD, TestServer};
use goodturn::{config::Config, pb::notifications::ListNotificationsRequest};
use serde_json::{Value, json};
use tonic::Code;

/// What the app's like ask for.
const USUAL: &str = "openid email profile";
const FIRST: &str = "[[client]]\nid = \"tablet\"\nscopes = [\"openid\"]\ngrants = [\"aws.cognito.signin.user.admin\", \"email\"]\n\
                     callbacks = [\"http://localhost:3000/back\"]\n";

fn bearer(tokens: &Value, member: &Member) -> Member {
    Member { token: tokens["access_token"].as_str().unwrap().to_owned(), ..member.clone() }
}

/// What an RPC over gRPC, a path of REST and `userInfo` say to a token.
async fn told(server: &TestServer, who: &Member) -> (Code, u16, u16) {
    let rpc = server.notifications(who).list_notifications(ListNotificationsRequest::default()).await;
    let path = server.rest("GET", "/notifications", who, None).await.0;
    (rpc.map_or_else(|refused| refused.code(), |_| Code::Ok), path, server.user_info(&who.token).await.0)
}

#[tokio::test]
async fn the_app_itself_calls_what_members_may_and_others_what_they_asked_for() {
    let dir = dir();
    let server = server(dir.path(), FIRST).await;
    let ana = server.ana().await;
    let own = server.hosted(&ana, USUAL).await;
    assert_eq!(own["scope"], json!(ALL), "the answer tells what was granted");
    assert_eq!(told(&server, &bearer(&own, &ana)).await, (Code::Ok, 200, 200));
    // A refresh that names what was asked for keeps the rest.
    let pairs = [("grant_type", "refresh_token"), ("client_id", "goodturnweb"), ("scope", "openid")];
    let (status, renewed) = server.token_owned(pairs.to_vec(), own["refresh_token"].as_str().unwrap()).await;
    assert_eq!((status, &renewed["scope"]), (200, &json!("openid aws.cognito.signin.user.admin")));
    assert_eq!(told(&server, &bearer(&renewed, &ana)).await, (Code::Ok, 200, 200));
    // One of the file that is told to be of this server.
    let tablet = server.hosted_by("tablet", &ana, "openid").await;
    assert_eq!(tablet["scope"], "openid email aws.cognito.signin.user.admin");
    assert_eq!(told(&server, &bearer(&tablet, &ana)).await, (Code::Ok, 200, 200));
    // And one of somebody else.
    let third = server.hosted_by("plain", &ana, "openid").await;
    assert_eq!((&third["scope"], &claims(&third["access_token"])["scope"]), (&json!("openid"), &json!("openid")));
    assert_eq!(told(&server, &bearer(&third, &ana)).await, (Code::Unauthenticated, 401, 200));
    let (_, config) = server.rest("GET", "/config.json", None, None).await;
    assert_eq!(config["oauth"]["grants"], "aws.cognito.signin.user.admin");
    server.stop().await;
}

#[tokio::test]
async fn a_session_goes_on_with_what_its_application_may_still_have() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let with = async |scopes: &str| {
        let file = dir.path().join(format!("{}.toml", scopes.len()));
        let client = format!("[[client]]\nid = \"plain\"\npkce = false\ncallbacks = [\"{ELSEWHERE}\"]\nscopes = [{scopes}]\n");
        std::fs::write(&file, client).unwrap();
        let config = Config { clients_file: Some(file), ..server.config.clone() };
        TestServer::on(server.database.clone(), config, server.clock.clone()).await
    };
    let tokens = server.hosted_by("plain", &ana, ALL).await;
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let asked = request(&[("client_id", "plain"), ("redirect_uri", ELSEWHERE), ("scope", ALL)]);
    let code = Browser::new(&server).sign_in(&asked, &ana.email, PASSWORD).await.parameters()["code"].clone();

    let fewer = with("\"openid\", \"email\"").await;
    let pairs = |scope: &'static str| [("grant_type", "refresh_token"), ("client_id", "plain"), ("scope", scope)];
    let (status, renewed) = fewer.token_owned(pairs("")[..2].to_vec(), refresh).await;
    assert_eq!((status, &renewed["scope"]), (200, &json!("openid email")), "{renewed}");
    assert_eq!(claims(&renewed["access_token"])["scope"], "openid email");
    assert!(claims(&renewed["id_token"]).get("name").is_none());
    assert_eq!(told(&fewer, &bearer(&renewed, &ana)).await, (Code::Unauthenticated, 401, 200));
    assert_eq!(fewer.token_owned(pairs("openid profile").to_vec(), refresh).await.1["error"], "invalid_scope");
    // By the other call, and of a code that was given before.
    let body = json!({"ClientId": "plain", "RefreshToken": refresh});
    let (_, answer) = fewer.target("GetTokensFromRefreshToken", body).await;
    assert_eq!(claims(&answer["AuthenticationResult"]["AccessToken"])["scope"], "openid email");
    let given = [("grant_type", "authorization_code"), ("client_id", "plain"), ("redirect_uri", ELSEWHERE), ("code", &*code)];
    let (status, redeemed) = fewer.token(&[given.as_slice(), &[("code_verifier", VERIFIER)]].concat(), None).await;
    assert_eq!((status, &redeemed["scope"]), (200, &json!("openid email")), "{redeemed}");

    let other = with("\"phone\"").await;
    let (status, refused) = other.token_owned(pairs("")[..2].to_vec(), refresh).await;
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_grant")), "nothing of it is left");
    // What was never asked for is not given either, and what is given back is there again.
    let (_, renewed) = server.token_owned(pairs("")[..2].to_vec(), refresh).await;
    assert_eq!(renewed["scope"], json!(ALL));
    for node in [fewer, other, server] {
        node.stop().await;
    }
}

#[tokio::test]
async fn who_comes_by_a_provider_uses_the_app_with_what_its_like_ask_for() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &federated::file(&upstream)).await;
    upstream.is(federated::person("123", "new@example.org", "New Comer"));
    let asked = request(&[("identity_provider", "Club"), ("scope", USUAL)]);
    let code = federated::visit(&Browser::new(&server), &upstream, &asked).await.code();
    let (status, tokens) = server.redeem(&code).await;
    assert_eq!((status, &tokens["scope"]), (200, &json!(ALL)));
    assert_eq!(told(&server, &bearer(&tokens, &Member::default())).await, (Code::Ok, 200, 200));
    server.stop().await;
}
