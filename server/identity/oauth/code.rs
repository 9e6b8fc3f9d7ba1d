//! Codes of the hosted sign-in: one is given for a session that waits for it, and redeemed once by who was sent it.

use super::{
    Face,
    request::Asked,
    store::{self, Code, Key},
};
use crate::{
    db::Tx,
    error::Result,
    identity::{
        Client, Member, refresh,
        store::sessions::{self, CODE_LIFE, Session},
    },
    ids::SessionId,
    transact,
};
use aws_lc_rs::{
    constant_time::verify_slices_are_equal,
    digest::{SHA256, digest},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use time::{Duration, OffsetDateTime};

const BYTES: usize = 32;
/// As RFC 7636, 4.1 has them.
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// A new code for a session.
pub async fn give(face: &Face, tx: &mut Tx, asked: &Asked, session: &Session) -> Result<String> {
    let code = URL_SAFE_NO_PAD.encode(face.ids().bytes::<BYTES>());
    let new = Code {
        id: key(face, &code),
        member: session.member,
        session: session.id,
        redirect_uri: asked.redirect_uri.clone(),
        nonce: asked.nonce.clone(),
        challenge: asked.challenge,
        expires_at: session.started_at + CODE_LIFE,
        used_at: None,
    };
    store::insert_code(tx, &new).await?;
    Ok(code)
}

/// What a code comes with.
pub struct Redeeming<'a> {
    /// The code.
    pub code: &'a str,
    /// Where it was sent.
    pub redirect_uri: &'a str,
    /// The proof that was announced.
    pub verifier: Option<&'a str>,
}

/// What a code gives.
pub struct Redeemed {
    pub member: Member,
    pub session: Session,
    pub nonce: Option<String>,
}

/// What becomes of a code. One that comes a second time is committed, so it is no error of the transaction.
#[expect(clippy::large_enum_variant, reason = "one lives at a time, on the stack")]
enum Outcome {
    Good(Redeemed),
    No,
    /// Somebody else may have it: what it gave has ended.
    Again(Vec<SessionId>),
}

/// Redeems a code. `None` when it is not for this client, this address or this proof, has had its time, or was redeemed before; what it gave
/// ends then.
pub async fn redeem(face: &Face, client: &Client, given: &Redeeming<'_>) -> Result<Option<Redeemed>> {
    let (pool, id) = (&face.pool, key(face, given.code));
    let now = pool.deps.clock.now();
    let life = pool.settings.lives.refresh_token;
    match transact!(pool.deps.pool, |tx| redeem_in(tx, &id, client, given, (now, life)).await)? {
        Outcome::Good(redeemed) => Ok(Some(redeemed)),
        Outcome::No => Ok(None),
        Outcome::Again(ended) => {
            pool.sessions.mark_ended(&ended);
            Ok(None)
        }
    }
}

async fn redeem_in(
    tx: &mut Tx,
    id: &Key,
    client: &Client,
    given: &Redeeming<'_>,
    (now, life): (OffsetDateTime, Duration),
) -> Result<Outcome> {
    let Some((member, session)) = store::owner(tx, id).await? else { return Ok(Outcome::No) };
    // The session before its code, in the order of locks: of two that come at once, one waits here.
    let Some(session) = sessions::lock(tx, member, session).await?.filter(|session| session.client_id == client.id) else {
        return Ok(Outcome::No);
    };
    let Some(code) = store::lock_code(tx, id).await? else { return Ok(Outcome::No) };
    // Who has seen the code alone, in an address or a log, neither gets anything by it nor ends what it gave.
    if code.redirect_uri != given.redirect_uri || !is_proved(code.challenge.as_ref(), given.verifier) {
        return Ok(Outcome::No);
    }
    if code.used_at.is_some() {
        return refresh::end(tx, member, Some(session.id), now).await.map(Outcome::Again);
    }
    if code.expires_at <= now {
        return Ok(Outcome::No);
    }
    let Some(session) = session.within(client.allowed()) else { return Ok(Outcome::No) };
    let expires_at = session.started_at + life;
    let Some(member) = crate::identity::store::member(tx, member).await? else { return Ok(Outcome::No) };
    if !sessions::take_up(tx, member.id, session.id, expires_at, now).await? || !store::use_code(tx, id, now).await? {
        return Ok(Outcome::No);
    }
    Ok(Outcome::Good(Redeemed { member, session: Session { expires_at, ..session }, nonce: code.nonce }))
}

/// Whether the proof is the announced one. One that was not announced is none: somebody took the announcement away.
fn is_proved(challenge: Option<&Key>, verifier: Option<&str>) -> bool {
    match (challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
            let formed = VERIFIER_CHARS.contains(&verifier.len()) && verifier.bytes().all(plain);
            formed && verify_slices_are_equal(digest(&SHA256, verifier.as_bytes()).as_ref(), challenge).is_ok()
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn key(face: &Face, code: &str) -> Key {
    face.pool.settings.keys.derive("authorization code", &[code.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_the_announced_one_or_none() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge: Key = URL_SAFE_NO_PAD.decode("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap().try_into().unwrap();
        assert!(is_proved(Some(&challenge), Some(verifier)) && is_proved(None, None));
        assert!(!is_proved(Some(&challenge), None) && !is_proved(None, Some(verifier)));
        for wrong in ["", "short", &verifier.to_lowercase(), &format!("{verifier}="), &"a".repeat(129)] {
            assert!(!is_proved(Some(&challenge), Some(wrong)), "{wrong}");
        }
        let short: Key = digest(&SHA256, b"short").as_ref().try_into().unwrap();
        assert!(!is_proved(Some(&short), Some("short")));
    }
}
