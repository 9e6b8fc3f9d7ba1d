//! A wire between the server and its database that can be cut without a sound, as in a fail-over: what was connected hears nothing more
//! and is not told; the database itself has let go.

use std::{path::PathBuf, sync::Arc};
use tokio::{
    io::{AsyncReadExt, copy_bidirectional, sink},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// Listens on a port of its own and passes bytes on to the database, until it is dropped.
pub struct Proxy {
    url: String,
    /// How often the wire was cut, and whether new connections are swallowed too.
    cuts: Arc<watch::Sender<(u64, bool)>>,
    task: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// In front of a database of the tests' cluster, which is reached by a socket.
    pub async fn to(url: &str) -> Self {
        let (database, rest) = url.strip_prefix("postgres:///").unwrap().split_once('?').unwrap();
        let parameter = |name: &str| rest.split('&').find_map(|p| p.strip_prefix(name)).unwrap().to_owned();
        let socket = PathBuf::from(parameter("host=")).join(".s.PGSQL.5432");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = format!("postgres://{}@127.0.0.1:{port}/{database}?sslmode=disable", parameter("user="));
        let cuts = Arc::new(watch::Sender::new((0, false)));
        let task = tokio::spawn(listen(listener, socket, cuts.clone()));
        Self { url, cuts, task }
    }

    /// The database, by this wire.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// What is connected hears nothing from now on, and its bytes are swallowed; new connections work.
    pub fn silence(&self) {
        self.cuts.send_modify(|(cuts, _)| *cuts += 1);
    }

    /// The same, and new connections are swallowed too.
    pub fn swallow_all(&self) {
        self.cuts.send_modify(|(cuts, all)| (*cuts, *all) = (*cuts + 1, true));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(listener: TcpListener, socket: PathBuf, cuts: Arc<watch::Sender<(u64, bool)>>) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        tokio::spawn(pass_on(client, socket.clone(), cuts.subscribe()));
    }
}

async fn pass_on(mut client: TcpStream, socket: PathBuf, mut cuts: watch::Receiver<(u64, bool)>) {
    let (_, swallowed) = *cuts.borrow_and_update();
    if !swallowed && let Ok(mut server) = UnixStream::connect(socket).await {
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut server) => return,
            _ = cuts.changed() => {}
        }
    }
    let _ = tokio::io::copy(&mut client.take(u64::MAX), &mut sink()).await;
}
