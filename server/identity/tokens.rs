//! Access and id tokens: what they say, and whether one is good.

use super::{Identity, Member, scopes::Scopes, signing_key::SigningKey, store::sessions::Session};
use crate::{
    error::{Error, Result},
    ids::{Ids, MemberId, SessionId},
    pictures::Pictures,
};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Longer than any token of ours.
const TOKEN_BYTES_MAX: usize = 8192;
/// How far the clocks of two nodes may differ.
const SKEW_S: i64 = 60;
#[derive(Serialize, Deserialize)]
pub(super) struct AccessClaims {
    sub: Uuid,
    iss: String,
    client_id: String,
    origin_jti: Uuid,
    event_id: Uuid,
    token_use: String,
    scope: String,
    auth_time: i64,
    exp: i64,
    iat: i64,
    jti: Uuid,
    username: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device_key: Option<String>,
    /// Never written by us; read, since one that stands there counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
}

#[derive(Serialize)]
struct IdClaims<'a> {
    sub: Uuid,
    iss: &'a str,
    aud: &'a str,
    origin_jti: Uuid,
    event_id: Uuid,
    token_use: &'a str,
    auth_time: i64,
    exp: i64,
    iat: i64,
    jti: Uuid,
    #[serde(rename = "cognito:username")]
    username: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_hash: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    identities: &'a [Identity],
    #[serde(flatten)]
    email: Option<EmailClaims<'a>>,
    #[serde(flatten)]
    profile: Option<ProfileClaims<'a>>,
    #[serde(flatten)]
    phone: Option<PhoneClaims<'a>>,
}

/// What a client with the scope `email` is told, of tokens and of `userInfo` alike.
#[derive(Serialize)]
pub struct EmailClaims<'a> {
    email: &'a str,
    email_verified: bool,
}

/// What one with the scope `profile` is.
#[derive(Serialize)]
pub struct ProfileClaims<'a> {
    name: String,
    given_name: &'a str,
    family_name: &'a str,
    zoneinfo: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    picture: String,
}

/// What one with the scope `phone` is.
#[derive(Serialize)]
pub struct PhoneClaims<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number_verified: Option<bool>,
}

impl<'a> PhoneClaims<'a> {
    /// A member's.
    pub fn of(member: &'a Member) -> Self {
        let number = member.phone_number.as_deref();
        Self { phone_number: number, phone_number_verified: number.map(|_| member.phone_verified) }
    }
}

impl<'a> EmailClaims<'a> {
    /// A member's.
    pub fn of(member: &'a Member) -> Self {
        Self { email: &member.email, email_verified: true }
    }
}

impl<'a> ProfileClaims<'a> {
    /// A member's.
    pub fn of(member: &'a Member, pictures: &Pictures) -> Self {
        Self {
            name: member.name.clone(),
            given_name: &member.given_name,
            family_name: &member.family_name,
            zoneinfo: &member.time_zone,
            picture: pictures.face(member.picture),
        }
    }
}

/// What is asked of tokens, beside whose they are.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Fewer scopes than the session has.
    pub scopes: Option<Scopes>,
    /// What the id token says again.
    pub nonce: Option<String>,
    /// The key of the device, where it is remembered.
    pub device_key: Option<String>,
}

/// What a good access token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The subject.
    pub member: MemberId,
    /// The session: `origin_jti`.
    pub session: SessionId,
    /// When it ends, in seconds since the epoch.
    pub expires_at_s: i64,
    /// The key that signed it, by its name.
    pub signed_by: Arc<str>,
    /// What it is for.
    pub scopes: Scopes,
}

/// A pair of tokens.
pub struct Minted {
    /// For calls.
    pub access: String,
    /// For the client to read; empty when it has not asked who it is.
    pub id: String,
}

/// Signs the tokens of a session, for a life from now on. Takes most of a millisecond of computing.
pub fn mint(
    key: &SigningKey,
    issuer: &str,
    (member, session, asked): (&Member, &Session, &Asked),
    (now, life): (OffsetDateTime, Duration),
    (ids, pictures): (&Ids, &Pictures),
) -> Result<Minted> {
    let (iat, event_id) = (now.unix_timestamp(), ids.uuid());
    let exp = iat + life.whole_seconds();
    let auth_time = session.authenticated_at().unix_timestamp();
    let (scopes, username) = (asked.scopes.unwrap_or(session.granted()), member.username());
    let access = AccessClaims {
        sub: member.id.0,
        iss: issuer.to_owned(),
        client_id: session.client_id.clone(),
        origin_jti: session.id.0,
        event_id,
        token_use: "access".to_owned(),
        scope: scopes.spell(),
        auth_time,
        exp,
        iat,
        jti: ids.uuid(),
        username: username.clone(),
        device_key: asked.device_key.clone(),
        nbf: None,
    };
    let access = sign(key, &access)?;
    // The user pool's own operations have no scopes: they tell all.
    let tells = |scope| session.scopes.is_none() || scopes.has(scope);
    if !tells(Scopes::OPENID) {
        return Ok(Minted { access, id: String::new() });
    }
    let id = IdClaims {
        sub: member.id.0,
        iss: issuer,
        aud: &session.client_id,
        origin_jti: session.id.0,
        event_id,
        token_use: "id",
        auth_time,
        exp,
        iat,
        jti: ids.uuid(),
        username: &username,
        nonce: asked.nonce.as_deref(),
        at_hash: session.scopes.map(|_| half_hash(&access)),
        identities: if tells(Scopes::PROFILE) { &member.identities } else { &[] },
        email: tells(Scopes::EMAIL).then(|| EmailClaims::of(member)),
        profile: tells(Scopes::PROFILE).then(|| ProfileClaims::of(member, pictures)),
        phone: tells(Scopes::PHONE).then(|| PhoneClaims::of(member)),
    };
    Ok(Minted { id: sign(key, &id)?, access })
}

/// What binds an id token to the access token beside it: `at_hash` of OpenID Connect Core, 3.1.3.6.
fn half_hash(token: &str) -> String {
    let hash = digest(&SHA256, token.as_bytes());
    URL_SAFE_NO_PAD.encode(hash.as_ref().split_at(16).0)
}

/// Claims as a token: the compact form of RFC 7515.
pub(super) fn sign(key: &SigningKey, claims: &impl Serialize) -> Result<String> {
    let mut token = key.head.clone();
    URL_SAFE_NO_PAD.encode_string(serde_json::to_vec(claims).map_err(Error::internal)?, &mut token);
    let signature = key.sign(token.as_bytes())?;
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut token);
    Ok(token)
}

/// Reads an access token that one of these keys signed. `None` for every flaw alike. Whether its session has ended is asked elsewhere.
pub fn read(keys: &[Arc<SigningKey>], issuer: &str, is_client: impl Fn(&str) -> bool, token: &str, now: OffsetDateTime) -> Option<Claims> {
    if token.len() > TOKEN_BYTES_MAX {
        return None;
    }
    let (message, signature) = token.rsplit_once('.')?;
    // The header is the one that the key writes, to the letter: so the algorithm is ours, and what a header says of other keys is never
    // followed.
    let (key, claims) = keys.iter().find_map(|key| Some((key, message.strip_prefix(&key.head)?)))?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    if !key.has_signed(message.as_bytes(), &signature) {
        return None;
    }
    let claims: AccessClaims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    let now_s = now.unix_timestamp();
    // Time is ours to tell, by the clock of the server.
    let begun = now_s + SKEW_S;
    let in_time = claims.exp > now_s && claims.iat <= begun && claims.nbf.is_none_or(|nbf| nbf <= begun);
    let ours = claims.iss == issuer && claims.token_use == "access" && is_client(&claims.client_id);
    let (member, session) = (MemberId(claims.sub), SessionId(claims.origin_jti));
    let (scopes, signed_by) = (Scopes::read(&claims.scope)?, key.kid.as_str().into());
    (in_time && ours).then_some(Claims { member, session, expires_at_s: claims.exp, signed_by, scopes })
}
