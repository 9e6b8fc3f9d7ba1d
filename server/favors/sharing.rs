//! Favors for all friends: who is told, and when there is nothing to offer any more. Each friend is told once for each favor: a favor that is for
//! all friends is posted once, and stays so.

use super::{Crowd, Favor, RequestType, news, rules::Action, store, texts};
use crate::{
    error::Result,
    identity::Member,
    ids::{FavorId, MemberId},
    notifications::{New, Settled},
    pb::notifications::NotificationType as Kind,
};
use sqlx::PgConnection;
use uuid::Uuid;

/// News to each friend. Friends who are asked by name get their request instead.
pub fn told(favor: &Favor, crowd: &Crowd, creator: &Member, friends: &[MemberId]) -> Vec<New> {
    let (title, message) = texts::shared(&creator.display_name(), &favor.content.title);
    let is_asked = |friend: &&MemberId| crowd.recipients.iter().any(|r| r.member == **friend);
    let new = |friend: &MemberId| New {
        member: *friend,
        kind: Kind::FavorShared,
        title: title.to_owned(),
        message: message.clone(),
        actor: Some(favor.creator),
        target: news::target(favor.id),
        about: about(favor.id),
        about_unread: None,
        action_required: false,
    };
    friends.iter().filter(|friend| !is_asked(friend)).map(new).collect()
}

/// It is about a thing of its own, so that it is withdrawn without what else a friend was told of the favor.
fn about(favor: FavorId) -> Uuid {
    // As other news of favors have theirs: turned over, the bits of an id are of no version that is made. The others leave this pair of bits.
    Uuid::from_u128(!favor.0.as_u128() ^ 3)
}

/// News to withdraw from one friend, who has offered help or is now asked by name.
pub fn over(friend: MemberId, favor: FavorId) -> Settled {
    Settled { member: friend, about: about(favor), actor: None, called_off: true, seen: false }
}

/// News to withdraw from friends whom a change asks by name.
pub fn asked_by_name<'a>(old: &'a Favor, new: &'a Favor) -> impl Iterator<Item = Settled> {
    let is_public = old.content.request_type == RequestType::Public;
    let added = new.recipients.iter().filter(move |m| is_public && !old.recipients.contains(m));
    added.map(|member| over(*member, new.id))
}

/// Whether nobody can offer help after an action.
const fn ends_offers(action: Action) -> bool {
    matches!(action, Action::Accept | Action::Choose | Action::AcceptTime | Action::Cancel | Action::Delete)
}

/// News to withdraw after an action on a favor.
///
/// # Errors
/// As the database.
pub async fn withdrawn(
    conn: &mut PgConnection,
    favor: &Favor,
    action: Action,
    (actor, whom): (MemberId, Option<MemberId>),
) -> Result<Vec<Settled>> {
    if favor.content.request_type == RequestType::Direct {
        return Ok(Vec::new());
    }
    match action {
        Action::Apply => Ok(vec![over(actor, favor.id)]),
        Action::Ask => Ok(whom.map(|whom| over(whom, favor.id)).into_iter().collect()),
        _ if ends_offers(action) => unread(conn, favor).await,
        _ => Ok(Vec::new()),
    }
}

/// Unread news to withdraw from all friends, once help can no longer be offered.
///
/// # Errors
/// As the database.
pub async fn unread(conn: &mut PgConnection, favor: &Favor) -> Result<Vec<Settled>> {
    if favor.content.request_type == RequestType::Direct {
        return Ok(Vec::new());
    }
    let friends = store::unread_shares(conn, favor.creator, about(favor.id)).await?;
    Ok(friends.into_iter().map(|friend| over(friend, favor.id)).collect())
}

/// Unread news of two members about each other's favors, to withdraw when their friendship ends.
///
/// # Errors
/// As the database.
pub async fn between(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<Settled>> {
    let shares = store::shares_between(conn, one, other).await?;
    Ok(shares.into_iter().map(|(member, about)| Settled { member, about, actor: None, called_off: true, seen: false }).collect())
}
