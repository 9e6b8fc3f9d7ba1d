//! What a sign-in asks for next: which step follows which. Pure.

use super::clients::Mfa;

/// What was shown last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The password, or what stands in for it.
    Password,
    /// A new password in place of a temporary one.
    NewPassword,
    /// A second factor.
    Factor,
}

/// A second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A code of an authenticator.
    Totp,
    /// A code sent by SMS.
    Sms,
}

/// What is known of the device that a sign-in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It names none, or the client remembers none.
    None,
    /// It was confirmed, and can prove itself.
    Known,
    /// It stands in for a second factor, too.
    Remembered,
}

/// How it stands with somebody who signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether the password is one that an operator set.
    pub temporary: bool,
    /// What the client wants.
    pub mfa: Mfa,
    /// Whether an authenticator is on.
    pub totp: bool,
    /// Whether there is one, on or off.
    pub has_totp: bool,
    /// Whether SMS is on.
    pub sms: bool,
    /// Which is asked when both are on.
    pub preferred: Option<Factor>,
    /// The device.
    pub device: Trust,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A password of their own.
    NewPassword,
    /// This second factor.
    Factor(Factor),
    /// A choice between the two.
    Select,
    /// Setting a second factor up.
    SetUp,
    /// The proof of the device.
    Device,
    /// Nothing: they are in.
    Done,
}

/// What follows on what was shown.
pub fn next(shown: Shown, of: &Standing) -> Next {
    match shown {
        Shown::Password if of.temporary => Next::NewPassword,
        // A remembered device stands in for a second factor that there is, not for having one.
        Shown::Password | Shown::NewPassword if of.device != Trust::Remembered || !(of.totp || of.sms) => {
            second_factor(of).unwrap_or(device(of))
        }
        Shown::Password | Shown::NewPassword | Shown::Factor => device(of),
    }
}

/// Whether a second factor is asked for, beside the password.
pub fn asks_factor(of: &Standing) -> bool {
    matches!(second_factor(of), Some(Next::Factor(_) | Next::Select))
}

fn second_factor(of: &Standing) -> Option<Next> {
    if of.mfa == Mfa::Off {
        return None;
    }
    match (of.totp, of.sms) {
        (true, true) => Some(of.preferred.map_or(Next::Select, Next::Factor)),
        (true, false) => Some(Next::Factor(Factor::Totp)),
        (false, true) => Some(Next::Factor(Factor::Sms)),
        // Who has switched theirs off shows it all the same: another one in its place would be set up by the password alone.
        (false, false) => (of.mfa == Mfa::Required).then_some(if of.has_totp { Next::Factor(Factor::Totp) } else { Next::SetUp }),
    }
}

fn device(of: &Standing) -> Next {
    if of.device == Trust::None { Next::Done } else { Next::Device }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Factor::{Sms, Totp};

    const PLAIN: Standing =
        Standing { temporary: false, mfa: Mfa::Optional, totp: false, has_totp: false, sms: false, preferred: None, device: Trust::None };

    #[test]
    fn each_step_follows_from_the_table() {
        let both = Standing { totp: true, sms: true, ..PLAIN };
        let table = [
            (Shown::Password, PLAIN, Next::Done),
            (Shown::Password, Standing { temporary: true, ..both }, Next::NewPassword),
            (Shown::Password, Standing { temporary: true, device: Trust::Remembered, ..both }, Next::NewPassword),
            (Shown::NewPassword, Standing { temporary: true, ..PLAIN }, Next::Done),
            (Shown::NewPassword, Standing { totp: true, ..PLAIN }, Next::Factor(Totp)),
            (Shown::Password, Standing { totp: true, ..PLAIN }, Next::Factor(Totp)),
            (Shown::Password, Standing { sms: true, ..PLAIN }, Next::Factor(Sms)),
            (Shown::Password, both, Next::Select),
            (Shown::Password, Standing { preferred: Some(Sms), ..both }, Next::Factor(Sms)),
            (Shown::Password, Standing { mfa: Mfa::Off, ..both }, Next::Done),
            (Shown::Password, Standing { mfa: Mfa::Required, ..PLAIN }, Next::SetUp),
            (Shown::Password, Standing { mfa: Mfa::Required, has_totp: true, ..PLAIN }, Next::Factor(Totp)),
            (Shown::Password, Standing { has_totp: true, ..PLAIN }, Next::Done),
            (Shown::Password, Standing { mfa: Mfa::Required, has_totp: true, device: Trust::Remembered, ..PLAIN }, Next::Factor(Totp)),
            (Shown::Password, Standing { mfa: Mfa::Required, device: Trust::Known, ..PLAIN }, Next::SetUp),
            (Shown::Password, Standing { device: Trust::Known, ..PLAIN }, Next::Device),
            (Shown::Password, Standing { device: Trust::Known, ..both }, Next::Select),
            (Shown::Password, Standing { device: Trust::Remembered, ..both }, Next::Device),
            (Shown::Password, Standing { device: Trust::Remembered, mfa: Mfa::Required, ..PLAIN }, Next::SetUp),
            (Shown::Password, Standing { device: Trust::Remembered, ..PLAIN }, Next::Device),
            (Shown::Password, Standing { device: Trust::Remembered, mfa: Mfa::Required, ..both }, Next::Device),
            (Shown::Factor, both, Next::Done),
            (Shown::Factor, Standing { device: Trust::Known, ..both }, Next::Device),
        ];
        for (shown, standing, follows) in table {
            assert_eq!(next(shown, &standing), follows, "{shown:?} {standing:?}");
        }
    }

    /// Whoever has a second factor on never gets in by the password alone, unless a remembered device proves itself.
    #[test]
    fn no_second_factor_is_passed_over() {
        for mfa in [Mfa::Optional, Mfa::Required] {
            for device in [Trust::None, Trust::Known, Trust::Remembered] {
                for (totp, sms) in [(true, false), (false, true), (true, true)] {
                    for preferred in [None, Some(Totp), Some(Sms)] {
                        for temporary in [false, true] {
                            let standing = Standing { temporary, mfa, totp, has_totp: totp, sms, preferred, device };
                            for shown in [Shown::Password, Shown::NewPassword] {
                                let follows = next(shown, &standing);
                                assert!(follows != Next::Done && (follows != Next::Device || device == Trust::Remembered), "{standing:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
