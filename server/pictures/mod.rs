//! Pictures that members upload, for every area. An area keeps the id of a picture beside its thing, and asks for an address where it tells of
//! it. The files are in a store (`adapters/pictures/`); a row follows each from its announcement until all of it is removed.

mod addresses;
mod removal;
mod renditions;
mod rules;
mod store;
mod uploads;

pub use removal::{Clear, Sweep};
pub use rules::{AWAITED_FOR, BYTES_MAX, Status, UPLOAD_LIFE};
pub use uploads::{
    About, Listed, New, Purpose, Standing, Upload, announce, clear, developed, drop_all, drop_one, drop_some, find, listed, spending, take,
    take_early,
};

use crate::{
    clock::Clock,
    db::Share,
    error::{Error, FieldReason, Reason, Result},
    ids::{MemberId, PictureId},
    keyed_mutex::Turns,
    pb::common::PictureFormat,
};
use addresses::Addresses;
use aws_lc_rs::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use futures_util::future::try_join_all;
use renditions::Flaw;
use std::{sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};
use uuid::Uuid;

/// How many are read and written anew at once, which bounds the memory: each takes up to 300 MB.
const DEVELOPED_AT_ONCE: usize = 2;
/// So many calls at once may want the same one: more than one client sends, however often it is pressed.
const OF_ONE_AT_ONCE: usize = 10;
/// So many of a member's wait or are read at once, one after the other: all of an item, and as many again.
const OF_MEMBER_AT_ONCE: usize = 20;
/// How long a call waits for its turn.
const TURN_WITHIN: Duration = Duration::from_secs(8);

/// SHA-256 of a file.
type Digest = [u8; SHA256_OUTPUT_LEN];

/// What was drawn of a picture.
struct Drawn {
    of: Digest,
    renditions: Vec<(Size, Vec<u8>)>,
}

impl Drawn {
    /// Takes a second.
    fn of(file: &[u8]) -> Result<Self, Flaw> {
        let renditions = renditions::of(file)?;
        let mut of = [0; SHA256_OUTPUT_LEN];
        of.copy_from_slice(digest(&SHA256, file).as_ref());
        Ok(Self { of, renditions })
    }
}

/// A format, as it is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
}

impl Format {
    /// The one that a request announces.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it announces none.
    pub fn of(asked: PictureFormat) -> Result<Self> {
        match asked {
            PictureFormat::Jpeg => Ok(Self::Jpeg),
            PictureFormat::Png => Ok(Self::Png),
            PictureFormat::Webp => Ok(Self::Webp),
            PictureFormat::Unspecified => {
                Err(Error::field("content_type", FieldReason::Required, "must be image/jpeg, image/png or image/webp"))
            }
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }
}

/// How large a rendition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// For a list.
    Small,
    /// For a face.
    Medium,
    /// For a card in a grid.
    Card,
    /// For looking at.
    Large,
}

impl Size {
    /// All of them, the largest first.
    pub const ALL: [Self; 4] = [Self::Large, Self::Card, Self::Medium, Self::Small];

    /// The most pixels of its longer side.
    pub const fn pixels(self) -> u32 {
        match self {
            Self::Small => 64,
            Self::Medium => 256,
            Self::Card => 512,
            Self::Large => 1024,
        }
    }

    /// What its file is called: by its pixels.
    const fn file(self) -> &'static str {
        match self {
            Self::Small => "64.jpg",
            Self::Medium => "256.jpg",
            Self::Card => "512.jpg",
            Self::Large => "1024.jpg",
        }
    }
}

/// A file in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// What a member uploaded. Nobody but us reads it.
    Upload(PictureId),
    /// What was made of it: a JPEG.
    Rendition(PictureId, Size),
}

impl Object {
    /// Its name in the store.
    pub fn name(self) -> String {
        match self {
            Self::Upload(id) => format!("uploads/{id}"),
            Self::Rendition(id, size) => {
                ["renditions/", id.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()), "/", size.file()].concat()
            }
        }
    }

    /// The one with this name, to the letter: no other text is a way into the store.
    pub fn parse(name: &str) -> Option<Self> {
        let object = match name.split_once('/')? {
            ("uploads", id) => Self::Upload(PictureId(Uuid::try_parse(id).ok()?)),
            ("renditions", rest) => {
                let (id, file) = rest.split_once('/')?;
                let size = Size::ALL.into_iter().find(|size| file == size.file())?;
                Self::Rendition(PictureId(Uuid::try_parse(id).ok()?), size)
            }
            _ => return None,
        };
        (object.name() == name).then_some(object)
    }
}

/// What the address of an upload signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The type that has to be said.
    pub format: Format,
    /// The length in bytes; `None`: any up to `BYTES_MAX`.
    pub bytes: Option<u32>,
    /// From when on.
    pub from: OffsetDateTime,
    /// Until when.
    pub until: OffsetDateTime,
}

/// What was found under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All of it.
    Bytes(Vec<u8>),
    /// More than was asked for.
    TooLarge,
    /// Nothing.
    Nothing,
}

/// Where the files are.
#[tonic::async_trait]
pub trait Objects: Send + Sync + 'static {
    /// An address that takes an upload by PUT.
    fn upload_address(&self, id: PictureId, terms: &Terms) -> String;

    /// An address that gives a rendition, from one instant until another.
    fn address(&self, id: PictureId, size: Size, from: OffsetDateTime, until: OffsetDateTime) -> String;

    /// Reads a file of at most so many bytes.
    ///
    /// # Errors
    /// When the store does not answer.
    async fn read(&self, object: Object, bytes_max: usize) -> anyhow::Result<Found>;

    /// Writes a file; what had its name is replaced.
    ///
    /// # Errors
    /// When the store does not take it.
    async fn write(&self, object: Object, bytes: Vec<u8>) -> anyhow::Result<()>;

    /// Removes a file; what is not there is removed.
    ///
    /// # Errors
    /// When the store does not answer.
    async fn remove(&self, object: Object) -> anyhow::Result<()>;
}

/// The pictures of a node. Clones share the store.
#[derive(Clone)]
pub struct Pictures {
    objects: Arc<dyn Objects>,
    addresses: Addresses,
    turns: Arc<Share>,
    drawing: Turns<PictureId>,
    members: Turns<MemberId>,
}

impl Pictures {
    /// In this store, by this clock.
    pub fn new(objects: Arc<dyn Objects>, clock: Clock) -> Self {
        let addresses = Addresses::new(objects.clone(), clock);
        Self {
            objects,
            addresses,
            turns: Arc::new(Share::new(DEVELOPED_AT_ONCE, TURN_WITHIN).patient()),
            drawing: Turns::new(OF_ONE_AT_ONCE),
            members: Turns::new(OF_MEMBER_AT_ONCE),
        }
    }

    /// The address of a picture as faces and lists show it; empty for none. The one place where an address is made.
    pub fn face(&self, picture: Option<PictureId>) -> String {
        picture.map(|id| self.address(id, Size::Medium)).unwrap_or_default()
    }

    /// The address of a rendition (`Addresses::of`).
    pub fn address(&self, picture: PictureId, size: Size) -> String {
        self.addresses.of(picture, size)
    }

    /// Whether an address that was told, now or before, is of this picture.
    pub fn is_face(&self, address: &str, picture: Option<PictureId>) -> bool {
        path(address) == path(&self.face(picture))
    }

    /// The address that takes an upload, and until when.
    pub fn upload(&self, upload: &New, announced_at: OffsetDateTime) -> (String, OffsetDateTime) {
        let until = announced_at + UPLOAD_LIFE;
        let terms = Terms { format: upload.format, bytes: upload.bytes, from: announced_at, until };
        (self.objects.upload_address(upload.id, &terms), until)
    }

    /// Puts what the server itself has drawn where an announced upload goes.
    ///
    /// # Errors
    /// NOT_FOUND for a key that is none; UNAVAILABLE.
    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        let id = Uuid::try_parse(key).map(PictureId).map_err(|_| Error::not_found("upload"))?;
        self.objects.write(Object::Upload(id), bytes).await.map_err(away)
    }

    /// Waits for a turn to draw.
    ///
    /// # Errors
    /// OVERLOADED.
    async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        self.turns.enter().await
    }

    /// Waits until no other call on this node draws a picture.
    ///
    /// # Errors
    /// RATE_LIMITED.
    async fn alone(&self, picture: PictureId) -> Result<OwnedMutexGuard<()>> {
        self.drawing.take(picture).await
    }

    /// Makes renditions of what a member uploaded; `None` where nothing was, and what is no picture is an error. Nothing is written. One of a
    /// member's is drawn at a time: whoever sends many leaves a place to the others.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for the field that names it; TOO_LARGE; RATE_LIMITED, OVERLOADED, UNAVAILABLE.
    async fn draw(&self, member: MemberId, field: &'static str, upload: &Upload) -> Result<Option<Drawn>> {
        let turn = (self.members.take(member).await?, self.turn().await?);
        let bytes = match self.objects.read(Object::Upload(upload.id), BYTES_MAX).await.map_err(away)? {
            Found::Nothing => return Ok(None),
            Found::TooLarge => return Err(Error::new(Reason::TooLarge, "File Too Large")),
            Found::Bytes(bytes) => bytes,
        };
        if upload.bytes.is_some_and(|announced| usize::try_from(announced) != Ok(bytes.len())) {
            return Err(Error::field(field, FieldReason::Invalid, "names a file whose size differs from the announced size"));
        }
        aside(turn, move || Drawn::of(&bytes)).await.map(Some).map_err(|flaw| flaw.refusal(field))
    }

    /// Writes them.
    ///
    /// # Errors
    /// UNAVAILABLE.
    async fn keep(&self, picture: PictureId, drawn: &Drawn) -> Result<()> {
        let one = |(size, bytes): &(Size, Vec<u8>)| self.objects.write(Object::Rendition(picture, *size), bytes.clone());
        try_join_all(drawn.renditions.iter().map(one)).await.map(drop).map_err(away)
    }

    async fn remove(&self, object: Object) -> anyhow::Result<()> {
        self.objects.remove(object).await
    }
}

/// Draws off the async threads, for it computes for a second. The turn goes with it, also when the call is given up.
async fn aside<T: Send + 'static>(turn: impl Send + 'static, draw: impl FnOnce() -> Result<T, Flaw> + Send + 'static) -> Result<T, Flaw> {
    let drawn = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        draw()
    });
    drawn.await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a picture could not be read");
        Err(Flaw::Unreadable)
    })
}

/// Of an address, without where the server is that tells it, which may have several names.
fn path(address: &str) -> String {
    let bare = address.split('?').next().unwrap_or_default();
    bare.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or(bare, |(_, path)| path).to_owned()
}

fn away(cause: anyhow::Error) -> Error {
    Error::new(Reason::Unavailable, "pictures are not available; try again in a moment")
        .caused_by(cause)
        .retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::sync::{Mutex, PoisonError};
    use tokio::sync::Semaphore;

    /// A store in which nothing is, and which says so when it is let.
    struct Slow {
        answers: Semaphore,
        asked: Mutex<Vec<PictureId>>,
    }

    impl Slow {
        fn asked(&self) -> Vec<u128> {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|id| id.0.as_u128()).collect()
        }
    }

    #[tonic::async_trait]
    impl Objects for Slow {
        fn upload_address(&self, _: PictureId, _: &Terms) -> String {
            String::new()
        }

        fn address(&self, _: PictureId, _: Size, _: OffsetDateTime, _: OffsetDateTime) -> String {
            String::new()
        }

        async fn read(&self, object: Object, _: usize) -> anyhow::Result<Found> {
            if let Object::Upload(id) = object {
                self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(id);
            }
            self.answers.acquire().await?.forget();
            Ok(Found::Nothing)
        }

        async fn write(&self, _: Object, _: Vec<u8>) -> anyhow::Result<()> {
            Ok(())
        }

        async fn remove(&self, _: Object) -> anyhow::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn of_a_member_one_is_drawn_at_a_time_and_others_have_a_place() {
        let store = Arc::new(Slow { answers: Semaphore::new(0), asked: Mutex::default() });
        let pictures = Pictures::new(store.clone(), Clock::system());
        let uploads = [1, 2, 3, 9].map(|n| Upload { id: PictureId(Uuid::from_u128(n)), bytes: None });
        let [ana, ben] = [1, 2].map(|n| MemberId(Uuid::from_u128(n)));
        let draw = |member, at: usize| Box::pin(pictures.draw(member, "key", &uploads[at]));
        let (mut first, mut second, mut third, mut of_ben) = (draw(ana, 0), draw(ana, 1), draw(ana, 2), draw(ben, 3));
        for waiting in [&mut first, &mut second, &mut third, &mut of_ben] {
            assert!(waiting.now_or_never().is_none());
        }
        assert_eq!(store.asked(), [1, 9], "whoever sends many leaves a place to the others");
        store.answers.add_permits(2);
        assert!(first.await.unwrap().is_none() && of_ben.await.unwrap().is_none());
        assert!((&mut second).now_or_never().is_none() && (&mut third).now_or_never().is_none());
        assert_eq!(store.asked(), [1, 9, 2]);
    }

    #[test]
    fn a_file_is_called_by_its_pixels() {
        for size in Size::ALL {
            assert_eq!(size.file(), format!("{}.jpg", size.pixels()));
        }
    }

    #[test]
    fn a_name_is_read_to_the_letter_or_not_at_all() {
        let id = PictureId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_00ab));
        for object in [Object::Upload(id), Object::Rendition(id, Size::Small), Object::Rendition(id, Size::Large)] {
            assert_eq!(Object::parse(&object.name()), Some(object));
        }
        let upper = id.to_string().to_uppercase();
        for bad in [
            String::new(),
            "uploads".into(),
            "uploads/".into(),
            format!("uploads/{upper}"),
            format!("uploads/{}", id.0.simple()),
            format!("uploads/{{{id}}}"),
            format!("uploads/{id}/"),
            format!("uploads/../renditions/{id}/64.jpg"),
            format!("uploads/{id}\0"),
            format!("uploads%2F{id}"),
            format!("uploads/./{id}"),
            format!("renditions/{id}"),
            format!("renditions/{id}/65.jpg"),
            format!("renditions/{id}/64.jpg/"),
            format!("renditions/{id}/../{id}/64.jpg"),
            format!("/renditions/{id}/64.jpg"),
            format!("secret.key/{id}"),
        ] {
            assert_eq!(Object::parse(&bad), None, "{bad}");
        }
    }
}
