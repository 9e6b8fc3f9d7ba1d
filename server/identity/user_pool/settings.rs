//! What the configuration says of the user pool.

use crate::{
    budgets::{self, Budget},
    identity::{
        clients::Client,
        lockout::Limits,
        policy::{Lives, PasswordPolicy},
        secrets::Keys,
    },
};

/// What the configuration says of the user pool.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `<region>_<name>`, at most 55 characters.
    pub pool_id: String,
    /// Where members reach the server, without a slash at the end.
    pub public_url: String,
    /// The applications. The first is the web app.
    pub clients: Vec<Client>,
    /// The keys.
    pub keys: Keys,
    /// When tries become too many.
    pub limits: Limits,
    /// How many codes are sent.
    pub mails: Mails,
    /// What a new password must have.
    pub password_policy: PasswordPolicy,
    /// How long things last.
    pub lives: Lives,
    /// Whether there is somebody who sends SMS.
    pub sms: bool,
    /// The names of the providers that members may come by.
    pub providers: Vec<String>,
}

/// How many mails go to addresses that are not confirmed.
#[derive(Clone, Copy, Debug)]
pub struct Mails {
    /// Those that are asked for at one network.
    pub of_network: Budget,
    /// Those to one address that are asked for at one network.
    pub to_address: Budget,
}

/// As many networks can have as many mails sent to one address as each may: no one of them uses up what the others have.
const NETWORKS: i32 = 3;

impl Mails {
    /// The two budgets of mails to one address: of calls by the name that they give, and of what the address is sent. The first is
    /// the network's, or the member's who asks, and the address has more: no one of them uses it up.
    pub(in crate::identity) fn of(&self, why: Why) -> [Budget; 2] {
        let [by_name, to_address] = match why {
            Why::SignUp => [budgets::MAILS_BY_NAME, budgets::MAILS_TO_ADDRESS],
            Why::NewPassword => [budgets::RESETS_BY_NAME, budgets::RESETS_TO_ADDRESS],
            Why::NewAddress => [budgets::ADDRESSES_OF_MEMBER, budgets::CHANGES_TO_ADDRESS],
            Why::NewNumber => [budgets::NUMBERS_OF_MEMBER, budgets::SMS_TO_NUMBER],
            Why::SignIn => [budgets::SIGN_INS_BY_NAME, budgets::SIGN_INS_TO_ADDRESS],
        };
        let in_all = self.to_address.times(NETWORKS);
        [Budget { purpose: by_name.purpose, ..self.to_address }, Budget { purpose: to_address.purpose, ..in_all }]
    }
}

/// What a mail with a code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::identity) enum Why {
    /// Confirming an address.
    SignUp,
    /// A new password.
    NewPassword,
    /// A member's new address.
    NewAddress,
    /// A member's new number.
    NewNumber,
    /// Signing in by it.
    SignIn,
}

impl Why {
    /// Whether anybody may ask for it, who knows the name.
    pub(in crate::identity) const fn is_anybodys(self) -> bool {
        match self {
            Self::SignUp | Self::NewPassword | Self::SignIn => true,
            Self::NewAddress | Self::NewNumber => false,
        }
    }
}
