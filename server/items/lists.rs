//! Lists of items: one's own, and what friends lend. Reads only.

use super::{
    Category, Seen, Status, Whole,
    service::Service,
    store::{self, Filter},
    wire,
};
use crate::{
    error::Result,
    ids::MemberId,
    page::{self, LAST, bound, micros},
    pb::items as pb,
    read,
    terms::{Terms, terms},
    text,
};
use time::OffsetDateTime;

/// How many items a page of the feed has when the caller does not say.
const FEED_DEFAULT: i32 = 25;

/// By what a list is narrowed, as its cursor names it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    statuses: Option<&'static [Status]>,
    category: Option<Category>,
    terms: Terms,
    owner: Option<MemberId>,
}

impl Wanted {
    /// As a request says.
    pub(super) fn new(statuses: Option<&'static [Status]>, category: Option<Category>, query: &str) -> Self {
        Self { statuses, category, terms: terms(&text::clean(query)), owner: None }
    }

    /// The same, of one member's items.
    pub(super) fn of(self, owner: Option<MemberId>) -> Self {
        Self { owner, ..self }
    }

    fn name(&self, list: &str) -> String {
        format!("items/{list}/{:?}/{:?}/{:?}/{:?}", self.statuses, self.category, self.terms.words, self.owner)
    }
}

impl Service {
    pub(super) async fn mine(&self, me: MemberId, wanted: &Wanted, limit: Option<i32>, cursor: &str) -> Result<pb::ListMyItemsResponse> {
        let (list, limit) = (wanted.name("mine"), page::limit(limit));
        let before = bound(self.deps.cursors.read(&list, me, ("cursor", cursor))?, LAST);
        let filter = Filter { statuses: wanted.statuses, category: wanted.category, terms: &wanted.terms };
        read!(self.deps.pool, |conn| {
            let items = store::mine(conn, me, &filter, before, limit + 1).await?;
            let counts = store::counts(conn, me).await?;
            let (items, cursor, has_more) = self.cut(me, &list, items, limit, |whole| Some(whole.item.created_at))?;
            let counts = pb::ItemCounts {
                all: wire::small(counts.all),
                listed: wire::small(counts.listed),
                unlisted: wire::small(counts.all - counts.listed),
            };
            let items = self.all(conn, items, Seen::Owner).await?;
            Ok(pb::ListMyItemsResponse { items, cursor, has_more, counts: Some(counts) })
        })
    }

    pub(super) async fn browse(&self, me: MemberId, wanted: &Wanted, limit: Option<i32>, cursor: &str) -> Result<pb::BrowseFeedResponse> {
        let (list, limit) = (wanted.name("feed"), page::limit(limit.or(Some(FEED_DEFAULT))));
        let before = bound(self.deps.cursors.read(&list, me, ("cursor", cursor))?, LAST);
        // Words are looked for in many texts: one search of a member at a time.
        let _turn = if wanted.terms.words.is_empty() { None } else { Some(self.turns.take(me).await?) };
        read!(self.deps.pool, |conn| {
            let items = match (wanted.owner, wanted.category) {
                _ if !wanted.terms.words.is_empty() => {
                    store::feed_with(conn, me, (&wanted.terms, wanted.category, wanted.owner), before, limit + 1).await?
                }
                (Some(owner), category) => store::feed_by(conn, me, (owner, category), before, limit + 1).await?,
                (None, Some(category)) => store::feed_of(conn, me, category, before, limit + 1).await?,
                (None, None) => store::feed(conn, me, before, limit + 1).await?,
            };
            let (items, cursor, has_more) = self.cut(me, &list, items, limit, |whole| whole.item.listed_at)?;
            let items = self.all(conn, items, Seen::Circle).await?;
            Ok(pb::BrowseFeedResponse { items, cursor, has_more })
        })
    }

    /// A page of what was read, and where the next one begins.
    fn cut(
        &self,
        me: MemberId,
        list: &str,
        items: Vec<Whole>,
        limit: i64,
        key: impl Fn(&Whole) -> Option<OffsetDateTime>,
    ) -> Result<(Vec<Whole>, String, bool)> {
        let (items, has_more) = page::cut(items, limit);
        let last = items.last().filter(|_| has_more).and_then(|last| Some((micros(key(last)?), last.item.id.0)));
        let cursor = last.map(|last| self.deps.cursors.write(list, me, &last)).transpose()?.unwrap_or_default();
        Ok((items, cursor, has_more))
    }
}
