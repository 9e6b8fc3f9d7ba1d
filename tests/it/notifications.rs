//! Notifications: stored, counted, marked, and streamed live from whatever node they were made on. The nodes here are services without a
//! port: what is tried is the hub, the stream and the rows.

use crate::harness::{Database, START};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, future::join_all};
use goodturn::{
    auth::Caller,
    clock::Clock,
    deps::Deps,
    error::{Error, Reason},
    ids::{MemberId, SessionId},
    jobs::Sweep as _,
    notifications::{self, New, Service, SessionEnd, Settled, Target},
    pb::notifications::{
        ListNotificationsRequest, ListNotificationsResponse, MarkAllNotificationsReadRequest, MarkNotificationReadRequest,
        NotificationType, TargetKind, WatchNotificationsRequest, WatchNotificationsResponse as Event,
        notifications_service_server::NotificationsService,
    },
    transact,
};
use sqlx::Connection;
use std::{collections::HashSet, sync::Arc, time::Duration};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status, codegen::BoxStream};
use uuid::Uuid;

const ANA: MemberId = MemberId(Uuid::from_u128(1));
const BEN: MemberId = MemberId(Uuid::from_u128(2));

/// Sessions that all end at once.
#[derive(Clone, Default)]
struct Sessions(CancellationToken);

impl SessionEnd for Sessions {
    fn ended(&self, _: &Caller) -> BoxFuture<'static, ()> {
        self.0.clone().cancelled_owned().boxed()
    }
}

/// Of one member on one node.
const STREAMS_MAX: usize = 20;

struct Node {
    deps: Deps,
    service: Service,
    sessions: Sessions,
    stop: CancellationToken,
}

impl Node {
    fn on(database: &Database) -> Self {
        let (stop, clock) = (CancellationToken::new(), Clock::fixed(START));
        let deps = database.deps(clock, &stop);
        let sessions = Sessions::default();
        let service = Service::new(deps.clone(), Arc::new(sessions.clone()), STREAMS_MAX, stop.clone());
        Self { deps, service, sessions, stop }
    }

    /// Waits until the node hears signals: a hint that is given before is lost, and need not be found.
    async fn hears(&self) {
        while self.deps.bus.silent_for().is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Tells a member some things, each in a transaction of its own.
    async fn push(&self, member: MemberId, titles: impl IntoIterator<Item = String>) {
        for title in titles {
            self.push_all(&[new(member, &title)]).await;
        }
    }

    /// Tells several things in one transaction.
    async fn push_all(&self, batch: &[New]) {
        let pushed: Result<(), Error> = transact!(self.deps.pool, |tx| notifications::push(tx, &self.deps, batch).await);
        pushed.unwrap();
    }

    /// Settles what is expected of a member about a thing, as far as an actor caused it.
    async fn settle(&self, member: MemberId, thing: u128, actor: Option<MemberId>) {
        let settled = [Settled { member, about: Uuid::from_u128(thing), actor }];
        let done: Result<(), Error> = transact!(self.deps.pool, |tx| notifications::tell(tx, &self.deps, &[], &settled).await);
        done.unwrap();
    }

    async fn list(&self, member: MemberId, limit: i32, cursor: &str) -> Result<ListNotificationsResponse, Status> {
        let request = by(member, ListNotificationsRequest { limit: Some(limit), cursor: cursor.into() });
        Ok(self.service.list_notifications(request).await?.into_inner())
    }

    async fn mark(&self, member: MemberId, id: &str) -> Result<i32, Status> {
        let request = by(member, MarkNotificationReadRequest { id: id.into() });
        let answer = self.service.mark_notification_read(request).await?.into_inner();
        assert!(answer.notification.unwrap().read);
        Ok(answer.unread_count)
    }

    async fn mark_all(&self, member: MemberId) -> i32 {
        self.service.mark_all_notifications_read(by(member, MarkAllNotificationsReadRequest {})).await.unwrap().into_inner().unread_count
    }

    /// Opens a stream, and reads its first event.
    async fn watch(&self, member: MemberId, resume_token: &str) -> (BoxStream<Event>, String) {
        let request = by(member, WatchNotificationsRequest { resume_token: resume_token.into() });
        let mut stream = self.service.watch_notifications(request).await.unwrap().into_inner();
        let first = event(&mut stream).await;
        assert!(first.notification.is_none() && first.changed.is_none());
        (stream, first.resume_token)
    }
}

fn by<T>(member: MemberId, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let expires_at_s = START.unix_timestamp() + 3600;
    request.extensions_mut().insert(Caller { member, session: SessionId(Uuid::from_u128(9)), expires_at_s });
    request
}

fn new(member: MemberId, title: &str) -> New {
    New {
        member,
        kind: NotificationType::FavorRequest,
        title: title.into(),
        message: "Ana asks for a favor.".into(),
        actor: Some(ANA),
        target: Target(TargetKind::Favor, Uuid::from_u128(7)),
        // Each title is about something else.
        about: Uuid::from_u128(title.bytes().fold(7, |id: u128, b| id.wrapping_mul(257).wrapping_add(b.into()))),
        action_required: true,
    }
}

/// The same about a thing that is given.
fn about(member: MemberId, thing: u128, title: &str) -> New {
    New { about: Uuid::from_u128(thing), ..new(member, title) }
}

async fn next(stream: &mut BoxStream<Event>) -> Result<Event, Status> {
    timeout(Duration::from_secs(10), stream.next()).await.expect("an event comes within ten seconds").expect("the stream goes on")
}

async fn event(stream: &mut BoxStream<Event>) -> Event {
    next(stream).await.unwrap()
}

async fn title(stream: &mut BoxStream<Event>) -> String {
    event(stream).await.notification.expect("a notification").title
}

fn titles(page: &ListNotificationsResponse) -> Vec<&str> {
    page.notifications.iter().map(|n| n.title.as_str()).collect()
}

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
async fn a_change_is_hinted_to_clients_everywhere_and_moves_no_token() {
    let database = Database::create().await;
    let (one, other) = (Node::on(&database), Node::on(&database));
    other.hears().await;
    let (mut stream, token) = other.watch(BEN, "").await;
    let favor = Uuid::from_u128(3);
    let hinted: Result<(), Error> = transact!(one.deps.pool, |tx| {
        notifications::changed(tx, BEN, TargetKind::Favor, favor);
        Ok(())
    });
    hinted.unwrap();
    let told = event(&mut stream).await;
    let target = told.changed.expect("a change");
    assert_eq!((target.kind(), target.id, told.resume_token), (TargetKind::Favor, favor.to_string(), token));
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
        assert_eq!(event(&mut later).await.notification.unwrap().title, title);
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
    let settled = [BEN, ANA].map(|member| Settled { member, about: Uuid::from_u128(if member == BEN { 2 } else { 1 }), actor: None });
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
    let (mut slow, mut token) = node.watch(BEN, "").await;
    node.push(BEN, ["first".to_owned()]).await;
    // It has read the rows there are, and from here on only hears; then it sleeps.
    assert_eq!(title(&mut slow).await, "first");
    let (mut live, _) = node.watch(BEN, "").await;
    for batch in 0..15 {
        let news: Vec<New> = (0..100).map(|n| new(BEN, &(batch * 100 + n).to_string())).collect();
        node.push_all(&news).await;
        // One who reads along is never cut.
        for n in 0..100 {
            assert_eq!(title(&mut live).await, (batch * 100 + n).to_string());
        }
    }
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
    assert!(seen < 1500, "{seen}");
    let (mut again, _) = node.watch(BEN, &token).await;
    for n in seen..1500 {
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
