//! Every text of the hosted sign-in: in the words of the app where it has them.

/// Errors of the protocol, as applications read them.
pub mod errors {
    pub const INVALID_REQUEST: &str = "invalid_request";
    pub const INVALID_CLIENT: &str = "invalid_client";
    pub const INVALID_GRANT: &str = "invalid_grant";
    pub const INVALID_SCOPE: &str = "invalid_scope";
    pub const INVALID_TOKEN: &str = "invalid_token";
    pub const INSUFFICIENT_SCOPE: &str = "insufficient_scope";
    pub const UNAUTHORIZED_CLIENT: &str = "unauthorized_client";
    pub const UNSUPPORTED_GRANT_TYPE: &str = "unsupported_grant_type";
    pub const UNSUPPORTED_RESPONSE_TYPE: &str = "unsupported_response_type";
    pub const UNSUPPORTED_TOKEN_TYPE: &str = "unsupported_token_type";
    pub const ACCESS_DENIED: &str = "access_denied";
    pub const LOGIN_REQUIRED: &str = "login_required";
    pub const SERVER_ERROR: &str = "server_error";
    pub const TEMPORARILY_UNAVAILABLE: &str = "temporarily_unavailable";
}

/// What the page says.
pub mod pages {
    use crate::identity::policy::{PasswordPolicy, REFUSED};

    pub const BRAND: &str = "Goodturn";
    pub const TAGLINE: &str = "Your community favor network";
    pub const MOTTO: [&str; 2] = ["Good neighbors,", "one favor at a time."];

    pub const SIGN_IN: &str = "Sign In";
    pub const SIGN_IN_TITLE: &str = "Sign in to Goodturn";
    pub const SIGN_IN_SUB: &str = "Someone nearby could use your help today.";
    pub const EMAIL: &str = "Email";
    pub const PASSWORD: &str = "Password";
    pub const FORGOT: &str = "Forgot password?";
    pub const OR: &str = "or";
    pub const CANCEL: &str = "Cancel";

    pub const FORGOT_TITLE: &str = "Forgot your password?";
    pub const FORGOT_SUB: &str = "We'll email you a code to choose a new password.";
    pub const SEND_CODE: &str = "Send code";
    pub const BACK: &str = "Back to Sign In";

    pub const RESET_TITLE: &str = "Choose a new password";
    pub const CODE_SENT: &str = "We sent a 6-digit code to";
    pub const CODE: &str = "Verification code";
    pub const NEW_PASSWORD: &str = "New password";
    pub const SET_PASSWORD: &str = "Set new password";
    pub const RESEND: &str = "Resend code";
    pub const PASSWORD_SET: &str = "Your new password is set. Please sign in.";

    pub const LINK_TITLE: &str = "You already have an account";
    pub const LINK_BY_PASSWORD: &str = "Link and sign in";
    pub const LINK_BY_CODE: &str = "Email me a code instead";
    pub const LINK_NEEDS_PASSWORD: &str = "This account has a second step. Please enter your password.";
    pub const LINK_CODE_TITLE: &str = "Check your email";
    pub const VERIFY: &str = "Verify";

    pub const FACTOR_TITLE: &str = "One more step";
    pub const FACTOR_TOTP: &str = "Enter the code from your authenticator app, or a recovery code.";
    pub const FACTOR_CHOICE: &str = "How do you want to confirm it's you?";
    pub const BY_SMS: &str = "Text message";
    pub const BY_TOTP: &str = "Authenticator app";
    pub const SET_UP_TITLE: &str = "Set up a second step";
    pub const SET_UP_SUB: &str = "This app requires a second step in addition to your password: an authenticator app on your phone.";
    pub const SCAN: &str = "Scan this with your authenticator app";
    pub const PICTURE: &str = "QR code for your authenticator app";
    pub const OPEN_AUTHENTICATOR: &str = "Open in your authenticator app";
    pub const OR_TYPE: &str = "Or enter this key in the app";
    pub const SET_UP: &str = "Turn on and sign in";
    pub const WRONG_CODE: &str = "Invalid verification code";
    pub const EXPIRED_CODE: &str = "This code has expired. Request a new one.";
    pub const USED_CODE: &str = "This code was already used. Wait for the next one.";
    pub const TOO_MANY: &str = "Too many attempts. Please try again later.";
    pub const UNCONFIRMED: &str = "This address isn't verified yet.";
    pub const BEGIN_ANEW: &str = "That took too long or was already done. Please sign in again.";
    pub const OWN_PASSWORD_SUB: &str = "Your current password was set for you. Choose one that only you know.";
    pub const CONTINUE: &str = "Continue";

    pub const ENTER_BOTH: &str = "Please enter both email and password.";
    pub const ENTER_CODE: &str = "Please enter the verification code";
    pub const ENTER_EMAIL: &str = "Please enter a valid email address";
    pub const FILL_ALL: &str = "Please fill in all fields";
    pub const UNEXPECTED: &str = "An unexpected error occurred";
    pub const TRY_AGAIN: &str = "Something went wrong. Please try again.";

    pub const FAILED_TITLE: &str = "Sign In Failed";
    pub const SIGN_OUT_FAILED_TITLE: &str = "Sign Out Failed";
    pub const FAILED_HINT: &str = "Go back to the app you came from and try again.";
    pub const NO_CLIENT: &str = "We don't recognize the app that sent you here.";
    pub const NO_CALLBACK: &str = "The app that sent you here gave a return address that isn't its own.";
    pub const NO_SIGN_OUT: &str = "The app that sent you here gave a return address that isn't its own. You were not signed out.";
    pub const TOO_LATE: &str = "This page has expired or was opened in another browser.";
    pub const NOT_VERIFIED: &str = "hasn't verified your email address. Verify it there, or sign in with your password.";
    pub const DISABLED: &str = "This account is disabled.";

    /// What a new password must have.
    pub fn password_rule(policy: &PasswordPolicy) -> String {
        let kinds = [
            (policy.upper, "an uppercase letter"),
            (policy.lower, "a lowercase letter"),
            (policy.digit, "a number"),
            (policy.symbol, "a symbol"),
        ];
        let wanted: Vec<_> = kinds.into_iter().filter(|(wants, _)| *wants).map(|(_, kind)| kind).collect();
        let listed = match wanted.split_last() {
            None => return format!("At least {} characters", policy.chars_min),
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        };
        format!("At least {} characters, with {listed}", policy.chars_min)
    }

    /// Replaces the protocol's refusal of a new password by plain words.
    pub fn password_fault(said: &str) -> &str {
        match said.strip_prefix(REFUSED) {
            Some("Password not long enough") => "Your password is too short.",
            Some("Password too long") => "Your password is too long.",
            Some("Password must have uppercase characters") => "Your password needs at least one uppercase letter.",
            Some("Password must have lowercase characters") => "Your password needs at least one lowercase letter.",
            Some("Password must have numeric characters") => "Your password needs at least one number.",
            Some("Password must have symbol characters") => "Your password needs at least one symbol.",
            Some("Password must not be the temporary one") => "Please choose a password other than the temporary one.",
            _ => said,
        }
    }

    /// The button of a provider.
    pub fn continue_with(provider: &str) -> String {
        format!("Continue with {provider}")
    }

    /// Why somebody who came by a provider is asked here all the same.
    pub fn says_no_time(provider: &str) -> String {
        format!(
            "{provider} doesn't say when you signed in there, and this app needs to know. Please sign in with your password. If you don't \
             have one yet, choose \"{FORGOT}\" to set one."
        )
    }

    /// Why somebody is asked for a proof.
    pub fn link_sub(provider: &str, email: &str) -> String {
        format!(
            "You use {email} with {provider}, and there's already a Goodturn account with this address. Confirm once that it's yours, and \
             from then on you can sign in with {provider}."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::pages::{password_fault, password_rule};
    use crate::identity::PasswordPolicy;

    #[test]
    fn the_rule_of_passwords_is_the_configured_one() {
        let usual = PasswordPolicy::default();
        assert_eq!(password_rule(&usual), "At least 8 characters");
        let strict = PasswordPolicy { chars_min: 12, upper: true, digit: true, ..usual };
        assert_eq!(password_rule(&strict), "At least 12 characters, with an uppercase letter and a number");
    }

    #[test]
    fn each_fault_of_a_password_has_plain_words() {
        let strict = PasswordPolicy { chars_min: 10, upper: true, lower: true, digit: true, symbol: true };
        for (text, told) in [
            ("Aa1-5678", "Your password is too short."),
            (&*"a".repeat(257), "Your password is too long."),
            ("aa1-567890", "Your password needs at least one uppercase letter."),
            ("AA1-567890", "Your password needs at least one lowercase letter."),
            ("Aab-cdefgh", "Your password needs at least one number."),
            ("Aa12567890", "Your password needs at least one symbol."),
        ] {
            assert_eq!(password_fault(strict.check(text).unwrap_err().message()), told, "{text}");
        }
        let common = PasswordPolicy::default().check("12345678").unwrap_err();
        assert_eq!(password_fault(common.message()), common.message(), "that is plain already");
    }
}
