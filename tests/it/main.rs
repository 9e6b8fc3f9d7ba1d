//! Tests against real parts: one binary, a file per area.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod access_matrix;
mod asking;
mod attributes;
mod bare;
mod budgets;
mod clients;
mod config;
mod contract;
mod deletion;
mod edge;
mod embedded;
mod export;
mod faults;
mod favors;
mod foreign;
mod friends;
mod harness;
mod hooks;
mod identity;
mod job_rows;
mod jobs;
mod keys;
mod live;
mod mail;
mod migrate;
mod notifications;
mod oauth;
mod operators;
mod passwords;
mod policy;
mod port;
mod races;
mod redaction;
mod registrations;
mod rest_paths;
mod sign_ins;
mod silence;
mod sms;
mod srp_client;
mod steps;
mod sweeps;
mod tokens;
