//! The forms of the page: signing in by password, and setting one that is forgotten. The rules and tallies are those of the user pool's
//! operations.

use super::{
    Face,
    browser::Browser,
    form::Parameters,
    page::{self, Reset, SignIn},
    reply,
    request::Asked,
    steps,
    texts::{errors, pages},
};
use crate::{
    edge::limits::ClientAddress,
    error::{Error, Reason, Result},
    identity::{passwords, rules, sign_in},
};
use axum::{
    body::Body,
    extract::{Extension, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use std::{net::IpAddr, sync::Arc};

/// Where a form comes from; nothing when the call came from no network.
pub type From = Option<Extension<ClientAddress>>;

/// The address of it.
pub fn address(from: &From) -> Option<IpAddr> {
    from.as_ref().map(|Extension(address)| address.0)
}

/// A form of the page that came back.
pub struct Filled {
    /// Where.
    pub browser: Browser,
    /// What the application asked for.
    pub asked: Asked,
    /// What was typed.
    pub fields: Parameters,
}

/// Reads a form that this browser was given.
pub async fn filled(face: &Face, headers: &HeaderMap, body: Body) -> Result<Filled, Response> {
    let fields = Parameters::of_form(headers, body).await.map_err(|e| reply::page_failure(&e))?;
    let browser = Browser::of(face, headers);
    let found = browser.and_then(|browser| Some((browser.carried(face, fields.field("request"))?, browser)));
    let (asked, browser) = found.ok_or_else(|| page::failure(StatusCode::BAD_REQUEST, pages::TOO_LATE))?;
    Ok(Filled { browser, asked, fields })
}

/// Signs in by password.
pub async fn sign_in(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let Filled { browser, asked, fields } = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let (email, password) = (fields.field("username").trim(), fields.field("password"));
    let again = |status, text: &str| page::sign_in(&face, &browser, &asked, status, &SignIn { email, wrong: text, ..Default::default() });
    if email.is_empty() || password.is_empty() {
        return again(StatusCode::BAD_REQUEST, pages::ENTER_BOTH);
    }
    match enter(&face, &browser, &asked, (email, password), address(&from)).await {
        Ok(response) => response,
        Err(failure) => {
            failure.log();
            again(reply::status(failure.reason()), reply::words(&failure))
        }
    }
}

async fn enter(face: &Face, browser: &Browser, asked: &Asked, password: (&str, &str), from: Option<IpAddr>) -> Result<Response> {
    let reply = sign_in::in_page(&face.pool, &asked.client, asked.scopes, password, from).await?;
    steps::proceed(face, browser, asked, (password.0, ""), reply).await
}

/// Shows where a code is asked for, and asks for it when somebody says whose.
pub async fn forgot(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let Filled { browser, asked, fields } = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let email = fields.field("username").trim();
    if fields.get("send").is_none() {
        return page::forgot(&face, &browser, &asked, StatusCode::OK, (email, ""));
    }
    if !rules::is_email(email) {
        return page::forgot(&face, &browser, &asked, StatusCode::BAD_REQUEST, (email, pages::ENTER_EMAIL));
    }
    match passwords::forgot(&face.pool, email, address(&from)).await {
        Ok(_) => page::reset(&face, &browser, &asked, StatusCode::OK, &Reset { email, wrong: "" }),
        Err(failure) => {
            failure.log();
            page::forgot(&face, &browser, &asked, reply::status(failure.reason()), (email, reply::words(&failure)))
        }
    }
}

/// Sets a new password by the code; then somebody signs in with it.
pub async fn reset(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let Filled { browser, asked, fields } = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let email = fields.field("username").trim();
    match set_password(&face, &fields, email, address(&from)).await {
        Ok(()) => {
            let done = SignIn { email, done: pages::PASSWORD_SET, ..Default::default() };
            page::sign_in(&face, &browser, &asked, StatusCode::OK, &done)
        }
        Err(failure) => {
            failure.log();
            let status = reply::status(failure.reason());
            page::reset(&face, &browser, &asked, status, &Reset { email, wrong: reply::words(&failure) })
        }
    }
}

async fn set_password(face: &Face, fields: &Parameters, email: &str, from: Option<IpAddr>) -> Result<()> {
    let (code, password) = (fields.field("code").trim(), fields.field("password"));
    if code.is_empty() || password.is_empty() {
        return Err(Error::new(Reason::InvalidParameter, pages::FILL_ALL));
    }
    passwords::reset(&face.pool, email, code, password, from).await
}

/// Back to where somebody signs in.
pub async fn back(State(face): State<Arc<Face>>, headers: HeaderMap, body: Body) -> Response {
    match filled(&face, &headers, body).await {
        Ok(Filled { browser, asked, fields }) => {
            let email = fields.field("username");
            page::sign_in(&face, &browser, &asked, StatusCode::OK, &SignIn { email, ..Default::default() })
        }
        Err(response) => response,
    }
}

/// Back to the application, without having signed in.
pub async fn cancel(State(face): State<Arc<Face>>, headers: HeaderMap, body: Body) -> Response {
    match filled(&face, &headers, body).await {
        Ok(Filled { asked, .. }) => reply::told(&face, &asked.refused(errors::ACCESS_DENIED, "the member cancelled")),
        Err(response) => response,
    }
}
