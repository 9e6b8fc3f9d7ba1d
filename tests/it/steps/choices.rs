//! Second factors to choose from, codes by mail, and passwords that an operator set.

use super::{MISMATCH, NEW, PHONE, is_in, server, totp};
use crate::{harness::PASSWORD, srp_client::SrpClient};
use serde_json::{Value, json};
use std::collections::HashMap;

#[tokio::test]
async fn who_has_both_second_factors_chooses_and_sms_bring_a_code() {
    let server = server().await;
    let ana = server.ana().await;
    server.with_phone(&ana).await;
    server.with_authenticator(&ana).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}, "SoftwareTokenMfaSettings": {"Enabled": true}})).await.unwrap();
    let both = json!({"SMSMfaSettings": {"Enabled": true, "PreferredMfa": true}, "SoftwareTokenMfaSettings": {"PreferredMfa": true}});
    assert!(server.prefer(&ana, both).await.unwrap_err().starts_with("InvalidParameterException"));
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SELECT_MFA_TYPE");
    assert_eq!(asked["ChallengeParameters"]["MFAS_CAN_CHOOSE"], r#"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#);
    let choose = |choice: &str| json!({"USERNAME": ana.email, "ANSWER": choice});
    let told = server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("EMAIL_OTP")).await.unwrap_err();
    assert!(told.starts_with("InvalidParameterException"), "{told}");
    let sms = server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("SMS_MFA")).await.unwrap();
    assert_eq!(
        (&sms["ChallengeName"], &sms["ChallengeParameters"]["CODE_DELIVERY_DESTINATION"]),
        (&json!("SMS_MFA"), &json!("+*******1234"))
    );
    let code = server.code_for(PHONE).await;
    let given = |code: &str| json!({"USERNAME": ana.email, "SMS_MFA_CODE": code});
    let wrong = if code == "000000" { "000001" } else { "000000" };
    assert_eq!(server.step("goodturnweb", "SMS_MFA", &sms["Session"], given(wrong)).await.unwrap_err(), MISMATCH);
    assert!(is_in(&server.step("goodturnweb", "SMS_MFA", &sms["Session"], given(&code)).await.unwrap()));
    let again = server.step("goodturnweb", "SMS_MFA", &sms["Session"], given(&code)).await.unwrap_err();
    assert!(again.ends_with("session can only be used once."), "{again}");

    server.asked("SetUserSettings", json!({"AccessToken": ana.token, "MFAOptions": []})).await.unwrap();
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let options = json!([{"DeliveryMedium": "SMS", "AttributeName": "phone_number"}]);
    server.asked("SetUserSettings", json!({"AccessToken": ana.token, "MFAOptions": options})).await.unwrap();
    let user = server.asked("GetUser", json!({"AccessToken": ana.token})).await.unwrap();
    assert_eq!((&user["MFAOptions"], user.get("PreferredMfaSetting")), (&options, None));
    server.stop().await;
}

#[tokio::test]
async fn a_code_by_mail_signs_in_and_tells_nothing_of_who_is_nobody() {
    let server = server().await;
    let ana = server.ana().await;
    let begin = async |username: &str| {
        let body = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": username}});
        server.asked("InitiateAuth", body).await.unwrap()
    };
    let (asked, nobody) = (begin(&ana.email).await, begin("nobody@example.org").await);
    let shape = |answer: &Value| {
        let names = |of: &Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        (names(answer), names(&answer["ChallengeParameters"]), answer["Session"].as_str().unwrap().len())
    };
    assert_eq!((shape(&asked), &asked["ChallengeName"]), (shape(&nobody), &json!("CUSTOM_CHALLENGE")));
    let code = server.sign_in_code_for(&ana).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let answer = async |asked: &Value, username: &str, code: &str| {
        server.step("goodturnweb", "CUSTOM_CHALLENGE", &asked["Session"], json!({"USERNAME": username, "ANSWER": code})).await
    };
    for _ in 0..5 {
        assert_eq!(answer(&nobody, "nobody@example.org", wrong).await.unwrap_err(), MISMATCH);
    }
    assert_eq!(answer(&nobody, "nobody@example.org", wrong).await.unwrap_err(), "NotAuthorizedException: Invalid session for the user.");
    assert_eq!(answer(&asked, &ana.email, wrong).await.unwrap_err(), MISMATCH);
    assert!(is_in(&answer(&asked, &ana.email, &code).await.unwrap()));
    assert!(answer(&asked, &ana.email, &code).await.unwrap_err().ends_with("session can only be used once."));
    server.stop().await;
}

#[tokio::test]
async fn a_code_by_mail_may_follow_the_password_and_goes_before_a_second_factor() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let srp = SrpClient::new(41);
    let parameters = json!({"USERNAME": ana.email, "SRP_A": srp.srp_a(), "CHALLENGE_NAME": "SRP_A"});
    let begin = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": parameters});
    let asked = server.asked("InitiateAuth", begin).await.unwrap();
    assert_eq!(asked["ChallengeName"], "PASSWORD_VERIFIER");
    let challenge: HashMap<String, String> = serde_json::from_value(asked["ChallengeParameters"].clone()).unwrap();
    let proof = json!(srp.answer("Goodturn1", PASSWORD, &challenge));
    let asked = server.step("goodturnweb", "PASSWORD_VERIFIER", &Value::Null, proof).await.unwrap();
    assert_eq!(asked["ChallengeName"], "CUSTOM_CHALLENGE");
    let code = server.sign_in_code_for(&ana).await;
    let responses = json!({"USERNAME": ana.uid, "ANSWER": code});
    let asked = server.step("goodturnweb", "CUSTOM_CHALLENGE", &asked["Session"], responses).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let responses = json!({"USERNAME": ana.uid, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    assert!(is_in(&server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn a_password_that_an_operator_set_is_replaced_at_the_first_sign_in() {
    let server = server().await;
    let ana = server.ana().await;
    server.sql("UPDATE verifiers SET temporary_until = '2026-06-23 09:00Z' WHERE member_id = $1::uuid", &ana).await;
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    assert_eq!(
        (&asked["ChallengeName"], &asked["ChallengeParameters"]["requiredAttributes"]),
        (&json!("NEW_PASSWORD_REQUIRED"), &json!("[]"))
    );
    let attributes: Value = serde_json::from_str(asked["ChallengeParameters"]["userAttributes"].as_str().unwrap()).unwrap();
    assert_eq!(attributes["email"], ana.email);
    let set = async |password: &str| {
        let responses = json!({"USERNAME": ana.email, "NEW_PASSWORD": password});
        server.step("goodturnweb", "NEW_PASSWORD_REQUIRED", &asked["Session"], responses).await
    };
    assert!(set("short").await.unwrap_err().starts_with("InvalidPasswordException"));
    assert!(set(PASSWORD).await.unwrap_err().starts_with("InvalidPasswordException"), "it is known to whoever set it");
    let at_once = tokio::join!(set(NEW), set("Third-horse-11"));
    assert_eq!([&at_once.0, &at_once.1].iter().filter(|answer| answer.is_ok()).count(), 1, "{at_once:?}");
    let password = if at_once.0.is_ok() { NEW } else { "Third-horse-11" };
    assert_eq!(server.enter("goodturnweb", &ana, json!({})).await.unwrap_err(), "NotAuthorizedException: Incorrect username or password.");
    assert!(is_in(&server.enter("goodturnweb", &ana, json!({"PASSWORD": password})).await.unwrap()));

    server.sql("UPDATE verifiers SET temporary_until = '2026-06-16 09:00Z' WHERE member_id = $1::uuid", &ana).await;
    let told = server.enter("goodturnweb", &ana, json!({"PASSWORD": password})).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Temporary password has expired and must be reset by an administrator.");
    server.sql("UPDATE members SET disabled_at = now() WHERE id = $1::uuid", &ana).await;
    let told = server.enter("goodturnweb", &ana, json!({"PASSWORD": password})).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: User is disabled.");
    server.stop().await;
}
