//! What takes the place of what was told before, and what expects nothing any more.

use super::node::{ANA, BEN, Node, about, event, title, titles, told};
use crate::harness::Database;
use futures_util::future::join_all;
use goodturn::{
    error::Error,
    notifications::{self, New, Settled},
    pb::notifications::{NotificationType, TargetKind},
    transact,
};
use std::{collections::HashSet, sync::Arc};
use uuid::Uuid;

#[tokio::test]
async fn a_newer_one_takes_the_place_of_one_that_is_unread() {
    let database = Database::create().await;
    let node = Node::on(&database);
    let (mut stream, token) = node.watch(BEN, "").await;
    for n in 1..=3 {
        node.push_all(&[about(BEN, 1, &format!("first {n}")), about(BEN, 1, &format!("second {n}"))]).await;
        let told = event(&mut stream).await;
        assert_eq!((told.notification.unwrap().title, told.unread_count), (format!("second {n}"), 1));
    }
    let list = node.list(BEN, 10, "").await.unwrap();
    assert_eq!((titles(&list), list.unread_count), (vec!["second 3"], 1));
    let (mut later, _) = node.watch(BEN, &token).await;
    assert_eq!(title(&mut later).await, "second 3", "what lost its place is not told any more");

    // What was read stays, and so does what is another's, of another kind, or about something else.
    node.mark_all(BEN).await;
    let kind = New { kind: NotificationType::FavorCompleted, ..about(BEN, 1, "kind") };
    let actor = New { actor: Some(BEN), ..about(BEN, 1, "actor") };
    let ours = New { actor: None, ..about(BEN, 1, "ours") };
    node.push_all(&[about(BEN, 1, "again"), kind, actor, about(BEN, 2, "thing"), ours.clone(), ours]).await;
    let list = node.list(BEN, 10, "").await.unwrap();
    assert_eq!((titles(&list), list.unread_count), (vec!["ours", "ours", "thing", "actor", "kind", "again", "second 3"], 6));
    for title in ["again", "kind", "actor", "thing", "ours", "ours"] {
        assert_eq!(told(&mut later).await, title);
    }
}

#[tokio::test]
async fn what_is_settled_expects_nothing_and_open_clients_hear_of_it() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    one.push_all(&[about(BEN, 1, "first"), about(BEN, 2, "second"), about(ANA, 1, "hers")]).await;
    other.hears().await;
    let (mut stream, _) = other.watch(BEN, "").await;
    let first = one.list(BEN, 10, "").await.unwrap().notifications[1].id.clone();
    one.mark(BEN, &first).await.unwrap();
    assert!(event(&mut stream).await.changed.is_some());
    let expects = async |member| {
        let list = one.list(member, 10, "").await.unwrap();
        (list.notifications.into_iter().filter(|n| n.action_required).map(|n| n.title).collect::<Vec<_>>(), list.unread_count)
    };
    one.settle(BEN, 1, Some(BEN)).await;
    one.settle(BEN, 3, None).await;
    assert_eq!(expects(BEN).await, (vec!["second".into(), "first".into()], 1), "neither another's nor of another thing");
    one.settle(BEN, 1, Some(ANA)).await;
    one.settle(BEN, 1, None).await;
    assert_eq!((expects(BEN).await, expects(ANA).await), ((vec!["second".into()], 1), (vec!["hers".into()], 1)));
    let told = event(&mut stream).await;
    assert_eq!((told.changed.expect("a change").kind(), told.unread_count), (TargetKind::Notifications, 1));
    // News and what they settle go in one transaction; who is told the news needs no hint.
    let settled = [BEN, ANA].map(|member| Settled {
        member,
        about: Uuid::from_u128(if member == BEN { 2 } else { 1 }),
        actor: None,
        called_off: false,
        seen: false,
    });
    let done: Result<(), Error> =
        transact!(one.deps.pool, |tx| notifications::tell(tx, &one.deps, &[about(BEN, 2, "third")], &settled).await);
    done.unwrap();
    assert_eq!((expects(BEN).await, expects(ANA).await), ((vec!["third".into()], 1), (vec![], 1)));
    assert_eq!(title(&mut stream).await, "third", "each change is hinted once");
}

#[tokio::test]
async fn nobody_fills_the_list_of_another() {
    let database = Database::create().await;
    let node = Node::on(&database);
    for n in 0..300 {
        node.push_all(&[about(BEN, n % 3, &n.to_string())]).await;
        node.settle(BEN, n % 3, Some(ANA)).await;
    }
    let list = node.list(BEN, 100, "").await.unwrap();
    assert_eq!((titles(&list), list.unread_count), (vec!["299", "298", "297"], 3));
    assert!(list.notifications.iter().all(|n| !n.action_required));
}

#[tokio::test]
async fn what_a_client_hears_while_rows_take_each_other_s_place_is_what_is_left() {
    let database = Database::create().await;
    let (one, other) = (Arc::new(Node::on(&database)), Node::on(&database));
    let (_, mut token) = other.watch(BEN, "").await;
    let pushers = (0..6_u128).map(|p| {
        let node = one.clone();
        tokio::spawn(async move {
            for n in 0..20 {
                // Several at once write about the same things, some of which are settled or read meanwhile.
                node.push_all(&[about(BEN, (p + n) % 4, &format!("{p}/{n}")), about(ANA, n % 2, "hers")]).await;
                node.settle(if n % 2 == 0 { BEN } else { ANA }, n % 4, None).await;
                if p == 0 && n % 7 == 0 {
                    node.mark_all(BEN).await;
                }
            }
        })
    });
    let pushers: Vec<_> = pushers.collect();
    let writing = tokio::spawn(async move {
        join_all(pushers).await.into_iter().for_each(Result::unwrap);
        one.push(BEN, ["the last".to_owned()]).await;
    });
    let mut seen = Vec::new();
    let mut is_over = false;
    while !is_over {
        let (mut stream, _) = other.watch(BEN, &token).await;
        for _ in 0..5 {
            let told = event(&mut stream).await;
            token = told.resume_token;
            let Some(notification) = told.notification else { continue };
            is_over = notification.title == "the last";
            seen.push(notification.id);
            if is_over {
                break;
            }
        }
    }
    writing.await.unwrap();
    assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len(), "none is told twice");
    let list = other.list(BEN, 100, "").await.unwrap();
    assert!(!list.has_more && list.notifications.iter().all(|n| seen.contains(&n.id)), "none that is left was passed over");
    let unread = list.notifications.iter().filter(|n| !n.read).count();
    assert_eq!(usize::try_from(list.unread_count).unwrap(), unread);
    assert!(unread <= 5, "four things, and the last: {unread}");
    assert_eq!(other.list(ANA, 100, "").await.unwrap().unread_count, 2);
}
