//! The one port: HTTP/1 and HTTP/2, plain or under TLS, with time limits on headers and a drain on stopping.

use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto,
        graceful::{GracefulShutdown, Watcher},
    },
    service::TowerToHyperService,
};
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    sync::Semaphore,
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const HEADERS_WITHIN: Duration = Duration::from_secs(10);
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);
const PING_EVERY: Duration = Duration::from_secs(20);
const PONG_WITHIN: Duration = Duration::from_secs(10);
const STREAMS_MAX: u32 = 256;
const RESETS_MAX: usize = 64;
const HEADER_BYTES_MAX: u32 = 32 * 1024;
const CONNECTIONS_MAX: usize = 10_000;
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// How to listen.
pub struct Listening {
    /// The bound port.
    pub listener: TcpListener,
    /// Certificates, when the server ends TLS itself.
    pub tls: Option<Arc<ServerConfig>>,
    /// How long connections may take to finish what they do.
    pub drain: Duration,
}

/// Serves until `stop`, then lets calls in flight finish, for at most the drain time.
pub async fn serve(listening: Listening, app: Router, stop: CancellationToken) {
    let builder = Arc::new(builder());
    let graceful = GracefulShutdown::new();
    let tls = listening.tls.map(TlsAcceptor::from);
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { break };
        let (tcp, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listening.listener.accept() => match accepted {
                Ok(connection) => connection,
                // Out of file descriptors, or the peer went away: neither ends the server.
                Err(_) => { tokio::time::sleep(ACCEPT_AGAIN).await; continue }
            },
        };
        let _ = tcp.set_nodelay(true);
        let (app, builder, watcher, tls) = (app.clone(), builder.clone(), graceful.watcher(), tls.clone());
        tokio::spawn(async move {
            let _place = place;
            match tls {
                None => connection(tcp, peer, app, &builder, watcher).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_WITHIN, tls.accept(tcp)).await {
                        connection(stream, peer, app, &builder, watcher).await;
                    }
                }
            }
        });
    }
    drop(listening.listener);
    if tokio::time::timeout(listening.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some calls did not finish within the drain time");
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(64 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PONG_WITHIN)
        .max_concurrent_streams(STREAMS_MAX)
        .max_pending_accept_reset_streams(RESETS_MAX)
        .max_header_list_size(HEADER_BYTES_MAX);
    builder
}

async fn connection(
    io: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: SocketAddr,
    app: Router,
    builder: &auto::Builder<TokioExecutor>,
    watcher: Watcher,
) {
    let service = app.map_request(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let serving = builder.serve_connection(TokioIo::new(io), TowerToHyperService::new(service)).into_owned();
    // A connection that breaks is its peer's affair.
    let _ = watcher.watch(serving).await;
}
