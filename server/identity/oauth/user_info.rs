//! `/oauth2/userInfo`: who somebody is, as far as the application may know.

use super::{Face, reply, texts::errors};
use crate::{
    error::Result,
    identity::{
        self, Member,
        scopes::Scopes,
        tokens::{Claims, EmailClaims, PhoneClaims, ProfileClaims},
        user_pool::Flaw,
    },
    pictures::Pictures,
    read,
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct UserInfo<'a> {
    sub: String,
    username: String,
    #[serde(flatten)]
    email: Option<EmailClaims<'a>>,
    #[serde(flatten)]
    profile: Option<ProfileClaims<'a>>,
    #[serde(flatten)]
    phone: Option<PhoneClaims<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    identities: &'a [identity::Identity],
}

/// Tells who the access token is of.
pub async fn user_info(State(face): State<Arc<Face>>, request: Request) -> Response {
    let Some(token) = bearer(request.headers()) else { return refusal(StatusCode::UNAUTHORIZED, None) };
    let claims = match face.pool.claims(token, Scopes::OPENID).await {
        Ok(claims) => claims,
        Err(Flaw::Invalid | Flaw::Ended) => return refusal(StatusCode::UNAUTHORIZED, Some(errors::INVALID_TOKEN)),
        Err(Flaw::Scope) => return refusal(StatusCode::FORBIDDEN, Some(errors::INSUFFICIENT_SCOPE)),
        Err(Flaw::Unknown(e)) => return reply::json_failure(&e),
    };
    match member(&face, &claims).await {
        Ok(Some(member)) => told(&claims, &member, &face.pool.deps.pictures),
        Ok(None) => refusal(StatusCode::UNAUTHORIZED, Some(errors::INVALID_TOKEN)),
        Err(e) => reply::json_failure(&e),
    }
}

async fn member(face: &Face, claims: &Claims) -> Result<Option<Member>> {
    read!(face.pool.deps.pool, |conn| identity::store::member(conn, claims.member).await)
}

fn told(claims: &Claims, member: &Member, pictures: &Pictures) -> Response {
    let told = UserInfo {
        sub: member.id.to_string(),
        username: member.username(),
        email: claims.scopes.has(Scopes::EMAIL).then(|| EmailClaims::of(member)),
        profile: claims.scopes.has(Scopes::PROFILE).then(|| ProfileClaims::of(member, pictures)),
        phone: claims.scopes.has(Scopes::PHONE).then(|| PhoneClaims::of(member)),
        identities: if claims.scopes.has(Scopes::PROFILE) { &member.identities } else { &[] },
    };
    reply::json_answer(StatusCode::OK, told)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// As RFC 6750, 3 has it: who brings no token is told of no error.
fn refusal(status: StatusCode, error: Option<&'static str>) -> Response {
    let asks = match error {
        None => HeaderValue::from_static("Bearer realm=\"goodturn\""),
        Some(error) => {
            let text = format!("Bearer realm=\"goodturn\", error=\"{error}\"");
            HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("Bearer"))
        }
    };
    let description = match status {
        StatusCode::FORBIDDEN => "the access token does not have the openid scope",
        _ => "a valid access token is required",
    };
    let body = reply::json_refusal(status, error.unwrap_or(errors::INVALID_TOKEN), description);
    ([(header::WWW_AUTHENTICATE, asks)], body).into_response()
}
