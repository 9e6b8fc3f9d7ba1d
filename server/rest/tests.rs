//! The transcoder against the whole contract.

mod http;
mod json;
mod tape;
