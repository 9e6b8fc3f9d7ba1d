//! Providers that members come by: sent there with state, nonce and a proof of possession, and met again in the browser that was sent.

mod fetch;
mod id_token;
mod issuer;
mod keys;

use super::{
    Face, around,
    browser::Browser,
    federated::{self, Person},
    form::Parameters,
    page::{self, SignIn},
    paths, reply,
    request::Asked,
    store::{self, Key, Underway},
    texts::{errors, pages},
};
use crate::{error::Result, identity::Provider, transact};
use anyhow::Context;
use aws_lc_rs::digest::{SHA256, digest};
use axum::{
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use fetch::{Ask, Fetch, secret};
use form_urlencoded::{Serializer, byte_serialize};
use issuer::{Document, Issuer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use time::Duration;

/// How long somebody may be away at a provider.
const AWAY_MAX: Duration = Duration::minutes(15);

/// A provider, and what is known of it.
pub struct Upstream {
    /// As it is configured.
    pub provider: Provider,
    issuer: Issuer,
    fetch: Fetch,
}

/// What must be known when somebody comes back.
#[derive(Serialize, Deserialize)]
struct Away {
    asked: Asked,
    provider: String,
    nonce: String,
    verifier: String,
    /// When they left, in seconds since the epoch.
    left_at_s: i64,
}

impl Upstream {
    /// A provider of which nothing is known yet.
    ///
    /// # Errors
    /// As `Fetch::new`.
    pub fn new(provider: Provider, local: bool) -> anyhow::Result<Self> {
        Ok(Self { provider, issuer: Issuer::default(), fetch: Fetch::new(local)? })
    }

    async fn document(&self) -> anyhow::Result<Arc<Document>> {
        self.issuer.document(&self.fetch, &self.provider).await
    }

    /// Who came back with a code.
    async fn person(&self, face: &Face, code: &str, away: &Away) -> anyhow::Result<Person> {
        let document = self.document().await?;
        let told = self.redeem(face, &document, code, &away.verifier).await?;
        let token = text(&told, "id_token").context("the provider's answer has no id token")?;
        let claims = self.opened(&document, token).await?.context("the id token was signed by nobody who is known")?;
        let now = face.pool.deps.clock.now();
        id_token::check(&claims, &self.provider, &away.nonce, now)?;
        let more = match (&document.userinfo_endpoint, text(&told, "access_token")) {
            (Some(at), Some(token)) if claims.get("email").is_none() => self.more(at, token).await?,
            _ => Value::Null,
        };
        Person::read(&claims, &more, id_token::asked_at(&claims, now)).context("the provider does not say who it is")
    }

    /// What a token says that one of its keys signed.
    async fn opened(&self, document: &Document, token: &str) -> anyhow::Result<Option<Value>> {
        let keys = self.issuer.keys(&self.fetch, document, keys::kid(token).as_deref()).await?;
        if let Some(claims) = keys.open(token) {
            return Ok(Some(claims));
        }
        // Another one may have the name of the one that is known.
        Ok(self.issuer.keys_after(&self.fetch, document, &keys).await?.and_then(|keys| keys.open(token)))
    }

    async fn redeem(&self, face: &Face, document: &Document, code: &str, verifier: &str) -> anyhow::Result<Value> {
        let ask = self.redeeming(face, document, code, verifier)?;
        let (status, told) = self.fetch.json(&document.token_endpoint, ask).await?;
        // The error alone: a description may repeat what was sent.
        anyhow::ensure!(status.is_success(), "the provider redeems no code: {status} {:.40}", text(&told, "error").unwrap_or_default());
        Ok(told)
    }

    /// With the secret in the header, which every provider knows that says nothing else (OpenID Connect Discovery, 3).
    fn redeeming(&self, face: &Face, document: &Document, code: &str, verifier: &str) -> anyhow::Result<Ask<'static>> {
        let (id, redirect_uri) = (self.provider.client_id.as_str(), face.url(paths::ID_RESPONSE));
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code").append_pair("code", code).append_pair("redirect_uri", &redirect_uri);
        form.append_pair("code_verifier", verifier);
        let ways = document.token_endpoint_auth_methods_supported.as_deref();
        let by_header = ways.is_none_or(|all| all.iter().any(|way| way == "client_secret_basic"));
        let basic = match &self.provider.client_secret {
            Some(given) if by_header => {
                let plain = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                Some(secret(&format!("Basic {}", STANDARD.encode(format!("{}:{}", plain(id), plain(given.reveal())))))?)
            }
            Some(given) => {
                form.append_pair("client_id", id).append_pair("client_secret", given.reveal());
                None
            }
            None => {
                form.append_pair("client_id", id);
                None
            }
        };
        Ok(Ask::Form { form: form.finish(), basic })
    }

    async fn more(&self, at: &str, token: &str) -> anyhow::Result<Value> {
        let (status, told) = self.fetch.json(at, Ask::Get { bearer: Some(token) }).await?;
        anyhow::ensure!(status.is_success(), "the provider tells no more: {status}");
        Ok(told)
    }
}

/// Sends somebody to a provider.
pub async fn send(face: &Face, browser: &Browser, asked: Asked, provider: &str) -> Response {
    let refused = |error, description| reply::told(face, &asked.refused(error, description));
    let Some(upstream) = face.upstream(provider) else {
        return refused(errors::INVALID_REQUEST, "unknown identity provider");
    };
    let document = match upstream.document().await {
        Ok(document) => document,
        Err(cause) => {
            tracing::warn!(provider, cause = format!("{cause:#}"), "a provider cannot be asked");
            return refused(errors::TEMPORARILY_UNAVAILABLE, "the identity provider is not responding");
        }
    };
    match depart(face, browser, &asked, upstream, &document).await {
        Ok(address) => ([(header::SET_COOKIE, browser.cookie(face))], reply::go(&address)).into_response(),
        Err(e) => reply::page_failure(&e),
    }
}

/// Remembers who was sent; the address of the provider.
async fn depart(face: &Face, browser: &Browser, asked: &Asked, upstream: &Upstream, document: &Document) -> Result<String> {
    let [state, nonce, verifier] = [(); 3].map(|()| URL_SAFE_NO_PAD.encode(face.ids().bytes::<32>()));
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
    let (provider, now) = (&upstream.provider, face.pool.deps.clock.now());
    let left_at_s = now.unix_timestamp();
    let away = Away { asked: asked.clone(), provider: provider.name.clone(), nonce: nonce.clone(), verifier, left_at_s };
    let id = key(face, &state);
    let row = Underway {
        id,
        browser: browser.key(face),
        sealed: federated::seal(face, &id, &away),
        member: None,
        code: None,
        expires_at: now + AWAY_MAX,
    };
    transact!(face.pool.deps.pool, |tx| store::insert_underway(tx, &row).await)?;
    let (scope, redirect_uri) = (provider.scopes.join(" "), face.url(paths::ID_RESPONSE));
    let age = asked.how.age_s_max.map(|age_s| age_s.to_string());
    let parameters = [
        ("response_type", Some("code")),
        ("client_id", Some(&*provider.client_id)),
        ("redirect_uri", Some(&redirect_uri)),
        ("scope", Some(&scope)),
        ("state", Some(&state)),
        ("nonce", Some(&nonce)),
        ("code_challenge", Some(&challenge)),
        ("code_challenge_method", Some("S256")),
        ("login_hint", asked.hint.as_deref()),
        ("prompt", asked.how.prompt().map(|prompt| provider.prompt(prompt))),
        ("max_age", age.as_deref()),
    ];
    Ok(reply::address(&document.authorization_endpoint, &parameters))
}

/// Somebody comes back from a provider.
pub async fn id_response(State(face): State<Arc<Face>>, request: Request) -> Response {
    let (given, from) = (Parameters::of_query(&request), around::address(&request));
    let strange = || page::failure(StatusCode::BAD_REQUEST, pages::TOO_LATE);
    let Some(browser) = Browser::of(&face, request.headers()) else { return strange() };
    let away = match met(&face, &browser, given.get("state").unwrap_or_default()).await {
        Ok(Some(away)) => away,
        Ok(None) => return strange(),
        Err(e) => return reply::page_failure(&e),
    };
    let refused = |error, description| reply::told(&face, &away.asked.refused(error, description));
    let Some(upstream) = face.upstream(&away.provider) else {
        return refused(errors::SERVER_ERROR, "the identity provider no longer exists");
    };
    let arrived = match arrive(&face, upstream, &given, &away).await {
        Ok(Some(person)) if !id_token::is_fresh(person.asked_at, &away.asked.how, away.left_at_s) => {
            if person.asked_at.is_none() {
                return says_no_time(&face, &browser, &away, &person);
            }
            return refused(errors::LOGIN_REQUIRED, "the identity provider did not ask the member to sign in again");
        }
        Ok(Some(person)) => federated::arrive(&face, &browser, &away.asked, (&away.provider, &person), from).await,
        Ok(None) => return refused(errors::ACCESS_DENIED, "the identity provider did not sign the member in"),
        Err(cause) => {
            tracing::warn!(provider = away.provider, cause = format!("{cause:#}"), "a sign-in by a provider failed");
            return refused(errors::SERVER_ERROR, "the identity provider's answer is invalid");
        }
    };
    arrived.unwrap_or_else(|e| reply::page_failure(&e))
}

/// The page again, for who came by a provider that cannot tell what the application wants to know: there is another way in for them.
fn says_no_time(face: &Face, browser: &Browser, away: &Away, person: &Person) -> Response {
    let said = SignIn {
        email: person.email.as_deref().unwrap_or_default(),
        wrong: &pages::says_no_time(&away.provider),
        without: &away.provider,
        ..SignIn::default()
    };
    page::sign_in(face, browser, &away.asked, StatusCode::FORBIDDEN, &said)
}

/// What was kept of who is sent back to this browser by this state: once.
async fn met(face: &Face, browser: &Browser, state: &str) -> Result<Option<Away>> {
    let (id, now) = (key(face, state), face.pool.deps.clock.now());
    let sealed = transact!(face.pool.deps.pool, |tx| store::take_underway(tx, &id, &browser.key(face), now).await)?;
    Ok(sealed.and_then(|sealed| federated::open(face, &id, &sealed)))
}

/// Who it is; `None` when the provider refused.
async fn arrive(face: &Face, upstream: &Upstream, given: &Parameters, away: &Away) -> anyhow::Result<Option<Person>> {
    // Of two providers one might pass on what is the other's (RFC 9207): who says a name says the right one.
    let document = upstream.document().await?;
    match given.get("iss") {
        Some(issuer) => anyhow::ensure!(issuer == document.issuer, "the answer is another issuer's"),
        None => anyhow::ensure!(!document.authorization_response_iss_parameter_supported, "the answer does not say whose it is"),
    }
    if given.get("error").is_some() {
        return Ok(None);
    }
    let code = given.get("code").context("the answer has no code")?;
    upstream.person(face, code, away).await.map(Some)
}

fn text<'a>(told: &'a Value, name: &str) -> Option<&'a str> {
    told.get(name)?.as_str()
}

fn key(face: &Face, state: &str) -> Key {
    face.pool.settings.keys.derive("federated state", &[state.as_bytes()])
}
