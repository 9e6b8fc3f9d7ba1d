//! The REST face: HTTP and JSON in front of the same services that gRPC calls, in process, driven by the descriptors.

mod call;
mod connect;
mod duration;
mod instant;
mod mask;
mod number;
pub mod openapi;
mod options;
mod plan;
mod read;
mod routes;
pub mod status;
mod stream;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod write;

use crate::{
    auth::Gate,
    edge::request::is_page,
    error::{Error, Reason},
    pb,
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{self, HeaderMap, HeaderValue, Method, header},
    response::Response,
};
pub use connect::refusal as connect_refusal;
use plan::{MessageId, Plans};
use prost_reflect::{DescriptorPool, MethodDescriptor};
use routes::{Match, Routes};
use status::{Exceptions, Problem};
use std::{collections::HashMap, sync::Arc};
pub use target::{TARGET, is_call as is_target_call};
use tonic::Status;
use tower::Service;

/// Answers REST calls and target-header calls by calling the RPC behind them.
pub struct Transcoder<S> {
    plans: Arc<Plans>,
    routes: Routes,
    exceptions: Exceptions,
    /// The RPCs of the contract and of health, by their paths.
    methods: HashMap<String, MethodDescriptor>,
    gate: Gate,
    service: S,
    body_bytes_max: usize,
}

/// In which protocol a call came: it is answered and refused in the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Rest,
    Target,
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
        let plans = Arc::new(Plans::new(pool)?);
        let (routes, exceptions) = (Routes::new(pool, &plans)?, Exceptions::new(pool));
        let health = DescriptorPool::decode(tonic_health::pb::FILE_DESCRIPTOR_SET)?;
        let of_health = health.services().flat_map(|service| service.methods().collect::<Vec<_>>());
        let methods = pb::methods().chain(of_health).map(|method| (pb::rpc_path(&method), method)).collect();
        Ok(Arc::new(Self { plans, routes, exceptions, methods, gate, service, body_bytes_max }))
    }

    /// Answers a call.
    ///
    /// # Errors
    /// The request itself, when it is no REST call, or a browser opens the address.
    pub async fn answer(&self, request: Request) -> Result<Response, Request> {
        if let Some(operation) = target::operation(request.method(), request.uri(), request.headers()) {
            let Some(binding) = self.routes.target(operation).cloned() else {
                let unknown = Error::new(Reason::UnknownRoute, "no such operation");
                return Ok(self.refuse(Face::Target, &unknown.into(), &[], &request_id(request.headers())));
            };
            return Ok(self.run(Face::Target, &binding, Ok(Vec::new()), request).await);
        }
        if let Some(asked) = connect::asked(request.method(), request.uri(), request.headers()) {
            return Ok(self.connect(asked, request).await);
        }
        if is_opened(&request) {
            return Err(request);
        }
        let path = request.uri().path().to_owned();
        match self.routes.find(request.method(), &template::Path::split(&path)) {
            Match::Nothing => Err(request),
            Match::Binding(binding, values) => Ok(self.run(Face::Rest, binding, values, request).await),
            Match::OtherMethods(allow) => {
                let refused = Error::new(Reason::MethodNotAllowed, format!("this path allows {allow}"));
                let mut response = self.refuse(Face::Rest, &refused.into(), &[], &request_id(request.headers()));
                response.headers_mut().extend(HeaderValue::from_str(&allow).map(|allow| (header::ALLOW, allow)));
                Ok(response)
            }
        }
    }

    async fn run(
        &self,
        face: Face,
        binding: &Arc<routes::Binding>,
        values: crate::error::Result<Vec<String>>,
        request: Request,
    ) -> Response {
        let (head, id) = (request.method() == Method::HEAD, request_id(request.headers()));
        let mut response = match self.call(face, binding, values, request, &id).await {
            Ok(response) => response,
            Err(status) => self.refuse(face, &status, &binding.messages(), &id),
        };
        if head {
            *response.body_mut() = Body::empty();
        }
        response
    }

    /// Refuses what is no call yet, in the form of the face that it speaks.
    pub fn refusal(&self, request: &Request, status: &Status) -> Response {
        let (method, uri, headers) = (request.method(), request.uri(), request.headers());
        if target::operation(method, uri, headers).is_some() {
            return self.refuse(Face::Target, status, &[], &request_id(headers));
        }
        connect::refusal(request, status).unwrap_or_else(|| self.refuse(Face::Rest, status, &[], &request_id(headers)))
    }

    fn refuse(&self, face: Face, status: &Status, messages: &[MessageId], request_id: &str) -> Response {
        let problem = Problem::of(status, &self.plans, messages);
        match face {
            Face::Rest => problem.response(request_id),
            Face::Target => self.exceptions.response(&problem, request_id),
        }
    }
}

/// Whether a browser opens an address: some paths of calls are like those of the app, whose page tells what is there.
fn is_opened(request: &Request) -> bool {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    reads && !request.headers().contains_key(header::AUTHORIZATION) && is_page(request.uri().path(), request.headers())
}

fn request_id(headers: &HeaderMap) -> String {
    crate::edge::http_middleware::own_request_id(headers).to_owned()
}
