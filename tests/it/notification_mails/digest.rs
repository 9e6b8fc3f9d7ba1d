//! The mail of the morning: when it comes, and what waits for it.

use super::{Kind, Mails};
use crate::harness::{TestServer, until};
use goodturn::{jobs::Handler, notifications::BeginMorning};
use serde_json::json;
use time::{Duration, OffsetDateTime, macros::datetime};

#[tokio::test]
async fn mail_of_the_morning_comes_at_eight_where_its_member_is() {
    // In this night the clocks of Lisbon go back.
    let mails = Mails::start_at(datetime!(2026-10-24 20:00 UTC)).await;
    let mut people = Vec::new();
    for (name, zone, at) in [
        ("Lisbon", "Europe/Lisbon", datetime!(2026-10-25 08:00 UTC)),
        ("Kolkata", "Asia/Kolkata", datetime!(2026-10-25 02:30 UTC)),
        ("York", "America/New_York", datetime!(2026-10-25 12:00 UTC)),
        ("Nowhere", "Not/AZone", datetime!(2026-10-25 08:00 UTC)),
    ] {
        people.push((mails.in_zone(name, zone).await, at));
    }
    for (who, _) in &people {
        mails.told(who, Kind::FavorCompleted, 1).await;
        mails.told(who, Kind::FavorSettled, 1).await;
    }
    assert!(mails.waiting("send_notifications").await.is_empty() && mails.waiting("send_digest").await.is_empty());
    let mornings = mails.waiting("begin_morning").await;
    assert_eq!(mornings.len(), 3, "one for each instant, however many members: {mornings:?}");
    for (payload, _) in &mornings {
        let early = BeginMorning(mails.server.node.deps.clone()).run(payload).await.unwrap_err();
        assert_eq!(early.to_string(), "it is not morning yet");
    }
    for (hours, who) in
        [(7, vec!["kolkata"]), (12, vec!["kolkata", "lisbon", "nowhere"]), (16, vec!["kolkata", "lisbon", "nowhere", "york"])]
    {
        let at = datetime!(2026-10-24 20:00 UTC) + Duration::hours(hours);
        mails.server.clock.advance(at - mails.server.clock.now());
        for (payload, _) in &mornings {
            let _ = BeginMorning(mails.server.node.deps.clone()).run(payload).await;
        }
        until("those whose morning it is have mail", async || digests(&mails.server).await == who).await;
    }
    // Who had none since has none.
    let again = mails.server.clock.now();
    BeginMorning(mails.server.node.deps.clone()).run(&json!({ "at": rfc3339(again) })).await.unwrap();
    assert_eq!(digests(&mails.server).await.len(), 4);
    // The clocks of New York go back a week later.
    mails.server.clock.advance(datetime!(2026-10-31 20:00 UTC) - again);
    mails.told(&people[2].0, Kind::FavorSettled, 2).await;
    let due: OffsetDateTime = sqlx::query_scalar("SELECT digest_at FROM notification_counters WHERE digest_at IS NOT NULL")
        .fetch_one(&mut mails.server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(due, datetime!(2026-11-01 13:00 UTC));
    mails.server.stop().await;
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&time::format_description::well_known::Rfc3339).unwrap()
}

/// Who has had a mail of the morning from the server's own jobs.
async fn digests(server: &TestServer) -> Vec<String> {
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    let sent = outbox["messages"].as_array().unwrap().iter().filter(|m| m["subject"] == "Your daily digest from Goodturn");
    let mut to: Vec<String> = sent.map(|m| m["to"].as_str().unwrap().split('@').next().unwrap().to_owned()).collect();
    to.sort();
    to
}

#[tokio::test]
async fn above_twenty_mails_a_day_the_rest_waits_for_the_morning() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    for about in 1..=22 {
        mails.told(&ana, Kind::FavorRequest, about).await;
        mails.a_minute_later().await;
    }
    assert_eq!(mails.postbox.taken().len(), 20);
    assert_eq!(mails.waiting("begin_morning").await.len(), 1);
    let mail = mails.digest(&ana).await.pop().unwrap();
    assert!(mail.body.contains("thing 21") && mail.body.contains("thing 22") && !mail.body.contains("thing 20"), "{}", mail.body);
    mails.server.clock.advance(Duration::DAY);
    mails.told(&ana, Kind::FavorRequest, 23).await;
    assert_eq!(mails.a_minute_later().await.len(), 22, "and the next day there are mails again");
    mails.server.stop().await;
}
