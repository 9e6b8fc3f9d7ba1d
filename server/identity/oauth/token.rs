//! `/oauth2/token` and `/oauth2/revoke`: what applications ask for by themselves.

use super::{
    Face,
    code::{self, Redeemed, Redeeming},
    form::Parameters,
    reply,
    texts::errors,
};
use crate::{
    error::Reason,
    identity::{
        Client, Member,
        refresh::{self, Proof, Renewed, Shown},
        scopes::Scopes,
        store::sessions::Session,
        tokens,
    },
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use serde_json::json;
use std::sync::Arc;

/// Tokens for a code or a refresh token.
pub async fn token(State(face): State<Arc<Face>>, headers: HeaderMap, body: Body) -> Response {
    granted(&face, &headers, body).await.unwrap_or_else(|refusal| refusal)
}

/// Ends the session of a refresh token; one that is unknown is let be (RFC 7009, 2.2).
pub async fn revoke(State(face): State<Arc<Face>>, headers: HeaderMap, body: Body) -> Response {
    revoked(&face, &headers, body).await.unwrap_or_else(|refusal| refusal)
}

async fn granted(face: &Face, headers: &HeaderMap, body: Body) -> Result<Response, Response> {
    let given = Parameters::of_form(headers, body).await.map_err(|e| reply::json_failure(&e))?;
    let (client, secret) = authenticate(face, headers, &given)?;
    match given.get("grant_type") {
        Some("authorization_code") => by_code(face, &given, client).await,
        Some("refresh_token") => by_refresh(face, &given, client, &secret).await,
        Some(_) => Err(bad(errors::UNSUPPORTED_GRANT_TYPE, "grant_type must be authorization_code or refresh_token")),
        None => Err(bad(errors::INVALID_REQUEST, "grant_type is missing")),
    }
}

async fn by_code(face: &Face, given: &Parameters, client: &Client) -> Result<Response, Response> {
    let (Some(code), Some(redirect_uri)) = (given.get("code"), given.get("redirect_uri")) else {
        return Err(bad(errors::INVALID_REQUEST, "code and redirect_uri are required"));
    };
    let redeeming = Redeeming { code, redirect_uri, verifier: given.get("code_verifier") };
    let redeemed = code::redeem(face, client, &redeeming).await.map_err(|e| reply::json_failure(&e))?;
    let Redeemed { member, session, nonce } = redeemed.ok_or_else(|| bad(errors::INVALID_GRANT, "the code is invalid or has expired"))?;
    let refresh = refresh::token(&face.pool.settings.keys, &session, session.refresh_generation);
    let asked = tokens::Asked { nonce, ..Default::default() };
    tell(face, member, session, (Some(refresh), asked)).await
}

async fn by_refresh(face: &Face, given: &Parameters, client: &Client, secret: &str) -> Result<Response, Response> {
    let token = given.get("refresh_token").ok_or_else(|| bad(errors::INVALID_REQUEST, "refresh_token is missing"))?;
    client.refreshes().map_err(|_| bad(errors::UNAUTHORIZED_CLIENT, "the client may not refresh tokens"))?;
    let not_granted = || bad(errors::INVALID_SCOPE, "scope contains a value that was not granted");
    let scopes = match given.get("scope") {
        Some(text) => Some(Scopes::read(text).filter(|asked| !asked.is_empty()).ok_or_else(not_granted)?),
        None => None,
    };
    let shown = Shown { proof: Proof::Secret(secret), device: None, scopes };
    let renewed = refresh::renew(&face.pool, &client.id, token, shown, true).await;
    let Renewed { member, session, next } = renewed.map_err(|e| match e.reason() {
        Reason::NotAuthorized | Reason::RefreshTokenReused => bad(errors::INVALID_GRANT, "the refresh token is invalid or has expired"),
        Reason::InvalidParameter => not_granted(),
        _ => reply::json_failure(&e),
    })?;
    // Fewer may be asked for, and what a first party never has to ask for stays.
    let scopes = scopes.map(|asked| asked.and(client.grants().within(session.granted())));
    tell(face, member, session, (next, tokens::Asked { scopes, ..Default::default() })).await
}

async fn tell(
    face: &Face,
    member: Member,
    session: Session,
    (refresh, asked): (Option<String>, tokens::Asked),
) -> Result<Response, Response> {
    let scope = asked.scopes.unwrap_or(session.granted()).spell();
    let told = face.pool.answer_asked(member, session, refresh, asked).await.map_err(|e| reply::json_failure(&e))?;
    let mut body = json!({
        "access_token": told.access_token, "token_type": told.token_type, "expires_in": told.expires_in_s, "scope": scope,
    });
    let others = [("id_token", Some(told.id_token).filter(|token| !token.is_empty())), ("refresh_token", told.refresh_token)];
    if let Some(members) = body.as_object_mut() {
        members.extend(others.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))));
    }
    Ok(reply::json_answer(StatusCode::OK, body))
}

async fn revoked(face: &Face, headers: &HeaderMap, body: Body) -> Result<Response, Response> {
    let given = Parameters::of_form(headers, body).await.map_err(|e| reply::json_failure(&e))?;
    let (client, _) = authenticate(face, headers, &given)?;
    let token = given.get("token").ok_or_else(|| bad(errors::INVALID_REQUEST, "token is missing"))?;
    match refresh::revoke(&face.pool, &client.id, token).await {
        Ok(()) => Ok(StatusCode::OK.into_response()),
        Err(e) if e.reason() == Reason::UnsupportedTokenType => {
            Err(bad(errors::UNSUPPORTED_TOKEN_TYPE, "only refresh tokens can be revoked; access tokens end with theirs"))
        }
        Err(e) => Err(reply::json_failure(&e)),
    }
}

/// The application, by its secret where it has one, and how that came: in the header or in the form, and not in both.
#[expect(clippy::result_large_err, reason = "the refusal is the answer")]
fn authenticate<'a>(face: &'a Face, headers: &HeaderMap, given: &Parameters) -> Result<(&'a Client, String), Response> {
    if let Some(name) = given.repeated() {
        return Err(bad(errors::INVALID_REQUEST, &format!("a parameter is given twice: {}", name.chars().take(40).collect::<String>())));
    }
    let by_header = headers.contains_key(header::AUTHORIZATION);
    let refused = || not_the_client(by_header);
    let ways = if by_header {
        let ways = basic(headers).ok_or_else(refused)?;
        let other = |named: &str| ways.iter().all(|(id, _)| id != named);
        if given.get("client_secret").is_some() || given.get("client_id").is_some_and(other) {
            return Err(bad(errors::INVALID_REQUEST, "the client is given twice"));
        }
        ways.to_vec()
    } else {
        vec![(given.get("client_id").ok_or_else(refused)?.to_owned(), given.field("client_secret").to_owned())]
    };
    let proved = ways.into_iter().find_map(|(id, secret)| {
        let client = face.pool.client(&id).ok()?;
        client.proves_by_secret(&secret).ok().map(|()| (client, secret))
    });
    proved.ok_or_else(refused)
}

/// Id and secret: each in the form of forms, as RFC 6749, 2.3.1 wants it, and as they stand there, as many send them.
fn basic(headers: &HeaderMap) -> Option<[(String, String); 2]> {
    let (scheme, text) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let text = String::from_utf8(STANDARD.decode(text.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':').filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let plain = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    Some([(plain(id), plain(secret)), (id.to_owned(), secret.to_owned())])
}

fn not_the_client(by_header: bool) -> Response {
    let refusal = reply::json_refusal(StatusCode::UNAUTHORIZED, errors::INVALID_CLIENT, "the client is unknown or was not authenticated");
    if by_header { ([(header::WWW_AUTHENTICATE, "Basic realm=\"goodturn\"")], refusal).into_response() } else { refusal }
}

fn bad(error: &str, description: &str) -> Response {
    reply::json_refusal(StatusCode::BAD_REQUEST, error, description)
}
