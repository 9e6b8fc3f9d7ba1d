//! Requests and answers of the user pool, between the wire and the domain.

mod told;

pub use told::{challenge, initiated, responded, to_device, to_session, user};

use super::{
    attributes::rules::{self as attributes, Changes},
    challenge_responses::Asked,
    devices,
    factors::Wish,
    policy::PasswordPolicy,
    rules,
    sign_in::{Answer, Then},
    sign_up::SignUp,
    user_pool::UserPool,
};
use crate::{
    error::{Error, Reason, Result},
    ids::DeviceId,
    pb::identity::{
        Attribute, AuthFlow, ChallengeName, DeliveryMedium, InitiateAuthRequest, MfaOption, MfaSettings, RespondToAuthChallengeRequest,
        SignUpRequest,
    },
};
use std::collections::HashMap;

/// What the names of attributes begin with among the answers to a challenge.
const ATTRIBUTE: &str = "userAttributes.";

/// Reads a sign-up.
///
/// # Errors
/// INVALID_PARAMETER or INVALID_PASSWORD.
pub fn sign_up(request: &SignUpRequest, policy: &PasswordPolicy) -> Result<SignUp> {
    let email = request.username.trim();
    if !rules::is_email(email) {
        return Err(rules::invalid("Username should be an email."));
    }
    let (mut name, mut given, mut family, mut zone) = ("", "", "", "UTC".to_owned());
    for Attribute { name: attribute, value } in &request.user_attributes {
        match attribute.as_str() {
            "email" if value.trim().eq_ignore_ascii_case(email) => {}
            "email" => return Err(rules::schema("email", "must be the same as the username")),
            "name" => name = value,
            "given_name" => given = value,
            "family_name" => family = value,
            "zoneinfo" => zone = rules::zone(value).ok_or_else(|| rules::schema("zoneinfo", "must be an IANA time zone"))?,
            other => return Err(rules::schema(other, "Attribute does not exist in schema.")),
        }
    }
    let name = rules::name(name, given, family)?;
    policy.check(&request.password)?;
    Ok(SignUp { email: email.to_owned(), password: request.password.clone(), name, time_zone: zone, invitation: None })
}

/// How a sign-in begins.
pub enum Begin<'a> {
    /// By SRP.
    Srp { username: &'a str, a: &'a str, then: Then },
    /// With the password.
    Password { username: &'a str, password: &'a str },
    /// By a code that is sent.
    Code { username: &'a str },
    /// With a refresh token.
    Refresh { token: &'a str },
}

impl<'a> Begin<'a> {
    /// Whom it is about, as far as it says.
    pub const fn username(&self) -> Option<&'a str> {
        match self {
            Self::Srp { username, .. } | Self::Password { username, .. } | Self::Code { username } => Some(username),
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
/// INVALID_PARAMETER for what is missing.
pub fn begin(request: &InitiateAuthRequest) -> Result<Begin<'_>> {
    let flow = request.auth_flow();
    let parameters = Parameters(&request.auth_parameters);
    match flow {
        AuthFlow::UserSrpAuth => Ok(Begin::Srp { username: parameters.need("USERNAME")?, a: parameters.need("SRP_A")?, then: Then::Steps }),
        AuthFlow::UserPasswordAuth => {
            Ok(Begin::Password { username: parameters.need("USERNAME")?, password: parameters.need("PASSWORD")? })
        }
        AuthFlow::RefreshTokenAuth => Ok(Begin::Refresh { token: parameters.need("REFRESH_TOKEN")? }),
        // Clients that know the password show it first.
        AuthFlow::CustomAuth if parameters.get("CHALLENGE_NAME") == "SRP_A" => {
            Ok(Begin::Srp { username: parameters.need("USERNAME")?, a: parameters.need("SRP_A")?, then: Then::Code })
        }
        AuthFlow::CustomAuth => Ok(Begin::Code { username: parameters.need("USERNAME")? }),
        AuthFlow::Unspecified => Err(Error::new(Reason::UnsupportedOperation, "Auth flow not enabled for this client")),
    }
}

/// The device that parameters name; `None` when they name none.
///
/// # Errors
/// RESOURCE_NOT_FOUND for what can be none.
pub fn device(pool: &UserPool, parameters: &HashMap<String, String>) -> Result<Option<DeviceId>> {
    let key = Parameters(parameters).get("DEVICE_KEY");
    if key.is_empty() { Ok(None) } else { devices::parse(pool, key).map(Some) }
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

/// An answer to a challenge.
pub enum Given<'a> {
    /// The proof of the password.
    Password(Answer<'a>),
    /// A password of one's own, and what else is set with it.
    NewPassword { password: &'a str, changes: Changes },
    /// A code.
    Code(Asked, &'a str),
    /// Which second factor.
    Choice(&'a str),
    /// A second factor was set up.
    IsSetUp,
    /// The public number of a device, and its key.
    Device { key: &'a str, a: &'a str },
    /// The proof of a device.
    DeviceProof(Answer<'a>),
}

/// Reads the answer to a challenge, and who gives it.
///
/// # Errors
/// INVALID_PARAMETER for what is missing, and for attributes that cannot be set.
pub fn answer<'a>(pool: &UserPool, request: &'a RespondToAuthChallengeRequest) -> Result<(&'a str, Given<'a>)> {
    let parameters = Parameters(&request.challenge_responses);
    let given = match request.challenge_name() {
        ChallengeName::PasswordVerifier => Given::Password(proof(pool, &parameters)?),
        ChallengeName::NewPasswordRequired => {
            let said = parameters.0.iter().filter_map(|(name, value)| Some((name.strip_prefix(ATTRIBUTE)?, value.as_str())));
            Given::NewPassword { password: parameters.need("NEW_PASSWORD")?, changes: attributes::changes(said)? }
        }
        ChallengeName::SmsMfa => Given::Code(Asked::Sms, parameters.need("SMS_MFA_CODE")?),
        ChallengeName::SoftwareTokenMfa => Given::Code(Asked::Totp, parameters.need("SOFTWARE_TOKEN_MFA_CODE")?),
        ChallengeName::CustomChallenge => Given::Code(Asked::Custom, parameters.need("ANSWER")?),
        ChallengeName::SelectMfaType => Given::Choice(parameters.need("ANSWER")?),
        ChallengeName::MfaSetup => Given::IsSetUp,
        ChallengeName::DeviceSrpAuth => Given::Device { key: parameters.need("DEVICE_KEY")?, a: parameters.need("SRP_A")? },
        ChallengeName::DevicePasswordVerifier => {
            parameters.need("DEVICE_KEY")?;
            Given::DeviceProof(proof(pool, &parameters)?)
        }
        ChallengeName::Unspecified => return Err(rules::invalid("Challenge response is not supported")),
    };
    Ok((parameters.need("USERNAME")?, given))
}

fn proof<'a>(pool: &UserPool, parameters: &Parameters<'a>) -> Result<Answer<'a>> {
    Ok(Answer {
        username: parameters.need("USERNAME")?,
        secret_block: parameters.need("PASSWORD_CLAIM_SECRET_BLOCK")?,
        signature: parameters.need("PASSWORD_CLAIM_SIGNATURE")?,
        timestamp: parameters.need("TIMESTAMP")?,
        device: device(pool, parameters.0)?,
    })
}

struct Parameters<'a>(&'a HashMap<String, String>);

impl<'a> Parameters<'a> {
    /// Empty when it is not there.
    fn get(&self, name: &'static str) -> &'a str {
        self.0.get(name).map_or("", String::as_str)
    }

    fn need(&self, name: &'static str) -> Result<&'a str> {
        let value = Some(self.get(name)).filter(|value| !value.is_empty());
        value.ok_or_else(|| rules::invalid(format!("Missing required parameter {name}")))
    }
}

/// Whether SMS is to be a second factor.
///
/// # Errors
/// INVALID_PARAMETER for another means.
pub fn settings(options: &[MfaOption]) -> Result<bool> {
    let good = |option: &MfaOption| option.delivery_medium() == DeliveryMedium::Sms && option.attribute_name == "phone_number";
    if options.iter().all(good) {
        return Ok(!options.is_empty());
    }
    Err(rules::invalid("MFAOptions must be DeliveryMedium SMS with AttributeName phone_number"))
}

/// What a member asks of a second factor.
pub const fn wish(settings: &MfaSettings) -> Wish {
    Wish { on: settings.enabled, preferred: settings.preferred_mfa }
}
