//! Whether an id token is for this sign-in (OpenID Connect Core, 3.1.3.7). Pure.

use crate::identity::{Provider, oauth::request::How, providers::GOOGLE};
use anyhow::{Result, ensure};
use serde_json::Value;
use time::OffsetDateTime;

/// How far the clocks of a provider and of this server may differ.
const SKEW_S: i64 = 60;
/// Older ones were made for somebody else's wait.
const AGE_S_MAX: i64 = 3600;

/// Refuses claims that are not of this provider, for this server, of now and of this sign-in.
///
/// # Errors
/// Names the claim, and not what it says.
pub fn check(claims: &Value, provider: &Provider, nonce: &str, now: OffsetDateTime) -> Result<()> {
    let text = |name: &str| claims[name].as_str().unwrap_or_default();
    ensure!(is_issuer(provider, text("iss")), "iss is another issuer");
    let audience: Vec<&str> = match &claims["aud"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let ours = provider.client_id.as_str();
    ensure!(audience.contains(&ours), "aud is another client");
    let party = claims.get("azp").map(|party| party.as_str().unwrap_or_default());
    ensure!(party.is_none_or(|party| party == ours) && (audience.len() == 1 || party.is_some()), "azp is another client");
    let (now_s, second) = (now.unix_timestamp(), |name: &str| claims[name].as_i64());
    ensure!(second("exp").is_some_and(|exp| exp > now_s - SKEW_S), "exp has passed");
    ensure!(second("iat").is_some_and(|iat| iat <= now_s + SKEW_S && iat > now_s - AGE_S_MAX), "iat is not of now");
    ensure!(second("nbf").is_none_or(|nbf| nbf <= now_s + SKEW_S), "nbf has not come");
    ensure!(text("nonce") == nonce, "nonce is of another sign-in");
    Ok(())
}

/// When somebody was asked, as the claims of a token say it: in whole seconds that have come. Anything else says nothing, and whoever wants to
/// know is not told (`is_fresh`). A clock that is ahead by little says now.
pub fn asked_at(claims: &Value, now: OffsetDateTime) -> Option<OffsetDateTime> {
    let at_s = claims["auth_time"].as_i64().filter(|at_s| (0..=now.unix_timestamp() + SKEW_S).contains(at_s))?;
    OffsetDateTime::from_unix_timestamp(at_s).ok().map(|at| at.min(now))
}

/// Whether somebody was asked as lately as the application wanted, when they left for the provider. Not every provider says when it was; one
/// that was told an age must (OpenID Connect Core, 2), and who cannot say has not shown it.
pub fn is_fresh(asked_at: Option<OffsetDateTime>, how: &How, left_at_s: i64) -> bool {
    let age_s_max = if how.anew { Some(0) } else { how.age_s_max };
    match (age_s_max, asked_at) {
        (None, _) => true,
        (Some(age_s), Some(at)) => at.unix_timestamp().saturating_add(age_s).saturating_add(SKEW_S) >= left_at_s,
        (Some(_), None) => how.age_s_max.is_none(),
    }
}

/// Google's tokens may leave out how it is reached.
fn is_issuer(provider: &Provider, issuer: &str) -> bool {
    issuer == provider.issuer || (provider.name == GOOGLE && provider.issuer.strip_prefix("https://") == Some(issuer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use time::macros::datetime;

    const NOW: OffsetDateTime = datetime!(2026-06-16 09:00:00 UTC);

    fn check(change: impl FnOnce(&mut Value)) -> bool {
        let (provider, now_s) = (Provider::google("ours".into(), "secret".parse().unwrap()), NOW.unix_timestamp());
        let mut claims = json!({
            "iss": "https://accounts.google.com", "aud": "ours", "exp": now_s + 300, "iat": now_s, "nonce": "n", "sub": "1",
        });
        change(&mut claims);
        super::check(&claims, &provider, "n", NOW).is_ok()
    }

    #[test]
    fn a_token_is_of_the_provider_for_us_of_now_and_of_this_sign_in() {
        let now_s = NOW.unix_timestamp();
        assert!(check(|_| ()));
        assert!(check(|c| c["iss"] = json!("accounts.google.com")));
        assert!(check(|c| c["aud"] = json!(["ours"])));
        assert!(check(|c| (c["aud"], c["azp"]) = (json!(["ours", "other"]), json!("ours"))));
        assert!(check(|c| c["exp"] = json!(now_s - 59)));
        assert!(check(|c| c["auth_time"] = json!("of no kind")), "it says nothing, and no more is wrong with it");
        let wrong: [fn(&mut Value, i64); 16] = [
            |c, _| c["iss"] = json!("https://accounts.google.com/"),
            |c, _| c["iss"] = json!(null),
            |c, _| c["aud"] = json!("other"),
            |c, _| c["aud"] = json!([]),
            |c, _| c["aud"] = json!({"ours": 1}),
            |c, _| c["aud"] = json!(["ours", "other"]),
            |c, _| c["azp"] = json!("other"),
            |c, _| c["azp"] = json!(7),
            |c, now_s| c["exp"] = json!(now_s - 60),
            |c, _| c["exp"] = json!("9999999999"),
            |c, _| c["exp"] = json!(null),
            |c, now_s| c["iat"] = json!(now_s + 61),
            |c, now_s| c["iat"] = json!(now_s - 3600),
            |c, now_s| c["nbf"] = json!(now_s + 61),
            |c, _| c["nonce"] = json!("other"),
            |c, _| c["nonce"] = json!(null),
        ];
        for (n, spoil) in wrong.into_iter().enumerate() {
            assert!(!check(|c| spoil(c, now_s)), "{n}");
        }
    }

    #[test]
    fn a_time_is_whole_seconds_that_have_come_and_anything_else_says_nothing() {
        let now_s = NOW.unix_timestamp();
        for (said, before_s) in [
            (json!(now_s), Some(0)),
            (json!(now_s - 9999), Some(9999)),
            (json!(0), Some(now_s)),
            // A clock behind ours, and one ahead.
            (json!(now_s - 60), Some(60)),
            (json!(now_s + 60), Some(0)),
            (json!(now_s + 61), None),
            (json!(253_402_300_800_i64), None),
            (json!(i64::MAX), None),
            (json!(u64::MAX), None),
            (json!(-1), None),
            (json!(1_781_600_399.5), None),
            (json!(1.0e30), None),
            (json!(now_s.to_string()), None),
            (json!("now"), None),
            (json!(true), None),
            (json!([now_s]), None),
            (json!({"at": now_s}), None),
            (Value::Null, None),
        ] {
            let expected = before_s.map(|s| NOW - time::Duration::seconds(s));
            assert_eq!(asked_at(&json!({"auth_time": said}), NOW), expected, "{said}");
        }
        assert_eq!(asked_at(&json!({}), NOW), None);
    }

    #[test]
    fn who_was_asked_too_long_before_they_left_is_not_let_on() {
        let anew = How { anew: true, ..How::default() };
        let within = |age_s| How { age_s_max: Some(age_s), ..How::default() };
        let zero = How { anew: true, ..within(0) };
        let left_at_s = NOW.unix_timestamp();
        for (how, before_s, fresh) in [
            (How::default(), Some(9999), true),
            (How::default(), None, true),
            (anew, Some(60), true),
            (anew, Some(61), false),
            (anew, Some(-120), true),
            // It was asked to, and does not say when.
            (anew, None, true),
            (within(600), Some(660), true),
            (within(600), Some(661), false),
            (within(600), None, false),
            (within(i64::MAX), Some(9999), true),
            (zero, Some(61), false),
            (zero, None, false),
        ] {
            let asked_at = before_s.map(|s| NOW - time::Duration::seconds(s));
            assert_eq!(is_fresh(asked_at, &how, left_at_s), fresh, "{how:?} {before_s:?}");
        }
    }
}
