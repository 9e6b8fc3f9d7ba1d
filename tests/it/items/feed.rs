//! The feed: what friends lend, by pages that neither repeat nor miss anything while rows come and go.

use super::{group_of, parts, street};
use crate::{
    harness::{Member, TestServer},
    lending::{listed, public, titles},
};
use goodturn::pb::items::{BrowseFeedRequest, CreateItemRequest, ItemAction, ItemCategory, ItemStatus};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use time::Duration;
use tonic::Code;

fn page_of(limit: i32, cursor: &str) -> BrowseFeedRequest {
    BrowseFeedRequest { limit: Some(limit), cursor: cursor.into(), ..Default::default() }
}

#[tokio::test]
async fn the_feed_has_what_friends_list_and_nothing_else() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = street(&server).await;
    let group = group_of(&server, &ana, &[&cleo]).await;
    for asked in [
        listed("First"),
        public("Second"),
        CreateItemRequest { status: ItemStatus::Draft.into(), ..listed("A draft") },
        CreateItemRequest { group_ids: vec![group], ..listed("For Cleo") },
    ] {
        server.item(&ana, asked).await;
        server.clock.advance(Duration::MINUTE);
    }
    server.item(&ben, listed("Ben's own")).await;
    server.item(&eve, public("A stranger's")).await;
    assert_eq!(server.lent_to(&ben).await, ["Second", "First"], "newest first, and not his own");
    assert_eq!(server.lent_to(&cleo).await, ["For Cleo", "Second", "First"]);
    assert_eq!(server.lent_to(&ana).await, ["Ben's own"]);
    assert_eq!(server.lent_to(&eve).await, [""; 0]);
    let seen = server.feed(&ben, BrowseFeedRequest::default()).await.items;
    assert!(seen.iter().all(|item| !item.is_owner && item.allowed_actions().eq([ItemAction::Request])), "{seen:?}");
    let alone = server.item_seen(&ben, &seen[0]).await.unwrap();
    assert_eq!(seen[0], alone, "a list tells what the item itself does");
    assert_eq!((alone.owner.unwrap().items_shared, seen.len()), (2, 2), "that there is one for others is not told by a number");
    for (beholder, shared) in [(&cleo, 3), (&ana, 3), (&eve, 2)] {
        let item = server.item_seen(beholder, &seen[0]).await.unwrap();
        assert_eq!((item.title.as_str(), item.owner.unwrap().items_shared), ("Second", shared), "{}", beholder.email);
    }
    parts(&server, &ana, &ben).await;
    assert_eq!(server.lent_to(&ben).await, [""; 0]);
    server.stop().await;
}

#[tokio::test]
async fn what_one_friend_lends_has_its_own_pages() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = street(&server).await;
    let group = group_of(&server, &ana, &[&cleo]).await;
    for owner in [&ana, &cleo, &eve] {
        for title in ["Ladder", "Drill"] {
            server.item(owner, public(&format!("{title} of {}", owner.name))).await;
            server.clock.advance(Duration::MINUTE);
        }
    }
    let saw = CreateItemRequest { category: ItemCategory::Home.into(), group_ids: vec![group], ..listed("Saw") };
    server.item(&ana, saw).await;
    let of = |owner: &Member, limit| BrowseFeedRequest { owner_id: owner.uid.clone(), ..page_of(limit, "") };
    let first = server.feed(&ben, of(&ana, 1)).await;
    assert_eq!((titles(&first.items), first.has_more), (vec!["Drill of Ana Silva"], true));
    let second = server.feed(&ben, BrowseFeedRequest { cursor: first.cursor, ..of(&ana, 1) }).await;
    assert_eq!((titles(&second.items), second.has_more), (vec!["Ladder of Ana Silva"], false));
    let at_home = BrowseFeedRequest { category: ItemCategory::Home.into(), ..of(&ana, 9) };
    assert_eq!(titles(&server.feed(&ben, at_home.clone()).await.items), [""; 0], "it is for others");
    assert_eq!(titles(&server.feed(&cleo, at_home).await.items), ["Saw"]);
    let ladders = BrowseFeedRequest { query: "ladder".into(), ..of(&ana, 9) };
    assert_eq!(titles(&server.feed(&ben, ladders).await.items), ["Ladder of Ana Silva"]);
    assert_eq!(titles(&server.feed(&ben, of(&eve, 9)).await.items), [""; 0], "they are no friends");
    server.stop().await;
}

#[tokio::test]
async fn a_category_has_its_own_pages() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    for n in 0..6 {
        let category = if n % 2 == 0 { ItemCategory::Tools } else { ItemCategory::Home };
        server.item(&ana, CreateItemRequest { category: category.into(), ..listed(&n.to_string()) }).await;
        server.clock.advance(Duration::MINUTE);
    }
    let tools = |limit, cursor: &str| BrowseFeedRequest { category: ItemCategory::Tools.into(), ..page_of(limit, cursor) };
    let first = server.feed(&ben, tools(2, "")).await;
    assert_eq!((titles(&first.items), first.has_more), (vec!["4", "2"], true));
    let second = server.feed(&ben, tools(2, &first.cursor)).await;
    assert_eq!((titles(&second.items), second.has_more, second.cursor.as_str()), (vec!["0"], false, ""));
    let (status, page) = server.rest("GET", "/feed?category=Home&limit=1", &ben, None).await;
    assert_eq!((status, &page["items"][0]["title"], &page["hasMore"]), (200, &json!("5"), &json!(true)), "{page}");
    let (status, page) = server.rest("GET", "/feed?category=Home%20%26%20Garden", &ben, None).await;
    assert_eq!((status, page["items"].as_array().unwrap().len()), (200, 3), "by its label too: {page}");
    server.stop().await;
}

#[tokio::test]
async fn a_cursor_is_good_where_it_was_given_and_nowhere_else() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = street(&server).await;
    for n in 0..3 {
        server.item(&ana, listed(&n.to_string())).await;
    }
    let cursor = server.feed(&ben, page_of(1, "")).await.cursor;
    let mut edited = cursor.clone();
    edited.replace_range(0..1, if cursor.starts_with('A') { "B" } else { "A" });
    let refused = async |who: &Member, asked: BrowseFeedRequest| {
        let refused = crate::asking::refused(server.items(who).browse_feed(asked).await);
        (refused.code, refused.reason)
    };
    let bad = (Code::InvalidArgument, "INVALID_CURSOR".to_owned());
    assert_eq!(refused(&ben, page_of(1, &edited)).await, bad);
    assert_eq!(refused(&ben, page_of(1, "forged")).await, bad);
    assert_eq!(refused(&cleo, page_of(1, &cursor)).await, bad, "another's");
    let of_tools = BrowseFeedRequest { category: ItemCategory::Tools.into(), ..page_of(1, &cursor) };
    assert_eq!(refused(&ben, of_tools).await, bad, "of another list");
    let with_words = BrowseFeedRequest { query: "ladder".into(), ..page_of(1, &cursor) };
    assert_eq!(refused(&ben, with_words).await, bad);
    assert_eq!(server.feed(&ben, page_of(1, &cursor)).await.items.len(), 1);
    for limit in [0, 101, -1] {
        assert_eq!(refused(&ben, page_of(limit, "")).await.0, Code::InvalidArgument, "{limit}");
    }
    server.stop().await;
}

/// Of three friends with many items each, some at the same moment, the pages of any size are together all there is, newest first.
#[tokio::test]
async fn a_walk_is_the_full_set_while_rows_come_and_go() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let mut friends = Vec::new();
    for name in ["Ben", "Cleo", "Dan"] {
        let friend = server.member(name, "Hill").await;
        server.befriend(&ana, &friend).await;
        friends.push(friend);
    }
    let mut made = Vec::new();
    for n in 0..60 {
        let friend = &friends[usize::from(n % 7 == 0) + usize::from(n % 11 == 0)];
        made.push((server.item(friend, listed(&format!("{n:02}"))).await, friend));
        if n % 4 == 0 {
            server.clock.advance(Duration::SECOND);
        }
    }
    let all: BTreeSet<String> = made.iter().map(|(item, _)| item.item_id.clone()).collect();
    for limit in [1, 2, 7, 25, 59, 60, 100] {
        let walked = walk(&server, &ana, limit, async |_| {}).await;
        assert_eq!(walked.iter().cloned().collect::<BTreeSet<_>>(), all, "{limit}");
        assert_eq!(walked.len(), all.len(), "{limit}: none twice");
    }
    // What is listed meanwhile stands at the top, above every cursor; what is removed is not met, and nothing else is missed.
    let gone: HashSet<String> = made.iter().step_by(5).map(|(item, _)| item.item_id.clone()).collect();
    let mut left = made.iter().step_by(5);
    let walked = walk(&server, &ana, 7, async |page| {
        server.clock.advance(Duration::SECOND);
        server.item(&friends[page % 3], listed(&format!("new {page}"))).await;
        for (item, owner) in left.by_ref().take(2) {
            server.removes_item(owner, item).await.unwrap();
        }
    })
    .await;
    let stayed = |ids: &mut dyn Iterator<Item = &String>| ids.filter(|id| !gone.contains(*id)).cloned().collect::<BTreeSet<_>>();
    assert_eq!(stayed(&mut walked.iter()), stayed(&mut all.iter()), "what stayed is met, and what came later is not");
    assert_eq!(walked.iter().collect::<HashSet<_>>().len(), walked.len(), "none twice");
    server.stop().await;
}

/// The ids of all pages, newest first; something happens after each.
async fn walk(server: &TestServer, who: &Member, limit: i32, mut between: impl AsyncFnMut(usize)) -> Vec<String> {
    let (mut walked, mut cursor, mut last) = (Vec::new(), String::new(), None);
    for n in 0.. {
        let page = server.feed(who, page_of(limit, &cursor)).await;
        assert!(page.items.len() <= usize::try_from(limit).unwrap());
        for item in page.items {
            let at = item.created_at.unwrap().seconds;
            assert!(last.is_none_or(|last| at <= last), "newest first");
            last = Some(at);
            walked.push(item.item_id);
        }
        assert_eq!(page.has_more, !page.cursor.is_empty());
        if !page.has_more {
            break;
        }
        cursor = page.cursor;
        between(n).await;
    }
    walked
}

#[tokio::test]
async fn a_friend_with_little_is_not_lost_among_those_with_much() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (ben, cleo) = (server.ben().await, server.member("Cleo", "Moreau").await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &cleo).await;
    server.item(&cleo, listed("Her only one")).await;
    server.clock.advance(Duration::MINUTE);
    for n in 0..30 {
        server.item(&ben, listed(&n.to_string())).await;
    }
    let first = server.feed(&ana, BrowseFeedRequest::default()).await;
    assert_eq!((first.items.len(), first.has_more), (25, true));
    let second = server.feed(&ana, BrowseFeedRequest { cursor: first.cursor, ..Default::default() }).await;
    assert_eq!((second.items.len(), second.items.last().unwrap().title.as_str()), (6, "Her only one"));
    server.stop().await;
}
