//! What identity sets off in the areas above it.

use crate::{db::Tx, error::Result, ids::MemberId};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// An area above that hears of members, in the transaction of what happened: what it writes is there with it or not at all. It locks
/// what stands below the members in the order of locks.
#[tonic::async_trait]
pub trait Hook: Send + Sync + 'static {
    /// Somebody signs up by a link that was mailed to invite them; what the link is about was read. The id is a member's when its address is
    /// confirmed, if ever. May be said again.
    ///
    /// # Errors
    /// Any, which refuses the sign-up.
    async fn registered(&self, _tx: &mut Tx, _id: MemberId, _invitation: Uuid) -> Result<()> {
        Ok(())
    }

    /// Whether the link of an invitation was mailed to an address, and still counts: nobody has it who does not read the mails there, or was given it
    /// by who does.
    ///
    /// # Errors
    /// As the database.
    async fn was_mailed_to(&self, _conn: &mut PgConnection, _invitation: Uuid, _email: &str) -> Result<bool> {
        Ok(false)
    }

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

    /// The member's clocks show another zone from now on. Said at the end of the change: jobs may be enqueued, and nothing else.
    ///
    /// # Errors
    /// Any, which takes the change back.
    async fn moved(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        Ok(())
    }

    /// The account is being deleted: what is the member's alone goes, and what others keep of the past stays without their name. The member's
    /// row is still there; when this is committed, it is one that says nothing.
    ///
    /// # Errors
    /// Any, which keeps the account: ITEMS_OUT, say, as long as something has to be given back first.
    async fn deleted(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        Ok(())
    }

    /// All that the area keeps of a member, under its name: for their own eyes, without secrets, and of others only what they may see. Read in
    /// pages, and left out of nothing.
    ///
    /// # Errors
    /// As the database.
    async fn exported(&self, _conn: &mut PgConnection, _member: MemberId) -> Result<Option<(&'static str, Value)>> {
        Ok(None)
    }
}
