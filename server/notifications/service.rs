//! The RPCs of notifications.

use super::{Notification, SessionEnd, Ties, changed, hub::Hub, people, settings, silences, store, stream, wire};
use crate::{
    auth,
    deps::Deps,
    error::{Error, Result},
    ids::{MemberId, NotificationId},
    mail_links::MailLinks,
    page,
    pb::notifications::{
        GetMailSubscriptionRequest, GetMailSubscriptionResponse, GetNotificationSettingsRequest, GetNotificationSettingsResponse,
        ListMutedMembersRequest, ListMutedMembersResponse, ListNotificationsRequest, ListNotificationsResponse,
        MarkAllNotificationsReadRequest, MarkAllNotificationsReadResponse, MarkNotificationReadRequest, MarkNotificationReadResponse,
        MuteMemberRequest, MuteMemberResponse, TargetKind, UnmuteMemberRequest, UnmuteMemberResponse, UnsubscribeRequest,
        UnsubscribeResponse, UpdateNotificationSettingsRequest, UpdateNotificationSettingsResponse, WatchNotificationsRequest,
        WatchNotificationsResponse, notifications_service_server::NotificationsService,
    },
    read, transact,
};
use sqlx::PgConnection;
use std::{collections::BTreeMap, sync::Arc};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, codegen::BoxStream};
use uuid::Uuid;

const LIST: &str = "notifications";

/// Serves the RPCs of one node.
#[derive(Clone)]
pub struct Service {
    deps: Deps,
    hub: Arc<Hub>,
    sessions: Arc<dyn SessionEnd>,
    ties: Arc<dyn Ties>,
    links: MailLinks,
    stop: CancellationToken,
}

impl Service {
    /// Begins to listen for notifications, for so many streams of one member. Open streams end at `stop`.
    pub fn new(
        deps: Deps,
        (sessions, ties): (Arc<dyn SessionEnd>, Arc<dyn Ties>),
        links: MailLinks,
        streams_per_member: usize,
        stop: CancellationToken,
    ) -> Self {
        let hub = Hub::start(deps.clone(), streams_per_member, stop.clone());
        Self { deps, hub, sessions, ties, links, stop }
    }
}

#[tonic::async_trait]
impl NotificationsService for Service {
    async fn list_notifications(&self, request: Request<ListNotificationsRequest>) -> Result<Response<ListNotificationsResponse>, Status> {
        let caller = auth::caller(&request)?;
        let asked = request.into_inner();
        let limit = page::limit(asked.limit);
        let before = self.deps.cursors.read::<i64>(LIST, caller.member, ("cursor", &asked.cursor))?.unwrap_or(i64::MAX);
        let (unread_count, rows, has_more, people) = read!(self.deps.pool, |conn| {
            let (_, unread_count) = store::counters(conn, caller.member).await?;
            let (rows, has_more) = page::cut(store::list(conn, caller.member, before, limit + 1).await?, limit);
            let people = people(conn, &rows).await?;
            Ok((unread_count, rows, has_more, people))
        })?;
        let cursor = match rows.last() {
            Some(last) if has_more => self.deps.cursors.write(LIST, caller.member, &last.seq)?,
            _ => String::new(),
        };
        let notifications = rows.into_iter().map(|n| wire::notification(n, &people, &self.deps.pictures)).collect();
        Ok(Response::new(ListNotificationsResponse { notifications, unread_count, cursor, has_more }))
    }

    async fn mark_notification_read(
        &self,
        request: Request<MarkNotificationReadRequest>,
    ) -> Result<Response<MarkNotificationReadResponse>, Status> {
        let member = auth::caller(&request)?.member;
        let id = NotificationId::parse("id", &request.get_ref().id)?;
        let now = self.deps.clock.now();
        let answer = transact!(self.deps.pool, |tx| {
            store::lock(tx, &[member]).await?;
            let seq = seen(tx, member, id).await?.seq;
            let count = store::mark_read(tx, member, (seq, seq), now).await?;
            let row = seen(tx, member, id).await?;
            if count > 0 {
                store::take_unread(tx, &BTreeMap::from([(member, count)])).await?;
                changed(tx, member, TargetKind::Notifications, Uuid::nil());
            }
            let (_, unread_count) = store::counters(tx, member).await?;
            let people = people(tx, std::slice::from_ref(&row)).await?;
            Ok(MarkNotificationReadResponse { notification: Some(wire::notification(row, &people, &self.deps.pictures)), unread_count })
        })?;
        Ok(Response::new(answer))
    }

    async fn mark_all_notifications_read(
        &self,
        request: Request<MarkAllNotificationsReadRequest>,
    ) -> Result<Response<MarkAllNotificationsReadResponse>, Status> {
        let member = auth::caller(&request)?.member;
        let up_to = match request.get_ref().up_to_id.as_str() {
            "" => None,
            id => Some(NotificationId::parse("up_to_id", id)?),
        };
        let now = self.deps.clock.now();
        let unread_count = transact!(self.deps.pool, |tx| {
            store::lock(tx, &[member]).await?;
            let last = match up_to {
                Some(id) => seen(tx, member, id).await?.seq,
                None => i64::MAX,
            };
            let count = store::mark_read(tx, member, (0, last), now).await?;
            if count > 0 {
                store::take_unread(tx, &BTreeMap::from([(member, count)])).await?;
                changed(tx, member, TargetKind::Notifications, Uuid::nil());
            }
            Ok(store::counters(tx, member).await?.1)
        })?;
        Ok(Response::new(MarkAllNotificationsReadResponse { unread_count }))
    }

    async fn mute_member(&self, request: Request<MuteMemberRequest>) -> Result<Response<MuteMemberResponse>, Status> {
        let me = auth::caller(&request)?.member;
        silences::mute(&self.deps, &*self.ties, me, &request.get_ref().member_id).await?;
        Ok(Response::new(MuteMemberResponse {}))
    }

    async fn unmute_member(&self, request: Request<UnmuteMemberRequest>) -> Result<Response<UnmuteMemberResponse>, Status> {
        let me = auth::caller(&request)?.member;
        silences::unmute(&self.deps, &*self.ties, me, &request.get_ref().member_id).await?;
        Ok(Response::new(UnmuteMemberResponse {}))
    }

    async fn list_muted_members(&self, request: Request<ListMutedMembersRequest>) -> Result<Response<ListMutedMembersResponse>, Status> {
        let me = auth::caller(&request)?.member;
        let muted = read!(self.deps.pool, |conn| store::silences::muted(conn, me).await)?;
        Ok(Response::new(ListMutedMembersResponse { muted: muted.into_iter().map(wire::muted).collect() }))
    }

    async fn get_notification_settings(
        &self,
        request: Request<GetNotificationSettingsRequest>,
    ) -> Result<Response<GetNotificationSettingsResponse>, Status> {
        let member = auth::caller(&request)?.member;
        Ok(Response::new(GetNotificationSettingsResponse { topics: settings::of(&self.deps, member).await? }))
    }

    async fn update_notification_settings(
        &self,
        request: Request<UpdateNotificationSettingsRequest>,
    ) -> Result<Response<UpdateNotificationSettingsResponse>, Status> {
        let member = auth::caller(&request)?.member;
        let topics = settings::change(&self.deps, member, &request.get_ref().topics).await?;
        Ok(Response::new(UpdateNotificationSettingsResponse { topics }))
    }

    async fn get_mail_subscription(
        &self,
        request: Request<GetMailSubscriptionRequest>,
    ) -> Result<Response<GetMailSubscriptionResponse>, Status> {
        Ok(Response::new(settings::subscription(&self.deps, &self.links, &request.get_ref().token).await?))
    }

    async fn unsubscribe(&self, request: Request<UnsubscribeRequest>) -> Result<Response<UnsubscribeResponse>, Status> {
        Ok(Response::new(settings::unsubscribe(&self.deps, &self.links, &request.get_ref().token).await?))
    }

    async fn watch_notifications(
        &self,
        request: Request<WatchNotificationsRequest>,
    ) -> Result<Response<BoxStream<WatchNotificationsResponse>>, Status> {
        let caller = auth::caller(&request)?;
        let end = stream::end(&self.deps, &caller, &*self.sessions, &self.stop);
        let events = stream::open(&self.deps, &self.hub, &caller, &request.get_ref().resume_token, end).await?;
        Ok(Response::new(Box::pin(events)))
    }
}

/// A notification of the member's.
async fn seen(conn: &mut PgConnection, member: MemberId, id: NotificationId) -> Result<Notification> {
    store::get(conn, member, id).await?.ok_or_else(|| Error::not_found("notification"))
}
