//! What is answered: addresses to go to, JSON for applications, refusals.

use super::{
    Face, page,
    request::Refused,
    texts::{errors, pages},
};
use crate::{
    error::{Error, Reason},
    identity::factors,
};
use axum::{
    Json,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use form_urlencoded::Serializer;
use serde::Serialize;
use serde_json::json;
use std::time::Duration;

/// Sends a browser to an address, which it asks by GET.
pub fn go(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
        Err(e) => page_failure(&Error::internal(e)),
    }
}

/// An address with parameters after those that it has.
pub fn address(base: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let given = parameters.iter().filter_map(|(name, value)| Some((*name, (*value)?)));
    let query = Serializer::new(String::new()).extend_pairs(given).finish();
    let between = match base.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some(_) => "&",
    };
    if query.is_empty() { base.to_owned() } else { format!("{base}{between}{query}") }
}

/// Tells an application at its address what is wrong.
pub fn told(face: &Face, refused: &Refused) -> Response {
    let Refused { redirect_uri, state, error, description } = refused;
    go(&address(
        redirect_uri,
        &[("error", Some(error)), ("error_description", Some(description)), ("state", state.as_deref()), ("iss", Some(face.pool.issuer()))],
    ))
}

/// JSON that nobody keeps.
pub fn json_answer(status: StatusCode, body: impl Serialize) -> Response {
    let kept = [(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache")];
    (status, kept, Json(body)).into_response()
}

/// A refusal as applications read it (RFC 6749, 5.2).
pub fn json_refusal(status: StatusCode, error: &str, description: &str) -> Response {
    json_answer(status, json!({"error": error, "error_description": description}))
}

/// A failure as applications read it. What lies behind a fault of ours is logged.
pub fn json_failure(failure: &Error) -> Response {
    failure.log();
    let status = status(failure.reason());
    let error = match status {
        StatusCode::BAD_REQUEST => errors::INVALID_REQUEST,
        StatusCode::INTERNAL_SERVER_ERROR => errors::SERVER_ERROR,
        _ => errors::TEMPORARILY_UNAVAILABLE,
    };
    (retry_after(failure.wait()), json_refusal(status, error, failure.message())).into_response()
}

/// A failure as members read it, where there is no form to go on with.
pub fn page_failure(failure: &Error) -> Response {
    failure.log();
    (retry_after(failure.wait()), page::failure(status(failure.reason()), words(failure))).into_response()
}

/// The text of a failure for members: plain words in place of the protocol's. Texts for programs begin with a lowercase letter and are
/// replaced.
pub fn words(failure: &Error) -> &str {
    let said = failure.message();
    match failure.reason() {
        Reason::Internal | Reason::Unspecified => pages::UNEXPECTED,
        Reason::AttemptsExceeded | Reason::PasswordAttemptsExceeded | Reason::RateLimited => pages::TOO_MANY,
        Reason::CodeMismatch | Reason::EnableSoftwareTokenMfa => pages::WRONG_CODE,
        Reason::ExpiredCode if said == factors::USED => pages::USED_CODE,
        Reason::ExpiredCode => pages::EXPIRED_CODE,
        Reason::UserNotConfirmed => pages::UNCONFIRMED,
        Reason::InvalidPassword => pages::password_fault(said),
        _ if said.starts_with(char::is_lowercase) => pages::TRY_AGAIN,
        _ => said,
    }
}

/// The status of a failure.
pub fn status(reason: Reason) -> StatusCode {
    match reason {
        Reason::RateLimited | Reason::AttemptsExceeded | Reason::PasswordAttemptsExceeded | Reason::LimitReached => {
            StatusCode::TOO_MANY_REQUESTS
        }
        Reason::Unavailable | Reason::Overloaded | Reason::DeadlineExceeded | Reason::Conflict => StatusCode::SERVICE_UNAVAILABLE,
        Reason::Internal | Reason::Unspecified => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// When to come again, if that is known.
pub fn retry_after(wait: Option<Duration>) -> HeaderMap {
    let header: Option<(HeaderName, HeaderValue)> =
        wait.map(|wait| (header::RETRY_AFTER, HeaderValue::from(wait.as_secs().saturating_add(1))));
    header.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_after_those_that_an_address_has() {
        let all = [("code", Some("a b&c")), ("state", None)];
        assert_eq!(address("https://a.example/back", &all), "https://a.example/back?code=a+b%26c");
        assert_eq!(address("https://a.example/back?x=1", &all), "https://a.example/back?x=1&code=a+b%26c");
        assert_eq!(address("org.example.app://back?", &all), "org.example.app://back?code=a+b%26c");
        assert_eq!(address("https://a.example/", &[("state", None)]), "https://a.example/");
    }

    #[test]
    fn members_read_no_words_of_the_protocol_or_for_programs() {
        for (reason, said, read) in [
            (Reason::AttemptsExceeded, "Attempt limit exceeded, please try after some time.", pages::TOO_MANY),
            (Reason::PasswordAttemptsExceeded, "Password attempts exceeded", pages::TOO_MANY),
            (Reason::RateLimited, "too many requests; try again later", pages::TOO_MANY),
            (Reason::CodeMismatch, "Invalid verification code provided, please try again.", pages::WRONG_CODE),
            (Reason::ExpiredCode, "Invalid code provided, please request a code again.", pages::EXPIRED_CODE),
            (Reason::ExpiredCode, factors::USED, pages::USED_CODE),
            (Reason::Conflict, "changed at the same time; try again", pages::TRY_AGAIN),
            (Reason::NotAuthorized, "Incorrect username or password.", "Incorrect username or password."),
        ] {
            assert_eq!(words(&Error::new(reason, said)), read, "{said}");
        }
    }
}
