//! What becomes of rentals when two members part.

use super::{
    Hooks, news,
    store::{self, Waiting},
    timers,
};
use crate::{
    db::Tx,
    error::Result,
    friends::{self, Tied},
    ids::MemberId,
    items::{self, Seen},
    notifications::{self, Settled, Told},
    pb::notifications::TargetKind,
};
use sqlx::PgConnection;

#[tonic::async_trait]
impl friends::Hook for Hooks {
    /// Requests end for what who asked cannot see any more. What is agreed goes on, and may be called off by either.
    async fn ended(&self, tx: &mut Tx, one: MemberId, other: MemberId) -> Result<Told> {
        let waiting = locked_between(tx, one, other).await?;
        let mut gone = Vec::new();
        for request in waiting {
            let item = items::item(tx, request.item).await?;
            let sees = match &item {
                Some(item) => items::seen_by(tx, request.borrower, item).await?,
                None => Seen::Nobody,
            };
            if sees != Seen::Circle {
                gone.push(request);
            }
        }
        end(tx, &gone).await
    }

    /// All requests between the two end, for items of everybody too. A rental that is agreed is not ended by a block: an item may be out, and each
    /// still sees it, and finishes it or calls it off.
    async fn blocked(&self, tx: &mut Tx, member: MemberId, other: MemberId) -> Result<Told> {
        let waiting = locked_between(tx, member, other).await?;
        let goes_on = store::going_on(tx, member, other).await?;
        Ok(Told { goes_on: goes_on.into_iter().map(news::target).collect(), ..end(tx, &waiting).await? })
    }

    async fn tied(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<Tied> {
        let ties = store::ties(conn, member, other).await?;
        Ok(Tied { met: ties.asked, going_on: ties.going_on })
    }
}

/// What waits between two members, read under the locks of its items: nobody answers it meanwhile.
async fn locked_between(tx: &mut Tx, one: MemberId, other: MemberId) -> Result<Vec<Waiting>> {
    for item in store::waiting_items(tx, one, other).await? {
        items::lock(tx, item).await?;
    }
    store::lock_waiting(tx, one, other).await
}

/// Removes requests from both lists, and what was told of them. In silence: nobody is told why, and clients that show one read it anew.
async fn end(tx: &mut Tx, requests: &[Waiting]) -> Result<Told> {
    let removed = store::remove_waiting(tx, requests).await?;
    let mut settled = Vec::new();
    for request in requests.iter().filter(|request| removed.contains(&request.id)) {
        for member in [request.owner, request.borrower] {
            settled.push(Settled { member, about: request.id.0, actor: None, called_off: true, seen: false });
            settled.extend(timers::all_over(member, request.id));
            notifications::changed(tx, member, TargetKind::Rental, request.id.0);
        }
    }
    Ok(Told { settled, ..Told::default() })
}
