//! Tries of a code for a new password, from several networks: what strangers do holds nobody back, and guesses stay few.

use crate::{
    harness::{Member, PASSWORD, TestServer},
    registrations::{call, server},
};
use serde_json::json;
use time::Duration;

const HOME: &str = "198.51.100.7";
const NEW: &str = "Another-horse-9";
const EXPIRED: &str = "ExpiredCodeException";
const MISMATCH: &str = "CodeMismatchException";

impl TestServer {
    async fn reset_from(&self, username: &str, code: &str, from: &str) -> String {
        let body = json!({"Username": username, "ConfirmationCode": code, "Password": NEW});
        let (status, answer) = call(self, "ConfirmForgotPassword", body, from).await;
        if status == 200 { String::new() } else { answer["__type"].as_str().unwrap().to_owned() }
    }

    /// The code of a mail that is asked for.
    async fn new_code(&self, member: &Member, from: &str) -> String {
        let (status, _) = call(self, "ForgotPassword", json!({"Username": member.email}), from).await;
        assert_eq!(status, 200);
        self.reset_code_for(&member.email).await
    }

    async fn is_at_home(&self, member: &Member) {
        let parameters = json!({"USERNAME": member.email, "PASSWORD": PASSWORD});
        let body = json!({"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        assert_eq!(call(self, "InitiateAuth", body, HOME).await.0, 200);
    }
}

fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_stranger_s_tries_of_a_code_use_up_their_own() {
    let server = server(|_| {}).await;
    let ana = server.ana().await;
    let code = server.new_code(&ana, "203.0.113.1").await;
    for name in [ana.email.as_str(), "nobody@example.org"] {
        for _ in 0..5 {
            assert_eq!(server.reset_from(name, other_than(&code), "203.0.113.9").await, MISMATCH);
        }
        assert_eq!(server.reset_from(name, &code, "203.0.113.9").await, EXPIRED, "{name}");
    }
    assert_eq!(server.reset_from(&ana.email, &code, "203.0.113.1").await, "", "it was asked for here");
    server.stop().await;
}

#[tokio::test]
async fn guesses_of_many_networks_are_few_and_hold_nobody_back_at_home() {
    let server = server(|_| {}).await;
    let ana = server.ana().await;
    server.is_at_home(&ana).await;
    let code = server.new_code(&ana, HOME).await;
    for name in [ana.email.as_str(), "nobody@example.org"] {
        let mut tried = 0;
        for network in 1..=8 {
            for _ in 0..5 {
                let told = server.reset_from(name, other_than(&code), &format!("203.0.113.{network}")).await;
                assert!([MISMATCH, EXPIRED].contains(&told.as_str()), "{told}");
                tried += u32::from(told == MISMATCH);
            }
        }
        assert_eq!(tried, 15, "{name}");
        assert_eq!(server.reset_from(name, &code, "203.0.113.77").await, EXPIRED, "even the right one");
    }
    for _ in 0..2 {
        assert_eq!(server.reset_from(&ana.email, other_than(&code), HOME).await, EXPIRED, "a wrong one tells nothing at home");
    }
    assert_eq!(server.reset_from(&ana.email, &code, HOME).await, "");
    server.stop().await;
}

#[tokio::test]
async fn a_network_where_others_guess_holds_back_nobody_who_is_at_home_there() {
    let server = server(|config| config.tries_network = 6).await;
    let ana = server.ana().await;
    let code = server.new_code(&ana, HOME).await;
    for n in 0..6 {
        assert_eq!(server.reset_from(&format!("nobody{n}@example.org"), "12", HOME).await, MISMATCH);
    }
    assert_eq!(server.reset_from("nobody9@example.org", "12", HOME).await, "LimitExceededException");
    assert_eq!(server.reset_from(&ana.email, &code, HOME).await, "LimitExceededException", "she never signed in here");
    server.clock.advance(Duration::minutes(15));
    server.is_at_home(&ana).await;
    for n in 10..16 {
        assert_eq!(server.reset_from(&format!("nobody{n}@example.org"), "12", HOME).await, MISMATCH);
    }
    assert_eq!(server.reset_from(&ana.email, other_than(&code), HOME).await, "LimitExceededException");
    assert_eq!(server.reset_from(&ana.email, &code, HOME).await, "");
    server.stop().await;
}
