//! The browser in front of the page: a cookie that only it has, and what is handed to it and comes back unread and unchanged.

use super::{Face, request::Asked, signed_in};
use axum::http::{HeaderMap, HeaderValue, header};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use time::Duration;

/// How long a page waits for who fills it in.
const PAGE_LIFE: Duration = Duration::hours(1);
const COOKIE_BYTES: usize = 32;

/// A browser.
pub struct Browser {
    /// Its cookie.
    secret: [u8; COOKIE_BYTES],
    /// The one that it is signed in by: the next sign-in takes its place.
    pub signed_in: Option<[u8; COOKIE_BYTES]>,
}

/// A request on its way through the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Carried {
    asked: Asked,
    expires_at_s: i64,
}

impl Browser {
    /// The browser of a request, if it has a cookie of ours.
    pub fn of(face: &Face, headers: &HeaderMap) -> Option<Self> {
        secret_of(headers, cookie_name(face)).map(|secret| Self { secret, signed_in: signed_in::secret(face, headers) })
    }

    /// The same, or a new one.
    pub fn of_or_new(face: &Face, headers: &HeaderMap) -> Self {
        let new = || Self { secret: face.ids().bytes(), signed_in: signed_in::secret(face, headers) };
        Self::of(face, headers).unwrap_or_else(new)
    }

    /// What it is told to keep. It comes along when somebody is sent here by another site, and not with the forms of one.
    pub fn cookie(&self, face: &Face) -> HeaderValue {
        let (name, value) = (cookie_name(face), URL_SAFE_NO_PAD.encode(self.secret));
        cookie(face, &format!("{name}={value}; Max-Age={}", PAGE_LIFE.whole_seconds()))
    }

    /// A keyed hash of the cookie: what rows know it by.
    pub fn key(&self, face: &Face) -> [u8; 32] {
        face.pool.settings.keys.derive("oauth browser", &[&self.secret])
    }

    /// A request, for a hidden field of a form: nobody else can make one that this browser brings back, so that no other site sends its
    /// forms.
    pub fn carry(&self, face: &Face, asked: &Asked) -> String {
        let expires_at_s = (face.pool.deps.clock.now() + PAGE_LIFE).unix_timestamp();
        let plain = serde_json::to_vec(&Carried { asked: asked.clone(), expires_at_s }).unwrap_or_default();
        URL_SAFE_NO_PAD.encode(face.pool.settings.keys.seal(face.ids(), &self.label(), &plain))
    }

    /// What this browser was given to carry, in its time.
    pub fn carried(&self, face: &Face, text: &str) -> Option<Asked> {
        let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        let plain = face.pool.settings.keys.open(&self.label(), &sealed)?;
        let Carried { asked, expires_at_s } = serde_json::from_slice(&plain).ok()?;
        (expires_at_s > face.pool.deps.clock.now().unix_timestamp()).then_some(asked)
    }

    fn label(&self) -> Vec<u8> {
        [b"oauth page".as_slice(), &self.secret].concat()
    }
}

/// The secret in a cookie of this name.
pub fn secret_of(headers: &HeaderMap, name: &str) -> Option<[u8; COOKIE_BYTES]> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
    let mut named = all.filter_map(|pair| pair.trim().split_once('=')).filter(|(given, _)| *given == name);
    named.find_map(|(_, value)| URL_SAFE_NO_PAD.decode(value).ok()?.try_into().ok())
}

/// What makes a browser forget its cookie.
pub fn no_cookie(face: &Face) -> HeaderValue {
    cookie(face, &format!("{}=; Max-Age=0", cookie_name(face)))
}

/// By TLS the name says that nobody but this host can have set it.
fn cookie_name(face: &Face) -> &'static str {
    if face.has_tls() { "__Host-goodturn_sign_in" } else { "goodturn_sign_in" }
}

/// A cookie of this host, which no script reads and which comes along when somebody is sent here by another site.
pub fn cookie(face: &Face, pair: &str) -> HeaderValue {
    let secure = if face.has_tls() { "; Secure" } else { "" };
    let text = format!("{pair}; Path=/; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
