//! Groups: private lists of friends, what they may be called, and who goes from them by themselves.

use crate::{
    asking::{drafting, fields, refused},
    harness::{Member, Refused, TestServer},
    hooks,
};
use goodturn::{
    app,
    pb::{
        friends::GetActiveRequest,
        groups::{CreateGroupRequest, DeleteGroupRequest, Group, ListGroupsRequest, UpdateGroupRequest},
        identity::DeleteUserRequest,
        notifications::{TargetKind, WatchNotificationsRequest},
    },
};
use serde_json::{Value, json};
use tonic::Request;

/// A group of these, to be made.
pub fn named(name: &str, members: &[&Member]) -> CreateGroupRequest {
    CreateGroupRequest { group_name: name.into(), friend_ids: members.iter().map(|m| m.uid.clone()).collect() }
}

fn changed(group: &Group, name: &str, members: &[&Member]) -> UpdateGroupRequest {
    let CreateGroupRequest { group_name, friend_ids } = named(name, members);
    UpdateGroupRequest { group_id: group.group_id.clone(), group_name, friend_ids }
}

fn sorted(members: &[&Member]) -> Vec<String> {
    let mut ids: Vec<_> = members.iter().map(|m| m.uid.clone()).collect();
    ids.sort();
    ids
}

impl TestServer {
    /// Makes a group.
    pub async fn group(&self, owner: &Member, name: &str, members: &[&Member]) -> Group {
        self.groups(owner).create_group(named(name, members)).await.unwrap().into_inner().group.unwrap()
    }

    /// Gives a group another name and other members.
    pub async fn regroup(&self, owner: &Member, group: &Group, name: &str, members: &[&Member]) -> std::result::Result<Group, Refused> {
        match self.groups(owner).update_group(changed(group, name, members)).await {
            Ok(answer) => Ok(answer.into_inner().group.unwrap()),
            Err(status) => Err(status.into()),
        }
    }

    /// Deletes a group.
    pub async fn ungroup(&self, owner: &Member, group: &Group) -> std::result::Result<(), Refused> {
        let request = DeleteGroupRequest { group_id: group.group_id.clone() };
        self.groups(owner).delete_group(request).await.map(drop).map_err(Refused::from)
    }

    /// A member's groups.
    pub async fn grouped(&self, owner: &Member) -> Vec<Group> {
        self.groups(owner).list_groups(ListGroupsRequest {}).await.unwrap().into_inner().groups
    }

    /// Ends a friendship, and all who shall hear of it do.
    pub async fn part(&self, one: &Member, other: &Member) {
        hooks::part(self, one, other, app::friends_hooks(&self.node.deps)).await.unwrap();
    }
}

async fn three(server: &TestServer) -> (Member, Member, Member) {
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &eve).await;
    (ana, ben, eve)
}

#[tokio::test]
async fn a_group_is_made_changed_and_deleted_and_is_its_owners_alone() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let street = server.group(&ana, "  Our street ", &[&ben, &eve]).await;
    assert_eq!((street.group_name.as_str(), &street.members), ("Our street", &sorted(&[&ben, &eve])));
    let club = server.group(&ana, "book club", &[&ben]).await;
    assert_eq!(server.grouped(&ana).await, [club.clone(), street.clone()], "by their names");
    assert!(server.grouped(&ben).await.is_empty(), "he is in it, and does not know");
    let road = server.regroup(&ana, &street, "Our road", &[&eve]).await.unwrap();
    assert_eq!(road, Group { group_name: "Our road".into(), members: vec![eve.uid.clone()], ..street.clone() });
    assert_eq!(server.grouped(&ana).await, [club.clone(), road.clone()]);
    assert_eq!(server.regroup(&ana, &road, "Our road", &[&eve]).await.unwrap(), road, "the same again is no change");
    assert_eq!(server.regroup(&ben, &road, "Mine", &[&ana]).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.ungroup(&ben, &road).await.unwrap_err().reason, "NOT_FOUND");
    server.ungroup(&ana, &road).await.unwrap();
    assert_eq!(server.ungroup(&ana, &road).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.regroup(&ana, &road, "Again", &[&eve]).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.grouped(&ana).await, [club]);
    server.stop().await;
}

#[tokio::test]
async fn the_circle_tells_the_groups_too() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let groups = [server.group(&ana, "A", &[&ben, &eve]).await, server.group(&ana, "b", &[&eve]).await];
    let circle = server.friends(&ana).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
    assert_eq!(circle.groups, groups);
    assert_eq!(circle.friends.unwrap().list.len(), 2);
    assert!(server.friends(&ben).get_active(GetActiveRequest::default()).await.unwrap().into_inner().groups.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_there_once_however_it_is_written() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let street = server.group(&ana, "Straße 12", &[&ben]).await;
    let club = server.group(&ana, "Club", &[&ben]).await;
    for same in ["straße 12", " STRASSE  12 ", "Straße\u{A0}12"] {
        let taken = refused(server.groups(&ana).create_group(named(same, &[&eve])).await);
        assert_eq!((taken.reason.as_str(), fields(&taken)), ("NAME_TAKEN", vec!["group_name: CONFLICTING".into()]), "{same:?}");
        assert_eq!(server.regroup(&ana, &club, same, &[&ben]).await.unwrap_err().reason, "NAME_TAKEN");
    }
    assert_eq!(server.regroup(&ana, &street, "STRASSE 12", &[&ben]).await.unwrap().group_name, "STRASSE 12", "its own is not taken");
    assert_eq!(server.grouped(&ana).await.len(), 2);
    server.befriend(&ben, &eve).await;
    server.group(&ben, "Club", &[&eve]).await;
    server.ungroup(&ana, &club).await.unwrap();
    server.group(&ana, "CLUB", &[&ben]).await;
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_told_by_its_field() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let stranger = server.member("Max", "Hale").await;
    let group = server.group(&ana, "Street", &[&ben]).await;
    let table: [(&str, &[&Member], &[&str]); 5] = [
        (" ", &[], &["group_name: REQUIRED", "friend_ids: REQUIRED"]),
        ("two\nlines", &[&ben], &["group_name: INVALID"]),
        ("Others", &[&stranger], &["friend_ids[0]: NOT_A_FRIEND"]),
        ("Others", &[&ben, &ana], &["friend_ids[1]: NOT_A_FRIEND"]),
        ("Others", &[&ben, &ben], &["friend_ids: TWICE"]),
    ];
    for (name, members, wrong) in table {
        assert_eq!(fields(&refused(server.groups(&ana).create_group(named(name, members)).await)), wrong, "{name:?}");
        assert_eq!(fields(&server.regroup(&ana, &group, name, members).await.unwrap_err()), wrong, "{name:?}");
    }
    let long = refused(server.groups(&ana).create_group(named(&"x".repeat(101), &[&ben])).await);
    assert_eq!(fields(&long), ["group_name: TOO_LONG"]);
    let twice = CreateGroupRequest { friend_ids: vec![ben.uid.clone(), ben.uid.to_uppercase()], ..named("Case", &[]) };
    let once = server.groups(&ana).create_group(twice).await.unwrap().into_inner().group.unwrap();
    assert_eq!(once.members, [ben.uid.as_str()]);
    assert_eq!(server.grouped(&ana).await.len(), 2, "what was refused changed nothing");
    server.stop().await;
}

#[tokio::test]
async fn a_hundred_groups_are_as_many_as_there_may_be() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let first = server.group(&ana, "Group 0", &[&ben]).await;
    for n in 1..100 {
        server.group(&ana, &format!("Group {n}"), &[&ben]).await;
    }
    assert_eq!(refused(server.groups(&ana).create_group(named("One more", &[&ben])).await).reason, "LIMIT_REACHED");
    server.regroup(&ana, &first, "Another name", &[&ben]).await.unwrap();
    assert_eq!(server.grouped(&ana).await.len(), 100);
    server.ungroup(&ana, &first).await.unwrap();
    server.group(&ana, "One more", &[&ben]).await;
    server.stop().await;
}

#[tokio::test]
async fn a_create_that_is_sent_twice_by_its_key_is_done_once() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let with_key = |group: CreateGroupRequest| {
        let mut request = Request::new(group);
        request.metadata_mut().insert("idempotency-key", "once".parse().unwrap());
        request
    };
    let first = server.groups(&ana).create_group(with_key(named("Street", &[&ben]))).await.unwrap().into_inner();
    let again = server.groups(&ana).create_group(with_key(named("Street", &[&ben]))).await.unwrap().into_inner();
    assert_eq!((&first, server.grouped(&ana).await.len()), (&again, 1));
    let other = refused(server.groups(&ana).create_group(with_key(named("Street", &[&eve]))).await);
    assert_eq!(other.reason, "IDEMPOTENCY_KEY_REUSED");
    server.stop().await;
}

#[tokio::test]
async fn who_is_no_friend_any_more_is_in_no_group_even_where_nobody_hears_of_it() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    server.befriend(&ben, &eve).await;
    server.group(&ana, "Both", &[&ben, &eve]).await;
    server.group(&ana, "Ben", &[&ben]).await;
    server.group(&ben, "Mine", &[&ana, &eve]).await;
    hooks::part(&server, &ben, &ana, Vec::new()).await.unwrap();
    let members = |groups: Vec<Group>| groups.into_iter().map(|g| (g.group_name, g.members)).collect::<Vec<_>>();
    assert_eq!(members(server.grouped(&ana).await), [("Ben".to_owned(), vec![]), ("Both".to_owned(), vec![eve.uid.clone()])]);
    assert_eq!(members(server.grouped(&ben).await), [("Mine".to_owned(), vec![eve.uid.clone()])]);
    // Friends again, they are in none: who they are put with is said anew.
    server.befriend(&ana, &ben).await;
    assert_eq!(members(server.grouped(&ana).await)[0].1, Vec::<String>::new());
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_is_in_no_group_and_has_none() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    server.befriend(&ben, &eve).await;
    server.group(&ana, "Both", &[&ben, &eve]).await;
    server.group(&ben, "Mine", &[&ana, &eve]).await;
    server.identity(&ben).delete_user(DeleteUserRequest { access_token: ben.token.clone() }).await.unwrap();
    assert_eq!(server.grouped(&ana).await[0].members, [eve.uid.as_str()]);
    let mut beside = server.database.connect().await;
    for table in ["SELECT count(*) FROM groups WHERE owner_id = $1", "SELECT count(*) FROM group_members WHERE $1 IN (owner_id, member_id)"]
    {
        let id: uuid::Uuid = ben.uid.parse().unwrap();
        let rows: i64 = sqlx::query_scalar(table).bind(id).fetch_one(&mut beside).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_export_has_a_members_groups_and_the_groups_of_drafts() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let group = server.group(&ana, "Street", &[&ben]).await;
    server.favor(&ana, goodturn::pb::favors::CreateFavorRequest { group_ids: vec![group.group_id.clone()], ..drafting() }).await;
    let export = async |who: &Member| {
        let (status, answer) = server.rest("GET", &format!("/v2/users/{}/export", who.uid), who, None).await;
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<Value>(answer["document"].as_str().unwrap()).unwrap()
    };
    let hers = export(&ana).await;
    assert_eq!(hers["groups"], json!([{ "id": group.group_id, "name": "Street", "members": [ben.uid] }]));
    assert_eq!(hers["favors"]["asked"][0]["groups"], json!([group.group_id]));
    assert_eq!(export(&ben).await["groups"], json!([]), "whose groups he is in is not his to know");
    server.stop().await;
}

#[tokio::test]
async fn open_clients_of_the_owner_hear_of_each_change_and_nobody_else_does() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let mut live = server.notifications(&ana).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    let mut his = server.notifications(&ben).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    let group = server.group(&ana, "Street", &[&ben]).await;
    server.regroup(&ana, &group, "Road", &[&ben, &eve]).await.unwrap();
    server.part(&ana, &eve).await;
    server.ungroup(&ana, &group).await.unwrap();
    let mut heard = Vec::new();
    while heard.iter().filter(|(kind, _)| *kind == TargetKind::Group).count() < 3 {
        let changed = live.message().await.unwrap().unwrap().changed;
        heard.extend(changed.map(|c| (c.kind(), c.id)).filter(|(kind, _)| *kind != TargetKind::FriendRequest));
    }
    let of_group = (TargetKind::Group, group.group_id.clone());
    // What is signalled at once may come as one.
    assert_eq!(heard.last(), Some(&of_group));
    assert!(heard.contains(&(TargetKind::Member, eve.uid.clone())), "the end of a friendship: {heard:?}");
    let marker = server.favor(&ben, drafting()).await.id;
    loop {
        let changed = his.message().await.unwrap().unwrap().changed.map(|c| (c.kind(), c.id));
        assert_ne!(changed.as_ref().map(|c| c.0), Some(TargetKind::Group), "{changed:?}");
        if changed.is_some_and(|c| c.1 == marker) {
            break;
        }
    }
    server.stop().await;
}
