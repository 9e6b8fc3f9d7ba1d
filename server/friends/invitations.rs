//! Invitations by mail: sent, looked at by who has the link, refused for an address, and turned into friend requests once there is a member.

mod joining;
mod mail;

pub use joining::welcome;
pub use mail::SendInvitation;

use super::{Invitation, Service, rules, service::spend, store, wire};
use crate::{
    auth::Caller,
    budgets::{self, Spending, Subject},
    db::Tx,
    error::{Error, Reason, Result},
    idempotency,
    identity::{Member, store as members},
    ids::{InvitationId, MemberId},
    jobs,
    mail_links::Purpose,
    pb::friends as pb,
    read, text, transact,
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a link to join counts.
const COUNTS_FOR: Duration = Duration::days(30);
/// The most sent invitations in one answer.
const LISTED_MAX: i64 = 1000;
/// How long a link to refuse invitations counts.
const REFUSES_FOR: Duration = Duration::days(365);
/// How long a claim is kept: longer than a sign-up may wait for its code.
const CLAIMED_FOR: Duration = Duration::days(2);

impl Service {
    pub(super) async fn invite(
        &self,
        caller: &Caller,
        key: Option<&idempotency::Use>,
        asked: &pb::SendInviteRequest,
    ) -> Result<pb::SendInviteResponse> {
        let (me, now, email) = (caller.member, self.deps.clock.now(), wire::invited(&asked.contact)?);
        self.contacts.count(&me)?;
        transact!(self.deps.pool, |tx| {
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return Ok(answer);
            }
            let mut new = Invitation {
                id: self.deps.ids.id(),
                inviter: me,
                email: email.clone(),
                was_nobodys: true,
                message: text::clean(&asked.message),
                sent_at: now,
                expires_at: now + COUNTS_FOR,
            };
            let id = self.send_invitation(tx, &mut new).await?;
            let answer = wire::invitation(id, new.expires_at);
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    /// Writes it and has it mailed. Where the address is a member's, they are asked to be friends, and the mail finds nothing to say.
    async fn send_invitation(&self, tx: &mut Tx, new: &mut Invitation) -> Result<InvitationId> {
        let (me, now, address) = (new.inviter, new.sent_at, self.pool.keyed_address(&new.email));
        budgets::spend(tx, now, &Spending { subject: Subject::member(me), budget: budgets::INVITES_OF_MEMBER }).await?;
        // How many others have invited there is not for the inviter to know.
        let of_address = Spending { subject: Subject::keyed(address), budget: budgets::INVITES_TO_ADDRESS };
        let mails = budgets::try_spend(tx, now, &of_address).await?.is_ok();
        let (somebodys, member) = self.whose(tx, me, &new.email).await?;
        new.was_nobodys = !somebodys;
        let asks = match &member {
            Some(other) => spend(tx, me, other.id, now).await?.is_ok(),
            None => false,
        };
        let both: Vec<MemberId> = member.iter().map(|other| other.id).chain([me]).collect();
        if !members::share(tx, &both).await?.contains(&me) {
            return Err(Error::unauthenticated());
        }
        let before = store::invitations::lock(tx, me, &new.email).await?;
        rules::invite(before.as_ref(), now)?;
        let id = store::invitations::put(tx, new, address).await?;
        if let Some(other) = member.filter(|_| asks) {
            self.ask_instead(tx, &other, new).await?;
        }
        let mailed = if mails { id } else { InvitationId(Uuid::nil()) };
        jobs::enqueue(tx, &mail::job(mailed)).await?;
        Ok(id)
    }

    /// Whether an address is a member's; and the member, unless one has blocked the other: it is as if it were nobody's then, in as many
    /// statements.
    ///
    /// # Errors
    /// SELF_REQUEST for one's own.
    async fn whose(&self, conn: &mut PgConnection, me: MemberId, email: &str) -> Result<(bool, Option<Member>)> {
        let found = members::member_by_email(conn, email).await?;
        if found.as_ref().is_some_and(|member| member.id == me) {
            return Err(Error::new(Reason::SelfRequest, "this is your own email address"));
        }
        let other = found.as_ref().map_or(MemberId(Uuid::nil()), |member| member.id);
        let standing = store::blocks::standing(conn, me, other).await?;
        Ok((found.is_some(), found.filter(|_| !standing.hidden)))
    }

    /// Asks a member instead of inviting them. That they are a friend, were asked before, or cannot be asked is answered as ever.
    async fn ask_instead(&self, tx: &mut Tx, other: &Member, new: &Invitation) -> Result<()> {
        match self.ask_spent(tx, (new.inviter, other.id), Ok(()), (true, &new.message)).await {
            Err(e) if [Reason::AlreadyFriends, Reason::AlreadySent, Reason::LimitReached, Reason::NotFound].contains(&e.reason()) => Ok(()),
            done => done.map(drop),
        }
    }

    pub(super) async fn sent_invitations(&self, caller: &Caller) -> Result<pb::ListInvitationsResponse> {
        let now = self.deps.clock.now();
        let sent = read!(self.deps.pool, |conn| store::invitations::sent(conn, caller.member, now, LISTED_MAX).await)?;
        Ok(pb::ListInvitationsResponse { invitations: sent.into_iter().map(wire::sent_invitation).collect() })
    }

    /// Takes an invitation back. A friend request that it became stays: the inviter finds that one among their requests.
    pub(super) async fn take_back(&self, caller: &Caller, id: InvitationId) -> Result<()> {
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| store::invitations::cancel(tx, caller.member, id, now).await)
    }

    pub(super) async fn invitation(&self, asked: &pb::GetInvitationRequest) -> Result<pb::GetInvitationResponse> {
        let (now, token) = (self.deps.clock.now(), ("token", asked.token.as_str()));
        let links = self.pool.mail_links();
        let subject = match links.read(Purpose::Join, token, now) {
            Err(e) if e.reason() == Reason::ExpiredLink => return Ok(wire::gone(pb::InvitationLink::Join)),
            Err(_) => return self.refusal(asked).await,
            Ok(subject) => subject,
        };
        let id = invitation_of(&subject)?;
        read!(self.deps.pool, |conn| {
            let Some(found) = store::invitations::standing(conn, id, now).await? else { return Ok(wire::gone(pb::InvitationLink::Join)) };
            let inviter = members::member(conn, found.inviter).await?;
            Ok(inviter.map_or_else(|| wire::gone(pb::InvitationLink::Join), |inviter| wire::counts(&found, &inviter)))
        })
    }

    /// What a link to refuse invitations is about.
    async fn refusal(&self, asked: &pb::GetInvitationRequest) -> Result<pb::GetInvitationResponse> {
        let read = self.pool.mail_links().read(Purpose::NoInvitations, ("token", &asked.token), self.deps.clock.now());
        let address = match read {
            Err(e) if e.reason() == Reason::ExpiredLink => return Ok(wire::gone(pb::InvitationLink::Decline)),
            read => read?,
        };
        read!(self.deps.pool, |conn| {
            let email = store::invitations::email_of(conn, &address).await?;
            Ok(wire::refuses(email.unwrap_or_default(), store::invitations::is_refused(conn, &address).await?))
        })
    }

    pub(super) async fn refuse(&self, asked: &pb::DeclineInvitationsRequest) -> Result<()> {
        let now = self.deps.clock.now();
        let address = self.pool.mail_links().read(Purpose::NoInvitations, ("token", &asked.token), now)?;
        transact!(self.deps.pool, |tx| store::invitations::refuse(tx, &address, now).await)
    }

    pub(super) async fn allow(&self, asked: &pb::AllowInvitationsRequest) -> Result<()> {
        let now = self.deps.clock.now();
        let address = self.pool.mail_links().read(Purpose::NoInvitations, ("token", &asked.token), now)?;
        transact!(self.deps.pool, |tx| store::invitations::allow(tx, &address).await)
    }
}

/// What a link to join is signed for.
fn invitation_of(subject: &[u8]) -> Result<InvitationId> {
    Uuid::from_slice(subject).map(InvitationId).map_err(Error::internal)
}

/// Deletes invitations that have expired, and what was noted of sign-ups by them.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "invitations"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        store::invitations::remove_old(conn, now, now - CLAIMED_FOR).await
    }
}
