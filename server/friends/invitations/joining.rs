//! Who was invited is a member now: whoever invited them asks to be friends.

use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    friends::{
        Direction, Invitation, Request, RequestStatus, Standing, rules,
        service::{Pair, asked},
        store,
    },
    identity::{Member, store as members},
    ids::MemberId,
    notifications::{self, New},
    pb::notifications::TargetKind,
};

/// Turns the invitations of a new member into friend requests: those at the address, and the one by whose link they came.
///
/// # Errors
/// As the database.
pub async fn welcome(tx: &mut Tx, deps: &Deps, member: MemberId) -> Result<()> {
    let now = deps.clock.now();
    let Some(newcomer) = members::member(tx, member).await? else { return Ok(()) };
    let inviters = store::invitations::inviters(tx, member, &newcomer.email, now).await?;
    if inviters.is_empty() {
        return Ok(());
    }
    // Who leaves takes their invitations along; and nobody blocks anybody meanwhile.
    let both: Vec<MemberId> = inviters.iter().copied().chain([member]).collect();
    let there = members::share(tx, &both).await?;
    let used = store::invitations::redeem(tx, member, &newcomer.email, &there, now).await?;
    let people = members::members(tx, &there).await?;
    let mut news = Vec::new();
    for invitation in first_of_each(used) {
        let Some(inviter) = people.get(&invitation.inviter) else { continue };
        news.extend(ask(tx, deps, inviter, &newcomer, &invitation).await?);
    }
    notifications::push(tx, deps, &news).await
}

/// Of two by one inviter, as at the address and by the link, the first.
fn first_of_each(mut used: Vec<Invitation>) -> Vec<Invitation> {
    let mut seen = std::collections::HashSet::new();
    used.retain(|invitation| seen.insert(invitation.inviter));
    used.sort_by_key(|invitation| invitation.inviter);
    used
}

/// The friend request of an inviter, as if they had asked now; none where the two have met already.
async fn ask(tx: &mut Tx, deps: &Deps, inviter: &Member, newcomer: &Member, of: &Invitation) -> Result<Option<New>> {
    store::lock_pair(tx, inviter.id, newcomer.id).await?;
    let pair = Pair::read(tx, inviter.id, newcomer.id).await?;
    if pair.mine.is_some() || pair.theirs.is_some() || store::blocks::standing(tx, inviter.id, newcomer.id).await? != Standing::default() {
        return Ok(None);
    }
    let request = Request {
        id: deps.ids.id(),
        other: newcomer.id,
        direction: Direction::Sent,
        status: RequestStatus::Pending,
        // Another address than the one they wrote to is not theirs to know.
        by_email: of.email.eq_ignore_ascii_case(&newcomer.email),
        hidden: false,
        message: of.message.clone(),
        sent_at: deps.clock.now(),
        answered_at: None,
        declined_at: None,
    };
    pair.write(tx, rules::sent(&request, inviter.id, None, None)).await?;
    notifications::changed(tx, inviter.id, TargetKind::FriendRequest, request.id.0);
    Ok(Some(asked(inviter, newcomer.id, request.id)))
}
