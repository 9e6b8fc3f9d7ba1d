//! Connections by hand, for what no well-behaved client does: bytes of HTTP/1, and streams of HTTP/2.

use bytes::Bytes;
use h2::client::{Builder, SendRequest};
use reqwest::{Method, StatusCode};
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tonic::codegen::http::{HeaderMap, Request, Response};

/// What a test waits at most for what must happen.
const PATIENCE: Duration = Duration::from_secs(8);
/// So little that answers wait on the server's side soon.
const RECEIVE_BYTES: u32 = 4096;

/// A plain connection.
pub struct H1(TcpStream);

impl H1 {
    /// Connects, and says nothing.
    pub async fn connect(address: &str) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(RECEIVE_BYTES)?;
        Ok(Self(socket.connect(address.parse().unwrap()).await?))
    }

    /// Connects, and says this.
    pub async fn opened_with(address: &str, bytes: &[u8]) -> Self {
        let mut connection = Self::connect(address).await.unwrap();
        connection.say(bytes).await.unwrap();
        connection
    }

    /// Writes bytes.
    pub async fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    /// Whether nothing can be written any more.
    pub fn is_cut_for_writing(&self) -> bool {
        self.0.try_write(b"x").is_err_and(|e| e.kind() != io::ErrorKind::WouldBlock)
    }

    /// One `GET` that keeps the connection: the status.
    pub async fn get(&mut self, path: &str) -> io::Result<u16> {
        self.say(format!("GET {path} HTTP/1.1\r\nHost: goodturn.test\r\n\r\n").as_bytes()).await?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(PATIENCE, self.0.read_u8()).await.expect("an answer comes")?);
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
        self.0.read_exact(&mut vec![0; length]).await?;
        Ok(head.split(' ').nth(1).unwrap().parse().unwrap())
    }

    /// What still comes until the server ends the connection, and how long that takes.
    pub async fn until_cut(&mut self) -> (Vec<u8>, Duration) {
        let (since, mut rest) = (Instant::now(), Vec::new());
        // A reset is an end too.
        let _ = timeout(PATIENCE, self.0.read_to_end(&mut rest)).await.expect("the server ends the connection");
        (rest, since.elapsed())
    }
}

/// A connection of HTTP/2.
pub struct H2 {
    sender: SendRequest<Bytes>,
    /// Runs until the connection has ended.
    pub ended: JoinHandle<Result<(), h2::Error>>,
}

/// A whole answer.
pub struct Answer {
    /// Of HTTP.
    pub status: StatusCode,
    /// At its head.
    pub headers: HeaderMap,
    /// At its end.
    pub trailers: HeaderMap,
}

impl Answer {
    /// The code of gRPC, wherever it stands.
    pub fn grpc_status(&self) -> &str {
        let told = self.trailers.get("grpc-status").or_else(|| self.headers.get("grpc-status"));
        told.map_or("none", |v| v.to_str().unwrap())
    }
}

impl H2 {
    /// Connects, with settings as the library has them.
    pub async fn connect(address: &str) -> io::Result<Self> {
        Self::connect_with(address, &Builder::new()).await
    }

    /// Connects, with other settings.
    pub async fn connect_with(address: &str, builder: &Builder) -> io::Result<Self> {
        let tcp = TcpStream::connect(address).await?;
        let (sender, connection) = builder.handshake(tcp).await.map_err(io::Error::other)?;
        Ok(Self { sender, ended: tokio::spawn(connection) })
    }

    /// Begins a request: its answer to come, and where its body goes.
    ///
    /// # Errors
    /// When the connection takes no more requests: nothing was begun.
    pub async fn begin(
        &mut self,
        request: Request<()>,
        whole: bool,
    ) -> Result<(h2::client::ResponseFuture, h2::SendStream<Bytes>), h2::Error> {
        let mut sender = self.sender.clone().ready().await?;
        sender.send_request(request, whole)
    }

    /// One gRPC call with an empty message, of whoever the token names.
    ///
    /// # Errors
    /// The outer one when nothing was begun; the inner one when what was begun has no answer.
    pub async fn call(&mut self, rpc: &str, token: &str) -> Result<Result<Answer, h2::Error>, h2::Error> {
        let (response, mut body) = self.begin(grpc(rpc, token), false).await?;
        Ok(async {
            body.send_data(Bytes::from_static(&[0; 5]), true)?;
            whole(response.await?).await
        }
        .await)
    }
}

/// The head of a gRPC call.
pub fn grpc(rpc: &str, token: &str) -> Request<()> {
    let request = Request::builder().method(Method::POST).uri(format!("http://goodturn.test{rpc}"));
    let request = request.header("content-type", "application/grpc").header("te", "trailers");
    request.header("authorization", format!("Bearer {token}")).body(()).unwrap()
}

/// Reads an answer to its end.
///
/// # Errors
/// When it breaks off.
pub async fn whole(response: Response<h2::RecvStream>) -> Result<Answer, h2::Error> {
    let (head, mut body) = response.into_parts();
    while let Some(data) = body.data().await {
        body.flow_control().release_capacity(data?.len())?;
    }
    let trailers = body.trailers().await?.unwrap_or_default();
    Ok(Answer { status: head.status, headers: head.headers, trailers })
}
