//! Access tokens as every call brings them: whether one is good, and for what.

use super::UserPool;
use crate::{
    auth::{Caller, Tokens},
    error::{Error, Result},
    identity::{
        scopes::Scopes,
        tokens::{self, Claims},
    },
};
use aws_lc_rs::digest::{SHA256, digest};

/// Why an access token is refused. Only calls that name their token in the body are told apart.
#[derive(Debug)]
pub(in crate::identity) enum Flaw {
    /// It is not a good token.
    Invalid,
    /// It was good, but its session has ended.
    Ended,
    /// It is good, and not for this.
    Scope,
    /// That could not be found out.
    Unknown(Error),
}

impl UserPool {
    /// What a good access token of an open session says, if it is for something.
    pub(in crate::identity) async fn claims(&self, token: &str, wanted: Scopes) -> Result<Claims, Flaw> {
        let claims = self.signed(token)?;
        match self.sessions.is_open(claims.member, claims.session).await {
            Ok(true) if !claims.scopes.has(wanted) => Err(Flaw::Scope),
            Ok(true) => Ok(claims),
            Ok(false) => Err(Flaw::Ended),
            Err(e) => Err(Flaw::Unknown(e)),
        }
    }

    /// What a good access token says; whether its session is open is another question.
    fn signed(&self, token: &str) -> Result<Claims, Flaw> {
        let now = self.deps.clock.now();
        let hash: [u8; 32] = digest(&SHA256, token.as_bytes()).as_ref().try_into().expect("SHA-256 has 32 bytes");
        let retirements = self.keyring.retirements();
        let claims = match self.verified.get(&hash) {
            Some((then, claims)) if then == retirements => claims,
            Some(_) | None => {
                let is_client = |id: &str| self.settings.clients.iter().any(|c| c.id == id);
                let claims = tokens::read(&self.keyring.keys(), &self.issuer, is_client, token, now).ok_or(Flaw::Invalid)?;
                self.verified.insert(hash, (retirements, claims.clone()));
                claims
            }
        };
        if claims.expires_at_s <= now.unix_timestamp() { Err(Flaw::Invalid) } else { Ok(claims) }
    }
}

#[tonic::async_trait]
impl Tokens for UserPool {
    async fn check(&self, token: &str) -> Result<Caller> {
        match self.claims(token, Scopes::ADMIN).await {
            Ok(claims) => Ok(claims.into()),
            Err(Flaw::Invalid | Flaw::Ended | Flaw::Scope) => Err(Error::unauthenticated()),
            Err(Flaw::Unknown(e)) => Err(e),
        }
    }

    fn known(&self, token: &str) -> Option<Result<Caller>> {
        let Some(claims) = self.signed(token).ok().filter(|claims| claims.scopes.has(Scopes::ADMIN)) else {
            return Some(Err(Error::unauthenticated()));
        };
        let open = self.sessions.known(claims.session)?;
        Some(if open { Ok(claims.into()) } else { Err(Error::unauthenticated()) })
    }
}

impl From<Claims> for Caller {
    fn from(claims: Claims) -> Self {
        Self { member: claims.member, session: claims.session, expires_at_s: claims.expires_at_s, signed_by: claims.signed_by }
    }
}
