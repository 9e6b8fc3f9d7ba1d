//! The bare service: plain tonic and plain sqlx, as one writes it who has one query a table and nothing else to think of. It answers the
//! same messages from the same rows. No authentication, no validation, no log, no limits; in a process of its own.

mod circle;
mod feed;
mod people;
mod received;

use anyhow::{Context, Result};
use prost::Message;
use sqlx::{PgPool, postgres::PgPoolOptions};
use std::{
    convert::Infallible,
    env,
    future::Future,
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
use uuid::Uuid;

/// The argument with which this program is the bare service; the URL of the database follows it, and the statements of the feed.
pub const FLAG: &str = "--bare-service";
/// The RPC that takes and gives an empty message. The others have the paths of ours.
pub const EMPTY: &str = "/goodturn.bench.Empty/Call";
/// As many as the server's own pool has; all else of this pool is as sqlx has it.
const CONNECTIONS: u32 = 16;

/// Serves until it is killed; prints its address first.
///
/// # Errors
/// When there is no database, or no port can be bound.
pub fn serve() -> Result<()> {
    let mut given = env::args().skip_while(|argument| argument != FLAG).skip(1);
    let database = given.next().context("the URL of the database is missing")?;
    let statements = feed::Statements::of(given.collect())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect(&database).await.context("connecting")?;
        let incoming = TcpIncoming::bind(SocketAddr::from(([127, 0, 0, 1], 0))).context("binding a port")?.with_nodelay(Some(true));
        println!("{}", incoming.local_addr()?);
        std::io::stdout().flush()?;
        let server = Server::builder()
            .add_service(Alone(Empty))
            .add_service(Alone(circle::GetActive(pool.clone())))
            .add_service(Alone(received::ListReceived(pool.clone())))
            .add_service(Alone(feed::BrowseFeed { pool, statements }));
        Ok(server.serve_with_incoming(incoming).await?)
    })
}

/// One RPC.
trait Rpc: Clone + Send + Sync + 'static {
    /// The name of its service.
    const SERVICE: &'static str;
    type Asked: Message + Default + 'static;
    type Answer: Message + Default + 'static;

    fn answer(self, request: Request<Self::Asked>) -> impl Future<Output = Result<Self::Answer, Status>> + Send;
}

#[derive(Clone)]
struct Empty;

impl Rpc for Empty {
    const SERVICE: &'static str = "goodturn.bench.Empty";
    type Asked = ();
    type Answer = ();

    async fn answer(self, _request: Request<()>) -> Result<(), Status> {
        Ok(())
    }
}

/// An RPC that is the only one of its service: what tonic's generated code is around it, but without the codec of ours, which validates.
#[derive(Clone)]
struct Alone<R>(R);

impl<R: Rpc> NamedService for Alone<R> {
    const NAME: &'static str = R::SERVICE;
}

impl<R: Rpc> UnaryService<R::Asked> for Alone<R> {
    type Response = R::Answer;
    type Future = BoxFuture<Response<R::Answer>, Status>;

    fn call(&mut self, request: Request<R::Asked>) -> Self::Future {
        let rpc = self.0.clone();
        Box::pin(async { rpc.answer(request).await.map(Response::new) })
    }
}

impl<R: Rpc> tower::Service<http::Request<Body>> for Alone<R> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async { Ok(Grpc::new(ProstCodec::<R::Answer, R::Asked>::default()).unary(service, request).await) })
    }
}

/// The member of a request. Who calls is not asked.
fn member(uid: &str) -> Result<Uuid, Status> {
    Uuid::parse_str(uid).map_err(|e| Status::invalid_argument(e.to_string()))
}

/// One connection for all statements of a call: to take one for each would cost two questions more whether it still works.
async fn connection(pool: &PgPool) -> Result<sqlx::pool::PoolConnection<sqlx::Postgres>, Status> {
    pool.acquire().await.map_err(failed)
}

fn failed(e: sqlx::Error) -> Status {
    Status::internal(e.to_string())
}
