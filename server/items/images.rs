//! The pictures of items: announced, put into the store by their owner's client, then taken; ordered, and taken away.

use super::{changes::owned, rules, service::Service, store, wire};
use crate::{
    budgets,
    db::Tx,
    error::{Error, Result},
    identity::store as members,
    ids::{ItemId, MemberId, PictureId},
    notifications,
    pb::{self as contract, common::PictureFormat, items as pb, notifications::TargetKind},
    pictures::{self, About, Format, New, Purpose, Standing},
    read, transact,
};
use time::OffsetDateTime;

/// Which field of the request names an upload.
const KEY: &str = "key";

const fn about(me: MemberId, item: ItemId) -> About {
    About { member: me, purpose: Purpose::Item, thing: item.0 }
}

fn no_upload() -> Error {
    Error::not_found("upload")
}

impl Service {
    /// Announces a picture: where to put it.
    pub(super) async fn announce(&self, me: MemberId, asked: &pb::PresignImageRequest) -> Result<pb::PresignImageResponse> {
        let item = ItemId::parse("item_id", &asked.item_id)?;
        let (now, format) = (self.deps.clock.now(), Format::of(asked.content_type())?);
        // 0 is not said.
        let bytes = u32::try_from(asked.file_size).ok().filter(|bytes| *bytes > 0);
        let new = New { id: self.deps.ids.id(), about: about(me, item), format, bytes };
        transact!(self.deps.pool, |tx| {
            budgets::spend(tx, now, &pictures::spending(me, Purpose::Item)).await?;
            // Who is leaving at this moment leaves nothing behind.
            if members::share(tx, &[me]).await?.is_empty() {
                return Err(Error::unauthenticated());
            }
            owned(tx, me, item).await?;
            rules::one_more_image(store::images(tx, item).await?.len())?;
            pictures::announce(tx, &new, now).await
        })?;
        let (upload_url, until) = self.deps.pictures.upload(&new, now);
        let expires_at = Some(contract::timestamp(until));
        Ok(pb::PresignImageResponse { upload_url, key: new.key(), image_id: new.id.to_string(), expires_at })
    }

    /// Makes an upload a picture of the item: the last one.
    pub(super) async fn confirm(&self, me: MemberId, item: ItemId, key: &str) -> Result<pb::ItemImage> {
        let now = self.deps.clock.now();
        let found = read!(self.deps.pool, |conn| {
            super::own(conn, me, item).await?;
            pictures::find(conn, &about(me, item), key, now).await
        })?;
        let (id, standing) = found.ok_or_else(no_upload)?;
        // Before the transaction: it takes a second. Where nothing is there, or it is not awaited any more, another call may have taken it.
        let is_developed = match standing {
            Standing::Taken => false,
            Standing::Awaited(upload) => pictures::developed(&self.deps, &about(me, item), KEY, &upload).await?,
        };
        transact!(self.deps.pool, |tx| put(tx, (me, item), (id, is_developed), self.deps.clock.now()).await)?;
        Ok(wire::image(id, &self.deps.pictures))
    }

    pub(super) async fn images(&self, me: MemberId, id: ItemId) -> Result<Vec<pb::ItemImage>> {
        let images = read!(self.deps.pool, |conn| {
            let (_, seen) = super::find(conn, me, id).await?;
            rules::may_see(seen)?;
            store::images(conn, id).await
        })?;
        Ok(self.told(&images))
    }

    pub(super) async fn take_away(&self, me: MemberId, item: ItemId, image: PictureId) -> Result<()> {
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| {
            owned(tx, me, item).await?;
            if !store::remove_image(tx, item, image).await? {
                return Ok(());
            }
            store::touch(tx, item, now).await?;
            pictures::drop_one(tx, me, image, now).await?;
            notifications::changed(tx, me, TargetKind::Item, item.0);
            Ok(())
        })
    }

    pub(super) async fn order(&self, me: MemberId, item: ItemId, wanted: &[PictureId]) -> Result<Vec<pb::ItemImage>> {
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| {
            owned(tx, me, item).await?;
            let images = store::images(tx, item).await?;
            rules::is_order_of(wanted, &images)?;
            if wanted != images {
                store::order_images(tx, item, wanted).await?;
                store::touch(tx, item, now).await?;
                notifications::changed(tx, me, TargetKind::Item, item.0);
            }
            Ok(())
        })?;
        Ok(self.told(wanted))
    }

    fn told(&self, images: &[PictureId]) -> Vec<pb::ItemImage> {
        images.iter().map(|id| wire::image(*id, &self.deps.pictures)).collect()
    }
}

/// Adds a picture of the server's own to an item, by the way that uploads take. For the items of demo members.
///
/// # Errors
/// As `announce` and `confirm`.
pub async fn add_drawn(service: &Service, me: MemberId, item: ItemId, png: Vec<u8>) -> Result<()> {
    let asked = pb::PresignImageRequest {
        item_id: item.to_string(),
        content_type: PictureFormat::Png.into(),
        file_size: i32::try_from(png.len()).map_err(Error::internal)?,
    };
    let key = service.announce(me, &asked).await?.key;
    service.deps.pictures.put(&key, png).await?;
    service.confirm(me, item, &key).await.map(drop)
}

/// Puts a picture behind the others of its item; one that is there already stays.
async fn put(tx: &mut Tx, (me, item): (MemberId, ItemId), (id, is_developed): (PictureId, bool), now: OffsetDateTime) -> Result<()> {
    owned(tx, me, item).await?;
    let images = store::images(tx, item).await?;
    if images.contains(&id) {
        return Ok(());
    }
    rules::one_more_image(images.len())?;
    // Before the picture is taken: what is of the item is locked first. It goes again when it is not.
    store::add_image(tx, item, id, now).await?;
    store::touch(tx, item, now).await?;
    if pictures::take(tx, &about(me, item), id, is_developed, now).await? != Some(true) {
        return Err(no_upload());
    }
    notifications::changed(tx, me, TargetKind::Item, item.0);
    Ok(())
}
