//! What becomes of profiles when a member leaves, and what is kept of a member.

use super::store;
use crate::{
    clock::Clock,
    db::Tx,
    error::Result,
    identity,
    ids::{MemberId, PictureId, ReportId},
    notifications::{self, Told},
    pictures,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 500;

/// Hears of members.
pub struct Hooks(pub Clock);

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// All of it is the member's alone.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        store::remove(tx, member).await?;
        store::reports::remove_of(tx, member).await?;
        pictures::drop_all(tx, member, self.0.now()).await?;
        Ok(Told::default())
    }
}

/// Hears of members when all else of them is done: jobs come last.
pub struct LastHooks(pub Clock);

#[tonic::async_trait]
impl identity::Hook for LastHooks {
    async fn deleted(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        pictures::clear(tx, member, self.0.now()).await
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let kept = store::kept(conn, member).await?;
        let (mut reports, mut after) = (Vec::new(), ReportId(Uuid::nil()));
        loop {
            let page = store::reports::after(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            reports.extend(page.iter().map(|report| json!({ "message": report.message, "at": identity::instant(report.at) })));
        }
        let (mut uploads, mut after) = (Vec::new(), PictureId(Uuid::nil()));
        loop {
            let page = pictures::listed(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            uploads.extend(page.iter().map(|picture| json!({ "id": picture.id, "at": identity::instant(picture.announced_at) })));
        }
        Ok(Some((
            "profile",
            json!({
                "country": kept.country,
                "venmoUsername": kept.venmo,
                "paypalUsername": kept.paypal,
                "phoneStepDone": kept.phone_step_done,
                "pictures": uploads,
                "problemReports": reports,
            }),
        )))
    }
}
