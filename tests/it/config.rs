//! The configuration, as an operator meets it: wrong values stop the start and are named, secrets are not shown, the help is complete.

use clap::CommandFactory;
use goodturn::config::Cli;
use std::process::{Command, Output};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// Production with all it needs; a test takes one thing away or spoils it.
const PRODUCTION: &[(&str, &str)] = &[
    ("GOODTURN_MODE", "production"),
    ("GOODTURN_SECRET_KEYS", KEY),
    ("GOODTURN_PUBLIC_URL", "https://goodturn.example"),
    ("GOODTURN_SMTP_URL", "smtps://me:canary-smtp@mail.example"),
    ("GOODTURN_MAIL_FROM", "Goodturn <hello@goodturn.example>"),
    ("DATABASE_URL", "postgres://me:canary-database@127.0.0.1:1/none"),
    ("GOODTURN_PICTURES_DIR", "/nowhere"),
];

/// Runs `goodturn migrate`, which needs every setting and, with these, finds no database.
fn run(environment: &[(&str, &str)], flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodturn"));
    command.env_clear().envs(environment.iter().copied()).arg("migrate").args(flags).output().unwrap()
}

fn refusal(environment: &[(&str, &str)], flags: &[&str]) -> String {
    let output = run(environment, flags);
    assert!(!output.status.success(), "{environment:?} {flags:?} was taken");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_value_stops_the_start_and_is_named() {
    let wrong = [
        ("GOODTURN_MODE", "--mode", "staging"),
        ("GOODTURN_LISTEN", "--listen", "localhost"),
        ("GOODTURN_LISTEN", "--listen", "0.0.0.0:8080"),
        ("GOODTURN_METRICS_LISTEN", "--metrics-listen", "9464"),
        ("GOODTURN_PUBLIC_URL", "--public-url", "goodturn.example"),
        ("GOODTURN_PUBLIC_URL", "--public-url", "https://goodturn.example/"),
        ("DATABASE_URL", "--database-url", "mysql://127.0.0.1/x"),
        ("GOODTURN_PRIVATE_POSTGRES", "--private-postgres", "perhaps"),
        ("GOODTURN_PUBLIC_PLAIN", "--public-plain", "perhaps"),
        ("GOODTURN_SMTP_PLAIN", "--smtp-plain", "perhaps"),
        ("GOODTURN_SMS_URL", "--sms-url", "sms.example"),
        ("GOODTURN_SMS_PLAIN", "--sms-plain", "perhaps"),
        ("GOODTURN_SECRET_KEYS", "--secret-keys", "too short"),
        ("GOODTURN_TLS_CERT", "--tls-key", "cert.pem"),
        ("GOODTURN_TRUSTED_PROXIES", "--trusted-proxies", "10.0.0.1,proxy"),
        ("GOODTURN_TRUSTED_PROXIES", "--trusted-proxies", "10.0.0.0/33"),
        ("GOODTURN_ALLOWED_ORIGINS", "--allowed-origins", "*"),
        ("GOODTURN_SMTP_URL", "--smtp-url", "mail.example:25"),
        ("GOODTURN_MAIL_FROM", "--mail-from", "nobody"),
        ("GOODTURN_REPORTS_TO", "--reports-to", "nobody"),
        ("GOODTURN_MAIL_DELAY_S", "--mail-delay-s", "3601"),
        ("GOODTURN_POOL_ID", "--pool-id", "us-east-1"),
        ("GOODTURN_WEB_CLIENT_ID", "--web-client-id", "a b"),
        ("GOODTURN_GOOGLE_CLIENT_ID", "--google-client-secret", "alone.apps.example"),
        ("GOODTURN_CLIENT_IDS", "--client-ids", "one,,two"),
        ("GOODTURN_AUTO_SIGN_IN", "--auto-sign-in", "maybe"),
        ("GOODTURN_POOL_CONNECTIONS_MAX", "--pool-connections-max", "0"),
        ("GOODTURN_ACQUIRE_TIMEOUT_MS", "--acquire-timeout-ms", "-1"),
        ("GOODTURN_STATEMENT_TIMEOUT_MS", "--statement-timeout-ms", "10s"),
        ("GOODTURN_LOCK_TIMEOUT_MS", "--lock-timeout-ms", "0"),
        ("GOODTURN_CALL_TIMEOUT_MS", "--call-timeout-ms", "9999999"),
        ("GOODTURN_DRAIN_DELAY_S", "--drain-delay-s", "601"),
        ("GOODTURN_DRAIN_S", "--drain-s", "601"),
        ("GOODTURN_BODY_BYTES_MAX", "--body-bytes-max", "1"),
        ("GOODTURN_BODY_TIMEOUT_MS", "--body-timeout-ms", "30s"),
        ("GOODTURN_PROGRESS_TIMEOUT_MS", "--progress-timeout-ms", "0"),
        ("GOODTURN_IDLE_TIMEOUT_MS", "--idle-timeout-ms", "-1"),
        ("GOODTURN_CONNECTIONS_MAX", "--connections-max", "0"),
        ("GOODTURN_CONNECTIONS_PER_ADDRESS", "--connections-per-address", "many"),
        ("GOODTURN_STREAMS_PER_MEMBER", "--streams-per-member", "0"),
        ("GOODTURN_RATE_PER_ADDRESS", "--rate-per-address", "100"),
        ("GOODTURN_RATE_PER_MEMBER", "--rate-per-member", "0:10"),
        ("GOODTURN_RATE_IDENTITY", "--rate-identity", "a:b"),
        ("GOODTURN_RATE_FIND_FRIEND", "--rate-find-friend", "1:2:3"),
        ("GOODTURN_TRIES_PASSWORD", "--tries-password", "0"),
        ("GOODTURN_TRIES_NETWORK", "--tries-network", "0"),
        ("GOODTURN_TRIES_CODE", "--tries-code", "0"),
        ("GOODTURN_SENDS_CODE", "--sends-code", "0"),
        ("GOODTURN_MAILS_PER_NETWORK", "--mails-per-network", "0"),
        ("GOODTURN_MAILS_PER_ADDRESS", "--mails-per-address", "many"),
        ("GOODTURN_PASSWORD_CHARS_MIN", "--password-chars-min", "7"),
        ("GOODTURN_PASSWORD_UPPER", "--password-upper", "perhaps"),
        ("GOODTURN_PASSWORD_LOWER", "--password-lower", "perhaps"),
        ("GOODTURN_PASSWORD_DIGIT", "--password-digit", "perhaps"),
        ("GOODTURN_PASSWORD_SYMBOL", "--password-symbol", "perhaps"),
        ("GOODTURN_SIGN_UP_LIFE_H", "--sign-up-life-h", "0"),
        ("GOODTURN_RESET_CODE_LIFE_MIN", "--reset-code-life-min", "4"),
        ("GOODTURN_TEMPORARY_PASSWORD_LIFE_H", "--temporary-password-life-h", "7d"),
        ("GOODTURN_ACCESS_TOKEN_LIFE_MIN", "--access-token-life-min", "1441"),
        ("GOODTURN_REFRESH_TOKEN_LIFE_H", "--refresh-token-life-h", "87601"),
        ("GOODTURN_CHALLENGE_LIFE_S", "--challenge-life-s", "59"),
        ("GOODTURN_SIGNING_KEY_LIFE_D", "--signing-key-life-d", "0"),
        ("GOODTURN_PICTURES_S3_BUCKET", "--pictures-s3-bucket", "Faces"),
        ("GOODTURN_PICTURES_S3_REGION", "--pictures-s3-region", "eu west"),
        ("GOODTURN_PICTURES_S3_ENDPOINT", "--pictures-s3-endpoint", "minio.example"),
        ("GOODTURN_PICTURES_S3_IN_PATH", "--pictures-s3-in-path", "perhaps"),
        ("GOODTURN_PICTURES_S3_PLAIN", "--pictures-s3-plain", "perhaps"),
        ("GOODTURN_LOG", "--log", "goodturn=loud"),
        ("GOODTURN_LOG_FORMAT", "--log-format", "xml"),
    ];
    for (variable, flag, value) in wrong {
        let told = refusal(&[(variable, value)], &[]);
        assert!(told.contains(flag), "{variable}={value}: {told}");
        if variable != "GOODTURN_TLS_CERT" {
            let told = refusal(&[], &[&format!("{flag}={value}")]);
            assert!(told.contains(flag), "{flag}={value}: {told}");
        }
    }
}

/// Production with one variable changed, or taken away.
fn but(name: &str, value: Option<&'static str>) -> Vec<(&'static str, &'static str)> {
    PRODUCTION.iter().filter_map(|(n, v)| if *n == name { value.map(|value| (*n, value)) } else { Some((*n, *v)) }).collect()
}

/// Whether the configuration was taken: what fails then is the database, which is not there.
fn is_taken(environment: &[(&str, &str)], flags: &[&str]) -> bool {
    refusal(environment, flags).contains("Connection refused")
}

#[test]
fn production_refuses_to_start_without_what_it_needs() {
    assert!(is_taken(PRODUCTION, &[]));
    for missing in
        ["GOODTURN_SECRET_KEYS", "GOODTURN_PUBLIC_URL", "GOODTURN_SMTP_URL", "GOODTURN_MAIL_FROM", "DATABASE_URL", "GOODTURN_PICTURES_DIR"]
    {
        let told = refusal(&but(missing, None), &[]);
        assert!(told.contains("production needs") && told.contains(missing), "{missing}: {told}");
    }
    let told = refusal(PRODUCTION, &["--auto-sign-in=true"]);
    assert!(told.contains("--auto-sign-in"), "{told}");
}

#[test]
fn an_access_token_does_not_outlast_its_sign_in() {
    let told = refusal(PRODUCTION, &["--access-token-life-min=1440", "--refresh-token-life-h=23"]);
    assert!(told.contains("GOODTURN_ACCESS_TOKEN_LIFE_MIN") && told.contains("GOODTURN_REFRESH_TOKEN_LIFE_H"), "{told}");
    assert!(is_taken(PRODUCTION, &["--access-token-life-min=1440", "--refresh-token-life-h=24"]));
}

#[test]
fn production_uses_the_private_postgres_only_when_asked_to() {
    let unnamed = but("DATABASE_URL", None);
    let told = refusal(&unnamed, &[]);
    assert!(told.contains("--private-postgres") && told.contains("GOODTURN_PRIVATE_POSTGRES"), "{told}");
    // Asked for, it is started: there, where it cannot be.
    let told = refusal(&unnamed, &["--private-postgres=true", "--data-dir=/dev/null/nowhere"]);
    assert!(told.contains("making the data directory"), "{told}");
    let told = refusal(PRODUCTION, &["--private-postgres=true"]);
    assert!(told.contains("DATABASE_URL") && told.contains("GOODTURN_PRIVATE_POSTGRES"), "{told}");
}

#[test]
fn production_sends_mail_without_tls_only_when_asked_to() {
    for plain in ["smtp://mail.example:25", "smtp://mail.example:587?tls=opportunistic"] {
        let plain = but("GOODTURN_SMTP_URL", Some(plain));
        let told = refusal(&plain, &[]);
        assert!(told.contains("GOODTURN_SMTP_URL") && told.contains("GOODTURN_SMTP_PLAIN"), "{told}");
        assert!(is_taken(&plain, &["--smtp-plain=true"]));
    }
    assert!(is_taken(&but("GOODTURN_SMTP_URL", Some("smtp://mail.example:587?tls=required")), &[]));
}

#[test]
fn pictures_are_in_a_folder_or_in_a_bucket_with_all_it_needs() {
    let bucket = |more: &[(&'static str, &'static str)]| {
        [&but("GOODTURN_PICTURES_DIR", None), [("GOODTURN_PICTURES_S3_BUCKET", "faces")].as_slice(), more].concat()
    };
    let key = [("GOODTURN_PICTURES_S3_KEY_ID", "me"), ("GOODTURN_PICTURES_S3_SECRET", "canary")];
    assert!(is_taken(&bucket(&key), &[]));
    for (environment, named) in [
        (bucket(&key[..1]), "GOODTURN_PICTURES_S3_SECRET"),
        (bucket(&key[1..]), "GOODTURN_PICTURES_S3_KEY_ID"),
        ([PRODUCTION, &bucket(&key)].concat(), "exclude each other"),
    ] {
        let told = refusal(&environment, &[]);
        assert!(told.contains(named) && !told.contains("canary"), "{told}");
    }
    let plain = "--pictures-s3-endpoint=http://minio.example:9000";
    let told = refusal(&bucket(&key), &[plain]);
    assert!(told.contains("GOODTURN_PICTURES_S3_ENDPOINT") && told.contains("GOODTURN_PICTURES_S3_PLAIN"), "{told}");
    assert!(is_taken(&bucket(&key), &[plain, "--pictures-s3-plain=true"]));
    let told = refusal(
        &bucket(&key),
        &["--pictures-s3-endpoint=http://127.0.0.1:9000", "--pictures-s3-plain=true", "--pictures-s3-in-path=false"],
    );
    assert!(told.contains("GOODTURN_PICTURES_S3_BUCKET"), "an address has no host above it: {told}");
}

#[test]
fn production_sends_sms_without_tls_only_when_asked_to() {
    let with = |url: &'static str| [PRODUCTION, &[("GOODTURN_SMS_URL", url)]].concat();
    let told = refusal(&with("http://me:canary@sms.example"), &[]);
    assert!(told.contains("GOODTURN_SMS_URL") && told.contains("GOODTURN_SMS_PLAIN") && !told.contains("canary"), "{told}");
    assert!(is_taken(&with("http://sms.example"), &["--sms-plain=true"]));
    assert!(is_taken(&with("https://sms.example/send"), &[]));
}

#[test]
fn production_is_reached_by_http_only_when_asked_to() {
    let plain = but("GOODTURN_PUBLIC_URL", Some("http://goodturn.example"));
    let told = refusal(&plain, &[]);
    assert!(told.contains("GOODTURN_PUBLIC_URL") && told.contains("GOODTURN_PUBLIC_PLAIN"), "{told}");
    assert!(is_taken(&plain, &["--public-plain=true"]));
}

#[test]
fn production_trusts_no_network_of_everybody() {
    for all in ["0.0.0.0/0", "10.0.0.0/8,::/0"] {
        let told = refusal(PRODUCTION, &[&format!("--trusted-proxies={all}")]);
        assert!(told.contains("GOODTURN_TRUSTED_PROXIES"), "{all}: {told}");
    }
    assert!(is_taken(PRODUCTION, &["--trusted-proxies=10.0.0.0/8,::1"]));
}

#[test]
fn production_refuses_a_key_that_is_short_or_can_be_guessed() {
    let zero = "0000000000000000000000000000000000000000000000000000000000000000";
    let second = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f,YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
    for weak in [zero, second, "0001020304050607", "c2hvcnQ="] {
        let told = refusal(&but("GOODTURN_SECRET_KEYS", Some(weak)), &[]);
        assert!(told.contains("--secret-keys"), "{weak}: {told}");
    }
}

#[test]
fn a_wrong_secret_is_named_and_not_shown() {
    let wrong = [
        ("GOODTURN_SECRET_KEYS", "--secret-keys", "canary-of-the-wrong-length"),
        ("GOODTURN_SMTP_URL", "--smtp-url", "http://me:canary@mail.example"),
        ("GOODTURN_SMS_URL", "--sms-url", "ftp://me:canary@sms.example"),
        ("DATABASE_URL", "--database-url", "mysql://me:canary@127.0.0.1/x"),
    ];
    for (variable, flag, value) in wrong {
        for told in [refusal(&[(variable, value)], &[]), refusal(&[], &[&format!("{flag}={value}")])] {
            assert!(told.contains(flag) && told.contains("must"), "{variable}: {told}");
            assert!(!told.contains("canary"), "{told}");
        }
    }
}

#[test]
fn a_database_that_cannot_be_reached_is_named_by_its_setting() {
    let told = refusal(PRODUCTION, &[]);
    assert!(told.contains("DATABASE_URL"), "{told}");
}

#[test]
fn no_secret_is_shown() {
    let failed = refusal(PRODUCTION, &[]);
    let help = run(PRODUCTION, &["--help"]);
    assert!(help.status.success());
    let shown = failed + &String::from_utf8(help.stdout).unwrap();
    for canary in ["canary-smtp", "canary-database", KEY] {
        assert!(!shown.contains(canary), "{canary} in {shown}");
    }
}

#[test]
fn the_help_has_every_setting_with_its_variable() {
    let help = Cli::command().render_long_help().to_string();
    for argument in Cli::command().get_arguments().filter(|a| !["help", "version"].contains(&a.get_id().as_str())) {
        let flag = format!("--{}", argument.get_long().expect("every setting has a flag"));
        let variable = argument.get_env().expect("every setting has a variable").to_str().unwrap().to_owned();
        assert!(help.contains(&flag) && help.contains(&format!("[env: {variable}")), "{flag} {variable}");
        assert!(variable.starts_with("GOODTURN_") || variable == "DATABASE_URL", "{variable}");
        assert!(argument.get_help().is_some(), "{flag} says nothing");
    }
}
