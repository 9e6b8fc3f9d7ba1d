//! Attributes that members change: what takes effect when, who is told, and what nobody can find out.

use crate::harness::{Member, PASSWORD, TestServer, until};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::future::join_all;
use goodturn::{
    config::Mode,
    pb::identity::{Attribute, GetUserAttributeVerificationCodeRequest, UpdateUserAttributesRequest, VerifyUserAttributeRequest},
};
use serde_json::{Value, json};
use std::collections::HashSet;
use time::Duration;

const NUMBER: &str = "+14155550123";

async fn update(server: &TestServer, who: &Member, attributes: &[(&str, &str)]) -> (u16, Value) {
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| json!({"Name": name, "Value": value})).collect();
    server.target("UpdateUserAttributes", json!({"AccessToken": who.token, "UserAttributes": attributes})).await
}

async fn remove(server: &TestServer, who: &Member, names: &[&str]) -> (u16, Value) {
    server.target("DeleteUserAttributes", json!({"AccessToken": who.token, "UserAttributeNames": names})).await
}

async fn ask(server: &TestServer, who: &Member, attribute: &str) -> (u16, Value) {
    server.target("GetUserAttributeVerificationCode", json!({"AccessToken": who.token, "AttributeName": attribute})).await
}

async fn verify(server: &TestServer, who: &Member, attribute: &str, code: &str) -> String {
    let body = json!({"AccessToken": who.token, "AttributeName": attribute, "Code": code});
    told(&server.target("VerifyUserAttribute", body).await)
}

/// The exception with its text, or nothing when it went well.
fn told((status, answer): &(u16, Value)) -> String {
    if *status == 200 {
        return String::new();
    }
    format!("{}: {}", answer["__type"].as_str().unwrap(), answer["message"].as_str().unwrap())
}

/// What GetUser tells of an attribute.
async fn has(server: &TestServer, who: &Member, name: &str) -> Option<String> {
    let (status, user) = server.target("GetUser", json!({"AccessToken": who.token})).await;
    assert_eq!(status, 200, "{user}");
    let found = user["UserAttributes"].as_array().unwrap().iter().find(|a| a["Name"] == name);
    found.map(|a| a["Value"].as_str().unwrap().to_owned())
}

async fn enters(server: &TestServer, username: &str) -> (u16, Value) {
    let parameters = json!({"USERNAME": username, "PASSWORD": PASSWORD});
    let body = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    server.target("InitiateAuth", body).await
}

async fn sign_up(server: &TestServer, email: &str) -> (u16, Value) {
    let name = json!([{"Name": "name", "Value": "New Comer"}]);
    let body = json!({"ClientId": server.config.web_client_id, "Username": email, "Password": PASSWORD, "UserAttributes": name});
    server.target("SignUp", body).await
}

/// How many messages went to somebody.
/// How many messages were sent there. One that came twice counts once: a worker that begins anew may do its last job again.
async fn sent_to(server: &TestServer, to: &str) -> usize {
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let messages = outbox["messages"].as_array().unwrap().iter();
    messages.filter(|m| m["to"] == to).map(|m| m["body"].as_str()).collect::<HashSet<_>>().len()
}

fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

const MISMATCH: &str = "CodeMismatchException: Invalid verification code provided, please try again.";
const EXPIRED: &str = "ExpiredCodeException: Invalid code provided, please request a code again.";

#[tokio::test]
async fn a_new_address_takes_effect_by_its_code_and_the_one_before_is_told_and_free() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    // Somebody who does not read that mailbox waits there.
    assert_eq!(sign_up(&server, "new@example.org").await.0, 200);
    let theirs = server.code_for("new@example.org").await;
    let (status, answer) = update(&server, &ana, &[("email", "New@example.org"), ("zoneinfo", "Europe/Lisbon")]).await;
    let sent = json!([{"Destination": "N***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}]);
    assert_eq!((status, &answer["CodeDeliveryDetailsList"]), (200, &sent));
    let mail = server.mail_to("New@example.org", |body| body.contains("wants to use this email address")).await;
    assert_eq!(mail["channel"], "email");
    let code = server.code_for("New@example.org").await;
    assert_eq!(has(&server, &ana, "email").await.as_deref(), Some("ana@example.org"), "not before the code is given");
    assert_eq!(has(&server, &ana, "zoneinfo").await.as_deref(), Some("Europe/Lisbon"));
    assert_eq!(enters(&server, "new@example.org").await.0, 400);
    assert_eq!(verify(&server, &ana, "email", other_than(&code)).await, MISMATCH);
    assert_eq!(verify(&server, &ana, "phone_number", &code).await, MISMATCH, "it is of another attribute");
    server.target("ForgotPassword", json!({"ClientId": server.config.web_client_id, "Username": ana.email})).await;
    let reset = server.reset_code_for(&ana.email).await;
    assert_eq!(verify(&server, &ana, "email", &code).await, "");
    assert_eq!(has(&server, &ana, "email").await.as_deref(), Some("New@example.org"));
    assert_eq!(verify(&server, &ana, "email", &code).await, EXPIRED, "it was used");
    assert_eq!(enters(&server, "NEW@example.org").await.0, 200);
    assert_eq!(enters(&server, "ana@example.org").await.0, 400);
    server.mail_to("ana@example.org", |body| body.contains("address of your Goodturn account was changed")).await;
    let reset = json!({"ClientId": server.config.web_client_id, "Username": "new@example.org", "ConfirmationCode": reset, "Password": "Another-horse-9"});
    assert_eq!(told(&server.target("ConfirmForgotPassword", reset).await), EXPIRED, "it lies in the old mailbox");
    let confirm = json!({"ClientId": server.config.web_client_id, "Username": "new@example.org", "ConfirmationCode": theirs});
    assert!(told(&server.target("ConfirmSignUp", confirm).await).starts_with("NotAuthorizedException"), "who waited there waits no more");
    assert_eq!(sign_up(&server, "ana@example.org").await.0, 200, "the old one is free");
    server.stop().await;
}

#[tokio::test]
async fn the_address_of_another_member_looks_like_a_free_one_until_its_code_is_given() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let mut told_of = Vec::new();
    for (who, email) in [(&ana, "Ben@example.org"), (&eve, "free@example.org")] {
        let (status, mut answer) = update(&server, who, &[("email", email)]).await;
        answer["CodeDeliveryDetailsList"][0]["Destination"].take();
        told_of.push((status, answer, verify(&server, who, "email", "12").await));
    }
    assert_eq!(told_of[0], told_of[1]);
    server.mail_to("Ben@example.org", |body| body.contains("wants to use this email address")).await;
    let code = server.code_for("Ben@example.org").await;
    assert_eq!(verify(&server, &ana, "email", &code).await, "AliasExistsException: An account with the email already exists.");
    assert_eq!(has(&server, &ana, "email").await.as_deref(), Some("ana@example.org"));
    assert_eq!(has(&server, &ben, "email").await.as_deref(), Some("ben@example.org"));
    assert_eq!(verify(&server, &ana, "email", &code).await, EXPIRED);
    server.stop().await;
}

#[tokio::test]
async fn of_two_who_take_an_address_at_once_one_has_it() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    for round in 0..4 {
        let email = format!("shared{round}@example.org");
        let mut codes = Vec::new();
        for who in [&ana, &ben] {
            let before = sent_to(&server, &email).await;
            assert_eq!(update(&server, who, &[("email", &email)]).await.0, 200);
            until("it was sent", async || sent_to(&server, &email).await > before).await;
            codes.push(server.code_for(&email).await);
        }
        let (one, other) = tokio::join!(verify(&server, &ana, "email", &codes[0]), verify(&server, &ben, "email", &codes[1]));
        let answers = [one, other];
        assert_eq!(answers.iter().filter(|a| a.is_empty()).count(), 1, "{answers:?}");
        assert!(answers.iter().any(|a| a.starts_with("AliasExistsException")), "{answers:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_code_is_tried_five_times_lives_a_day_and_is_voided_by_the_next() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    update(&server, &ana, &[("email", "new@example.org")]).await;
    let first = server.code_for("new@example.org").await;
    let wrong = other_than(&first);
    let answers = join_all((0..20).map(|_| verify(&server, &ana, "email", wrong))).await;
    assert_eq!(answers.iter().filter(|a| *a == MISMATCH).count(), 5, "{answers:?}");
    assert_eq!(verify(&server, &ana, "email", &first).await, EXPIRED);
    server.clock.advance(Duration::SECOND);
    assert_eq!(ask(&server, &ana, "email").await.1["CodeDeliveryDetails"]["Destination"], "n***@e***", "to the one that waits");
    let next = server.mail_to("new@example.org", |body| !body.contains(&first)).await;
    let next = next["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    assert_eq!(verify(&server, &ana, "email", &first).await, MISMATCH, "the next voids it");
    server.clock.advance(Duration::hours(24));
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(verify(&server, &ana, "email", &next).await, EXPIRED, "too late");
    assert_eq!(ask(&server, &ana, "email").await.1["CodeDeliveryDetails"]["Destination"], "a***@e***", "nothing waits any more");
    server.clock.advance(Duration::SECOND);
    update(&server, &ana, &[("email", "other@example.org")]).await;
    let code = server.code_for("other@example.org").await;
    server.clock.advance(Duration::SECOND);
    assert_eq!(update(&server, &ana, &[("email", "ana@example.org")]).await.1["CodeDeliveryDetailsList"], json!([]));
    assert_eq!(verify(&server, &ana, "email", &code).await, EXPIRED, "she keeps the one she has");
    server.stop().await;
}

#[tokio::test]
async fn a_number_is_verified_by_sms_and_never_moves_silently() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (status, answer) = update(&server, &ana, &[("phone_number", NUMBER)]).await;
    let sent = json!([{"Destination": "+*******0123", "DeliveryMedium": "SMS", "AttributeName": "phone_number"}]);
    assert_eq!((status, &answer["CodeDeliveryDetailsList"]), (200, &sent));
    assert_eq!(has(&server, &ana, "phone_number").await, None);
    let sms = server.mail_to(NUMBER, |body| body.contains("is your Goodturn code")).await;
    assert_eq!((&sms["channel"], &sms["subject"]), (&json!("sms"), &json!("")));
    assert_eq!(verify(&server, &ana, "phone_number", &server.code_for(NUMBER).await).await, "");
    assert_eq!(has(&server, &ana, "phone_number").await.as_deref(), Some(NUMBER));
    assert_eq!(has(&server, &ana, "phone_number_verified").await.as_deref(), Some("true"));
    let tokens = enters(&server, &ana.email).await.1;
    let id_token = tokens["AuthenticationResult"]["IdToken"].as_str().unwrap().to_owned();
    let claims = URL_SAFE_NO_PAD.decode(id_token.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!((&claims["phone_number"], &claims["phone_number_verified"]), (&json!(NUMBER), &json!(true)));

    server.clock.advance(Duration::SECOND);
    assert_eq!(update(&server, &ben, &[("phone_number", NUMBER)]).await.0, 200);
    until("it was sent", async || sent_to(&server, NUMBER).await == 2).await;
    let code = server.code_for(NUMBER).await;
    assert_eq!(
        verify(&server, &ben, "phone_number", &code).await,
        "AliasExistsException: An account with the phone number already exists."
    );
    assert_eq!((has(&server, &ben, "phone_number").await, has(&server, &ana, "phone_number").await.is_some()), (None, true));
    assert_eq!(remove(&server, &ana, &["phone_number"]).await.0, 200);
    assert_eq!(has(&server, &ana, "phone_number").await, None);
    assert_eq!(has(&server, &ana, "phone_number_verified").await, None);
    server.stop().await;
}

#[tokio::test]
async fn without_a_sender_of_sms_a_number_is_refused() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let config = goodturn::config::Config { mode: Mode::Production, drain_delay_s: Some(0), ..server.config.clone() };
    let other = TestServer::on(server.database.clone(), config, server.clock.clone()).await;
    let refused = "InvalidParameterException: User pool does not have SMS configuration to perform this operation.";
    assert_eq!(told(&update(&other, &ana, &[("phone_number", NUMBER)]).await), refused);
    assert_eq!(told(&ask(&other, &ana, "phone_number").await), refused);
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn names_change_at_once_and_what_is_required_stays() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    assert_eq!(update(&server, &ana, &[("given_name", "Anna"), ("family_name", "Stone")]).await.0, 200);
    for (name, value) in [("name", "Anna Stone"), ("given_name", "Anna"), ("family_name", "Stone")] {
        assert_eq!(has(&server, &ana, name).await.as_deref(), Some(value));
    }
    let (_, active) = server.rest("GET", &format!("/v2/users/{}/active", ben.uid), &ben, None).await;
    assert_eq!(active["friends"]["list"][0]["displayName"], "Anna Stone");
    assert_eq!(remove(&server, &ana, &["family_name", "zoneinfo"]).await.0, 200);
    assert_eq!((has(&server, &ana, "family_name").await, has(&server, &ana, "name").await.as_deref()), (None, Some("Anna")));
    let schema = |what: &str| format!("InvalidParameterException: Attributes did not conform to the schema: {what}");
    for (answer, why) in [
        (remove(&server, &ana, &["email"]).await, "email: The attribute is required"),
        (remove(&server, &ana, &["given_name"]).await, "given_name: The attribute is required"),
        (remove(&server, &ana, &["sub"]).await, "sub: Attribute cannot be updated."),
        (update(&server, &ana, &[("sub", &ben.uid)]).await, "sub: Attribute cannot be updated."),
        (update(&server, &ana, &[("picture", "https://x.example/a.png")]).await, "picture: Attribute cannot be updated."),
        (update(&server, &ana, &[("email_verified", "true")]).await, "email_verified: Attribute cannot be updated."),
        (update(&server, &ana, &[("nickname", "A")]).await, "nickname: Attribute does not exist in schema."),
        (update(&server, &ana, &[("name", "B"), ("email", "nowhere")]).await, "email: Invalid email address format."),
    ] {
        assert_eq!(told(&answer), schema(why));
    }
    assert_eq!(has(&server, &ana, "name").await.as_deref(), Some("Anna"), "all or nothing");
    assert!(told(&update(&server, &ana, &[]).await).contains("userAttributes"));
    assert!(told(&ask(&server, &ana, "name").await).starts_with("InvalidParameterException"));
    assert_eq!(told(&ask(&server, &ana, "phone_number").await), "InvalidParameterException: User does not have a phone_number.");
    server.stop().await;
}

#[tokio::test]
async fn codes_are_bounded_by_who_asks_and_by_where_they_go() {
    let server = TestServer::start().await;
    let (ana, ben, cora, dan) =
        (server.ana().await, server.ben().await, server.member("Cora", "Reyes").await, server.member("Dan", "Reyes").await);
    let victim = "victim@example.org";
    let mut sent = 0;
    for who in [&ana, &ben, &cora] {
        for _ in 0..5 {
            assert_eq!(update(&server, who, &[("email", victim)]).await.0, 200, "{sent}");
            sent += 1;
            // One that is asked for before the last was sent takes its place.
            until("it is sent", async || sent_to(&server, victim).await == sent).await;
        }
    }
    let sixth = update(&server, &ana, &[("email", "another@example.org")]).await;
    assert_eq!(told(&sixth), "LimitExceededException: Attempt limit exceeded, please try after some time.");
    // Fifteen were sent there: of one more nobody can tell that it was not.
    assert_eq!(update(&server, &dan, &[("email", victim)]).await.0, 200);
    assert_eq!(verify(&server, &dan, "email", "12").await, MISMATCH);
    assert_eq!(update(&server, &dan, &[("email", "another@example.org")]).await.0, 200);
    until("the next one is sent", async || sent_to(&server, "another@example.org").await == 1).await;
    assert_eq!(sent_to(&server, victim).await, sent);
    server.stop().await;
}

#[tokio::test]
async fn of_codes_of_one_instant_the_one_that_stands_counts() {
    let server = TestServer::start().await;
    for member in [server.ana().await, server.ben().await] {
        let mut codes = Vec::new();
        for n in 0..4 {
            let address = format!("{n}-{}", member.email);
            assert_eq!(update(&server, &member, &[("email", &address)]).await.0, 200);
            codes.push(server.code_for(&address).await);
        }
        let newest = codes.pop().unwrap();
        for old in codes.iter().filter(|old| **old != newest) {
            assert_eq!(verify(&server, &member, "email", old).await, MISMATCH);
        }
        assert_eq!(verify(&server, &member, "email", &newest).await, "");
        assert_eq!(has(&server, &member, "email").await, Some(format!("3-{}", member.email)));
    }
    server.stop().await;
}

#[tokio::test]
async fn the_same_is_said_over_grpc() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let change = UpdateUserAttributesRequest {
        user_attributes: vec![Attribute { name: "email".into(), value: "new@example.org".into() }],
        ..Default::default()
    };
    let sent = server.identity(&ana).update_user_attributes(change).await.unwrap().into_inner().code_delivery_details_list;
    assert_eq!((sent.len(), sent[0].destination.as_str()), (1, "n***@e***"));
    let again = GetUserAttributeVerificationCodeRequest { attribute_name: "email".into(), ..Default::default() };
    let before = server.code_for("new@example.org").await;
    server.clock.advance(Duration::SECOND);
    server.identity(&ana).get_user_attribute_verification_code(again).await.unwrap();
    server.mail_to("new@example.org", |body| !body.contains(&before)).await;
    let code = server.code_for("new@example.org").await;
    let give = |code: &str| VerifyUserAttributeRequest { attribute_name: "email".into(), code: code.into(), ..Default::default() };
    let refused = server.identity(&ana).verify_user_attribute(give(other_than(&code))).await.unwrap_err();
    assert_eq!(refused.message(), "Invalid verification code provided, please try again.");
    server.identity(&ana).verify_user_attribute(give(&code)).await.unwrap();
    assert_eq!(has(&server, &ana, "email").await.as_deref(), Some("new@example.org"));
    server.stop().await;
}
