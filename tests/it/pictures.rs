//! Pictures of members: put into a store by whoever has the address for it, made anew, shown by signed addresses, and removed when nothing has them.

mod bucket;
mod files;

use crate::harness::{Member, PASSWORD, PUBLIC_URL, START, TestServer, drawn, until};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    config::Config,
    jobs::{Handler, Sweep},
    pb::profile::{DeletePictureRequest, GetProfileRequest, UpdateProfileRequest},
    pictures, transact,
};
use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Connection;
use std::path::Path;
use tempfile::TempDir;
use time::Duration;

/// A server with a folder of pictures of its own.
async fn server() -> (TestServer, TempDir) {
    let folder = crate::harness::scratch();
    let in_it = |c: &mut Config| c.pictures.pictures_dir = Some(folder.path().to_owned());
    (TestServer::start_with(Clock::fixed(START), in_it).await, folder)
}

/// The names of all files in the folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path.file_name().unwrap().to_str().unwrap().to_owned()) }
    }
    found.sort();
    found
}

const RENDITIONS: [&str; 4] = ["1024.jpg", "256.jpg", "512.jpg", "64.jpg"];

async fn clears(server: &TestServer, who: &Member) {
    pictures::Clear(server.node.deps.clone()).run(&json!({ "member": who.uid })).await.unwrap();
}

async fn sweeps(server: &TestServer) -> u64 {
    let now = server.clock.now();
    transact!(server.node.deps.pool, |tx| pictures::Sweep.sweep(tx, now).await).unwrap()
}

async fn rows(server: &TestServer, status: &str) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM pictures WHERE status = $1").bind(status);
    count.fetch_one(&mut server.database.connect().await).await.unwrap()
}

async fn shown(server: &TestServer, who: &Member) -> String {
    let profile = server.profile(who).get_profile(GetProfileRequest::default()).await.unwrap().into_inner().profile.unwrap();
    profile.details.unwrap().profile_picture_url
}

async fn taken_away(server: &TestServer, who: &Member) {
    server.profile(who).delete_picture(DeletePictureRequest::default()).await.unwrap();
}

/// What a token says of its member.
fn claims(token: &str) -> Value {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn a_picture_is_set_and_all_who_see_the_member_see_it() {
    let (server, _folder) = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let file = drawn(ImageFormat::Png, 600, 400);
    let path = format!("/v2/users/{}/profile-picture", ana.uid);
    let asked = json!({"fileName": "me.png", "contentType": "image/png", "fileSize": file.len()});
    let (status, told) = server.rest("POST", &format!("{path}/upload-url"), &ana, asked).await;
    assert_eq!((status, &told["data"]["key"], &told["data"]["uploadUrl"]), (200, &told["key"], &told["uploadUrl"]), "{told}");
    assert_eq!(told["expiresAt"], "2026-06-16T09:05:00Z");
    assert_eq!(server.put_file(told["uploadUrl"].as_str().unwrap(), "image/png", file).await, 200);
    let (status, set) = server.rest("PUT", &path, &ana, json!({"key": told["key"]})).await;
    assert_eq!((status, &set["profile"]["profile_picture_url"]), (200, &set["profilePictureUrl"]), "{set}");
    let url = set["profilePictureUrl"].as_str().unwrap();
    assert!(url.starts_with(&format!("{PUBLIC_URL}/pictures/renditions/{}/256.jpg?", told["key"].as_str().unwrap())), "{url}");

    assert_eq!(shown(&server, &ana).await, url);
    let (_, seen) = server.rest("GET", &format!("/v2/users/{}", ana.uid), &ben, None).await;
    assert_eq!(seen["profile"]["profile_picture_url"], url);
    let (_, circle) = server.rest("GET", &format!("/v2/users/{}/active", ben.uid), &ben, None).await;
    assert_eq!(circle["friends"]["list"][0]["profilePictureUrl"], url);
    assert_eq!(claims(&server.signed_in_again(&ana).await.id_token)["picture"], url);
    let told =
        server.notifications(&ben).list_notifications(goodturn::pb::notifications::ListNotificationsRequest::default()).await.unwrap();
    assert_eq!(told.into_inner().notifications[0].actor.as_ref().unwrap().profile_picture_url, url);
    let favor = server.favor(&ana, crate::asking::asking(&[&ben])).await.id;
    assert_eq!(server.seen(&ben, &favor).await.requester.unwrap().profile_picture_url, url);

    // Said back, also as it was an hour ago, it changes nothing; another one is no way to a picture.
    server.clock.advance(Duration::minutes(40));
    let says = async |url: &str| {
        let details = goodturn::pb::profile::DetailsChange { profile_picture_url: Some(url.to_owned()), ..Default::default() };
        server.profile(&ana).update_profile(UpdateProfileRequest { details: Some(details), ..Default::default() }).await.map(drop)
    };
    says(url).await.unwrap();
    says("").await.unwrap();
    says(&url.replace("/256", "/64")).await.unwrap_err();
    assert!(!shown(&server, &ana).await.is_empty());

    assert_eq!(server.rest("DELETE", &path, &ana, None).await, (200, json!({})));
    assert_eq!(shown(&server, &ana).await, "");
    assert_eq!(server.rest("DELETE", &path, &ana, None).await, (200, json!({})), "again a no-op");
    server.stop().await;
}

#[tokio::test]
async fn who_opens_the_app_by_another_name_of_the_machine_is_told_pictures_there() {
    let folder = crate::harness::scratch();
    let unnamed = |c: &mut Config| (c.public_url, c.pictures.pictures_dir) = (None, Some(folder.path().to_owned()));
    let server = TestServer::start_with(Clock::fixed(START), unnamed).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let port = server.node.address.port();
    let asks = async |who: &Member, method: Method, host: &str, path: &str, body: Value| {
        let asked = server.http(method, path).bearer_auth(&who.token).header("host", host).json(&body);
        asked.send().await.unwrap().json::<Value>().await.unwrap()
    };
    let localhost = format!("localhost:{port}");
    let file = drawn(ImageFormat::Png, 60, 60);
    let path = format!("/v2/users/{}/profile-picture", ana.uid);
    let form = json!({"fileName": "me.png", "contentType": "image/png", "fileSize": file.len()});
    let told = asks(&ana, Method::POST, &localhost, &format!("{path}/upload-url"), form).await;
    let to = told["uploadUrl"].as_str().unwrap().strip_prefix(&format!("http://{localhost}")).expect("where it was asked");
    let put = server.http(Method::PUT, to).header("host", &localhost).header("content-type", "image/png").body(file).send();
    assert_eq!(put.await.unwrap().status(), 200);
    let set = asks(&ana, Method::PUT, &localhost, &path, json!({"key": told["key"]})).await;
    let url = set["profilePictureUrl"].as_str().unwrap().to_owned();
    let given = url.strip_prefix(&format!("http://{localhost}")).expect("where it was asked");
    assert_eq!(server.http(Method::GET, given).header("host", &localhost).send().await.unwrap().status(), 200);

    // Each is told where they are, and what one was told is as good as it stands for the other.
    let own = format!("/v2/users/{}", ana.uid);
    let circle = format!("/v2/users/{}/active", ben.uid);
    for host in [localhost.clone(), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        let (own, circle) =
            (asks(&ana, Method::GET, &host, &own, json!({})).await, asks(&ben, Method::GET, &host, &circle, json!({})).await);
        let there = url.replacen(&localhost, &host, 1);
        assert_eq!(circle["friends"]["list"][0]["profilePictureUrl"], there, "{circle}");
        assert_eq!(own["profile"]["profile_picture_url"], there, "{own}");
    }
    // The tokens of a sign-in say it too, and are made on a thread of their own.
    let parameters = json!({"USERNAME": ana.email, "PASSWORD": PASSWORD});
    let sign_in = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    let call = server.http(Method::POST, "/").header("host", &localhost).header("content-type", "application/x-amz-json-1.1");
    let call = call.header("x-amz-target", "AWSCognitoIdentityProviderService.InitiateAuth").body(sign_in.to_string());
    let signed = call.send().await.unwrap().json::<Value>().await.unwrap();
    assert_eq!(claims(signed["AuthenticationResult"]["IdToken"].as_str().unwrap())["picture"], url, "{signed}");
    let change = json!({"profile": {"profile_picture_url": url.replacen("localhost", "127.0.0.1", 1)}});
    let changed = asks(&ana, Method::PATCH, &localhost, &format!("/api/users/{}", ana.uid), change).await;
    assert_eq!(changed["profile"]["profile_picture_url"], url, "said back as it is elsewhere: {changed}");

    // A name that is not this machine's is no way to have its addresses told.
    let elsewhere = asks(&ben, Method::GET, "evil.example", &circle, json!({})).await;
    let usual = elsewhere["friends"]["list"][0]["profilePictureUrl"].as_str().unwrap();
    assert!(usual.starts_with("http://127.0.0.1:"), "{usual}");
    server.stop().await;
}

#[tokio::test]
async fn an_address_is_the_same_for_an_hour_and_works_for_one_to_two() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let url = server.sets(&ana, &server.uploads(&ana, drawn(ImageFormat::Png, 30, 30)).await).await.unwrap();
    server.clock.advance(Duration::minutes(50));
    assert_eq!(shown(&server, &ana).await, url);
    let given = server.gives(&url).await;
    let header = |name: &str| given.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(given.status(), 200);
    assert_eq!(header("content-type"), "image/jpeg");
    assert_eq!(header("cache-control"), "private, max-age=4200, immutable");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(header("content-disposition"), "attachment; filename=\"picture.jpg\"");
    assert_eq!(image::guess_format(&given.bytes().await.unwrap()).unwrap(), ImageFormat::Jpeg);
    server.clock.advance(Duration::minutes(20));
    let ana = server.signed_in_again(&ana).await;
    let next = shown(&server, &ana).await;
    assert_ne!(next, url);
    assert_eq!(server.gives(&url).await.status(), 200);
    server.clock.advance(Duration::minutes(50));
    assert_eq!(server.gives(&url).await.status(), 403, "it has expired");
    assert_eq!(server.gives(&next).await.status(), 200);
    server.stop().await;
}

#[tokio::test]
async fn a_picture_is_set_once_and_the_one_before_is_removed() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let first = server.uploads(&ana, drawn(ImageFormat::Png, 50, 50)).await;
    let told = join_all((0..6).map(|_| server.sets(&ana, &first))).await;
    assert!(told.iter().all(|url| url == &told[0] && url.is_ok()), "{told:?}");
    until("the upload is removed", async || files(folder.path()) == RENDITIONS).await;
    assert_eq!(server.sets(&ana, &first).await, told[0], "again, when the upload is gone");

    let (second, third) =
        (server.uploads(&ana, drawn(ImageFormat::Png, 60, 60)).await, server.uploads(&ana, drawn(ImageFormat::Jpeg, 70, 70)).await);
    let (one, other) = tokio::join!(server.sets(&ana, &second), server.sets(&ana, &third));
    let last = shown(&server, &ana).await;
    assert!(one.is_ok() && other.is_ok() && [one.unwrap(), other.unwrap()].contains(&last), "both were set, one after the other");
    assert_eq!((rows(&server, "taken").await, rows(&server, "dropped").await), (1, 2));
    until("what nothing has is removed", async || files(folder.path()) == RENDITIONS).await;
    assert_eq!(server.gives(&last).await.status(), 200);
    assert_eq!(server.gives(told[0].as_ref().unwrap()).await.status(), 404);
    assert_eq!(server.sets(&ana, &first).await.unwrap_err().reason, "NOT_FOUND", "it was replaced");
    // When nobody can bring files back, the rows go too.
    server.clock.advance(Duration::minutes(12));
    clears(&server, &ana).await;
    assert_eq!((rows(&server, "taken").await, rows(&server, "dropped").await), (1, 0));
    assert_eq!(files(folder.path()), RENDITIONS);
    server.stop().await;
}

/// Who has seen a picture sees the same one from then on, whatever its address takes while it is good.
#[tokio::test]
async fn what_was_taken_is_not_drawn_anew_by_a_call_that_came_before() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let key = server.uploads(&ana, drawn(ImageFormat::Png, 50, 50)).await;
    // Another call is about to take it.
    let mut other = server.database.connect().await;
    for sql in ["BEGIN", "SELECT FROM pictures FOR UPDATE"] {
        sqlx::query(sql).execute(&mut other).await.unwrap();
    }
    let taking = async {
        until("the call waits for it", async || {
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
            let count: i64 = sqlx::query_scalar(waiting).fetch_one(&mut server.database.connect().await).await.unwrap();
            count > 0
        })
        .await;
        assert_eq!(files(folder.path()).len(), 1, "nothing is drawn until then");
        for sql in ["UPDATE pictures SET status = 'taken', taken_at = announced_at", "COMMIT"] {
            sqlx::query(sql).execute(&mut other).await.unwrap();
        }
    };
    let (_, set) = tokio::join!(taking, server.sets(&ana, &key));
    assert!(set.is_ok(), "{set:?}");
    assert_eq!(files(folder.path()).len(), 1, "nor afterwards: the other one has");
    server.stop().await;
}

/// Once it is drawn it is not drawn anew: who comes second takes what the first one drew.
#[tokio::test]
async fn what_was_drawn_is_taken_as_it_is() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let key = server.uploads(&ana, drawn(ImageFormat::Png, 50, 50)).await;
    sqlx::query("UPDATE pictures SET drawn_at = announced_at").execute(&mut server.database.connect().await).await.unwrap();
    server.sets(&ana, &key).await.unwrap();
    assert_eq!(files(folder.path()).iter().filter(|file| file.ends_with(".jpg")).count(), 0, "by no call of ours");
    server.stop().await;
}

/// What is drawn of one file is written with nothing held, so what another call finds at its address by then is not written beside it.
#[tokio::test]
async fn a_picture_is_drawn_of_the_first_file_alone() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let file = drawn(ImageFormat::Png, 50, 50);
    let key = server.uploads(&ana, file.clone()).await;
    // A call drew it of a file, and its bucket has not answered.
    let begun_of = async |file: &[u8]| {
        let begun = "UPDATE pictures SET drawn_of = sha256($1)";
        sqlx::query(begun).bind(file).execute(&mut server.database.connect().await).await.unwrap();
    };
    begun_of(b"another one").await;
    let refused = server.sets(&ana, &key).await.unwrap_err();
    assert_eq!((refused.reason.as_str(), refused.fields), ("INVALID_ARGUMENT", vec![("key".into(), "INVALID".into())]));
    assert_eq!((files(folder.path()).len(), rows(&server, "awaited").await), (1, 1), "nothing is written, and that call may go on");
    begun_of(&file).await;
    server.sets(&ana, &key).await.unwrap();
    until("it is written", async || files(folder.path()) == RENDITIONS).await;
    server.stop().await;
}

#[tokio::test]
async fn set_and_taken_away_at_once_it_is_one_or_the_other() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    for _ in 0..5 {
        let key = server.uploads(&ana, drawn(ImageFormat::Png, 40, 40)).await;
        let ((), set) = tokio::join!(taken_away(&server, &ana), server.sets(&ana, &key));
        set.unwrap();
        let has = i64::from(!shown(&server, &ana).await.is_empty());
        assert_eq!(rows(&server, "taken").await, has);
        taken_away(&server, &ana).await;
    }
    until("nothing is left", async || files(folder.path()).is_empty()).await;
    server.stop().await;
}

#[tokio::test]
async fn what_nobody_sets_is_removed_after_a_day() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let key = server.uploads(&ana, drawn(ImageFormat::Png, 40, 40)).await;
    assert_eq!(sweeps(&server).await, 0);
    server.clock.advance(Duration::hours(24) - Duration::SECOND);
    assert_eq!(sweeps(&server).await, 0);
    assert_eq!(files(folder.path()), [key.as_str()]);
    server.clock.advance(Duration::SECOND);
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(server.sets(&ana, &key).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(sweeps(&server).await, 1);
    assert_eq!(sweeps(&server).await, 0, "it was asked for");
    clears(&server, &ana).await;
    assert!(files(folder.path()).is_empty());
    server.clock.advance(Duration::minutes(12));
    clears(&server, &ana).await;
    clears(&server, &ana).await;
    assert_eq!(rows(&server, "dropped").await + rows(&server, "awaited").await, 0);
    server.stop().await;
}

/// Whatever such a call had done by then: the upload waits on, with what was drawn of it or without.
#[tokio::test]
async fn a_call_that_ran_out_of_time_is_made_again_or_leaves_nothing_for_long() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let path = format!("/v2/users/{}/profile-picture", ana.uid);
    let runs_out_of_time = async || {
        let key = server.uploads(&ana, drawn(ImageFormat::Png, 40, 40)).await;
        // Somebody else has the member's row until then.
        let mut beside = server.database.connect().await;
        let mut held = beside.begin().await.unwrap();
        sqlx::query("SELECT id FROM members WHERE id = $1::uuid FOR UPDATE").bind(&ana.uid).execute(&mut *held).await.unwrap();
        let call = server.http(Method::PUT, &path).bearer_auth(&ana.token).header("grpc-timeout", "1S").json(&json!({ "key": key }));
        assert_eq!(call.send().await.unwrap().json::<Value>().await.unwrap()["code"], "DEADLINE_EXCEEDED");
        assert_eq!(rows(&server, "awaited").await, 1);
        key
    };
    let key = runs_out_of_time().await;
    let url = server.sets(&ana, &key).await.unwrap();
    until("it is set as ever", async || files(folder.path()) == RENDITIONS).await;
    runs_out_of_time().await;
    assert_eq!(shown(&server, &ana).await, url, "the one before stays");
    server.clock.advance(Duration::hours(24));
    assert_eq!(sweeps(&server).await, 1);
    clears(&server, &ana).await;
    assert_eq!(files(folder.path()), RENDITIONS, "those of the first");
    server.clock.advance(Duration::minutes(12));
    clears(&server, &ana).await;
    assert_eq!((rows(&server, "taken").await, rows(&server, "dropped").await, rows(&server, "awaited").await), (1, 0, 0));
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_takes_all_pictures_along() {
    let (server, folder) = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let url = server.sets(&ana, &server.uploads(&ana, drawn(ImageFormat::Png, 40, 40)).await).await.unwrap();
    server.clock.advance(Duration::SECOND);
    let waits = server.uploads(&ana, drawn(ImageFormat::Png, 41, 41)).await;
    let his = server.uploads(&ben, drawn(ImageFormat::Png, 42, 42)).await;
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    assert_eq!(all["identity"]["picture"], url);
    assert_eq!(all["profile"]["pictures"].as_array().unwrap().len(), 2, "{all}");
    assert_eq!(all["profile"]["pictures"][1], json!({"id": waits, "at": "2026-06-16T09:00:01Z"}));
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    until("only Ben's is left", async || files(folder.path()) == [his.clone()]).await;
    assert_eq!(server.gives(&url).await.status(), 404);
    assert_eq!(rows(&server, "dropped").await, 2);
    server.stop().await;
}

#[tokio::test]
async fn uploads_are_bounded_and_the_oldest_of_many_goes() {
    let (server, folder) = server().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let mut keys = Vec::new();
    for _ in 0..6 {
        keys.push(server.uploads(&ana, drawn(ImageFormat::Png, 40, 40)).await);
        server.clock.advance(Duration::SECOND);
    }
    assert_eq!((rows(&server, "awaited").await, rows(&server, "dropped").await), (5, 1));
    until("the oldest is removed", async || files(folder.path()).len() == 5).await;
    assert_eq!(server.sets(&ana, &keys[0]).await.unwrap_err().reason, "NOT_FOUND");
    for _ in 6..20 {
        server.announces(&ana, 10).await.unwrap();
    }
    let refused = server.announces(&ana, 10).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (tonic::Code::ResourceExhausted, "RATE_LIMITED"));
    server.announces(&ben, 10).await.unwrap();
    server.clock.advance(Duration::HOUR);
    let ana = server.signed_in_again(&ana).await;
    server.announces(&ana, 10).await.unwrap();
    server.stop().await;
}
