//! Tests against real parts: one binary, a file per area.

mod access_matrix;
mod config;
mod contract;
mod embedded;
mod foreign;
mod harness;
mod jobs;
mod mail;
mod notifications;
