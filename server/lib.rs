//! Goodturn: the favor network of a community. One server for gRPC, gRPC-Web, REST and the web app; see ARCHITECTURE.md.

#![expect(deprecated, reason = "sqlx 0.9 warns at every bound date while chrono is in the tree, though sqlx.toml chooses time")]

pub mod auth;
pub mod bus;
pub mod clock;
pub mod codec;
pub mod db;
pub mod deps;
pub mod error;
pub mod idempotency;
pub mod identity;
pub mod ids;
pub mod money;
pub mod page;
pub mod pb;
pub mod rest;
