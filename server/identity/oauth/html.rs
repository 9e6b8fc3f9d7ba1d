//! What the pages are made of: HTML without a script, and escaped by its construction; the look is in page.css, after the app's.

use super::{Face, browser::Browser, paths, request::Asked, texts::pages};
use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const LOGO: &str = include_str!("logo.svg");
const STREET: &str = include_str!("street.svg");

/// The page of a sign-in that failed and cannot be continued.
pub fn failure(status: StatusCode, text: &str) -> Response {
    failed(status, pages::FAILED_TITLE, text)
}

/// The page of a sign-out that failed.
pub fn sign_out_failure(status: StatusCode, text: &str) -> Response {
    failed(status, pages::SIGN_OUT_FAILED_TITLE, text)
}

fn failed(status: StatusCode, title: &str, text: &str) -> Response {
    let body = html! {
        (head(title, html! { (text) }))
        p.hint { (pages::FAILED_HINT) }
    };
    (status, policy(""), Html(document(title, &body).into_string())).into_response()
}

/// A page for a request.
pub fn shown(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, title: &str, body: &Markup) -> Response {
    let cookie = [(header::SET_COOKIE, browser.cookie(face))];
    (status, cookie, policy(&asked.redirect_uri), Html(document(title, body).into_string())).into_response()
}

/// Browsers count where a form leads to in the end: to the application.
fn policy(redirect_uri: &str) -> [(HeaderName, HeaderValue); 1] {
    let target = target(redirect_uri);
    let text = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{target}; base-uri 'none'; frame-ancestors 'none'"
    );
    [(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("default-src 'none'")))]
}

/// The origin of an address, or its scheme where the policy has no word for the origin.
fn target(redirect_uri: &str) -> String {
    let Some((scheme, rest)) = redirect_uri.split_once("://") else { return String::new() };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let named = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:".contains(&b));
    if named && ["http", "https"].contains(&scheme) { format!(" {scheme}://{host}") } else { format!(" {scheme}:") }
}

fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " · " (pages::BRAND) }
                meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)";
                meta name="theme-color" content="#181512" media="(prefers-color-scheme: dark)";
                link rel="icon" href="/favicon.svg" type="image/svg+xml";
                link rel="stylesheet" href=(paths::STYLE);
            }
            body {
                div.strip aria-hidden="true" { (PreEscaped(STREET)) }
                div.art aria-hidden="true" {
                    div.say {
                        (PreEscaped(LOGO))
                        p.big { (pages::MOTTO[0]) br; (pages::MOTTO[1]) }
                        p.sub { (pages::TAGLINE) }
                    }
                    (PreEscaped(STREET))
                }
                main {
                    div.in {
                        p.brand { (PreEscaped(LOGO)) (pages::BRAND) }
                        (body)
                    }
                }
            }
        }
    }
}

/// What it is about.
pub fn head(title: &str, sub: Markup) -> Markup {
    html! { div { h1 { (title) } p.sub { (sub) } } }
}

/// What went wrong; nothing when nothing did.
pub fn wrong(text: &str) -> Markup {
    html! { @if !text.is_empty() { p.note.no role="alert" { (text) } } }
}

/// What comes back unread.
pub fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// A password, to be typed at once or after something else was, and what stands below.
pub fn password_field(label: &str, name: &str, autocomplete: &str, at_once: bool, after: Markup) -> Markup {
    html! {
        div {
            label for=(name) { (label) }
            input id=(name) name=(name) type="password" autocomplete=(autocomplete) maxlength="256" autofocus[at_once];
            (after)
        }
    }
}

/// Who signs in.
pub fn email_field(value: &str, at_once: bool) -> Markup {
    html! {
        div {
            label for="username" { (pages::EMAIL) }
            input id="username" name="username" type="email" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false"
                maxlength="254" value=(value) autofocus[at_once];
        }
    }
}

/// A code, to be typed at once or after something else was done.
pub fn code_field(name: &str, at_once: bool) -> Markup {
    html! {
        div {
            label for=(name) { (pages::CODE) }
            input.code id=(name) name=(name) type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="40" autofocus[at_once];
        }
    }
}

/// A form of one button, or of none when one elsewhere names it.
pub fn button(action: &str, id: Option<&str>, request: &str, email: &str, text: Option<&str>) -> Markup {
    html! {
        form method="post" action=(action) id=[id] {
            (hidden("request", request))
            @if !email.is_empty() { (hidden("username", email)) }
            @if let Some(text) = text { button.quiet type="submit" { (text) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_the_application_and_nowhere_else() {
        for (address, named) in [
            ("https://app.example/back?x=1", " https://app.example"),
            ("http://localhost:3000/back", " http://localhost:3000"),
            ("http://[::1]:3000/back", " http:"),
            ("org.example.app://back", " org.example.app:"),
            ("https://app.example;script-src/x", " https:"),
            ("", ""),
        ] {
            assert_eq!(target(address), named, "{address}");
        }
    }

    #[test]
    fn what_is_said_is_escaped() {
        let page = document("t", &html! { (wrong("<script>\"&'")) (hidden("a", "\"><script>")) }).into_string();
        assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
    }
}
