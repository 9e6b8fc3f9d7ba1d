//! Members who come by a provider: new ones, those who came before, and those whose account must be shown to be theirs.

use super::{
    browser::{ALL, Browser, CALLBACK, Seen, claims, request},
    dir, server,
    upstream::{ID, SECRET, Upstream},
};
use crate::harness::{PASSWORD, TestServer};
use serde_json::{Value, json};
use time::Duration;

pub fn file(upstream: &Upstream) -> String {
    let issuer = &upstream.issuer;
    format!("[[provider]]\nname = \"Club\"\nissuer = \"{issuer}\"\nclient-id = \"{ID}\"\nclient-secret = \"{SECRET}\"\n")
}

pub fn person(sub: &str, email: &str, name: &str) -> Value {
    json!({"sub": sub, "email": email, "email_verified": true, "name": name})
}

pub fn by_club() -> String {
    request(&[("identity_provider", "Club")])
}

/// Goes to the provider and comes back.
pub async fn visit(browser: &Browser<'_>, upstream: &Upstream, asked: &str) -> Seen {
    let sent = browser.get(asked).await;
    let back = upstream.visit(&sent.location);
    browser.get(&format!("/oauth2/idpresponse?{back}")).await
}

async fn tokens(server: &TestServer, seen: &Seen) -> Value {
    let (status, tokens) = server.redeem(&seen.code()).await;
    assert_eq!(status, 200, "{tokens}");
    tokens
}

async fn user(server: &TestServer, tokens: &Value) -> Value {
    let (status, user) = server.target("GetUser", json!({"AccessToken": tokens["access_token"]})).await;
    assert_eq!(status, 200, "{user}");
    user
}

fn attribute<'a>(user: &'a Value, name: &str) -> &'a str {
    let mut all = user["UserAttributes"].as_array().unwrap().iter();
    all.find(|a| a["Name"] == name).map_or("", |a| a["Value"].as_str().unwrap())
}

#[tokio::test]
async fn who_has_no_account_becomes_a_member_and_is_the_same_the_next_time() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("123", "Ana@example.org", "Ana Maria Silva"));
    let browser = Browser::new(&server);
    let first = tokens(&server, &visit(&browser, &upstream, &by_club()).await).await;
    let (access, id) = (claims(&first["access_token"]), claims(&first["id_token"]));
    assert_eq!((&access["username"], &access["scope"], &id["cognito:username"]), (&json!("Club_123"), &json!(ALL), &json!("Club_123")));
    uuid::Uuid::parse_str(access["sub"].as_str().unwrap()).unwrap();
    assert_eq!((&id["identities"][0]["providerName"], &id["identities"][0]["userId"]), (&json!("Club"), &json!("123")));
    let told = user(&server, &first).await;
    assert_eq!((told["Username"].as_str(), attribute(&told, "email")), (Some("Club_123"), "Ana@example.org"));
    assert_eq!((attribute(&told, "given_name"), attribute(&told, "email_verified")), ("Ana", "true"));
    let identities: Value = serde_json::from_str(attribute(&told, "identities")).unwrap();
    assert_eq!((&identities[0]["providerType"], &identities[0]["primary"]), (&json!("OIDC"), &json!(true)));
    assert_eq!(server.user_info(first["access_token"].as_str().unwrap()).await.1["username"], "Club_123");

    // The attributes follow.
    upstream.is(person("123", "ana.silva@example.org", "Anna Silva"));
    let again = tokens(&server, &visit(&Browser::new(&server), &upstream, &by_club()).await).await;
    assert_eq!(claims(&again["access_token"])["sub"], access["sub"]);
    let told = user(&server, &again).await;
    assert_eq!((attribute(&told, "email"), attribute(&told, "name")), ("ana.silva@example.org", "Anna Silva"));
    assert_eq!((upstream.times("document"), upstream.times("keys")), (1, 1), "what it tells of itself is kept");

    // There is no password, until one is set by a code.
    let enters = async |password: &str| {
        let parameters = json!({"USERNAME": "ana.silva@example.org", "PASSWORD": password});
        let body = json!({"ClientId": "goodturnweb", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        server.target("InitiateAuth", body).await
    };
    assert_eq!(enters("").await.0, 400);
    assert_eq!(enters(PASSWORD).await.1["message"], "Incorrect username or password.");
    let change = json!({"AccessToken": again["access_token"], "PreviousPassword": PASSWORD, "ProposedPassword": "Another-horse-9"});
    assert_eq!(server.target("ChangePassword", change).await.1["message"], "Incorrect username or password.");
    let forgot = json!({"ClientId": "goodturnweb", "Username": "ana.silva@example.org"});
    assert_eq!(server.target("ForgotPassword", forgot).await.0, 200);
    let code = server.reset_code_for("ana.silva@example.org").await;
    let reset = json!({"ClientId": "goodturnweb", "Username": "ana.silva@example.org", "ConfirmationCode": code, "Password": PASSWORD});
    assert_eq!(server.target("ConfirmForgotPassword", reset).await.0, 200);
    assert_eq!(enters(PASSWORD).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn an_account_is_linked_by_its_password_and_never_silently() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    upstream.is(person("7", &ana.email.to_uppercase(), "Somebody Else"));
    let browser = Browser::new(&server);
    let page = visit(&browser, &upstream, &by_club()).await;
    assert!(page.status == 200 && page.body.contains("You already have an account") && page.location.is_empty(), "{page:?}");
    let link = page.field("link");
    let by =
        async |browser: &Browser<'_>, password: &str| browser.post("/oauth2/page/link", &[("link", &link), ("password", password)]).await;
    let wrong = by(&browser, "wrong password").await;
    assert!(wrong.status == 400 && wrong.body.contains("Incorrect username or password."));
    let other = Browser::new(&server);
    other.get(&request(&[])).await;
    assert_eq!(by(&other, PASSWORD).await.status, 400, "another browser");
    // Nothing is linked yet.
    assert!(visit(&Browser::new(&server), &upstream, &by_club()).await.body.contains("You already have an account"));
    let told = user(&server, &tokens(&server, &by(&browser, PASSWORD).await).await).await;
    assert_eq!((told["Username"].as_str(), attribute(&told, "name")), (Some(&*ana.uid), "Ana Silva"), "she stays who she is");
    assert!(attribute(&told, "identities").contains("\"userId\":\"7\""));
    assert_eq!(by(&browser, PASSWORD).await.status, 400, "it is over");
    // From now on it signs her in.
    let next = tokens(&server, &visit(&Browser::new(&server), &upstream, &by_club()).await).await;
    assert_eq!(claims(&next["access_token"])["sub"], json!(ana.uid));
    server.stop().await;
}

#[tokio::test]
async fn an_account_is_linked_by_a_code_to_its_address() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    upstream.is(person("7", &ana.email, "Ana"));
    let browser = Browser::new(&server);
    let link = visit(&browser, &upstream, &by_club()).await.field("link");
    let by = async |code: &str| browser.post("/oauth2/page/link/code", &[("link", &link), ("code", code)]).await;
    assert_eq!(by("000000").await.status, 400, "none was sent");
    assert!(browser.post("/oauth2/page/link/send", &[("link", &link)]).await.body.contains("Check your email"));
    let mail = server.mail_to(&ana.email, |body| body.contains("signed in to another service")).await;
    let code = mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for _ in 0..4 {
        assert!(by(wrong).await.body.contains("Invalid verification code"));
    }
    let linked = tokens(&server, &by(&code).await).await;
    assert_eq!(claims(&linked["access_token"])["sub"], json!(ana.uid));
    // Five wrong ones end a code.
    upstream.is(person("8", &ana.email, "Ana"));
    let link = visit(&browser, &upstream, &by_club()).await.field("link");
    browser.post("/oauth2/page/link/send", &[("link", &link)]).await;
    let fits = |body: &str| body.contains("signed in to another service") && !body.contains(&code);
    let mail = server.mail_to(&ana.email, fits).await;
    let next = mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    let by = async |code: &str| browser.post("/oauth2/page/link/code", &[("link", &link), ("code", code)]).await;
    for _ in 0..5 {
        by(if next == "000000" { "000001" } else { "000000" }).await;
    }
    assert!(by(&next).await.body.contains("This code has expired. Request a new one."));
    server.clock.advance(Duration::minutes(15));
    assert_eq!(browser.post("/oauth2/page/link/send", &[("link", &link)]).await.status, 400);
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_the_provider_has_not_verified_is_nobodys() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    let mut seen = Vec::new();
    for email in [&*ana.email, "new@example.org"] {
        for verified in [json!(false), json!(null), json!(1)] {
            upstream.is(json!({"sub": "9", "email": email, "email_verified": verified, "name": "Ana"}));
            let page = visit(&Browser::new(&server), &upstream, &by_club()).await;
            assert!(page.status == 403 && page.body.contains("Club hasn't verified your email address."), "{page:?}");
            seen.push(page.body.replace(&page.field("request"), ""));
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "whether there is an account is not told");
    server.stop().await;
}

#[tokio::test]
async fn an_answer_counts_once_and_in_the_browser_that_was_sent() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let (mine, other) = (Browser::new(&server), Browser::new(&server));
    let sent = mine.get(&by_club()).await;
    let theirs = other.get(&by_club()).await;
    assert_ne!(mine.cookie.lock().unwrap().clone(), other.cookie.lock().unwrap().clone());
    let back = format!("/oauth2/idpresponse?{}", upstream.visit(&sent.location));
    let theirs = format!("/oauth2/idpresponse?{}", upstream.visit(&theirs.location));
    for (browser, path) in [(&other, &back), (&mine, &theirs), (&Browser::new(&server), &back)] {
        let seen = browser.get(path).await;
        assert_eq!((seen.status, seen.location.as_str()), (400, ""), "{seen:?}");
    }
    assert_eq!(mine.get("/oauth2/idpresponse?code=x&state=nonsense").await.status, 400);
    // Both at once, each in its own.
    let (one, two) = tokio::join!(mine.get(&back), other.get(&theirs));
    let (one, two) = (tokens(&server, &one).await, tokens(&server, &two).await);
    assert_eq!(claims(&one["access_token"])["sub"], claims(&two["access_token"])["sub"], "one person is one member");
    assert_eq!(mine.get(&back).await.status, 400, "a second time");
    let late = mine.get(&by_club()).await;
    let late = format!("/oauth2/idpresponse?{}", upstream.visit(&late.location));
    server.clock.advance(Duration::minutes(15));
    assert_eq!(mine.get(&late).await.status, 400);
    server.stop().await;
}

#[tokio::test]
async fn what_a_provider_says_is_checked_and_its_refusals_are_told() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let browser = Browser::new(&server);
    let flaws: [fn(&mut Value, &mut Value); 12] = [
        |header, _| header["alg"] = json!("none"),
        |header, _| header["alg"] = json!("HS256"),
        |header, _| header["alg"] = json!("RS256"),
        |header, _| header["kid"] = json!("x"),
        |header, _| header["kid"] = json!("unknown"),
        |header, _| header["crit"] = json!(["exp"]),
        |_, claims| claims["iss"] = json!("https://evil.example"),
        |_, claims| claims["aud"] = json!("another"),
        |_, claims| claims["nonce"] = json!("another"),
        |_, claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 61),
        |_, claims| claims["sub"] = json!(""),
        |_, claims| claims["azp"] = json!("another"),
    ];
    for (n, flaw) in flaws.into_iter().enumerate() {
        upstream.spoil(flaw);
        let seen = visit(&browser, &upstream, &by_club()).await;
        assert_eq!((seen.error().as_str(), seen.location.starts_with(CALLBACK)), ("server_error", true), "{n}: {seen:?}");
    }
    upstream.spoil(|_, _| ());
    let sent = async || upstream.visit(&browser.get(&by_club()).await.location);
    let answer = async |query: String| browser.get(&format!("/oauth2/idpresponse?{query}")).await.error();
    let state = |query: &str| query.split('&').find(|pair| pair.starts_with("state=")).unwrap().to_owned();
    let iss = |query: &str| query.split('&').find(|pair| pair.starts_with("iss=")).unwrap().to_owned();
    let query = sent().await;
    assert_eq!(answer(format!("error=access_denied&{}&{}", state(&query), iss(&query))).await, "access_denied");
    // Another provider's answer, and one that does not say whose it is.
    let query = sent().await;
    assert_eq!(answer(query.replace(&iss(&query), "iss=https%3A%2F%2Fevil.example")).await, "server_error");
    let query = sent().await;
    assert_eq!(answer(query.replace(&format!("&{}", iss(&query)), "")).await, "server_error");
    let query = sent().await;
    assert_eq!(answer(format!("code=another&{}&{}", state(&query), iss(&query))).await, "server_error");
    assert_eq!(visit(&browser, &upstream, &by_club()).await.error(), "", "all is well again");
    server.stop().await;
}

#[tokio::test]
async fn what_stands_only_where_more_is_told_is_read_there_of_the_same_person() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    upstream.is_sparse();
    let browser = Browser::new(&server);
    let told = user(&server, &tokens(&server, &visit(&browser, &upstream, &by_club()).await).await).await;
    assert_eq!((attribute(&told, "email"), attribute(&told, "family_name")), ("new@example.org", "Comer"));
    upstream.spoil(|_, claims| claims["sub"] = json!("another"));
    assert_eq!(visit(&browser, &upstream, &by_club()).await.error(), "server_error");
    server.stop().await;
}

#[tokio::test]
async fn ten_first_visits_at_once_make_one_member() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let browsers: Vec<_> = (0..10).map(|_| Browser::new(&server)).collect();
    let asked = by_club();
    let seen = futures_util::future::join_all(browsers.iter().map(|browser| visit(browser, &upstream, &asked))).await;
    let mut members = Vec::new();
    for seen in &seen {
        members.push(claims(&tokens(&server, seen).await["access_token"])["sub"].clone());
    }
    members.dedup();
    assert_eq!(members.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn who_waits_at_the_address_is_gone_when_its_owner_comes() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let sign_up = json!({"ClientId": "goodturnweb", "Username": "new@example.org", "Password": PASSWORD,
        "UserAttributes": [{"Name": "name", "Value": "Eve Stone"}]});
    let (_, waiting) = server.target("SignUp", sign_up).await;
    let code = server.code_for("new@example.org").await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    tokens(&server, &visit(&Browser::new(&server), &upstream, &by_club()).await).await;
    let confirm = json!({"ClientId": "goodturnweb", "Username": waiting["UserSub"], "ConfirmationCode": code});
    assert_eq!(server.target("ConfirmSignUp", confirm).await.0, 400);
    let parameters = json!({"USERNAME": "new@example.org", "PASSWORD": PASSWORD});
    let body = json!({"ClientId": "goodturnweb", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    assert_eq!(server.target("InitiateAuth", body).await.1["message"], "Incorrect username or password.");
    server.stop().await;
}

#[tokio::test]
async fn the_page_offers_the_providers_of_the_application() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let more = "[[client]]\nid = \"own\"\ncallbacks = [\"http://localhost:3000/back\"]\nproviders = [\"COGNITO\"]\n";
    let server = server(dir.path(), &format!("{more}{}", file(&upstream))).await;
    let browser = Browser::new(&server);
    let page = browser.get(&request(&[])).await;
    let (_, rest) = page.body.split_once("class=\"other\" href=\"").unwrap_or_else(|| panic!("{page:?}"));
    let address = rest.split('"').next().unwrap().replace("&amp;", "&");
    assert!(rest.contains("Continue with Club"));
    upstream.is(person("1", "new@example.org", "New Comer"));
    tokens(&server, &visit(&browser, &upstream, &address).await).await;
    let own = [("client_id", "own"), ("redirect_uri", "http://localhost:3000/back"), ("scope", "openid")];
    assert!(!browser.get(&request(&own)).await.body.contains("Continue with"));
    let refused = browser.get(&request(&[own[0], own[1], own[2], ("identity_provider", "Club")])).await;
    assert_eq!(refused.error(), "invalid_request");
    let (_, told) = server.rest("GET", "/config.json", None, None).await;
    assert_eq!(told["oauth"]["providers"], json!(["Club"]));
    server.stop().await;
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_told_to_the_application() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let text = file(&upstream);
    drop(upstream);
    let server = server(dir.path(), &text).await;
    assert_eq!(Browser::new(&server).get(&by_club()).await.error(), "temporarily_unavailable");
    server.stop().await;
}

#[tokio::test]
async fn a_document_of_another_issuer_or_with_an_unsafe_place_sends_nobody_anywhere() {
    for (member, value, error) in [
        ("issuer", "https://evil.example", "temporarily_unavailable"),
        ("authorization_endpoint", "http://evil.example/authorize", "temporarily_unavailable"),
        ("authorization_endpoint", "javascript:alert(1)", "temporarily_unavailable"),
        ("token_endpoint", "http://evil.example/token", "server_error"),
        ("jwks_uri", "http://evil.example/jwks", "server_error"),
    ] {
        let (dir, upstream) = (dir(), Upstream::start().await);
        upstream.documents(member, value);
        upstream.is(person("1", "new@example.org", "New Comer"));
        let server = server(dir.path(), &file(&upstream)).await;
        let browser = Browser::new(&server);
        let sent = browser.get(&by_club()).await;
        if error == "temporarily_unavailable" {
            assert_eq!(sent.error(), error, "{member}");
        } else {
            let back = upstream.visit(&sent.location);
            assert_eq!(browser.get(&format!("/oauth2/idpresponse?{back}")).await.error(), error, "{member}");
        }
        server.stop().await;
    }
}
