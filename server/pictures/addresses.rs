//! Addresses of renditions, as members are told them: those of a picture are the same for an hour, and a page has a hundred.

use super::{Objects, Size, rules};
use crate::{call::At, clock::Clock, ids::PictureId};
use moka::sync::Cache;
use std::sync::Arc;
use time::OffsetDateTime;

/// So many are remembered, up to a kilobyte each: to sign one for a bucket takes longer than all else of an item that is told.
const REMEMBERED: u64 = 20_000;

/// Addresses of one store. Clones share what they remember.
#[derive(Clone)]
pub struct Addresses {
    objects: Arc<dyn Objects>,
    clock: Clock,
    told: Cache<(PictureId, Size), Told>,
}

#[derive(Clone)]
struct Told {
    /// The hour of it.
    from: OffsetDateTime,
    address: Arc<str>,
}

impl Addresses {
    /// Remembers nothing yet.
    pub fn new(objects: Arc<dyn Objects>, clock: Clock) -> Self {
        Self { objects, clock, told: Cache::new(REMEMBERED) }
    }

    /// The address of a rendition: the same for an hour, so that caches have it, and good for one hour at least.
    pub fn of(&self, picture: PictureId, size: Size) -> String {
        let (from, until) = rules::address_life(self.clock.now());
        let signed = || self.objects.address(picture, size, from, until);
        // Who came by another name of this machine is told addresses under that one.
        if At::current().is_some() {
            return signed();
        }
        if let Some(told) = self.told.get(&(picture, size)).filter(|told| told.from == from) {
            return (*told.address).to_owned();
        }
        let address = signed();
        self.told.insert((picture, size), Told { from, address: Arc::from(address.as_str()) });
        address
    }
}
