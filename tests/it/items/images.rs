//! Pictures of items: sent as those of members are, up to ten, in their owner's order.

use super::street;
use crate::{
    asking::fields,
    harness::{Member, PUBLIC_URL, START, TestServer, drawn, until},
    lending::{ladder, listed, public},
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    pb::{
        common::PictureFormat,
        items::{BrowseFeedRequest, DeleteImageRequest, Item, ListImagesRequest, OrderImagesRequest, PresignImageRequest},
    },
    pictures::BYTES_MAX,
};
use image::ImageFormat;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;
use time::Duration;
use tonic::Code;

/// A server with a folder of pictures of its own.
pub async fn server() -> (TestServer, TempDir) {
    let folder = crate::harness::scratch();
    let server = TestServer::start_with(Clock::fixed(START), |c| c.pictures.pictures_dir = Some(folder.path().to_owned())).await;
    (server, folder)
}

/// How many files there are.
fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

async fn images(server: &TestServer, who: &Member, item: &Item) -> Vec<String> {
    let request = ListImagesRequest { item_id: item.item_id.clone() };
    server.items(who).list_images(request).await.unwrap().into_inner().images.into_iter().map(|image| image.image_id).collect()
}

async fn takes_away(server: &TestServer, who: &Member, item: &Item, image: &str) -> Result<(), crate::harness::Refused> {
    let request = DeleteImageRequest { item_id: item.item_id.clone(), image_id: image.into() };
    server.items(who).delete_image(request).await?;
    Ok(())
}

async fn orders(server: &TestServer, who: &Member, item: &Item, images: &[&str]) -> Result<Vec<String>, crate::harness::Refused> {
    let image_ids = images.iter().map(|id| (*id).to_owned()).collect();
    let request = OrderImagesRequest { item_id: item.item_id.clone(), image_ids };
    Ok(server.items(who).order_images(request).await?.into_inner().images.into_iter().map(|image| image.image_id).collect())
}

#[tokio::test]
async fn a_picture_is_shown_to_all_who_see_the_item_and_drawn_anew() {
    let (server, folder) = server().await;
    let (ana, ben, _, eve) = street(&server).await;
    let item = server.item(&ana, listed("Ladder")).await;
    let file = drawn(ImageFormat::Jpeg, 1200, 600);
    let path = format!("/items/{}/images", item.item_id);
    let (status, told) = server.rest("POST", &format!("{path}/presign"), &ana, json!({"contentType": "image/jpeg"})).await;
    assert_eq!((status, &told["expiresAt"]), (200, &json!("2026-06-16T09:05:00Z")), "{told}");
    assert_eq!(server.put_file(told["uploadUrl"].as_str().unwrap(), "image/jpeg", file).await, 200);
    let (status, image) = server.rest("POST", &format!("{path}/confirm"), &ana, json!({"key": told["key"]})).await;
    assert_eq!((status, &image["image_id"]), (200, &told["image_id"]), "{image}");
    let url = image["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{PUBLIC_URL}/pictures/renditions/{}/1024.jpg?", told["image_id"].as_str().unwrap())), "{url}");
    let shown = image::load_from_memory(&server.gives(url).await.bytes().await.unwrap()).unwrap();
    assert_eq!((shown.width(), shown.height()), (1024, 512));
    for (who, listed) in [(&ana, true), (&ben, true)] {
        let seen = server.item_seen(who, &item).await.unwrap();
        assert!(seen.main_image.contains("/256.jpg?"), "{}", seen.main_image);
        assert!(seen.card_image.contains("/512.jpg?"), "{}", seen.card_image);
        assert_eq!(seen.images.iter().map(|i| i.url.as_str()).collect::<Vec<_>>(), [url]);
        assert_eq!(images(&server, who, &item).await.len() == 1, listed);
    }
    assert_eq!(server.feed(&ben, BrowseFeedRequest::default()).await.items[0].images.len(), 1);
    let request = ListImagesRequest { item_id: item.item_id.clone() };
    assert_eq!(crate::asking::refused(server.items(&eve).list_images(request).await).reason, "FRIENDS_ONLY");
    until("what was uploaded is removed", async || files(folder.path()) == 4).await;
    let again = server.confirms_image(&ana, &item, told["key"].as_str().unwrap()).await.unwrap();
    assert_eq!((again.url.as_str(), images(&server, &ana, &item).await.len()), (url, 1), "again a no-op");
    server.stop().await;
}

#[tokio::test]
async fn an_upload_is_that_of_its_member_and_its_item() {
    let (server, _folder) = server().await;
    let (ana, ben, ..) = street(&server).await;
    let (item, other) = (server.item(&ana, public("Ladder")).await, server.item(&ana, ladder()).await);
    let his = server.item(&ben, ladder()).await;
    let told = server.uploads_image(&ana, &item).await;
    for (who, item, noun) in [(&ana, &other, "upload"), (&ben, &item, "item"), (&ben, &his, "upload")] {
        let refused = server.confirms_image(who, item, &told.key).await.unwrap_err();
        assert_eq!((refused.code, refused.message), (Code::NotFound, format!("{noun} not found")));
    }
    for key in ["x", "00000000-0000-7000-8000-000000000000", "../x"] {
        assert_eq!(server.confirms_image(&ana, &item, key).await.unwrap_err().reason, "NOT_FOUND", "{key}");
    }
    let of_face = server.uploads(&ana, drawn(ImageFormat::Png, 20, 20)).await;
    assert_eq!(server.confirms_image(&ana, &item, &of_face).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.sets(&ana, &told.key).await.unwrap_err().reason, "NOT_FOUND", "nor is it a face");
    server.confirms_image(&ana, &item, &told.key).await.unwrap();
    let nothing = server.announces_image(&ana, &item, 10).await.unwrap();
    assert_eq!(server.confirms_image(&ana, &item, &nothing.key).await.unwrap_err().reason, "NOT_FOUND", "nothing was put there");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_picture_is_refused_and_dropped() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    let announce = |content_type: PictureFormat, file_size: usize| PresignImageRequest {
        item_id: item.item_id.clone(),
        content_type: content_type.into(),
        file_size: file_size.try_into().unwrap(),
    };
    for (asked, wrong) in [
        (announce(PictureFormat::Unspecified, 10), "content_type: UNKNOWN_WORD"),
        (announce(PictureFormat::Png, BYTES_MAX + 1), "file_size: OUT_OF_RANGE"),
    ] {
        let refused = crate::asking::refused(server.items(&ana).presign_image(asked).await);
        assert_eq!((refused.code, fields(&refused)), (Code::InvalidArgument, vec![wrong.to_owned()]));
    }
    let file = drawn(ImageFormat::Png, 30, 30);
    let told = server.announces_image(&ana, &item, file.len()).await.unwrap();
    for (media_type, bytes) in [("image/jpeg", file.clone()), ("image/png", file[1..].to_vec()), ("image/png", vec![0; BYTES_MAX + 1])] {
        assert_eq!(server.put_file(&told.upload_url, media_type, bytes).await, 403, "{media_type}");
    }
    let text = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    let told = server.announces_image(&ana, &item, text.len()).await.unwrap();
    assert_eq!(server.put_file(&told.upload_url, "image/png", text).await, 200);
    assert_eq!(fields(&server.confirms_image(&ana, &item, &told.key).await.unwrap_err()), ["key: INVALID"]);
    assert_eq!(server.confirms_image(&ana, &item, &told.key).await.unwrap_err().reason, "NOT_FOUND", "it was dropped");
    until("its file is removed", async || files(folder.path()) == 0).await;
    assert_eq!(images(&server, &ana, &item).await.len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn there_are_ten_pictures_at_most_and_two_at_once_are_both_counted() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    for _ in 0..9 {
        server.adds_image(&ana, &item).await;
    }
    let (one, other) = (server.uploads_image(&ana, &item).await, server.uploads_image(&ana, &item).await);
    let took = join_all([&one.key, &one.key, &other.key].map(|key| server.confirms_image(&ana, &item, key))).await;
    let all = images(&server, &ana, &item).await;
    assert_eq!(all.len(), 10);
    let won = took.iter().flatten().map(|image| image.image_id.as_str()).collect::<Vec<_>>();
    assert!(won.iter().all(|id| *id == all[9]) && (1..=2).contains(&won.len()), "{took:?}");
    assert!(took.iter().filter_map(|t| t.as_ref().err()).all(|e| e.reason == "LIMIT_REACHED"), "{took:?}");
    let late = if won[0] == one.image_id { other } else { one };
    assert_eq!(server.announces_image(&ana, &item, 10).await.unwrap_err().reason, "LIMIT_REACHED");
    assert_eq!(server.confirms_image(&ana, &item, &late.key).await.unwrap_err().reason, "LIMIT_REACHED");
    takes_away(&server, &ana, &item, &all[3]).await.unwrap();
    server.confirms_image(&ana, &item, &late.key).await.unwrap();
    let now = images(&server, &ana, &item).await;
    assert_eq!((now.len(), &now[3], &now[9]), (10, &all[4], &late.image_id), "those behind moved up");
    server.stop().await;
}

#[tokio::test]
async fn the_owner_orders_pictures_and_the_first_is_the_main_one() {
    let (server, folder) = server().await;
    let (ana, ben, ..) = street(&server).await;
    let item = server.item(&ana, listed("Ladder")).await;
    for _ in 0..3 {
        server.adds_image(&ana, &item).await;
    }
    let all = images(&server, &ana, &item).await;
    let [a, b, c] = [&all[0], &all[1], &all[2]].map(String::as_str);
    assert_eq!(orders(&server, &ana, &item, &[c, a, b]).await.unwrap(), [c, a, b]);
    assert_eq!(images(&server, &ben, &item).await, [c, a, b]);
    assert!(server.item_seen(&ben, &item).await.unwrap().main_image.contains(c));
    assert_eq!(orders(&server, &ana, &item, &[c, a, b]).await.unwrap(), [c, a, b], "again a no-op");
    for wrong in [vec![c, a], vec![c, a, "00000000-0000-7000-8000-000000000000"]] {
        assert_eq!(fields(&orders(&server, &ana, &item, &wrong).await.unwrap_err()), ["image_ids: INVALID"]);
    }
    assert_eq!(fields(&orders(&server, &ana, &item, &[c, a, &c.to_uppercase()]).await.unwrap_err()), ["image_ids[2]: TWICE"]);
    assert_eq!(orders(&server, &ben, &item, &[a, b, c]).await.unwrap_err().reason, "NOT_FOUND");
    let (status, told) = server.rest("PUT", &format!("/items/{}/images:order", item.item_id), &ana, json!({"imageIds": [a, b, c]})).await;
    assert_eq!((status, &told["images"][0]["image_id"]), (200, &json!(a)), "{told}");

    takes_away(&server, &ana, &item, a).await.unwrap();
    takes_away(&server, &ana, &item, a).await.unwrap();
    assert_eq!(images(&server, &ana, &item).await, [b, c]);
    assert_eq!(takes_away(&server, &ben, &item, b).await.unwrap_err().reason, "NOT_FOUND");
    until("its files are removed", async || files(folder.path()) == 8).await;
    server.removes_item(&ana, &item).await.unwrap();
    until("all files are removed", async || files(folder.path()) == 0).await;
    server.stop().await;
}

#[tokio::test]
async fn ordered_added_and_taken_away_at_once_positions_stay_whole() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    for _ in 0..4 {
        server.adds_image(&ana, &item).await;
    }
    for _ in 0..4 {
        let all = images(&server, &ana, &item).await;
        let turned: Vec<&str> = all.iter().rev().map(String::as_str).collect();
        let more = server.uploads_image(&ana, &item).await;
        let (ordered, added, gone) = tokio::join!(
            orders(&server, &ana, &item, &turned),
            server.confirms_image(&ana, &item, &more.key),
            takes_away(&server, &ana, &item, &all[1]),
        );
        assert!(ordered.is_ok() || ordered.is_err_and(|e| e.reason == "INVALID_ARGUMENT"));
        added.unwrap();
        gone.unwrap();
        let places: Vec<i16> = sqlx::query_scalar("SELECT position FROM item_images ORDER BY position")
            .fetch_all(&mut server.database.connect().await)
            .await
            .unwrap();
        assert_eq!(places, [1, 2, 3, 4]);
    }
    server.stop().await;
}

#[tokio::test]
async fn announcements_of_items_have_a_budget_of_their_own() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, ladder()).await;
    for _ in 0..100 {
        server.announces_image(&ana, &item, 10).await.unwrap();
    }
    assert_eq!(server.announces_image(&ana, &item, 10).await.unwrap_err().reason, "RATE_LIMITED");
    server.announces(&ana, 10).await.unwrap();
    let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM pictures WHERE purpose = 'item' AND status = 'awaited'")
        .fetch_one(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(waiting, 10, "no more than an item has wait, the oldest are dropped");
    server.clock.advance(Duration::HOUR);
    let ana = server.signed_in_again(&ana).await;
    server.announces_image(&ana, &item, 10).await.unwrap();
    server.stop().await;
}

/// The row of a picture is locked while its files are written. What asks nothing of it does not wait.
#[tokio::test]
async fn while_a_picture_is_kept_others_are_announced() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, listed("Ladder")).await;
    let announce = async || {
        let item_id = item.item_id.clone();
        server
            .items(&ana)
            .presign_image(PresignImageRequest { item_id, content_type: PictureFormat::Png.into(), ..Default::default() })
            .await
    };
    announce().await.unwrap();
    let mut other = server.database.connect().await;
    for sql in ["BEGIN", "SELECT FROM pictures FOR UPDATE"] {
        sqlx::query(sql).execute(&mut other).await.unwrap();
    }
    announce().await.unwrap();
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    server.stop().await;
}
