//! What the answer of a member's circle needs of the area above.

use super::Friend;
use crate::{error::Result, ids::MemberId, pb::groups::Group};
use sqlx::PgConnection;

/// The area above that keeps the groups of members.
#[tonic::async_trait]
pub trait Groups: Send + Sync + 'static {
    /// A member's friends, and their own groups by their names: this is asked more often than anything else, and each question of its own
    /// would cost as much as the answer.
    ///
    /// # Errors
    /// As the database.
    async fn circle(&self, conn: &mut PgConnection, member: MemberId) -> Result<(Vec<Friend>, Vec<Group>)>;
}
