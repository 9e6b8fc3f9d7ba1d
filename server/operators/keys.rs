//! `goodturn keys`.

use super::{Desk, NotThere, print::at};
use crate::{
    config::KeysAction,
    error::Reason,
    identity::{
        key_rotation::{self, Progress},
        keys::{Haste, Keyring, Published, Stage},
    },
    transact,
};
use anyhow::{Result, bail};
use serde_json::{Value, json};

/// A pass over all rows finds nothing to seal; what others seal with an older secret meanwhile is found by the next.
const PASSES_MAX: u32 = 3;

impl Desk {
    /// Does one of them.
    pub(super) async fn keys(&self, action: KeysAction) -> Result<()> {
        match action {
            KeysAction::List => self.list_keys().await,
            KeysAction::Rotate { now } => self.rotate(if now { Haste::AtOnce } else { Haste::Ahead }).await,
            KeysAction::Retire { kid } => self.retire(&kid).await,
            KeysAction::Reseal => self.reseal().await,
        }
    }

    async fn list_keys(&self) -> Result<()> {
        let keys = transact!(self.deps.pool, |tx| {
            let keys = self.pool.keyring().list(tx).await?;
            self.note(tx, "keys-list", None, json!({})).await?;
            Ok(keys)
        })?;
        let text = keys.iter().map(line).collect::<Vec<_>>().join("\n");
        Ok(self.out.tell(&text, &json!({"keys": keys.iter().map(json_of).collect::<Vec<_>>()}))?)
    }

    async fn rotate(&self, haste: Haste) -> Result<()> {
        let made = Keyring::make().await?;
        let rotated = transact!(self.deps.pool, |tx| {
            let rotated = self.pool.keyring().rotate(tx, &made, haste).await?;
            let details = rotated.as_ref().map(|(kid, from)| json!({"kid": kid, "signs_from": at(*from)}));
            self.note(tx, "keys-rotate", None, details.unwrap_or_else(|| json!({"changed": false}))).await?;
            Ok(rotated)
        })?;
        let Some((kid, from)) = rotated else {
            bail!(
                "the next key is published already: `goodturn keys list` says from when on it signs, and --now makes another one at once"
            );
        };
        let from = at(from);
        Ok(self.out.tell(&format!("{kid} signs from {from}"), &json!({"kid": kid, "signsFrom": from}))?)
    }

    async fn retire(&self, kid: &str) -> Result<()> {
        let made = Keyring::make().await?;
        let retired = transact!(self.deps.pool, |tx| {
            let successor = self.pool.keyring().retire(tx, kid, &made).await?;
            self.note(tx, "keys-retire", None, json!({"kid": kid, "successor": successor})).await?;
            Ok(successor)
        });
        let successor = match retired {
            Ok(successor) => successor,
            Err(e) if e.reason() == Reason::NotFound => {
                return Err(NotThere(format!("there is no key {kid}: see `goodturn keys list`")).into());
            }
            Err(e) => return Err(e.into()),
        };
        let text = match &successor {
            Some(kid) => format!("Retired: what it signed is refused. {kid} signs now."),
            None => "Retired: what it signed is refused.".to_owned(),
        };
        Ok(self.out.tell(&text, &json!({"kid": kid, "successor": successor}))?)
    }

    async fn reseal(&self) -> Result<()> {
        let (mut sealed, mut last) = (0, Vec::new());
        for _ in 0..PASSES_MAX {
            last = key_rotation::reseal(&self.pool, |p| {
                self.out.progress(&format!("{}: {} looked at, {} sealed anew", p.table, p.seen, p.sealed))
            })
            .await?;
            sealed += total(&last, |p| p.sealed);
            if total(&last, |p| p.sealed + p.changed) == 0 {
                break;
            }
        }
        let (left, unreadable) = (total(&last, |p| p.sealed + p.changed), total(&last, |p| p.unreadable));
        let details = json!({"sealed": sealed, "left": left, "unreadable": unreadable});
        transact!(self.deps.pool, |tx| self.note(tx, "keys-reseal", None, details.clone()).await)?;
        if unreadable > 0 {
            let tables: Vec<_> = last.iter().filter(|p| p.unreadable > 0).map(|p| format!("{} of {}", p.unreadable, p.table)).collect();
            bail!("rows were sealed with a secret that --secret-keys (GOODTURN_SECRET_KEYS) does not have: {}", tables.join(", "));
        }
        if left > 0 {
            bail!(
                "rows are sealed with an older secret still, by servers that have it first: give them the new one first, and run this again"
            );
        }
        let text = format!("Sealed anew: {sealed}. Everything is sealed with the first secret: the older ones can be dropped.");
        Ok(self.out.tell(&text, &details)?)
    }
}

fn total(all: &[Progress], of: fn(&Progress) -> u64) -> u64 {
    all.iter().map(of).sum()
}

fn stage(stage: Stage) -> String {
    match stage {
        Stage::Comes => "comes".to_owned(),
        Stage::Signs => "signs".to_owned(),
        Stage::Checks { until } => format!("checks until {}", at(until)),
    }
}

fn sealed_by(key: &Published) -> String {
    match key.sealed_by {
        Some(0) => "sealed by the first secret".to_owned(),
        Some(n) => format!("sealed by secret {} of the configuration", n + 1),
        None => "sealed by a secret that is not configured".to_owned(),
    }
}

fn line(key: &Published) -> String {
    format!("{}  made {}  from {}  {}  {}", key.kid, at(key.created_at), at(key.used_from), stage(key.stage), sealed_by(key))
}

fn json_of(key: &Published) -> Value {
    let (stage, until) = match key.stage {
        Stage::Comes => ("comes", None),
        Stage::Signs => ("signs", None),
        Stage::Checks { until } => ("checks", Some(at(until))),
    };
    json!({
        "kid": key.kid, "madeAt": at(key.created_at), "signsFrom": at(key.used_from), "stage": stage, "until": until,
        "sealedBySecret": key.sealed_by.map(|n| n + 1),
    })
}
