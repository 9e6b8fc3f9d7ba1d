//! Finding favors: what is open to a member, and a search in all that they may see. Reads only: first the page's ids by the index that its
//! list has, then the favors by these.

use super::{
    Category, Favor, Place, rules,
    service::{Page, Service},
    store, wire,
};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
    page::{self, FIRST, bound, micros},
    read,
    terms::Terms,
};
use serde::Serialize;
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// Before every entry of a search: none is as good.
const BEST: (i32, Uuid) = (i32::MAX, Uuid::max());

/// Which list is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// What can be helped with: open to all friends, or waiting for the member's answer, and still to come.
    Browse,
    /// All that the member may see, of a category.
    Category,
    /// All that the member may see, at a location.
    Location,
}

/// Where what a member is still asked for stands for them.
const WAITING: &[Place] = &[Place::Pending, Place::Offered];
/// Every place: there is a row of each favor that a member knows of. Who was asked is asked no longer when its start has passed.
const KNOWN: &[Place] = &[
    Place::OwnOpen,
    Place::OwnCompleted,
    Place::OwnCancelled,
    Place::Pending,
    Place::Offered,
    Place::Declined,
    Place::Applied,
    Place::NotChosen,
    Place::Helping,
    Place::BackUp,
    Place::Taken,
    Place::Completed,
    Place::Settled,
    Place::Cancelled,
];

impl List {
    /// In which places a favor is on it, beside what friends have open.
    pub fn places(self) -> &'static [Place] {
        match self {
            Self::Browse => WAITING,
            Self::Category | Self::Location => KNOWN,
        }
    }
}

/// A list, and what is on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which.
    pub list: List,
    /// Only this category.
    pub category: Option<Category>,
    /// Only where this is part of the location, both folded; empty means anywhere.
    pub location: String,
}

/// A search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Each of these words.
    pub terms: Terms,
    /// Only this category.
    pub category: Option<Category>,
    /// Only where this is part of the location, both folded; empty means anywhere.
    pub location: String,
}

impl Service {
    /// A page of a list, the first due first.
    pub(super) async fn list(&self, me: MemberId, wanted: &Wanted, limit: Option<i32>, cursor: &str) -> Result<Page> {
        let limit = page::limit(limit);
        let list = format!("favors/found/{wanted:?}");
        let key = self.deps.cursors.read(&list, me, ("cursor", cursor))?;
        let now = self.deps.clock.now();
        read!(self.deps.pool, |conn| {
            let keys = store::found_by_due(conn, me, wanted, now, bound(key, FIRST), limit + 1).await?;
            let keys = keys.into_iter().map(|(due, id)| (micros(due), id)).collect();
            self.found(conn, me, &list, keys, limit).await
        })
    }

    /// A page of what is found by words, the best first, and of what is as good the newest.
    pub(super) async fn search(&self, me: MemberId, sought: &Sought, limit: Option<i32>, cursor: &str) -> Result<Page> {
        let limit = page::limit(limit);
        let list = format!("favors/search/{:?}/{:?}/{}", sought.category, sought.terms.words, sought.location);
        let key = self.deps.cursors.read(&list, me, ("cursor", cursor))?;
        let _turn = self.turns.take(me).await?;
        let now = self.deps.clock.now();
        read!(self.deps.pool, |conn| {
            let keys = store::found_by_words(conn, me, sought, now, key.unwrap_or(BEST), limit + 1).await?;
            self.found(conn, me, &list, keys, limit).await
        })
    }

    /// The page of the keys that were read, in their order. What the member may not see any more by now is left out.
    async fn found<K: Serialize>(
        &self,
        conn: &mut PgConnection,
        me: MemberId,
        list: &str,
        keys: Vec<(K, Uuid)>,
        limit: i64,
    ) -> Result<Page> {
        let (keys, has_more) = page::cut(keys, limit);
        let cursor = match keys.last() {
            Some(last) if has_more => self.deps.cursors.write(list, me, last)?,
            _ => String::new(),
        };
        let ids: Vec<FavorId> = keys.iter().map(|(_, id)| FavorId(*id)).collect();
        let mut favors: HashMap<FavorId, Favor> = store::by_ids(conn, me, &ids).await?.into_iter().map(|f| (f.id, f)).collect();
        let now = self.deps.clock.now();
        let show = |favor: Favor| rules::view(&favor, me, now).map(|view| wire::favor(favor, view, me, &self.deps.pictures));
        Ok(Page { favors: ids.iter().filter_map(|id| favors.remove(id)).filter_map(show).collect(), cursor, has_more })
    }
}
