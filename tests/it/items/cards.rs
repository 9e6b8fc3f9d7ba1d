//! Renditions for cards: of pictures that were taken before there were any they are drawn by jobs.

use super::images::server;
use crate::{
    harness::{drawn, until},
    lending::listed,
};
use goodturn::{
    items::CardSweep,
    jobs::Sweep,
    pb::{common::PictureFormat, items::PresignImageRequest},
    transact,
};
use image::ImageFormat;

async fn undrawn(server: &crate::harness::TestServer) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM item_images WHERE NOT has_card");
    count.fetch_one(&mut server.database.connect().await).await.unwrap()
}

async fn sweeps(server: &crate::harness::TestServer) {
    let now = server.clock.now();
    assert_eq!(transact!(server.node.deps.pool, |tx| CardSweep.sweep(tx, now).await).unwrap(), 0);
}

#[tokio::test]
async fn pictures_of_before_are_drawn_for_cards_and_what_is_lost_is_passed_over() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let mut items = Vec::new();
    for title in ["Ladder", "Saw", "Tent", "Drill", "Rope", "Lamp"] {
        items.push(server.item(&ana, listed(title)).await);
    }
    let file = drawn(ImageFormat::Jpeg, 1200, 600);
    let request = PresignImageRequest { item_id: items[5].item_id.clone(), content_type: PictureFormat::Jpeg.into(), ..Default::default() };
    let told = server.items(&ana).presign_image(request).await.unwrap().into_inner();
    assert_eq!(server.put_file(&told.upload_url, "image/jpeg", file).await, 200);
    server.confirms_image(&ana, &items[5], &told.key).await.unwrap();

    // As the release before left it, among more than one job draws of which the files are lost.
    let mut conn = server.database.connect().await;
    sqlx::query("UPDATE item_images SET has_card = false").execute(&mut conn).await.unwrap();
    sqlx::query(
        "INSERT INTO item_images (item_id, id, position, created_at)
         SELECT i.id, lpad(to_hex(n * 100 + row_number() OVER (ORDER BY i.id)), 32, '0')::uuid, n, i.created_at
         FROM items i
         CROSS JOIN generate_series(2, 10) n",
    )
    .execute(&mut conn)
    .await
    .unwrap();
    std::fs::remove_file(folder.path().join(format!("renditions/{}/512.jpg", told.key))).unwrap();
    let seen = async || server.item_seen(&ana, &items[5]).await.unwrap().card_image;
    assert!(seen().await.contains(&format!("{}/1024.jpg?", told.key)), "what there is");

    sweeps(&server).await;
    until("it is drawn", async || undrawn(&server).await == 54).await;
    let url = seen().await;
    assert!(url.contains(&format!("{}/512.jpg?", told.key)), "{url}");
    let card = image::load_from_memory(&server.gives(&url).await.bytes().await.unwrap()).unwrap();
    assert_eq!((card.width(), card.height()), (512, 256));
    sweeps(&server).await;
    assert_eq!(undrawn(&server).await, 54, "what is lost stays so");
    server.stop().await;
}
