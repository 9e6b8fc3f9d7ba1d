//! Devices that are remembered, and their sessions.

use super::{claims, is_in, server};
use crate::harness::START;
use serde_json::{Value, json};
use std::collections::HashMap;
use time::Duration;

#[tokio::test]
async fn a_remembered_device_proves_itself_in_place_of_a_second_factor() {
    let server = server().await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    // Made before the authenticator would be asked for: by a member who turned it off for the moment.
    server.prefer(&ana, json!({"SoftwareTokenMfaSettings": {"Enabled": false}})).await.unwrap();
    let (device, tokens) = server.with_device("tracking", &ana).await;
    assert_eq!(claims(&tokens["AccessToken"])["device_key"], json!(device.key));
    server.prefer(&ana, json!({"SoftwareTokenMfaSettings": {"Enabled": true, "PreferredMfa": true}})).await.unwrap();

    let named = json!({"DEVICE_KEY": device.key});
    let asked = server.enter("tracking", &ana, named.clone()).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA", "it was remembered before there was something that it could stand in for");
    let remember = json!({"AccessToken": ana.token, "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"});
    server.asked("UpdateDeviceStatus", remember).await.unwrap();
    assert_eq!(server.enter("tracking", &ana, json!({})).await.unwrap()["ChallengeName"], "SOFTWARE_TOKEN_MFA", "it names no device");
    let incorrect = "NotAuthorizedException: Incorrect username or password.";
    assert_eq!(server.prove("tracking", &ana, &device, device.password).await.unwrap_err(), incorrect, "no password was shown");
    assert_eq!(server.enter("tracking", &ana, named.clone()).await.unwrap()["ChallengeName"], "DEVICE_SRP_AUTH");
    assert_eq!(server.prove("goodturnweb", &ana, &device, device.password).await.unwrap_err(), incorrect, "another client showed it");
    assert_eq!(server.prove("tracking", &ana, &device, "another").await.unwrap_err(), incorrect);
    let entered = server.prove("tracking", &ana, &device, device.password).await.unwrap();
    assert!(is_in(&entered) && entered["AuthenticationResult"].get("NewDeviceMetadata").is_none());
    assert_eq!(claims(&entered["AuthenticationResult"]["AccessToken"])["device_key"], json!(device.key));
    assert_eq!(server.prove("tracking", &ana, &device, device.password).await.unwrap_err(), incorrect, "it serves once");

    let forget = json!({"AccessToken": ana.token, "DeviceKey": device.key, "DeviceRememberedStatus": "not_remembered"});
    server.asked("UpdateDeviceStatus", forget).await.unwrap();
    assert_eq!(server.enter("tracking", &ana, named).await.unwrap()["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let gone = "ResourceNotFoundException: Device does not exist.";
    for key in ["us-east-1_0195511f-5000-7b3f-8d2e-6a1d2e3f4a5c", "x"] {
        assert_eq!(server.enter("tracking", &ana, json!({"DEVICE_KEY": key})).await.unwrap_err(), gone);
        let wrong = json!({"DEVICE_KEY": key, "PASSWORD": "wrong"});
        let told = server.enter("tracking", &ana, wrong).await.unwrap_err();
        assert!(told == incorrect || key == "x", "{told}");
    }
    assert!(server.enter("tracking", &ana, json!({"DEVICE_KEY": null})).await.is_ok(), "none");
    server.stop().await;
}

#[tokio::test]
async fn a_session_is_refreshed_from_its_device_and_ends_with_it() {
    let server = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (device, tokens) = server.with_device("tracking", &ana).await;
    let (other, _) = server.with_device("tracking", &ana).await;
    let refresh = async |key: Option<&str>| {
        let parameters = json!({"REFRESH_TOKEN": tokens["RefreshToken"], "DEVICE_KEY": key});
        server.asked("InitiateAuth", json!({"ClientId": "tracking", "AuthFlow": "REFRESH_TOKEN", "AuthParameters": parameters})).await
    };
    let by_call = |key: &str| json!({"ClientId": "tracking", "RefreshToken": tokens["RefreshToken"], "DeviceKey": key});
    assert!(is_in(&refresh(Some(&device.key)).await.unwrap()));
    assert!(server.asked("GetTokensFromRefreshToken", by_call(&device.key)).await.is_ok());
    for refused in [refresh(None).await, refresh(Some(&other.key)).await, server.asked("GetTokensFromRefreshToken", by_call("")).await] {
        assert_eq!(refused.unwrap_err(), "NotAuthorizedException: Invalid Refresh Token");
    }
    let gone = "ResourceNotFoundException: Device does not exist.";
    for operation in ["GetDevice", "ForgetDevice"] {
        let body = json!({"AccessToken": ben.token, "DeviceKey": device.key});
        assert_eq!(server.asked(operation, body).await.unwrap_err(), gone, "it is another's");
    }
    server.asked("ForgetDevice", json!({"AccessToken": ana.token, "DeviceKey": device.key})).await.unwrap();
    assert_eq!(refresh(Some(&device.key)).await.unwrap_err(), "NotAuthorizedException: Refresh Token has been revoked");
    let told = server.asked("GetUser", json!({"AccessToken": tokens["AccessToken"]})).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Access Token has been revoked");
    let again = server.asked("GetDevice", json!({"AccessToken": ana.token, "DeviceKey": device.key})).await;
    assert_eq!(again.unwrap_err(), gone);
    server.stop().await;
}

#[tokio::test]
async fn devices_are_confirmed_by_their_own_sign_in_and_listed_in_pages() {
    let server = server().await;
    let ana = server.ana().await;
    let (first, tokens) = server.with_device("asking", &ana).await;
    let told = server.confirm_device(&first, &json!(ana.token)).await.unwrap_err();
    assert_eq!(told, "ResourceNotFoundException: Device does not exist.", "another sign-in made it");
    assert!(server.confirm_device(&first, &tokens["AccessToken"]).await.is_ok(), "again");
    let device = server.asked("GetDevice", json!({"AccessToken": ana.token, "DeviceKey": first.key})).await.unwrap();
    assert_eq!(device["Device"]["DeviceCreateDate"].as_f64(), Some(START.unix_timestamp() as f64));
    let attributes: HashMap<String, String> = device["Device"]["DeviceAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| (a["Name"].as_str().unwrap().to_owned(), a["Value"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!((attributes["device_status"].as_str(), attributes["device_name"].as_str()), ("not_remembered", "A browser"));
    for _ in 0..2 {
        server.clock.advance(Duration::SECOND);
        server.with_device("asking", &ana).await;
    }
    // One that nobody confirmed is no device yet.
    server.enter("asking", &ana, json!({})).await.unwrap();
    let page = async |token: Option<&Value>| {
        let mut body = json!({"AccessToken": ana.token, "Limit": 2});
        if let Some(token) = token {
            body["PaginationToken"] = token.clone();
        }
        server.asked("ListDevices", body).await.unwrap()
    };
    let newest = page(None).await;
    let oldest = page(Some(&newest["PaginationToken"])).await;
    assert_eq!((newest["Devices"].as_array().unwrap().len(), oldest["Devices"].as_array().unwrap().len()), (2, 1));
    assert_eq!((&oldest["Devices"][0]["DeviceKey"], oldest.get("PaginationToken")), (&json!(first.key), None));
    let told = server.asked("ListDevices", json!({"AccessToken": ana.token, "PaginationToken": "x"})).await.unwrap_err();
    assert!(told.starts_with("InvalidParameterException"), "{told}");
    server.stop().await;
}
