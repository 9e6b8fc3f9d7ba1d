//! What callers agree to: a thing's terms have a short name, which they send along as they know it. Pure.

use crate::error::{Error, FieldReason, Reason, Result};
use aws_lc_rs::digest::{SHA256, digest};
use serde_json::Value;

/// Names terms: others have another name.
pub fn name_of(terms: &Value) -> String {
    let digest = digest(&SHA256, terms.to_string().as_bytes());
    digest.as_ref().first_chunk().map(|first| format!("{:x}", u64::from_be_bytes(*first))).unwrap_or_default()
}

/// Refuses what was agreed to by other terms than those that hold, with a text that says what to do; the empty ones are whichever.
///
/// # Errors
/// CONFLICT.
pub fn check(known: &str, terms: &str, text: &'static str) -> Result<()> {
    if known.is_empty() || known == terms {
        return Ok(());
    }
    Err(Error::new(Reason::Conflict, "").with_field("terms", FieldReason::Conflicting, text))
}
