//! What applications read to find their way: the documents of OpenID Connect Discovery and RFC 8414, at each place where they are looked for.

use super::paths;
use crate::identity::{scopes, user_pool::UserPool};
use axum::{Json, Router, http::header, routing::get};
use serde_json::{Value, json};

/// The documents.
pub fn router(pool: &UserPool) -> Router {
    let (told, pool_id) = (document(pool), &pool.settings.pool_id);
    let places = [
        format!("/{pool_id}/.well-known/openid-configuration"),
        "/.well-known/openid-configuration".to_owned(),
        "/.well-known/oauth-authorization-server".to_owned(),
        format!("/.well-known/oauth-authorization-server/{pool_id}"),
    ];
    places.into_iter().fold(Router::new(), |router, place| {
        let told = told.clone();
        let kept = [(header::CACHE_CONTROL, "public, max-age=300")];
        router.route(&place, get(move || std::future::ready((kept, Json(told.clone())))))
    })
}

fn document(pool: &UserPool) -> Value {
    let (issuer, url) = (pool.issuer(), |path: &str| format!("{}{path}", pool.settings.public_url));
    json!({
        "issuer": issuer,
        "authorization_endpoint": url(paths::AUTHORIZE),
        "token_endpoint": url(paths::TOKEN),
        "userinfo_endpoint": url(paths::USER_INFO),
        "revocation_endpoint": url(paths::REVOKE),
        "end_session_endpoint": url(paths::LOGOUT),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": scopes::NAMES,
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "code_challenge_methods_supported": ["S256"],
        "prompt_values_supported": ["none", "login", "consent", "select_account"],
        "authorization_response_iss_parameter_supported": true,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "claims_supported": [
            "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "cognito:username", "identities", "email", "email_verified",
            "phone_number", "phone_number_verified", "name", "given_name", "family_name", "picture", "zoneinfo",
        ],
    })
}
