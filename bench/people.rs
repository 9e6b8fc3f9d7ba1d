//! The members who sign in: they signed up by the server's own RPC, so that their passwords are checked against real verifiers.

use crate::calls::{CLIENT_ID, Rpc, channel};
use anyhow::{Context, Result};
use goodturn::pb::identity::{AuthFlow, InitiateAuthRequest, InitiateAuthResponse, SignUpRequest, SignUpResponse};
use std::collections::HashMap;
use uuid::Uuid;

const PASSWORD: &str = "Correct-horse-7";

/// Somebody with a password.
#[derive(Clone, Debug)]
pub struct Signer {
    /// The member's id.
    pub id: Uuid,
    /// The address.
    pub email: String,
    /// The password.
    pub password: String,
    /// The access token of one sign-in; empty before it.
    pub token: String,
    /// The refresh token that came with it.
    pub refresh_token: String,
}

impl Signer {
    /// Asks for tokens by the plain password.
    pub fn sign_in(&self) -> InitiateAuthRequest {
        InitiateAuthRequest {
            auth_flow: AuthFlow::UserPasswordAuth.into(),
            client_id: CLIENT_ID.to_owned(),
            auth_parameters: HashMap::from([("USERNAME".to_owned(), self.email.clone()), ("PASSWORD".to_owned(), self.password.clone())]),
            ..Default::default()
        }
    }

    /// Asks for tokens by the refresh token.
    pub fn refresh(&self) -> InitiateAuthRequest {
        InitiateAuthRequest {
            auth_flow: AuthFlow::RefreshTokenAuth.into(),
            client_id: CLIENT_ID.to_owned(),
            auth_parameters: HashMap::from([("REFRESH_TOKEN".to_owned(), self.refresh_token.clone())]),
            ..Default::default()
        }
    }
}

/// Signs so many members of a kind up. Their addresses are still to be confirmed.
///
/// # Errors
/// When the server refuses one.
pub async fn sign_up(url: &str, kind: &str, count: usize) -> Result<Vec<Signer>> {
    let mut rpc: Rpc<SignUpRequest, SignUpResponse> = Rpc::to(channel(url).await?, "/goodturn.identity.v1.IdentityService/SignUp");
    let mut signers = Vec::new();
    for n in 0..count {
        let email = format!("{kind}{n}@ring.example");
        let attribute = |name: &str, value: &str| goodturn::pb::identity::Attribute { name: name.to_owned(), value: value.to_owned() };
        let asked = SignUpRequest {
            client_id: CLIENT_ID.to_owned(),
            username: email.clone(),
            password: PASSWORD.to_owned(),
            user_attributes: vec![attribute("name", "Zoe Signer")],
            ..Default::default()
        };
        let id = Uuid::parse_str(&rpc.send((asked, None)).await?.0?.user_sub)?;
        signers.push(Signer { id, email, password: PASSWORD.to_owned(), token: String::new(), refresh_token: String::new() });
    }
    Ok(signers)
}

/// Signs them in, once they are confirmed.
///
/// # Errors
/// When the server refuses one.
pub async fn sign_in(url: &str, signers: &mut [Signer]) -> Result<()> {
    let mut rpc: Rpc<InitiateAuthRequest, InitiateAuthResponse> =
        Rpc::to(channel(url).await?, "/goodturn.identity.v1.IdentityService/InitiateAuth");
    for signer in signers {
        let answer = rpc.send((signer.sign_in(), None)).await?.0?;
        let tokens = answer.authentication_result.context("no tokens were given")?;
        (signer.token, signer.refresh_token) = (tokens.access_token, tokens.refresh_token.unwrap_or_default());
    }
    Ok(())
}
