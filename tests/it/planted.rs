//! What somebody who knows the password leaves behind for later, while there is no second factor yet: once there is one, nothing of it counts.

use crate::{
    harness::{Member, PASSWORD, START, TestServer, until},
    steps::{MISMATCH, NEW, is_in, server, totp, unbase32, with_clients},
};
use futures_util::future::{join, join_all};
use goodturn::clock::Clock;
use serde_json::{Value, json};
use time::Duration;

const BEFORE: &str = "NotAuthorizedException: This session has not passed the second factor. Sign in again with your password.";

impl TestServer {
    /// Sets an authenticator up and leaves it off; its secret.
    async fn with_one_that_is_off(&self, member: &Member) -> Vec<u8> {
        let made = self.asked("AssociateSoftwareToken", json!({"AccessToken": member.token})).await.unwrap();
        let secret = unbase32(made["SecretCode"].as_str().unwrap());
        let verify = json!({"AccessToken": member.token, "UserCode": totp(&secret, self.clock.now())});
        self.asked("VerifySoftwareToken", verify).await.unwrap();
        secret
    }

    async fn recovery_codes(&self, member: &Member) -> Result<Value, String> {
        self.asked("CreateRecoveryCodes", json!({"AccessToken": member.token})).await
    }

    /// What a sign-in with a code in place of the authenticator's says.
    async fn enter_by(&self, member: &Member, code: &Value) -> Result<Value, String> {
        let asked = self.enter("goodturnweb", member, json!({})).await.unwrap();
        let given = json!({"USERNAME": member.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        self.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await
    }

    /// Waits until so many mails about second factors were sent, and for one of them to say all of these.
    async fn told_of_factors(&self, member: &Member, count: usize, says: &[&str]) {
        let mut told = Vec::new();
        until("the member was told", async || {
            let (_, outbox) = self.rest("GET", "/dev/outbox.json", None, None).await;
            let is_meant = |m: &&Value| m["to"] == member.email && m["subject"] == "Security notice for your Goodturn account";
            told = outbox["messages"].as_array().unwrap().iter().filter(is_meant).map(|m| m["body"].as_str().unwrap().to_owned()).collect();
            told.len() >= count
        })
        .await;
        assert_eq!(told.len(), count, "{told:?}");
        assert!(told.iter().any(|body| says.iter().all(|text| body.contains(text))), "{says:?} in {told:?}");
    }

    /// How many members have an authenticator, or one that waits for its first code.
    async fn authenticators(&self) -> i64 {
        let sql = "SELECT count(*) FROM second_factors WHERE totp_sealed IS NOT NULL OR made_sealed IS NOT NULL";
        sqlx::query_scalar(sql).fetch_one(&mut self.database.connect().await).await.unwrap()
    }
}

fn turned(on: bool) -> Value {
    json!({"SoftwareTokenMfaSettings": {"Enabled": on, "PreferredMfa": on}})
}

#[tokio::test]
async fn recovery_codes_are_made_by_a_session_that_showed_the_factor_or_set_it_up() {
    let server = server().await;
    let ana = server.ana().await;
    let thief = server.signed_in_again(&ana).await;
    let secret = server.with_one_that_is_off(&ana).await;
    let off = "InvalidParameterException: User has not enabled software token mfa";
    for who in [&thief, &ana] {
        assert_eq!(server.recovery_codes(who).await.unwrap_err(), off, "they would be good once it is on");
    }
    server.prefer(&ana, turned(true)).await.unwrap();
    assert_eq!(server.recovery_codes(&thief).await.unwrap_err(), BEFORE);
    let refresh = json!({"ClientId": "goodturnweb", "RefreshToken": thief.refresh_token});
    let renewed = server.asked("GetTokensFromRefreshToken", refresh).await.unwrap();
    let token = renewed["AuthenticationResult"]["AccessToken"].as_str().unwrap().to_owned();
    assert_eq!(server.recovery_codes(&Member { token, ..thief.clone() }).await.unwrap_err(), BEFORE, "it is the same session");
    let codes = server.recovery_codes(&ana).await.unwrap();
    assert!(is_in(&server.enter_by(&ana, &codes["Codes"][0]).await.unwrap()));

    // Who has shown it since makes them too.
    server.clock.advance(Duration::seconds(30));
    let entered = server.enter_by(&ana, &json!(totp(&secret, server.clock.now()))).await.unwrap();
    let token = entered["AuthenticationResult"]["AccessToken"].as_str().unwrap().to_owned();
    let since = Member { token, ..ana.clone() };
    let codes = server.recovery_codes(&since).await.unwrap();
    // They are of this time that it is on, and of no later one.
    server.prefer(&since, turned(false)).await.unwrap();
    server.prefer(&since, turned(true)).await.unwrap();
    assert_eq!(server.enter_by(&ana, &codes["Codes"][0]).await.unwrap_err(), MISMATCH);
    assert_eq!(server.recovery_codes(&ana).await.unwrap_err(), BEFORE);
    server.recovery_codes(&since).await.unwrap();
    server.stop().await;
}

/// A server whose mails about second factors wait so many seconds for what else happens.
async fn with_mails_after(seconds: u32) -> TestServer {
    TestServer::start_with(Clock::fixed(START), |config| {
        with_clients(config);
        config.mail_delay_s = seconds;
    })
    .await
}

#[tokio::test]
async fn setting_an_authenticator_up_with_recovery_codes_is_one_mail() {
    let server = with_mails_after(3).await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    server.recovery_codes(&ana).await.unwrap();
    let says = ["From now on, we'll ask for a code from your authenticator app when you sign in.", "You have new recovery codes"];
    server.told_of_factors(&ana, 1, &says).await;
    server.stop().await;
}

#[tokio::test]
async fn a_security_notice_goes_to_the_address_that_the_account_had_at_the_change() {
    let server = with_mails_after(3).await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    let moved = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "email", "Value": "thief@example.org"}]});
    server.asked("UpdateUserAttributes", moved).await.unwrap();
    let code = server.code_for("thief@example.org").await;
    let verify = json!({"AccessToken": ana.token, "AttributeName": "email", "Code": code});
    server.asked("VerifyUserAttribute", verify).await.unwrap();
    server.told_of_factors(&ana, 1, &["From now on, we'll ask for a code from your authenticator app when you sign in."]).await;
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let to_thief = outbox["messages"].as_array().unwrap().iter().filter(|mail| mail["to"] == "thief@example.org");
    assert!(to_thief.into_iter().all(|mail| mail["subject"] != "Security notice for your Goodturn account"));
    server.stop().await;
}

#[tokio::test]
async fn each_change_of_a_second_factor_is_told_by_mail_and_what_changes_nothing_is_not() {
    let server = with_mails_after(1).await;
    let ana = server.ana().await;
    let told = async |count: usize, says: &[&str]| server.told_of_factors(&ana, count, says).await;
    let first = server.with_authenticator(&ana).await;
    told(1, &["From now on, we'll ask for a code from your authenticator app when you sign in.", "If this wasn't you"]).await;
    server.prefer(&ana, turned(true)).await.unwrap();
    let codes = server.recovery_codes(&ana).await.unwrap();
    told(2, &["You have new recovery codes"]).await;
    assert!(is_in(&server.enter_by(&ana, &codes["Codes"][0]).await.unwrap()));
    told(3, &["One of your recovery codes was used"]).await;
    let second = server.with_authenticator(&ana).await;
    assert_ne!(first, second);
    told(4, &["A new authenticator app replaced your old one"]).await;
    server.with_phone(&ana).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap();
    told(5, &["From now on, we'll text a code to your phone when you sign in."]).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true, "PreferredMfa": true}})).await.unwrap();
    told(6, &["Your preferred method for the second step was changed"]).await;
    server.prefer(&ana, turned(false)).await.unwrap();
    told(7, &["no longer ask for a code from your authenticator app"]).await;
    // Another number, and then none.
    let another = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "phone_number", "Value": "+12015550177"}]});
    server.asked("UpdateUserAttributes", another).await.unwrap();
    let code = server.code_for("+12015550177").await;
    let verify = json!({"AccessToken": ana.token, "AttributeName": "phone_number", "Code": code});
    server.asked("VerifyUserAttribute", verify).await.unwrap();
    told(8, &["your sign-in codes go to another phone number"]).await;
    let none = json!({"AccessToken": ana.token, "UserAttributeNames": ["phone_number"]});
    server.asked("DeleteUserAttributes", none).await.unwrap();
    told(9, &["no longer text a code to your phone"]).await;
    server.stop().await;
}

#[tokio::test]
async fn who_has_the_password_alone_keeps_nobody_from_setting_one_up() {
    let server = server().await;
    let ana = server.ana().await;
    let asked = server.enter("strict", &ana, json!({})).await.unwrap();
    let made = server.asked("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await.unwrap();
    let wrong = json!({"Session": made["Session"], "UserCode": "000000"});
    for _ in 0..24 {
        server.asked("VerifySoftwareToken", wrong.clone()).await.unwrap_err();
    }
    server.with_authenticator(&ana).await;
    server.stop().await;
}

#[tokio::test]
async fn changes_of_second_factors_are_bounded() {
    let server = server().await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    // Two were spent by setting it up.
    for n in 0..18 {
        server.prefer(&ana, turned(n % 2 == 0)).await.unwrap();
    }
    let spent = "LimitExceededException: Attempt limit exceeded, please try after some time.";
    assert_eq!(server.prefer(&ana, turned(true)).await.unwrap_err(), spent);
    assert_eq!(server.recovery_codes(&ana).await.unwrap_err(), spent);
    server.clock.advance(Duration::hours(1));
    server.prefer(&server.signed_in_again(&ana).await, turned(false)).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_session_of_before_changes_no_second_factor_and_makes_no_other_way_in() {
    let server = server().await;
    let ana = server.ana().await;
    let thief = server.signed_in_again(&ana).await;
    let secret = server.with_authenticator(&ana).await;
    server.with_phone(&ana).await;
    for (operation, body) in [
        ("SetUserMFAPreference", turned(false)),
        ("SetUserMFAPreference", json!({"SMSMfaSettings": {"Enabled": true}})),
        ("AssociateSoftwareToken", json!({})),
        ("VerifySoftwareToken", json!({"UserCode": totp(&secret, server.clock.now())})),
        ("CreateRecoveryCodes", json!({})),
        ("UpdateUserAttributes", json!({"UserAttributes": [{"Name": "email", "Value": "another@example.org"}]})),
        ("GetUserAttributeVerificationCode", json!({"AttributeName": "email"})),
    ] {
        let mut body = body;
        body["AccessToken"] = json!(thief.token);
        assert_eq!(server.asked(operation, body).await.unwrap_err(), BEFORE, "{operation}");
    }
    // What has nothing to do with it goes on.
    let named = json!({"AccessToken": thief.token, "UserAttributes": [{"Name": "given_name", "Value": "Anna"}]});
    server.asked("UpdateUserAttributes", named).await.unwrap();
    // By SMS alone, an authenticator beside it is another way in: also one that was set up before, and is off.
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}, "SoftwareTokenMfaSettings": {"Enabled": false}})).await.unwrap();
    assert_eq!(server.prefer(&thief, turned(true)).await.unwrap_err(), BEFORE);
    // Once there is none in force, there is none to be past.
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": false}})).await.unwrap();
    server.with_one_that_is_off(&thief).await;
    server.stop().await;
}

#[tokio::test]
async fn a_device_of_before_never_stands_in_for_a_second_factor() {
    let server = server().await;
    let ana = server.ana().await;
    let mut before = Vec::new();
    for client in ["asking", "tracking"] {
        let (device, tokens) = server.with_device(client, &ana).await;
        let remember = json!({"AccessToken": tokens["AccessToken"], "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"});
        server.asked("UpdateDeviceStatus", remember.clone()).await.unwrap();
        before.push((client, device, tokens["AccessToken"].clone(), remember));
    }
    let secret = server.with_authenticator(&ana).await;
    for (client, device, token, remember) in &before {
        let named = json!({"DEVICE_KEY": device.key});
        let asks = async || server.enter(client, &ana, named.clone()).await.unwrap()["ChallengeName"].clone();
        assert_eq!(asks().await, "SOFTWARE_TOKEN_MFA", "{client}");
        // Nor when its session says once more that it shall, or confirms it anew where all that are confirmed are remembered.
        assert_eq!(server.asked("UpdateDeviceStatus", remember.clone()).await.unwrap_err(), BEFORE, "{client}");
        server.confirm_device(device, token).await.unwrap();
        assert_eq!(asks().await, "SOFTWARE_TOKEN_MFA", "{client}");
    }
    // With a session that has shown the factor it does.
    let (client, device, _, remember) = &before[0];
    let asked = server.enter(client, &ana, json!({"DEVICE_KEY": device.key})).await.unwrap();
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let asked = server.step(client, "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap();
    let entered = server.prove_for(&asked["Session"], client, &ana, (device, device.password)).await.unwrap();
    let mut remember = remember.clone();
    remember["AccessToken"] = entered["AuthenticationResult"]["AccessToken"].clone();
    server.asked("UpdateDeviceStatus", remember).await.unwrap();
    let asked = server.enter(client, &ana, json!({"DEVICE_KEY": device.key})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "DEVICE_SRP_AUTH");
    server.stop().await;
}

#[tokio::test]
async fn an_authenticator_that_is_off_goes_with_a_sign_out_everywhere_and_a_new_password() {
    let server = server().await;
    for deed in ["GlobalSignOut", "ChangePassword", "ConfirmForgotPassword", "sign-out", "reset-password", "NEW_PASSWORD_REQUIRED"] {
        let member = server.member(&deed.to_lowercase().replace('_', "-"), "Stone").await;
        server.with_one_that_is_off(&member).await;
        server.asked("AssociateSoftwareToken", json!({"AccessToken": member.token})).await.unwrap();
        assert_eq!(server.authenticators().await, 1, "{deed}");
        match deed {
            "GlobalSignOut" => drop(server.asked(deed, json!({"AccessToken": member.token})).await.unwrap()),
            "ChangePassword" => {
                let body = json!({"AccessToken": member.token, "PreviousPassword": PASSWORD, "ProposedPassword": NEW});
                server.asked(deed, body).await.unwrap();
                let told = server.prefer(&member, turned(true)).await.unwrap_err();
                assert_eq!(told, "InvalidParameterException: User has not verified software token mfa");
            }
            "ConfirmForgotPassword" => {
                let named = json!({"ClientId": "goodturnweb", "Username": member.email});
                server.asked("ForgotPassword", named.clone()).await.unwrap();
                let mut body = named;
                body["ConfirmationCode"] = json!(server.reset_code_for(&member.email).await);
                body["Password"] = json!(NEW);
                server.asked(deed, body).await.unwrap();
            }
            "NEW_PASSWORD_REQUIRED" => {
                server.sql("UPDATE verifiers SET temporary_until = '2026-06-23 09:00Z' WHERE member_id = $1::uuid", &member).await;
                let asked = server.enter("goodturnweb", &member, json!({})).await.unwrap();
                let own = json!({"USERNAME": member.email, "NEW_PASSWORD": NEW});
                assert!(is_in(&server.step("goodturnweb", deed, &asked["Session"], own).await.unwrap()));
            }
            of_operators => assert_eq!(server.operator(&["members", of_operators, &member.uid]).await.code, Some(0)),
        }
        assert_eq!(server.authenticators().await, 0, "{deed}");
    }
    // One that is on stays.
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    let codes = server.recovery_codes(&ana).await.unwrap();
    server.clock.advance(Duration::SECOND);
    server.asked("GlobalSignOut", json!({"AccessToken": ana.token})).await.unwrap();
    assert!(is_in(&server.enter_by(&ana, &codes["Codes"][0]).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn an_authenticator_is_turned_on_by_whoever_set_it_up() {
    let server = server().await;
    let ana = server.ana().await;
    let thief = server.signed_in_again(&ana).await;
    let others = "InvalidParameterException: Another session has set the software token up: set it up in this one";
    server.with_one_that_is_off(&ana).await;
    assert_eq!(server.prefer(&thief, turned(true)).await.unwrap_err(), others, "the thief would be the one who turned it on");
    server.with_one_that_is_off(&thief).await;
    assert_eq!(server.prefer(&ana, turned(true)).await.unwrap_err(), others, "she would be asked for codes that she does not have");

    // Nor does anybody go on with a secret that another one made.
    let made = server.asked("AssociateSoftwareToken", json!({"AccessToken": ana.token})).await.unwrap();
    server.asked("AssociateSoftwareToken", json!({"AccessToken": thief.token})).await.unwrap();
    let code = totp(&unbase32(made["SecretCode"].as_str().unwrap()), server.clock.now());
    let verify = json!({"AccessToken": ana.token, "UserCode": code});
    let none = "InvalidParameterException: No software token is being set up: call AssociateSoftwareToken";
    assert_eq!(server.asked("VerifySoftwareToken", verify).await.unwrap_err(), none);

    server.with_one_that_is_off(&ana).await;
    server.prefer(&ana, turned(true)).await.unwrap();
    assert_eq!(server.recovery_codes(&thief).await.unwrap_err(), BEFORE);
    server.recovery_codes(&ana).await.unwrap();
    // Off and on again, by the same.
    server.prefer(&ana, turned(false)).await.unwrap();
    assert_eq!(server.prefer(&thief, turned(true)).await.unwrap_err(), others);
    server.prefer(&ana, turned(true)).await.unwrap();
    server.recovery_codes(&ana).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_device_that_is_confirmed_anew_stands_in_for_nothing() {
    let server = server().await;
    let ana = server.ana().await;
    let (device, before) = server.with_device("asking", &ana).await;
    let secret = server.with_authenticator(&ana).await;
    let asked = server.enter("asking", &ana, json!({"DEVICE_KEY": device.key})).await.unwrap();
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let asked = server.step("asking", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap();
    let entered = server.prove_for(&asked["Session"], "asking", &ana, (&device, device.password)).await.unwrap();
    let token = &entered["AuthenticationResult"]["AccessToken"];
    let remember = json!({"AccessToken": token, "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"});
    server.asked("UpdateDeviceStatus", remember).await.unwrap();
    // The session that made it may give it another secret, but was there before the factor.
    server.confirm_device(&device, &before["AccessToken"]).await.unwrap();
    let asked = server.enter("asking", &ana, json!({"DEVICE_KEY": device.key})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    server.stop().await;
}

#[tokio::test]
async fn a_device_is_not_remembered_at_the_moment_that_a_factor_is_turned_on() {
    let server = server().await;
    for name in ["Ana", "Ben", "Cleo", "Dora", "Eve"] {
        let member = server.member(name, "Stone").await;
        let (device, tokens) = server.with_device("asking", &member).await;
        let remember = json!({"AccessToken": tokens["AccessToken"], "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"});
        server.asked("UpdateDeviceStatus", remember.clone()).await.unwrap();
        server.with_one_that_is_off(&member).await;
        let again = (0..12).map(|_| server.asked("UpdateDeviceStatus", remember.clone()));
        let (turned_on, _) = join(server.prefer(&member, turned(true)), join_all(again)).await;
        turned_on.unwrap();
        let asked = server.enter("asking", &member, json!({"DEVICE_KEY": device.key})).await.unwrap();
        assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA", "{name}");
    }
    server.stop().await;
}
