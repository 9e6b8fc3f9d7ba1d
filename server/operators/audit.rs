//! Who an operator is, and what the audit keeps of a use: no secret, and no address of a member.

use crate::ids::MemberId;
use serde_json::Value;
use std::{env, fs};
use time::OffsetDateTime;
use uuid::Uuid;

/// The longest name that is kept of an account or a machine, in characters.
const NAME_CHARS_MAX: usize = 120;

/// The account and the machine that a command was called from: `ana@host`, or `root (sudo by ana)@host`.
pub struct Operator(pub String);

impl Operator {
    /// Of this process, as the system tells it.
    pub fn of_this_process() -> Self {
        let account = account();
        let host = hostname::get().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let by = env::var("SUDO_USER").ok().filter(|by| !by.is_empty() && *by != account);
        let by = by.map(|by| format!(" (sudo by {})", plain(&by))).unwrap_or_default();
        Self(format!("{}{by}@{}", plain(&account), plain(&host)))
    }
}

/// The name of the account; its number where it has none. Not from the environment, which anybody can set.
fn account() -> String {
    let uid = rustix::process::getuid().as_raw();
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    named(&passwd, uid).map_or_else(|| format!("uid {uid}"), str::to_owned)
}

fn named(passwd: &str, uid: u32) -> Option<&str> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, _, id) = (fields.next()?, fields.next()?, fields.next()?);
        (id.parse() == Ok(uid)).then_some(name)
    })
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect()
}

/// One use, as it is kept.
pub struct Entry {
    /// The row, by which lists go on.
    pub id: Uuid,
    /// When.
    pub at: OffsetDateTime,
    /// Who, and from where.
    pub operator: String,
    /// What: the words of the command, with hyphens.
    pub action: String,
    /// Whom it was about, if it was one member.
    pub member: Option<MemberId>,
    /// More of it.
    pub details: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_the_name_of_its_number() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nana:x:1000:1000::/home/ana:/bin/sh\nbroken\n";
        assert_eq!([named(passwd, 0), named(passwd, 1000), named(passwd, 7)], [Some("root"), Some("ana"), None]);
    }

    #[test]
    fn an_operator_fits_the_row() {
        let Operator(name) = Operator::of_this_process();
        assert!(name.contains('@') && name.chars().count() <= 400, "{name}");
        assert_eq!(plain("a\nb\u{1b}[31m"), "ab[31m");
    }
}
