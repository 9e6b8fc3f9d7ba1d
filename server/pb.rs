//! The contract as Rust: typed messages and services, and the descriptors they came from.

use prost_reflect::{DescriptorPool, ExtensionDescriptor, MethodDescriptor};
use std::sync::LazyLock;

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

/// The extension that says how a method is reached over REST.
pub static REST_METHOD: LazyLock<ExtensionDescriptor> =
    LazyLock::new(|| POOL.get_extension_by_name("goodturn.rest.v1.method").expect("options.proto declares it"));

/// Whether a method is of a later release.
pub fn is_later(method: &MethodDescriptor) -> bool {
    method.options().get_extension(&REST_METHOD).as_message().and_then(|m| m.get_field_by_name("later")?.as_bool()).unwrap_or(false)
}

#[allow(missing_docs, clippy::all, clippy::pedantic)]
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

area!(common, identity, friends, favors, notifications, groups, profile, items, rentals);
