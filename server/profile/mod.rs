//! What a member tells of themself, and what Goodturn counts for them.

mod account_deletion;
mod changes;
mod numbers;
mod pictures;
mod reports;
mod repute;
mod rules;
mod service;
mod store;
mod wire;

pub use account_deletion::{Hooks, LastHooks};
pub use pictures::set_drawn;
pub use reports::ProblemReports;
pub use repute::Reputation;
pub use service::{Service, skip_phone_step};

use crate::{
    identity::{Member, attributes::profile::Number},
    ids::{MemberId, ReportId},
    pb::friends::Relation,
};
use time::OffsetDateTime;

/// The country by which numbers are read as long as none was said.
const COUNTRY: &str = "US";

/// What a profile has beside what identity keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// By which a number without `+` is read, ISO 3166-1 alpha-2.
    pub country: String,
    /// The Venmo handle; empty: none.
    pub venmo: String,
    /// The PayPal handle; empty: none.
    pub paypal: String,
    /// Whether the step that asks for a number is done: by a number, or skipped.
    pub phone_step_done: bool,
}

impl Default for Kept {
    fn default() -> Self {
        Self { country: COUNTRY.to_owned(), venmo: String::new(), paypal: String::new(), phone_step_done: false }
    }
}

/// All of a profile, and what the member is to the one who looks.
#[derive(Clone, Debug)]
pub struct Found {
    /// Who.
    pub member: Member,
    /// The number that is shown.
    pub number: Number,
    /// What else is kept.
    pub kept: Kept,
    /// What they are to the one who looks.
    pub relation: Relation,
}

/// A problem that a member reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// Who.
    pub member: MemberId,
    /// What happened, in their words.
    pub message: String,
    /// When.
    pub at: OffsetDateTime,
}
