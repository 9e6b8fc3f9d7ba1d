//! What friends set off in the areas above them.

use crate::{db::Tx, error::Result, ids::MemberId, notifications::Told};
use sqlx::PgConnection;

/// An area above that hears of friendships, in the transaction of what happened: what it writes is there with it or not at all. It locks
/// what stands below the friendships in the order of locks.
#[tonic::async_trait]
pub trait Hook: Send + Sync + 'static {
    /// Two members are friends no longer. What is to be told of it is told at last, in one go.
    ///
    /// # Errors
    /// Any, which keeps them friends.
    async fn ended(&self, _tx: &mut Tx, _one: MemberId, _other: MemberId) -> Result<Told> {
        Ok(Told::default())
    }

    /// A member has blocked another one, who may have been a friend: then `ended` comes first. What is to be told of both is told at last, in one
    /// go.
    ///
    /// # Errors
    /// Any, which takes the block back.
    async fn blocked(&self, _tx: &mut Tx, _member: MemberId, _other: MemberId) -> Result<Told> {
        Ok(Told::default())
    }

    /// Whether two members have, or had, to do with each other here: only who has may know that there is the other one.
    ///
    /// # Errors
    /// As the database.
    async fn tied(&self, _conn: &mut PgConnection, _member: MemberId, _other: MemberId) -> Result<bool> {
        Ok(false)
    }
}
