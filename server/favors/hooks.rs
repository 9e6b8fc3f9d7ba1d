//! What becomes of favors when two members part.

use super::{Answer, news, sharing, store};
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    friends::{self, Tied},
    ids::MemberId,
    notifications::{self, Settled, Told},
    pb::notifications::TargetKind,
};
use sqlx::PgConnection;

/// Hears of friendships.
pub struct Hooks(pub Deps);

#[tonic::async_trait]
impl friends::Hook for Hooks {
    async fn ended(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<Told> {
        part(tx, one, other).await
    }

    /// What somebody has promised goes on, with those who helped and who may have to be paid.
    async fn blocked(&self, tx: &mut Tx, member: MemberId, other: MemberId) -> Result<Told> {
        let told = part(tx, member, other).await?;
        let goes_on = store::going_on(tx, member, other).await?;
        Ok(Told { goes_on: goes_on.into_iter().map(news::target).collect(), ..told })
    }

    async fn tied(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<Tied> {
        let ties = store::ties(conn, member, other).await?;
        Ok(Tied { met: ties.asked || ties.helps, going_on: ties.going_on })
    }
}

/// Takes each out of those open favors of the other's that they do not help with, whatever they answered, for they could still accept: what is
/// expected no longer. Nobody is told why: clients that show one read it anew.
async fn part(tx: &mut Tx, one: MemberId, other: MemberId) -> Result<Told> {
    let waiting = store::lock_between(tx, one, other).await?;
    let removed = store::remove_asked(tx, &waiting, one, other).await?;
    let back_ups = store::remove_back_ups(tx, &waiting, one, other).await?;
    let offers = store::remove_offers(tx, &waiting, one, other).await?;
    let again = store::set_places_of(tx, &waiting).await?;
    let creator_of = |member| if member == one { other } else { one };
    // Nothing is expected of them any more, and nobody waits for what they offered.
    let mut settled: Vec<_> =
        removed.iter().map(|r| Settled { member: r.member, about: r.favor.0, actor: None, called_off: true, seen: false }).collect();
    let other_times = removed.iter().filter(|r| r.answer == Some(Answer::AnotherTime)).map(|r| (r.favor, r.member));
    settled.extend(sharing::between(tx, one, other).await?);
    settled.extend(offers.iter().copied().chain(other_times).map(|(favor, member)| Settled {
        member: creator_of(member),
        about: favor.0,
        actor: Some(member),
        called_off: true,
        seen: false,
    }));
    let gone = back_ups.into_iter().chain(offers).map(|(favor, member)| (favor, member, true));
    for (favor, recipient, asked) in removed.into_iter().map(|r| (r.favor, r.member, r.asked)).chain(gone) {
        let creator = creator_of(recipient);
        notifications::changed(tx, creator, TargetKind::Favor, favor.0);
        // Of a draft its recipients know nothing, its id neither.
        if asked {
            notifications::changed(tx, recipient, TargetKind::Favor, favor.0);
        }
    }
    // Where a back-up went, there may be room for others.
    for again in again {
        settled.extend(news::not_taken(again.member, again.creator, again.favor));
        notifications::changed(tx, again.member, TargetKind::Favor, again.favor.0);
    }
    Ok(Told { settled, ..Told::default() })
}
