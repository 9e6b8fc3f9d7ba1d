//! The operations of the user pool: each a short list of steps.

use super::{
    attributes::{self, rules::Attribute},
    confirm, deletion, export, passwords,
    refresh::{self, Proof},
    rules, sign_in, sign_up,
    store::{self, attempts::Subject},
    user_pool::{Flaw, UserPool},
    wire::{self, Begin},
};
use crate::{
    auth::{self, Caller},
    edge::limits::ClientAddress,
    error::{Error, Reason, Result},
    idempotency,
    ids::MemberId,
    pb::identity::{
        ChangePasswordRequest, ChangePasswordResponse, ConfirmForgotPasswordRequest, ConfirmForgotPasswordResponse, ConfirmSignUpRequest,
        ConfirmSignUpResponse, DeleteUserAttributesRequest, DeleteUserAttributesResponse, DeleteUserRequest, DeleteUserResponse,
        ExportUserDataRequest, ExportUserDataResponse, ForgotPasswordRequest, ForgotPasswordResponse, GetTokensFromRefreshTokenRequest,
        GetTokensFromRefreshTokenResponse, GetUserAttributeVerificationCodeRequest, GetUserAttributeVerificationCodeResponse,
        GetUserRequest, GetUserResponse, GlobalSignOutRequest, GlobalSignOutResponse, InitiateAuthRequest, InitiateAuthResponse,
        ResendConfirmationCodeRequest, ResendConfirmationCodeResponse, RespondToAuthChallengeRequest, RespondToAuthChallengeResponse,
        RevokeTokenRequest, RevokeTokenResponse, SignUpRequest, SignUpResponse, UpdateUserAttributesRequest, UpdateUserAttributesResponse,
        VerifyUserAttributeRequest, VerifyUserAttributeResponse, identity_service_server::IdentityService,
    },
    read,
};
use std::{collections::BTreeMap, net::IpAddr, sync::Arc};
use tonic::{Request, Response, Status};

/// The service over a user pool.
pub struct Service(pub Arc<UserPool>);

type Answer<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl IdentityService for Service {
    async fn sign_up(&self, request: Request<SignUpRequest>) -> Answer<SignUpResponse> {
        let SignUpRequest { client_id, username, password, secret_hash, .. } = request.get_ref();
        rules::present(&[("clientId", client_id), ("username", username), ("password", password)])?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        let new = wire::sign_up(request.get_ref(), &self.0.settings.password_policy)?;
        let claim = self.claim(&request, &new.email)?;
        Ok(Response::new(sign_up::sign_up(&self.0, new, address(&request), claim.as_ref()).await?))
    }

    async fn confirm_sign_up(&self, request: Request<ConfirmSignUpRequest>) -> Answer<ConfirmSignUpResponse> {
        let ConfirmSignUpRequest { client_id, username, confirmation_code, secret_hash, .. } = request.get_ref();
        rules::present(&[("clientId", client_id), ("username", username), ("confirmationCode", confirmation_code)])?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        confirm::confirm(&self.0, username.trim(), confirmation_code, address(&request)).await?;
        Ok(Response::new(ConfirmSignUpResponse {}))
    }

    async fn resend_confirmation_code(&self, request: Request<ResendConfirmationCodeRequest>) -> Answer<ResendConfirmationCodeResponse> {
        let ResendConfirmationCodeRequest { client_id, username, secret_hash, .. } = request.get_ref();
        rules::present(&[("clientId", client_id), ("username", username)])?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        let delivery = sign_up::resend(&self.0, username.trim(), address(&request)).await?;
        Ok(Response::new(ResendConfirmationCodeResponse { code_delivery_details: Some(delivery) }))
    }

    async fn initiate_auth(&self, request: Request<InitiateAuthRequest>) -> Answer<InitiateAuthResponse> {
        let from = address(&request);
        let request = request.get_ref();
        let client = request.client_id.as_str();
        wire::begins(request)?;
        self.0.client(client)?.allows(request.auth_flow())?;
        let begin = wire::begin(request)?;
        if let Some(username) = begin.username() {
            self.0.client(client)?.proves_by_hash(&[username], wire::secret_hash(&request.auth_parameters))?;
        }
        let answer = match begin {
            Begin::Srp { username, a } => wire::challenge(sign_in::challenge(&self.0, client, username.trim(), a).await?),
            Begin::Password { username, password } => {
                wire::initiated(sign_in::with_password(&self.0, client, username.trim(), password, from).await?)
            }
            // Clients of this flow do not expect another refresh token, so it never rotates.
            Begin::Refresh { token } => {
                let proof = Proof::Hash(wire::secret_hash(&request.auth_parameters));
                wire::initiated(refresh::refresh(&self.0, client, token, proof, false).await?)
            }
        };
        Ok(Response::new(answer))
    }

    async fn respond_to_auth_challenge(&self, request: Request<RespondToAuthChallengeRequest>) -> Answer<RespondToAuthChallengeResponse> {
        let from = address(&request);
        wire::answers(request.get_ref())?;
        let client = self.0.client(&request.get_ref().client_id)?;
        let answer = wire::answer(request.get_ref())?;
        client.proves_by_hash(&[answer.username], wire::secret_hash(&request.get_ref().challenge_responses))?;
        let tokens = sign_in::respond(&self.0, &request.get_ref().client_id, &answer, from).await?;
        Ok(Response::new(wire::responded(tokens)))
    }

    async fn get_tokens_from_refresh_token(
        &self,
        request: Request<GetTokensFromRefreshTokenRequest>,
    ) -> Answer<GetTokensFromRefreshTokenResponse> {
        let GetTokensFromRefreshTokenRequest { refresh_token, client_id, client_secret, .. } = request.get_ref();
        rules::present(&[("refreshToken", refresh_token), ("clientId", client_id)])?;
        let tokens = refresh::refresh(&self.0, client_id, refresh_token, Proof::Secret(client_secret), true).await?;
        Ok(Response::new(GetTokensFromRefreshTokenResponse { authentication_result: Some(tokens) }))
    }

    async fn get_user(&self, request: Request<GetUserRequest>) -> Answer<GetUserResponse> {
        let Caller { member, .. } = self.bearer(&request, &request.get_ref().access_token).await?;
        let member =
            read!(self.0.deps.pool, |conn| store::member(conn, member).await)?.ok_or_else(|| not_authorized("Invalid Access Token"))?;
        Ok(Response::new(wire::user(&member)))
    }

    async fn global_sign_out(&self, request: Request<GlobalSignOutRequest>) -> Answer<GlobalSignOutResponse> {
        let Caller { member, .. } = self.bearer(&request, &request.get_ref().access_token).await?;
        refresh::sign_out(&self.0, member).await?;
        Ok(Response::new(GlobalSignOutResponse {}))
    }

    async fn revoke_token(&self, request: Request<RevokeTokenRequest>) -> Answer<RevokeTokenResponse> {
        let RevokeTokenRequest { token, client_id, client_secret } = request.get_ref();
        rules::present(&[("token", token), ("clientId", client_id)])?;
        self.0.client(client_id)?.proves_by_secret(client_secret)?;
        refresh::revoke(&self.0, client_id, token).await?;
        Ok(Response::new(RevokeTokenResponse {}))
    }

    async fn forgot_password(&self, request: Request<ForgotPasswordRequest>) -> Answer<ForgotPasswordResponse> {
        let ForgotPasswordRequest { client_id, username, secret_hash, .. } = request.get_ref();
        rules::present(&[("clientId", client_id), ("username", username)])?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        let delivery = passwords::forgot(&self.0, username.trim(), address(&request)).await?;
        Ok(Response::new(ForgotPasswordResponse { code_delivery_details: Some(delivery) }))
    }

    async fn confirm_forgot_password(&self, request: Request<ConfirmForgotPasswordRequest>) -> Answer<ConfirmForgotPasswordResponse> {
        let ConfirmForgotPasswordRequest { client_id, username, confirmation_code, password, secret_hash, .. } = request.get_ref();
        let members = [("clientId", client_id), ("username", username), ("confirmationCode", confirmation_code), ("password", password)];
        rules::present(&members.map(|(name, value)| (name, value.as_str())))?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        passwords::reset(&self.0, username.trim(), confirmation_code, password, address(&request)).await?;
        Ok(Response::new(ConfirmForgotPasswordResponse {}))
    }

    async fn change_password(&self, request: Request<ChangePasswordRequest>) -> Answer<ChangePasswordResponse> {
        let ChangePasswordRequest { previous_password, proposed_password, access_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("previousPassword", previous_password), ("proposedPassword", proposed_password)])?;
        passwords::change(&self.0, &caller, previous_password, proposed_password).await?;
        Ok(Response::new(ChangePasswordResponse {}))
    }

    async fn update_user_attributes(&self, request: Request<UpdateUserAttributesRequest>) -> Answer<UpdateUserAttributesResponse> {
        let UpdateUserAttributesRequest { user_attributes, access_token, .. } = request.get_ref();
        let Caller { member, .. } = self.bearer(&request, access_token).await?;
        rules::present(&[("userAttributes", user_attributes.first().map_or("", |first| &first.name))])?;
        let said = user_attributes.iter().map(|a| (a.name.as_str(), a.value.as_str()));
        let told = attributes::update(&self.0, member, &attributes::rules::changes(said)?, address(&request)).await?;
        Ok(Response::new(UpdateUserAttributesResponse { code_delivery_details_list: told }))
    }

    async fn delete_user_attributes(&self, request: Request<DeleteUserAttributesRequest>) -> Answer<DeleteUserAttributesResponse> {
        let DeleteUserAttributesRequest { user_attribute_names, access_token } = request.get_ref();
        let Caller { member, .. } = self.bearer(&request, access_token).await?;
        rules::present(&[("userAttributeNames", user_attribute_names.first().map_or("", String::as_str))])?;
        let gone = attributes::rules::removals(user_attribute_names.iter().map(String::as_str))?;
        attributes::update(&self.0, member, &gone, None).await?;
        Ok(Response::new(DeleteUserAttributesResponse {}))
    }

    async fn get_user_attribute_verification_code(
        &self,
        request: Request<GetUserAttributeVerificationCodeRequest>,
    ) -> Answer<GetUserAttributeVerificationCodeResponse> {
        let GetUserAttributeVerificationCodeRequest { attribute_name, access_token, .. } = request.get_ref();
        let Caller { member, .. } = self.bearer(&request, access_token).await?;
        rules::present(&[("attributeName", attribute_name)])?;
        let sent = attributes::send_code(&self.0, member, Attribute::read(attribute_name)?, address(&request)).await?;
        Ok(Response::new(GetUserAttributeVerificationCodeResponse { code_delivery_details: Some(sent) }))
    }

    async fn verify_user_attribute(&self, request: Request<VerifyUserAttributeRequest>) -> Answer<VerifyUserAttributeResponse> {
        let VerifyUserAttributeRequest { attribute_name, code, access_token } = request.get_ref();
        let Caller { member, .. } = self.bearer(&request, access_token).await?;
        rules::present(&[("attributeName", attribute_name), ("code", code)])?;
        attributes::verify(&self.0, member, Attribute::read(attribute_name)?, code, address(&request)).await?;
        Ok(Response::new(VerifyUserAttributeResponse {}))
    }

    async fn delete_user(&self, request: Request<DeleteUserRequest>) -> Answer<DeleteUserResponse> {
        let Caller { member, .. } = self.bearer(&request, &request.get_ref().access_token).await?;
        deletion::delete(&self.0, member).await?;
        Ok(Response::new(DeleteUserResponse {}))
    }

    async fn export_user_data(&self, request: Request<ExportUserDataRequest>) -> Answer<ExportUserDataResponse> {
        let caller = auth::caller(&request)?;
        caller.must_be(&request.get_ref().uid)?;
        Ok(Response::new(ExportUserDataResponse { document: export::for_member(&self.0, caller.member).await? }))
    }
}

impl Service {
    /// Who the token in the body is of, else the one that came with the call.
    async fn bearer<T>(&self, request: &Request<T>, token: &str) -> Result<Caller> {
        if token.is_empty() {
            let caller = request.extensions().get::<Caller>();
            return caller.cloned().ok_or_else(|| not_authorized("Invalid Access Token"));
        }
        match self.0.claims(token).await {
            Ok(claims) => Ok(claims.into()),
            Err(Flaw::Invalid) => Err(not_authorized("Invalid Access Token")),
            Err(Flaw::Ended) => Err(not_authorized("Access Token has been revoked")),
            Err(Flaw::Unknown(e)) => Err(e),
        }
    }

    /// The use of an idempotency key. Its scope is the address; and its body keeps no hash that a password could be guessed by.
    fn claim(&self, request: &Request<SignUpRequest>, email: &str) -> Result<Option<idempotency::Use>> {
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
pub(super) fn scope(subject: &Subject) -> Result<MemberId> {
    let (scope, _) = subject.split_at(16);
    Ok(MemberId(uuid::Uuid::from_slice(scope).map_err(Error::internal)?))
}

fn address<T>(request: &Request<T>) -> Option<IpAddr> {
    request.extensions().get::<ClientAddress>().map(|a| a.0)
}

fn not_authorized(text: &'static str) -> Error {
    Error::new(Reason::NotAuthorized, text)
}
