//! What friends set off in the areas above them.

use crate::{db::Tx, error::Result, ids::MemberId};

/// An area above that hears of friendships, in the transaction of what happened: what it writes is there with it or not at all. It locks
/// what stands below the friendships in the order of locks.
#[tonic::async_trait]
pub trait Hook: Send + Sync + 'static {
    /// Two members are friends no longer.
    ///
    /// # Errors
    /// Any, which keeps them friends.
    async fn ended(&self, _tx: &mut Tx, _one: MemberId, _other: MemberId) -> Result<()> {
        Ok(())
    }

    /// A member has blocked another one, who may have been a friend: then `ended` comes first.
    ///
    /// # Errors
    /// Any, which takes the block back.
    async fn blocked(&self, _tx: &mut Tx, _member: MemberId, _other: MemberId) -> Result<()> {
        Ok(())
    }
}
