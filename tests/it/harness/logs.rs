//! What the server logs, for tests that read it.

use super::locks;
use std::{
    io,
    sync::{Arc, Mutex},
};
use tracing_subscriber::{EnvFilter, Layer, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt};

/// The log of this process, as JSON lines.
#[derive(Clone, Default)]
pub struct Logs(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Keeps all that is logged from now on and passes the filter, as `trace` or `goodturn=debug`. Once a process.
    pub fn capture(filter: &str) -> Self {
        let logs = Self::default();
        let lines = tracing_subscriber::fmt::layer().json().with_writer(logs.clone()).with_filter(EnvFilter::new(filter));
        tracing_subscriber::registry().with(lines).with(locks::watch()).init();
        logs
    }

    /// All of it so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl io::Write for Logs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Logs {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
