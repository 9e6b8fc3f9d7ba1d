//! Items: made, changed, listed and removed by their owners, and seen by whom they are for.

mod days;
mod feed;
mod hooks;
mod images;
mod search;

use crate::{
    asking::fields,
    harness::{Member, TestServer},
    lending::{ladder, listed, public, titles, to},
};
use goodturn::pb::{
    common::Currency,
    friends::{BlockMemberRequest, RemoveFriendRequest, SendFriendRequestRequest},
    groups::{CreateGroupRequest, DeleteGroupRequest},
    items::{
        CancellationPolicy, CreateItemRequest, Item, ItemAction, ItemCategory, ItemStatus, ListMyItemsRequest, Location, UpdateItemRequest,
        Visibility,
    },
    notifications::{TargetKind, WatchNotificationsRequest},
    profile::{GetProfileRequest, GetStatsRequest},
};
use prost_types::FieldMask;
use serde_json::json;
use time::Duration;
use tonic::{Code, Request};

/// Ana, her friends Ben and Cleo, and Eve, whom nobody knows.
async fn street(server: &TestServer) -> (Member, Member, Member, Member) {
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let cleo = server.member("Cleo", "Moreau").await;
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &cleo).await;
    (ana, ben, cleo, eve)
}

/// A group of the owner's.
async fn group_of(server: &TestServer, owner: &Member, members: &[&Member]) -> String {
    let friend_ids = members.iter().map(|m| m.uid.clone()).collect();
    let request = CreateGroupRequest { group_name: "The street".into(), friend_ids };
    server.groups(owner).create_group(request).await.unwrap().into_inner().group.unwrap().group_id
}

async fn parts(server: &TestServer, one: &Member, other: &Member) {
    let request = RemoveFriendRequest { friend_id: other.uid.clone(), ..Default::default() };
    server.friends(one).remove_friend(request).await.unwrap();
}

async fn blocks(server: &TestServer, one: &Member, other: &Member) {
    let request = BlockMemberRequest { member_id: other.uid.clone(), ..Default::default() };
    server.friends(one).block_member(request).await.unwrap();
}

#[tokio::test]
async fn an_item_is_kept_as_it_was_written() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let asked = CreateItemRequest {
        title: "  Ladder ".into(),
        description: " Three metres\nlong ".into(),
        category: ItemCategory::Tools.into(),
        url: "https://ladders.example/3".into(),
        visibility: Visibility::Public.into(),
        status: ItemStatus::Listed.into(),
        price_per_day: 2.5,
        currency: Currency::Eur.into(),
        deposit: 20.01,
        max_days: 14,
        cancellation_policy: CancellationPolicy::Moderate.into(),
        location: Some(Location { city: " Lisbon ".into() }),
        group_ids: Vec::new(),
    };
    let made = server.item(&ana, asked).await;
    assert_eq!((made.title.as_str(), made.description.as_str()), ("Ladder", "Three metres\nlong"));
    assert_eq!((made.category(), made.visibility(), made.status()), (ItemCategory::Tools, Visibility::Public, ItemStatus::Listed));
    assert_eq!((made.price_per_day, made.currency(), made.deposit, made.max_days), (2.5, Currency::Eur, 20.01, 14));
    assert_eq!((made.url.as_str(), made.cancellation_policy()), ("https://ladders.example/3", CancellationPolicy::Moderate));
    assert_eq!(made.location.as_ref().unwrap().city, "Lisbon");
    assert_eq!((made.is_owner, made.main_image.as_str(), made.images.len(), made.group_ids.len()), (true, "", 0, 0));
    let owner = made.owner.clone().unwrap();
    assert_eq!((owner.uid.as_str(), owner.name.as_str(), owner.rating), (ana.uid.as_str(), "Ana Silva", None));
    assert_eq!((owner.favors_completed, owner.items_shared), (0, 1));
    assert_eq!(made.created_at, made.updated_at);
    assert_eq!(made.allowed_actions().collect::<Vec<_>>(), [ItemAction::Edit, ItemAction::Unlist, ItemAction::Delete]);
    assert_eq!(server.item_seen(&ana, &made).await.unwrap(), made);

    // What is not said is a draft for friends, of any kind, free and without limit.
    let plain = CreateItemRequest { title: "Tent".into(), description: "For two".into(), ..Default::default() };
    let draft = server.item(&ana, plain).await;
    assert_eq!((draft.status(), draft.visibility(), draft.category()), (ItemStatus::Draft, Visibility::Friends, ItemCategory::Other));
    assert_eq!((draft.currency(), draft.cancellation_policy(), draft.max_days), (Currency::Usd, CancellationPolicy::Flex, 0));
    assert_eq!(draft.allowed_actions().collect::<Vec<_>>(), [ItemAction::Edit, ItemAction::List, ItemAction::Delete]);
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for (asked, wrong) in [
        (
            CreateItemRequest { title: String::new(), description: String::new(), ..ladder() },
            vec!["title: REQUIRED", "description: REQUIRED"],
        ),
        (CreateItemRequest { title: "\u{200B} ".into(), ..ladder() }, vec!["title: REQUIRED"]),
        (CreateItemRequest { title: "x".repeat(201), ..ladder() }, vec!["title: TOO_LONG"]),
        (CreateItemRequest { description: "x".repeat(4001), ..ladder() }, vec!["description: TOO_LONG"]),
        (CreateItemRequest { title: "\u{1}\u{1B}\n".into(), ..ladder() }, vec!["title: REQUIRED"]),
        (CreateItemRequest { url: "javascript:alert(1)".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "http://\u{202E}".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "https://\u{3164}".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "https://\u{FE0F}".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "https://a\u{7}b.example".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "https://a.example/\u{202E}b".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { url: "https://a.example/b c".into(), ..ladder() }, vec!["url: INVALID"]),
        (CreateItemRequest { price_per_day: 0.001, ..ladder() }, vec!["price_per_day: TOO_PRECISE"]),
        (CreateItemRequest { price_per_day: -1.0, ..ladder() }, vec!["price_per_day: OUT_OF_RANGE"]),
        (CreateItemRequest { deposit: 1_000_001.0, ..ladder() }, vec!["deposit: OUT_OF_RANGE"]),
        (CreateItemRequest { max_days: 366, ..ladder() }, vec!["max_days: OUT_OF_RANGE"]),
        (CreateItemRequest { status: ItemStatus::Unlisted.into(), ..ladder() }, vec!["status: UNKNOWN_WORD"]),
        (CreateItemRequest { category: 99, ..ladder() }, vec!["category: UNKNOWN_WORD"]),
        (CreateItemRequest { location: Some(Location { city: "x".repeat(101) }), ..ladder() }, vec!["location.city: TOO_LONG"]),
        (CreateItemRequest { title: "a\0b".into(), ..ladder() }, vec!["title: INVALID"]),
    ] {
        let refused = crate::asking::refused(server.items(&ana).create_item(asked.clone()).await);
        assert_eq!((refused.code, fields(&refused)), (Code::InvalidArgument, wrong.iter().map(|w| (*w).to_owned()).collect()), "{asked:?}");
    }
    let (status, told) = server.rest("POST", "/items", &ana, json!({"title": " ", "description": "x"})).await;
    assert_eq!((status, &told["details"][0]["message"]), (400, &json!("Please enter an item title")), "{told}");
    assert_eq!(server.own_items(&ana, ListMyItemsRequest::default()).await.items.len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn an_item_is_made_once_by_its_key_and_only_so_many_a_day() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let with_key = || {
        let mut request = Request::new(listed("Ladder"));
        request.metadata_mut().insert("idempotency-key", "one".parse().unwrap());
        request
    };
    let first = server.items(&ana).create_item(with_key()).await.unwrap().into_inner();
    let again = server.items(&ana).create_item(with_key()).await.unwrap().into_inner();
    assert_eq!(first, again);
    for n in 1..200 {
        server.item(&ana, listed(&format!("Thing {n}"))).await;
    }
    let refused = crate::asking::refused(server.items(&ana).create_item(listed("One more")).await);
    assert_eq!((refused.code, refused.reason.as_str()), (Code::ResourceExhausted, "RATE_LIMITED"));
    assert_eq!(server.items(&ana).create_item(with_key()).await.unwrap().into_inner(), first, "it was made already");
    server.clock.advance(Duration::DAY);
    let ana = server.signed_in_again(&ana).await;
    server.item(&ana, listed("The next day")).await;
    server.stop().await;
}

#[tokio::test]
async fn there_are_five_hundred_items_at_most_also_when_two_are_made_at_once() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let mine = server.item(&ana, ladder()).await;
    let more = "INSERT INTO items SELECT gen_random_uuid(), owner_id, title, description, found_by, category, url, visibility, narrowed, status,
                price_cents, deposit_cents, currency, max_days, policy, city, created_at, updated_at, listed_at FROM items, generate_series(1, 498)";
    sqlx::query(more).execute(&mut server.database.connect().await).await.unwrap();
    let (one, other) =
        tokio::join!(async { server.items(&ana).create_item(ladder()).await }, async { server.items(&ana).create_item(ladder()).await },);
    let refused: Vec<_> = [one, other].into_iter().filter_map(Result::err).map(|s| crate::harness::Refused::from(s).reason).collect();
    assert_eq!(refused, ["LIMIT_REACHED"]);
    assert_eq!(server.own_items(&ana, ListMyItemsRequest::default()).await.counts.unwrap().all, 500);
    server.removes_item(&ana, &mine).await.unwrap();
    server.item(&ana, ladder()).await;
    server.stop().await;
}

#[tokio::test]
async fn a_change_is_of_what_it_names_and_a_repeated_one_changes_nothing() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let made = server.item(&ana, CreateItemRequest { url: "https://a.example".into(), price_per_day: 3.0, ..ladder() }).await;
    server.clock.advance(Duration::MINUTE);
    let change = UpdateItemRequest {
        item_id: made.item_id.clone(),
        title: Some("Long ladder".into()),
        price_per_day: Some(4.5),
        url: Some("https://b.example".into()),
        update_mask: Some(FieldMask { paths: ["title", "price_per_day", "location.city"].map(str::to_owned).into() }),
        ..Default::default()
    };
    let changed = server.changes_item(&ana, change.clone()).await.unwrap();
    assert_eq!((changed.title.as_str(), changed.price_per_day, changed.url.as_str()), ("Long ladder", 4.5, "https://a.example"));
    assert_eq!(changed.updated_at.unwrap().seconds - made.updated_at.unwrap().seconds, 60);
    server.clock.advance(Duration::MINUTE);
    assert_eq!(server.changes_item(&ana, change).await.unwrap(), changed, "again a no-op");
    let (status, cleared) =
        server.rest("PATCH", &format!("/items/{}", made.item_id), &ana, json!({"url": "", "location": {"city": "Porto"}})).await;
    assert_eq!(
        (status, &cleared["url"], &cleared["location"]["city"], &cleared["title"]),
        (200, &json!(""), &json!("Porto"), &json!("Long ladder"))
    );
    let empty = UpdateItemRequest { item_id: made.item_id.clone(), title: Some(" ".into()), ..Default::default() };
    assert_eq!(fields(&server.changes_item(&ana, empty).await.unwrap_err()), ["title: REQUIRED"]);
    let (status, told) = server.rest("PATCH", &format!("/items/{}", made.item_id), &ana, json!({"status": "DRAFT"})).await;
    assert_eq!((status, &told["details"][0]["field"]), (400, &json!("status")), "nothing becomes a draft again: {told}");
    server.stop().await;
}

#[tokio::test]
async fn listing_goes_back_and_forth_and_keeps_the_place_in_the_feed() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let draft = server.item(&ana, ladder()).await;
    assert_eq!(server.moves_item(&ana, &draft, ItemStatus::Unlisted).await.status(), ItemStatus::Draft, "it is not listed already");
    server.clock.advance(Duration::MINUTE);
    server.item(&ana, listed("Tent")).await;
    server.clock.advance(Duration::MINUTE);
    let ladder = server.moves_item(&ana, &draft, ItemStatus::Listed).await;
    assert_eq!(ladder.status(), ItemStatus::Listed);
    assert_eq!(server.lent_to(&ben).await, ["Ladder", "Tent"], "by when it was listed first");
    server.clock.advance(Duration::MINUTE);
    let same = server.moves_item(&ana, &draft, ItemStatus::Listed).await;
    assert_eq!(same.updated_at, ladder.updated_at, "again a no-op");
    server.item(&ana, listed("Drill")).await;
    server.moves_item(&ana, &draft, ItemStatus::Unlisted).await;
    assert_eq!(server.lent_to(&ben).await, ["Drill", "Tent"]);
    server.moves_item(&ana, &draft, ItemStatus::Listed).await;
    assert_eq!(server.lent_to(&ben).await, ["Drill", "Ladder", "Tent"], "nobody comes to the top by listing again");
    server.stop().await;
}

#[tokio::test]
async fn an_item_is_seen_by_whom_it_is_for() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = street(&server).await;
    let friends_only = "This item is only available to friends. Send a friend request to the owner to access their items.";
    let group = group_of(&server, &ana, &[&ben]).await;
    let draft = server.item(&ana, ladder()).await;
    let friends = server.item(&ana, listed("For friends")).await;
    let all = server.item(&ana, public("For all")).await;
    let few = server.item(&ana, CreateItemRequest { group_ids: vec![group.clone()], ..public("For few") }).await;
    assert_eq!(few.group_ids, std::slice::from_ref(&group));
    let reason = async |who: &Member, item: &Item| server.item_seen(who, item).await.map_or_else(|e| e.reason, |_| String::new());
    for (item, by_ben, by_cleo, by_eve) in [
        (&draft, "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"),
        (&friends, "", "", "FRIENDS_ONLY"),
        (&all, "", "", ""),
        (&few, "", "NOT_FOUND", "NOT_FOUND"),
    ] {
        let seen = (reason(&ben, item).await, reason(&cleo, item).await, reason(&eve, item).await);
        assert_eq!(seen, (by_ben.to_owned(), by_cleo.to_owned(), by_eve.to_owned()), "{}", item.title);
    }
    let refused = server.item_seen(&eve, &friends).await.unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Code::PermissionDenied, friends_only));
    let (status, told) = server.rest("GET", &format!("/items/{}", friends.item_id), &eve, None).await;
    assert_eq!((status, &told["code"], &told["message"]), (403, &json!("FRIENDS_ONLY"), &json!(friends_only)));
    let seen = server.item_seen(&ben, &few).await.unwrap();
    assert_eq!((seen.is_owner, seen.group_ids.len()), (false, 0), "to whom it is narrowed is the owner's to know");
    assert_eq!(seen.allowed_actions().collect::<Vec<_>>(), [ItemAction::Request]);

    // Taken off the list it is there for the same, and nobody else learns that there is something for friends.
    for item in [&friends, &all, &few] {
        server.moves_item(&ana, item, ItemStatus::Unlisted).await;
    }
    assert_eq!(server.item_seen(&ben, &friends).await.unwrap().allowed_actions.len(), 0);
    assert_eq!(
        (reason(&cleo, &few).await, reason(&eve, &friends).await, reason(&eve, &all).await),
        ("NOT_FOUND".into(), "NOT_FOUND".into(), String::new())
    );
    server.stop().await;
}

#[tokio::test]
async fn who_parts_or_is_blocked_sees_no_more_and_a_group_that_is_gone_shows_it_to_nobody() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = street(&server).await;
    let group = group_of(&server, &ana, &[&ben, &cleo]).await;
    let friends = server.item(&ana, listed("For friends")).await;
    server.clock.advance(Duration::SECOND);
    let all = server.item(&ana, public("For all")).await;
    server.clock.advance(Duration::SECOND);
    let few = server.item(&ana, CreateItemRequest { group_ids: vec![group.clone()], ..listed("For few") }).await;
    parts(&server, &ana, &ben).await;
    let reason = async |who: &Member, item: &Item| server.item_seen(who, item).await.map_or_else(|e| e.reason, |_| String::new());
    assert_eq!((reason(&ben, &friends).await, reason(&ben, &few).await), ("FRIENDS_ONLY".to_owned(), "NOT_FOUND".to_owned()));
    assert_eq!(server.lent_to(&ben).await, [""; 0]);
    blocks(&server, &ben, &ana).await;
    for item in [&friends, &all, &few] {
        assert_eq!(reason(&ben, item).await, "NOT_FOUND", "{}", item.title);
    }
    assert_eq!(server.lent_to(&cleo).await, ["For few", "For all", "For friends"]);
    server.groups(&ana).delete_group(DeleteGroupRequest { group_id: group.clone() }).await.unwrap();
    assert_eq!(server.lent_to(&cleo).await, ["For all", "For friends"]);
    assert_eq!(reason(&cleo, &few).await, "NOT_FOUND");
    let own = server.item_seen(&ana, &few).await.unwrap();
    assert_eq!(own.group_ids, [group], "its owner sees that it is narrowed");
    // Other changes leave that as it is, until the owner says otherwise.
    let renamed = UpdateItemRequest { item_id: few.item_id.clone(), title: Some("For some".into()), ..Default::default() };
    server.changes_item(&ana, renamed).await.unwrap();
    assert_eq!(reason(&cleo, &few).await, "NOT_FOUND");
    let (status, widened) = server.rest("GET", &format!("/items/{}", few.item_id), &ana, None).await;
    assert_eq!((status, widened.get("groupIds")), (200, None), "REST does not know of groups");
    let widen = UpdateItemRequest {
        item_id: few.item_id.clone(),
        update_mask: Some(FieldMask { paths: vec!["group_ids".into()] }),
        ..Default::default()
    };
    server.changes_item(&ana, widen).await.unwrap();
    assert_eq!(server.lent_to(&cleo).await, ["For some", "For all", "For friends"]);
    server.stop().await;
}

#[tokio::test]
async fn groups_of_others_do_not_exist() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let (own, his) = (group_of(&server, &ana, &[&ben]).await, group_of(&server, &ben, &[&ana]).await);
    let asked = CreateItemRequest { group_ids: vec![own.clone(), his.clone()], ..ladder() };
    let refused = crate::asking::refused(server.items(&ana).create_item(asked).await);
    assert_eq!((refused.reason.as_str(), fields(&refused)), ("NOT_FOUND", vec!["group_ids[1]: INVALID".to_owned()]));
    let item = server.item(&ana, CreateItemRequest { group_ids: vec![own], ..ladder() }).await;
    let change = UpdateItemRequest { item_id: item.item_id.clone(), group_ids: vec![his], ..Default::default() };
    assert_eq!(server.changes_item(&ana, change).await.unwrap_err().reason, "NOT_FOUND");
    server.stop().await;
}

#[tokio::test]
async fn only_its_owner_changes_an_item_and_who_sees_it_is_told_no_more_than_who_does_not() {
    let server = TestServer::start().await;
    let (ana, ben, _, eve) = street(&server).await;
    let item = server.item(&ana, public("Ladder")).await;
    for who in [&ben, &eve] {
        assert_eq!(server.changes_item(who, to(ItemStatus::Unlisted, &item)).await.unwrap_err().reason, "NOT_FOUND");
        assert_eq!(server.removes_item(who, &item).await.unwrap_err().reason, "NOT_FOUND");
        assert_eq!(server.announces_image(who, &item, 10).await.unwrap_err().reason, "NOT_FOUND");
        assert_eq!(server.blacks_out(who, &item, &[]).await.unwrap_err().reason, "NOT_FOUND");
    }
    assert_eq!(server.item_seen(&ana, &item).await.unwrap(), item);
    server.stop().await;
}

#[tokio::test]
async fn what_is_removed_is_gone_for_all_and_stays_removed() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    let item = server.item(&ana, listed("Ladder")).await;
    server.blacks_out(&ana, &item, &[crate::lending::days("2026-07-01", "2026-07-02")]).await.unwrap();
    server.removes_item(&ana, &item).await.unwrap();
    server.removes_item(&ana, &item).await.unwrap();
    assert_eq!(server.removes_item(&ben, &item).await.unwrap_err().reason, "NOT_FOUND");
    for who in [&ana, &ben] {
        assert_eq!(server.item_seen(who, &item).await.unwrap_err().reason, "NOT_FOUND");
    }
    assert_eq!(server.changes_item(&ana, to(ItemStatus::Listed, &item)).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.blacks_out(&ana, &item, &[]).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.lent_to(&ben).await, [""; 0]);
    let own = server.own_items(&ana, ListMyItemsRequest::default()).await;
    assert_eq!((own.items.len(), own.counts.unwrap().all), (0, 0));
    let sql = "SELECT concat(description, url, city, found_by) FROM items WHERE title = 'Ladder'";
    let kept: String = sqlx::query_scalar(sql).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(kept, "", "who remembers it needs its title alone");
    server.stop().await;
}

#[tokio::test]
async fn ones_own_items_are_listed_with_their_numbers() {
    let server = TestServer::start().await;
    let (ana, ben, ..) = street(&server).await;
    for (title, status, category) in [
        ("Ladder", ItemStatus::Draft, ItemCategory::Tools),
        ("Tent", ItemStatus::Listed, ItemCategory::Sports),
        ("Drill", ItemStatus::Listed, ItemCategory::Tools),
    ] {
        server.item(&ana, CreateItemRequest { title: title.into(), status: status.into(), category: category.into(), ..ladder() }).await;
        server.clock.advance(Duration::MINUTE);
    }
    let saw = server.item(&ana, listed("Saw")).await;
    server.moves_item(&ana, &saw, ItemStatus::Unlisted).await;
    server.item(&ben, listed("His")).await;
    let list = async |asked: ListMyItemsRequest| {
        let page = server.own_items(&ana, asked).await;
        let counts = page.counts.unwrap();
        assert_eq!((counts.all, counts.listed, counts.unlisted), (4, 2, 2), "whatever the filter");
        titles(&page.items).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let of = |status: ItemStatus| ListMyItemsRequest { status: status.into(), ..Default::default() };
    assert_eq!(list(ListMyItemsRequest::default()).await, ["Saw", "Drill", "Tent", "Ladder"]);
    assert_eq!(list(of(ItemStatus::Listed)).await, ["Drill", "Tent"]);
    assert_eq!(list(of(ItemStatus::Unlisted)).await, ["Saw", "Ladder"], "drafts too");
    assert_eq!(list(of(ItemStatus::Draft)).await, ["Ladder"]);
    let tools = ListMyItemsRequest { category: ItemCategory::Tools.into(), ..of(ItemStatus::Listed) };
    assert_eq!(list(tools).await, ["Drill"]);
    assert_eq!(list(ListMyItemsRequest { query: "dril".into(), ..Default::default() }).await, ["Drill"]);
    assert_eq!(list(ListMyItemsRequest { query: "ladr long".into(), ..Default::default() }).await, ["Ladder"], "with a typo");

    let (status, page) = server.rest("GET", "/me/items?status=UNLISTED&limit=1", &ana, None).await;
    assert_eq!((status, &page["items"][0]["title"], &page["hasMore"]), (200, &json!("Saw"), &json!(true)), "{page}");
    let path = format!("/me/items?status=UNLISTED&limit=1&nextToken={}", page["cursor"].as_str().unwrap());
    let (_, page) = server.rest("GET", &path, &ana, None).await;
    assert_eq!((&page["items"][0]["title"], &page["hasMore"], &page["cursor"]), (&json!("Ladder"), &json!(false), &json!("")), "{page}");
    let (status, _) = server.rest("GET", &path.replace("UNLISTED", "LISTED"), &ana, None).await;
    assert_eq!(status, 400, "a cursor of another list");
    server.stop().await;
}

#[tokio::test]
async fn open_clients_of_the_owner_hear_of_each_change() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let mut stream = server.notifications(&ana).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    let mut hinted = async || loop {
        let event = tokio::time::timeout(std::time::Duration::from_secs(20), stream.message()).await.unwrap().unwrap().unwrap();
        if let Some(changed) = event.changed.filter(|changed| changed.kind() == TargetKind::Item) {
            return changed.id;
        }
    };
    let item = server.item(&ana, ladder()).await;
    assert_eq!(hinted().await, item.item_id);
    server.moves_item(&ana, &item, ItemStatus::Listed).await;
    assert_eq!(hinted().await, item.item_id);
    server.removes_item(&ana, &item).await.unwrap();
    assert_eq!(hinted().await, item.item_id);
    server.stop().await;
}

#[tokio::test]
async fn what_is_listed_counts_and_shows_its_owner_to_whom_it_is_for() {
    let server = TestServer::start().await;
    let (ana, ben, _, eve) = street(&server).await;
    let profile_of = async |who: &Member| {
        let request = GetProfileRequest { uid: ana.uid.clone() };
        server.profile(who).get_profile(request).await.map(|p| p.into_inner().profile.unwrap())
    };
    let shared = async || {
        let stats = server.profile(&ana).get_stats(GetStatsRequest::default()).await.unwrap().into_inner();
        stats.stats.unwrap().items_shared
    };
    server.item(&ana, listed("For friends")).await;
    assert_eq!(shared().await, 1);
    assert_eq!(profile_of(&eve).await.unwrap_err().code(), Code::NotFound);
    let all = server.item(&ana, public("For all")).await;
    assert_eq!((shared().await, server.item_seen(&eve, &all).await.unwrap().owner.unwrap().items_shared), (2, 2));
    let seen = profile_of(&eve).await.unwrap();
    assert_eq!((seen.details.unwrap().display_name.as_str(), seen.identities.len()), ("Ana Silva", 0), "the name, and no address");
    // Who may be nobody's to block has asked to be a friend.
    let ask = SendFriendRequestRequest { receiver_uid: ana.uid.clone(), ..Default::default() };
    server.friends(&eve).send_friend_request(ask).await.unwrap();
    blocks(&server, &ana, &eve).await;
    assert_eq!(profile_of(&eve).await.unwrap_err().code(), Code::NotFound);
    server.removes_item(&ana, &all).await.unwrap();
    assert_eq!(shared().await, 1);
    assert!(profile_of(&ben).await.is_ok());
    server.stop().await;
}
