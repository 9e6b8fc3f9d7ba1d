//! Files of pictures in a folder, behind addresses of this server that are signed (`edge/pictures.rs` serves them). For one node, or for several that
//! share the folder.

use crate::{
    call::At,
    ids::PictureId,
    pictures::{BYTES_MAX, Found, Object, Objects, Size, Terms},
};
use anyhow::{Context, Result};
use aws_lc_rs::{
    constant_time::verify_slices_are_equal,
    hmac::{self, HMAC_SHA256},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Buf;
use futures_util::{Stream, StreamExt};
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    pin::pin,
    sync::Arc,
    time::Duration,
};
use time::OffsetDateTime;
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncWriteExt},
};
use uuid::Uuid;

/// Under which path of the server the files are.
pub const PATH: &str = "/pictures/";
/// What a node that crashed left behind is removed by the next one that starts, once no upload takes so long.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
/// Where files are until they are whole.
const INCOMING: &str = "incoming";

/// A folder, and the keys that sign addresses.
#[derive(Clone)]
pub struct Local(Arc<Inner>);

struct Inner {
    dir: PathBuf,
    /// Where members reach the server, without a slash at the end.
    public_url: String,
    /// The first signs, all are read.
    keys: Vec<hmac::Key>,
}

/// What a request says of the address that it uses.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// Until when the address is good, in seconds since the epoch.
    pub until_s: i64,
    /// What proves it.
    pub signature: &'a str,
}

/// Why an upload was not kept.
#[derive(Debug)]
pub enum Refusal {
    /// More or fewer bytes than were said, or more than any picture has.
    OtherLength,
    /// It broke off, or came too late.
    BrokeOff,
    /// The folder does not take it.
    Failed(anyhow::Error),
}

impl Local {
    /// In this folder, with addresses under this one that are signed by the first of the keys. Nothing is made yet.
    pub fn new<'a>(dir: &Path, public_url: String, keys: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let keys = keys.into_iter().map(|key| hmac::Key::new(HMAC_SHA256, key)).collect();
        Self(Arc::new(Inner { dir: dir.to_owned(), public_url, keys }))
    }

    /// Makes the folder where it is not there.
    ///
    /// # Errors
    /// When it cannot be made or read.
    pub fn make_ready(&self) -> Result<()> {
        let dir = &self.0.dir;
        for part in ["uploads", "renditions", INCOMING] {
            fs::create_dir_all(dir.join(part)).with_context(|| format!("making {}", dir.join(part).display()))?;
        }
        tidy(&dir.join(INCOMING))
    }

    /// Whether an address for reading a rendition was told by us, and is good at an instant.
    pub fn gives(&self, object: Object, signed: Signed<'_>, now: OffsetDateTime) -> bool {
        matches!(object, Object::Rendition(..)) && self.is_ours(&reading(&object.name(), &signed.until_s.to_string()), signed, now)
    }

    /// Whether an address takes an upload with this type and this length.
    pub fn takes(&self, object: Object, (media_type, bytes): (&str, u64), signed: Signed<'_>, now: OffsetDateTime) -> bool {
        let exactly = u32::try_from(bytes).ok();
        let of = |bytes: Option<u32>| self.is_ours(&writing(object, media_type, bytes, signed.until_s), signed, now);
        matches!(object, Object::Upload(_)) && (of(exactly.filter(|_| bytes > 0)) || of(None))
    }

    fn is_ours(&self, said: &str, signed: Signed<'_>, now: OffsetDateTime) -> bool {
        let Ok(tag) = URL_SAFE_NO_PAD.decode(signed.signature) else { return false };
        let of = |key: &hmac::Key| verify_slices_are_equal(hmac::sign(key, said.as_bytes()).as_ref(), &tag).is_ok();
        now.unix_timestamp() < signed.until_s && self.0.keys.iter().any(of)
    }

    /// Keeps an upload of so many bytes: whole, or not at all.
    ///
    /// # Errors
    /// What was wrong; nothing is kept then, and what was there before is.
    pub async fn receive<B: Buf, E>(&self, object: Object, length: u64, body: impl Stream<Item = Result<B, E>>) -> Result<(), Refusal> {
        if usize::try_from(length).map_or(true, |length| length > BYTES_MAX) {
            return Err(Refusal::OtherLength);
        }
        let mut incoming = Incoming::new(&self.0.dir).await.map_err(Refusal::Failed)?;
        let (mut body, mut came) = (pin!(body), 0_u64);
        while let Some(part) = body.next().await {
            let mut part = part.map_err(|_| Refusal::BrokeOff)?;
            came += u64::try_from(part.remaining()).unwrap_or(u64::MAX);
            if came > length {
                return Err(Refusal::OtherLength);
            }
            incoming.file.write_all_buf(&mut part).await.map_err(|e| Refusal::Failed(e.into()))?;
        }
        if came != length {
            return Err(Refusal::OtherLength);
        }
        incoming.keep(&self.path(object)).await.map_err(Refusal::Failed)
    }

    /// The name of an object has two or three plain parts: it was made from an id, and never from what somebody sent.
    fn path(&self, object: Object) -> PathBuf {
        self.0.dir.join(object.name())
    }

    /// A page has a hundred addresses: their parts are put together without formatting.
    fn signed(&self, name: &str, said: &str, until_s: &str) -> String {
        let tag = self.0.keys.first().map(|key| URL_SAFE_NO_PAD.encode(hmac::sign(key, said.as_bytes()))).unwrap_or_default();
        let at = At::current();
        let server = at.as_ref().map_or(&*self.0.public_url, |at| &*at.0);
        [server, PATH, name, "?expires=", until_s, "&signature=", &tag].concat()
    }
}

/// What is signed of an address for reading. Each begins with words that nothing else signed by these keys begins with.
fn reading(name: &str, until_s: &str) -> String {
    ["picture to read\n", name, "\n", until_s].concat()
}

/// What is signed of one that takes an upload.
fn writing(object: Object, media_type: &str, bytes: Option<u32>, until_s: i64) -> String {
    let bytes = bytes.map_or_else(|| "any".to_owned(), |bytes| bytes.to_string());
    format!("picture to write\n{}\n{until_s}\n{media_type}\n{bytes}", object.name())
}

#[tonic::async_trait]
impl Objects for Local {
    fn upload_address(&self, id: PictureId, terms: &Terms) -> String {
        let (object, until_s) = (Object::Upload(id), terms.until.unix_timestamp());
        let said = writing(object, terms.format.media_type(), terms.bytes, until_s);
        self.signed(&object.name(), &said, &until_s.to_string())
    }

    fn address(&self, id: PictureId, size: Size, _from: OffsetDateTime, until: OffsetDateTime) -> String {
        let (name, until_s) = (Object::Rendition(id, size).name(), until.unix_timestamp().to_string());
        self.signed(&name, &reading(&name, &until_s), &until_s)
    }

    async fn read(&self, object: Object, bytes_max: usize) -> Result<Found> {
        let file = match File::open(self.path(object)).await {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(e) => return Err(e).with_context(|| format!("reading {}", object.name())),
        };
        let mut bytes = Vec::new();
        let most = u64::try_from(bytes_max).unwrap_or(u64::MAX);
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).await?;
        Ok(if bytes.len() > bytes_max { Found::TooLarge } else { Found::Bytes(bytes) })
    }

    async fn write(&self, object: Object, bytes: Vec<u8>) -> Result<()> {
        let mut incoming = Incoming::new(&self.0.dir).await?;
        incoming.file.write_all(&bytes).await?;
        incoming.keep(&self.path(object)).await
    }

    async fn remove(&self, object: Object) -> Result<()> {
        let path = self.path(object);
        let gone = |done: std::io::Result<()>| match done {
            Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => Err(e),
            _ => Ok(()),
        };
        gone(tokio::fs::remove_file(&path).await).with_context(|| format!("removing {}", object.name()))?;
        match (object, path.parent()) {
            // With the last of its renditions.
            (Object::Rendition(..), Some(folder)) => gone(tokio::fs::remove_dir(folder).await).context("removing a folder"),
            _ => Ok(()),
        }
    }
}

/// A file that is not whole yet. It goes away unless it is kept.
struct Incoming {
    file: File,
    path: Option<PathBuf>,
}

impl Incoming {
    async fn new(dir: &Path) -> Result<Self> {
        let path = dir.join(INCOMING).join(Uuid::from_bytes(rand::random()).to_string());
        let mut options = tokio::fs::OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path).await;
        Ok(Self { file: file.with_context(|| format!("making {}", path.display()))?, path: Some(path) })
    }

    /// Under its name from now on, all of it, also after a power cut.
    async fn keep(mut self, to: &Path) -> Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        if let Some(folder) = to.parent() {
            tokio::fs::create_dir_all(folder).await?;
        }
        if let Some(path) = &self.path {
            tokio::fs::rename(path, to).await?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            // What cannot be removed now is when a node starts.
            let _ = fs::remove_file(path);
        }
    }
}

fn tidy(incoming: &Path) -> Result<()> {
    for entry in fs::read_dir(incoming).with_context(|| format!("reading {}", incoming.display()))? {
        let entry = entry?;
        let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::Clock,
        pictures::{Format, Pictures},
    };
    use futures_util::stream;
    use time::macros::datetime;

    const NOW: OffsetDateTime = datetime!(2026-06-16 09:00 UTC);
    const LATER: OffsetDateTime = datetime!(2026-06-16 09:05 UTC);

    fn local(dir: &Path, keys: &[&[u8]]) -> Local {
        let local = Local::new(dir, "https://goodturn.example".into(), keys.iter().copied());
        local.make_ready().unwrap();
        local
    }

    fn id() -> PictureId {
        PictureId(Uuid::from_u128(7))
    }

    fn parts(url: &str) -> (Object, i64, String) {
        let (name, query) = url.strip_prefix("https://goodturn.example/pictures/").unwrap().split_once('?').unwrap();
        let (until, signature) = query.strip_prefix("expires=").unwrap().split_once("&signature=").unwrap();
        (Object::parse(name).unwrap(), until.parse().unwrap(), signature.to_owned())
    }

    #[test]
    fn an_address_is_good_for_what_it_was_told_for_and_until_then() {
        let dir = tempfile::tempdir().unwrap();
        let store = local(dir.path(), &[b"first", b"older"]);
        let (object, until_s, signature) = parts(&store.address(id(), Size::Medium, NOW, LATER));
        let signed = Signed { until_s, signature: &signature };
        assert!(store.gives(object, signed, NOW));
        assert!(!store.gives(object, signed, LATER), "it has expired");
        assert!(!store.gives(object, Signed { until_s: until_s + 1, ..signed }, NOW));
        assert!(!store.gives(Object::Rendition(id(), Size::Large), signed, NOW));
        assert!(!store.gives(Object::Upload(id()), signed, NOW));
        assert!(!store.gives(object, Signed { signature: "", ..signed }, NOW));
        assert!(!store.gives(object, Signed { signature: &signature[1..], ..signed }, NOW));
        assert!(!store.takes(object, ("image/jpeg", 3), signed, NOW));
        assert!(local(dir.path(), &[b"newer", b"first"]).gives(object, signed, NOW), "keys are replaced one after the other");
        assert!(!local(dir.path(), &[b"newer"]).gives(object, signed, NOW));
    }

    #[test]
    fn an_upload_has_the_type_and_the_length_that_were_signed() {
        let dir = tempfile::tempdir().unwrap();
        let store = local(dir.path(), &[b"key"]);
        let terms = Terms { format: Format::Png, bytes: Some(3), from: NOW, until: LATER };
        let (object, until_s, signature) = parts(&store.upload_address(id(), &terms));
        let signed = Signed { until_s, signature: &signature };
        assert!(store.takes(object, ("image/png", 3), signed, NOW));
        for (media_type, bytes) in [("image/png", 4), ("image/jpeg", 3), ("text/html", 3), ("image/png", 0), ("image/png", 1 << 40)] {
            assert!(!store.takes(object, (media_type, bytes), signed, NOW), "{media_type} {bytes}");
        }
        assert!(!store.takes(object, ("image/png", 3), signed, LATER));
        assert!(!store.gives(object, signed, NOW));
        let (object, until_s, signature) = parts(&store.upload_address(id(), &Terms { bytes: None, ..terms }));
        assert!(store.takes(object, ("image/png", 77), Signed { until_s, signature: &signature }, NOW));
    }

    #[tokio::test]
    async fn who_came_by_another_name_is_told_it_and_the_address_is_as_good() {
        let dir = tempfile::tempdir().unwrap();
        let store = local(dir.path(), &[b"key"]);
        let told = async || store.address(id(), Size::Medium, NOW, LATER);
        let usual = told().await;
        let there = At::scope(Some(At("http://localhost:8080".into())), told()).await;
        assert_eq!(there.strip_prefix("http://localhost:8080"), usual.strip_prefix("https://goodturn.example"));
        assert_eq!(At::scope(None, told()).await, usual);
    }

    #[tokio::test]
    async fn an_address_that_is_remembered_is_of_its_picture_its_size_its_hour_and_of_the_usual_name_of_the_server() {
        let dir = tempfile::tempdir().unwrap();
        let clock = Clock::fixed(NOW);
        let new = || Pictures::new(Arc::new(local(dir.path(), &[b"key"])), clock.clone());
        let pictures = new();
        for _ in 0..3 {
            for (id, size) in [(7, Size::Card), (8, Size::Card), (7, Size::Large)] {
                let id = PictureId(Uuid::from_u128(id));
                let told = async || pictures.address(id, size);
                assert_eq!([told().await, told().await], [new().address(id, size), new().address(id, size)]);
                let there = At::scope(Some(At("http://localhost:8080".into())), told()).await;
                assert!(there.starts_with("http://localhost:8080/"), "{there}");
                assert_eq!(told().await, new().address(id, size));
            }
            clock.advance(time::Duration::HOUR);
        }
    }

    #[tokio::test]
    async fn an_upload_is_kept_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let (store, object) = (local(dir.path(), &[b"key"]), Object::Upload(id()));
        let body = |parts: &'static [&'static [u8]]| stream::iter(parts.iter().map(|part| Ok::<_, ()>(*part)));
        store.receive(object, 5, body(&[b"he", b"llo"])).await.unwrap();
        assert!(matches!(store.receive(object, 4, body(&[b"he", b"llo"])).await, Err(Refusal::OtherLength)));
        assert!(matches!(store.receive(object, 6, body(&[b"he", b"llo"])).await, Err(Refusal::OtherLength)));
        assert!(matches!(store.receive(object, 6 << 20, body(&[])).await, Err(Refusal::OtherLength)));
        let broken = stream::iter([Ok(b"hell".as_slice()), Err(())]);
        assert!(matches!(store.receive(object, 5, broken).await, Err(Refusal::BrokeOff)));
        assert_eq!(store.read(object, 5).await.unwrap(), Found::Bytes(b"hello".to_vec()));
        assert_eq!(store.read(object, 4).await.unwrap(), Found::TooLarge);
        assert_eq!(fs::read_dir(dir.path().join(INCOMING)).unwrap().count(), 0);
        for _ in 0..2 {
            store.remove(object).await.unwrap();
            assert_eq!(store.read(object, 5).await.unwrap(), Found::Nothing);
        }
    }

    #[tokio::test]
    async fn a_folder_goes_with_the_last_of_its_renditions() {
        let dir = tempfile::tempdir().unwrap();
        let store = local(dir.path(), &[b"key"]);
        for size in Size::ALL {
            store.write(Object::Rendition(id(), size), vec![1]).await.unwrap();
        }
        for size in Size::ALL {
            assert_eq!(fs::read_dir(dir.path().join("renditions")).unwrap().count(), 1);
            store.remove(Object::Rendition(id(), size)).await.unwrap();
        }
        assert_eq!(fs::read_dir(dir.path().join("renditions")).unwrap().count(), 0);
    }
}
