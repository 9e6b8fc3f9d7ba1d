//! What becomes of favors when two members part.

use super::store;
use crate::{
    db::Tx,
    deps::Deps,
    error::Result,
    friends,
    ids::MemberId,
    notifications::{self, Settled, Told},
    pb::notifications::TargetKind,
};
use sqlx::PgConnection;

/// Hears of friendships.
pub struct Hooks(pub Deps);

#[tonic::async_trait]
impl friends::Hook for Hooks {
    async fn ended(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<()> {
        let told = part(tx, one, other).await?;
        notifications::tell(tx, &self.0, &told.news, &told.settled).await
    }

    /// What somebody has promised goes on, with those who helped and who may have to be paid.
    async fn blocked(&self, tx: &mut Tx, member: MemberId, other: MemberId) -> Result<Told> {
        part(tx, member, other).await
    }

    async fn tied(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool> {
        let ties = store::ties(conn, member, other).await?;
        Ok(ties.asked || ties.helps)
    }
}

/// Takes each out of those favors of the other's that they have not answered: what is expected no longer. Nobody is told why: clients that show
/// one read it anew.
async fn part(tx: &mut Tx, one: MemberId, other: MemberId) -> Result<Told> {
    let waiting = store::lock_unanswered(tx, one, other).await?;
    let removed = store::remove_unanswered(tx, &waiting, one, other).await?;
    // Nothing is expected of them any more.
    let settled = removed
        .iter()
        .map(|(favor, member, _)| Settled { member: *member, about: favor.0, actor: None, called_off: true, seen: false })
        .collect();
    for (favor, recipient, asked) in removed {
        let creator = if recipient == one { other } else { one };
        notifications::changed(tx, creator, TargetKind::Favor, favor.0);
        // Of a draft its recipients know nothing, its id neither.
        if asked {
            notifications::changed(tx, recipient, TargetKind::Favor, favor.0);
        }
    }
    Ok(Told { news: Vec::new(), settled })
}
