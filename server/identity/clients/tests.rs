//! What a file of applications says, by examples.

use super::*;

fn read(text: &str) -> anyhow::Result<Vec<Client>> {
    Client::read_all(text).map(|(clients, _)| clients)
}

#[test]
fn a_client_is_as_its_file_says() {
    let text = r#"
        [[client]]
        id = "partner"
        secret = "0123456789abcdef"
        flows = ["USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"]
        devices = "always"
        mfa = "required"
        callbacks = ["https://app.example/back?x=1", "http://localhost:3000/back", "org.example.app://back"]
        scopes = ["openid", "email"]
        pkce = false

        [[client]]
        id = "phone"
        rotates = true
    "#;
    let [partner, phone] = <[Client; 2]>::try_from(read(text).unwrap()).unwrap();
    assert_eq!((partner.devices, partner.mfa, partner.pkce), (Devices::Always, Mfa::Required, false));
    assert!(partner.allows(AuthFlow::UserSrpAuth).is_ok() && partner.allows(AuthFlow::RefreshTokenAuth).is_ok());
    let refused = partner.allows(AuthFlow::UserPasswordAuth).unwrap_err();
    assert_eq!((refused.reason(), refused.message()), (Reason::InvalidParameter, "USER_PASSWORD_AUTH flow not enabled for this client"));
    assert!(phone.allows(AuthFlow::CustomAuth).is_ok() && phone.pkce && phone.mfa == Mfa::Optional);
    assert_eq!(phone.allows(AuthFlow::RefreshTokenAuth).unwrap_err().reason(), Reason::UnsupportedOperation);
}

#[test]
fn what_is_wrong_is_named_and_no_secret_is_shown() {
    for (text, told) in [
        ("[[client]]\nid = \"a b\"", "id must be"),
        ("[[client]]\nid = \"a\"\nsecret = \"short-secret\"", "secret must be 16"),
        ("[[client]]\nid = \"a\"\nsecret = \"short-secret", "at byte"),
        ("[[client]]\nid = \"a\"\nsecrets = \"short-secret\"", "unknown field `secrets`"),
        ("[[client]]\nid = \"a\"\nrotates = true\nflows = [\"REFRESH_TOKEN_AUTH\"]", "does not go with rotates"),
        ("[[client]]\nid = \"a\"\nscopes = [\"all\"]", "scope \"all\" must be one of openid"),
        ("[[client]]\nid = \"a\"\ngrants = [\"all\"]", "scope \"all\" must be one of openid"),
        ("[[client]]\nid = \"a\"\ncallbacks = [\"http://app.example/\"]", "must be an address"),
        ("[[client]]\nid = \"a\"\ncallbacks = [\"https://app.example/#x\"]", "must be an address"),
        ("[[client]]\nid = \"a\"\ncallbacks = [\"javascript://x\"]", "must be an address"),
        ("[[client]]\nid = \"a\"\ncallbacks = [\"http://localhost@evil.example/\"]", "must be an address"),
        ("[[client]]\nid = \"a\"\ndevices = \"some\"", "unknown variant `some`"),
    ] {
        let refused = read(text).unwrap_err().to_string();
        assert!(refused.contains(told) && !refused.contains("short-secret"), "{text}: {refused}");
    }
    let twice = read("[[client]]\nid = \"a\"\n[[client]]\nid = \"a\"").unwrap();
    assert_eq!(Client::all_differ(&twice).unwrap_err().to_string(), "client a is there twice");
}

#[test]
fn a_secret_is_proved_by_its_hash_of_a_name() {
    let text = "[[client]]\nid = \"partner\"\nsecret = \"0123456789abcdef\"";
    let client = read(text).unwrap().remove(0);
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"0123456789abcdef");
    let hash = STANDARD.encode(hmac::sign(&key, b"ana@example.orgpartner"));
    assert!(client.proves_by_hash(&["ana@example.org"], &hash).is_ok());
    assert!(client.proves_by_hash(&["an-id", "ana@example.org"], &hash).is_ok());
    for (names, given) in [(["bo@example.org"], hash.as_str()), (["ana@example.org"], ""), (["ana@example.org"], "?")] {
        assert_eq!(client.proves_by_hash(&names, given).unwrap_err().reason(), Reason::NotAuthorized, "{names:?} {given}");
    }
    assert!(client.proves_by_secret("0123456789abcdef").is_ok());
    assert_eq!(client.proves_by_secret("0123456789abcdeg").unwrap_err().reason(), Reason::NotAuthorized);
    assert_eq!(client.proves_by_secret("").unwrap_err().reason(), Reason::NotAuthorized);
    let public = Client::new("web".to_owned());
    assert!(public.proves_by_hash(&["ana"], "").is_ok() && public.proves_by_secret("").is_ok());
    assert_eq!(public.proves_by_hash(&["ana"], &hash).unwrap_err().reason(), Reason::InvalidParameter);
}
