//! A browser and an application, as the hosted sign-in meets them.

use crate::harness::{Member, PASSWORD, TestServer};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use form_urlencoded::Serializer;
use reqwest::{Method, RequestBuilder, header, redirect::Policy};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{collections::HashMap, sync::Mutex};
use url::Url;

pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// Where the web app waits for members to come back.
pub const CALLBACK: &str = "http://goodturn.test/auth/callback";
/// Where applications of the file wait.
pub const ELSEWHERE: &str = "http://localhost:3000/back";
pub const ALL: &str = "openid email profile aws.cognito.signin.user.admin";

/// A browser: it follows nothing by itself.
pub struct Browser<'a> {
    server: &'a TestServer,
    http: reqwest::Client,
    /// The cookie of the page.
    pub cookie: Mutex<Option<String>>,
    /// The one that it is signed in by, where it is kept.
    pub signed_in: Mutex<Option<String>>,
    stays: bool,
}

/// What it was answered.
#[derive(Debug)]
pub struct Seen {
    pub status: u16,
    pub location: String,
    pub headers: header::HeaderMap,
    pub body: String,
}

impl Seen {
    /// The parameters of where it was sent.
    pub fn parameters(&self) -> HashMap<String, String> {
        assert_eq!(self.status, 303, "{self:?}");
        Url::parse(&self.location).unwrap().query_pairs().into_owned().collect()
    }

    /// A hidden field of the page.
    pub fn field(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let (_, rest) = self.body.split_once(&start).unwrap_or_else(|| panic!("no field {name}: {self:?}"));
        rest.split('"').next().unwrap().to_owned()
    }

    /// The code that it was sent back with.
    pub fn code(&self) -> String {
        let parameters = self.parameters();
        assert!(self.location.starts_with(CALLBACK), "{self:?}");
        assert_eq!((parameters["state"].as_str(), parameters["iss"].as_str()), ("a state&", "http://goodturn.test/us-east-1_Goodturn1"));
        parameters["code"].clone()
    }

    /// The error that it was sent back with.
    pub fn error(&self) -> String {
        self.parameters().remove("error").unwrap_or_default()
    }
}

pub fn form(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

pub fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

/// A good request of the web app; `others` are put in the place of its parameters, empty ones are left out.
pub fn request(others: &[(&str, &str)]) -> String {
    let challenge = challenge();
    let usual = [
        ("client_id", "goodturnweb"),
        ("redirect_uri", CALLBACK),
        ("response_type", "code"),
        ("scope", ALL),
        ("state", "a state&"),
        ("nonce", "a nonce"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let kept = usual.into_iter().filter(|(name, _)| !others.iter().any(|(other, _)| other == name));
    let pairs: Vec<_> = kept.chain(others.iter().copied().filter(|(_, value)| !value.is_empty())).collect();
    format!("/oauth2/authorize?{}", form(&pairs))
}

impl<'a> Browser<'a> {
    pub fn new(server: &'a TestServer) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { server, http, cookie: Mutex::default(), signed_in: Mutex::default(), stays: false }
    }

    /// One that stays signed in.
    pub fn staying(server: &'a TestServer) -> Self {
        Self { stays: true, ..Self::new(server) }
    }

    pub async fn get(&self, path: &str) -> Seen {
        self.send(self.http.get(self.server.url(path))).await
    }

    pub async fn post(&self, path: &str, pairs: &[(&str, &str)]) -> Seen {
        let request = self.http.request(Method::POST, self.server.url(path));
        self.send(request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form(pairs))).await
    }

    async fn send(&self, request: RequestBuilder) -> Seen {
        let cookies = [self.cookie.lock().unwrap().clone(), self.signed_in.lock().unwrap().clone()];
        let cookies = cookies.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let request = if cookies.is_empty() { request } else { request.header(header::COOKIE, cookies) };
        let response = request.send().await.unwrap();
        for set in response.headers().get_all(header::SET_COOKIE) {
            let set = set.to_str().unwrap();
            assert!(set.contains("; Path=/; HttpOnly; SameSite=Lax"), "{set}");
            self.keep(set);
        }
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let location = headers.get(header::LOCATION).map(|l| l.to_str().unwrap().to_owned()).unwrap_or_default();
        Seen { status, location, headers, body: response.text().await.unwrap() }
    }

    fn keep(&self, set: &str) {
        let pair = set.split(';').next().unwrap();
        let kept = (!set.contains("Max-Age=0")).then(|| pair.to_owned());
        // By TLS the names say that they are of this host alone.
        let named = pair.trim_start_matches("__Host-");
        if named.starts_with("goodturn_sign_in=") {
            *self.cookie.lock().unwrap() = kept;
        } else if self.stays {
            assert!(named.starts_with("goodturn_signed_in="), "{pair}");
            *self.signed_in.lock().unwrap() = kept;
        }
    }

    /// Signs in by the page.
    pub async fn sign_in(&self, request: &str, email: &str, password: &str) -> Seen {
        let page = self.get(request).await;
        assert_eq!(page.status, 200, "{page:?}");
        self.post("/oauth2/page/sign-in", &[("request", &page.field("request")), ("username", email), ("password", password)]).await
    }
}

impl TestServer {
    /// What an application asks for by itself.
    pub async fn token(&self, pairs: &[(&str, &str)], basic: Option<&str>) -> (u16, Value) {
        self.form("/oauth2/token", pairs, basic).await
    }

    /// The same anywhere.
    pub async fn form(&self, path: &str, pairs: &[(&str, &str)], authorization: Option<&str>) -> (u16, Value) {
        let request = self.http(Method::POST, path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form(pairs));
        let request = authorization.into_iter().fold(request, |request, value| request.header(header::AUTHORIZATION, value));
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        let status = response.status().as_u16();
        let body = response.bytes().await.unwrap();
        (status, if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() })
    }

    /// Redeems a code of the web app.
    pub async fn redeem(&self, code: &str) -> (u16, Value) {
        let pairs = [("client_id", "goodturnweb"), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
        self.token(&[&[("grant_type", "authorization_code"), ("code", code)], pairs.as_slice()].concat(), None).await
    }

    /// The tokens of a sign-in by the page, for these scopes.
    pub async fn hosted(&self, member: &Member, scope: &str) -> Value {
        let browser = Browser::new(self);
        let code = browser.sign_in(&request(&[("scope", scope)]), &member.email, PASSWORD).await.code();
        let (status, tokens) = self.redeem(&code).await;
        assert_eq!(status, 200, "{tokens}");
        tokens
    }

    /// The same by an application of the file, which waits at `ELSEWHERE`.
    pub async fn hosted_by(&self, client: &str, member: &Member, scope: &str) -> Value {
        let asked = request(&[("client_id", client), ("redirect_uri", ELSEWHERE), ("scope", scope)]);
        let code = Browser::new(self).sign_in(&asked, &member.email, PASSWORD).await.parameters()["code"].clone();
        let pairs = [("grant_type", "authorization_code"), ("client_id", client), ("redirect_uri", ELSEWHERE), ("code", &code)];
        let (status, tokens) = self.token(&[pairs.as_slice(), &[("code_verifier", VERIFIER)]].concat(), None).await;
        assert_eq!(status, 200, "{tokens}");
        tokens
    }

    /// What `userInfo` tells.
    pub async fn user_info(&self, token: &str) -> (u16, Value) {
        let response = self.http(Method::GET, "/oauth2/userInfo").bearer_auth(token).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

/// The claims of a token.
pub fn claims(token: &Value) -> Value {
    let part = token.as_str().unwrap().split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}
