//! Profiles: what one changes of one's own, what others see of it, and the number that is proved by SMS.

use crate::{
    asking::asking,
    harness::{Member, Refused, TestServer, until},
    lending::public,
};
use goodturn::{
    config::{Config, Mode},
    pb::{
        favors::FavorResponse,
        friends::{Relation, SendFriendRequestRequest},
        profile::{
            DetailsChange, GetProfileRequest, Profile, SkipPhoneStepRequest, StartPhoneVerificationRequest, UpdateProfileRequest,
            VerifyPhoneRequest,
        },
    },
};
use serde_json::{Value, json};
use time::Duration;

const NUMBER: &str = "+14155550123";
const OTHER: &str = "+491701234567";

async fn profile(server: &TestServer, who: &Member, of: &Member) -> Result<Profile, Refused> {
    let asked = GetProfileRequest { uid: of.uid.clone() };
    Ok(server.profile(who).get_profile(asked).await?.into_inner().profile.unwrap())
}

async fn own(server: &TestServer, who: &Member) -> Profile {
    profile(server, who, who).await.unwrap()
}

async fn put(server: &TestServer, who: &Member, body: Value) -> (u16, Value) {
    server.rest("PUT", &format!("/v2/users/{}", who.uid), who, body).await
}

async fn patch(server: &TestServer, who: &Member, body: Value) -> (u16, Value) {
    server.rest("PATCH", &format!("/api/users/{}", who.uid), who, body).await
}

async fn says(server: &TestServer, who: &Member, number: &str) -> Result<Profile, Refused> {
    let details = DetailsChange { phone_number: Some(number.into()), ..Default::default() };
    let asked = UpdateProfileRequest { details: Some(details), ..Default::default() };
    Ok(server.profile(who).update_profile(asked).await?.into_inner().profile.unwrap())
}

async fn start(server: &TestServer, who: &Member) -> Result<String, Refused> {
    Ok(server.profile(who).start_phone_verification(StartPhoneVerificationRequest {}).await?.into_inner().destination)
}

async fn verify(server: &TestServer, who: &Member, code: &str) -> Result<(), Refused> {
    server.profile(who).verify_phone(VerifyPhoneRequest { code: code.into() }).await?;
    Ok(())
}

fn number(profile: &Profile) -> (&str, bool) {
    let details = profile.details.as_ref().unwrap();
    (&details.phone_number, details.phone_verified)
}

fn reason(answer: Result<impl std::fmt::Debug, Refused>) -> String {
    answer.unwrap_err().reason
}

/// The field and the text of the first violation.
fn refused(answer: &(u16, Value)) -> (u16, &str, &str) {
    let first = &answer.1["details"][0];
    (answer.0, first["field"].as_str().unwrap_or_default(), first["message"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn put_replaces_the_details_and_patch_changes_what_is_there() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let whole = json!({
        "profile": {"fname": " Anna ", "lname": "Stone", "phone_number": "(415) 555-0123", "country_cd": "US", "display_name": "Annie",
                    "profile_picture_url": "", "time_zone": "Europe/Lisbon"},
        "data": {"paymentinfo": {"Venmo Username": "anna-s", "PayPal Username": "anna"}},
    });
    let (status, answer) = put(&server, &ana, whole).await;
    assert_eq!(status, 200, "{answer}");
    let expected = json!({
        "profile": {"display_name": "Annie", "fname": "Anna", "lname": "Stone", "phone_number": NUMBER, "phone_verified": false,
                    "country_cd": "US", "profile_picture_url": "", "time_zone": "Europe/Lisbon"},
        "identities": [{"type": "email", "value": ana.email}],
        "data": {"paymentinfo": {"Venmo Username": "anna-s", "PayPal Username": "anna"}},
        "phoneStepPending": false,
        "relation": "self",
    });
    assert_eq!(answer, expected);
    assert_eq!(server.rest("GET", &format!("/v2/users/{}", ana.uid), &ana, None).await, (200, expected.clone()));

    // What a whole one leaves out is cleared; country, zone and data stay.
    let (_, answer) = put(&server, &ana, json!({"profile": {"fname": "Ana"}})).await;
    let mut cleared = expected.clone();
    cleared["profile"] = json!({"display_name": "Ana", "fname": "Ana", "lname": "", "phone_number": "", "phone_verified": false,
                                "country_cd": "US", "profile_picture_url": "", "time_zone": "Europe/Lisbon"});
    assert_eq!(answer, cleared, "a number that was given once is not asked for again");
    let (_, answer) = put(&server, &ana, json!({"profile": {"fname": "Ana"}, "data": {"paymentinfo": {"Venmo Username": "a"}}})).await;
    assert_eq!(answer["data"]["paymentinfo"], json!({"Venmo Username": "a", "PayPal Username": ""}));

    let (_, answer) = patch(&server, &ana, json!({"profile": {"lname": "Silva", "country_cd": "DE"}})).await;
    assert_eq!((&answer["profile"]["display_name"], &answer["profile"]["country_cd"]), (&json!("Ana Silva"), &json!("DE")));
    let (_, answer) = patch(&server, &ana, json!({"profile": {"phone_number": "0170 1234567"}})).await;
    assert_eq!(answer["profile"]["phone_number"], OTHER, "read by the country of the profile");
    let (_, answer) = patch(&server, &ana, json!({"profile": {"phone_number": null}, "data": {"paymentinfo": null}})).await;
    assert_eq!((&answer["profile"]["phone_number"], &answer["data"]["paymentinfo"]["Venmo Username"]), (&json!(""), &json!("")));
    let before = own(&server, &ana).await;
    for nothing in [json!({}), json!({"profile": {}}), json!({"profile": {"email": "x@example.org"}})] {
        assert_eq!(patch(&server, &ana, nothing).await.0, 200);
    }
    assert_eq!(own(&server, &ana).await, before, "the address is not changed here");
    server.stop().await;
}

#[tokio::test]
async fn each_refusal_names_its_field_and_changes_nothing() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let before = own(&server, &ana).await;
    let name = "Please enter both first and last name.";
    let phone = "Please enter a valid phone number";
    for (body, field, text) in [
        (json!({}), "profile.fname", name),
        (json!({"profile": {"fname": "", "lname": "Silva"}}), "profile.fname", name),
        (json!({"profile": {"fname": "\u{200B}"}}), "profile.fname", name),
        (json!({"profile": {"fname": "Ana", "phone_number": "555-0123"}}), "profile.phone_number", phone),
        (json!({"profile": {"fname": "Ana", "phone_number": "call me"}}), "profile.phone_number", phone),
        (json!({"profile": {"fname": "Ana", "phone_number": "+1 415 555 01234"}}), "profile.phone_number", phone),
        (json!({"profile": {"fname": "Ana", "country_cd": "ZZ"}}), "profile.country_cd", "must be an ISO 3166-1 country code like US"),
        (
            json!({"profile": {"fname": "Ana", "time_zone": "Mars/Base"}}),
            "profile.time_zone",
            "must be an IANA time zone like America/New_York",
        ),
        (
            json!({"profile": {"fname": "Ana", "profile_picture_url": "https://x.example/a.png"}}),
            "profile.profile_picture_url",
            "must be empty or the current one; use the picture calls to change it",
        ),
    ] {
        let answer = put(&server, &ana, body.clone()).await;
        assert_eq!(refused(&answer), (400, field, text), "{body} {}", answer.1);
    }
    let handle = put(&server, &ana, json!({"profile": {"fname": "Ana"}, "data": {"paymentinfo": {"Venmo Username": "@ana"}}})).await;
    assert_eq!((handle.0, &handle.1["details"][0]["field"]), (400, &json!("data.paymentinfo.Venmo Username")));
    let long = put(&server, &ana, json!({"profile": {"fname": "a".repeat(101)}})).await;
    assert_eq!((long.0, &long.1["details"][0]["field"]), (400, &json!("profile.fname")));
    assert_eq!(own(&server, &ana).await, before);
    server.stop().await;
}

#[tokio::test]
async fn others_see_what_the_table_says_and_nothing_of_who_is_nothing_to_them() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let cleo = server.member("Cleo", "Moreau").await;
    let body = json!({"profile": {"fname": "Ben", "lname": "Okafor", "phone_number": NUMBER, "time_zone": "Europe/Lisbon"},
                      "data": {"paymentinfo": {"Venmo Username": "ben", "PayPal Username": "ben.o"}}});
    assert_eq!(put(&server, &ben, body).await.0, 200);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &cleo).await;

    let seen = profile(&server, &ana, &ben).await.unwrap();
    let details = seen.details.as_ref().unwrap();
    assert_eq!((details.display_name.as_str(), details.first_name.as_str(), details.last_name.as_str()), ("Ben Okafor", "Ben", "Okafor"));
    assert_eq!((details.phone_number.as_str(), details.country_code.as_str(), details.time_zone.as_str()), ("", "", ""));
    let handles = |seen: &Profile| seen.data.as_ref().unwrap().payment_info.clone().unwrap().venmo_username;
    let email = |seen: &Profile| seen.identities.first().map(|one| one.value.clone());
    assert_eq!((seen.relation(), email(&seen), handles(&seen)), (Relation::Friend, Some(ben.email.clone()), String::new()));

    // Both were asked for the same favor: that is nothing between the two of them.
    let favor = server.favor(&ana, asking(&[&ben, &cleo])).await.id;
    let unknown = Refused::from(
        server.profile(&cleo).get_profile(GetProfileRequest { uid: uuid::Uuid::from_u128(7).to_string() }).await.unwrap_err(),
    );
    for (who, of) in [(&cleo, &ben), (&ben, &cleo), (&eve, &ben)] {
        assert_eq!(profile(&server, who, of).await.unwrap_err(), unknown);
    }
    server.answer(&ben, &favor, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(handles(&profile(&server, &ana, &ben).await.unwrap()), "ben", "she pays him");
    assert_eq!(handles(&profile(&server, &ben, &ana).await.unwrap()), "");

    // Asking shows the asker's address, and not the other's.
    let ask = SendFriendRequestRequest { receiver_uid: ben.uid.clone(), ..Default::default() };
    server.friends(&eve).send_friend_request(ask).await.unwrap();
    let (hers, his) = (profile(&server, &ben, &eve).await.unwrap(), profile(&server, &eve, &ben).await.unwrap());
    assert_eq!((hers.relation(), email(&hers)), (Relation::Received, Some(eve.email.clone())));
    assert_eq!((his.relation(), email(&his), handles(&his)), (Relation::Requested, None, String::new()));
    let (status, rest) = server.rest("GET", &format!("/v2/users/{}", ben.uid), &eve, None).await;
    assert_eq!(
        (status, &rest["identities"], &rest["phoneStepPending"], &rest["relation"]),
        (200, &json!([]), &json!(false), &json!("requested"))
    );
    server.stop().await;
}

#[tokio::test]
async fn strangers_see_what_a_member_chose_to_be_called_and_not_who_they_are() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let body = json!({"profile": {"fname": "Ana", "lname": "Silva", "display_name": "Annie"}});
    assert_eq!(put(&server, &ana, body).await.0, 200);
    assert_eq!(profile(&server, &eve, &ana).await.unwrap_err().reason, "NOT_FOUND");
    server.item(&ana, public("Tent")).await;
    for (who, names) in [(&eve, ["Annie", "", ""]), (&ben, ["Annie", "Ana", "Silva"])] {
        let seen = profile(&server, who, &ana).await.unwrap().details.unwrap();
        assert_eq!([seen.display_name, seen.first_name, seen.last_name], names);
    }
    server.stop().await;
}

#[tokio::test]
async fn the_phone_step_is_asked_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    assert!(own(&server, &ana).await.phone_step_pending && own(&server, &ben).await.phone_step_pending);
    for _ in 0..2 {
        server.profile(&ana).skip_phone_step(SkipPhoneStepRequest::default()).await.unwrap();
    }
    assert!(!own(&server, &ana).await.phone_step_pending);
    assert!(!says(&server, &ben, NUMBER).await.unwrap().phone_step_pending);
    assert!(!says(&server, &ben, "").await.unwrap().phone_step_pending, "it does not come back");
    let path = format!("/v2/users/{}/phone-step:skip", ana.uid);
    assert_eq!(server.rest("POST", &path, &ana, json!({})).await, (200, json!({})));
    assert_eq!(server.rest("POST", &path, &ben, json!({})).await.0, 403);
    server.stop().await;
}

#[tokio::test]
async fn a_number_is_verified_by_its_code_and_another_one_is_not() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    assert_eq!(reason(start(&server, &ana).await), "WRONG_STATE", "there is none");
    assert_eq!(number(&says(&server, &ana, "415 555 0123").await.unwrap()), (NUMBER, false));
    assert_eq!(start(&server, &ana).await.unwrap(), "+*******0123");
    let code = server.code_for(NUMBER).await;
    assert_eq!(reason(verify(&server, &ana, if code == "000000" { "000001" } else { "000000" }).await), "CODE_MISMATCH");
    verify(&server, &ana, &code).await.unwrap();
    let verified = own(&server, &ana).await;
    assert_eq!((number(&verified), verified.identities.len(), verified.identities[1].value.as_str()), ((NUMBER, true), 2, NUMBER));
    assert_eq!(reason(start(&server, &ana).await), "WRONG_STATE", "it is verified");
    for _ in 0..7 {
        verify(&server, &ana, &code).await.unwrap();
    }
    assert_eq!(own(&server, &ana).await, verified, "again it changes nothing");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    assert_eq!(reason(verify(&server, &ana, wrong).await), "EXPIRED_CODE", "another one was tried too often by now");

    // The same one again changes nothing; another one is unverified, and a code for the one before is void.
    assert_eq!(number(&says(&server, &ana, NUMBER).await.unwrap()), (NUMBER, true));
    assert_eq!(number(&says(&server, &ana, OTHER).await.unwrap()), (OTHER, false));
    server.clock.advance(Duration::SECOND);
    start(&server, &ana).await.unwrap();
    let code = server.code_for(OTHER).await;
    assert_eq!(number(&says(&server, &ana, "+442079460018").await.unwrap()), ("+442079460018", false));
    assert_eq!(reason(verify(&server, &ana, &code).await), "EXPIRED_CODE");
    assert_eq!(number(&own(&server, &ana).await), ("+442079460018", false));
    server.stop().await;
}

#[tokio::test]
async fn a_number_is_one_members_once_it_is_verified() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    for who in [&ana, &ben] {
        assert_eq!(number(&says(&server, who, NUMBER).await.unwrap()), (NUMBER, false), "anybody may say any");
    }
    start(&server, &ana).await.unwrap();
    let first = server.code_for(NUMBER).await;
    server.clock.advance(Duration::SECOND);
    start(&server, &ben).await.unwrap();
    let second = server.mail_to(NUMBER, |body| !body.contains(&first)).await;
    let second = second["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    verify(&server, &ana, &first).await.unwrap();
    assert_eq!(reason(verify(&server, &ben, &second).await), "ALIAS_EXISTS");
    assert_eq!((number(&own(&server, &ana).await), number(&own(&server, &ben).await)), ((NUMBER, true), (NUMBER, false)));
    server.stop().await;
}

#[tokio::test]
async fn a_code_given_twice_at_once_counts_once_and_a_number_that_changes_meanwhile_is_never_verified_by_the_others_code() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for round in 0..2 {
        let number_of_round = format!("+1415555010{round}");
        // Of two codes the newer one counts.
        server.clock.advance(Duration::SECOND);
        says(&server, &ana, &number_of_round).await.unwrap();
        start(&server, &ana).await.unwrap();
        let code = server.code_for(&number_of_round).await;
        let (one, other) = tokio::join!(verify(&server, &ana, &code), verify(&server, &ana, &code));
        assert!(one.is_ok() && other.is_ok(), "{one:?} {other:?}");
        assert_eq!(number(&own(&server, &ana).await), (number_of_round.as_str(), true));

        let next = format!("+1415555020{round}");
        server.clock.advance(Duration::SECOND);
        says(&server, &ana, &next).await.unwrap();
        start(&server, &ana).await.unwrap();
        let code = server.code_for(&next).await;
        let (_, changed) = tokio::join!(verify(&server, &ana, &code), says(&server, &ana, OTHER));
        changed.unwrap();
        assert_eq!(number(&own(&server, &ana).await), (OTHER, false), "whichever came first");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_session_that_has_not_shown_the_second_factor_changes_no_number() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    says(&server, &ana, NUMBER).await.unwrap();
    start(&server, &ana).await.unwrap();
    let code = server.code_for(NUMBER).await;
    let before = server.signed_in_again(&ana).await;
    server.with_authenticator(&ana).await;
    for refused in [
        reason(says(&server, &before, OTHER).await),
        reason(says(&server, &before, "").await),
        reason(start(&server, &before).await),
        reason(verify(&server, &before, &code).await),
    ] {
        assert_eq!(refused, "NOT_AUTHORIZED");
    }
    // What is no number is its to change.
    assert_eq!(number(&says(&server, &before, NUMBER).await.unwrap()), (NUMBER, false), "the same one is no change");
    assert_eq!(patch(&server, &before, json!({"profile": {"lname": "Stone"}})).await.0, 200);
    verify(&server, &ana, &code).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn where_codes_of_a_second_factor_go_to_it_a_number_stays_until_the_next_is_verified() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    says(&server, &ana, NUMBER).await.unwrap();
    start(&server, &ana).await.unwrap();
    verify(&server, &ana, &server.code_for(NUMBER).await).await.unwrap();
    let on = json!({"AccessToken": ana.token, "SMSMfaSettings": {"Enabled": true, "PreferredMfa": true}});
    assert_eq!(server.target("SetUserMFAPreference", on).await.0, 200);

    server.clock.advance(Duration::SECOND);
    assert_eq!(number(&says(&server, &ana, OTHER).await.unwrap()), (OTHER, false), "it is shown");
    let code = server.code_for(OTHER).await;
    let phone = async || {
        let (_, user) = server.target("GetUser", json!({"AccessToken": ana.token})).await;
        user["UserAttributes"].as_array().unwrap().iter().find(|a| a["Name"] == "phone_number").map(|a| a["Value"].clone())
    };
    assert_eq!(phone().await, Some(json!(NUMBER)), "the second factor still goes there");
    assert_eq!(number(&says(&server, &ana, NUMBER).await.unwrap()), (NUMBER, true), "back to the one there is");
    assert_eq!(reason(verify(&server, &ana, &code).await), "EXPIRED_CODE");
    server.clock.advance(Duration::SECOND);
    says(&server, &ana, OTHER).await.unwrap();
    let next = server.mail_to(OTHER, |body| !body.contains(&code)).await;
    let next = next["body"].as_str().unwrap().split(|c: char| !c.is_ascii_digit()).find(|w| w.len() == 6).unwrap().to_owned();
    verify(&server, &ana, &next).await.unwrap();
    assert_eq!((number(&own(&server, &ana).await), phone().await), ((OTHER, true), Some(json!(OTHER))));
    server.stop().await;
}

#[tokio::test]
async fn a_number_that_is_said_back_as_it_was_told_stays_and_its_step_does_not_come_back() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    // The user pool's own operations take what has the shape of E.164.
    let odd = "+490301234567";
    let update = json!({"AccessToken": ana.token, "UserAttributes": [{"Name": "phone_number", "Value": odd}]});
    assert_eq!(server.target("UpdateUserAttributes", update).await.0, 200);
    let code = server.code_for(odd).await;
    let proof = json!({"AccessToken": ana.token, "AttributeName": "phone_number", "Code": code});
    assert_eq!(server.target("VerifyUserAttribute", proof).await.0, 200);
    assert_eq!(number(&own(&server, &ana).await), (odd, true));
    assert_eq!(number(&says(&server, &ana, odd).await.unwrap()), (odd, true));
    assert_eq!(patch(&server, &ana, json!({"profile": {"phone_number": ""}})).await.0, 200);
    let left = own(&server, &ana).await;
    assert_eq!((number(&left), left.phone_step_pending), (("", false), false));
    server.stop().await;
}

#[tokio::test]
async fn without_a_sender_of_sms_a_number_is_kept_and_not_verified() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let config = Config { mode: Mode::Production, drain_delay_s: Some(0), ..server.config.clone() };
    let other = TestServer::on(server.database.clone(), config, server.clock.clone()).await;
    assert_eq!(number(&says(&other, &ana, NUMBER).await.unwrap()), (NUMBER, false));
    assert_eq!(reason(start(&other, &ana).await), "UNSUPPORTED_OPERATION");
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn codes_are_bounded_as_those_of_attributes_are() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    says(&server, &ana, NUMBER).await.unwrap();
    let (attribute, token) = ("phone_number", &ana.token);
    for n in 0..server.config.sends_code {
        if n % 2 == 0 {
            start(&server, &ana).await.unwrap();
        } else {
            let ask = json!({"AccessToken": token, "AttributeName": attribute});
            assert_eq!(server.target("GetUserAttributeVerificationCode", ask).await.0, 200);
        }
    }
    assert_eq!(reason(start(&server, &ana).await), "ATTEMPTS_EXCEEDED");
    let code = server.code_for(NUMBER).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for _ in 0..5 {
        assert_eq!(reason(verify(&server, &ana, wrong).await), "CODE_MISMATCH");
    }
    assert_eq!(reason(verify(&server, &ana, &code).await), "EXPIRED_CODE", "too many tries");
    server.stop().await;
}

#[tokio::test]
async fn two_changes_at_once_both_count_and_open_clients_hear_of_them() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for round in 0..5 {
        let (one, other) = tokio::join!(
            patch(&server, &ana, json!({"profile": {"lname": format!("Silva{round}")}})),
            patch(&server, &ana, json!({"data": {"paymentinfo": {"Venmo Username": format!("ana{round}")}}})),
        );
        assert_eq!((one.0, other.0), (200, 200));
        let now = own(&server, &ana).await;
        assert_eq!(now.details.unwrap().last_name, format!("Silva{round}"));
        assert_eq!(now.data.unwrap().payment_info.unwrap().venmo_username, format!("ana{round}"));
    }
    until("his list has her name", async || {
        let (_, active) = server.rest("GET", &format!("/v2/users/{}/active", ben.uid), &ben, None).await;
        active["friends"]["list"][0]["displayName"] == "Ana Silva4"
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_profile_is_exported_and_goes_with_its_member() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let body = json!({"profile": {"fname": "Ana", "phone_number": NUMBER}, "data": {"paymentinfo": {"Venmo Username": "ana-s"}}});
    assert_eq!(put(&server, &ana, body).await.0, 200);
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    let kept = json!({"country": "US", "venmoUsername": "ana-s", "paypalUsername": "", "phoneStepDone": true, "pictures": [],
                      "problemReports": []});
    assert_eq!((&all["profile"], &all["identity"]["phoneNumber"]), (&kept, &json!(NUMBER)));
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM profiles").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(left, 0);
    server.stop().await;
}
