//! What production needs: each refusal names the setting, and what is less than safe must be asked for.

use super::Config;
use anyhow::{Result, bail, ensure};

/// Checks the configuration of production.
pub(super) fn check(config: &Config) -> Result<()> {
    let missing = [
        (config.secret_keys.is_empty(), "--secret-keys (GOODTURN_SECRET_KEYS)"),
        (config.public_url.is_none(), "--public-url (GOODTURN_PUBLIC_URL)"),
        (config.smtp_url.is_none(), "--smtp-url (GOODTURN_SMTP_URL)"),
        (config.mail_from.email.domain().ends_with(".invalid"), "--mail-from (GOODTURN_MAIL_FROM)"),
        (
            config.database_url.is_none() && !config.private_postgres,
            "--database-url (DATABASE_URL), or --private-postgres=true (GOODTURN_PRIVATE_POSTGRES) to keep the data in --data-dir",
        ),
    ];
    if let Some((_, name)) = missing.iter().find(|(missing, _)| *missing) {
        bail!("production needs {name}");
    }
    ensure!(
        config.public_plain || config.public_url().starts_with("https://"),
        "--public-url (GOODTURN_PUBLIC_URL) must be https:// in production; --public-plain=true (GOODTURN_PUBLIC_PLAIN) allows http://"
    );
    ensure!(
        config.smtp_plain || config.smtp_url.as_ref().is_none_or(|url| has_tls(url.reveal())),
        "--smtp-url (GOODTURN_SMTP_URL) must be smtps://, or smtp:// with ?tls=required, in production; --smtp-plain=true \
         (GOODTURN_SMTP_PLAIN) allows mail without TLS"
    );
    ensure!(
        config.sms_plain || config.sms_url.as_ref().is_none_or(|url| url.reveal().starts_with("https://")),
        "--sms-url (GOODTURN_SMS_URL) must be https:// in production; --sms-plain=true (GOODTURN_SMS_PLAIN) allows SMS without TLS"
    );
    config.pictures.check_production()?;
    ensure!(
        config.trusted_proxies.iter().all(|network| network.prefix_len() > 0),
        "--trusted-proxies (GOODTURN_TRUSTED_PROXIES) has a network of everybody: anyone could say that they are somebody else"
    );
    ensure!(
        !config.secret_keys.iter().any(|key| key.is_guessable()),
        "--secret-keys (GOODTURN_SECRET_KEYS) has a key that can be guessed: make one with `openssl rand -base64 32`"
    );
    ensure!(!config.demo, "--demo (GOODTURN_DEMO) is for local mode only");
    ensure!(!config.auto_sign_in, "--auto-sign-in (GOODTURN_AUTO_SIGN_IN) is for local mode only");
    Ok(())
}

/// Whether no mail goes out in the clear, as the mail library reads the URL: from the start, or by a STARTTLS that must succeed.
fn has_tls(url: &str) -> bool {
    let url = url.split('#').next().unwrap_or_default();
    let asked = url.split_once('?').and_then(|(_, query)| query.split('&').find_map(|pair| pair.strip_prefix("tls=")));
    match asked {
        None => url.starts_with("smtps://"),
        Some(asked) => url.starts_with("smtp://") && asked == "required",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_connection_that_must_be_encrypted_has_tls() {
        for safe in ["smtps://mail.example", "smtps://me:x@mail.example:465", "smtp://mail.example:587?tls=required"] {
            assert!(has_tls(safe), "{safe}");
        }
        let plain = [
            "smtp://mail.example",
            "smtp://mail.example?tls=opportunistic",
            "smtp://m?x=1",
            "smtp://m#?tls=required",
            "smtp://m?tls=x&tls=required",
        ];
        for plain in plain {
            assert!(!has_tls(plain), "{plain}");
        }
    }
}
