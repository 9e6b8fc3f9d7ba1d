//! What a sign-in on the page asks for after the password: a second factor, a choice of one, a password of one's own.

use super::{
    Face, authorize,
    browser::Browser,
    link,
    page::{self, SignIn, Step},
    reply,
    request::Asked,
    set_up::{self, SetUp},
    sign_in::{Filled, From, address, filled},
    texts::pages,
};
use crate::{
    error::{Error, Reason, Result},
    identity::{
        attributes::rules::Changes,
        challenge_responses, challenge_session,
        sign_in_flow::{self, Reply},
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
                authorize::back(face, browser, asked, &session).await
            } else {
                link::finish(face, browser, link, &session).await
            }
        }
        Reply::Waits(_) | Reply::Tokens(_) => Err(challenge_session::invalid()),
        Reply::Asked(sign_in_flow::Asked { challenge: ChallengeName::MfaSetup, session, .. }) => {
            let session = session.unwrap_or_default();
            set_up::begin(face, browser, asked, &SetUp { session: &session, username, link, wrong: "" }).await
        }
        Reply::Asked(sign_in_flow::Asked { challenge, parameters, session }) => {
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
    let of = challenge_responses::From {
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
    if challenge == ChallengeName::MfaSetup && failure.reason() != Reason::NotAuthorized {
        let again = set_up::again(&face, &filled, of, &failure).await;
        return again.unwrap_or_else(|failure| begin_anew(&face, browser, asked, of.username, &failure));
    }
    if failure.reason() == Reason::NotAuthorized {
        return begin_anew(&face, browser, asked, of.username, &failure);
    }
    let (link, sent_to) = (fields.field("link"), fields.field("sent_to"));
    let said = Step { challenge, session: of.session, username: of.username, link, sent_to, wrong: reply::words(&failure) };
    page::step(&face, browser, asked, reply::status(failure.reason()), &said)
}

/// The state of the sign-in is no good any more.
fn begin_anew(face: &Face, browser: &Browser, asked: &Asked, email: &str, failure: &Error) -> Response {
    let is_of_ticket = failure.message().starts_with(challenge_session::INVALID);
    let wrong = if is_of_ticket { pages::BEGIN_ANEW } else { reply::words(failure) };
    page::sign_in(face, browser, asked, reply::status(failure.reason()), &SignIn { email, wrong, ..Default::default() })
}

async fn answered(face: &Face, filled: &Filled, of: challenge_responses::From<'_>, challenge: ChallengeName) -> Result<Response> {
    let Filled { browser, asked, fields } = filled;
    let (pool, answer) = (&face.pool, fields.field("answer"));
    if answer.trim().is_empty() {
        let text = if challenge == ChallengeName::NewPasswordRequired { pages::FILL_ALL } else { pages::ENTER_CODE };
        return Err(Error::new(Reason::InvalidParameter, text));
    }
    let reply = match challenge {
        ChallengeName::MfaSetup => return set_up::answered(face, filled, of).await,
        ChallengeName::SoftwareTokenMfa => challenge_responses::code(pool, of, challenge_responses::Asked::Totp, answer).await?,
        ChallengeName::SmsMfa => challenge_responses::code(pool, of, challenge_responses::Asked::Sms, answer).await?,
        ChallengeName::SelectMfaType => challenge_responses::select(pool, of, answer).await?,
        ChallengeName::NewPasswordRequired => challenge_responses::new_password(pool, of, answer, &Changes::default()).await?,
        _ => return Err(challenge_session::invalid()),
    };
    proceed(face, browser, asked, (of.username, fields.field("link")), reply).await
}
