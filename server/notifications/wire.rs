//! Notifications between the domain and the contract.

use super::{Apart, FORMER, Notification, Target};
use crate::{
    identity::Member,
    ids::MemberId,
    pb::{
        self,
        common::Person,
        notifications::{MutedMember, Notification as Wire, Target as WireTarget, TargetKind},
    },
    pictures::Pictures,
};
use std::collections::HashMap;
use uuid::Uuid;

/// A notification; `people` are the actors that were found.
pub fn notification(n: Notification, people: &HashMap<MemberId, Member>, pictures: &Pictures) -> Wire {
    Wire {
        id: n.id.to_string(),
        r#type: n.kind as i32,
        title: n.title,
        message: n.message,
        timestamp: Some(pb::timestamp(n.at)),
        read: n.read,
        action_required: n.action_required,
        target: Some(target(n.target)),
        actor: n.actor.map(|id| person(people.get(&id), pictures)),
    }
}

/// A member who is muted.
pub fn muted(muted: Apart) -> MutedMember {
    MutedMember { since: Some(pb::timestamp(muted.since)), user: Some(muted.into_person()) }
}

/// Where a notification leads.
pub fn target(Target(kind, id): Target) -> WireTarget {
    WireTarget { kind: kind as i32, id: if id.is_nil() { String::new() } else { id.to_string() } }
}

/// What a signal says has changed.
pub fn change(data: &str) -> Option<WireTarget> {
    let (kind, id) = data.split_once(' ')?;
    let kind = TargetKind::try_from(kind.parse::<i32>().ok()?).ok()?;
    Some(target(Target(kind, Uuid::parse_str(id).ok()?)))
}

fn person(member: Option<&Member>, pictures: &Pictures) -> Person {
    match member {
        Some(member) => member.to_person(false, pictures),
        None => Person { display_name: FORMER.to_owned(), ..Person::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_no_thing_has_an_empty_id() {
        let nil = Uuid::nil();
        let heard = change(&format!("6 {nil}")).unwrap();
        assert_eq!((heard.kind(), heard.id.as_str()), (TargetKind::Notifications, ""));
        for bad in ["", "6", "x y", "999 00000000-0000-0000-0000-000000000000", "1 y"] {
            assert!(change(bad).is_none(), "{bad}");
        }
    }
}
