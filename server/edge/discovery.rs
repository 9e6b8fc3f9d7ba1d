//! What a client must know before it calls: /config.json, /openapi.json, and the keys of the user pool.

use crate::{
    adapters::outbox,
    call::At,
    config::{Config, Mode, WEB_GRANTS},
    edge::limits::Rate,
    identity::scopes,
    page, pb,
    rest::openapi,
};
use axum::{Json, Router, extract::Request, http::header, routing::get};
use bytes::Bytes;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use tokio::sync::watch;

/// The demo member of local mode, whom the login screen offers to continue as, with ordinary tokens.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Demo {
    /// The member's id.
    pub uid: String,
    /// The access token.
    pub access_token: String,
    /// The id token.
    pub id_token: String,
}

/// Its tokens for who comes by the server's own address, and for who comes by another of its machine's names: their picture is there.
pub type Demos = Vec<(Option<At>, Demo)>;

/// Made when it is first read, since few servers are asked for it, and shared by all readers.
static OPENAPI: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(openapi::document(&pb::POOL).to_string()));

/// The pages. `jwks` tells the keys of the pool.
pub fn router(config: &Config, demo: watch::Receiver<Demos>, jwks: impl Fn() -> Value + Clone + Send + Sync + 'static) -> Router {
    let told = Arc::new(client_config(config));
    let json_type = [(header::CONTENT_TYPE, "application/json")];
    Router::new()
        .route("/config.json", get(move |request: Request| std::future::ready(Json(config_json(&told, &demo, &request)))))
        .route("/openapi.json", get(move || std::future::ready((json_type, OPENAPI.clone()))))
        .route(&format!("/{}/.well-known/jwks.json", config.pool_id), get(move || std::future::ready(Json(jwks()))))
}

fn client_config(config: &Config) -> Value {
    let region = config.pool_id.split('_').next().unwrap_or_default();
    json!({
        "clientId": config.web_client_id,
        "userPoolId": config.pool_id,
        "region": region,
        "localTesting": config.mode == Mode::Local,
        "autoSignIn": config.auto_sign_in,
        "oauth": oauth(config),
        "sms": config.has_sms(),
        "version": env!("CARGO_PKG_VERSION"),
        "limits": {
            "bodyBytes": config.body_bytes_max,
            "pageEntries": page::LIMIT_MAX,
            "callMs": config.call_timeout_ms,
            "perAddress": rate(config.rate_per_address),
            "perMember": rate(config.rate_per_member),
        },
    })
}

/// What the app needs to send somebody to the hosted sign-in, and to come back from it.
fn oauth(config: &Config) -> Value {
    let providers: Vec<_> = config.providers().unwrap_or_default().into_iter().map(|provider| provider.name).collect();
    let url = config.public_url();
    json!({
        "providers": providers,
        "authorize": format!("{url}/oauth2/authorize"),
        "token": format!("{url}/oauth2/token"),
        "logout": format!("{url}/logout"),
        "callback": config.web_callback(),
        "signOut": format!("{url}/"),
        "scope": scopes::NAMES.join(" "),
        "grants": WEB_GRANTS.spell(),
    })
}

fn rate(rate: Rate) -> Value {
    json!({ "perSecond": rate.per_second, "burst": rate.burst })
}

/// The demo member's tokens are for this machine's own browser alone: a page of another site must not get them by a name that points here.
fn config_json(told: &Value, demo: &watch::Receiver<Demos>, request: &Request) -> Value {
    let mut told = told.clone();
    let demos = demo.borrow();
    let at = request.extensions().get::<At>();
    let demo = demos.iter().find(|(name, _)| name.as_ref() == at).or(demos.first());
    if let (Some(members), Some((_, demo))) = (told.as_object_mut(), demo)
        && outbox::is_local(request.headers(), request.uri().host())
    {
        members.insert("demo".to_owned(), json!(demo));
    }
    told
}
