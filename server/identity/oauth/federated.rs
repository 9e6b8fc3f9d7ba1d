//! Who comes back from a provider: a member whom it made or who has linked it, a new one, or somebody with an account here who has to show once
//! that it is theirs.

use super::{
    Face,
    authorize::{self, Granted},
    browser::Browser,
    link::{self, Link},
    page::{self, SignIn},
    request::Asked,
    store::{self, Key, Names},
    texts::pages,
};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    identity::{
        self, mfa_assurance, rules,
        store::{
            accounts::{self, NewMember},
            attributes, awaited, email_key, factors, registrations,
            sessions::{self, Session},
        },
    },
    ids::MemberId,
    transact,
};
use axum::{http::StatusCode, response::Response};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::net::IpAddr;
use time::OffsetDateTime;

const SUBJECT_CHARS_MAX: usize = 255;

/// Who somebody is, as a provider says.
#[derive(Debug)]
pub struct Person {
    /// Its name for them.
    pub subject: String,
    /// Their address, where it has verified it.
    pub email: Option<String>,
    /// What they are called; `None` when nothing can be made of what it says.
    pub name: Option<rules::Name>,
    /// An IANA zone.
    pub time_zone: Option<String>,
    /// When the provider asked them who they are, where it says.
    pub asked_at: Option<OffsetDateTime>,
}

impl Person {
    /// Reads the claims of an id token, and what the provider told beside it of the same person; and when they were asked, where it said so.
    pub fn read(claims: &Value, more: &Value, asked_at: Option<OffsetDateTime>) -> Option<Self> {
        let subject = claims["sub"].as_str()?;
        let plain = (1..=SUBJECT_CHARS_MAX).contains(&subject.len()) && subject.bytes().all(|b| b.is_ascii_graphic());
        // Of somebody else: OpenID Connect Core, 5.3.4.
        let same = more.is_null() || more["sub"].as_str() == Some(subject);
        if !plain || !same {
            return None;
        }
        let text = |name: &str| claims[name].as_str().or(more[name].as_str()).unwrap_or_default().trim();
        let source = if claims.get("email").is_some() { claims } else { more };
        let verified = source["email_verified"] == Value::Bool(true) || source["email_verified"] == "true";
        let email = text("email");
        Some(Self {
            subject: subject.to_owned(),
            email: (verified && rules::is_email(email)).then(|| email.to_owned()),
            name: rules::name(text("name"), text("given_name"), text("family_name")).ok(),
            time_zone: rules::zone(text("zoneinfo")),
            asked_at,
        })
    }

    /// What they are called; before the sign of their address, when nothing else is known.
    fn called(&self, email: &str) -> Result<rules::Name> {
        let local = email.split('@').next().unwrap_or_default();
        self.name.clone().map_or_else(|| rules::name(local, "", ""), Ok)
    }
}

/// How it ends.
enum End {
    Back(Granted),
    Prove(Link),
    Refused(String),
}

/// Goes on with who came back from a provider.
pub async fn arrive(
    face: &Face,
    browser: &Browser,
    asked: &Asked,
    (provider, person): (&str, &Person),
    from: Option<IpAddr>,
) -> Result<Response> {
    let pool = &face.pool;
    let (client, network, now) = (pool.client(&asked.client)?, pool.network(from), pool.deps.clock.now());
    // Random, not of the time, like that of any member.
    let new = MemberId(uuid::Builder::from_random_bytes(pool.deps.ids.bytes()).into_uuid());
    let end = transact!(pool.deps.pool, |tx| {
        let authenticated_at = person.asked_at;
        let session = |member| Session { authenticated_at, ..pool.new_session(member, client, network, now).waiting(asked.scopes) };
        if let Some(found) = store::member_at(tx, provider, &person.subject).await? {
            return again(face, tx, (browser, asked), (provider, &found, person), &session(found.member), now).await;
        }
        let Some(email) = &person.email else { return Ok(End::Refused(format!("{provider} {}", pages::NOT_VERIFIED))) };
        match identity::store::member_by_email(tx, email).await? {
            // Made by the same visit in another window, a moment ago.
            Some(_) if store::member_at(tx, provider, &person.subject).await?.is_some() => Err(lost()),
            // Never silently: whoever runs the provider would be everybody.
            Some(member) => link::begin(face, tx, browser, asked, (provider, person, &member)).await.map(End::Prove),
            None => admit(face, tx, (browser, asked), (provider, person, email), &session(new), now).await.map(End::Back),
        }
    })?;
    Ok(match end {
        End::Back(granted) => granted.back(face, asked),
        End::Prove(link) => page::link(face, browser, asked, StatusCode::OK, (&link, "")),
        End::Refused(text) => page::sign_in(face, browser, asked, StatusCode::FORBIDDEN, &SignIn { wrong: &text, ..Default::default() }),
    })
}

/// Signs a member in, whose attributes follow the provider when they came by it.
async fn again(
    face: &Face,
    tx: &mut Tx,
    of: (&Browser, &Asked),
    (provider, found, person): (&str, &store::Found, &Person),
    session: &Session,
    now: OffsetDateTime,
) -> Result<End> {
    let member = found.member;
    let mut renamed = false;
    // Looked at once more under the lock: it may have been unlinked since, or the member kept out.
    let still = accounts::lock(tx, member).await? && store::member_at(tx, provider, &person.subject).await?.as_ref() == Some(found);
    if !still {
        return Err(lost());
    }
    if !found.enabled {
        return Ok(End::Refused(pages::DISABLED.to_owned()));
    }
    if found.made_member {
        if let Some(name) = &person.name {
            let names = Names { name: &name.whole, given_name: &name.given, family_name: &name.family };
            renamed = store::follow(tx, member, &names, now).await?;
        }
        if let Some(email) = &person.email {
            moved_to(tx, member, email, now).await?;
        }
    }
    // One that was linked may have been so before there was a second factor, by who knew the password alone: it shows none.
    let precedes_factor = !found.made_member && mfa_assurance::is_on(&factors::of(tx, member).await?);
    let granted = authorize::begin(face, tx, of, &Session { precedes_factor, ..session.clone() }, provider).await?;
    if renamed {
        face.pool.renamed(tx, member).await?;
    }
    Ok(End::Back(granted))
}

/// Another address: what was sent to the one before, and what was shown with it, lets nobody in any more.
async fn moved_to(tx: &mut Tx, member: MemberId, email: &str, now: OffsetDateTime) -> Result<()> {
    if let Some(before) = store::follow_email(tx, member, email, &email_key(email), now).await? {
        attributes::void_resets(tx, member, now).await?;
        accounts::begin_anew(tx, member, now).await?;
        awaited::remove_all(tx, member).await?;
        sessions::keep_name(tx, member, &before).await?;
    }
    Ok(())
}

/// Makes a member of somebody who is none.
async fn admit(
    face: &Face,
    tx: &mut Tx,
    of: (&Browser, &Asked),
    (provider, person, email): (&str, &Person, &str),
    session: &Session,
    now: OffsetDateTime,
) -> Result<Granted> {
    let name = person.called(email)?;
    // The provider has shown whose address it is: who else waits there has not.
    registrations::lock_at(tx, email).await?;
    registrations::remove_at(tx, email).await?;
    let member = NewMember {
        id: session.member,
        email,
        name: &name.whole,
        given_name: &name.given,
        family_name: &name.family,
        time_zone: person.time_zone.as_deref().unwrap_or("UTC"),
        verifier: None,
    };
    let made = accounts::insert(tx, &member, now).await?;
    if !made || !store::insert_identity(tx, (provider, &person.subject), member.id, true, now).await? {
        return Err(lost());
    }
    let granted = authorize::begin(face, tx, of, session, provider).await?;
    face.pool.confirmed(tx, member.id).await?;
    Ok(granted)
}

/// Somebody came by at the same moment: all is looked at again.
fn lost() -> Error {
    Error::new(Reason::Conflict, "changed at the same time; try again")
}

/// What must be known at the end of a sign-in that is underway, for its row alone.
pub fn seal(face: &Face, id: &Key, what: &impl Serialize) -> Vec<u8> {
    let plain = serde_json::to_vec(what).unwrap_or_default();
    face.pool.settings.keys.seal(face.ids(), &label(id), &plain)
}

/// The same again.
pub fn open<T: DeserializeOwned>(face: &Face, id: &Key, sealed: &[u8]) -> Option<T> {
    serde_json::from_slice(&face.pool.settings.keys.open(&label(id), sealed)?).ok()
}

/// What binds it to its row.
pub fn label(id: &[u8]) -> Vec<u8> {
    [b"federated sign-in".as_slice(), id].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_person_is_read_from_what_the_provider_has_verified() {
        let read = |claims: Value, more: Value| Person::read(&claims, &more, None);
        let email = |claims: Value, more: Value| read(claims, more).unwrap().email;
        let ana = json!({"sub": "1", "email": "ana@example.org", "email_verified": true, "name": "Ana Silva", "zoneinfo": "Europe/Lisbon"});
        let person = read(ana.clone(), Value::Null).unwrap();
        assert_eq!((person.email.as_deref(), person.time_zone.as_deref()), (Some("ana@example.org"), Some("Europe/Lisbon")));
        assert_eq!(person.name.unwrap().given, "Ana");
        assert_eq!(email(json!({"sub": "1", "email": "a@b.co", "email_verified": "true"}), Value::Null).as_deref(), Some("a@b.co"));
        assert_eq!(email(json!({"sub": "1"}), ana.clone()).as_deref(), Some("ana@example.org"));
        for unverified in [json!({}), json!({"email_verified": false}), json!({"email_verified": 1}), json!({"email_verified": "yes"})] {
            let mut claims = json!({"sub": "1", "email": "a@b.co"});
            claims.as_object_mut().unwrap().extend(unverified.as_object().unwrap().clone());
            assert_eq!(email(claims.clone(), Value::Null), None);
            // What it has verified is another address.
            assert_eq!(email(claims, ana.clone()), None);
        }
        assert!(read(json!({"sub": "2"}), ana).is_none(), "another person's");
        for sub in [json!(""), json!(7), json!("a b"), json!("a\u{0}"), json!("x".repeat(256))] {
            assert!(read(json!({"sub": sub}), Value::Null).is_none());
        }
    }
}
