//! Applications of a file: what each may do, and how one with a secret proves it.

use crate::harness::{PASSWORD, TestServer};
use base64::{Engine, engine::general_purpose::STANDARD};
use goodturn::clock::Clock;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::{io::Write, path::Path};

const SECRET: &str = "a-secret-that-nobody-guesses";
const CLIENTS: &str = r#"
[[client]]
id = "partner"
secret = "a-secret-that-nobody-guesses"
flows = ["USER_PASSWORD_AUTH", "REFRESH_TOKEN_AUTH"]

[[client]]
id = "rotating"
secret = "a-secret-that-nobody-guesses"
rotates = true
"#;

async fn server(file: &Path) -> TestServer {
    std::fs::File::create(file).unwrap().write_all(CLIENTS.as_bytes()).unwrap();
    TestServer::start_with(Clock::fixed(crate::harness::START), |config| config.clients_file = Some(file.to_owned())).await
}

fn hash(username: &str, client: &str) -> String {
    hash_of(SECRET, username, client)
}

/// SECRET_HASH.
pub fn hash_of(secret: &str, username: &str, client: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{username}{client}").as_bytes());
    STANDARD.encode(mac.finalize().into_bytes())
}

fn told((status, answer): (u16, Value)) -> String {
    if status == 200 { String::new() } else { format!("{}: {}", answer["__type"].as_str().unwrap(), answer["message"].as_str().unwrap()) }
}

const NOT_RECEIVED: &str = "NotAuthorizedException: Client partner is configured with secret but SECRET_HASH was not received";
const UNVERIFIED: &str = "NotAuthorizedException: Unable to verify secret hash for client partner";

#[tokio::test]
async fn a_client_with_a_secret_proves_it_in_every_operation_that_names_somebody() {
    let dir = tempfile::tempdir().unwrap();
    let server = server(&dir.path().join("clients.toml")).await;
    let ana = server.ana().await;
    let operations = [
        ("SignUp", json!({"Password": PASSWORD, "UserAttributes": [{"Name": "name", "Value": "Ana"}]}), ""),
        ("ConfirmSignUp", json!({"ConfirmationCode": "123456"}), "NotAuthorizedException: User cannot be confirmed"),
        ("ResendConfirmationCode", json!({}), ""),
        ("ForgotPassword", json!({}), ""),
        ("ConfirmForgotPassword", json!({"ConfirmationCode": "12", "Password": PASSWORD}), "CodeMismatchException"),
    ];
    for (operation, mut body, right) in operations {
        body["ClientId"] = json!("partner");
        body["Username"] = json!(ana.email);
        assert_eq!(told(server.target(operation, body.clone()).await), NOT_RECEIVED, "{operation}");
        body["SecretHash"] = json!(hash("bo@example.org", "partner"));
        assert_eq!(told(server.target(operation, body.clone()).await), UNVERIFIED, "{operation}");
        body["SecretHash"] = json!(hash(&ana.email, "partner"));
        let answer = told(server.target(operation, body.clone()).await);
        assert!(answer.starts_with(right) && (right.is_empty() == answer.is_empty()), "{operation}: {answer}");
        body["ClientId"] = json!(server.config.web_client_id);
        assert!(told(server.target(operation, body).await).ends_with("is not configured for secret but secret hash was received"));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_session_of_a_client_with_a_secret_is_refreshed_and_revoked_by_it_alone() {
    let dir = tempfile::tempdir().unwrap();
    let server = server(&dir.path().join("clients.toml")).await;
    let ana = server.ana().await;
    let sign_in = |hash: Option<String>| {
        let mut parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD});
        if let Some(hash) = hash {
            parameters["SECRET_HASH"] = json!(hash);
        }
        json!({"ClientId": "partner", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters})
    };
    assert_eq!(told(server.target("InitiateAuth", sign_in(None)).await), NOT_RECEIVED);
    assert_eq!(told(server.target("InitiateAuth", sign_in(Some(hash(&ana.uid, "partner")))).await), UNVERIFIED);
    let (_, tokens) = server.target("InitiateAuth", sign_in(Some(hash(&ana.email, "partner")))).await;
    let refresh = tokens["AuthenticationResult"]["RefreshToken"].as_str().unwrap();
    let again = |hash: String| {
        let parameters = json!({"REFRESH_TOKEN": refresh, "SECRET_HASH": hash});
        json!({"ClientId": "partner", "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": parameters})
    };
    for (name, answer) in [(&*ana.email, ""), (&*ana.uid, ""), ("bo@example.org", UNVERIFIED)] {
        assert_eq!(told(server.target("InitiateAuth", again(hash(name, "partner"))).await), answer, "{name}");
    }
    let by_secret = |secret: &str| json!({"ClientId": "partner", "RefreshToken": refresh, "ClientSecret": secret});
    assert_eq!(told(server.target("GetTokensFromRefreshToken", by_secret(SECRET)).await), "");
    assert!(told(server.target("GetTokensFromRefreshToken", by_secret("another")).await).starts_with("NotAuthorizedException"));
    let revoke = |secret: &str| json!({"ClientId": "partner", "Token": refresh, "ClientSecret": secret});
    assert!(told(server.target("RevokeToken", revoke("")).await).starts_with("NotAuthorizedException"));
    assert_eq!(told(server.target("RevokeToken", revoke(SECRET)).await), "");
    assert!(told(server.target("GetTokensFromRefreshToken", by_secret(SECRET)).await).ends_with("has been revoked"));
    server.stop().await;
}

#[tokio::test]
async fn a_session_is_refreshed_by_the_name_that_its_client_knows() {
    let dir = tempfile::tempdir().unwrap();
    let server = server(&dir.path().join("clients.toml")).await;
    let ana = server.ana().await;
    let parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD, "SECRET_HASH": hash(&ana.email, "partner")});
    let sign_in = json!({"ClientId": "partner", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    let enter = async || server.asked("InitiateAuth", sign_in.clone()).await.unwrap()["AuthenticationResult"].clone();
    let refresh = async |tokens: &Value, name: &str| {
        let parameters = json!({"REFRESH_TOKEN": tokens["RefreshToken"], "SECRET_HASH": hash(name, "partner")});
        told(
            server
                .target("InitiateAuth", json!({"ClientId": "partner", "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": parameters}))
                .await,
        )
    };
    let (tokens, ended) = (enter().await, enter().await);
    server.asked("RevokeToken", json!({"ClientId": "partner", "ClientSecret": SECRET, "Token": ended["RefreshToken"]})).await.unwrap();
    for address in ["second@example.org", "Third@example.org"] {
        let said = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "email", "Value": address}]});
        server.asked("UpdateUserAttributes", said).await.unwrap();
        let code = server.code_for(address).await;
        let verify = json!({"AccessToken": ana.token, "AttributeName": "email", "Code": code});
        server.asked("VerifyUserAttribute", verify).await.unwrap();
    }
    for (name, answer) in [
        (&*ana.email, ""),
        ("second@example.org", ""),
        ("Third@example.org", ""),
        ("third@example.org", ""),
        (&*ana.uid, ""),
        ("fourth@example.org", UNVERIFIED),
    ] {
        assert_eq!(refresh(&tokens, name).await, answer, "{name}");
    }
    // Of another session it was never the name; and none is kept of who is gone.
    let names = "SELECT count(*) FROM sessions WHERE cardinality(former_names) > 0";
    let kept = async || sqlx::query_scalar::<_, i64>(names).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(kept().await, 2, "those that were open");
    let exported = server.asked("ExportUserData", json!({"AccessToken": ana.token})).await;
    assert!(exported.is_err() || exported.unwrap().to_string().contains("second@example.org"));
    server.asked("DeleteUser", json!({"AccessToken": ana.token})).await.unwrap();
    assert_eq!(kept().await, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_flow_that_is_not_the_clients_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let server = server(&dir.path().join("clients.toml")).await;
    let begin = |client: &str, flow: &str| json!({"ClientId": client, "AuthFlow": flow, "AuthParameters": {"USERNAME": "a", "SRP_A": "2"}});
    let refused = [
        ("partner", "USER_SRP_AUTH", "InvalidParameterException: USER_SRP_AUTH is not enabled for the client."),
        ("partner", "CUSTOM_AUTH", "InvalidParameterException: Auth flow not enabled for this client"),
        (
            "rotating",
            "REFRESH_TOKEN_AUTH",
            "UnsupportedOperationException: Refresh token rotation is enabled for this client: use GetTokensFromRefreshToken",
        ),
    ];
    for (client, flow, answer) in refused {
        assert_eq!(told(server.target("InitiateAuth", begin(client, flow)).await), answer, "{client} {flow}");
    }
    server.stop().await;
}
