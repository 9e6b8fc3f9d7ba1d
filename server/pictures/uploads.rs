//! A picture's way: announced, then taken by the thing that it is of, or dropped. Steps of the caller's transaction, under the lock of its thing.

use super::{
    Digest, Drawn, Format, removal,
    rules::{self, Status},
    store,
};
use crate::{
    budgets::{self, Spending, Subject},
    db::Tx,
    deps::Deps,
    error::{Error, FieldReason, Reason, Result},
    ids::{MemberId, PictureId},
    read, transact,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Of which kind of thing it is a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A member.
    Profile,
    /// A thing that is lent.
    Item,
    /// A hand-over, a return or its confirmation.
    Rental,
}

impl Purpose {
    /// As rows have it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Item => "item",
            Self::Rental => "rental",
        }
    }
}

/// Whose picture, and of which thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Who uploads it.
    pub member: MemberId,
    /// The kind of the thing.
    pub purpose: Purpose,
    /// Its id.
    pub thing: Uuid,
}

/// An upload that is announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// Its id.
    pub id: PictureId,
    /// What it is of.
    pub about: About,
    /// The format.
    pub format: Format,
    /// The length in bytes; `None`: not said.
    pub bytes: Option<u32>,
}

impl New {
    /// What clients call it.
    pub fn key(&self) -> String {
        self.id.to_string()
    }
}

/// An upload that waits to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Its id.
    pub id: PictureId,
    /// The length in bytes that was announced.
    pub bytes: Option<u32>,
}

/// Where an upload stands, for who would take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It waits.
    Awaited(Upload),
    /// It is taken.
    Taken,
}

/// A picture, for its member's export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: PictureId,
    /// Where it stands.
    pub status: Status,
    /// Since when it is known.
    pub announced_at: OffsetDateTime,
}

/// What an announcement spends, first of all.
pub fn spending(member: MemberId, purpose: Purpose) -> Spending {
    let budget = match purpose {
        Purpose::Profile => budgets::UPLOADS_OF_MEMBER,
        Purpose::Item | Purpose::Rental => budgets::UPLOADS_FOR_ITEMS,
    };
    Spending { subject: Subject::member(member), budget }
}

/// What a look at an upload spends, in a transaction of its own: it stays spent, whatever is found.
fn looking(member: MemberId, purpose: Purpose) -> Spending {
    let budget = match purpose {
        Purpose::Profile => budgets::LOOKS_OF_MEMBER,
        Purpose::Item | Purpose::Rental => budgets::LOOKS_FOR_ITEMS,
    };
    Spending { subject: Subject::member(member), budget }
}

/// Has an upload looked at, before the transaction that takes it, for it takes a second. Whether there was something. What cannot be a picture is dropped.
///
/// # Errors
/// INVALID_ARGUMENT or TOO_LARGE for the field that names it; RATE_LIMITED, OVERLOADED, UNAVAILABLE.
pub async fn developed(deps: &Deps, about: &About, field: &'static str, upload: &Upload) -> Result<bool> {
    transact!(deps.pool, |tx| budgets::spend(tx, deps.clock.now(), &looking(about.member, about.purpose)).await)?;
    // Who comes while it is drawn waits here, where nothing is held, and finds it drawn.
    let _alone = deps.pictures.alone(upload.id).await?;
    let known = read!(deps.pool, |conn| store::find(conn, about, upload.id).await)?;
    if known.is_none_or(|row| row.is_drawn || row.status != Status::Awaited) {
        return Ok(known.is_some_and(|row| row.status == Status::Awaited));
    }
    match deps.pictures.draw(about.member, field, upload).await {
        Ok(Some(drawn)) => keep(deps, about, field, (upload.id, &drawn)).await,
        Ok(None) => Ok(false),
        Err(refused) => {
            if matches!(refused.reason(), Reason::InvalidArgument | Reason::TooLarge) {
                // Nobody has it looked at again.
                transact!(deps.pool, |tx| drop_awaited(tx, about, upload.id, deps.clock.now()).await)?;
            }
            Err(refused)
        }
    }
}

/// Writes what was drawn, with nothing held: a store may take long. The first file that it is drawn of is the only one, so that two calls at once, on
/// whatever nodes, write the same, and what was taken stays what it is. Whether it can be taken.
async fn keep(deps: &Deps, about: &About, field: &'static str, (id, drawn): (PictureId, &Drawn)) -> Result<bool> {
    let begun = transact!(deps.pool, |tx| begin(tx, about, (id, &drawn.of)).await)?;
    match begun {
        Begun::Gone => return Ok(false),
        Begun::Drawn => return Ok(true),
        Begun::OfOther => {
            return Err(Error::field(field, FieldReason::Invalid, "names a file that was uploaded again; announce a new one"));
        }
        Begun::Now => {}
    }
    deps.pictures.keep(id, drawn).await?;
    transact!(deps.pool, |tx| store::drawn(tx, about.member, id, deps.clock.now()).await)
}

/// How a picture stands for who has drawn it.
enum Begun {
    /// It is not awaited any more.
    Gone,
    /// Another call has written it.
    Drawn,
    /// Another call draws it of another file, which had its address before.
    OfOther,
    /// It is to be written.
    Now,
}

async fn begin(tx: &mut Tx, about: &About, (id, file): (PictureId, &Digest)) -> Result<Begun> {
    let Some(row) = store::lock(tx, about, id).await?.filter(|row| row.status == Status::Awaited) else { return Ok(Begun::Gone) };
    if row.is_drawn {
        return Ok(Begun::Drawn);
    }
    Ok(if store::draw_of(tx, about.member, id, file).await? { Begun::Now } else { Begun::OfOther })
}

/// Announces an upload. Of those for the same thing that wait, the oldest are dropped: what one member may leave in the store is bounded.
///
/// # Errors
/// As the database.
pub async fn announce(tx: &mut Tx, new: &New, now: OffsetDateTime) -> Result<()> {
    let waiting = store::awaited(tx, &new.about).await?;
    let too_many = (waiting.len() + 1).saturating_sub(rules::awaited_max(new.about.purpose));
    for id in waiting.into_iter().take(too_many) {
        // Another call may take it at this moment.
        if store::lock(tx, &new.about, id).await?.is_some_and(|row| row.status == Status::Awaited) {
            store::drop_one(tx, new.about.member, id, now).await?;
        }
    }
    store::insert(tx, new, now, now + rules::AWAITED_FOR).await?;
    if too_many > 0 {
        removal::ask(tx, new.about.member, now, now).await?;
    }
    Ok(())
}

/// The upload with this key of this thing; `None` when there is none that could be taken, or is.
///
/// # Errors
/// As the database.
pub async fn find(conn: &mut PgConnection, about: &About, key: &str, now: OffsetDateTime) -> Result<Option<(PictureId, Standing)>> {
    let Ok(id) = Uuid::try_parse(key).map(PictureId) else { return Ok(None) };
    let Some(row) = store::find(conn, about, id).await? else { return Ok(None) };
    let upload = Upload { id, bytes: row.bytes };
    Ok(match row.status {
        Status::Taken => Some((id, Standing::Taken)),
        status if rules::may_be_taken(status, row.announced_at, now) => Some((id, Standing::Awaited(upload))),
        Status::Awaited | Status::Dropped => None,
    })
}

/// Takes a picture that is developed, in the transaction in which its thing gets it. Whether it is taken now, or was before; `None` when it cannot
/// be.
///
/// # Errors
/// As the database.
pub async fn take(tx: &mut Tx, about: &About, id: PictureId, is_developed: bool, now: OffsetDateTime) -> Result<Option<bool>> {
    let taken = take_early(tx, about, id, is_developed, now).await?;
    if taken == Some(true) {
        clear(tx, about.member, now).await?;
    }
    Ok(taken)
}

/// The same where others are told of it: jobs come after the notifications, and so does `clear`.
///
/// # Errors
/// As the database.
pub async fn take_early(tx: &mut Tx, about: &About, id: PictureId, is_developed: bool, now: OffsetDateTime) -> Result<Option<bool>> {
    let Some(row) = store::lock(tx, about, id).await? else { return Ok(None) };
    if row.status == Status::Taken {
        return Ok(Some(false));
    }
    if !is_developed || !rules::may_be_taken(row.status, row.announced_at, now) {
        return Ok(None);
    }
    store::take(tx, about.member, id, now).await?;
    Ok(Some(true))
}

/// Drops a picture that its thing has no more, or that is none. One that is gone stays gone.
///
/// # Errors
/// As the database.
pub async fn drop_one(tx: &mut Tx, member: MemberId, id: PictureId, now: OffsetDateTime) -> Result<()> {
    if store::drop_one(tx, member, id, now).await? {
        removal::ask(tx, member, now, now).await?;
    }
    Ok(())
}

/// Drops pictures of a thing that is removed. `clear` comes last in the transaction.
///
/// # Errors
/// As the database.
pub async fn drop_some(tx: &mut Tx, member: MemberId, ids: &[PictureId], now: OffsetDateTime) -> Result<()> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    for id in ids {
        store::drop_one(tx, member, id, now).await?;
    }
    Ok(())
}

/// Drops an upload that is no picture, unless it is not awaited any more.
async fn drop_awaited(tx: &mut Tx, about: &About, id: PictureId, now: OffsetDateTime) -> Result<()> {
    match store::lock(tx, about, id).await? {
        // What another call has drawn meanwhile may be taken.
        Some(row) if row.status == Status::Awaited && !row.is_drawn => drop_one(tx, about.member, id, now).await,
        _ => Ok(()),
    }
}

/// Drops all that a member uploaded, who leaves. `clear` comes last in the transaction.
///
/// # Errors
/// As the database.
pub async fn drop_all(tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    store::drop_all(tx, member, now).await
}

/// Has the files removed that a member's pictures need no more: what was uploaded says where it was taken, and has served. Last in a transaction.
///
/// # Errors
/// As the database.
pub async fn clear(tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    removal::ask(tx, member, now, now).await
}

/// What is kept of a member's pictures, the oldest first, after an id.
///
/// # Errors
/// As the database.
pub async fn listed(conn: &mut PgConnection, member: MemberId, after: PictureId, limit: i64) -> Result<Vec<Listed>> {
    store::listed(conn, member, after, limit).await
}
