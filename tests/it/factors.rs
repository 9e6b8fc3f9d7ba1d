//! Second factors against who knows the password alone, and what goes on beside them: choices, temporary passwords, codes by mail.

use crate::{
    harness::{Member, PASSWORD, TestServer},
    keys::{NEW as NEW_SECRET, OLD as OLD_SECRET, with_secrets},
    steps::{MISMATCH, NEW, PHONE, is_in, server, totp, with_clients},
};
use serde_json::{Value, json};
use time::Duration;

const PASSED: &str = "NotAuthorizedException: This client does not ask for a second factor and cannot change one";

#[tokio::test]
async fn an_authenticator_that_is_switched_off_is_shown_where_one_is_required() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    server.prefer(&ana, json!({"SoftwareTokenMfaSettings": {"Enabled": false}})).await.unwrap();
    assert!(is_in(&server.enter("goodturnweb", &ana, json!({})).await.unwrap()), "it is off");
    let asked = server.enter("strict", &ana, json!({})).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA", "another one in its place would be set up by the password alone");
    let told = server.asked("AssociateSoftwareToken", json!({"Session": asked["Session"]})).await.unwrap_err();
    assert_eq!(told, "NotAuthorizedException: Invalid session for the user.");
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    assert!(is_in(&server.step("strict", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn what_a_client_gives_that_asks_for_no_second_factor_changes_none() {
    let server = server().await;
    let ana = server.ana().await;
    // Who has none sets none up there: it could not be taken away there either.
    let lax = server.enter("lax", &ana, json!({})).await.unwrap()["AuthenticationResult"]["AccessToken"].clone();
    assert_eq!(server.asked("AssociateSoftwareToken", json!({"AccessToken": lax})).await.unwrap_err(), PASSED);
    server.with_phone(&ana).await;
    let by_sms = json!({"AccessToken": lax, "SMSMfaSettings": {"Enabled": true}});
    assert_eq!(server.asked("SetUserMFAPreference", by_sms).await.unwrap_err(), PASSED);
    let secret = server.with_authenticator(&ana).await;
    let code = || totp(&secret, server.clock.now());
    let prefer = async |token: &Value, wish: Value| {
        let mut body = wish;
        body["AccessToken"] = token.clone();
        server.asked("SetUserMFAPreference", body).await
    };
    server.clock.advance(Duration::seconds(30));

    // From now on the password alone begins a session there that must not take the factor away.
    server.with_phone(&ana).await;
    let entered = server.enter("lax", &ana, json!({})).await.unwrap();
    let lax = &entered["AuthenticationResult"]["AccessToken"];
    for (operation, body) in [
        ("SetUserMFAPreference", json!({"SoftwareTokenMfaSettings": {"Enabled": false}})),
        ("SetUserMFAPreference", json!({"SMSMfaSettings": {"Enabled": true}})),
        ("SetUserSettings", json!({"MFAOptions": [{"DeliveryMedium": "SMS", "AttributeName": "phone_number"}]})),
        ("AssociateSoftwareToken", json!({})),
        ("VerifySoftwareToken", json!({"UserCode": code()})),
        ("CreateRecoveryCodes", json!({})),
        ("UpdateUserAttributes", json!({"UserAttributes": [{"Name": "email", "Value": "another@example.org"}]})),
        ("GetUserAttributeVerificationCode", json!({"AttributeName": "email"})),
        ("VerifyUserAttribute", json!({"AttributeName": "phone_number", "Code": "123456"})),
    ] {
        let mut body = body;
        body["AccessToken"] = lax.clone();
        assert_eq!(server.asked(operation, body).await.unwrap_err(), PASSED, "{operation}");
    }
    prefer(lax, json!({"SoftwareTokenMfaSettings": {"Enabled": true, "PreferredMfa": false}})).await.unwrap();

    // A device of such a client stands in for nothing, nor is it made to.
    let (device, tokens) = server.with_device("lax_tracking", &ana).await;
    let named = json!({"DEVICE_KEY": device.key});
    let asked = server.enter("tracking", &ana, named.clone()).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let remember = json!({"AccessToken": tokens["AccessToken"], "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"});
    assert_eq!(server.asked("UpdateDeviceStatus", remember).await.unwrap_err(), PASSED);

    // With a session that has shown it, of a client that asks, all of this is theirs to do.
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code()});
    let proved = server.step("tracking", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap();
    assert_eq!(proved["ChallengeName"], "DEVICE_SRP_AUTH");
    let ana = server.showing(&ana, &secret).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap();
    let entered = server.enter("lax", &ana, json!({})).await.unwrap();
    let number = json!([{"Name": "phone_number", "Value": "+15557654321"}]);
    let moved = json!({"AccessToken": entered["AuthenticationResult"]["AccessToken"], "UserAttributes": number});
    assert_eq!(server.asked("UpdateUserAttributes", moved).await.unwrap_err(), PASSED, "codes would go elsewhere");
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": false}, "SoftwareTokenMfaSettings": {"Enabled": false}})).await.unwrap();
    server.stop().await;
}

impl TestServer {
    /// The same member, signed in with a code of the authenticator that is asked for.
    async fn showing(&self, member: &Member, secret: &[u8]) -> Member {
        self.clock.advance(Duration::seconds(30));
        let asked = self.enter("goodturnweb", member, json!({})).await.unwrap();
        let given = json!({"USERNAME": member.email, "SOFTWARE_TOKEN_MFA_CODE": totp(secret, self.clock.now())});
        let entered = self.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap();
        Member { token: entered["AuthenticationResult"]["AccessToken"].as_str().unwrap().to_owned(), ..member.clone() }
    }
}

#[tokio::test]
async fn a_number_that_comes_with_a_new_password_gets_its_sms_once_they_are_in() {
    let server = server().await;
    let ana = server.ana().await;
    let secret = server.with_authenticator(&ana).await;
    server.sql("UPDATE verifiers SET temporary_until = '2026-06-23 09:00Z' WHERE member_id = $1::uuid", &ana).await;
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let responses = json!({"USERNAME": ana.email, "NEW_PASSWORD": NEW, "userAttributes.phone_number": PHONE});
    let asked = server.step("goodturnweb", "NEW_PASSWORD_REQUIRED", &asked["Session"], responses).await.unwrap();
    assert_eq!(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let sent = async || {
        let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
        outbox["messages"].as_array().unwrap().iter().filter(|message| message["to"] == PHONE).count()
    };
    let queued = "SELECT count(*) FROM graphile_worker._private_jobs WHERE payload::text LIKE '%send_attribute_code%'";
    let queued: i64 = sqlx::query_scalar(queued).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!((sent().await, queued), (0, 0), "whoever knows the temporary password alone has nobody sent anything");
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    let entered = server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap();
    let (code, token) = (server.code_for(PHONE).await, &entered["AuthenticationResult"]["AccessToken"]);
    server.asked("VerifyUserAttribute", json!({"AccessToken": token, "AttributeName": "phone_number", "Code": code})).await.unwrap();
    assert_eq!(sent().await, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_choice_that_cannot_be_sent_leaves_the_other_one() {
    let server = server().await;
    let ana = server.ana().await;
    server.with_phone(&ana).await;
    let secret = server.with_authenticator(&ana).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}, "SoftwareTokenMfaSettings": {"Enabled": true}})).await.unwrap();
    let choose = |choice: &str| json!({"USERNAME": ana.email, "ANSWER": choice});
    for _ in 0..10 {
        let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
        server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("SMS_MFA")).await.unwrap();
    }
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    for _ in 0..2 {
        let full = server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("SMS_MFA")).await.unwrap_err();
        assert!(full.starts_with("LimitExceededException"), "{full}");
    }
    let other = server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("SOFTWARE_TOKEN_MFA")).await.unwrap();
    assert_eq!(other["ChallengeName"], "SOFTWARE_TOKEN_MFA");
    let again = server.step("goodturnweb", "SELECT_MFA_TYPE", &asked["Session"], choose("SOFTWARE_TOKEN_MFA")).await.unwrap_err();
    assert!(again.ends_with("session can only be used once."), "{again}");
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": totp(&secret, server.clock.now())});
    assert!(is_in(&server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &other["Session"], given).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn a_code_by_mail_goes_to_nobody_whom_an_operator_keeps_out() {
    let server = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.sql("UPDATE members SET disabled_at = now() WHERE id = $1::uuid", &ana).await;
    let begin = async |username: &str| {
        let body = json!({"ClientId": "goodturnweb", "AuthFlow": "CUSTOM_AUTH", "AuthParameters": {"USERNAME": username}});
        server.asked("InitiateAuth", body).await.unwrap()
    };
    let (asked, nobody) = (begin(&ana.email).await, begin("nob@example.org").await);
    assert_eq!(asked["Session"].as_str().map(str::len), nobody["Session"].as_str().map(str::len));
    assert_eq!(asked["ChallengeName"], nobody["ChallengeName"]);
    begin(&ben.email).await;
    server.sign_in_code_for(&ben).await;
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let went = |mail: &&Value| mail["to"] == ana.email && mail["body"].as_str().unwrap().contains("is signing in");
    assert_eq!(outbox["messages"].as_array().unwrap().iter().find(went), None);
    for (asked, username) in [(&asked, &*ana.email), (&nobody, "nob@example.org")] {
        let answer = json!({"USERNAME": username, "ANSWER": "12"});
        assert_eq!(server.step("goodturnweb", "CUSTOM_CHALLENGE", &asked["Session"], answer).await.unwrap_err(), MISMATCH);
    }
    server.stop().await;
}

#[tokio::test]
async fn who_may_not_refresh_may_not_by_either_call() {
    let server = server().await;
    let ana = server.ana().await;
    for (client, may) in [("password_alone", false), ("password_and_rotation", true), ("goodturnweb", true)] {
        let entered = server.enter(client, &ana, json!({})).await.unwrap();
        let token = &entered["AuthenticationResult"]["RefreshToken"];
        let told = server.asked("GetTokensFromRefreshToken", json!({"ClientId": client, "RefreshToken": token})).await;
        match may {
            true => assert!(is_in(&told.unwrap()), "{client}"),
            false => assert_eq!(told.unwrap_err(), "InvalidParameterException: Auth flow not enabled for this client"),
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn attributes_are_set_with_the_password_that_takes_the_place_of_a_temporary_one() {
    let server = server().await;
    let ana = server.ana().await;
    server.sql("UPDATE verifiers SET temporary_until = '2026-06-23 09:00Z' WHERE member_id = $1::uuid", &ana).await;
    let asked = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let set = async |more: Value| {
        let mut responses = json!({"USERNAME": ana.email, "NEW_PASSWORD": NEW});
        responses.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.step("goodturnweb", "NEW_PASSWORD_REQUIRED", &asked["Session"], responses).await
    };
    for (name, value, why) in [
        (
            "email_verified",
            "true",
            "InvalidParameterException: Attributes did not conform to the schema: email_verified: Attribute cannot be updated.",
        ),
        (
            "custom:role",
            "admin",
            "InvalidParameterException: Attributes did not conform to the schema: custom:role: Attribute does not exist in schema.",
        ),
        ("given_name", " ", "InvalidParameterException: Attributes did not conform to the schema: given_name: The attribute is required"),
        (
            "phone_number",
            "",
            "InvalidParameterException: Attributes did not conform to the schema: phone_number: Invalid phone number format.",
        ),
        (
            "zoneinfo",
            "Mars/Base",
            "InvalidParameterException: Attributes did not conform to the schema: zoneinfo: must be an IANA time zone",
        ),
        ("email", "other@example.org", "NotAuthorizedException: Cannot modify an already provided email"),
    ] {
        let mut more = json!({"userAttributes.family_name": "Stone"});
        more[format!("userAttributes.{name}")] = json!(value);
        assert_eq!(set(more).await.unwrap_err(), why);
    }
    assert!(set(json!({"userAttributes.given_name": "x".repeat(101)})).await.is_err());
    // Nothing of these was kept, and the Session is good still; what the challenge told goes back as it came, but for what it may not say.
    let mut told: Value = serde_json::from_str(asked["ChallengeParameters"]["userAttributes"].as_str().unwrap()).unwrap();
    told.as_object_mut().unwrap().remove("email_verified");
    let said = told.as_object().unwrap().iter().map(|(name, value)| (format!("userAttributes.{name}"), value.clone()));
    let mut said: serde_json::Map<String, Value> = said.collect();
    said.insert("userAttributes.family_name".to_owned(), json!("Stone"));
    said.insert("userAttributes.zoneinfo".to_owned(), json!("Europe/Lisbon"));
    said.insert("userAttributes.phone_number".to_owned(), json!(PHONE));
    let entered = set(Value::Object(said)).await.unwrap();
    let token = &entered["AuthenticationResult"]["AccessToken"];
    let attributes = async || {
        let user = server.asked("GetUser", json!({"AccessToken": token})).await.unwrap();
        let pairs = user["UserAttributes"].as_array().unwrap().iter();
        pairs.map(|a| (a["Name"].as_str().unwrap().to_owned(), a["Value"].clone())).collect::<serde_json::Map<_, _>>()
    };
    let now = attributes().await;
    assert_eq!((&now["email"], &now["given_name"], &now["family_name"]), (&json!(ana.email), &json!("Ana"), &json!("Stone")));
    assert_eq!((&now["zoneinfo"], now.get("phone_number")), (&json!("Europe/Lisbon"), None), "a number waits for its code");
    let code = server.code_for(PHONE).await;
    server.asked("VerifyUserAttribute", json!({"AccessToken": token, "AttributeName": "phone_number", "Code": code})).await.unwrap();
    assert_eq!(attributes().await["phone_number"], PHONE);
    assert!(is_in(&server.enter("goodturnweb", &ana, json!({"PASSWORD": NEW})).await.unwrap()));
    server.stop().await;
}

#[tokio::test]
async fn second_factors_and_devices_outlive_the_secret_that_sealed_them() {
    let server = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let secret = server.with_authenticator(&ana).await;
    let codes = server.asked("CreateRecoveryCodes", json!({"AccessToken": ana.token})).await.unwrap();
    let (device, _) = server.with_device("tracking", &ben).await;
    let both = format!("{},{}", NEW_SECRET.repeat(32), OLD_SECRET.repeat(32));
    let done = server.operator_with(&both, &["keys", "reseal", "--json"]).await;
    for sealed in ["second_factors: 1 looked at, 1 sealed anew", "devices: 1 looked at, 1 sealed anew"] {
        assert!(done.err.contains(sealed), "{done:?}");
    }
    let mut config = with_secrets(&[NEW_SECRET]);
    with_clients(&mut config);
    let alone = TestServer::on(server.database.clone(), config, server.clock.clone()).await;
    for code in [json!(totp(&secret, server.clock.now())), codes["Codes"][0].clone()] {
        let asked = alone.enter("goodturnweb", &ana, json!({})).await.unwrap();
        let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": code});
        assert!(is_in(&alone.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &asked["Session"], given).await.unwrap()));
    }
    let asked = alone.enter("tracking", &ben, json!({"DEVICE_KEY": device.key, "PASSWORD": PASSWORD})).await.unwrap();
    assert!(is_in(&alone.prove_for(&asked["Session"], "tracking", &ben, (&device, device.password)).await.unwrap()));
    alone.stop().await;
    server.stop().await;
}
