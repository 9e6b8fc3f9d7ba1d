//! The transcoder against the whole contract.

mod connect;
mod http;
mod json;
mod mapping;
mod sample;
mod tape;
