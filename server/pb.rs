//! The contract as Rust: typed messages and services, and the descriptors they came from.

use crate::error::{Error, FieldReason, Result};
use prost_reflect::{DescriptorPool, EnumValueDescriptor, ExtensionDescriptor, FieldDescriptor, MethodDescriptor};
use prost_types::Timestamp;
use std::sync::LazyLock;
use time::OffsetDateTime;

/// The encoded descriptor set, with options and comments.
pub static DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Every descriptor of the contract and of what it imports.
pub static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).expect("build.rs wrote descriptors that it had compiled"));

/// Every RPC of our own services.
pub fn methods() -> impl Iterator<Item = MethodDescriptor> {
    POOL.services().filter(|s| s.package_name().starts_with("goodturn.")).flat_map(|s| s.methods().collect::<Vec<_>>())
}

/// The path by which gRPC calls a method: `/package.Service/Method`.
pub fn rpc_path(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}

/// An instant for the wire, in whole seconds.
pub fn timestamp(at: OffsetDateTime) -> Timestamp {
    Timestamp { seconds: at.unix_timestamp(), nanos: 0 }
}

/// An instant of a field of a request, in whole microseconds: what Postgres keeps.
///
/// # Errors
/// INVALID_ARGUMENT naming the field, outside the years 1970 to 9999.
pub fn instant(field: &'static str, at: &Timestamp) -> Result<OffsetDateTime> {
    let nanos = i128::from(at.seconds) * 1_000_000_000 + i128::from(at.nanos / 1000 * 1000);
    OffsetDateTime::from_unix_timestamp_nanos(nanos)
        .ok()
        .filter(|t| (1970..=9999).contains(&t.year()) && (0..1_000_000_000).contains(&at.nanos))
        .ok_or_else(|| Error::field(field, FieldReason::OutOfRange, "must be a time between the years 1970 and 9999"))
}

/// The extension that says how a method is reached over REST.
pub static REST_METHOD: LazyLock<ExtensionDescriptor> =
    LazyLock::new(|| POOL.get_extension_by_name("goodturn.rest.v1.method").expect("options.proto declares it"));

/// The word of an enum value in JSON; without one, its proto name.
pub fn word(value: &EnumValueDescriptor) -> String {
    let (options, words) = (value.options(), &*WORDS);
    if !options.has_extension(words) {
        return value.name().to_owned();
    }
    let spelt = options.get_extension(words);
    let word = spelt.as_message().and_then(|w| w.get_field_by_name("word").and_then(|w| w.as_str().map(str::to_owned)));
    word.unwrap_or_default()
}

static WORDS: LazyLock<ExtensionDescriptor> =
    LazyLock::new(|| POOL.get_extension_by_name("goodturn.rest.v1.words").expect("options.proto declares it"));

/// What the documents say of a value of a field that is missing or out of its bounds; empty where they say nothing.
pub fn refused(field: &FieldDescriptor) -> String {
    let spelling = field.options().get_extension(&SPELLING).into_owned();
    spelling.as_message().and_then(|s| s.get_field_by_name("refused")?.as_str().map(str::to_owned)).unwrap_or_default()
}

static SPELLING: LazyLock<ExtensionDescriptor> =
    LazyLock::new(|| POOL.get_extension_by_name("goodturn.rest.v1.spelling").expect("options.proto declares it"));

#[allow(missing_docs, dead_code, clippy::all, clippy::pedantic, reason = "generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/goodturn.rs"));
}

macro_rules! area {
    ($($name:ident),*) => {$(
        #[doc = concat!("The messages of `goodturn.", stringify!($name), ".v1`.")]
        pub mod $name {
            pub use super::generated::goodturn::$name::v1::*;
        }
    )*};
}

area!(common, identity, friends, favors, notifications, groups, profile, items, rentals, rest);

/// The bindings of RPCs to HTTP.
pub mod http {
    pub use super::generated::google::api::{HttpRule, http_rule};
}
