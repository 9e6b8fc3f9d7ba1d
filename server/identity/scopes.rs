//! What a token may be used for.

use serde::{Deserialize, Serialize};

/// The names, in the order in which they are told.
pub const NAMES: [&str; 5] = ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"];

/// Those that an application may ask for when nobody has said: calls in a member's name are granted to whom the file says.
pub const USUAL: [&str; 4] = ["openid", "email", "phone", "profile"];

/// A set of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scopes(u8);

impl Scopes {
    /// None: what no session has.
    pub const NONE: Self = Self(0);
    /// Who somebody is: `userInfo`, and an id token.
    pub const OPENID: Self = Self(1);
    /// Their address.
    pub const EMAIL: Self = Self(1 << 1);
    /// Their phone number.
    pub const PHONE: Self = Self(1 << 2);
    /// Their names, picture and zone.
    pub const PROFILE: Self = Self(1 << 3);
    /// Calls in their name: what every RPC wants.
    pub const ADMIN: Self = Self(1 << 4);

    /// Those that a text names, with blanks between; `None` when it names another one.
    pub fn read(text: &str) -> Option<Self> {
        Self::of(text.split_ascii_whitespace())
    }

    /// Those of these names; `None` when one is unknown.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let bit = |name: &str| NAMES.iter().position(|known| *known == name).map(|at| 1 << at);
        names.into_iter().try_fold(Self::NONE, |all, name| Some(Self(all.0 | bit(name)?)))
    }

    /// Whether all of the others are among them.
    pub const fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// These and the others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those of them that are among the others.
    #[must_use]
    pub const fn within(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// As tokens and answers tell them.
    pub fn spell(self) -> String {
        let named = (0..).zip(NAMES).filter(|(at, _)| self.0 & 1 << at != 0);
        named.map(|(_, name)| name).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_told_as_it_is_read() {
        let two = Scopes::read("profile openid").unwrap();
        assert_eq!(two.spell(), "openid profile");
        assert!(two.has(Scopes::OPENID) && two.has(Scopes::NONE) && !two.has(Scopes::ADMIN) && !Scopes::OPENID.has(two));
        assert_eq!((two.and(Scopes::ADMIN).spell(), two.within(Scopes::OPENID)), (format!("openid profile {}", NAMES[4]), Scopes::OPENID));
        assert_eq!(Scopes::read(&NAMES.join(" ")).unwrap().spell(), NAMES.join(" "));
        assert_eq!(Scopes::read("aws.cognito.signin.user.admin"), Some(Scopes::ADMIN));
        assert_eq!((Scopes::read(""), Scopes::read("openid all"), Scopes::read("OpenID")), (Some(Scopes::NONE), None, None));
        assert!(Scopes::NONE.is_empty() && Scopes::NONE.spell().is_empty());
    }
}
