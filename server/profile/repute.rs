//! How members did: what others count on who lend to them, and borrow from them.

use super::store;
use crate::{
    error::Result,
    ids::MemberId,
    items::{self, Repute},
};
use sqlx::PgConnection;
use std::collections::HashMap;

/// Tells the areas below.
pub struct Reputation;

#[tonic::async_trait]
impl items::Reputation for Reputation {
    async fn of(&self, conn: &mut PgConnection, members: &[MemberId]) -> Result<HashMap<MemberId, Repute>> {
        store::reputes(conn, members).await
    }
}
