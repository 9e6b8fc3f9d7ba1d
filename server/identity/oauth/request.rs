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
}

/// How somebody may be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// Not at all: nothing may be shown.
    pub silent: bool,
    /// Anew, though the browser is signed in.
    pub anew: bool,
    /// The same, when it was signed in longer ago.
    pub age_s_max: Option<i64>,
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
    Page(Asked, How),
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
    };
    match checked(given, client, base, providers) {
        Ok((asked, how, None)) => Verdict::Page(asked, how),
        Ok((asked, _, Some(provider))) => Verdict::Provider(asked, provider),
        Err((error, description)) => Verdict::Told(Refused { redirect_uri: redirect_uri.to_owned(), state, error, description }),
    }
}

type Flaw = (&'static str, &'static str);

fn checked(given: &Parameters, client: &Client, base: Asked, providers: &[Known<'_>]) -> Result<(Asked, How, Option<String>), Flaw> {
    if given.repeated().is_some() {
        return Err((errors::INVALID_REQUEST, "a parameter is there twice"));
    }
    for (name, error) in [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")] {
        if given.get(name).is_some() {
            return Err((error, "the parameters stand in the address alone"));
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
        return Err((errors::LOGIN_REQUIRED, "somebody must sign in at the identity provider"));
    }
    Ok((Asked { scopes, challenge, ..base }, how, provider))
}

fn how(given: &Parameters) -> Result<How, Flaw> {
    let words: Vec<_> = given.get("prompt").unwrap_or_default().split_ascii_whitespace().collect();
    let flaw = (errors::INVALID_REQUEST, "max_age must be a number of seconds");
    let age = given.get("max_age").map(|text| text.parse::<i64>().ok().filter(|age_s| *age_s >= 0).ok_or(flaw));
    let age_s_max = age.transpose()?;
    // The same as prompt=login: OpenID Connect Core, 3.1.2.1.
    let is_zero = age_s_max == Some(0);
    match words.as_slice() {
        ["none"] => Ok(How { silent: true, anew: is_zero, age_s_max }),
        words if words.iter().all(|word| ["login", "consent", "select_account"].contains(word)) => {
            // There is nothing to consent to: applications are configured by who runs the server.
            Ok(How { silent: false, anew: is_zero || words.iter().any(|word| *word != "consent"), age_s_max })
        }
        _ => Err((errors::INVALID_REQUEST, "prompt must be none alone, or login, consent or select_account")),
    }
}

/// All that the application may have, when it does not say; and what it is granted besides.
fn scopes(given: Option<&str>, client: &Client) -> Result<Scopes, Flaw> {
    let flaw = (errors::INVALID_SCOPE, "scope has one that is not this application's");
    let allowed = client.scopes().and(client.grants());
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
    found.map(|(name, _)| Some((*name).to_owned())).ok_or((errors::INVALID_REQUEST, "there is no such identity provider"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const GOOD: &str = "client_id=app&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&state=s&scope=openid&code_challenge=\
                        E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";

    fn app() -> Client {
        let callbacks = vec!["https://a.example/back".to_owned()];
        let scopes = vec!["openid".to_owned(), "email".to_owned()];
        Client { callbacks, scopes, providers: Some(vec!["Google".into()]), ..Client::new("app".into()) }
    }

    fn verdict(client: &Client, text: &str) -> Verdict {
        let providers = [("Google", "https://accounts.google.com"), ("Club", "https://club.example")];
        read(&Parameters::read(text.as_bytes()), |id| (id == client.id).then_some(client), &providers)
    }

    fn told(text: &str) -> &'static str {
        match verdict(&app(), text) {
            Verdict::Told(refused) => {
                assert_eq!(refused.redirect_uri, "https://a.example/back");
                refused.error
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_good_request_is_read() {
        let Verdict::Page(asked, _) = verdict(&app(), &format!("{GOOD}&login_hint=ana&nonce=n&unknown=x")) else { panic!() };
        assert_eq!((asked.scopes, asked.state.as_deref(), asked.nonce.as_deref()), (Scopes::OPENID, Some("s"), Some("n")));
        assert_eq!(asked.challenge.map(|hash| URL_SAFE_NO_PAD.encode(hash)).as_deref(), Some(CHALLENGE));
        let Verdict::Page(all, _) = verdict(&app(), &GOOD.replace("scope=openid", "x=y")) else { panic!() };
        assert_eq!(all.scopes.spell(), "openid email");
    }

    #[test]
    fn a_first_party_is_granted_more_than_it_asks_for_and_others_are_not() {
        let own = Client { grants: vec!["aws.cognito.signin.user.admin".to_owned()], ..app() };
        let granted = |client: &Client, text: &str| match verdict(client, text) {
            Verdict::Page(asked, _) => asked.scopes.spell(),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!((granted(&own, GOOD), granted(&app(), GOOD)), ("openid aws.cognito.signin.user.admin".into(), "openid".into()));
        // The page asks itself again, for what was granted.
        let again = GOOD.replace("scope=openid", "scope=openid+aws.cognito.signin.user.admin");
        assert_eq!(granted(&own, &again), "openid aws.cognito.signin.user.admin");
        assert!(matches!(verdict(&app(), &again), Verdict::Told(Refused { error: errors::INVALID_SCOPE, .. })));
        // What it may not have it is not given beside.
        assert!(matches!(verdict(&own, &GOOD.replace("scope=openid", "scope=phone")), Verdict::Told(_)));
    }

    #[test]
    fn how_somebody_is_asked_is_read() {
        let how = |more: &str| match verdict(&app(), &format!("{GOOD}{more}")) {
            Verdict::Page(_, how) => how,
            other => panic!("{more}: {other:?}"),
        };
        assert_eq!((how(""), how("&prompt=consent")), (How::default(), How::default()));
        assert_eq!(how("&prompt=none&max_age=60"), How { silent: true, anew: false, age_s_max: Some(60) });
        assert!(how("&prompt=login").anew && how("&prompt=consent+login").anew && how("&prompt=select_account").anew);
        assert!(how("&max_age=0").anew && !how("&max_age=1").anew);
    }

    #[test]
    fn nobody_is_sent_to_an_address_that_is_not_the_applications() {
        for spoilt in [
            GOOD.replace("client_id=app", "client_id=other"),
            GOOD.replace("client_id=app&", ""),
            GOOD.replace("%2Fback", "%2Fback%2F"),
            GOOD.replace("%2Fback", "%2FBack"),
            GOOD.replace("%2Fback", "%2Fback%3Fx%3D1"),
            GOOD.replace("a.example", "a.example.evil.example"),
            GOOD.replace("https%3A", "http%3A"),
            GOOD.replace("redirect_uri=", "redirect="),
            format!("{GOOD}&redirect_uri=https%3A%2F%2Fa.example%2Fback"),
            format!("{GOOD}&client_id=app"),
        ] {
            assert!(matches!(verdict(&app(), &spoilt), Verdict::Shown(_)), "{spoilt}");
        }
    }

    #[test]
    fn all_else_that_is_wrong_is_told_to_the_application() {
        for (spoilt, error) in [
            (GOOD.replace("response_type=code", "response_type=token"), "unsupported_response_type"),
            (GOOD.replace("response_type=code", "x=y"), "invalid_request"),
            (GOOD.replace("scope=openid", "scope=openid+phone"), "invalid_scope"),
            (GOOD.replace("scope=openid", "scope=openid+all"), "invalid_scope"),
            (GOOD.replace("scope=openid", "scope=+"), "invalid_scope"),
            (GOOD.replace("S256", "plain"), "invalid_request"),
            (GOOD.replace("&code_challenge_method=S256", ""), "invalid_request"),
            (GOOD.replace(CHALLENGE, "short"), "invalid_request"),
            (GOOD.replace(&format!("&code_challenge={CHALLENGE}"), ""), "invalid_request"),
            (GOOD.replace(&format!("&code_challenge={CHALLENGE}&code_challenge_method=S256"), ""), "invalid_request"),
            (format!("{GOOD}&scope=email"), "invalid_request"),
            (format!("{GOOD}&prompt=none&identity_provider=Google"), "login_required"),
            (format!("{GOOD}&max_age=-1"), "invalid_request"),
            (format!("{GOOD}&max_age=soon"), "invalid_request"),
            (format!("{GOOD}&prompt=none+login"), "invalid_request"),
            (format!("{GOOD}&request=e30."), "request_not_supported"),
            (format!("{GOOD}&request_uri=https://x"), "request_uri_not_supported"),
            (format!("{GOOD}&response_mode=fragment"), "invalid_request"),
            (format!("{GOOD}&identity_provider=Nobody"), "invalid_request"),
            (format!("{GOOD}&identity_provider=Club"), "invalid_request"),
            (GOOD.replace("state=s", &format!("state={}", "s".repeat(2049))), "invalid_request"),
            (format!("{GOOD}&nonce={}", "n".repeat(513)), "invalid_request"),
        ] {
            assert_eq!(told(&spoilt), error, "{spoilt}");
        }
    }

    #[test]
    fn a_provider_is_named_by_its_name_or_found_by_its_address() {
        for named in ["identity_provider=Google", "idp_identifier=google", "idp_identifier=https%3A%2F%2Faccounts.google.com"] {
            let found = verdict(&app(), &format!("{GOOD}&{named}&prompt=login"));
            assert!(matches!(&found, Verdict::Provider(_, name) if name == "Google"), "{named}: {found:?}");
        }
        assert!(matches!(verdict(&app(), &format!("{GOOD}&identity_provider=COGNITO")), Verdict::Page(..)));
    }

    #[test]
    fn who_need_not_prove_possession_may() {
        let free = Client { pkce: false, ..app() };
        let without = GOOD.replace(&format!("&code_challenge={CHALLENGE}&code_challenge_method=S256"), "");
        assert!(matches!(verdict(&free, &without), Verdict::Page(Asked { challenge: None, .. }, _)));
        assert!(matches!(verdict(&free, GOOD), Verdict::Page(Asked { challenge: Some(_), .. }, _)));
        assert!(matches!(verdict(&free, &GOOD.replace("S256", "plain")), Verdict::Told(_)));
    }
}
