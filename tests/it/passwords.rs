//! Passwords that are forgotten or changed: who gets in afterwards, and what nobody can find out.

use crate::harness::{Member, PASSWORD, START, TestServer, until};
use futures_util::future::join_all;
use goodturn::clock::Clock;
use serde_json::{Value, json};
use time::Duration;

const NEW: &str = "Another-horse-9";

impl TestServer {
    async fn forgot(&self, username: &str) -> (u16, Value) {
        self.target("ForgotPassword", json!({"ClientId": self.config.web_client_id, "Username": username})).await
    }

    async fn reset(&self, username: &str, code: &str, password: &str) -> String {
        let body = json!({"ClientId": self.config.web_client_id, "Username": username, "ConfirmationCode": code, "Password": password});
        told(self.target("ConfirmForgotPassword", body).await)
    }

    async fn change(&self, token: &str, previous: &str, proposed: &str) -> String {
        let body = json!({"AccessToken": token, "PreviousPassword": previous, "ProposedPassword": proposed});
        told(self.target("ChangePassword", body).await)
    }

    async fn enters(&self, member: &Member, password: &str) -> String {
        let parameters = json!({"USERNAME": member.email, "PASSWORD": password});
        let body = json!({"ClientId": self.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        told(self.target("InitiateAuth", body).await)
    }

    async fn give(&self, member: &Member, password: &str) -> String {
        let parameters = json!({"USERNAME": member.email, "PASSWORD": password});
        let body = json!({"ClientId": self.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        self.target("InitiateAuth", body).await.1["AuthenticationResult"]["AccessToken"].as_str().unwrap().to_owned()
    }

    async fn lets(&self, token: &str) -> bool {
        self.target("GetUser", json!({"AccessToken": token})).await.0 == 200
    }
}

/// A server that waits a second for what else belongs into a mail.
async fn with_quick_mails() -> TestServer {
    TestServer::start_with(Clock::fixed(START), |config| config.mail_delay_s = 1).await
}

/// The exception, or nothing when it went well.
fn told((status, answer): (u16, Value)) -> String {
    if status == 200 { String::new() } else { answer["__type"].as_str().unwrap().to_owned() }
}

/// Digits that are not the code.
fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_forgotten_password_is_set_anew_by_the_code_and_signs_out_everywhere() {
    let server = with_quick_mails().await;
    let ana = server.ana().await;
    let (status, sent) = server.forgot("ANA@example.org").await;
    assert_eq!((status, &sent["CodeDeliveryDetails"]["Destination"]), (200, &json!("A***@e***")));
    let code = server.reset_code_for(&ana.email).await;
    assert_eq!(server.reset(&ana.email, &code, "short").await, "InvalidPasswordException");
    assert_eq!(server.reset(&ana.email, other_than(&code), NEW).await, "CodeMismatchException");
    assert!(server.lets(&ana.token).await);
    assert_eq!(server.reset(&ana.email, &code, NEW).await, "");
    assert!(!server.lets(&ana.token).await, "her sessions have ended");
    assert_eq!(server.enters(&ana, PASSWORD).await, "NotAuthorizedException");
    assert_eq!(server.enters(&ana, NEW).await, "");
    assert_eq!(server.reset(&ana.email, &code, PASSWORD).await, "ExpiredCodeException", "it was used");
    server.mail_to(&ana.email, |body| body.contains("Your password was changed")).await;
    server.stop().await;
}

#[tokio::test]
async fn a_code_is_tried_five_times_lives_an_hour_and_is_voided_by_the_next() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.forgot(&ana.email).await;
    let first = server.reset_code_for(&ana.email).await;
    let answers = join_all((0..20).map(|_| server.reset(&ana.email, other_than(&first), NEW))).await;
    assert_eq!(answers.iter().filter(|a| *a == "CodeMismatchException").count(), 5, "{answers:?}");
    assert_eq!(server.reset(&ana.email, &first, NEW).await, "ExpiredCodeException");
    server.clock.advance(Duration::SECOND);
    server.forgot(&ana.email).await;
    let next = server.mail_to(&ana.email, |body| body.contains("new password") && !body.contains(&first)).await;
    let next = next["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    assert_eq!(server.reset(&ana.email, &first, NEW).await, "CodeMismatchException", "the next voids it");
    server.clock.advance(Duration::HOUR);
    assert_eq!(server.reset(&ana.email, &next, NEW).await, "ExpiredCodeException", "too late");
    assert_eq!(server.enters(&ana, PASSWORD).await, "", "all is as it was");
    server.stop().await;
}

#[tokio::test]
async fn who_has_no_account_is_told_the_same() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for username in [ana.email.as_str(), "nobody@example.org", &ana.uid, "01890000-0000-7000-8000-000000000000"] {
        let (status, sent) = server.forgot(username).await;
        let details: Vec<_> = sent["CodeDeliveryDetails"].as_object().unwrap().keys().cloned().collect();
        assert_eq!((status, details), (200, vec!["AttributeName".to_owned(), "DeliveryMedium".to_owned(), "Destination".to_owned()]));
        let answers = [server.reset(username, "12", NEW).await, server.reset(username, "", NEW).await];
        assert_eq!(answers, ["CodeMismatchException", "InvalidParameterException"], "{username}");
    }
    // Nobody who has not confirmed an address gets in by this.
    let waiting = json!({"ClientId": server.config.web_client_id, "Username": "new@example.org", "Password": PASSWORD,
        "UserAttributes": [{"Name": "name", "Value": "New Comer"}]});
    assert_eq!(server.target("SignUp", waiting).await.0, 200);
    assert_eq!(server.forgot("new@example.org").await.0, 200);
    let code = server.code_for("new@example.org").await;
    assert_eq!(server.reset("new@example.org", &code, NEW).await, "CodeMismatchException");
    server.stop().await;
}

#[tokio::test]
async fn of_two_resets_by_one_code_at_once_one_counts() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.forgot(&ana.email).await;
    let code = server.reset_code_for(&ana.email).await;
    let answers = tokio::join!(server.reset(&ana.email, &code, NEW), server.reset(&ana.email, &code, "Third-horse-11"));
    let good = [&answers.0, &answers.1].into_iter().filter(|told| told.is_empty()).count();
    assert_eq!(good, 1, "{answers:?}");
    let password = if answers.0.is_empty() { NEW } else { "Third-horse-11" };
    assert_eq!(server.enters(&ana, password).await, "");
    server.stop().await;
}

#[tokio::test]
async fn a_password_is_changed_by_the_present_one_and_ends_every_other_session() {
    let server = with_quick_mails().await;
    let ana = server.ana().await;
    let elsewhere = server.signed_in_again(&ana).await;
    assert_eq!(server.change(&ana.token, "wrong password", NEW).await, "NotAuthorizedException");
    assert_eq!(server.change(&ana.token, PASSWORD, "short").await, "InvalidPasswordException");
    assert_eq!(server.change("no token", PASSWORD, NEW).await, "NotAuthorizedException");
    assert_eq!(server.change(&ana.token, PASSWORD, NEW).await, "");
    assert!(server.lets(&ana.token).await && !server.lets(&elsewhere.token).await);
    server.mail_to(&ana.email, |body| body.contains("Your password was changed")).await;
    assert_eq!(server.enters(&ana, PASSWORD).await, "NotAuthorizedException");
    assert_eq!(server.enters(&ana, NEW).await, "");
    for _ in 0..5 {
        assert_eq!(server.change(&ana.token, "wrong password", NEW).await, "NotAuthorizedException");
    }
    assert_eq!(server.change(&ana.token, NEW, PASSWORD).await, "LimitExceededException");
    server.stop().await;
}

#[tokio::test]
async fn of_two_changes_at_once_one_counts() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let answers = tokio::join!(server.change(&ana.token, PASSWORD, NEW), server.change(&ana.token, PASSWORD, "Third-horse-11"));
    let good = [&answers.0, &answers.1].into_iter().filter(|told| told.is_empty()).count();
    assert_eq!(good, 1, "{answers:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_sign_in_with_the_old_password_during_its_change_is_out() {
    // Wrong passwords are part of the race; lock-outs are not.
    let server = TestServer::start_with(Clock::fixed(crate::harness::START), |c| c.tries_password = 1000).await;
    let ana = server.ana().await;
    let (mut token, mut password) = (ana.token.clone(), PASSWORD.to_owned());
    for round in 0..4 {
        let next = format!("{NEW}{round}");
        let old = json!({"USERNAME": ana.email, "PASSWORD": password});
        let body = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": old});
        let entering = join_all((0..6).map(|_| server.target("InitiateAuth", body.clone())));
        let (changed, entered) = tokio::join!(server.change(&token, &password, &next), entering);
        assert_eq!(changed, "");
        for (status, answer) in entered {
            let access = answer["AuthenticationResult"]["AccessToken"].as_str().unwrap_or_default();
            assert!(status != 200 || !server.lets(access).await, "round {round}: the old password is in");
        }
        token = server.give(&ana, &next).await;
        password = next;
    }
    server.stop().await;
}

#[tokio::test]
async fn mails_tell_no_more_than_answers_do() {
    let server = TestServer::start_with(Clock::fixed(crate::harness::START), |c| c.sends_code = 3).await;
    let ana = server.ana().await;
    // By an id that srp tells for any address, used up: the address is answered as if it were nobody's.
    for (email, id) in [(ana.email.as_str(), ana.uid.as_str()), ("nobody@example.org", "0f8fad5b-d9cb-469f-a165-70867728950e")] {
        for _ in 0..3 {
            assert_eq!(server.forgot(id).await.0, 200);
        }
        assert_eq!(server.forgot(id).await.1["__type"], "LimitExceededException");
        for _ in 0..3 {
            assert_eq!(server.forgot(email).await.0, 200, "{email}");
        }
        assert_eq!(server.forgot(email).await.1["__type"], "LimitExceededException", "{email}");
    }
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let resets = outbox["messages"].as_array().unwrap().iter().filter(|m| m["body"].as_str().unwrap().contains("new password")).count();
    assert!(resets <= 6, "{resets} mails went to one address");
    server.stop().await;
}

#[tokio::test]
async fn codes_of_a_sign_up_that_others_ask_for_keep_nobody_from_a_new_password() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for _ in 0..12 {
        let body = json!({"ClientId": server.config.web_client_id, "Username": ana.email});
        server.target("ResendConfirmationCode", body).await;
    }
    assert_eq!(server.forgot(&ana.email).await.0, 200);
    // Nor do wrong sign-ins by others, before it and after.
    for _ in 0..6 {
        server.enters(&ana, "wrong password").await;
        server.enters(&Member { email: ana.uid.clone(), ..ana.clone() }, "wrong password").await;
    }
    assert_eq!(server.change(&ana.token, PASSWORD, "Third-horse-11").await, "");
    let code = server.reset_code_for(&ana.email).await;
    assert_eq!(server.reset(&ana.email, &code, NEW).await, "");
    assert_eq!(server.enters(&ana, NEW).await, "");
    server.stop().await;
}

#[tokio::test]
async fn asked_for_many_times_at_once_one_code_stands() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let answers = join_all((0..4).map(|_| server.forgot(&ana.email))).await;
    assert!(answers.iter().all(|(status, _)| *status == 200), "{answers:?}");
    let mut beside = server.database.connect().await;
    until("all of them were sent", async || {
        let jobs = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM graphile_worker._private_jobs").fetch_one(&mut beside).await;
        jobs.unwrap() == 0
    })
    .await;
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let mut good = 0;
    for mail in outbox["messages"].as_array().unwrap().iter().filter(|m| m["body"].as_str().unwrap().contains("new password")) {
        let code = mail["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
        good += usize::from(server.reset(&ana.email, &code, NEW).await.is_empty());
    }
    assert_eq!(good, 1);
    server.stop().await;
}
