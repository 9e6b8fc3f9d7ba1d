//! Who changes a favor on an older version than the one that stands is told, and changes nothing.

use super::{masked, status, update};
use crate::{
    asking::{asking, drafting, fields, refused},
    harness::TestServer,
};
use futures_util::future::join_all;
use goodturn::pb::favors::{CreateFavorRequest, Favor, FavorStatus, PublishFavorRequest, UpdateFavorRequest};

fn titled(favor: &Favor, title: &str) -> UpdateFavorRequest {
    UpdateFavorRequest { id: favor.id.clone(), title: Some(title.into()), etag: favor.etag.clone(), ..Default::default() }
}

#[tokio::test]
async fn a_stale_change_is_refused_and_a_repeated_one_is_not() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let first = server.favor(&ana, drafting()).await;
    let second = update(&server, &ana, titled(&first, "Walk the cat")).await.unwrap();
    assert_ne!(second.etag, first.etag, "though the clock stands still");
    assert_eq!(update(&server, &ana, titled(&first, "Walk the cat")).await.unwrap(), second, "it is done already");
    let stale = update(&server, &ana, titled(&first, "Walk the bear")).await.unwrap_err();
    assert_eq!((stale.reason.as_str(), fields(&stale)), ("CONFLICT", vec!["etag: CONFLICTING".to_owned()]));
    assert_eq!(server.seen(&ana, &first.id).await.title, "Walk the cat");
    let third = update(&server, &ana, titled(&second, "Walk the bear")).await.unwrap();
    let blind = UpdateFavorRequest { etag: String::new(), ..titled(&first, "Walk the dog") };
    assert_eq!(update(&server, &ana, blind).await.unwrap().title, "Walk the dog", "who says no version changes whichever");
    let named = masked(titled(&third, "Walk the bird"), &["title", "etag"]);
    assert_eq!(update(&server, &ana, named).await.unwrap_err().reason, "CONFLICT");
}

#[tokio::test]
async fn a_draft_that_changed_elsewhere_is_not_posted_unseen() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await;
    let edited = update(&server, &ana, titled(&draft, "Walk the cat")).await.unwrap();
    let publish = |favor: &Favor| PublishFavorRequest { id: favor.id.clone(), etag: favor.etag.clone() };
    assert_eq!(refused(server.favors(&ana).publish_favor(publish(&draft)).await).reason, "CONFLICT");
    let by_status = UpdateFavorRequest { etag: draft.etag.clone(), ..status(&draft.id, FavorStatus::Active) };
    assert_eq!(update(&server, &ana, by_status).await.unwrap_err().reason, "CONFLICT");
    server.favors(&ana).publish_favor(publish(&edited)).await.unwrap();
    server.favors(&ana).publish_favor(publish(&edited)).await.unwrap();
    let posted = update(&server, &ana, titled(&edited, "Walk the bear")).await.unwrap_err();
    assert_eq!(posted.reason, "CONFLICT", "it was posted meanwhile");
}

#[tokio::test]
async fn of_ten_changes_of_one_version_at_once_one_stands() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let draft = server.favor(&ana, drafting()).await;
    let titles: Vec<_> = (0..10).map(|n| format!("Walk {n} dogs")).collect();
    let changes = join_all(titles.iter().map(|title| update(&server, &ana, titled(&draft, title)))).await;
    let done: Vec<_> = changes.iter().filter_map(|change| change.as_ref().ok()).collect();
    assert_eq!(done.len(), 1, "{changes:?}");
    assert!(changes.iter().filter_map(|change| change.as_ref().err()).all(|e| e.reason == "CONFLICT"));
    assert_eq!(server.seen(&ana, &draft.id).await.title, done[0].title);
}
