//! Linking: somebody came by a provider with the address of a member, and shows once that the account is theirs, by its password or by a code to
//! the address.

mod by_code;

pub use by_code::{by_code, send};

use super::{
    Face, authorize,
    browser::Browser,
    federated::{self, Person},
    form::Parameters,
    mail::SendLinkNews,
    page, reply,
    request::Asked,
    sign_in::{From, address},
    steps,
    store::{self, Key, Underway},
    texts::pages,
};
use crate::{
    budgets::{self, Spending},
    db::Tx,
    error::{Error, Reason, Result},
    identity::{
        self, Member,
        clients::Mfa,
        mfa_assurance::{self, Past},
        sign_in,
        store::{accounts, factors, sessions::Session},
    },
    ids::MemberId,
    jobs, transact,
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use std::{net::IpAddr, sync::Arc};
use time::{Duration, OffsetDateTime};

/// How long somebody has for it, once they were asked or were sent a code.
pub const LIFE: Duration = Duration::minutes(15);

/// A link that waits to be proved.
pub struct Link {
    /// What the forms name it by.
    pub token: String,
    /// The provider.
    pub provider: String,
    /// The member's address.
    pub email: String,
}

/// What must be known at its end.
#[derive(Serialize, Deserialize)]
struct Pending {
    asked: Asked,
    provider: String,
    subject: String,
}

/// Begins one, for a browser.
pub async fn begin(
    face: &Face,
    tx: &mut Tx,
    browser: &Browser,
    asked: &Asked,
    (provider, person, member): (&str, &Person, &Member),
) -> Result<Link> {
    let token = URL_SAFE_NO_PAD.encode(face.ids().bytes::<32>());
    let pending = Pending { asked: asked.clone(), provider: provider.to_owned(), subject: person.subject.clone() };
    let id = key(face, &token);
    let sealed = federated::seal(face, &id, &pending);
    let row = Underway {
        id,
        browser: browser.key(face),
        sealed,
        member: Some(member.id),
        code: None,
        expires_at: face.pool.deps.clock.now() + LIFE,
    };
    store::insert_underway(tx, &row).await?;
    Ok(Link { token, provider: provider.to_owned(), email: member.email.clone() })
}

/// One that was found again, for the browser that it was given to.
struct Found {
    owner: Key,
    id: Key,
    pending: Pending,
    member: Member,
    link: Link,
}

async fn find(face: &Face, browser: &Browser, token: &str) -> Result<Option<Found>> {
    let (id, owner, now) = (key(face, token), browser.key(face), face.pool.deps.clock.now());
    let found = transact!(face.pool.deps.pool, |tx| {
        let Some(row) = store::lock_underway(tx, &id, &owner, now).await? else { return Ok(None) };
        let member = match row.member {
            Some(member) => identity::store::member(tx, member).await?,
            None => None,
        };
        Ok(federated::open::<Pending>(face, &id, &row.sealed).zip(member))
    })?;
    Ok(found.map(|(pending, member)| {
        let link = Link { token: token.to_owned(), provider: pending.provider.clone(), email: member.email.clone() };
        Found { owner, id, pending, member, link }
    }))
}

/// A form of a link that came back.
struct Filled {
    browser: Browser,
    fields: Parameters,
    found: Found,
}

async fn filled(face: &Face, headers: &HeaderMap, body: Body) -> Result<Filled, Response> {
    let strange = || page::failure(StatusCode::BAD_REQUEST, pages::TOO_LATE);
    let fields = Parameters::of_form(headers, body).await.map_err(|e| reply::page_failure(&e))?;
    let browser = Browser::of(face, headers).ok_or_else(strange)?;
    let found = find(face, &browser, fields.field("link")).await.map_err(|e| reply::page_failure(&e))?;
    Ok(Filled { browser, fields, found: found.ok_or_else(strange)? })
}

/// By the account's password.
pub async fn by_password(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let filled = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    proved_by_password(&face, &filled, address(&from)).await.unwrap_or_else(|failure| {
        failure.log();
        let shown = (&filled.found.link, reply::words(&failure));
        page::link(&face, &filled.browser, &filled.found.pending.asked, reply::status(failure.reason()), shown)
    })
}

async fn proved_by_password(face: &Face, Filled { browser, fields, found }: &Filled, from: Option<IpAddr>) -> Result<Response> {
    let (asked, password) = (&found.pending.asked, fields.field("password"));
    if password.is_empty() {
        return Err(Error::new(Reason::InvalidParameter, pages::FILL_ALL));
    }
    // With the tallies of any sign-in to this account, and what else one asks for.
    let reply = sign_in::in_page(&face.pool, &asked.client, asked.scopes, (&found.member.email, password), from).await?;
    steps::proceed(face, browser, asked, (&found.member.email, &found.link.token), reply).await
}

/// Links it for who has shown all that a sign-in asks for: the session is of that member.
pub async fn finish(face: &Face, browser: &Browser, token: &str, session: &Session) -> Result<Response> {
    let found = find(face, browser, token).await?.filter(|found| found.member.id == session.member).ok_or_else(too_late)?;
    let (asked, now) = (&found.pending.asked, face.pool.deps.clock.now());
    let provider = found.pending.provider.as_str();
    let asks = face.pool.client(&session.client_id)?.mfa != Mfa::Off;
    let granted = transact!(face.pool.deps.pool, |tx| {
        spend(tx, session.member, now).await?;
        end(tx, &found, now).await?;
        // A link is a way in for good: with the password alone nobody makes one past a second factor.
        if !asks && mfa_assurance::has_one(&factors::of(tx, session.member).await?) {
            return Err(Past::Client.refusal());
        }
        let granted = authorize::grant(face, tx, (browser, asked), session, Some(provider)).await?;
        jobs::enqueue(tx, &SendLinkNews::job(session.member, provider, true)).await?;
        Ok(granted)
    })?;
    Ok(granted.back(face, asked))
}

/// Spends a link, first in its transaction: it is told by mail.
async fn spend(tx: &mut Tx, member: MemberId, now: OffsetDateTime) -> Result<()> {
    budgets::spend(tx, now, &Spending { subject: budgets::Subject::member(member), budget: budgets::LINKS_OF_MEMBER }).await
}

/// Links it, once.
async fn end(tx: &mut Tx, filled: &Found, now: OffsetDateTime) -> Result<()> {
    let member = filled.member.id;
    let underway = store::lock_underway(tx, &filled.id, &filled.owner, now).await?.ok_or_else(too_late)?;
    store::remove_underway(tx, &filled.id).await?;
    if !accounts::lock(tx, member).await? || !store::is_enabled(tx, member).await? {
        return Err(Error::new(Reason::NotAuthorized, pages::DISABLED));
    }
    // Its code went to an address that may be another's since, or to who was signed out everywhere.
    let since = store::share_owner(tx, member).await?.and_then(|owner| owner.since);
    if since.is_some_and(|since| since >= underway.expires_at - LIFE) {
        return Err(too_late());
    }
    let identity = (filled.pending.provider.as_str(), filled.pending.subject.as_str());
    if !store::insert_identity(tx, identity, member, false, now).await? {
        return Err(too_late());
    }
    Ok(())
}

/// Whether a code to the address is enough: a second factor is not passed over by it.
async fn by_code_alone(tx: &mut Tx, of: &Found) -> Result<bool> {
    Ok(!mfa_assurance::has_one(&factors::of(tx, of.member.id).await?))
}

fn too_late() -> Error {
    Error::new(Reason::InvalidParameter, pages::TOO_LATE)
}

fn key(face: &Face, token: &str) -> Key {
    face.pool.settings.keys.derive("federated link", &[token.as_bytes()])
}
