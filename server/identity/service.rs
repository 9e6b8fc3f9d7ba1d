//! The operations of the user pool: each a short list of steps.

mod steps;

pub(super) use steps::scope;

use super::{
    active_sessions,
    attributes::{self, rules::Attribute},
    challenge_responses, closing, confirm, deletion, devices, export,
    factors::{self, Right, Wish},
    links, passwords, recovery,
    refresh::{self, Proof, Shown},
    rules, sign_up, store,
    user_pool::UserPool,
    wire,
};
use crate::{
    auth::{self, Caller},
    edge::limits::ClientAddress,
    error::{Error, Reason},
    pb::identity::{
        AssociateSoftwareTokenRequest, AssociateSoftwareTokenResponse, ChangePasswordRequest, ChangePasswordResponse, CloseAccountRequest,
        CloseAccountResponse, ConfirmDeviceRequest, ConfirmDeviceResponse, ConfirmForgotPasswordRequest, ConfirmForgotPasswordResponse,
        ConfirmSignUpRequest, ConfirmSignUpResponse, CreateRecoveryCodesRequest, CreateRecoveryCodesResponse, DeleteUserAttributesRequest,
        DeleteUserAttributesResponse, DeleteUserRequest, DeleteUserResponse, DeviceRememberedStatus, EndSessionRequest, EndSessionResponse,
        ExportUserDataRequest, ExportUserDataResponse, ForgetDeviceRequest, ForgetDeviceResponse, ForgotPasswordRequest,
        ForgotPasswordResponse, GetDeviceRequest, GetDeviceResponse, GetTokensFromRefreshTokenRequest, GetTokensFromRefreshTokenResponse,
        GetUserAttributeVerificationCodeRequest, GetUserAttributeVerificationCodeResponse, GetUserRequest, GetUserResponse,
        GlobalSignOutRequest, GlobalSignOutResponse, InitiateAuthRequest, InitiateAuthResponse, ListDevicesRequest, ListDevicesResponse,
        ListSessionsRequest, ListSessionsResponse, ResendConfirmationCodeRequest, ResendConfirmationCodeResponse,
        RespondToAuthChallengeRequest, RespondToAuthChallengeResponse, RevokeTokenRequest, RevokeTokenResponse,
        SetUserMfaPreferenceRequest, SetUserMfaPreferenceResponse, SetUserSettingsRequest, SetUserSettingsResponse, SignUpRequest,
        SignUpResponse, UnlinkProviderRequest, UnlinkProviderResponse, UpdateDeviceStatusRequest, UpdateDeviceStatusResponse,
        UpdateUserAttributesRequest, UpdateUserAttributesResponse, VerifySoftwareTokenRequest, VerifySoftwareTokenResponse,
        VerifySoftwareTokenStatus, VerifyUserAttributeRequest, VerifyUserAttributeResponse, identity_service_server::IdentityService,
    },
    read,
};
use std::{net::IpAddr, sync::Arc};
use tonic::{Request, Response, Status};

/// The service over a user pool.
pub struct Service(pub Arc<UserPool>);

type Answer<T> = std::result::Result<Response<T>, Status>;

/// Where ClientMetadata of a sign-up has the token of an invitation.
const INVITE: &str = "invite";

#[tonic::async_trait]
impl IdentityService for Service {
    async fn sign_up(&self, request: Request<SignUpRequest>) -> Answer<SignUpResponse> {
        let SignUpRequest { client_id, username, password, secret_hash, .. } = request.get_ref();
        rules::present(&[("clientId", client_id), ("username", username), ("password", password)])?;
        self.0.client(client_id)?.proves_by_hash(&[username], secret_hash)?;
        let new = wire::sign_up(request.get_ref(), &self.0.settings.password_policy)?;
        let invite = request.get_ref().client_metadata.get(INVITE);
        let invitation = invite.and_then(|token| self.0.invitation(token, self.0.deps.clock.now()));
        let new = sign_up::SignUp { invitation, ..new };
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
        wire::begins(request)?;
        self.0.client(&request.client_id)?.allows(request.auth_flow())?;
        let begin = wire::begin(request)?;
        if let Some(username) = begin.username() {
            self.0.client(&request.client_id)?.proves_by_hash(&[username], wire::secret_hash(&request.auth_parameters))?;
        }
        Ok(Response::new(wire::initiated(self.begin(request, begin, from).await?)?))
    }

    async fn respond_to_auth_challenge(&self, request: Request<RespondToAuthChallengeRequest>) -> Answer<RespondToAuthChallengeResponse> {
        let from = address(&request);
        let request = request.get_ref();
        wire::answers(request)?;
        let client = self.0.client(&request.client_id)?;
        let (username, given) = wire::answer(&self.0, request)?;
        client.proves_by_hash(&[username], wire::secret_hash(&request.challenge_responses))?;
        let device = wire::device(&self.0, &request.challenge_responses)?;
        let of = challenge_responses::From { client: &client.id, username: username.trim(), session: &request.session, device, from };
        Ok(Response::new(wire::responded(self.answer(of, given).await?)?))
    }

    async fn get_tokens_from_refresh_token(
        &self,
        request: Request<GetTokensFromRefreshTokenRequest>,
    ) -> Answer<GetTokensFromRefreshTokenResponse> {
        let GetTokensFromRefreshTokenRequest { refresh_token, client_id, client_secret, device_key, .. } = request.get_ref();
        rules::present(&[("refreshToken", refresh_token), ("clientId", client_id)])?;
        let device = if device_key.is_empty() { None } else { Some(devices::parse(&self.0, device_key)?) };
        self.0.client(client_id)?.refreshes()?;
        let shown = Shown { proof: Proof::Secret(client_secret), device, scopes: None };
        let tokens = refresh::refresh(&self.0, client_id, refresh_token, shown, true).await?;
        Ok(Response::new(GetTokensFromRefreshTokenResponse { authentication_result: Some(tokens) }))
    }

    async fn get_user(&self, request: Request<GetUserRequest>) -> Answer<GetUserResponse> {
        let Caller { member, .. } = self.bearer(&request, &request.get_ref().access_token).await?;
        let (member, factors) =
            read!(self.0.deps.pool, |conn| Ok((store::member(conn, member).await?, store::factors::of(conn, member).await?)))?;
        let member = member.ok_or_else(|| not_authorized("Invalid Access Token"))?;
        Ok(Response::new(wire::user(&member, &factors, &self.0.deps.pictures)))
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

    async fn list_sessions(&self, request: Request<ListSessionsRequest>) -> Answer<ListSessionsResponse> {
        let caller = self.bearer(&request, &request.get_ref().access_token).await?;
        let found = active_sessions::list(&self.0, &caller).await?;
        Ok(Response::new(ListSessionsResponse { sessions: found.iter().map(|one| wire::to_session(one, &caller)).collect() }))
    }

    async fn end_session(&self, request: Request<EndSessionRequest>) -> Answer<EndSessionResponse> {
        let EndSessionRequest { access_token, session_id } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("sessionId", session_id)])?;
        active_sessions::end(&self.0, &caller, session_id).await?;
        Ok(Response::new(EndSessionResponse {}))
    }

    async fn unlink_provider(&self, request: Request<UnlinkProviderRequest>) -> Answer<UnlinkProviderResponse> {
        let UnlinkProviderRequest { access_token, provider_name, user_id } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("providerName", provider_name), ("userId", user_id)])?;
        links::unlink(&self.0, &caller, provider_name, user_id).await?;
        Ok(Response::new(UnlinkProviderResponse {}))
    }

    async fn update_user_attributes(&self, request: Request<UpdateUserAttributesRequest>) -> Answer<UpdateUserAttributesResponse> {
        let UpdateUserAttributesRequest { user_attributes, access_token, .. } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("userAttributes", user_attributes.first().map_or("", |first| &first.name))])?;
        let said = user_attributes.iter().map(|a| (a.name.as_str(), a.value.as_str()));
        let told = attributes::update(&self.0, &caller, &attributes::rules::changes(said)?, address(&request)).await?;
        Ok(Response::new(UpdateUserAttributesResponse { code_delivery_details_list: told }))
    }

    async fn delete_user_attributes(&self, request: Request<DeleteUserAttributesRequest>) -> Answer<DeleteUserAttributesResponse> {
        let DeleteUserAttributesRequest { user_attribute_names, access_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("userAttributeNames", user_attribute_names.first().map_or("", String::as_str))])?;
        let gone = attributes::rules::removals(user_attribute_names.iter().map(String::as_str))?;
        attributes::update(&self.0, &caller, &gone, None).await?;
        Ok(Response::new(DeleteUserAttributesResponse {}))
    }

    async fn get_user_attribute_verification_code(
        &self,
        request: Request<GetUserAttributeVerificationCodeRequest>,
    ) -> Answer<GetUserAttributeVerificationCodeResponse> {
        let GetUserAttributeVerificationCodeRequest { attribute_name, access_token, .. } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("attributeName", attribute_name)])?;
        let sent = attributes::send_code(&self.0, &caller, Attribute::read(attribute_name)?, address(&request)).await?;
        Ok(Response::new(GetUserAttributeVerificationCodeResponse { code_delivery_details: Some(sent) }))
    }

    async fn verify_user_attribute(&self, request: Request<VerifyUserAttributeRequest>) -> Answer<VerifyUserAttributeResponse> {
        let VerifyUserAttributeRequest { attribute_name, code, access_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        rules::present(&[("attributeName", attribute_name), ("code", code)])?;
        attributes::verify(&self.0, &caller, Attribute::read(attribute_name)?, code, address(&request)).await?;
        Ok(Response::new(VerifyUserAttributeResponse {}))
    }

    async fn delete_user(&self, request: Request<DeleteUserRequest>) -> Answer<DeleteUserResponse> {
        let Caller { member, .. } = self.bearer(&request, &request.get_ref().access_token).await?;
        deletion::delete(&self.0, member).await?;
        Ok(Response::new(DeleteUserResponse {}))
    }

    async fn close_account(&self, request: Request<CloseAccountRequest>) -> Answer<CloseAccountResponse> {
        let CloseAccountRequest { access_token, password } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        closing::close(&self.0, &caller, password).await?;
        Ok(Response::new(CloseAccountResponse {}))
    }

    async fn export_user_data(&self, request: Request<ExportUserDataRequest>) -> Answer<ExportUserDataResponse> {
        let caller = auth::caller(&request)?;
        caller.must_be(&request.get_ref().uid)?;
        Ok(Response::new(ExportUserDataResponse { document: export::for_member(&self.0, caller.member).await? }))
    }

    async fn set_user_settings(&self, request: Request<SetUserSettingsRequest>) -> Answer<SetUserSettingsResponse> {
        let SetUserSettingsRequest { access_token, mfa_options } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let on = wire::settings(mfa_options)?;
        factors::prefer(&self.0, &caller, Some(Wish { on, preferred: false }), None).await?;
        Ok(Response::new(SetUserSettingsResponse {}))
    }

    async fn set_user_mfa_preference(&self, request: Request<SetUserMfaPreferenceRequest>) -> Answer<SetUserMfaPreferenceResponse> {
        let SetUserMfaPreferenceRequest { sms_mfa_settings, software_token_mfa_settings, access_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let (sms, totp) = (sms_mfa_settings.as_ref().map(wire::wish), software_token_mfa_settings.as_ref().map(wire::wish));
        factors::prefer(&self.0, &caller, sms, totp).await?;
        Ok(Response::new(SetUserMfaPreferenceResponse {}))
    }

    async fn associate_software_token(&self, request: Request<AssociateSoftwareTokenRequest>) -> Answer<AssociateSoftwareTokenResponse> {
        let AssociateSoftwareTokenRequest { access_token, session } = request.get_ref();
        if access_token.is_empty() && !session.is_empty() {
            let (secret_code, session) = factors::make_by_ticket(&self.0, session).await?;
            return Ok(Response::new(AssociateSoftwareTokenResponse { secret_code, session: Some(session) }));
        }
        let caller = self.bearer(&request, access_token).await?;
        let secret_code = factors::make(&self.0, caller.member, Right::Session(caller.session)).await?;
        Ok(Response::new(AssociateSoftwareTokenResponse { secret_code, session: None }))
    }

    async fn verify_software_token(&self, request: Request<VerifySoftwareTokenRequest>) -> Answer<VerifySoftwareTokenResponse> {
        let VerifySoftwareTokenRequest { access_token, session, user_code, friendly_device_name } = request.get_ref();
        rules::present(&[("userCode", user_code)])?;
        let friendly_device_name = &crate::text::one_line(friendly_device_name);
        let status = VerifySoftwareTokenStatus::Success.into();
        if access_token.is_empty() && !session.is_empty() {
            let session = factors::verify_by_ticket(&self.0, session, user_code, friendly_device_name).await?;
            return Ok(Response::new(VerifySoftwareTokenResponse { status, session: Some(session) }));
        }
        let caller = self.bearer(&request, access_token).await?;
        let now = self.0.deps.clock.now();
        factors::verify(&self.0, caller.member, (user_code, friendly_device_name), Right::Session(caller.session), now).await?;
        Ok(Response::new(VerifySoftwareTokenResponse { status, session: None }))
    }

    async fn create_recovery_codes(&self, request: Request<CreateRecoveryCodesRequest>) -> Answer<CreateRecoveryCodesResponse> {
        let caller = self.bearer(&request, &request.get_ref().access_token).await?;
        Ok(Response::new(CreateRecoveryCodesResponse { codes: recovery::make(&self.0, &caller).await? }))
    }

    async fn confirm_device(&self, request: Request<ConfirmDeviceRequest>) -> Answer<ConfirmDeviceResponse> {
        let ConfirmDeviceRequest { access_token, device_key, device_secret_verifier_config, device_name } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let necessary = devices::confirm(&self.0, &caller, device_key, device_secret_verifier_config.as_ref(), device_name).await?;
        Ok(Response::new(ConfirmDeviceResponse { user_confirmation_necessary: necessary }))
    }

    async fn get_device(&self, request: Request<GetDeviceRequest>) -> Answer<GetDeviceResponse> {
        let GetDeviceRequest { device_key, access_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let device = devices::get(&self.0, &caller, device_key).await?;
        Ok(Response::new(GetDeviceResponse { device: Some(wire::to_device(&self.0, &device)) }))
    }

    async fn forget_device(&self, request: Request<ForgetDeviceRequest>) -> Answer<ForgetDeviceResponse> {
        let ForgetDeviceRequest { access_token, device_key } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        devices::forget(&self.0, &caller, device_key).await?;
        Ok(Response::new(ForgetDeviceResponse {}))
    }

    async fn update_device_status(&self, request: Request<UpdateDeviceStatusRequest>) -> Answer<UpdateDeviceStatusResponse> {
        let UpdateDeviceStatusRequest { access_token, device_key, .. } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let remembered = match request.get_ref().device_remembered_status() {
            DeviceRememberedStatus::Remembered => true,
            DeviceRememberedStatus::NotRemembered => false,
            DeviceRememberedStatus::Unspecified => return Err(rules::invalid("Missing required parameter DeviceRememberedStatus").into()),
        };
        devices::remember(&self.0, &caller, device_key, remembered).await?;
        Ok(Response::new(UpdateDeviceStatusResponse {}))
    }

    async fn list_devices(&self, request: Request<ListDevicesRequest>) -> Answer<ListDevicesResponse> {
        let ListDevicesRequest { access_token, limit, pagination_token } = request.get_ref();
        let caller = self.bearer(&request, access_token).await?;
        let (found, next) = devices::list(&self.0, &caller, *limit, pagination_token).await?;
        let devices = found.iter().map(|device| wire::to_device(&self.0, device)).collect();
        Ok(Response::new(ListDevicesResponse { devices, pagination_token: next }))
    }
}

fn address<T>(request: &Request<T>) -> Option<IpAddr> {
    request.extensions().get::<ClientAddress>().map(|a| a.0)
}

fn not_authorized(text: &'static str) -> Error {
    Error::new(Reason::NotAuthorized, text)
}
