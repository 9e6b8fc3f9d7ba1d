//! The identity providers that members may sign in with: Google, and any other issuer of OpenID Connect.

use crate::secrets::Secret;
use anyhow::ensure;
use serde::Deserialize;
use std::collections::HashSet;
use url::{Host, Url};

/// The one that has flags of its own.
pub const GOOGLE: &str = "Google";
const GOOGLE_ISSUER: &str = "https://accounts.google.com";
/// What the protocol calls sign-in by the pool's own passwords.
pub const OWN: &str = "COGNITO";

/// A provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it is called: on its button, and in front of its members' user names.
    pub name: String,
    /// Its address, to the letter as its tokens have it.
    pub issuer: String,
    /// What it knows this server by.
    #[serde(alias = "client-id")]
    pub client_id: String,
    /// How this server proves that; none where the provider gives none.
    #[serde(default, alias = "client-secret")]
    pub client_secret: Option<Secret>,
    /// What is asked of it.
    #[serde(default = "Provider::usual_scopes")]
    pub scopes: Vec<String>,
}

impl Provider {
    /// Google, by what it gave this server.
    pub fn google(client_id: String, client_secret: Secret) -> Self {
        let (name, issuer) = (GOOGLE.to_owned(), GOOGLE_ISSUER.to_owned());
        Self { name, issuer, client_id, client_secret: Some(client_secret), scopes: Self::usual_scopes() }
    }

    /// What the protocol calls its kind.
    pub fn kind(name: &str) -> &'static str {
        if name == GOOGLE { "Google" } else { "OIDC" }
    }

    /// How it is told that somebody must be asked. Google documents no `login`: which account is the most that it is asked for.
    pub fn prompt(&self, prompt: &'static str) -> &'static str {
        if self.name == GOOGLE { "select_account" } else { prompt }
    }

    /// Refuses one that cannot be.
    ///
    /// # Errors
    /// Names it.
    pub fn check(&self) -> anyhow::Result<()> {
        let name = &self.name;
        let plain = (1..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
        ensure!(plain && !name.eq_ignore_ascii_case(OWN), "provider {name:?}: name must be 1 to 32 letters, digits, - or ., and not {OWN}");
        ensure!(!self.client_id.is_empty(), "provider {name}: client_id must not be empty");
        ensure!(self.scopes.iter().any(|scope| scope == "openid"), "provider {name}: scopes must have openid");
        let spaced = |scope: &String| scope.is_empty() || !scope.bytes().all(|b| b.is_ascii_graphic());
        ensure!(!self.scopes.iter().any(spaced), "provider {name}: a scope has letters without blanks");
        Ok(())
    }

    /// Refuses providers of which two have the same name, and addresses that are not safe. In local mode one of this machine may do
    /// without TLS.
    ///
    /// # Errors
    /// Names the provider.
    pub fn check_all(all: &[Self], local: bool) -> anyhow::Result<()> {
        let mut seen = HashSet::new();
        for provider in all {
            ensure!(seen.insert(provider.name.to_lowercase()), "provider {} is there twice", provider.name);
            let safe =
                Url::parse(&provider.issuer).is_ok_and(|url| is_safe(&url, local) && url.query().is_none() && url.fragment().is_none());
            ensure!(safe, "provider {}: issuer must be an https:// address; in local mode also http:// of this machine", provider.name);
        }
        Ok(())
    }

    fn usual_scopes() -> Vec<String> {
        ["openid", "email", "profile"].map(str::to_owned).to_vec()
    }
}

/// Whether secrets may travel to an address: by TLS, and within this machine, where that is allowed, without.
pub fn is_safe(url: &Url, local: bool) -> bool {
    let this_machine = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return false,
    };
    let plain = url.username().is_empty() && url.password().is_none();
    plain && (url.scheme() == "https" || (url.scheme() == "http" && local && this_machine))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(name: &str, issuer: &str) -> Provider {
        Provider { name: name.into(), issuer: issuer.into(), ..Provider::google("id".into(), "secret".parse().unwrap()) }
    }

    #[test]
    fn what_cannot_be_a_provider_is_named() {
        assert!(provider("Google", GOOGLE_ISSUER).check().is_ok());
        for name in ["", "a_b", "a b", "cognito", &"a".repeat(33)] {
            assert!(provider(name, GOOGLE_ISSUER).check().is_err(), "{name}");
        }
        let twice = [provider("Club", "https://a.example"), provider("club", "https://b.example")];
        assert_eq!(Provider::check_all(&twice, false).unwrap_err().to_string(), "provider club is there twice");
    }

    #[test]
    fn secrets_travel_by_tls_or_within_the_machine() {
        let safe = |issuer: &str, local| Provider::check_all(&[provider("Club", issuer)], local).is_ok();
        for issuer in ["http://localhost:4000", "http://127.0.0.1:4000/realms/a", "http://[::1]:4000"] {
            assert!(safe(issuer, true) && !safe(issuer, false), "{issuer}");
        }
        assert!(safe("https://id.example/realms/a", false));
        let unsafe_ones = [
            "http://id.example",
            "https://me:pass@id.example",
            "https://id.example?x",
            "ftp://id.example",
            "id.example",
            "http://localhost.example",
        ];
        for issuer in unsafe_ones {
            assert!(!safe(issuer, true), "{issuer}");
        }
    }
}
