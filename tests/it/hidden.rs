//! Who is blocked cannot tell: whatever they ask, they are answered as if the one who blocks had left. One story is told in two worlds that differ in its
//! last step alone, and all that the other side can see then is compared, word by word.

use crate::{
    asking::{asking, drafting},
    borrowing::wish,
    harness::{Member, START, TestServer, drawn},
};
use goodturn::{
    clock::Clock,
    edge::limits::Rate,
    pb::{
        self,
        favors::{CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, FavorResponse, SettleFavorRequest},
        friends::SendFriendRequestRequest,
        notifications::{MuteMemberRequest, WatchNotificationsRequest, WatchNotificationsResponse},
        rentals::{RentalAction, RentalPayment},
    },
};
use image::ImageFormat;
use prost_reflect::MethodDescriptor;
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fmt::Write};
use time::Duration;
use tonic::Streaming;

/// How the story ends for the one whom Ana cannot see after that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Blocks,
    Leaves,
}

/// What the two had to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    /// They were friends, with favors that are over, a group, and Ana muted him.
    Friends,
    /// She asked him.
    Asked,
    /// He asked her.
    Asker,
    /// She has blocked him herself.
    Blocked,
}

/// Fields of requests by which a member names another one.
const OTHERS: [&str; 7] = ["member_id", "friend_id", "friend_ids", "receiver_uid", "receiver_email", "contact", "recipients"];
/// Of their own, they tell of nobody else; or they are told in another test: a profile's owner alone reads the first.
const OF_NOBODY_ELSE: [&str; 4] = ["GetNotificationSettings", "GetMailSubscription", "GetInvitation", "WatchNotifications"];

/// Ana's calls, in their order: `$him` is the id of the other one, `$his` his address, `$request` the friend request between them, and `$own`, `$asked`,
/// `$open` favors. What is written comes behind what is read, which is read once more at the end.
const CALLS: [(&str, &str); 47] = [
    ("profile.v1.ProfileService/GetProfile", r#"{"uid": "$him"}"#),
    ("friends.v1.FriendsService/FindFriend", r#"{"contact": "$his"}"#),
    ("friends.v1.FriendsService/GetActive", "{}"),
    ("friends.v1.FriendsService/ListFriendRequests", "{}"),
    ("friends.v1.FriendsService/ListBlockedMembers", "{}"),
    ("friends.v1.FriendsService/ListInvitations", "{}"),
    ("groups.v1.GroupsService/ListGroups", "{}"),
    ("notifications.v1.NotificationsService/ListNotifications", "{}"),
    ("notifications.v1.NotificationsService/ListMutedMembers", "{}"),
    ("favors.v1.FavorsService/ListActiveFavors", "{}"),
    ("favors.v1.FavorsService/ListCompletedFavors", "{}"),
    ("favors.v1.FavorsService/ListCancelledFavors", "{}"),
    (
        "favors.v1.FavorsService/ListReceivedFavors",
        r#"{"status": ["FAVOR_STATUS_DECLINED", "FAVOR_STATUS_COMPLETED", "FAVOR_STATUS_SETTLED", "FAVOR_STATUS_CANCELLED"]}"#,
    ),
    ("favors.v1.FavorsService/GetFavor", r#"{"id": "$own"}"#),
    ("favors.v1.FavorsService/GetFavor", r#"{"id": "$asked"}"#),
    ("favors.v1.FavorsService/GetFavorStory", r#"{"id": "$own"}"#),
    ("favors.v1.FavorsService/GetFavorStory", r#"{"id": "$asked"}"#),
    ("favors.v1.FavorsService/BrowseFavors", "{}"),
    ("favors.v1.FavorsService/SearchFavors", r#"{"query": "dog"}"#),
    ("favors.v1.FavorsService/ListFavorsByCategory", r#"{"category": "FAVOR_CATEGORY_GENERAL"}"#),
    ("favors.v1.FavorsService/ListFavorsByLocation", r#"{"location": "harbor"}"#),
    ("profile.v1.ProfileService/GetStats", "{}"),
    ("profile.v1.ProfileService/GetDashboard", "{}"),
    ("profile.v1.ProfileService/ListTrendingCategories", "{}"),
    ("rentals.v1.RentalsService/ListRentals", r#"{"open_payments": true}"#),
    ("rentals.v1.RentalsService/GetRental", r#"{"request_id": "$lent"}"#),
    ("rentals.v1.RentalsService/GetRental", r#"{"request_id": "$borrowed"}"#),
    ("items.v1.ItemsService/GetItem", r#"{"item_id": "$his_item"}"#),
    ("items.v1.ItemsService/BrowseFeed", "{}"),
    ("friends.v1.FriendsService/SendFriendRequest", r#"{"receiver_uid": "$him"}"#),
    ("friends.v1.FriendsService/SendFriendRequest", r#"{"receiver_email": "$his"}"#),
    ("friends.v1.FriendsService/RespondToFriendRequest", r#"{"request_id": "$request", "action": "FRIEND_REQUEST_ACTION_ACCEPT"}"#),
    ("friends.v1.FriendsService/CancelFriendRequest", r#"{"request_id": "$request"}"#),
    ("friends.v1.FriendsService/RemoveFriend", r#"{"friend_id": "$him"}"#),
    ("friends.v1.FriendsService/ReportMember", r#"{"member_id": "$him", "reason": "Rude"}"#),
    ("friends.v1.FriendsService/SendInvite", r#"{"contact": "$his"}"#),
    ("groups.v1.GroupsService/CreateGroup", r#"{"group_name": "Others", "friend_ids": ["$him"]}"#),
    ("groups.v1.GroupsService/UpdateGroup", r#"{"group_id": "$group", "group_name": "Street", "friend_ids": ["$him"]}"#),
    ("favors.v1.FavorsService/CreateFavor", r#"{"title": "Dog", "description": "Walk", "recipients": ["$him"]}"#),
    ("favors.v1.FavorsService/UpdateFavor", r#"{"id": "$open", "recipients": ["$him"]}"#),
    ("favors.v1.FavorsService/AskMember", r#"{"id": "$open", "member_id": "$him"}"#),
    ("favors.v1.FavorsService/ChooseApplicant", r#"{"id": "$open", "uid": "$him"}"#),
    ("favors.v1.FavorsService/AcceptProposedTime", r#"{"id": "$open", "uid": "$him", "proposed_start": "2026-06-18T09:00:00Z"}"#),
    ("favors.v1.FavorsService/DeclineProposedTime", r#"{"id": "$open", "uid": "$him"}"#),
    ("rentals.v1.RentalsService/RecordRentalPayment", r#"{"request_id": "$lent", "payment": "RENTAL_PAYMENT_DEPOSIT_RETURNED"}"#),
    ("rentals.v1.RentalsService/RecordRentalPayment", r#"{"request_id": "$borrowed", "payment": "RENTAL_PAYMENT_PRICE_PAID"}"#),
    ("notifications.v1.NotificationsService/MuteMember", r#"{"member_id": "$him"}"#),
];

/// What takes back what Ana herself has set, then sets it: twice, for what is repeated is answered alike too.
const UNDOING: [(&str, &str); 3] = [
    ("notifications.v1.NotificationsService/UnmuteMember", r#"{"member_id": "$him"}"#),
    ("friends.v1.FriendsService/BlockMember", r#"{"member_id": "$him"}"#),
    ("friends.v1.FriendsService/UnblockMember", r#"{"member_id": "$him"}"#),
];

/// A server, and what the calls name.
struct World {
    server: TestServer,
    ana: Member,
    him: Member,
    /// The id of a friend who stays.
    ben: String,
    words: Vec<(&'static str, String)>,
}

impl World {
    async fn of(begun: Begun) -> Self {
        let plenty = |c: &mut goodturn::config::Config| c.rate_find_friend = Rate::new(1000, 1000);
        let server = TestServer::start_with(Clock::fixed(START), plenty).await;
        let (ana, ben, him) = (server.ana().await, server.ben().await, server.member("Hugo", "Hart").await);
        server.sets(&him, &server.uploads(&him, drawn(ImageFormat::Png, 8, 8)).await).await.unwrap();
        server.befriend(&ana, &ben).await;
        let mut world = Self { server, ana, him, ben: ben.uid.clone(), words: Vec::new() };
        let open = world.server.favor(&world.ana, asking(&[&ben])).await.id;
        // What is due at one time stands in the order of the ids, which is that of the time.
        world.server.clock.advance(Duration::MINUTE);
        let nothing = uuid::Uuid::from_u128(404).to_string();
        let request = match begun {
            Begun::Friends => {
                world.server.befriend(&world.ana, &world.him).await;
                Box::pin(world.favors(&ben)).await;
                Box::pin(world.rentals()).await;
                nothing.clone()
            }
            Begun::Asked => world.asks(&world.ana, &world.him).await,
            Begun::Asker | Begun::Blocked => world.asks(&world.him, &world.ana).await,
        };
        if begun == Begun::Blocked {
            world.server.block(&world.ana, &world.him).await.unwrap();
        }
        let mute = MuteMemberRequest { member_id: world.him.uid.clone() };
        world.server.notifications(&world.ana).mute_member(mute).await.unwrap();
        if matches!(begun, Begun::Friends | Begun::Asked) {
            world.call(CALLS.iter().find(|call| call.0.ends_with("/SendInvite")).unwrap()).await;
        }
        world.words.extend([("$request", request), ("$open", open)]);
        for word in ["$own", "$asked", "$group", "$lent", "$borrowed", "$his_item"] {
            if !world.words.iter().any(|known| known.0 == word) {
                world.words.push((word, nothing.clone()));
            }
        }
        world
    }

    async fn asks(&self, who: &Member, whom: &Member) -> String {
        let request = SendFriendRequestRequest { receiver_uid: whom.uid.clone(), message: "Hello".into(), ..Default::default() };
        self.server.friends(who).send_friend_request(request).await.unwrap().into_inner().friend_request
    }

    /// Favors between Ana and him, all of them over, with a word of his in each; and a group with him in it.
    async fn favors(&mut self, ben: &Member) {
        let (server, ana, him) = (&self.server, &self.ana, &self.him);
        let over = async |creator: &Member, helper: &Member, id: &str| {
            server.answer(helper, id, FavorResponse::Accept, "With pleasure").await.unwrap();
            server.favors(helper).complete_favor(CompleteFavorRequest { id: id.into(), ..Default::default() }).await.unwrap();
            server.favors(creator).settle_favor(SettleFavorRequest { id: id.into(), ..Default::default() }).await.unwrap();
            server.clock.advance(Duration::MINUTE);
        };
        let own = server.favor(ana, asking(&[him, ben])).await.id;
        server.answer(ben, &own, FavorResponse::Decline, "Sorry").await.unwrap();
        over(ana, him, &own).await;
        let declined = server.favor(ana, asking(&[him, ben])).await.id;
        server.answer(him, &declined, FavorResponse::Decline, "No time").await.unwrap();
        over(ana, ben, &declined).await;
        let asked = server.favor(him, CreateFavorRequest { location: "At my harbor".into(), ..asking(&[ana]) }).await.id;
        over(him, ana, &asked).await;
        let cancelled = server.favor(him, asking(&[ana])).await.id;
        server.favors(him).cancel_favor(CancelFavorRequest { id: cancelled, ..Default::default() }).await.unwrap();
        server.clock.advance(Duration::MINUTE);
        server.favor(ana, drafting()).await;
        let group = json!({"group_name": "Street", "friend_ids": [him.uid, ben.uid]});
        let (status, made) = self.sends("groups.v1.GroupsService/CreateGroup", &group).await;
        assert_eq!(status, 200, "{made}");
        let group = made["group"]["group_id"].as_str().unwrap().to_owned();
        self.words.extend([("$own", own), ("$asked", asked), ("$group", group)]);
    }

    /// A rental on each side, both over: one with the deposit still held, the other unpaid.
    async fn rentals(&mut self) {
        let (server, ana, him) = (&self.server, &self.ana, &self.him);
        let over = async |owner: &Member, borrower: &Member, item: &str| {
            let id = server.out(owner, borrower, wish(item, 0, 1)).await;
            server.records(owner, &id, RentalPayment::DepositReceived, 0.0).await.unwrap();
            server.does(owner, &id, RentalAction::Return).await.unwrap();
            server.clock.advance(Duration::MINUTE);
            id
        };
        let lent = over(ana, him, &server.lends(ana, "Ladder").await).await;
        let his_item = server.lends(him, "Harbor boat").await;
        let borrowed = over(him, ana, &his_item).await;
        self.words.extend([("$lent", lent), ("$borrowed", borrowed), ("$his_item", his_item)]);
    }

    /// One side is gone, as Ana sees it.
    async fn ends(&self, begun: Begun, end: End) {
        self.server.clock.advance(Duration::MINUTE);
        match end {
            // To whom she hides he is nobody, so he cannot, but while they help each other: her block is put aside meanwhile.
            End::Blocks if begun == Begun::Blocked => {
                assert_eq!(self.server.block(&self.him, &self.ana).await.unwrap_err().reason, "NOT_FOUND");
                let mut beside = self.server.database.connect().await;
                let aside = "CREATE TABLE aside AS SELECT * FROM blocks;
                             CREATE TABLE silences_aside AS SELECT * FROM notification_silences WHERE cause = 'blocked';
                             DELETE FROM blocks;
                             DELETE FROM notification_silences WHERE cause = 'blocked'";
                sqlx::raw_sql(aside).execute(&mut beside).await.unwrap();
                self.server.block(&self.him, &self.ana).await.unwrap();
                let back = "INSERT INTO blocks SELECT * FROM aside;
                            INSERT INTO notification_silences SELECT * FROM silences_aside;
                            DROP TABLE aside, silences_aside";
                sqlx::raw_sql(back).execute(&mut beside).await.unwrap();
            }
            End::Blocks => self.server.block(&self.him, &self.ana).await.unwrap(),
            End::Leaves => {
                assert_eq!(self.server.target("DeleteUser", json!({"AccessToken": self.him.token})).await.0, 200);
            }
        }
    }

    async fn sends(&self, rpc: &str, body: &Value) -> (u16, Value) {
        let sent =
            self.server.http(Method::POST, &format!("/goodturn.{rpc}")).bearer_auth(&self.ana.token).json(body).send().await.unwrap();
        (sent.status().as_u16(), sent.json().await.unwrap())
    }

    async fn call(&self, (rpc, body): &(&str, &str)) -> (u16, Value) {
        let mut body = body.replace("$him", &self.him.uid);
        for (word, value) in &self.words {
            body = body.replace(word, value);
        }
        body = body.replace("$his", &self.him.email);
        self.sends(rpc, &serde_json::from_str(&body).unwrap()).await
    }

    /// All that Ana can ask, and what she is answered.
    async fn seen(&self) -> String {
        let mut seen = String::new();
        let (reads, writes): (Vec<_>, Vec<_>) = CALLS.iter().partition(|call| is_read(&method(call.0)));
        let undoing = UNDOING.iter().chain(&UNDOING);
        for call in reads.iter().copied().chain(writes.iter().copied()).chain(undoing).chain(reads.iter().copied()) {
            let (status, mut answer) = self.call(call).await;
            answer.as_object_mut().unwrap().remove("requestId");
            writeln!(seen, "{} {}: {status} {answer:#}", call.0, call.1).unwrap();
        }
        let (_, export) = self.server.rest("GET", &format!("/v2/users/{}/export", self.ana.uid), &self.ana, None).await;
        let export: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
        for area in ["friends", "groups", "favors", "rentals", "notifications"] {
            writeln!(seen, "{area}: {:#}", export[area]).unwrap();
        }
        seen
    }
}

fn method(rpc: &str) -> MethodDescriptor {
    let path = format!("/goodturn.{rpc}");
    pb::methods().find(|method| pb::rpc_path(method) == path).unwrap_or_else(|| panic!("{rpc} is no RPC"))
}

fn is_read(method: &MethodDescriptor) -> bool {
    let options = method.options();
    let level = options.get_field_by_name("idempotency_level").and_then(|level| level.as_enum_number());
    level == Some(1)
}

/// Ids and request ids differ from world to world: each is called by the place where it first stands.
fn by_place(text: &str) -> String {
    let mut known = Vec::<String>::new();
    let mut placed = String::new();
    let mut rest = text;
    while let Some(at) = (0..rest.len()).find(|at| rest.get(*at..at + 36).is_some_and(|id| uuid::Uuid::try_parse(id).is_ok())) {
        let (before, behind) = rest.split_at(at);
        let (id, behind) = behind.split_at(36);
        let place = known.iter().position(|other| other == id).unwrap_or_else(|| {
            known.push(id.to_owned());
            known.len() - 1
        });
        write!(placed, "{before}<{place}>").unwrap();
        rest = behind;
    }
    placed + rest
}

async fn told(begun: Begun, end: End) -> (String, String, World) {
    let world = Box::pin(World::of(begun)).await;
    let mut live =
        world.server.notifications(&world.ana).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    let before = world.mark("Before").await;
    hints_until(&mut live, &before).await;
    world.ends(begun, end).await;
    let hints = hints_until(&mut live, &world.mark("After").await).await;
    let seen = Box::pin(world.seen()).await;
    (hints, by_place(&seen), world)
}

/// What Ana's client is hinted until it hears of a group.
async fn hints_until(live: &mut Streaming<WatchNotificationsResponse>, group: &str) -> String {
    let mut hints = BTreeSet::new();
    loop {
        let event = live.message().await.unwrap().unwrap();
        if let Some(told) = event.notification {
            hints.insert(format!("{told:?}"));
        }
        match event.changed {
            Some(changed) if changed.id == group => return format!("{hints:?}"),
            Some(changed) => drop(hints.insert(format!("{:?} {}", changed.kind(), changed.id))),
            None => {}
        }
    }
}

impl World {
    /// A change of Ana's own, of which her clients hear when they have heard all before it.
    async fn mark(&self, name: &str) -> String {
        let (_, made) = self.sends("groups.v1.GroupsService/CreateGroup", &json!({"group_name": name, "friend_ids": [self.ben]})).await;
        made["group"]["group_id"].as_str().unwrap().to_owned()
    }
}

async fn is_the_same(begun: Begun) {
    // On the heap: what a whole story holds is more than a test's stack has.
    let hidden = Box::pin(told(begun, End::Blocks)).await;
    let left = Box::pin(told(begun, End::Leaves)).await;
    // While her block is put aside her clients hear of his.
    if begun != Begun::Blocked {
        assert_eq!(hidden.0, left.0, "{begun:?}: the hints");
    }
    for (one, other) in hidden.1.split("\n}\n").zip(left.1.split("\n}\n")) {
        assert_eq!(one, other, "{begun:?}");
    }
    assert_eq!(hidden.1.len(), left.1.len());
    for seen in [&hidden.1, &left.1] {
        for trace in ["Hugo", "No time", "At my harbor", "renditions/"] {
            assert!(!seen.contains(trace), "{begun:?}: {trace} is seen");
        }
    }
    assert!(hidden.1.contains("Former member"), "{begun:?}: she sees that there was somebody");
    hidden.2.server.stop().await;
    left.2.server.stop().await;
}

#[tokio::test]
async fn to_a_friend_who_is_blocked_all_is_as_if_the_other_had_left() {
    is_the_same(Begun::Friends).await;
}

#[tokio::test]
async fn to_who_asked_or_was_asked_and_is_blocked_all_is_as_if_the_other_had_left() {
    is_the_same(Begun::Asked).await;
    is_the_same(Begun::Asker).await;
}

#[tokio::test]
async fn to_who_has_blocked_the_other_too_all_is_as_if_the_other_had_left() {
    is_the_same(Begun::Blocked).await;
}

/// What comes later is looked at as well.
#[test]
fn every_call_that_tells_of_others_is_in_the_table() {
    let areas = ["friends", "groups", "favors", "profile", "notifications"];
    let listed: Vec<&str> = CALLS.iter().chain(&UNDOING).map(|call| call.0).collect();
    for method in pb::methods() {
        let path = pb::rpc_path(&method);
        let rpc = path.strip_prefix("/goodturn.").unwrap();
        let fields: Vec<String> = method.input().fields().map(|field| field.name().to_owned()).collect();
        let names = |field: &str| fields.iter().any(|name| name == field);
        let names_somebody = OTHERS.iter().any(|field| names(field)) || (names("id") && names("uid"));
        let is_of_area = areas.iter().any(|area| rpc.starts_with(area));
        if is_of_area && (names_somebody || is_read(&method)) && !OF_NOBODY_ELSE.contains(&method.name()) {
            assert!(listed.contains(&rpc), "{rpc} is not in the table");
        }
    }
}

/// Who set it sees whom it is about, as they were called then, and no more; and takes it back also when the other one is gone.
#[tokio::test]
async fn whoever_is_set_apart_keeps_the_name_of_then() {
    let world = Box::pin(World::of(Begun::Friends)).await;
    let (server, ana, him) = (&world.server, &world.ana, &world.him);
    let listed = async |list: &str, key: &str| {
        let (_, answer) = world.sends(list, &json!({})).await;
        let user = answer[key][0]["user"].clone();
        (user["displayName"].clone(), user["uid"].clone(), user.get("profilePictureUrl").cloned().unwrap_or_default())
    };
    let muted = async || listed("notifications.v1.NotificationsService/ListMutedMembers", "muted").await;
    let blocked = async || listed("friends.v1.FriendsService/ListBlockedMembers", "blocked").await;
    server.block(ana, him).await.unwrap();
    let renamed = json!({"profile": {"displayName": "Somebody else"}});
    assert_eq!(server.rest("PATCH", &format!("/api/users/{}", him.uid), him, renamed).await.0, 200);
    let then = (json!("Hugo Hart"), json!(him.uid), json!(""));
    let of_then = |seen: (Value, Value, Value)| (seen.0, seen.1, if seen.2.is_null() { json!("") } else { seen.2 });
    assert_eq!((of_then(muted().await), of_then(blocked().await)), (then.clone(), then));
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": him.token})).await.0, 200);
    let nameless = (json!("Former member"), json!(him.uid), json!(""));
    assert_eq!((of_then(muted().await), of_then(blocked().await)), (nameless.clone(), nameless));
    for rpc in ["friends.v1.FriendsService/UnblockMember", "notifications.v1.NotificationsService/UnmuteMember"] {
        assert_eq!(world.sends(rpc, &json!({"member_id": him.uid})).await.0, 200);
    }
    let left: i64 = sqlx::query_scalar("SELECT (SELECT count(*) FROM blocks) + (SELECT count(*) FROM notification_silences)")
        .fetch_one(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(left, 0);
    world.server.stop().await;
}
