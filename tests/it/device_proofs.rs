//! Proofs of devices: each belongs to the sign-in that awaits it.

use crate::{
    harness::{Member, TestServer},
    steps::{Device, is_in, server},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use time::Duration;

const INCORRECT: &str = "NotAuthorizedException: Incorrect username or password.";
const GONE: &str = "ResourceNotFoundException: Device does not exist.";

impl TestServer {
    /// A sign-in that awaits the proof of a device: its Session.
    async fn awaiting(&self, member: &Member, device: &Device) -> Value {
        let asked = self.enter("tracking", member, json!({"DEVICE_KEY": device.key})).await.unwrap();
        assert_eq!(asked["ChallengeName"], "DEVICE_SRP_AUTH");
        asked["Session"].clone()
    }

    async fn proved(&self, session: &Value, member: &Member, device: &Device) -> Result<Value, String> {
        self.prove_for(session, "tracking", member, (device, device.password)).await
    }
}

#[tokio::test]
async fn sign_ins_with_one_device_at_once_have_a_proof_each() {
    let server = server().await;
    let ana = server.ana().await;
    let (device, _) = server.with_device("tracking", &ana).await;
    let sessions = [server.awaiting(&ana, &device).await, server.awaiting(&ana, &device).await];
    let both = join_all(sessions.iter().map(|session| server.proved(session, &ana, &device))).await;
    assert!(both.iter().all(|answer| answer.as_ref().is_ok_and(is_in)), "{both:?}");

    let third = server.awaiting(&ana, &device).await;
    assert_eq!(server.proved(&sessions[0], &ana, &device).await.unwrap_err(), INCORRECT, "another sign-in awaits it");
    assert!(is_in(&server.proved(&third, &ana, &device).await.unwrap()));

    // Of clients that do not say which, each brings a proof of its own as well.
    for _ in 0..2 {
        server.awaiting(&ana, &device).await;
    }
    let both = join_all([Value::Null, Value::Null].iter().map(|session| server.proved(session, &ana, &device))).await;
    assert!(both.iter().all(|answer| answer.as_ref().is_ok_and(is_in)), "{both:?}");
    assert_eq!(server.proved(&Value::Null, &ana, &device).await.unwrap_err(), INCORRECT, "two were awaited");
    server.stop().await;
}

#[tokio::test]
async fn a_proof_without_a_session_counts_where_the_password_was_shown() {
    let server = server().await;
    let ana = server.ana().await;
    let (device, _) = server.with_device("tracking", &ana).await;
    let session = server.awaiting(&ana, &device).await;
    // As if it had come from another network.
    server.sql("UPDATE awaited_devices SET network = sha256('elsewhere') WHERE member_id = $1::uuid", &ana).await;
    assert_eq!(server.proved(&Value::Null, &ana, &device).await.unwrap_err(), INCORRECT);
    assert!(is_in(&server.proved(&session, &ana, &device).await.unwrap()), "who names the sign-in may have moved");
    let late = server.awaiting(&ana, &device).await;
    server.clock.advance(Duration::minutes(4));
    assert_eq!(server.proved(&late, &ana, &device).await.unwrap_err(), INCORRECT, "it was not awaited for ever");
    let changed = server.awaiting(&ana, &device).await;
    server.asked("GlobalSignOut", json!({"AccessToken": ana.token})).await.unwrap();
    assert_eq!(server.proved(&changed, &ana, &device).await.unwrap_err(), INCORRECT, "she signed out everywhere");
    server.stop().await;
}

#[tokio::test]
async fn the_one_that_makes_room_for_another_device_takes_its_sessions_along() {
    let server = server().await;
    let ana = server.ana().await;
    let (oldest, tokens) = server.with_device("tracking", &ana).await;
    // Two that were never confirmed: their sessions are bound to nothing.
    let unbound = server.enter("tracking", &ana, json!({})).await.unwrap()["AuthenticationResult"].clone();
    let crowd = "INSERT INTO devices (member_id, id, group_key, salt, sealed, remembered, created_at, changed_at, signed_in_at)
                 SELECT $1::uuid, gen_random_uuid(), '-x', 'a', 'b', true, t, t, t
                 FROM generate_series(1, 99), (VALUES ('2026-06-16 10:00Z'::timestamptz)) AS v (t)";
    server.sql(crowd, &ana).await;
    let newest = server.enter("tracking", &ana, json!({})).await.unwrap()["AuthenticationResult"].clone();
    let refresh = async |tokens: &Value, key: Option<&str>| {
        let parameters = json!({"REFRESH_TOKEN": tokens["RefreshToken"], "DEVICE_KEY": key});
        server.asked("InitiateAuth", json!({"ClientId": "tracking", "AuthFlow": "REFRESH_TOKEN", "AuthParameters": parameters})).await
    };
    for key in [Some(oldest.key.as_str()), None] {
        assert_eq!(refresh(&tokens, key).await.unwrap_err(), "NotAuthorizedException: Refresh Token has been revoked");
    }
    let told = server.asked("GetUser", json!({"AccessToken": tokens["AccessToken"]})).await;
    assert_eq!(told.unwrap_err(), "NotAuthorizedException: Access Token has been revoked");
    assert_eq!(server.asked("GetDevice", json!({"AccessToken": ana.token, "DeviceKey": oldest.key})).await.unwrap_err(), GONE);
    for tokens in [&unbound, &newest] {
        assert!(is_in(&refresh(tokens, None).await.unwrap()));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_key_of_another_region_is_unknown() {
    let server = server().await;
    let ana = server.ana().await;
    let (device, tokens) = server.with_device("tracking", &ana).await;
    let (region, id) = device.key.split_once('_').unwrap();
    for key in [format!("eu-west-1_{id}"), format!("_{id}"), id.to_owned(), format!("{region}_{}", id.to_uppercase())] {
        assert_eq!(server.enter("tracking", &ana, json!({"DEVICE_KEY": key})).await.unwrap_err(), GONE, "{key}");
        for operation in ["GetDevice", "ForgetDevice"] {
            let body = json!({"AccessToken": ana.token, "DeviceKey": key});
            assert_eq!(server.asked(operation, body).await.unwrap_err(), GONE, "{operation} {key}");
        }
        let body = json!({"ClientId": "tracking", "RefreshToken": tokens["RefreshToken"], "DeviceKey": key});
        assert_eq!(server.asked("GetTokensFromRefreshToken", body).await.unwrap_err(), GONE, "{key}");
    }
    server.stop().await;
}
