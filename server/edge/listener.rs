//! The one port: HTTP/1 and HTTP/2, plain or under TLS, for as many as there is room for, with a drain on stopping.

use crate::edge::{
    body_timeout::Arrival,
    connection::{Answers, Patience, Serving},
    connection_limits::{Place, Places, Room},
    overload::Overload,
};
use futures_util::FutureExt;
use std::{io, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};
use tokio_util::sync::CancellationToken;

const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// How to listen.
pub struct Listening {
    /// The bound port.
    pub listener: TcpListener,
    /// Certificates, when the server ends TLS itself.
    pub tls: Option<Arc<ServerConfig>>,
    /// For how many.
    pub room: Room,
    /// How long they are waited for.
    pub patience: Patience,
    /// And the bodies of their requests.
    pub arrival: Arrival,
    /// Who turns calls away when there are too many.
    pub overload: Option<Overload>,
    /// How long connections may take to finish what they do.
    pub drain: Duration,
}

/// Serves until `stop`, then lets calls in flight finish, for at most the drain time.
pub async fn serve(listening: Listening, app: impl Answers, stop: CancellationToken) {
    let Listening { listener, tls, room, patience, arrival, overload, drain } = listening;
    let door = Door {
        places: Places::new(room),
        tls: tls.map(TlsAcceptor::from),
        handshake: patience.progress,
        serving: Arc::new(Serving::new(patience, arrival, overload)),
        app,
        leave: stop.clone(),
    };
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept(), if door.places.may_accept(connections.len()) => match accepted {
                Ok((tcp, peer)) => door.admit(tcp, peer, &mut connections),
                // Out of files, or the peer went away: neither ends the server, nor keeps it from being told to stop.
                Err(e) => {
                    if !is_peers_affair(&e) {
                        door.places.end_oldest_silent();
                    }
                    tokio::select! {
                        () = stop.cancelled() => break,
                        () = sleep(ACCEPT_AGAIN) => {}
                    }
                }
            },
        }
    }
    // Those whom the system has let in already would be thrown out by closing the port.
    while let Some(Ok((tcp, peer))) = listener.accept().now_or_never() {
        door.admit(tcp, peer, &mut connections);
    }
    drop(listener);
    let all_left = async { while connections.join_next().await.is_some() {} };
    if timeout(drain, all_left).await.is_err() {
        tracing::warn!(connections = connections.len(), "some calls did not finish within the drain time");
    }
}

fn is_peers_affair(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused)
}

struct Door<A> {
    places: Places,
    tls: Option<TlsAcceptor>,
    handshake: Duration,
    serving: Arc<Serving>,
    app: A,
    leave: CancellationToken,
}

impl<A: Answers> Door<A> {
    /// Serves a newcomer; one whose address has all that it may have is turned away.
    fn admit(&self, tcp: TcpStream, peer: SocketAddr, connections: &mut JoinSet<()>) {
        let Some(place) = self.places.take(peer.ip(), connections.len()) else { return };
        let _ = tcp.set_nodelay(true);
        gone_after_silence(&tcp);
        let number = place.number();
        let handle = connections.spawn(self.serve(tcp, peer, place));
        self.places.ended_by(number, handle);
    }

    fn serve(&self, tcp: TcpStream, peer: SocketAddr, place: Place) -> impl Future<Output = ()> + Send + 'static {
        let (tls, handshake, serving) = (self.tls.clone(), self.handshake, self.serving.clone());
        let (app, leave) = (self.app.clone(), self.leave.clone());
        async move {
            match tls {
                None => serving.run(tcp, peer, app, place, leave).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(handshake, tls.accept(tcp)).await {
                        serving.run(stream, peer, app, place, leave).await;
                    }
                }
            }
        }
    }
}

/// A peer that acknowledges nothing for so long is gone, though the system would try for a quarter of an hour.
#[cfg(target_os = "linux")]
fn gone_after_silence(tcp: &TcpStream) {
    const UNACKNOWLEDGED_MS: u32 = 30_000;
    let _ = rustix::net::sockopt::set_tcp_user_timeout(tcp, UNACKNOWLEDGED_MS);
}

#[cfg(not(target_os = "linux"))]
fn gone_after_silence(_: &TcpStream) {}
