//! A provider's keys, and whether one of them has signed a token. RS256 and ES256 alone: a provider that knows no other is rare, and none has
//! to be trusted to choose.

use anyhow::{Context, Result};
use aws_lc_rs::{
    rsa::PublicKeyComponents,
    signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;
use serde_json::Value;

/// Longer than any id token.
const TOKEN_BYTES_MAX: usize = 16 << 10;
/// More than any provider has.
const KEYS_MAX: usize = 100;

/// What signs.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Algorithm {
    #[serde(rename = "RS256")]
    Rs256,
    #[serde(rename = "ES256")]
    Es256,
}

/// The keys of a provider.
#[derive(Debug)]
pub struct Keys(Vec<Key>);

#[derive(Debug)]
struct Key {
    kid: Option<String>,
    algorithm: Algorithm,
    public: ParsedPublicKey,
}

#[derive(Deserialize)]
struct Jwks {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    used_for: Option<String>,
    n: Option<String>,
    e: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    alg: Algorithm,
    kid: Option<String>,
    crit: Option<Value>,
}

impl Keys {
    /// Those of a JWKS document that can check a signature.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(told: Value) -> Result<Self> {
        let Jwks { keys } = serde_json::from_value(told).context("the provider's keys")?;
        let read = |key: Value| serde_json::from_value::<Jwk>(key).ok().as_ref().and_then(Key::read);
        Ok(Self(keys.into_iter().take(KEYS_MAX).filter_map(read).collect()))
    }

    /// Whether a key of this name is among them.
    pub fn has(&self, kid: Option<&str>) -> bool {
        kid.is_none() || self.0.iter().any(|key| key.kid.as_deref() == kid)
    }

    /// What a token says that one of them signed; `None` for every flaw alike.
    pub fn open(&self, token: &str) -> Option<Value> {
        let (message, signature) = token.rsplit_once('.')?;
        let (_, claims) = message.split_once('.')?;
        let header = header(token)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let mut fitting = self.0.iter().filter(|key| key.algorithm == header.alg);
        let key = match &header.kid {
            Some(kid) => fitting.find(|key| key.kid.as_ref() == Some(kid))?,
            // Without a name there must be no choice.
            None => Some(fitting.next()?).filter(|_| fitting.next().is_none())?,
        };
        key.public.verify_sig(message.as_bytes(), &signature).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
    }
}

/// The name of the key that a token says it was signed with.
pub fn kid(token: &str) -> Option<String> {
    header(token)?.kid
}

fn header(token: &str) -> Option<Header> {
    if token.len() > TOKEN_BYTES_MAX {
        return None;
    }
    let (header, _) = token.split_once('.')?;
    let header: Header = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
    header.crit.is_none().then_some(header)
}

impl Key {
    fn read(jwk: &Jwk) -> Option<Self> {
        let number = |text: &Option<String>| URL_SAFE_NO_PAD.decode(text.as_deref()?).ok();
        let (algorithm, named, public) = match jwk.kty.as_str() {
            "RSA" => {
                let (n, e) = (number(&jwk.n)?, number(&jwk.e)?);
                let parts = PublicKeyComponents { n: n.as_slice(), e: e.as_slice() };
                (Algorithm::Rs256, "RS256", parts.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256).ok()?)
            }
            "EC" if jwk.crv.as_deref() == Some("P-256") => {
                let (x, y) = (number(&jwk.x)?, number(&jwk.y)?);
                let point = (x.len() == 32 && y.len() == 32).then(|| [&[4], x.as_slice(), y.as_slice()].concat())?;
                (Algorithm::Es256, "ES256", ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).ok()?)
            }
            _ => return None,
        };
        let fits = jwk.alg.as_deref().is_none_or(|alg| alg == named) && jwk.used_for.as_deref().is_none_or(|used| used == "sig");
        fits.then(|| Self { kid: jwk.kid.clone(), algorithm, public })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::{
        rand::SystemRandom,
        rsa::KeySize,
        signature::{KeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
    };
    use serde_json::json;

    fn rsa() -> (RsaKeyPair, Value) {
        let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let half = pair.public_key();
        let number = |positive: aws_lc_rs::io::Positive<'_>| URL_SAFE_NO_PAD.encode(positive.big_endian_without_leading_zero());
        let jwk = json!({"kty": "RSA", "kid": "a", "n": number(half.modulus()), "e": number(half.exponent())});
        (pair, jwk)
    }

    fn token(pair: &RsaKeyPair, header: &Value) -> String {
        let message = [header.to_string(), json!({"sub": "1"}).to_string()].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn keys(all: &[&Value]) -> Keys {
        Keys::read(json!({"keys": all})).unwrap()
    }

    #[test]
    fn a_token_is_opened_by_the_key_that_signed_it_and_by_no_other() {
        let ((pair, jwk), (other, mut foreign)) = (rsa(), rsa());
        let good = token(&pair, &json!({"alg": "RS256", "kid": "a"}));
        assert_eq!(keys(&[&jwk]).open(&good).unwrap()["sub"], "1");
        assert!(
            keys(&[&foreign]).open(&good).is_none() && keys(&[&jwk]).open(&token(&other, &json!({"alg": "RS256", "kid": "a"}))).is_none()
        );
        // Without a name there must be no choice.
        let nameless = token(&pair, &json!({"alg": "RS256"}));
        foreign["kid"] = json!("b");
        assert!(keys(&[&jwk]).open(&nameless).is_some() && keys(&[&jwk, &foreign]).open(&nameless).is_none());
        for header in [
            json!({"alg": "none", "kid": "a"}),
            json!({"alg": "HS256", "kid": "a"}),
            json!({"alg": "ES256", "kid": "a"}),
            json!({"alg": "RS512", "kid": "a"}),
            json!({"alg": "RS256", "kid": "c"}),
            json!({"alg": "RS256", "kid": "a", "crit": []}),
        ] {
            assert!(keys(&[&jwk]).open(&token(&pair, &header)).is_none(), "{header}");
        }
        let (message, signature) = good.rsplit_once('.').unwrap();
        for spoilt in ["", ".", "..", message, &format!("{message}."), &format!("{message}A.{signature}"), &"a".repeat(20_000)] {
            assert!(keys(&[&jwk]).open(spoilt).is_none(), "{spoilt:.20}");
        }
    }

    #[test]
    fn keys_that_are_for_something_else_are_left_out() {
        let (pair, jwk) = rsa();
        let good = token(&pair, &json!({"alg": "RS256", "kid": "a"}));
        for (name, value) in [("use", "enc"), ("alg", "PS256"), ("kty", "oct"), ("n", "AQAB"), ("e", "!")] {
            let mut other = jwk.clone();
            other[name] = json!(value);
            assert!(keys(&[&other]).open(&good).is_none(), "{name}");
        }
        assert!(Keys::read(json!({"keys": 1})).is_err());
    }
}
