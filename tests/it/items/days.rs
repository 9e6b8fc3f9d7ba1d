//! Black-out days: set, merged, read and forgotten.

use super::street;
use crate::{
    asking::{fields, refused},
    harness::{Refused, START, TestServer},
    lending::{days, ladder, listed},
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    ids::ItemId,
    items::{self, Sweep},
    jobs::Sweep as _,
    pb::{
        items::{DayRange, ListBlackoutDaysRequest, ListBlackoutDaysResponse, SetBlackoutDaysRequest},
        profile::{DetailsChange, UpdateProfileRequest},
    },
    read, transact,
};
use serde_json::json;
use time::{Duration, macros::date};

#[tokio::test]
async fn ranges_are_written_as_a_whole_merged_and_without_what_is_past() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let item = server.item(&ana, listed("Ladder")).await;
    let asked = [
        days("2026-08-10", "2026-08-12"),
        days("2026-06-10", "2026-06-17"),
        days("2026-08-01", "2026-08-05"),
        days("2026-08-06", "2026-08-09"),
        days("2026-06-01", "2026-06-15"),
        days("2026-12-31", "2027-01-01"),
    ];
    let kept = [days("2026-06-16", "2026-06-17"), days("2026-08-01", "2026-08-12"), days("2026-12-31", "2027-01-01")];
    assert_eq!(server.blacks_out(&ana, &item, &asked).await.unwrap(), kept);
    assert_eq!(server.blacks_out(&ana, &item, &asked).await.unwrap(), kept, "again a no-op");
    let request = || ListBlackoutDaysRequest { item_id: item.item_id.clone() };
    assert_eq!(server.items(&ana).list_blackout_days(request()).await.unwrap().into_inner().ranges, kept);
    assert_eq!(refused(server.items(&ben).list_blackout_days(request()).await).reason, "NOT_FOUND");
    let id = ItemId(item.item_id.parse().unwrap());
    let met = read!(server.node.deps.pool, |conn| items::blackouts(conn, id, date!(2026 - 08 - 12), date!(2026 - 12 - 31)).await).unwrap();
    assert_eq!(met.len(), 2, "those that meet the days, with both ends");

    let path = format!("/items/{}/blackout-days", item.item_id);
    let some = json!([{"startDate": "2026-07-01", "endDate": "2026-07-02"}]);
    let (status, put) = server.rest("PUT", &path, &ana, json!({"ranges": some})).await;
    assert_eq!((status, &put["ranges"]), (200, &some));
    assert_eq!(server.rest("GET", &path, &ana, None).await, (200, put.clone()));
    let stale = server.rest("PUT", &path, &ana, json!({"ranges": [], "etag": "0"})).await;
    assert_eq!(stale.0, 409);
    let (status, none) = server.rest("PUT", &path, &ana, json!({"ranges": [], "etag": put["etag"]})).await;
    assert_eq!((status, &none["ranges"]), (200, &json!([])));
    server.stop().await;
}

/// Each makes its days of those that there are, and begins anew where another one was quicker, as the web app does. In each round one is
/// the quickest.
#[tokio::test]
async fn of_devices_that_add_a_day_at_once_none_loses_its_day() {
    const DEVICES: usize = 12;
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    let adds = |n: usize| {
        let (mut items, item_id, day) = (server.items(&ana), item.item_id.clone(), format!("2026-07-{n:02}"));
        async move {
            for _ in 0..DEVICES {
                let ListBlackoutDaysResponse { mut ranges, etag } =
                    items.list_blackout_days(ListBlackoutDaysRequest { item_id: item_id.clone() }).await.unwrap().into_inner();
                ranges.push(days(&day, &day));
                let request = SetBlackoutDaysRequest { item_id: item_id.clone(), ranges, etag };
                match items.set_blackout_days(request).await {
                    Ok(_) => return,
                    Err(e) => assert_eq!(Refused::from(e).reason, "CONFLICT"),
                }
            }
            panic!("another one was quicker each time")
        }
    };
    let there = async || {
        let request = ListBlackoutDaysRequest { item_id: item.item_id.clone() };
        server.items(&ana).list_blackout_days(request).await.unwrap().into_inner()
    };
    let set = async |ranges: &[DayRange], etag: &str| {
        let request = SetBlackoutDaysRequest { item_id: item.item_id.clone(), ranges: ranges.into(), etag: etag.into() };
        server.items(&ana).set_blackout_days(request).await
    };
    let before = there().await;
    join_all((1..=DEVICES).map(adds)).await;
    let after = there().await;
    assert_eq!(after.ranges, [days("2026-07-01", "2026-07-12")]);
    let late = refused(set(&[days("2026-08-01", "2026-08-01")], &before.etag).await);
    assert_eq!((late.reason.as_str(), fields(&late)), ("CONFLICT", vec!["etag: CONFLICTING".to_owned()]));
    assert_eq!(there().await, after, "it takes no day away");
    set(&after.ranges, &before.etag).await.expect("a repetition changes nothing");
    set(&[], "").await.expect("it need not be known what there is");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_range_is_named() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    server.blacks_out(&ana, &item, &[days("2026-07-01", "2026-07-01")]).await.unwrap();
    for (range, wrong) in [
        (days("2026-07-02", "2026-07-01"), "ranges[1].end_date: CONFLICTING"),
        (days("2026-06-31", "2026-07-01"), "ranges[1].start_date: INVALID"),
        (days("2026-07-01", "2028-06-17"), "ranges[1].end_date: OUT_OF_RANGE"),
        (days("01.07.2026", "2026-07-02"), "ranges[1].start_date: INVALID"),
    ] {
        let refused = server.blacks_out(&ana, &item, &[days("2026-07-05", "2026-07-05"), range]).await.unwrap_err();
        assert_eq!(fields(&refused), [wrong]);
    }
    server.blacks_out(&ana, &item, &[days("2028-06-16", "2028-06-16")]).await.unwrap();
    let many: Vec<_> = (0..101).map(|n| days(&format!("20{:02}-01-01", 26 + n % 2), "2027-12-31")).collect();
    assert_eq!(fields(&server.blacks_out(&ana, &item, &many).await.unwrap_err()), ["ranges: TOO_MANY"]);
    server.stop().await;
}

#[tokio::test]
async fn today_is_that_of_the_owners_zone() {
    let server = TestServer::start_with(Clock::fixed(START + Duration::hours(2)), |_| {}).await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    let zone = async |zone: &str| {
        let details = DetailsChange { time_zone: Some(zone.into()), ..Default::default() };
        server.profile(&ana).update_profile(UpdateProfileRequest { details: Some(details), ..Default::default() }).await.unwrap();
    };
    // In Kiribati it is one in the morning of the seventeenth.
    zone("Pacific/Kiritimati").await;
    let asked = [days("2026-06-16", "2026-06-18")];
    assert_eq!(server.blacks_out(&ana, &item, &asked).await.unwrap(), [days("2026-06-17", "2026-06-18")]);
    zone("America/Los_Angeles").await;
    assert_eq!(server.blacks_out(&ana, &item, &asked).await.unwrap(), [days("2026-06-16", "2026-06-18")]);
    server.stop().await;
}

#[tokio::test]
async fn what_is_past_is_told_no_more_and_removed_later() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    server.blacks_out(&ana, &item, &[days("2026-06-16", "2026-06-17"), days("2026-07-01", "2026-07-01")]).await.unwrap();
    let swept = async || {
        let now = server.clock.now();
        transact!(server.node.deps.pool, |tx| Sweep.sweep(tx, now).await).unwrap()
    };
    server.clock.advance(Duration::days(2));
    let ana = server.signed_in_again(&ana).await;
    let request = ListBlackoutDaysRequest { item_id: item.item_id.clone() };
    let listed = server.items(&ana).list_blackout_days(request).await.unwrap().into_inner().ranges;
    assert_eq!((listed, swept().await), (vec![days("2026-07-01", "2026-07-01")], 0), "somewhere it is that day still");
    server.clock.advance(Duration::days(2));
    assert_eq!((swept().await, swept().await), (1, 0));
    server.stop().await;
}
