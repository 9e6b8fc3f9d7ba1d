//! Browsers that are signed in: who goes through at once, who is asked all the same, and what ends it.

use super::{
    browser::{Browser, ELSEWHERE, Seen, VERIFIER, claims, request},
    dir, federated, server,
    upstream::Upstream,
};
use crate::{
    harness::{Member, PASSWORD, START, TestServer},
    steps::{totp, unbase32},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use goodturn::clock::Clock;
use reqwest::header;
use serde_json::{Value, json};
use time::Duration;

const MORE: &str = "[[client]]\nid = \"strict\"\nmfa = \"required\"\ncallbacks = [\"http://localhost:3000/back\"]\n\
                    [[client]]\nid = \"lax\"\nmfa = \"off\"\ncallbacks = [\"http://localhost:3000/back\"]\n\
                    [[client]]\nid = \"own\"\nproviders = [\"COGNITO\"]\ncallbacks = [\"http://localhost:3000/back\"]\n";
const NEW: &str = "Another-horse-9";

/// A request of an application of the file.
fn at(client: &str, more: &[(&str, &str)]) -> String {
    request(&[&[("client_id", client), ("redirect_uri", ELSEWHERE), ("scope", "openid")], more].concat())
}

/// Whether somebody goes through without a page.
async fn passes(browser: &Browser<'_>, client: &str) -> bool {
    let seen = browser.get(&at(client, &[("prompt", "none")])).await;
    assert!(seen.location.starts_with(ELSEWHERE), "{seen:?}");
    let error = seen.error();
    assert!(error.is_empty() || error == "login_required", "{error}");
    error.is_empty()
}

/// Signs in with the web app in a browser that stays; its tokens.
async fn signed_in<'a>(server: &'a TestServer, member: &Member) -> (Browser<'a>, Value) {
    let browser = Browser::staying(server);
    let code = browser.sign_in(&request(&[]), &member.email, PASSWORD).await.code();
    let (status, tokens) = server.redeem(&code).await;
    assert_eq!(status, 200, "{tokens}");
    (browser, tokens)
}

async fn redeem(server: &TestServer, client: &str, seen: &Seen) -> Value {
    let code = seen.parameters()["code"].clone();
    let pairs = [("grant_type", "authorization_code"), ("client_id", client), ("redirect_uri", ELSEWHERE), ("code_verifier", VERIFIER)];
    let (status, tokens) = server.token(&[pairs.as_slice(), &[("code", &code)]].concat(), None).await;
    assert_eq!(status, 200, "{tokens}");
    tokens
}

#[tokio::test]
async fn who_is_signed_in_goes_through_for_an_hour_at_other_applications_too() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let ana = server.ana().await;
    let fresh = Browser::staying(&server);
    assert!(!passes(&fresh, "plain").await);
    let (browser, tokens) = signed_in(&server, &ana).await;
    server.clock.advance(Duration::minutes(10));
    let told = redeem(&server, "plain", &browser.get(&at("plain", &[])).await).await;
    let (first, second) = (claims(&tokens["id_token"]), claims(&told["id_token"]));
    assert_eq!((&second["sub"], &second["aud"], &told["scope"]), (&json!(ana.uid), &json!("plain"), &json!("openid")));
    assert_eq!(second["auth_time"], first["auth_time"], "she was asked then");
    assert_eq!(second["iat"].as_i64().unwrap(), first["iat"].as_i64().unwrap() + 600);
    // It stays so over a refresh, on each node, and for this browser alone.
    let again = [("grant_type", "refresh_token"), ("client_id", "plain"), ("refresh_token", told["refresh_token"].as_str().unwrap())];
    assert_eq!(claims(&server.token(&again, None).await.1["id_token"])["auth_time"], first["auth_time"]);
    let other = server.second_node().await;
    let there = Browser::staying(&other);
    *there.signed_in.lock().unwrap() = browser.signed_in.lock().unwrap().clone();
    assert!(passes(&there, "plain").await && !passes(&fresh, "plain").await);
    // Its secret stands nowhere.
    let cookie = browser.signed_in.lock().unwrap().clone().unwrap();
    let secret = URL_SAFE_NO_PAD.decode(cookie.split_once('=').unwrap().1).unwrap();
    let sql = "SELECT count(*) FROM browser_sessions WHERE id = $1";
    let found: i64 = sqlx::query_scalar(sql).bind(&secret).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!((found, secret.len()), (0, 32));
    // Going through makes it no longer.
    server.clock.advance(Duration::minutes(50));
    assert!(!passes(&browser, "plain").await && browser.get(&at("plain", &[])).await.status == 200);
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn who_must_be_asked_is_asked() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let ana = server.ana().await;
    let (browser, _) = signed_in(&server, &ana).await;
    server.clock.advance(Duration::seconds(61));
    let upper = ana.email.to_uppercase();
    for (more, is_asked) in [
        (&[("prompt", "login")][..], true),
        (&[("prompt", "select_account")], true),
        (&[("prompt", "consent")], false),
        (&[("max_age", "60")], true),
        (&[("max_age", "0")], true),
        (&[("max_age", "61")], false),
        (&[("login_hint", "ben@example.org")], true),
        (&[("login_hint", &*upper)], false),
    ] {
        let seen = browser.get(&at("plain", more)).await;
        assert_eq!(seen.status, if is_asked { 200 } else { 303 }, "{more:?}");
    }
    let silent = browser.get(&at("plain", &[("prompt", "none"), ("max_age", "60")])).await;
    assert_eq!(silent.error(), "login_required");
    // Asked anew, the time is that of the answer.
    let page = browser.get(&at("plain", &[("prompt", "login")])).await;
    let fields = [("request", page.field("request")), ("username", ana.email.clone()), ("password", PASSWORD.to_owned())];
    let pairs = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let told = redeem(&server, "plain", &browser.post("/oauth2/page/sign-in", &pairs).await).await;
    assert_eq!(claims(&told["id_token"])["auth_time"], json!(START.unix_timestamp() + 61));
    assert_eq!(browser.get(&at("plain", &[("max_age", "1")])).await.status, 303);
    assert_eq!(browser.get(&at("plain", &[("max_age", "0")])).await.status, 200);
    server.stop().await;
}

/// What ends it, by whoever does it with these tokens.
async fn ends(server: &TestServer, way: &str, browser: &Browser<'_>, ana: &Member, tokens: &Value) {
    let (access, refresh) = (&tokens["access_token"], tokens["refresh_token"].as_str().unwrap());
    let done = match way {
        "logging out" => {
            let seen = browser.get("/logout?client_id=goodturnweb&logout_uri=http%3A%2F%2Fgoodturn.test%2F").await;
            assert!(browser.signed_in.lock().unwrap().is_none());
            seen.status
        }
        "signing out everywhere" => server.target("GlobalSignOut", json!({"AccessToken": ana.token})).await.0,
        "another password" => {
            let body = json!({"AccessToken": access, "PreviousPassword": PASSWORD, "ProposedPassword": NEW});
            server.target("ChangePassword", body).await.0
        }
        "a forgotten password" => {
            let named = json!({"ClientId": "goodturnweb", "Username": ana.email});
            assert_eq!(server.target("ForgotPassword", named).await.0, 200);
            let code = server.reset_code_for(&ana.email).await;
            let body = json!({"ClientId": "goodturnweb", "Username": ana.email, "ConfirmationCode": code, "Password": NEW});
            server.target("ConfirmForgotPassword", body).await.0
        }
        "a second factor" => {
            server.with_authenticator(ana).await;
            200
        }
        "the end of the session" => server.form("/oauth2/revoke", &[("token", refresh), ("client_id", "goodturnweb")], None).await.0,
        "an operator" => {
            server.operator(&["members", "disable", &ana.uid]).await;
            200
        }
        "the end of the account" => server.target("DeleteUser", json!({"AccessToken": access})).await.0,
        _ => unreachable!("{way}"),
    };
    assert!(done < 400, "{way}: {done}");
}

#[tokio::test]
async fn whatever_ends_sessions_ends_it_too() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let ways = [
        "logging out",
        "signing out everywhere",
        "another password",
        "a forgotten password",
        "a second factor",
        "the end of the session",
        "an operator",
        "the end of the account",
    ];
    for (name, way) in ["Ana", "Bea", "Cleo", "Dora", "Eve", "Fay", "Gia", "Hope"].into_iter().zip(ways) {
        let member = server.member(name, "Silva").await;
        let (browser, tokens) = signed_in(&server, &member).await;
        let kept = browser.signed_in.lock().unwrap().clone();
        assert!(passes(&browser, "plain").await);
        server.clock.advance(Duration::seconds(1));
        ends(&server, way, &browser, &member, &tokens).await;
        // Also for who has kept the cookie.
        *browser.signed_in.lock().unwrap() = kept;
        assert!(!passes(&browser, "plain").await, "{way}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_next_sign_in_takes_the_place_of_the_one_before() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (browser, _) = signed_in(&server, &ana).await;
    let before = browser.signed_in.lock().unwrap().clone();
    browser.sign_in(&request(&[("prompt", "login")]), &ben.email, PASSWORD).await.code();
    assert!(passes(&browser, "plain").await);
    *browser.signed_in.lock().unwrap() = before;
    assert!(!passes(&browser, "plain").await, "who has kept the cookie of the one before is nobody");
    server.stop().await;
}

#[tokio::test]
async fn no_second_factor_is_passed_over() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let secret = server.with_authenticator(&ana).await;
    let lax = Browser::staying(&server);
    redeem(&server, "lax", &lax.sign_in(&at("lax", &[]), &ana.email, PASSWORD).await).await;
    assert!(passes(&lax, "lax").await && !passes(&lax, "plain").await && !passes(&lax, "strict").await);
    let full = Browser::staying(&server);
    let page = full.sign_in(&at("plain", &[]), &ana.email, PASSWORD).await;
    assert!(!passes(&full, "lax").await, "she has not shown it all");
    let names = ["request", "step", "session", "username"].map(|name| (name, page.field(name)));
    let code = totp(&secret, server.clock.now());
    let pairs: Vec<_> = names.iter().map(|(name, value)| (*name, value.as_str())).chain([("answer", &*code)]).collect();
    redeem(&server, "plain", &full.post("/oauth2/page/step", &pairs).await).await;
    assert!(passes(&full, "plain").await && passes(&full, "strict").await && passes(&full, "lax").await);
    // Who has none sets one up where it is wanted.
    let (browser, _) = signed_in(&server, &ben).await;
    assert!(passes(&browser, "plain").await && !passes(&browser, "strict").await);
    server.stop().await;
}

#[tokio::test]
async fn an_authenticator_that_is_off_or_new_is_not_passed_over_either() {
    let dir = dir();
    let server = server(dir.path(), MORE).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    // Off at the web app, and asked for where it is wanted: the browser has not shown it.
    server.with_authenticator(&ana).await;
    server.prefer(&ana, json!({"SoftwareTokenMfaSettings": {"Enabled": false}})).await.unwrap();
    let (browser, _) = signed_in(&server, &ana).await;
    assert!(passes(&browser, "plain").await && !passes(&browser, "strict").await);
    // Set up in a sign-in: whoever was in by the password alone begins anew.
    let (browser, _) = signed_in(&server, &ben).await;
    let session = server.enter("strict", &ben, json!({})).await.unwrap()["Session"].clone();
    server.clock.advance(Duration::SECOND);
    let made = server.asked("AssociateSoftwareToken", json!({"Session": session})).await.unwrap();
    let code = totp(&unbase32(made["SecretCode"].as_str().unwrap()), server.clock.now());
    let verified = server.asked("VerifySoftwareToken", json!({"Session": made["Session"], "UserCode": code})).await.unwrap();
    assert!(!passes(&browser, "plain").await && !passes(&browser, "strict").await);
    let in_ = server.step("strict", "MFA_SETUP", &verified["Session"], json!({"USERNAME": ben.email})).await.unwrap();
    assert!(in_["AuthenticationResult"]["AccessToken"].is_string(), "who set it up goes on: {in_}");
    server.stop().await;
}

#[tokio::test]
async fn who_came_by_a_provider_goes_through_where_it_is_offered() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &format!("{MORE}{}", federated::file(&upstream))).await;
    upstream.is(federated::person("123", "new@example.org", "New Comer"));
    let browser = Browser::staying(&server);
    let code = federated::visit(&browser, &upstream, &federated::by_club()).await.code();
    assert_eq!(server.redeem(&code).await.0, 200);
    assert!(passes(&browser, "plain").await && !passes(&browser, "own").await);
    // Who asks for the provider is sent there.
    assert!(browser.get(&federated::by_club()).await.location.starts_with(&upstream.issuer));
    assert_eq!(browser.get(&request(&[("identity_provider", "Club"), ("prompt", "none")])).await.error(), "login_required");
    server.stop().await;
}

#[tokio::test]
async fn by_tls_the_cookie_is_of_this_host_alone() {
    let server = TestServer::start_with(Clock::fixed(START), |config| config.public_url = Some("https://goodturn.test".into())).await;
    let ana = server.ana().await;
    let browser = Browser::staying(&server);
    let asked = request(&[("redirect_uri", "https://goodturn.test/auth/callback")]);
    let seen = browser.sign_in(&asked, &ana.email, PASSWORD).await;
    let set: Vec<_> = seen.headers.get_all(header::SET_COOKIE).iter().map(|set| set.to_str().unwrap()).collect();
    assert_eq!(set.len(), 1, "{set:?}");
    let (pair, rest) = set[0].split_once("; ").unwrap();
    assert!(pair.starts_with("__Host-goodturn_signed_in="), "{pair}");
    assert_eq!(rest, "Max-Age=3600; Path=/; HttpOnly; SameSite=Lax; Secure");
    server.stop().await;
}
