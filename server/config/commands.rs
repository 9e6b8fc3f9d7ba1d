//! What the program does: its subcommands and what they take.

use clap::{Args, Subcommand, value_parser};
use std::path::PathBuf;

/// What the program does.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Migrates the database and serves (the default)
    Serve,
    /// Brings the database schema up to date, and ends
    Migrate,
    /// Adds demo members with friends and favors, once, and ends (local mode)
    DemoData,
    /// Runs the private Postgres alone, prints its URL, and ends on Ctrl-C: for psql and backups
    Postgres,
    /// What an operator does with members: make, show, disable, sign out, export, delete
    ///
    /// It works on the database of the configuration, also while servers run on it, and takes effect on all of them at once. Every use is a row
    /// of the audit, with the account and the machine that it came from. A member is named by address or id. Ends with 0 when it is done, 1 when
    /// it failed, 2 when it was called wrongly, 3 when there is no such member or key.
    Members(Members),
    /// What an operator does with the keys that sign tokens, and with the secrets that seal what is stored
    ///
    /// It works on the database of the configuration, also while servers run on it, and takes effect on all of them at once. Every use is a row
    /// of the audit (goodturn members audit). docs/OPERATING.md says in which order secrets are replaced.
    Keys(Keys),
}

impl Command {
    /// Whether it is an operator's, who wants its outcome and no more.
    pub fn is_operators(&self) -> bool {
        matches!(self, Self::Members(_) | Self::Keys(_))
    }
}

/// `goodturn members`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// What to do.
    #[command(subcommand)]
    pub action: MembersAction,
    /// Prints JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with members.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MembersAction {
    /// Makes a member with a confirmed address, and prints a temporary password, once
    ///
    /// The member sets an own password at the first sign-in. A sign-up that waits at the address is dropped.
    Create(Create),
    /// Sets a temporary password and prints it, once; every session of the member ends
    ResetPassword(Named),
    /// Keeps a member from signing in; every session ends
    Disable(Named),
    /// Lets a disabled member sign in again
    Enable(Named),
    /// Lists members in the order in which they joined
    List(List),
    /// Shows one member: the profile, how it stands with signing in, the open sessions
    Show(Named),
    /// Ends every session of a member, everywhere
    SignOut(Named),
    /// Takes a member's lost second factors away: authenticator, codes by SMS, recovery codes, devices; every session ends, and a mail tells it
    ///
    /// The password alone signs the member in then: be sure of who asks for it.
    RemoveFactors(Named),
    /// Prints all that is kept of a member, as one JSON document
    Export(Export),
    /// Deletes a member for good; others keep what they shared, without the name
    ///
    /// Every session ends, and the address is free. It asks for the address first, unless --yes says that it is meant. Export before.
    Delete(Delete),
    /// Shows what operators did, the newest first
    Audit(Audit),
}

/// Whom to make.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// The address, which counts as confirmed
    #[arg(long)]
    pub email: String,
    /// The whole name; its first word is the given name where that is not said
    #[arg(long, required_unless_present = "given_name")]
    pub name: Option<String>,
    /// The given name
    #[arg(long)]
    pub given_name: Option<String>,
    /// The family name
    #[arg(long)]
    pub family_name: Option<String>,
    /// The member's zone, as in Europe/Lisbon
    #[arg(long, default_value = "UTC")]
    pub zone: String,
}

/// Which member.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The member's address or id
    pub member: String,
}

/// What to export.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The member's address or id
    pub member: String,
    /// A new file for it, which only its owner may read; printed, when not said
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// Whom to delete.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// The member's address or id
    pub member: String,
    /// Deletes without a question
    #[arg(long)]
    pub yes: bool,
}

/// Which page.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// How many at most
    #[arg(long, default_value_t = 100, value_parser = value_parser!(i64).range(1..=1000))]
    pub limit: i64,
    /// The member after whom the list goes on: the last one of the page before, by address or id
    #[arg(long)]
    pub after: Option<String>,
}

/// Which rows of the audit.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The member whom it is about, by address or id; by id also one that is deleted. Everybody, when not said
    pub member: Option<String>,
    /// How many at most
    #[arg(long, default_value_t = 100, value_parser = value_parser!(i64).range(1..=1000))]
    pub limit: i64,
    /// The id of the entry after which the list goes on
    #[arg(long)]
    pub after: Option<uuid::Uuid>,
}

/// `goodturn keys`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// What to do.
    #[command(subcommand)]
    pub action: KeysAction,
    /// Prints JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum KeysAction {
    /// Lists the keys that are published: what each does, and which secret sealed it
    List,
    /// Lets another key sign tokens; nobody is signed out
    ///
    /// It is published two hours ahead, so that every reader of the JWKS has it, and signs then. The keys before it are published until the last
    /// token that they signed is dead. The schedule of --signing-key-life-d begins anew.
    Rotate {
        /// Signs in five seconds, and instead of a key that was to come: readers that do not look for an unknown key refuse its tokens until they
        /// read the JWKS again
        #[arg(long)]
        now: bool,
    },
    /// Takes a key back in an emergency: every node refuses what it signed, at once
    ///
    /// When it is the one that signs, another one does from that moment on. Members stay signed in: their clients refresh, and refresh tokens are
    /// not signed. Whoever else checks tokens refuses them when the JWKS is read again.
    Retire {
        /// The name of the key, as `goodturn keys list` tells it
        kid: String,
    },
    /// Seals anew, with the first of --secret-keys, whatever an older one has sealed, so that the older can be dropped
    ///
    /// Servers that are started with an older secret do so by themselves; this tells how far it is, and fails when something is left.
    Reseal,
}
