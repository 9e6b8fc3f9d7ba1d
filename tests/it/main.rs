//! Tests against real parts: one binary, a file per area.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod access_matrix;
mod config;
mod contract;
mod embedded;
mod foreign;
mod harness;
mod jobs;
mod mail;
mod notifications;
