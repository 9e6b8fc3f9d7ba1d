//! What the server logs, for tests that read it.

use std::{
    io,
    sync::{Arc, Mutex},
};
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

/// The log of this process, as JSON lines.
#[derive(Clone, Default)]
pub struct Logs(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Keeps all that is logged from now on and passes the filter, as `trace` or `goodturn=debug`. Once a process.
    pub fn capture(filter: &str) -> Self {
        let logs = Self::default();
        tracing_subscriber::fmt().json().with_env_filter(EnvFilter::new(filter)).with_writer(logs.clone()).init();
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
