//! What the configuration asks of new passwords, and how long lasts what identity gives out. Pure.

use super::common_passwords;
use crate::error::{Error, Reason, Result};
use time::Duration;

/// How the protocol begins to say what a new password lacks.
pub const REFUSED: &str = "Password did not conform with policy: ";

const PASSWORD_CHARS_MAX: usize = 256;
const COMMON: &str = "This password is too common. Please choose another one.";
/// No access token lasts longer, whatever the configuration says.
pub const ACCESS_LIFE_MAX: Duration = Duration::hours(24);

/// What a new password must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordPolicy {
    /// How many characters at least.
    pub chars_min: usize,
    /// Whether one is an upper-case letter.
    pub upper: bool,
    /// Whether one is a lower-case letter.
    pub lower: bool,
    /// Whether one is a digit.
    pub digit: bool,
    /// Whether one is neither letter nor digit; a space counts inside.
    pub symbol: bool,
}

impl Default for PasswordPolicy {
    /// Eight characters of any kind.
    fn default() -> Self {
        Self { chars_min: 8, upper: false, lower: false, digit: false, symbol: false }
    }
}

impl PasswordPolicy {
    /// Checks a new password. One of the most common is refused whatever the policy.
    ///
    /// # Errors
    /// INVALID_PASSWORD, for what the policy demands in the words of the protocol.
    pub fn check(&self, text: &str) -> Result<()> {
        let chars = text.chars().count();
        let has = |is: fn(char) -> bool| text.trim().chars().any(is);
        let demands = [
            (chars < self.chars_min, "Password not long enough"),
            (chars > PASSWORD_CHARS_MAX, "Password too long"),
            (self.upper && !has(char::is_uppercase), "Password must have uppercase characters"),
            (self.lower && !has(char::is_lowercase), "Password must have lowercase characters"),
            (self.digit && !has(|c| c.is_ascii_digit()), "Password must have numeric characters"),
            (self.symbol && !has(|c| !c.is_alphanumeric() && !c.is_control()), "Password must have symbol characters"),
        ];
        match demands.into_iter().find(|(lacks, _)| *lacks) {
            Some((_, why)) => Err(Error::new(Reason::InvalidPassword, format!("{REFUSED}{why}"))),
            None if common_passwords::has(text) => Err(Error::new(Reason::InvalidPassword, COMMON)),
            None => Ok(()),
        }
    }
}

/// How long things last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lives {
    /// A sign-up that waits for its code, and the code with it.
    pub sign_up: Duration,
    /// A code for a new password.
    pub reset_code: Duration,
    /// A password that an operator set.
    pub temporary_password: Duration,
    /// Access and id tokens; at most `ACCESS_LIFE_MAX`.
    pub access_token: Duration,
    /// The refresh tokens of one sign-in.
    pub refresh_token: Duration,
    /// The session between two steps of a sign-in.
    pub challenge: Duration,
    /// How long one key signs tokens.
    pub signing_key: Duration,
}

impl Default for Lives {
    fn default() -> Self {
        Self {
            sign_up: Duration::hours(24),
            reset_code: Duration::hours(1),
            temporary_password: Duration::days(7),
            access_token: Duration::hours(1),
            refresh_token: Duration::days(30),
            challenge: Duration::minutes(3),
            signing_key: Duration::days(90),
        }
    }
}

/// A life in words, for mails: "an hour", "90 minutes", "24 hours", "7 days".
pub fn in_words(life: Duration) -> String {
    let (minutes, hours, days) = (life.whole_minutes(), life.whole_hours(), life.whole_days());
    match () {
        () if hours == 1 && minutes == 60 => "an hour".to_owned(),
        () if minutes % 60 != 0 || hours == 0 => format!("{minutes} minutes"),
        () if hours % 24 != 0 || days < 2 => format!("{hours} hours"),
        () => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STRICT: PasswordPolicy = PasswordPolicy { chars_min: 10, upper: true, lower: true, digit: true, symbol: true };

    #[test]
    fn a_password_has_eight_to_256_characters() {
        let policy = PasswordPolicy::default();
        for (text, good) in [("1234-67", false), ("1234-678", true), ("ääääääää", true), ("        ", true)] {
            assert_eq!(policy.check(text).is_ok(), good, "{text}");
        }
        assert!(policy.check(&"ä".repeat(256)).is_ok());
        let refused = policy.check("short").unwrap_err();
        assert_eq!(refused.message(), "Password did not conform with policy: Password not long enough");
        assert_eq!(policy.check(&"a".repeat(257)).unwrap_err().reason(), Reason::InvalidPassword);
    }

    #[test]
    fn a_common_password_is_refused_after_what_the_policy_demands() {
        for (policy, text, why) in [
            (PasswordPolicy::default(), "12345678", COMMON),
            (PasswordPolicy::default(), "Password1", COMMON),
            (STRICT, "Password1", "Password did not conform with policy: Password not long enough"),
        ] {
            let refused = policy.check(text).unwrap_err();
            assert_eq!((refused.reason(), refused.message()), (Reason::InvalidPassword, why), "{text}");
        }
    }

    #[test]
    fn what_a_password_lacks_is_told_in_the_words_of_the_protocol() {
        for (text, why) in [
            ("Aa1-5678", "Password not long enough"),
            ("aa1-567890", "Password must have uppercase characters"),
            ("AA1-567890", "Password must have lowercase characters"),
            ("Aab-cdefgh", "Password must have numeric characters"),
            ("Aa12567890", "Password must have symbol characters"),
            (" Aa12567890 ", "Password must have symbol characters"),
        ] {
            let refused = STRICT.check(text).unwrap_err();
            assert_eq!(refused.message(), format!("Password did not conform with policy: {why}"), "{text}");
        }
        assert!(STRICT.check("Aa1-567890").is_ok() && STRICT.check("Äö1 567890").is_ok());
    }

    #[test]
    fn a_life_is_told_in_the_largest_unit_that_fits() {
        for (life, words) in [
            (Duration::hours(1), "an hour"),
            (Duration::minutes(5), "5 minutes"),
            (Duration::minutes(90), "90 minutes"),
            (Duration::hours(24), "24 hours"),
            (Duration::hours(36), "36 hours"),
            (Duration::hours(168), "7 days"),
        ] {
            assert_eq!(in_words(life), words);
        }
    }

    proptest! {
        #[test]
        fn no_password_makes_checking_panic(text: String) {
            let _ = (PasswordPolicy::default().check(&text), STRICT.check(&text));
        }
    }
}
