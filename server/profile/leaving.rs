//! What becomes of profiles when a member leaves, and what is kept of a member.

use super::store;
use crate::{
    db::Tx,
    error::Result,
    identity,
    ids::MemberId,
    notifications::{self, Told},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

/// Hears of members.
pub struct Hooks;

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// All of it is the member's alone.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        store::remove(tx, member).await?;
        Ok(Told::default())
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let kept = store::kept(conn, member).await?;
        Ok(Some((
            "profile",
            json!({
                "country": kept.country,
                "venmoUsername": kept.venmo,
                "paypalUsername": kept.paypal,
                "phoneStepDone": kept.phone_step_done,
            }),
        )))
    }
}
