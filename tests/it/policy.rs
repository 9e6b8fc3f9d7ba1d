//! What a community decides of accounts by settings: what passwords must have, and how long things last.

use crate::harness::{PASSWORD, START, TestServer};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use goodturn::{clock::Clock, config::Config};
use serde_json::{Value, json};
use time::Duration;

async fn with(change: impl FnOnce(&mut Config)) -> TestServer {
    TestServer::start_with(Clock::fixed(START), change).await
}

impl TestServer {
    async fn asks_to_join(&self, email: &str, password: &str) -> (u16, Value) {
        let body = json!({"ClientId": self.config.web_client_id, "Username": email, "Password": password,
            "UserAttributes": [{"Name": "name", "Value": "Nia Dam"}]});
        self.target("SignUp", body).await
    }
}

#[tokio::test]
async fn passwords_are_refused_by_the_policy_wherever_one_is_set() {
    let server = with(|c| {
        c.identity.password_chars_min = 12;
        (c.identity.password_upper, c.identity.password_digit) = (true, true);
    })
    .await;
    let ana = server.ana().await;
    let told = |(status, answer): (u16, Value)| (status, answer["message"].as_str().unwrap_or_default().to_owned());
    let refused = |why: &str| (400, format!("Password did not conform with policy: {why}"));
    for (password, why) in [
        ("Short-1", "Password not long enough"),
        ("long-enough-1", "Password must have uppercase characters"),
        ("Long-enough-x", "Password must have numeric characters"),
    ] {
        assert_eq!(told(server.asks_to_join("nia@example.org", password).await), refused(why));
        let change = json!({"AccessToken": ana.token, "PreviousPassword": PASSWORD, "ProposedPassword": password});
        assert_eq!(told(server.target("ChangePassword", change).await), refused(why));
        let reset =
            json!({"ClientId": server.config.web_client_id, "Username": ana.email, "ConfirmationCode": "123456", "Password": password});
        assert_eq!(told(server.target("ConfirmForgotPassword", reset).await), refused(why));
    }
    assert_eq!(server.asks_to_join("nia@example.org", "Long-enough-1").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn common_passwords_are_refused_wherever_one_is_set() {
    let server = with(|_| {}).await;
    let ana = server.ana().await;
    for password in ["password1", "PassWord1"] {
        let change = json!({"AccessToken": ana.token, "PreviousPassword": PASSWORD, "ProposedPassword": password});
        let reset =
            json!({"ClientId": server.config.web_client_id, "Username": ana.email, "ConfirmationCode": "123456", "Password": password});
        for (status, answer) in [
            server.asks_to_join("nia@example.org", password).await,
            server.target("ChangePassword", change).await,
            server.target("ConfirmForgotPassword", reset).await,
        ] {
            assert_eq!((status, &answer["__type"]), (400, &json!("InvalidPasswordException")), "{answer}");
            assert_eq!(answer["message"], "This password is too common. Please choose another one.");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn tokens_last_as_long_as_is_set() {
    let server = with(|c| {
        c.identity.access_token_life_min = 5;
        c.identity.refresh_token_life_h = 2;
    })
    .await;
    let ana = server.ana().await;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(ana.token.split('.').nth(1).unwrap()).unwrap()).unwrap();
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 300);
    let refresh = |token: &str| json!({"ClientId": server.config.web_client_id, "RefreshToken": token});
    let (_, answer) = server.target("GetTokensFromRefreshToken", refresh(&ana.refresh_token)).await;
    assert_eq!(answer["AuthenticationResult"]["ExpiresIn"], 300);
    let next = answer["AuthenticationResult"]["RefreshToken"].as_str().unwrap().to_owned();
    server.clock.advance(Duration::minutes(5));
    assert_eq!(server.rest("GET", "/notifications", &ana, None).await.0, 401);
    server.clock.advance(Duration::minutes(115));
    let (status, answer) = server.target("GetTokensFromRefreshToken", refresh(&next)).await;
    assert_eq!((status, answer["message"].as_str()), (400, Some("Refresh Token has expired")));
    server.stop().await;
}

#[tokio::test]
async fn codes_last_as_long_as_is_set_and_mails_say_so() {
    let server = with(|c| {
        c.identity.sign_up_life_h = 2;
        c.identity.reset_code_life_min = 10;
    })
    .await;
    let ana = server.ana().await;
    server.target("ForgotPassword", json!({"ClientId": server.config.web_client_id, "Username": ana.email})).await;
    let code = server.reset_code_for(&ana.email).await;
    server.mail_to(&ana.email, |body| body.contains("within 10 minutes")).await;
    assert_eq!(server.asks_to_join("nia@example.org", PASSWORD).await.0, 200);
    let joining = server.code_for("nia@example.org").await;
    server.mail_to("nia@example.org", |body| body.contains("within 2 hours of signing up")).await;
    server.clock.advance(Duration::minutes(10));
    let reset = json!({"ClientId": server.config.web_client_id, "Username": ana.email, "ConfirmationCode": code, "Password": PASSWORD});
    assert_eq!(server.target("ConfirmForgotPassword", reset).await.1["__type"], "ExpiredCodeException");
    server.clock.advance(Duration::minutes(110));
    let confirm = json!({"ClientId": server.config.web_client_id, "Username": "nia@example.org", "ConfirmationCode": joining});
    assert_eq!(server.target("ConfirmSignUp", confirm).await.1["__type"], "CodeMismatchException");
    server.stop().await;
}
