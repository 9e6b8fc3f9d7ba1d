//! Asking somebody, and making friends of who has asked: what is written and who is told.

use super::{Service, member, pair::Pair};
use crate::{
    budgets::{self, Spending, Subject},
    db::Tx,
    error::{Error, Reason, Result},
    friends::{
        Direction, FRIENDS_MAX, Request as FriendRequest, RequestStatus, SENT_MAX,
        rules::{self, Asking},
        store, texts, wire,
    },
    identity::{Member, harmless, store as identity},
    ids::{FriendRequestId, MemberId},
    notifications::{self, New, Settled, Target},
    pb::{
        friends as pb,
        friends::FriendRequestStatus,
        notifications::{NotificationType, TargetKind},
    },
    text,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

impl Service {
    /// Asks, or makes friends of two who have asked each other.
    pub(super) async fn ask(
        &self,
        tx: &mut Tx,
        me: MemberId,
        other: MemberId,
        asked: &pb::SendFriendRequestRequest,
    ) -> Result<pb::SendFriendRequestResponse> {
        if me == other {
            return Err(Error::new(Reason::SelfRequest, "you cannot be your own friend"));
        }
        // Budgets before the pair, as everywhere. What makes friends counts, and is not refused.
        let spent = spend(tx, me, other, self.deps.clock.now()).await?;
        self.ask_spent(tx, (me, other), spent, (asked.receiver_uid.is_empty(), &asked.message)).await
    }

    /// The same, with what was spent; whether the other one is asked at an address that they wrote to, and the words.
    pub(in crate::friends) async fn ask_spent(
        &self,
        tx: &mut Tx,
        (me, other): (MemberId, MemberId),
        spent: Result<()>,
        (by_email, message): (bool, &str),
    ) -> Result<pb::SendFriendRequestResponse> {
        let now = self.deps.clock.now();
        // Neither leaves while this is written.
        if identity::share(tx, &[me, other]).await?.len() < 2 {
            return Err(Error::not_found("member"));
        }
        // Locked first: of two crossing requests the second sees the first.
        store::lock_pair(tx, me, other).await?;
        let standing = store::blocks::standing(tx, me, other).await?;
        let pair = Pair::read(tx, me, other).await?;
        let asking = rules::ask(standing, pair.mine.as_ref(), pair.theirs.as_ref(), now)?;
        if asking == Asking::Befriend {
            let id = self.befriend(tx, &pair).await?;
            return Ok(wire::sent(id, FriendRequestStatus::Accepted));
        }
        spent?;
        // Guards against floods, not an invariant: two at once may both be the last.
        if store::count_sent(tx, me, now).await? >= SENT_MAX || store::count(tx, me).await? >= FRIENDS_MAX {
            return Err(Error::new(Reason::LimitReached, "you have too many friends or open requests"));
        }
        let request = FriendRequest {
            id: self.deps.ids.id(),
            other,
            direction: Direction::Sent,
            status: RequestStatus::Pending,
            by_email,
            hidden: false,
            message: text::clean(message),
            sent_at: now,
            answered_at: None,
            declined_at: None,
        };
        if asking == Asking::Unheard {
            pair.write(tx, rules::unheard(&request, pair.mine.as_ref())).await?;
            self.tell_nothing(tx, me, other).await?;
        } else {
            pair.write(tx, rules::sent(&request, me, pair.mine.as_ref(), pair.theirs.as_ref())).await?;
            self.tell_asked(tx, me, &request).await?;
        }
        Ok(wire::sent(request.id, FriendRequestStatus::Pending))
    }

    async fn tell_asked(&self, tx: &mut Tx, me: MemberId, request: &FriendRequest) -> Result<()> {
        let new = asked(&member(tx, me).await?, request.other, request.id);
        notifications::push(tx, &self.deps, &[new]).await
    }

    /// What takes as long as telling the other of a request: from how long an answer takes nobody shall learn that they were declined.
    async fn tell_nothing(&self, tx: &mut Tx, me: MemberId, other: MemberId) -> Result<()> {
        let new = asked(&member(tx, me).await?, other, FriendRequestId(Uuid::nil()));
        notifications::tell_nothing(tx, &self.deps, &new).await
    }

    /// Makes the caller and the sender of what stands friends, and tells the sender. The id of the request.
    pub(super) async fn befriend(&self, tx: &mut Tx, pair: &Pair) -> Result<FriendRequestId> {
        let (now, me, other) = (self.deps.clock.now(), pair.me, pair.other);
        let request = pair.theirs.as_ref().ok_or_else(|| Error::not_found("friend request"))?;
        store::lock_circles(tx, me, other).await?;
        for side in [me, other] {
            if store::count(tx, side).await? >= FRIENDS_MAX {
                return Err(Error::new(Reason::LimitReached, "one of you has the maximum number of friends"));
            }
        }
        pair.write(tx, rules::accepted(other, request, now)).await?;
        store::befriend(tx, me, other, now).await?;
        let name = member(tx, me).await?.display_name();
        let (title, message) = texts::accepted(&name);
        let new = New {
            member: other,
            kind: NotificationType::FriendAccepted,
            title: title.to_owned(),
            message,
            actor: Some(me),
            target: Target(TargetKind::Member, me.0),
            about: me.0,
            about_unread: None,
            action_required: false,
        };
        notifications::tell(tx, &self.deps, &[new], &[Settled { seen: true, ..answered(me, other) }, answered(other, me)]).await?;
        notifications::changed(tx, me, TargetKind::FriendRequest, request.id.0);
        Ok(request.id)
    }
}

/// What a member is told whom somebody asks.
pub(in crate::friends) fn asked(asker: &Member, member: MemberId, request: FriendRequestId) -> New {
    let (title, message) = texts::asked(&harmless(&asker.display_name()));
    New {
        member,
        kind: NotificationType::FriendRequest,
        title: title.to_owned(),
        message,
        actor: Some(asker.id),
        target: Target(TargetKind::FriendRequest, request.0),
        // Asked anew, it has another id.
        about: asker.id.0,
        about_unread: None,
        action_required: true,
    }
}

/// A request of somebody's waits no longer for a member's answer.
pub(super) fn answered(member: MemberId, asker: MemberId) -> Settled {
    Settled { member, about: asker.0, actor: Some(asker), called_off: false, seen: false }
}

/// Somebody's request is taken back: who has not read of it need not.
pub(super) fn withdrawn(member: MemberId, asker: MemberId) -> Settled {
    Settled { called_off: true, ..answered(member, asker) }
}

/// Spends a request of the member's, and one to this other member.
pub(in crate::friends) async fn spend(conn: &mut PgConnection, me: MemberId, other: MemberId, now: OffsetDateTime) -> Result<Result<()>> {
    for (subject, budget) in [(Subject::member(me), budgets::ASKS_OF_MEMBER), (Subject::pair(me, other), budgets::ASKS_OF_PAIR)] {
        let spent = budgets::try_spend(conn, now, &Spending { subject, budget }).await?;
        if spent.is_err() {
            return Ok(spent);
        }
    }
    Ok(Ok(()))
}
