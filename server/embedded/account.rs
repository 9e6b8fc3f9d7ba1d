//! The account that Postgres runs under. It refuses root, so a server of root's gives it an unprivileged one.

use anyhow::{Context, Result, bail};
use std::{
    fs,
    os::unix::fs::{MetadataExt, chown},
    path::{Path, PathBuf},
};

/// Who Postgres runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// User id.
    pub uid: u32,
    /// Group id.
    pub gid: u32,
}

impl Account {
    /// The account for a cluster in `root`; `None` when this process need not change its own. An existing cluster keeps its owner.
    ///
    /// # Errors
    /// When this is root and the machine has no unprivileged account.
    pub fn choose(root: &Path) -> Result<Option<Self>> {
        if !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        if let Ok(found) = fs::metadata(root)
            && found.uid() != 0
        {
            return Ok(Some(Self { uid: found.uid(), gid: found.gid() }));
        }
        let passwd = fs::read_to_string("/etc/passwd").context("looking for an unprivileged account in /etc/passwd")?;
        let account = ["postgres", "nobody"].iter().find_map(|name| Self::named(&passwd, name));
        match account {
            Some(account) => Ok(Some(account)),
            None => bail!("running as root, and there is neither a user `postgres` nor `nobody` for Postgres: set DATABASE_URL"),
        }
    }

    fn named(passwd: &str, name: &str) -> Option<Self> {
        passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (found, _password, uid, gid) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            (found == name).then_some(())?;
            Some(Self { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
        })
    }

    /// Whether this account may enter every directory down to a path, and read and enter the path itself. Its parts that are not there
    /// yet count as reachable.
    pub fn reaches(self, path: &Path) -> bool {
        let Ok(path) = std::path::absolute(path) else { return false };
        path.ancestors().all(|part| {
            let Ok(found) = fs::metadata(part) else { return true };
            let (read, enter) = (u32::from(part == path) * 0o4, 0o1);
            let shift = if found.uid() == self.uid {
                6
            } else if found.gid() == self.gid {
                3
            } else {
                0
            };
            (found.mode() >> shift) & (read | enter) == read | enter
        })
    }
}

/// Gives a path to the account, if there is one to change to.
///
/// # Errors
/// When the owner cannot be changed.
pub fn give(path: &Path, account: Option<Account>) -> Result<()> {
    let Some(Account { uid, gid }) = account else { return Ok(()) };
    chown(path, Some(uid), Some(gid)).with_context(|| format!("giving {} to the account of Postgres", path.display()))
}

/// Where a cluster lives that belongs to a data directory: inside it, or under /var/lib when the account may not go there, as in the
/// home directory of root.
pub fn place(data_dir: &Path, account: Option<Account>) -> PathBuf {
    let inside = data_dir.join("postgres");
    match account {
        Some(account) if !account.reaches(data_dir) => PathBuf::from("/var/lib/goodturn").join(super::short_name(data_dir)),
        _ => inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_account_is_read_from_passwd() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104::/var/lib/postgresql:/bin/bash\nnobody:x:-2:-2::/:/bin/false\n";
        assert_eq!(Account::named(passwd, "postgres"), Some(Account { uid: 101, gid: 104 }));
        assert_eq!(Account::named(passwd, "nobody"), None);
        assert_eq!(Account::named(passwd, "post"), None);
    }

    #[test]
    fn a_private_home_is_out_of_reach() {
        let home = tempfile::tempdir().unwrap();
        let inside = home.path().join("a");
        fs::create_dir(&inside).unwrap();
        let stranger = Account { uid: 4_000_000, gid: 4_000_000 };
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!stranger.reaches(&inside));
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o711)).unwrap();
        assert!(stranger.reaches(&inside));
        assert!(stranger.reaches(&inside.join("not-there-yet")));
        assert!(!stranger.reaches(home.path()), "it may be entered but not read");
    }
}
