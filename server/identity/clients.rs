//! The applications that members sign in with.

use super::{
    providers::{OWN, Provider},
    rules,
    scopes::{self, Scopes},
};
use crate::{
    error::{Error, Reason, Result},
    pb::identity::AuthFlow,
    secrets::Secret,
};
use anyhow::ensure;
use aws_lc_rs::{constant_time::verify_slices_are_equal, hmac};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use std::collections::HashSet;

/// Fewer characters of a secret could be guessed.
const SECRET_CHARS_MIN: usize = 16;

/// An application.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its id, which it sends with every call.
    pub id: String,
    /// Its secret; none for applications that cannot keep one: browsers and phones.
    #[serde(default)]
    pub secret: Option<Secret>,
    /// How members may sign in with it; all ways when not said, but for the refresh that does not rotate when its tokens rotate.
    #[serde(default)]
    pub flows: Option<Vec<Flow>>,
    /// Whether its refresh tokens are rotated.
    #[serde(default)]
    pub rotates: bool,
    /// Whether it remembers devices.
    #[serde(default)]
    pub devices: Devices,
    /// Whether it asks for a second factor.
    #[serde(default)]
    pub mfa: Mfa,
    /// Where the hosted sign-in may send members back to, to the letter.
    #[serde(default)]
    pub callbacks: Vec<String>,
    /// Where the hosted sign-out may send members, to the letter.
    #[serde(default)]
    pub sign_outs: Vec<String>,
    /// What its tokens of the hosted sign-in may be for.
    #[serde(default = "Client::usual_scopes")]
    pub scopes: Vec<String>,
    /// What its tokens of the hosted sign-in are for whether it asked for that or not: of an application that belongs to this server, and asks
    /// for what every server knows.
    #[serde(default)]
    pub grants: Vec<String>,
    /// The identity providers that the hosted sign-in offers; all when not said.
    #[serde(default)]
    pub providers: Option<Vec<String>>,
    /// Whether the hosted sign-in wants a proof of possession (PKCE) from it.
    #[serde(default = "Client::proves")]
    pub pkce: bool,
}

/// How a sign-in may begin.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Flow {
    /// By SRP.
    UserSrpAuth,
    /// With the plain password.
    UserPasswordAuth,
    /// By a code that is sent.
    CustomAuth,
    /// With a refresh token, which stays the same.
    RefreshTokenAuth,
}

/// Whether an application remembers devices.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Devices {
    /// It does not.
    #[default]
    Off,
    /// Those that the member says.
    OptIn,
    /// All that it confirms.
    Always,
}

/// Whether an application asks for a second factor.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Mfa {
    /// Of nobody.
    Off,
    /// Of members who have one.
    #[default]
    Optional,
    /// Of everybody: who has none sets one up.
    Required,
}

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
    /// With all as it usually is.
    pub fn new(id: String) -> Self {
        Self {
            id,
            secret: None,
            flows: None,
            rotates: false,
            devices: Devices::default(),
            mfa: Mfa::default(),
            callbacks: Vec::new(),
            sign_outs: Vec::new(),
            scopes: Self::usual_scopes(),
            grants: Vec::new(),
            providers: None,
            pkce: Self::proves(),
        }
    }

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

    /// Refuses a flow that is not for this client, in the words of the protocol.
    ///
    /// # Errors
    /// UNSUPPORTED_OPERATION for a refresh without rotation of tokens that rotate; else INVALID_PARAMETER.
    pub fn allows(&self, flow: AuthFlow) -> Result<()> {
        let asked = match flow {
            AuthFlow::UserSrpAuth => Flow::UserSrpAuth,
            AuthFlow::UserPasswordAuth => Flow::UserPasswordAuth,
            AuthFlow::CustomAuth => Flow::CustomAuth,
            AuthFlow::RefreshTokenAuth => Flow::RefreshTokenAuth,
            AuthFlow::Unspecified => return Ok(()),
        };
        if asked == Flow::RefreshTokenAuth && self.rotates {
            return Err(Error::new(
                Reason::UnsupportedOperation,
                "Refresh token rotation is enabled for this client: use GetTokensFromRefreshToken",
            ));
        }
        if self.flows.as_ref().is_none_or(|flows| flows.contains(&asked)) {
            return Ok(());
        }
        Err(match asked {
            Flow::UserPasswordAuth => rules::invalid("USER_PASSWORD_AUTH flow not enabled for this client"),
            Flow::UserSrpAuth => rules::invalid("USER_SRP_AUTH is not enabled for the client."),
            Flow::CustomAuth | Flow::RefreshTokenAuth => rules::invalid("Auth flow not enabled for this client"),
        })
    }

    /// Refuses GetTokensFromRefreshToken, which is a refresh as well, to a client that may not refresh. Of one that rotates it is the only way.
    ///
    /// # Errors
    /// INVALID_PARAMETER.
    pub fn refreshes(&self) -> Result<()> {
        let may = self.rotates || self.flows.as_ref().is_none_or(|flows| flows.contains(&Flow::RefreshTokenAuth));
        if may { Ok(()) } else { Err(rules::invalid("Auth flow not enabled for this client")) }
    }

    /// Refuses a call that does not prove the client's secret, by its hash of any of the names of who it is about.
    ///
    /// # Errors
    /// NOT_AUTHORIZED; INVALID_PARAMETER when there is no secret to prove.
    pub fn proves_by_hash(&self, names: &[&str], given: &str) -> Result<()> {
        let Some(secret) = &self.secret else {
            return if given.is_empty() { Ok(()) } else { Err(self.has_no_secret()) };
        };
        if given.is_empty() {
            return Err(not_authorized(format!("Client {} is configured with secret but SECRET_HASH was not received", self.id)));
        }
        let given = STANDARD.decode(given).unwrap_or_default();
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.reveal().as_bytes());
        let is_of = |name: &&str| hmac::verify(&key, format!("{name}{}", self.id).as_bytes(), &given).is_ok();
        if names.iter().any(is_of) { Ok(()) } else { Err(not_authorized(format!("Unable to verify secret hash for client {}", self.id))) }
    }

    /// Refuses a call that does not bring the client's secret.
    ///
    /// # Errors
    /// NOT_AUTHORIZED; INVALID_PARAMETER when there is no secret to bring.
    pub fn proves_by_secret(&self, given: &str) -> Result<()> {
        match &self.secret {
            None if given.is_empty() => Ok(()),
            None => Err(self.has_no_secret()),
            Some(_) if given.is_empty() => {
                Err(not_authorized(format!("Client {} is configured with secret but secret was not received", self.id)))
            }
            Some(secret) if verify_slices_are_equal(secret.reveal().as_bytes(), given.as_bytes()).is_ok() => Ok(()),
            Some(_) => Err(not_authorized(format!("Unable to verify secret for client {}", self.id))),
        }
    }

    /// What its tokens of the hosted sign-in may be for.
    pub fn scopes(&self) -> Scopes {
        Scopes::of(self.scopes.iter().map(String::as_str)).unwrap_or_default()
    }

    /// What they are for whether it asked for that or not.
    pub fn grants(&self) -> Scopes {
        Scopes::of(self.grants.iter().map(String::as_str)).unwrap_or_default()
    }

    /// Refuses a client that names a provider which is not there.
    ///
    /// # Errors
    /// Names both.
    pub fn knows(&self, providers: &[Provider]) -> anyhow::Result<()> {
        for name in self.providers.iter().flatten() {
            let known = name == OWN || providers.iter().any(|provider| provider.name == *name);
            ensure!(known, "client {}: there is no provider {name:?}", self.id);
        }
        Ok(())
    }

    /// Whether the hosted sign-in offers a provider.
    pub fn offers(&self, provider: &str) -> bool {
        self.providers.as_ref().is_none_or(|names| names.iter().any(|name| name == provider))
    }

    fn has_no_secret(&self) -> Error {
        rules::invalid(format!("App client {} is not configured for secret but secret hash was received", self.id))
    }

    fn usual_scopes() -> Vec<String> {
        scopes::NAMES.map(str::to_owned).to_vec()
    }

    const fn proves() -> bool {
        true
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

fn not_authorized(text: String) -> Error {
    Error::new(Reason::NotAuthorized, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Vec<Client>> {
        Client::read_all(text).map(|(clients, _)| clients)
    }

    #[test]
    fn a_client_is_as_its_file_says() {
        let text = r#"
            [[client]]
            id = "partner"
            secret = "0123456789abcdef"
            flows = ["USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"]
            devices = "always"
            mfa = "required"
            callbacks = ["https://app.example/back?x=1", "http://localhost:3000/back", "org.example.app://back"]
            scopes = ["openid", "email"]
            pkce = false

            [[client]]
            id = "phone"
            rotates = true
        "#;
        let [partner, phone] = <[Client; 2]>::try_from(read(text).unwrap()).unwrap();
        assert_eq!((partner.devices, partner.mfa, partner.pkce), (Devices::Always, Mfa::Required, false));
        assert!(partner.allows(AuthFlow::UserSrpAuth).is_ok() && partner.allows(AuthFlow::RefreshTokenAuth).is_ok());
        let refused = partner.allows(AuthFlow::UserPasswordAuth).unwrap_err();
        assert_eq!(
            (refused.reason(), refused.message()),
            (Reason::InvalidParameter, "USER_PASSWORD_AUTH flow not enabled for this client")
        );
        assert!(phone.allows(AuthFlow::CustomAuth).is_ok() && phone.pkce && phone.mfa == Mfa::Optional);
        assert_eq!(phone.allows(AuthFlow::RefreshTokenAuth).unwrap_err().reason(), Reason::UnsupportedOperation);
    }

    #[test]
    fn what_is_wrong_is_named_and_no_secret_is_shown() {
        for (text, told) in [
            ("[[client]]\nid = \"a b\"", "id must be"),
            ("[[client]]\nid = \"a\"\nsecret = \"short-secret\"", "secret must be 16"),
            ("[[client]]\nid = \"a\"\nsecret = \"short-secret", "at byte"),
            ("[[client]]\nid = \"a\"\nsecrets = \"short-secret\"", "unknown field `secrets`"),
            ("[[client]]\nid = \"a\"\nrotates = true\nflows = [\"REFRESH_TOKEN_AUTH\"]", "does not go with rotates"),
            ("[[client]]\nid = \"a\"\nscopes = [\"all\"]", "scope \"all\" must be one of openid"),
            ("[[client]]\nid = \"a\"\ngrants = [\"all\"]", "scope \"all\" must be one of openid"),
            ("[[client]]\nid = \"a\"\ncallbacks = [\"http://app.example/\"]", "must be an address"),
            ("[[client]]\nid = \"a\"\ncallbacks = [\"https://app.example/#x\"]", "must be an address"),
            ("[[client]]\nid = \"a\"\ncallbacks = [\"javascript://x\"]", "must be an address"),
            ("[[client]]\nid = \"a\"\ncallbacks = [\"http://localhost@evil.example/\"]", "must be an address"),
            ("[[client]]\nid = \"a\"\ndevices = \"some\"", "unknown variant `some`"),
        ] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains(told) && !refused.contains("short-secret"), "{text}: {refused}");
        }
        let twice = read("[[client]]\nid = \"a\"\n[[client]]\nid = \"a\"").unwrap();
        assert_eq!(Client::all_differ(&twice).unwrap_err().to_string(), "client a is there twice");
    }

    #[test]
    fn a_secret_is_proved_by_its_hash_of_a_name() {
        let text = "[[client]]\nid = \"partner\"\nsecret = \"0123456789abcdef\"";
        let client = read(text).unwrap().remove(0);
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"0123456789abcdef");
        let hash = STANDARD.encode(hmac::sign(&key, b"ana@example.orgpartner"));
        assert!(client.proves_by_hash(&["ana@example.org"], &hash).is_ok());
        assert!(client.proves_by_hash(&["an-id", "ana@example.org"], &hash).is_ok());
        for (names, given) in [(["bo@example.org"], hash.as_str()), (["ana@example.org"], ""), (["ana@example.org"], "?")] {
            assert_eq!(client.proves_by_hash(&names, given).unwrap_err().reason(), Reason::NotAuthorized, "{names:?} {given}");
        }
        assert!(client.proves_by_secret("0123456789abcdef").is_ok());
        assert_eq!(client.proves_by_secret("0123456789abcdeg").unwrap_err().reason(), Reason::NotAuthorized);
        assert_eq!(client.proves_by_secret("").unwrap_err().reason(), Reason::NotAuthorized);
        let public = Client::new("web".to_owned());
        assert!(public.proves_by_hash(&["ana"], "").is_ok() && public.proves_by_secret("").is_ok());
        assert_eq!(public.proves_by_hash(&["ana"], &hash).unwrap_err().reason(), Reason::InvalidParameter);
    }
}
