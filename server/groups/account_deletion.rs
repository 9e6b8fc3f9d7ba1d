//! What becomes of groups when a member leaves, and what is kept of a member's.

use super::{store, wire};
use crate::{
    db::Tx,
    error::Result,
    identity,
    ids::MemberId,
    notifications::{self, Told},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

/// Hears of members. The memberships in groups of others end with the friendships, on which they hang.
pub struct Hooks;

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// A member's groups are theirs alone.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        store::lock_all_of(tx, member).await?;
        store::delete_all_of(tx, member).await?;
        Ok(Told::default())
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    /// As many as there may be are read at once.
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let groups = wire::groups(store::all(conn, member).await?);
        let groups: Vec<Value> =
            groups.into_iter().map(|g| json!({ "id": g.group_id, "name": g.group_name, "members": g.members })).collect();
        Ok(Some(("groups", Value::Array(groups))))
    }
}
