//! What requests bring: the parameters of a query or a form, each once.

use crate::error::{Error, Result};
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, header},
};
use std::collections::{HashMap, HashSet, hash_map::Entry};

/// Longer than any form of ours.
const BYTES_MAX: usize = 64 << 10;
const FORM: &str = "application/x-www-form-urlencoded";

/// Parameters by their names. Those without a value count as absent (RFC 6749, 3.1).
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    values: HashMap<String, String>,
    twice: HashSet<String>,
}

impl Parameters {
    /// Those of a text, as queries and forms have them.
    pub fn read(text: &[u8]) -> Self {
        let mut read = Self::default();
        for (name, value) in form_urlencoded::parse(text).into_owned().filter(|(_, value)| !value.is_empty()) {
            match read.values.entry(name) {
                Entry::Occupied(known) => {
                    read.twice.insert(known.key().clone());
                }
                Entry::Vacant(new) => {
                    new.insert(value);
                }
            }
        }
        read
    }

    /// Those of a query.
    pub fn of_query(request: &Request) -> Self {
        Self::read(request.uri().query().unwrap_or_default().as_bytes())
    }

    /// Those of a form.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it is none, or too long.
    pub async fn of_form(headers: &HeaderMap, body: Body) -> Result<Self> {
        let given = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(FORM) {
            return Err(Error::malformed(format!("the body must be {FORM}")));
        }
        let bytes = to_bytes(body, BYTES_MAX).await.map_err(|_| Error::malformed("the body is too long or incomplete"))?;
        Ok(Self::read(&bytes))
    }

    /// A parameter; `None` when it is absent or there twice.
    pub fn get(&self, name: &str) -> Option<&str> {
        if self.twice.contains(name) {
            return None;
        }
        self.values.get(name).map(String::as_str)
    }

    /// A field of a form of ours; empty when it is absent.
    pub fn field(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// One that is there more than once.
    pub fn repeated(&self) -> Option<&str> {
        self.twice.iter().map(String::as_str).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_there_once() {
        let read = Parameters::read(b"a=1&b=%20x+y&c=&d&a=2");
        assert_eq!((read.get("a"), read.get("b"), read.get("c"), read.get("d")), (None, Some(" x y"), None, None));
        assert_eq!(read.repeated(), Some("a"));
        assert_eq!(Parameters::read(b"a=&a=2").get("a"), Some("2"));
    }
}
