//! Browsers that are signed in: who has shown on the page who they are goes through at once for an hour, at this application and at others,
//! where nothing more would be asked for.

use super::{
    Face, authorize,
    browser::{Browser, cookie, secret_of},
    code,
    request::Asked,
    store::{self, Key, Owner, SignedIn},
};
use crate::{
    db::Tx,
    error::Result,
    identity::{
        Client,
        sign_in_flow::{proof_of, standing},
        steps::{self, Next, Shown, Trust},
        store::{
            email_key,
            factors::{self, Factors},
            sessions::{self, Session},
        },
        user_pool::UserPool,
    },
    transact,
};
use axum::{
    http::{HeaderMap, HeaderValue},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use time::Duration;

/// As long as the protocol's own page has it.
const LIFE: Duration = Duration::hours(1);

/// Signs a browser in, once the session of who did is there; the cookie that it is known by. Who was signed in there before is not any more.
pub async fn begin(face: &Face, tx: &mut Tx, browser: &Browser, session: &Session, provider: Option<&str>) -> Result<HeaderValue> {
    let secret = face.ids().bytes::<32>();
    // A password that is changed at this moment ends the session, and this with it.
    let salt = store::salt(tx, session.member).await?;
    let (client, factors) = (face.pool.client(&session.client_id)?, factors::of(tx, session.member).await?);
    let new = SignedIn {
        member: session.member,
        session: session.id,
        provider: provider.map(str::to_owned),
        // Only what was asked for has been shown.
        asked_factors: provider.is_none() && steps::asks_factor(&standing(client, false, &factors, Trust::None)),
        proof: proof(&face.pool, salt.as_deref()),
        began_at: session.started_at,
    };
    if let Some(before) = &browser.signed_in {
        store::remove_signed_in(tx, &key(face, before)).await?;
    }
    store::insert_signed_in(tx, &key(face, &secret), &new, session.started_at + LIFE).await?;
    let (name, value) = (name(face), URL_SAFE_NO_PAD.encode(secret));
    Ok(cookie(face, &format!("{name}={value}; Max-Age={}", LIFE.whole_seconds())))
}

/// Lets somebody through whose browser is signed in; `None` when they must be asked.
pub async fn pass(face: &Face, headers: &HeaderMap, asked: &Asked) -> Result<Option<Response>> {
    let (pool, now) = (&face.pool, face.pool.deps.clock.now());
    let Some(secret) = secret(face, headers).filter(|_| asked.how.prompt().is_none()) else { return Ok(None) };
    let (id, client) = (key(face, &secret), pool.client(&asked.client)?);
    let code = transact!(pool.deps.pool, |tx| {
        let Some(known) = store::signed_in(tx, &id, now).await? else { return Ok(None) };
        let Some(owner) = store::share_owner(tx, known.member).await? else { return Ok(None) };
        let factors = factors::of(tx, known.member).await?;
        let first = sessions::lock(tx, known.member, known.session).await?;
        let Some(first) = first.filter(|session| session.ended_at.is_none()) else { return Ok(None) };
        // A provider may have asked them long before they came from there.
        let asked_at = first.authenticated_at();
        let is_meant = asked.hint.as_deref().is_none_or(|hint| email_key(hint) == email_key(&owner.email));
        let is_told = known.provider.is_none() || first.authenticated_at.is_some();
        let is_young = asked.how.age_s_max.is_none_or(|age_s| is_told && (now - asked_at).whole_seconds() <= age_s);
        if !is_meant
            || !is_young
            || !counts(&known, &owner, proof(pool, owner.salt.as_deref()))
            || !enough(&known, client, &owner, &factors)
        {
            return Ok(None);
        }
        // No network: nothing was shown from there.
        let session = pool.new_session(known.member, client, None, now).waiting(asked.scopes);
        let session = Session { authenticated_at: Some(asked_at.min(now)), precedes_factor: first.precedes_factor, ..session };
        authorize::insert(tx, &session).await?;
        code::give(face, tx, asked, &session).await.map(Some)
    })?;
    Ok(code.map(|code| authorize::with_code(face, asked, &code)))
}

/// Signs the browser out.
pub async fn end(face: &Face, headers: &HeaderMap) -> Result<()> {
    let Some(secret) = secret(face, headers) else { return Ok(()) };
    let id = key(face, &secret);
    transact!(face.pool.deps.pool, |tx| store::remove_signed_in(tx, &id).await)
}

/// What a browser says that it is signed in by.
pub fn secret(face: &Face, headers: &HeaderMap) -> Option<[u8; 32]> {
    secret_of(headers, name(face))
}

/// What makes a browser forget its cookie.
pub fn no_cookie(face: &Face) -> HeaderValue {
    cookie(face, &format!("{}=; Max-Age=0", name(face)))
}

/// Whether what was shown still counts: the same password, and nothing since that has all shown anew.
fn counts(known: &SignedIn, owner: &Owner, proof: Option<Vec<u8>>) -> bool {
    !owner.disabled && owner.since.is_none_or(|since| known.began_at >= since) && known.proof == proof
}

/// Whether it is all that an application would ask for. Who came by a provider comes as they would again, where it is offered.
fn enough(known: &SignedIn, client: &Client, owner: &Owner, factors: &Factors) -> bool {
    if let Some(provider) = &known.provider {
        return client.offers(provider);
    }
    match steps::next(Shown::Password, &standing(client, owner.temporary, factors, Trust::None)) {
        Next::Done => true,
        // Another factor would have voided what was shown.
        Next::Factor(_) | Next::Select => known.asked_factors,
        Next::NewPassword | Next::SetUp | Next::Device => false,
    }
}

fn proof(pool: &UserPool, salt: Option<&[u8]>) -> Option<Vec<u8>> {
    salt.map(|salt| proof_of(pool, salt).to_vec())
}

fn key(face: &Face, secret: &[u8; 32]) -> Key {
    face.pool.settings.keys.derive("signed-in browser", &[secret])
}

/// By TLS the name says that nobody but this host can have set it.
fn name(face: &Face) -> &'static str {
    if face.has_tls() { "__Host-goodturn_signed_in" } else { "goodturn_signed_in" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::clients::Mfa;
    use crate::ids::{MemberId, SessionId};
    use time::{OffsetDateTime, macros::datetime};
    use uuid::Uuid;

    const AT: OffsetDateTime = datetime!(2026-06-16 09:00:00 UTC);

    fn known(provider: Option<&str>, asked_factors: bool) -> SignedIn {
        let (member, session) = (MemberId(Uuid::nil()), SessionId(Uuid::nil()));
        SignedIn { member, session, provider: provider.map(str::to_owned), asked_factors, proof: Some(vec![1]), began_at: AT }
    }

    fn owner() -> Owner {
        Owner { salt: Some(vec![1]), temporary: false, disabled: false, since: None, email: "ana@example.org".into() }
    }

    #[test]
    fn what_was_shown_counts_until_something_has_all_shown_anew() {
        let counts = |change: fn(&mut Owner), proof: Option<Vec<u8>>| {
            let mut owner = owner();
            change(&mut owner);
            super::counts(&known(None, true), &owner, proof)
        };
        assert!(counts(|_| (), Some(vec![1])) && counts(|o| o.since = Some(AT), Some(vec![1])));
        assert!(!counts(|o| o.since = Some(AT + Duration::SECOND), Some(vec![1])));
        assert!(!counts(|o| o.disabled = true, Some(vec![1])));
        assert!(!counts(|_| (), Some(vec![2])) && !counts(|_| (), None));
    }

    #[test]
    fn nothing_is_passed_over_that_an_application_would_ask_for() {
        let both = Factors { totp_on: true, sms_on: true, phone: Some("+15551231234".into()), ..Factors::default() };
        let none = Factors::default();
        let client = |mfa| Client { mfa, providers: Some(vec!["Club".into()]), ..Client::new("app".into()) };
        for (shown, mfa, factors, passes) in [
            (known(None, false), Mfa::Optional, &none, true),
            (known(None, false), Mfa::Optional, &both, false),
            (known(None, true), Mfa::Optional, &both, true),
            (known(None, true), Mfa::Required, &both, true),
            (known(None, false), Mfa::Off, &both, true),
            (known(None, true), Mfa::Required, &none, false),
            (known(Some("Club"), false), Mfa::Optional, &both, true),
            (known(Some("Guild"), true), Mfa::Off, &none, false),
        ] {
            assert_eq!(enough(&shown, &client(mfa), &owner(), factors), passes, "{:?} {mfa:?}", shown.provider);
        }
        let temporary = Owner { temporary: true, ..owner() };
        assert!(!enough(&known(None, true), &client(Mfa::Off), &temporary, &none));
    }
}
