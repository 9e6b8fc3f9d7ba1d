//! SMS: handed to an HTTP webhook of the operator's, which sends them.

use anyhow::{Context, Result, anyhow, bail};
use axum::http::{HeaderValue, Request, StatusCode, Uri, header, uri::PathAndQuery};
use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use std::{sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;

/// From the first byte to the head of the answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A short text to one telephone.
#[derive(Clone, PartialEq, Eq)]
pub struct Sms {
    /// The number in E.164, as in `+14155550123`.
    pub to: String,
    /// The text.
    pub body: String,
}

impl std::fmt::Debug for Sms {
    /// Nothing of it: number and text are private.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sms")
    }
}

/// Sends SMS.
#[tonic::async_trait]
pub trait Texter: Send + Sync + 'static {
    /// Hands an SMS over to be delivered.
    ///
    /// # Errors
    /// When it was not taken; it may be tried again. The text holds no number.
    async fn send(&self, sms: Sms) -> Result<()>;
}

/// Posts each SMS as JSON, `{"to", "body"}`, to one address. Any answer of 2xx says that it was taken; redirects are not followed, and no
/// answer's body is read. Each SMS has a connection of its own.
pub struct Webhook {
    host: String,
    port: u16,
    /// None for an address in the clear.
    tls: Option<(TlsConnector, ServerName<'static>)>,
    path: PathAndQuery,
    host_header: HeaderValue,
    authorization: Option<HeaderValue>,
}

impl Webhook {
    /// For `http[s]://[user:password@]host[:port][/path][?query]`. No connection is made yet.
    ///
    /// # Errors
    /// When the URL cannot be read. The text holds no part of it.
    pub fn new(url: &str) -> Result<Self> {
        let unreadable = || anyhow!("the SMS URL cannot be read: it is http[s]://[user:password@]host[:port][/path]");
        let uri: Uri = url.parse().map_err(|_| unreadable())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(unreadable()) };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let (said, usual_port) = match (authority.as_str().rsplit_once('@'), scheme) {
            (said, "https") => (said, 443),
            (said, "http") => (said, 80),
            _ => return Err(unreadable()),
        };
        let tls = match scheme {
            "https" => Some((connector()?, ServerName::try_from(host.clone()).map_err(|_| unreadable())?)),
            _ => None,
        };
        let host_header = said.map_or(authority.as_str(), |(_, host)| host).parse().map_err(|_| unreadable())?;
        let authorization = said.map(|(user, _)| basic(user)).transpose().map_err(|_| unreadable())?;
        let path = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        Ok(Self { host, port: authority.port_u16().unwrap_or(usual_port), tls, path, host_header, authorization })
    }

    fn request(&self, sms: &Sms) -> Result<Request<Full<Bytes>>> {
        let body = serde_json::json!({ "to": sms.to, "body": sms.body }).to_string();
        let mut request = Request::post(Uri::from(self.path.clone())).header(header::HOST, &self.host_header);
        request = request.header(header::CONTENT_TYPE, "application/json").header(header::USER_AGENT, "goodturn");
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        request.body(Full::from(body)).context("an SMS cannot be written")
    }

    async fn post(&self, request: Request<Full<Bytes>>) -> Result<StatusCode> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await.map_err(|_| anyhow!("the SMS sender cannot be reached"))?;
        match &self.tls {
            None => exchange(stream, request).await,
            Some((connector, name)) => {
                let stream = connector.connect(name.clone(), stream).await;
                exchange(stream.map_err(|_| anyhow!("no safe connection to the SMS sender"))?, request).await
            }
        }
    }
}

#[tonic::async_trait]
impl Texter for Webhook {
    async fn send(&self, sms: Sms) -> Result<()> {
        let posted = timeout(ANSWER_WITHIN, self.post(self.request(&sms)?)).await;
        let status = posted.map_err(|_| anyhow!("the SMS sender did not answer in time"))??;
        if !status.is_success() {
            bail!("the SMS sender refused with {}", status.as_u16());
        }
        Ok(())
    }
}

/// One request; the connection is closed when the head of its answer is there.
async fn exchange(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, request: Request<Full<Bytes>>) -> Result<StatusCode> {
    let broken = |_| anyhow!("the SMS sender broke off");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
    Ok(sender.send_request(request).await.map_err(broken)?.status())
}

fn connector() -> Result<TlsConnector> {
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(TlsConnector::from(Arc::new(tls.with_root_certificates(roots).with_no_client_auth())))
}

/// What proves a user of the URL; a `%` in it begins an escaped byte.
fn basic(user: &str) -> Result<HeaderValue> {
    let bytes: Vec<u8> = percent_decode_str(user).collect();
    let mut value: HeaderValue = format!("Basic {}", STANDARD.encode(bytes)).parse()?;
    value.set_sensitive(true);
    Ok(value)
}
