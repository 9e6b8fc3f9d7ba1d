//! Who may be asked: friends, and groups of them. A draft keeps its groups; they become recipients when it is posted.

use super::form;
use crate::{
    error::{Error, FieldReason, Reason, Result},
    friends,
    groups::{self, Group},
    ids::{GroupId, MemberId},
};
use sqlx::PgConnection;
use std::collections::BTreeSet;

/// Those of a creator's friends and groups whom a call is about, the friends locked: they stay so until the transaction ends.
pub struct Circle {
    groups: Vec<Group>,
    friends: Vec<MemberId>,
    has_all: bool,
}

impl Circle {
    /// Locks the friendships with these members and with all who are in these groups. Before the favor is locked: the end of a friendship
    /// locks them in this order too.
    pub async fn lock(conn: &mut PgConnection, creator: MemberId, members: &[MemberId], groups: &[GroupId]) -> Result<Self> {
        let groups = if groups.is_empty() { Vec::new() } else { groups::named(conn, creator, groups).await? };
        let all: BTreeSet<MemberId> = members.iter().chain(groups.iter().flat_map(|g| &g.members)).copied().collect();
        let friends = friends::lock_friends(conn, creator, &Vec::from_iter(all)).await?;
        Ok(Self { groups, friends, has_all: false })
    }

    /// The same with all friends, whom a favor for all is shared with.
    pub async fn lock_all(conn: &mut PgConnection, creator: MemberId, groups: &[GroupId]) -> Result<Self> {
        let groups = if groups.is_empty() { Vec::new() } else { groups::named(conn, creator, groups).await? };
        Ok(Self { groups, friends: friends::lock_all_friends(conn, creator).await?, has_all: true })
    }

    /// All friends.
    ///
    /// # Errors
    /// CONFLICT when only some are locked: the favor asked fewer before it was locked.
    pub fn everybody(&self) -> Result<&[MemberId]> {
        if self.has_all { Ok(&self.friends) } else { Err(Error::new(Reason::Conflict, "changed at the same moment; try again")) }
    }

    /// Refuses recipients who are no friends, by their place in the request; those who are asked already may stay.
    ///
    /// # Errors
    /// NOT_A_FRIEND.
    pub fn of_friends(&self, recipients: &[MemberId], asked: &[MemberId]) -> Result<()> {
        let fine = |m: &MemberId| self.friends.contains(m) || asked.contains(m);
        refuse(Reason::NotAFriend, "recipients", recipients, fine, (FieldReason::NotAFriend, "is not a friend of yours"))
    }

    /// Refuses one member who is no friend.
    ///
    /// # Errors
    /// NOT_A_FRIEND.
    pub fn of_friend(&self, field: &'static str, member: MemberId) -> Result<()> {
        if self.friends.contains(&member) {
            return Ok(());
        }
        Err(Error::new(Reason::NotAFriend, "").with_field(field, FieldReason::NotAFriend, "is not a friend of yours"))
    }

    /// Refuses groups that are not the creator's, by their place in the request: another's does not exist for them.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub fn of_own(&self, groups: &[GroupId]) -> Result<()> {
        let own = |group: &GroupId| self.groups.iter().any(|g| g.id == *group);
        refuse(Reason::NotFound, "group_ids", groups, own, (FieldReason::Invalid, "is not a group of yours"))
    }

    /// Whether the groups are these, in this order.
    pub fn is_of(&self, groups: &[GroupId]) -> bool {
        self.groups.iter().map(|g| g.id).eq(groups.iter().copied())
    }

    /// The recipients, and after them who is in the groups and is a friend still, each once.
    pub fn expanded(&self, recipients: &[MemberId]) -> Vec<MemberId> {
        let members = self.groups.iter().flat_map(|g| &g.members).copied().filter(|m| self.friends.contains(m));
        form::each_once(recipients.iter().copied().chain(members))
    }
}

/// The refusal of those entries of a list that are not fine.
fn refuse<T>(reason: Reason, field: &str, list: &[T], fine: impl Fn(&T) -> bool, (why, text): (FieldReason, &'static str)) -> Result<()> {
    let mut wrong = list.iter().enumerate().filter(|(_, entry)| !fine(entry)).map(|(i, _)| format!("{field}[{i}]")).peekable();
    if wrong.peek().is_none() {
        return Ok(());
    }
    Err(wrong.fold(Error::new(reason, ""), |error, field| error.with_field(field, why, text)))
}
