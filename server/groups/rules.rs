//! What a group may be called, and who may be in it. Pure.

use super::{GROUPS_MAX, Group};
use crate::{
    error::{Error, FieldReason, Reason, Result},
    ids::{GroupId, MemberId},
    text,
};
use std::collections::{BTreeSet, HashSet};
use unicode_normalization::UnicodeNormalization;

/// The most characters of a name.
const NAME_CHARS_MAX: usize = 100;

/// What a group shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Who shall be in it, in the order in which they were named.
    pub members: Vec<MemberId>,
}

impl Wanted {
    /// What was asked for, without white space around the name.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with every field that breaks a rule, in the documented texts.
    pub fn new(name: &str, members: Vec<MemberId>) -> Result<Self> {
        let name = text::name(name);
        let mut wrong = Vec::new();
        if name.is_empty() {
            wrong.push(("group_name", FieldReason::Required, "Please enter a group name"));
        }
        if name.chars().count() > NAME_CHARS_MAX {
            wrong.push(("group_name", FieldReason::TooLong, "must be at most 100 characters"));
        }
        if name.chars().any(text::breaks) {
            wrong.push(("group_name", FieldReason::Invalid, "must not contain control characters"));
        }
        if members.is_empty() {
            wrong.push(("friend_ids", FieldReason::Required, "Please select at least one friend"));
        }
        if wrong.is_empty() {
            return Ok(Self { name, members });
        }
        Err(wrong.into_iter().fold(Error::invalid_fields(), |error, (field, reason, text)| error.with_field(field, reason, text)))
    }

    /// Whether a group is like this already.
    pub fn is(&self, group: &Group) -> bool {
        let wanted: BTreeSet<_> = self.members.iter().collect();
        self.name == group.name && wanted == group.members.iter().collect()
    }

    /// Refuses members who are not among the owner's friends, by their place in the request.
    ///
    /// # Errors
    /// NOT_A_FRIEND.
    pub fn of_friends(&self, friends: &[MemberId]) -> Result<()> {
        let friends: HashSet<_> = friends.iter().collect();
        let strangers: Vec<_> = (0..).zip(&self.members).filter(|(_, m)| !friends.contains(m)).map(|(i, _)| i).collect::<Vec<i32>>();
        if strangers.is_empty() {
            return Ok(());
        }
        Err(strangers.into_iter().fold(Error::new(Reason::NotAFriend, ""), |error, i| {
            error.with_field(format!("friend_ids[{i}]"), FieldReason::NotAFriend, "is not a friend of yours")
        }))
    }
}

/// What names are compared by: two that a reader would call the same have the same key, however they are typed. Compatibility forms and
/// accents are composed; letter case, runs of what looks like white space, and what is not seen do not count.
pub fn key(name: &str) -> String {
    let seen: String = name.chars().filter(|c| !text::is_invisible(*c)).collect();
    let words: Vec<&str> = seen.split(text::is_space).filter(|word| !word.is_empty()).collect();
    // By way of upper case, since some letters have one upper and two lower forms, as the sigma has.
    let folded: String = words.join(" ").nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.nfkc().collect()
}

/// Whether a group may have a name, beside those that its owner has.
///
/// # Errors
/// NAME_TAKEN naming the field.
pub fn name_is_free(name: &str, group: Option<GroupId>, others: &[(GroupId, String)]) -> Result<()> {
    let wanted = key(name);
    // The key of a stored key is the same, unless other Unicode tables made it.
    if others.iter().any(|(id, taken)| key(taken) == wanted && Some(*id) != group) {
        return Err(Error::new(Reason::NameTaken, "").with_field(
            "group_name",
            FieldReason::Conflicting,
            "is already the name of another group",
        ));
    }
    Ok(())
}

/// Whether there may be one more beside those that its owner has.
///
/// # Errors
/// LIMIT_REACHED.
pub fn one_more(others: &[(GroupId, String)]) -> Result<()> {
    if others.len() >= GROUPS_MAX {
        return Err(Error::new(Reason::LimitReached, "you have the maximum number of groups"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn who(n: u128) -> MemberId {
        MemberId(Uuid::from_u128(n))
    }

    fn fields(result: Result<impl std::fmt::Debug>) -> Vec<String> {
        let error = result.unwrap_err();
        error.fields().map(|(field, reason, text)| format!("{field}: {reason}: {text}")).collect()
    }

    #[test]
    fn a_group_needs_a_name_and_somebody_in_it() {
        let fine = Wanted::new("  Bo\u{200B}ok\u{200E} club \u{200B}", vec![who(1)]).unwrap();
        assert_eq!(fine.name, "Book club");
        assert_eq!(
            fields(Wanted::new(" \u{200B} ", vec![])),
            ["group_name: REQUIRED: Please enter a group name", "friend_ids: REQUIRED: Please select at least one friend"]
        );
        assert_eq!(fields(Wanted::new("two\nlines", vec![who(1)])), ["group_name: INVALID: must not contain control characters"]);
        Wanted::new(&"é".repeat(100), vec![who(1)]).unwrap();
        assert_eq!(fields(Wanted::new(&"é".repeat(101), vec![who(1)])), ["group_name: TOO_LONG: must be at most 100 characters"]);
    }

    #[test]
    fn strangers_are_named_by_their_place() {
        let wanted = Wanted::new("Street", vec![who(1), who(2), who(3)]).unwrap();
        wanted.of_friends(&[who(3), who(2), who(1)]).unwrap();
        let refused = wanted.of_friends(&[who(2)]);
        assert_eq!(refused.as_ref().unwrap_err().reason(), Reason::NotAFriend);
        assert_eq!(
            fields(refused),
            ["friend_ids[0]: NOT_A_FRIEND: is not a friend of yours", "friend_ids[2]: NOT_A_FRIEND: is not a friend of yours"]
        );
    }

    #[test]
    fn names_that_read_alike_have_one_key() {
        for (one, other) in [
            ("Book Club", "book  CLUB"),
            ("Straße", "STRASSE"),
            ("Café", "Cafe\u{301}"),
            ("ΟΔΟΣ", "οδος"),
            ("Ｂook", "book"),
            ("İzmir", "I\u{307}zmir"),
            ("Book club", "Bo\u{200B}ok\u{3164}\u{200F}cl\u{FE0F}ub\u{2060}"),
            ("Book club", "Book\u{2800}club\u{FEFF}"),
            ("می\u{200C}خواهم", "میخواهم"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
            assert_eq!(key(&key(one)), key(one), "{one}");
        }
        assert_ne!(key("Book club"), key("Bookclub"));
        assert_ne!(key("Cafe"), key("Café"));
    }

    #[test]
    fn the_longest_key_has_room() {
        // U+FDFA is the character that compatibility forms make longest.
        let longest = key(&"\u{FDFA}".repeat(NAME_CHARS_MAX));
        assert!(longest.chars().count() <= 2000, "{}", longest.chars().count());
    }

    #[test]
    fn a_name_is_its_groups_own() {
        let (mine, other) = (GroupId(Uuid::from_u128(1)), GroupId(Uuid::from_u128(2)));
        let others = [(mine, key("Street")), (other, key("Book club"))];
        name_is_free("STREET", Some(mine), &others).unwrap();
        name_is_free("Garden", None, &others).unwrap();
        let of_before = [(other, "boo\u{200B}k club".to_owned())];
        name_is_free("Book club", None, &of_before).unwrap_err();
        for group in [None, Some(mine)] {
            assert_eq!(
                fields(name_is_free("book CLUB", group, &others)),
                ["group_name: CONFLICTING: is already the name of another group"]
            );
        }
    }

    #[test]
    fn there_are_a_hundred_at_most() {
        let groups: Vec<_> = (0..100).map(|n| (GroupId(Uuid::from_u128(n)), n.to_string())).collect();
        one_more(&groups[..99]).unwrap();
        assert_eq!(one_more(&groups).unwrap_err().reason(), Reason::LimitReached);
    }

    #[test]
    fn the_same_in_another_order_is_no_change() {
        let group = Group { id: GroupId(Uuid::from_u128(1)), name: "Street".into(), members: vec![who(1), who(2)] };
        assert!(Wanted::new("Street", vec![who(2), who(1)]).unwrap().is(&group));
        assert!(!Wanted::new("street", vec![who(1), who(2)]).unwrap().is(&group));
        assert!(!Wanted::new("Street", vec![who(1)]).unwrap().is(&group));
    }
}
