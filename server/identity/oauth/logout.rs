//! `/logout`: the browser is signed in no more, and goes where the application wants it. No session of an application ends by it: who makes
//! somebody follow a link signs nobody out. Applications end theirs by `/oauth2/revoke`.

use super::{Face, browser::no_cookie, form::Parameters, page, paths, reply, signed_in, texts::pages};
use axum::{
    extract::{Request, State},
    http::{StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use std::sync::Arc;

/// Goes to one of the application's addresses, or to another sign-in.
pub async fn logout(State(face): State<Arc<Face>>, request: Request) -> Response {
    let given = Parameters::of_query(&request);
    let Some(client) = given.get("client_id").and_then(|id| face.pool.client(id).ok()) else {
        return page::sign_out_failure(StatusCode::BAD_REQUEST, pages::NO_CLIENT);
    };
    let target = match given.get("logout_uri").or(given.get("post_logout_redirect_uri")) {
        Some(uri) if client.sign_outs.iter().any(|known| known == uri) => reply::address(uri, &[("state", given.get("state"))]),
        Some(_) => return page::sign_out_failure(StatusCode::BAD_REQUEST, pages::NO_SIGN_OUT),
        None if given.get("redirect_uri").is_some() => {
            // Looked at there, as any other.
            format!("{}?{}", face.url(paths::AUTHORIZE), request.uri().query().unwrap_or_default())
        }
        None => return page::sign_out_failure(StatusCode::BAD_REQUEST, pages::NO_SIGN_OUT),
    };
    if let Err(e) = signed_in::end(&face, request.headers()).await {
        e.log();
        let shown = page::sign_out_failure(reply::status(e.reason()), reply::words(&e));
        return (reply::retry_after(e.wait()), shown).into_response();
    }
    let forgets = AppendHeaders([(header::SET_COOKIE, no_cookie(&face)), (header::SET_COOKIE, signed_in::no_cookie(&face))]);
    (forgets, reply::go(&target)).into_response()
}
