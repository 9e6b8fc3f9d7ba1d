//! What a request meets before and around its RPC: the port, its limits, admission, deadlines; and what the node tells of itself.

pub mod arrival;
pub mod codec;
pub mod connection;
pub mod deadline;
pub mod discovery;
pub mod frames;
pub mod front;
pub mod gate;
pub mod health;
pub mod limits;
pub mod listener;
pub mod metrics;
pub mod overload;
pub mod pace;
pub mod pictures;
pub mod places;
pub mod port;
pub mod request;
pub mod static_files;
