//! What an application wants to know of when somebody was asked: passed on to providers, held against what they say, and told as they say it.

use super::{
    browser::{Browser, ELSEWHERE, VERIFIER, claims, request},
    dir,
    federated::{by_club, file, person, visit},
    server,
    upstream::Upstream,
};
use crate::harness::{PASSWORD, START, TestServer};
use serde_json::{Value, json};

/// A request that goes to the provider.
fn club(more: &[(&str, &str)]) -> String {
    request(&[&[("identity_provider", "Club")], more].concat())
}

async fn redeemed(server: &TestServer, code: &str) -> Value {
    let (status, tokens) = server.redeem(code).await;
    assert_eq!(status, 200, "{tokens}");
    tokens
}

#[tokio::test]
async fn a_provider_is_asked_as_the_application_asks() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let browser = Browser::new(&server);
    for (more, prompt, age) in [
        (&[][..], None, None),
        (&[("prompt", "consent")], None, None),
        (&[("prompt", "login")], Some("login"), None),
        (&[("prompt", "select_account login")], Some("login select_account"), None),
        (&[("max_age", "60")], None, Some("60")),
        (&[("max_age", "0")], Some("login"), Some("0")),
    ] {
        let told = browser.get(&club(more)).await.parameters();
        assert_eq!((told.get("prompt").map(String::as_str), told.get("max_age").map(String::as_str)), (prompt, age), "{more:?}");
    }
    // The button of the page goes there as the page was asked for, also after a wrong password.
    let page = browser.sign_in(&request(&[("prompt", "login"), ("max_age", "60")]), "nobody@example.org", "wrong password").await;
    let (_, rest) = page.body.split_once("class=\"other\" href=\"").unwrap();
    let told = browser.get(&rest.split('"').next().unwrap().replace("&amp;", "&")).await.parameters();
    assert_eq!((told["prompt"].as_str(), told["max_age"].as_str()), ("login", "60"));
    server.stop().await;
}

#[tokio::test]
async fn who_was_asked_too_long_ago_is_not_let_on() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let browser = Browser::new(&server);
    let asked = async |more: &[(&str, &str)]| visit(&browser, &upstream, &club(more)).await.error();
    upstream.spoil(|_, claims| claims["auth_time"] = json!(START.unix_timestamp() - 600));
    for (more, error) in [
        (&[][..], ""),
        (&[("max_age", "600")], ""),
        (&[("max_age", "500")], "login_required"),
        (&[("max_age", "0")], "login_required"),
        (&[("prompt", "login")], "login_required"),
        (&[("prompt", "select_account")], ""),
    ] {
        assert_eq!(asked(more).await, error, "{more:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_time_of_no_kind_says_nothing_and_whoever_wants_it_is_told_another_way_in() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let now_s = START.unix_timestamp();
    let said = [Value::Null, json!(now_s.to_string()), json!(1_781_600_399.5), json!(-1), json!(true), json!(now_s + 61), json!(u64::MAX)];
    for said in said {
        let told = said.clone();
        upstream.spoil(move |_, claims| match &told {
            Value::Null => drop(claims.as_object_mut().unwrap().remove("auth_time")),
            told => claims["auth_time"] = told.clone(),
        });
        let browser = Browser::staying(&server);
        let tokens = redeemed(&server, &visit(&browser, &upstream, &by_club()).await.code()).await;
        assert_eq!(claims(&tokens["id_token"])["auth_time"], json!(now_s), "when they came back: {said}");
        // The browser goes through, but not where it must be told when they were asked.
        assert!(browser.get(&request(&[("prompt", "none")])).await.error().is_empty(), "{said}");
        assert_eq!(browser.get(&request(&[("prompt", "none"), ("max_age", "600")])).await.error(), "login_required", "{said}");
        // One that is only told to ask need not say.
        assert_eq!(visit(&browser, &upstream, &club(&[("prompt", "login")])).await.error(), "", "{said}");
        for age in ["600", "0"] {
            let page = visit(&browser, &upstream, &club(&[("max_age", age)])).await;
            assert!(page.status == 403 && page.body.contains("Club doesn't say when you signed in there"), "{said}: {page:?}");
            assert!(page.body.contains("new@example.org") && !page.body.contains("Continue with Club"), "{page:?}");
            let form = [("request", page.field("request")), ("username", ana.email.clone()), ("password", PASSWORD.to_owned())];
            let seen = browser.post("/oauth2/page/sign-in", &form.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
            redeemed(&server, &seen.code()).await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_clock_of_a_provider_may_be_ahead_or_behind_by_little() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let now_s = START.unix_timestamp();
    for (ahead_s, told_s) in [(60, now_s), (1, now_s), (-60, now_s - 60)] {
        upstream.spoil(move |_, claims| claims["auth_time"] = json!(now_s + ahead_s));
        let browser = Browser::staying(&server);
        let tokens = redeemed(&server, &visit(&browser, &upstream, &club(&[("max_age", "0")])).await.code()).await;
        assert_eq!(claims(&tokens["id_token"])["auth_time"], json!(told_s), "{ahead_s}: nobody was asked in the future");
        let through = browser.get(&request(&[("prompt", "none"), ("max_age", "60")])).await.parameters()["code"].clone();
        assert_eq!(claims(&redeemed(&server, &through).await["id_token"])["auth_time"], json!(told_s), "{ahead_s}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_time_is_told_as_the_provider_says_it() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    upstream.spoil(|_, claims| claims["auth_time"] = json!(START.unix_timestamp() - 600));
    let browser = Browser::staying(&server);
    let long_ago = json!(START.unix_timestamp() - 600);
    // As who is new, and as who was here before.
    for _ in 0..2 {
        let tokens = redeemed(&server, &visit(&browser, &upstream, &by_club()).await.code()).await;
        assert_eq!((&claims(&tokens["id_token"])["auth_time"], &claims(&tokens["access_token"])["auth_time"]), (&long_ago, &long_ago));
    }
    // The browser goes through by that time, and not by when it came back.
    let plain = |age: &'static str| request(&[("client_id", "plain"), ("redirect_uri", ELSEWHERE), ("scope", "openid"), ("max_age", age)]);
    assert_eq!(browser.get(&plain("599")).await.status, 200);
    let code = browser.get(&plain("600")).await.parameters()["code"].clone();
    let pairs = [("grant_type", "authorization_code"), ("client_id", "plain"), ("redirect_uri", ELSEWHERE), ("code_verifier", VERIFIER)];
    let (_, tokens) = server.token(&[pairs.as_slice(), &[("code", &code)]].concat(), None).await;
    assert_eq!(claims(&tokens["id_token"])["auth_time"], long_ago);
    server.stop().await;
}

#[tokio::test]
async fn a_key_that_another_took_the_place_of_is_asked_for_once_more() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let browser = Browser::new(&server);
    assert_eq!(visit(&browser, &upstream, &by_club()).await.error(), "");
    upstream.replaces_its_key();
    assert_eq!(visit(&browser, &upstream, &by_club()).await.error(), "");
    assert_eq!(upstream.times("keys"), 2);
    // And not for every token that is no good.
    upstream.replaces_its_key();
    for _ in 0..3 {
        assert_eq!(visit(&browser, &upstream, &by_club()).await.error(), "server_error");
    }
    assert_eq!(upstream.times("keys"), 2);
    server.stop().await;
}
