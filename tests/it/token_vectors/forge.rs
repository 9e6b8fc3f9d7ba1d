//! Makes tokens that are none of the server's, also with the key that it signs with: what it reads must not hang on the signature alone.

use aws_lc_rs::{
    rand::SystemRandom,
    rsa::KeySize,
    signature::{KeyPair, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RsaEncoding, RsaKeyPair},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD},
};
use goodturn::identity::Keys;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// What is wrong with a token, and the token.
type Vector = (String, String);

const YEAR_S: i64 = 31_536_000;

/// Of one good token.
pub struct Forge {
    good: String,
    header: Value,
    claims: Value,
    jwks: Value,
    real: RsaKeyPair,
    own: RsaKeyPair,
}

/// A part of a token, read.
pub fn part(token: &str, n: usize) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(n).unwrap()).unwrap()).unwrap()
}

fn write(text: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

fn with(value: &Value, name: &str, new: Value) -> Value {
    let mut changed = value.clone();
    changed[name] = new;
    changed
}

fn without(value: &Value, name: &str) -> Value {
    let mut changed = value.clone();
    changed.as_object_mut().unwrap().remove(name).unwrap();
    changed
}

fn signed(key: &RsaKeyPair, by: &'static dyn RsaEncoding, header: &str, claims: &str) -> String {
    let message = format!("{header}.{claims}");
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(by, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
    format!("{message}.{}", write(signature))
}

fn hs256(key: &[u8], header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", write(header.to_string()), write(claims.to_string()));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(message.as_bytes());
    format!("{message}.{}", write(mac.finalize().into_bytes()))
}

impl Forge {
    /// With the server's own key, as it keeps it, and one of the attacker's.
    pub fn new(good: &str, jwks: Value, sealed: &[u8]) -> Self {
        let der = Keys::from_secrets(&[0x61; 32], []).open(b"signing key", sealed).unwrap();
        Self {
            good: good.to_owned(),
            header: part(good, 0),
            claims: part(good, 1),
            jwks,
            real: RsaKeyPair::from_der(&der).unwrap(),
            own: RsaKeyPair::generate(KeySize::Rsa2048).unwrap(),
        }
    }

    /// The good token's claims once more in another order, signed as the server signs: this one is good.
    pub fn again(&self) -> String {
        self.by_real(self.head(), &self.claims.to_string())
    }

    /// The good token's claims with other scopes, signed as the server signs.
    pub fn of_scope(&self, scope: &str) -> String {
        self.by_real(self.head(), &with(&self.claims, "scope", json!(scope)).to_string())
    }

    /// All of them.
    pub fn vectors(&self) -> Vec<Vector> {
        [
            self.algorithms(),
            self.key_names(),
            self.headers(),
            self.header_texts(),
            self.claim_values(),
            self.claim_texts(),
            self.spellings(),
        ]
        .concat()
    }

    fn head(&self) -> &str {
        self.good.split('.').next().unwrap()
    }

    fn body(&self) -> &str {
        self.good.split('.').nth(1).unwrap()
    }

    fn signature(&self) -> &str {
        self.good.split('.').nth(2).unwrap()
    }

    /// With the server's key; the header is written already.
    fn by_real(&self, header: &str, claims: &str) -> String {
        signed(&self.real, &RSA_PKCS1_SHA256, header, &write(claims))
    }

    fn of_header(&self, header: &Value) -> [String; 3] {
        let head = write(header.to_string());
        [
            self.by_real(&head, &self.claims.to_string()),
            signed(&self.own, &RSA_PKCS1_SHA256, &head, self.body()),
            format!("{head}.{}.{}", self.body(), self.signature()),
        ]
    }

    fn algorithms(&self) -> Vec<Vector> {
        let modulus = self.jwks["keys"][0]["n"].as_str().unwrap();
        let public = self.real.public_key().as_ref().to_vec();
        let pem = format!("-----BEGIN RSA PUBLIC KEY-----\n{}\n-----END RSA PUBLIC KEY-----\n", STANDARD.encode(&public));
        let (number, jwks) = (URL_SAFE_NO_PAD.decode(modulus).unwrap(), self.jwks.to_string());
        let keys: [&[u8]; 6] = [modulus.as_bytes(), &number, &public, pem.as_bytes(), jwks.as_bytes(), b""];
        let mut all = Vec::new();
        let names =
            ["none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "RS384", "RS512", "PS256", "ES256", "EdDSA", "rs256", "RS256 "];
        for alg in names.iter().map(|name| json!(name)).chain([Value::Null, json!(256), json!(["RS256"]), json!({})]) {
            let header = with(&self.header, "alg", alg.clone());
            all.push((format!("alg {alg}, unsigned"), format!("{}.{}.", write(header.to_string()), self.body())));
            all.extend(self.of_header(&header).map(|token| (format!("alg {alg}"), token)));
        }
        for alg in ["HS256", "HS384", "RS256"] {
            let header = with(&self.header, "alg", json!(alg));
            all.extend(keys.iter().map(|key| (format!("{alg} by the public key"), hs256(key, &header, &self.claims))));
        }
        let others: [(&str, &'static dyn RsaEncoding); 3] =
            [("RS384", &RSA_PKCS1_SHA384), ("RS512", &RSA_PKCS1_SHA512), ("PS256", &RSA_PSS_SHA256)];
        for (alg, encoding) in others {
            let header = write(with(&self.header, "alg", json!(alg)).to_string());
            all.push((format!("{alg}, honestly"), signed(&self.real, encoding, &header, self.body())));
            all.push((format!("{alg} under RS256"), signed(&self.real, encoding, self.head(), self.body())));
        }
        all
    }

    fn key_names(&self) -> Vec<Vector> {
        let kids = [
            "own",
            "",
            " ",
            "../../../../dev/null",
            "/etc/passwd",
            "' OR 1=1 --",
            "x' UNION SELECT 'a",
            "http://127.0.0.1/jwks.json",
            "file:///dev/null",
            "0",
            "%00",
            "\u{0}",
            "${jndi:ldap://127.0.0.1/a}",
            "; sleep 1",
        ];
        let mut all = Vec::new();
        for kid in kids.iter().map(|kid| json!(kid)).chain([
            Value::Null,
            json!(0),
            json!([]),
            json!(self.header["kid"].as_str().unwrap().to_uppercase() + " "),
        ]) {
            all.extend(self.of_header(&with(&self.header, "kid", kid.clone())).map(|token| (format!("kid {kid}"), token)));
        }
        all.extend(self.of_header(&without(&self.header, "kid")).map(|token| ("no kid".to_owned(), token)));
        all.push(("another key under our kid".to_owned(), signed(&self.own, &RSA_PKCS1_SHA256, self.head(), self.body())));
        all
    }

    fn headers(&self) -> Vec<Vector> {
        let modulus = write(self.own.public_key().modulus().big_endian_without_leading_zero());
        let jwk = json!({"kty": "RSA", "n": modulus, "e": "AQAB", "kid": self.header["kid"], "alg": "RS256"});
        let more = [
            ("jwk", jwk.clone()),
            ("jwk", self.jwks["keys"][0].clone()),
            ("jwks", json!({"keys": [jwk]})),
            ("jku", json!("http://127.0.0.1/jwks.json")),
            ("jku", self.claims["iss"].clone()),
            ("x5u", json!("http://127.0.0.1/key.pem")),
            ("x5c", json!(["MIIB"])),
            ("x5t", json!("x")),
            ("crit", json!(["exp"])),
            ("crit", json!([])),
            ("b64", json!(false)),
            ("zip", json!("DEF")),
            ("cty", json!("JWT")),
            ("enc", json!("A128GCM")),
            ("p2c", json!(2_000_000_000)),
            ("typ", json!("at+jwt")),
            ("typ", json!("jwt")),
            ("typ", json!("JWE")),
            ("typ", Value::Null),
            ("nonce", json!("x")),
        ];
        let mut all = Vec::new();
        for (name, value) in more {
            let what = format!("{name} {value}").chars().take(60).collect::<String>();
            all.extend(self.of_header(&with(&self.header, name, value)).map(|token| (what.clone(), token)));
        }
        all.extend(self.of_header(&without(&self.header, "typ")).map(|token| ("no typ".to_owned(), token)));
        all.extend(self.of_header(&without(&self.header, "alg")).map(|token| ("no alg".to_owned(), token)));
        all
    }

    /// Headers that say the same as ours to a lenient reader, or nothing to any; signed by the server's key.
    fn header_texts(&self) -> Vec<Vector> {
        let ours = String::from_utf8(URL_SAFE_NO_PAD.decode(self.head()).unwrap()).unwrap();
        let inside = &ours[1..ours.len() - 1];
        let texts = [
            format!(" {ours}"),
            format!("{ours} "),
            format!("{ours}\n"),
            format!("\u{feff}{ours}"),
            format!("{ours}\0"),
            ours.replace(',', ", "),
            format!("{{{inside},}}"),
            format!("{{\"alg\":\"none\",{inside}}}"),
            format!("{{{inside},\"alg\":\"none\"}}"),
            format!("{{{inside},{inside}}}"),
            ours.replace("alg", "\\u0061lg"),
            ours.replace("alg", "ALG"),
            ours.replace("RS256", "\\u0052S256"),
            ours.replace('"', "'"),
            format!("[{ours}]"),
            format!("\"{ours}\""),
            "{}".to_owned(),
            "null".to_owned(),
            String::new(),
            "[".repeat(2000),
        ];
        texts.into_iter().map(|text| (format!("header {text:.60?}"), self.by_real(&write(&text), &self.claims.to_string()))).collect()
    }

    /// Claims that the server would never write, signed by its key.
    fn claim_values(&self) -> Vec<Vector> {
        let now = self.claims["iat"].as_i64().unwrap();
        let far = [json!(i64::MIN), json!(u64::MAX), json!(1e300)];
        let forms = |at: i64| [json!(at.to_string()), json!(at as f64 + 0.5), json!([at]), json!({"at": at}), json!(true), Value::Null];
        let mut changed: Vec<(&str, Value)> = Vec::new();
        changed.extend(forms(now + 3600).into_iter().chain(far.clone()).map(|value| ("exp", value)));
        changed.extend([0, -1, now - 1, now, now - YEAR_S, -now].map(|at| ("exp", json!(at))));
        changed.extend(
            forms(now).into_iter().chain([json!(u64::MAX), json!(1e300), json!(now + 61), json!(now + YEAR_S)]).map(|v| ("iat", v)),
        );
        changed.extend(forms(now).into_iter().filter(|v| !v.is_null()).chain(far.into_iter().skip(1)).map(|v| ("nbf", v)));
        changed.extend([now + 61, now + YEAR_S, i64::MAX].map(|at| ("nbf", json!(at))));
        changed.extend(forms(now).map(|value| ("auth_time", value)));
        let issuer = self.claims["iss"].as_str().unwrap();
        let issuers = [
            format!("{issuer}/"),
            issuer.to_uppercase(),
            issuer.replace("http:", "https:"),
            format!(" {issuer}"),
            format!("{issuer}\0"),
            issuer.replace("Goodturn1", "Goodturn2"),
            "https://accounts.google.com".to_owned(),
            String::new(),
        ];
        changed.extend(issuers.map(|iss| ("iss", json!(iss))));
        changed.extend([json!([issuer]), Value::Null, json!(1)].map(|iss| ("iss", iss)));
        changed.extend(["id", "refresh", "ACCESS", " access", "access ", ""].map(|word| ("token_use", json!(word))));
        changed.extend([json!(["access"]), Value::Null].map(|word| ("token_use", word)));
        let client = self.claims["client_id"].as_str().unwrap();
        changed.extend(["another", "", "*", &client.to_uppercase(), &format!("{client} ")].map(|id| ("client_id", json!(id))));
        changed.extend([json!([client]), Value::Null].map(|id| ("client_id", id)));
        let scopes =
            ["all", "openid x", "AWS.COGNITO.SIGNIN.USER.ADMIN", "aws.cognito.signin.user.administrator", "aws.cognito.signin.user"];
        changed.extend(scopes.map(|scope| ("scope", json!(scope))));
        changed.extend([json!(["aws.cognito.signin.user.admin"]), Value::Null].map(|scope| ("scope", scope)));
        changed.extend([json!(1), Value::Null, json!([])].map(|name| ("username", name)));
        for name in ["sub", "origin_jti", "jti", "event_id"] {
            changed
                .extend([json!(""), json!("x"), json!("../x"), json!("' OR 1=1 --"), json!(1), Value::Null, json!([])].map(|v| (name, v)));
        }
        let mut all: Vec<Vector> = changed
            .into_iter()
            .map(|(name, value)| (format!("{name} {value}"), self.by_real(self.head(), &with(&self.claims, name, value).to_string())))
            .collect();
        for name in
            ["sub", "iss", "client_id", "origin_jti", "event_id", "token_use", "scope", "auth_time", "exp", "iat", "jti", "username"]
        {
            let less = without(&self.claims, name);
            all.push((format!("no {name}"), self.by_real(self.head(), &less.to_string())));
            let upper = with(&less, &name.to_uppercase(), self.claims[name].clone());
            all.push((format!("{name} in capitals"), self.by_real(self.head(), &upper.to_string())));
            // What the signature is not of.
            let edited = write(with(&self.claims, name, json!("x")).to_string());
            all.push((format!("{name} edited"), format!("{}.{edited}.{}", self.head(), self.signature())));
        }
        let nobody = with(&self.claims, "sub", json!(uuid::Uuid::nil()));
        all.push(("another's sub".to_owned(), signed(&self.own, &RSA_PKCS1_SHA256, self.head(), &write(nobody.to_string()))));
        all
    }

    /// Claims that are no object, or two at once.
    fn claim_texts(&self) -> Vec<Vector> {
        let ours = self.claims.to_string();
        let inside = &ours[1..ours.len() - 1];
        let mut texts = vec![
            format!("\u{feff}{ours}"),
            format!("{ours}\0"),
            format!("{ours}{ours}"),
            format!("{ours}x"),
            format!("{{{inside},}}"),
            format!("[{ours}]"),
            ours.replace('"', "'"),
            ours[..ours.len() - 1].to_owned(),
            "{}".to_owned(),
            "null".to_owned(),
            "1".to_owned(),
            "\"\"".to_owned(),
            String::new(),
            "[".repeat(3000),
            "{\"a\":".repeat(1000),
            self.good.clone(),
        ];
        for (name, value) in
            [("exp", json!(4_102_444_800_u64)), ("token_use", json!("id")), ("sub", json!(uuid::Uuid::nil())), ("iss", json!("x"))]
        {
            texts.push(format!("{{\"{name}\":{value},{inside}}}"));
            texts.push(format!("{{{inside},\"{name}\":{value}}}"));
        }
        let mut all: Vec<Vector> =
            texts.into_iter().map(|text| (format!("claims {text:.60?}"), self.by_real(self.head(), &text))).collect();
        for bytes in [b"\xff\xfe".as_slice(), b"\xc3\x28", b"{\"sub\":\"\xff\"}", b"\0\0\0\0"] {
            all.push((format!("claims {bytes:?}"), signed(&self.real, &RSA_PKCS1_SHA256, self.head(), &write(bytes))));
        }
        all
    }

    /// The good token in other letters.
    fn spellings(&self) -> Vec<Vector> {
        let (head, body, signature, good) = (self.head(), self.body(), self.signature(), &self.good);
        let bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let standard = STANDARD.encode(&bytes);
        let mut texts = vec![
            format!("{head}.{body}.{}", URL_SAFE.encode(&bytes)),
            format!("{head}.{body}.{standard}"),
            format!("{head}.{body}.{}", standard.trim_end_matches('=')),
            format!("{head}=.{body}.{signature}"),
            format!("{head}.{body}=.{signature}"),
            format!("{head}.{body}==.{signature}"),
            good.replace('_', "/").replace('-', "+"),
            good.replace('.', "%2E"),
            good.replace('.', "。"),
            good.replace('.', ".."),
            good.replace('.', ""),
            good.replace('.', " "),
            good.replace('.', "~"),
            good.to_uppercase(),
            good.to_lowercase(),
            good.chars().rev().collect(),
            format!(" {good}"),
            format!("{good} "),
            format!("{good}\n"),
            format!("\t{good}"),
            format!("{head} .{body}.{signature}"),
            format!("{head}.{body}.\n{signature}"),
            format!("\u{feff}{good}"),
            format!("{good}\0"),
            format!("{head}\0.{body}.{signature}"),
            good.replacen('e', "\u{435}", 1),
            good.replacen('e', "\u{ff45}", 1),
            format!("\"{good}\""),
            format!("Bearer {good}"),
            format!("{good},{good}"),
            format!("{good}.{signature}"),
            format!(".{good}"),
            format!("{good}."),
            format!("{good}.."),
            format!("{head}.{body}"),
            format!("{head}.{body}."),
            format!("{head}..{signature}"),
            format!(".{body}.{signature}"),
            format!("{body}.{head}.{signature}"),
            format!("{head}.{signature}.{body}"),
            format!("{head}.{body}.{signature}{signature}"),
            // As encrypted ones are, in five parts, and as JSON writes them.
            format!("{head}.{body}.{signature}.{signature}.{signature}"),
            format!("{}.{body}.AAAA.{body}.AAAA", write(r#"{"alg":"dir","enc":"A128GCM"}"#)),
            format!("{}..AAAA.{body}.AAAA", write(r#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#)),
            json!({"protected": head, "payload": body, "signature": signature}).to_string(),
            json!({"payload": body, "signatures": [{"protected": head, "signature": signature}]}).to_string(),
            ".".to_owned(),
            "..".to_owned(),
            "...".to_owned(),
            "a.b.c".to_owned(),
            "null".to_owned(),
            "undefined".to_owned(),
            "true".to_owned(),
            "-".to_owned(),
            "A".repeat(8000),
            ".".repeat(8000),
            "\u{1f511}".repeat(100),
            uuid::Uuid::nil().to_string(),
            self.claims["origin_jti"].as_str().unwrap().to_owned(),
        ];
        texts.extend(
            [1, 2, 3, 10, 100, signature.len(), signature.len() + 1, good.len() - 1].map(|cut| good[..good.len() - cut].to_owned()),
        );
        for at in (0..bytes.len()).step_by(17) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            texts.push(format!("{head}.{body}.{}", write(flipped)));
        }
        // Bits behind the last byte, which a lenient reader drops.
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let last = alphabet.find(signature.chars().last().unwrap()).unwrap();
        texts.extend((1..4).map(|more| format!("{}{}", &good[..good.len() - 1], &alphabet[last + more..=last + more])));
        for constant in [0_u8, 1, 0xff] {
            texts.push(format!("{head}.{body}.{}", write([constant; 256])));
        }
        texts.into_iter().map(|text| (format!("spelled {text:.60}"), text)).collect()
    }
}
