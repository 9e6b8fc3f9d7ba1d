//! What of favors matters to a member now, and what is asked for most around them.

use super::{Category, Favor, Place, rules, store, texts, wire};
use crate::{
    deps::Deps,
    error::Result,
    ids::{FavorId, MemberId},
    page::{FIRST, LAST},
    pb::favors as pb,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A favor with a start ahead.
pub struct Ahead {
    /// Which.
    pub id: FavorId,
    /// How it is called.
    pub title: String,
    /// When.
    pub at: OffsetDateTime,
}

/// What matters now.
pub struct Overview {
    /// What waits for the member's answer, the first due first.
    pub awaiting: Vec<pb::Favor>,
    /// What the member has open, the first due first.
    pub active: Vec<pb::Favor>,
    /// What of the member's changed last, the newest first.
    pub recent: Vec<pb::Favor>,
    /// What the member asked for or helps with and begins from now on, the soonest first.
    pub ahead: Vec<Ahead>,
}

/// So many of each at most.
///
/// # Errors
/// As the database.
pub async fn overview(conn: &mut PgConnection, deps: &Deps, me: MemberId, most: i64) -> Result<Overview> {
    let now = deps.clock.now();
    let awaiting = store::by_due(conn, me, &[Place::Pending], FIRST, most).await?;
    let active = store::by_due(conn, me, &[Place::OwnOpen], FIRST, most).await?;
    let recent = store::by_change(conn, me, &[Place::OwnOpen, Place::OwnCompleted, Place::OwnCancelled], LAST, most).await?;
    let ahead = store::ahead(conn, me, now, most).await?;
    let show = |f: Favor| rules::view(&f, me, now).map(|view| wire::favor(f, view, me, &deps.pictures));
    let shown = |favors: Vec<Favor>| favors.into_iter().filter_map(show).collect();
    Ok(Overview { awaiting: shown(awaiting), active: shown(active), recent: shown(recent), ahead })
}

/// A category that is asked for.
pub struct Trend {
    /// Which.
    pub category: pb::FavorCategory,
    /// How it is called.
    pub label: &'static str,
    /// How many favors.
    pub count: i64,
}

/// How many favors that a member may see were posted since then, by category, the most asked for first: their own, and those that they were
/// asked for.
///
/// # Errors
/// As the database.
pub async fn trends(conn: &mut PgConnection, me: MemberId, since: OffsetDateTime) -> Result<Vec<Trend>> {
    let counted: Vec<(Category, i64)> = store::posted_since(conn, me, since).await?;
    let told = |(category, count)| Trend { category: wire::category_word(category), label: texts::label(category), count };
    Ok(counted.into_iter().map(told).collect())
}
