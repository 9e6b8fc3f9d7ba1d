//! Providers on this machine that answer as a test wants.

use super::*;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

const GOOD: &str = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"a\": true}";

/// Somebody who certifies names.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    own: CertificateDer<'static>,
}

impl Authority {
    fn new() -> Self {
        let (mut params, key) = (CertificateParams::new([]).unwrap(), KeyPair::generate().unwrap());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let own = params.self_signed(&key).unwrap().der().clone();
        Self { issuer: Issuer::new(params, key), own }
    }

    /// Who serves by this name; `until` a year, the certificate is good.
    fn certifies(&self, name: &str, until: i32) -> TlsAcceptor {
        let (mut params, key) = (CertificateParams::new([name.to_owned()]).unwrap(), KeyPair::generate().unwrap());
        params.not_after = date_time_ymd(until, 1, 1);
        let certificate = params.signed_by(&key, &self.issuer).unwrap().der().clone();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        TlsAcceptor::from(Arc::new(builder.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap()))
    }

    /// Who trusts it, and nobody else.
    fn fetch(&self) -> Fetch {
        let mut roots = RootCertStore::empty();
        roots.add(self.own.clone()).unwrap();
        Fetch::trusting(roots, true).unwrap()
    }
}

/// A provider that says the same to all; its port, and how often it was asked.
async fn provider(tls: Option<TlsAcceptor>, says: String) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, asked) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let counted = asked.clone();
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let _ = match &tls {
                None => answer(tcp, &says, &counted).await,
                Some(tls) => match tls.accept(tcp).await {
                    Ok(stream) => answer(stream, &says, &counted).await,
                    Err(e) => Err(e),
                },
            };
        }
    });
    (port, asked)
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, says: &str, asked: &AtomicUsize) -> std::io::Result<()> {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(stream.read_u8().await?);
    }
    asked.fetch_add(1, Ordering::SeqCst);
    stream.write_all(says.as_bytes()).await?;
    stream.shutdown().await
}

async fn get(fetch: &Fetch, address: &str) -> Result<(StatusCode, Value), String> {
    fetch.json(address, Ask::Get { bearer: Some("a token") }).await.map_err(|e| format!("{e:#}"))
}

#[tokio::test]
async fn who_is_certified_by_its_name_is_asked_and_nobody_else() {
    let (trusted, other) = (Authority::new(), Authority::new());
    let at = async |tls| format!("https://localhost:{}/keys", provider(Some(tls), GOOD.to_owned()).await.0);
    let good = at(trusted.certifies("localhost", 2100)).await;
    assert_eq!(get(&trusted.fetch(), &good).await.unwrap().1["a"], true);
    for (fetch, address) in [
        (other.fetch(), good.clone()),
        (Fetch::new(true).unwrap(), good),
        (trusted.fetch(), at(other.certifies("localhost", 2100)).await),
        (trusted.fetch(), at(trusted.certifies("elsewhere.example", 2100)).await),
        (trusted.fetch(), at(trusted.certifies("localhost", 2020)).await),
    ] {
        let refused = get(&fetch, &address).await.unwrap_err();
        assert!(refused.contains("TLS"), "{refused}");
    }
}

#[tokio::test]
async fn nothing_travels_without_tls_but_within_the_machine_where_that_is_allowed() {
    let (port, asked) = provider(None, GOOD.to_owned()).await;
    let address = format!("http://127.0.0.1:{port}/keys");
    assert!(get(&Fetch::new(false).unwrap(), &address).await.unwrap_err().contains("not safe"));
    assert!(get(&Fetch::new(true).unwrap(), "http://id.example/").await.unwrap_err().contains("not safe"));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(get(&Fetch::new(true).unwrap(), &address).await.unwrap().0, 200);
}

#[tokio::test]
async fn a_redirect_is_told_and_not_followed() {
    let (elsewhere, asked) = provider(None, GOOD.to_owned()).await;
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect"] {
        let says = format!("HTTP/1.1 {status}\r\nlocation: http://127.0.0.1:{elsewhere}/\r\ncontent-length: 2\r\n\r\n{{}}");
        let (port, _) = provider(None, says).await;
        let (told, _) = get(&Fetch::new(true).unwrap(), &format!("http://127.0.0.1:{port}/")).await.unwrap();
        assert!(told.is_redirection(), "{told}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_is_too_long_or_no_json_is_refused_and_not_told() {
    let long = format!("HTTP/1.1 200 OK\r\n\r\n\"{}\"", "a".repeat(BYTES_MAX));
    for (says, told) in [(long, "reading the answer"), ("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n<secret/>".to_owned(), "no JSON")] {
        let (port, _) = provider(None, says).await;
        let refused = get(&Fetch::new(true).unwrap(), &format!("http://127.0.0.1:{port}/?code=secret")).await.unwrap_err();
        assert!(refused.contains(told) && !refused.contains("secret"), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_says_nothing_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let began = tokio::time::Instant::now();
    let refused = get(&Fetch::new(true).unwrap(), &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert!(refused.contains("no answer within 8 s") && began.elapsed() < WITHIN + Duration::from_secs(1), "{refused}");
}
