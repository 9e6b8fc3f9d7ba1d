//! What the answer of a member's circle needs of the area above.

use crate::{error::Result, ids::MemberId, pb::groups::Group};
use sqlx::PgConnection;

/// The area above that keeps the groups of members.
#[tonic::async_trait]
pub trait Groups: Send + Sync + 'static {
    /// A member's own groups, by their names.
    ///
    /// # Errors
    /// As the database.
    async fn of(&self, conn: &mut PgConnection, member: MemberId) -> Result<Vec<Group>>;
}
