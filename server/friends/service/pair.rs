//! Two members, and what each knows of the other's requests.

use crate::{
    db::Tx,
    error::{Error, Result},
    friends::{Request as FriendRequest, rules::Rows, store},
    ids::{FriendRequestId, MemberId},
};
use sqlx::PgConnection;

/// A request of the caller's and the other side of it, the pair locked before they are read.
pub(super) async fn locked(tx: &mut Tx, me: MemberId, id: FriendRequestId) -> Result<(Pair, FriendRequest, FriendRequest)> {
    let not_found = || Error::not_found("friend request");
    let other = store::other_side(tx, me, id).await?.ok_or_else(not_found)?;
    store::lock_pair(tx, me, other).await?;
    if store::blocks::standing(tx, me, other).await?.hidden {
        return Err(not_found());
    }
    let pair = Pair::read(tx, me, other).await?;
    let mine = pair.mine.clone().filter(|r| r.id == id).ok_or_else(not_found)?;
    let theirs = pair.theirs.clone().ok_or_else(not_found)?;
    Ok((pair, mine, theirs))
}

/// What two members know of each other's requests: a row each.
pub struct Pair {
    pub me: MemberId,
    pub other: MemberId,
    pub mine: Option<FriendRequest>,
    pub theirs: Option<FriendRequest>,
}

impl Pair {
    pub async fn read(conn: &mut PgConnection, me: MemberId, other: MemberId) -> Result<Self> {
        Ok(Self { me, other, mine: store::last(conn, me, other).await?, theirs: store::last(conn, other, me).await? })
    }

    /// Writes what changes, the row of the lower id first: of two crossing requests one waits for the other. A row that stays is written
    /// as it is: from how long it takes nobody shall learn that they were declined.
    pub async fn write(&self, conn: &mut PgConnection, (mine, theirs): Rows) -> Result<()> {
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
