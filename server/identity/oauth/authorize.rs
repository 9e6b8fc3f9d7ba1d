//! `/oauth2/authorize`: an application sends a member here, who is shown the page or sent on to a provider.

use super::{
    Face,
    browser::Browser,
    code,
    form::Parameters,
    page::{self, SignIn},
    reply,
    request::{self, Asked, Verdict},
    signed_in,
    texts::errors,
    upstream,
};
use crate::{
    db::Tx,
    error::Result,
    identity::{
        active_sessions,
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
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
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
        Verdict::Page(asked) => page_or_back(face, headers, &asked).await,
        Verdict::Provider(asked, provider) => upstream::send(face, &Browser::of_or_new(face, headers), asked, &provider).await,
        Verdict::Told(refused) => reply::told(face, &refused),
        Verdict::Shown(text) => page::failure(StatusCode::BAD_REQUEST, text),
    }
}

/// Back at once where the browser is signed in, and that is enough; the page, unless none may be shown.
async fn page_or_back(face: &Face, headers: &HeaderMap, asked: &Asked) -> Response {
    match signed_in::pass(face, headers, asked).await {
        Ok(Some(response)) => response,
        Ok(None) if asked.how.silent => reply::told(face, &asked.refused(errors::LOGIN_REQUIRED, "the member must sign in")),
        Ok(None) => page::sign_in(face, &Browser::of_or_new(face, headers), asked, StatusCode::OK, &SignIn::default()),
        Err(e) => reply::page_failure(&e),
    }
}

/// Where somebody goes who has signed in: back to the application, with a code for the session that waits for it.
pub async fn back(face: &Face, browser: &Browser, asked: &Asked, session: &Session) -> Result<Response> {
    let granted = transact!(face.pool.deps.pool, |tx| grant(face, tx, (browser, asked), session, None).await)?;
    Ok(granted.back(face, asked))
}

/// What somebody gets who has signed in.
pub struct Granted {
    code: String,
    cookie: HeaderValue,
}

impl Granted {
    /// Goes back to the application with the code; the browser is signed in from now on.
    pub fn back(self, face: &Face, asked: &Asked) -> Response {
        ([(header::SET_COOKIE, self.cookie)], with_code(face, asked, &self.code)).into_response()
    }
}

/// Gives a code for a session that was begun, and signs the browser in. `provider` is whom they came by.
pub async fn grant(
    face: &Face,
    tx: &mut Tx,
    (browser, asked): (&Browser, &Asked),
    session: &Session,
    provider: Option<&str>,
) -> Result<Granted> {
    let code = code::give(face, tx, asked, session).await?;
    Ok(Granted { code, cookie: signed_in::begin(face, tx, browser, session, provider).await? })
}

/// The same for a session that begins with it, in the caller's transaction.
pub async fn begin(face: &Face, tx: &mut Tx, of: (&Browser, &Asked), session: &Session, provider: &str) -> Result<Granted> {
    insert(tx, session).await?;
    grant(face, tx, of, session, Some(provider)).await
}

/// Begins a session.
pub async fn insert(tx: &mut Tx, session: &Session) -> Result<()> {
    sessions::insert(tx, session).await?;
    store::sign_ins::note(tx, session.member, session.id, &active_sessions::agent()).await
}

/// Goes back to the application with a code.
pub fn with_code(face: &Face, asked: &Asked, code: &str) -> Response {
    let parameters = [("code", Some(code)), ("state", asked.state.as_deref()), ("iss", Some(face.pool.issuer()))];
    reply::go(&reply::address(&asked.redirect_uri, &parameters))
}
