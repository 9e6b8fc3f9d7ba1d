//! The peer of the least call: a tonic server that does nothing, in a process of its own.

use anyhow::{Context, Result};
use std::{
    convert::Infallible,
    future::{Ready, ready},
    io::Write,
    net::SocketAddr,
    task::{self, Poll},
};
use tonic::{
    Request, Response, Status,
    body::Body,
    codegen::{BoxFuture, http},
    server::{Grpc, NamedService, UnaryService},
    transport::{Server, server::TcpIncoming},
};
use tonic_prost::ProstCodec;

/// The argument with which this program is the peer.
pub const FLAG: &str = "--empty-peer";
/// The one RPC; it takes and gives an empty message.
pub const PATH: &str = "/goodturn.bench.Empty/Call";

/// Serves until it is killed; prints its address first.
///
/// # Errors
/// When no port can be bound.
pub fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let incoming = TcpIncoming::bind(SocketAddr::from(([127, 0, 0, 1], 0))).context("binding a port")?.with_nodelay(Some(true));
        println!("{}", incoming.local_addr()?);
        std::io::stdout().flush()?;
        Ok(Server::builder().add_service(Empty).serve_with_incoming(incoming).await?)
    })
}

#[derive(Clone)]
struct Empty;

impl NamedService for Empty {
    const NAME: &'static str = "goodturn.bench.Empty";
}

impl UnaryService<()> for Empty {
    type Response = ();
    type Future = Ready<Result<Response<()>, Status>>;

    fn call(&mut self, _: Request<()>) -> Self::Future {
        ready(Ok(Response::new(())))
    }
}

impl tower::Service<http::Request<Body>> for Empty {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async { Ok(Grpc::new(ProstCodec::<(), ()>::default()).unary(Self, request).await) })
    }
}
