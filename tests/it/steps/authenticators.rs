//! Authenticators and the codes that stand in for a lost one.

use super::{MISMATCH, NEW, is_in, server, totp, unbase32};
use crate::harness::PASSWORD;
use futures_util::future::join_all;
use serde_json::{Value, json};
use time::Duration;

#[tokio::test]
async fn an_authenticator_is_asked_for_and_each_code_lets_in_once() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let user = server.asked("GetUser", json!({"AccessToken": ana.token})).await.unwrap();
    assert_eq!((&user["PreferredMfaSetting"], &user["UserMFASettingList"]), (&json!("SOFTWARE_TOKEN_MFA"), &json!(["SOFTWARE_TOKEN_MFA"])));

    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    assert_eq!(
        (&asked["ChallengeName"], &asked["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"]),
        (&json!("SOFTWARE_TOKEN_MFA"), &json!("My phone"))
    );
    let code = totp(&secret, server.clock.now());
    let given = |name: &str, code: &str| json!({"USERNAME": name, "SOFTWARE_TOKEN_MFA_CODE": code});
    let answer = async |client: &str, responses| server.step(client, "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await;
    assert_eq!(answer("goodturnweb", given(&ana.email, "000000")).await.unwrap_err(), MISMATCH);
    let another = "NotAuthorizedException: Invalid session for the user.";
    assert_eq!(answer("goodturncli", given(&ana.email, &code)).await.unwrap_err(), another, "it is another client's");
    assert_eq!(answer("goodturnweb", given("bo@example.org", &code)).await.unwrap_err(), another, "it is another member's");
    let other = server.step("goodturnweb", "SMS_MFA", &asked["Session"], json!({"USERNAME": ana.email, "SMS_MFA_CODE": code})).await;
    assert_eq!(other.unwrap_err(), another, "it is for another step");
    assert!(is_in(&answer("goodturnweb", given(&ana.uid, &code)).await.unwrap()));
    assert_eq!(
        answer("goodturnweb", given(&ana.email, &code)).await.unwrap_err(),
        "ExpiredCodeException: Your software token has already been used once."
    );
    server.clock.advance(Duration::seconds(30));
    let next = totp(&secret, server.clock.now());
    let used = "NotAuthorizedException: Invalid session for the user, session can only be used once.";
    assert_eq!(answer("goodturnweb", given(&ana.email, &next)).await.unwrap_err(), used);

    let late = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    server.clock.advance(Duration::minutes(5));
    let responses = given(&ana.email, &totp(&secret, server.clock.now()));
    let expired = server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &late["Session"], responses).await;
    assert_eq!(expired.unwrap_err(), "NotAuthorizedException: Invalid session for the user, session is expired.");
    assert!(is_in(&server.enter("lax", &ana, json!({})).await.unwrap()), "this client asks for none");
    server.stop().await;
}

#[tokio::test]
async fn of_many_answers_with_one_code_at_once_one_is_let_in() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let asked = join_all((0..4).map(|_| server.enter("goodturnweb", &ana, json!({})))).await;
    let code = totp(&secret, server.clock.now());
    let answers = asked.iter().flat_map(|asked| [asked.as_ref().unwrap(); 2]).map(|asked| {
        let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        async { server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await }
    });
    let answers = join_all(answers).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    server.stop().await;
}

#[tokio::test]
async fn guesses_of_a_second_factor_are_few_however_many_sign_ins_are_begun() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let (right, mut refused) = (totp(&secret, server.clock.now()), Vec::new());
    for guess in 0..8 {
        let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
        let code = if right == "123456" { "654321" } else { "123456" };
        let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        refused.push((guess, server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await.unwrap_err()));
    }
    let tried = refused.iter().filter(|(_, told)| told == MISMATCH).count();
    assert_eq!(tried, 5, "{refused:?}");
    assert!(refused.last().unwrap().1.ends_with("Password attempts exceeded"));
    server.stop().await;
}

#[tokio::test]
async fn a_password_that_is_changed_in_between_ends_the_sign_in() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let change = json!({"AccessToken": ana.token, "PreviousPassword": PASSWORD, "ProposedPassword": NEW});
    server.asked("ChangePassword", change).await.unwrap();
    let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let told = server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Incorrect username or password.");
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_code_sets_no_authenticator_up_and_the_one_before_stays_until_another_is() {
    let server = server().await;
    let ana = server.ana().await;
    let told = server.prefer(&ana, json!({"SoftwareTokenMfaSettings": {"Enabled": true}})).await.unwrap_err();
    assert_eq!(told, "InvalidParameterException: User has not verified software token mfa");
    let told = server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap_err();
    assert_eq!(told, "InvalidParameterException: User does not have delivery config set to turn on SMS_MFA");
    let secret = server.with_authenticator(&ana).await;
    let made = server.asked("AssociateSoftwareToken", json!({"AccessToken": ana.token})).await.unwrap();
    let verify = |code: String| json!({"AccessToken": ana.token, "UserCode": code});
    let told = server.asked("VerifySoftwareToken", verify(totp(&secret, server.clock.now()))).await.unwrap_err();
    assert_eq!(told, "EnableSoftwareTokenMFAException: Code mismatch and fail enable Software Token MFA");
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    assert!(is_in(&server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await.unwrap()));
    let another = unbase32(made["SecretCode"].as_str().unwrap());
    server.asked("VerifySoftwareToken", verify(totp(&another, server.clock.now()))).await.unwrap();
    server.clock.advance(Duration::seconds(30));
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    for (secret, lets_in) in [(&secret, false), (&another, true)] {
        let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(secret, server.clock.now())});
        assert_eq!(server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await.is_ok(), lets_in);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_recovery_code_stands_in_once_for_a_lost_authenticator() {
    let server = server().await;
    let ana = server.ana().await;
    let body = json!({"AccessToken": ana.token});
    let told = server.asked("CreateRecoveryCodes", body.clone()).await.unwrap_err();
    assert_eq!(told, "InvalidParameterException: User has not verified software token mfa");
    server.with_authenticator(&ana).await;
    let void = server.asked("CreateRecoveryCodes", body.clone()).await.unwrap();
    let codes = server.asked("CreateRecoveryCodes", body).await.unwrap();
    assert_eq!(codes["Codes"].as_array().unwrap().len(), 10);
    let enter = async |code: &Value| {
        let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
        let responses = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], responses).await
    };
    assert_eq!(enter(&void["Codes"][0]).await.unwrap_err(), MISMATCH);
    assert!(is_in(&enter(&codes["Codes"][3]).await.unwrap()));
    assert_eq!(enter(&codes["Codes"][3]).await.unwrap_err(), MISMATCH);
    assert!(is_in(&enter(&json!(codes["Codes"][4].as_str().unwrap().to_uppercase())).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_wants_a_second_factor_has_one_set_up() {
    let server = server().await;
    let ana = server.ana().await;
    let asked = server.enter("strict", &ana, json!({})).await.unwrap();
    assert_eq!(
        (&asked["ChallengeName"], &asked["ChallengeParameters"]["MFAS_CAN_SETUP"]),
        (&json!("MFA_SETUP"), &json!(r#"["SOFTWARE_TOKEN_MFA"]"#))
    );
    let name = json!({"USERNAME": ana.email});
    let skipped = server.step("strict", "MFA_SETUP", &asked["Session"], name.clone()).await.unwrap_err();
    assert_eq!(skipped, "NotAuthorizedException: Invalid session for the user.", "nothing is set up yet");
    let made = server.asked("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await.unwrap();
    let secret = unbase32(made["SecretCode"].as_str().unwrap());
    let verify = |code: String| json!({"Session": made["Session"], "UserCode": code});
    let told = server.asked("VerifySoftwareToken", verify("12".to_owned())).await.unwrap_err();
    assert!(told.starts_with("EnableSoftwareTokenMFAException"), "{told}");
    let verified = server.asked("VerifySoftwareToken", verify(totp(&secret, server.clock.now()))).await.unwrap();
    assert!(is_in(&server.step("strict", "MFA_SETUP", &verified["Session"], name.clone()).await.unwrap()));
    assert!(server.step("strict", "MFA_SETUP", &verified["Session"], name).await.is_err(), "it serves once");
    // Who has one by now does not get another by a ticket of before.
    let told = server.asked("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await.unwrap_err();
    assert!(told.starts_with("NotAuthorizedException"), "{told}");
    assert_eq!(server.enter("strict", &ana, json!({})).await.unwrap()["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    server.stop().await;
}
