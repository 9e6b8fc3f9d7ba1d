//! What several operations begin with: who calls, and which step of a sign-in it is.

use super::{Service, not_authorized};
use crate::{
    auth::Caller,
    error::{Error, Result},
    idempotency,
    identity::{
        challenge_responses, device_proof, email_otp,
        refresh::{self, Proof, Shown},
        scopes::Scopes,
        sign_in,
        sign_in_flow::Reply,
        store::attempts::Subject,
        user_pool::Flaw,
        wire::{self, Begin, Given},
    },
    ids::MemberId,
    pb::identity::{InitiateAuthRequest, SignUpRequest},
};
use std::{collections::BTreeMap, net::IpAddr};
use tonic::Request;

impl Service {
    pub(super) async fn begin(&self, request: &InitiateAuthRequest, begin: Begin<'_>, from: Option<IpAddr>) -> Result<Reply> {
        let (pool, client) = (&self.0, request.client_id.as_str());
        let device = wire::device(pool, &request.auth_parameters)?;
        match begin {
            Begin::Srp { username, a, then } => sign_in::challenge(pool, client, username.trim(), a, then).await.map(wire::challenge),
            Begin::Password { username, password } => sign_in::with_password(pool, client, (username.trim(), password), device, from).await,
            Begin::Code { username } => email_otp::begin(pool, client, username.trim(), device, from).await,
            // Clients of this flow do not expect another refresh token, so it never rotates.
            Begin::Refresh { token } => {
                let shown = Shown { proof: Proof::Hash(wire::secret_hash(&request.auth_parameters)), device, scopes: None };
                refresh::refresh(pool, client, token, shown, false).await.map(Reply::Tokens)
            }
        }
    }

    pub(super) async fn answer(&self, of: challenge_responses::From<'_>, given: Given<'_>) -> Result<Reply> {
        let pool = &self.0;
        match given {
            Given::Password(proof) => sign_in::respond(pool, of.client, &proof, of.from).await,
            Given::NewPassword { password, changes } => challenge_responses::new_password(pool, of, password, &changes).await,
            Given::Code(asked, code) => challenge_responses::code(pool, of, asked, code).await,
            Given::Choice(choice) => challenge_responses::select(pool, of, choice).await,
            Given::IsSetUp => challenge_responses::is_set_up(pool, of).await,
            Given::Device { key, a } => device_proof::challenge(pool, of, (key, a)).await.map(Reply::Asked),
            Given::DeviceProof(proof) => device_proof::respond(pool, of.client, &proof, of.from).await,
        }
    }

    /// Who the token in the body is of, else the one that came with the call.
    pub(super) async fn bearer<T>(&self, request: &Request<T>, token: &str) -> Result<Caller> {
        if token.is_empty() {
            let caller = request.extensions().get::<Caller>();
            return caller.cloned().ok_or_else(|| not_authorized("Invalid Access Token"));
        }
        match self.0.claims(token, Scopes::ADMIN).await {
            Ok(claims) => Ok(claims.into()),
            Err(Flaw::Invalid) => Err(not_authorized("Invalid Access Token")),
            Err(Flaw::Ended) => Err(not_authorized("Access Token has been revoked")),
            Err(Flaw::Scope) => Err(not_authorized("Access Token does not have required scopes")),
            Err(Flaw::Unknown(e)) => Err(e),
        }
    }

    /// The use of an idempotency key. Its scope is the address; and its body keeps no hash that a password could be guessed by.
    pub(super) fn claim(&self, request: &Request<SignUpRequest>, email: &str) -> Result<Option<idempotency::Use>> {
        let body = request.get_ref();
        // A map of the wire has no order.
        let words: BTreeMap<_, _> = body.client_metadata.iter().collect();
        let (keys, subject) = (&self.0.settings.keys, self.0.subject(email));
        let unguessable = keys.derive("sign-up body", &[body.password.as_bytes(), format!("{words:?}").as_bytes()]);
        let mut redacted =
            Request::new(SignUpRequest { password: hex::encode(unguessable), client_metadata: Default::default(), ..body.clone() });
        *redacted.metadata_mut() = request.metadata().clone();
        idempotency::of(&redacted, scope(&subject)?, "SignUp")
    }
}

/// The scope of the idempotency keys of sign-ups with an address.
pub(in crate::identity) fn scope(subject: &Subject) -> Result<MemberId> {
    let (scope, _) = subject.split_at(16);
    Ok(MemberId(uuid::Uuid::from_slice(scope).map_err(Error::internal)?))
}
