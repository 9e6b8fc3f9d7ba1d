//! Requests and answers of the user pool, between the wire and the domain.

use super::{
    Member,
    policy::PasswordPolicy,
    rules,
    sign_in::{Answer, Challenge},
    sign_up::SignUp,
};
use crate::{
    error::{Error, Reason, Result},
    pb::identity::{
        Attribute, AuthFlow, AuthenticationResult, ChallengeName, GetUserResponse, InitiateAuthRequest, InitiateAuthResponse,
        RespondToAuthChallengeRequest, RespondToAuthChallengeResponse, SignUpRequest,
    },
};
use std::collections::HashMap;

/// Reads a sign-up.
///
/// # Errors
/// INVALID_PARAMETER or INVALID_PASSWORD.
pub fn sign_up(request: &SignUpRequest, policy: &PasswordPolicy) -> Result<SignUp> {
    let email = request.username.trim();
    if !rules::is_email(email) {
        return Err(rules::invalid("Username should be an email."));
    }
    let (mut name, mut given, mut family, mut zone) = ("", "", "", "UTC");
    for Attribute { name: attribute, value } in &request.user_attributes {
        match attribute.as_str() {
            "email" if value.trim().eq_ignore_ascii_case(email) => {}
            "email" => return Err(rules::schema("email", "must be the user name")),
            "name" => name = value,
            "given_name" => given = value,
            "family_name" => family = value,
            "zoneinfo" if rules::is_zone(value) => zone = value,
            "zoneinfo" => return Err(rules::schema("zoneinfo", "must be an IANA zone")),
            other => return Err(rules::schema(other, "Attribute does not exist in schema.")),
        }
    }
    let name = rules::name(name, given, family)?;
    policy.check(&request.password)?;
    Ok(SignUp { email: email.to_owned(), password: request.password.clone(), name, time_zone: zone.to_owned() })
}

/// How a sign-in begins.
pub enum Begin<'a> {
    /// By SRP.
    Srp { username: &'a str, a: &'a str },
    /// With the password.
    Password { username: &'a str, password: &'a str },
    /// With a refresh token.
    Refresh { token: &'a str },
}

impl<'a> Begin<'a> {
    /// Whom it is about, as far as it says.
    pub const fn username(&self) -> Option<&'a str> {
        match self {
            Self::Srp { username, .. } | Self::Password { username, .. } => Some(username),
            Self::Refresh { .. } => None,
        }
    }
}

/// The proof of a client's secret among parameters; empty when there is none.
pub fn secret_hash(parameters: &HashMap<String, String>) -> &str {
    parameters.get("SECRET_HASH").map_or("", String::as_str)
}

/// Refuses a sign-in that says neither how nor by what client.
///
/// # Errors
/// INVALID_PARAMETER.
pub fn begins(request: &InitiateAuthRequest) -> Result<()> {
    let flow = request.auth_flow();
    let flow_name = if flow == AuthFlow::Unspecified { "" } else { flow.as_str_name() };
    rules::present(&[("authFlow", flow_name), ("clientId", &request.client_id)])
}

/// Reads how a sign-in begins.
///
/// # Errors
/// INVALID_PARAMETER for what is missing; NOT_BUILT_YET for flows of a later release.
pub fn begin(request: &InitiateAuthRequest) -> Result<Begin<'_>> {
    let flow = request.auth_flow();
    let parameters = Parameters(&request.auth_parameters);
    match flow {
        AuthFlow::UserSrpAuth => Ok(Begin::Srp { username: parameters.need("USERNAME")?, a: parameters.need("SRP_A")? }),
        AuthFlow::UserPasswordAuth => {
            Ok(Begin::Password { username: parameters.need("USERNAME")?, password: parameters.need("PASSWORD")? })
        }
        AuthFlow::RefreshTokenAuth => Ok(Begin::Refresh { token: parameters.need("REFRESH_TOKEN")? }),
        AuthFlow::CustomAuth => Err(Error::new(Reason::NotBuiltYet, "this flow comes in a later release")),
        AuthFlow::Unspecified => Err(Error::new(Reason::UnsupportedOperation, "Auth flow not enabled for this client")),
    }
}

/// Refuses an answer that says neither to what nor by what client.
///
/// # Errors
/// INVALID_PARAMETER.
pub fn answers(request: &RespondToAuthChallengeRequest) -> Result<()> {
    let challenge = request.challenge_name();
    let challenge_name = if challenge == ChallengeName::Unspecified { "" } else { challenge.as_str_name() };
    rules::present(&[("challengeName", challenge_name), ("clientId", &request.client_id)])
}

/// Reads the answer to a challenge.
///
/// # Errors
/// INVALID_PARAMETER for what is missing; NOT_BUILT_YET for challenges of a later release.
pub fn answer(request: &RespondToAuthChallengeRequest) -> Result<Answer<'_>> {
    let parameters = Parameters(&request.challenge_responses);
    match request.challenge_name() {
        ChallengeName::PasswordVerifier => Ok(Answer {
            username: parameters.need("USERNAME")?,
            secret_block: parameters.need("PASSWORD_CLAIM_SECRET_BLOCK")?,
            signature: parameters.need("PASSWORD_CLAIM_SIGNATURE")?,
            timestamp: parameters.need("TIMESTAMP")?,
        }),
        ChallengeName::Unspecified
        | ChallengeName::NewPasswordRequired
        | ChallengeName::SmsMfa
        | ChallengeName::SoftwareTokenMfa
        | ChallengeName::SelectMfaType
        | ChallengeName::MfaSetup
        | ChallengeName::CustomChallenge
        | ChallengeName::DeviceSrpAuth
        | ChallengeName::DevicePasswordVerifier => Err(Error::new(Reason::NotBuiltYet, "this challenge comes in a later release")),
    }
}

struct Parameters<'a>(&'a HashMap<String, String>);

impl<'a> Parameters<'a> {
    fn need(&self, name: &'static str) -> Result<&'a str> {
        let value = self.0.get(name).map(String::as_str).filter(|v| !v.is_empty());
        value.ok_or_else(|| rules::invalid(format!("Missing required parameter {name}")))
    }
}

/// The challenge of SRP.
pub fn challenge(challenge: Challenge) -> InitiateAuthResponse {
    let user_id = challenge.user_id.to_string();
    let parameters = [
        ("SRP_B", challenge.srp_b),
        ("SALT", challenge.salt),
        ("SECRET_BLOCK", challenge.secret_block),
        ("USERNAME", user_id.clone()),
        ("USER_ID_FOR_SRP", user_id),
    ];
    InitiateAuthResponse {
        challenge_name: Some(ChallengeName::PasswordVerifier.into()),
        challenge_parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(),
        ..Default::default()
    }
}

/// Tokens, as the first step answers them.
pub fn initiated(tokens: AuthenticationResult) -> InitiateAuthResponse {
    InitiateAuthResponse { authentication_result: Some(tokens), ..Default::default() }
}

/// Tokens, as a later step answers them.
pub fn responded(tokens: AuthenticationResult) -> RespondToAuthChallengeResponse {
    RespondToAuthChallengeResponse { authentication_result: Some(tokens), ..Default::default() }
}

/// Who somebody is, in attributes.
pub fn user(member: &Member) -> GetUserResponse {
    let attributes = [
        ("sub", member.id.to_string()),
        ("email", member.email.clone()),
        ("email_verified", "true".to_owned()),
        ("name", member.said_name()),
        ("given_name", member.given_name.clone()),
        ("family_name", member.family_name.clone()),
        ("zoneinfo", member.time_zone.clone()),
        ("picture", member.picture_url.clone()),
        ("phone_number", member.phone_number.clone().unwrap_or_default()),
        ("phone_number_verified", member.phone_number.as_ref().map(|_| member.phone_verified.to_string()).unwrap_or_default()),
    ];
    let given = attributes.into_iter().filter(|(_, value)| !value.is_empty());
    GetUserResponse {
        username: member.id.to_string(),
        user_attributes: given.map(|(name, value)| Attribute { name: name.to_owned(), value }).collect(),
        ..Default::default()
    }
}
