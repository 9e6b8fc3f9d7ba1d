//! Pictures of a hand-over, of a return and of its confirmation: announced, put into the store by their client, and named when it is noted.

use super::{
    Moment, Service,
    acts::{Act, Named},
    rules::{self, Action},
    store, wire,
};
use crate::{
    budgets,
    db::Tx,
    error::{Error, Result},
    identity::store as members,
    ids::{ItemId, MemberId, PictureId, RentalId, each_once},
    pb::rentals as pb,
    pictures::{self, About, Format, New, Purpose, Standing},
    read, transact,
};
use futures_util::future::try_join_all;
use uuid::Uuid;

/// Which field of the request names uploads.
const KEYS: &str = "picture_keys";

/// A picture that was looked at, and whether there was one.
pub type Looked = (PictureId, bool);

/// How a member is about to note a hand-over or a return, or to confirm one.
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    /// Which of them.
    pub action: Action,
    /// Their words.
    pub words: &'a str,
    /// The keys of their pictures.
    pub keys: &'a [String],
}

const fn about(me: MemberId, rental: RentalId) -> About {
    About { member: me, purpose: Purpose::Rental, thing: rental.0 }
}

fn not_found() -> Error {
    Error::not_found("upload")
}

impl Service {
    /// Announces a picture: where to put it.
    pub(super) async fn announce(
        &self,
        me: MemberId,
        named: Named,
        asked: &pb::CreateRentalPictureUploadRequest,
    ) -> Result<pb::CreateRentalPictureUploadResponse> {
        let (now, format) = (self.deps.clock.now(), Format::of(asked.content_type())?);
        let (id, bytes) = (self.deps.ids.id(), u32::try_from(asked.file_size).ok());
        let new = New { id, about: about(me, named.id), format, bytes };
        transact!(self.deps.pool, |tx| {
            budgets::spend(tx, now, &pictures::spending(me, Purpose::Rental)).await?;
            // Who is leaving at this moment leaves nothing behind.
            if members::share(tx, &[me]).await?.is_empty() {
                return Err(Error::unauthenticated());
            }
            let (_, _, view) = self.locked(tx, me, named).await?;
            rules::may_show(view)?;
            pictures::announce(tx, &new, now).await
        })?;
        let (url, until) = self.deps.pictures.upload(&new, now);
        Ok(wire::announced(url, &new, until))
    }

    /// Notes a hand-over or a return, or confirms one, with what is shown of it.
    pub(super) async fn note(&self, me: MemberId, named: Named, note: Note<'_>) -> Result<pb::Rental> {
        each_once(KEYS, &note.keys.iter().map(|key| Uuid::try_parse(key).map_err(|_| key)).collect::<Vec<_>>())?;
        let act = Act { note: note.words, keys: note.keys, ..Act::of(note.action) };
        let pictures = self.looked_at(me, named, act).await?;
        self.act(me, named, Act { pictures: &pictures, ..act }).await
    }

    /// Has uploads looked at, before the transaction: it takes a second. None where there is nothing to be done with them.
    async fn looked_at(&self, me: MemberId, named: Named, act: Act<'_>) -> Result<Vec<Looked>> {
        if act.keys.is_empty() {
            return Ok(Vec::new());
        }
        let found = read!(self.deps.pool, |conn| {
            let (rental, view) = self.seen(conn, me, named).await?;
            let mut found = Vec::new();
            // What was noted with them already has them.
            if rules::next(view, act.action, act.is_same(&rental, view.side))?.is_some() {
                for key in act.keys {
                    let upload = pictures::find(conn, &about(me, rental.id), key, self.deps.clock.now()).await?;
                    found.push(upload.ok_or_else(not_found)?);
                }
            }
            Ok(found)
        })?;
        try_join_all(found.into_iter().map(|(id, standing)| self.look_at(me, named.id, id, standing))).await
    }

    async fn look_at(&self, me: MemberId, rental: RentalId, id: PictureId, standing: Standing) -> Result<Looked> {
        match standing {
            // By the same call at the same moment, or by another one.
            Standing::Taken => Ok((id, false)),
            Standing::Awaited(upload) => Ok((id, pictures::developed(&self.deps, &about(me, rental), KEYS, &upload).await?)),
        }
    }

    /// Makes uploads the pictures of one of them, under the item's lock. `pictures::clear` comes last in the transaction.
    pub(super) async fn take(
        &self,
        tx: &mut Tx,
        me: MemberId,
        (item, rental): (ItemId, RentalId),
        moment: Moment,
        looked: &[Looked],
    ) -> Result<()> {
        let pictures: Vec<PictureId> = looked.iter().map(|(id, _)| *id).collect();
        // One that shows something else already shows that alone.
        if !store::add_pictures(tx, (item, rental), moment, &pictures).await? {
            return Err(not_found());
        }
        for (id, is_developed) in looked {
            let is_new = pictures::take_early(tx, &about(me, rental), *id, *is_developed, self.deps.clock.now()).await?;
            is_new.filter(|is_new| *is_new).ok_or_else(not_found)?;
        }
        Ok(())
    }
}
