//! The demo data of local mode: added once, with portraits that are pictures like any.

use crate::{
    harness::{Database, Member, TestServer, config, scratch, until},
    steps::claims,
};
use goodturn::{clock::Clock, demo};
use image::ImageFormat;
use jiff::tz::TimeZone;
use serde_json::Value;
use std::{collections::BTreeMap, net::Ipv4Addr, sync::Arc};

#[tokio::test]
async fn it_is_added_once_and_some_of_its_members_have_portraits() {
    let (folder, database) = (scratch(), Arc::new(Database::create().await));
    let mut config = config();
    // A port that is known before it is bound, as it is outside of tests, at an address that no other test has.
    let [_, _, high, low] = std::process::id().to_be_bytes();
    config.listen = (Ipv4Addr::new(127, 42, high, low), 18080).into();
    (config.public_url, config.pictures.pictures_dir) = (None, Some(folder.path().join("pictures")));
    assert!(demo::seed(&config, database.url()).await.unwrap());
    assert!(!demo::seed(&config, database.url()).await.unwrap());

    // By the clocks of the machine, which are those of whoever sits at it.
    let hours = "SELECT m.time_zone, min(extract(hour FROM f.start_at AT TIME ZONE m.time_zone))::integer,
                        max(extract(hour FROM f.start_at AT TIME ZONE m.time_zone))::integer
                 FROM favors f
                 JOIN members m ON m.id = f.creator_id
                 GROUP BY 1
                 LIMIT 2";
    let found: Vec<(String, i32, i32)> = sqlx::query_as(hours).fetch_all(&mut database.connect().await).await.unwrap();
    let [(zone, first, last)] = found.try_into().unwrap();
    assert_eq!(zone, TimeZone::system().iana_name().unwrap_or("UTC"));
    assert!(first >= 8 && last <= 20, "favors begin by day: from {first} to {last} in {zone}");

    let server = TestServer::on(database, config, Clock::system()).await;
    let mut ana = Member::default();
    until("the demo member can go on", async || {
        let told = server.http(reqwest::Method::GET, "/config.json").send().await.unwrap().json::<Value>().await.unwrap();
        let of = |name: &str| told["demo"][name].as_str().unwrap_or_default().to_owned();
        ana = Member { uid: of("uid"), token: of("accessToken"), ..Member::default() };
        !ana.uid.is_empty()
    })
    .await;
    let (_, circle) = server.rest("GET", &format!("/v2/users/{}/active", ana.uid), &ana, None).await;
    let friends = circle["friends"]["list"].as_array().unwrap();
    let shown: BTreeMap<_, _> =
        friends.iter().map(|f| (f["firstName"].as_str().unwrap(), f["profilePictureUrl"].as_str().unwrap())).collect();
    for (name, url) in &shown {
        assert_eq!(url.is_empty(), *name == "Marcus", "{name}");
        if !url.is_empty() {
            let given = server.http(reqwest::Method::GET, path_of(url)).send().await.unwrap();
            assert_eq!(given.status(), 200, "{name}");
            assert_eq!(image::guess_format(&given.bytes().await.unwrap()).unwrap(), ImageFormat::Jpeg, "{name}");
        }
    }
    assert_eq!(shown.keys().copied().collect::<Vec<_>>(), ["Ben", "Marcus", "Priya", "Sofia"]);

    // Whoever opens the app by another of the machine's names sees the demo member's picture there too.
    let port = server.node.address.port();
    for host in [server.node.address.to_string(), format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        let asked = server.http(reqwest::Method::GET, "/config.json").header("host", &host);
        let told = asked.send().await.unwrap().json::<Value>().await.unwrap();
        let picture = claims(&told["demo"]["idToken"])["picture"].as_str().unwrap().to_owned();
        assert!(picture.starts_with(&format!("http://{host}/")), "{picture} at {host}");
    }
    let (_, feed) = server.rest("GET", "/feed", &ana, None).await;
    let lent: Vec<_> = feed["items"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap()).collect();
    assert_eq!(lent, ["Pressure washer", "Stand mixer", "Telescope for beginners", "Cargo bike"]);
    for item in feed["items"].as_array().unwrap() {
        assert_eq!(
            server.http(reqwest::Method::GET, path_of(item["images"][0]["url"].as_str().unwrap())).send().await.unwrap().status(),
            200,
            "{item}"
        );
    }
    let (_, own) = server.rest("GET", "/me/items", &ana, None).await;
    assert_eq!(own["counts"], serde_json::json!({"all": 3, "listed": 2, "unlisted": 1}));
    let mut loans = Vec::new();
    for side in ["owner", "borrower"] {
        let (_, told) = server.rest("GET", &format!("/me/borrow-requests?as={side}"), &ana, None).await;
        for loan in told["requests"].as_array().unwrap() {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            loans.push((text(&loan["item"]["title"]), text(&loan["status"]), loan["daysLeft"].as_i64().is_some_and(|days| days < 0)));
        }
    }
    let loan = |title: &str, status: &str, late| (title.to_owned(), status.to_owned(), late);
    let (asked, overdue) = (loan("Sewing machine", "PENDING", false), loan("Extension ladder", "ACTIVE", true));
    assert_eq!(loans, [asked, overdue, loan("Telescope for beginners", "ACTIVE", false), loan("Cargo bike", "COMPLETED", false)]);
    server.stop().await;
}

/// Of an address of this server.
fn path_of(url: &str) -> &str {
    url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap()
}
