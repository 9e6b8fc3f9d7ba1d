//! The key that codes, refresh tokens and the names of counted tries are derived with. It is sealed in the database, so that the secrets of the
//! configuration can be replaced, and the old ones dropped, without an end of all of these.

use super::{
    secrets::Keys,
    store::keys::{self as store},
};
use crate::{
    db::Tx,
    deps::Deps,
    error::{Error, Result},
    read, transact,
};

/// What seals it.
pub const LABEL: &[u8] = b"derive key";

/// The keys of the configuration, deriving with the key of this database, which is made when there is none.
///
/// # Errors
/// When the database is away, or the key in it was sealed with another secret.
pub async fn open(deps: &Deps, secrets: Keys) -> Result<Keys> {
    let sealed = match read!(deps.pool, |conn| store::derive_key(conn).await)? {
        Some(sealed) => sealed,
        None => transact!(deps.pool, |tx| make(deps, tx, &secrets).await)?,
    };
    let key = secrets
        .open(LABEL, &sealed)
        .ok_or_else(|| Error::internal(anyhow::anyhow!("the derive key was sealed with another secret: was the configuration changed?")))?;
    Ok(secrets.deriving_with(&key))
}

async fn make(deps: &Deps, tx: &mut Tx, secrets: &Keys) -> Result<Vec<u8>> {
    store::lock(tx).await?;
    // Another node may have been first.
    if let Some(sealed) = store::derive_key(tx).await? {
        return Ok(sealed);
    }
    let sealed = secrets.seal(&deps.ids, LABEL, &deps.ids.bytes::<32>());
    store::insert_derive_key(tx, &sealed, deps.clock.now()).await?;
    Ok(sealed)
}
