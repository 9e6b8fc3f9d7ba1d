//! What the contract says about REST, as typed messages: `google.api.http` and our own options.

use crate::pb::{
    http::HttpRule,
    rest::{Method, Spelling, Words},
};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, EnumValueDescriptor, FieldDescriptor, MethodDescriptor};

/// Every binding of a method, the first one first; none when it is gRPC only.
pub fn bindings(method: &MethodDescriptor) -> Vec<HttpRule> {
    let Some(mut first) = option::<HttpRule>(method.parent_pool(), &method.options(), "google.api.http") else { return Vec::new() };
    let more = std::mem::take(&mut first.additional_bindings);
    std::iter::once(first).chain(more).collect()
}

/// How a method is reached beyond its bindings.
pub fn method(method: &MethodDescriptor) -> Method {
    option(method.parent_pool(), &method.options(), "goodturn.rest.v1.method").unwrap_or_default()
}

/// How a field is spelt beyond its JSON name.
pub fn spelling(field: &FieldDescriptor) -> Spelling {
    option(field.parent_message().parent_pool(), &field.options(), "goodturn.rest.v1.spelling").unwrap_or_default()
}

/// The words of an enum value, if it has any.
pub fn words(value: &EnumValueDescriptor) -> Option<Words> {
    option(value.parent_enum().parent_pool(), &value.options(), "goodturn.rest.v1.words")
}

fn option<T: Message + Default>(pool: &DescriptorPool, options: &DynamicMessage, name: &str) -> Option<T> {
    let extension = pool.get_extension_by_name(name)?;
    options.has_extension(&extension).then(|| options.get_extension(&extension).as_message()?.transcode_to().ok())?
}
