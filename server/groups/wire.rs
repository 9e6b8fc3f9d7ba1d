//! Groups between the wire and the domain.

use super::{
    Group,
    rules::{self, Wanted},
};
use crate::{error::Result, ids::MemberId, pb::groups as wire};
use std::collections::HashSet;

/// Reads what a group shall be; a friend who is named in two letter cases is one.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn wanted(name: &str, friends: &[String]) -> Result<Wanted> {
    let friends = friends.iter().map(|id| MemberId::parse("friend_ids", id)).collect::<Result<Vec<_>>>()?;
    let mut named = HashSet::new();
    Wanted::new(name, friends.into_iter().filter(|friend| named.insert(*friend)).collect())
}

/// A group, as its owner sees it.
pub fn group(group: Group) -> wire::Group {
    wire::Group { group_id: group.id.to_string(), group_name: group.name, members: group.members.iter().map(ToString::to_string).collect() }
}

/// Groups, by their names.
pub fn groups(mut groups: Vec<Group>) -> Vec<wire::Group> {
    groups.sort_by_cached_key(|g| rules::key(&g.name));
    groups.into_iter().map(group).collect()
}
