//! What a sign-in asks next, as its client gets it.

use super::{
    Member,
    challenge_session::{Step, Ticket},
    factors, rules,
    sign_in_flow::{Asked, CODE_LIFE, Entry},
    sign_up,
    steps::{Factor, Next},
    store::factors::Factors,
    user_pool::UserPool,
};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
    pb::identity::ChallengeName,
};
use serde_json::json;
use uuid::Uuid;

/// What follows, asked of a member.
///
/// # Errors
/// ATTEMPTS_EXCEEDED when too many SMS were sent; NOT_AUTHORIZED when none can be.
pub async fn next(pool: &UserPool, entry: &Entry, of: &Member, (next, has, proof): (Next, &Factors, [u8; 16])) -> Result<Asked> {
    let ticket = |step| entry.ticket(step, of.id, proof, pool.deps.clock.now());
    let user = ("USER_ID_FOR_SRP", of.id.to_string());
    let (challenge, step, parameters) = match next {
        Next::NewPassword => {
            let attributes = json!({"email": of.email, "email_verified": "true", "name": of.name,
                "given_name": of.given_name, "family_name": of.family_name});
            let parameters = vec![("userAttributes", attributes.to_string()), ("requiredAttributes", "[]".to_owned()), user];
            (ChallengeName::NewPasswordRequired, Step::NewPassword, parameters)
        }
        Next::Factor(Factor::Sms) => return sms(pool, entry, of.id, has, proof).await,
        Next::Factor(Factor::Totp) => return factor(pool, entry, of.id, (has, None), proof),
        Next::Select => {
            let choice = json!(["SMS_MFA", "SOFTWARE_TOKEN_MFA"]).to_string();
            (ChallengeName::SelectMfaType, Step::Select, vec![("MFAS_CAN_CHOOSE", choice), user])
        }
        Next::SetUp => (ChallengeName::MfaSetup, Step::SetUp, vec![("MFAS_CAN_SETUP", json!(["SOFTWARE_TOKEN_MFA"]).to_string()), user]),
        // Not all clients hand the state back with what they answer: that it is awaited stands in a row.
        Next::Device | Next::Done => (ChallengeName::DeviceSrpAuth, Step::Device, Vec::new()),
    };
    Ok(Asked { challenge, parameters, session: Some(ticket(step).seal(pool)?) })
}

/// Sends a code by SMS, and asks for it.
async fn sms(pool: &UserPool, entry: &Entry, member: MemberId, has: &Factors, proof: [u8; 16]) -> Result<Asked> {
    if !pool.settings.sms {
        // Whoever has no other factor does not get in without one.
        return Err(Error::new(Reason::NotAuthorized, "We can't send text messages right now."));
    }
    let code = factors::send(pool, member, pool.deps.clock.now()).await?;
    factor(pool, entry, member, (has, Some(code)), proof)
}

/// Asks for the code that was sent by SMS, or for one of the authenticator when none was.
pub fn factor(pool: &UserPool, entry: &Entry, member: MemberId, (has, code): (&Factors, Option<Uuid>), proof: [u8; 16]) -> Result<Asked> {
    let now = pool.deps.clock.now();
    let user = ("USER_ID_FOR_SRP", member.to_string());
    let Some(code) = code else {
        let session = entry.ticket(Step::Totp, member, proof, now).seal(pool)?;
        let parameters = vec![("FRIENDLY_DEVICE_NAME", has.totp_name.clone()), user];
        return Ok(Asked { challenge: ChallengeName::SoftwareTokenMfa, parameters, session: Some(session) });
    };
    let ticket = entry.ticket(Step::Sms, member, proof, now);
    let ticket = Ticket { code: Some(code), until_s: (now + CODE_LIFE).unix_timestamp(), ..ticket };
    let parameters = vec![
        ("CODE_DELIVERY_DELIVERY_MEDIUM", "SMS".to_owned()),
        ("CODE_DELIVERY_DESTINATION", rules::masked_phone(has.phone.as_deref().unwrap_or_default())),
        user,
    ];
    Ok(Asked { challenge: ChallengeName::SmsMfa, parameters, session: Some(ticket.seal(pool)?) })
}

/// Asks for a code that was sent by mail, in place of a password.
pub fn custom(pool: &UserPool, entry: &Entry, (member, username): (MemberId, &str), proof: [u8; 16], code: Uuid) -> Result<Asked> {
    let now = pool.deps.clock.now();
    let ticket = entry.ticket(Step::Custom, member, proof, now);
    let ticket = Ticket { code: Some(code), until_s: (now + CODE_LIFE).unix_timestamp(), ..ticket };
    let parameters = vec![
        ("USERNAME", username.to_owned()),
        ("CODE_DELIVERY_DELIVERY_MEDIUM", "EMAIL".to_owned()),
        ("CODE_DELIVERY_DESTINATION", sign_up::told(username).destination),
    ];
    Ok(Asked { challenge: ChallengeName::CustomChallenge, parameters, session: Some(ticket.seal(pool)?) })
}
