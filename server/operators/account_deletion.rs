//! `goodturn members export` and `delete`: what a member takes along, and their leaving.

use super::{Desk, print::at};
use crate::{
    config::{Delete, Export, Named},
    identity::{self, Member},
    transact,
};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::{
    fs::OpenOptions,
    io::{self, BufRead, IsTerminal, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

impl Desk {
    /// Prints what is kept of a member, or writes it into a file.
    pub(super) async fn export(&self, Export { member, out }: &Export) -> Result<()> {
        let member = self.found(&Named { member: member.clone() }).await?;
        let document = identity::export_member(&self.pool, member.id).await?;
        let details = json!({"bytes": document.len()});
        transact!(self.deps.pool, |tx| self.note(tx, "members-export", Some(member.id), details.clone()).await)?;
        match out {
            Some(path) => keep(path, &document).with_context(|| format!("--out {}", path.display())),
            None => Ok(self.out.tell(&document, &serde_json::from_str(&document)?)?),
        }
    }

    /// Deletes a member.
    pub(super) async fn delete(&self, Delete { member, yes }: &Delete) -> Result<()> {
        let member = self.found(&Named { member: member.clone() }).await?;
        if !yes {
            confirm(&member, &at(member.created_at))?;
        }
        let ended = transact!(self.deps.pool, |tx| {
            let ended = identity::delete_member_in(&self.pool, tx, member.id).await?;
            self.note(tx, "members-delete", Some(member.id), json!({"sessions_ended": ended.len()})).await?;
            Ok(ended.len())
        })?;
        Ok(self.out.tell(&format!("Deleted. Sessions ended: {ended}"), &json!({"id": member.id, "sessionsEnded": ended}))?)
    }
}

/// Writes what is somebody's into a new file of the operator's own.
fn keep(path: &Path, document: &str) -> Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(document.as_bytes())?;
    Ok(file.sync_all()?)
}

/// Asks for the address, which nobody types by mistake.
fn confirm(member: &Member, since: &str) -> Result<()> {
    if !io::stdin().is_terminal() {
        bail!("there is no terminal to confirm this on: pass --yes");
    }
    eprint!("{}, a member since {since}, will be deleted for good. Type the address to continue: ", member.email);
    let mut typed = String::new();
    io::stdin().lock().read_line(&mut typed)?;
    if typed.trim() != member.email {
        bail!("the address does not match: no one was deleted");
    }
    Ok(())
}
