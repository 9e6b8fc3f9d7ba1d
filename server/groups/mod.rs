//! Groups: the private lists in which a member sorts their friends.

mod account_deletion;
mod rules;
mod service;
mod store;
mod wire;

pub use account_deletion::Hooks;
pub use service::{Circle, Service};
pub use store::named;

use crate::ids::{GroupId, MemberId};

/// The most groups of one member: as many as a list shows.
pub const GROUPS_MAX: usize = 100;

/// A list of friends. Who is in it is a friend of its owner: a membership ends with the friendship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its id.
    pub id: GroupId,
    /// Its name.
    pub name: String,
    /// Who is in it, in the order of their ids.
    pub members: Vec<MemberId>,
}
