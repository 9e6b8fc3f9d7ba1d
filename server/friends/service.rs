//! The RPCs of friends.

use super::{
    Answer, Direction, FRIENDS_MAX, Hook, Request as FriendRequest, RequestStatus, SENT_MAX,
    rules::{self, Asking, Cancelling, Rows},
    store, texts,
    wire::{self, Contact},
};
use crate::{
    auth::{self, Caller},
    budgets::{self, Spending, Subject},
    db::Tx,
    deps::Deps,
    edge::limits::{Limiter, Rate},
    error::{Error, Reason, Result},
    idempotency,
    identity::{Member, store as identity},
    ids::{FriendRequestId, MemberId},
    notifications::{self, New, Settled, Target},
    pb::{
        friends as pb,
        friends::{FriendRequestStatus, Relation, friends_service_server::FriendsService},
        notifications::{NotificationType, TargetKind},
    },
    read, text, transact,
};
use sqlx::PgConnection;
use std::sync::Arc;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

const SEND: &str = "friends.SendFriendRequest";

/// FriendsService.
#[derive(Clone)]
pub struct Service {
    deps: Deps,
    /// Searches and requests together: both tell whether an address has an account.
    contacts: Limiter<MemberId>,
    hooks: Arc<[Arc<dyn Hook>]>,
}

impl Service {
    /// With a rate for searches and requests of one member, and the hooks that are told, in their order.
    pub fn new(deps: Deps, contacts: Rate, hooks: Vec<Arc<dyn Hook>>) -> Self {
        Self { deps, contacts: Limiter::new(contacts), hooks: hooks.into() }
    }

    /// Ends a friendship, and tells the areas above. One that has ended stays so, and tells nobody.
    ///
    /// # Errors
    /// As the hooks.
    pub async fn end(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
        store::lock_pair(tx, one, other).await?;
        if store::part(tx, one, other).await? {
            for hook in &*self.hooks {
                hook.ended(tx, one, other).await?;
            }
            for (member, former) in [(one, other), (other, one)] {
                notifications::changed(tx, member, TargetKind::Member, former.0);
            }
        }
        Ok(())
    }

    async fn find(&self, caller: &Caller, asked: &pb::FindFriendRequest) -> Result<pb::FindFriendResponse> {
        let contact = wire::contact(&asked.contact, asked.contact_type())?;
        self.contacts.count(&caller.member)?;
        read!(self.deps.pool, |conn| {
            let found = match &contact {
                Contact::Email(email) => identity::member_by_email(conn, email).await?,
                Contact::Phone(phone) => identity::member_by_phone(conn, phone).await?,
            };
            let relation = match &found {
                None => Relation::Unspecified,
                Some(m) => self.relation(conn, caller.member, m.id).await?,
            };
            Ok(wire::found(found.as_ref(), &contact, relation))
        })
    }

    async fn relation(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<Relation> {
        if member == other {
            return Ok(Relation::Self_);
        }
        let friends = are_friends(conn, member, other).await?;
        let last = store::last(conn, member, other).await?;
        Ok(rules::relation(friends, last.as_ref(), self.deps.clock.now()))
    }

    async fn send(
        &self,
        caller: &Caller,
        key: Option<&idempotency::Use>,
        asked: &pb::SendFriendRequestRequest,
    ) -> Result<pb::SendFriendRequestResponse> {
        self.contacts.count(&caller.member)?;
        transact!(self.deps.pool, |tx| {
            if let Some(answer) = idempotency::replay(tx, key, self.deps.clock.now()).await? {
                return Ok(answer);
            }
            let other = receiver(tx, asked).await?;
            let answer = self.ask(tx, caller.member, other, asked).await?;
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    async fn ask(
        &self,
        tx: &mut Tx,
        me: MemberId,
        other: MemberId,
        asked: &pb::SendFriendRequestRequest,
    ) -> Result<pb::SendFriendRequestResponse> {
        if me == other {
            return Err(Error::new(Reason::SelfRequest, "you cannot be your own friend"));
        }
        let now = self.deps.clock.now();
        // Budgets before the pair, as everywhere. What makes friends counts, and is not refused.
        let spent = spend(tx, me, other, now).await?;
        // Neither leaves while this is written.
        if identity::share(tx, &[me, other]).await?.len() < 2 {
            return Err(Error::not_found("member"));
        }
        // Locked first: of two crossing requests the second sees the first.
        store::lock_pair(tx, me, other).await?;
        let friends = are_friends(tx, me, other).await?;
        let pair = Pair::read(tx, me, other).await?;
        let asking = rules::ask(friends, pair.mine.as_ref(), pair.theirs.as_ref(), now)?;
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
            by_email: asked.receiver_uid.is_empty(),
            hidden: false,
            message: text::clean(&asked.message),
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
        let name = member(tx, me).await?.display_name();
        let (title, message) = texts::asked(&name);
        let new = New {
            member: request.other,
            kind: NotificationType::FriendRequest,
            title: title.to_owned(),
            message,
            actor: Some(me),
            target: Target(TargetKind::FriendRequest, request.id.0),
            // Asked anew, it has another id.
            about: me.0,
            about_unread: None,
            action_required: true,
        };
        notifications::push(tx, &self.deps, &[new]).await
    }

    /// What takes as long as telling the other of a request, where that would find nothing: from how long an answer takes nobody shall
    /// learn that they were declined.
    async fn tell_nothing(&self, tx: &mut Tx, me: MemberId, other: MemberId) -> Result<()> {
        member(tx, me).await?;
        notifications::tell(tx, &self.deps, &[], &[withdrawn(other, me)]).await
    }

    /// Makes the caller and the sender of what stands friends, and tells the sender. The id of the request.
    async fn befriend(&self, tx: &mut Tx, pair: &Pair) -> Result<FriendRequestId> {
        let (now, me, other) = (self.deps.clock.now(), pair.me, pair.other);
        let request = pair.theirs.as_ref().ok_or_else(|| Error::not_found("friend request"))?;
        store::lock_circles(tx, me, other).await?;
        for side in [me, other] {
            if store::count(tx, side).await? >= FRIENDS_MAX {
                return Err(Error::new(Reason::LimitReached, "one of you has as many friends as there may be"));
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

    async fn respond(&self, caller: &Caller, asked: &pb::RespondToFriendRequestRequest) -> Result<pb::RespondToFriendRequestResponse> {
        let (id, me) = (FriendRequestId::parse("request_id", &asked.request_id)?, caller.member);
        let answer = wire::answer(asked.action())?;
        transact!(self.deps.pool, |tx| {
            let (pair, mine, theirs) = locked(tx, me, id).await?;
            match rules::answer(&mine, answer)? {
                Some(RequestStatus::Accepted) => drop(self.befriend(tx, &pair).await?),
                Some(_) => {
                    pair.write(tx, rules::declined(&mine, &theirs, self.deps.clock.now())).await?;
                    notifications::tell(tx, &self.deps, &[], &[Settled { seen: true, ..answered(me, pair.other) }]).await?;
                    // Declining is silent: only the caller's own clients hear of it.
                    notifications::changed(tx, me, TargetKind::FriendRequest, id.0);
                }
                None => {}
            }
            let friend = match answer {
                Answer::Accept => Some(member(tx, pair.other).await?.to_person(true)),
                Answer::Decline => None,
            };
            let status = wire::status(if friend.is_some() { RequestStatus::Accepted } else { RequestStatus::Declined });
            Ok(pb::RespondToFriendRequestResponse { friend_request: id.to_string(), status: status.into(), friend })
        })
    }

    async fn cancel(&self, caller: &Caller, asked: &pb::CancelFriendRequestRequest) -> Result<()> {
        let (id, me) = (FriendRequestId::parse("request_id", &asked.request_id)?, caller.member);
        transact!(self.deps.pool, |tx| {
            let (pair, mine, theirs) = locked(tx, me, id).await?;
            let cancelling = rules::cancel(&mine)?;
            if cancelling == Cancelling::Nothing {
                return Ok(());
            }
            pair.write(tx, rules::taken_back(cancelling, &mine, &theirs)).await?;
            // Done for one that was declined too, where it finds nothing: how long this takes says nothing of that.
            notifications::tell(tx, &self.deps, &[], &[withdrawn(pair.other, me)]).await?;
            if cancelling == Cancelling::Withdraw {
                notifications::changed(tx, pair.other, TargetKind::FriendRequest, id.0);
            }
            notifications::changed(tx, me, TargetKind::FriendRequest, id.0);
            Ok(())
        })
    }

    async fn requests(&self, caller: &Caller) -> Result<pb::ListFriendRequestsResponse> {
        read!(self.deps.pool, |conn| {
            let now = self.deps.clock.now();
            let received = store::waiting(conn, caller.member, Direction::Received, now).await?;
            let sent = store::waiting(conn, caller.member, Direction::Sent, now).await?;
            let received: Vec<_> = received.into_iter().filter(|r| r.status == RequestStatus::Pending).collect();
            let others: Vec<_> = received.iter().chain(&sent).map(|r| r.other).collect();
            let members = identity::members(conn, &others).await?;
            Ok(pb::ListFriendRequestsResponse { received: wire::requests(received, &members), sent: wire::requests(sent, &members) })
        })
    }

    async fn active(&self, caller: &Caller) -> Result<pb::GetActiveResponse> {
        read!(self.deps.pool, |conn| Ok(wire::circle(store::friends(conn, caller.member).await?)))
    }
}

/// A request of somebody's waits no longer for a member's answer.
fn answered(member: MemberId, asker: MemberId) -> Settled {
    Settled { member, about: asker.0, actor: Some(asker), called_off: false, seen: false }
}

/// Somebody's request is taken back: who has not read of it need not.
fn withdrawn(member: MemberId, asker: MemberId) -> Settled {
    Settled { called_off: true, ..answered(member, asker) }
}

/// The member that a request is for. Unknown addresses and ids are told: that is what the rate limit is for.
async fn receiver(conn: &mut PgConnection, asked: &pb::SendFriendRequestRequest) -> Result<MemberId> {
    let not_found = || Error::not_found("member");
    if asked.receiver_uid.is_empty() {
        return Ok(identity::member_by_email(conn, asked.receiver_email.trim()).await?.ok_or_else(not_found)?.id);
    }
    let id = MemberId::parse("receiver_uid", &asked.receiver_uid)?;
    Ok(identity::member(conn, id).await?.ok_or_else(not_found)?.id)
}

/// A request of the caller's and the other side of it, the pair locked before they are read.
async fn locked(tx: &mut Tx, me: MemberId, id: FriendRequestId) -> Result<(Pair, FriendRequest, FriendRequest)> {
    let not_found = || Error::not_found("friend request");
    let other = store::other_side(tx, me, id).await?.ok_or_else(not_found)?;
    store::lock_pair(tx, me, other).await?;
    let pair = Pair::read(tx, me, other).await?;
    let mine = pair.mine.clone().filter(|r| r.id == id).ok_or_else(not_found)?;
    let theirs = pair.theirs.clone().ok_or_else(not_found)?;
    Ok((pair, mine, theirs))
}

/// What two members know of each other's requests: a row each.
struct Pair {
    me: MemberId,
    other: MemberId,
    mine: Option<FriendRequest>,
    theirs: Option<FriendRequest>,
}

impl Pair {
    async fn read(conn: &mut PgConnection, me: MemberId, other: MemberId) -> Result<Self> {
        Ok(Self { me, other, mine: store::last(conn, me, other).await?, theirs: store::last(conn, other, me).await? })
    }

    /// Writes what changes, the row of the lower id first: of two crossing requests one waits for the other. A row that stays is written
    /// as it is: from how long it takes nobody shall learn that they were declined.
    async fn write(&self, conn: &mut PgConnection, (mine, theirs): Rows) -> Result<()> {
        let mut sides = [(self.me, mine, &self.mine), (self.other, theirs, &self.theirs)];
        sides.sort_by_key(|side| side.0);
        for (member, row, before) in sides {
            if let Some(row) = row.or_else(|| before.clone()) {
                store::put(conn, member, &row, before.as_ref()).await?;
            }
        }
        Ok(())
    }
}

/// Spends a request of the member's, and one to this other member.
async fn spend(conn: &mut PgConnection, me: MemberId, other: MemberId, now: OffsetDateTime) -> Result<Result<()>> {
    for (subject, budget) in [(Subject::member(me), budgets::ASKS_OF_MEMBER), (Subject::pair(me, other), budgets::ASKS_OF_PAIR)] {
        let spent = budgets::try_spend(conn, now, &Spending { subject, budget }).await?;
        if spent.is_err() {
            return Ok(spent);
        }
    }
    Ok(Ok(()))
}

async fn are_friends(conn: &mut PgConnection, a: MemberId, b: MemberId) -> Result<bool> {
    Ok(!store::friends_among(conn, a, &[b]).await?.is_empty())
}

async fn member(conn: &mut PgConnection, id: MemberId) -> Result<Member> {
    identity::member(conn, id).await?.ok_or_else(|| Error::not_found("member"))
}

type Answered<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl FriendsService for Service {
    async fn list_friend_requests(&self, request: Request<pb::ListFriendRequestsRequest>) -> Answered<pb::ListFriendRequestsResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.requests(&caller).await?))
    }

    async fn get_active(&self, request: Request<pb::GetActiveRequest>) -> Answered<pb::GetActiveResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.active(&caller).await?))
    }

    async fn respond_to_friend_request(
        &self,
        request: Request<pb::RespondToFriendRequestRequest>,
    ) -> Answered<pb::RespondToFriendRequestResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.respond(&caller, request.get_ref()).await?))
    }

    async fn cancel_friend_request(&self, request: Request<pb::CancelFriendRequestRequest>) -> Answered<pb::CancelFriendRequestResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        self.cancel(&caller, request.get_ref()).await?;
        Ok(Response::new(pb::CancelFriendRequestResponse {}))
    }

    async fn find_friend(&self, request: Request<pb::FindFriendRequest>) -> Answered<pb::FindFriendResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.find(&caller, request.get_ref()).await?))
    }

    async fn send_friend_request(&self, request: Request<pb::SendFriendRequestRequest>) -> Answered<pb::SendFriendRequestResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let key = idempotency::of(&request, caller.member, SEND)?;
        Ok(Response::new(self.send(&caller, key.as_ref(), request.get_ref()).await?))
    }
}

/// The caller, on a path that is theirs.
fn own<T>(request: &Request<T>, uid: &str) -> Result<Caller> {
    let caller = auth::caller(request)?;
    caller.must_be(uid)?;
    Ok(caller)
}
