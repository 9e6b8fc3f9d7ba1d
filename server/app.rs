//! Puts the parts together: one node with its port, its jobs and its ears on the bus.

use crate::{
    auth::Gate,
    bus::Bus,
    clock::Clock,
    config::Config,
    db::{self, Pool},
    deps::Deps,
    edge::{
        body_timeout::Arrival,
        connection::Patience,
        connection_limits::Room,
        health::{self, Readiness},
        http_middleware::{self, Front},
        limits::{Limiter, Networks},
        listener::{self, Listening},
        metrics,
        overload::Overload,
        protocol_router::Port,
        request::HEALTH_BYTES_MAX,
        rpc_dispatch::{Calls, Rates, Services},
        static_files::StaticFiles,
    },
    ids::Ids,
    page::Cursors,
    pb,
    pictures::Pictures,
    rest::Transcoder,
};
mod parts;

pub use parts::{DEMO_EMAIL, Ends, Store, friends_hooks, items_hooks, items_service, user_pool};

use anyhow::Context;
use axum::{Router, extract::Request, http::HeaderValue};
use parts::Parts;
use std::{net::SocketAddr, time::Duration};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// A node that serves.
pub struct Node {
    /// Where it listens; the port that was chosen when the configuration said 0.
    pub address: SocketAddr,
    /// Where Prometheus reads.
    pub metrics_address: Option<SocketAddr>,
    /// What its services use.
    pub deps: Deps,
    /// Told first when the node stops: balancers shall look elsewhere, while the port is open still.
    leaving: CancellationToken,
    drain_delay: Duration,
    stop: CancellationToken,
    drain: Duration,
    tasks: Vec<JoinHandle<()>>,
}

/// What has not stopped so long after the drain is left behind.
const LATE: Duration = Duration::from_millis(500);

impl Node {
    /// Starts a node on a migrated database. With a port of 0 the system chooses one.
    ///
    /// # Errors
    /// When a port cannot be bound, or a key or certificate cannot be read.
    pub async fn start(config: &Config, database_url: &str, clock: Clock) -> anyhow::Result<Self> {
        // First of all: what counts, counts for the recorder that is there.
        let _ = metrics::recorder();
        let stop = CancellationToken::new();
        let deps = deps(config, database_url, clock, &stop)?;
        let parts = Parts::new(config, database_url, &deps, &stop).await?;
        let leaving = CancellationToken::new();
        let readiness = Readiness::new(leaving.clone());
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let names = std::iter::once(String::new()).chain(pb::POOL.services().filter(is_ours).map(|s| s.full_name().to_owned())).collect();
        let services = parts
            .services
            .and(health_service.max_decoding_message_size(HEALTH_BYTES_MAX))
            .and(reflection().build_v1()?)
            .and(reflection().build_v1alpha()?);
        let pages = parts.pages.merge(health::router(readiness.clone()));
        let app = port(config, &deps, &Gate::new(parts.tokens), (services, pages), &leaving)?;

        let listener = TcpListener::bind(config.listen).await.with_context(|| format!("--listen (GOODTURN_LISTEN) {}", config.listen))?;
        let address = listener.local_addr()?;
        let tls = config.tls()?;
        let mut tasks = parts.tasks;
        let drain = Duration::from_secs(config.drain_s);
        let (room, overload) = (room(config), Some(Overload::watch(origins(config), deps.ids.clone(), &stop)));
        let listening =
            Listening { listener, tls, room: room.clone(), patience: patience(config), arrival: arrival(config), overload, drain };
        tasks.push(tokio::spawn(listener::serve(listening, app, stop.clone())));
        tasks.push(tokio::spawn(readiness.watch(
            deps.pool.clone(),
            db::options(database_url, config.bounds(), "goodturn readiness")?,
            reporter,
            names,
            stop.clone(),
        )));
        tasks.push(tokio::spawn(metrics::keep_small(stop.clone())));
        let metrics_address = serve_metrics(config, room, &stop, &mut tasks).await?;
        Ok(Self { address, metrics_address, deps, leaving, drain_delay: config.drain_delay(), stop, drain, tasks })
    }

    /// Stops: first the node says that it is not ready, and serves on for the delay; then it takes no new calls, those in flight are
    /// finished, streams end.
    pub async fn stop(self) {
        self.leaving.cancel();
        tokio::time::sleep(self.drain_delay).await;
        self.stop.cancel();
        let late = tokio::time::Instant::now() + self.drain + LATE;
        for mut task in self.tasks {
            if tokio::time::timeout_at(late, &mut task).await.is_err() {
                tracing::warn!("something did not stop in time");
                task.abort();
            }
        }
        self.deps.pool.close();
    }
}

/// What services are given, on a pool of its own that connects when it is used; the bus listens until `stop`.
///
/// # Errors
/// When the database's URL cannot be read.
pub fn deps(config: &Config, database_url: &str, clock: Clock, stop: &CancellationToken) -> anyhow::Result<Deps> {
    let bus = Bus::start(db::options(database_url, config.bounds(), "goodturn bus")?, stop.clone());
    let pool = Pool::open(db::options(database_url, config.bounds(), "goodturn")?, config.bounds(), bus.clone())?;
    let ids = Ids::new(clock.clone());
    let cursors = Cursors::new(config.first_key()?.bytes(), config.older_keys());
    let pictures = Pictures::new(Store::of(config, &clock)?.objects(), clock.clone());
    let mail_delay = time::Duration::seconds(config.mail_delay_s.into());
    let favors_per_day = config.favors_per_day;
    Ok(Deps { pool, clock, ids, cursors, bus, pictures, mail_delay, favors_per_day })
}

fn is_ours(service: &prost_reflect::ServiceDescriptor) -> bool {
    service.package_name().starts_with("goodturn.")
}

/// The contract, for clients that have no copy of it.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(pb::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}

fn room(config: &Config) -> Room {
    let exempt = Networks::new(config.trusted_proxies.iter().copied());
    let room = Room { connections_max: config.connections_max, per_address: config.connections_per_address, exempt };
    room.within_files(config.pool_connections_max as usize)
}

fn patience(config: &Config) -> Patience {
    Patience { progress: Duration::from_millis(config.progress_timeout_ms), idle: Duration::from_millis(config.idle_timeout_ms) }
}

fn arrival(config: &Config) -> Arrival {
    Arrival { between: Duration::from_millis(config.progress_timeout_ms), whole: Duration::from_millis(config.body_timeout_ms) }
}

async fn serve_metrics(
    config: &Config,
    room: Room,
    stop: &CancellationToken,
    tasks: &mut Vec<JoinHandle<()>>,
) -> anyhow::Result<Option<SocketAddr>> {
    let handle = metrics::recorder();
    let Some(at) = config.metrics_listen else { return Ok(None) };
    let listener = TcpListener::bind(at).await.with_context(|| format!("--metrics-listen (GOODTURN_METRICS_LISTEN) {at}"))?;
    let address = listener.local_addr()?;
    let (patience, arrival) = (patience(config), arrival(config));
    let listening = Listening { listener, tls: None, room, patience, arrival, overload: None, drain: Duration::ZERO };
    tasks.push(tokio::spawn(listener::serve(listening, metrics::router(handle), stop.clone())));
    Ok(Some(address))
}

/// What answers on the one port.
fn port(
    config: &Config,
    deps: &Deps,
    gate: &Gate,
    (services, pages): (Services, Router),
    leaving: &CancellationToken,
) -> anyhow::Result<Port> {
    let rates = Rates { per_member: Limiter::new(config.rate_per_member), per_operation: Limiter::new(config.rate_identity) };
    let calls = Calls::new(services, gate.clone(), rates, Duration::from_millis(config.call_timeout_ms), &deps.pool);
    let rest = Transcoder::new(&pb::POOL, gate.clone(), calls.clone(), config.body_bytes_max as usize)?;
    let policy = http_middleware::policy(config.pictures.origin()?.as_deref());
    let files = StaticFiles::new(&config.web_dir, &policy);
    let beside = pages.method_not_allowed_fallback(http_middleware::other_method).fallback(move |request: Request| {
        let files = files.clone();
        async move { files.call(request).await }
    });
    let front = Front {
        ids: deps.ids.clone(),
        per_address: Limiter::new(config.rate_per_address),
        trusted_proxies: Networks::new(config.trusted_proxies.iter().copied()),
        tls: config.public_url().starts_with("https://"),
        policy: HeaderValue::from_str(&policy)?,
        own_address: config.follows_host().then(|| config.public_url()),
        leaving: leaving.clone(),
    };
    Ok(Port::new(front, calls, rest, beside, origins(config)))
}

fn origins(config: &Config) -> Vec<HeaderValue> {
    config.allowed_origins.iter().filter_map(|o| HeaderValue::from_str(o).ok()).collect()
}
