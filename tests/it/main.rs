//! Tests against real parts: one binary, a file per area.

mod asking;
mod contract;
mod favors;
mod friends;
mod harness;
mod races;
