//! What becomes of items when a member leaves, and what is kept of a member's.

use super::{
    hooks::Hook,
    store::{self, Kept},
};
use crate::{
    clock::Clock,
    days,
    db::Tx,
    error::Result,
    identity,
    ids::{ItemId, MemberId},
    notifications::{self, Told},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::sync::Arc;
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 200;

/// Hears of members.
pub struct Hooks {
    clock: Clock,
    /// Who knows which items others remember.
    areas: Vec<Arc<dyn Hook>>,
}

impl Hooks {
    /// With the areas above that are asked.
    pub fn new(clock: Clock, areas: Vec<Arc<dyn Hook>>) -> Self {
        Self { clock, areas }
    }
}

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// All of it goes; of what was lent the title stays, in the history of those who borrowed it. Files of pictures go with all others of the
    /// member. What waits for an answer is the areas' above, and so is whether somebody has it.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        let (mut concerned, mut remembered) = (Vec::new(), Vec::new());
        for area in &self.areas {
            concerned.extend(area.concerned(tx, member).await?);
        }
        store::lock_all_of(tx, member, &concerned).await?;
        for area in &self.areas {
            remembered.extend(area.remembered(tx, member).await?);
        }
        store::remove_all_of(tx, member, &remembered, self.clock.now()).await?;
        Ok(Told::default())
    }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let (mut all, mut after) = (Vec::new(), ItemId(Uuid::nil()));
        loop {
            let page = store::kept_after(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Some(("items", Value::Array(all)))) };
            after = last.item.id;
            all.extend(page.into_iter().map(exported));
        }
    }
}

/// What the member wrote and set.
fn exported(kept: Kept) -> Value {
    let Kept { item, groups, blackouts, images } = kept;
    let (groups, content): (Vec<String>, _) = (groups.iter().map(ToString::to_string).collect(), item.content);
    let blackouts: Vec<Value> =
        blackouts.iter().map(|r| json!({ "firstDay": days::text(r.first()), "lastDay": days::text(r.last()) })).collect();
    json!({
        "id": item.id.to_string(),
        "title": content.title,
        "description": content.description,
        "category": format!("{:?}", content.category),
        "url": content.url,
        "visibility": format!("{:?}", content.visibility),
        "groups": groups,
        "narrowed": item.narrowed,
        "status": format!("{:?}", item.status),
        "pricePerDay": content.price.units(),
        "deposit": content.deposit.units(),
        "currency": content.currency.code(),
        "maxDays": content.max_days,
        "cancellationPolicy": format!("{:?}", content.policy),
        "city": content.city,
        "blackoutDays": blackouts,
        "pictures": images,
        "createdAt": identity::instant(item.created_at),
        "updatedAt": identity::instant(item.updated_at),
        "listedAt": item.listed_at.map(identity::instant),
    })
}
