//! The file of applications: what it may say, and what is wrong with it.

use super::{Client, Flow};
use crate::identity::{providers::Provider, scopes};
use anyhow::ensure;
use serde::Deserialize;
use std::collections::HashSet;

/// Fewer characters of a secret could be guessed.
const SECRET_CHARS_MIN: usize = 16;

/// A file of applications.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    client: Vec<Client>,
    #[serde(default)]
    provider: Vec<Provider>,
}

impl Client {
    /// Those of a file in TOML, and the providers beside them.
    ///
    /// # Errors
    /// Names the line that cannot be read, or the client or provider that cannot be.
    pub fn read_all(text: &str) -> anyhow::Result<(Vec<Self>, Vec<Provider>)> {
        let File { client, provider } = toml::from_str::<File>(text).map_err(|e| anyhow::anyhow!("{}", unquoted(&e)))?;
        client.iter().try_for_each(Self::check)?;
        provider.iter().try_for_each(Provider::check)?;
        Ok((client, provider))
    }

    /// Refuses clients of which two have the same id.
    ///
    /// # Errors
    /// Names it.
    pub fn all_differ(clients: &[Self]) -> anyhow::Result<()> {
        let mut seen = HashSet::new();
        let twice = clients.iter().find(|client| !seen.insert(client.id.as_str()));
        twice.map_or(Ok(()), |client| Err(anyhow::anyhow!("client {} is there twice", client.id)))
    }

    fn check(&self) -> anyhow::Result<()> {
        let id = &self.id;
        ensure!(is_id(id), "client {id:?}: id must be 1 to 128 letters, digits, _ or +");
        let secret_chars = self.secret.as_ref().map(|secret| secret.reveal().chars().count());
        ensure!(
            secret_chars.is_none_or(|chars| (SECRET_CHARS_MIN..=128).contains(&chars)),
            "client {id}: secret must be 16 to 128 characters"
        );
        ensure!(
            !(self.rotates && self.flows.as_ref().is_some_and(|flows| flows.contains(&Flow::RefreshTokenAuth))),
            "client {id}: flows has REFRESH_TOKEN_AUTH, which does not go with rotates"
        );
        for address in self.callbacks.iter().chain(&self.sign_outs) {
            ensure!(is_address(address), "client {id}: {address:?} must be an address as in https://app.example/callback, without #");
        }
        for scope in self.scopes.iter().chain(&self.grants) {
            ensure!(scopes::NAMES.contains(&scope.as_str()), "client {id}: scope {scope:?} must be one of {}", scopes::NAMES.join(", "));
        }
        Ok(())
    }
}

/// Whether a text can be a client's id.
pub fn is_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '+')
}

/// Whether a text is an address to send somebody to: of the web by TLS, of this machine, or of an application on a phone.
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let local = ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host == *name || host.starts_with(&format!("{name}:")));
    let app = scheme.contains('.') || !["http", "https", "javascript", "data", "file"].contains(&scheme);
    let plain = text.bytes().all(|b| b.is_ascii_graphic() && !b"#<>\"\\".contains(&b));
    plain
        && !host.contains('@')
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
        && match scheme {
            "https" => !host.is_empty(),
            "http" => local,
            _ => app,
        }
}

/// What is wrong with a file and where, without the line itself, which may have a secret.
fn unquoted(error: &toml::de::Error) -> String {
    let at = error.span().map_or_else(String::new, |span| format!("at byte {}: ", span.start));
    format!("{at}{}", error.message())
}
