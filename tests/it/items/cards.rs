//! Renditions for cards: of pictures that were taken before there were any they are drawn by jobs.

use super::images::server;
use crate::{
    harness::{Member, drawn, until},
    lending::listed,
};
use goodturn::{
    items::CardSweep,
    jobs::Sweep,
    pb::{
        common::PictureFormat,
        items::{Item, PresignImageRequest},
    },
    transact,
};
use image::ImageFormat;

async fn undrawn(server: &crate::harness::TestServer) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM item_images WHERE NOT has_card");
    count.fetch_one(&mut server.database.connect().await).await.unwrap()
}

/// A picture of an item, by its id.
async fn shown(server: &crate::harness::TestServer, who: &Member, item: &Item) -> String {
    let request = PresignImageRequest { item_id: item.item_id.clone(), content_type: PictureFormat::Jpeg.into(), ..Default::default() };
    let told = server.items(who).presign_image(request).await.unwrap().into_inner();
    assert_eq!(server.put_file(&told.upload_url, "image/jpeg", drawn(ImageFormat::Jpeg, 1200, 600)).await, 200);
    server.confirms_image(who, item, &told.key).await.unwrap();
    told.key
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
    let key = shown(&server, &ana, &items[5]).await;

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
    std::fs::remove_file(folder.path().join(format!("renditions/{key}/512.jpg"))).unwrap();
    let seen = async || server.item_seen(&ana, &items[5]).await.unwrap().card_image;
    assert!(seen().await.contains(&format!("{key}/1024.jpg?")), "what there is");

    sweeps(&server).await;
    until("it is drawn", async || undrawn(&server).await == 54).await;
    let url = seen().await;
    assert!(url.contains(&format!("{key}/512.jpg?")), "{url}");
    let card = image::load_from_memory(&server.gives(&url).await.bytes().await.unwrap()).unwrap();
    assert_eq!((card.width(), card.height()), (512, 256));
    sweeps(&server).await;
    assert_eq!(undrawn(&server).await, 54, "what is lost stays so");
    server.stop().await;
}

/// A chain of jobs that goes on is not begun anew: what cannot be read stands at its front, and would be tried again and again instead of what comes after.
#[tokio::test]
async fn a_sweep_leaves_a_job_that_waits_as_it_is() {
    let (server, _folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, listed("Ladder")).await;
    shown(&server, &ana, &item).await;
    let mut conn = server.database.connect().await;
    sqlx::query("UPDATE item_images SET has_card = false").execute(&mut conn).await.unwrap();
    sweeps(&server).await;
    until("the first one is done", async || undrawn(&server).await == 0).await;
    // The last one of the chain finds nothing any more: while it runs, another one would take its place, and go with it.
    let ended = "SELECT NOT EXISTS (SELECT FROM graphile_worker._private_jobs WHERE key = 'draw_cards/all')";
    until("the chain is at its end", async || {
        sqlx::query_scalar::<_, bool>(ended).fetch_one(&mut server.database.connect().await).await.unwrap()
    })
    .await;
    // Of one that goes on behind what could not be read.
    sqlx::query("UPDATE item_images SET has_card = false").execute(&mut conn).await.unwrap();
    let far = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    let waits = "INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key)
         SELECT id, json_build_object('task', 'draw_cards', 'payload', json_build_object('after', $1::text)), now() + interval '1 hour', 5, 'draw_cards/all'
         FROM graphile_worker._private_tasks
         WHERE identifier LIKE '%pictures'
         LIMIT 1
         ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at";
    assert_eq!(sqlx::query(waits).bind(far).execute(&mut conn).await.unwrap().rows_affected(), 1);
    sweeps(&server).await;
    let kept = "SELECT payload->'payload'->>'after' FROM graphile_worker._private_jobs WHERE key = 'draw_cards/all'";
    assert_eq!(sqlx::query_scalar::<_, String>(kept).fetch_one(&mut conn).await.unwrap(), far);
    server.stop().await;
}

#[tokio::test]
async fn a_picture_that_cannot_be_read_holds_up_none_before_it_and_the_others_wait_a_moment() {
    let (server, folder) = server().await;
    let ana = server.ana().await;
    let item = server.item(&ana, listed("Ladder")).await;
    let mut keys = Vec::new();
    for _ in 0..3 {
        keys.push(shown(&server, &ana, &item).await);
    }
    // Of one instant: jobs go by their ids.
    keys.sort();
    let mut conn = server.database.connect().await;
    sqlx::query("UPDATE item_images SET has_card = false").execute(&mut conn).await.unwrap();
    let broken = folder.path().join(format!("renditions/{}/1024.jpg", keys[1]));
    std::fs::remove_file(&broken).unwrap();
    std::fs::create_dir(&broken).unwrap();
    sweeps(&server).await;
    until("the one before it is drawn", async || undrawn(&server).await == 2).await;
    let due =
        "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'draw_cards/%' AND run_at > now() + interval '20 seconds'";
    until("the others wait", async || sqlx::query(due).execute(&mut server.database.connect().await).await.unwrap().rows_affected() == 1)
        .await;
    // What wakes the worker is another job of its class.
    let face = server.uploads(&ana, drawn(ImageFormat::Png, 50, 50)).await;
    server.sets(&ana, &face).await.unwrap();
    until("the one behind it is drawn", async || undrawn(&server).await == 1).await;
    server.stop().await;
}
