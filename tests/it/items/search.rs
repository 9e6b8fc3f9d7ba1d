//! What is found by words in the feed.

use super::{group_of, street};
use crate::{
    harness::{Member, Refused, TestServer},
    lending::{listed, public, titles},
};
use futures_util::future::{join_all, select_all};
use goodturn::pb::items::{BrowseFeedRequest, CreateItemRequest, ItemCategory};
use time::Duration;

async fn found(server: &TestServer, who: &Member, query: &str) -> Vec<String> {
    let page = server.feed(who, BrowseFeedRequest { query: query.into(), ..Default::default() }).await;
    titles(&page.items).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn each_word_is_looked_for_and_every_sign_is_literal() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    for (title, description) in [
        ("Extension ladder", "Aluminium, three metres"),
        ("Step stool", "Not a ladder, 100% oak"),
        ("Wool_mix blanket", "Warm"),
        ("Шкаф", "Möbel aus Eiche"),
        ("電動ドリル", "コード付き"),
        ("C:\\tools", "A box of (very) old tools"),
    ] {
        server.item(&ana, CreateItemRequest { description: description.into(), ..listed(title) }).await;
        server.clock.advance(Duration::SECOND);
    }
    for (query, expected) in [
        ("ladder", vec!["Step stool", "Extension ladder"]),
        ("LADDER", vec!["Step stool", "Extension ladder"]),
        ("lad", vec!["Step stool", "Extension ladder"]),
        ("ladder metres", vec!["Extension ladder"]),
        ("metres ladder", vec!["Extension ladder"]),
        ("ladder banana", vec![]),
        ("laddr", vec!["Step stool", "Extension ladder"]),
        ("extention ladder", vec!["Extension ladder"]),
        ("100%", vec!["Step stool"]),
        ("%", vec!["Step stool"]),
        ("_", vec!["Wool_mix blanket"]),
        ("wool_mix", vec!["Wool_mix blanket"]),
        ("wool%mix", vec![]),
        ("шкаф", vec!["Шкаф"]),
        ("möbel", vec!["Шкаф"]),
        ("ドリル", vec!["電動ドリル"]),
        ("c:\\", vec!["C:\\tools"]),
        ("(very)", vec!["C:\\tools"]),
        ("200", vec![]),
    ] {
        assert_eq!(found(&server, &ben, query).await, expected, "{query}");
    }
    assert_eq!(found(&server, &ben, " \u{200B} ").await.len(), 6, "of which nothing can be seen is no search");
    server.stop().await;
}

#[tokio::test]
async fn a_search_finds_what_one_may_see_by_pages_newest_first() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = street(&server).await;
    let group = group_of(&server, &ana, &[&cleo]).await;
    for n in 0..5 {
        server.item(&ana, listed(&format!("Ladder {n}"))).await;
        server.clock.advance(Duration::SECOND);
    }
    server.item(&ana, CreateItemRequest { group_ids: vec![group], ..listed("Ladder for Cleo") }).await;
    server.item(&eve, public("Ladder of Eve")).await;
    let in_home = CreateItemRequest { category: ItemCategory::Home.into(), ..listed("Ladder at home") };
    server.clock.advance(Duration::SECOND);
    server.item(&ana, in_home).await;
    let asked = |limit, cursor: &str| BrowseFeedRequest {
        query: "ladder".into(),
        category: ItemCategory::Tools.into(),
        limit: Some(limit),
        cursor: cursor.into(),
        ..Default::default()
    };
    let first = server.feed(&ben, asked(3, "")).await;
    assert_eq!((titles(&first.items), first.has_more), (vec!["Ladder 4", "Ladder 3", "Ladder 2"], true));
    let second = server.feed(&ben, asked(3, &first.cursor)).await;
    assert_eq!((titles(&second.items), second.has_more), (vec!["Ladder 1", "Ladder 0"], false));
    assert_eq!(found(&server, &cleo, "ladder").await.len(), 7);
    assert_eq!(found(&server, &ben, "ladder").await.len(), 6);
    server.stop().await;
}

#[tokio::test]
async fn one_search_of_a_member_runs_at_a_time_and_few_wait() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    server.item(&ana, listed("Ladder")).await;
    let mut beside = server.database.connect().await;
    sqlx::query("BEGIN").execute(&mut beside).await.unwrap();
    sqlx::query("LOCK TABLE items IN ACCESS EXCLUSIVE MODE").execute(&mut beside).await.unwrap();
    let search = || async {
        let asked = BrowseFeedRequest { query: "ladder".into(), ..Default::default() };
        server.items(&ben).browse_feed(asked).await.map(|page| page.into_inner().items.len()).map_err(|e| Refused::from(e).reason)
    };
    // One waits for the table and four for their turns: who is answered now is the one too many.
    let (refused, _, waiting) = select_all((0..6).map(|_| Box::pin(search()))).await;
    assert_eq!(refused, Err("RATE_LIMITED".to_owned()));
    sqlx::query("ROLLBACK").execute(&mut beside).await.unwrap();
    assert_eq!(join_all(waiting).await, vec![Ok(1); 5]);
    server.stop().await;
}
