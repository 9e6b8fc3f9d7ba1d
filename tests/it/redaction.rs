//! Secrets stay out of the log, at its most talkative: passwords, codes, tokens, addresses, keys, and what addresses are counted by.

use crate::harness::{Faces, Logs, Member, PASSWORD, START, TestServer};
use base64::{Engine, engine::general_purpose::STANDARD};
use goodturn::{clock::Clock, pb::notifications::GetMailSubscriptionRequest};
use serde_json::{Value, json};
use time::Duration;

/// The text of one secret, for the search.
type Secret = (&'static str, String);

/// A sign-up with all its detours: the first code, a wrong one, and the one that was sent anew.
async fn sign_up(server: &Faces, email: &str) -> Vec<String> {
    let client = &server.web_client_id;
    let body =
        json!({"ClientId": client, "Username": email, "Password": PASSWORD, "UserAttributes": [{"Name": "name", "Value": "Canary"}]});
    assert_eq!(server.target("SignUp", body).await.0, 200);
    let first = server.code_for(email).await;
    let confirm =
        async |code: &str| server.target("ConfirmSignUp", json!({"ClientId": client, "Username": email, "ConfirmationCode": code})).await.0;
    let wrong = format!("{:06}", (first.parse::<u32>().unwrap() + 1) % 1_000_000);
    assert_eq!(confirm(&wrong).await, 400);
    assert_eq!(server.target("ResendConfirmationCode", json!({"ClientId": client, "Username": email})).await.0, 200);
    let second = server.mail_to(email, |body| !body.contains(&first)).await["body"].as_str().unwrap().to_owned();
    let second = second.split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    assert_eq!(confirm(&second).await, 200);
    vec![first, wrong, second]
}

/// The tokens of a sign-in and of a refresh, which were also used when they were good no longer.
async fn tokens(server: &Faces, email: &str) -> Vec<Secret> {
    let client = &server.web_client_id;
    let parameters = json!({"USERNAME": email, "PASSWORD": PASSWORD});
    let sign_in = json!({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": client, "AuthParameters": parameters});
    let first = server.target("InitiateAuth", sign_in).await.1["AuthenticationResult"].take();
    let refresh = json!({"ClientId": client, "RefreshToken": first["RefreshToken"]});
    let second = server.target("GetTokensFromRefreshToken", refresh).await.1["AuthenticationResult"].take();
    assert_eq!(server.target("GetUser", json!({"AccessToken": second["AccessToken"]})).await.0, 200);
    assert_eq!(server.target("RevokeToken", json!({"ClientId": client, "Token": second["RefreshToken"]})).await.0, 200);
    assert_eq!(server.target("GetUser", json!({"AccessToken": second["AccessToken"]})).await.0, 400);
    let again = json!({"ClientId": client, "RefreshToken": second["RefreshToken"]});
    assert_eq!(server.target("GetTokensFromRefreshToken", again).await.0, 400);
    let text = |tokens: &Value, name: &str| tokens[name].as_str().unwrap().to_owned();
    let names = ["AccessToken", "IdToken", "RefreshToken"];
    [&first, &second].into_iter().flat_map(|tokens| names.map(|name| (name, text(tokens, name)))).collect()
}

/// What addresses and networks are counted by, however it is spelled.
async fn subjects(server: &TestServer) -> Vec<Secret> {
    let mut beside = server.database.connect().await;
    let rows: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT subject FROM budgets UNION SELECT subject FROM attempts").fetch_all(&mut beside).await.unwrap();
    assert!(rows.len() >= 4, "three addresses and a network");
    let spelled = rows.iter().flat_map(|row| [hex::encode(row), STANDARD.encode(row), format!("{row:?}")]);
    spelled.map(|text| ("a subject", text)).collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
}

const CLIENTS: &str = r#"
[[client]]
id = "partner"
secret = "canary-secret-of-a-client"
devices = "always"

[[client]]
id = "strict"
mfa = "required"
"#;

/// Texts of an answer or of a request, wherever they stand in it.
fn all_texts(value: &Value, what: &'static str) -> Vec<Secret> {
    match value {
        // Shorter ones are words of the protocol.
        Value::String(text) if text.len() >= 16 => vec![(what, text.clone())],
        Value::Array(list) => list.iter().flat_map(|v| all_texts(v, what)).collect(),
        Value::Object(members) => members.values().flat_map(|v| all_texts(v, what)).collect(),
        _ => Vec::new(),
    }
}

/// What a sign-in with a secret, devices and second factors shows to whoever reads along: every ticket, seed, code, proof and hash.
async fn steps(server: &TestServer, member: &Member) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let call = async |operation: &str, body: Value| {
        let (status, answer) = server.target(operation, body.clone()).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    };
    let hash = crate::clients::hash_of("canary-secret-of-a-client", &member.email, "partner");
    let parameters = json!({"USERNAME": member.email, "PASSWORD": PASSWORD, "SECRET_HASH": hash});
    let entered =
        call("InitiateAuth", json!({"ClientId": "partner", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters})).await;
    let tokens = &entered["AuthenticationResult"];
    let (salt, verifier) = (STANDARD.encode([0x5a; 16]), STANDARD.encode([0x5b; 384]));
    let config = json!({"Salt": salt, "PasswordVerifier": verifier});
    let device = json!({"AccessToken": tokens["AccessToken"], "DeviceKey": tokens["NewDeviceMetadata"]["DeviceKey"]});
    let mut confirm = device.clone();
    confirm["DeviceSecretVerifierConfig"] = config.clone();
    call("ConfirmDevice", confirm).await;
    secrets.extend(all_texts(&config, "a device's secret"));
    secrets.extend(["AccessToken", "IdToken", "RefreshToken"].map(|name| ("a token", tokens[name].as_str().unwrap().to_owned())));
    secrets.push(("a hash by a client's secret", hash));
    call("RevokeToken", json!({"ClientId": "partner", "Token": tokens["RefreshToken"], "ClientSecret": "canary-secret-of-a-client"})).await;

    let (seed, shown) = set_up(server, member, &mut secrets).await;
    let codes = call("CreateRecoveryCodes", json!({"AccessToken": shown["AuthenticationResult"]["AccessToken"]})).await;
    secrets.extend(codes["Codes"].as_array().unwrap().iter().map(|code| ("a recovery code", code.as_str().unwrap().to_owned())));
    server.clock.advance(Duration::seconds(30));
    let parameters = json!({"USERNAME": member.email, "PASSWORD": PASSWORD});
    let asked = call("InitiateAuth", json!({"ClientId": "strict", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters})).await;
    let answer = |code: &str| {
        let responses = json!({"USERNAME": member.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        json!({"ClientId": "strict", "ChallengeName": "SOFTWARE_TOKEN_MFA", "Session": asked["Session"], "ChallengeResponses": responses})
    };
    assert_eq!(server.target("RespondToAuthChallenge", answer("canary")).await.0, 400);
    call("RespondToAuthChallenge", answer(&crate::steps::totp(&seed, server.clock.now()))).await;
    secrets.push(("a ticket", asked["Session"].as_str().unwrap().to_owned()));
    let custom = json!({"ClientId": "partner", "AuthFlow": "CUSTOM_AUTH",
        "AuthParameters": {"USERNAME": member.email, "SECRET_HASH": crate::clients::hash_of("canary-secret-of-a-client", &member.email, "partner")}});
    secrets.push(("a ticket", call("InitiateAuth", custom).await["Session"].as_str().unwrap().to_owned()));
    let srp = json!({"ClientId": "strict", "AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": member.email, "SRP_A": "2a"}});
    let challenge = call("InitiateAuth", srp).await["ChallengeParameters"].take();
    secrets.extend(["SECRET_BLOCK", "SALT", "SRP_B"].map(|name| ("a part of a challenge", challenge[name].as_str().unwrap().to_owned())));
    secrets
}

/// An authenticator, set up in the middle of a sign-in: its seed.
async fn set_up(server: &TestServer, member: &Member, secrets: &mut Vec<Secret>) -> (Vec<u8>, Value) {
    let parameters = json!({"USERNAME": member.email, "PASSWORD": PASSWORD});
    let begin = json!({"ClientId": "strict", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    let (_, asked) = server.target("InitiateAuth", begin).await;
    let (_, made) = server.target("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await;
    let text = made["SecretCode"].as_str().unwrap();
    let seed = crate::steps::unbase32(text);
    let verify = json!({"Session": made["Session"], "UserCode": crate::steps::totp(&seed, server.clock.now())});
    let (status, verified) = server.target("VerifySoftwareToken", verify).await;
    assert_eq!(status, 200, "{verified}");
    let responses = json!({"USERNAME": member.email});
    let body = json!({"ClientId": "strict", "ChallengeName": "MFA_SETUP", "Session": verified["Session"], "ChallengeResponses": responses});
    let (status, entered) = server.target("RespondToAuthChallenge", body).await;
    assert_eq!(status, 200, "{entered}");
    secrets.extend([("an authenticator's secret", text.to_owned()), ("an authenticator's secret", hex::encode(&seed))]);
    secrets.push(("an authenticator's secret", STANDARD.encode(&seed)));
    secrets.extend([&asked, &made, &verified].map(|answer| ("a ticket", answer["Session"].as_str().unwrap().to_owned())));
    (seed, entered)
}

/// Passwords that were forgotten and changed; the codes, one of each member.
async fn passwords(server: &TestServer, member: &Member) -> (String, Vec<Secret>) {
    let client = &server.web_client_id;
    assert_eq!(server.target("ForgotPassword", json!({"ClientId": client, "Username": member.email})).await.0, 200);
    let code = server.reset_code_for(&member.email).await;
    let reset =
        |code: &str| json!({"ClientId": client, "Username": member.email, "ConfirmationCode": code, "Password": "canary-password-2"});
    assert_eq!(server.target("ConfirmForgotPassword", reset("canary-code")).await.0, 400);
    assert_eq!(server.target("ConfirmForgotPassword", reset(&code)).await.0, 200);
    let parameters = json!({"USERNAME": member.email, "PASSWORD": "canary-password-2"});
    let sign_in = json!({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": client, "AuthParameters": parameters});
    let token = server.target("InitiateAuth", sign_in).await.1["AuthenticationResult"]["AccessToken"].take();
    let change = json!({"AccessToken": token, "PreviousPassword": "canary-password-2", "ProposedPassword": "canary-password-3"});
    assert_eq!(server.target("ChangePassword", change).await.0, 200);
    let number = json!([{"Name": "phone_number", "Value": "+15558675309"}, {"Name": "zoneinfo", "Value": "Europe/Paris"}]);
    assert_eq!(server.target("UpdateUserAttributes", json!({"AccessToken": token, "UserAttributes": number})).await.0, 200);
    let secrets =
        ["canary-password-2", "canary-password-3", "canary-code", "5558675309"].map(|text| ("a new password or number", text.to_owned()));
    (code, secrets.into())
}

/// The token of a mail's link, which a page read and a program of the mailbox used.
async fn unsubscribed(server: &TestServer, ana: &Member) -> String {
    let asker = server.member("Vi", "Testa").await;
    let path = format!("/v2/users/{}/add-friend", asker.uid);
    assert_eq!(server.rest("POST", &path, &asker, json!({"receiverEmail": ana.email})).await.0, 200);
    let mail = server.mail_to(&ana.email, |body| body.contains("would like to be your friend")).await;
    let token = mail["one_click"].as_str().unwrap().split_once("?token=").unwrap().1.to_owned();
    let read = GetMailSubscriptionRequest { token: token.clone() };
    assert!(server.notifications(None).get_mail_subscription(read).await.unwrap().into_inner().active);
    assert_eq!(server.rest("POST", &format!("/notifications/unsubscribe?token={token}"), None, None).await.0, 200);
    token
}

#[tokio::test]
async fn no_secret_reaches_the_log() {
    let file = crate::harness::scratch().keep().join("clients.toml");
    std::fs::write(&file, CLIENTS).unwrap();
    let logs = Logs::capture(&format!("trace,{}", goodturn::jobs::LOG_DIRECTIVE));
    let settings = |config: &mut goodturn::config::Config| (config.clients_file, config.mail_delay_s) = (Some(file), 0);
    let server = TestServer::start_with(Clock::fixed(START), settings).await;
    let mut codes = Vec::new();
    for email in ["canary1@example.org", "canary2@example.org", "canary3@example.org"] {
        codes.push(sign_up(&server, email).await);
    }
    let mut secrets = tokens(&server, "canary1@example.org").await;
    let ana = server.ana().await;
    secrets.extend(steps(&server, &ana).await);
    for (n, name) in ["Bo", "Cy", "Di"].into_iter().enumerate() {
        let member = server.member(name, "Testa").await;
        let (code, more) = passwords(&server, &member).await;
        codes[n].push(code);
        secrets.extend(more);
    }
    let client = server.config.web_client_id.clone();
    let wrong = json!({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": client, "AuthParameters": {"USERNAME": "ana@example.org", "PASSWORD": "canary-password"}});
    assert_eq!(server.target("InitiateAuth", wrong).await.0, 400);
    server.rest("GET", "/favor/active", &ana, None).await;
    server.rest("POST", "/favor/favor-create", &ana, json!({"title": "canary-title", "description": "canary-text"})).await;
    secrets.push(("the token of a mail's link", unsubscribed(&server, &ana).await));
    secrets.extend(subjects(&server).await);
    let url = server.database.url().to_owned();
    server.stop().await;

    let text = logs.text();
    assert!(text.contains("\"path\":\"/goodturn.favors.v1.FavorsService/CreateFavor\""), "calls are logged");
    assert!(text.contains("INSERT INTO budgets") && text.contains("UPDATE registrations"), "so are statements");
    secrets.extend(
        [
            ("a password", PASSWORD),
            ("a wrong password", "canary-password"),
            ("a client's secret", "canary-secret-of-a-client"),
            ("a title", "canary-title"),
            ("a description", "canary-text"),
            ("an address", "@example.org"),
            ("an access token", &ana.token),
            ("an id token", &ana.id_token),
            ("a refresh token", &ana.refresh_token),
            ("the database", &url),
            ("the secret key", &"61".repeat(32)),
            ("the secret key", &STANDARD.encode([0x61; 32])),
        ]
        .map(|(what, text)| (what, text.to_owned())),
    );
    for (what, secret) in secrets {
        let line = text.lines().find(|line| line.contains(&secret));
        assert!(line.is_none(), "{what} is in the log: {}", line.unwrap_or_default().chars().take(400).collect::<String>());
    }
    // Six digits may be anything once; what is logged at one step of a sign-up is logged at the same step of each.
    for (step, name) in ["a code", "a wrong code", "a code that was sent anew", "a code for a new password"].into_iter().enumerate() {
        let logged = |code: &&Vec<String>| text.lines().any(|line| words(line).any(|word| word == code[step]));
        assert!(!codes.iter().all(|codes| logged(&codes)), "{name} is in the log: {codes:?}");
    }
}
