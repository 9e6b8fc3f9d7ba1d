//! Races for a member's groups.

use super::count;
use crate::{
    asking::asking,
    groups::named,
    harness::{Member, Refused, TestServer},
};
use futures_util::future::join_all;
use goodturn::pb::{
    favors::{CreateFavorRequest, FavorStatus, PublishFavorRequest},
    notifications::NotificationType as Told,
};

#[tokio::test]
async fn of_two_groups_of_one_name_made_at_once_one_is() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let other = server.second_node().await;
    for round in 0..5 {
        let spellings = [format!("Street {round}"), format!("STREET  {round}")];
        let made = join_all((0..10).map(|n| {
            let (mut groups, group) = (if n % 2 == 0 { &server } else { &other }.groups(&ana), named(&spellings[n % 2], &[&ben]));
            async move { groups.create_group(group).await }
        }))
        .await;
        let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
        assert_eq!((made.len(), refused.len()), (1, 9));
        assert!(refused.into_iter().all(|r| Refused::from(r.unwrap_err()).reason == "NAME_TAKEN"));
        assert_eq!(server.grouped(&ana).await.len(), round + 1);
    }
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn of_many_groups_made_at_once_there_are_a_hundred() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for n in 0..95 {
        server.group(&ana, &format!("Group {n}"), &[&ben]).await;
    }
    let more = join_all((95..105).map(|n| {
        let mut groups = server.groups(&ana);
        let group = named(&format!("Group {n}"), &[&ben]);
        async move { groups.create_group(group).await.is_ok() }
    }))
    .await;
    assert_eq!(more.into_iter().filter(|made| *made).count(), 5);
    assert_eq!(server.grouped(&ana).await.len(), 100);
    server.stop().await;
}

#[tokio::test]
async fn a_group_that_is_changed_while_a_friend_goes_holds_no_stranger() {
    let server = TestServer::start().await;
    let (ana, eve) = (server.ana().await, server.eve().await);
    server.befriend(&ana, &eve).await;
    for n in 0..8 {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let members: &[&Member] = &[&eve, &other];
        let group = server.group(&ana, &format!("Group {n}"), &members[..1 + n % 2]).await;
        let name = format!("Changed {n}");
        let (changed, made, ()) = tokio::join!(
            server.regroup(&ana, &group, &name, members),
            async {
                let made = server.groups(&ana).create_group(named(&format!("Made {n}"), &[&other])).await;
                made.map(|answer| answer.into_inner()).map_err(Refused::from)
            },
            server.part(&other, &ana),
        );
        for refused in [changed.err(), made.err()].into_iter().flatten() {
            assert_eq!(refused.reason, "NOT_A_FRIEND");
        }
        let inside: Vec<_> = server.grouped(&ana).await.into_iter().flat_map(|g| g.members).collect();
        assert!(!inside.contains(&other.uid) && inside.contains(&eve.uid), "{inside:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_group_that_is_deleted_while_it_is_changed_is_gone() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &eve).await;
    for n in 0..8 {
        let group = server.group(&ana, &format!("Group {n}"), &[&ben]).await;
        let (name, members) = (format!("Changed {n}"), [&ben, &eve]);
        let (deleted, again, changed) =
            tokio::join!(server.ungroup(&ana, &group), server.ungroup(&ana, &group), server.regroup(&ana, &group, &name, &members));
        assert_eq!([&deleted, &again].into_iter().filter(|d| d.is_ok()).count(), 1, "{deleted:?} {again:?}");
        assert!(changed.is_ok_and(|g| g.members.len() == 2) || server.grouped(&ana).await.is_empty());
        assert!(server.grouped(&ana).await.is_empty());
    }
    let mut beside = server.database.connect().await;
    let inside: i64 = sqlx::query_scalar("SELECT count(*) FROM group_members").fetch_one(&mut beside).await.unwrap();
    assert_eq!(inside, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_draft_posted_to_a_group_while_that_changes_asks_friends_alone_and_each_once() {
    let server = TestServer::start().await;
    let (ana, eve) = (server.ana().await, server.eve().await);
    server.befriend(&ana, &eve).await;
    for n in 0..8 {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let group = server.group(&ana, &format!("Group {n}"), &[&eve, &other]).await;
        let draft = CreateFavorRequest { status: FavorStatus::Draft.into(), group_ids: vec![group.group_id.clone()], ..asking(&[]) };
        let id = server.favor(&ana, draft).await.id;
        let publish = || async {
            let request = PublishFavorRequest { id: id.clone(), ..Default::default() };
            server.favors(&ana).publish_favor(request).await.unwrap().into_inner().favor.unwrap()
        };
        let (name, members) = (format!("Group {n}"), [&eve]);
        let (one, two, (), changed) =
            tokio::join!(publish(), publish(), server.part(&ana, &other), server.regroup(&ana, &group, &name, &members));
        changed.unwrap();
        assert_eq!((one.status(), two.status()), (FavorStatus::Active, FavorStatus::Active));
        assert_eq!(server.seen(&ana, &id).await.recipients, [eve.uid.as_str()], "who is no friend any more is not asked");
        assert_eq!(count(&server.told(&eve).await, Told::FavorRequest), n + 1);
    }
    server.stop().await;
}
