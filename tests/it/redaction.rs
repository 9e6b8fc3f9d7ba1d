//! Secrets stay out of the log, at its most talkative: passwords, codes, tokens, addresses, keys, and what addresses are counted by.

use crate::harness::{Faces, Logs, PASSWORD, TestServer};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

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

#[tokio::test]
async fn no_secret_reaches_the_log() {
    let logs = Logs::capture(&format!("trace,{}", goodturn::jobs::LOG_DIRECTIVE));
    let server = TestServer::start().await;
    let mut codes = Vec::new();
    for email in ["canary1@example.org", "canary2@example.org", "canary3@example.org"] {
        codes.push(sign_up(&server, email).await);
    }
    let mut secrets = tokens(&server, "canary1@example.org").await;
    let ana = server.ana().await;
    let client = server.config.web_client_id.clone();
    let wrong = json!({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": client, "AuthParameters": {"USERNAME": "ana@example.org", "PASSWORD": "canary-password"}});
    assert_eq!(server.target("InitiateAuth", wrong).await.0, 400);
    server.rest("GET", "/favor/active", &ana, None).await;
    server.rest("POST", "/favor/favor-create", &ana, json!({"title": "canary-title", "description": "canary-text"})).await;
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
    for (step, name) in ["a code", "a wrong code", "a code that was sent anew"].into_iter().enumerate() {
        let logged = |code: &&Vec<String>| text.lines().any(|line| words(line).any(|word| word == code[step]));
        assert!(!codes.iter().all(|codes| logged(&codes)), "{name} is in the log: {codes:?}");
    }
}
