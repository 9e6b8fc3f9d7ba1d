//! A request for a sign-in: what an application may ask for. Pure.

use super::{
    form::Parameters,
    texts::{errors, pages},
};
use crate::identity::{Client, providers::OWN, scopes::Scopes};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

const STATE_CHARS_MAX: usize = 2048;
const NONCE_CHARS_MAX: usize = 512;
const HINT_CHARS_MAX: usize = 254;

/// What was asked for, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The application.
    pub client: String,
    /// Where the answer goes: one of the application's addresses.
    pub redirect_uri: String,
    /// What the tokens will be for.
    pub scopes: Scopes,
    /// What the answer says again.
    pub state: Option<String>,
    /// What the id token says again.
    pub nonce: Option<String>,
    /// The hash of the proof that comes with the code.
    pub challenge: Option<[u8; 32]>,
    /// Who is expected.
    pub hint: Option<String>,
    /// How they may be asked, here and by a provider.
    pub how: How,
}

/// How somebody may be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct How {
    /// Not at all: nothing may be shown.
    pub silent: bool,
    /// Anew, though the browser is signed in.
    pub anew: bool,
    /// Which account, though one is signed in.
    pub chooses: bool,
    /// Anew, when that was longer ago.
    pub age_s_max: Option<i64>,
}

impl How {
    /// The same as `prompt` says it, where somebody must be asked.
    pub const fn prompt(&self) -> Option<&'static str> {
        match (self.anew, self.chooses) {
            (false, false) => None,
            (true, false) => Some("login"),
            (false, true) => Some("select_account"),
            (true, true) => Some("login select_account"),
        }
    }
}

impl Asked {
    /// What the application is told in place of an answer.
    pub fn refused(&self, error: &'static str, description: &'static str) -> Refused {
        Refused { redirect_uri: self.redirect_uri.clone(), state: self.state.clone(), error, description }
    }
}

/// What is to be done about a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The page is shown, to who must be asked.
    Page(Asked),
    /// The provider of this name is asked.
    Provider(Asked, String),
    /// The application is told what is wrong.
    Told(Refused),
    /// Nobody knows whom to tell but the member.
    Shown(&'static str),
}

/// What an application is told at its address.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its address.
    pub redirect_uri: String,
    /// What the answer says again.
    pub state: Option<String>,
    /// The error, as RFC 6749, 4.1.2.1 and OpenID Connect Core, 3.1.2.6 have it.
    pub error: &'static str,
    /// The same in words.
    pub description: &'static str,
}

/// A provider as far as a request may name it: its name and its address.
pub type Known<'a> = (&'a str, &'a str);

/// Reads a request. `client` finds an application; `providers` are all there are.
pub fn read<'a>(given: &Parameters, client: impl Fn(&str) -> Option<&'a Client>, providers: &[Known<'_>]) -> Verdict {
    let Some(client) = given.get("client_id").and_then(client) else { return Verdict::Shown(pages::NO_CLIENT) };
    let Some(redirect_uri) = given.get("redirect_uri").filter(|uri| client.callbacks.iter().any(|known| known == uri)) else {
        return Verdict::Shown(pages::NO_CALLBACK);
    };
    // From here on the application hears of it.
    let state = given.get("state").filter(|state| state.len() <= STATE_CHARS_MAX).map(str::to_owned);
    let base = Asked {
        client: client.id.clone(),
        redirect_uri: redirect_uri.to_owned(),
        scopes: Scopes::NONE,
        state: state.clone(),
        nonce: given.get("nonce").map(str::to_owned),
        challenge: None,
        hint: given.get("login_hint").filter(|hint| hint.len() <= HINT_CHARS_MAX).map(str::to_owned),
        how: How::default(),
    };
    match checked(given, client, base, providers) {
        Ok((asked, None)) => Verdict::Page(asked),
        Ok((asked, Some(provider))) => Verdict::Provider(asked, provider),
        Err((error, description)) => Verdict::Told(Refused { redirect_uri: redirect_uri.to_owned(), state, error, description }),
    }
}

type Flaw = (&'static str, &'static str);

fn checked(given: &Parameters, client: &Client, base: Asked, providers: &[Known<'_>]) -> Result<(Asked, Option<String>), Flaw> {
    if given.repeated().is_some() {
        return Err((errors::INVALID_REQUEST, "a parameter is given twice"));
    }
    for (name, error) in [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")] {
        if given.get(name).is_some() {
            return Err((error, "parameters must be in the query string"));
        }
    }
    match given.get("response_type") {
        Some("code") => {}
        Some(_) => return Err((errors::UNSUPPORTED_RESPONSE_TYPE, "response_type must be code")),
        None => return Err((errors::INVALID_REQUEST, "response_type is missing")),
    }
    if given.get("response_mode").is_some_and(|mode| mode != "query") {
        return Err((errors::INVALID_REQUEST, "response_mode must be query"));
    }
    if given.get("state").is_some_and(|state| state.len() > STATE_CHARS_MAX) {
        return Err((errors::INVALID_REQUEST, "state is too long"));
    }
    if base.nonce.as_ref().is_some_and(|nonce| nonce.len() > NONCE_CHARS_MAX) {
        return Err((errors::INVALID_REQUEST, "nonce is too long"));
    }
    let how = how(given)?;
    let scopes = scopes(given.get("scope"), client)?;
    let challenge = challenge(given, client.pkce)?;
    let provider = provider(given, client, providers)?;
    // It knows whom it has signed in; a browser that was signed in by another way is not asked about.
    if how.silent && provider.is_some() {
        return Err((errors::LOGIN_REQUIRED, "the member must sign in at the identity provider"));
    }
    Ok((Asked { scopes, challenge, how, ..base }, provider))
}

fn how(given: &Parameters) -> Result<How, Flaw> {
    let words: Vec<_> = given.get("prompt").unwrap_or_default().split_ascii_whitespace().collect();
    let flaw = (errors::INVALID_REQUEST, "max_age must be a number of seconds");
    let age = given.get("max_age").map(|text| text.parse::<i64>().ok().filter(|age_s| *age_s >= 0).ok_or(flaw));
    let age_s_max = age.transpose()?;
    // The same as prompt=login: OpenID Connect Core, 3.1.2.1.
    let is_zero = age_s_max == Some(0);
    match words.as_slice() {
        ["none"] => Ok(How { silent: true, anew: is_zero, chooses: false, age_s_max }),
        words if words.iter().all(|word| ["login", "consent", "select_account"].contains(word)) => {
            // There is nothing to consent to: applications are configured by who runs the server.
            Ok(How { silent: false, anew: is_zero || words.contains(&"login"), chooses: words.contains(&"select_account"), age_s_max })
        }
        _ => Err((errors::INVALID_REQUEST, "prompt must be none on its own, or login, consent or select_account")),
    }
}

/// All that the application may have, when it does not say; and what it is granted besides.
fn scopes(given: Option<&str>, client: &Client) -> Result<Scopes, Flaw> {
    let flaw = (errors::INVALID_SCOPE, "scope contains a value that this application may not ask for");
    let allowed = client.allowed();
    let asked = given.map_or(Some(allowed), Scopes::read).filter(|asked| allowed.has(*asked)).ok_or(flaw)?;
    if asked.is_empty() { Err(flaw) } else { Ok(asked.and(client.grants())) }
}

/// By its hash alone: the other method shows the proof to who sees the request.
fn challenge(given: &Parameters, wanted: bool) -> Result<Option<[u8; 32]>, Flaw> {
    match (given.get("code_challenge"), given.get("code_challenge_method")) {
        (None, None) if !wanted => Ok(None),
        (None, _) => Err((errors::INVALID_REQUEST, "code_challenge is missing")),
        (Some(text), Some("S256")) => {
            let hash = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
            hash.map(Some).ok_or((errors::INVALID_REQUEST, "code_challenge must be 43 characters of base64url"))
        }
        (Some(_), _) => Err((errors::INVALID_REQUEST, "code_challenge_method must be S256")),
    }
}

fn provider(given: &Parameters, client: &Client, providers: &[Known<'_>]) -> Result<Option<String>, Flaw> {
    let by_name = given.get("identity_provider");
    let Some(asked) = by_name.or(given.get("idp_identifier")) else { return Ok(None) };
    if by_name == Some(OWN) {
        return Ok(None);
    }
    let is_meant =
        |(name, issuer): &&Known<'_>| *name == asked || (by_name.is_none() && (name.eq_ignore_ascii_case(asked) || *issuer == asked));
    let found = providers.iter().find(is_meant).filter(|(name, _)| client.offers(name));
    found.map(|(name, _)| Some((*name).to_owned())).ok_or((errors::INVALID_REQUEST, "unknown identity provider"))
}

#[cfg(test)]
mod tests;
