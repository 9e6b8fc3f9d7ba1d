//! What becomes of favors when two members part.

use super::store;
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    friends,
    ids::MemberId,
    notifications::{self, Settled},
    pb::notifications::TargetKind,
};

/// Hears of friendships.
pub struct Hooks(pub Deps);

#[tonic::async_trait]
impl friends::Hook for Hooks {
    async fn ended(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
        part(tx, &self.0, one, other).await
    }

    async fn blocked(&self, tx: &mut Tx, member: MemberId, other: MemberId) -> Result<()> {
        part(tx, &self.0, member, other).await
    }
}

/// Takes each out of those favors of the other's that they have not answered. Nobody is told why: clients that show one read it anew.
async fn part(tx: &mut Tx, deps: &Deps, one: MemberId, other: MemberId) -> Result<()> {
    let waiting = store::lock_unanswered(tx, one, other).await?;
    let removed = store::remove_unanswered(tx, &waiting, one, other).await?;
    // Nothing is expected of them any more.
    let settled: Vec<_> = removed
        .iter()
        .map(|(favor, member, _)| Settled { member: *member, about: favor.0, actor: None, called_off: true, seen: false })
        .collect();
    notifications::tell(tx, deps, &[], &settled).await?;
    for (favor, recipient, asked) in removed {
        let creator = if recipient == one { other } else { one };
        notifications::changed(tx, creator, TargetKind::Favor, favor.0);
        // Of a draft its recipients know nothing, its id neither.
        if asked {
            notifications::changed(tx, recipient, TargetKind::Favor, favor.0);
        }
    }
    Ok(())
}
