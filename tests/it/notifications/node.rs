//! Nodes without a port, and what is told in their tests.

use crate::harness::{Database, START};
use futures_util::{FutureExt, StreamExt, future::BoxFuture};
use goodturn::{
    auth::Caller,
    clock::Clock,
    deps::Deps,
    error::{Error, Result},
    ids::{MemberId, SessionId},
    mail_links::MailLinks,
    notifications::{self, New, Service, SessionEnd, Settled, Target, Ties},
    pb::notifications::{
        ListNotificationsRequest, ListNotificationsResponse, MarkAllNotificationsReadRequest, MarkNotificationReadRequest,
        NotificationType, TargetKind, WatchNotificationsRequest, WatchNotificationsResponse as Event,
        notifications_service_server::NotificationsService,
    },
    transact,
};
use sqlx::PgConnection;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Status, codegen::BoxStream};
use uuid::Uuid;

/// Who causes what is told.
pub const ANA: MemberId = MemberId(Uuid::from_u128(1));

/// Who is told.
pub const BEN: MemberId = MemberId(Uuid::from_u128(2));

/// Sessions that all end at once.
#[derive(Clone, Default)]
pub struct Sessions(pub CancellationToken);

impl SessionEnd for Sessions {
    fn ended(&self, _: &Caller) -> BoxFuture<'static, ()> {
        self.0.clone().cancelled_owned().boxed()
    }
}

/// The favor of hints.
pub const HINTED: Uuid = Uuid::from_u128(3);
/// Of one member on one node.
pub const STREAMS_MAX: usize = 20;

/// Of whom nobody has to do with anybody.
struct Strangers;

#[tonic::async_trait]
impl Ties for Strangers {
    async fn tied(&self, _: &mut PgConnection, _: MemberId, _: MemberId) -> Result<bool> {
        Ok(false)
    }
}

/// A node without a port.
pub struct Node {
    pub deps: Deps,
    pub service: Service,
    pub sessions: Sessions,
    pub stop: CancellationToken,
}

impl Node {
    pub fn on(database: &Database) -> Self {
        let (stop, clock) = (CancellationToken::new(), Clock::fixed(START));
        let deps = database.deps(clock, &stop);
        let sessions = Sessions::default();
        let (links, ties) = (MailLinks::new(&[7; 32], "http://goodturn.test"), Arc::new(Strangers));
        let service = Service::new(deps.clone(), (Arc::new(sessions.clone()), ties), links, STREAMS_MAX, stop.clone());
        Self { deps, service, sessions, stop }
    }

    /// Waits until the node hears signals: a hint that is given before is lost, and need not be found.
    pub async fn hears(&self) {
        while self.deps.bus.silent_for().is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Tells a member some things, each in a transaction of its own.
    pub async fn push(&self, member: MemberId, titles: impl IntoIterator<Item = String>) {
        for title in titles {
            self.push_all(&[new(member, &title)]).await;
        }
    }

    /// Tells several things in one transaction.
    pub async fn push_all(&self, batch: &[New]) {
        let pushed: Result<(), Error> = transact!(self.deps.pool, |tx| notifications::push(tx, &self.deps, batch).await);
        pushed.unwrap();
    }

    /// Hints to a member that a favor has changed.
    pub async fn hint(&self, member: MemberId) {
        let hinted: Result<(), Error> = transact!(self.deps.pool, |tx| {
            notifications::changed(tx, member, TargetKind::Favor, HINTED);
            Ok(())
        });
        hinted.unwrap();
    }

    /// Settles what is expected of a member about a thing, as far as an actor caused it.
    pub async fn settle(&self, member: MemberId, thing: u128, actor: Option<MemberId>) {
        let settled = [Settled { member, about: Uuid::from_u128(thing), actor, called_off: false, seen: false }];
        let done: Result<(), Error> = transact!(self.deps.pool, |tx| notifications::tell(tx, &self.deps, &[], &settled).await);
        done.unwrap();
    }

    pub async fn list(&self, member: MemberId, limit: i32, cursor: &str) -> Result<ListNotificationsResponse, Status> {
        let request = by(member, ListNotificationsRequest { limit: Some(limit), cursor: cursor.into() });
        Ok(self.service.list_notifications(request).await?.into_inner())
    }

    pub async fn mark(&self, member: MemberId, id: &str) -> Result<i32, Status> {
        let request = by(member, MarkNotificationReadRequest { id: id.into() });
        let answer = self.service.mark_notification_read(request).await?.into_inner();
        assert!(answer.notification.unwrap().read);
        Ok(answer.unread_count)
    }

    pub async fn mark_all(&self, member: MemberId) -> i32 {
        self.mark_up_to(member, "").await.unwrap()
    }

    /// Marks all that are not newer than one.
    pub async fn mark_up_to(&self, member: MemberId, id: &str) -> Result<i32, Status> {
        let request = by(member, MarkAllNotificationsReadRequest { up_to_id: id.into() });
        Ok(self.service.mark_all_notifications_read(request).await?.into_inner().unread_count)
    }

    /// Opens a stream, and reads its first event.
    pub async fn watch(&self, member: MemberId, resume_token: &str) -> (BoxStream<Event>, String) {
        let request = by(member, WatchNotificationsRequest { resume_token: resume_token.into() });
        let mut stream = self.service.watch_notifications(request).await.unwrap().into_inner();
        let first = event(&mut stream).await;
        assert!(first.notification.is_none() && first.changed.is_none());
        (stream, first.resume_token)
    }
}

/// A request of a member.
pub fn by<T>(member: MemberId, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let expires_at_s = START.unix_timestamp() + 3600;
    request.extensions_mut().insert(Caller { member, session: SessionId(Uuid::from_u128(9)), expires_at_s, signed_by: "".into() });
    request
}

/// Something to tell a member.
pub fn new(member: MemberId, title: &str) -> New {
    New {
        member,
        kind: NotificationType::FavorRequest,
        title: title.into(),
        message: "Ana asks for a favor.".into(),
        actor: Some(ANA),
        target: Target(TargetKind::Favor, Uuid::from_u128(7)),
        // Each title is about something else.
        about: Uuid::from_u128(title.bytes().fold(7, |id: u128, b| id.wrapping_mul(257).wrapping_add(b.into()))),
        about_unread: None,
        action_required: true,
    }
}

/// The same about a thing that is given.
pub fn about(member: MemberId, thing: u128, title: &str) -> New {
    New { about: Uuid::from_u128(thing), ..new(member, title) }
}

/// What a stream says next.
pub async fn next(stream: &mut BoxStream<Event>) -> Result<Event, Status> {
    timeout(Duration::from_secs(10), stream.next()).await.expect("an event comes within ten seconds").expect("the stream goes on")
}

/// The next event of a stream.
pub async fn event(stream: &mut BoxStream<Event>) -> Event {
    next(stream).await.unwrap()
}

/// The title of the next notification of a stream.
pub async fn title(stream: &mut BoxStream<Event>) -> String {
    event(stream).await.notification.expect("a notification").title
}

/// The same, whatever hints come before it.
pub async fn told(stream: &mut BoxStream<Event>) -> String {
    loop {
        if let Some(notification) = event(stream).await.notification {
            return notification.title;
        }
    }
}

/// The titles of a page.
pub fn titles(page: &ListNotificationsResponse) -> Vec<&str> {
    page.notifications.iter().map(|n| n.title.as_str()).collect()
}
