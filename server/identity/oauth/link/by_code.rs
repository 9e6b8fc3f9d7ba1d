//! The proof by a code to the account's address.

use super::{Filled, Found, LIFE, by_code_alone, end, filled, spend};
use crate::{
    db::Tx,
    error::{Error, Reason, Result},
    identity::{
        code_jobs::CodeTask,
        codes, confirm,
        oauth::{
            Face,
            authorize::{self, Granted},
            browser::Browser,
            mail::{SendLinkCode, SendLinkNews},
            page, reply,
            sign_in::{From, address},
            store::{self, Key},
            texts::pages,
        },
        sign_up,
        store::attempts::{self, Kind, Subject},
        user_pool::Why,
    },
    jobs, transact,
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use std::{net::IpAddr, sync::Arc};
use time::OffsetDateTime;
use uuid::Uuid;

/// Sends a code to the account's address.
pub async fn send(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let filled = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let Filled { browser, found, .. } = &filled;
    match send_code(&face, found, address(&from)).await {
        Ok(()) => page::link_code(&face, browser, &found.pending.asked, StatusCode::OK, (&found.link, "")),
        Err(failure) => {
            failure.log();
            let shown = (&found.link, reply::words(&failure));
            page::link(&face, browser, &found.pending.asked, reply::status(failure.reason()), shown)
        }
    }
}

async fn send_code(face: &Face, filled: &Found, from: Option<IpAddr>) -> Result<()> {
    let (pool, email, now) = (&face.pool, filled.member.email.as_str(), face.pool.deps.clock.now());
    let code = pool.deps.ids.uuid();
    transact!(pool.deps.pool, |tx| {
        if !by_code_alone(tx, filled).await? {
            return Err(Error::new(Reason::InvalidParameter, pages::LINK_NEEDS_PASSWORD));
        }
        if sign_up::spend_mail(pool, tx, Why::NewPassword, from, (email, Some(email)), now).await? {
            attempts::clear(tx, &tries(face, &filled.id), Kind::Code).await?;
            store::put_link_code(tx, &filled.id, code, now + LIFE).await?;
            jobs::enqueue(tx, &SendLinkCode::job(filled.member.id, code)).await?;
        }
        Ok(())
    })
}

/// By that code.
pub async fn by_code(State(face): State<Arc<Face>>, from: From, headers: HeaderMap, body: Body) -> Response {
    let filled = match filled(&face, &headers, body).await {
        Ok(filled) => filled,
        Err(response) => return response,
    };
    let Filled { browser, fields, found } = &filled;
    proved_by_code(&face, (browser, found), fields.field("code").trim(), address(&from)).await.unwrap_or_else(|failure| {
        failure.log();
        let shown = (&found.link, reply::words(&failure));
        page::link_code(&face, browser, &found.pending.asked, reply::status(failure.reason()), shown)
    })
}

async fn proved_by_code(face: &Face, (browser, filled): (&Browser, &Found), given: &str, from: Option<IpAddr>) -> Result<Response> {
    let pool = &face.pool;
    if given.is_empty() {
        return Err(Error::new(Reason::InvalidParameter, pages::ENTER_CODE));
    }
    let (network, now) = (pool.network(from), pool.deps.clock.now());
    // A wrong try is committed, so the answer about it is no error of the transaction.
    let granted = transact!(pool.deps.pool, |tx| try_code(face, tx, (browser, filled), (given, network), now).await)??;
    Ok(granted.back(face, &filled.pending.asked))
}

async fn try_code(
    face: &Face,
    tx: &mut Tx,
    (browser, filled): (&Browser, &Found),
    (given, network): (&str, Option<Subject>),
    now: OffsetDateTime,
) -> Result<Result<Granted>> {
    let (pool, asked, tries) = (&face.pool, &filled.pending.asked, tries(face, &filled.id));
    // Looked at before anything is locked: budgets come first, and a wrong one spends nothing of them.
    let right = |code: Option<Uuid>| code.is_some_and(|code| codes::matches(&pool.settings.keys, code, given));
    let seen = right(store::link_code(tx, &filled.id).await?);
    if seen {
        spend(tx, filled.member.id, now).await?;
    }
    if let Err(refused) = confirm::count(pool, tx, &tries, network, now).await? {
        return Ok(Err(refused));
    }
    let row = store::lock_underway(tx, &filled.id, &filled.owner, now).await?;
    if !right(row.and_then(|row| row.code)) {
        confirm::guessed(pool, tx, network, now).await?;
        return Ok(Err(confirm::mismatch()));
    }
    if !seen {
        return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
    }
    if !by_code_alone(tx, filled).await? {
        return Ok(Err(Error::new(Reason::InvalidParameter, pages::LINK_NEEDS_PASSWORD)));
    }
    attempts::clear(tx, &tries, Kind::Code).await?;
    end(tx, filled, now).await?;
    let session = pool.new_session(filled.member.id, pool.client(&asked.client)?, network, now).waiting(asked.scopes);
    let provider = filled.pending.provider.as_str();
    let granted = authorize::begin(face, tx, (browser, asked), &session, provider).await?;
    jobs::enqueue(tx, &SendLinkNews::job(session.member, provider, true)).await?;
    Ok(Ok(granted))
}

/// Whose tries of codes are counted: those of this link.
fn tries(face: &Face, id: &Key) -> Subject {
    face.pool.settings.keys.derive("link", &[id])
}
