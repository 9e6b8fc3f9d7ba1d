//! The hosted sign-in: what an application gets, what a member sees, and what nobody else can do with either.

mod asked_anew;
mod browser;
mod factors;
mod federated;
mod grants;
mod links;
mod page;
mod signed_in;
mod upstream;

use crate::harness::{Member, PASSWORD, START, TestServer};
use base64::{Engine, engine::general_purpose::STANDARD};
use browser::{ALL, Browser, CALLBACK, VERIFIER, claims, request};
use goodturn::clock::Clock;
use reqwest::{Method, header};
use serde_json::{Value, json};
use std::path::Path;
use time::Duration;

const SECRET: &str = "a-secret: that nobody+guesses=";
const CLIENTS: &str = r#"
[[client]]
id = "partner"
secret = "a-secret: that nobody+guesses="
callbacks = ["https://partner.example/back?x=1"]
sign_outs = ["https://partner.example/"]
scopes = ["openid", "email"]

[[client]]
id = "plain"
callbacks = ["http://localhost:3000/back"]
scopes = ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"]
pkce = false

[[client]]
id = "sealed"
callbacks = ["http://localhost:3000/back"]
flows = []
"#;

/// A node with these clients, and with what a test adds to their file.
async fn server(dir: &Path, more: &str) -> TestServer {
    let file = dir.join("clients.toml");
    std::fs::write(&file, format!("{CLIENTS}{more}")).unwrap();
    TestServer::start_with(Clock::fixed(START), |config| config.clients_file = Some(file)).await
}

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn a_member_signs_in_by_the_page_and_the_application_gets_tokens() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let tokens = server.hosted(&ana, ALL).await;
    assert_eq!((&tokens["token_type"], &tokens["expires_in"], &tokens["scope"]), (&json!("Bearer"), &json!(3600), &json!(ALL)));
    let (access, id) = (claims(&tokens["access_token"]), claims(&tokens["id_token"]));
    assert_eq!((&access["scope"], &access["client_id"], &access["username"]), (&json!(ALL), &json!("goodturnweb"), &json!(ana.uid)));
    assert_eq!(
        (&id["nonce"], &id["aud"], &id["email"], &id["name"]),
        (&json!("a nonce"), &json!("goodturnweb"), &json!(ana.email), &json!(ana.name))
    );
    assert!(id["at_hash"].is_string() && id["origin_jti"] == access["origin_jti"] && id.get("identities").is_none());
    let by_page = Member { token: tokens["access_token"].as_str().unwrap().to_owned(), ..ana.clone() };
    assert_eq!(server.rest("GET", "/notifications", &by_page, None).await.0, 200);
    let (status, told) = server.user_info(&by_page.token).await;
    assert_eq!((status, &told["sub"], &told["email"], &told["email_verified"]), (200, &json!(ana.uid), &json!(ana.email), &json!(true)));
    server.stop().await;
}

#[tokio::test]
async fn a_token_is_for_what_was_granted_and_nothing_else() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let told = server.hosted_by("plain", &ana, "openid").await;
    let token = told["access_token"].as_str().unwrap();
    let id = claims(&told["id_token"]);
    assert!(id.get("email").is_none() && id.get("name").is_none() && id["sub"] == json!(ana.uid), "{id}");
    // As one that is no good, at the gate of every face.
    let without = Member { token: token.to_owned(), ..ana.clone() };
    let (status, body) = server.rest("GET", "/notifications", &without, None).await;
    assert_eq!((status, body["message"].as_str()), (401, Some("a valid access token is required")));
    let asked = json!({"AccessToken": token});
    for operation in ["GetUser", "GlobalSignOut"] {
        let (status, refused) = server.target(operation, asked.clone()).await;
        assert_eq!((status, &refused["message"]), (400, &json!("Access Token does not have required scopes")), "{operation}");
        assert_eq!(refused["__type"], "NotAuthorizedException");
    }
    assert_eq!(server.user_info(token).await.1, json!({"sub": ana.uid, "username": ana.uid}));
    // Without openid there is no id token, and nobody is told who it is.
    let blind = server.hosted_by("plain", &ana, "aws.cognito.signin.user.admin").await;
    assert!(blind.get("id_token").is_none() && blind["refresh_token"].is_string());
    assert_eq!(server.user_info(blind["access_token"].as_str().unwrap()).await.0, 403);
    // Those of the user pool's own operations are for calls alone.
    assert_eq!(server.user_info(&ana.token).await.0, 403);
    assert_eq!(server.user_info("nonsense").await.0, 401);
    assert_eq!(
        server.http(Method::GET, "/oauth2/userInfo").send().await.unwrap().headers()[header::WWW_AUTHENTICATE],
        "Bearer realm=\"goodturn\""
    );
    // A refresh asks for less, and never for more.
    let refresh = told["refresh_token"].as_str().unwrap();
    let again =
        |scope: &'static str| server.token_owned(vec![("grant_type", "refresh_token"), ("client_id", "plain"), ("scope", scope)], refresh);
    assert_eq!(again("openid email").await.1["error"], "invalid_scope");
    assert_eq!(again("everything").await.1["error"], "invalid_scope");
    let (status, renewed) = again("openid").await;
    assert_eq!((status, &renewed["scope"]), (200, &json!("openid")));
    assert_eq!(claims(&renewed["access_token"])["scope"], "openid");
    server.stop().await;
}

impl TestServer {
    pub async fn token_owned(&self, pairs: Vec<(&str, &str)>, refresh: &str) -> (u16, Value) {
        self.token(&[pairs, vec![("refresh_token", refresh)]].concat(), None).await
    }
}

#[tokio::test]
async fn a_code_is_redeemed_once_and_a_second_time_ends_what_it_gave() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let code = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    let (_, tokens) = server.redeem(&code).await;
    let member = Member { token: tokens["access_token"].as_str().unwrap().to_owned(), ..ana.clone() };
    assert_eq!(server.rest("GET", "/notifications", &member, None).await.0, 200);
    let (status, refused) = server.redeem(&code).await;
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_grant")));
    assert_eq!(server.rest("GET", "/notifications", &member, None).await.0, 401, "the session has ended");
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let renewed = server.token_owned(vec![("grant_type", "refresh_token"), ("client_id", "goodturnweb")], refresh).await;
    assert_eq!((renewed.0, &renewed.1["error"]), (400, &json!("invalid_grant")));
    server.stop().await;
}

#[tokio::test]
async fn who_saw_a_code_alone_does_not_end_what_it_gave() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let code = Browser::new(&server).sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    let (_, tokens) = server.redeem(&code).await;
    let member = Member { token: tokens["access_token"].as_str().unwrap().to_owned(), ..ana.clone() };
    let other = VERIFIER.replace('d', "e");
    let all = [("client_id", "goodturnweb"), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
    for (n, value) in [(2, ""), (2, &*other), (1, "http://goodturn.test/auth/callback/"), (0, "plain")] {
        let mut pairs = all;
        pairs[n].1 = value;
        let pairs = [&[("grant_type", "authorization_code"), ("code", &*code)], pairs.as_slice()].concat();
        assert_eq!(server.token(&pairs, None).await.1["error"], "invalid_grant", "{n}");
        assert_eq!(server.rest("GET", "/notifications", &member, None).await.0, 200, "{n}");
    }
    assert_eq!(server.redeem(&code).await.0, 400);
    assert_eq!(server.rest("GET", "/notifications", &member, None).await.0, 401, "its application redeemed it twice");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_may_not_refresh_does_so_nowhere() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let tokens = server.hosted_by("sealed", &ana, "openid").await;
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let renewed = server.token_owned(vec![("grant_type", "refresh_token"), ("client_id", "sealed")], refresh).await;
    assert_eq!((renewed.0, &renewed.1["error"]), (400, &json!("unauthorized_client")));
    let (_, told) = server.target("GetTokensFromRefreshToken", json!({"ClientId": "sealed", "RefreshToken": refresh})).await;
    assert_eq!(told["message"], "Auth flow not enabled for this client");
    // It ends its session by it all the same.
    assert_eq!(server.form("/oauth2/revoke", &[("token", refresh), ("client_id", "sealed")], None).await.0, 200);
    assert_eq!(server.user_info(tokens["access_token"].as_str().unwrap()).await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn a_refresh_that_is_refused_uses_nothing_up() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let tokens = server.hosted(&ana, "openid").await;
    let first = tokens["refresh_token"].as_str().unwrap();
    let renew = async |more: &[(&'static str, &'static str)]| {
        server.token_owned([&[("grant_type", "refresh_token"), ("client_id", "goodturnweb")], more].concat(), first).await
    };
    for (more, error) in [
        (&[("scope", "openid phone")][..], "invalid_scope"),
        (&[("scope", "everything")], "invalid_scope"),
        (&[("client_secret", "one that is not there")], "invalid_client"),
    ] {
        assert_eq!(renew(more).await.1["error"], error);
    }
    // Longer than what was used up would still be answered.
    server.clock.advance(Duration::minutes(2));
    assert_eq!(renew(&[]).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn of_one_code_used_twenty_times_at_once_one_counts_and_nothing_of_it_lives() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let code = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    let answers = futures_util::future::join_all((0..20).map(|_| server.redeem(&code))).await;
    let good: Vec<_> = answers.iter().filter(|(status, _)| *status == 200).collect();
    assert_eq!(good.len(), 1, "{answers:?}");
    let member = Member { token: good[0].1["access_token"].as_str().unwrap().to_owned(), ..ana.clone() };
    assert_eq!(server.rest("GET", "/notifications", &member, None).await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn a_code_is_for_one_client_one_address_one_proof_and_five_minutes() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let code = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    let redeem = async |change: &[(&'static str, &str)]| {
        let usual = [
            ("grant_type", "authorization_code"),
            ("client_id", "goodturnweb"),
            ("redirect_uri", CALLBACK),
            ("code", &*code),
            ("code_verifier", VERIFIER),
        ];
        let kept = usual.into_iter().filter(|(name, _)| !change.iter().any(|(other, _)| other == name));
        let pairs: Vec<_> = kept.chain(change.iter().copied().filter(|(_, value)| !value.is_empty())).collect();
        server.token(&pairs, None).await
    };
    let other = VERIFIER.replace('d', "e");
    for (change, status, error) in [
        (&[("client_id", "plain")][..], 400, "invalid_grant"),
        (&[("client_id", "nobody")], 401, "invalid_client"),
        (&[("client_id", "partner")], 401, "invalid_client"),
        (&[("client_id", "")], 401, "invalid_client"),
        (&[("client_secret", "one that is not there")], 401, "invalid_client"),
        (&[("redirect_uri", "http://goodturn.test/auth/callback/")], 400, "invalid_grant"),
        (&[("redirect_uri", "")], 400, "invalid_request"),
        (&[("code_verifier", &other)], 400, "invalid_grant"),
        (&[("code_verifier", "")], 400, "invalid_grant"),
        (&[("code", "nonsense")], 400, "invalid_grant"),
        (&[("code", "")], 400, "invalid_request"),
        (&[("grant_type", "password")], 400, "unsupported_grant_type"),
        (&[("grant_type", "")], 400, "invalid_request"),
        (&[("scope", "a"), ("scope", "b")], 400, "invalid_request"),
    ] {
        let answer = redeem(change).await;
        assert_eq!((answer.0, answer.1["error"].as_str()), (status, Some(error)), "{change:?}");
    }
    // None of that used it up.
    assert_eq!(redeem(&[]).await.0, 200);
    let late = Browser::new(&server).sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    server.clock.advance(Duration::minutes(5));
    assert_eq!(server.redeem(&late).await.1["error"], "invalid_grant");
    server.stop().await;
}

#[tokio::test]
async fn who_did_not_announce_a_proof_need_not_bring_one_and_cannot() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let back = "http://localhost:3000/back";
    let plain = [("client_id", "plain"), ("redirect_uri", back), ("code_challenge", ""), ("code_challenge_method", "")];
    let code = async || {
        let seen = Browser::new(&server).sign_in(&request(&plain), &ana.email, PASSWORD).await;
        seen.parameters()["code"].clone()
    };
    let pairs = [("grant_type", "authorization_code"), ("client_id", "plain"), ("redirect_uri", back)];
    let first = code().await;
    let with = [pairs.as_slice(), &[("code", &*first), ("code_verifier", VERIFIER)]].concat();
    assert_eq!(server.token(&with, None).await.1["error"], "invalid_grant", "somebody took the announcement away");
    let second = code().await;
    assert_eq!(server.token(&[pairs.as_slice(), &[("code", &*second)]].concat(), None).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_client_with_a_secret_proves_it_in_the_header_or_in_the_form() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let ana = server.ana().await;
    let back = "https://partner.example/back?x=1";
    let asked = request(&[("client_id", "partner"), ("redirect_uri", back), ("scope", "")]);
    let seen = Browser::new(&server).sign_in(&asked, &ana.email, PASSWORD).await;
    assert!(seen.location.starts_with("https://partner.example/back?x=1&code="), "{seen:?}");
    let code = seen.parameters()["code"].clone();
    let quoted: String = form_urlencoded::byte_serialize(SECRET.as_bytes()).collect();
    let basic = |id: &str, secret: &str| format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    let pairs = [("grant_type", "authorization_code"), ("redirect_uri", back), ("code_verifier", VERIFIER), ("code", &*code)];
    for wrong in [basic("partner", "wrong"), basic("nobody", &quoted), "Basic !".to_owned(), "Bearer x".to_owned(), basic("partner", "")] {
        let (status, refused) = server.token(&pairs, Some(&wrong)).await;
        assert_eq!((status, &refused["error"]), (401, &json!("invalid_client")), "{wrong}");
    }
    let both = [pairs.as_slice(), &[("client_secret", SECRET)]].concat();
    assert_eq!(server.token(&both, Some(&basic("partner", &quoted))).await.1["error"], "invalid_request");
    let (status, tokens) = server.token(&pairs, Some(&basic("partner", &quoted))).await;
    assert_eq!((status, &tokens["scope"]), (200, &json!("openid email")), "all that it may have, for it named none");
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let again = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
    let (status, renewed) = server.token(&again, Some(&basic("partner", SECRET))).await;
    assert_eq!((status, renewed.get("refresh_token")), (200, None), "its refresh tokens do not rotate");
    let by_form = [again.as_slice(), &[("client_id", "partner"), ("client_secret", SECRET)]].concat();
    assert_eq!(server.token(&by_form, None).await.0, 200);
    let revoke = [("token", refresh), ("client_id", "partner")];
    assert_eq!(server.form("/oauth2/revoke", &revoke, None).await.0, 401);
    let revoke = [revoke.as_slice(), &[("client_secret", SECRET)]].concat();
    assert_eq!(server.form("/oauth2/revoke", &revoke, None).await, (200, Value::Null));
    assert_eq!(server.token(&by_form, None).await.1["error"], "invalid_grant");
    server.stop().await;
}

#[tokio::test]
async fn refresh_tokens_of_a_client_that_rotates_do_with_the_same_grace() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let tokens = server.hosted(&ana, ALL).await;
    let renew = async |token: &str| server.token_owned(vec![("grant_type", "refresh_token"), ("client_id", "goodturnweb")], token).await;
    let first = tokens["refresh_token"].as_str().unwrap();
    let (_, renewed) = renew(first).await;
    let second = renewed["refresh_token"].as_str().unwrap();
    assert_ne!(first, second);
    assert_eq!(renew(first).await.1["refresh_token"], second, "the answer may have been lost");
    assert!(claims(&renewed["id_token"]).get("nonce").is_none());
    server.clock.advance(Duration::minutes(2));
    assert_eq!(renew(first).await.1["error"], "invalid_grant");
    assert_eq!(renew(second).await.1["error"], "invalid_grant", "the session has ended");
    // What is no refresh token is not revoked, and what is nobody's is let be.
    let revoke = async |token: &str| server.form("/oauth2/revoke", &[("token", token), ("client_id", "goodturnweb")], None).await;
    assert_eq!(revoke(tokens["access_token"].as_str().unwrap()).await.1["error"], "unsupported_token_type");
    assert_eq!(revoke("nonsense").await.0, 200);
    assert_eq!(revoke("").await.1["error"], "invalid_request");
    server.stop().await;
}

#[tokio::test]
async fn who_is_signed_out_everywhere_before_the_code_comes_is_out() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let code = Browser::new(&server).sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    assert_eq!(server.target("GlobalSignOut", json!({"AccessToken": ana.token})).await.0, 200);
    assert_eq!(server.redeem(&code).await.1["error"], "invalid_grant");
    server.stop().await;
}

#[tokio::test]
async fn the_documents_tell_the_way() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let issuer = "http://goodturn.test/us-east-1_Goodturn1";
    for place in [
        "/us-east-1_Goodturn1/.well-known/openid-configuration",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/us-east-1_Goodturn1",
    ] {
        let (status, told) = server.rest("GET", place, None, None).await;
        assert_eq!((status, &told["issuer"]), (200, &json!(issuer)), "{place}");
        assert_eq!(told["jwks_uri"], format!("{issuer}/.well-known/jwks.json"));
        assert_eq!(told["token_endpoint"], "http://goodturn.test/oauth2/token");
        assert_eq!(told["code_challenge_methods_supported"], json!(["S256"]));
    }
    let (_, told) = server.rest("GET", "/config.json", None, None).await;
    assert_eq!((&told["oauth"]["callback"], &told["oauth"]["providers"]), (&json!(CALLBACK), &json!([])));
    server.stop().await;
}

#[tokio::test]
async fn pages_of_allowed_origins_may_ask_for_tokens_and_others_may_not() {
    let allowed = "https://app.example";
    let server = TestServer::start_with(Clock::fixed(START), |config| config.allowed_origins = vec![allowed.to_owned()]).await;
    for (origin, lets) in [(allowed, true), ("https://evil.example", false)] {
        for path in ["/oauth2/token", "/oauth2/userInfo", "/oauth2/revoke"] {
            let asked = server.http(Method::OPTIONS, path).header(header::ORIGIN, origin).header("access-control-request-method", "POST");
            let asked = asked.header("access-control-request-headers", "authorization,content-type").send().await.unwrap();
            assert_eq!(asked.headers().contains_key("access-control-allow-origin"), lets, "{origin} {path}");
            let posted = server.http(Method::POST, path).header(header::ORIGIN, origin).send().await.unwrap();
            assert_eq!(posted.headers().contains_key("access-control-allow-origin"), lets, "{origin} {path}");
        }
    }
    server.stop().await;
}
