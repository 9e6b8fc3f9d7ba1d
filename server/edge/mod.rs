//! What a request meets before and around its RPC: the port, its limits, admission, deadlines; and what the node tells of itself.

pub mod body_timeout;
pub mod codec;
pub mod connection;
pub mod connection_limits;
pub mod deadline;
pub mod discovery;
pub mod health;
pub mod http2_flood_guard;
pub mod http_middleware;
pub mod limits;
pub mod listener;
pub mod metrics;
pub mod overload;
pub mod pictures;
pub mod protocol_router;
pub mod request;
pub mod rpc_dispatch;
pub mod slow_reader;
pub mod static_files;
