//! Notifications live: what a stream tells, resumes, and when it ends.

use super::node::{ANA, BEN, HINTED, Node, by, event, new, next, title};
use crate::harness::Database;
use futures_util::{FutureExt, StreamExt, future::join_all};
use goodturn::{
    error::Error,
    ids::MemberId,
    notifications::{self, New},
    pb::notifications::{TargetKind, WatchNotificationsRequest, notifications_service_server::NotificationsService},
    transact,
};
use sqlx::Connection;
use std::{collections::HashSet, sync::Arc};
use tonic::Code;
use uuid::Uuid;

#[tokio::test]
async fn an_event_of_one_node_arrives_at_every_client_of_the_other() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    let (mut phone, _) = other.watch(BEN, "").await;
    let (mut desk, _) = other.watch(BEN, "").await;
    let (mut stranger, _) = other.watch(ANA, "").await;
    one.push(BEN, ["Hello".to_owned()]).await;
    assert_eq!((title(&mut phone).await, title(&mut desk).await), ("Hello".into(), "Hello".into()));
    assert!(stranger.next().now_or_never().is_none());
}

#[tokio::test]
async fn a_change_is_hinted_to_clients_everywhere_and_moves_no_token() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    other.hears().await;
    let (mut stream, token) = other.watch(BEN, "").await;
    one.hint(BEN).await;
    let told = event(&mut stream).await;
    let target = told.changed.expect("a change");
    assert_eq!((target.kind(), target.id, told.resume_token), (TargetKind::Favor, HINTED.to_string(), token));
}

#[tokio::test]
async fn a_hint_is_told_even_when_the_rows_cannot_be_read() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    other.hears().await;
    let (mut stream, _) = other.watch(BEN, "").await;
    one.push(BEN, ["1".to_owned()]).await;
    assert_eq!(title(&mut stream).await, "1");
    // From here on the stream only listens, and the hub finds no connection to read with.
    other.deps.pool.close();
    let hinted: Result<(), Error> = transact!(one.deps.pool, |tx| {
        notifications::changed(tx, BEN, TargetKind::Favor, Uuid::from_u128(3));
        Ok(())
    });
    hinted.unwrap();
    assert_eq!(event(&mut stream).await.changed.expect("a change").kind(), TargetKind::Favor);
}

#[tokio::test]
async fn reconnecting_loses_none_and_repeats_none_while_200_are_pushed_at_once() {
    let database = Database::create().await;
    let (one, other) = (Arc::new(Node::on(&database)), Node::on(&database));
    let (_, mut token) = other.watch(BEN, "").await;
    let pushers = (0..8).map(|p| {
        let node = one.clone();
        tokio::spawn(async move { node.push(BEN, (0..25).map(|n| format!("{p}/{n}"))).await })
    });
    let pushers: Vec<_> = pushers.collect();
    let mut seen = Vec::new();
    while seen.len() < 200 {
        let (mut stream, _) = other.watch(BEN, &token).await;
        // Seven of each stream, then the connection is gone.
        for _ in 0..7.min(200 - seen.len()) {
            let told = event(&mut stream).await;
            token = told.resume_token;
            seen.push(told.notification.expect("a notification").title);
        }
    }
    join_all(pushers).await;
    assert_eq!(seen.iter().collect::<HashSet<_>>().len(), 200);
    let mut stored = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = other.list(BEN, 100, &cursor).await.unwrap();
        stored.extend(page.notifications.into_iter().map(|n| n.title));
        cursor = page.cursor;
        if !page.has_more {
            break;
        }
    }
    stored.reverse();
    assert_eq!(seen, stored);
}

#[tokio::test]
async fn a_lost_wake_up_is_found_by_the_poll() {
    let database = Database::create().await;
    let node = Node::on(&database);
    let (mut stream, _) = node.watch(BEN, "").await;
    node.push(BEN, ["1".to_owned()]).await;
    assert_eq!(title(&mut stream).await, "1");
    // A row as a push leaves it, of which no signal came.
    let mut beside = database.connect().await;
    let mut tx = beside.begin().await.unwrap();
    let statements = [
        "UPDATE notification_counters SET last_seq = 2, unread = 2",
        "INSERT INTO notifications (member_id, seq, id, type, title, message, target_kind, target_id, action_required, created_at)
         SELECT member_id, 2, gen_random_uuid(), type, 'late', message, target_kind, target_id, false, created_at FROM notifications",
    ];
    for statement in statements {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let told = event(&mut stream).await;
    assert_eq!((told.notification.unwrap().title.as_str(), told.unread_count), ("late", 2));
}

#[tokio::test]
async fn a_slow_reader_is_cut_and_loses_none_when_it_comes_back() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.hears().await;
    let (mut slow, mut token) = node.watch(BEN, "").await;
    node.push(BEN, ["first".to_owned()]).await;
    // It has read the rows there are, and from here on only hears; then it sleeps.
    assert_eq!(title(&mut slow).await, "first");
    let (mut live, _) = node.watch(BEN, "").await;
    // Fewer at once than a stream reads of the rows: then it hears of the next ones.
    for batch in 0..15 {
        let titles: Vec<_> = (0..90).map(|n| (batch * 90 + n).to_string()).collect();
        node.push_all(&titles.iter().map(|title| new(BEN, title)).collect::<Vec<_>>()).await;
        // One who reads along is never cut.
        for told in titles {
            assert_eq!(title(&mut live).await, told);
        }
    }
    // Hints come after the rows: what is told here was told to the slow one, as long as it had room.
    node.hint(BEN).await;
    while event(&mut live).await.changed.is_none() {}
    let mut seen = 0;
    let cut = loop {
        match next(&mut slow).await {
            Ok(told) => {
                assert_eq!(told.notification.unwrap().title, seen.to_string());
                (seen, token) = (seen + 1, told.resume_token);
            }
            Err(status) => break status,
        }
    };
    assert_eq!(cut.code(), Code::ResourceExhausted);
    assert!(slow.next().await.is_none());
    assert!(seen < 1350, "{seen}");
    let (mut again, _) = node.watch(BEN, &token).await;
    for n in seen..1350 {
        assert_eq!(title(&mut again).await, n.to_string());
    }
}

#[tokio::test]
async fn streams_end_with_the_server_and_with_the_session() {
    let database = Database::create().await;
    let node = Node::on(&database);
    let (mut stream, _) = node.watch(BEN, "").await;
    node.sessions.0.cancel();
    assert_eq!(next(&mut stream).await.unwrap_err().code(), Code::Unauthenticated);
    assert!(stream.next().await.is_none());

    let node = Node::on(&database);
    let (mut stream, _) = node.watch(BEN, "").await;
    node.stop.cancel();
    assert_eq!(next(&mut stream).await.unwrap_err().code(), Code::Unavailable);
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let database = Database::create().await;
    let node = Node::on(&database);
    node.deps.clock.advance(time::Duration::seconds(3599));
    let (mut stream, _) = node.watch(BEN, "").await;
    assert_eq!(next(&mut stream).await.unwrap_err().code(), Code::Unauthenticated);
}

#[tokio::test]
async fn a_resume_token_is_its_member_s_own() {
    let database = Database::create().await;
    let node = Node::on(&database);
    let (_, token) = node.watch(BEN, "").await;
    let request = by(ANA, WatchNotificationsRequest { resume_token: token });
    let refused = node.service.watch_notifications(request).await.err().unwrap();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn a_thousand_members_hear_at_once() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    let members: Vec<MemberId> = (1..=1000).map(|n| MemberId(Uuid::from_u128(n))).collect();
    // All at once, as after a restart.
    let mut streams: Vec<_> = join_all(members.iter().map(|m| other.watch(*m, ""))).await.into_iter().map(|w| w.0).collect();
    let batch: Vec<New> = members.iter().map(|m| new(*m, "all")).collect();
    one.push_all(&batch).await;
    for told in join_all(streams.iter_mut().map(title)).await {
        assert_eq!(told, "all");
    }
}
