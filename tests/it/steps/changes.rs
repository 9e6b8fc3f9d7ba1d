//! What is changed in between: an address, a number, a factor.

use super::{MISMATCH, PHONE, is_in, server, totp};
use crate::harness::TestServer;
use serde_json::{Value, json};
use time::Duration;

#[tokio::test]
async fn what_was_sent_before_an_address_a_number_or_a_factor_was_changed_lets_nobody_in() {
    let server = server().await;
    let ana = server.ana().await;
    let void = "NotAuthorizedException: Invalid session for the user.";
    let by_mail = async || {
        let body = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": ana.email}});
        (server.asked("InitiateAuth", body).await.unwrap()["Session"].clone(), server.sign_in_code_for(&ana).await)
    };
    let (session, code) = by_mail().await;
    server.clock.advance(Duration::SECOND);
    let body = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "email", "Value": "new@example.org"}]});
    server.asked("UpdateUserAttributes", body).await.unwrap();
    let given = server.mail_to("new@example.org", |_| true).await["body"].as_str().unwrap().to_owned();
    let given = given.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6).unwrap();
    let verify = json!({"AccessToken": ana.token, "AttributeName": "email", "Code": given});
    server.asked("VerifyUserAttribute", verify).await.unwrap();
    let late = server.step("goodturnweb", "CUSTOM_CHALLENGE", &session, json!({"USERNAME": ana.email, "ANSWER": code})).await;
    assert_eq!(late.unwrap_err(), void, "the mailbox is hers no longer");

    let ben = server.ben().await;
    server.with_phone(&ben).await;
    server.prefer(&ben, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap();
    let asked = server.enter("goodturnweb", &ben, json!({})).await.unwrap();
    let code = server.code_for(PHONE).await;
    server.clock.advance(Duration::SECOND);
    let gone = json!({"AccessToken": ben.token, "UserAttributeNames": ["phone_number"]});
    server.asked("DeleteUserAttributes", gone).await.unwrap();
    let late = server.step("goodturnweb", "SMS_MFA", &asked["Session"], json!({"USERNAME": ben.email, "SMS_MFA_CODE": code})).await;
    assert!(late.is_err(), "the number is his no longer");

    let eve = server.eve().await;
    let secret = server.with_authenticator(&eve).await;
    let asked = server.enter("goodturnweb", &eve, json!({})).await.unwrap();
    server.clock.advance(Duration::SECOND);
    server.asked("GlobalSignOut", json!({"AccessToken": eve.token})).await.unwrap();
    let responses = json!({"USERNAME": eve.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let late = server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await;
    assert_eq!(late.unwrap_err(), void, "it began before she signed out everywhere");

    let max = server.member("Max", "Hale").await;
    let asked = server.enter("strict", &max, json!({})).await.unwrap();
    server.clock.advance(Duration::SECOND);
    server.asked("GlobalSignOut", json!({"AccessToken": max.token})).await.unwrap();
    let late = server.asked("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await;
    assert_eq!(late.unwrap_err(), void, "nor is anything set up by it");
    server.stop().await;
}

#[tokio::test]
async fn a_second_factor_is_not_lost_with_its_sender_and_a_required_one_not_for_a_device() {
    let server = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.with_phone(&ana).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap();
    let mut config = server.config.clone();
    config.mode = goodturn::config::Mode::Production;
    config.smtp_url = Some("smtp://127.0.0.1:1".parse().unwrap());
    let silent = TestServer::on(server.database.clone(), config, server.clock.clone()).await;
    assert_eq!(
        silent.enter("goodturnweb", &ana, json!({})).await.unwrap_err(),
        "NotAuthorizedException: We can't send text messages right now."
    );
    silent.stop().await;

    let (device, _) = server.with_device("tracking", &ben).await;
    let asked = server.enter("strict", &ben, json!({"DEVICE_KEY": device.key})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "MFA_SETUP", "this client remembers no devices");
    server.stop().await;
}

#[tokio::test]
async fn recovery_codes_go_with_their_authenticator_and_guesses_of_mailed_codes_are_counted_apart() {
    let server = server().await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    let codes = server.asked("CreateRecoveryCodes", json!({"AccessToken": ana.token})).await.unwrap();
    let secret = server.with_authenticator(&ana).await;
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let given = |code: &Value| json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code});
    let old = server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given(&codes["Codes"][0])).await;
    assert_eq!(old.unwrap_err(), MISMATCH, "they were the copy of the one before");

    for _ in 0..3 {
        let body = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": ana.email}});
        let begun = server.asked("InitiateAuth", body).await.unwrap();
        for _ in 0..5 {
            let answer = json!({"USERNAME": ana.email, "ANSWER": "12"});
            assert!(server.step("goodturnweb", "CUSTOM_CHALLENGE", &begun["Session"], answer).await.is_err());
        }
    }
    let code = json!(totp(&secret, server.clock.now()));
    assert!(is_in(&server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given(&code)).await.unwrap()));
    server.stop().await;
}
