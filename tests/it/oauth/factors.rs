//! What the page asks for after the password, and that nothing of it is passed over.

use super::{
    browser::{ALL, Browser, ELSEWHERE, Seen, claims, form, request},
    dir, federated,
    federated::by_club,
    server,
    upstream::Upstream,
};
use crate::{
    harness::{Member, PASSWORD, TestServer},
    steps::{totp, unbase32},
};
use serde_json::json;

const STRICT: &str = "[[client]]\nid = \"strict\"\nmfa = \"required\"\ncallbacks = [\"http://localhost:3000/back\"]\n\
                      scopes = [\"openid\", \"email\", \"profile\", \"aws.cognito.signin.user.admin\"]\n";

async fn answer(browser: &Browser<'_>, page: &Seen, answer: &str) -> Seen {
    let names = ["request", "step", "session", "username", "link", "sent_to"];
    let there = names.into_iter().filter(|name| page.body.contains(&format!("name=\"{name}\"")));
    let fields: Vec<_> = there.map(|name| (name, page.field(name))).collect();
    let pairs: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).chain([("answer", answer)]).collect();
    browser.post("/oauth2/page/step", &pairs).await
}

async fn code(server: &TestServer, seen: &Seen, member: &Member) {
    let (status, tokens) = server.redeem(&seen.code()).await;
    assert_eq!(status, 200, "{tokens}");
    let access = claims(&tokens["access_token"]);
    assert_eq!((&access["sub"], &access["scope"]), (&json!(member.uid), &json!(ALL)));
}

#[tokio::test]
async fn the_page_asks_for_the_code_of_an_authenticator() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let browser = Browser::new(&server);
    let page = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await;
    assert!(page.status == 200 && page.body.contains("One more step") && page.location.is_empty(), "{page:?}");
    let wrong = answer(&browser, &page, "000000").await;
    assert!(wrong.status == 400 && wrong.body.contains("Invalid verification code"), "{wrong:?}");
    assert_eq!(answer(&Browser::new(&server), &wrong, "000000").await.status, 400, "another browser");
    code(&server, &answer(&browser, &wrong, &totp(&secret, server.clock.now())).await, &ana).await;
    // Once.
    let again = answer(&browser, &page, &totp(&secret, server.clock.now())).await;
    assert!(again.location.is_empty() && again.status == 400, "{again:?}");
    server.stop().await;
}

#[tokio::test]
async fn what_the_page_has_shown_begins_no_session_of_a_device() {
    let dir = dir();
    let tracking = "[[client]]\nid = \"tracking\"\ndevices = \"always\"\ncallbacks = [\"http://localhost:3000/back\"]\n";
    let server = server(dir.path(), tracking).await;
    let ana = server.ana().await;
    let (device, _) = server.with_device("tracking", &ana).await;
    let secret = server.with_authenticator(&ana).await;
    let asked = request(&[("client_id", "tracking"), ("redirect_uri", ELSEWHERE), ("scope", "openid")]);
    let page = Browser::new(&server).sign_in(&asked, &ana.email, PASSWORD).await;
    let given = json!({"USERNAME": ana.email, "DEVICE_KEY": device.key, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let told = server.step("tracking", "SOFTWARE_TOKEN_MFA", &json!(page.field("session")), given).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Invalid session for the user.");
    let sql =
        "SELECT (SELECT count(*) FROM sessions WHERE scopes IS NOT NULL AND device_id IS NOT NULL), (SELECT count(*) FROM awaited_devices)";
    let rows: (i64, i64) = sqlx::query_as(sql).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(rows, (0, 0));
    server.stop().await;
}

#[tokio::test]
async fn the_page_asks_which_of_two_and_sends_an_sms() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    server.with_phone(&ana).await;
    let both = json!({"SMSMfaSettings": {"Enabled": true}, "SoftwareTokenMfaSettings": {"Enabled": true, "PreferredMfa": false}});
    server.prefer(&ana, both).await.unwrap();
    let browser = Browser::new(&server);
    let choice = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await;
    assert!(choice.body.contains("How do you want to confirm"), "{choice:?}");
    let sent = answer(&browser, &choice, "SMS_MFA").await;
    assert!(sent.status == 200 && sent.field("sent_to").ends_with("1234"), "{sent:?}");
    let wrong = answer(&browser, &sent, "12").await;
    assert_eq!((wrong.status, wrong.field("sent_to")), (400, sent.field("sent_to")));
    server.stop().await;
}

#[tokio::test]
async fn a_sign_in_of_the_page_goes_on_there_alone() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let browser = Browser::new(&server);
    let page = browser.sign_in(&request(&[("scope", "openid")]), &ana.email, PASSWORD).await;
    // By the operation: it would give what was not asked for.
    let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let body = json!({"ClientId": "goodturnweb", "ChallengeName": "SOFTWARE_TOKEN_MFA", "Session": page.field("session"), "ChallengeResponses": responses});
    assert_eq!(server.target("RespondToAuthChallenge", body).await.1["__type"], "NotAuthorizedException");
    // And what the operation began does not end on the page.
    server.clock.advance(time::Duration::seconds(30));
    let parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD});
    let begin = json!({"ClientId": "goodturnweb", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    let (_, begun) = server.target("InitiateAuth", begin).await;
    let page = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await;
    let code = totp(&secret, server.clock.now());
    let pairs = [
        ("request", page.field("request")),
        ("step", "SOFTWARE_TOKEN_MFA".into()),
        ("session", begun["Session"].as_str().unwrap().to_owned()),
        ("username", ana.email.clone()),
        ("answer", code),
    ];
    let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>();
    let seen = browser.post("/oauth2/page/step", &pairs).await;
    assert!(seen.location.is_empty() && seen.status == 400, "{} {seen:?}", form(&pairs));
    server.stop().await;
}

/// The key that a page shows.
fn key(page: &Seen) -> String {
    let (_, rest) = page.body.split_once("<code class=\"secret\">").unwrap_or_else(|| panic!("{page:?}"));
    rest.split('<').next().unwrap().replace(' ', "")
}

/// Ana in a browser, where an application wants a second factor of her.
async fn wanted<'s>(server: &'s TestServer, asked: &str) -> (Member, Browser<'s>, Seen) {
    let (ana, browser) = (server.ana().await, Browser::new(server));
    let page = browser.sign_in(asked, &ana.email, PASSWORD).await;
    (ana, browser, page)
}

#[tokio::test]
async fn an_application_that_wants_a_second_factor_has_one_set_up_on_the_page() {
    let dir = dir();
    let server = server(dir.path(), STRICT).await;
    let asked = request(&[("client_id", "strict"), ("redirect_uri", ELSEWHERE)]);
    let (ana, browser, page) = wanted(&server, &asked).await;
    assert!(page.status == 200 && page.body.contains("Set up a second step") && page.location.is_empty(), "{page:?}");
    let secret = key(&page);
    let address = format!("otpauth://totp/Goodturn%3Aana%40example%2Eorg?secret={secret}&amp;issuer=Goodturn");
    assert!(page.body.contains(&address) && page.body.contains("<svg class=\"qr\""), "{page:?}");
    for (typed, said) in [("", "Please enter the verification code"), ("000000", "Invalid verification code")] {
        let again = answer(&browser, &page, typed).await;
        assert!(again.status == 400 && again.body.contains(said), "{again:?}");
        assert_eq!(key(&again), secret, "the one that is in the app by now");
    }
    // Nothing is passed over by naming another step, or from another browser.
    let right = totp(&unbase32(&secret), server.clock.now());
    let skipped = [("request", page.field("request")), ("session", page.field("session")), ("username", ana.email.clone())];
    for step in ["SOFTWARE_TOKEN_MFA", "NEW_PASSWORD_REQUIRED", "SELECT_MFA_TYPE", "CUSTOM_CHALLENGE"] {
        let pairs: Vec<_> =
            skipped.iter().map(|(name, value)| (*name, value.as_str())).chain([("step", step), ("answer", &*right)]).collect();
        let seen = browser.post("/oauth2/page/step", &pairs).await;
        assert!(seen.status == 400 && seen.location.is_empty(), "{step}: {seen:?}");
    }
    assert_eq!(answer(&Browser::new(&server), &page, &right).await.status, 400);
    let back = answer(&browser, &page, &right).await;
    assert!(back.location.starts_with(ELSEWHERE) && back.parameters().contains_key("code"), "{back:?}");
    // It is on from now on, and is set up once.
    let twice = answer(&browser, &page, &right).await;
    assert!(twice.status == 400 && twice.body.contains("Please sign in again."), "{twice:?}");
    server.clock.advance(time::Duration::seconds(30));
    let next = browser.sign_in(&asked, &ana.email, PASSWORD).await;
    assert!(next.body.contains("One more step"), "{next:?}");
    let back = answer(&browser, &next, &totp(&unbase32(&secret), server.clock.now())).await;
    assert!(back.location.starts_with(ELSEWHERE), "{back:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_password_that_was_set_for_somebody_is_changed_on_the_page() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let sql = "UPDATE verifiers SET temporary_until = '2030-01-01' WHERE member_id = $1::uuid";
    sqlx::query(sql).bind(&ana.uid).execute(&mut server.database.connect().await).await.unwrap();
    let browser = Browser::new(&server);
    let page = browser.sign_in(&request(&[]), &ana.email, PASSWORD).await;
    assert!(page.body.contains("Choose a new password"), "{page:?}");
    let short = answer(&browser, &page, "short").await;
    assert!(short.body.contains("Your password is too short."), "{short:?}");
    code(&server, &answer(&browser, &short, "Another-horse-9").await, &ana).await;
    browser.sign_in(&request(&[]), &ana.email, "Another-horse-9").await.code();
    server.stop().await;
}

#[tokio::test]
async fn a_link_passes_over_no_second_factor() {
    let (dir, upstream) = (dir(), Upstream::start().await);
    let server = server(dir.path(), &federated::file(&upstream)).await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    upstream.is(federated::person("7", &ana.email, "Ana"));
    let browser = Browser::new(&server);
    let link = federated::visit(&browser, &upstream, &by_club()).await.field("link");
    let refused = browser.post("/oauth2/page/link/send", &[("link", &link)]).await;
    assert!(refused.status == 400 && refused.body.contains("This account has a second step."), "{refused:?}");
    let page = browser.post("/oauth2/page/link", &[("link", &link), ("password", PASSWORD)]).await;
    assert!(page.status == 200 && page.body.contains("One more step"), "{page:?}");
    assert!(federated::visit(&Browser::new(&server), &upstream, &by_club()).await.body.contains("You already have an account"));
    code(&server, &answer(&browser, &page, &totp(&secret, server.clock.now())).await, &ana).await;
    let next = federated::visit(&Browser::new(&server), &upstream, &by_club()).await;
    code(&server, &next, &ana).await;
    server.stop().await;
}

#[tokio::test]
async fn the_page_shows_no_key_that_was_made_elsewhere() {
    let dir = dir();
    let server = server(dir.path(), STRICT).await;
    let (ana, browser, page) = wanted(&server, &request(&[("client_id", "strict"), ("redirect_uri", ELSEWHERE)])).await;
    let made = server.asked("AssociateSoftwareToken", json!({"AccessToken": ana.token})).await.unwrap();
    let hers = made["SecretCode"].as_str().unwrap();
    let again = answer(&browser, &page, "").await;
    assert_ne!(key(&again), hers, "who is at the page knows the password alone");
    let back = answer(&browser, &again, &totp(&unbase32(hers), server.clock.now())).await;
    assert!(back.status == 400 && back.location.is_empty(), "{back:?}");
    server.stop().await;
}
