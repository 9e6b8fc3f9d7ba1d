//! `/oauth2/authorize`: an application sends a member here, who is shown the page or sent on to a provider.

use super::{
    Face,
    browser::Browser,
    code,
    form::Parameters,
    page::{self, SignIn},
    reply,
    request::{self, Asked, Verdict},
    upstream,
};
use crate::{
    db::Tx,
    error::Result,
    identity::{
        sign_ins,
        store::{
            self,
            sessions::{self, Session},
        },
    },
    transact,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use std::sync::Arc;

/// By GET.
pub async fn get(State(face): State<Arc<Face>>, request: Request) -> Response {
    answer(&face, request.headers(), &Parameters::of_query(&request)).await
}

/// By POST, with the same in a form.
pub async fn post(State(face): State<Arc<Face>>, headers: HeaderMap, body: Body) -> Response {
    match Parameters::of_form(&headers, body).await {
        Ok(given) => answer(&face, &headers, &given).await,
        Err(e) => reply::page_failure(&e),
    }
}

async fn answer(face: &Face, headers: &HeaderMap, given: &Parameters) -> Response {
    let clients = &face.pool.settings.clients;
    let known: Vec<_> = face.upstreams.iter().map(|u| (u.provider.name.as_str(), u.provider.issuer.as_str())).collect();
    match request::read(given, |id| clients.iter().find(|client| client.id == id), &known) {
        Verdict::Page(asked) => page::sign_in(face, &Browser::of_or_new(face, headers), &asked, StatusCode::OK, &SignIn::default()),
        Verdict::Provider(asked, provider) => upstream::send(face, &Browser::of_or_new(face, headers), asked, &provider).await,
        Verdict::Told(refused) => reply::told(face, &refused),
        Verdict::Shown(text) => page::failure(StatusCode::BAD_REQUEST, text),
    }
}

/// Where somebody goes who has signed in: back to the application, with a code for the session that waits for it.
pub async fn back(face: &Face, asked: &Asked, session: &Session) -> Result<Response> {
    let code = transact!(face.pool.deps.pool, |tx| code::give(face, tx, asked, session).await)?;
    Ok(with_code(face, asked, &code))
}

/// Begins a session in the caller's transaction, and gives a code for it.
pub async fn begin(face: &Face, tx: &mut Tx, asked: &Asked, session: &Session) -> Result<String> {
    sessions::insert(tx, session).await?;
    store::sign_ins::note(tx, session.member, session.id, &sign_ins::agent()).await?;
    code::give(face, tx, asked, session).await
}

/// Goes back to the application with a code.
pub fn with_code(face: &Face, asked: &Asked, code: &str) -> Response {
    let parameters = [("code", Some(code)), ("state", asked.state.as_deref()), ("iss", Some(face.pool.issuer()))];
    reply::go(&reply::address(&asked.redirect_uri, &parameters))
}
