//! What becomes of friends and requests when a member leaves, and what is kept of a member.

use super::{Direction, Invitation, Report, Request, RequestStatus, invitations, rules, store};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    identity::{self, store::email_key},
    ids::{FriendRequestId, InvitationId, MemberId, ReportId},
    notifications::{self, Apart, Told},
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
    /// All that was between the member and others goes, words of requests too, and the member's own blocks. What others reported, blocked or muted stays:
    /// it is theirs. Nobody is told; clients that show some of it read it anew.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        store::invitations::remove_of(tx, member).await?;
        store::lock_pairs(tx, member).await?;
        for other in store::remove_requests(tx, member).await? {
            notifications::changed(tx, other, TargetKind::FriendRequest, Uuid::nil());
        }
        store::blocks::remove_all_of(tx, member).await?;
        notifications::forget_silences(tx, member).await?;
        store::reports::remove_by(tx, member).await?;
        for friend in store::part_from_all(tx, member).await? {
            notifications::changed(tx, friend, TargetKind::Member, Uuid::nil());
        }
        Ok(Told::default())
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn registered(&self, tx: &mut Tx, id: MemberId, invitation: Uuid) -> Result<()> {
        store::invitations::claim(tx, id, invitation, self.0.clock.now()).await
    }

    async fn was_mailed_to(&self, conn: &mut PgConnection, invitation: Uuid, email: &str) -> Result<bool> {
        let found = store::invitations::standing(conn, InvitationId(invitation), self.0.clock.now()).await?;
        Ok(found.is_some_and(|found| email_key(&found.email) == email_key(email)))
    }

    /// Whoever invited the member asks to be friends.
    async fn confirmed(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        invitations::welcome(tx, &self.0, member).await
    }

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
        let blocked: Vec<Value> = store::blocks::list(conn, member).await?.into_iter().map(apart).collect();
        let muted: Vec<Value> = notifications::muted(conn, member).await?.into_iter().map(apart).collect();
        let (mut reports, mut after) = (Vec::new(), ReportId(Uuid::nil()));
        loop {
            let page = store::reports::after(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            reports.extend(page.iter().map(reported));
        }
        let (mut sent, mut after) = (Vec::new(), InvitationId(Uuid::nil()));
        loop {
            let page = store::invitations::after(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            sent.extend(page.iter().map(invited));
        }
        Ok(Some((
            "friends",
            json!({
                "friends": friends,
                "requests": requests,
                "invitations": sent,
                "blocked": blocked,
                "muted": muted,
                "memberReports": reports,
            }),
        )))
    }
}

fn apart(other: Apart) -> Value {
    let (since, person) = (identity::instant(other.since), other.into_person());
    json!({ "uid": person.uid, "displayName": person.display_name, "since": since })
}

fn invited(invitation: &Invitation) -> Value {
    let (sent_at, expires_at) = (identity::instant(invitation.sent_at), identity::instant(invitation.expires_at));
    json!({ "email": invitation.email, "message": invitation.message, "sentAt": sent_at, "expiresAt": expires_at })
}

fn reported(report: &Report) -> Value {
    json!({ "uid": report.reported.to_string(), "reason": report.reason, "at": identity::instant(report.at) })
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
