//! Puts the parts together: one node with its port, its jobs and its ears on the bus.

use crate::{
    auth::{Gate, Tokens},
    bus::Bus,
    clock::Clock,
    deps::Deps,
    front::{self, Front},
    gate::{self, Guard},
    health::{self, Readiness},
    ids::Ids,
    limits::{Limiter, Rate},
    listener::{self, Listening},
    page::Cursors,
    pb,
    rest::Transcoder,
    static_files::StaticFiles,
};
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method},
    middleware::{self, Next},
    response::Response,
};
use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
    cors::{AllowOrigin, CorsLayer},
};

/// Rows of the migration tool and of the job library aside, all that a node is told from outside.
#[derive(Clone)]
pub struct Settings {
    /// Whether this is local mode: `/dev/*` exists, and nothing is trusted that comes from elsewhere.
    pub local: bool,
    /// Where the node listens.
    pub listen: SocketAddr,
    /// Where Prometheus reads; `None`: nowhere.
    pub metrics_listen: Option<SocketAddr>,
    /// TLS, when the node ends it itself.
    pub tls: Option<Arc<tokio_rustls::rustls::ServerConfig>>,
    /// Whether members reach the node over TLS, here or at a proxy.
    pub secure: bool,
    /// The folder of the built web app.
    pub web_dir: PathBuf,
    /// Origins of other sites whose pages may call.
    pub allowed_origins: Vec<HeaderValue>,
    /// Proxies whose word on the caller's address counts.
    pub trusted_proxies: Vec<IpAddr>,
    /// The largest body, in bytes.
    pub body_bytes_max: usize,
    /// The longest that a call may take.
    pub deadline: Duration,
    /// How long calls in flight may take on stopping.
    pub drain: Duration,
    /// Calls of one address.
    pub per_address: Rate,
    /// Calls of one member.
    pub per_member: Rate,
    /// Signs page cursors.
    pub cursor_key: Vec<u8>,
}

/// A node that serves.
pub struct Node {
    /// Where it listens; the port that was chosen when the settings said 0.
    pub address: SocketAddr,
    /// Where Prometheus reads.
    pub metrics_address: Option<SocketAddr>,
    /// What its services use.
    pub deps: Deps,
    stop: CancellationToken,
    serving: Vec<JoinHandle<()>>,
}

impl Node {
    /// Stops: no new calls, those in flight are finished, streams end.
    pub async fn stop(self) {
        self.stop.cancel();
        for task in self.serving {
            let _ = task.await;
        }
        self.deps.pool.close().await;
    }
}

/// The layers of the one port, outside in: panic guard, front (request id, address, rate), CORS, compression, REST, then gRPC-Web and
/// the gate around the services; what none of them knows is a file or a page.
fn layers(settings: &Settings, deps: &Deps, gate: &Gate, services: Routes, pages: Router) -> Router {
    let guard = Guard::new(gate.clone(), Limiter::new(settings.per_member), settings.deadline);
    let rpcs = services.into_axum_router().layer(middleware::from_fn_with_state(guard, gate::layer));
    let rest = Transcoder::new(&pb::POOL, gate.clone(), rpcs.clone(), settings.body_bytes_max);
    let files = StaticFiles::new(&settings.web_dir);
    let beside = pages.fallback(move |request: Request| {
        let files = files.clone();
        async move { files.call(request).await }
    });
    let front = Front {
        ids: deps.ids.clone(),
        per_address: Limiter::new(settings.per_address),
        trusted_proxies: settings.trusted_proxies.clone().into(),
        tls: settings.secure,
    };
    // GrpcWebLayer answers 400 to any other HTTP/1 request: it stands around the gRPC router alone.
    rpcs.layer(tonic_web::GrpcWebLayer::new())
        .fallback_service(beside)
        .layer(middleware::from_fn_with_state(Arc::new(rest), rest_or_next))
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"))))
        .layer(cors(settings))
        .layer(middleware::from_fn_with_state(front, front::layer))
        .layer(CatchPanicLayer::custom(front::panicked))
}

fn cors(settings: &Settings) -> CorsLayer {
    let headers = [
        "authorization", "content-type", "cache-control", "idempotency-key", "grpc-timeout", "x-grpc-web", "x-user-agent", "x-request-id",
        "x-amz-target", "x-amz-user-agent",
    ];
    let exposed =
        ["grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id", "retry-after", "x-amzn-errortype", "x-amzn-requestid"];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(settings.allowed_origins.clone()))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(headers.map(HeaderName::from_static))
        .expose_headers(exposed.map(HeaderName::from_static))
        .max_age(Duration::from_secs(7200))
}
