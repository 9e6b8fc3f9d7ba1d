//! A provider of OpenID Connect in this process, which signs with a key of its own and says what a test wants.

use crate::harness::START;
use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

pub const ID: &str = "goodturn-at-club";
pub const SECRET: &str = "a secret: of the club/50%";

/// The provider. It goes away with the test.
pub struct Upstream {
    pub issuer: String,
    says: Arc<Says>,
    serving: JoinHandle<()>,
}

struct Says {
    issuer: String,
    key: Mutex<EcdsaKeyPair>,
    state: Mutex<Told>,
}

/// Changes header and claims of a token.
type Spoil = Box<dyn Fn(&mut Value, &mut Value) + Send>;

/// What it says, as a test has it.
struct Told {
    person: Value,
    spoil: Spoil,
    /// Only the name in the id token; all else where more is told.
    sparse: bool,
    /// Another thing that its document says.
    document: Option<(&'static str, String)>,
    codes: HashMap<String, HashMap<String, String>>,
    redeemed: usize,
    asked: HashMap<&'static str, usize>,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Upstream {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let key = Mutex::new(new_key());
        let told = Told {
            person: json!({}),
            spoil: Box::new(|_, _| ()),
            sparse: false,
            document: None,
            codes: HashMap::new(),
            redeemed: 0,
            asked: HashMap::new(),
        };
        let says = Arc::new(Says { issuer: issuer.clone(), key, state: Mutex::new(told) });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(document))
            .route("/jwks", get(jwks))
            .route("/token", post(token))
            .route("/more", get(more))
            .with_state(says.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { issuer, says, serving }
    }

    /// Who is signed in there.
    pub fn is(&self, person: Value) {
        self.says.state.lock().unwrap().person = person;
    }

    /// What is wrong with its tokens: header and claims.
    pub fn spoil(&self, spoil: impl Fn(&mut Value, &mut Value) + Send + 'static) {
        self.says.state.lock().unwrap().spoil = Box::new(spoil);
    }

    pub fn is_sparse(&self) {
        self.says.state.lock().unwrap().sparse = true;
    }

    /// What is wrong with its document.
    pub fn documents(&self, member: &'static str, value: &str) {
        self.says.state.lock().unwrap().document = Some((member, value.to_owned()));
    }

    /// Another key takes the place of the one that signed, under its name.
    pub fn replaces_its_key(&self) {
        *self.says.key.lock().unwrap() = new_key();
    }

    pub fn times(&self, what: &'static str) -> usize {
        self.says.state.lock().unwrap().asked.get(what).copied().unwrap_or_default()
    }

    /// Signs in there whom an address brings: the query of the way back.
    pub fn visit(&self, address: &str) -> String {
        let url = Url::parse(address).unwrap();
        assert!(address.starts_with(&format!("{}/authorize?", self.issuer)), "{address}");
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!((&*asked["client_id"], &*asked["response_type"], &*asked["code_challenge_method"]), (ID, "code", "S256"));
        assert!(asked["scope"].contains("openid") && asked["state"].len() >= 43 && asked["nonce"].len() >= 43);
        let code = hex::encode(rand::random::<[u8; 16]>());
        let state = asked["state"].clone();
        self.says.state.lock().unwrap().codes.insert(code.clone(), asked);
        format!("code={code}&state={state}&iss={}", self.issuer.replace(':', "%3A").replace('/', "%2F"))
    }
}

fn new_key() -> EcdsaKeyPair {
    EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap()
}

impl Says {
    fn count(&self, what: &'static str) {
        *self.state.lock().unwrap().asked.entry(what).or_default() += 1;
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = self.key.lock().unwrap().sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }
}

async fn document(State(says): State<Arc<Says>>) -> Json<Value> {
    says.count("document");
    let at = |path: &str| format!("{}{path}", says.issuer);
    let mut document = json!({
        "issuer": says.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"), "jwks_uri": at("/jwks"),
        "userinfo_endpoint": at("/more"), "authorization_response_iss_parameter_supported": true,
    });
    if let Some((member, value)) = &says.state.lock().unwrap().document {
        document[*member] = json!(value);
    }
    Json(document)
}

async fn jwks(State(says): State<Arc<Says>>) -> Json<Value> {
    says.count("keys");
    let key = says.key.lock().unwrap();
    let point = key.public_key().as_ref();
    let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..]));
    Json(json!({"keys": [
        {"kty": "oct", "kid": "x", "k": "c2VjcmV0"},
        {"kty": "EC", "crv": "P-256", "kid": "one", "use": "sig", "alg": "ES256", "x": x, "y": y},
    ]}))
}

async fn token(State(says): State<Arc<Says>>, headers: HeaderMap, body: Bytes) -> (StatusCode, Json<Value>) {
    let form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let quoted = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", quoted(ID), quoted(SECRET))));
    let asked = says.state.lock().unwrap().codes.remove(&form["code"]);
    let proved = |asked: &HashMap<String, String>| {
        asked["code_challenge"] == URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]))
            && asked["redirect_uri"] == form["redirect_uri"]
            && headers["authorization"] == *basic
    };
    let Some(asked) = asked.filter(proved) else { return (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))) };
    let now_s = START.unix_timestamp();
    let mut header = json!({"alg": "ES256", "kid": "one", "typ": "JWT"});
    let mut claims = json!({"iss": says.issuer, "aud": ID, "iat": now_s, "exp": now_s + 300, "nonce": asked["nonce"]});
    let mut told = says.state.lock().unwrap();
    told.redeemed += 1;
    let person = if told.sparse { json!({"sub": told.person["sub"]}) } else { told.person.clone() };
    claims.as_object_mut().unwrap().extend(person.as_object().unwrap().clone());
    (told.spoil)(&mut header, &mut claims);
    drop(told);
    (StatusCode::OK, Json(json!({"access_token": "at-club", "token_type": "Bearer", "id_token": says.sign(&header, &claims)})))
}

async fn more(State(says): State<Arc<Says>>, headers: HeaderMap) -> (StatusCode, Json<Value>) {
    says.count("more");
    if headers["authorization"] != "Bearer at-club" {
        return (StatusCode::UNAUTHORIZED, Json(json!({})));
    }
    (StatusCode::OK, Json(says.state.lock().unwrap().person.clone()))
}
