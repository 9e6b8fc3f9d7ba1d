//! The picture of a member: announced, put into the store by its client, then set; or taken away.

use super::wire;
use crate::{
    budgets,
    db::Tx,
    deps::Deps,
    error::{Error, Result},
    identity::{
        Member,
        attributes::profile as details,
        store::{self as members, put_picture},
    },
    ids::{MemberId, PictureId},
    notifications,
    pb::{
        common::PictureFormat,
        notifications::TargetKind,
        profile::{CreatePictureUploadRequest, CreatePictureUploadResponse},
    },
    pictures::{self, About, Format, New, Purpose, Standing},
    read, transact,
};
use time::OffsetDateTime;

/// Which field of the request names an upload.
const KEY: &str = "key";

const fn about(me: MemberId) -> About {
    About { member: me, purpose: Purpose::Profile, thing: me.0 }
}

fn not_found() -> Error {
    Error::not_found("upload")
}

/// Announces a picture: where to put it.
///
/// # Errors
/// RATE_LIMITED.
pub async fn announce(deps: &Deps, me: MemberId, asked: &CreatePictureUploadRequest) -> Result<CreatePictureUploadResponse> {
    let (now, format) = (deps.clock.now(), Format::of(asked.content_type())?);
    let new = New { id: deps.ids.id(), about: about(me), format, bytes: u32::try_from(asked.file_size).ok() };
    transact!(deps.pool, |tx| {
        budgets::spend(tx, now, &pictures::spending(me, Purpose::Profile)).await?;
        // Who is leaving at this moment leaves nothing behind.
        if members::share(tx, &[me]).await?.is_empty() {
            return Err(Error::unauthenticated());
        }
        pictures::announce(tx, &new, now).await
    })?;
    let (url, until) = deps.pictures.upload(&new, now);
    Ok(wire::announced(url, &new, until))
}

/// Makes a picture of the server's own that of a member, by the way that uploads take. For demo members.
///
/// # Errors
/// As `announce` and `set`.
pub async fn set_drawn(deps: &Deps, me: MemberId, png: Vec<u8>) -> Result<()> {
    let asked = CreatePictureUploadRequest {
        content_type: PictureFormat::Png.into(),
        file_size: i32::try_from(png.len()).map_err(Error::internal)?,
        ..Default::default()
    };
    let key = announce(deps, me, &asked).await?.key;
    deps.pictures.put(&key, png).await?;
    set(deps, me, &key).await.map(drop)
}

/// Makes an upload the member's picture; its address. The one before is removed after the commit.
///
/// # Errors
/// NOT_FOUND, INVALID_ARGUMENT or TOO_LARGE for an upload that cannot be one; RATE_LIMITED, OVERLOADED, UNAVAILABLE.
pub async fn set(deps: &Deps, me: MemberId, key: &str) -> Result<String> {
    let found = read!(deps.pool, |conn| pictures::find(conn, &about(me), key, deps.clock.now()).await)?;
    let (id, standing) = found.ok_or_else(not_found)?;
    // Before the transaction: it takes a second. Where nothing is there, or it is not awaited any more, another call may have taken it.
    let is_developed = match standing {
        Standing::Taken => false,
        Standing::Awaited(upload) => pictures::developed(deps, &about(me), KEY, &upload).await?,
    };
    transact!(deps.pool, |tx| put(tx, me, (id, is_developed), deps.clock.now()).await)?;
    Ok(deps.pictures.face(Some(id)))
}

async fn put(tx: &mut Tx, me: MemberId, (id, is_developed): (PictureId, bool), now: OffsetDateTime) -> Result<()> {
    let before = locked(tx, me).await?.picture;
    if !pictures::take(tx, &about(me), id, is_developed, now).await?.ok_or_else(not_found)? {
        return Ok(());
    }
    put_picture(tx, me, Some(id), now).await?;
    if let Some(before) = before {
        pictures::drop_one(tx, me, before, now).await?;
    }
    notifications::changed(tx, me, TargetKind::Member, me.0);
    Ok(())
}

/// Takes a member's picture away.
///
/// # Errors
/// As the database.
pub async fn delete(deps: &Deps, me: MemberId) -> Result<()> {
    let now = deps.clock.now();
    transact!(deps.pool, |tx| {
        let Some(before) = locked(tx, me).await?.picture else { return Ok(()) };
        put_picture(tx, me, None, now).await?;
        pictures::drop_one(tx, me, before, now).await?;
        notifications::changed(tx, me, TargetKind::Member, me.0);
        Ok(())
    })
}

async fn locked(tx: &mut Tx, me: MemberId) -> Result<Member> {
    details::lock(tx, me).await?;
    members::member(tx, me).await?.ok_or_else(Error::unauthenticated)
}
