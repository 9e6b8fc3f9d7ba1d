//! Secrets stay out of the log, at its most talkative: passwords, codes, tokens, addresses, keys.

use crate::harness::{Logs, TestServer};
use serde_json::json;

#[tokio::test]
async fn no_secret_reaches_the_log() {
    let logs = Logs::capture(&format!("trace,{}", goodturn::jobs::LOG_DIRECTIVE));
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = server.config.web_client_id.clone();
    let wrong = json!({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": client, "AuthParameters": {"USERNAME": "ana@example.org", "PASSWORD": "canary-password"}});
    assert_eq!(server.target("InitiateAuth", wrong).await.0, 400);
    server.rest("GET", "/favor/active", &ana, None).await;
    server.rest("POST", "/favor/favor-create", &ana, json!({"title": "canary-title", "description": "canary-text"})).await;
    let url = server.database.url().to_owned();
    server.stop().await;

    let text = logs.text();
    assert!(text.contains("\"path\":\"/goodturn.favors.v1.FavorsService/CreateFavor\""), "calls are logged");
    let secrets = [
        crate::harness::PASSWORD,
        "canary-password",
        "canary-title",
        "canary-text",
        "ana@example.org",
        &ana.token,
        &ana.id_token,
        &ana.refresh_token,
        &url,
        &"61".repeat(32),
    ];
    for secret in secrets {
        let line = text.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "a secret is in the log: {}", line.unwrap_or_default().chars().take(400).collect::<String>());
    }
}
