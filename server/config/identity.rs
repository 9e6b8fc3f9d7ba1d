//! Settings of identity: what a password must have, and how long things last.

use crate::identity::{Lives, PasswordPolicy};
use anyhow::{Result, ensure};
use clap::{Args, value_parser};
use time::Duration;

/// What a community may decide of accounts. The defaults are safe; the bounds are those of the protocol's clients.
#[derive(Args, Clone, Debug)]
pub struct Identity {
    /// Least length of a new password, in characters
    #[arg(long, env = "GOODTURN_PASSWORD_CHARS_MIN", default_value_t = 8, value_parser = value_parser!(u8).range(8..=128), global = true)]
    pub password_chars_min: u8,
    /// Whether a new password must have an upper-case letter
    #[arg(long, env = "GOODTURN_PASSWORD_UPPER", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub password_upper: bool,
    /// Whether a new password must have a lower-case letter
    #[arg(long, env = "GOODTURN_PASSWORD_LOWER", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub password_lower: bool,
    /// Whether a new password must have a digit
    #[arg(long, env = "GOODTURN_PASSWORD_DIGIT", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub password_digit: bool,
    /// Whether a new password must have a symbol
    #[arg(long, env = "GOODTURN_PASSWORD_SYMBOL", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub password_symbol: bool,

    /// How long a sign-up and its code wait to be confirmed, in hours
    #[arg(long, env = "GOODTURN_SIGN_UP_LIFE_H", default_value_t = 24, value_parser = value_parser!(u32).range(1..=168), global = true)]
    pub sign_up_life_h: u32,
    /// How long a code allows a new password, in minutes
    #[arg(long, env = "GOODTURN_RESET_CODE_LIFE_MIN", default_value_t = 60, value_parser = value_parser!(u32).range(5..=1440), global = true)]
    pub reset_code_life_min: u32,
    /// How long a temporary password of an operator's lets its member in, in hours
    #[arg(long, env = "GOODTURN_TEMPORARY_PASSWORD_LIFE_H", default_value_t = 168, value_parser = value_parser!(u32).range(1..=8760), global = true)]
    pub temporary_password_life_h: u32,
    /// How long access and id tokens last, in minutes
    #[arg(long, env = "GOODTURN_ACCESS_TOKEN_LIFE_MIN", default_value_t = 60, value_parser = value_parser!(u32).range(5..=1440), global = true)]
    pub access_token_life_min: u32,
    /// How long a sign-in can be refreshed, in hours, from 1 to 87600 (10 years); it counts for sign-ins from now on
    #[arg(long, env = "GOODTURN_REFRESH_TOKEN_LIFE_H", default_value_t = 720, value_parser = value_parser!(u32).range(1..=87_600), global = true)]
    pub refresh_token_life_h: u32,
    /// How long the next step of a sign-in may take, in seconds
    #[arg(long, env = "GOODTURN_CHALLENGE_LIFE_S", default_value_t = 180, value_parser = value_parser!(u32).range(60..=900), global = true)]
    pub challenge_life_s: u32,
    /// How long one key signs tokens before the next one does, in days; `goodturn keys rotate` does not wait for it
    #[arg(long, env = "GOODTURN_SIGNING_KEY_LIFE_D", default_value_t = 90, value_parser = value_parser!(u32).range(1..=3650), global = true)]
    pub signing_key_life_d: u32,
}

impl Identity {
    /// Checks what one setting alone cannot say.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            self.lives().access_token <= self.lives().refresh_token,
            "--access-token-life-min (GOODTURN_ACCESS_TOKEN_LIFE_MIN) is longer than --refresh-token-life-h (GOODTURN_REFRESH_TOKEN_LIFE_H): \
             an access token ends with its sign-in"
        );
        Ok(())
    }

    /// What a new password must have.
    pub fn password_policy(&self) -> PasswordPolicy {
        PasswordPolicy {
            chars_min: self.password_chars_min.into(),
            upper: self.password_upper,
            lower: self.password_lower,
            digit: self.password_digit,
            symbol: self.password_symbol,
        }
    }

    /// How long things last.
    pub fn lives(&self) -> Lives {
        Lives {
            sign_up: Duration::hours(self.sign_up_life_h.into()),
            reset_code: Duration::minutes(self.reset_code_life_min.into()),
            temporary_password: Duration::hours(self.temporary_password_life_h.into()),
            access_token: Duration::minutes(self.access_token_life_min.into()),
            refresh_token: Duration::hours(self.refresh_token_life_h.into()),
            challenge: Duration::seconds(self.challenge_life_s.into()),
            signing_key: Duration::days(self.signing_key_life_d.into()),
        }
    }
}
