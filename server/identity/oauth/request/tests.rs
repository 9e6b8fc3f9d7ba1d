//! What an application may ask for, by examples.

use super::*;

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const GOOD: &str = "client_id=app&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&state=s&scope=openid&code_challenge=\
                    E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";

fn app() -> Client {
    let callbacks = vec!["https://a.example/back".to_owned()];
    let scopes = vec!["openid".to_owned(), "email".to_owned()];
    Client { callbacks, scopes, providers: Some(vec!["Google".into()]), ..Client::new("app".into()) }
}

fn verdict(client: &Client, text: &str) -> Verdict {
    let providers = [("Google", "https://accounts.google.com"), ("Club", "https://club.example")];
    read(&Parameters::read(text.as_bytes()), |id| (id == client.id).then_some(client), &providers)
}

fn told(text: &str) -> &'static str {
    match verdict(&app(), text) {
        Verdict::Told(refused) => {
            assert_eq!(refused.redirect_uri, "https://a.example/back");
            refused.error
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_good_request_is_read() {
    let Verdict::Page(asked) = verdict(&app(), &format!("{GOOD}&login_hint=ana&nonce=n&unknown=x")) else { panic!() };
    assert_eq!((asked.scopes, asked.state.as_deref(), asked.nonce.as_deref()), (Scopes::OPENID, Some("s"), Some("n")));
    assert_eq!(asked.challenge.map(|hash| URL_SAFE_NO_PAD.encode(hash)).as_deref(), Some(CHALLENGE));
    let Verdict::Page(all) = verdict(&app(), &GOOD.replace("scope=openid", "x=y")) else { panic!() };
    assert_eq!(all.scopes.spell(), "openid email");
}

#[test]
fn a_first_party_is_granted_more_than_it_asks_for_and_others_are_not() {
    let own = Client { grants: vec!["aws.cognito.signin.user.admin".to_owned()], ..app() };
    let granted = |client: &Client, text: &str| match verdict(client, text) {
        Verdict::Page(asked) => asked.scopes.spell(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!((granted(&own, GOOD), granted(&app(), GOOD)), ("openid aws.cognito.signin.user.admin".into(), "openid".into()));
    // The page asks itself again, for what was granted.
    let again = GOOD.replace("scope=openid", "scope=openid+aws.cognito.signin.user.admin");
    assert_eq!(granted(&own, &again), "openid aws.cognito.signin.user.admin");
    assert!(matches!(verdict(&app(), &again), Verdict::Told(Refused { error: errors::INVALID_SCOPE, .. })));
    // What it may not have it is not given beside.
    assert!(matches!(verdict(&own, &GOOD.replace("scope=openid", "scope=phone")), Verdict::Told(_)));
}

#[test]
fn calls_are_granted_to_nobody_of_whom_it_is_not_said() {
    let admin = GOOD.replace("scope=openid", "scope=openid+aws.cognito.signin.user.admin");
    let nothing = Client { scopes: Vec::new(), ..app() };
    let unsaid = Client { scopes: Client::new("app".into()).scopes, ..app() };
    for client in [&nothing, &unsaid] {
        assert!(matches!(verdict(client, &admin), Verdict::Told(Refused { error: errors::INVALID_SCOPE, .. })));
    }
    assert!(matches!(verdict(&nothing, &GOOD.replace("scope=openid", "x=y")), Verdict::Told(_)));
    let Verdict::Page(all) = verdict(&unsaid, &GOOD.replace("scope=openid", "x=y")) else { panic!() };
    assert_eq!(all.scopes.spell(), "openid email phone profile");
}

#[test]
fn how_somebody_is_asked_is_read() {
    let how = |more: &str| match verdict(&app(), &format!("{GOOD}{more}")) {
        Verdict::Page(asked) => asked.how,
        other => panic!("{more}: {other:?}"),
    };
    assert_eq!((how(""), how("&prompt=consent")), (How::default(), How::default()));
    assert_eq!(how("&prompt=none&max_age=60"), How { silent: true, age_s_max: Some(60), ..How::default() });
    assert!(how("&prompt=login").anew && how("&prompt=consent+login").anew && how("&prompt=select_account").chooses);
    assert!(how("&max_age=0").anew && !how("&max_age=1").anew);
    for (more, prompt) in [("", None), ("&prompt=consent", None), ("&max_age=60", None), ("&max_age=0", Some("login"))] {
        assert_eq!(how(more).prompt(), prompt, "{more}");
    }
    assert_eq!(how("&prompt=select_account+login").prompt(), Some("login select_account"));
    assert_eq!(how("&prompt=select_account").prompt(), Some("select_account"));
}

#[test]
fn nobody_is_sent_to_an_address_that_is_not_the_applications() {
    for spoilt in [
        GOOD.replace("client_id=app", "client_id=other"),
        GOOD.replace("client_id=app&", ""),
        GOOD.replace("%2Fback", "%2Fback%2F"),
        GOOD.replace("%2Fback", "%2FBack"),
        GOOD.replace("%2Fback", "%2Fback%3Fx%3D1"),
        GOOD.replace("a.example", "a.example.evil.example"),
        GOOD.replace("https%3A", "http%3A"),
        GOOD.replace("redirect_uri=", "redirect="),
        format!("{GOOD}&redirect_uri=https%3A%2F%2Fa.example%2Fback"),
        format!("{GOOD}&client_id=app"),
    ] {
        assert!(matches!(verdict(&app(), &spoilt), Verdict::Shown(_)), "{spoilt}");
    }
}

#[test]
fn all_else_that_is_wrong_is_told_to_the_application() {
    for (spoilt, error) in [
        (GOOD.replace("response_type=code", "response_type=token"), "unsupported_response_type"),
        (GOOD.replace("response_type=code", "x=y"), "invalid_request"),
        (GOOD.replace("scope=openid", "scope=openid+phone"), "invalid_scope"),
        (GOOD.replace("scope=openid", "scope=openid+all"), "invalid_scope"),
        (GOOD.replace("scope=openid", "scope=+"), "invalid_scope"),
        (GOOD.replace("S256", "plain"), "invalid_request"),
        (GOOD.replace("&code_challenge_method=S256", ""), "invalid_request"),
        (GOOD.replace(CHALLENGE, "short"), "invalid_request"),
        (GOOD.replace(&format!("&code_challenge={CHALLENGE}"), ""), "invalid_request"),
        (GOOD.replace(&format!("&code_challenge={CHALLENGE}&code_challenge_method=S256"), ""), "invalid_request"),
        (format!("{GOOD}&scope=email"), "invalid_request"),
        (format!("{GOOD}&prompt=none&identity_provider=Google"), "login_required"),
        (format!("{GOOD}&max_age=-1"), "invalid_request"),
        (format!("{GOOD}&max_age=soon"), "invalid_request"),
        (format!("{GOOD}&prompt=none+login"), "invalid_request"),
        (format!("{GOOD}&request=e30."), "request_not_supported"),
        (format!("{GOOD}&request_uri=https://x"), "request_uri_not_supported"),
        (format!("{GOOD}&response_mode=fragment"), "invalid_request"),
        (format!("{GOOD}&identity_provider=Nobody"), "invalid_request"),
        (format!("{GOOD}&identity_provider=Club"), "invalid_request"),
        (GOOD.replace("state=s", &format!("state={}", "s".repeat(2049))), "invalid_request"),
        (format!("{GOOD}&nonce={}", "n".repeat(513)), "invalid_request"),
    ] {
        assert_eq!(told(&spoilt), error, "{spoilt}");
    }
}

#[test]
fn a_provider_is_named_by_its_name_or_found_by_its_address() {
    for named in ["identity_provider=Google", "idp_identifier=google", "idp_identifier=https%3A%2F%2Faccounts.google.com"] {
        let found = verdict(&app(), &format!("{GOOD}&{named}&prompt=login"));
        assert!(matches!(&found, Verdict::Provider(_, name) if name == "Google"), "{named}: {found:?}");
    }
    assert!(matches!(verdict(&app(), &format!("{GOOD}&identity_provider=COGNITO")), Verdict::Page(..)));
}

#[test]
fn who_need_not_prove_possession_may() {
    let free = Client { pkce: false, ..app() };
    let without = GOOD.replace(&format!("&code_challenge={CHALLENGE}&code_challenge_method=S256"), "");
    assert!(matches!(verdict(&free, &without), Verdict::Page(Asked { challenge: None, .. })));
    assert!(matches!(verdict(&free, GOOD), Verdict::Page(Asked { challenge: Some(_), .. })));
    assert!(matches!(verdict(&free, &GOOD.replace("S256", "plain")), Verdict::Told(_)));
}
