//! What an application wants to know of when somebody was asked: passed on to providers, held against what they say, and told as they say it.

use super::{
    browser::{Browser, ELSEWHERE, VERIFIER, claims, request},
    dir,
    federated::{by_club, file, person, visit},
    server,
    upstream::Upstream,
};
use crate::harness::{START, TestServer};
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
    // Who does not say when has not shown it; one that is only told to ask need not say.
    upstream.spoil(|_, _| ());
    assert_eq!((asked(&[("max_age", "600")]).await.as_str(), asked(&[("prompt", "login")]).await.as_str()), ("login_required", ""));
    upstream.spoil(|_, claims| claims["auth_time"] = json!(START.unix_timestamp() + 61));
    assert_eq!(asked(&[]).await, "server_error", "it has not come");
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
