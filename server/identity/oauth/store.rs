//! Every SQL statement of the hosted sign-in.

mod browsers;
mod codes;
mod identities;
mod underway;

pub use browsers::{Owner, SignedIn, insert_signed_in, remove_signed_in, salt, share_owner, signed_in, signed_in_of, sweep_signed_in};
pub use codes::{Code, insert_code, lock_code, owner, sweep_codes, use_code};
pub use identities::{Found, Names, follow, follow_email, insert_identity, is_enabled, member_at, remove_identity};
pub use underway::{
    Underway, insert_underway, link_code, lock_link_code, lock_underway, put_link_code, remove_underway, sweep_underway, take_underway,
};

/// A keyed hash: what a row knows something by that it must not hold.
pub type Key = [u8; 32];
