//! What a provider tells of itself: its document and its keys, kept for a while.

use super::{
    fetch::{Ask, Fetch},
    keys::Keys,
};
use crate::identity::Provider;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::{sync::Arc, time::Duration};
use tokio::{sync::Mutex, time::Instant};

/// How long what it told is good.
const KEPT_FOR: Duration = Duration::from_secs(3600);
/// How often, at most, its keys are asked for because of a token that names another one, and because of one that they did not sign.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(60);

/// A provider's document (OpenID Connect Discovery, 3), as far as it is used.
#[derive(Clone, Debug, Deserialize)]
pub struct Document {
    /// What its tokens call it.
    pub issuer: String,
    /// Where browsers are sent.
    pub authorization_endpoint: String,
    /// Where codes are redeemed.
    pub token_endpoint: String,
    /// Where its keys are.
    pub jwks_uri: String,
    /// Where it tells more of somebody.
    pub userinfo_endpoint: Option<String>,
    /// How it wants to be shown the secret.
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether it says with each answer who it is (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// How long one that did not answer is let be: who comes meanwhile does not wait for it too.
const QUIET: Duration = Duration::from_secs(5);

/// What is known of a provider.
#[derive(Default)]
pub struct Issuer {
    document: Mutex<Known>,
    keys: Mutex<KnownKeys>,
}

#[derive(Default)]
struct KnownKeys {
    kept: Option<Kept<Keys>>,
    /// When they were last asked for because they did not fit a token.
    asked_again: Option<Instant>,
}

#[derive(Default)]
struct Known {
    kept: Option<Kept<Document>>,
    /// When it last did not answer.
    failed: Option<Instant>,
}

struct Kept<T> {
    what: Arc<T>,
    since: Instant,
}

impl<T> Kept<T> {
    fn new(what: T) -> Self {
        Self { what: Arc::new(what), since: Instant::now() }
    }

    fn is_younger_than(&self, age: Duration) -> bool {
        self.since.elapsed() < age
    }
}

impl Issuer {
    /// The provider's document. When it cannot be had, the one before.
    ///
    /// # Errors
    /// When there is none, or it is another's.
    pub async fn document(&self, fetch: &Fetch, provider: &Provider) -> Result<Arc<Document>> {
        let mut known = self.document.lock().await;
        let is_quiet = known.failed.is_some_and(|at| at.elapsed() < QUIET);
        if let Some(kept) = known.kept.as_ref().filter(|kept| is_quiet || kept.is_younger_than(KEPT_FOR)) {
            return Ok(kept.what.clone());
        }
        ensure!(!is_quiet, "the provider did not answer a moment ago");
        match document(fetch, provider).await {
            Ok(new) => {
                known.failed = None;
                Ok(known.kept.insert(Kept::new(new)).what.clone())
            }
            Err(cause) => {
                known.failed = Some(Instant::now());
                let Some(kept) = &known.kept else { return Err(cause) };
                tracing::warn!(provider = provider.name, cause = format!("{cause:#}"), "the document of a provider cannot be had");
                Ok(kept.what.clone())
            }
        }
    }

    /// Its keys; asked for anew for a token that names one that is not among them.
    ///
    /// # Errors
    /// When they cannot be had.
    pub async fn keys(&self, fetch: &Fetch, document: &Document, kid: Option<&str>) -> Result<Arc<Keys>> {
        let mut known = self.keys.lock().await;
        let good = |kept: &&Kept<Keys>| kept.is_younger_than(KEPT_FOR) && (kept.what.has(kid) || kept.is_younger_than(ASKED_AGAIN_AFTER));
        if let Some(kept) = known.kept.as_ref().filter(good) {
            return Ok(kept.what.clone());
        }
        Ok(known.kept.insert(Kept::new(keys(fetch, document).await?)).what.clone())
    }

    /// The keys after those that did not sign a token: a provider may give another one the same name. `None` when that was asked a moment ago.
    ///
    /// # Errors
    /// When they cannot be had.
    pub async fn keys_after(&self, fetch: &Fetch, document: &Document, seen: &Arc<Keys>) -> Result<Option<Arc<Keys>>> {
        let mut known = self.keys.lock().await;
        if let Some(kept) = known.kept.as_ref().filter(|kept| !Arc::ptr_eq(&kept.what, seen)) {
            return Ok(Some(kept.what.clone()));
        }
        if known.asked_again.is_some_and(|at| at.elapsed() < ASKED_AGAIN_AFTER) {
            return Ok(None);
        }
        known.asked_again = Some(Instant::now());
        Ok(Some(known.kept.insert(Kept::new(keys(fetch, document).await?)).what.clone()))
    }
}

async fn keys(fetch: &Fetch, document: &Document) -> Result<Keys> {
    let (status, told) = fetch.json(&document.jwks_uri, Ask::Get { bearer: None }).await?;
    ensure!(status.is_success(), "the provider's keys: {status}");
    Keys::read(told)
}

async fn document(fetch: &Fetch, provider: &Provider) -> Result<Document> {
    let at = format!("{}/.well-known/openid-configuration", provider.issuer.trim_end_matches('/'));
    let (status, told) = fetch.json(&at, Ask::Get { bearer: None }).await?;
    ensure!(status.is_success(), "the provider's document: {status}");
    let document: Document = serde_json::from_value(told).context("the provider's document")?;
    ensure!(document.issuer == provider.issuer, "the provider's document is of another issuer");
    // Browsers are sent there with what they came with; the other places are looked at when they are asked.
    fetch.safe(&document.authorization_endpoint)?;
    Ok(document)
}
