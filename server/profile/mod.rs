//! What a member tells of themself, and what Goodturn counts for them. In this release the counts alone.

mod service;

pub use service::Service;
