//! Every SQL statement of the hosted sign-in.

mod codes;
mod identities;
mod underway;

pub use codes::{Code, insert_code, lock_code, owner, sweep_codes, use_code};
pub use identities::{Found, Names, follow, follow_email, insert_identity, is_enabled, member_at};
pub use underway::{Underway, insert_underway, is_link_code, lock_underway, put_link_code, remove_underway, sweep_underway, take_underway};

/// A keyed hash: what a row knows something by that it must not hold.
pub type Key = [u8; 32];
