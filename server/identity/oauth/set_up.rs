//! Setting an authenticator up on the page: an application wants a second factor of a member who has none.

use super::{
    Face,
    browser::Browser,
    html::{button, code_field, head, hidden, shown, wrong},
    paths, reply,
    request::Asked,
    sign_in::Filled,
    steps,
    texts::pages,
};
use crate::{
    error::{Error, Result},
    identity::{challenge_responses, factors},
    pb::identity::ChallengeName,
};
use axum::{http::StatusCode, response::Response};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qrcode::{Color, EcLevel, QrCode};

/// Light around a picture, without which authenticators do not find it; in squares of it.
const MARGIN: usize = 4;

/// What the form shows and hands back.
pub struct SetUp<'a> {
    /// The state of the sign-in.
    pub session: &'a str,
    /// Who signs in.
    pub username: &'a str,
    /// The link that waits for it; empty when none does.
    pub link: &'a str,
    /// What went wrong.
    pub wrong: &'a str,
}

/// Makes the secret of an authenticator, and asks for its first code.
///
/// # Errors
/// NOT_AUTHORIZED when they may not.
pub async fn begin(face: &Face, browser: &Browser, asked: &Asked, said: &SetUp<'_>) -> Result<Response> {
    let (secret, session) = factors::make_by_ticket(&face.pool, said.session).await?;
    Ok(page(face, browser, asked, StatusCode::OK, &SetUp { session: &session, ..*said }, &secret))
}

/// Somebody types the first code, and goes on.
///
/// # Errors
/// As `factors::verify`.
pub async fn answered(face: &Face, Filled { browser, asked, fields }: &Filled, of: challenge_responses::From<'_>) -> Result<Response> {
    let session = factors::verify_by_ticket(&face.pool, of.session, fields.field("answer"), "").await?;
    let reply = challenge_responses::is_set_up(&face.pool, challenge_responses::From { session: &session, ..of }).await?;
    steps::proceed(face, browser, asked, (of.username, fields.field("link")), reply).await
}

/// The same secret once more, with what went wrong.
///
/// # Errors
/// NOT_AUTHORIZED when they may not any more.
pub async fn again(
    face: &Face,
    Filled { browser, asked, fields }: &Filled,
    of: challenge_responses::From<'_>,
    failure: &Error,
) -> Result<Response> {
    let said = SetUp { session: of.session, username: of.username, link: fields.field("link"), wrong: reply::words(failure) };
    match factors::waiting_by_ticket(&face.pool, of.session).await? {
        Some(secret) => Ok(page(face, browser, asked, reply::status(failure.reason()), &said, &secret)),
        None => begin(face, browser, asked, &said).await,
    }
}

fn page(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, said: &SetUp<'_>, secret: &str) -> Response {
    let (request, address) = (browser.carry(face, asked), address(secret, said.username));
    let body = html! {
        (head(pages::SET_UP_TITLE, html! { (pages::SET_UP_SUB) }))
        (wrong(said.wrong))
        @if let Some(picture) = picture(&address) {
            p { b { (pages::SCAN) } }
            (picture)
        }
        p.touch { a href=(address) { (pages::OPEN_AUTHENTICATOR) } }
        div {
            p.hint { (pages::OR_TYPE) }
            code.secret { (grouped(secret)) }
        }
        form.stack method="post" action=(paths::STEP) novalidate {
            (hidden("request", &request))
            (hidden("step", ChallengeName::MfaSetup.as_str_name()))
            (hidden("session", said.session))
            (hidden("username", said.username))
            (hidden("link", said.link))
            (code_field("answer", false))
            button.main type="submit" { (pages::SET_UP) }
        }
        (button(paths::BACK, None, &request, said.username, Some(pages::BACK)))
    };
    shown(face, browser, asked, status, pages::SET_UP_TITLE, &body)
}

/// What an authenticator reads: RFC 6238 with its usual values, and whose it is.
fn address(secret: &str, account: &str) -> String {
    let account = format!("{}:{account}", pages::BRAND);
    format!("otpauth://totp/{}?secret={secret}&issuer={}", utf8_percent_encode(&account, NON_ALPHANUMERIC), pages::BRAND)
}

/// In groups of four, as it is read and typed.
fn grouped(secret: &str) -> String {
    let letter = |(n, letter): (usize, char)| [(n > 0 && n % 4 == 0).then_some(' '), Some(letter)];
    secret.chars().enumerate().flat_map(letter).flatten().collect()
}

/// A text as a picture: one square for each dark place. `None` when it is too long for one.
fn picture(text: &str) -> Option<Markup> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let (width, colors) = (code.width(), code.to_colors());
    let dark = (0..).zip(colors).filter(|(_, color)| *color == Color::Dark).map(|(n, _): (usize, _)| (n % width, n / width));
    let path: String = dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + MARGIN, y + MARGIN)).collect();
    let all = width + 2 * MARGIN;
    Some(html! {
        svg.qr role="img" aria-label=(pages::PICTURE) viewBox=(format!("0 0 {all} {all}")) shape-rendering="crispEdges" {
            path d=(path) {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn an_authenticator_is_told_the_secret_and_whose_it_is() {
        let told = address(SECRET, "a&b=\"@x.org");
        assert_eq!(told, format!("otpauth://totp/Goodturn%3Aa%26b%3D%22%40x%2Eorg?secret={SECRET}&issuer=Goodturn"));
        assert_eq!(grouped(SECRET), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
    }

    #[test]
    fn the_picture_is_a_square_with_three_corners_and_light_around_it() {
        let drawn = picture(&address(SECRET, "ana@example.org")).unwrap().into_string();
        // The outer corner of each of the three marks, seven squares wide.
        let (_, size) = drawn.split_once("viewBox=\"0 0 ").unwrap();
        let size: usize = size.split(' ').next().unwrap().parse().unwrap();
        for (x, y) in [(4, 4), (size - 11, 4), (4, size - 11)] {
            assert!((0..7).all(|n| drawn.contains(&format!("M{} {y}h1", x + n))), "{x} {y}");
        }
        assert!(!drawn.contains("M3 ") && !drawn.contains(&format!("M{} ", size - 4)));
        assert!(picture(&"a".repeat(4000)).is_none());
    }
}
