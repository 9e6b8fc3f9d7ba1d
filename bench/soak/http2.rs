//! HTTP/2 by hand, for peers that behave as no library does: frames, and headers without compression.

use anyhow::{Context, Result};
use std::net::{IpAddr, SocketAddr};
use tokio::net::{TcpSocket, TcpStream};

/// What every connection begins with.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
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
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
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
/// When nobody listens.
pub async fn goaway_comes(to: SocketAddr) -> Result<bool> {
    let (sender, connection) = h2::client::handshake(TcpStream::connect(to).await?).await?;
    // However it ends: what the server said before is asked next.
    let _ = connection.await;
    Ok(sender.ready().await.is_err_and(|told| told.is_go_away() && told.is_remote()))
}
