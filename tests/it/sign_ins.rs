//! Where a member is signed in, and signing out there.

use crate::harness::{PASSWORD, TestServer};
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

#[tokio::test]
async fn a_member_sees_where_they_are_signed_in_and_signs_out_there() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.clock.advance(Duration::minutes(1));
    let parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD});
    let body = json!({"ClientId": "goodturncli", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    let request = server
        .http(Method::POST, "/")
        .header("x-amz-target", "AWSCognitoIdentityProviderService.InitiateAuth")
        .header("content-type", "application/x-amz-json-1.1")
        .header("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
        .body(body.to_string());
    let tokens: Value = request.send().await.unwrap().json().await.unwrap();
    let elsewhere = tokens["AuthenticationResult"]["AccessToken"].clone();
    let list = async || server.target("ListSessions", json!({"AccessToken": ana.token})).await.1["Sessions"].as_array().unwrap().clone();
    let found = list().await;
    let told = found.iter().map(|s| (s["ClientId"].as_str().unwrap(), s["Agent"].as_str().unwrap(), s["Current"].as_bool().unwrap()));
    assert_eq!(told.take(1).collect::<Vec<_>>(), [("goodturncli", "Firefox on Linux", false)]);
    assert_eq!((found.len(), &found[1]["Current"]), (2, &json!(true)));

    server.clock.advance(Duration::minutes(1));
    let refresh = json!({"ClientId": server.config.web_client_id, "RefreshToken": ana.refresh_token});
    assert_eq!(server.target("GetTokensFromRefreshToken", refresh).await.0, 200);
    let found = list().await;
    assert_eq!((&found[0]["Current"], found[0]["RefreshDate"].is_number()), (&json!(true), true), "it was used last");

    let end = async |token: &Value| server.target("EndSession", json!({"AccessToken": token, "SessionId": found[1]["SessionId"]})).await;
    assert_eq!(end(&json!(ben.token)).await.1["message"], "Session does not exist.");
    assert_eq!(server.target("GetUser", json!({"AccessToken": elsewhere})).await.0, 200);
    for _ in 0..2 {
        assert_eq!(end(&json!(ana.token)).await.0, 200);
    }
    assert_eq!(server.target("GetUser", json!({"AccessToken": elsewhere})).await.1["message"], "Access Token has been revoked");
    assert_eq!(list().await.len(), 1);
    server.stop().await;
}
