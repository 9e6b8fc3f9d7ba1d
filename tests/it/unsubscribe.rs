//! What members want mailed: said in their settings, or by the link of a mail, with or without a browser.

use crate::harness::{Faces, Member, START, TestServer};
use goodturn::{
    clock::Clock,
    error::Result,
    ids::MemberId,
    notifications::{self, New, Target},
    pb::notifications::{
        GetMailSubscriptionRequest, GetMailSubscriptionResponse, GetNotificationSettingsRequest, MailFrequency, NotificationType as Kind,
        TargetKind, TopicSetting, UnsubscribeRequest, UpdateNotificationSettingsRequest,
    },
    transact,
};
use reqwest::Method;
use serde_json::json;
use std::collections::BTreeMap;
use time::Duration;
use tonic::Status;
use uuid::Uuid;

/// A server that mails at once.
async fn start() -> TestServer {
    TestServer::start_with(Clock::fixed(START), |c| c.mail_delay_s = 0).await
}

/// Tells a member something, and takes the token from the mail about it.
async fn token(server: &TestServer, who: &Member, kind: Kind) -> String {
    let title = format!("News {}", Uuid::from_u128(rand::random()));
    let new = New {
        member: MemberId(who.uid.parse().unwrap()),
        kind,
        title: title.clone(),
        message: "Something happened.".into(),
        actor: None,
        target: Target(TargetKind::Unspecified, Uuid::nil()),
        about: Uuid::nil(),
        about_unread: None,
        action_required: false,
    };
    let deps = &server.node.deps;
    let told: Result<()> = transact!(deps.pool, |tx| notifications::push(tx, deps, std::slice::from_ref(&new)).await);
    told.unwrap();
    let mut mail = json!(null);
    crate::harness::until("the mail was sent", async || {
        let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
        mail = outbox["messages"].as_array().unwrap().iter().find(|m| m["subject"] == title.as_str()).cloned().unwrap_or_default();
        !mail.is_null()
    })
    .await;
    let token = mail["one_click"].as_str().unwrap().split_once("?token=").unwrap().1.to_owned();
    assert!(mail["body"].as_str().unwrap().contains(&format!("http://goodturn.test/unsubscribe#{token}")), "{mail}");
    token
}

async fn settings(server: &Faces, who: &Member) -> BTreeMap<i32, MailFrequency> {
    let got = server.notifications(who).get_notification_settings(GetNotificationSettingsRequest {}).await.unwrap().into_inner();
    got.topics.into_iter().map(|setting| (setting.topic, setting.mail())).collect()
}

async fn change(server: &Faces, who: &Member, wanted: &[(Kind, MailFrequency)]) -> Result<Vec<TopicSetting>, Status> {
    let topics = wanted.iter().map(|(topic, mail)| TopicSetting { topic: (*topic).into(), mail: (*mail).into() }).collect();
    let request = UpdateNotificationSettingsRequest { topics };
    Ok(server.notifications(who).update_notification_settings(request).await?.into_inner().topics)
}

async fn about(server: &Faces, token: &str) -> Result<GetMailSubscriptionResponse, Status> {
    Ok(server.notifications(None).get_mail_subscription(GetMailSubscriptionRequest { token: token.into() }).await?.into_inner())
}

async fn unsubscribe(server: &Faces, token: &str) -> Result<Vec<i32>, Status> {
    Ok(server.notifications(None).unsubscribe(UnsubscribeRequest { token: token.into() }).await?.into_inner().topics)
}

async fn rows(server: &TestServer) -> i64 {
    let sql = "SELECT count(*) FROM notification_settings";
    sqlx::query_scalar(sql).fetch_one(&mut server.database.connect().await).await.unwrap()
}

#[tokio::test]
async fn settings_begin_as_usual_and_only_what_differs_is_kept() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let usual = settings(&server, &ana).await;
    assert_eq!(usual.len(), 19, "each topic once");
    let at_once: Vec<i32> = usual.iter().filter(|(_, mail)| **mail == MailFrequency::AtOnce).map(|(topic, _)| *topic).collect();
    let of_friends = [Kind::FriendRequest, Kind::FriendAccepted];
    let of_favors = [Kind::FavorRequest, Kind::FavorResponse, Kind::FavorCancelled, Kind::FavorReminder];
    let of_rentals = [Kind::RentalRequest, Kind::RentalResponse, Kind::RentalReminder];
    let later = [Kind::System, Kind::RentalCancelled, Kind::RentalMoved];
    let expected = of_friends.into_iter().chain(of_favors).chain(of_rentals).chain(later);
    assert_eq!(at_once, expected.map(|kind| kind as i32).collect::<Vec<_>>());
    assert!(usual.values().all(|mail| [MailFrequency::AtOnce, MailFrequency::Daily].contains(mail)));
    let wanted =
        [(Kind::FriendRequest, MailFrequency::Off), (Kind::FavorSettled, MailFrequency::AtOnce), (Kind::System, MailFrequency::AtOnce)];
    for _ in 0..2 {
        let answer = change(&server, &ana, &wanted).await.unwrap();
        assert_eq!(answer.len(), 19);
        assert_eq!(rows(&server).await, 2, "the third is as usual");
    }
    let mut own = usual.clone();
    own.extend([(Kind::FriendRequest as i32, MailFrequency::Off), (Kind::FavorSettled as i32, MailFrequency::AtOnce)]);
    assert_eq!(settings(&server, &ana).await, own);
    assert_eq!(settings(&server, &ben).await, usual);
    // Nothing said means daily, as the contract has it.
    change(&server, &ana, &[(Kind::FavorSettled, MailFrequency::Unspecified), (Kind::FriendRequest, MailFrequency::AtOnce)]).await.unwrap();
    assert_eq!((settings(&server, &ana).await, rows(&server).await), (usual, 0));
    let twice = change(&server, &ana, &[(Kind::System, MailFrequency::Off), (Kind::System, MailFrequency::Daily)]).await.unwrap_err();
    assert_eq!(twice.message(), "topics[1].topic: must not appear twice");
    assert_eq!(rows(&server).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn two_changes_at_once_both_count() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for _ in 0..5 {
        let one = [(Kind::FriendRequest, MailFrequency::Off), (Kind::System, MailFrequency::AtOnce)];
        let other =
            [(Kind::System, MailFrequency::Off), (Kind::FriendRequest, MailFrequency::AtOnce), (Kind::FavorSettled, MailFrequency::Off)];
        let (first, second) = tokio::join!(change(&server, &ana, &one), change(&server, &ana, &other));
        first.unwrap();
        second.unwrap();
        let now = settings(&server, &ana).await;
        let (friends, system) = (now[&(Kind::FriendRequest as i32)], now[&(Kind::System as i32)]);
        assert!(
            [(MailFrequency::Off, MailFrequency::AtOnce), (MailFrequency::AtOnce, MailFrequency::Off)].contains(&(friends, system)),
            "one after the other: {friends:?}, {system:?}"
        );
        assert_eq!(now[&(Kind::FavorSettled as i32)], MailFrequency::Off);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_program_of_a_mailbox_ends_mails_by_one_post() {
    let server = start().await;
    let ana = server.ana().await;
    let token = token(&server, &ana, Kind::System).await;
    let path = format!("/notifications/unsubscribe?token={token}");
    // What only looks at links changes nothing.
    for method in [Method::GET, Method::HEAD] {
        let page = server.http(method.clone(), &path).send().await.unwrap();
        assert_eq!((page.status().as_u16(), page.url().path()), (200, "/unsubscribe"), "the page of the link in the mail");
        assert_eq!(server.http(method, &path).header("accept", "application/json").send().await.unwrap().status(), 405);
    }
    assert_eq!(settings(&server, &ana).await[&(Kind::System as i32)], MailFrequency::AtOnce);
    let parts = "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
    for (content_type, body) in [
        ("multipart/form-data; boundary=x", parts),
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        ("application/json", "{}"),
    ] {
        let asked = server.http(Method::POST, &path).header("content-type", content_type).body(body);
        let answer = asked.send().await.unwrap();
        assert_eq!(answer.status(), 200, "{content_type}");
        assert_eq!(answer.json::<serde_json::Value>().await.unwrap(), json!({"topics": ["system"]}));
        assert_eq!(settings(&server, &ana).await[&(Kind::System as i32)], MailFrequency::Off);
    }
    assert_eq!(rows(&server).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn who_has_the_link_reads_what_it_ends_and_ends_it() {
    let server = start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let token = token(&server, &ana, Kind::FavorRequest).await;
    let read = about(&server, &token).await.unwrap();
    assert_eq!((read.topics.clone(), read.address.as_str(), read.active), (vec![Kind::FavorRequest as i32], "a…@example.org", true));
    for _ in 0..2 {
        assert_eq!(unsubscribe(&server, &token).await.unwrap(), read.topics);
        assert!(!about(&server, &token).await.unwrap().active);
    }
    let usual = settings(&server, &ben).await;
    let differs: Vec<i32> =
        settings(&server, &ana).await.into_iter().filter(|(topic, mail)| usual[topic] != *mail).map(|(t, _)| t).collect();
    assert_eq!(differs, read.topics, "of this topic alone, and of nobody else");
    server.stop().await;
}

#[tokio::test]
async fn a_link_is_refused_that_is_none_and_after_half_a_year() {
    let server = start().await;
    let ana = server.ana().await;
    let token = token(&server, &ana, Kind::FavorRequest).await;
    let mut edited = token.clone();
    edited.replace_range(20..21, if &token[20..21] == "A" { "B" } else { "A" });
    for bad in [edited.as_str(), "x", &token[..token.len() - 1], &ana.token[..100]] {
        for refused in [about(&server, bad).await.unwrap_err(), unsubscribe(&server, bad).await.unwrap_err()] {
            assert_eq!(refused.message(), "token: is not from a link that we sent", "{bad}");
        }
    }
    let (status, answer) = server.rest("POST", "/notifications/unsubscribe", None, None).await;
    assert_eq!((status, &answer["details"][0]["field"]), (400, &json!("token")), "{answer}");
    assert_eq!(settings(&server, &ana).await[&(Kind::FavorRequest as i32)], MailFrequency::AtOnce);
    server.clock.advance(Duration::days(180));
    let late = about(&server, &token).await.unwrap_err();
    assert_eq!(late.message(), "token: is from a link that has expired");
    let (status, answer) = server.rest("POST", &format!("/notifications/unsubscribe?token={token}"), None, None).await;
    assert_eq!((status, &answer["code"]), (400, &json!("EXPIRED_LINK")));
    assert_eq!(rows(&server).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn settings_are_exported_and_go_with_their_member_whose_links_are_no_more() {
    let server = start().await;
    let ana = server.ana().await;
    let token = token(&server, &ana, Kind::FavorRequest).await;
    change(&server, &ana, &[(Kind::FavorSettled, MailFrequency::Off)]).await.unwrap();
    let (_, answer) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: serde_json::Value = serde_json::from_str(answer["document"].as_str().unwrap()).unwrap();
    assert_eq!(all["notificationSettings"], json!([{"topic": "favor_settled", "mail": "off"}]), "{all}");
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert_eq!(rows(&server).await, 0);
    assert_eq!(about(&server, &token).await.unwrap_err().message(), "the account no longer exists");
    unsubscribe(&server, &token).await.unwrap();
    assert_eq!(rows(&server).await, 0);
    server.stop().await;
}
