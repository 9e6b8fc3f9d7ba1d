//! What becomes of friends and requests when a member leaves, and what is kept of a member.

use super::{Direction, Request, RequestStatus, rules, store};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    identity,
    ids::{FriendRequestId, MemberId},
    notifications::{self, Told},
    pb::notifications::TargetKind,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 500;

/// Hears of members.
pub struct Hooks(pub Deps);

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// All that was between the member and others goes, words of requests too. Nobody is told; clients that show some of it read it anew.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        store::lock_pairs(tx, member).await?;
        for other in store::remove_requests(tx, member).await? {
            notifications::changed(tx, other, TargetKind::FriendRequest, Uuid::nil());
        }
        for friend in store::part_from_all(tx, member).await? {
            notifications::changed(tx, friend, TargetKind::Member, Uuid::nil());
        }
        Ok(Told::default())
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let friends: Vec<Value> = store::friends(conn, member)
            .await?
            .into_iter()
            .map(|f| {
                let since = identity::instant(f.since);
                let person = f.shown.into_person(false, &self.0.pictures);
                json!({ "uid": person.uid, "displayName": person.display_name, "since": since })
            })
            .collect();
        let (mut requests, mut after) = (Vec::new(), FriendRequestId(Uuid::nil()));
        loop {
            let page = store::requests_after(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            requests.extend(page.iter().filter_map(|request| told(request, self.0.clock.now())));
        }
        Ok(Some(("friends", json!({ "friends": friends, "requests": requests }))))
    }
}

/// A request as the member knows it. Declining is silent: one that was declined reads as it does in the sender's list.
fn told(request: &Request, now: OffsetDateTime) -> Option<Value> {
    let (direction, status) = match (request.direction, request.status) {
        (Direction::Sent, RequestStatus::Accepted) => ("sent", "accepted"),
        (Direction::Sent, _) if rules::stands(request, now) => ("sent", "pending"),
        (Direction::Sent, _) | (Direction::Received, RequestStatus::Cancelled) => return None,
        (Direction::Received, RequestStatus::Pending) => ("received", "pending"),
        (Direction::Received, RequestStatus::Accepted) => ("received", "accepted"),
        (Direction::Received, RequestStatus::Declined) => ("received", "declined"),
    };
    let answered = (status != "pending").then_some(request.answered_at).flatten();
    Some(json!({
        "uid": request.other.to_string(),
        "direction": direction,
        "status": status,
        "message": request.message,
        "sentAt": identity::instant(request.sent_at),
        "answeredAt": answered.map(identity::instant),
    }))
}
