//! Files of pictures in a bucket of any storage that speaks S3. Members put and get them there themselves, by addresses that are signed here.

use crate::{
    clock::Clock,
    ids::PictureId,
    pictures::{Found, Object, Objects, Size, Terms},
    secrets::Secret,
};
use anyhow::{Context, Result, bail, ensure};
use axum::http::{Method, Request, StatusCode, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use rusty_s3::{
    Bucket, Credentials, S3Action, UrlStyle,
    actions::{DeleteObject, GetObject, PutObject},
};
use std::{net::IpAddr, sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;
use url::{Host, Position, Url};

/// From the first byte to the end of the answer; less than a call has.
const WITHIN: Duration = Duration::from_secs(10);
/// How long an address is good that we use at once: the clocks of the storage and of this machine may differ.
const OWN_LIFE: Duration = Duration::from_secs(300);
/// As long as each address is told: the storage says to browsers how long to keep what it gives.
const KEPT: &str = "private, max-age=3600, immutable";
const FILE_NAME: &str = "attachment; filename=\"picture.jpg\"";
/// What an answer says that is not read.
const REFUSAL_BYTES_MAX: usize = 64 << 10;

/// Where a bucket is, and how to be let in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The storage, as in `https://s3.eu-west-1.amazonaws.com`.
    pub endpoint: Url,
    /// Whether the bucket stands in the path of its addresses, and not in their host.
    pub in_path: bool,
    /// Its name.
    pub bucket: String,
    /// Where it is.
    pub region: String,
    /// Who we are there.
    pub key_id: String,
    /// What proves it.
    pub secret: Secret,
}

impl Settings {
    fn bucket(&self) -> Result<Bucket> {
        let style = if self.in_path { UrlStyle::Path } else { UrlStyle::VirtualHost };
        Bucket::new(self.endpoint.clone(), style, self.bucket.clone(), self.region.clone()).context("no address of this bucket can be made")
    }

    /// The origin of its addresses, which pages must be allowed to load from.
    ///
    /// # Errors
    /// When the bucket has no address at this endpoint.
    pub fn origin(&self) -> Result<String> {
        Ok(self.bucket()?.base_url().origin().ascii_serialization())
    }
}

/// A bucket.
pub struct S3 {
    bucket: Bucket,
    credentials: Credentials,
    clock: Clock,
    tls: TlsConnector,
}

impl S3 {
    /// No connection is made yet.
    ///
    /// # Errors
    /// When the bucket has no address at this endpoint.
    pub fn new(settings: &Settings, clock: Clock) -> Result<Self> {
        let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let tls = TlsConnector::from(Arc::new(tls.with_root_certificates(roots).with_no_client_auth()));
        let credentials = Credentials::new(settings.key_id.clone(), settings.secret.reveal());
        Ok(Self { bucket: settings.bucket()?, credentials, clock, tls })
    }

    fn own<'a>(&self, action: &impl S3Action<'a>) -> Url {
        action.sign_with_time(OWN_LIFE, &instant(self.clock.now()))
    }

    /// The status, and the body as far as it is no longer than so many bytes: `None` for a longer one.
    async fn ask(&self, request: (Method, &Url), body: Option<Vec<u8>>, bytes_max: usize) -> Result<(StatusCode, Option<Bytes>)> {
        let (method, url) = request;
        let answered = timeout(WITHIN, self.answer(method, url, body, bytes_max)).await;
        answered
            .unwrap_or_else(|_| bail!("no answer within {} s", WITHIN.as_secs()))
            .with_context(|| format!("asking {}", &url[..Position::AfterPath]))
    }

    async fn answer(&self, method: Method, url: &Url, body: Option<Vec<u8>>, bytes_max: usize) -> Result<(StatusCode, Option<Bytes>)> {
        let port = url.port_or_known_default().context("no port")?;
        let (tcp, name) = match url.host().context("no host")? {
            Host::Domain(name) => (TcpStream::connect((name, port)).await, ServerName::try_from(name.to_owned())?),
            Host::Ipv4(address) => (TcpStream::connect((address, port)).await, ServerName::from(IpAddr::V4(address))),
            Host::Ipv6(address) => (TcpStream::connect((address, port)).await, ServerName::from(IpAddr::V6(address))),
        };
        let (tcp, request) = (tcp.context("connecting")?, request(method, url, body)?);
        if url.scheme() == "https" {
            return exchange(self.tls.connect(name, tcp).await.context("TLS")?, request, bytes_max).await;
        }
        exchange(tcp, request, bytes_max).await
    }
}

fn request(method: Method, url: &Url, body: Option<Vec<u8>>) -> Result<Request<Full<Bytes>>> {
    let builder = Request::builder().method(method).uri(&url[Position::BeforePath..Position::AfterQuery]);
    let builder = builder.header(header::HOST, &url[Position::BeforeHost..Position::AfterPort]);
    Ok(match body {
        Some(bytes) => builder.header(header::CONTENT_TYPE, "image/jpeg").body(Full::from(bytes))?,
        None => builder.body(Full::default())?,
    })
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
    bytes_max: usize,
) -> Result<(StatusCode, Option<Bytes>)> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
    let (head, body) = sender.send_request(request).await?.into_parts();
    let most = if head.status.is_success() { bytes_max } else { REFUSAL_BYTES_MAX };
    Ok((head.status, bounded(body, most).await?))
}

async fn bounded(body: Incoming, most: usize) -> Result<Option<Bytes>> {
    match Limited::new(body, most).collect().await {
        Ok(whole) => Ok(Some(whole.to_bytes())),
        Err(e) if e.is::<http_body_util::LengthLimitError>() => Ok(None),
        Err(e) => bail!("reading the answer: {e}"),
    }
}

/// In whole seconds, as addresses say it.
fn instant(at: OffsetDateTime) -> Timestamp {
    Timestamp::from_second(at.unix_timestamp()).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn life(from: OffsetDateTime, until: OffsetDateTime) -> Duration {
    Duration::try_from(until - from).unwrap_or_default()
}

#[tonic::async_trait]
impl Objects for S3 {
    fn upload_address(&self, id: PictureId, terms: &Terms) -> String {
        let (name, bytes) = (Object::Upload(id).name(), terms.bytes.map(|bytes| bytes.to_string()));
        let mut put = PutObject::new(&self.bucket, Some(&self.credentials), &name);
        put.headers_mut().insert("content-type", terms.format.media_type());
        if let Some(bytes) = &bytes {
            put.headers_mut().insert("content-length", bytes.as_str());
        }
        put.sign_with_time(life(terms.from, terms.until), &instant(terms.from)).into()
    }

    fn address(&self, id: PictureId, size: Size, from: OffsetDateTime, until: OffsetDateTime) -> String {
        let name = Object::Rendition(id, size).name();
        let mut get = GetObject::new(&self.bucket, Some(&self.credentials), &name);
        get.query_mut().insert("response-cache-control", KEPT);
        get.query_mut().insert("response-content-disposition", FILE_NAME);
        get.sign_with_time(life(from, until), &instant(from)).into()
    }

    async fn read(&self, object: Object, bytes_max: usize) -> Result<Found> {
        let name = object.name();
        let url = self.own(&GetObject::new(&self.bucket, Some(&self.credentials), &name));
        match self.ask((Method::GET, &url), None, bytes_max).await? {
            (StatusCode::OK, Some(bytes)) => Ok(Found::Bytes(bytes.into())),
            (StatusCode::OK, None) => Ok(Found::TooLarge),
            (StatusCode::NOT_FOUND, _) => Ok(Found::Nothing),
            (status, _) => bail!("reading {name}: the storage says {status}"),
        }
    }

    async fn write(&self, object: Object, bytes: Vec<u8>) -> Result<()> {
        let name = object.name();
        let mut put = PutObject::new(&self.bucket, Some(&self.credentials), &name);
        put.headers_mut().insert("content-type", "image/jpeg");
        let (status, _) = self.ask((Method::PUT, &self.own(&put)), Some(bytes), REFUSAL_BYTES_MAX).await?;
        ensure!(status.is_success(), "writing {name}: the storage says {status}");
        Ok(())
    }

    async fn remove(&self, object: Object) -> Result<()> {
        let name = object.name();
        let url = self.own(&DeleteObject::new(&self.bucket, Some(&self.credentials), &name));
        let (status, _) = self.ask((Method::DELETE, &url), None, REFUSAL_BYTES_MAX).await?;
        ensure!(status.is_success() || status == StatusCode::NOT_FOUND, "removing {name}: the storage says {status}");
        Ok(())
    }
}
