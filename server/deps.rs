//! What every service is given: the database, the time, ids, cursors, signals and pictures.

use crate::{bus::Bus, clock::Clock, db::Pool, ids::Ids, page::Cursors, pictures::Pictures};
use time::Duration;

/// Cheap to clone; all clones share the same parts.
#[derive(Clone)]
pub struct Deps {
    /// The database.
    pub pool: Pool,
    /// The time.
    pub clock: Clock,
    /// New ids and random bytes.
    pub ids: Ids,
    /// Page cursors.
    pub cursors: Cursors,
    /// Signals between nodes.
    pub bus: Bus,
    /// Pictures, and their addresses.
    pub pictures: Pictures,
    /// How long a mail about what members are told waits, since it may be read or answered meanwhile.
    pub mail_delay: Duration,
    /// How many favors one member may make or post in a day.
    pub favors_per_day: i32,
}
