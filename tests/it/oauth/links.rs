//! Links to providers: told by mail, taken away again, and what follows when a provider says another address.

use super::{
    SECRET,
    browser::{ALL, Browser, ELSEWHERE, claims, request},
    dir,
    federated::{by_club, file, person, visit},
    server,
    upstream::Upstream,
};
use crate::{
    clients::hash_of,
    harness::{Member, PASSWORD, TestServer, until},
};
use serde_json::{Value, json};
use time::Duration;

const MORE: &str = "[[client]]\nid = \"lax\"\nmfa = \"off\"\n";
const NONE: &str = "ResourceNotFoundException: Identity does not exist.";

async fn unlink(server: &TestServer, token: &Value, provider: &str, subject: &str) -> Result<Value, String> {
    server.asked("UnlinkProvider", json!({"AccessToken": token, "ProviderName": provider, "UserId": subject})).await
}

/// A member who is linked to the club as `7`, and the browser that the link was made in.
async fn linked<'a>(server: &'a TestServer, upstream: &Upstream, member: &Member) -> (Browser<'a>, Value) {
    upstream.is(person("7", &member.email, "Somebody"));
    let browser = Browser::staying(server);
    let link = visit(&browser, upstream, &by_club()).await.field("link");
    let seen = browser.post("/oauth2/page/link", &[("link", &link), ("password", PASSWORD)]).await;
    let (status, tokens) = server.redeem(&seen.code()).await;
    assert_eq!(status, 200, "{tokens}");
    (browser, tokens)
}

/// The page that would link a provider to a member's account, and the code that was sent for it.
async fn link_code(browser: &Browser<'_>, upstream: &Upstream, server: &TestServer, member: &Member) -> (String, String) {
    upstream.is(person("7", &member.email, "Ana"));
    let link = visit(browser, upstream, &by_club()).await.field("link");
    let code = server.sent_link_code(browser, &link, member).await;
    (link, code)
}

/// The provider's clock goes with the server's.
fn keeps_time(upstream: &Upstream, server: &TestServer) {
    let now_s = server.clock.now().unix_timestamp();
    upstream.spoil(move |_, claims| (claims["iat"], claims["exp"]) = (json!(now_s), json!(now_s + 300)));
}

async fn goes_through(browser: &Browser<'_>) -> bool {
    browser.get(&request(&[("prompt", "none")])).await.error().is_empty()
}

#[tokio::test]
async fn a_link_is_told_by_mail_and_taken_away_again() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &format!("{MORE}{}", file(&upstream))).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (browser, tokens) = linked(&server, &upstream, &ana).await;
    server.mail_to(&ana.email, |body| body.contains("Club was linked to your Goodturn account")).await;
    assert!(goes_through(&browser).await);
    server.clock.advance(Duration::SECOND);

    let own = json!(ana.token);
    for (token, provider, subject, why) in [
        (&json!(ben.token), "Club", "7", NONE),
        (&own, "Club", "8", NONE),
        (&own, "Google", "7", NONE),
        (&json!("wrong"), "Club", "7", "NotAuthorizedException: Invalid Access Token"),
    ] {
        assert_eq!(unlink(&server, token, provider, subject).await.unwrap_err(), why);
    }
    unlink(&server, &own, "Club", "7").await.unwrap();
    server.mail_to(&ana.email, |body| body.contains("Club is no longer linked to your Goodturn account")).await;
    // Who came by it is out, and comes in no more.
    let told = server.asked("GetUser", json!({"AccessToken": tokens["access_token"]})).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Access Token has been revoked");
    assert!(!goes_through(&browser).await);
    assert!(visit(&Browser::new(&server), &upstream, &by_club()).await.body.contains("You already have an account"));
    let user = server.asked("GetUser", json!({"AccessToken": own})).await.unwrap();
    assert!(!user.to_string().contains("identities"), "{user}");
    assert_eq!(unlink(&server, &own, "Club", "7").await.unwrap_err(), NONE);
    server.stop().await;
}

#[tokio::test]
async fn a_link_by_a_code_is_told_too() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let (link, code) = link_code(&browser, &upstream, &server, &ana).await;
    browser.post("/oauth2/page/link/code", &[("link", &link), ("code", &code)]).await.code();
    server.mail_to(&ana.email, |body| body.contains("Club was linked to your Goodturn account")).await;
    server.stop().await;
}

#[tokio::test]
async fn a_code_to_link_by_from_before_a_sign_out_everywhere_links_nothing() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    let browser = Browser::new(&server);
    let (link, code) = link_code(&browser, &upstream, &server, &ana).await;
    server.clock.advance(Duration::SECOND);
    server.asked("GlobalSignOut", json!({"AccessToken": ana.token})).await.unwrap();
    browser.post("/oauth2/page/link/code", &[("link", &link), ("code", &code)]).await;
    let linked: i64 = sqlx::query_scalar("SELECT count(*) FROM identities").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(linked, 0);
    server.stop().await;
}

#[tokio::test]
async fn the_only_way_in_stays_until_there_is_another() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let enter = async || {
        let (status, tokens) = server.redeem(&visit(&Browser::new(&server), &upstream, &by_club()).await.code()).await;
        assert_eq!(status, 200, "{tokens}");
        tokens
    };
    let tokens = enter().await;
    let uid = claims(&tokens["access_token"])["sub"].as_str().unwrap().to_owned();
    let only = "InvalidParameterException: This is your only way to sign in. Set a password first.";
    assert_eq!(unlink(&server, &tokens["access_token"], "Club", "1").await.unwrap_err(), only);
    // One at a provider that is not there any more is no other way.
    let new = Member { uid, email: "new@example.org".to_owned(), ..Member::default() };
    server.sql("INSERT INTO identities VALUES ('Gone', '1', $1::uuid, false, now())", &new).await;
    assert_eq!(unlink(&server, &tokens["access_token"], "Club", "1").await.unwrap_err(), only);
    unlink(&server, &tokens["access_token"], "Gone", "1").await.unwrap();

    assert_eq!(server.target("ForgotPassword", json!({"ClientId": "goodturnweb", "Username": new.email})).await.0, 200);
    let code = server.reset_code_for(&new.email).await;
    let reset = json!({"ClientId": "goodturnweb", "Username": new.email, "ConfirmationCode": code, "Password": PASSWORD});
    server.asked("ConfirmForgotPassword", reset).await.unwrap();
    let tokens = enter().await;
    unlink(&server, &tokens["access_token"], "Club", "1").await.unwrap();
    let entered = server.enter("goodturnweb", &new, json!({})).await.unwrap();
    let user = server.asked("GetUser", json!({"AccessToken": entered["AuthenticationResult"]["AccessToken"]})).await.unwrap();
    assert_eq!(user["Username"], json!(new.uid), "they are called by the provider no more");
    server.stop().await;
}

#[tokio::test]
async fn with_the_password_alone_nobody_unlinks_past_a_second_factor() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &format!("{MORE}{}", file(&upstream))).await;
    let ana = server.ana().await;
    linked(&server, &upstream, &ana).await;
    server.with_authenticator(&ana).await;
    let entered = server.enter("lax", &ana, json!({})).await.unwrap();
    let told = unlink(&server, &entered["AuthenticationResult"]["AccessToken"], "Club", "7").await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: This client does not ask for a second factor and cannot change one");
    unlink(&server, &json!(ana.token), "Club", "7").await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn who_comes_by_a_link_has_not_shown_the_second_factor() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    keeps_time(&upstream, &server);
    let ana = server.ana().await;
    // By who knew the password, before there was a second factor.
    let (_, tokens) = linked(&server, &upstream, &ana).await;
    let unshown = "NotAuthorizedException: This session has not passed the second factor. Sign in again with your password.";
    let off = |token: &Value| json!({"AccessToken": token, "SoftwareTokenMfaSettings": {"Enabled": false}});
    server.with_authenticator(&ana).await;
    assert_eq!(server.asked("SetUserMFAPreference", off(&tokens["access_token"])).await.unwrap_err(), unshown);

    keeps_time(&upstream, &server);
    let browser = Browser::staying(&server);
    let by_link = visit(&browser, &upstream, &by_club()).await.code();
    // Nor has it at the next application, which asks nobody anything.
    let through = browser.get(&request(&[("prompt", "none")])).await.code();
    for code in [by_link, through] {
        let (status, tokens) = server.redeem(&code).await;
        assert_eq!(status, 200, "{tokens}");
        let token = &tokens["access_token"];
        assert_eq!(server.asked("SetUserMFAPreference", off(token)).await.unwrap_err(), unshown);
        assert_eq!(server.asked("CreateRecoveryCodes", json!({"AccessToken": token})).await.unwrap_err(), unshown);
        assert_eq!(unlink(&server, token, "Club", "7").await.unwrap_err(), unshown);
        server.asked("GetUser", json!({"AccessToken": token})).await.unwrap();
    }
    server.asked("SetUserMFAPreference", off(&json!(ana.token))).await.unwrap();
    // Whom the provider made has no other way to come, and keeps their second factor in hand by it.
    upstream.is(person("9", "nia@example.org", "Nia"));
    let (status, tokens) = server.redeem(&visit(&Browser::new(&server), &upstream, &by_club()).await.code()).await;
    assert_eq!(status, 200, "{tokens}");
    let user = server.asked("GetUser", json!({"AccessToken": tokens["access_token"]})).await.unwrap();
    assert_eq!(user["Username"], "Club_9");
    let nia = Member { token: tokens["access_token"].as_str().unwrap().to_owned(), ..ana.clone() };
    server.with_authenticator(&nia).await;
    keeps_time(&upstream, &server);
    let (_, tokens) = server.redeem(&visit(&Browser::new(&server), &upstream, &by_club()).await.code()).await;
    server.asked("SetUserMFAPreference", off(&tokens["access_token"])).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn what_was_sent_to_the_address_before_lets_nobody_in_when_the_provider_says_another() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "old@example.org", "New Comer"));
    let browser = Browser::staying(&server);
    let (_, tokens) = server.redeem(&visit(&browser, &upstream, &by_club()).await.code()).await;
    let uid = claims(&tokens["access_token"])["sub"].as_str().unwrap().to_owned();
    let old = Member { uid, email: "old@example.org".to_owned(), ..Member::default() };
    let forgot = json!({"ClientId": "goodturnweb", "Username": old.email});
    let reset = |username: &str, code: &str| json!({"ClientId": "goodturnweb", "Username": username, "ConfirmationCode": code, "Password": PASSWORD});
    server.asked("ForgotPassword", forgot.clone()).await.unwrap();
    let code = server.reset_code_for(&old.email).await;
    server.asked("ConfirmForgotPassword", reset(&old.email, &code)).await.unwrap();
    // A browser, a code that signs in and one for a new password, all by the address that they had.
    server.clock.advance(Duration::SECOND);
    visit(&browser, &upstream, &by_club()).await.code();
    assert!(goes_through(&browser).await);
    let begin = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": old.email}});
    let session = server.asked("InitiateAuth", begin).await.unwrap()["Session"].clone();
    let by_mail = server.sign_in_code_for(&old).await;
    server.asked("ForgotPassword", forgot).await.unwrap();
    let fits = |body: &str| body.contains("new password") && !body.contains(&code);
    let mail = server.mail_to(&old.email, fits).await["body"].as_str().unwrap().to_owned();
    let code = mail.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6).unwrap();

    server.clock.advance(Duration::SECOND);
    upstream.is(person("1", "moved@example.org", "New Comer"));
    visit(&Browser::new(&server), &upstream, &by_club()).await.code();
    assert!(!goes_through(&browser).await);
    let late = server.step("goodturnweb", "CUSTOM_CHALLENGE", &session, json!({"USERNAME": old.uid, "ANSWER": by_mail})).await;
    assert_eq!(late.unwrap_err(), "NotAuthorizedException: Invalid session for the user.");
    let late = server.asked("ConfirmForgotPassword", reset("moved@example.org", code)).await.unwrap_err();
    assert!(late.starts_with("ExpiredCodeException"), "{late}");
    server.stop().await;
}

#[tokio::test]
async fn who_a_member_is_elsewhere_is_told_with_their_profile_alone() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    for (scope, told) in [("openid", false), ("openid email", false), ("openid profile", true), (ALL, true)] {
        let asked = request(&[("identity_provider", "Club"), ("scope", scope)]);
        let (_, tokens) = server.redeem(&visit(&Browser::new(&server), &upstream, &asked).await.code()).await;
        let (_, info) = server.user_info(tokens["access_token"].as_str().unwrap()).await;
        let id = claims(&tokens["id_token"]);
        assert_eq!((info.get("identities").is_some(), id.get("identities").is_some()), (told, told), "{scope}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_session_that_stays_is_refreshed_by_the_name_of_before() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let keeper = format!(
        "[[client]]\nid = \"keeper\"\nsecret = \"{SECRET}\"\ncallbacks = [\"{ELSEWHERE}\"]\npkce = false\nscopes = [\"openid\", \"aws.cognito.signin.user.admin\"]\n"
    );
    let server = server(dir.path(), &format!("{keeper}{}", file(&upstream))).await;
    upstream.is(person("1", "new@example.org", "New Comer"));
    let asked = request(&[
        ("client_id", "keeper"),
        ("redirect_uri", ELSEWHERE),
        ("scope", "openid aws.cognito.signin.user.admin"),
        ("identity_provider", "Club"),
        ("code_challenge", ""),
        ("code_challenge_method", ""),
    ]);
    let enter = async || visit(&Browser::new(&server), &upstream, &asked).await.parameters()["code"].clone();
    enter().await;
    let named = json!({"ClientId": "goodturnweb", "Username": "new@example.org"});
    server.asked("ForgotPassword", named.clone()).await.unwrap();
    let mut reset = named;
    reset["ConfirmationCode"] = json!(server.reset_code_for("new@example.org").await);
    reset["Password"] = json!(PASSWORD);
    server.asked("ConfirmForgotPassword", reset).await.unwrap();

    let code = enter().await;
    let pairs = [("grant_type", "authorization_code"), ("client_id", "keeper"), ("client_secret", SECRET), ("redirect_uri", ELSEWHERE)];
    let (status, tokens) = server.token(&[pairs.as_slice(), &[("code", &code)]].concat(), None).await;
    assert_eq!(status, 200, "{tokens}");
    let refresh = async |name: &str| {
        let parameters = json!({"REFRESH_TOKEN": tokens["refresh_token"], "SECRET_HASH": hash_of(SECRET, name, "keeper")});
        let body = json!({"ClientId": "keeper", "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": parameters});
        server.asked("InitiateAuth", body).await.map(drop)
    };
    refresh("Club_1").await.unwrap();
    unlink(&server, &tokens["access_token"], "Club", "1").await.unwrap();
    let uid = claims(&tokens["access_token"])["sub"].as_str().unwrap().to_owned();
    for name in ["Club_1", "new@example.org", &uid] {
        refresh(name).await.unwrap();
    }
    assert!(refresh("Club_2").await.unwrap_err().contains("Unable to verify secret hash"));
    server.stop().await;
}

#[tokio::test]
async fn links_of_a_day_are_bounded_and_their_end_is_not() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    let token = json!(ana.token);
    for _ in 0..10 {
        linked(&server, &upstream, &ana).await;
        unlink(&server, &token, "Club", "7").await.unwrap();
        server.clock.advance(Duration::SECOND);
    }
    let browser = Browser::new(&server);
    let (link, code) = link_code(&browser, &upstream, &server, &ana).await;
    let by_password = async || browser.post("/oauth2/page/link", &[("link", &link), ("password", PASSWORD)]).await;
    let by_code = async |code: &str| browser.post("/oauth2/page/link/code", &[("link", &link), ("code", code)]).await;
    for seen in [by_password().await, by_code(&code).await] {
        assert!(seen.body.contains("Too many attempts."), "{seen:?}");
    }
    server.clock.advance(Duration::DAY);
    keeps_time(&upstream, &server);
    let (link, code) = link_code(&browser, &upstream, &server, &ana).await;
    // A wrong one spends nothing of it.
    browser.post("/oauth2/page/link/code", &[("link", &link), ("code", "12")]).await;
    browser.post("/oauth2/page/link/code", &[("link", &link), ("code", &code)]).await.code();
    let spent = "SELECT cardinality(spent) FROM budgets WHERE purpose = 'links of member'";
    assert_eq!(sqlx::query_scalar::<_, i32>(spent).fetch_one(&mut server.database.connect().await).await.unwrap(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_code_to_link_by_is_good_for_as_long_as_its_mail_says() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &file(&upstream)).await;
    let ana = server.ana().await;
    for (minutes, links) in [(16, false), (14, true)] {
        upstream.is(person("7", &ana.email, "Ana"));
        keeps_time(&upstream, &server);
        let browser = Browser::new(&server);
        let link = visit(&browser, &upstream, &by_club()).await.field("link");
        // The page has been open for a while.
        server.clock.advance(Duration::minutes(14));
        let code = server.sent_link_code(&browser, &link, &ana).await;
        server.clock.advance(Duration::minutes(minutes));
        let seen = browser.post("/oauth2/page/link/code", &[("link", &link), ("code", &code)]).await;
        assert_eq!(seen.status == 303, links, "after {minutes} minutes: {seen:?}");
    }
    server.stop().await;
}

impl TestServer {
    /// The code that a link is proved by, of the mail that is sent for it now.
    async fn sent_link_code(&self, browser: &Browser<'_>, link: &str, member: &Member) -> String {
        let is_one = |body: &str| body.contains("signed in to another service") && body.contains("within 15 minutes");
        let sent = async || {
            let (_, outbox) = self.rest("GET", "/dev/outbox.json", None, None).await;
            let fits = |mail: &&Value| mail["to"] == member.email && is_one(mail["body"].as_str().unwrap());
            outbox["messages"].as_array().unwrap().iter().filter(fits).count()
        };
        let before = sent().await;
        browser.post("/oauth2/page/link/send", &[("link", link)]).await;
        until("the code was sent", async || sent().await > before).await;
        let mail = self.mail_to(&member.email, is_one).await;
        mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6).unwrap().to_owned()
    }
}
