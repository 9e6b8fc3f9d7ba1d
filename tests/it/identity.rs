//! Accounts and sign-in: codes, both ways to give a password, lock-out, and what nobody can find out.

use crate::{
    harness::{PASSWORD, TestServer},
    srp_client::SrpClient,
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    pb::identity::{
        AuthFlow, AuthenticationResult, ChallengeName, InitiateAuthRequest, InitiateAuthResponse, RespondToAuthChallengeRequest,
    },
};
use serde_json::{Value, json};
use std::collections::HashMap;
use time::Duration;
use tonic::Status;

const POOL_NAME: &str = "Goodturn1";

impl TestServer {
    fn client_id(&self) -> &str {
        &self.config.web_client_id
    }

    async fn sign_up(&self, email: &str, password: &str) -> (u16, Value) {
        let attributes = json!([{"Name": "name", "Value": "Ana Maria Silva"}, {"Name": "zoneinfo", "Value": "Europe/Lisbon"}]);
        let body = json!({"ClientId": self.client_id(), "Username": email, "Password": password, "UserAttributes": attributes});
        self.target("SignUp", body).await
    }

    async fn confirm(&self, email: &str, code: &str) -> (u16, Value) {
        self.target("ConfirmSignUp", json!({"ClientId": self.client_id(), "Username": email, "ConfirmationCode": code})).await
    }

    async fn resend(&self, email: &str) -> (u16, Value) {
        self.target("ResendConfirmationCode", json!({"ClientId": self.client_id(), "Username": email})).await
    }

    async fn begin(&self, flow: AuthFlow, parameters: &[(&str, &str)]) -> Result<InitiateAuthResponse, Status> {
        let request = InitiateAuthRequest {
            auth_flow: flow.into(),
            client_id: self.client_id().to_owned(),
            auth_parameters: parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            ..Default::default()
        };
        self.identity(None).initiate_auth(request).await.map(tonic::Response::into_inner)
    }

    async fn give_password(&self, email: &str, password: &str) -> Result<AuthenticationResult, Status> {
        let answer = self.begin(AuthFlow::UserPasswordAuth, &[("USERNAME", email), ("PASSWORD", password)]).await?;
        Ok(answer.authentication_result.unwrap())
    }

    async fn challenge(&self, email: &str, client: &SrpClient) -> HashMap<String, String> {
        let answer = self.begin(AuthFlow::UserSrpAuth, &[("USERNAME", email), ("SRP_A", &client.srp_a())]).await.unwrap();
        assert_eq!(answer.challenge_name(), ChallengeName::PasswordVerifier);
        answer.challenge_parameters
    }

    async fn respond(&self, responses: HashMap<String, String>) -> Result<AuthenticationResult, Status> {
        let request = RespondToAuthChallengeRequest {
            challenge_name: ChallengeName::PasswordVerifier.into(),
            client_id: self.client_id().to_owned(),
            challenge_responses: responses,
            ..Default::default()
        };
        let answer = self.identity(None).respond_to_auth_challenge(request).await?.into_inner();
        Ok(answer.authentication_result.unwrap())
    }
}

fn text(answer: Result<AuthenticationResult, Status>) -> String {
    answer.unwrap_err().message().to_owned()
}

fn refused(answer: (u16, Value)) -> (String, String) {
    assert_eq!(answer.0, 400, "{answer:?}");
    (answer.1["__type"].as_str().unwrap().to_owned(), answer.1["message"].as_str().unwrap().to_owned())
}

const WRONG: &str = "Incorrect username or password.";

#[tokio::test]
async fn an_account_is_confirmed_by_its_code_and_told_by_get_user() {
    let server = TestServer::start().await;
    let (status, made) = server.sign_up("Ana@Example.org", PASSWORD).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["UserConfirmed"], false);
    assert_eq!(made["CodeDeliveryDetails"]["Destination"], "A***@E***");
    assert_eq!(text(server.give_password("ana@example.org", "another password").await), WRONG);
    assert_eq!(text(server.give_password("ana@example.org", PASSWORD).await), "User is not confirmed.");
    let code = server.code_for("Ana@Example.org").await;
    assert_eq!(server.confirm("ANA@example.org", &code).await.0, 200);
    let again = refused(server.confirm("ana@example.org", &code).await);
    assert_eq!(again, ("NotAuthorizedException".into(), "User cannot be confirmed. Current status is CONFIRMED".into()));
    let tokens = server.give_password("ana@example.org", PASSWORD).await.unwrap();
    let (status, user) = server.target("GetUser", json!({"AccessToken": tokens.access_token})).await;
    assert_eq!((status, &user["Username"]), (200, &made["UserSub"]));
    let attributes: HashMap<_, _> =
        user["UserAttributes"].as_array().unwrap().iter().map(|a| (a["Name"].as_str().unwrap(), a["Value"].as_str().unwrap())).collect();
    let told = ["email", "email_verified", "name", "given_name", "family_name", "zoneinfo"].map(|name| attributes[name]);
    assert_eq!(told, ["Ana@Example.org", "true", "Ana Maria Silva", "Ana", "Maria Silva", "Europe/Lisbon"]);
}

#[tokio::test]
async fn five_wrong_codes_end_a_code_and_a_new_one_voids_the_old() {
    let server = TestServer::start().await;
    server.sign_up("ana@example.org", PASSWORD).await;
    let first = server.code_for("ana@example.org").await;
    let wrong = if first == "000000" { "000001" } else { "000000" };
    for email in ["ana@example.org", "nobody@example.org"] {
        for _ in 0..5 {
            assert_eq!(refused(server.confirm(email, wrong).await).0, "CodeMismatchException", "{email}");
        }
        assert_eq!(refused(server.confirm(email, &first).await).0, "ExpiredCodeException", "{email}");
    }
    assert_eq!(server.resend("ana@example.org").await.0, 200);
    let second = server.mail_to("ana@example.org", |body| !body.contains(&first)).await["body"].as_str().unwrap().to_owned();
    let second = second.split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap();
    assert_eq!(refused(server.confirm("ana@example.org", &first).await).0, "CodeMismatchException");
    assert_eq!(server.confirm("ana@example.org", second).await.0, 200);
}

#[tokio::test]
async fn a_code_that_is_tried_in_parallel_is_tried_five_times() {
    let server = TestServer::start().await;
    server.sign_up("ana@example.org", PASSWORD).await;
    let code = server.code_for("ana@example.org").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let answers = join_all((0..30).map(|_| server.confirm("ana@example.org", wrong))).await;
    let mismatches = answers.into_iter().filter(|a| a.1["__type"] == "CodeMismatchException").count();
    assert_eq!(mismatches, 5);
    assert_eq!(refused(server.confirm("ana@example.org", &code).await).0, "ExpiredCodeException");
}

#[tokio::test]
async fn an_account_that_is_not_confirmed_within_a_day_is_gone() {
    let server = TestServer::start().await;
    server.sign_up("ana@example.org", PASSWORD).await;
    let code = server.code_for("ana@example.org").await;
    server.clock.advance(Duration::hours(24));
    assert_eq!(refused(server.confirm("ana@example.org", &code).await).0, "CodeMismatchException");
    assert_eq!(text(server.give_password("ana@example.org", PASSWORD).await), WRONG);
    assert_eq!(server.sign_up("ana@example.org", PASSWORD).await.0, 200);
}

#[tokio::test]
async fn what_a_sign_up_lacks_is_named() {
    let server = TestServer::start().await;
    let missing = refused(server.target("SignUp", json!({"ClientId": server.client_id()})).await);
    assert_eq!(missing.0, "InvalidParameterException");
    assert!(missing.1.starts_with("2 validation errors detected: Value null at 'username' failed"), "{}", missing.1);
    let short = refused(server.sign_up("ana@example.org", "1234567").await);
    assert_eq!(short, ("InvalidPasswordException".into(), "Password did not conform with policy: Password not long enough".into()));
    assert_eq!(refused(server.sign_up("ana", PASSWORD).await).1, "Username should be an email.");
    let foreign = json!({"ClientId": "nobody", "Username": "ana@example.org", "Password": PASSWORD, "UserAttributes": [{"Name": "name", "Value": "A"}]});
    assert_eq!(refused(server.target("SignUp", foreign).await).0, "ResourceNotFoundException");
    let flow = json!({"ClientId": server.client_id(), "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"PASSWORD": "x"}});
    assert_eq!(refused(server.target("InitiateAuth", flow).await).1, "Missing required parameter USERNAME");
}

#[tokio::test]
async fn srp_signs_in_and_a_recorded_answer_does_not() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = SrpClient::new(7);
    let challenge = server.challenge(&ana.email.to_uppercase(), &client).await;
    assert_eq!(challenge["USER_ID_FOR_SRP"], ana.uid);
    let wrong = client.answer(POOL_NAME, "wrong password", &challenge);
    assert_eq!(text(server.respond(wrong).await), WRONG);
    let right = client.answer(POOL_NAME, PASSWORD, &challenge);
    let mut by_email = right.clone();
    by_email.insert("USERNAME".into(), "eve@example.org".into());
    assert_eq!(text(server.respond(by_email).await), WRONG, "another's name");
    let tokens = server.respond(right.clone()).await.unwrap();
    assert!(tokens.refresh_token.is_some());
    assert_eq!(text(server.respond(right).await), WRONG, "a replay");
    let late = server.challenge(&ana.email, &client).await;
    let late = client.answer(POOL_NAME, PASSWORD, &late);
    server.clock.advance(Duration::minutes(5));
    assert_eq!(text(server.respond(late).await), WRONG, "too late");
}

#[tokio::test]
async fn a_used_answer_makes_no_wrong_tries_forgotten() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = SrpClient::new(17);
    let right = client.answer(POOL_NAME, PASSWORD, &server.challenge(&ana.email, &client).await);
    server.respond(right.clone()).await.unwrap();
    for _ in 0..4 {
        assert_eq!(text(server.give_password(&ana.email, "wrong password").await), WRONG);
    }
    assert_eq!(text(server.respond(right).await), WRONG, "a replay");
    assert_eq!(text(server.give_password(&ana.email, "wrong password").await), WRONG);
    assert_eq!(text(server.give_password(&ana.email, PASSWORD).await), "Password attempts exceeded", "the fifth in a row");
}

#[tokio::test]
async fn the_time_of_a_proof_is_in_its_form_and_near() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = SrpClient::new(19);
    let challenge = server.challenge(&ana.email, &client).await;
    let told = async |at: &str| {
        let mut answer = client.answer(POOL_NAME, PASSWORD, &challenge);
        answer.insert("TIMESTAMP".into(), at.into());
        text(server.respond(answer).await)
    };
    assert_eq!(told("2026-06-16T09:00:00Z").await, "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.");
    for off in ["Tue Jun 16 08:54:59 UTC 2026", "Tue Jun 16 09:05:01 UTC 2026"] {
        assert_eq!(told(off).await, WRONG, "{off}");
    }
    // The block is as good as before.
    server.respond(client.answer(POOL_NAME, PASSWORD, &challenge)).await.unwrap();
}

#[tokio::test]
async fn what_others_do_at_a_network_does_not_hold_back_who_is_at_home_there() {
    let server = TestServer::start_with(Clock::fixed(crate::harness::START), |c| c.tries_network = 6).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    sqlx::query("UPDATE sessions SET network = NULL WHERE member_id = $1")
        .bind(uuid::Uuid::parse_str(&ben.uid).unwrap())
        .execute(&mut server.database.connect().await)
        .await
        .unwrap();
    for n in 0..6 {
        assert_eq!(text(server.give_password(&format!("nobody{n}@example.org"), "wrong password").await), WRONG);
    }
    assert_eq!(text(server.give_password("somebody@example.org", "wrong password").await), "Password attempts exceeded");
    assert_eq!(text(server.give_password(&ben.email, PASSWORD).await), "Password attempts exceeded", "never signed in from there");
    assert_eq!(text(server.give_password(&ana.email, "wrong password").await), "Password attempts exceeded", "as for anybody");
    server.give_password(&ana.email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn flaws_are_told_in_the_words_of_the_protocol() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = server.client_id();
    for token in [&ana.token, &ana.id_token] {
        let refusal = refused(server.target("RevokeToken", json!({"ClientId": client, "Token": token})).await);
        assert_eq!(refusal.0, "UnsupportedTokenTypeException");
    }
    // The client before the parameters.
    let refusal = refused(server.target("InitiateAuth", json!({"ClientId": "nobody", "AuthFlow": "USER_PASSWORD_AUTH"})).await);
    assert_eq!(refusal, ("ResourceNotFoundException".into(), "User pool client nobody does not exist.".into()));
    let refusal = refused(server.target("SignUp", json!({"ClientId": "nobody", "Username": "ana", "Password": "x"})).await);
    assert_eq!(refusal, ("ResourceNotFoundException".into(), "User pool client nobody does not exist.".into()));
    let wrong = json!({"ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": ana.email, "PASSWORD": "wrong password"}});
    for _ in 0..5 {
        refused(server.target("InitiateAuth", wrong.clone()).await);
    }
    let refusal = refused(server.target("InitiateAuth", wrong).await);
    assert_eq!(refusal, ("NotAuthorizedException".into(), "Password attempts exceeded".into()));
    // By the id, in any spelling, she is one account; and its lock is not that of the address.
    let by_id = uuid::Uuid::parse_str(&ana.uid).unwrap().simple().to_string().to_uppercase();
    server.give_password(&by_id, PASSWORD).await.unwrap();
    let older = server.http(reqwest::Method::POST, "/").header("x-amz-target", "AWSCognitoIdentityProviderService.GetUser");
    let older = older.header("content-type", "application/x-amz-json-1.0").body(json!({"AccessToken": ana.token}).to_string());
    assert_eq!(older.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn names_and_words_of_the_protocol_count_to_the_letter() {
    let server = TestServer::start().await;
    let client = server.client_id();
    let begin = async |body: Value| refused(server.target("InitiateAuth", body).await);
    assert_eq!(begin(json!({"ClientId": client, "AuthFlow": 1})).await.0, "SerializationException");
    let lower = begin(json!({"ClientId": client, "AuthFlow": "user_password_auth"})).await;
    assert_eq!(lower.0, "InvalidParameterException");
    assert!(lower.1.starts_with("1 validation error detected: Value 'user_password_auth' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: ["), "{}", lower.1);
    for name in ["client_id", "clientId", "clientid"] {
        let unread = begin(json!({name: client, "AuthFlow": "USER_PASSWORD_AUTH"})).await;
        assert!(unread.1.contains("Value null at 'clientId' failed"), "{name}: {}", unread.1);
    }
    for unsaid in ["AUTH_FLOW_USER_PASSWORD_AUTH", "AUTH_FLOW_UNSPECIFIED", &"x".repeat(100_000)] {
        let (kind, message) = begin(json!({"ClientId": client, "AuthFlow": unsaid})).await;
        assert!(kind == "InvalidParameterException" && message.len() < 500, "{message:.300}");
    }
    let alias = json!({"ClientId": "goodturncli", "AuthFlow": "REFRESH_TOKEN", "AuthParameters": {"REFRESH_TOKEN": "x"}});
    assert_eq!(begin(alias).await.1, "Invalid Refresh Token");
}

#[tokio::test]
async fn a_name_is_told_as_it_was_said() {
    let server = TestServer::start().await;
    let attributes = json!([{"Name": "name", "Value": "Dr. Ana Silva"}, {"Name": "given_name", "Value": "Ana"}, {"Name": "family_name", "Value": "Silva"}]);
    let body = json!({"ClientId": server.client_id(), "Username": "ana@example.org", "Password": PASSWORD, "UserAttributes": attributes});
    assert_eq!(server.target("SignUp", body).await.0, 200);
    let code = server.code_for("ana@example.org").await;
    assert_eq!(server.confirm("ana@example.org", &code).await.0, 200);
    let tokens = server.give_password("ana@example.org", PASSWORD).await.unwrap();
    let (_, user) = server.target("GetUser", json!({"AccessToken": tokens.access_token})).await;
    let attribute = |name: &str| user["UserAttributes"].as_array().unwrap().iter().find(|a| a["Name"] == name).unwrap()["Value"].clone();
    assert_eq!([attribute("name"), attribute("given_name"), attribute("family_name")], ["Dr. Ana Silva", "Ana", "Silva"]);
}

#[tokio::test]
async fn any_node_answers_the_second_step() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let other = server.second_node().await;
    let client = SrpClient::new(9);
    let challenge = server.challenge(&ana.email, &client).await;
    let tokens = other.respond(client.answer(POOL_NAME, PASSWORD, &challenge)).await.unwrap();
    let (status, _) = server.target("GetUser", json!({"AccessToken": tokens.access_token})).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn numbers_that_take_the_password_out_of_the_proof_are_refused() {
    let server = TestServer::start().await;
    let n = "FFFFFFFFFFFFFFFFC90FDAA22168C234".to_owned() + &"F".repeat(736);
    for bad in ["0", "00", &n, "xyz", &"f".repeat(769)] {
        let refused = server.begin(AuthFlow::UserSrpAuth, &[("USERNAME", "ana@example.org"), ("SRP_A", bad)]).await.unwrap_err();
        assert_eq!(refused.message(), "SRP_A is not a number of the group", "{bad}");
    }
}

#[tokio::test]
async fn an_account_that_does_not_exist_answers_like_one_that_does() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let client = SrpClient::new(11);
    let (real, none) = (server.challenge(&ana.email, &client).await, server.challenge("nobody@example.org", &client).await);
    let again = server.challenge("Nobody@example.org", &client).await;
    for stable in ["SALT", "USER_ID_FOR_SRP", "USERNAME"] {
        assert_eq!(none[stable], again[stable], "{stable}");
    }
    assert_ne!(none["SRP_B"], again["SRP_B"]);
    // By the id that it was told, too, nobody is as much the same as somebody.
    for told in [&real, &none] {
        let by_id = server.challenge(&told["USERNAME"], &client).await;
        assert_eq!((&by_id["SALT"], &by_id["USERNAME"]), (&told["SALT"], &told["USERNAME"]));
    }
    for name in ["SALT", "USER_ID_FOR_SRP", "SECRET_BLOCK"] {
        assert_eq!(real[name].len(), none[name].len(), "{name}");
    }
    let version = |id: &str| uuid::Uuid::parse_str(id).unwrap().get_version_num();
    assert_eq!(version(&real["USERNAME"]), version(&none["USERNAME"]));
    assert_eq!(text(server.respond(client.answer(POOL_NAME, PASSWORD, &none)).await), WRONG);
    assert_eq!(text(server.give_password("nobody@example.org", PASSWORD).await), WRONG);
    assert_eq!(text(server.give_password(&ana.email, "wrong password").await), WRONG);
    let sent = |answer: (u16, Value)| (answer.0, answer.1["CodeDeliveryDetails"].as_object().map(|d| d.len()));
    assert_eq!(sent(server.resend("nobody@example.org").await), sent(server.resend(&ana.email).await));
}

#[tokio::test]
async fn lock_out_grows_refuses_the_right_password_and_is_not_prolonged() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for email in [ana.email.as_str(), "nobody@example.org"] {
        for _ in 0..5 {
            assert_eq!(text(server.give_password(email, "wrong password").await), WRONG);
        }
        for password in ["wrong password", PASSWORD] {
            assert_eq!(text(server.give_password(email, password).await), "Password attempts exceeded", "{email}");
        }
    }
    let client = SrpClient::new(13);
    let challenge = server.challenge(&ana.email, &client).await;
    assert_eq!(text(server.respond(client.answer(POOL_NAME, PASSWORD, &challenge)).await), "Password attempts exceeded");
    server.clock.advance(Duration::seconds(1));
    assert_eq!(text(server.give_password(&ana.email, "wrong password").await), WRONG);
    server.clock.advance(Duration::seconds(1));
    assert_eq!(text(server.give_password(&ana.email, PASSWORD).await), "Password attempts exceeded", "two seconds now");
    server.clock.advance(Duration::seconds(1));
    server.give_password(&ana.email, PASSWORD).await.unwrap();
    assert_eq!(text(server.give_password(&ana.email, "wrong password").await), WRONG, "success forgets");
}

#[tokio::test]
async fn passwords_tried_in_parallel_are_five_tries() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let answers = join_all((0..30).map(|_| server.give_password(&ana.email, "wrong password"))).await;
    let told = answers.into_iter().filter(|a| a.as_ref().unwrap_err().message() == WRONG).count();
    assert_eq!(told, 5);
    let (status, _) = server.target("GetUser", json!({"AccessToken": ana.token})).await;
    assert_eq!(status, 200, "her session goes on");
}

#[tokio::test]
async fn codes_are_sent_five_times_an_hour_to_anybody() {
    let server = TestServer::start().await;
    server.sign_up("ana@example.org", PASSWORD).await;
    for (email, left) in [("ana@example.org", 4), ("nobody@example.org", 5)] {
        for _ in 0..left {
            assert_eq!(server.resend(email).await.0, 200, "{email}");
        }
        let refusal = refused(server.resend(email).await);
        assert_eq!(refusal, ("LimitExceededException".into(), "Attempt limit exceeded, please try after some time.".into()), "{email}");
    }
    server.clock.advance(Duration::hours(1));
    assert_eq!(server.resend("ana@example.org").await.0, 200);
}

#[tokio::test]
async fn the_same_sign_up_under_one_key_answers_the_same() {
    let server = TestServer::start().await;
    let sign_up = async |password: &str| {
        let body = json!({"ClientId": server.client_id(), "Username": "ana@example.org", "Password": password,
            "UserAttributes": [{"Name": "name", "Value": "Ana"}], "ClientMetadata": {"a": "1", "b": "2", "c": "3"}});
        let request = server.http(reqwest::Method::POST, "/").header("x-amz-target", "AWSCognitoIdentityProviderService.SignUp");
        let request = request.header("content-type", "application/x-amz-json-1.1").header("idempotency-key", "k1").body(body.to_string());
        let response = request.send().await.unwrap();
        (response.status().as_u16(), serde_json::from_slice::<Value>(&response.bytes().await.unwrap()).unwrap())
    };
    let first = sign_up(PASSWORD).await;
    assert_eq!(first.0, 200, "{first:?}");
    assert_eq!(sign_up(PASSWORD).await, first);
    assert_eq!(sign_up("another password").await.0, 400);
}
