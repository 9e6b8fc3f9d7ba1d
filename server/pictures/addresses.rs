//! Addresses of renditions, as members are told them: those of a picture are the same for an hour, and a page has a hundred.

use super::{Objects, Size, rules};
use crate::{call::At, clock::Clock, ids::PictureId};
use quick_cache::sync::Cache;
use std::sync::Arc;

/// So many are remembered, up to a kilobyte each: to sign one for a bucket takes longer than all else of an item that is told.
const REMEMBERED: usize = 20_000;

/// Addresses of one store. Clones share what they remember.
#[derive(Clone)]
pub struct Addresses {
    objects: Arc<dyn Objects>,
    clock: Clock,
    told: Arc<Cache<(PictureId, Size), Told>>,
}

#[derive(Clone)]
struct Told {
    /// The hour of it.
    hour: i64,
    address: Arc<str>,
}

impl Addresses {
    /// Remembers nothing yet.
    pub fn new(objects: Arc<dyn Objects>, clock: Clock) -> Self {
        Self { objects, clock, told: Arc::new(Cache::new(REMEMBERED)) }
    }

    /// The address of a rendition: the same for an hour, so that caches have it, and good for one hour at least.
    pub fn of(&self, picture: PictureId, size: Size) -> String {
        let now = self.clock.now();
        let signed = || {
            let (from, until) = rules::address_life(now);
            self.objects.address(picture, size, from, until)
        };
        // Who came by another name of this machine is told addresses under that one.
        if At::current().is_some() {
            return signed();
        }
        let (key, hour) = ((picture, size), rules::hour(now));
        if let Some(told) = self.told.get(&key).filter(|told| told.hour == hour) {
            return (*told.address).to_owned();
        }
        let address = signed();
        self.told.insert(key, Told { hour, address: Arc::from(address.as_str()) });
        address
    }
}
