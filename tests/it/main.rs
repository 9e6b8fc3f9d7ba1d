//! Tests against real parts: one binary, a file per area.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod access_matrix;
mod alike;
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
mod fuzz;
mod harness;
mod hooks;
mod identity;
mod job_rows;
mod jobs;
mod live;
mod mail;
mod migrate;
mod notifications;
mod passwords;
mod port;
mod races;
mod real_clients;
mod redaction;
mod registrations;
mod reset_tries;
mod rest_paths;
mod silence;
mod sms;
mod srp_client;
mod steps;
mod sweeps;
mod token_vectors;
mod tokens;
