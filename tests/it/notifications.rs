//! Notifications: stored, counted, marked, and streamed live from whatever node they were made on. The nodes here are services without a
//! port: what is tried is the hub, the stream and the rows.

mod node;
mod replaced;
mod streams;

use crate::harness::{Database, START};
use goodturn::{
    error::{Error, Reason},
    jobs::Sweep as _,
    notifications,
    pb::notifications::{ListNotificationsResponse, NotificationType, TargetKind},
    transact,
};
use node::{ANA, BEN, Node, event, new, title, titles};
use tonic::Code;
use uuid::Uuid;

#[tokio::test]
async fn pages_go_from_the_newest_to_the_oldest_and_stay_put_while_more_come() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push(BEN, (1..=5).map(|n| n.to_string())).await;
    let first = node.list(BEN, 2, "").await.unwrap();
    assert_eq!((titles(&first), first.unread_count, first.has_more), (vec!["5", "4"], 5, true));
    node.push(BEN, ["6".to_owned()]).await;
    let second = node.list(BEN, 2, &first.cursor).await.unwrap();
    assert_eq!((titles(&second), second.unread_count, second.has_more), (vec!["3", "2"], 6, true));
    let last = node.list(BEN, 2, &second.cursor).await.unwrap();
    assert_eq!((titles(&last), last.has_more, last.cursor.as_str()), (vec!["1"], false, ""));
    assert_eq!(node.list(ANA, 2, &first.cursor).await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(node.list(ANA, 2, "").await.unwrap(), ListNotificationsResponse::default());
}

#[tokio::test]
async fn what_is_told_is_what_was_pushed() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push(BEN, ["Can you help?".to_owned()]).await;
    let told = node.list(BEN, 1, "").await.unwrap().notifications.remove(0);
    assert_eq!(
        (told.r#type(), told.title.as_str(), told.message.as_str()),
        (NotificationType::FavorRequest, "Can you help?", "Ana asks for a favor.")
    );
    assert_eq!((told.read, told.action_required, told.timestamp.unwrap().seconds), (false, true, START.unix_timestamp()));
    let target = told.target.unwrap();
    assert_eq!((target.kind(), target.id), (TargetKind::Favor, Uuid::from_u128(7).to_string()));
    // The actor here has no account.
    assert_eq!(told.actor.unwrap().display_name, "Former member");
}

#[tokio::test]
async fn reading_counts_down_once() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push(BEN, (1..=3).map(|n| n.to_string())).await;
    let id = node.list(BEN, 1, "").await.unwrap().notifications[0].id.clone();
    assert_eq!(node.mark(BEN, &id).await.unwrap(), 2);
    assert_eq!(node.mark(BEN, &id).await.unwrap(), 2);
    assert_eq!(node.mark(ANA, &id).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(node.mark(BEN, &Uuid::from_u128(5).to_string()).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(node.mark_all(BEN).await, 0);
    assert_eq!(node.mark_all(BEN).await, 0);
    node.push(BEN, ["4".to_owned()]).await;
    let list = node.list(BEN, 10, "").await.unwrap();
    assert_eq!((list.unread_count, list.notifications.iter().filter(|n| !n.read).count()), (1, 1));
}

#[tokio::test]
async fn what_came_after_the_last_one_seen_stays_unread() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push(BEN, (1..=4).map(|n| n.to_string())).await;
    let rows = node.list(BEN, 10, "").await.unwrap().notifications;
    let id = |title: &str| rows.iter().find(|n| n.title == title).unwrap().id.clone();
    assert_eq!(node.mark_up_to(BEN, &id("2")).await.unwrap(), 2);
    assert_eq!(node.mark_up_to(BEN, &id("2")).await.unwrap(), 2);
    let unread: Vec<_> = node.list(BEN, 10, "").await.unwrap().notifications.into_iter().filter(|n| !n.read).map(|n| n.title).collect();
    assert_eq!(unread, ["4", "3"]);
    assert_eq!(node.mark_up_to(ANA, &id("3")).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(node.mark_up_to(BEN, &Uuid::from_u128(5).to_string()).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(node.mark_up_to(BEN, "five").await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(node.mark_all(BEN).await, 0);
}

#[tokio::test]
async fn a_push_that_is_rolled_back_leaves_no_trace_and_no_gap() {
    let database = Database::create().await;
    let node = Node::on(&database);
    let (mut stream, token) = node.watch(BEN, "").await;
    let rolled_back: Result<(), Error> = transact!(node.deps.pool, |tx| {
        notifications::push(tx, &node.deps, &[new(BEN, "never"), new(ANA, "never")]).await?;
        Err(Error::not_found("reason to go on"))
    });
    assert_eq!(rolled_back.unwrap_err().reason(), Reason::NotFound);
    node.push(BEN, ["1".to_owned()]).await;
    let told = event(&mut stream).await;
    assert_eq!((told.notification.unwrap().title.as_str(), told.unread_count), ("1", 1));
    assert_ne!(told.resume_token, token);
    assert_eq!(titles(&node.list(BEN, 10, "").await.unwrap()), ["1"]);
}

#[tokio::test]
async fn one_transaction_tells_many_and_each_several_things() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push_all(&[new(BEN, "b1"), new(ANA, "a1"), new(BEN, "b2")]).await;
    let (ben, ana) = (node.list(BEN, 10, "").await.unwrap(), node.list(ANA, 10, "").await.unwrap());
    assert_eq!((titles(&ben), ben.unread_count), (vec!["b2", "b1"], 2));
    assert_eq!((titles(&ana), ana.unread_count), (vec!["a1"], 1));
}

#[tokio::test]
async fn marking_read_tells_the_member_s_other_clients() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    one.push(BEN, ["1".to_owned(), "2".to_owned()]).await;
    other.hears().await;
    let (mut stream, _) = other.watch(BEN, "").await;
    one.mark_all(BEN).await;
    let told = event(&mut stream).await;
    let target = told.changed.expect("a change");
    assert_eq!((target.kind(), target.id.as_str(), told.unread_count), (TargetKind::Notifications, "", 0));
}

#[tokio::test]
async fn who_begins_to_listen_is_told_again_of_what_changed_a_moment_before() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    one.push(BEN, ["1".to_owned()]).await;
    other.hears().await;
    let (mut before, token) = other.watch(BEN, "").await;
    one.mark_all(BEN).await;
    // It is heard where it was not done.
    assert!(event(&mut before).await.changed.is_some());
    let (mut stream, _) = other.watch(BEN, "").await;
    assert_eq!(event(&mut stream).await.changed.expect("what changed").kind(), TargetKind::Notifications);
    // Who comes back reads everything anew, and others have nothing to do with it.
    for (member, token) in [(BEN, token.as_str()), (ANA, "")] {
        let (mut stream, _) = other.watch(member, token).await;
        one.push(member, [format!("next of {}", member.0)]).await;
        let next = event(&mut stream).await;
        assert!(next.changed.is_none() && next.notification.is_some(), "{next:?}");
    }
}

#[tokio::test]
async fn old_notifications_are_swept_and_no_longer_counted() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.push(BEN, ["old".to_owned(), "old and read".to_owned()]).await;
    let id = node.list(BEN, 1, "").await.unwrap().notifications[0].id.clone();
    node.mark(BEN, &id).await.unwrap();
    let token = node.watch(BEN, "").await.1;
    node.deps.clock.advance(time::Duration::days(181));
    node.push(BEN, ["new".to_owned()]).await;
    let mut conn = database.connect().await;
    assert_eq!(notifications::Sweep.sweep(&mut conn, node.deps.clock.now()).await.unwrap(), 2);
    assert_eq!(notifications::Sweep.sweep(&mut conn, node.deps.clock.now()).await.unwrap(), 0);
    let list = node.list(BEN, 10, "").await.unwrap();
    assert_eq!((titles(&list), list.unread_count), (vec!["new"], 1));
    node.deps.clock.advance(time::Duration::days(-181));
    let (mut stream, _) = node.watch(BEN, &token).await;
    assert_eq!(title(&mut stream).await, "new");
}
