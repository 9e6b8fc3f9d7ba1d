//! The page: what a member sees, and what nobody can make of it.

use super::{
    browser::{Browser, CALLBACK, Seen, form, request},
    dir, server,
};
use crate::harness::{PASSWORD, START, TestServer};
use goodturn::clock::Clock;
use reqwest::header;
use serde_json::{Value, json};
use time::Duration;

#[tokio::test]
async fn nobody_is_sent_to_a_strange_address_and_applications_hear_what_is_wrong() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let browser = Browser::new(&server);
    for others in [
        [("redirect_uri", "https://evil.example/")],
        [("redirect_uri", "http://goodturn.test/auth/callback?x=1")],
        [("redirect_uri", "http://goodturn.test/auth/callback/../../x")],
        [("redirect_uri", "")],
        [("client_id", "plain")],
        [("client_id", "nobody")],
        [("client_id", "<script>alert(1)</script>")],
    ] {
        let seen = browser.get(&request(&others)).await;
        assert_eq!((seen.status, &*seen.location), (400, ""), "{others:?}");
        assert!(seen.body.contains("Sign In Failed") && !seen.body.contains("<script"), "{seen:?}");
    }
    for (others, error) in [
        ([("response_type", "token")], "unsupported_response_type"),
        ([("scope", "openid everything")], "invalid_scope"),
        ([("code_challenge", "")], "invalid_request"),
        ([("code_challenge_method", "plain")], "invalid_request"),
        ([("prompt", "none")], "login_required"),
        ([("identity_provider", "Nobody")], "invalid_request"),
    ] {
        let seen = browser.get(&request(&others)).await;
        let told = seen.parameters();
        assert!(seen.location.starts_with(CALLBACK) && !told.contains_key("code"), "{others:?}: {seen:?}");
        assert_eq!((told["error"].as_str(), told["state"].as_str()), (error, "a state&"), "{others:?}");
    }
    let posted = browser.post("/oauth2/authorize", &[("client_id", "nobody")]).await;
    assert_eq!(posted.status, 400);
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_kept_by_nobody_framed_by_nobody_and_runs_nothing() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let page = Browser::new(&server).get(&request(&[("login_hint", "\"><script>alert(1)</script>")])).await;
    let header = |name: &str| page.headers[name].to_str().unwrap().to_owned();
    assert_eq!(
        (header("cache-control"), header("referrer-policy"), header("x-frame-options")),
        ("no-store".into(), "no-referrer".into(), "DENY".into())
    );
    let policy = header("content-security-policy");
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http://goodturn.test; base-uri 'none'; frame-ancestors 'none'"
    );
    assert!(!page.body.contains("<script") && page.body.contains("&quot;&gt;&lt;script&gt;"), "{page:?}");
    assert!(page.body.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    let style = Browser::new(&server).get("/oauth2/page/style.css").await;
    assert_eq!((style.status, style.headers["content-type"].to_str().unwrap()), (200, "text/css; charset=utf-8"));
    server.stop().await;
}

#[tokio::test]
async fn a_form_counts_only_in_the_browser_that_it_was_given_to_and_for_an_hour() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (mine, other) = (Browser::new(&server), Browser::new(&server));
    let page = mine.get(&request(&[])).await;
    other.get(&request(&[])).await;
    let carried = page.field("request");
    let fields = [("request", &*carried), ("username", &*ana.email), ("password", PASSWORD)];
    for path in ["sign-in", "forgot", "reset", "back", "cancel"] {
        let seen = other.post(&format!("/oauth2/page/{path}"), &fields).await;
        assert_eq!((seen.status, seen.location.as_str()), (400, ""), "{path}");
    }
    assert_eq!(Browser::new(&server).post("/oauth2/page/sign-in", &fields).await.status, 400, "without a cookie");
    let other = if &carried[40..41] == "A" { "B" } else { "A" };
    let spoilt = format!("{}{other}{}", &carried[..40], &carried[41..]);
    assert_eq!(mine.post("/oauth2/page/sign-in", &[("request", &spoilt), fields[1], fields[2]]).await.status, 400);
    // Two tabs of one browser do not disturb each other.
    let second = mine.get(&request(&[("state", "second")])).await.field("request");
    assert_eq!(mine.post("/oauth2/page/sign-in", &fields).await.parameters()["state"], "a state&");
    assert_eq!(mine.post("/oauth2/page/sign-in", &[("request", &second), fields[1], fields[2]]).await.parameters()["state"], "second");
    let cancelled = mine.post("/oauth2/page/cancel", &fields[..1]).await;
    assert_eq!(cancelled.error(), "access_denied");
    server.clock.advance(Duration::hours(1));
    assert_eq!(mine.post("/oauth2/page/sign-in", &fields).await.status, 400);
    server.stop().await;
}

#[tokio::test]
async fn wrong_passwords_count_as_anywhere_and_known_and_unknown_look_alike() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    for email in [ana.email.as_str(), "nobody@example.org"] {
        for _ in 0..5 {
            let seen = browser.sign_in(&request(&[]), email, "wrong password").await;
            assert_eq!(seen.status, 400);
            assert!(seen.body.contains("Incorrect username or password.") && !seen.body.contains("wrong password"), "{seen:?}");
        }
        let held = browser.sign_in(&request(&[]), email, PASSWORD).await;
        assert_eq!(held.status, 429, "{email}");
        assert!(held.body.contains("Too many attempts. Please try again later."));
    }
    // And holds the operations too.
    let parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD});
    let body = json!({"ClientId": "goodturnweb", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    assert_eq!(server.target("InitiateAuth", body).await.1["message"], "Password attempts exceeded");
    server.clock.advance(Duration::seconds(2));
    let empty = browser.sign_in(&request(&[]), &ana.email, "").await;
    assert!(empty.status == 400 && empty.body.contains("Please enter both email and password."));
    browser.sign_in(&request(&[]), &ana.email, PASSWORD).await.code();
    server.stop().await;
}

#[tokio::test]
async fn a_forgotten_password_is_set_on_the_page() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let page = browser.get(&request(&[])).await;
    let carried = page.field("request");
    let ask = browser.post("/oauth2/page/forgot", &[("request", &carried)]).await;
    assert!(ask.status == 200 && ask.body.contains("Forgot your password?"));
    let sent = browser.post("/oauth2/page/forgot", &[("request", &carried), ("username", &ana.email), ("send", "1")]).await;
    assert!(sent.status == 200 && sent.body.contains("Choose a new password") && sent.body.contains(&ana.email), "{sent:?}");
    let unknown = browser.post("/oauth2/page/forgot", &[("request", &carried), ("username", "nobody@example.org"), ("send", "1")]).await;
    let plain = |seen: &Seen, email: &str| seen.body.replace(email, "").replace(&seen.field("request"), "");
    assert_eq!(plain(&sent, &ana.email), plain(&unknown, "nobody@example.org"));
    let code = server.reset_code_for(&ana.email).await;
    let set = async |code: &str, password: &str| {
        browser.post("/oauth2/page/reset", &[("request", &carried), ("username", &ana.email), ("code", code), ("password", password)]).await
    };
    assert!(set(&code, "short").await.body.contains("Your password is too short."));
    assert!(set(&code, "").await.body.contains("Please fill in all fields"));
    let done = set(&code, "Another-horse-9").await;
    assert!(done.status == 200 && done.body.contains("Your new password is set."), "{done:?}");
    browser.sign_in(&request(&[]), &ana.email, "Another-horse-9").await.code();
    server.stop().await;
}

#[tokio::test]
async fn logging_out_goes_to_the_applications_addresses_alone() {
    let dir = dir();
    let server = server(dir.path(), "").await;
    let browser = Browser::new(&server);
    let out = async |pairs: &[(&str, &str)]| browser.get(&format!("/logout?{}", form(pairs))).await;
    let seen = out(&[("client_id", "partner"), ("logout_uri", "https://partner.example/")]).await;
    assert_eq!((seen.status, seen.location.as_str()), (303, "https://partner.example/"));
    assert!(seen.headers[header::SET_COOKIE].to_str().unwrap().contains("Max-Age=0"));
    for wrong in [
        &[("client_id", "partner"), ("logout_uri", "https://partner.example/else")][..],
        &[("client_id", "partner"), ("logout_uri", "https://evil.example/")],
        &[("client_id", "plain"), ("logout_uri", "https://partner.example/")],
        &[("client_id", "nobody"), ("logout_uri", "https://partner.example/")],
        &[("logout_uri", "https://partner.example/")],
        &[("client_id", "partner")],
    ] {
        let seen = out(wrong).await;
        assert_eq!((seen.status, seen.location.as_str()), (400, ""), "{wrong:?}");
        assert!(seen.body.contains("Sign Out Failed") && !seen.body.contains("Sign In Failed"), "{seen:?}");
    }
    let again = out(&[("client_id", "partner"), ("redirect_uri", "https://partner.example/back?x=1"), ("response_type", "code")]).await;
    assert!(again.location.starts_with("http://goodturn.test/oauth2/authorize?client_id=partner&redirect_uri="), "{again:?}");
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_asks_too_often_is_told_so_in_the_form_of_what_it_asks() {
    let server = TestServer::start_with(Clock::fixed(START), |config| {
        config.rate_identity = goodturn::edge::limits::Rate::new(1, 2);
    })
    .await;
    let browser = Browser::new(&server);
    let mut last = browser.get(&request(&[])).await;
    for _ in 0..2 {
        last = browser.get(&request(&[])).await;
    }
    assert_eq!(last.status, 429);
    assert!(last.headers.contains_key(header::RETRY_AFTER) && last.body.contains("Too many attempts."), "{last:?}");
    let mut answer = (0, Value::Null);
    for _ in 0..3 {
        answer = server.token(&[("grant_type", "x")], None).await;
    }
    assert_eq!((answer.0, &answer.1["error"]), (429, &json!("temporarily_unavailable")));
    server.stop().await;
}
