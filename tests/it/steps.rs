//! What a sign-in asks for beside the password: second factors, codes by mail, passwords that an operator set, and devices.

use crate::{
    harness::{Member, PASSWORD, START, TestServer},
    srp_client::SrpClient,
};
use aws_lc_rs::hmac;
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use futures_util::future::join_all;
use goodturn::{clock::Clock, config::Config};
use serde_json::{Value, json};
use std::collections::HashMap;
use time::{Duration, OffsetDateTime};

pub const CLIENTS: &str = r#"
[[client]]
id = "tracking"
devices = "always"

[[client]]
id = "asking"
devices = "opt-in"

[[client]]
id = "strict"
mfa = "required"

[[client]]
id = "lax"
mfa = "off"

[[client]]
id = "lax_tracking"
mfa = "off"
devices = "always"

[[client]]
id = "password_alone"
flows = ["USER_PASSWORD_AUTH"]

[[client]]
id = "password_and_rotation"
flows = ["USER_PASSWORD_AUTH"]
rotates = true
"#;
pub const NEW: &str = "Another-horse-9";
pub const PHONE: &str = "+15551231234";

pub async fn server() -> TestServer {
    TestServer::start_with(Clock::fixed(START), with_clients).await
}

/// These clients, and this machine believed who calls.
pub fn with_clients(config: &mut Config) {
    let file = crate::harness::scratch().keep().join("clients.toml");
    std::fs::write(&file, CLIENTS).unwrap();
    config.clients_file = Some(file);
    config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
}

impl TestServer {
    /// The exception and its message, or the answer.
    pub async fn asked(&self, operation: &str, body: Value) -> Result<Value, String> {
        match self.target(operation, body).await {
            (200, answer) => Ok(answer),
            (_, answer) => Err(format!("{}: {}", answer["__type"].as_str().unwrap(), answer["message"].as_str().unwrap())),
        }
    }

    pub async fn enter(&self, client: &str, member: &Member, more: Value) -> Result<Value, String> {
        let mut parameters = json!({"USERNAME": member.email, "PASSWORD": PASSWORD});
        parameters.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.asked("InitiateAuth", json!({"ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters})).await
    }

    pub async fn step(&self, client: &str, challenge: &str, session: &Value, responses: Value) -> Result<Value, String> {
        let body = json!({"ClientId": client, "ChallengeName": challenge, "Session": session, "ChallengeResponses": responses});
        self.asked("RespondToAuthChallenge", body).await
    }

    /// Sets an authenticator up; its secret.
    pub async fn with_authenticator(&self, member: &Member) -> Vec<u8> {
        let made = self.asked("AssociateSoftwareToken", json!({"AccessToken": member.token})).await.unwrap();
        let secret = unbase32(made["SecretCode"].as_str().unwrap());
        let verify = json!({"AccessToken": member.token, "UserCode": totp(&secret, self.clock.now()), "FriendlyDeviceName": "My phone"});
        assert_eq!(self.asked("VerifySoftwareToken", verify).await.unwrap()["Status"], "SUCCESS");
        self.prefer(member, json!({"SoftwareTokenMfaSettings": {"Enabled": true, "PreferredMfa": true}})).await.unwrap();
        // The code that set it up has been used.
        self.clock.advance(Duration::seconds(30));
        secret
    }

    pub async fn prefer(&self, member: &Member, mut wish: Value) -> Result<Value, String> {
        wish["AccessToken"] = json!(member.token);
        self.asked("SetUserMFAPreference", wish).await
    }

    pub async fn with_phone(&self, member: &Member) {
        let sql = "UPDATE members SET phone_e164 = $2, phone_verified_at = now() WHERE id = $1::uuid";
        sqlx::query(sql).bind(&member.uid).bind(PHONE).execute(&mut self.database.connect().await).await.unwrap();
    }

    /// The code in the newest mail about a sign-in.
    pub async fn sign_in_code_for(&self, member: &Member) -> String {
        let mail = self.mail_to(&member.email, |body| body.contains("signs in")).await;
        mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned()
    }

    pub async fn sql(&self, sql: &'static str, member: &Member) {
        sqlx::query(sql).bind(&member.uid).execute(&mut self.database.connect().await).await.unwrap();
    }
}

/// RFC 6238, written from it and not from the server.
pub fn totp(secret: &[u8], now: OffsetDateTime) -> String {
    let period = now.unix_timestamp() / 30;
    let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret), &period.to_be_bytes());
    let mac = mac.as_ref();
    let from = usize::from(mac[19] & 15);
    let number = u32::from_be_bytes(mac[from..from + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}

/// The bytes that an authenticator's secret spells.
pub fn unbase32(text: &str) -> Vec<u8> {
    let value = |letter: char| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter).unwrap() as u64;
    let bits: Vec<bool> = text.chars().flat_map(|c| (0..5).rev().map(move |n| value(c) >> n & 1 == 1)).collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |n, bit| n << 1 | u8::from(*bit))).collect()
}

pub fn claims(token: &Value) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.as_str().unwrap().split('.').nth(1).unwrap()).unwrap()).unwrap()
}

pub fn is_in(answer: &Value) -> bool {
    answer["AuthenticationResult"]["AccessToken"].is_string()
}

pub const MISMATCH: &str = "CodeMismatchException: Invalid verification code provided, please try again.";

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

/// A device of a client, as the clients of the protocol keep it.
pub struct Device {
    pub key: String,
    pub group: String,
    pub password: &'static str,
}

impl TestServer {
    /// A sign-in with the password that makes a device, confirmed.
    pub async fn with_device(&self, client: &str, member: &Member) -> (Device, Value) {
        let tokens = self.enter(client, member, json!({})).await.unwrap()["AuthenticationResult"].clone();
        let metadata = &tokens["NewDeviceMetadata"];
        let text = |name: &str| metadata[name].as_str().unwrap().to_owned();
        let device = Device { key: text("DeviceKey"), group: text("DeviceGroupKey"), password: "a random text" };
        let confirmed = self.confirm_device(&device, &tokens["AccessToken"]).await.unwrap();
        assert_eq!(confirmed["UserConfirmationNecessary"], json!(client == "asking"));
        (device, tokens)
    }

    async fn confirm_device(&self, device: &Device, token: &Value) -> Result<Value, String> {
        // With a byte of zero in front, as clients write numbers that look negative.
        let salt = [0, 0x9f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let verifier = SrpClient::new(1).verifier(&device.group, &device.key, device.password, &salt);
        let config = json!({"Salt": STANDARD.encode(salt), "PasswordVerifier": STANDARD.encode(hex::decode(verifier).unwrap())});
        let body = json!({"AccessToken": token, "DeviceKey": device.key, "DeviceSecretVerifierConfig": config, "DeviceName": "A browser"});
        self.asked("ConfirmDevice", body).await
    }

    /// The proof of a device, the way some clients go: without a Session.
    async fn prove(&self, client: &str, member: &Member, device: &Device, password: &str) -> Result<Value, String> {
        self.prove_for(&Value::Null, client, member, (device, password)).await
    }

    /// The same for the sign-in of a Session.
    pub async fn prove_for(
        &self,
        session: &Value,
        client: &str,
        member: &Member,
        (device, password): (&Device, &str),
    ) -> Result<Value, String> {
        let srp = SrpClient::new(43);
        let responses = json!({"USERNAME": member.email, "DEVICE_KEY": device.key, "SRP_A": srp.srp_a()});
        let asked = self.step(client, "DEVICE_SRP_AUTH", session, responses).await?;
        assert_eq!(asked["ChallengeName"], "DEVICE_PASSWORD_VERIFIER");
        let mut challenge: HashMap<String, String> = serde_json::from_value(asked["ChallengeParameters"].clone()).unwrap();
        challenge.insert("USER_ID_FOR_SRP".to_owned(), device.key.clone());
        let mut proof = json!(srp.answer(&device.group, password, &challenge));
        proof["USERNAME"] = json!(member.email);
        proof["DEVICE_KEY"] = json!(device.key);
        self.step(client, "DEVICE_PASSWORD_VERIFIER", &Value::Null, proof).await
    }
}

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
    assert_eq!(silent.enter("goodturnweb", &ana, json!({})).await.unwrap_err(), "NotAuthorizedException: SMS cannot be sent at present.");
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
