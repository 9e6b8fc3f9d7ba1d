//! Tests against real parts: one binary, a file per area.

mod asking;
mod config;
mod contract;
mod embedded;
mod favors;
mod foreign;
mod friends;
mod harness;
mod jobs;
mod mail;
mod notifications;
mod races;
