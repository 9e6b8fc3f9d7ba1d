//! What becomes of favors when two members part.

use super::store;
use crate::{db::Tx, error::Result, friends, ids::MemberId, notifications, pb::notifications::TargetKind};

/// Hears of friendships.
pub struct Hooks;

#[tonic::async_trait]
impl friends::Hook for Hooks {
    async fn ended(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
        part(tx, one, other).await
    }

    async fn blocked(&self, tx: &mut Tx, member: MemberId, other: MemberId) -> Result<()> {
        part(tx, member, other).await
    }
}

/// Takes each out of those favors of the other's that they have not answered. Nobody is told why: clients that show one read it anew.
async fn part(tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
    let waiting = store::lock_unanswered(tx, one, other).await?;
    for (favor, recipient) in store::remove_unanswered(tx, &waiting, one, other).await? {
        let creator = if recipient == one { other } else { one };
        for member in [creator, recipient] {
            notifications::changed(tx, member, TargetKind::Favor, favor.0);
        }
    }
    Ok(())
}
