//! Attacks on access tokens, by the hundred: whatever is wrong with one, and over whatever face it comes, the refusal is one and the same.

mod forge;

use crate::harness::{Database, Member, Refused, START, TestServer, config};
use forge::{Forge, part};
use goodturn::{clock::Clock, pb::favors::ListActiveFavorsRequest};
use reqwest::{Method, header::HeaderValue};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use time::Duration;

const INVALID: &str = "NotAuthorizedException: Invalid Access Token";
const REVOKED: &str = "NotAuthorizedException: Access Token has been revoked";

impl TestServer {
    /// What a call that names its token in the body is told, from the status to the last letter.
    async fn told_by_body(&self, operation: &str, mut body: Value, token: &str) -> String {
        body["AccessToken"] = json!(token);
        let (status, answer) = self.target(operation, body).await;
        let told = format!("{}: {}", answer["__type"].as_str().unwrap_or_default(), answer["message"].as_str().unwrap_or_default());
        assert!(status == 200 || (status == 400 && answer.as_object().unwrap().len() == 2), "{status} {answer}");
        if status == 200 { String::new() } else { told }
    }

    /// The same of a call over REST, with its headers but for those that are never the same; `None` when no header can hold the token.
    async fn told_by_header(&self, token: &str) -> Option<String> {
        let value = HeaderValue::from_bytes(format!("Bearer {token}").as_bytes()).ok()?;
        let answer = self.http(Method::GET, "/notifications").header("authorization", value).send().await.unwrap();
        let status = answer.status().as_u16();
        let headers: BTreeMap<_, _> =
            answer.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
        let same: Vec<_> =
            headers.into_iter().filter(|(name, _)| name != "date" && name != "x-request-id" && name != "content-length").collect();
        let mut body: Value = answer.json().await.unwrap();
        if status == 200 {
            return Some(String::new());
        }
        body.as_object_mut().unwrap().remove("requestId").unwrap();
        Some(format!("{status} {body} {same:?}"))
    }

    /// The same of a call over gRPC.
    async fn told_by_metadata(&self, token: &str) -> Option<String> {
        format!("Bearer {token}").parse::<tonic::metadata::MetadataValue<tonic::metadata::Ascii>>().ok()?;
        let who = Member { token: token.to_owned(), ..Member::default() };
        let answer = self.favors(&who).list_active_favors(ListActiveFavorsRequest::default()).await;
        Some(answer.map_or_else(|status| format!("{:?}", Refused::from(status)), |_| String::new()))
    }

    /// The claims of a token, and what signs as the server does.
    async fn forge(&self, good: &str) -> Forge {
        let path = format!("/{}/.well-known/jwks.json", self.config.pool_id);
        let (_, jwks) = self.rest("GET", &path, None, None).await;
        let sealed: Vec<u8> =
            sqlx::query_scalar("SELECT sealed FROM signing_keys").fetch_one(&mut self.database.connect().await).await.unwrap();
        Forge::new(good, jwks, &sealed)
    }
}

#[tokio::test]
async fn every_forged_token_is_refused_alike_over_every_face() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let forge = server.forge(&ana.token).await;
    assert_eq!(server.told_by_body("GetUser", json!({}), &forge.again()).await, "", "what it signs is good");
    let vectors = forge.vectors();
    assert!(vectors.len() >= 300, "{}", vectors.len());
    let by_header = server.told_by_header("x").await.unwrap();
    let by_metadata = server.told_by_metadata("x").await.unwrap();
    assert!(by_header.starts_with("401 ") && by_metadata.contains("UNAUTHENTICATED"), "{by_header} {by_metadata}");
    for (what, token) in &vectors {
        assert_ne!(*token, ana.token, "{what} is no attack");
        let told = server.told_by_body("GetUser", json!({}), token).await;
        // A text with U+0000 is none, whatever it is for.
        assert!(told == INVALID || (token.contains('\0') && told.contains("U+0000")), "{what}, in the body: {token}: {told}");
        // White space around a token is none of it, in a header.
        if token.trim() == ana.token {
            continue;
        }
        assert_eq!(server.told_by_header(token).await.unwrap_or(by_header.clone()), by_header, "{what}, over REST: {token}");
        assert_eq!(server.told_by_metadata(token).await.unwrap_or(by_metadata.clone()), by_metadata, "{what}, over gRPC: {token}");
    }
    assert_eq!(server.told_by_body("GetUser", json!({}), &ana.token).await, "");
    server.stop().await;
}

#[tokio::test]
async fn every_operation_refuses_a_forged_token_before_all_else() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let forge = server.forge(&ana.token).await;
    let key = json!({"DeviceKey": "us-east-1_0195511f-5000-7b3f-8d2e-6a1d2e3f4a5c", "DeviceRememberedStatus": "remembered"});
    let operations = [
        ("GetUser", json!({})),
        ("GlobalSignOut", json!({})),
        ("ChangePassword", json!({"PreviousPassword": "a", "ProposedPassword": "short"})),
        ("UpdateUserAttributes", json!({"UserAttributes": [{"Name": "x", "Value": "y"}]})),
        ("DeleteUserAttributes", json!({"UserAttributeNames": ["email"]})),
        ("GetUserAttributeVerificationCode", json!({"AttributeName": "x"})),
        ("VerifyUserAttribute", json!({"AttributeName": "x", "Code": "1"})),
        ("DeleteUser", json!({})),
        ("CloseAccount", json!({})),
        ("SetUserSettings", json!({"MFAOptions": []})),
        ("SetUserMFAPreference", json!({})),
        ("AssociateSoftwareToken", json!({})),
        ("VerifySoftwareToken", json!({"UserCode": "123456"})),
        ("CreateRecoveryCodes", json!({})),
        ("ConfirmDevice", key.clone()),
        ("GetDevice", key.clone()),
        ("ForgetDevice", key.clone()),
        ("UpdateDeviceStatus", key),
        ("ListDevices", json!({})),
        ("ListSessions", json!({})),
        ("EndSession", json!({"SessionId": "x"})),
        ("UnlinkProvider", json!({"ProviderName": "Club", "UserId": "1"})),
    ];
    let tokens = forge
        .vectors()
        .into_iter()
        .step_by(37)
        .map(|(_, token)| token)
        .filter(|token| !token.contains('\0'))
        .chain([ana.id_token.clone(), ana.refresh_token.clone()]);
    for token in tokens {
        for (operation, body) in &operations {
            assert_eq!(server.told_by_body(operation, body.clone(), &token).await, INVALID, "{operation}: {token}");
        }
    }
    // None at all, in the body or beside it.
    for (operation, body) in &operations {
        assert_eq!(server.told_by_body(operation, body.clone(), "").await, INVALID, "{operation}");
    }
    assert_eq!(server.told_by_body("GetUser", json!({}), &ana.token).await, "", "nothing was ended");
    server.stop().await;
}

#[tokio::test]
async fn tokens_of_elsewhere_and_of_other_uses_are_refused_as_forged_ones_are() {
    let server = TestServer::start().await;
    let other_pool = TestServer::start_with(Clock::fixed(START), |config| config.pool_id = "us-east-1_Another".to_owned()).await;
    // With keys of its own.
    let same_name = TestServer::on(Arc::new(Database::create().await), config(), Clock::fixed(START)).await;
    let ana = server.ana().await;
    let (by_header, by_metadata) = (server.told_by_header("x").await, server.told_by_metadata("x").await);
    let (there, namesake) = (other_pool.ana().await, same_name.ana().await);
    let good = part(&ana.token, 1);
    assert_eq!(good["iss"], part(&namesake.token, 1)["iss"], "but for its key it could be one of these");
    for token in [&there.token, &namesake.token, &there.id_token, &ana.id_token, &ana.refresh_token] {
        assert_eq!(server.told_by_body("GetUser", json!({}), token).await, INVALID);
        assert_eq!((server.told_by_header(token).await, server.told_by_metadata(token).await), (by_header.clone(), by_metadata.clone()));
    }
    other_pool.stop().await;
    same_name.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn tokens_without_the_scope_of_calls_are_refused_as_forged_ones_are_but_for_the_protocol_s_word() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let forge = server.forge(&ana.token).await;
    let (by_header, by_metadata) = (server.told_by_header("x").await, server.told_by_metadata("x").await);
    for scope in ["", "openid", "openid email phone profile"] {
        let token = forge.of_scope(scope);
        let told = server.told_by_body("GetUser", json!({}), &token).await;
        assert_eq!(told, "NotAuthorizedException: Access Token does not have required scopes", "{scope}");
        assert_eq!((server.told_by_header(&token).await, server.told_by_metadata(&token).await), (by_header.clone(), by_metadata.clone()));
    }
    server.stop().await;
}

#[tokio::test]
async fn tokens_that_were_good_are_refused_as_forged_ones_are_but_for_the_protocol_s_word() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (by_header, by_metadata) = (server.told_by_header("x").await, server.told_by_metadata("x").await);
    let is_out = async |token: &str, word: &str| {
        assert_eq!(server.told_by_body("GetUser", json!({}), token).await, word);
        assert_eq!((server.told_by_header(token).await, server.told_by_metadata(token).await), (by_header.clone(), by_metadata.clone()));
    };
    let revoked = server.signed_in_again(&ana).await;
    let body = json!({"ClientId": server.web_client_id, "Token": revoked.refresh_token});
    assert_eq!(server.target("RevokeToken", body).await.0, 200);
    is_out(&revoked.token, REVOKED).await;
    let signed_out = server.signed_in_again(&ana).await;
    assert_eq!(server.target("GlobalSignOut", json!({"AccessToken": ana.token})).await.0, 200);
    is_out(&signed_out.token, REVOKED).await;
    let late = server.signed_in_again(&ana).await;
    server.clock.advance(Duration::HOUR);
    is_out(&late.token, INVALID).await;
    is_out(&ana.token, INVALID).await;
    server.stop().await;
}

#[tokio::test]
async fn a_token_of_any_length_is_refused_and_harms_nothing() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for length in [8192, 8193, 20_000, 60_000, 300_000] {
        let token = "A".repeat(length);
        let (status, answer) = server.target("GetUser", json!({"AccessToken": token})).await;
        let kind = if length <= 8192 { "NotAuthorizedException" } else { "InvalidParameterException" };
        assert_eq!((status, answer["__type"].as_str()), (400, Some(kind)), "{length}");
        let answer = server.http(Method::GET, "/notifications").bearer_auth(&token).send().await;
        assert!(answer.is_err() || answer.is_ok_and(|answer| [401, 431].contains(&answer.status().as_u16())), "{length}");
    }
    assert_eq!(server.told_by_body("GetUser", json!({}), &ana.token).await, "");
    server.stop().await;
}
