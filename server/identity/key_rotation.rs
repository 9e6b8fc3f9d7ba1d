//! Sealing anew: what an older secret of the configuration sealed is sealed with the first one, so that the older can be dropped. In small steps,
//! beside everything else; a row that changes at the same moment is let be, for what changes it seals with the first secret too.

use super::{
    derive_key, devices, factors, oauth, signing_key,
    store::sealed::{self as store, Column},
    user_pool::UserPool,
};
use crate::{
    error::Result,
    ids::{DeviceId, MemberId},
    read, transact,
};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Rows of one step.
const STEP: i64 = 200;
/// Between two steps: who waits for what a step has locked comes through.
const PAUSE: Duration = Duration::from_millis(10);
const AGAIN_AFTER_FAILURE: Duration = Duration::from_secs(60);

/// A sealed column, and what binds each of its values to its row.
struct Bound {
    column: Column,
    /// The label by the row's key; `None` for a key of another shape.
    label: fn(&[String]) -> Option<Vec<u8>>,
}

/// Every sealed column. A registration is before the verifier that it may become at this moment.
const BOUND: &[Bound] = &[
    Bound { column: Column { table: "registrations", key: &[("id", "uuid")], sealed: "sealed" }, label: of_verifier },
    Bound { column: Column { table: "verifiers", key: &[("member_id", "uuid")], sealed: "sealed" }, label: of_verifier },
    Bound { column: Column { table: "second_factors", key: &[("member_id", "uuid")], sealed: "totp_sealed" }, label: of_factor },
    Bound { column: Column { table: "second_factors", key: &[("member_id", "uuid")], sealed: "made_sealed" }, label: of_factor },
    Bound { column: Column { table: "devices", key: &[("member_id", "uuid"), ("id", "uuid")], sealed: "sealed" }, label: of_device },
    Bound { column: Column { table: "federated_sign_ins", key: &[("id", "bytea")], sealed: "sealed" }, label: of_underway },
    Bound {
        column: Column { table: "signing_keys", key: &[("kid", "text")], sealed: "sealed" },
        label: |_| Some(signing_key::LABEL.to_vec()),
    },
    Bound {
        column: Column { table: "derive_keys", key: &[("id", "integer")], sealed: "sealed" },
        label: |_| Some(derive_key::LABEL.to_vec()),
    },
];

/// The columns that are sealed anew, each with its table.
pub fn columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    BOUND.iter().map(|bound| (bound.column.table, bound.column.sealed))
}

/// What binds a sealed verifier to its member.
pub(super) fn verifier_label(member: MemberId) -> Vec<u8> {
    [b"verifier".as_slice(), member.0.as_bytes()].concat()
}

fn of_verifier(key: &[String]) -> Option<Vec<u8>> {
    Uuid::parse_str(key.first()?).ok().map(|id| verifier_label(MemberId(id)))
}

fn of_factor(key: &[String]) -> Option<Vec<u8>> {
    Uuid::parse_str(key.first()?).ok().map(|id| factors::label(MemberId(id)))
}

fn of_device(key: &[String]) -> Option<Vec<u8>> {
    let [member, device] = key else { return None };
    Some(devices::label(MemberId(Uuid::parse_str(member).ok()?), DeviceId(Uuid::parse_str(device).ok()?)))
}

fn of_underway(key: &[String]) -> Option<Vec<u8>> {
    let id = hex::decode(key.first()?.strip_prefix("\\x")?).ok()?;
    Some(oauth::underway_label(&id))
}

/// How far one column has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The table.
    pub table: &'static str,
    /// Rows that were looked at.
    pub seen: u64,
    /// Rows of an older secret that were sealed anew.
    pub sealed: u64,
    /// Rows of an older secret that were changed by others at the same moment.
    pub changed: u64,
    /// Rows that no secret of the configuration opens.
    pub unreadable: u64,
}

/// Seals anew whatever an older secret has sealed, and tells after each step how far it is. What came of each column.
///
/// # Errors
/// When the database is away; what was done stays done.
pub async fn reseal(pool: &UserPool, mut tell: impl FnMut(&Progress)) -> Result<Vec<Progress>> {
    let mut all = Vec::with_capacity(BOUND.len());
    for bound in BOUND {
        let mut progress = Progress { table: bound.column.table, ..Progress::default() };
        let mut after = None;
        while let Some(last) = step(pool, bound, after.as_deref(), &mut progress).await? {
            after = Some(last);
            tell(&progress);
            tokio::time::sleep(PAUSE).await;
        }
        all.push(progress);
    }
    Ok(all)
}

/// One step; the key of its last row, or nothing when there was none.
async fn step(pool: &UserPool, bound: &Bound, after: Option<&[String]>, progress: &mut Progress) -> Result<Option<Vec<String>>> {
    let keys = &pool.settings.keys;
    let rows = read!(pool.deps.pool, |conn| store::page(conn, &bound.column, after, STEP).await)?;
    let mut older = Vec::new();
    for row in &rows {
        progress.seen += 1;
        let opened = (bound.label)(&row.key).and_then(|label| keys.open_by(&label, &row.bytes).map(|opened| (label, opened)));
        match opened {
            Some((_, (0, _))) => {}
            Some((label, (_, plain))) => older.push((row, keys.seal(&pool.deps.ids, &label, &plain))),
            None => progress.unreadable += 1,
        }
    }
    if !older.is_empty() {
        let sealed = transact!(pool.deps.pool, |tx| {
            let mut sealed = 0;
            for (row, anew) in &older {
                sealed += u64::from(store::put(tx, &bound.column, row, anew).await?);
            }
            Ok(sealed)
        })?;
        progress.sealed += sealed;
        progress.changed += older.len() as u64 - sealed;
    }
    Ok(rows.into_iter().next_back().map(|row| row.key))
}

/// Seals anew once, on a node that was started with an older secret beside the first, until it is done or `stop`.
pub async fn run(pool: Arc<UserPool>, stop: CancellationToken) {
    let work = async {
        loop {
            match reseal(&pool, |_| ()).await {
                Ok(all) => return log(&all),
                Err(cause) => tracing::warn!(%cause, "sealing anew was cut off; it goes on in a minute"),
            }
            tokio::time::sleep(AGAIN_AFTER_FAILURE).await;
        }
    };
    stop.run_until_cancelled(work).await;
}

fn log(all: &[Progress]) {
    for Progress { table, seen, sealed, changed, unreadable } in all {
        if *unreadable > 0 {
            tracing::warn!(table, unreadable, "rows were sealed with a secret that the configuration does not have");
        }
        if *sealed > 0 {
            tracing::info!(table, seen, sealed, changed, "sealed anew with the first secret");
        }
    }
}
