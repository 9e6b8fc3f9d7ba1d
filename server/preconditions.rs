//! What callers go by: a thing's terms and versions have a short name, which they send along as they know it. Pure.

use crate::error::{Error, FieldReason, Reason, Result};
use aws_lc_rs::digest::{SHA256, digest};
use serde::Serialize;

/// Names terms: others have another name.
pub fn name_of(terms: &impl Serialize) -> String {
    // What cannot be written as JSON is no terms of ours: numbers and texts alone.
    let digest = digest(&SHA256, &serde_json::to_vec(terms).unwrap_or_default());
    digest.as_ref().first_chunk().map(|first| format!("{:x}", u64::from_be_bytes(*first))).unwrap_or_default()
}

/// Refuses a request that names in a field what holds no more, with a text that says what to do; the empty name is whichever.
///
/// # Errors
/// CONFLICT.
pub fn check(field: &'static str, known: &str, holds: &str, text: &'static str) -> Result<()> {
    if known.is_empty() || known == holds {
        return Ok(());
    }
    Err(Error::new(Reason::Conflict, "").with_field(field, FieldReason::Conflicting, text))
}
