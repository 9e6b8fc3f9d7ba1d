//! What identity sets off in the areas above it.

use crate::{db::Tx, error::Result, ids::MemberId};

/// An area above that hears of members, in the transaction of what happened: what it writes is there with it or not at all. It locks
/// what stands below the members in the order of locks.
#[tonic::async_trait]
pub trait Hook: Send + Sync + 'static {
    /// An address was confirmed: from now on the member exists for others.
    ///
    /// # Errors
    /// Any, which takes the confirmation back.
    async fn confirmed(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        Ok(())
    }

    /// The name that others see was changed.
    ///
    /// # Errors
    /// Any, which takes the change back.
    async fn renamed(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        Ok(())
    }

    /// The account is being deleted: the member's row is still there, and gone when this is committed.
    ///
    /// # Errors
    /// Any, which keeps the account.
    async fn deleted(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        Ok(())
    }
}
