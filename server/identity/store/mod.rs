//! Every SQL statement of accounts and sessions.

mod members;

pub use members::{member, member_by_email, member_by_phone, members};
