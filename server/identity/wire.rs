//! Requests and answers of the user pool, between the wire and the domain.

use super::{
    Member,
    answers::Asked,
    attributes::rules::{self as attributes, Changes},
    devices,
    entry::{self, Reply},
    factors::Wish,
    policy::PasswordPolicy,
    rules,
    sign_in::{Answer, Challenge, Then},
    sign_up::SignUp,
    steps::Factor,
    store::{devices::Device, factors::Factors, sign_ins::SignIn},
    tickets,
    user_pool::UserPool,
};
use crate::{
    auth::Caller,
    error::{Error, Reason, Result},
    ids::DeviceId,
    pb::identity::{
        self as pb, Attribute, AuthFlow, ChallengeName, DeliveryMedium, GetUserResponse, InitiateAuthRequest, InitiateAuthResponse,
        MfaOption, MfaSettings, MfaType, RespondToAuthChallengeRequest, RespondToAuthChallengeResponse, SignUpRequest,
    },
};
use std::collections::HashMap;
use time::OffsetDateTime;

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

/// The challenge of SRP.
pub fn challenge(challenge: Challenge) -> Reply {
    let user_id = challenge.user_id.to_string();
    let parameters = vec![
        ("SRP_B", challenge.srp_b),
        ("SALT", challenge.salt),
        ("SECRET_BLOCK", challenge.secret_block),
        ("USERNAME", user_id.clone()),
        ("USER_ID_FOR_SRP", user_id),
    ];
    Reply::Asked(entry::Asked { challenge: ChallengeName::PasswordVerifier, parameters, session: None })
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

/// What the first step answers.
///
/// # Errors
/// NOT_AUTHORIZED for a sign-in of the hosted page, which goes on there.
pub fn initiated(reply: Reply) -> Result<InitiateAuthResponse> {
    Ok(match reply {
        Reply::Tokens(tokens) => InitiateAuthResponse { authentication_result: Some(tokens), ..Default::default() },
        Reply::Waits(_) => return Err(tickets::invalid()),
        Reply::Asked(entry::Asked { challenge, parameters, session }) => InitiateAuthResponse {
            challenge_name: Some(challenge.into()),
            challenge_parameters: parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            session,
            ..Default::default()
        },
    })
}

/// The same, as a later step answers it.
///
/// # Errors
/// As `initiated`.
pub fn responded(reply: Reply) -> Result<RespondToAuthChallengeResponse> {
    let InitiateAuthResponse { challenge_name, challenge_parameters, session, authentication_result } = initiated(reply)?;
    Ok(RespondToAuthChallengeResponse { challenge_name, challenge_parameters, session, authentication_result })
}

/// Who a member is at providers: JSON in a text; empty for who is at none.
fn identities(member: &Member) -> String {
    if member.identities.is_empty() { String::new() } else { serde_json::json!(member.identities).to_string() }
}

/// Who somebody is, in attributes.
pub fn user(member: &Member, factors: &Factors) -> GetUserResponse {
    let attributes = [
        ("sub", member.id.to_string()),
        ("email", member.email.clone()),
        ("email_verified", "true".to_owned()),
        ("name", member.said_name()),
        ("given_name", member.given_name.clone()),
        ("family_name", member.family_name.clone()),
        ("zoneinfo", member.time_zone.clone()),
        ("picture", member.picture_url.clone()),
        ("identities", identities(member)),
        ("phone_number", member.phone_number.clone().unwrap_or_default()),
        ("phone_number_verified", member.phone_number.as_ref().map(|_| member.phone_verified.to_string()).unwrap_or_default()),
    ];
    let given = attributes.into_iter().filter(|(_, value)| !value.is_empty());
    GetUserResponse {
        username: member.username(),
        user_attributes: given.map(|(name, value)| Attribute { name: name.to_owned(), value }).collect(),
        mfa_options: factors.sms_on.then(sms_option).into_iter().collect(),
        preferred_mfa_setting: factors.preferred.map(|factor| mfa_type(factor).into()),
        user_mfa_setting_list: [(factors.sms_on, Factor::Sms), (factors.totp_on, Factor::Totp)]
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, factor)| mfa_type(factor).into())
            .collect(),
    }
}

fn sms_option() -> MfaOption {
    MfaOption { delivery_medium: DeliveryMedium::Sms.into(), attribute_name: "phone_number".to_owned() }
}

const fn mfa_type(factor: Factor) -> MfaType {
    match factor {
        Factor::Sms => MfaType::Sms,
        Factor::Totp => MfaType::SoftwareToken,
    }
}

/// A device, in attributes.
pub fn to_device(pool: &UserPool, device: &Device) -> pb::Device {
    let status = if device.remembered { "remembered" } else { "not_remembered" };
    let attributes = [("device_status", status), ("device_name", &device.name), ("last_ip_used", &device.last_address)];
    pb::Device {
        device_key: devices::key(pool, device.id),
        device_attributes: attributes
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| Attribute { name: name.to_owned(), value: value.to_owned() })
            .collect(),
        created_s: seconds(device.created_at),
        modified_s: seconds(device.changed_at),
        authenticated_s: seconds(device.signed_in_at),
    }
}

/// Where a member is signed in.
pub fn to_session(of: &SignIn, caller: &Caller) -> pb::Session {
    pb::Session {
        session_id: of.id.to_string(),
        client_id: of.client_id.clone(),
        agent: of.agent.clone(),
        started_s: seconds(of.started_at),
        refreshed_s: of.refreshed_at.map(seconds),
        current: of.id == caller.session,
    }
}

/// Seconds since the epoch, whole.
fn seconds(at: OffsetDateTime) -> f64 {
    // Exact: a double has 53 bits for them.
    at.unix_timestamp() as f64
}
