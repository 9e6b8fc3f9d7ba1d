//! The applications that members sign in with.

mod file;

pub use file::is_id;

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

    /// All that they may be for.
    pub fn allowed(&self) -> Scopes {
        self.scopes().and(self.grants())
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
        scopes::USUAL.map(str::to_owned).to_vec()
    }

    const fn proves() -> bool {
        true
    }
}

fn not_authorized(text: String) -> Error {
    Error::new(Reason::NotAuthorized, text)
}

#[cfg(test)]
mod tests;
