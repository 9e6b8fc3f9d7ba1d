//! The days in which an owner does not lend an item.

use super::{changes::owned, form, rules, service::Service, store};
use crate::{
    days::{self, Days},
    error::{Error, Result},
    identity::store as members,
    ids::{ItemId, MemberId},
    jobs, notifications,
    pb::notifications::TargetKind,
    read, transact,
};
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};

/// How long ranges that are past are kept: until it is tomorrow in every zone.
const KEPT_FOR: Duration = Duration::days(2);

impl Service {
    /// Writes all ranges there shall be, which were made of those of a version; those that there are then. A repetition changes nothing.
    pub(super) async fn black_out(&self, me: MemberId, id: ItemId, asked: &[Days], known: &str) -> Result<Vec<Days>> {
        transact!(self.deps.pool, |tx| {
            let now = self.deps.clock.now();
            owned(tx, me, id).await?;
            let today = today(tx, me, now).await?;
            let wanted = rules::black_outs(asked, today)?;
            let before = kept(tx, id, today).await?;
            if wanted == before {
                return Ok(wanted);
            }
            form::check_version(known, &before)?;
            for hook in self.hooks.iter() {
                if let Some(booked) = hook.booked(tx, id, &wanted).await? {
                    return Err(rules::booked(booked));
                }
            }
            store::set_blackouts(tx, id, &wanted).await?;
            notifications::changed(tx, me, TargetKind::Item, id.0);
            Ok(wanted)
        })
    }

    /// The ranges that are not past.
    pub(super) async fn blacked_out(&self, me: MemberId, id: ItemId) -> Result<Vec<Days>> {
        read!(self.deps.pool, |conn| {
            super::own(conn, me, id).await?;
            let today = today(conn, me, self.deps.clock.now()).await?;
            kept(conn, id, today).await
        })
    }
}

async fn kept(conn: &mut PgConnection, id: ItemId, today: Date) -> Result<Vec<Days>> {
    store::blackouts(conn, id, today, Date::MAX).await
}

/// Which day it is where the owner is.
async fn today(conn: &mut PgConnection, owner: MemberId, now: OffsetDateTime) -> Result<Date> {
    let owner = members::member(conn, owner).await?.ok_or_else(Error::unauthenticated)?;
    Ok(days::today(now, &owner.time_zone))
}

/// Deletes black-out days that are long past.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "black-out days"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        store::remove_past_blackouts(conn, (now - KEPT_FOR).date()).await
    }
}
