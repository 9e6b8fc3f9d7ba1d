//! Accounts, sign-in and sessions; and who a member is, for every other area.

mod active_sessions;
mod agent;
pub mod attributes;
mod challenge_responses;
mod challenge_session;
mod challenges;
pub mod clients;
mod closing;
mod code_jobs;
mod codes;
mod common_passwords;
mod confirm;
mod deletion;
mod derive_key;
mod device_proof;
mod devices;
mod email_otp;
mod export;
mod factor_news;
mod factors;
mod hooks;
pub mod key_rotation;
pub mod keys;
mod links;
pub mod lockout;
mod lost_factors;
mod mail;
mod mfa_assurance;
pub mod oauth;
pub mod operations;
mod password_forms;
mod passwords;
mod policy;
pub mod providers;
mod recovery;
mod refresh;
pub mod rules;
pub mod scopes;
mod secret_block;
mod secrets;
mod service;
mod sessions;
mod sign_in;
mod sign_in_flow;
mod sign_up;
mod signing_key;
mod sms;
mod srp;
mod steps;
pub mod store;
mod tokens;
mod totp;
mod user_pool;
#[cfg(test)]
mod vectors;
mod verifier_lookup;
mod wire;

pub use clients::Client;
pub use deletion::{delete as delete_member, steps as delete_member_in};
pub use export::{document as export_member, instant};
pub use factor_news::SendFactorNews;
pub use hooks::Hook;
pub use mail::{SendAttributeCode, SendAttributeSms, SendCode, SendReplaced, SendResetCode, SendSignInCode, harmless};
pub use oauth::{SendLinkCode, SendLinkNews};
pub use policy::{Lives, PasswordPolicy};
pub use providers::Provider;
pub use secrets::Keys;
pub use service::Service;
pub use sign_up::{SignUp, seed_member};
pub use sms::SendSecondFactor;
pub use user_pool::{Mails, Settings, UserPool};

use crate::{
    error::Result,
    ids::{MemberId, PictureId},
    jobs::Sweep,
    pb::common::Person,
    pictures::Pictures,
};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The subject of their tokens.
    pub id: MemberId,
    /// The address, as it was typed.
    pub email: String,
    /// The full name as they typed it.
    pub name: String,
    /// The first name.
    pub given_name: String,
    /// The last name; empty for a name of one word.
    pub family_name: String,
    /// The name that they chose to be shown; `None` means their full name.
    pub display_name: Option<String>,
    /// The picture; its address is `Pictures::face`.
    pub picture: Option<PictureId>,
    /// The number, in E.164.
    pub phone_number: Option<String>,
    /// Whether it was verified.
    pub phone_verified: bool,
    /// An IANA zone.
    pub time_zone: String,
    /// Since when.
    pub created_at: OffsetDateTime,
    /// When the profile last changed.
    pub profile_changed_at: OffsetDateTime,
    /// Who they are at providers, the oldest first.
    pub identities: Vec<Identity>,
}

/// Who a member is at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Identity {
    /// The provider's name.
    pub provider: String,
    /// Its name for the member.
    pub subject: String,
    /// Whether the member came by it: they are called by it then, and their attributes follow it.
    pub made_member: bool,
    /// Since when it is theirs, in seconds since the epoch.
    pub since_s: i64,
}

impl Identity {
    /// What the protocol calls a member who came by it.
    pub fn username(&self) -> String {
        format!("{}_{}", self.provider, self.subject)
    }
}

/// As the protocol tells it.
impl Serialize for Identity {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let mut members = to.serialize_struct("Identity", 6)?;
        members.serialize_field("userId", &self.subject)?;
        members.serialize_field("providerName", &self.provider)?;
        members.serialize_field("providerType", providers::Provider::kind(&self.provider))?;
        members.serialize_field("issuer", &None::<&str>)?;
        members.serialize_field("primary", &self.made_member)?;
        members.serialize_field("dateCreated", &(self.since_s.saturating_mul(1000)))?;
        members.end()
    }
}

impl Member {
    /// The name that others see.
    pub fn display_name(&self) -> String {
        self.display_name.clone().unwrap_or_else(|| self.full_name())
    }

    /// The first and the last name.
    pub fn full_name(&self) -> String {
        full_name(&self.given_name, &self.family_name)
    }

    /// What the protocol calls them: their id, or what a provider does for who came by one.
    pub fn username(&self) -> String {
        self.identities.iter().find(|identity| identity.made_member).map_or_else(|| self.id.to_string(), Identity::username)
    }

    /// The member as others see them; the address only if they may.
    pub fn to_person(&self, show_email: bool, pictures: &Pictures) -> Person {
        let shown = Shown {
            id: self.id,
            email: self.email.clone(),
            given_name: self.given_name.clone(),
            family_name: self.family_name.clone(),
            display_name: self.display_name.clone(),
            picture: self.picture,
        };
        shown.into_person(show_email, pictures)
    }
}

/// What others may see of a member, as lists read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The subject of their tokens.
    pub id: MemberId,
    /// The address, as it was typed. Not for everybody.
    pub email: String,
    /// The first name.
    pub given_name: String,
    /// The last name; empty for a name of one word.
    pub family_name: String,
    /// The name that they chose to be shown; `None` means their full name.
    pub display_name: Option<String>,
    /// The picture.
    pub picture: Option<PictureId>,
}

impl Shown {
    /// As a row has them: id, address, first and last name, display name, and the picture as `PictureId::kept` reads it.
    pub fn kept(
        id: uuid::Uuid,
        email: String,
        (given_name, family_name): (String, String),
        display_name: Option<String>,
        picture: Option<&str>,
    ) -> Self {
        Self { id: MemberId(id), email, given_name, family_name, display_name, picture: PictureId::kept(picture) }
    }

    /// On the wire; the address only if they may know it.
    pub fn into_person(self, show_email: bool, pictures: &Pictures) -> Person {
        Person {
            uid: self.id.to_string(),
            display_name: self.display_name.unwrap_or_else(|| full_name(&self.given_name, &self.family_name)),
            email: if show_email { self.email } else { String::new() },
            first_name: self.given_name,
            last_name: self.family_name,
            profile_picture_url: pictures.face(self.picture),
        }
    }
}

fn full_name(given: &str, family: &str) -> String {
    let name = [given, " ", family].concat();
    let trimmed = name.trim();
    if trimmed.len() == name.len() { name } else { trimmed.to_owned() }
}

/// Removes accounts that were never confirmed, and sessions and tallies that have expired.
pub struct Expired;

#[tonic::async_trait]
impl Sweep for Expired {
    fn name(&self) -> &'static str {
        "identity"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        store::sweep(conn, now).await
    }
}
