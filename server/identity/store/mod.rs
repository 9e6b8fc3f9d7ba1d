//! Every SQL statement of accounts and sessions.

pub(super) mod account_deletion;
pub(super) mod accounts;
pub(super) mod attempts;
pub(super) mod attributes;
pub(super) mod awaited;
pub(super) mod codes;
pub(super) mod devices;
pub(super) mod factor_news;
pub(super) mod factors;
pub(super) mod keys;
mod members;
pub(super) mod operators;
pub(super) mod registrations;
pub(super) mod sealed;
pub(super) mod sessions;
pub(super) mod sign_ins;
mod sweep;

pub use attributes::put_picture;
pub use members::{hold, member, member_by_email, member_by_phone, members, share};
pub use sweep::sweep;

/// What an address is found by: two that differ in case are one.
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}
