//! Test vectors: values that were sealed, derived and signed once. Databases hold such values, so the code must keep reading them and derive
//! the same keys.

use super::{
    codes,
    policy::Lives,
    refresh,
    scopes::Scopes,
    secrets::Keys,
    signing_key::SigningKey,
    store::{keys::StoredKey, sessions::Session},
    tokens,
};
use crate::ids::{MemberId, SessionId};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use time::{Duration, OffsetDateTime, macros::datetime};
use uuid::Uuid;

const START: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);
const ISSUER: &str = "https://goodturn.example/us-east-1_Goodturn1";
const KID: &str = "0195511f4c007b3f8d2e6a1d2e3f4a5b";
const MEMBER: MemberId = MemberId(Uuid::from_u128(0x0b5f_4c1e_7d3a_4f2e_9c58_6a1d_2e3f_4a5b));
const SESSION: SessionId = SessionId(Uuid::from_u128(0x0195_511f_5000_7b3f_8d2e_6a1d_2e3f_4a5c));

#[derive(Deserialize)]
struct Vectors {
    sealed: String,
    sealed_by_older: String,
    derived: String,
    code: String,
    refresh_token: String,
    signing_key: String,
    jwk: Value,
    access_token: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

fn secrets() -> Keys {
    Keys::from_secrets(&[7; 32], [[9; 32].as_slice()])
}

fn session() -> Session {
    Session {
        member: MEMBER,
        id: SESSION,
        client_id: "goodturnweb".into(),
        started_at: START,
        authenticated_at: None,
        expires_at: START + Duration::days(30),
        ended_at: None,
        refresh_seed: vec![5; 32],
        refresh_generation: 3,
        rotated_at: None,
        network: None,
        device: None,
        scopes: None,
        precedes_factor: false,
        former_names: Vec::new(),
    }
}

fn signing_key() -> Arc<SigningKey> {
    let sealed = STANDARD.decode(vectors().signing_key).unwrap();
    Arc::new(SigningKey::open(&secrets(), &StoredKey { kid: KID.into(), sealed, created_at: START, used_from: START }).unwrap())
}

#[test]
fn what_was_sealed_opens() {
    let (v, secrets) = (vectors(), secrets());
    for sealed in [v.sealed, v.sealed_by_older] {
        let sealed = hex::decode(sealed).unwrap();
        assert_eq!(secrets.open(b"label", &sealed).unwrap(), b"plain");
        assert!(secrets.open(b"Label", &sealed).is_none());
    }
}

#[test]
fn what_is_derived_stays_the_same() {
    let (v, secrets) = (vectors(), secrets());
    assert_eq!(hex::encode(secrets.derive("purpose", &[b"ab", b"", b"c"])), v.derived);
    assert_eq!(codes::digits(&secrets, MEMBER.0), v.code);
    assert_eq!(refresh::token(&secrets, &session(), 3), v.refresh_token);
}

#[test]
fn a_stored_key_is_published_signs_and_checks_as_it_did() {
    let (v, key) = (vectors(), signing_key());
    assert_eq!(key.jwk, v.jwk);
    let claims = v.access_token.split('.').nth(1).unwrap();
    let claims: tokens::AccessClaims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    assert_eq!(tokens::sign(&key, &claims).unwrap(), v.access_token);
    let read = tokens::read(&[key], ISSUER, |id| id == "goodturnweb", &v.access_token, START).unwrap();
    let expected = tokens::Claims {
        member: MEMBER,
        session: SESSION,
        expires_at_s: (START + Lives::default().access_token).unix_timestamp(),
        signed_by: KID.into(),
        scopes: Scopes::ADMIN,
    };
    assert_eq!(read, expected);
}

#[test]
fn a_token_is_good_only_with_the_header_that_its_key_writes() {
    let (token, key) = (vectors().access_token, signing_key());
    let (head, claims) = token.rsplit_once('.').unwrap().0.split_once('.').unwrap();
    let is_good = |head: &str| {
        let message = format!("{head}.{claims}");
        let signature = URL_SAFE_NO_PAD.encode(key.sign(message.as_bytes()).unwrap());
        tokens::read(std::slice::from_ref(&key), ISSUER, |_| true, &format!("{message}.{signature}"), START).is_some()
    };
    assert!(is_good(head));
    for header in [
        format!(r#"{{"typ":"JWT","alg":"none","kid":"{KID}"}}"#),
        format!(r#"{{"typ":"JWT","alg":"HS256","kid":"{KID}"}}"#),
        format!(r#"{{"alg":"RS256","kid":"{KID}"}}"#),
        format!(r#"{{"typ":"JWT","alg":"RS256","kid":"{KID}","jku":"http://127.0.0.1/jwks.json"}}"#),
        r#"{"typ":"JWT","alg":"RS256","kid":"other"}"#.to_owned(),
        String::new(),
    ] {
        assert!(!is_good(&URL_SAFE_NO_PAD.encode(&header)), "{header}");
    }
}

#[test]
fn an_access_token_is_good_for_its_issuer_client_and_time_alone() {
    let (token, key) = (vectors().access_token, [signing_key()]);
    let is_good = |issuer, client, now| tokens::read(&key, issuer, |id| id == client, &token, now).is_some();
    let end = START + Lives::default().access_token;
    assert!(is_good(ISSUER, "goodturnweb", START) && is_good(ISSUER, "goodturnweb", end - Duration::SECOND));
    assert!(!is_good(ISSUER, "goodturnweb", end) && !is_good(ISSUER, "goodturnweb", START - Duration::minutes(2)));
    assert!(!is_good("https://goodturn.example/us-east-1_Other", "goodturnweb", START) && !is_good(ISSUER, "other", START));
}
