//! HTTP/2 by hand, for peers that behave as no library does: frames, and headers without compression.

use anyhow::{Context, Result};
use std::net::{IpAddr, SocketAddr};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

/// What every connection begins with.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The connection takes no more calls.
const GOAWAY: u8 = 7;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// Connects from an address of this machine.
///
/// # Errors
/// When nobody listens.
pub async fn connect(from: IpAddr, to: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(to).await.with_context(|| format!("connecting from {from}"))
}

/// One frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or_default().to_be_bytes();
    let mut frame = length.iter().skip(1).copied().collect::<Vec<u8>>();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// The preface and a call that has nothing to say, whose answer is a stream.
pub fn call(path: &str, authority: &str, token: &str) -> Vec<u8> {
    let bearer = format!("Bearer {token}");
    let headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", authority),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        ("authorization", &bearer),
    ];
    let block: Vec<u8> = headers.iter().flat_map(|(name, value)| [vec![0], text(name), text(value)].concat()).collect();
    let message = frame(DATA, END_STREAM, 1, &[0; 5]);
    [PREFACE.to_vec(), frame(SETTINGS, 0, 0, &[]), frame(HEADERS, END_HEADERS, 1, &block), message].concat()
}

/// A text of HPACK that is not compressed: its length in seven bits and more, then its bytes.
fn text(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.len();
    if rest < 127 {
        out.extend(u8::try_from(rest));
    } else {
        out.push(127);
        rest -= 127;
        while rest >= 128 {
            out.extend(u8::try_from(rest % 128 + 128));
            rest /= 128;
        }
        out.extend(u8::try_from(rest));
    }
    out.extend(text.as_bytes());
    out
}

/// Keeps a connection open, as a good peer, and waits for its end. Whether GOAWAY came before it.
///
/// # Errors
/// When nobody listens, or a frame is cut off.
pub async fn goaway_comes(to: SocketAddr) -> Result<bool> {
    let mut stream = TcpStream::connect(to).await?;
    stream.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()).await?;
    loop {
        let mut head = [0; 9];
        if stream.read_exact(&mut head).await.is_err() {
            return Ok(false);
        }
        let [a, b, c, kind, flags, ..] = head;
        let mut payload = vec![0; usize::try_from(u32::from_be_bytes([0, a, b, c]))?];
        stream.read_exact(&mut payload).await?;
        match (kind, flags & ACK) {
            (GOAWAY, _) => return Ok(true),
            (SETTINGS, 0) => stream.write_all(&frame(SETTINGS, ACK, 0, &[])).await?,
            (PING, 0) => stream.write_all(&frame(PING, ACK, 0, &payload)).await?,
            _ => {}
        }
    }
}
