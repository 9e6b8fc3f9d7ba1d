//! Answers of the user pool, as the wire has them.

use crate::{
    auth::Caller,
    error::Result,
    identity::{
        Member, challenge_session, devices,
        sign_in::Challenge,
        sign_in_flow::{self, Reply},
        steps::Factor,
        store::{devices::Device, factors::Factors, sign_ins::SignIn},
        user_pool::UserPool,
    },
    pb::identity::{
        self as pb, Attribute, ChallengeName, DeliveryMedium, GetUserResponse, InitiateAuthResponse, MfaOption, MfaType,
        RespondToAuthChallengeResponse,
    },
    pictures::Pictures,
};
use time::OffsetDateTime;

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
    Reply::Asked(sign_in_flow::Asked { challenge: ChallengeName::PasswordVerifier, parameters, session: None })
}

/// What the first step answers.
///
/// # Errors
/// NOT_AUTHORIZED for a sign-in of the hosted page, which goes on there.
pub fn initiated(reply: Reply) -> Result<InitiateAuthResponse> {
    Ok(match reply {
        Reply::Tokens(tokens) => InitiateAuthResponse { authentication_result: Some(tokens), ..Default::default() },
        Reply::Waits(_) => return Err(challenge_session::invalid()),
        Reply::Asked(sign_in_flow::Asked { challenge, parameters, session }) => InitiateAuthResponse {
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
pub fn user(member: &Member, factors: &Factors, pictures: &Pictures) -> GetUserResponse {
    let attributes = [
        ("sub", member.id.to_string()),
        ("email", member.email.clone()),
        ("email_verified", "true".to_owned()),
        ("name", member.name.clone()),
        ("given_name", member.given_name.clone()),
        ("family_name", member.family_name.clone()),
        ("zoneinfo", member.time_zone.clone()),
        ("picture", pictures.face(member.picture)),
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
