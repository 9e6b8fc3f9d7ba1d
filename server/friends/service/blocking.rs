//! What keeps two members apart: the end of a friendship, and blocks.

use super::{
    Service,
    asking::{answered, withdrawn},
    pair::Pair,
};
use crate::{
    auth::Caller,
    db::Tx,
    error::{Error, FieldReason, Reason, Result},
    friends::{BLOCKS_MAX, Direction, RequestStatus, Tied, rules, store, store::blocks::Known, wire},
    identity::store as identity,
    ids::MemberId,
    jobs,
    notifications::{self, Cause, Settled, Told},
    pb::{friends as pb, notifications::TargetKind},
    read, transact,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

impl Service {
    pub(super) async fn remove(&self, caller: &Caller, asked: &pb::RemoveFriendRequest) -> Result<()> {
        let (me, other) = two(caller, ("friend_id", &asked.friend_id))?;
        transact!(self.deps.pool, |tx| {
            self.must_be_tied(tx, me, other).await?;
            self.end(tx, me, other).await
        })
    }

    pub(super) async fn block(&self, caller: &Caller, asked: &pb::BlockMemberRequest) -> Result<()> {
        let (me, other) = two(caller, ("member_id", &asked.member_id))?;
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| {
            // Also one who has left, or hides, by now.
            if store::blocks::is_there(tx, me, other).await? {
                return Ok(());
            }
            // Whoever asks shares both: no request comes in between.
            if identity::hold(tx, &[me, other]).await?.len() < 2 {
                return Err(nobody());
            }
            self.must_be_tied(tx, me, other).await?;
            store::invitations::remove_between(tx, other, me).await?;
            store::lock_pair(tx, me, other).await?;
            if !store::blocks::add(tx, me, other, now).await? {
                return Ok(());
            }
            if store::blocks::count(tx, me).await? > BLOCKS_MAX {
                return Err(Error::new(Reason::LimitReached, format!("you can block at most {BLOCKS_MAX} members")));
            }
            notifications::silence(tx, me, other, Cause::Blocked, now).await?;
            self.call_off(tx, me, other, now).await
        })
    }

    /// Ends all that is, or waits, between two of whom one has just blocked the other. To the other it is as if the one who blocks had left: what they
    /// were told keeps no name, and the hints are those of a member who leaves (`account_deletion.rs`).
    async fn call_off(&self, tx: &mut Tx, me: MemberId, other: MemberId, now: OffsetDateTime) -> Result<()> {
        let pair = Pair::read(tx, me, other).await?;
        pair.write(tx, rules::called_off(pair.mine.as_ref(), pair.theirs.as_ref(), now)).await?;
        let mut gone: Vec<_> = pair.mine.iter().map(|_| TargetKind::FriendRequest).collect();
        let (mut told, mut later) = (Told::default(), Vec::new());
        if store::part(tx, me, other).await? {
            for hook in &*self.hooks {
                let more = hook.ended(tx, me, other).await?;
                told.news.extend(more.news);
                told.settled.extend(more.settled);
                later.push(more.jobs);
            }
            gone.push(TargetKind::Member);
        }
        for hook in &*self.hooks {
            let more = hook.blocked(tx, me, other).await?;
            told.news.extend(more.news);
            told.settled.extend(more.settled);
            told.goes_on.extend(more.goes_on);
            later.push(more.jobs);
        }
        told.settled.extend(settled(&pair));
        for (kind, id) in [(TargetKind::Member, other.0), (TargetKind::FriendRequest, Uuid::nil())] {
            notifications::changed(tx, me, kind, id);
        }
        for kind in gone {
            notifications::changed(tx, other, kind, Uuid::nil());
        }
        notifications::tell_and_forget(tx, &self.deps, &told, (other, me)).await?;
        for of_area in later {
            jobs::enqueue_all(tx, &of_area).await?;
        }
        Ok(())
    }

    pub(super) async fn unblock(&self, caller: &Caller, asked: &pb::UnblockMemberRequest) -> Result<()> {
        let (me, other) = two(caller, ("member_id", &asked.member_id))?;
        transact!(self.deps.pool, |tx| {
            // Also of one who has left, or hides, by now.
            if !store::blocks::remove(tx, me, other).await? {
                return self.must_be_tied(tx, me, other).await;
            }
            notifications::unsilence(tx, me, other, Cause::Blocked).await?;
            notifications::changed(tx, me, TargetKind::Member, other.0);
            Ok(())
        })
    }

    pub(super) async fn blocked(&self, caller: &Caller) -> Result<pb::ListBlockedMembersResponse> {
        read!(self.deps.pool, |conn| Ok(wire::blocked(store::blocks::list(conn, caller.member).await?)))
    }

    /// Refuses who has, and had, nothing to do with a member: for that one there is nobody.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub(in crate::friends) async fn must_be_tied(&self, conn: &mut PgConnection, me: MemberId, other: MemberId) -> Result<()> {
        if notifications::Ties::tied(self, conn, me, other).await? { Ok(()) } else { Err(nobody()) }
    }
}

#[tonic::async_trait]
impl notifications::Ties for Service {
    /// To who is blocked the other one is as one who has left, but for what is going on between them. All is asked in any case: how long it takes
    /// does not tell.
    async fn tied(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool> {
        let is_there = identity::member(conn, other).await?.is_some();
        let Known { known, hides } = store::blocks::known(conn, member, other).await?;
        let mut tied = Tied { met: known, going_on: false };
        for hook in &*self.hooks {
            let more = hook.tied(conn, member, other).await?;
            tied = Tied { met: tied.met || more.met, going_on: tied.going_on || more.going_on };
        }
        Ok(is_there && if hides { tied.going_on } else { tied.met || tied.going_on })
    }
}

/// The caller, and the other member whom a field names.
pub(in crate::friends) fn two(caller: &Caller, (field, text): (&'static str, &str)) -> Result<(MemberId, MemberId)> {
    let other = MemberId::parse(field, text)?;
    if other == caller.member {
        return Err(Error::field(field, FieldReason::Invalid, "must not be your own id"));
    }
    Ok((caller.member, other))
}

fn nobody() -> Error {
    Error::not_found("member")
}

fn waits(row: &crate::friends::Request, direction: Direction) -> bool {
    row.direction == direction && row.status == RequestStatus::Pending
}

/// What is expected no longer of two who part: the answer of the one who blocks, and what they asked of the other.
fn settled(pair: &Pair) -> Option<Settled> {
    let mine = pair.mine.as_ref()?;
    if waits(mine, Direction::Received) {
        return Some(Settled { seen: true, ..answered(pair.me, pair.other) });
    }
    waits(mine, Direction::Sent).then(|| withdrawn(pair.other, pair.me))
}
