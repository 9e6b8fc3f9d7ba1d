//! The RPCs of friends.

mod asking;
mod blocking;
mod pair;

use super::{
    Answer, Direction, Groups, Hook, RequestStatus,
    rules::{self, Cancelling},
    store,
    wire::{self, Contact},
};
use crate::{
    auth::{self, Caller},
    db::Tx,
    deps::Deps,
    edge::limits::{Limiter, Rate},
    error::{Error, Result},
    idempotency,
    identity::{Member, UserPool, store as identity},
    ids::{FriendRequestId, InvitationId, MemberId},
    jobs,
    notifications::{self, Settled, Told},
    pb::{
        friends as pb,
        friends::{Relation, friends_service_server::FriendsService},
        notifications::TargetKind,
    },
    read, transact,
};
use asking::{answered, withdrawn};
pub(super) use asking::{asked, spend};
pub(super) use blocking::two;
pub(super) use pair::Pair;
use pair::locked;
use sqlx::PgConnection;
use std::sync::Arc;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

const SEND: &str = "friends.SendFriendRequest";
const INVITE: &str = "friends.SendInvite";
const REPORT: &str = "friends.ReportMember";

/// FriendsService.
#[derive(Clone)]
pub struct Service {
    pub(super) deps: Deps,
    /// Whose links invitations have.
    pub(super) pool: Arc<UserPool>,
    /// Searches, requests and invitations together: they tell whether an address has an account.
    pub(super) contacts: Limiter<MemberId>,
    hooks: Arc<[Arc<dyn Hook>]>,
    /// Whether somebody reads reports of members as mails.
    pub(super) mails_reports: bool,
    /// None: a circle is told without groups.
    groups: Option<Arc<dyn Groups>>,
}

impl Service {
    /// With a rate for searches, requests and invitations of one member, and the hooks that are told, in their order.
    pub fn new(deps: Deps, pool: Arc<UserPool>, contacts: Rate, hooks: Vec<Arc<dyn Hook>>) -> Self {
        Self { deps, pool, contacts: Limiter::new(contacts), hooks: hooks.into(), mails_reports: false, groups: None }
    }

    /// The same, whose reports of members are mailed, or not.
    #[must_use]
    pub fn mailing_reports(self, mails_reports: bool) -> Self {
        Self { mails_reports, ..self }
    }

    /// With the area that keeps the groups, which are told with a member's circle.
    #[must_use]
    pub fn with_groups(self, groups: Arc<dyn Groups>) -> Self {
        Self { groups: Some(groups), ..self }
    }

    /// Ends a friendship, and tells the areas above. One that has ended stays so, and tells nobody.
    ///
    /// # Errors
    /// As the hooks.
    pub async fn end(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
        store::lock_pair(tx, one, other).await?;
        if !store::part(tx, one, other).await? {
            return Ok(());
        }
        let (mut told, mut later) = (Told::default(), Vec::new());
        for hook in &*self.hooks {
            let more = hook.ended(tx, one, other).await?;
            told.news.extend(more.news);
            told.settled.extend(more.settled);
            later.push(more.jobs);
        }
        for (member, former) in [(one, other), (other, one)] {
            notifications::changed(tx, member, TargetKind::Member, former.0);
        }
        notifications::tell(tx, &self.deps, &told.news, &told.settled).await?;
        for of_area in later {
            jobs::enqueue_all(tx, &of_area).await?;
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
            // Looked at for nobody as well: how long an answer takes does not tell that there is somebody who is hidden.
            let other = found.as_ref().map_or(MemberId(Uuid::nil()), |m| m.id);
            let relation = relation(conn, caller.member, other, self.deps.clock.now()).await?;
            let found = found.filter(|_| relation != Relation::Unspecified);
            Ok(wire::found(found.as_ref().map(|member| (member, relation)), &contact, &self.deps.pictures))
        })
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
            let other = receiver(tx, caller.member, asked).await?;
            let answer = self.ask(tx, caller.member, other, asked).await?;
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
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
                // What was accepted once tells a former friend nothing.
                None if answer == Answer::Accept && store::friends_among(tx, me, &[pair.other]).await?.is_empty() => {
                    return Err(Error::not_found("friend request"));
                }
                None => {}
            }
            let friend = match answer {
                Answer::Accept => Some(member(tx, pair.other).await?.to_person(true, &self.deps.pictures)),
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
            let wire = |requests| wire::requests(requests, &members, &self.deps.pictures);
            Ok(pb::ListFriendRequestsResponse { received: wire(received), sent: wire(sent) })
        })
    }

    async fn active(&self, caller: &Caller) -> Result<pb::GetActiveResponse> {
        read!(self.deps.pool, |conn| {
            let (friends, groups) = match &self.groups {
                Some(area) => area.circle(conn, caller.member).await?,
                None => (store::friends(conn, caller.member).await?, Vec::new()),
            };
            Ok(wire::circle(friends, groups, &self.deps.pictures))
        })
    }
}

/// What another member is to one who looks. Unspecified: they do not exist for each other.
///
/// # Errors
/// As the database.
pub async fn relation(conn: &mut PgConnection, member: MemberId, other: MemberId, now: OffsetDateTime) -> Result<Relation> {
    if member == other {
        return Ok(Relation::Self_);
    }
    let standing = store::blocks::standing(conn, member, other).await?;
    let last = store::last(conn, member, other).await?;
    Ok(rules::relation(standing, last.as_ref(), now))
}

/// The member that a request is for. Unknown addresses and ids are told: that is what the rate limit is for.
///
/// # Errors
/// NOT_FOUND, after as many statements, for nobody and for one who is hidden.
async fn receiver(conn: &mut PgConnection, me: MemberId, asked: &pb::SendFriendRequestRequest) -> Result<MemberId> {
    let found = if asked.receiver_uid.is_empty() {
        identity::member_by_email(conn, asked.receiver_email.trim()).await?
    } else {
        identity::member(conn, MemberId::parse("receiver_uid", &asked.receiver_uid)?).await?
    };
    let other = found.as_ref().map_or(MemberId(Uuid::nil()), |member| member.id);
    let standing = store::blocks::standing(conn, me, other).await?;
    found.filter(|_| !standing.hidden).map(|member| member.id).ok_or_else(|| Error::not_found("member"))
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

    async fn send_invite(&self, request: Request<pb::SendInviteRequest>) -> Answered<pb::SendInviteResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let key = idempotency::of(&request, caller.member, INVITE)?;
        Ok(Response::new(self.invite(&caller, key.as_ref(), request.get_ref()).await?))
    }

    async fn list_invitations(&self, request: Request<pb::ListInvitationsRequest>) -> Answered<pb::ListInvitationsResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.sent_invitations(&caller).await?))
    }

    async fn cancel_invitation(&self, request: Request<pb::CancelInvitationRequest>) -> Answered<pb::CancelInvitationResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        self.take_back(&caller, InvitationId::parse("invitation_id", &request.get_ref().invitation_id)?).await?;
        Ok(Response::new(pb::CancelInvitationResponse {}))
    }

    async fn get_invitation(&self, request: Request<pb::GetInvitationRequest>) -> Answered<pb::GetInvitationResponse> {
        Ok(Response::new(self.invitation(request.get_ref()).await?))
    }

    async fn decline_invitations(&self, request: Request<pb::DeclineInvitationsRequest>) -> Answered<pb::DeclineInvitationsResponse> {
        self.refuse(request.get_ref()).await?;
        Ok(Response::new(pb::DeclineInvitationsResponse {}))
    }

    async fn allow_invitations(&self, request: Request<pb::AllowInvitationsRequest>) -> Answered<pb::AllowInvitationsResponse> {
        self.allow(request.get_ref()).await?;
        Ok(Response::new(pb::AllowInvitationsResponse {}))
    }

    async fn remove_friend(&self, request: Request<pb::RemoveFriendRequest>) -> Answered<pb::RemoveFriendResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        self.remove(&caller, request.get_ref()).await?;
        Ok(Response::new(pb::RemoveFriendResponse {}))
    }

    async fn block_member(&self, request: Request<pb::BlockMemberRequest>) -> Answered<pb::BlockMemberResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        self.block(&caller, request.get_ref()).await?;
        Ok(Response::new(pb::BlockMemberResponse {}))
    }

    async fn unblock_member(&self, request: Request<pb::UnblockMemberRequest>) -> Answered<pb::UnblockMemberResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        self.unblock(&caller, request.get_ref()).await?;
        Ok(Response::new(pb::UnblockMemberResponse {}))
    }

    async fn list_blocked_members(&self, request: Request<pb::ListBlockedMembersRequest>) -> Answered<pb::ListBlockedMembersResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.blocked(&caller).await?))
    }

    async fn report_member(&self, request: Request<pb::ReportMemberRequest>) -> Answered<pb::ReportMemberResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let key = idempotency::of(&request, caller.member, REPORT)?;
        Ok(Response::new(self.report(&caller, key.as_ref(), request.get_ref()).await?))
    }
}

/// The caller, on a path that is theirs.
fn own<T>(request: &Request<T>, uid: &str) -> Result<Caller> {
    let caller = auth::caller(request)?;
    caller.must_be(uid)?;
    Ok(caller)
}
