//! The hosted sign-in: OAuth 2 (RFC 6749) and OpenID Connect towards applications, a page towards members, OpenID Connect towards the
//! providers that they may come by.

mod around;
mod authorize;
mod browser;
mod code;
mod discovery;
mod federated;
mod form;
mod html;
mod link;
mod logout;
mod mail;
mod page;
mod reply;
mod request;
mod set_up;
mod sign_in;
mod signed_in;
mod steps;
pub(super) mod store;
mod texts;
mod token;
mod upstream;
mod user_info;

pub(super) use federated::label as underway_label;
pub use mail::{SendLinkCode, SendLinkNews};

use super::{providers::Provider, user_pool::UserPool};
use crate::{
    db::Share,
    edge::limits::{Limiter, Rate},
    ids::Ids,
};
use around::Tallies;
use axum::{
    Router,
    http::header,
    middleware,
    routing::{get, post},
};
use std::{net::IpAddr, sync::Arc, time::Duration};
use upstream::Upstream;

const STYLE: &str = include_str!("page.css");

/// What the configuration says of the hosted sign-in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who members may come by, beside their passwords.
    pub providers: Vec<Provider>,
    /// How often one address may ask for one thing.
    pub rate: Rate,
    /// How long an answer may take.
    pub deadline: Duration,
    /// Whether providers of this machine may do without TLS.
    pub local: bool,
}

/// The hosted sign-in of a node.
pub struct Face {
    pool: Arc<UserPool>,
    upstreams: Vec<Upstream>,
    /// A share of the database of its own.
    share: Arc<Share>,
    rate: Limiter<(IpAddr, &'static str)>,
    deadline: Duration,
    tallies: Tallies,
}

impl Face {
    fn ids(&self) -> &Ids {
        &self.pool.deps.ids
    }

    /// Whether browsers reach this server by TLS alone.
    fn has_tls(&self) -> bool {
        self.pool.settings.public_url.starts_with("https://")
    }

    /// The address of a path, as browsers have it.
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.pool.settings.public_url)
    }

    /// The provider of a name.
    fn upstream(&self, name: &str) -> Option<&Upstream> {
        self.upstreams.iter().find(|upstream| upstream.provider.name == name)
    }
}

/// Where each thing is asked for.
const PATHS: [&str; 15] = [
    paths::AUTHORIZE,
    paths::ID_RESPONSE,
    paths::TOKEN,
    paths::USER_INFO,
    paths::REVOKE,
    paths::LOGOUT,
    paths::SIGN_IN,
    paths::STEP,
    paths::FORGOT,
    paths::RESET,
    paths::BACK,
    paths::CANCEL,
    paths::LINK,
    paths::LINK_SEND,
    paths::LINK_CODE,
];

/// The paths, as the protocol has them; those of the page are ours.
mod paths {
    pub const AUTHORIZE: &str = "/oauth2/authorize";
    pub const ID_RESPONSE: &str = "/oauth2/idpresponse";
    pub const TOKEN: &str = "/oauth2/token";
    pub const USER_INFO: &str = "/oauth2/userInfo";
    pub const REVOKE: &str = "/oauth2/revoke";
    pub const LOGOUT: &str = "/logout";
    pub const SIGN_IN: &str = "/oauth2/page/sign-in";
    pub const STEP: &str = "/oauth2/page/step";
    pub const FORGOT: &str = "/oauth2/page/forgot";
    pub const RESET: &str = "/oauth2/page/reset";
    pub const BACK: &str = "/oauth2/page/back";
    pub const CANCEL: &str = "/oauth2/page/cancel";
    pub const LINK: &str = "/oauth2/page/link";
    pub const LINK_SEND: &str = "/oauth2/page/link/send";
    pub const LINK_CODE: &str = "/oauth2/page/link/code";
    pub const STYLE: &str = "/oauth2/page/style.css";
}

/// All that it answers.
///
/// # Errors
/// When a provider's address cannot be read.
pub fn router(pool: Arc<UserPool>, settings: Settings) -> anyhow::Result<Router> {
    let documents = discovery::router(&pool);
    let upstreams = settings.providers.into_iter().map(|provider| Upstream::new(provider, settings.local)).collect::<Result<_, _>>()?;
    let face = Arc::new(Face {
        upstreams,
        share: pool.deps.pool.share(),
        rate: Limiter::new(settings.rate),
        deadline: settings.deadline,
        tallies: Tallies::new(&PATHS),
        pool,
    });
    let style = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    let asked = Router::new()
        .route(paths::AUTHORIZE, get(authorize::get).post(authorize::post))
        .route(paths::ID_RESPONSE, get(upstream::id_response))
        .route(paths::TOKEN, post(token::token))
        .route(paths::REVOKE, post(token::revoke))
        .route(paths::USER_INFO, get(user_info::user_info).post(user_info::user_info))
        .route(paths::LOGOUT, get(logout::logout))
        .route(paths::SIGN_IN, post(sign_in::sign_in))
        .route(paths::STEP, post(steps::step))
        .route(paths::FORGOT, post(sign_in::forgot))
        .route(paths::RESET, post(sign_in::reset))
        .route(paths::BACK, post(sign_in::back))
        .route(paths::CANCEL, post(sign_in::cancel))
        .route(paths::LINK, post(link::by_password))
        .route(paths::LINK_SEND, post(link::send))
        .route(paths::LINK_CODE, post(link::by_code))
        .layer(middleware::from_fn_with_state(face.clone(), around::around))
        .with_state(face);
    Ok(asked.merge(documents).route(paths::STYLE, get(move || std::future::ready((style, STYLE)))))
}
