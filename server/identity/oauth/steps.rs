//! What a sign-in on the page asks for after the password: a second factor, a choice of one, a password of one's own.

use super::{
    Face, authorize,
    browser::Browser,
    link,
    page::{self, SignIn, Step},
    reply,
    request::Asked,
    sign_in::{Filled, From, address, filled},
    texts::pages,
};
use crate::{
    error::{Reason, Result},
    identity::{
        answers,
        attributes::rules::Changes,
        entry::{self, Reply},
        tickets,
    },
    pb::identity::ChallengeName,
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use std::sync::Arc;

/// Goes on with what a step gave: back to the application, or to the page of the next one. `link` names one that waits for the end.
///
/// # Errors
/// NOT_AUTHORIZED for a state that is of another request.
pub async fn proceed(face: &Face, browser: &Browser, asked: &Asked, (username, link): (&str, &str), reply: Reply) -> Result<Response> {
    match reply {
        Reply::Waits(session) if session.scopes == Some(asked.scopes) && session.client_id == asked.client => {
            if link.is_empty() {
                authorize::back(face, asked, &session).await
            } else {
                link::finish(face, browser, link, &session).await
            }
        }
        Reply::Waits(_) | Reply::Tokens(_) => Err(tickets::invalid()),
        Reply::Asked(entry::Asked { challenge: ChallengeName::MfaSetup, .. }) => {
            let said = SignIn { email: username, wrong: pages::FACTOR_SET_UP, ..Default::default() };
            Ok(page::sign_in(face, browser, asked, StatusCode::FORBIDDEN, &said))
        }
        Reply::Asked(entry::Asked { challenge, parameters, session }) => {
            let sent_to = parameters.iter().find(|(name, _)| *name == "CODE_DELIVERY_DESTINATION").map_or("", |(_, value)| value);
            let session = session.unwrap_or_default();
            let said = Step { challenge, session: &session, username, link, sent_to, wrong: "" };
            Ok(page::step(face, browser, asked, StatusCode::OK, &said))
        }
    }
}

/// Somebody answers.
pub async fn step(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let filled = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let Filled { browser, asked, fields } = &filled;
    let Some(challenge) = ChallengeName::from_str_name(fields.field("step")) else {
        return page::failure(StatusCode::BAD_REQUEST, pages::TOO_LATE);
    };
    let of = answers::From {
        client: &asked.client,
        username: fields.field("username"),
        session: fields.field("session"),
        device: None,
        from: address(&from),
    };
    let failure = match answered(&face, &filled, of, challenge).await {
        Ok(response) => return response,
        Err(failure) => failure,
    };
    failure.log();
    let (status, wrong) = (reply::status(failure.reason()), reply::words(&failure));
    // A state that is no good any more: they begin anew.
    if failure.reason() == Reason::NotAuthorized {
        return page::sign_in(&face, browser, asked, status, &SignIn { email: of.username, wrong, ..Default::default() });
    }
    let (link, sent_to) = (fields.field("link"), fields.field("sent_to"));
    let said = Step { challenge, session: of.session, username: of.username, link, sent_to, wrong };
    page::step(&face, browser, asked, status, &said)
}

async fn answered(
    face: &Face,
    Filled { browser, asked, fields }: &Filled,
    of: answers::From<'_>,
    challenge: ChallengeName,
) -> Result<Response> {
    let (pool, answer) = (&face.pool, fields.field("answer"));
    let reply = match challenge {
        ChallengeName::SoftwareTokenMfa => answers::code(pool, of, answers::Asked::Totp, answer).await?,
        ChallengeName::SmsMfa => answers::code(pool, of, answers::Asked::Sms, answer).await?,
        ChallengeName::SelectMfaType => answers::select(pool, of, answer).await?,
        ChallengeName::NewPasswordRequired => answers::new_password(pool, of, answer, &Changes::default()).await?,
        _ => return Err(tickets::invalid()),
    };
    proceed(face, browser, asked, (of.username, fields.field("link")), reply).await
}
