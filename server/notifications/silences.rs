//! Whom members do not want to hear of: muted by themselves, or blocked, which the area of friends says.

use super::{FORMER, changed, store::silences as store};
use crate::{
    db::Tx,
    deps::Deps,
    error::{Error, FieldReason, Reason, Result},
    identity::store as members,
    ids::MemberId,
    pb::{common::Person, notifications::TargetKind},
    transact,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// The most members that one member may have muted: as many as a list shows.
const MUTES_MAX: i64 = 1000;

/// Why a member does not hear of another one. What is said for one reason lasts beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Cause {
    /// They muted them.
    Muted,
    /// They blocked them.
    Blocked,
}

/// A member whom another one has muted or blocked, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Who: by the id it is taken back, always.
    pub other: Uuid,
    /// How they were called then; `None` for one who has left, and for one who has blocked the member as well, which nobody can tell apart.
    pub name: Option<String>,
    /// Since when.
    pub since: OffsetDateTime,
}

impl Apart {
    /// On the wire: no more than the name, for names and pictures of later are not for who keeps away from somebody.
    pub fn into_person(self) -> Person {
        Person { uid: self.other.to_string(), display_name: self.name.unwrap_or_else(|| FORMER.to_owned()), ..Person::default() }
    }
}

/// Says who has to do with whom. The area of friends is the real one.
#[tonic::async_trait]
pub trait Ties: Send + Sync + 'static {
    /// Whether a member has, or had, to do with another one: only then may they know that there is one.
    ///
    /// # Errors
    /// As the database.
    async fn tied(&self, conn: &mut PgConnection, member: MemberId, other: MemberId) -> Result<bool>;
}

/// From now on a member is told nothing that another one causes. What was expected of them is settled as ever. One that is so stays so.
///
/// # Errors
/// As the database.
pub async fn silence(tx: &mut Tx, member: MemberId, other: MemberId, cause: Cause, now: OffsetDateTime) -> Result<()> {
    store::add(tx, member, other, cause, now).await.map(drop)
}

/// Takes that back; one that is gone stays gone.
///
/// # Errors
/// As the database.
pub async fn unsilence(tx: &mut Tx, member: MemberId, other: MemberId, cause: Cause) -> Result<()> {
    store::remove(tx, member, other, cause).await.map(drop)
}

/// Forgets whom a member does not want to hear of, and how they are called where others do not want to hear of them: they are leaving. Said by the area
/// above, whose rows are locked after these.
///
/// # Errors
/// As the database.
pub async fn forget(tx: &mut Tx, member: MemberId) -> Result<()> {
    store::remove_all_of(tx, member).await
}

/// Mutes a member.
///
/// # Errors
/// INVALID_ARGUMENT for oneself, NOT_FOUND for who has nothing to do with the one who mutes, LIMIT_REACHED.
pub(super) async fn mute(deps: &Deps, ties: &dyn Ties, me: MemberId, other: &str) -> Result<()> {
    let (other, now) = (another(me, other)?, deps.clock.now());
    transact!(deps.pool, |tx| {
        // Also one who has left, or hides, by now.
        if store::is_there(tx, me, other, Cause::Muted).await? {
            return Ok(());
        }
        // Who leaves at this moment takes their name along.
        if members::share(tx, &[me, other]).await?.len() < 2 {
            return Err(not_found());
        }
        must_be_tied(tx, ties, me, other).await?;
        // A guard against floods, not an invariant: two at once may both be the last.
        if store::count(tx, me, Cause::Muted).await? >= MUTES_MAX {
            return Err(Error::new(Reason::LimitReached, format!("you can mute at most {MUTES_MAX} members")));
        }
        if store::add(tx, me, other, Cause::Muted, now).await? {
            changed(tx, me, TargetKind::Member, other.0);
        }
        Ok(())
    })
}

/// Takes a mute back.
///
/// # Errors
/// As `mute`.
pub(super) async fn unmute(deps: &Deps, ties: &dyn Ties, me: MemberId, other: &str) -> Result<()> {
    let other = another(me, other)?;
    transact!(deps.pool, |tx| {
        if store::remove(tx, me, other, Cause::Muted).await? {
            changed(tx, me, TargetKind::Member, other.0);
            return Ok(());
        }
        must_be_tied(tx, ties, me, other).await
    })
}

fn another(me: MemberId, other: &str) -> Result<MemberId> {
    let other = MemberId::parse("member_id", other)?;
    if other == me {
        return Err(Error::field("member_id", FieldReason::Invalid, "must not be your own id"));
    }
    Ok(other)
}

fn not_found() -> Error {
    Error::not_found("member")
}

async fn must_be_tied(conn: &mut PgConnection, ties: &dyn Ties, me: MemberId, other: MemberId) -> Result<()> {
    if ties.tied(conn, me, other).await? { Ok(()) } else { Err(not_found()) }
}
