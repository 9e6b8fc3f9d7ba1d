//! What a sign-in asks for beside the password: second factors, codes by mail, passwords that an operator set, and devices.

mod authenticators;
mod changes;
mod choices;
mod devices;

use crate::{
    harness::{Member, PASSWORD, START, TestServer},
    srp_client::SrpClient,
};
use aws_lc_rs::hmac;
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
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
        let mail = self.mail_to(&member.email, |body| body.contains("is signing in")).await;
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

    pub async fn confirm_device(&self, device: &Device, token: &Value) -> Result<Value, String> {
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
