//! Access and id tokens: what they say, and whether one is good.

use super::{Member, signing_key::SigningKey, store::sessions::Session};
use crate::{
    error::{Error, Result},
    ids::{Ids, MemberId, SessionId},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Longer than any token of ours.
const TOKEN_BYTES_MAX: usize = 8192;
/// How far the clocks of two nodes may differ.
const SKEW_S: i64 = 60;
/// What an access token is for.
const SCOPE: &str = "aws.cognito.signin.user.admin";

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
    username: Uuid,
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
    username: Uuid,
    email: &'a str,
    email_verified: bool,
    name: &'a str,
    given_name: &'a str,
    family_name: &'a str,
    zoneinfo: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    picture: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number_verified: Option<bool>,
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
}

/// A pair of tokens.
pub struct Minted {
    /// For calls.
    pub access: String,
    /// For the client to read.
    pub id: String,
}

/// Signs the tokens of a session, for a life from now on. Takes most of a millisecond of computing.
pub fn mint(
    key: &SigningKey,
    issuer: &str,
    (member, session, device): (&Member, &Session, Option<String>),
    (now, life): (OffsetDateTime, Duration),
    ids: &Ids,
) -> Result<Minted> {
    let (iat, event_id) = (now.unix_timestamp(), ids.uuid());
    let exp = iat + life.whole_seconds();
    let auth_time = session.started_at.unix_timestamp();
    let access = AccessClaims {
        sub: member.id.0,
        iss: issuer.to_owned(),
        client_id: session.client_id.clone(),
        origin_jti: session.id.0,
        event_id,
        token_use: "access".to_owned(),
        scope: SCOPE.to_owned(),
        auth_time,
        exp,
        iat,
        jti: ids.uuid(),
        username: member.id.0,
        device_key: device,
        nbf: None,
    };
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
        username: member.id.0,
        email: &member.email,
        email_verified: true,
        name: &member.said_name(),
        given_name: &member.given_name,
        family_name: &member.family_name,
        zoneinfo: &member.time_zone,
        picture: &member.picture_url,
        phone_number: member.phone_number.as_deref(),
        phone_number_verified: member.phone_number.as_ref().map(|_| member.phone_verified),
    };
    Ok(Minted { access: sign(key, &access)?, id: sign(key, &id)? })
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
    let ours = claims.iss == issuer && claims.token_use == "access" && claims.scope == SCOPE && is_client(&claims.client_id);
    (in_time && ours).then_some(Claims { member: MemberId(claims.sub), session: SessionId(claims.origin_jti), expires_at_s: claims.exp })
}
