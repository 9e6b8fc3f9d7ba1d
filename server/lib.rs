//! Goodturn: the favor network of a community. One server for gRPC, gRPC-Web, REST and the web app; see ARCHITECTURE.md.

#![expect(deprecated, reason = "sqlx 0.9 warns at every bound date while chrono is in the tree, though sqlx.toml chooses time")]

pub mod adapters;
pub mod app;
pub mod auth;
pub mod budgets;
pub mod bus;
pub mod call;
pub mod clock;
pub mod commands;
pub mod config;
pub mod days;
pub mod db;
pub mod demo;
pub mod deps;
pub mod digits;
pub mod edge;
pub mod embedded;
pub mod error;
pub mod favors;
pub mod friends;
pub mod groups;
pub mod idempotency;
pub mod identity;
pub mod ids;
pub mod items;
pub mod jobs;
pub mod keyed_mutex;
pub mod mail_links;
pub mod migrate;
pub mod money;
pub mod notifications;
pub mod operators;
pub mod page;
pub mod pb;
pub mod pictures;
pub mod preconditions;
pub mod profile;
pub mod rentals;
pub mod rest;
pub mod secrets;
pub mod terms;
pub mod text;
