//! Asking a provider over HTTP: one request on a connection of its own, without redirects, within a time and a size.

use crate::identity::providers::is_safe;
use anyhow::{Context, Result, bail, ensure};
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::TlsConnector;
use url::{Host, Position, Url};

/// A member waits for it.
const WITHIN: Duration = Duration::from_secs(8);
/// Keys and documents of providers are some kilobytes.
const BYTES_MAX: usize = 256 << 10;
const AGENT: &str = concat!("goodturn/", env!("CARGO_PKG_VERSION"));

/// Asks providers.
#[derive(Clone)]
pub struct Fetch {
    tls: TlsConnector,
    /// Whether one of this machine may do without TLS.
    local: bool,
}

/// What is asked.
pub enum Ask<'a> {
    /// To be told something; with a token, where one is needed.
    Get { bearer: Option<&'a str> },
    /// For something in return for a form; with id and secret, where they go in the header.
    Form { form: String, basic: Option<HeaderValue> },
}

impl Fetch {
    /// By TLS, with the roots that the web trusts.
    ///
    /// # Errors
    /// Never, with the versions of TLS that the library brings.
    pub fn new(local: bool) -> Result<Self> {
        Self::trusting(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, local)
    }

    fn trusting(roots: RootCertStore, local: bool) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let tls = builder.with_root_certificates(roots).with_no_client_auth();
        Ok(Self { tls: TlsConnector::from(Arc::new(tls)), local })
    }

    /// The status and the JSON of an answer.
    ///
    /// # Errors
    /// When it does not come in time, is too long or is no JSON. No error holds what was sent.
    pub async fn json(&self, address: &str, ask: Ask<'_>) -> Result<(StatusCode, Value)> {
        let url = self.safe(address)?;
        let answered = tokio::time::timeout(WITHIN, self.answer(&url, ask)).await;
        let answered = answered.unwrap_or_else(|_| bail!("no answer within {} s", WITHIN.as_secs()));
        answered.with_context(|| format!("asking {}", without_query(&url)))
    }

    /// An address that secrets may travel to.
    ///
    /// # Errors
    /// When it is none.
    pub fn safe(&self, address: &str) -> Result<Url> {
        let url = Url::parse(address).with_context(|| format!("{address} is no address"))?;
        ensure!(is_safe(&url, self.local), "{address} is not safe");
        Ok(url)
    }

    async fn answer(&self, url: &Url, ask: Ask<'_>) -> Result<(StatusCode, Value)> {
        let port = url.port_or_known_default().context("no port")?;
        let (tcp, name) = match url.host().context("no host")? {
            Host::Domain(name) => (TcpStream::connect((name, port)).await, ServerName::try_from(name.to_owned())?),
            Host::Ipv4(address) => (TcpStream::connect((address, port)).await, ServerName::from(std::net::IpAddr::V4(address))),
            Host::Ipv6(address) => (TcpStream::connect((address, port)).await, ServerName::from(std::net::IpAddr::V6(address))),
        };
        let (tcp, request) = (tcp.context("connecting")?, request(url, ask)?);
        if url.scheme() == "https" {
            return exchange(self.tls.connect(name, tcp).await.context("TLS")?, request).await;
        }
        exchange(tcp, request).await
    }
}

fn request(url: &Url, ask: Ask<'_>) -> Result<Request<Full<Bytes>>> {
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let builder = Request::builder().uri(target).header(header::HOST, host).header(header::USER_AGENT, AGENT);
    let builder = builder.header(header::ACCEPT, "application/json");
    Ok(match ask {
        Ask::Get { bearer: None } => builder.body(Full::default())?,
        Ask::Get { bearer: Some(token) } => {
            builder.header(header::AUTHORIZATION, secret(&format!("Bearer {token}"))?).body(Full::default())?
        }
        Ask::Form { form, basic } => {
            let builder = builder.method(Method::POST).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            let builder = basic.into_iter().fold(builder, |builder, value| builder.header(header::AUTHORIZATION, value));
            builder.body(Full::from(form))?
        }
    })
}

/// A header that no log shows.
pub fn secret(text: &str) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(text)?;
    value.set_sensitive(true);
    Ok(value)
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<(StatusCode, Value)> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let answer = async {
        let (head, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, BYTES_MAX).collect().await.map_err(|e| anyhow::anyhow!("reading the answer: {e}"))?;
        let json = serde_json::from_slice(&body.to_bytes()).with_context(|| format!("the answer ({}) is no JSON", head.status))?;
        Ok((head.status, json))
    };
    // The connection is worked on while the answer is awaited, and dropped with it.
    tokio::select! {
        answer = answer => answer,
        Err(e) = connection => Err(e.into()),
    }
}

fn without_query(url: &Url) -> &str {
    &url[..Position::AfterPath]
}

#[cfg(test)]
mod tests;
