//! What items ask of the areas above them, and what becomes of them when their owner leaves.

use super::street;
use crate::{
    harness::{Member, TestServer},
    lending::{days, ladder, listed},
};
use goodturn::{
    auth::Caller,
    days::Days,
    db::Tx,
    error::{Error, Reason, Result},
    ids::{ItemId, MemberId, SessionId},
    items::{self, Hook, Item},
    notifications::{Leaving, New, Target, Told},
    pb::{
        items::{DeleteItemRequest, GetItemRequest, ItemAction, SetBlackoutDaysRequest, items_service_server::ItemsService},
        notifications::{NotificationType, TargetKind},
    },
    profile, transact,
};
use serde_json::json;
use sqlx::PgConnection;
use std::sync::{Arc, Mutex};
use time::{OffsetDateTime, macros::date};
use tonic::Request;

/// What rentals would say.
#[derive(Default)]
struct Lent {
    /// What is out.
    out: Mutex<Vec<ItemId>>,
    /// What others remember.
    remembered: Mutex<Vec<ItemId>>,
    /// Whom to tell of a removal.
    told: Mutex<Option<MemberId>>,
}

const BOOKED: (time::Date, time::Date) = (date!(2026 - 07 - 03), date!(2026 - 07 - 05));

#[tonic::async_trait]
impl Hook for Lent {
    async fn removing(&self, _tx: &mut Tx, item: &Item, _now: OffsetDateTime) -> Result<Told> {
        if self.out.lock().unwrap().contains(&item.id) {
            return Err(Error::new(Reason::WrongState, "this item is out"));
        }
        let news = self.told.lock().unwrap().map(|member| New {
            member,
            kind: NotificationType::System,
            title: "Gone".into(),
            message: item.content.title.clone(),
            actor: Some(item.owner),
            target: Target(TargetKind::Item, item.id.0),
            about: item.id.0,
            about_unread: None,
            action_required: false,
        });
        Ok(Told { news: news.into_iter().collect(), ..Told::default() })
    }

    async fn booked(&self, _conn: &mut PgConnection, _item: ItemId, days: &[Days]) -> Result<Option<Days>> {
        let booked = Days::new(BOOKED.0, BOOKED.1).unwrap();
        Ok(days.iter().any(|range| range.overlaps(booked)).then_some(booked))
    }

    async fn busy(&self, _conn: &mut PgConnection, items: &[ItemId]) -> Result<Vec<ItemId>> {
        let out = self.out.lock().unwrap();
        Ok(items.iter().copied().filter(|item| out.contains(item)).collect())
    }

    async fn remembered(&self, _conn: &mut PgConnection, _owner: MemberId) -> Result<Vec<ItemId>> {
        Ok(self.remembered.lock().unwrap().clone())
    }
}

fn service(server: &TestServer, hook: &Arc<Lent>) -> items::Service {
    items::Service::new(server.node.deps.clone(), Arc::new(profile::Reputation), vec![hook.clone()])
}

fn by<T>(member: &Member, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let member = MemberId(member.uid.parse().unwrap());
    request.extensions_mut().insert(Caller { member, session: SessionId(member.0), expires_at_s: i64::MAX, signed_by: "".into() });
    request
}

#[tokio::test]
async fn what_is_out_cannot_be_removed_and_who_waits_is_told_when_it_is() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let hook = Arc::new(Lent::default());
    let service = service(&server, &hook);
    let item = server.item(&ana, listed("Ladder")).await;
    let id = ItemId(item.item_id.parse().unwrap());
    server.adds_image(&ana, &item).await;
    hook.out.lock().unwrap().push(id);
    *hook.told.lock().unwrap() = Some(MemberId(ben.uid.parse().unwrap()));
    let get = || by(&ana, GetItemRequest { item_id: item.item_id.clone() });
    let delete = || by(&ana, DeleteItemRequest { item_id: item.item_id.clone() });
    let seen = service.get_item(get()).await.unwrap().into_inner().item.unwrap();
    assert_eq!(seen.allowed_actions().collect::<Vec<_>>(), [ItemAction::Edit, ItemAction::Unlist]);
    assert_eq!(crate::asking::refused(service.delete_item(delete()).await).reason, "WRONG_STATE");
    assert_eq!(server.item_seen(&ben, &item).await.unwrap().images.len(), 1, "nothing of it is gone");
    hook.out.lock().unwrap().clear();
    service.delete_item(delete()).await.unwrap();
    assert_eq!(server.item_seen(&ben, &item).await.unwrap_err().reason, "NOT_FOUND");
    let news = server.news(&ben).await;
    assert_eq!((news[0].title.as_str(), news[0].message.as_str()), ("Gone", "Ladder"));
    service.delete_item(delete()).await.unwrap();
    assert_eq!(server.news(&ben).await.len(), news.len(), "told once");
    server.stop().await;
}

#[tokio::test]
async fn days_that_are_booked_cannot_be_blacked_out() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let hook = Arc::new(Lent::default());
    let service = service(&server, &hook);
    let item = server.item(&ana, ladder()).await;
    let set = |ranges: Vec<_>| by(&ana, SetBlackoutDaysRequest { item_id: item.item_id.clone(), ranges, ..Default::default() });
    service.set_blackout_days(set(vec![days("2026-07-01", "2026-07-02")])).await.unwrap();
    let refused = crate::asking::refused(service.set_blackout_days(set(vec![days("2026-07-05", "2026-07-09")])).await);
    let text = "the item is booked from 2026-07-03 to 2026-07-05";
    assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("DAYS_TAKEN", text));
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM item_blackouts WHERE first_day = '2026-07-01'")
        .fetch_one(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(kept, 1, "what was said before stands");
    server.stop().await;
}

#[tokio::test]
async fn of_who_leaves_the_titles_of_what_was_lent_stay_and_nothing_else() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = street(&server).await;
    let (lent, never) = (server.item(&ana, listed("Ladder")).await, server.item(&ana, listed("Tent")).await);
    let his = server.item(&ben, listed("Drill")).await;
    for item in [&lent, &never] {
        server.blacks_out(&ana, item, &[days("2026-07-01", "2026-07-02")]).await.unwrap();
        server.adds_image(&ana, item).await;
    }
    let hook = Arc::new(Lent::default());
    hook.remembered.lock().unwrap().push(ItemId(lent.item_id.parse().unwrap()));
    let member = MemberId(ana.uid.parse().unwrap());
    let hooks = items::Hooks::new(server.clock.clone(), vec![hook]);
    let left: Result<()> = transact!(server.node.deps.pool, |tx| hooks.left(tx, member).await.map(drop));
    left.unwrap();
    let mut beside = server.database.connect().await;
    let rows: Vec<(String, String, String, String)> =
        sqlx::query_as("SELECT title, description, url || city, status FROM items ORDER BY title").fetch_all(&mut beside).await.unwrap();
    let row = |title: &str, description: &str, status: &str| (title.to_owned(), description.to_owned(), String::new(), status.to_owned());
    assert_eq!(rows, [row("Drill", "Three metres long", "listed"), row("Ladder", "", "deleted")]);
    for table in ["item_blackouts", "item_images", "item_groups"] {
        let left: i64 =
            sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"))).fetch_one(&mut beside).await.unwrap();
        assert_eq!(left, 0, "{table}");
    }
    assert_eq!(server.lent_to(&cleo).await, [""; 0]);
    assert_eq!(server.item_seen(&ben, &his).await.unwrap().title, "Drill");
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_is_out_of_every_feed_and_their_data_is_theirs_to_take_along() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let item = server.item(&ana, listed("Ladder")).await;
    server.blacks_out(&ana, &item, &[days("2026-07-01", "2026-07-02")]).await.unwrap();
    server.adds_image(&ana, &item).await;
    server.item(&ben, listed("Drill")).await;
    let (status, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    assert_eq!(status, 200);
    let all: serde_json::Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    let kept = &all["items"];
    assert_eq!(kept.as_array().unwrap().len(), 1, "{kept}");
    assert_eq!((&kept[0]["title"], &kept[0]["pictures"], &kept[0]["status"]), (&json!("Ladder"), &json!(1), &json!("Listed")));
    assert_eq!(kept[0]["blackoutDays"], json!([{"firstDay": "2026-07-01", "lastDay": "2026-07-02"}]));
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert_eq!(server.lent_to(&ben).await, [""; 0]);
    assert_eq!(server.item_seen(&ben, &item).await.unwrap_err().reason, "NOT_FOUND");
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM items").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(rows, 1, "what nobody borrowed goes");
    server.stop().await;
}
