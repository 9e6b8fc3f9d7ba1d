//! The pages, each for a step of a member's way.

use super::{
    Face,
    browser::Browser,
    html::{button, code_field, email_field, head, hidden, password_field, shown, wrong},
    link::Link,
    paths, reply,
    request::Asked,
    texts::pages,
};
use crate::pb::identity::ChallengeName;
use axum::{http::StatusCode, response::Response};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use maud::html;

pub use super::html::{failure, sign_out_failure};

/// What the first form says beside its fields.
#[derive(Default)]
pub struct SignIn<'a> {
    /// What was typed; what the application expects otherwise.
    pub email: &'a str,
    /// What went wrong.
    pub wrong: &'a str,
    /// What went well.
    pub done: &'a str,
    /// A provider that is no way in here.
    pub without: &'a str,
}

/// What the form of a new password does.
pub struct Reset<'a> {
    /// Whose.
    pub email: &'a str,
    /// What went wrong.
    pub wrong: &'a str,
}

/// Where somebody signs in.
pub fn sign_in(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, said: &SignIn<'_>) -> Response {
    let request = browser.carry(face, asked);
    let email = if said.email.is_empty() { asked.hint.as_deref().unwrap_or_default() } else { said.email };
    let client = face.pool.client(&asked.client).ok();
    let offered = |name: &&str| *name != said.without && client.is_some_and(|c| c.offers(name));
    let providers: Vec<_> = face.upstreams.iter().map(|u| u.provider.name.as_str()).filter(offered).collect();
    let body = html! {
        (head(pages::SIGN_IN_TITLE, html! { (pages::SIGN_IN_SUB) }))
        (wrong(said.wrong))
        @if !said.done.is_empty() { p.note.ok role="status" { (said.done) } }
        form.stack method="post" action=(paths::SIGN_IN) novalidate {
            (hidden("request", &request))
            (email_field(email, email.is_empty()))
            (password_field(pages::PASSWORD, "password", "current-password", !email.is_empty(), html! {
                button.link type="submit" form="forgot" { (pages::FORGOT) }
            }))
            button.main type="submit" { (pages::SIGN_IN) }
        }
        @if !providers.is_empty() {
            p.or { span { (pages::OR) } }
            div.stack {
                @for name in providers { a.other href=(again(asked, name)) { (pages::continue_with(name)) } }
            }
        }
        (button(paths::FORGOT, Some("forgot"), &request, email, None))
        (button(paths::CANCEL, None, &request, "", Some(pages::CANCEL)))
    };
    shown(face, browser, asked, status, pages::SIGN_IN, &body)
}

/// What a sign-in asks for after the password.
pub struct Step<'a> {
    /// What.
    pub challenge: ChallengeName,
    /// The state of the sign-in.
    pub session: &'a str,
    /// Who signs in.
    pub username: &'a str,
    /// The link that waits for it; empty when none does.
    pub link: &'a str,
    /// Where a code was sent, masked.
    pub sent_to: &'a str,
    /// What went wrong.
    pub wrong: &'a str,
}

/// Where somebody shows what else a sign-in asks for.
pub fn step(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, said: &Step<'_>) -> Response {
    let request = browser.carry(face, asked);
    let (title, sub) = match said.challenge {
        ChallengeName::NewPasswordRequired => (pages::RESET_TITLE, html! { (pages::OWN_PASSWORD_SUB) }),
        ChallengeName::SelectMfaType => (pages::FACTOR_TITLE, html! { (pages::FACTOR_CHOICE) }),
        ChallengeName::SmsMfa => (pages::FACTOR_TITLE, html! { (pages::CODE_SENT) " " b { (said.sent_to) } }),
        _ => (pages::FACTOR_TITLE, html! { (pages::FACTOR_TOTP) }),
    };
    let body = html! {
        (head(title, sub))
        (wrong(said.wrong))
        form.stack method="post" action=(paths::STEP) novalidate {
            (hidden("request", &request))
            (hidden("step", said.challenge.as_str_name()))
            (hidden("session", said.session))
            (hidden("username", said.username))
            (hidden("link", said.link))
            (hidden("sent_to", said.sent_to))
            @match said.challenge {
                ChallengeName::SelectMfaType => {
                    button.main type="submit" name="answer" value="SOFTWARE_TOKEN_MFA" { (pages::BY_TOTP) }
                    button.main type="submit" name="answer" value="SMS_MFA" { (pages::BY_SMS) }
                }
                ChallengeName::NewPasswordRequired => {
                    (password_field(pages::NEW_PASSWORD, "answer", "new-password", true, html! { p.hint { (pages::password_rule(&face.pool.settings.password_policy)) } }))
                    button.main type="submit" { (pages::CONTINUE) }
                }
                _ => {
                    (code_field("answer", true))
                    button.main type="submit" { (pages::CONTINUE) }
                }
            }
        }
        (button(paths::BACK, None, &request, said.username, Some(pages::BACK)))
    };
    shown(face, browser, asked, status, title, &body)
}

/// Where somebody asks for a code for a new password.
pub fn forgot(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, (email, text): (&str, &str)) -> Response {
    let request = browser.carry(face, asked);
    let body = html! {
        (head(pages::FORGOT_TITLE, html! { (pages::FORGOT_SUB) }))
        (wrong(text))
        form.stack method="post" action=(paths::FORGOT) novalidate {
            (hidden("request", &request))
            (hidden("send", "1"))
            (email_field(email, true))
            button.main type="submit" { (pages::SEND_CODE) }
        }
        (button(paths::BACK, None, &request, email, Some(pages::BACK)))
    };
    shown(face, browser, asked, status, pages::FORGOT_TITLE, &body)
}

/// Where somebody sets a new password by the code.
pub fn reset(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, said: &Reset<'_>) -> Response {
    let request = browser.carry(face, asked);
    let body = html! {
        (head(pages::RESET_TITLE, html! { (pages::CODE_SENT) " " b { (said.email) } }))
        (wrong(said.wrong))
        form.stack method="post" action=(paths::RESET) novalidate {
            (hidden("request", &request))
            (hidden("username", said.email))
            (code_field("code", true))
            (password_field(pages::NEW_PASSWORD, "password", "new-password", false, html! { p.hint { (pages::password_rule(&face.pool.settings.password_policy)) } }))
            button.main type="submit" { (pages::SET_PASSWORD) }
        }
        form method="post" action=(paths::FORGOT) {
            (hidden("request", &request))
            (hidden("username", said.email))
            (hidden("send", "1"))
            button.link type="submit" { (pages::RESEND) }
        }
        (button(paths::BACK, None, &request, said.email, Some(pages::BACK)))
    };
    shown(face, browser, asked, status, pages::RESET_TITLE, &body)
}

/// Where somebody shows by its password that an account is theirs.
pub fn link(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, (link, text): (&Link, &str)) -> Response {
    let body = html! {
        (head(pages::LINK_TITLE, html! { (pages::link_sub(&link.provider, &link.email)) }))
        (wrong(text))
        form.stack method="post" action=(paths::LINK) novalidate {
            (hidden("link", &link.token))
            (hidden("username", &link.email))
            (password_field(pages::PASSWORD, "password", "current-password", true, html! {}))
            button.main type="submit" { (pages::LINK_BY_PASSWORD) }
        }
        form method="post" action=(paths::LINK_SEND) {
            (hidden("link", &link.token))
            button.link type="submit" { (pages::LINK_BY_CODE) }
        }
        (button(paths::BACK, None, &browser.carry(face, asked), "", Some(pages::BACK)))
    };
    shown(face, browser, asked, status, pages::LINK_TITLE, &body)
}

/// Where somebody shows it by a code.
pub fn link_code(face: &Face, browser: &Browser, asked: &Asked, status: StatusCode, (link, text): (&Link, &str)) -> Response {
    let body = html! {
        (head(pages::LINK_CODE_TITLE, html! { (pages::CODE_SENT) " " b { (link.email) } }))
        (wrong(text))
        form.stack method="post" action=(paths::LINK_CODE) novalidate {
            (hidden("link", &link.token))
            (code_field("code", true))
            button.main type="submit" { (pages::VERIFY) }
        }
        form method="post" action=(paths::LINK_SEND) {
            (hidden("link", &link.token))
            button.link type="submit" { (pages::RESEND) }
        }
        (button(paths::BACK, None, &browser.carry(face, asked), "", Some(pages::BACK)))
    };
    shown(face, browser, asked, status, pages::LINK_CODE_TITLE, &body)
}

/// The same request, by a provider.
fn again(asked: &Asked, provider: &str) -> String {
    let (scope, challenge) = (asked.scopes.spell(), asked.challenge.map(|hash| URL_SAFE_NO_PAD.encode(hash)));
    let age = asked.how.age_s_max.map(|age_s| age_s.to_string());
    let parameters = [
        ("client_id", Some(asked.client.as_str())),
        ("redirect_uri", Some(&asked.redirect_uri)),
        ("response_type", Some("code")),
        ("scope", Some(&scope)),
        ("state", asked.state.as_deref()),
        ("nonce", asked.nonce.as_deref()),
        ("code_challenge", challenge.as_deref()),
        ("code_challenge_method", challenge.as_ref().map(|_| "S256")),
        ("login_hint", asked.hint.as_deref()),
        ("prompt", asked.how.prompt()),
        ("max_age", age.as_deref()),
        ("identity_provider", Some(provider)),
    ];
    reply::address(paths::AUTHORIZE, &parameters)
}
