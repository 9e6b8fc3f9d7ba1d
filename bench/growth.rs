//! How the cost of the feed grows when everybody lists ten times as much. Measured at the end, for it makes the database another one.

use crate::{
    cells::Ground,
    lending::Feeds,
    rounds::{self, Results},
    seed::{self, Size},
    what::{Build, Face, Key, STEER, What},
};
use anyhow::Result;

/// How often: in turn, as in all rounds.
const ROUNDS: usize = 3;
/// What is asked for before and after.
const FEEDS: [What; 3] = [What::Feed, What::FeedDeep, What::FeedCategory];
/// More are not made: it takes minutes.
const ITEMS_MAX: i64 = 1_000_000;

/// What was measured before and after.
pub struct Growth {
    before: Results,
    after: Results,
}

/// Measures, makes the items, and measures again; `None` where there are many already, or none of this is to be measured.
///
/// # Errors
/// When a call fails, or the database refuses a row.
pub async fn measure(ground: &Ground, feeds: &Feeds, size: Size, only: &str) -> Result<Option<Growth>> {
    let mut cells = ground.feeds(feeds);
    cells.retain(|cell| FEEDS.iter().any(|what| cell.key() == key(*what)) && cell.name().contains(only));
    if cells.is_empty() || size.items.saturating_mul(seed::GROWN) > ITEMS_MAX {
        return Ok(None);
    }
    let before = rounds::run(&cells, ROUNDS).await?;
    seed::grow(&ground.database_url).await?;
    Ok(Some(Growth { before, after: rounds::run(&cells, ROUNDS).await? }))
}

impl Growth {
    /// What a page cost before and after, in processor time of server and Postgres together.
    pub fn ratios(&self) -> impl Iterator<Item = (What, Option<f64>)> {
        FEEDS
            .into_iter()
            .map(|what| (what, self.before.cost(key(what)).zip(self.after.cost(key(what))).map(|(before, after)| after / before)))
    }
}

fn key(what: What) -> Key {
    Key { what, face: Face::Grpc(Build::This), at_once: STEER }
}
