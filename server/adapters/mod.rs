//! The world outside: a trait for each part of it, its real form and its local form.

pub mod letter;
pub mod mail;
pub mod outbox;
pub mod pictures;
pub mod reports;
pub mod sms;
