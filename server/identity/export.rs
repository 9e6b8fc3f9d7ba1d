//! All that is kept of a member, as one JSON document: each area says its part.

use super::{attributes::rules::Attribute, oauth, store, user_pool::UserPool};
use crate::{
    budgets::{self, Spending},
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
    pictures::Pictures,
    read, transact,
};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// How many rows are read at once.
const PAGE: i64 = 500;

/// The document, for the member: some in a day.
///
/// # Errors
/// RATE_LIMITED.
pub async fn for_member(pool: &UserPool, member: MemberId) -> Result<String> {
    let now = pool.deps.clock.now();
    let spending = Spending { subject: budgets::Subject::member(member), budget: budgets::EXPORTS_OF_MEMBER };
    transact!(pool.deps.pool, |tx| budgets::spend(tx, now, &spending).await)?;
    document(pool, member).await
}

/// The document.
///
/// # Errors
/// NOT_AUTHORIZED when there is no such member.
pub async fn document(pool: &UserPool, member: MemberId) -> Result<String> {
    let now = pool.deps.clock.now();
    let mut document = Map::new();
    document.insert("exportedAt".to_owned(), json!(instant(now)));
    document.insert("identity".to_owned(), read!(pool.deps.pool, |conn| own(conn, (member, &pool.deps.pictures), now).await)?);
    for hook in pool.hooks() {
        // A connection for each area, so that a long one keeps none for all of them.
        if let Some((area, part)) = read!(pool.deps.pool, |conn| hook.exported(conn, member).await)? {
            document.insert(area.to_owned(), part);
        }
    }
    Ok(Value::Object(document).to_string())
}

/// An instant as the document has it.
pub fn instant(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

async fn own(conn: &mut PgConnection, (member, pictures): (MemberId, &Pictures), now: OffsetDateTime) -> Result<Value> {
    let gone = || Error::new(Reason::NotAuthorized, "Invalid Access Token");
    let m = store::member(conn, member).await?.ok_or_else(gone)?;
    let factors = store::factors::of(conn, member).await?;
    let mut waiting = Map::new();
    for attribute in [Attribute::Email, Attribute::PhoneNumber] {
        if let Some(found) = store::attributes::newest(conn, member, attribute, now).await?.filter(|found| found.stands) {
            waiting.insert(attribute.as_str().to_owned(), json!(found.destination));
        }
    }
    Ok(json!({
        "sub": m.id.to_string(),
        "email": m.email,
        "name": m.name,
        "givenName": m.given_name,
        "familyName": m.family_name,
        "displayName": m.display_name(),
        "picture": pictures.face(m.picture),
        "timeZone": m.time_zone,
        "phoneNumber": m.phone_number,
        "phoneNumberVerified": m.phone_verified,
        "waitingForCode": waiting,
        "createdAt": instant(m.created_at),
        "profileChangedAt": instant(m.profile_changed_at),
        "identities": m.identities.iter().map(|i| json!({ "provider": i.provider, "subject": i.subject })).collect::<Vec<_>>(),
        "sessions": sessions(conn, member).await?,
        "browsers": browsers(conn, member, now).await?,
        "secondFactors": { "authenticator": factors.totp_on, "authenticatorName": factors.totp_name, "sms": factors.sms_on },
        "devices": devices(conn, member).await?,
    }))
}

/// Devices that were confirmed, never what proves them.
async fn devices(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Value>> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = store::devices::list(conn, member, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(all) };
        after = Some((last.created_at, last.id.0));
        all.extend(page.iter().map(|d| {
            json!({
                "name": d.name,
                "remembered": d.remembered,
                "createdAt": instant(d.created_at),
                "signedInAt": instant(d.signed_in_at),
                "lastAddress": d.last_address,
            })
        }));
    }
}

/// Browsers that are signed in at the hosted page, never what they are known by.
async fn browsers(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<Value>> {
    let all = oauth::store::signed_in_of(conn, member, now).await?;
    Ok(all.into_iter().map(|(began_at, expires_at)| json!({ "beganAt": instant(began_at), "expiresAt": instant(expires_at) })).collect())
}

/// Times and clients of sign-ins, never what signs anybody in.
async fn sessions(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Value>> {
    let (mut all, mut after) = (Vec::new(), SessionId(uuid::Uuid::nil()));
    loop {
        let page = store::sessions::after(conn, member, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(all) };
        after = last.id;
        all.extend(page.iter().map(|s| {
            json!({
                "clientId": s.client_id,
                "startedAt": instant(s.started_at),
                "expiresAt": instant(s.expires_at),
                "endedAt": s.ended_at.map(instant),
                "refreshedAt": s.rotated_at.map(instant),
                "formerNames": s.former_names,
            })
        }));
    }
}
